"""What an entry of a list of tools does that it does not look like, and hooks that never run.

Invariant: only headers that the runtime reads are looked at.
Facts: code.claude.com/docs/sub-agents as of 2026-10-08, read 2026-11-28; what `*` and `mcp__*` do
in which list, measured with Claude Code 2.1.332, 2026-11-28.
Some programs have hooks of their own in these files, under events of their own.
"""

from collections.abc import Iterator

from agent_lsp.dialects.claude import entries, frontmatter, policy
from agent_lsp.dialects.claude.facts import ALLOW, DENY, NOT_IN_PLUGINS
from agent_lsp.dialects.claude.nested import EVENTS
from agent_lsp.model.remark import About, Remark
from agent_lsp.model.runtime import Scope
from agent_lsp.model.schema import KeyRole, Severity
from agent_lsp.model.template import NoEffect, Value
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, resolve

_EVERY = "*"
_NAMES = frozenset(event.name for event in EVENTS)
_MOST = 3


def remarks(document: Document, about: About) -> Iterator[Remark]:
    """The remarks on the fences, and on `tools`, `disallowedTools` and `hooks`."""
    if not _is_read(document):
        return
    yield from frontmatter.remarks(document)
    top = resolve(document.tree.root)
    for entry in top.entries if isinstance(top, Mapping) else ():
        if entry.name in (ALLOW, DENY):
            yield from _of_lists(document, entry)
        elif entry.name == "hooks" and ":" not in about.name:
            yield from _foreign(entry)


def _is_read(document: Document) -> bool:
    """Whether the runtime certainly takes the header, as it is or with its colons put right."""
    if document.frontmatter.fence is not FenceKind.CLOSED or document.tree.problem is None:
        return document.frontmatter.fence is FenceKind.CLOSED
    header = document.frontmatter.inner
    found = frontmatter.recover(header.of(document.text), header.start)
    return found.outcome is frontmatter.Outcome.RECOVERED


def _of_lists(document: Document, entry: Entry) -> Iterator[Remark]:
    """The remarks on the entries of a list of tools."""
    node = resolve(entry.value)
    scalars = [
        scalar
        for item in (node.items if isinstance(node, Sequence) else (node,))
        if isinstance(scalar := resolve(item), Scalar) and entries.is_text(scalar)
    ]
    found = [one for scalar in scalars for one in entries.of_scalar(document.text, scalar)]
    holds = KeyRole.DENY if entry.name == DENY else KeyRole.ALLOW
    is_void = holds is KeyRole.DENY and policy.is_void(tuple(found))
    for value in found:
        reason = policy.void(holds, value.text)
        if reason:
            alone = holds is KeyRole.ALLOW and all(policy.void(holds, one.text) for one in found)
            yield _void(value, reason, is_fatal=alone)
        elif holds is KeyRole.DENY and not is_void and _is_limited(value):
            yield _whole(value)


def _is_limited(value: Value) -> bool:
    return "(" in value.written and "(" not in value.text


def _void(value: Value, reason: str, *, is_fatal: bool) -> Remark:
    fix = "name the servers, as in `mcp__github`"
    if value.text == _EVERY:
        fix = f"remove it, or write `{ALLOW}: []` for an agent without tools"
    message = f"{reason}, so {policy.REFUSED}; {fix}" if is_fatal else f"{reason}; {fix}"
    severity = Severity.ERROR if is_fatal else Severity.WARNING
    return Remark("unknown-tool", value.span, message, severity)


def _whole(value: Value) -> Remark:
    message = (
        f"`{DENY}` takes `{value.text}` away as a whole, whatever stands in parentheses; "
        "to deny some uses of it, write a rule into `permissions.deny` of the settings"
    )
    return Remark("whole-tool", value.span, message)


def _foreign(hooks: Entry) -> Iterator[Remark]:
    """One remark on all events that are none and do not look like hooks, either."""
    events = resolve(hooks.value)
    entries_ = events.entries if isinstance(events, Mapping) else ()
    strange = (event for event in entries_ if event.name and event.name not in _NAMES)
    names = [f"`{event.name}`" for event in strange if not _has_matchers(resolve(event.value))]
    if not names:
        return
    shown = names[:_MOST]
    if len(names) > _MOST:
        shown.append(f"{len(names) - _MOST} more")
    *others, last = shown
    thing = f"{', '.join(others)} and {last} are no events" if others else f"{last} is no event"
    message = f"{thing} of the runtime: it may run no hook of this agent"
    yield Remark("unknown-key", hooks.key.span, message, Severity.INFORMATION)


def _has_matchers(node: Node | None) -> bool:
    """Whether a value is a list as the runtime's events have it, or may become one."""
    if isinstance(node, Sequence):
        return all(isinstance(resolve(item), Mapping) for item in node.items)
    return node is None


def no_effect(document: Document, scope: Scope) -> Iterator[NoEffect]:
    """The keys that the runtime ignores in an agent of a plugin."""
    top = resolve(document.tree.root)
    if not scope.prefix or not isinstance(top, Mapping):
        return
    for entry in top.entries:
        if entry.name in NOT_IN_PLUGINS:
            reason = f"the runtime ignores `{entry.name}` in an agent of a plugin"
            yield NoEffect(entry.key.span, reason)
