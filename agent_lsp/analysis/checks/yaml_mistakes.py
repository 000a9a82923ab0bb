"""Explains why parts of a header are not YAML: values, and what is in front of the first keys."""

import re
from collections.abc import Mapping as Map

from agent_lsp.analysis.checks import coerce
from agent_lsp.analysis.checks.messages import code, unquoted
from agent_lsp.data_classes import dataclass
from agent_lsp.model.schema import Key, KeyRole, ValueKind
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Mapping, Node, Problem, Scalar, Sequence, Style, Tree
from agent_lsp.text import Span

# libyaml ends a line at all of these, but editors and the runtime only at the first two.
LINE_ENDS = "\n\r\x85\u2028\u2029"
# The mark of a block at the end of a line, whose text stands below.
BLOCK_MARK = regex(r":[ \t]+[|>][-+\d]{0,2}[ \t]*$")

_KEY = regex(r"(?:-[ \t]+)*[\"']?([\w-]+)[\"']?[ \t]*:[ \t]+")


@dataclass(frozen=True, slots=True)
class YamlMistake:
    """A mistake in YAML with its span and its fix."""

    span: Span
    thing: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class BrokenPiece:
    """A problem with its text, the span of the header, and the keys that may stand there."""

    text: str
    header: Span
    problem: Problem
    keys: Map[str, Key]

    @property
    def at(self) -> int:
        """The offset where the parser stopped."""
        return self.problem.span.start

    @property
    def since(self) -> int:
        """The offset where the construct that it was reading began."""
        return (self.problem.context_span or self.problem.span).start

    def row(self, offset: int) -> Span:
        """The line of `offset`, as the parser counts lines, without surrounding blanks."""
        start = end = min(max(offset, self.header.start), self.header.end)
        while start > self.header.start and self.text[start - 1] not in LINE_ENDS:
            start -= 1
        while end < self.header.end and self.text[end] not in LINE_ENDS:
            end += 1
        return self.bare(Span(start, end))

    def rest(self, start: int) -> Span:
        """The text from `start` to the end of its line."""
        return self.bare(Span(start, max(self.row(start).end, start + 1)))

    def above(self, row: Span) -> Span | None:
        """The line above `row` that is not blank."""
        before = self.text[self.header.start : row.start].rstrip(" \t\r\n")
        return self.row(self.header.start + len(before)) if before else None

    def item(self, start: int) -> Span:
        """The text of the list item or value that starts at `start`, without a comment."""
        row = self.rest(start)
        line = self.text[self.row(start).start : start]
        if line.count("[") > line.count("]"):
            end = re.search(r"[\],]", row.of(self.text))
            row = Span(row.start, row.start + end.start()) if end and end.start() else row
        comment = re.search(r"[ \t]#", row.of(self.text))
        return self.bare(Span(row.start, row.start + comment.start()) if comment else row)

    def owner(self, start: int) -> Key | None:
        """The key of the dialect whose value begins at `start`, on the same line as the key."""
        before = self.text[self.row(start).start : start]
        found = _KEY.fullmatch(before)
        return self.keys.get(found[1]) if found else None

    def bare(self, span: Span) -> Span:
        """`span` without surrounding blanks."""
        piece = span.of(self.text)
        start = span.start + len(piece) - len(piece.lstrip(" \t"))
        return Span(start, max(start, span.start + len(piece.rstrip(" \t\r\n"))))


_OF_LISTS = (ValueKind.LIST, ValueKind.RECORDS)


def colon_inside(piece: BrokenPiece) -> YamlMistake | None:
    """Explains a text with `: ` in it after a key; None if the line itself is misplaced."""
    row = piece.row(piece.at)
    first = re.match(r"(?:-[ \t]+)*([^\s:][^:\n]*?)[ \t]*:[ \t]+", row.of(piece.text))
    if first is None or row.start + first.end() > piece.at:
        return None
    span = piece.item(row.start + first.end())
    source = span.of(piece.text)
    thing = f"unquoted `: ` in the value of {code(first[1])}"
    is_quoted = unquoted(source) != source and source[0] not in "\"'"
    if is_quoted:
        return YamlMistake(span, thing, "put it in straight quotes")
    return YamlMistake(span, thing, _quoted(piece, span, "the value"))


def forbidden_start(piece: BrokenPiece) -> YamlMistake | None:
    """Explains a character at the start of a value that YAML reserves."""
    character = piece.text[piece.at : piece.at + 1]
    row = piece.row(piece.at)
    if piece.text.startswith("...", row.start):
        return YamlMistake(row, "`...` ends the YAML of the header", "remove it")
    if character == "," and piece.text[row.start : piece.at].rstrip().endswith((",", "[", "{")):
        return YamlMistake(
            Span(piece.at, piece.at + 1), "there is no item before this `,`", "remove it"
        )
    if not character.strip():
        return None
    if character == "-":
        return item_in_line(piece)
    span = piece.item(piece.at)
    thing = f"unquoted text may not start with {code(character)}"
    return YamlMistake(span, thing, _quoted(piece, span))


