"""Finds the files that a session reads because of their path alone, whatever they are called.

Invariant: a file that has the name of other files of its system is none of these, since the folder
decides about it.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from agent_lsp.model.runtime import Scope
from agent_lsp.model.system import System
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.scopes import HostPaths, scopes

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
