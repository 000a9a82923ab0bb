"""Edits YAML by spans: each function returns the text edits, and other bytes stay as they are.

Invariants: nodes come from a parse of the `text` given with them. New lines copy the indent of
their neighbours and the line end of the file. A tuple is written as a flow list. The product's own
parser reads a written scalar back as the same text.
"""

from agent_lsp.patterns import regex
from agent_lsp.syntax import yaml
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, Style
from agent_lsp.syntax.text_edits import (
    Edits,
    append_flow,
    blanks_end,
    flow_removal,
    gap_end,
    insert,
    line_start,
    line_stop,
    lines,
    new_line,
    next_line,
)
from agent_lsp.text import Span, TextEdit

_CONTROL = regex(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
# Without quotes these are null, not text: YAML 1.2, section 10.3.2.
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


def quote(value: str, *, flow: bool = False) -> str:
    """`value` as the value of a key; with `flow`, as an item or a value between brackets."""
    plain = not _CONTROL.search(value) and value not in _NULLS and _is_plain(value, flow=flow)
    return value if plain else _in_quotes(value)


def quote_key(name: str) -> str:
    """`name` as a key, in a block or between braces."""
    block, flow = yaml.parse(f"{name}: x"), yaml.parse(f"{{{name}: x}}")
    plain = not _CONTROL.search(name) and all(
        tree.problem is None
        and tree.rest is None
        and isinstance(tree.root, Mapping)
        and [_text(entry.key) for entry in tree.root.entries] == [name]
        for tree in (block, flow)
    )
    return name if plain else _in_quotes(name)


def _is_plain(value: str, *, flow: bool) -> bool:
    tree = yaml.parse(f"k: [{value}]" if flow else f"k: {value}")
    if tree.problem is not None or tree.rest is not None or not isinstance(tree.root, Mapping):
        return False
    node = tree.root.entries[0].value
    if flow:
        node = node.items[0] if isinstance(node, Sequence) and len(node.items) == 1 else None
    return len(tree.root.entries) == 1 and _text(node) == value != ""


def _text(node: Node | None) -> str | None:
    plain = isinstance(node, Scalar) and node.style is Style.PLAIN and node.tag is None
    return node.value if isinstance(node, Scalar) and plain else None


def _in_quotes(value: str) -> str:
    if not _CONTROL.search(value) and ('"' in value or "\\" in value):
        return "'" + value.replace("'", "''") + "'"
    return '"' + "".join(map(_escaped, value)) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if "\ud800" <= character <= "\udfff":
        # A YAML text cannot contain a lone surrogate.
        return "\ufffd"
    # For these characters, Python's escapes are those of YAML.
    return ascii(character)[1:-1] if _CONTROL.match(character) else character


__all__ = [
    "Edits",
    "Value",
    "append_item",
    "insert_entry",
    "quote",
    "remove_entry",
    "remove_item",
    "rename_key",
    "replace_value",
]

Value = str | tuple[str, ...]

_DASHES = regex(r"[ \t]*(?:-[ \t]+)+")


def replace_value(text: str, entry: Entry, value: Value, *, flow: bool = False) -> Edits:
    """Replaces the value of `entry`; adds the colon if it is missing.

    `flow` means that the entry is between brackets.
    """
    written = _written(value, flow=flow)
    key, old = entry.key.span, entry.value.span if entry.value else entry.key.span
    colon = text.find(":", key.end, old.start) + 1
    if not colon:
        return insert(key.end, f": {written}")
    if not len(old):
        return (_fill(text, old.end, written),)
    stop = line_stop(text, colon)
    if old.start < stop:
        return (TextEdit(old, written),)
    # A value below its key moves up to it, before a comment that may be there.
    return (_fill(text, colon, written), TextEdit(Span(stop, old.end), ""))


def rename_key(entry: Entry, name: str) -> Edits:
    """Replaces the key of `entry`."""
    return (TextEdit(entry.key.span, quote_key(name)),)


def insert_entry(
    text: str, mapping: Mapping, name: str, value: Value, after: str | None = None
) -> Edits:
    """Adds `name` with `value` after the entry `after`, or at the top if that is None.

    If there is no entry `after`, the new entry becomes the last.
    """
    flow = mapping.flow
    written = f"{quote_key(name)}: {_written(value, flow=flow)}"
    if not mapping.entries:
        return insert(text.index("{", mapping.span.start) + 1, written)
    if after is None:
        at = mapping.entries[0].key.span.start
        return insert(at, written + (", " if flow else new_line(text, at)))
    anchor = mapping.get(after) or mapping.entries[-1]
    if flow:
        return insert(anchor.span.end, f", {written}")
    indented = new_line(text, anchor.key.span.start)
    return insert(line_stop(text, anchor.span.end), indented + written)


def remove_entry(text: str, entry: Entry) -> Edits:
    """Removes `entry`: its lines, or in flow style its text and a comma."""
    return (TextEdit(_removal(text, entry.span), ""),)


def append_item(text: str, target: Sequence | Entry, item: str) -> Edits:
    """Adds `item` to a list; a scalar value of an entry becomes a list with both.

    There is no edit if the value is an alias, a mapping or broken.
    """
    if isinstance(target, Sequence):
        if target.flow:
            return append_flow(text, target, quote(item, flow=True))
        return _append_block(text, target, item)
    match target.value:
        case Sequence() as sequence:
            return append_item(text, sequence, item)
        case None:
            return replace_value(text, target, (item,))
        case Scalar() as scalar:
            null = scalar.style is Style.PLAIN and scalar.value in _NULLS
            return replace_value(text, target, (item,) if null else (scalar.value, item))
        case _:
            return ()


def remove_item(text: str, sequence: Sequence, item: Node) -> Edits:
    """Removes `item` from its list: its lines, or in flow style its text and a comma.

    The last item of a block list leaves `[]`, because an empty value would mean something else.
    """
    if sequence.flow:
        return (TextEdit(_removal(text, item.span), ""),)
    if len(sequence.items) == 1:
        before = text[: sequence.span.start].rstrip()
        start = len(before) if before.endswith(":") else sequence.span.start
        return (TextEdit(Span(start, sequence.span.end), " []"),)
    dash = text.rfind("-", sequence.span.start, item.span.start)
    return (TextEdit(_removal(text, Span(max(dash, 0), item.span.end)), ""),)


def _append_block(text: str, sequence: Sequence, item: str) -> Edits:
    first, last = sequence.items[0], sequence.items[-1]
    dash = max(text.rfind("-", sequence.span.start, first.span.start), sequence.span.start)
    gap = text[dash + 1 : first.span.start]
    marker = "-" + (gap if gap and not gap.strip(" \t") else " ")
    indented = new_line(text, dash)
    return insert(line_stop(text, last.span.end), indented + marker + quote(item))


def _removal(text: str, span: Span) -> Span:
    """The span to remove so that nothing of the entry or item at `span` remains."""
    start = line_start(text, span.start)
    before, behind = text[start : span.start], gap_end(text, span.end)
    if text.startswith((",", "]", "}"), behind):
        return flow_removal(text, span, behind)
    if not before.strip(" \t"):
        return lines(text, start, span.end)
    below = next_line(text, span.end)
    sibling = below + len(before)
    aligned = text[below:sibling] == " " * len(before)
    if (
        _DASHES.fullmatch(before)
        and aligned
        and text[sibling : sibling + 1] not in (*" \t\r\n#", "")
    ):
        # The next entry moves up to the place after the dash.
        return Span(span.start, sibling)
    return span


def _written(value: Value, *, flow: bool) -> str:
    if isinstance(value, str):
        return quote(value, flow=flow)
    return "[" + ", ".join(quote(item, flow=True) for item in value) + "]"


def _fill(text: str, at: int, written: str) -> TextEdit:
    """Inserts a value after a colon or a dash, and replaces blanks at the end of the line."""
    end = blanks_end(text, at)
    return TextEdit(Span(at, end if end == line_stop(text, at) else at), f" {written}")
