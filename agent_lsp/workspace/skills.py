"""Finds the skills that a session has, and the one that an entry of a header means.

Invariants: a skill is read and never run; the list of files is kept until the disk changes, and
what a file says until its text changes.
"""

import os
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from agent_lsp.data_classes import replace
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import STARTS, ScopeRule, Skill, SkillNames, SkillPlaces, SkillUse
from agent_lsp.model.system import System
from agent_lsp.model.template import Value
from agent_lsp.workspace.bundles import lacks_bundles
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.paths import HostPaths, led
from agent_lsp.workspace.scopes import folders_of

if TYPE_CHECKING:
    # A snapshot answers with skills.
    from agent_lsp.workspace.snapshot import TemplateFile

_PLACED = Memo[tuple[Skill, ...]](Lifetime.TREE)
_READ = Memo[Skill](Lifetime.TEXT)
_EXTENSION = ".md"
_BETWEEN = ":"
_HOME = "~/"


def skills(dialect: Dialect, root: Path, host_paths: HostPaths, files: Files) -> tuple[Skill, ...]:
    """The skills of a session that starts in `root`, the highest precedence first.

    Those of the runtime itself are last.
    """
    places, names = dialect.system.skills, dialect.references.skill_names
    if places is None or names is None:
        return ()
    found = _PLACED.get(
        files,
        None,
        (dialect.system, root),
        lambda: tuple(_placed(places, root, host_paths, files)),
        basis=host_paths,
    )
    return (*(_read(files, names, one) for one in found), *names.own)


def meant(
    dialect: Dialect, root: Path, host_paths: HostPaths, files: Files, name: str
) -> Skill | None:
    """The skill that a header means by `name` in a session; one that is kept back only if it must.

    None if there is no such skill.
    """
    names = dialect.references.skill_names
    if names is None:
        return None
    found = skills(dialect, root, host_paths, files)
    there = names.find([one for one in found if not one.off], name)
    return there if there is not None else names.find([one for one in found if one.off], name)


def skills_of(file: "TemplateFile") -> tuple[Skill, ...]:
    """The skills of a session for the template `file`."""
    return skills(file.dialect, file.root, file.workspace.host_paths, file.workspace.files)


def meant_by(file: "TemplateFile", entry: Value) -> Skill | None:
    """The skill that an entry of the header means, or None."""
    workspace = file.workspace
    return meant(file.dialect, file.root, workspace.host_paths, workspace.files, name_in(entry))


def entries(file: "TemplateFile") -> tuple[Value, ...]:
    """The entries of the header that name skills."""
    names = file.dialect.references.skill_names
    if names is not None and names.entries is not None:
        return names.entries(file.document)
    value = file.reading.declared.settings.get(names.key) if names is not None else None
    return value.items if value is not None else ()


def entry_at(file: "TemplateFile", offset: int) -> Value | None:
    """The entry at `offset` that names a skill, or None."""
    return next((one for one in entries(file) if one.span.covers(offset)), None)


def by_path(file: "TemplateFile") -> tuple[tuple[Value, Path], ...]:
    """The paths of skills in the header, each with the place where it leads."""
    names = file.dialect.references.skill_names
    found = names.paths(file.document) if names is not None else ()
    places = ((one, place_of(file, one.text)) for one in found)
    return tuple((one, place) for one, place in places if place is not None)


def place_of(file: "TemplateFile", written: str) -> Path | None:
    """The place where a path in a header leads; None below an unknown home or on another share."""
    folder: Path | None = file.path.parent
    if written.startswith(_HOME):
        folder, written = file.workspace.host_paths.home, written.removeprefix(_HOME)
    if folder is None:
        return None
    place = led(folder, written)
    return type(folder)(os.path.normpath(place)) if place is not None else None


def use_of(file: "TemplateFile", entry: Value) -> SkillUse:
    """What an entry that names a skill does."""
    names = file.dialect.references.skill_names
    return names.use(file.document, entry) if names is not None else STARTS


def name_in(entry: Value) -> str:
    """The name in an entry, whose text is that of the tool which it would be."""
    return entry.written or entry.text


def may_be_elsewhere(file: "TemplateFile") -> bool:
    """Whether the session of `file` has bundles that are not on this machine."""
    places, workspace = file.dialect.system.skills, file.workspace
    return places is not None and any(
        lacks_bundles(rule, file.root, workspace.host_paths, workspace.files)
        for rule in places.rules
    )


def is_skill(path: Path, systems: Collection[System]) -> bool:
    """Whether the file at `path` may be a skill of any system, by its place alone."""
    found = (system.skills for system in systems if system.skills is not None)
    return any(
        (path.name == one.document and _may_be_skill(path, one))
        or (path.suffix == _EXTENSION and any(_is_one(up, one.commands) for up in path.parents))
        for one in found
    )


