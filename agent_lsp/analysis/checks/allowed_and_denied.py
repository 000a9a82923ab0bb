"""A tool is allowed and denied at the same time."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header, tool_policy
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.model import Finding, Related, Rule, Tag
from agent_lsp.model.schema import KeyRole
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a hint on each allowed entry of which the denied ones leave nothing."""
    if not header.parses(file) or tool_policy.is_reported(file):
        return
    lost = tool_policy.denied(file)
    for allowed in tool_policy.entries(file, KeyRole.ALLOW):
        deny = lost.get(allowed.text)
        if deny is None:
            continue
        by = "" if deny.text == allowed.text else f" by {code(deny.text)}"
        message = f"{code(allowed.text)} is denied{by}, and deny wins: this entry has no effect"
        related = (Related(file.path, deny.span, "denied here"),)
        yield Finding(allowed.span, message, tags=(Tag.UNNECESSARY,), related=related)


RULE = Rule("allowed-and-denied", check)
