"""Reads one agent file as Gemini CLI does: fences, header, values, names and the prompt.

Invariants: an error is one fault, at its place, in the runtime's words; a file loads with all of
its agents or with none. A header that is a list defines several remote agents, and the values of a
reading are those of the one that is asked for.
Facts: Gemini CLI 0.61.0, measured 2026-11-28 (`tests/conformance`). The header begins on the first
line, which is exactly `---`, and ends at the next line that begins with `---`. Only if nothing
else stands on that line does the text below it count as the prompt.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from agent_lsp.dialects.gemini import js_yaml
from agent_lsp.dialects.gemini.facts import KEYS, REMOTE, REMOTE_KEYS
from agent_lsp.dialects.gemini.js_yaml import Fault, members, type_of
from agent_lsp.dialects.gemini.validation import Validated, validate
from agent_lsp.model.runtime import DefinedName, Scope
from agent_lsp.model.template import (
    Block,
    LoadError,
    LoadErrorKind,
    Reading,
    Template,
    Value,
)
from agent_lsp.patterns import regex
from agent_lsp.syntax import frontmatter, nodes
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind, Frontmatter
from agent_lsp.syntax.nodes import Entry, Scalar, Sequence, resolve
from agent_lsp.text import Span

_FENCE = "---"
_MARK = "\ufeff"
_OPENING = regex(r"---\r?\n")
_CLOSING = regex(r"\r?\n---")
# What JavaScript trims.
_BLANK = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
NO_HEADER = (
    "Invalid agent definition: Missing mandatory YAML frontmatter. Agent Markdown files MUST start "
    'with YAML frontmatter enclosed in triple-dashes "---" (e.g., ---\nname: my-agent\n---).'
)
_NO_YAML = "YAML frontmatter parsing failed: "
_NOTHING = Template({}, (), (Block(None, "", Span(0, 0)),))


def split(text: str, bom: bool) -> Frontmatter:
    """The header, the fences and the body of `text`; a byte-order mark hides the header."""
    mark = len(_MARK) if text.startswith(_MARK) else 0
    opened = _OPENING.match(text, mark)
    if opened is None:
        return Frontmatter(FenceKind.ABSENT, Span(0, 0), Span(0, 0), None, Span(0, len(text)))
    closed = _CLOSING.search(text, opened.end())
    if closed is None:
        # What the author means is found as in all systems.
        return frontmatter.split(text, lambda line: line == _FENCE, is_end=lambda _: False)
    opening = next(frontmatter.lines(text))
    close = next(frontmatter.lines(text, closed.end() - len(_FENCE)))
    fence = FenceKind.HIDDEN if bom or mark else FenceKind.CLOSED
    below = text.find("\n", close.start)
    body = Span(below + 1 if below >= 0 else len(text), len(text))
    inner = Span(opened.end(), max(opened.end(), closed.start()))
    return Frontmatter(fence, opening, inner, close, body)


def behind_fence(document: Document) -> Span | None:
    """What stands behind the closing `---` on its line, so that no text below counts; or None."""
    close = document.frontmatter.close
    if close is None or document.frontmatter.fence is not FenceKind.CLOSED:
        return None
    rest = Span(close.start + len(_FENCE), close.end)
    return rest if len(rest) else None


def name_of(file_name: str) -> str | None:
    """The stem of a file that the runtime looks at, else None."""
    stem = file_name.removesuffix(".md")
    return stem if stem != file_name and stem and not file_name.startswith("_") else None


def names_in(document: Document, _scope: Scope, path: Path) -> tuple[DefinedName, ...]:
    """The names in the header; a file without one is called by its own name."""
    top = resolve(document.tree.root)
    mappings = map(resolve, top.items) if isinstance(top, Sequence) else (top,)
    found = tuple(
        DefinedName(node.value, entry.value.span)
        for one in mappings
        if isinstance(one, nodes.Mapping)
        and (entry := members(one).get("name")) is not None
        and entry.value is not None
        and isinstance(node := resolve(entry.value), Scalar)
        and node.value
    )
    if found:
        return found
    is_list = isinstance(top, Sequence) and not top.items
    return () if is_list else (DefinedName(path.stem),)


def read(document: Document, name: str) -> Reading:
    """What the header says of the agent `name`, what counts of it, and why the file is refused."""
    written = Template(_settings(document, name), (), (_prompt(document),))
    errors = tuple(_errors(document))
    return Reading(written, _NOTHING if errors else written, errors)


def refusal(document: Document) -> str | None:
    """All that the runtime prints about a file that it refuses, without js-yaml's picture."""
    if document.frontmatter.fence is not FenceKind.CLOSED:
        return NO_HEADER
    broken = syntax_fault(document)
    if broken is not None:
        return _of_syntax(document, broken)
    return _validated(document).said or None


