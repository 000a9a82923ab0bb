"""`check`: the diagnostics of all named templates, in the format that is asked for.

Invariants: the order of the output depends on the paths alone; what is wrong with one path
or file hides nothing about another.
"""

import sys
from argparse import Namespace
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from shlex import quote

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.cli import baseline
from agent_lsp.cli.arguments import NAME
from agent_lsp.cli.baseline import Fingerprint
from agent_lsp.cli.choice import Choice, choice
from agent_lsp.cli.failure import Failure
from agent_lsp.cli.named import current_folder, dialect_named, repository_of, shown, warn
from agent_lsp.cli.report import Found, Report
from agent_lsp.cli.targets import Work, work
from agent_lsp.dialects.known import DIALECTS
from agent_lsp.dialects.model import Dialect
from agent_lsp.environment import SETTINGS_FILE, place
from agent_lsp.text import LineIndex
from agent_lsp.workspace.files import Files

_CLEAN, _FINDINGS, _WRONG_CALL = 0, 1, 2
_STDIN = "-"
# A module of ours that is called `json` would look like Python's.
_MODULES = {"json": "data"}
# Of a file that is left out its name is told, unless there are more of them than anybody reads.
_NAMED = 3


def run(arguments: Namespace) -> int:
    """Prints the findings, and exits with what a build should do about them."""
    here = current_folder()
    known = dialect_named(arguments.dialect) if arguments.dialect else None
    chosen = choice(arguments)
    accepted = _baseline(arguments.baseline, here)
    files = Files()
    targets, missing = _targets(arguments, files, here)
    for path in missing:
        _complain(f"there is no file or folder {shown(path, here)}")
    found = work(targets, files, known, here, is_ignoring=not arguments.no_gitignore)
    warn(found.messages, here)
    if found.paths:
        _notes(found, targets, here)
    elif targets and not arguments.if_any:
        _complain(_nothing(found, targets, known, here))
        return _WRONG_CALL
    report = _report(found, chosen, accepted, here)
    if arguments.write_baseline:
        _save(report, place(arguments.write_baseline, here))
        return _WRONG_CALL if missing else _CLEAN
    if found.paths or not missing:
        module = import_module(
            f"agent_lsp.cli.formats.{_MODULES.get(arguments.format, arguments.format)}"
        )
        module.write(report, sys.stdout)
    if missing:
        return _WRONG_CALL
    return _FINDINGS if any(map(chosen.fails, report.counts)) else _CLEAN


def _baseline(written: str | None, here: Path) -> dict[Fingerprint, int]:
    return baseline.read(place(written, here), here) if written else {}


def _targets(
    arguments: Namespace, files: Files, here: Path
) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """The paths to check, and those of them that do not exist."""
    if (_STDIN in arguments.paths) != bool(arguments.stdin_filename):
        raise Failure(
            f"`{_STDIN}` and `--stdin-filename PATH` belong together:"
            " a template's place says which system it is of"
        )
    named: dict[Path, None] = {}
    for path in arguments.paths or (".",):
        if path == _STDIN:
            target = place(arguments.stdin_filename, here)
            files.open(target, _standard_input())
        else:
            target = place(path, here)
        named[target] = None
    # A link to nothing is there for the one who named it.
    targets = tuple(path for path in named if files.exists(path) or files.read(path))
    return targets, tuple(path for path in named if path not in targets)


def _standard_input() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise Failure(f"standard input is not UTF-8: byte {error.start} does not decode") from error


def _report(found: Work, chosen: Choice, accepted: dict[Fingerprint, int], here: Path) -> Report:
    base = repository_of(here)

    @cache
    def lines(path: Path) -> LineIndex:
        file = found.workspace.files.read(path)
        return LineIndex(file.text if file else "")

    def of(one: Found) -> Fingerprint:
        return baseline.fingerprint(one.path, one.diagnostic, base, lines(one.path))

    everything = tuple(_found(found, chosen))
    new = baseline.left(everything, accepted, of) if accepted else everything
    return Report(new, len(found.paths), len(everything) - len(new), lines, here, base)


def _found(found: Work, chosen: Choice) -> Iterator[Found]:
    for path in found.paths:
        for diagnostic in diagnostics(found.workspace, path):
            if chosen.takes(diagnostic):
                yield Found(path, diagnostic)


def _save(report: Report, path: Path) -> None:
    keys = [
        baseline.fingerprint(one.path, one.diagnostic, report.base, report.lines(one.path))
        for one in report.found
    ]
    baseline.save(path, keys, report.here)
    many = "1 finding" if len(keys) == 1 else f"{len(keys)} findings"
    print(f"wrote {many} to {shown(path, report.here)}")


def _notes(found: Work, targets: tuple[Path, ...], here: Path) -> None:
    """Says beside the output what is not checked, and why."""
    for folder, reason in sorted(found.workspace.files.locked().items()):
        if any(path in (folder, *folder.parents) for path in targets):
            _note(f"cannot look into {shown(folder, here)}: {reason}")
    if found.others:
        names = ", ".join(shown(path, here) for path in found.others)
        _note(f"not a template by its place, so not checked: {names}")
    if found.own:
        _note(_own(found, here))
    if found.ignored:
        _note(_ignored(found, here))


def _own(found: Work, here: Path) -> str:
    """What to say of the user's own templates where they are left out."""
    names = [shown(folder, here) for folder in found.own]
    command = f"{NAME} check {' '.join(map(quote, names))}"
    return f"your own templates in {', '.join(names)} are left out; to check them: {command}"


def _ignored(found: Work, here: Path) -> str:
    """What to say of templates that git was told to leave out."""
    names = [shown(path, here) for path in found.ignored[:_NAMED]]
    more = len(found.ignored) - len(names)
    listed = ", ".join(names) + (f" and {more} more" if more else "")
    return f"left out, as `.gitignore` says: {listed}; `--no-gitignore` checks them"


def _nothing(found: Work, targets: tuple[Path, ...], known: Dialect | None, here: Path) -> str:
    """What was looked for and where, if nothing was found."""
    names = ", ".join(shown(path, here) for path in targets)
    said = f"no templates found in {names}"
    passed = [_own(found, here)] if found.own else []
    passed += [_ignored(found, here)] if found.ignored else []
    for folder, reason in sorted(found.workspace.files.locked().items()):
        if any(path in (folder, *folder.parents) for path in targets):
            passed.append(f"cannot look into {shown(folder, here)}: {reason}")
    if passed:
        return "\n  ".join((said, *passed))
    if known is not None:
        return f"{said}\n  looked for `*.md` as templates of `{known.id}`"
    places = [
        f"\n  looked for `{folder}/*.md` ({known.id}), also in the folders below"
        for known in DIALECTS
        for rule in known.scopes
        for folder in rule.folders
        if not rule.builtin and not folder.startswith(("$", "~"))
    ]
    return (
        f"{said}{''.join(places)}\n"
        f"  templates in another place need `--dialect`, or a line in {SETTINGS_FILE}"
    )


def _note(text: str) -> None:
    print(f"note: {text}", file=sys.stderr)


def _complain(text: str) -> None:
    print(f"error: {text}", file=sys.stderr)
