"""Completes the names of agents in a prompt, where the text says that a name follows.

Invariant: the same words make a name a mention, so that what is inserted is one.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from agent_lsp.analysis.completion.offer import Completion, CompletionKind, Words, literal, offer
from agent_lsp.analysis.context.contexts import line_at
from agent_lsp.analysis.context.prompts import prompts
from agent_lsp.model.schema import KeyRole
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of

# Words and marks behind which a name follows. An agent's name has no other characters.
_AFTER = re.compile(
    r"(?:\bdelegat(?:e|es|ing)\b(?:[ ][\w'-]+){0,4}?[ ]to[ ](?:the[ ])?[`\"']?|(?<!`)`)"
    r"(?P<typed>[\w.:-]*)\Z",
    re.IGNORECASE,
)
_MENTION = re.compile(r"(?<!\w)@agent-(?P<typed>[\w.:-]*)\Z")
_REST = re.compile(r"[\w.:-]*")
_LONGEST = 300


def agents(file: TemplateFile, offset: int) -> Iterator[Completion]:
    """The agents of the session, without the file's own, for the name typed at `offset`."""
    typed = _typed(file, offset)
    names = catalog_of(file).names if typed is not None else ()
    for place, name in enumerate(one for one in names if one != file.name):
        if typed is not None:
            said = Words("an agent that a session finds here")
            text = file.document.text
            yield offer(text, typed, name, CompletionKind.VALUE, literal(name), said, place)


def _typed(file: TemplateFile, offset: int) -> Span | None:
    text = file.document.text
    body = next((one for one in prompts(file) if one.start <= offset <= one.end), None)
    if body is None:
        return None
    before = text[max(body.start, line_at(text, offset).start, offset - _LONGEST) : offset]
    if before.count("`") % 2 == 0 and before.endswith("`"):
        # The second of two backticks ends a name.
        return None
    found = _AFTER.search(before) or _in_call(file, before)
    if found is None and file.dialect.references.mentions is not None:
        found = _MENTION.search(before) if file.dialect.tools.takes_agents else None
    rest = _REST.match(text, offset)
    if found is None or rest is None:
        return None
    return Span(offset - len(found["typed"]), rest.end())


def _in_call(file: TemplateFile, before: str) -> re.Match[str] | None:
    argument = file.dialect.spawn_argument(KeyRole.AGENT)
    return _argument(argument, file.dialect.calls.spawn_call).search(before) if argument else None


@lru_cache(maxsize=64)
def _argument(name: str, call: str) -> re.Pattern[str]:
    """Matches the beginning of an argument; a common word counts only inside of the call."""
    argument = rf"""\b{re.escape(name)}\b["'`]?[ ]?[:=][ ]?["'`]?"""
    before = argument if "_" in name else rf"\b{re.escape(call)}\b[^)\n]{{0,80}}?{argument}"
    return re.compile(rf"{before}(?P<typed>[\w.:-]*)\Z")
