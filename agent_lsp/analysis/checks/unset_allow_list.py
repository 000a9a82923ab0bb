"""The key for the allowed tools has no value."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header, tool_policy
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.model.schema import KeyRole
from agent_lsp.syntax.nodes import Scalar, resolve
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on an allow list that is there and not set."""
    key, top = file.dialect.key_with_role(KeyRole.ALLOW), header.root(file)
    entry = top.get(key.name) if key and top else None
    if key is None or entry is None or not header.loads(file):
        return
    if isinstance(resolve(entry.value), Scalar) and key.name not in file.reading.effective.settings:
        gets = "the agent gets every tool"
        if tool_policy.entries(file, KeyRole.DENY):
            gets += " that is not denied"
        thing = f"{code(key.name)} has no value, which counts as not set"
        yield Finding(entry.key.span, f"{thing}: {gets}; write `[]` for none")


RULE = Rule("unset-allow-list", check)
