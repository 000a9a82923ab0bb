"""Fixes for values that have the wrong type for their key, and for texts that need quotes.

Invariants: every type that the author may have meant is proposed, and verification decides. A text
in quotes or in a block reads character for character as the original.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator
from itertools import dropwhile

from agent_lsp.analysis.checks import coerce, header, unquoted_text
from agent_lsp.analysis.checks.fence_heuristics import too_late
from agent_lsp.analysis.checks.messages import code, unquoted
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.node_path import (
    in_quotes,
    key_for,
    line_end,
    node_path,
    placeholder,
    removed,
    whole_value,
)
from agent_lsp.data_classes import replace
from agent_lsp.model.check import Proposal
from agent_lsp.model.schema import Key, KeyRole, Severity, ValueKind
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Entry, Mapping, Node, NodePath, Scalar, Sequence, resolve
from agent_lsp.syntax.yaml import edit
from agent_lsp.syntax.yaml.edit import quote
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.snapshot import TemplateFile

_TAG = regex(r"!\S*[ \t]+(?=\S)")
_NUMBER = regex(r"[0-9]+(?:\.[0-9]+)?")
_FILLED = regex(r"^[ \t]*\S", re.MULTILINE)
_DASH = regex(r"(?<![^\s])-(?=\S)")


def reshaped(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Converts the value to the type that its key wants.

    If the runtime ignores the value and the agent works, the converted value would change what the
    agent does. Such a fix is not safe.
    """
    at = node_path(file, diagnostic.span)
    if at is None:
        return
    is_safe = diagnostic.severity is Severity.ERROR or file.dialect.is_toml
    if at.is_key and at.entry is not None:
        yield Proposal(f"Remove {code(at.entry.name or '')}", removed(file, at))
    elif at.entry is not None:
        key = key_for(file, at.entry)
        if key is not None:
            is_safe = is_safe or key.kind is ValueKind.LIST
            yield from _weighed(_value(file, at, at.entry, key), is_safe=is_safe)
    elif at.sequence is not None:
        yield from _weighed(_item(file, at), is_safe=is_safe)


def _weighed(proposals: Iterable[Proposal], *, is_safe: bool) -> Iterator[Proposal]:
    yield from (replace(one, safe=one.safe and is_safe) for one in proposals)


def _value(file: TemplateFile, at: NodePath[Node], entry: Entry, key: Key) -> Iterator[Proposal]:
    node, text = entry.node, file.document.text
    source = at.node.span.of(text).strip()
    tag = _TAG.match(source)
    if tag is not None:
        start = at.node.span.start
        edits = (TextEdit(Span(start, start + tag.end()), ""),)
        yield Proposal("Remove the tag", edits, safe=True)
    if key.kind in (ValueKind.BOOL, ValueKind.NUMBER):
        yield from _word(at, key, node)
    elif key.kind is ValueKind.LIST:
        yield from _list(file, at, entry, key)
    elif key.kind is ValueKind.RECORDS:
        yield from _records(file, at, entry, key)
    elif key.kind is ValueKind.TABLE and isinstance(node, Sequence) and not node.items:
        yield Proposal("Write `{}`", (TextEdit(at.node.span, "{}"),), safe=True)
    elif isinstance(node, Sequence):
        items = [word for item in node.items if (word := coerce.single(resolve(item)))]
        if key.in_text and items:
            yield _written(at, ", ".join(items))
            return
        yield from (_written(at, word, safe=len(items) == 1) for word in items)
    if key.kind is ValueKind.TEXT and "\n" not in source and not isinstance(node, Sequence):
        yield Proposal("Put it in quotes", (TextEdit(at.node.span, in_quotes(source)),), safe=True)


def _word(at: NodePath[Node], key: Key, node: Node | None) -> Iterator[Proposal]:
    """A boolean or a number, without what authors put around it."""
    said = unquoted(coerce.single(node)).strip()
    is_number = key.kind is ValueKind.NUMBER and _NUMBER.fullmatch(said)
    word = said if is_number else coerce.truth(said.lower()) if key.kind is ValueKind.BOOL else None
    if word is not None:
        yield Proposal(f"Write {code(word)}", (TextEdit(at.node.span, word),), safe=True)


def _list(file: TemplateFile, at: NodePath[Node], entry: Entry, key: Key) -> Iterator[Proposal]:
    """Makes a list from one text, from one name, or from the names in a mapping."""
    node, text = entry.node, file.document.text
    source = node.value if isinstance(node, Scalar) else ""
    names = coerce.names(source) if source else ()
    dashes = [*_DASH.finditer(text, at.node.span.start, at.node.span.end)]
    if names and len(dashes) == source.count("-", 0, 1) + source.count(" -"):
        edits = tuple(TextEdit(Span(dash.end(), dash.end()), " ") for dash in dashes)
        yield Proposal("Write a space after each dash", edits, safe=True)
    is_word = len(names) == 1 and coerce.is_amount(names[0])
    if names and not is_word:
        edits = edit.replace_value(text, entry, names, flow=at.flow)
        yield Proposal("Make it a list", edits, safe=True)
    if is_word:
        yield _no_list(text, at, entry, key)
    if isinstance(node, Mapping) and all(map(_has_settings, node.entries)):
        if not node.flow:
            yield Proposal("Make each an item of a list", tuple(_dashed(text, node)), safe=True)
    elif isinstance(node, Mapping):
        on = tuple(inner.name or "" for inner in node.entries if not coerce.is_off(inner.value))
        if on and all(map(coerce.names, on)):
            yield Proposal("Make it a list", edit.replace_value(text, entry, on, flow=at.flow))


