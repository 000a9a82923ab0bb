"""Says which programs of a system count for its files, and what settings add to its folders.

Invariant: a scope with `readers` is one that the other programs of the system do not look into.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from agent_lsp.model.dialect import Dialect, Reader
from agent_lsp.model.runtime import Scope
from agent_lsp.model.system import System
from agent_lsp.options import Extras, Options
from agent_lsp.workspace.files import Files


def readers_in_use(dialect: Dialect, options: Options) -> tuple[Reader, ...]:
    """The programs that read the files of `dialect`, without those that the settings leave out."""
    every, wanted = dialect.variants.readers, options.extra(dialect.id).readers
    if not every or not (wanted or options.programs):
        return every
    named = options.programs
    whole = not named or dialect.id in named
    return tuple(
        one
        for one in every
        if (not wanted or one.id in wanted) and (whole or f"{dialect.id}-{one.id}" in named)
    )


def in_settings(scope: Scope, system: System, settings: Iterable[Options]) -> Scope | None:
    """The `scope` for the programs that the settings leave it; None if they leave it to none."""
    for options in settings:
        left = options.extra(system.id).readers_of.get(scope.folder)
        if left is not None:
            readers = scope.readers & left if scope.readers else left
            return replace(scope, readers=readers) if readers else None
    return scope


def extra_scope(folder: Path, extras: Extras) -> Scope:
    """The scope of a `folder` that a setting adds."""
    readers = extras.readers_of.get(folder, frozenset[str]())
    return Scope("extra", "extra scope", folder, readers=readers)


def with_extra(scopes: tuple[Scope, ...], extras: Extras, files: Files) -> tuple[Scope, ...]:
    """`scopes` with those of the settings, which come before built-in ones that are last."""
    more = extras.scopes
    there = {files.real(scope.folder) for scope in scopes} if more else set()
    new = (folder for folder in more if files.is_folder(folder) and files.real(folder) not in there)
    # Some runtimes have their built-in agents first.
    own = max((at for at, scope in enumerate(scopes, start=1) if not scope.builtin), default=0)
    return (*scopes[:own], *(extra_scope(one, extras) for one in new), *scopes[own:])
