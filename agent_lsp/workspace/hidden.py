"""What a configuration that is read as a whole hides from the sessions that read it."""

from collections.abc import Iterator
from pathlib import Path

from agent_lsp.dialects.answers import Scope
from agent_lsp.workspace import definitions
from agent_lsp.workspace.index import Subject
from agent_lsp.workspace.scopes import scopes


def whole(of: Subject) -> Path | None:
    """The file that sessions in the root of `of` read in place of all others, or None."""
    if not of.dialect.first_only:
        return None
    found = next(_files(of), None)
    other = next((path for path in _others(of, of.root)), None)
    is_project = found is not None and found[1].folder == of.root
    return other if other is not None and not is_project else found[0] if found else None


def hidden_by(of: Subject) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """The files that sessions do not read because of this one, each with its templates."""
    files = of.workspace.files
    for path, scope in _files(of):
        if path != of.path:
            found = definitions.named(files, of.dialect, path, scope)
            yield path, tuple(one.name for one in found)
    yield from ((path, ()) for path in _others(of, of.path.parent))


def _others(of: Subject, folder: Path) -> Iterator[Path]:
    """The files of other forms in `folder`, in the order in which the runtime looks for one."""
    for name in of.dialect.passed_over:
        if of.workspace.files.exists(folder / name):
            yield folder / name


def _files(of: Subject) -> Iterator[tuple[Path, Scope]]:
    """The files of all scopes, in the order in which the runtime looks for one."""
    workspace = of.workspace
    for scope in scopes(of.dialect, of.root, workspace.places, workspace.files, workspace.focus):
        for name in workspace.files.entries(scope.folder):
            if of.dialect.has(name):
                yield scope.folder / name, scope
