"""Finds the tool lists of all agents in a file, in every notation.

Invariants: the place of an entry is that of its name. An entry is left out if its place in the text
is unknown, as in a folded text.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.syntax.nodes import Mapping, Scalar, Sequence
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, as_template


@dataclass(frozen=True, slots=True)
class ToolEntry:
    """A tool or a pattern in a list, and its place, including its quotes."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class ToolList:
    """A tool list of an agent; `file` is read as this agent, and `span` is that of the value.

    `is_empty` is set if the author wrote a list without entries.
    """

    file: TemplateFile
    key: Key
    span: Span
    entries: tuple[ToolEntry, ...]
    is_empty: bool = False


def agents(file: TemplateFile) -> Iterator[TemplateFile]:
    """The file, read as each of the agents that it defines."""
    if not file.dialect.schema.is_tables:
        yield file
        return
    for one in file.names:
        yield as_template(file, (one,))


def tool_lists(file: TemplateFile) -> Iterator[ToolList]:
    """The lists of all agents of the file."""
    for agent in agents(file):
        for holds in (KeyRole.ALLOW, KeyRole.DENY):
            key = agent.dialect.key_with_role(holds)
            found = _list(agent, key) if key is not None else None
            if found is not None:
                yield found


def _list(file: TemplateFile, key: Key) -> ToolList | None:
    root = file.document.tree.top
    entry = root.get(key.name) if isinstance(root, Mapping) else None
    value = file.reading.declared.settings.get(key.name)
    items = value.items if value is not None else ()
    # The target of an alias is found at the place where it is written.
    if entry is not None and isinstance(entry.value, Sequence):
        tools = {item.span: item.text for item in items}
        written = [item for item in entry.value.items if isinstance(item, Scalar)]
        named = [(tools.get(item.span, item.value), item.span) for item in written]
        is_empty = not entry.value.items
        return ToolList(file, key, entry.value.span, tuple(_entries(file, named)), is_empty)
    if value is None or not isinstance(value.value, tuple):
        return None
    is_empty = not items and value.span.of(file.document.text).startswith("[")
    said = [(item.text, item.span) for item in items]
    return ToolList(file, key, value.span, tuple(_entries(file, said)), is_empty)


def _entries(file: TemplateFile, named: list[tuple[str, Span]]) -> Iterator[ToolEntry]:
    for text, span in named:
        name, source = text.strip(), span.of(file.document.text)
        bare = source.strip("\"' ")
        if not name or not bare.startswith(name):
            continue
        at = span.start + source.find(bare)
        # Parentheses after the name of a tool may contain more about it.
        yield ToolEntry(name, span if bare == name else Span(at, at + len(name)))
