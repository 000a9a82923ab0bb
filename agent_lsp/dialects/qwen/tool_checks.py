"""Checks the lists of tools, for `qwen` alone: empty ones, and entries in the wrong list.

Facts: Qwen Code 0.24.4, measured 2026-11-28: an empty list is every tool, patterns of MCP servers
count in `disallowedTools` only, and `*` in `tools` only.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header, tool_policy
from agent_lsp.analysis.checks import no_tools as nothing_left
from agent_lsp.analysis.checks.messages import code
from agent_lsp.dialects.qwen import policy, reading
from agent_lsp.dialects.qwen.facts import ALLOW, DENY
from agent_lsp.dialects.qwen.tools import NONE
from agent_lsp.model.check import Check, Finding
from agent_lsp.model.schema import KeyRole, Severity
from agent_lsp.workspace.snapshot import TemplateFile


def every_tool(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a list of tools that is there and has no entries."""
    if not header.loads(file):
        return
    one = reading.effective(file.document).get(ALLOW)
    top = header.root(file)
    entry = top.get(ALLOW) if top is not None else None
    if one is None:
        if entry is not None and reading.is_yaml(file.document):
            thing = f"{code(ALLOW)} has no value: the agent gets every tool"
            message = f"{thing}; name its tools, or remove the key"
            yield Finding(entry.key.span, message, code="unset-allow-list")
        return
    if one.value in ((), ""):
        thing = f"an empty {code(ALLOW)} is every tool, not none"
        message = f"{thing}: name the tools, or write {code(f'{ALLOW}: [{NONE}]')} for none at all"
        yield Finding(one.key or one.span, message)


def no_tools(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding where no tool is left, unless the list says that none is meant."""
    entries = tool_policy.entries(file, KeyRole.ALLOW)
    if not entries or any(entry.text != NONE for entry in entries):
        yield from nothing_left.no_tools(file)


def unknown_tool(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each entry that counts in the other list only."""
    if not header.loads(file):
        return
    settings = file.reading.effective.settings
    for role, key in ((KeyRole.ALLOW, ALLOW), (KeyRole.DENY, DENY)):
        value = settings.get(key)
        for item in value.items if value is not None else ():
            reason = policy.void(role, item.text)
            if reason:
                yield Finding(item.span, _message(file, role, reason), Severity.WARNING)


def _message(file: TemplateFile, role: KeyRole, reason: str) -> str:
    if role is KeyRole.DENY:
        return f"{reason}: name the tools"
    names = tool_policy.names(file)
    allow = file.reading.effective.settings[ALLOW].items
    is_only = all(
        policy.void(role, item.text) or not policy.cannot_tell(item.text) for item in allow
    )
    is_left = bool(policy.toolset(file.reading, names, 1).kept) or not is_only
    effect = reason if is_left else f"{reason}, so the agent has no tools"
    return f"{effect}; name each tool, as in `mcp__github__get_issue`"


TOOL_CHECKS: tuple[Check, ...] = (
    Check(("empty-allow-list", "unset-allow-list"), every_tool),
    Check(("no-tools",), no_tools),
    Check(("unknown-tool",), unknown_tool),
)
