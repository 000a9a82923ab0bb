"""A tool is allowed that no agent has."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header, tool_policy
from agent_lsp.analysis.checks.messages import code
from agent_lsp.model.check import Check, Finding
from agent_lsp.model.schema import KeyRole, Severity
from agent_lsp.workspace.snapshot import TemplateFile


def unavailable_tool(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each allowed tool that the runtime withholds from all agents."""
    withheld = {tool.name for tool in file.dialect.withheld}
    if not withheld or not header.parses(file):
        return
    entries = tool_policy.entries(file, KeyRole.ALLOW)
    if not any(entry.text in withheld for entry in entries):
        return
    verdicts = file.dialect.toolset(
        file.reading, tuple(entry.text for entry in entries), 1
    ).verdicts
    lost = [not verdict.kept and verdict.tool in withheld for verdict in verdicts]
    is_fatal = bool(file.dialect.nothing_left) and all(lost)
    for entry, verdict, is_lost in zip(entries, verdicts, lost, strict=False):
        if is_lost:
            effect = f"has no effect: {verdict.reason}"
            if is_fatal:
                effect += f", and nothing else is allowed: {file.dialect.nothing_left}"
            severity = Severity.ERROR if is_fatal else None
            yield Finding(entry.span, f"{code(entry.text)} {effect}", severity)


CHECK = Check(("unavailable-tool",), unavailable_tool)
