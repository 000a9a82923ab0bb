"""Reads one droid: header, tools and prompt.

Facts: docs.factory.ai/cli/configuration/custom-droids as of 2026-01-13, read 2026-11-28. A category
of tools is read as its tools.
"""

from collections.abc import Iterator
from pathlib import Path

from agent_lsp.dialects.factory.facts import (
    ALLOW,
    CATEGORIES,
    KEYS,
    MCP,
    NO_NAME,
    NO_PROMPT,
    TOOLS,
)
from agent_lsp.model.runtime import DefinedName, Scope, Toolset, Verdict
from agent_lsp.model.template import Block, LoadError, LoadErrorKind, Reading, Template, Value
from agent_lsp.patterns import regex
from agent_lsp.syntax import frontmatter
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind, Frontmatter
from agent_lsp.syntax.nodes import Entry, Mapping, Scalar, Sequence, resolve
from agent_lsp.text import Span

NAME = regex(r"[a-z0-9_-]+")
_NOTHING = Template({}, (), (Block(None, "", Span(0, 0)),))


def split(text: str, bom: bool) -> Frontmatter:
    """The header between two lines `---`, and the body."""
    return frontmatter.split(text, lambda line: line.rstrip() == "---", bom=bom)


def name_of(file_name: str) -> str | None:
    """The file name without its extension."""
    stem = file_name.removesuffix(".md")
    return stem if stem and stem != file_name else None


def names_in(document: Document, _scope: Scope, path: Path) -> tuple[DefinedName, ...]:
    """The name in the header, or that of the file where there is none."""
    found = _settings(document).get("name")
    if found is not None and found.text:
        return (DefinedName(found.text, found.span),)
    stem = name_of(path.name)
    return (DefinedName(stem),) if stem is not None else ()


def read(document: Document, _name: str) -> Reading:
    """What the header says; a file without a header, a valid name or a prompt does not load."""
    written = Template(_settings(document), (), (_prompt(document),))
    errors = tuple(_errors(document, written))
    return Reading(written, _NOTHING if errors else written, errors)


def _errors(document: Document, written: Template) -> Iterator[LoadError]:
    header = document.frontmatter
    if header.fence is not FenceKind.CLOSED:
        yield LoadError(LoadErrorKind.UNSEEN, header.open, "there is no header")
        return
    if document.tree.problem is not None:
        yield LoadError(LoadErrorKind.SYNTAX, header.inner, "the header is not YAML")
        return
    name = written.settings.get("name")
    if name is None or not NAME.fullmatch(name.text):
        where = name.span if name is not None else header.open
        yield LoadError(LoadErrorKind.CONTENT, where, NO_NAME, "name")
    if not written.default.text:
        yield LoadError(LoadErrorKind.NO_PROMPT, header.close or header.open, NO_PROMPT)


def _settings(document: Document) -> dict[str, Value]:
    top = resolve(document.tree.root)
    if not isinstance(top, Mapping):
        return {}
    known = {key.name for key in KEYS}
    found = {}
    for entry in reversed(top.entries):
        value = _value(entry) if entry.name in known else None
        if entry.name is not None and value is not None:
            found[entry.name] = value
    return found


def _value(entry: Entry) -> Value | None:
    node = entry.node
    if isinstance(node, Sequence) and entry.name == ALLOW:
        items = ((item, resolve(item)) for item in node.items)
        listed = (Value(one.value, at.span) for at, one in items if isinstance(one, Scalar))
        return Value(tuple(listed), node.span, entry.key.span)
    if not isinstance(node, Scalar) or node.value in ("", "~", "null"):
        return None
    if entry.name != ALLOW:
        return Value(node.value, node.span, entry.key.span)
    if node.value not in CATEGORIES:
        return Value((Value(node.value, node.span),), node.span, entry.key.span)
    held = tuple(tool.name for tool in TOOLS if tool.group == node.value) or (MCP,)
    return Value(tuple(Value(one, node.span) for one in held), node.span, entry.key.span)


def _prompt(document: Document) -> Block:
    body = document.frontmatter.body
    text = body.of(document.text)
    trimmed = text.strip()
    start = body.start + (text.index(trimmed) if trimmed else 0)
    return Block(None, trimmed, Span(start, start + len(trimmed)))


def toolset(reading: Reading, tools: tuple[str, ...], _depth: int) -> Toolset:
    """The verdict on each of `tools`: those in the list, or all without one."""
    allowed = reading.effective.settings.get(ALLOW)
    if allowed is None:
        return Toolset(tuple(Verdict(one, True, "no `tools`") for one in tools), False, ("*",))
    listed = {item.text: item.span for item in allowed.items}
    verdicts = (
        Verdict(one, one in listed, "in `tools`" if one in listed else "not in `tools`")
        for one in tools
    )
    return Toolset(tuple(verdicts), True, tuple(one for one in listed if one == MCP))
