"""Finds the names of a file's agents in its text, for systems that declare them there.

Invariant: a name is listed at each place that declares a table for it, in source order.
"""

from collections.abc import Iterator

from agent_lsp.model.runtime import DefinedName
from agent_lsp.syntax.nodes import Broken, Scalar
from agent_lsp.text import LineIndex, Span
from agent_lsp.workspace.snapshot import TemplateFile


def declarations(file: TemplateFile) -> tuple[DefinedName, ...]:
    """The names with their places; none if the agent is named after the file."""
    first = [one for one in file.names if one.span is not None]
    found = {one.span: one for one in (*first, *_tables(file))}
    known = {one.name for one in first}
    places = (one for span, one in found.items() if span is not None and one.name in known)
    return tuple(sorted(places, key=lambda one: one.span or Span(0, 0)))


def owner(file: TemplateFile, offset: int) -> str | None:
    """The agent whose part of the file `offset` lies in, or None."""
    before = [one.name for one in declarations(file) if one.span and one.span.start <= offset]
    return before[-1] if before else file.name


def at_line(file: TemplateFile, line: int) -> str | None:
    """The agent in whose part of the file a line is, or None above all tables of agents."""
    if not file.dialect.schema.is_tables:
        return file.name
    end = LineIndex(file.document.text).line_span(max(line, 0)).end
    before = [one.name for one in declarations(file) if one.span and one.span.start <= end]
    return before[-1] if before else None


def _tables(file: TemplateFile) -> Iterator[DefinedName]:
    for section in file.document.tree.sections:
        keys = section.header.keys if section.header is not None else ()
        yield from _named(file, keys, 0)
        for pair in section.pairs:
            yield from _named(file, (*keys, *pair.keys), len(keys))


def _named(
    file: TemplateFile, keys: tuple[Scalar | Broken, ...], first: int
) -> Iterator[DefinedName]:
    """The key that names a template, if it is among those from `first` on."""
    path = tuple(key.value if isinstance(key, Scalar) else "" for key in keys)
    for end in range(1, len(path) + 1):
        name = file.dialect.schema.template_at(path[:end])
        if name is not None:
            if end > first:
                yield DefinedName(name, keys[end - 1].span)
            return
