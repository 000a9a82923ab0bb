"""The tables of a file by their paths, and the template that each belongs to."""

from dataclasses import replace

from agent_lsp.dialects.answers import Named
from agent_lsp.dialects.vocabulary import Key
from agent_lsp.syntax.nodes import Mapping, Sequence, resolve
from agent_lsp.workspace.index import Subject


def keys_at(of: Subject, path: tuple[str, ...]) -> tuple[Key, ...]:
    """The keys of the table at `path`; none where it is none of the dialect's."""
    return of.dialect.keys_at(of.document, path) if of.dialect.keys_at is not None else ()


def names_at(of: Subject, path: tuple[str, ...]) -> tuple[str, ...]:
    """The templates of the file whose tables stand in the one at `path`."""
    if template(of, path) is not None:
        return ()
    names = (one.name for one in of.names if one.name)
    return tuple(name for name in names if template(of, (*path, name)) == name)


def template(of: Subject, path: tuple[str, ...]) -> str | None:
    """The template to which the table at `path` belongs, or None."""
    return of.dialect.template_at(path) if of.dialect.template_at is not None else None


def within(of: Subject, path: tuple[str, ...]) -> Subject:
    """The file as the template to which the table at `path` belongs, if it belongs to one."""
    name = template(of, path)
    named = tuple(one for one in of.names if one.name == name)
    return of_names(of, named) if named else of


def of_names(of: Subject, named: tuple[Named, ...]) -> Subject:
    """The file as the template with one of the names of it."""
    return replace(of, names=named, reading=of.dialect.read(of.document, named[0].name))


def table_at(of: Subject, path: tuple[str, ...]) -> Mapping | None:
    """The table at `path`, or None."""
    node = resolve(of.document.tree.root)
    for name in path:
        if isinstance(node, Sequence) and node.items:
            node = resolve(node.items[-1])
        entry = node.get(name) if isinstance(node, Mapping) else None
        node = resolve(entry.value) if entry is not None else None
    return node if isinstance(node, Mapping) else None
