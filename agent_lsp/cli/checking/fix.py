"""Runs `check --fix` and `check --diff`: fixes the text of each file, and writes it or its diff.

Invariants: a text is written only if it was checked again after all fixes. A finding that the
filters or the baseline exclude is not fixed. A file that has changed on disk in the meantime is not
written. A file with several paths has one text.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import unified_diff
from functools import partial
from pathlib import Path

from agent_lsp.analysis.diagnostics import Diagnostic, examined_file
from agent_lsp.analysis.fixes import repair, verify
from agent_lsp.analysis.fixes.verify import Shift
from agent_lsp.cli.atomic_write import write_atomically
from agent_lsp.cli.checking import baseline, notices
from agent_lsp.cli.checking.baseline import Fingerprint
from agent_lsp.cli.checking.notices import external_links
from agent_lsp.cli.checking.report import FileFinding, Filters
from agent_lsp.cli.checking.targets import Targets
from agent_lsp.cli.resolve import named_from, repository_of, shown
from agent_lsp.cli.terminal import put_file
from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.text import LineIndex
from agent_lsp.workspace.disk import used
from agent_lsp.workspace.search import other_names
from agent_lsp.workspace.snapshot import Workspace, template_file

# A fix in one file may cause a finding in another one. This bound ends a loop of them.
_MOST_ROUNDS = 10

# In the names of a patch, what has no letter of its own is three octal digits.
_ESCAPES = {ord('"'): '\\"', ord("\\"): "\\\\"}

Wanted = Callable[[Path, Diagnostic, str], bool]


@dataclass(frozen=True, slots=True)
class Change:
    """The text of a file before and after its fixes, and the number of findings they remove.

    `is_cut`: further fixes were not tried, because that would have taken too long.
    """

    path: Path
    before: str
    after: str
    fixed: int
    is_cut: bool = False


@dataclass(slots=True)
class _Work:
    """The files as the fixes so far leave them; for each fixed one what was done, and its shifts.

    A file with several paths has one entry, under the first of them.
    """

    workspace: Workspace
    first: Mapping[Path, Path]
    counts: dict[Path, int] = field(default_factory=dict)
    cut: dict[Path, bool] = field(default_factory=dict)
    shifts: dict[Path, tuple[Shift, ...]] = field(default_factory=dict)


def plan(targets: Targets, wanted: Wanted, *, unsafe: bool) -> tuple[Change, ...]:
    """Fixes the templates of `targets` until nothing is left to fix, and returns the changes."""
    work = _worked(targets, wanted, unsafe=unsafe)
    changes = (
        Change(
            path,
            _text(targets.workspace, path),
            _text(work.workspace, path),
            work.counts[path],
            work.cut[path],
        )
        for path in sorted(work.counts)
    )
    return tuple(change for change in changes if change.before != change.after)


def _worked(targets: Targets, wanted: Wanted, *, unsafe: bool) -> _Work:
    files = {path: (path, *other_names(targets.workspace, path)) for path in targets.paths}
    work = _Work(targets.workspace, {path: min(names) for path, names in files.items()})
    for _ in range(_MOST_ROUNDS):
        before = work.workspace
        for path, names in files.items():
            done = repair(work.workspace, path, unsafe=unsafe, wanted=partial(wanted, path))
            own = work.first[path]
            work.cut[own] = done is not None and done.is_cut
            if done is not None and done.fixed:
                work.counts[own] = work.counts.get(own, 0) + len(done.fixed)
                work.shifts[own] = (*work.shifts.get(own, ()), *done.shifts)
                work.workspace = _supposing(work.workspace, names, done.text)
        if work.workspace is before:
            break
    return work


def carry_out(changes: Iterable[Change]) -> Iterator[tuple[Change, str]]:
    """Writes `changes`; yields each with the reason why it was not written, or an empty text."""
    for change in changes:
        reason = ""
        try:
            if used().read(change.path) != change.before.encode():
                reason = "it has changed in the meantime"
            else:
                # The caller has left out what a link leads away.
                write_atomically(change.path, change.after.encode(), within=())
        except OSError as error:
            reason = str(error.strerror)
        yield change, reason


def difference(change: Change, name: str) -> str:
    """The unified diff of `change` for the file `name`, as `patch` and `git apply` read it."""
    before, after = (text.split("\n") for text in (change.before, change.after))
    old, new = (_name_in_patch(f"{side}/{name}") for side in "ab")
    lines = unified_diff(_lines(before), _lines(after), old, new)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _name_in_patch(name: str) -> str:
    """`name` as it is, or in quotes with escapes if it has a line end or another control character.

    Source: `quote_c_style` in quote.c of Git 2.39, which `git apply` reads.
    """
    if name.isprintable() and not set(name) & set('"\\'):
        return name
    data = os.fsencode(name)
    return f'"{"".join(_ESCAPES.get(byte) or _escaped(byte) for byte in data)}"'


def _escaped(byte: int) -> str:
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"  # noqa: PLR2004 - printable ASCII


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


_CLEAN, _FINDINGS, _WRONG_CALL = 0, 1, 2


def counted(
    targets: Targets,
    filters: Filters,
    accepted: dict[Fingerprint, int],
    here: Path,
    found: Iterable[FileFinding],
) -> tuple[int, int]:
    """How many of the findings `found` are gone after `--fix`, and how many more after unsafe ones.

    A finding that only a fix brings is none of them, though it may be fixed, too.
    """
    shown: dict[Path, set[Diagnostic]] = {}
    for one in found:
        shown.setdefault(one.path, set()).add(one.diagnostic)
    led = external_links(targets)
    own = tuple(path for path in targets.paths if path in shown and path not in led)
    own_targets, wanted = replace(targets, paths=own), _wanted(filters, accepted, here)
    every, safe = (
        {
            (path, one)
            for path, one in _mended(own_targets, _worked(own_targets, wanted, unsafe=unsafe))
            if one in shown[path]
        }
        for unsafe in (True, False)
    )
    return len(safe), len(every - safe)


def _mended(targets: Targets, work: _Work) -> Iterator[tuple[Path, Diagnostic]]:
    """The findings that are gone after the fixes, in the files that have fixes."""
    for path in targets.paths:
        shifts = work.shifts.get(work.first[path], ())
        was, now = (template_file(one, path) for one in (targets.workspace, work.workspace))
        if shifts and was is not None:
            left = examined_file(now).shown if now is not None else ()
            for one in verify.mended(examined_file(was).shown, left, shifts):
                yield path, one


def planned(
    targets: Targets,
    filters: Filters,
    accepted: dict[Fingerprint, int],
    here: Path,
    *,
    unsafe: bool,
) -> tuple[Change, ...]:
    """The changes that fix all findings that `filters` select and `accepted` does not list."""
    return plan(targets, _wanted(filters, accepted, here), unsafe=unsafe)


def _wanted(filters: Filters, accepted: dict[Fingerprint, int], here: Path) -> Wanted:
    base = repository_of(here)

    def is_wanted(path: Path, diagnostic: Diagnostic, text: str) -> bool:
        if not filters.takes(diagnostic):
            return False
        # Findings in the baseline are not fixed.
        key = baseline.fingerprint(path, diagnostic, base, LineIndex(text)) if accepted else None
        return key not in accepted

    return is_wanted


def show(targets: Targets, changes: tuple[Change, ...], here: Path) -> int:
    """Prints the changes as diffs; returns exit code 1 if there is one, 2 if one is left out."""
    own = _own(targets, changes, here)
    for change in own:
        put_file(difference(change, named_from(here, change.path)), sys.stdout)
    print(f"would fix {_counted(own)}", file=sys.stderr)
    if len(own) < len(changes):
        return _WRONG_CALL
    return _FINDINGS if changes else _CLEAN


def write_changes(targets: Targets, changes: tuple[Change, ...], here: Path) -> int:
    """Writes `changes`, and returns the exit code: 2 if a file could not be written."""
    own = _own(targets, changes, here)
    written, code = [], _CLEAN if len(own) == len(changes) else _WRONG_CALL
    for change, reason in carry_out(own):
        for name in (change.path, *other_names(targets.workspace, change.path)):
            targets.workspace.files.changed(name)
        if reason:
            notices.complain(f"cannot fix {shown(change.path, here)}: {reason}")
            code = _WRONG_CALL
        else:
            written.append(change)
            more = "; to try all others would take too long" if change.is_cut else ""
            done = f"{shown(change.path, here)}: {_findings(change.fixed)}"
            print(f"fixed {done}{more}", file=sys.stderr)
    print(f"fixed {_counted(written)}", file=sys.stderr)
    return code


def _own(targets: Targets, changes: Sequence[Change], here: Path) -> tuple[Change, ...]:
    """The changes without those of files that a link leads elsewhere, for each of which it says so.

    To fix a repository must not change files outside of it, nor print them.
    """
    led = external_links(targets) if changes else {}
    for change in changes:
        if change.path in led:
            notices.complain(f"cannot fix {shown(change.path, here)}: its link points elsewhere")
    return tuple(change for change in changes if change.path not in led)


def _counted(changes: Sequence[Change]) -> str:
    what = _findings(sum(change.fixed for change in changes))
    return f"{what} in {'1 file' if len(changes) == 1 else f'{len(changes)} files'}"


def _findings(count: int) -> str:
    return "1 finding" if count == 1 else f"{count} findings"
