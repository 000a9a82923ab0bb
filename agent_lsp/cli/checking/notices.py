"""Prints the notices of `check`: what is not checked, and why.

Invariants: notices go to standard error, so that standard output holds only the report. A link in a
folder of the user's own templates is the user's choice, and is not reported.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from shlex import quote

from agent_lsp.analysis import diagnostics as analysis
from agent_lsp.cli.arguments import NAME
from agent_lsp.cli.checking.report import Report, hidden
from agent_lsp.cli.checking.targets import Targets
from agent_lsp.cli.resolve import file_patterns, of_convert, searched, shown
from agent_lsp.cli.terminal import visible, visible_lines
from agent_lsp.environment import SETTINGS_FILE
from agent_lsp.model.dialect import Dialect
from agent_lsp.workspace.paths import is_of_git
from agent_lsp.workspace.placement import folder_placement
from agent_lsp.workspace.scopes import repository

# Notices name at most this many files, and count the others.
_NAMED = 3


def notes(found: Targets, targets: tuple[Path, ...], here: Path, *, is_any: bool) -> None:
    """Prints what is not checked, and why; with `is_any`, other named files are not mentioned."""
    for said in _locked(found, targets, here):
        _note(said)
    if found.others and not is_any:
        names = ", ".join(shown(path, here) for path in found.others)
        _note(f"not in a folder of an agent system, so not checked: {names}")
    if found.own:
        _note(_own(found, here))
    if found.ignored:
        _note(_ignored(found, here))


def led_away(real: Mapping[Path, Path], here: Path) -> None:
    """Prints which templates are links that lead out of the checked folders, and where to."""
    if real:
        named = [f"{shown(path, here)} to {visible(str(real[path]))}" for path in (*real,)[:_NAMED]]
        more = len(real) - len(named)
        _note(f"links point elsewhere: {', '.join(named)}{f' and {more} more' if more else ''}")
        _note("no text of these files is shown, because the output of a check may be public")


def since(revision: str, agents: str) -> None:
    """Prints what has happened to the `agents` since `revision`, and how to see it."""
    _note(f"{agents} since {visible(revision)}; to see them: {NAME} diff {_quoted((revision,))}")


def silenced(report: Report) -> None:
    """Prints what the settings of a repository hide."""
    for said in hidden(report.silenced, partial(shown, here=report.here)):
        _note(said)


def _own(targets: Targets, here: Path) -> str:
    """The notice that the user's own templates are left out, with the command that checks them."""
    names = [shown(folder, here) for folder in targets.own]
    command = f"{NAME} check {_quoted(names)}"
    return f"your own templates in {', '.join(names)} are skipped; to check them: {command}"


def _quoted(names: Sequence[str]) -> str:
    """`names` quoted for the shell of this system, each as one word."""
    if sys.platform != "win32":
        return " ".join(map(quote, names))
    return " ".join(f'"{name}"' if set(name) & set(" &()'") else name for name in names)


def _ignored(targets: Targets, here: Path) -> str:
    """The notice that Git ignores some templates."""
    names = [shown(path, here) for path in targets.ignored[:_NAMED]]
    more = len(targets.ignored) - len(names)
    listed = ", ".join(names) + (f" and {more} more" if more else "")
    return f"skipped because of `.gitignore`: {listed}; `--no-gitignore` checks them"


def above(paths: Sequence[Path], here: Path) -> None:
    """Prints that the templates above are checked, since there are none below."""
    _note(f"no templates below this folder; {_many(paths)} above it in {_folders(paths, here)}")


def _many(paths: Sequence[Path]) -> str:
    return f"checking {len(paths)}"


def _folders(paths: Sequence[Path], here: Path) -> str:
    return ", ".join(dict.fromkeys(shown(path.parent, here) for path in paths))


def nothing(
    found: Targets,
    targets: tuple[Path, ...],
    dialect: Dialect | None,
    here: Path,
    outside: Sequence[Path] = (),
) -> str:
    """The message that no template was found, with the patterns and the folders of the search.

    `outside` are those in the folders above.
    """
    names = ", ".join(shown(path, here) for path in targets)
    said = f"no templates found in {names}"
    passed = [_own(found, here)] if found.own else []
    if outside:
        command = _quoted(tuple(dict.fromkeys(shown(path.parent, here) for path in outside)))
        passed.append(f"there are some above this folder; to check them: {NAME} check {command}")
    passed += [_ignored(found, here)] if found.ignored else []
    passed += _locked(found, targets, here)
    quiet = analysis.silenced(found.workspace, (), targets)
    passed += hidden(quiet, partial(shown, here=here))
    if passed:
        return "\n  ".join((said, *passed))
    if dialect is not None:
        forms = file_patterns(dialect.system, "")
        return f"{said}\n  looked for {forms} as templates of `{dialect.id}`"
    return "\n  ".join(
        (
            said,
            "looked there and in the folders below for:",
            *(f"  {row}" for row in searched()),
            f"not checked, because only `convert` reads it: {of_convert()}",
            f"to check files in another folder: add `--dialect`, or a line in {SETTINGS_FILE}",
            f"to write a first agent: {NAME} new reviewer --dialect claude",
        )
    )


def _locked(found: Targets, targets: tuple[Path, ...], here: Path) -> Iterator[str]:
    for folder, reason in sorted(found.workspace.files.locked().items()):
        if any(path in (folder, *folder.parents) for path in targets):
            yield f"cannot read {shown(folder, here)}: {reason}"


def _note(text: str) -> None:
    print(visible_lines(f"note: {text}"), file=sys.stderr)


def complain(text: str) -> None:
    """Prints an error that does not end the command."""
    print(visible_lines(f"error: {text}"), file=sys.stderr)


def external_links(targets: Targets) -> Mapping[Path, Path]:
    """The templates that are links out of the checked folders, or into `.git`, and their paths."""
    workspace, files = targets.workspace, targets.workspace.files
    tops = {files.real(repository(root, files) or root) for root in workspace.roots}
    led: dict[Path, Path] = {}

    def is_inside(real: Path) -> bool:
        around = tops.intersection((real, *real.parents))
        return bool(around) and not any(map(is_of_git, real.relative_to(min(around)).parts))

    @cache
    def within(folder: Path) -> frozenset[str]:
        """The files of a folder that are inside the checked ones because the folder is."""
        real = files.real(folder)
        if not is_inside(real):
            return frozenset()
        return frozenset(files.entries(folder)).difference(files.links(folder))

    for path in targets.paths:
        # Few files are links, and asking the disk about each of the others takes long.
        if path.name in within(path.parent):
            continue
        real = files.real(path)
        if real != path and not is_inside(real):
            owner = folder_placement(workspace, path.parent)
            if owner is None or owner.scope.kind != "user":
                led[path] = real
    return led
