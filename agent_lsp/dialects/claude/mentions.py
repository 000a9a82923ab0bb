"""Which agents a header names: those in the parentheses of `Agent(…)`, which was `Task(…)`.

Invariant: only the lists of tools are looked at; a pattern is no name, and a fork of the session
is no agent.
Facts: code.claude.com/docs/sub-agents as of 2026-10-08, read 2026-11-28.
"""

import re
from collections.abc import Iterator

from agent_lsp.dialects.claude.tools import AGENT, TASK
from agent_lsp.dialects.mentions import Mention
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Mapping, resolve
from agent_lsp.text import Span

_FORK = "fork"
_LISTS = frozenset({"tools", "disallowedTools"})
_AGENTS = re.compile(rf"(?<![\w-])(?:{AGENT}|{TASK})\(([^()\n]*)")
_NAME = re.compile(r"[^\s,:*-][^\s,*]*")


def mentions(document: Document) -> tuple[Mention, ...]:
    """The names in the lists of tools, in their order."""
    return tuple(_found(document))


def _found(document: Document) -> Iterator[Mention]:
    top = resolve(document.tree.root)
    for entry in top.entries if isinstance(top, Mapping) else ():
        if entry.name not in _LISTS or entry.value is None:
            continue
        span = entry.value.span
        for agents in _AGENTS.finditer(document.text, span.start, span.end):
            for name in _NAME.finditer(document.text, *agents.span(1)):
                if name[0] != _FORK:
                    yield Mention(name[0], Span(*name.span()), is_call=True)
