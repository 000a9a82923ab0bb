"""`check`: the diagnostics of all named templates, each with the line that it is about.

Invariants: the order of the output depends on the paths alone; what is wrong with one path
or file hides nothing about another.
"""

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.cli import frame
from agent_lsp.cli.named import absolute, current_folder, dialect_named, shown, warn
from agent_lsp.cli.terminal import look
from agent_lsp.dialects.known import DIALECTS
from agent_lsp.dialects.model import Dialect, Severity
from agent_lsp.environment import (
    SETTINGS_FILE,
    places_from_environment,
    template_folders,
    workspace_for,
)
from agent_lsp.text import LineIndex
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.index import Workspace, is_template, templates
from agent_lsp.workspace.scopes import session_root

_CLEAN, _FINDINGS, _WRONG_CALL = 0, 1, 2
# What a build should fail for; the others are worth knowing, and nothing is lost by them.
_FAILING = (Severity.ERROR, Severity.WARNING)


def run(arguments: Namespace) -> int:
    """Prints the diagnostics and a summary."""
    here = current_folder()
    known = dialect_named(arguments.dialect) if arguments.dialect else None
    files = Files()
    named = tuple(dict.fromkeys(absolute(path, here) for path in arguments.paths or (".",)))
    targets = tuple(path for path in named if files.exists(path))
    code = _CLEAN
    for path in named:
        if path not in targets:
            code = _error(f"there is no file or folder {shown(path, here)}")
    work = _work(targets, files, known)
    warn(work.messages, here)
    if targets and not work.paths:
        return _error(_nothing(targets, known, here))
    if work.others:
        names = ", ".join(shown(path, here) for path in work.others)
        print(f"note: not a template by its place, so not checked: {names}", file=sys.stderr)
    if not work.paths:
        return code
    counts = _report(work, here)
    print(_summary(len(work.paths), counts))
    return code or (_FINDINGS if any(counts[severity] for severity in _FAILING) else _CLEAN)


@dataclass(frozen=True, slots=True)
class _Work:
    """The templates to check, sorted; `others` were named but are none."""

    workspace: Workspace
    paths: tuple[Path, ...]
    others: tuple[Path, ...]
    messages: tuple[str, ...]


def _work(targets: tuple[Path, ...], files: Files, known: Dialect | None) -> _Work:
    folders = {path: path if files.is_folder(path) else path.parent for path in targets}
    claimed = dict.fromkeys(folders.values(), known.id) if known else {}
    build = partial(
        workspace_for, files=files, places=places_from_environment(), claimed=claimed, folders=()
    )
    roots = tuple(dict.fromkeys(folders.values()))
    workspace, messages = build(roots)
    searched = tuple(path for path in targets if folders[path] == path)
    workspace = _with_folders(workspace, searched)
    paths, others = set(templates(workspace)), []
    for path in targets:
        if folders[path] != path and is_template(workspace, path):
            paths.add(path)
        elif folders[path] != path:
            others.append(path)
    wider = _wider(workspace, paths, searched)
    if wider:
        workspace, messages = build((*roots, *wider))
        workspace = _with_folders(workspace, (*searched, *wider))
    return _Work(workspace, tuple(sorted(paths)), tuple(others), messages)


def _with_folders(workspace: Workspace, searched: Iterable[Path]) -> Workspace:
    found = (folder for root in searched for folder in template_folders(workspace, root))
    return replace(workspace, folders=tuple(dict.fromkeys(filter(None, found))))


def _wider(
    workspace: Workspace, paths: Iterable[Path], searched: tuple[Path, ...]
) -> tuple[Path, ...]:
    """The session roots of the checked files that were not searched yet.

    Which sessions find a file depends on what lies below its session root, also if somebody
    names the file alone. The search keeps to repositories, and away from the home.
    """
    files, home = workspace.files, workspace.places.home
    roots: dict[Path, None] = {}
    for folder in dict.fromkeys(path.parent for path in paths):
        for known in DIALECTS:
            root = session_root(known, folder)
            if root is None or any(top in (root, *root.parents) for top in searched):
                continue
            if home is not None and root in (home, *home.parents):
                continue
            if any(files.exists(top / ".git") for top in (root, *root.parents)):
                roots[root] = None
    return tuple(roots)


def _report(work: _Work, here: Path) -> Counter[Severity]:
    """Prints a block for each diagnostic; how many there are of each severity."""
    style = look(sys.stdout)
    counts: Counter[Severity] = Counter()

    @cache
    def lines(path: Path) -> LineIndex:
        file = work.workspace.files.read(path)
        return LineIndex(file.text if file else "")

    for path in work.paths:
        for found in diagnostics(work.workspace, path):
            counts[found.severity] += 1
            print(frame.block(found, path, lines, partial(shown, here=here), style), end="\n\n")
    return counts


def _summary(checked: int, counts: Counter[Severity]) -> str:
    found = [
        f"{counts[severity]} {severity.name.lower()}"
        # "Information" has no plural.
        + ("s" if counts[severity] != 1 and severity is not Severity.INFORMATION else "")
        for severity in Severity
        if counts[severity]
    ]
    templates_ = "1 template" if checked == 1 else f"{checked} templates"
    return f"checked {templates_}: {', '.join(found) or 'nothing to report'}"


def _nothing(targets: tuple[Path, ...], known: Dialect | None, here: Path) -> str:
    """What was looked for and where, if nothing was found."""
    names = ", ".join(shown(path, here) for path in targets)
    if known is not None:
        return f"no templates found in {names}\n  looked for `*.md` as templates of `{known.id}`"
    places = [
        f"\n  looked for `{folder}/*.md` ({known.id}), also in the folders below"
        for known in DIALECTS
        for rule in known.scopes
        for folder in rule.folders
        if not rule.builtin and not folder.startswith(("$", "~"))
    ]
    return (
        f"no templates found in {names}{''.join(places)}\n"
        f"  templates in another place need `--dialect`, or a line in {SETTINGS_FILE}"
    )


def _error(text: str) -> int:
    print(f"error: {text}", file=sys.stderr)
    return _WRONG_CALL
