"""Repeats `check` after each change of a file, until the user interrupts it.

Invariants: a look at the folders takes a tenth of the time at most. Files whose names no system and
no setting has are not looked at.
"""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from agent_lsp.cli.arguments import CommandError
from agent_lsp.cli.streams import control
from agent_lsp.cli.terminal import takes_codes, visible_lines
from agent_lsp.environment import SETTINGS_FILE, SYSTEMS
from agent_lsp.workspace.disk import NEVER_ENTERED

# In seconds.
_PAUSE = 0.3
_SHARE = 9
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"
_SUFFIXES = frozenset((".md", ".json", ".jsonc", *(one.extension for one in SYSTEMS)))
_NAMES = frozenset((SETTINGS_FILE, ".gitignore", *(n for one in SYSTEMS for n in one.files)))

State = Mapping[str, tuple[int, int]]


def watch(
    targets: Callable[[], Iterable[Path]],
    check: Callable[[], int],
    pause: Callable[[float], object] = time.sleep,
) -> int:
    """Calls `check`, and again after each change at `targets`; never returns by itself.

    Raises what the first call raises; a later one, such as that of a settings file that is gone, is
    reported.
    """
    before = state(targets())
    check()
    while True:
        _say("watching for changes; press Ctrl-C to stop")
        while True:
            begun = time.perf_counter()
            now = state(targets())
            if now != before:
                break
            pause(max(_PAUSE, _SHARE * (time.perf_counter() - begun)))
        if sys.stdout.isatty() and takes_codes(sys.stdout):
            control(_CLEAR, sys.stdout)
        _say(f"changed: {_changed(before, now)}")
        before = now
        try:
            check()
        except CommandError as failure:
            _say(f"error: {failure}")


def state(targets: Iterable[Path]) -> State:
    """The time and the size of each file that counts at or below `targets`, by its path."""
    found: dict[str, tuple[int, int]] = {}
    for target in targets:
        for path in _files(target if target.is_dir() else target.parent):
            with suppress(OSError):
                status = path.stat()
                found[path.path] = (status.st_mtime_ns, status.st_size)
    return found


def _files(folder: Path) -> Iterator["os.DirEntry[str]"]:
    waiting, seen = [str(folder)], set[str]()
    while waiting:
        at = waiting.pop()
        real = os.path.realpath(at)
        if real in seen:
            continue
        seen.add(real)
        with suppress(OSError), os.scandir(at) as entries:
            for entry in entries:
                is_hidden_link = entry.is_symlink() and not entry.name.startswith(".")
                if entry.is_dir() and not is_hidden_link:
                    waiting += [entry.path] if entry.name not in NEVER_ENTERED else []
                elif entry.name in _NAMES or Path(entry.name).suffix in _SUFFIXES:
                    yield entry


def _changed(before: State, now: State) -> str:
    """The names of the files that are different."""
    paths = sorted(path for path in {*before, *now} if before.get(path) != now.get(path))
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"{Path(paths[0]).name}{more}"


def _say(text: str) -> None:
    sys.stdout.flush()
    print(visible_lines(text), file=sys.stderr, flush=True)
