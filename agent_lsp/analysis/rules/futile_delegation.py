"""A prompt tells the agent to delegate, and the runtime will refuse it."""

from collections.abc import Iterator

from agent_lsp.analysis.nearest import nearest
from agent_lsp.analysis.rules import header, policy
from agent_lsp.analysis.rules.model import Finding, Related, Rule
from agent_lsp.analysis.rules.slips import slip
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.answers import Catalog
from agent_lsp.dialects.standing import Delegation
from agent_lsp.dialects.vocabulary import Holds
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject, catalog


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on each name that cannot be delegated to, or on the first if none can."""
    how = of.dialect.delegation
    if how is None or not header.is_seen(of) or of.reading.faults or of.scope.builtin:
        return
    block = of.document.cut.body
    spans = [span.shift(block.start) for span in how.mentions(block.of(of.document.text))]
    if not spans:
        return
    has = of.dialect.toolset(of.reading, (how.tool,), 1).verdicts[0]
    if not has.kept and _is_misspelt(of, how.tool):
        return
    if not has.kept:
        related = (Related(of.path, has.entry, "by this"),) if has.entry else ()
        message = f"the agent has no {code(how.tool)} to do so: {has.reason}"
        yield Finding(spans[0], message, related=related)
        return
    found = catalog(of.workspace, of.dialect, of.root)
    for span in spans:
        yield from _futile(of, how, found, span)


def _is_misspelt(of: Subject, tool: str) -> bool:
    """Whether the agent was meant to have `tool`: that is a finding of its own."""
    slips = (slip(of, entry) for entry in policy.entries(of, Holds.ALLOW))
    return any(tool in found.meant for found in slips if found is not None)


def _futile(of: Subject, how: Delegation, found: Catalog, span: Span) -> Iterator[Finding]:
    name = span.of(of.document.text)
    winner = found.winner(name)
    if winner is None:
        near = nearest(name, found.names)
        hint = f"; did you mean {code(near)}?" if near else ""
        message = f"there is no agent {code(name)}: the runtime refuses the call{hint}"
        yield Finding(span, message, meant=(near,) if near else ())
        return
    reading = found.read(winner)
    # Of a file that is refused or not looked into there is more to say than this.
    reason = None if reading.faults or winner.unread or winner.locked else how.refused(reading)
    if reason is not None:
        message = f"the runtime refuses to delegate to {code(name)}: {reason}"
        related = () if winner.scope.builtin else (Related(winner.path, Span(0, 0), "this one"),)
        yield Finding(span, message, related=related)


RULE = Rule("futile-delegation", check)
