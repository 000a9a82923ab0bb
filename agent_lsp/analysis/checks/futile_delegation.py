"""Checks for a prompt that delegates to another agent, although the agent lacks the tool to do so.

Invariants: the name is that of an agent of the session, and the text says beyond doubt that this
agent is to call it. A prohibition is no delegation. A system with rules of its own for delegation
has a check of its own.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from agent_lsp.analysis.checks import header, tool_policy
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.tool_policy import suggestion
from agent_lsp.model.check import Basis, Check, Finding, Related
from agent_lsp.model.mentions import Mention
from agent_lsp.model.runtime import Verdict
from agent_lsp.model.schema import KeyRole, Severity
from agent_lsp.model.template import Reading
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, as_template, catalog_of, definition

# The text between the beginning of a sentence and a name.
_ORDER = re.compile(
    r"(?:^|[-*.,:;]\s+|\d\.\s+|\b(?:then|and|must|should|always|can|may|please|you)\s+)"
    r"delegate\b(?:\s[\w'-]+){0,6}?\s+to\s+(?:the\s+)?[`\"']?\Z",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|never|no|without|avoid|cannot)\b|n['\u2019]t\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?]\s|\n\s*(?=\n|[-*#]|\d+\.)")
_FAR = 300
_VERB = "elegate"
_QUOTES = "\"'\n"


def futile_delegation(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on the first delegation of an agent that lacks the tool for all of them."""
    how = file.dialect.references.delegation
    tool = file.dialect.calls.spawn_call
    if how is not None and tool not in file.dialect.tools.names:
        tool = how.tool
    if tool not in file.dialect.tools.names:
        return
    if file.scope.builtin or not _may_delegate(file):
        return
    # A denial gives no tool back, whatever is wrong about it.
    allowed = file.dialect.key_with_role(KeyRole.ALLOW)
    settled = header.as_settled(file, (allowed.name,) if allowed is not None else ())
    # A configuration has the lists of many agents.
    if settled is None or (settled is not file and file.dialect.schema.is_tables):
        return
    # Found once: a file may have thousands of agents.
    every = sorted(file.dialect.mentioned(file.document), key=_start)
    for template, prompt in _templates(settled):
        reading = _merged(template) if settled is file else template.reading
        depth = how.depth(reading) if how is not None else 1
        has = template.dialect.tools.toolset(reading, (tool,), depth).verdicts[0]
        inside = every[_at(every, prompt.start) : _at(every, prompt.end)]
        if not has.kept and has.certain and not _is_misspelt(template, tool):
            yield from _first(template, prompt, inside, partial(_for_all, has))
        elif has.kept and how is not None:
            yield from _first(template, prompt, inside, partial(how.denied, reading))


def _merged(template: TemplateFile) -> Reading:
    """What a session reads of an agent, whose name several files may have."""
    found = definition(template)
    return found.reading if found is not None else template.reading


def _start(mention: Mention) -> int:
    return mention.span.start


def _at(mentions: Sequence[Mention], offset: int) -> int:
    return bisect_left(mentions, offset, key=_start)


def _templates(file: TemplateFile) -> Iterator[tuple[TemplateFile, Span]]:
    """Each agent of a file, with the place of its prompt."""
    if not file.dialect.schema.is_tables:
        yield file, Span(file.document.frontmatter.body.start, len(file.document.text))
        return
    for name in file.names:
        one = as_template(file, (name,))
        yield one, one.reading.declared.default.span


def _first(
    file: TemplateFile,
    prompt: Span,
    inside: Sequence[Mention],
    verdict_on: Callable[[str], Verdict | None],
) -> Iterator[Finding]:
    """The finding on the first delegation in a prompt that an existing agent cannot get."""
    orders = [
        (one, verdict)
        for one in inside
        if _is_order(file, one, prompt.start)
        and (verdict := verdict_on(one.agent or one.name)) is not None
    ]
    if not orders:
        return
    found = frozenset(catalog_of(file).names) - {file.name}
    for one, verdict in orders:
        if (one.agent or one.name) in found:
            related = (Related(file.path, verdict.entry, "by this"),) if verdict.entry else ()
            message = f"the agent has no {code(verdict.tool)} to do so: {verdict.reason}"
            severity = None if one.is_call else Severity.INFORMATION
            yield Finding(one.span, message, severity, related=related)
            return


def _for_all(verdict: Verdict, _name: str) -> Verdict:
    return verdict


def _may_delegate(file: TemplateFile) -> bool:
    """Whether the text has a word of a delegation at all, which most texts have not."""
    words = (_VERB, file.dialect.spawn_argument(KeyRole.AGENT) or _VERB)
    return any(word in file.document.text for word in words)


def _is_order(file: TemplateFile, mention: Mention, start: int) -> bool:
    """Whether the text tells this agent to call the mentioned one."""
    text = file.document.text
    first = max(start, mention.span.start - _FAR)
    before = text[first : mention.span.start]
    if first == start and file.dialect.schema.is_tables:
        # The value begins with its quotes.
        before = before.lstrip(_QUOTES)
    ends = [end.end() for end in _SENTENCE_END.finditer(before)]
    # A prompt or a paragraph may begin with empty lines.
    sentence = before[ends[-1] if ends else 0 :].lstrip()
    if _NOT.search(sentence) is not None:
        return False
    return mention.is_call or _ORDER.search(sentence) is not None


def _is_misspelt(file: TemplateFile, tool: str) -> bool:
    """Whether the agent was meant to have `tool`, which is a finding of its own."""
    slips = (suggestion(file, entry) for entry in tool_policy.entries(file, KeyRole.ALLOW))
    return any(tool in found.meant for found in slips if found is not None)


CHECK = Check(("futile-delegation",), futile_delegation, changes=frozenset(), basis=Basis.ABSENCE)
