"""Finds the folders of this machine that rules name: those below the home, variables and templates.

Invariants: home and variables are arguments, and are never read from the machine here. Most of
these folders are missing on most machines, so a question about all of them asks the disk little.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from agent_lsp.data_classes import dataclass
from agent_lsp.model.discovery import EACH, ScopeRule
from agent_lsp.model.system import System
from agent_lsp.workspace import bundles
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.paths import Alternative, HostPaths, base_of, meant

# The folders of the fixed rules of a system, and of one of these rules.
_FIXED: "Memo[tuple[FixedFolder, ...]]" = Memo(Lifetime.TREE)
_AT: "Memo[tuple[FixedFolder, ...]]" = Memo(Lifetime.TREE)
_ON_DISK = Memo[tuple[Path, ...]](Lifetime.TREE)
# Whether the first folder that a rule names below the home or a variable is missing.
_MISSING = Memo[dict[tuple[str, str], bool]](Lifetime.TREE)


@dataclass(frozen=True, slots=True)
class FixedFolder:
    """A folder of this machine that `rule` names; `names` are the names of it and its target.

    It is `rest` below `base`, or `base` itself if `rest` is empty.
    """

    rule: ScopeRule
    base: Path
    rest: str
    is_there: bool
    names: frozenset[str]

    @property
    def folder(self) -> Path:
        """The path, which few callers need: most such folders are missing on most machines."""
        return self.base / self.rest


def fixed_folders(system: System, host_paths: HostPaths, files: Files) -> tuple[FixedFolder, ...]:
    """The folders of this machine that the rules of `system` name; they need not exist."""
    return _FIXED.get(
        files,
        None,
        system,
        lambda: tuple(_fixed_folders(system, host_paths, files)),
        basis=host_paths,
    )


def names_of_fixed(system: System, host_paths: HostPaths, files: Files) -> Iterator[str]:
    """The names of `fixed_folders`, most of which need not be made for that."""
    for rule in fixed_rules(system):
        missing = _missing(rule, host_paths, files)
        if missing is not None:
            yield from missing.last
            continue
        for one in _fixed_at(rule, host_paths, files):
            yield from one.names


def _fixed_folders(system: System, host_paths: HostPaths, files: Files) -> Iterator[FixedFolder]:
    for rule in fixed_rules(system):
        missing = _missing(rule, host_paths, files)
        if missing is None:
            yield from _fixed_at(rule, host_paths, files)
            continue
        base = base_of(missing, host_paths)
        yield FixedFolder(rule, base, missing.rest, is_there=False, names=missing.last)


def _fixed_at(rule: ScopeRule, host_paths: HostPaths, files: Files) -> tuple[FixedFolder, ...]:
    def found() -> Iterator[FixedFolder]:
        for folder in on_disk(rule, host_paths, files):
            # First, because what it learns from the disk says whether the folder exists, too.
            target = files.real(folder)
            is_there = files.exists(folder)
            names = {folder.name, target.name} if is_there else {folder.name}
            yield FixedFolder(rule, folder, "", is_there, frozenset(names))

    return _AT.get(files, None, rule, lambda: tuple(found()), basis=host_paths)


def _missing(rule: ScopeRule, host_paths: HostPaths, files: Files) -> Alternative | None:
    """What a fixed rule without a marker means if it is certain that nothing is there."""
    place = None if rule.builtin or rule.marker else _meant(rule, host_paths)
    return place if place is not None and _is_missing(place, host_paths, files) else None


def _is_missing(place: Alternative, host_paths: HostPaths, files: Files) -> bool:
    """Whether not even the first folder of `place` is there."""
    # All systems are asked with the first file of a workspace. A machine has few of their programs,
    # and the folders of the others are missing together with the first one below the home.
    if not place.rest:
        return False
    kept = _MISSING.get(files, None, None, dict[tuple[str, str], bool], basis=host_paths)
    first = (place.head, place.first)
    if first not in kept:
        kept[first] = files.is_missing(base_of(place, host_paths) / place.first)
    return kept[first]


@cache
def is_fixed(rule: ScopeRule) -> bool:
    """Whether a rule names folders of this machine, and none of a project."""
    return rule.builtin or all(folder.startswith(("$", "~")) for folder in rule.folders)


@cache
def fixed_rules(system: System) -> tuple[ScopeRule, ...]:
    """The rules of `system` that name folders of this machine."""
    return tuple(rule for rule in system.scopes if is_fixed(rule))


def fixed(rule: ScopeRule, host_paths: HostPaths) -> tuple[Path, ...]:
    """The folders that a fixed rule names on this machine."""
    if rule.builtin:
        return tuple(host_paths.templates / folder for folder in rule.folders)
    found = _meant(rule, host_paths)
    return (base_of(found, host_paths) / found.rest,) if found is not None else ()


def _meant(rule: ScopeRule, host_paths: HostPaths) -> Alternative | None:
    """The folder of a fixed rule that is not built in."""
    if rule.replaced_by and host_paths.variables.get(rule.replaced_by):
        return None
    return meant(rule.folders, host_paths)


def on_disk(rule: ScopeRule, host_paths: HostPaths, files: Files) -> tuple[Path, ...]:
    """The folders of `fixed`, with those that a `*` stands for, as far as they are marked."""
    if not rule.marker:
        return fixed(rule, host_paths)
    # Asked for each folder of a workspace, and for each session.
    return _ON_DISK.get(
        files,
        None,
        rule,
        lambda: tuple(_looked_up(rule, host_paths, files)),
        basis=host_paths,
    )


def _looked_up(rule: ScopeRule, host_paths: HostPaths, files: Files) -> Iterator[Path]:
    place = None if rule.builtin or rule.manifests is not None else _meant(rule, host_paths)
    # A marker may be open in the editor before anything is on the disk, but not what `*` is for.
    has_none = place is not None and (EACH in place.rest or not files.opened())
    if place is not None and has_none and _is_missing(place, host_paths, files):
        return
    for folder in fixed(rule, host_paths):
        if EACH not in folder.parts:
            yield from (folder,) if is_marked(rule, folder, files) else ()
            continue
        at = folder.parts.index(EACH)
        above = type(folder)(*folder.parts[:at])
        for name in files.folders(above):
            if is_marked(rule, above / name, files):
                yield (above / name).joinpath(*folder.parts[at + 1 :])


def is_marked(rule: ScopeRule, base: Path, files: Files) -> bool:
    """Whether `rule` applies to its folder below `base`: its marker or manifest is there."""
    if rule.manifests is not None:
        return bundles.bundle_of(rule.manifests, base, files) is not None
    if not rule.marker:
        return True
    marker = base / rule.marker
    return files.exists(marker) or files.is_open(marker)
