"""What a configuration that is read as a whole hides from the sessions that read it."""

from collections.abc import Iterator
from pathlib import Path

from agent_lsp.dialects.answers import Scope
from agent_lsp.workspace import definitions
from agent_lsp.workspace.index import TemplateFile
from agent_lsp.workspace.scopes import scopes


def hiding_config(file: TemplateFile) -> Path | None:
    """The file that sessions in the root of `of` read in place of all others, or None."""
    if not file.dialect.first_only:
        return None
    found = next(_files(file), None)
    other = next((path for path in _others(file, file.root)), None)
    is_project = found is not None and found[1].folder == file.root
    return other if other is not None and not is_project else found[0] if found else None


def hidden_by(file: TemplateFile) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """The files that sessions do not read because of this one, each with its templates."""
    files = file.workspace.files
    for path, scope in _files(file):
        if path != file.path:
            found = definitions.named(files, file.dialect, path, scope)
            yield path, tuple(one.name for one in found)
    yield from ((path, ()) for path in _others(file, file.path.parent))


def _others(file: TemplateFile, folder: Path) -> Iterator[Path]:
    """The files of other forms in `folder`, in the order in which the runtime looks for one."""
    for name in file.dialect.passed_over:
        if file.workspace.files.exists(folder / name):
            yield folder / name


def _files(file: TemplateFile) -> Iterator[tuple[Path, Scope]]:
    """The files of all scopes, in the order in which the runtime looks for one."""
    workspace = file.workspace
    for scope in scopes(
        file.dialect, file.root, workspace.host_paths, workspace.files, workspace.focus
    ):
        for name in workspace.files.entries(scope.folder):
            if file.dialect.has(name):
                yield scope.folder / name, scope
