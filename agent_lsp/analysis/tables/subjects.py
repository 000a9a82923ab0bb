"""The tables of a file by their paths, and the template that each belongs to."""

from dataclasses import replace

from agent_lsp.dialects.answers import DefinedName
from agent_lsp.dialects.vocabulary import Key
from agent_lsp.syntax.nodes import Mapping, Sequence, resolve
from agent_lsp.workspace.index import TemplateFile


def keys_at(file: TemplateFile, path: tuple[str, ...]) -> tuple[Key, ...]:
    """The keys of the table at `path`; none where it is none of the dialect's."""
    return file.dialect.keys_at(file.document, path) if file.dialect.keys_at is not None else ()


def names_at(file: TemplateFile, path: tuple[str, ...]) -> tuple[str, ...]:
    """The templates of the file whose tables stand in the one at `path`."""
    if template(file, path) is not None:
        return ()
    names = (one.name for one in file.names if one.name)
    return tuple(name for name in names if template(file, (*path, name)) == name)


def template(file: TemplateFile, path: tuple[str, ...]) -> str | None:
    """The template to which the table at `path` belongs, or None."""
    return file.dialect.template_at(path) if file.dialect.template_at is not None else None


def within(file: TemplateFile, path: tuple[str, ...]) -> TemplateFile:
    """The file as the template to which the table at `path` belongs, if it belongs to one."""
    name = template(file, path)
    named = tuple(one for one in file.names if one.name == name)
    return of_names(file, named) if named else file


def of_names(file: TemplateFile, named: tuple[DefinedName, ...]) -> TemplateFile:
    """The file as the template with one of the names of it."""
    return replace(file, names=named, reading=file.dialect.read(file.document, named[0].name))


def table_at(file: TemplateFile, path: tuple[str, ...]) -> Mapping | None:
    """The table at `path`, or None."""
    node = resolve(file.document.tree.root)
    for name in path:
        if isinstance(node, Sequence) and node.items:
            node = resolve(node.items[-1])
        entry = node.get(name) if isinstance(node, Mapping) else None
        node = resolve(entry.value) if entry is not None else None
    return node if isinstance(node, Mapping) else None
