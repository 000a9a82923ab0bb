"""For whom an agent of KodaCode is there, and how a prompt speaks of another one.

Facts: `Selectable` and `Delegatable` in internal/agent/definition.go of sageil/kodacode at
aa5479acbe0f, and the document on agents; read 2026-11-27.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator

from agent_lsp.dialects.kodacode.facts import DELEGATE
from agent_lsp.dialects.kodacode.keys import ALL, PRIMARY, SUBAGENT
from agent_lsp.dialects.kodacode.reading import is_hidden, mode
from agent_lsp.dialects.standing import Availability, Delegation
from agent_lsp.dialects.template import Reading, Template
from agent_lsp.text import Span

# An id is the name of a file; what stands for one, such as `<agent>`, has signs that none has.
_ID = r"`[^`\s<>{}$/\\]+`"
_MENTION = re.compile(
    rf"\bdelegat(?:e|es|ing)(?:\s+[\w-]+){{0,3}}?\s+to\s+(?:the\s+|either\s+)?"
    rf"({_ID}(?:(?:\s*,\s*|\s+)(?:(?:or|and)\s+)?(?:to\s+)?(?:the\s+)?{_ID})*)(?!\s+tools?\b)",
    re.IGNORECASE,
)
_NAME = re.compile(_ID)
# A sentence that says so tells the agent to keep from it.
_NOT = re.compile(r"\b(?:not|never|no|without|avoid|cannot)\b|n['\u2019]t\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?:;]\s|\n\s*\n|\n\s*[-*#]")


def is_selectable(template: Template) -> bool:
    """Whether people can pick the agent."""
    return not is_hidden(template) and mode(template) in (PRIMARY, ALL)


def is_delegatable(template: Template) -> bool:
    """Whether agents can delegate to the agent; being hidden does not matter."""
    return mode(template) in (SUBAGENT, ALL)


def standing(reading: Reading) -> tuple[Availability, ...]:
    """Whether people can pick the agent, and whether agents can delegate to it."""
    held = reading.effective
    by_mode = f"the mode is `{mode(held)}`"
    reason = "it is hidden" if mode(held) != SUBAGENT and is_hidden(held) else by_mode
    return (
        Availability("selectable", is_selectable(held), reason),
        Availability("delegatable", is_delegatable(held), by_mode),
    )


def _mentions(prompt: str) -> Iterator[Span]:
    # Looked for once, for a prompt may have thousands of mentions, in one sentence or in many.
    ends = [end.end() for end in _SENTENCE_END.finditer(prompt)]
    nots = [(word.end(), word.start()) for word in _NOT.finditer(prompt)]
    for found in _MENTION.finditer(prompt):
        sentence = bisect_right(ends, found.start())
        begin = ends[sentence - 1] if sentence else 0
        word = bisect_right(nots, (found.start(), found.start()))
        is_denied = word > 0 and nots[word - 1][1] >= begin
        if not is_denied and not _NOT.search(found[0]):
            for name in _NAME.finditer(prompt, *found.span(1)):
                yield Span(name.start() + 1, name.end() - 1)


def _refused(reading: Reading) -> str | None:
    if is_delegatable(reading.effective):
        return None
    return f"its mode is `{mode(reading.effective)}`, and only `{SUBAGENT}` and `{ALL}` allow that"


DELEGATION = Delegation(_mentions, DELEGATE, _refused)
