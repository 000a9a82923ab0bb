"""A shell for tests: writes files, runs the command, and keeps what it prints."""

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

from agent_lsp.cli import main

SOUND = "---\ndescription: Reviews a change.\n---\nReview the change.\n"
# One warning, on the second line.
SLIP = "---\nallow_list: [aply_patch]\ndescription: Reviews a change.\n---\nReview the change.\n"
# One error: the runtime drops the header.
BROKEN = "---\ndescription: Reviews a change.\nread_only: yes\n---\nReview the change.\n"
# One hint.
REDUNDANT = (
    "---\ndescription: D.\nallow_list: [wait, web_search]\ndeny_list: [web_search]\n---\nReview.\n"
)


@dataclass(frozen=True, slots=True)
class Ran:
    """The exit code and the output of one call of the command."""

    code: int
    out: str
    err: str

    @property
    def heads(self) -> list[str]:
        """`path:line:column: severity[code]` of each finding, in the order of the output."""
        return [line.split("]: ")[0] + "]" for line in self.out.splitlines() if "]: " in line]

    @property
    def summary(self) -> str:
        """The line that counts the findings, without the programs whose templates were checked.

        The line below it may say how many findings have a fix.
        """
        said = next(line for line in self.out.splitlines() if line.startswith("checked "))
        return re.sub(r"(templates?) of [^:]+", r"\1", said)

    @property
    def last(self) -> str:
        """The last line of the output."""
        return self.out.splitlines()[-1]


@dataclass(frozen=True, slots=True)
class Shell:
    """A repository, which is the current folder, and a home."""

    root: Path
    home: Path
    capsys: pytest.CaptureFixture[str]

    def write(self, name: str, text: str | bytes) -> Path:
        """Writes a file below the repository, or below the home if its name begins with `~/`."""
        path = self.home / name.removeprefix("~/") if name.startswith("~/") else self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else textwrap.dedent(text).encode())
        return path

    def run(self, *arguments: str | Path) -> Ran:
        """Runs `agent-template-lsp` with `arguments`."""
        self.capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        said = self.capsys.readouterr()
        return Ran(code, said.out, said.err)


def shell_in(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """A shell in an empty repository below `folder`, with an empty home beside it."""
    root, home = folder / "workspace", folder / "home"
    (root / ".git").mkdir(parents=True)
    home.mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    for name in ("CODEX_HOME", "XDG_CONFIG_HOME", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(root)
    return Shell(root, home, capsys)
