"""What a configuration that is read as a whole hides from the sessions that read it."""

from collections.abc import Iterator
from pathlib import Path

from agent_lsp.dialects.answers import Scope
from agent_lsp.workspace import definitions
from agent_lsp.workspace.index import Subject
from agent_lsp.workspace.scopes import scopes


def whole(of: Subject) -> Path | None:
    """The file that sessions in the root of `of` read in place of all others, or None."""
    return next((path for path, _ in _files(of)), None) if of.dialect.first_only else None


def hidden_by(of: Subject) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """The files that sessions do not read because of this one, each with its templates."""
    files = of.workspace.files
    for path, scope in _files(of):
        if path != of.path:
            found = definitions.named(files, of.dialect, path, scope)
            yield path, tuple(one.name for one in found)
    for name in sorted(of.dialect.passed_over):
        beside = of.path.parent / name
        if files.exists(beside):
            yield beside, ()


def _files(of: Subject) -> Iterator[tuple[Path, Scope]]:
    """The files of all scopes, in the order in which the runtime looks for one."""
    workspace = of.workspace
    for scope in scopes(of.dialect, of.root, workspace.places, workspace.files, workspace.focus):
        for name in workspace.files.entries(scope.folder):
            if of.dialect.has(name):
                yield scope.folder / name, scope
