"""The places where a user says that a runtime looks besides those that its dialect knows."""

from pathlib import Path

from agent_lsp.dialects.answers import Scope
from agent_lsp.workspace.files import Files


def extra_scope(folder: Path) -> Scope:
    """What `folder` is where a user says that the runtime looks there, too."""
    return Scope("extra", "extra scope", folder)


def with_extra(found: tuple[Scope, ...], more: tuple[Path, ...], files: Files) -> tuple[Scope, ...]:
    """`found` with a user's own scopes, which come before what is built in."""
    there = {files.real(scope.folder) for scope in found} if more else set()
    new = (folder for folder in more if files.is_folder(folder) and files.real(folder) not in there)
    own = (scope for scope in found if not scope.builtin)
    return (*own, *map(extra_scope, new), *(scope for scope in found if scope.builtin))
