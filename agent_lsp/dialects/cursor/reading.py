"""Reads one agent file: header, name and prompt, as far as the documents tell.

Invariant: no file is refused, because no document says which one is. A header that is no YAML is
read as far as it can be, and is a possible error.
Facts: cursor.com/docs/subagents, read 2026-11-28. How a header is cut and read is not documented.
"""

from collections.abc import Mapping
from pathlib import Path

from agent_lsp.data_classes import replace
from agent_lsp.dialects.cursor.facts import KEYS, REFUSED
from agent_lsp.model.runtime import DefinedName, Scope
from agent_lsp.model.schema import Key, ValueKind
from agent_lsp.model.template import Block, LoadError, LoadErrorKind, Reading, Template, Value
from agent_lsp.syntax import frontmatter, nodes
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind, Frontmatter
from agent_lsp.syntax.nodes import Entry, Scalar, Style, resolve
from agent_lsp.text import Span

# Files that people put beside agents, and in which no agent is.
_NOTES = frozenset({"readme", "changelog", "contributing", "license", "agents", "index"})
_TRUTH = {"true": True, "false": False}
_NULLS = ("", "~", "null")


def split(text: str, _bom: bool) -> Frontmatter:
    """The header, the fences and the body; a byte-order mark is not known to hide the header."""
    found = frontmatter.split(text, lambda line: line.rstrip() == "---")
    return replace(found, fence=FenceKind.CLOSED) if found.fence is FenceKind.HIDDEN else found


def name_of(file_name: str) -> str | None:
    """The file name without its extension, which is the name where the header has none."""
    stem = file_name.removesuffix(".md")
    return stem if stem and stem != file_name else None


def names_in(document: Document, _scope: Scope, path: Path) -> tuple[DefinedName, ...]:
    """The name in the header, or else that of the file; none in a note without a header."""
    if is_bare(document) and (is_note_by_name(path) or not document.text.strip("\ufeff \t\r\n")):
        return ()
    entry = _entries(document).get("name")
    node = entry.node if entry is not None else None
    if entry is not None and isinstance(node, Scalar) and node.value.strip() not in _NULLS:
        return (DefinedName(node.value.strip(), node.span),)
    stem = name_of(path.name)
    return (DefinedName(stem),) if stem is not None else ()


def is_bare(document: Document) -> bool:
    """Whether a file has no header; whether Cursor makes an agent of it is not documented."""
    return document.frontmatter.fence is FenceKind.ABSENT


def is_note_by_name(path: Path) -> bool:
    """Whether a file has a name that is usual for documentation."""
    return path.stem.lower() in _NOTES


def is_note(document: Document, scope: Scope) -> bool:
    """Whether a file is no agent: one without a header, unless it is in Cursor's own folder."""
    return is_bare(document) and scope.is_borrowed


def read(document: Document, _name: str) -> Reading:
    """What the header says; nothing is known to be refused."""
    settings = {}
    for key in KEYS:
        entry = _entries(document).get(key.name)
        value = _value(key, entry) if entry is not None else None
        if value is not None:
            settings[key.name] = value
    template = Template(settings, (), (_prompt(document),))
    problem = document.tree.problem
    if problem is None or document.frontmatter.fence is not FenceKind.CLOSED:
        return Reading(template, template)
    broken = LoadError(LoadErrorKind.SYNTAX, document.frontmatter.inner, REFUSED)
    return Reading(template, template, possible_errors=(broken,))


def _entries(document: Document) -> Mapping[str, Entry]:
    """The entries of a header that ends, by their names; the first one of a name counts here."""
    top = resolve(document.tree.root)
    if not isinstance(top, nodes.Mapping) or document.frontmatter.fence is not FenceKind.CLOSED:
        return {}
    return {one.name: one for one in reversed(top.entries) if one.name is not None}


def _value(key: Key, entry: Entry) -> Value | None:
    node = entry.node
    if not isinstance(node, Scalar):
        return None
    if key.kind is ValueKind.BOOL:
        truth = _TRUTH.get(node.value) if node.style is Style.PLAIN else None
        return Value(truth, node.span, entry.key.span) if truth is not None else None
    is_null = node.style is Style.PLAIN and node.value in _NULLS
    return None if is_null else Value(node.value, node.span, entry.key.span)


def _prompt(document: Document) -> Block:
    """The text below the header; whether Cursor trims it is not documented."""
    body = document.frontmatter.body
    text = body.of(document.text)
    trimmed = text.strip()
    start = body.start + (text.index(trimmed) if trimmed else 0)
    return Block(None, trimmed, Span(start, start + len(trimmed)))
