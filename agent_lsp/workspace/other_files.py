"""Finds the files that a runtime reads beside its agents, such as commands.

Invariant: a folder of them is no folder of agents, so that it holds no template unless its dialect
says so of a file.
"""

from collections.abc import Iterable
from pathlib import Path

from agent_lsp.model.runtime import Scope
from agent_lsp.model.system import System
from agent_lsp.options import Options
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.programs import is_named
from agent_lsp.workspace.scopes import HostPaths, scope_of


def beside(
    systems: Iterable[System],
    folder: Path,
    host_paths: HostPaths,
    files: Files,
    options: Options,
    name: str = "",
) -> tuple[System, Scope] | None:
    """The first of `systems` that reads other files than agents in `folder`, and their scope.

    With a `name`, only a system that reads a file of this name there.
    """
    for system in systems:
        if options.programs and not is_named(system, options):
            continue
        for other in system.beside:
            is_read = not name or other.has(name)
            scope = scope_of(other, folder, host_paths, files) if is_read else None
            if scope is not None:
                return other, scope
    return None


def may_be(system: System, path: Path, files: Files) -> bool:
    """Whether the file at `path` may be one of `system` by its first line."""
    file = files.read(path) if system.may_begin is not None else None
    if system.may_begin is None or file is None:
        return True
    text = file.text or file.replaced or file.first_line
    return system.may_begin(text.partition("\n")[0])
