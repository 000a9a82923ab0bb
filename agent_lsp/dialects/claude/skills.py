"""Reads skills as Claude Code does, and finds the skills and the agents that a file names."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from agent_lsp.dialects.claude import entries, frontmatter, retry
from agent_lsp.dialects.claude.tools import AGENT, TASK
from agent_lsp.model.availability import Mention
from agent_lsp.model.discovery import Skill, SkillHeader, SkillNames
from agent_lsp.model.runtime import Candidate, Catalog, Origin, PromptPart
from agent_lsp.model.template import Template, Value
from agent_lsp.patterns import regex
from agent_lsp.syntax import document
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Mapping, Scalar
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
_CHANGED = regex(r"\$[A-Z{\d]|!`")
_KEPT_BACK = "agents cannot use this built-in skill"


def read(text: str) -> SkillHeader:
    """What the text of a skill says."""
    file = document.parse(text, frontmatter.split, read=retry.parse)
    body = file.frontmatter.body
    top = file.tree.top if frontmatter.is_read(file) else None
    if not isinstance(top, Mapping):
        return SkillHeader("", "", body, off_in_bundle=_UNDESCRIBED)
    said = {}
    for key in ("name", "description", _WHEN, _OFF):
        entry = top.get(key)
        node = entry.node if entry is not None else None
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


_FORK, _DESCRIPTION = "fork", "description"
_LISTS = frozenset({"tools", "disallowedTools"})
_AGENTS = regex(rf"(?<![\w-])(?:{AGENT}|{TASK})\(([^()\n]*)\)")
# Commas divide the names, and a name may have blanks inside (2.1.332, 2026-11-28).
_NAME = regex(r"[^\s,:*-](?:[^,*]*[^\s,*])?")
# No prompt has more names, and each one is looked up.
_MOST = 2_000
# Signs behind the last letter end the sentence; a slash behind it makes it a path.
_LETTER, _SIGN = "[A-Za-z0-9_]", "[A-Za-z0-9_:.@-]"
_AT = regex(
    rf"""(?<![\w@/.:-])@(?:
      agent-(?P<plain>{_LETTER}(?:{_SIGN}{{0,254}}{_LETTER})?)(?!{_SIGN}{{0,256}}/|\w)
    | "(?P<quoted>{_LETTER}{_SIGN}{{0,255}})[ ]\(agent\)"
    )""",
    re.VERBOSE,
)


def mentions(document: Document) -> tuple[Mention, ...]:
    """The names in the lists of tools, in the description and in the prompt."""
    return (*_in_lists(document), *_in_texts(document))


def _in_lists(document: Document) -> Iterator[Mention]:
    top = document.tree.top
    for entry in top.entries if isinstance(top, Mapping) else ():
        if entry.name not in _LISTS or entry.value is None:
            continue
        span = entry.value.span
        for agents in _AGENTS.finditer(document.text, span.start, span.end):
            for name in _NAME.finditer(document.text, *agents.span(1)):
                if name[0] != _FORK:
                    yield Mention(name[0], Span(*name.span()), is_call=True)


def _in_texts(document: Document) -> Iterator[Mention]:
    # Few texts have any, and a search for one character takes a hundredth of the time.
    if "@" not in document.text:
        return
    spans = (*_descriptions(document), document.frontmatter.body)
    every = (found for span in spans for found in _AT.finditer(document.text, span.start, span.end))
    for found in islice(every, _MOST):
        group = "plain" if found["plain"] else "quoted"
        if found[group] != _FORK:
            yield Mention(found[group], Span(*found.span(group)))


def _descriptions(document: Document) -> Iterator[Span]:
    """The span of the description."""
    top = document.tree.top
    entry = top.get(_DESCRIPTION) if isinstance(top, Mapping) else None
    if entry is not None and entry.value is not None:
        yield entry.value.span