def alias(piece: BrokenPiece) -> YamlMistake:
    """Explains a `*` without a name."""
    span = piece.item(piece.since)
    return YamlMistake(span, "an unquoted `*` starts an alias", _quoted(piece, span))


def unknown_alias(piece: BrokenPiece) -> YamlMistake:
    """Explains a `*` with a name that no anchor has."""
    span = piece.problem.span
    thing = f"unquoted, {code(span.of(piece.text))} is an alias, and no anchor has that name"
    return YamlMistake(span, thing, _quoted(piece, span))


def anchor(piece: BrokenPiece) -> YamlMistake:
    """Explains an `&` without a name."""
    span = piece.item(piece.since)
    return YamlMistake(span, "an unquoted `&` starts an anchor", _quoted(piece, span))


def tag(piece: BrokenPiece) -> YamlMistake:
    """Explains a `!` without a tag."""
    span = piece.item(piece.since)
    return YamlMistake(span, "an unquoted `!` starts a tag", _quoted(piece, span))


def question(piece: BrokenPiece) -> YamlMistake:
    """Explains a `?` at the start of a value, which YAML would read as that of a key."""
    span = piece.item(piece.at)
    return YamlMistake(span, "a value may not start with `? `", _quoted(piece, span))


def item_in_line(piece: BrokenPiece) -> YamlMistake:
    """Explains a dash after a key or in brackets."""
    span, thing = piece.rest(piece.at), "a value may not start with `- `"
    before = piece.text[piece.row(piece.at).start : piece.at]
    if before.count("[") > before.count("]"):
        return YamlMistake(span, "an item in brackets has no `-` before it", "remove the `-`")
    key = piece.owner(piece.at)
    if key is None:
        return YamlMistake(span, thing, "put the items on their own lines, or quote it")
    if key.kind is ValueKind.RECORDS:
        return YamlMistake(span, thing, "put the items on their own lines")
    return YamlMistake(span, thing, _quoted(piece, span))


def block_header(piece: BrokenPiece) -> YamlMistake:
    """Explains text on the line of `|` or `>`."""
    sign = piece.text[piece.since : piece.since + 1]
    thing = f"text follows {code(sign)} on its line"
    key = piece.owner(piece.since)
    if key is not None and key.kind is not ValueKind.TEXT:
        text = piece.text[piece.since + 1 : piece.item(piece.since).end]
        return YamlMistake(piece.rest(piece.since), thing, coerce.of_text(key, text))
    return YamlMistake(
        piece.rest(piece.since), thing, "put the text on the next lines, or in quotes"
    )


def open_quote(piece: BrokenPiece) -> YamlMistake:
    """Explains a text that begins with a quote and ends without one."""
    quote = piece.text[piece.since : piece.since + 1]
    thing = "a quote is opened here and never closed"
    span, key = piece.rest(piece.since), piece.owner(piece.since)
    if key is not None and key.kind is not ValueKind.TEXT:
        return YamlMistake(span, thing, coerce.of_text(key, span.of(piece.text)))
    return YamlMistake(span, thing, f"close it with `{quote}`")


# How many hexadecimal digits an escape has.
_DIGITS = {"\\x": 2, "\\u": 4, "\\U": 8}


def escape(piece: BrokenPiece) -> YamlMistake:
    """Explains a backslash in double quotes."""
    fix = "use single quotes, or write `\\\\`"
    # If the digits of an escape are wrong, the parser points to where they begin.
    written = piece.text[max(piece.at - len("\\x"), 0) : piece.at]
    if (count := _DIGITS.get(written)) and not piece.text.startswith("\\", piece.at):
        span = Span(piece.at - len(written), min(piece.at + count, piece.header.end))
        if re.fullmatch("[0-9A-Fa-f]+", span.of(piece.text)[len(written) :]):
            return YamlMistake(span, f"{code(span.of(piece.text))} is not a character", fix)
        thing = f"{code(written)} is not followed by {count} hexadecimal digits"
        return YamlMistake(Span(span.start, piece.at), thing, fix)
    span = Span(piece.at, min(piece.at + 2, piece.header.end))
    thing = f"{code(span.of(piece.text))} is not an escape in double quotes"
    if thing.startswith("`\\/`"):
        return YamlMistake(span, thing, "write `/`")
    return YamlMistake(span, thing, fix)


def brackets(piece: BrokenPiece) -> YamlMistake:
    """Explains a list or a mapping that is not closed, or an item that is not valid."""
    opener = piece.text[piece.since : piece.since + 1]
    closer = {"[": "]", "{": "}"}.get(opener)
    rest = piece.rest(piece.since)
    key = piece.owner(piece.since)
    if closer is not None and closer not in rest.of(piece.text):
        is_text = key is not None and key.kind in (ValueKind.TEXT, ValueKind.CHOICE)
        quotes = coerce.in_quotes(rest.of(piece.text), "the value")
        is_policy = key is not None and key.role in (KeyRole.ALLOW, KeyRole.DENY)
        if is_text and is_policy:
            # In quotes the sign would be a part of the first name.
            fix = "remove it: the value is a string with commas between the names"
        else:
            fix = quotes if is_text else f"close it with `{closer}`"
        return YamlMistake(rest, f"{code(opener)} is never closed", fix)
    before = piece.text[piece.row(piece.at).start : piece.at]
    start = piece.at - len(re.split(r"[\[{,]", before)[-1].lstrip())
    span = piece.item(start)
    return YamlMistake(span, f"{code(span.of(piece.text))} is not an item", _quoted(piece, span))


