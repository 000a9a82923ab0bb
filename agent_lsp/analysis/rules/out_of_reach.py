"""An agent that nobody can come to."""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.dialects.vocabulary import Holds
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on the last key that has to do with it, if no way leads to the agent."""
    if of.dialect.standing is None or not header.loads(of):
        return
    ways = of.dialect.standing(of.reading)
    names = {key.name for key in of.dialect.keys if key.holds is Holds.STANDING}
    spans = (
        value.key for name, value in of.reading.held.settings.items() if name in names and value.key
    )
    span = max(spans, default=None)
    if span is None or any(way.is_open for way in ways):
        return
    said = " nor ".join(f"{way.word} ({way.reason})" for way in ways)
    yield Finding(span, f"the agent is neither {said}")


RULE = Rule("out-of-reach", check)
