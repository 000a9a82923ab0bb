"""Decides which programs count in a project, where several read the same files.

Invariants: a setting decides it if there is one. Without it, a program counts in its own folders,
and in the folders of other programs only where the project has something of its own.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path, PurePosixPath

from agent_lsp.model.runtime import Scope
from agent_lsp.model.system import System
from agent_lsp.options import Options
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.scopes import folders_upward

_USED = Memo[bool](Lifetime.TREE)


def counts(system: System, scope: Scope | None, root: Path, options: Options, files: Files) -> bool:
    """Whether `system` counts for the files of `scope` in a session that starts in `root`."""
    if options.programs:
        return is_named(system, options)
    return scope is None or not scope.is_borrowed or is_used(system, root, files)


# Asked several times at every keystroke, and true of few systems.
@cache
def borrows(system: System) -> bool:
    """Whether `system` looks into folders of other programs."""
    return any(rule.is_borrowed for rule in system.scopes)


def is_named(system: System, options: Options) -> bool:
    """Whether the setting `for` names `system`, or one of its programs."""
    return not options.programs.isdisjoint((system.id, *system.programs))


def is_used(system: System, root: Path, files: Files) -> bool:
    """Whether the project of `root` has a folder or a configuration of `system`.

    It is in `root`, or in a folder above it in the same repository.
    """
    return _USED.get(files, None, (system, root), lambda: _is_used(system, root, files))


def is_trace(path: Path, systems: Iterable[System]) -> bool:
    """Whether `path` shows that a project uses a system that looks into folders of others."""
    traces = (PurePosixPath(one).parts for each in filter(borrows, systems) for one in each.traces)
    return any(path.parts[-len(parts) :] == parts for parts in traces)


def _is_used(system: System, root: Path, files: Files) -> bool:
    folders = tuple(folders_upward(root, files))
    # Outside of all repositories, a folder above is no part of the project.
    above = folders if files.exists(folders[-1] / ".git") else (root,)
    return any(
        files.exists(folder / name) or files.is_folder(folder / name)
        for folder in above
        for name in system.traces
    )
