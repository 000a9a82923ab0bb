"""An agent that nobody can come to."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.model.schema import KeyRole
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on the last key that has to do with it, if no way leads to the agent."""
    if file.dialect.availability is None or not header.loads(file):
        return
    ways = file.dialect.availability(file.reading)
    names = {key.name for key in file.dialect.keys if key.role is KeyRole.STANDING}
    spans = (
        value.key
        for name, value in file.reading.effective.settings.items()
        if name in names and value.key
    )
    span = max(spans, default=None)
    if span is None or any(way.is_open for way in ways):
        return
    said = " nor ".join(f"{way.word} ({way.reason})" for way in ways)
    yield Finding(span, f"the agent is neither {said}")


RULE = Rule("out-of-reach", check)