def after_value(piece: BrokenPiece, row: Span, before: str) -> YamlMistake:
    """Explains text after the end of a value: an apostrophe, inner quotes, text after `]`."""
    value = re.search(r"(?:^|:[ \t]+|-[ \t]+)(?=['\"\[{*&!])", before)
    start = row.start + (value.end() if value else 0)
    span, follows = Span(start, row.end), piece.rest(piece.at).of(piece.text)
    last = piece.text[start : piece.at].split()[-1] if before[-1] not in "'\"]}" else before[-1]
    thing = f"the value ends at {code(last)}, and {code(follows)} follows"
    if follows in ("]", "}"):
        return YamlMistake(span, thing, "remove it")
    key = piece.owner(start)
    if key is not None and key.kind in _OF_LISTS and before[-1] in "]}":
        return YamlMistake(span, thing, "put all items inside the brackets")
    if key is not None and key.kind is not ValueKind.TEXT:
        return YamlMistake(span, thing, coerce.of_text(key, piece.item(start).of(piece.text)))
    if follows.startswith(",") and key is None and before.lstrip().startswith("- "):
        return YamlMistake(span, thing, "put the items on their own lines")
    if before[-1] in _QUOTING and before[-1] in follows:
        return YamlMistake(span, thing, _QUOTING[before[-1]])
    source = piece.item(start).of(piece.text)
    return YamlMistake(span, thing, coerce.in_quotes(source, "the whole value"))


_QUOTING = {
    "'": "write `''` for an apostrophe, or quote the value with `\"`",
    '"': "write `\\\"` for a quote inside, or quote the value with `'`",
}


def _quoted(piece: BrokenPiece, span: Span, what: str = "the text") -> str:
    """Explains how to quote `span`, called `what`, as its key requires."""
    source, key = span.of(piece.text), piece.owner(span.start)
    if key is not None and key.kind is not ValueKind.TEXT:
        return coerce.of_text(key, source)
    if re.fullmatch(r"[\w*?.-]+", source):
        return f'write `"{source}"`'
    return coerce.in_quotes(source, what)


# The first line if it opens a bracket or a quote, and the next line if it is a key.
_OPENED = regex(
    r"(?:[ \t]*(?:#[^\n]*)?\n)*"
    r"(?P<line>(?P<sign>[\[{\"'])[ \t]*[\w-]+:(?:[ \t][^\n]*)?)"
    r"(?:\n(?:[ \t]*(?:#[^\n]*)?\n)*(?:[\w-]+:(?:\s|\Z)|\Z)|\Z)"
)
_CLOSERS = {"[": "]", "{": "}"}


def opened(text: str, header: Span) -> YamlMistake | None:
    """Explains a bracket or a quote before the first key that is not closed on its line."""
    found = _OPENED.match(header.of(text))
    if found is None:
        return None
    line, sign = found["line"].rstrip(), found["sign"]
    closer = _CLOSERS.get(sign)
    is_open = line.count(sign) == 1 if closer is None else line.count(sign) > line.count(closer)
    if not is_open or line.endswith(","):
        return None
    start = header.start + found.start("line")
    thing = f"{code(sign)} is before the first key and is never closed"
    return YamlMistake(Span(start, start + len(line)), thing, "remove it")


def alone(text: str, tree: Tree) -> YamlMistake | None:
    """Explains a header that is a list, a text, or a mapping in braces before more text."""
    root = tree.top
    if root is None or (isinstance(root, Mapping) and not root.flow) or not len(root.span):
        return None
    if tree.rest is None and isinstance(root, Mapping):
        return None
    source = root.span.of(text)
    span = Span(root.span.start, root.span.start + len(source.rstrip()))
    if tree.rest is not None and "\n" not in source:
        thing = f"YAML reads {code(source)} as the whole header, and more follows"
        return YamlMistake(span, thing, _unwrapped(root))
    what = "text" if isinstance(root, Scalar) else "a list"
    return YamlMistake(span, f"the header must be a mapping, not {what}", _as_mapping(root))


def _unwrapped(root: Node) -> str:
    if isinstance(root, Scalar):
        return "remove the quotes" if root.style is not Style.PLAIN else "write lines `key: value`"
    return "remove the braces" if isinstance(root, Mapping) else "remove the brackets"


def _as_mapping(root: Node) -> str:
    if isinstance(root, Sequence) and not root.flow:
        return "remove each `- ` before a key"
    return "write lines `key: value`"
