"""Fixes templates: plans what becomes of each file, and writes it or shows the difference.

Invariants: nothing is written that was not checked again after all fixes; a file that somebody
else has changed meanwhile is left alone; of a file with several names there is one text.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import unified_diff
from functools import partial
from pathlib import Path

from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes import repair
from agent_lsp.cli.targets import Targets
from agent_lsp.cli.writing import write_atomically
from agent_lsp.workspace.index import Workspace

# A fix of one file may leave something to fix in another one, but not forever.
_MOST_ROUNDS = 10

Wanted = Callable[[Path, Diagnostic, str], bool]


@dataclass(frozen=True, slots=True)
class Change:
    """A file before and after its fixes, and how many findings are gone with them."""

    path: Path
    before: str
    after: str
    fixed: int


def plan(targets: Targets, wanted: Wanted, *, unsafe: bool) -> tuple[Change, ...]:
    """The changes that leave nothing to fix in the templates that were found."""
    names: dict[Path, list[Path]] = {}
    for path in targets.paths:
        names.setdefault(targets.workspace.files.real(path), []).append(path)
    workspace, counts = targets.workspace, dict[Path, int]()
    for _ in range(_MOST_ROUNDS):
        before = workspace
        for path, *others in names.values():
            done = repair(workspace, path, unsafe=unsafe, wanted=partial(wanted, path))
            if done is not None and done.fixed:
                counts[path] = counts.get(path, 0) + len(done.fixed)
                workspace = _supposing(workspace, (path, *others), done.text)
        if workspace is before:
            break
    changes = (
        Change(path, _text(targets.workspace, path), _text(workspace, path), counts[path])
        for path in sorted(counts)
    )
    return tuple(change for change in changes if change.before != change.after)


def carry_out(changes: Iterable[Change]) -> Iterator[tuple[Change, str]]:
    """Writes `changes`, and yields each with the reason why it was not written, or nothing."""
    for change in changes:
        reason = ""
        try:
            if change.path.read_bytes() != change.before.encode():
                reason = "somebody else has changed it meanwhile"
            else:
                write_atomically(change.path, change.after.encode())
        except OSError as error:
            reason = str(error.strerror)
        yield change, reason


def difference(change: Change, name: str) -> str:
    """What `change` does to the file called `name`, as `patch` and `git apply` read it."""
    before, after = (text.split("\n") for text in (change.before, change.after))
    lines = unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}")
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _lines(pieces: list[str]) -> list[str]:
    *whole, last = pieces
    return [f"{line}\n" for line in whole] + ([last] if last else [])


def _supposing(workspace: Workspace, paths: Iterable[Path], text: str) -> Workspace:
    files = workspace.files
    for path in paths:
        files = files.supposing(path, text)
    return replace(workspace, files=files)


def _text(workspace: Workspace, path: Path) -> str:
    file = workspace.files.read(path)
    return file.text if file is not None else ""
