"""An allow list without entries allows every tool."""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header, policy, remainder, taken
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.vocabulary import Holds, Severity
from agent_lsp.syntax.nodes import Scalar, Sequence, resolve
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on an allow list that is there and has no entries."""
    key, top = of.dialect.key_holding(Holds.ALLOW), header.root(of)
    entry = top.get(key.name) if key and top else None
    if key is None or entry is None or not header.parses(of) or _is_judged(of, key.name):
        return
    node = resolve(entry.value)
    gets = "the agent gets every tool"
    if policy.entries(of, Holds.DENY):
        gets += " that is not denied"
    if isinstance(node, Scalar):
        message = f"{code(key.name)} has no value: {gets}"
        yield Finding(entry.key.span, message, Severity.INFORMATION)
    elif isinstance(node, Sequence):
        thing = f"an empty {code(key.name)} counts as none"
        if node.items:
            thing = f"{code(key.name)} has only blank entries, which are dropped"
        yield Finding(entry.key.span, f"{thing}: {gets}; write entries{_or_deny(of)}")


def _is_judged(of: Subject, name: str) -> bool:
    """Whether the list has entries, or another finding says what becomes of it."""
    return (
        bool(policy.entries(of, Holds.ALLOW))
        or any(fault.key.partition("[")[0] == name for fault in of.reading.faults)
        or remainder.denier(of) is not None
        or any(taken.tag(of, i) or taken.anchor(of, i) for i in policy.items(of, Holds.ALLOW))
    )


def _or_deny(of: Subject) -> str:
    deny = of.dialect.key_holding(Holds.DENY)
    return f', or `{deny.name}: ["*"]` to allow nothing' if deny else ""


RULE = Rule("empty-allow-list", check)
