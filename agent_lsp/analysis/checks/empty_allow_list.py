"""An allow list without entries allows every tool."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import coerce, header, tool_policy
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.model.schema import KeyRole, Severity
from agent_lsp.syntax.nodes import Scalar, Sequence, resolve
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on an allow list that is there and has no entries."""
    key, top = file.dialect.key_with_role(KeyRole.ALLOW), header.root(file)
    entry = top.get(key.name) if key and top else None
    if key is None or entry is None or not header.parses(file) or _is_judged(file, key.name):
        return
    node = resolve(entry.value)
    gets = "the agent gets every tool"
    if tool_policy.entries(file, KeyRole.DENY):
        gets += " that is not denied"
    if isinstance(node, Scalar):
        message = f"{code(key.name)} has no value: {gets}"
        yield Finding(entry.key.span, message, Severity.INFORMATION)
    elif isinstance(node, Sequence):
        thing = f"an empty {code(key.name)} counts as none"
        if node.items:
            thing = f"{code(key.name)} has only blank entries, which are dropped"
        yield Finding(entry.key.span, f"{thing}: {gets}; write entries{_or_deny(file)}")


def _is_judged(file: TemplateFile, name: str) -> bool:
    """Whether the list has entries, or another finding says what becomes of it."""
    return (
        bool(tool_policy.entries(file, KeyRole.ALLOW))
        or any(fault.key.partition("[")[0] == name for fault in file.reading.errors)
        or tool_policy.denier(file) is not None
        or any(
            coerce.tag(file, i) or coerce.anchor(file, i)
            for i in tool_policy.items(file, KeyRole.ALLOW)
        )
    )


def _or_deny(file: TemplateFile) -> str:
    deny = file.dialect.key_with_role(KeyRole.DENY)
    return f', or `{deny.name}: ["*"]` to allow nothing' if deny else ""


RULE = Rule("empty-allow-list", check)