def _no_list(text: str, at: NodePath[Node], entry: Entry, key: Key) -> Proposal:
    """Removes a number or a boolean in the place of a list, or replaces it by an empty list."""
    if key.role is KeyRole.ALLOW and coerce.is_off(entry.value):
        return Proposal("Write `[]`", (TextEdit(at.node.span, "[]"),), safe=True)
    return Proposal(f"Remove {code(key.name)}", edit.remove_entry(text, entry))


def _has_settings(entry: Entry) -> bool:
    return isinstance(entry.node, Mapping)


def _dashed(text: str, node: Mapping) -> Iterator[TextEdit]:
    """Edits that put a dash before each entry of a block, and indent its other lines."""
    starts = {entry.key.span.start for entry in node.entries}
    first = text.rfind("\n", 0, node.span.start) + 1
    column = node.span.start - first
    for line in _FILLED.finditer(text, first, node.span.end):
        at = line.start() + column
        yield TextEdit(Span(at, at), "- " if at in starts else "  ")


def _records(file: TemplateFile, at: NodePath[Node], entry: Entry, key: Key) -> Iterator[Proposal]:
    """Makes a list of mappings from the names in a text."""
    node = entry.node
    names = coerce.names(node.value) if isinstance(node, Scalar) else ()
    if names:
        records = ", ".join(_record(file, key, name) for name in names)
        yield Proposal("Make it a list", (TextEdit(at.node.span, f"[{records}]"),))


def _item(file: TemplateFile, at: NodePath[Node]) -> Iterator[Proposal]:
    """An item with the type of the others."""
    top, node, text = header.root(file), resolve(at.node), file.document.text
    owner = next((e for e in top.entries if e.value is at.sequence), None) if top else None
    key = file.dialect.key(owner.name or "") if owner is not None else None
    if key is None:
        return
    if key.kind is ValueKind.RECORDS:
        if isinstance(node, Scalar) and node.value:
            title = f"Make {code(node.value)} a mapping"
            yield Proposal(title, (TextEdit(at.node.span, _record(file, key, node.value)),))
        return
    name = coerce.single(node) if isinstance(node, Sequence) else coerce.tool(file, node)
    source = at.node.span.of(text)
    if name:
        yield _written(at, name)
    elif isinstance(node, Sequence) and node.flow and len(node.items) > 1:
        inner = source.strip()[1:-1].strip()
        if at.flow:
            yield Proposal("Remove the inner brackets", (TextEdit(at.node.span, inner),), safe=True)
    if isinstance(node, Scalar) and "\n" not in source and not name:
        yield Proposal("Put it in quotes", (TextEdit(at.node.span, in_quotes(source)),), safe=True)


def _record(file: TemplateFile, key: Key, name: str) -> str:
    """A flow mapping that calls its subject `name`, with all required keys."""
    first, *others = coerce.required(key)
    written = [f"{first.name}: {quote(name, flow=True)}"]
    written += (f"{inner.name}: {quote(placeholder(file, inner), flow=True)}" for inner in others)
    return f"{{{', '.join(written)}}}"


def _written(at: NodePath[Node], word: str, *, safe: bool = True) -> Proposal:
    edits = (TextEdit(at.node.span, quote(word, flow=at.flow)),)
    return Proposal(f"Write {code(word)}", edits, safe)


_INDENT = "  "
_TO_THE_AGENT = regex(r"You(?:\s|.re\s|r\s)|#{1,6}[ \t]")
_KEY = regex(r"[a-z][\w-]*:(?:\s|$)")


def quoted(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Puts a one-line text in quotes, and a longer one in a block."""
    text = next((text for text in unquoted_text.texts(file) if text.span == diagnostic.span), None)
    if text is None:
        return
    source = text.span.of(file.document.text)
    if not text.goes_on:
        key = file.dialect.key(text.key)
        whole = whole_value(file, text.span, prose=key is None or key.kind is ValueKind.TEXT)
        if whole is not None:
            title = "Put it in quotes" if whole == text.span else "Put all of it in quotes"
            quotes = in_quotes(whole.of(file.document.text))
            yield Proposal(title, (TextEdit(whole, quotes),), safe=True)
        return
    end = line_end(file.document.text)
    lines = [line.removesuffix("\r") for line in source.split("\n")]
    if text.indented:
        lines[1:] = textwrap.dedent("\n".join(lines[1:])).split("\n")
    block = end.join(["|", *(_INDENT + line if line.strip() else "" for line in lines)])
    title = "Write it as a block"
    prompt = None if text.indented else _prompt(file, text.span)
    if prompt is not None:
        title = f"{title}, with {code(prompt)} in it"
    # The last line may be a key of the author's own, which the block would absorb.
    is_safe = prompt is None and _KEY.match(lines[-1]) is None
    yield Proposal(title, (TextEdit(text.span, block),), safe=is_safe)


def _prompt(file: TemplateFile, span: Span) -> str | None:
    """The line of a text at which the prompt may begin, if no key follows the text."""
    text, end = file.document.text, file.document.frontmatter.inner.end
    if text[span.end : end].strip():
        return None
    late = too_late(file)
    if late is not None and late.start.start < span.end:
        return late.start.of(text).strip()
    rows = span.of(text).splitlines()
    below = dropwhile(str.strip, rows)
    apart = next((row for row in below if row.strip() and not row.startswith((" ", "<"))), None)
    spoken = next((row for row in rows[1:] if _TO_THE_AGENT.match(row)), None)
    return spoken or apart
