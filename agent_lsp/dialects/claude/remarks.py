"""What an entry of a list of tools does that it does not look like, and hooks that never run.

Invariant: only headers that the runtime reads are looked at.
Facts: code.claude.com/docs/sub-agents as of 2026-10-08, read 2026-11-28; that `mcp__*` counts in
`disallowedTools` only, there, too. What becomes of a parenthesis without an end is not established.
Some programs have hooks of their own in these files, under events of their own.
"""

from collections.abc import Iterator

from agent_lsp.dialects.claude import entries, fences, recovery
from agent_lsp.dialects.claude.nested import EVENTS
from agent_lsp.dialects.remark import About, Remark
from agent_lsp.dialects.vocabulary import Severity
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.markdown import Fence
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.text import Span

_ALLOW, _DENY = "tools", "disallowedTools"
_MCP, _EVERY_SERVER = "mcp__", "mcp__*"
_NAMES = frozenset(event.name for event in EVENTS)
_MOST = 3


def remarks(document: Document, about: About) -> Iterator[Remark]:
    """The remarks on the fences, and on `tools`, `disallowedTools` and `hooks`."""
    if not _is_read(document):
        return
    yield from fences.remarks(document)
    top = resolve(document.tree.root)
    for entry in top.entries if isinstance(top, Mapping) else ():
        if entry.name in (_ALLOW, _DENY):
            for text, span in _written(document.text, resolve(entry.value)):
                yield from _of_entry(entry.name, text, span)
        elif entry.name == "hooks" and ":" not in about.name:
            yield from _foreign(entry)


def _is_read(document: Document) -> bool:
    """Whether the runtime certainly takes the header, as it is or with its colons put right."""
    if document.cut.fence is not Fence.CLOSED or document.tree.problem is None:
        return document.cut.fence is Fence.CLOSED
    header = document.cut.inner
    found = recovery.recover(header.of(document.text), header.start)
    return found.outcome is recovery.Outcome.RECOVERED


def _written(text: str, node: Node | None) -> Iterator[tuple[str, Span]]:
    """The entries as they are written, each with its place."""
    for item in node.items if isinstance(node, Sequence) else (node,):
        scalar = resolve(item)
        if isinstance(scalar, Scalar):
            written = entries.source(text, scalar)
            for start, stop in entries.spans(written):
                at = scalar.span.start
                yield written[start:stop], Span(at + start, at + stop)


def _of_entry(key: str, text: str, span: Span) -> Iterator[Remark]:
    name, limited, rest = text.partition("(")
    if limited and rest.count(")") < text.count("("):
        lost = "the runtime may take all that follows for a part of this entry"
        message = f"`(` is never closed: {lost}; write `)` where it ends"
        yield Remark("unknown-tool", span, message, Severity.WARNING)
    elif limited and key == _DENY:
        message = (
            f"`{key}` takes `{name.strip()}` away as a whole, whatever stands in parentheses; "
            "to deny some uses of it, write a rule into `permissions.deny` of the settings"
        )
        yield Remark("whole-tool", span, message)
    elif text.strip() == _EVERY_SERVER and key == _ALLOW:
        message = (
            f"`{_EVERY_SERVER}` counts in `{_DENY}`: in `{_ALLOW}` it may cover nothing; name the "
            "servers, as in `mcp__github`"
        )
        yield Remark("unknown-tool", span, message, Severity.WARNING)
    elif _is_some_servers(text.strip()):
        message = f"`*` stands for no part of a server's name: `{text.strip()}` may cover nothing"
        yield Remark("unknown-tool", span, f"{message}; name the server", Severity.WARNING)


def _is_some_servers(entry: str) -> bool:
    """Whether an entry has a star in the place of a part of a server's name."""
    server = entry.removeprefix(_MCP).partition("__")[0]
    return entry.startswith(_MCP) and entry.endswith("*") and "*" in server and server != "*"


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
