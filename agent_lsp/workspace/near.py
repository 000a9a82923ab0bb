"""Picks by names alone the few systems that a folder may concern.

Invariants: a name proves nothing, so the systems that are picked decide for themselves. Each of
those left out would say no.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from agent_lsp.model.system import System
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.fixed import names_of_fixed
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.paths import HostPaths, folded, names_in
from agent_lsp.workspace.scopes import project_ends

_ByName = Mapping[str, frozenset[System]]
_LOOKING = Memo[_ByName](Lifetime.TREE)
# The key of the systems that no name tells.
_ANY = ""
_NONE = frozenset[System]()


def may_look(
    systems: tuple[System, ...], folder: Path, host_paths: HostPaths, files: Files
) -> frozenset[System]:
    """Those of `systems` that may look into `folder`."""
    # Called for each folder of a workspace, into most of which few systems may look.
    by_name = _LOOKING.get(
        files, None, systems, lambda: _looking(systems, host_paths, files), basis=host_paths
    )
    names = (_ANY, *names_in(folder.parts))
    return _of_names(_ends(systems), names) | _of_names(by_name, names)


def may_misplace(systems: tuple[System, ...], folder: Path) -> frozenset[System]:
    """Those of `systems` for whose templates `folder` may be a wrong place."""
    last, other = _wrong(systems), _right(systems)
    names = tuple(map(folded, folder.parts))
    return _of_names(last, names[-1:]) | _of_names(other, names)


@cache
def _ends(systems: tuple[System, ...]) -> _ByName:
    """The systems by the ends of their folders in projects, as `names_in` has them, or `_ANY`."""
    every = ((system, project_ends(system)) for system in systems)
    return _by_name((system, (_ANY,) if ends is None else ends) for system, ends in every)


def _looking(systems: tuple[System, ...], host_paths: HostPaths, files: Files) -> _ByName:
    """The systems by the names of their folders on this machine, as `names_in` has them."""
    every = ((system, names_of_fixed(system, host_paths, files)) for system in systems)
    return _by_name((system, map(folded, names)) for system, names in every)


@cache
def _wrong(systems: tuple[System, ...]) -> _ByName:
    """The systems by the last names of their wrong places."""
    rules = ((system, system.misplaced) for system in systems)
    return _by_name(
        (system, _lasts((*one.folders, *one.shared, *one.in_bundles)))
        for system, one in rules
        if one is not None
    )


@cache
def _right(systems: tuple[System, ...]) -> _ByName:
    """The systems by the last names of their right places; a folder below these may be wrong."""
    return _by_name(
        (system, _lasts(place for rule in system.scopes for place in rule.folders))
        for system in systems
        if system.misplaced is not None
    )


def _lasts(places: Iterable[str]) -> Iterable[str]:
    return (folded(place.rpartition("/")[2]) for place in places)


def _by_name(named: Iterable[tuple[System, Iterable[str]]]) -> _ByName:
    found: dict[str, set[System]] = {}
    for system, names in named:
        for name in names:
            found.setdefault(name, set()).add(system)
    return {name: frozenset(some) for name, some in found.items()}


def _of_names(by_name: _ByName, names: Iterable[str]) -> frozenset[System]:
    return _NONE.union(*[by_name[name] for name in names if name in by_name])
