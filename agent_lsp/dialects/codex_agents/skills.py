"""Reads skills as Codex CLI does, and finds those that the file of an agent switches off.

Facts: Codex CLI 0.171.0, run 2026-11-29 (`tests/dialects/test_codex_skills.py`). A table in
`skills.config` switches a skill off by the name in its header, or else that of its folder: case
counts, blanks around the name do not. Or it does so by the `path` of its `SKILL.md`, from the
folder of the agent's file on; the path of a folder does nothing. A table with both keys does
nothing, and nothing is said of a name or path that no skill has. Skills are in `.codex/skills` and
`.agents/skills` of each folder from that of the session up to the root of the repository, in
`$CODEX_HOME/skills` and in `~/.agents/skills`, at most six folders deep. One without a
`description` does not load. A plugin may have more of them.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from agent_lsp.model.discovery import Skill, SkillHeader, SkillNames, SkillUse
from agent_lsp.model.runtime import Catalog
from agent_lsp.model.template import Value
from agent_lsp.syntax import document, frontmatter, toml
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind, Frontmatter
from agent_lsp.syntax.nodes import Mapping, Scalar, Sequence, resolve
from agent_lsp.workspace.paths import is_on_other_share

KEY = "skills"
NAME, PATH, _SWITCH = "name", "path", "enabled"
_HOME, _DOCUMENT = "~/", "SKILL.md"
_OWN = ("imagegen", "openai-docs", "skill-creator", "skill-installer")
_UNREAD = "it has no header that is YAML"
_UNDESCRIBED = "it has no `description`"


def read(text: str) -> SkillHeader:
    """What the text of a skill says."""
    file = document.parse(text, _split)
    body, top = file.frontmatter.body, resolve(file.tree.root)
    is_sound = file.frontmatter.fence is FenceKind.CLOSED and file.tree.problem is None
    if not is_sound or not isinstance(top, Mapping):
        return SkillHeader("", "", body, off=_UNREAD)
    name, description = (_text(top, key) for key in ("name", "description"))
    return SkillHeader(name, description, body, off="" if description else _UNDESCRIBED)


def _split(text: str, bom: bool) -> Frontmatter:
    return frontmatter.split(text, lambda line: line.rstrip() == "---", bom=bom)


def _text(top: Mapping, key: str) -> str:
    entry = top.get(key)
    node = entry.node if entry is not None else None
    return node.value.strip() if isinstance(node, Scalar) else ""


def find(skills: Iterable[Skill], name: str) -> Skill | None:
    """The skill that `name` means, or None."""
    return next((one for one in skills if one.name == name.strip()), None)


def entries(found: Document) -> tuple[Value, ...]:
    """The names in the tables that switch skills off."""
    return tuple(
        Value(name.value, name.span)
        for table in switches(found)
        if (name := scalar(table, NAME)) is not None and not is_void(table)
    )


def paths(found: Document) -> tuple[Value, ...]:
    """The paths in the tables that switch skills off, from the folder of the file on."""
    return tuple(
        Value(path.value, path.span)
        for table in switches(found)
        if (path := scalar(table, PATH)) is not None and not is_void(table)
    )


def switched_off(catalog: Catalog, path: Path) -> tuple[str, ...]:
    """The names of the skills of a session that the file of an agent switches off."""
    text = catalog.text(path) or ""
    if KEY not in text:
        return ()
    found = document.parse(text, frontmatter.whole, read=toml.parse_newer)
    by_name = (
        skill
        for entry in entries(found)
        if catalog.skill is not None and (skill := catalog.skill(entry.text)) is not None
    )
    names = (one.name for one in by_name if not one.off)
    placed = (_at(catalog, path.parent, one.text) for one in paths(found))
    return tuple(dict.fromkeys((*names, *filter(None, placed))))


def _at(catalog: Catalog, folder: Path, written: str) -> str:
    """The name of the skill at a path; empty if the session finds no such skill there."""
    if written.startswith(_HOME) and catalog.home is not None:
        folder, written = catalog.home, written.removeprefix(_HOME)
    place = type(folder)(os.path.normpath(folder / written))
    is_read = place.name == _DOCUMENT and not is_on_other_share(place, folder)
    text = catalog.text(place) if is_read else None
    name = (read(text).name or place.parent.name) if text is not None else ""
    skill = catalog.skill(name) if name and catalog.skill is not None else None
    return name if skill is not None and skill.path == place else ""


def switches(found: Document) -> Iterator[Mapping]:
    """The tables that switch a skill off."""
    if KEY not in found.text:
        return
    root = resolve(found.tree.root)
    held = root.get(KEY) if isinstance(root, Mapping) else None
    config = (
        held.node.get("config") if held is not None and isinstance(held.node, Mapping) else None
    )
    node = config.node if config is not None else None
    for item in node.items if isinstance(node, Sequence) else ():
        table = resolve(item)
        switch = scalar(table, _SWITCH) if isinstance(table, Mapping) else None
        if isinstance(table, Mapping) and switch is not None and switch.value == "false":
            yield table


def is_void(table: Mapping) -> bool:
    """Whether a table switches nothing off, since it has both keys."""
    return table.get(NAME) is not None and table.get(PATH) is not None


def scalar(table: Mapping, key: str) -> Scalar | None:
    """The value of a key if it is neither a table nor a list, or None."""
    entry = table.get(key)
    node = entry.node if entry is not None else None
    return node if isinstance(node, Scalar) else None


_SWITCHES_OFF = SkillUse(
    there="Turns off, for this agent, the skill",
    kept_back="Codex does not load the skill",
    missing="so this turns nothing off",
    fix="correct the name, or remove the table",
)
NAMES = SkillNames(
    key=KEY,
    read=read,
    find=find,
    own=tuple(Skill(name, "built into the runtime") for name in _OWN),
    entries=entries,
    paths=paths,
    is_in_header=True,
    others="a plugin",
    use=lambda _, __: _SWITCHES_OFF,
)
