"""Reads skills as Claude Code does, and finds those that an agent starts with.

Facts: Claude Code 2.1.332, measured 2026-11-29 (`tests/conformance/claude-skills.jsonl`). A skill
is found by the name of its folder, else by the `name` in its header, else by the end of either
behind a colon; case counts. A file in `commands/` counts as a skill, by its path with colons. A
skill with `disable-model-invocation` is left out, and so is a name that no skill has: the agent
starts, and the log has `Skill '…' specified in frontmatter was not found`. If the header of a skill
cannot be read, the skill counts all the same.
"""

import re
from collections.abc import Iterable, Iterator

from agent_lsp.dialects.claude import entries, frontmatter, retry
from agent_lsp.model.runtime import Candidate, Catalog, Origin, PromptPart
from agent_lsp.model.skills import Skill, SkillHeader, SkillNames
from agent_lsp.model.template import Template, Value
from agent_lsp.syntax import document
from agent_lsp.syntax.nodes import Mapping, Scalar, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.skills import name_in

KEY = "skills"
_OFF, _WHEN = "disable-model-invocation", "when_to_use"
_UNDESCRIBED = "it has no `description`, which a skill of a plugin needs"
# In any case, with or without quotes; any other value means no.
_TRUE = frozenset({"true", "yes", "on", "1"})
_OWN_SOURCE = "built into the runtime"
# In print mode; others may be in other versions and at a terminal.
_OWN = (
    *("claude-api", "code-review", "dataviz", "fewer-permission-prompts", "init"),
    *("keybindings-help", "loop", "plugin-authoring", "review", "run", "security-review"),
    *("simplify", "update-config", "workflow-authoring"),
)
_OWN_OFF = (*("batch", "debug", "deep-research", "doctor", "run-skill-generator", "verify"),)
# What the runtime replaces in a skill: arguments, variables, and the output of commands.
_CHANGED = re.compile(r"\$[A-Z{\d]|!`")
_KEPT_BACK = "the runtime keeps this skill of its own from agents"


def read(text: str) -> SkillHeader:
    """What the text of a skill says."""
    file = document.parse(text, frontmatter.split, read=retry.parse)
    body = file.frontmatter.body
    top = resolve(file.tree.root) if frontmatter.is_read(file) else None
    if not isinstance(top, Mapping):
        return SkillHeader("", "", body, off_in_bundle=_UNDESCRIBED)
    said = {}
    for key in ("name", "description", _WHEN, _OFF):
        entry = top.get(key)
        node = resolve(entry.value) if entry is not None else None
        said[key] = node if isinstance(node, Scalar) else None
    off = said[_OFF]
    is_off = off is not None and off.value.lower() in _TRUE
    return SkillHeader(
        _text(said["name"]),
        _text(said["description"]),
        body,
        f"it has `{_OFF}: {off.value}`" if off is not None and is_off else "",
        "" if _text(said["description"]) or _text(said[_WHEN]) else _UNDESCRIBED,
    )


def _text(node: Scalar | None) -> str:
    is_something = node is not None and (entries.is_text(node) or entries.is_number_or_truth(node))
    return node.value.strip(entries.TRIMMED) if node is not None and is_something else ""


def find(skills: Iterable[Skill], name: str) -> Skill | None:
    """The skill that `name` means, or None."""
    found = tuple(skills)
    ways = (
        (one for one in found if one.name == name),
        (one for one in found if one.alias == name),
        (one for one in found if f":{one.name}".endswith(f":{name}")),
        (one for one in found if f":{one.alias}".endswith(f":{name}")),
    )
    return next((one for way in ways for one in way if name), None)


def parts(catalog: Catalog, winner: Candidate, effective: Template) -> Iterator[PromptPart]:
    """The parts of a prompt that the skills of an agent are, below its task."""
    for entry, skill in _wanted(catalog, effective):
        origin = Origin("the header", winner.path, entry.span)
        title = f"skill `{skill.name if skill is not None else name_in(entry)}`"
        if skill is None:
            if catalog.skill is None:
                yield PromptPart(title, "(the skill in full, if there is one)", False, origin)
        elif skill.path is None:
            yield PromptPart(title, "(the runtime's own text)", False, origin)
        elif not skill.off:
            own = Origin(f"the {skill.source} skill", skill.path, skill.header.body)
            folder = f"Base directory for this skill: {skill.path.parent}\n\n"
            text = skill.text if skill.is_command else f"{folder}{skill.text}"
            yield PromptPart(title, text, _CHANGED.search(skill.text) is None, own)


def left_out(catalog: Catalog, effective: Template) -> Iterator[str]:
    """Says of each entry of an agent why the agent starts without it."""
    for entry, skill in _wanted(catalog, effective) if catalog.skill is not None else ():
        name = name_in(entry)
        if skill is None:
            yield f"the agent starts without the skill `{name}`: this session has none of this name"
        elif skill.off:
            yield f"the agent starts without the skill `{name}`: {skill.off}"


def loaded(catalog: Catalog, effective: Template) -> list[str]:
    """The names of the skills that the agent starts with."""
    return [
        skill.name if skill is not None else name_in(entry)
        for entry, skill in _wanted(catalog, effective)
        if (catalog.skill is None if skill is None else not skill.off)
    ]


def _wanted(catalog: Catalog, effective: Template) -> Iterator[tuple[Value, Skill | None]]:
    """The entries of an agent, each with the skill that it means."""
    value = effective.settings.get(KEY)
    for entry in value.items if value is not None else ():
        yield entry, catalog.skill(name_in(entry)) if catalog.skill is not None else None


NAMES = SkillNames(
    key=KEY,
    read=read,
    find=find,
    own=(
        *(Skill(name, _OWN_SOURCE) for name in _OWN),
        *(
            Skill(name, _OWN_SOURCE, header=SkillHeader("", "", Span(0, 0), _KEPT_BACK))
            for name in _OWN_OFF
        ),
    ),
)
