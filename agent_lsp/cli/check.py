"""`check`: the diagnostics of all named templates, each with the line that it is about.

Invariants: the order of the output depends on the paths alone; what is wrong with one path
or file hides nothing about another.
"""

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from shlex import quote

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.cli import frame
from agent_lsp.cli.arguments import NAME
from agent_lsp.cli.named import current_folder, dialect_named, shown, warn
from agent_lsp.cli.terminal import look
from agent_lsp.dialects.known import DIALECTS
from agent_lsp.dialects.model import Dialect, Severity
from agent_lsp.environment import (
    SETTINGS_FILE,
    place,
    places_from_environment,
    workspace_for,
)
from agent_lsp.text import LineIndex
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.index import Workspace, is_template, scope_at
from agent_lsp.workspace.scopes import repository, session_root
from agent_lsp.workspace.search import left_out, template_folders, templates

_CLEAN, _FINDINGS, _WRONG_CALL = 0, 1, 2
# What a build should fail for; the others are worth knowing, and nothing is lost by them.
_FAILING = (Severity.ERROR, Severity.WARNING)


def run(arguments: Namespace) -> int:
    """Prints the diagnostics and a summary."""
    here = current_folder()
    known = dialect_named(arguments.dialect) if arguments.dialect else None
    files = Files()
    named = tuple(dict.fromkeys(place(path, here) for path in arguments.paths or (".",)))
    # A link to nothing is there for the one who named it.
    targets = tuple(path for path in named if files.exists(path) or files.read(path))
    code = _CLEAN
    for path in named:
        if path not in targets:
            code = _error(f"there is no file or folder {shown(path, here)}")
    work = _work(targets, files, known, here)
    warn(work.messages, here)
    for folder, reason in sorted(work.workspace.files.locked().items()):
        if any(path in (folder, *folder.parents) for path in targets):
            print(f"note: cannot look into {shown(folder, here)}: {reason}", file=sys.stderr)
    if targets and not work.paths:
        return _error(_nothing(work, targets, known, here))
    if work.others:
        names = ", ".join(shown(path, here) for path in work.others)
        print(f"note: not a template by its place, so not checked: {names}", file=sys.stderr)
    if work.own:
        print(f"note: {_own(work, here)}", file=sys.stderr)
    if not work.paths:
        return code
    counts = _report(work, here)
    print(_summary(len(work.paths), counts))
    return code or (_FINDINGS if any(counts[severity] for severity in _FAILING) else _CLEAN)


@dataclass(frozen=True, slots=True)
class _Work:
    """The templates to check, sorted; `others` were named but are none.

    `own` are folders of the user's own templates that were met and are not checked.
    """

    workspace: Workspace
    paths: tuple[Path, ...]
    others: tuple[Path, ...]
    own: tuple[Path, ...]
    messages: tuple[str, ...]


def _work(targets: tuple[Path, ...], files: Files, known: Dialect | None, here: Path) -> _Work:
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
    holding = tuple({path.parent for path in paths})
    scopes = filter(None, (scope_at(workspace, folder) for folder in holding))
    # The user's own are seen from where the user is, as an editor sees them from its folder.
    first = (here,) if any(scope.kind == "user" for scope in scopes) else ()
    wider = _wider(workspace, (*first, *_session_roots(holding, files)), searched)
    if wider or first:
        workspace, messages = build(tuple(dict.fromkeys((*first, *roots, *wider))))
        workspace = _with_folders(workspace, (*searched, *wider))
    checked = {files.real(path.parent) for path in paths}
    own = (folder for root in searched for folder in left_out(workspace, root))
    unchecked = dict.fromkeys(folder for folder in own if files.real(folder) not in checked)
    return _Work(workspace, tuple(sorted(paths)), tuple(others), tuple(unchecked), messages)


def _with_folders(workspace: Workspace, searched: Iterable[Path]) -> Workspace:
    found = (folder for root in searched for folder in template_folders(workspace, root))
    return replace(workspace, folders=tuple(dict.fromkeys(filter(None, found))))


def _session_roots(folders: Iterable[Path], files: Files) -> Iterator[Path]:
    roots = (session_root(known, folder, files) for folder in folders for known in DIALECTS)
    return filter(None, roots)


def _wider(
    workspace: Workspace, starts: tuple[Path, ...], searched: tuple[Path, ...]
) -> tuple[Path, ...]:
    """Those of `starts`, where sessions start, that were not searched yet.

    Which sessions find a file depends on what lies below its session root, also if somebody
    names the file alone. The search keeps to repositories, and away from the home.
    """
    files, home = workspace.files, workspace.places.home
    roots: dict[Path, None] = {}
    for root in sorted(starts):
        if any(top in (root, *root.parents) for top in searched):
            continue
        if home is not None and root in (home, *home.parents):
            continue
        if repository(root, files) is not None:
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


def _own(work: _Work, here: Path) -> str:
    """What to say of the user's own templates where they are left out."""
    names = [shown(folder, here) for folder in work.own]
    command = f"{NAME} check {' '.join(map(quote, names))}"
    return f"your own templates in {', '.join(names)} are left out; to check them: {command}"


def _nothing(work: _Work, targets: tuple[Path, ...], known: Dialect | None, here: Path) -> str:
    """What was looked for and where, if nothing was found."""
    names = ", ".join(shown(path, here) for path in targets)
    if known is not None:
        return f"no templates found in {names}\n  looked for `*.md` as templates of `{known.id}`"
    if work.own:
        return f"no templates found in {names}\n  {_own(work, here)}"
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
