"""Finds the agents that a file names.

Invariants: only the tool lists and the description of a header are looked at; a pattern, a fork of
the session, a path or a package is not the name of an agent.
Facts: code.claude.com/docs/sub-agents as of 2026-10-08, read 2026-11-28: a message calls an agent
by `@agent-<name>`, or by `@"<name> (agent)"` as the picker writes it, with the plugin's name before
the agent's. The runtime takes ASCII letters, digits and `_ : . @ -` for such a name, as analyses of
the published package @anthropic-ai/claude-code 2.1.284 and before show; read 2026-11-28. In the
prompt and the description of an agent they tell Claude which agent is meant.
"""

import re
from collections.abc import Iterator
from itertools import islice

from agent_lsp.dialects.claude.tools import AGENT, TASK
from agent_lsp.model.mentions import Mention
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Mapping, resolve
from agent_lsp.text import Span

_FORK, _DESCRIPTION = "fork", "description"
_LISTS = frozenset({"tools", "disallowedTools"})
_AGENTS = re.compile(rf"(?<![\w-])(?:{AGENT}|{TASK})\(([^()\n]*)\)")
# Commas divide the names, and a name may have blanks inside (2.1.332, 2026-11-28).
_NAME = re.compile(r"[^\s,:*-](?:[^,*]*[^\s,*])?")
# No prompt has more names, and each one is looked up.
_MOST = 2_000
# Signs behind the last letter end the sentence; a slash behind it makes it a path.
_LETTER, _SIGN = "[A-Za-z0-9_]", "[A-Za-z0-9_:.@-]"
_AT = re.compile(
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
    top = resolve(document.tree.root)
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
    top = resolve(document.tree.root)
    entry = top.get(_DESCRIPTION) if isinstance(top, Mapping) else None
    if entry is not None and entry.value is not None:
        yield entry.value.span