def kind_of(document: Document) -> str:
    """Whether the header is that of a local agent, or of remote ones."""
    return _validated(document).kind


def syntax_fault(document: Document) -> Fault | None:
    """Why js-yaml does not read the header, or None."""
    return js_yaml.fault(document.tree, document.text, document.frontmatter.inner)


# The names, the values and several checks of a text ask one after the other.
@lru_cache(maxsize=4)
def _validated(document: Document) -> Validated:
    header = document.frontmatter.inner
    root = document.tree.root
    if root is None and header.of(document.text).strip():
        # Nothing but comments is null, and nothing at all is no value.
        root = Scalar(header, "")
    return validate(root, header if len(header) else document.frontmatter.open)


def _errors(document: Document) -> Iterator[LoadError]:
    if document.frontmatter.fence is not FenceKind.CLOSED:
        yield LoadError(LoadErrorKind.UNSEEN, document.frontmatter.open, NO_HEADER)
        return
    broken = syntax_fault(document)
    if broken is not None:
        kind = LoadErrorKind.SYNTAX if broken.twice is None else LoadErrorKind.DUPLICATE
        yield LoadError(kind, broken.span, _of_syntax(document, broken))
        return
    for label, one in _validated(document).issues:
        yield LoadError(one.kind, one.span, f"{label}{one.line}", one.path, one.expected, one.got)


def _of_syntax(document: Document, broken: Fault) -> str:
    text, header = document.text, document.frontmatter.inner
    where = "" if broken.at is None else f" {js_yaml.position(text, header, broken.at)}"
    return f"{_NO_YAML}{broken.reason}{where}"


_LISTS = frozenset({"tools", "mcp_servers"})


def _settings(document: Document, name: str) -> Mapping[str, Value]:
    """The known keys of the agent `name` that are set, as far as they can be read."""
    mapping = _mapping(document, name)
    if mapping is None:
        return {}
    is_item = mapping is not resolve(document.tree.root)
    known = {key.name for key in (REMOTE_KEYS if is_item else KEYS)}
    found = ((one, _value(one, entry)) for one, entry in members(mapping).items() if one in known)
    return {one: value for one, value in found if value is not None}


def _mapping(document: Document, name: str) -> nodes.Mapping | None:
    """The mapping of the agent `name`: the header, or an item of it."""
    top = resolve(document.tree.root)
    if isinstance(top, nodes.Mapping):
        return top
    items = map(resolve, top.items) if isinstance(top, Sequence) else ()
    mappings = [item for item in items if isinstance(item, nodes.Mapping)]
    return next((one for one in mappings if _text_of(one, "name") == name), None)


def _text_of(mapping: nodes.Mapping, key: str) -> str:
    entry = members(mapping).get(key)
    node = resolve(entry.value) if entry is not None else None
    return node.value if isinstance(node, Scalar) else ""


def _value(name: str, entry: Entry) -> Value | None:
    node = resolve(entry.value)
    if node is None or entry.value is None or type_of(node) == "null":
        return None
    span, key = entry.value.span, entry.key.span
    if name == "tools" and isinstance(node, Sequence):
        items = ((item, resolve(item)) for item in node.items)
        found = (Value(one.value, at.span) for at, one in items if isinstance(one, Scalar))
        return Value(tuple(found), span, key)
    if name == "mcp_servers" and isinstance(node, nodes.Mapping):
        found = (Value(server, one.key.span) for server, one in members(node).items())
        return Value(tuple(found), span, key)
    if name in _LISTS or not isinstance(node, Scalar):
        return None
    return Value(node.value, span, key)


def _prompt(document: Document) -> Block:
    """The text below the header, trimmed; a remote agent has none, and a lost one is empty."""
    body = document.frontmatter.body
    if behind_fence(document) is not None or _is_remote(document):
        return Block(None, "", Span(body.start, body.start))
    text = body.of(document.text)
    trimmed = text.strip(_BLANK)
    start = body.start + (text.index(trimmed) if trimmed else 0)
    return Block(None, trimmed, Span(start, start + len(trimmed)))


def _is_remote(document: Document) -> bool:
    return document.frontmatter.fence is FenceKind.CLOSED and kind_of(document) == REMOTE
