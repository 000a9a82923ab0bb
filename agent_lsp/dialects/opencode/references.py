"""The agents that a file of OpenCode names, and which of them it may start.

Facts: OpenCode 1.18.33, measured 2026-11-28 (`tests/conformance/opencode.jsonl`): an agent that
the rules of `task` deny is not listed and not started. A sub-agent has `task` only if a rule has
exactly this name, and starts nothing as deep as `subagent_depth` says.
"""

from collections.abc import Iterator

from agent_lsp.dialects.opencode import config, policy, reading
from agent_lsp.dialects.opencode.facts import DENY, SUBAGENT
from agent_lsp.dialects.opencode.rules import deciding, rules
from agent_lsp.dialects.opencode.runtime import depth_of, mode
from agent_lsp.model.availability import Delegation
from agent_lsp.model.mentions import Mention
from agent_lsp.model.template import Reading
from agent_lsp.patterns import regex
from agent_lsp.syntax.document import Document
from agent_lsp.text import Span

_TASK = "task"
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
    return (*first, *_in_text(document), *_in_rules(document))


def _in_text(document: Document) -> Iterator[Mention]:
    text = document.text
    for found in _AT.finditer(text, document.frontmatter.body.start):
        yield Mention(found["name"], Span(*found.span("name")))


def _in_rules(document: Document) -> Iterator[Mention]:
    is_header = bool(len(document.frontmatter.open))
    readings = (
        (reading.read(document),)
        if is_header
        else (config.read(document, name) for name in config.tables(document))
    )
    for one in readings:
        for rule in rules(one.declared.settings):
            is_name = rule.permission == _TASK and not policy.is_pattern(rule.pattern)
            if is_name and rule.span is not None and rule.action != DENY:
                is_quoted = rule.span.of(document.text)[:1] in ("'", '"')
                span = rule.span
                yield Mention(
                    rule.pattern, Span(span.start + 1, span.end - 1) if is_quoted else span
                )


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
