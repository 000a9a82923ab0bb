"""A real Neovim without a screen, driven from outside as a person would drive it."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.server.editor import ROOT, environment

_OLDEST = (0, 11)
# For a machine with other things to do.
_PATIENCE = 120.0
_INIT = """\
vim.opt.runtimepath:prepend(vim.env.PROJECT)
vim.lsp.enable("agent_template_lsp")
"""


def executable() -> str:
    """A Neovim that can run the test; without one the test is skipped, and fails in CI."""
    beside = Path(sys.executable).with_name("nvim")
    for candidate in (shutil.which("nvim"), str(beside) if beside.exists() else None):
        if candidate is not None and _version(candidate) >= _OLDEST:
            return candidate
    reason = "no nvim of version 0.11 or newer, on PATH or beside this Python"
    if os.environ.get("CI", "").lower() in ("1", "true"):
        pytest.fail(reason)
    pytest.skip(reason)


def _version(nvim: str) -> tuple[int, ...]:
    said = subprocess.run([nvim, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"NVIM v(\d+)\.(\d+)", said)
    return tuple(int(part) for part in found.groups()) if found else ()


@dataclass(frozen=True)
class Neovim:
    """One running editor."""

    nvim: str
    address: str
    folder: Path

    def lua(self, code: str) -> Any:
        """What the body `code` of a Lua function returns."""
        wrapped = f"vim.json.encode({{ (function() {code} end)() }})"
        quoted = wrapped.replace("'", "''")
        answer = self._remote("--remote-expr", f"luaeval('{quoted}')")
        return (json.loads(answer) or [None])[0]

    def type(self, keys: str) -> None:
        """Types `keys`, with special ones as in `<Esc>`."""
        self._remote("--remote-send", keys)

    def edit(self, path: Path) -> None:
        self.type(f"<C-\\><C-n>:edit! {path}<CR>")
        self.until(f"return vim.api.nvim_buf_get_name(0) == [[{path}]]")

    def text(self) -> str:
        """The text of the buffer in front."""
        return str(
            self.lua('return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\\n")')
        )

    def until(self, code: str, fits: Callable[[Any], bool] = bool) -> Any:
        """What `code` returns as soon as it `fits`."""
        deadline = time.monotonic() + _PATIENCE
        while not fits(answer := self.lua(code)):
            assert time.monotonic() < deadline, f"{code}: {answer}"
            time.sleep(0.05)
        return answer

    def _remote(self, *arguments: str) -> str:
        command = [self.nvim, "--server", self.address, *arguments]
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, timeout=_PATIENCE
        )
        return done.stdout


@contextmanager
def running(folder: Path, more: str = "") -> Iterator[Neovim]:
    """A Neovim whose home is in `folder`, set up as the docs say, and with `more` in init.lua."""
    nvim = executable()
    commands = folder / "bin"
    commands.mkdir()
    command = commands / "agent-template-lsp"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m agent_lsp "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    inherited = environment(folder)
    path = os.pathsep.join((str(commands), inherited["PATH"]))
    # A socket's path must be short.
    address = os.path.relpath(folder / "nvim.sock")
    init = folder / "init.lua"
    init.write_text(f"{_INIT}{more}", encoding="utf-8")
    start = [nvim, "--headless", "--listen", address, "-n", "-i", "NONE"]
    process = subprocess.Popen(
        [*start, "-u", str(init)],
        env=inherited | {"PATH": path, "PROJECT": str(ROOT)},
        stdin=subprocess.DEVNULL,
    )
    editor = Neovim(nvim, address, folder)
    try:
        deadline = time.monotonic() + _PATIENCE
        while not (folder / "nvim.sock").exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield editor
        editor.lua("vim.defer_fn(function() vim.cmd.qall({ bang = true }) end, 20)")
        process.wait(timeout=_PATIENCE)
    finally:
        process.kill()
        process.wait()
