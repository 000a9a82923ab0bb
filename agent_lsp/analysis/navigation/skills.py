"""Finds the headers that name a skill, and renames a skill at all of them.

Invariants: an entry counts if its own session finds this skill by it. Nothing outside the
workspace folders is edited, and neither is the name that an entry does not use: a skill has the
name of its folder, and may have another one in its own header.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from agent_lsp.analysis.navigation.name_index import agents
from agent_lsp.analysis.navigation.references import is_of_one_runtime
from agent_lsp.analysis.navigation.rename import CannotRename, Renaming
from agent_lsp.analysis.render import shown
from agent_lsp.model.discovery import Skill
from agent_lsp.model.template import Value
from agent_lsp.patterns import regex
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.skills import entries, entry_at, meant_by, name_in, skills_of
from agent_lsp.workspace.snapshot import TemplateFile, template_file

# A name that every header may have without quotes, alone and in a list with commas.
_NAME = regex(r"(?!(?:true|false|yes|no|on|off|null)\Z)[A-Za-z][\w-]{0,63}", re.IGNORECASE)


def uses_at(file: TemplateFile, offset: int) -> tuple[tuple[Path, Span], ...]:
    """The entries of all agents that mean the skill at `offset`, each with its file."""
    found = _skill_at(file, offset)
    return tuple((path, span) for path, span, _ in _uses(file, found[1])) if found else ()


def home_at(file: TemplateFile, offset: int) -> Path | None:
    """The file of the skill at `offset`, or None."""
    found = _skill_at(file, offset)
    return found[1].path if found is not None else None


def prepare(file: TemplateFile, offset: int) -> tuple[Span, str] | CannotRename | None:
    """The span and the name of the skill at `offset`; None if there is none."""
    found = _skill_at(file, offset)
    if found is None:
        return None
    entry, skill = found
    return _refused(file, entry, skill) or (_span(file, entry), name_in(entry))


def rename(file: TemplateFile, offset: int, name: str) -> Renaming | CannotRename | None:
    """The changes that give the skill at `offset` the name `name`; None if there is no skill."""
    found = _skill_at(file, offset)
    if found is None:
        return None
    entry, skill = found
    name = name.strip()
    refused = _refused(file, entry, skill)
    if refused is not None or name == name_in(entry):
        return refused or Renaming()
    if not _NAME.fullmatch(name):
        return CannotRename(f"`{name}` cannot be the name of a skill in a header")
    if any(name in (one.name, one.alias) for one in skills_of(file)):
        return CannotRename(f"`{name}` is taken: another skill has this name")
    return _renaming(file, skill, name_in(entry), name)


def _skill_at(file: TemplateFile, offset: int) -> tuple[Value, Skill] | None:
    entry = entry_at(file, offset)
    skill = meant_by(file, entry) if entry is not None else None
    return (entry, skill) if entry is not None and skill is not None else None


def _refused(file: TemplateFile, entry: Value, skill: Skill) -> CannotRename | None:
    name = name_in(entry)
    if skill.path is None:
        return CannotRename(f"`{name}` is a skill of the runtime itself")
    if not _is_inside(file, skill.path):
        where = shown(file.workspace, skill.path)
        message = f"`{where}` is outside the workspace folders, and only files in them are edited"
        return CannotRename(message)
    if skill.prefix or name not in (skill.name, skill.alias):
        return CannotRename(f"`{name}` is a part of the name `{skill.name}`")
    return None


def _is_inside(file: TemplateFile, path: Path) -> bool:
    return any(root in path.parents for root in file.workspace.roots)


def _renaming(file: TemplateFile, skill: Skill, old: str, name: str) -> Renaming | CannotRename:
    path, moved = skill.path, None
    if path is not None and (skill.is_command or old == path.parent.name):
        own = path if skill.is_command else path.parent
        # The name of a command begins with those of the folders above it.
        moved = own, own.with_name(f"{name}{path.suffix if skill.is_command else ''}")
        if file.workspace.files.exists(moved[1]):
            return CannotRename(f"`{shown(file.workspace, moved[1])}` already exists")
        if ":" in old:
            return CannotRename(f"`{old}` has the names of folders; rename the file itself")
    edits: dict[Path, tuple[TextEdit, ...]] = {}
    left: dict[Path, None] = {}
    for where, span, used in _uses(file, skill):
        # Case counts only where the skill would not be found otherwise.
        if used.casefold() != old.casefold():
            continue
        if _is_inside(file, where):
            edits[where] = (*edits.get(where, ()), TextEdit(span, name))
        else:
            left[where] = None
    own_name = _own_name(file, skill, old)
    if path is not None and own_name is not None:
        edits[path] = (TextEdit(own_name, name),)
    return Renaming(edits, moved, left=tuple(left))


def _own_name(file: TemplateFile, skill: Skill, old: str) -> Span | None:
    """The place of the name in the header of the skill, if it is the old one."""
    source = file.workspace.files.read(skill.path) if skill.path is not None else None
    if source is None or skill.alias != old:
        return None
    pattern = rf"^name:[ \t]*(?P<sign>[\"']?)(?P<name>{re.escape(old)})(?P=sign)[ \t]*\r?$"
    found = re.compile(pattern, re.MULTILINE).search(source.text, 0, skill.header.body.start)
    return Span(*found.span("name")) if found is not None else None


def _uses(file: TemplateFile, skill: Skill) -> Iterator[tuple[Path, Span, str]]:
    """The entries that mean `skill`, each with its file and the name that it uses."""
    seen = set[Path]()
    for agent in agents(file.workspace):
        if agent.path in seen or not is_of_one_runtime(agent.dialect, file.dialect):
            continue
        seen.add(agent.path)
        other = file if agent.path == file.path else template_file(file.workspace, agent.path)
        if other is None or not is_of_one_runtime(other.dialect, file.dialect):
            continue
        for entry in entries(other):
            meant = meant_by(other, entry)
            is_same = meant is not None and (meant.path, meant.name) == (skill.path, skill.name)
            if is_same:
                yield agent.path, _span(other, entry), name_in(entry)


def _span(file: TemplateFile, entry: Value) -> Span:
    """The place of the name in an entry, without quotes."""
    name = name_in(entry)
    at = file.document.text.find(name, entry.span.start, entry.span.end)
    return Span(at, at + len(name)) if at >= 0 else entry.span
