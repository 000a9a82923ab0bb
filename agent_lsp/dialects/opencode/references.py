"""The agents and skills that a file of OpenCode names, and which agents it may start.

Facts: OpenCode 1.18.33, measured 2026-11-28 (`tests/conformance/opencode.jsonl`): an agent that
the rules of `task` deny is not listed and not started. A sub-agent has `task` only if a rule has
exactly this name, and starts nothing as deep as `subagent_depth` says. A rule of `skill` is about
the skills whose names in their own headers match it; case counts, and the names of their folders do
not. A skill without a name or a description is not offered. Skills are in `.opencode/skills`,
`.opencode/skill`, `.claude/skills` and `.agents/skills`, at any depth, and in the folders that
`skills` in opencode.json names.
"""

from collections.abc import Iterable, Iterator

from agent_lsp.dialects.opencode import config, header_text, policy, reading
from agent_lsp.dialects.opencode.facts import DENY, SUBAGENT
from agent_lsp.dialects.opencode.rules import deciding
from agent_lsp.dialects.opencode.runtime import depth_of, mode
from agent_lsp.model.availability import Delegation, Mention
from agent_lsp.model.discovery import Skill, SkillHeader, SkillNames, SkillUse
from agent_lsp.model.template import Reading, Value
from agent_lsp.patterns import regex
from agent_lsp.syntax import document as documents
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, resolve
from agent_lsp.text import Span

_PERMISSION, _TASK, _SKILL = "permission", "task", "skill"
_OWN_SKILL = "customize-opencode"
_UNNAMED, _UNDESCRIBED = "it has no `name`", "it has no `description`"
# A full stop at the end belongs to the sentence.
_AT = regex(r"(?<![\w`@/.])@(?P<name>\w[\w./-]{0,63}\w|\w)")


def mentions(document: Document) -> tuple[Mention, ...]:
    """The agents after an `@` in the text, and those that the rules of `task` name."""
    default = None if len(document.frontmatter.open) else config.default_agent(document)
    first = (
        ()
        if default is None
        else (Mention(default.text, Span(default.span.start + 1, default.span.end - 1)),)
    )
    return (*first, *_in_text(document), *in_rules(document))


def _in_text(document: Document) -> Iterator[Mention]:
    text = document.text
    for found in _AT.finditer(text, document.frontmatter.body.start):
        yield Mention(found["name"], Span(*found.span("name")))


def in_rules(document: Document) -> Iterator[Mention]:
    """The agents that the rules of `task` name, also those that they deny; patterns name none."""
    for owner in _owners(document) if _TASK in document.text else ():
        for entry in _below(_below_of(owner, _PERMISSION), _TASK):
            if entry.name and not policy.is_pattern(entry.name):
                span = entry.key.span
                is_quoted = span.of(document.text)[:1] in ("'", '"')
                inside = Span(span.start + 1, span.end - 1) if is_quoted else span
                yield Mention(entry.name, inside)


def may_start(found: Reading, name: str) -> bool:
    """Whether an agent can start the one called `name`."""
    is_sub = mode(found.effective) == SUBAGENT
    if not policy.toolset(found, (_TASK,), int(is_sub)).kept:
        return False
    rule = deciding(policy.rules_of(found), _TASK, name)
    is_too_deep = is_sub and depth_of(found) <= 1
    return not is_too_deep and (rule is None or rule.action != DENY)


def _named(prompt: str) -> Iterator[Span]:
    return (Span(*found.span("name")) for found in _AT.finditer(prompt))


DELEGATION = Delegation(
    _named,
    _TASK,
    lambda _: None,
    may_start,
    lambda found: int(mode(found.effective) == SUBAGENT),
    lambda found, name: policy.denied(found, _TASK, name),
)


def skill_header(text: str) -> SkillHeader:
    """What the text of a skill says."""
    file = documents.parse(text, reading.split, read=header_text.parse)
    body, top = file.frontmatter.body, reading.root(file)
    name, description = (_text(top, key) for key in ("name", "description"))
    off = "" if name and description else _UNDESCRIBED if name else _UNNAMED
    return SkillHeader(name, description, body, off=off)


def _text(top: Mapping | None, key: str) -> str:
    entry = top.get(key) if top is not None else None
    node = resolve(entry.value) if entry is not None else None
    return node.value.strip() if isinstance(node, Scalar) else ""


def find_skill(skills: Iterable[Skill], name: str) -> Skill | None:
    """The skill that `name` means, or None."""
    return next((one for one in skills if one.name == name), None)


def skill_rules(document: Document) -> tuple[Value, ...]:
    """The names of skills in the rules of a file; patterns have none."""
    if _SKILL not in document.text:
        return ()
    return tuple(
        Value(entry.name, entry.key.span)
        for owner in _owners(document)
        for entry in _below(_below_of(owner, _PERMISSION), _SKILL)
        if entry.name and not policy.is_pattern(entry.name)
    )


def _owners(document: Document) -> Iterator[Node | None]:
    """The mappings of a file that may have a `permission`."""
    if len(document.frontmatter.open):
        yield reading.root(document)
        return
    yield resolve(document.tree.root)
    for table in config.TABLES:
        yield from (resolve(one.value) for one in config.tables(document, table).values())


def _below_of(node: Node | None, name: str) -> Node | None:
    entry = node.get(name) if isinstance(node, Mapping) else None
    return resolve(entry.value) if entry is not None else None


def _below(node: Node | None, name: str) -> tuple[Entry, ...]:
    inner = _below_of(node, name)
    return tuple(inner.entries) if isinstance(inner, Mapping) else ()


_USE = SkillUse(
    there="The rule is about the skill",
    kept_back="Models do not see the skill",
    missing="so the rule does nothing",
    fix="write the skill, or remove the rule",
)
SKILLS = SkillNames(
    key=_SKILL,
    read=skill_header,
    find=find_skill,
    own=(Skill(_OWN_SKILL, "OpenCode"),),
    entries=skill_rules,
    is_in_header=True,
    others="a folder of `skills` in opencode.json, or a plugin,",
    use=lambda _, __: _USE,
)
