"""Finds the MCP servers that the header of a template names."""

from collections.abc import Iterator

from agent_lsp.data_classes import dataclass
from agent_lsp.model.discovery import ServerNames
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Value
from agent_lsp.syntax import nodes
from agent_lsp.syntax.nodes import Node, Scalar, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.mcp_servers import McpServer, configured_for, matching
from agent_lsp.workspace.snapshot import TemplateFile, as_template


@dataclass(frozen=True, slots=True)
class NamedServer:
    """A server that a file names in `entry`, which is the name itself in a list of servers.

    `span` is that of the name, or None if the text has it in another way. `others` are longer names
    that the entry may mean instead.
    """

    name: str
    span: Span | None
    entry: Value
    others: tuple[str, ...] = ()


def named_servers(file: TemplateFile) -> tuple[NamedServer, ...]:
    """The servers that the tool lists and the lists of servers in a header name."""
    names = file.dialect.tools.servers
    return tuple(_named_in_header(file, names)) if names is not None else ()


def named_server_at(file: TemplateFile, offset: int) -> NamedServer | None:
    """The server that the entry at `offset` names, or None."""
    return next((one for one in named_servers(file) if one.entry.span.covers(offset)), None)


def server_of(file: TemplateFile, named: NamedServer) -> McpServer | None:
    """The configured server that `named` means in a session for `file`, or None."""
    servers, entry = configured_for(file), named.entry.text
    if named.name == entry:
        return next((one for one in servers if one.name == entry), None)
    return matching(servers, entry)


def own_servers(file: TemplateFile) -> frozenset[str]:
    """The servers that the header itself configures."""
    names = file.dialect.tools.servers
    node = _value(file, names.own_key) if names is not None else None
    tables = node.items if isinstance(node, nodes.Sequence) else (node,)
    found = (resolve(one) for one in tables if one is not None)
    return frozenset(
        one.name
        for each in found
        if isinstance(each, nodes.Mapping)
        for one in each.entries
        if one.name
    )


def _named_in_header(file: TemplateFile, names: ServerNames) -> Iterator[NamedServer]:
    text = file.document.text
    for entry in _entries(file):
        spans = names.in_entry(entry.text)
        if spans:
            at = text.find(entry.text, entry.span.start, entry.span.end)
            first, *others = spans
            span = first.shift(at) if at >= 0 else None
            more = tuple(one.of(entry.text) for one in others)
            yield NamedServer(first.of(entry.text), span, entry, more)
    for value in names.listed(file.document):
        yield NamedServer(value.text, _place(text, value), value)
    for key in sorted(names.keys):
        node = _value(file, key)
        for item in node.items if isinstance(node, nodes.Sequence) else ():
            found = resolve(item)
            # A name with a colon is that of a plugin's server.
            if isinstance(found, Scalar) and found.value and ":" not in found.value:
                value = Value(found.value, found.span)
                yield NamedServer(found.value, _place(text, value), value)


def _place(text: str, value: Value) -> Span | None:
    """The place of a name in the text, without quotes; None if it is written in another way."""
    at = text.find(value.text, value.span.start, value.span.end)
    return Span(at, at + len(value.text)) if at >= 0 else None


def _entries(file: TemplateFile) -> Iterator[Value]:
    """The entries of the tool lists, each where it stands in the text."""
    tools = file.dialect.tools
    if tools.named is not None:
        yield from tools.named(file.reading)
    elif file.dialect.schema.is_tables:
        for one in file.names:
            yield from _of_lists(as_template(file, (one,)))
    else:
        yield from _of_lists(file)


def _of_lists(file: TemplateFile) -> Iterator[Value]:
    for role in (KeyRole.ALLOW, KeyRole.DENY):
        key = file.dialect.schema.by_role.get(role)
        value = file.reading.declared.settings.get(key.name) if key is not None else None
        yield from (one for one in (value.items if value is not None else ()) if one.text)


def _value(file: TemplateFile, key: str) -> Node | None:
    top = file.document.tree.top
    entry = top.get(key) if isinstance(top, nodes.Mapping) else None
    return entry.node if entry is not None else None