def skill_test(systems: Collection[System]) -> Callable[[Path], bool]:
    """What tells whether a file may be a skill, with one question for those alike in a folder."""
    documents = {system.skills.document for system in systems if system.skills is not None}
    answers = dict[tuple[Path, str], bool]()

    def may_be_skill(path: Path) -> bool:
        key = path.parent, path.name if path.name in documents else path.suffix
        if key not in answers:
            answers[key] = is_skill(path, systems)
        return answers[key]

    return may_be_skill


def _may_be_skill(path: Path, places: SkillPlaces) -> bool:
    if places.has_direct and _is_one(path.parent, places.rules):
        return True
    above = path.parents[1:] if places.is_deep else path.parents[1:2]
    return any(_is_one(folder, places.rules) for folder in above)


def patterns(systems: Collection[System]) -> Iterator[tuple[str, str]]:
    """The folders of projects that have skills, each with the pattern of the files in it."""
    for rule, below in _rules(systems):
        # The folders of bundles have names that any folder may have.
        for folder in rule.folders if rule.manifests is None else ():
            if not folder.startswith(("~", "$")):
                yield folder, below


def outside(
    systems: Collection[System], top: Path, host_paths: HostPaths, files: Files
) -> Iterator[tuple[Path, str]]:
    """The existing folders of this machine that have skills, each with the pattern of its files."""
    for rule, below in _rules(systems):
        if rule.folders[0].startswith(("~", "$")):
            yield from ((one, below) for one, _, _ in folders_of(rule, top, host_paths, files))


def _rules(systems: Collection[System]) -> Iterator[tuple[ScopeRule, str]]:
    for places in (system.skills for system in systems if system.skills is not None):
        depth = "**" if places.is_deep else "*"
        yield from ((rule, f"{depth}/{places.document}") for rule in places.rules)
        yield from ((rule, f"**/*{_EXTENSION}") for rule in places.commands)


def _is_one(folder: Path, rules: tuple[ScopeRule, ...]) -> bool:
    """Whether `folder` has the name of a folder of the rules."""
    ends = (relative.split("/")[-2:] for rule in rules for relative in rule.folders)
    return any(
        [*folder.parts[-len(end) :]] == end or (end[0][:1] in "~$" and folder.name == end[-1])
        for end in ends
    )


def _placed(
    places: SkillPlaces, root: Path, host_paths: HostPaths, files: Files
) -> Iterator[Skill]:
    """The skills of a session, with what their places say about them."""
    for rule in places.rules:
        for folder, label, prefix in folders_of(rule, root, host_paths, files):
            alone = folder / places.document
            if prefix and files.exists(alone):
                # A manifest may name a single skill, which has the name in its header.
                yield Skill("", label, alone, prefix=prefix)
            for inner in _inside(places, folder, files):
                path = inner / places.document
                if files.exists(path) or files.is_open(path):
                    yield Skill(f"{prefix}{inner.name}", label, path, prefix=prefix)
    for rule in places.commands:
        for folder, label, prefix in folders_of(rule, root, host_paths, files):
            for path, parts in _commands(places, folder, files):
                called = f"{prefix}{_BETWEEN.join(parts)}"
                yield Skill(called, label, path, is_command=True, prefix=prefix)


def _inside(places: SkillPlaces, folder: Path, files: Files) -> Iterator[Path]:
    """The folders that may be those of skills."""
    if places.is_deep:
        yield from (one for one in files.walk(folder) if one != folder or places.has_direct)
    else:
        yield from (folder / name for name in files.folders(folder))


def _commands(
    places: SkillPlaces, folder: Path, files: Files
) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """The commands in `folder` and below, each with the parts of its name.

    The document of a skill is the only command in its folder. A manifest may name a single file.
    """
    if folder.name.endswith(_EXTENSION) and not files.is_folder(folder):
        yield folder, (folder.name.removesuffix(_EXTENSION),)
        return
    folders = files.walk(folder, is_whole=True) if places.are_commands_deep else (folder,)
    for below in folders:
        names, inner = files.entries(below), below.relative_to(folder).parts
        if places.document in names and inner:
            yield below / places.document, inner
            continue
        for name in names:
            if name.endswith(_EXTENSION):
                yield below / name, (*inner, name.removesuffix(_EXTENSION))


def _read(files: Files, names: SkillNames, skill: Skill) -> Skill:
    """`skill` with what its file says."""
    path = skill.path
    if path is None:
        return skill
    return _READ.get(files, path, (names.key, skill.name), lambda: _said(files, names, skill, path))


def _said(files: Files, names: SkillNames, skill: Skill, path: Path) -> Skill:
    file = files.read(path)
    text = file.text if file is not None else ""
    header = names.read(text)
    own = "" if skill.is_command else header.name
    alias = f"{skill.prefix}{own}" if own else ""
    folder = f"{skill.prefix}{path.parent.name}"
    usual = (alias, skill.name) if names.is_in_header else (skill.name, alias)
    name = next(filter(None, usual), folder)
    text = header.body.of(text)
    return replace(skill, name=name, header=header, alias=alias, text=text)
