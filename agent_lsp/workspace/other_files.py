"""Finds the files that a runtime reads besides those in the folders of its agents.

Invariants: a folder of other files, such as commands, is no folder of agents, so that it holds no
template unless its dialect says so of a file. A session may also read a file because of its path
alone, whatever it is called; one that has the name of other files of its system is none of these,
since the folder decides about it.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from agent_lsp.model.runtime import Scope
from agent_lsp.model.system import System
from agent_lsp.options import Options
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.programs import is_named
from agent_lsp.workspace.scopes import HostPaths, scope_of, scopes


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


_FILES = Memo[Mapping[Path, tuple[System, Scope]]](Lifetime.TREE)


def named_files(
    systems: tuple[System, ...], root: Path, host_paths: HostPaths, files: Files
) -> Mapping[Path, tuple[System, Scope]]:
    """The files that sessions in `root` read because of their path, each with system and scope."""

    def found() -> Mapping[Path, tuple[System, Scope]]:
        return {
            scope.folder / name: (system, scope)
            for system, labels in _with_files(systems)
            for scope in scopes(system, root, host_paths, files)
            for name in (scope.only if scope.label in labels else ())
            if not system.has(name)
        }

    # Asked for each file that is typed in.
    return _FILES.get(files, None, root, found, basis=(systems, host_paths))


@cache
def _with_files(systems: tuple[System, ...]) -> tuple[tuple[System, frozenset[str]], ...]:
    """The systems whose rules may name a single file, with the labels of these rules."""
    found = (
        (one, frozenset(rule.label for rule in one.scopes if rule.may_be_file)) for one in systems
    )
    return tuple((one, labels) for one, labels in found if labels)
