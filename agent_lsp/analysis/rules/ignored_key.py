"""The runtime ignores a key at this place."""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for each part of the header that its dialect says does nothing here."""
    if of.dialect.idle is None or not header.loads(of):
        return
    for found in of.dialect.idle(of.document, of.scope):
        yield Finding(found.span, found.reason)


RULE = Rule("ignored-key", check)
