"""A tool is allowed and denied at the same time."""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header, policy, remainder
from agent_lsp.analysis.rules.model import Finding, Related, Rule, Tag
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.vocabulary import KeyRole
from agent_lsp.workspace.index import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a hint on each allowed entry of which the denied ones leave nothing."""
    if not header.parses(file) or remainder.is_reported(file):
        return
    lost = remainder.denied(file)
    for allowed in policy.entries(file, KeyRole.ALLOW):
        deny = lost.get(allowed.text)
        if deny is None:
            continue
        by = "" if deny.text == allowed.text else f" by {code(deny.text)}"
        message = f"{code(allowed.text)} is denied{by}, and deny wins: this entry has no effect"
        related = (Related(file.path, deny.span, "denied here"),)
        yield Finding(allowed.span, message, tags=(Tag.UNNECESSARY,), related=related)


RULE = Rule("allowed-and-denied", check)
