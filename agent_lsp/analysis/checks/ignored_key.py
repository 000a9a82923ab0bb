"""The runtime ignores a key at this place."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each part of the header that its dialect says does nothing here."""
    if file.dialect.no_effect is None or not header.loads(file):
        return
    for found in file.dialect.no_effect(file.document, file.scope):
        yield Finding(found.span, found.reason)


RULE = Rule("ignored-key", check)
