"""Explains why a header is not YAML, in the words of the mistake instead of the parser's.

Invariant: of several broken pieces the first one is explained, at the place that has to be
changed, which is often not where the parser gave up.
"""

import re
from collections.abc import Callable

from agent_lsp.analysis.rules.piece import LINE_ENDS, Mistake, Piece
from agent_lsp.analysis.rules.wording import code, unquoted
from agent_lsp.syntax.nodes import Tree
from agent_lsp.text import Span

_QUOTE = "put the text in quotes"


def explain(text: str, header: Span, tree: Tree) -> Mistake:
    """The mistake that keeps `tree`, the header of `text`, from loading."""
    problem = next(iter(tree.damage), tree.problem)
    if problem is None:
        return _second_document(text, header, tree.rest or header)
    piece = Piece(text, header, problem)
    words = f"{problem.message} {problem.context or ''}"
    explained = (explanation(piece) for pattern, explanation in _MISTAKES if pattern in words)
    return next((mistake for mistake in explained if mistake), None) or _unexplained(piece)


def _second_document(text: str, header: Span, rest: Span) -> Mistake:
    """What follows the first document: after `...` or `---`, or less indented than its start."""
    before = text[header.start : rest.start].rstrip()
    line = before[before.rfind("\n") + 1 :]
    start = header.start + len(before) - len(line)
    if not line.startswith("..."):
        line = rest.of(text).partition("\n")[0].rstrip()
        start = rest.start
    span = Span(start, start + len(line))
    if not line.startswith(("...", "---")):
        fix = "give all keys the same indentation"
        return Mistake(span, f"{code(line)} is indented less than the first key", fix)
    return Mistake(span, f"{code(line)} ends the YAML of the header, and more follows", "remove it")


def _no_document(piece: Piece) -> Mistake:
    """A directive, after which the parser waits for `---`."""
    return Mistake(piece.row(piece.header.start), "a line may not start with `%`", "remove it")


def _colon(piece: Piece) -> Mistake:
    row = piece.row(piece.at)
    first = re.match(r"(?:-[ \t]+)*([^\s:][^:\n]*?)[ \t]*:[ \t]+", row.of(piece.text))
    if first is not None and row.start + first.end() <= piece.at:
        span = _uncommented(piece, Span(row.start + first.end(), row.end))
        thing = f"unquoted `: ` in the value of {code(first[1])}"
        is_quoted = unquoted(span.of(piece.text)) != span.of(piece.text)
        fix = "put it in straight quotes" if is_quoted else "put the value in quotes"
        return Mistake(span, thing, fix)
    key = piece.text[row.start : piece.at]
    thing = f"{code(key)} is indented deeper than the line above, which already has a value"
    return Mistake(row, thing, "indent it like the keys that it belongs to")


def _no_colon(piece: Piece) -> Mistake:
    row = piece.row(piece.since)
    line = row.of(piece.text)
    broken = piece.text[row.start - 1 : row.start]
    if broken and broken in LINE_ENDS[2:]:
        thing = f"U+{ord(broken):04X} ends a line in YAML"
        return Mistake(Span(row.start - 1, row.end), thing, "replace it with a blank")
    if re.match(r"-[^\s-]", line):
        return _glued_dash(row, line)
    glued = re.match(r"([\w-]+):(?=[^ \t])", line)
    if glued:
        follows = line[glued.end() :][:1]
        odd = f"U+{ord(follows):04X} instead of a" if follows.isspace() else "no"
        thing = f"{odd} blank after the colon of {code(glued[1])}"
        return Mistake(row, thing, f"write `{glued[0]} …`")
    if re.fullmatch(r"[\w-]+", line):
        return Mistake(row, f"{code(line)} has no colon", f"write `{line}: …`")
    fix = "indent it if it belongs to the line above, else quote or remove it"
    return Mistake(row, f"{code(line)} is no `key: value`", fix)


def _forbidden_start(piece: Piece) -> Mistake | None:
    character = piece.text[piece.at : piece.at + 1]
    row = piece.row(piece.at)
    if character == "\t":
        return _tab(piece)
    if piece.text.startswith("...", row.start):
        return Mistake(row, "`...` ends the YAML of the header", "remove it")
    if character == "," and piece.text[row.start : piece.at].rstrip().endswith((",", "[", "{")):
        return Mistake(Span(piece.at, piece.at + 1), "no item stands before this `,`", "remove it")
    if not character.strip():
        return None
    thing = f"unquoted text may not start with {code(character)}"
    return Mistake(piece.rest(piece.at), thing, "put it in quotes")


def _tab(piece: Piece) -> Mistake:
    end = piece.at
    while piece.text[end : end + 1] == "\t":
        end += 1
    return Mistake(Span(piece.at, end), "a tab where YAML takes only blanks", "use blanks")


def _alias(piece: Piece) -> Mistake:
    span = _item(piece, piece.since)
    pattern = span.of(piece.text)
    fix = f'write `"{pattern}"`' if re.fullmatch(r"[\w*?.:-]+", pattern) else _QUOTE
    return Mistake(span, "an unquoted `*` starts an alias", fix)


def _anchor(piece: Piece) -> Mistake:
    return Mistake(_item(piece, piece.since), "an unquoted `&` starts an anchor", _QUOTE)


def _unknown_alias(piece: Piece) -> Mistake:
    name = piece.problem.span.of(piece.text)
    thing = f"unquoted, {code(name)} is an alias, and no anchor has that name"
    return Mistake(piece.problem.span, thing, f'write `"{name}"`')


def _open_quote(piece: Piece) -> Mistake:
    quote = piece.text[piece.since : piece.since + 1]
    thing = "a quote is opened here and never closed"
    return Mistake(piece.rest(piece.since), thing, f"close it with `{quote}`")


def _flow(piece: Piece) -> Mistake:
    opener = piece.text[piece.since : piece.since + 1]
    closer = {"[": "]", "{": "}"}.get(opener)
    rest = piece.rest(piece.since)
    if closer is None or closer in rest.of(piece.text):
        return Mistake(piece.rest(piece.at), "this is no item of the list around it", _QUOTE)
    return Mistake(rest, f"{code(opener)} is never closed", f"close it with `{closer}`")


def _no_key(piece: Piece) -> Mistake:
    row = piece.row(piece.at)
    before = piece.text[row.start : piece.at].rstrip()
    if before:
        return _after_value(piece, row, before)
    if re.match(r"-(?:\s|$)", row.of(piece.text)):
        fix = "give all items of a list the same indentation"
        return Mistake(row, f"{code(row.of(piece.text))} belongs to no list", fix)
    if piece.text[row.start] == ":":
        thing = "there is no key in front of this colon"
        return Mistake(row, thing, "write one, or remove the line")
    thing = f"{code(row.of(piece.text))} is not in line with any key above"
    return Mistake(row, thing, "give it the indentation of the keys that it belongs to")


def _after_value(piece: Piece, row: Span, before: str) -> Mistake:
    """Something follows a value that is closed: an apostrophe, inner quotes, text after `]`."""
    value = re.search(r"(?:^|:[ \t]+|-[ \t]+)(?=['\"\[{])", before)
    span = Span(row.start + (value.end() if value else 0), row.end)
    follows = piece.rest(piece.at).of(piece.text)
    fix = _QUOTING.get(before[-1], "quote the whole value")
    if follows in ("]", "}"):
        fix = "remove it"
    return Mistake(span, f"the value ends at {code(before[-1])}, and {code(follows)} follows", fix)


_QUOTING = {
    "'": "write `''` for an apostrophe, or quote the value with `\"`",
    '"': "write `\\\"` for a quote inside, or quote the value with `'`",
}


def _no_item(piece: Piece) -> Mistake:
    row = piece.row(piece.at)
    line = row.of(piece.text)
    if re.match(r"-[^\s-]", line):
        return _glued_dash(row, line)
    thing = f"{code(line)} stands between list items"
    return Mistake(row, thing, "indent it into the item above, or like the key of the list")


def _glued_dash(row: Span, line: str) -> Mistake:
    return Mistake(
        row, f"no blank after the dash of {code(line)}", f"write {code(f'- {line[1:]}')}"
    )


def _item_in_line(piece: Piece) -> Mistake:
    fix = "put the items on lines of their own, or quote it"
    return Mistake(piece.rest(piece.at), "a value may not start with `- `", fix)


def _block_header(piece: Piece) -> Mistake:
    sign = piece.text[piece.since : piece.since + 1]
    fix = "put the text on the next lines, or in quotes"
    return Mistake(piece.rest(piece.since), f"text follows {code(sign)} on its line", fix)


def _escape(piece: Piece) -> Mistake:
    span = Span(piece.at, min(piece.at + 2, piece.header.end))
    thing = f"{code(span.of(piece.text))} is no escape between double quotes"
    return Mistake(span, thing, "use single quotes, or write `\\\\`")


def _control(piece: Piece) -> Mistake:
    character = piece.text[piece.at : piece.at + 1]
    name = f"U+{ord(character):04X}" if character else "a control character"
    return Mistake(piece.problem.span, f"{name} is not allowed in YAML", "remove it")


def _directive(piece: Piece) -> Mistake:
    return Mistake(piece.row(piece.since), "a line may not start with `%`", _QUOTE)


def _tag(piece: Piece) -> Mistake:
    return Mistake(_item(piece, piece.since), "an unquoted `!` starts a tag", _QUOTE)


def _question(piece: Piece) -> Mistake:
    return Mistake(piece.rest(piece.at), "a value may not start with `? `", "put it in quotes")


def _unexplained(piece: Piece) -> Mistake:
    context = f" {piece.problem.context}" if piece.problem.context else ""
    span = piece.rest(piece.at)
    if not span.of(piece.text).strip():
        span = piece.row(
            piece.header.start + len(piece.text[piece.header.start : piece.at].rstrip())
        )
    return Mistake(span, f"no YAML: {piece.problem.message}{context}")


def _item(piece: Piece, start: int) -> Span:
    """The text of the list item or value that starts at `start`."""
    row = piece.rest(start)
    line = piece.text[piece.row(start).start : start]
    if line.count("[") > line.count("]"):
        end = re.search(r"[\],]", row.of(piece.text))
        return piece.bare(Span(row.start, row.start + end.start())) if end and end.start() else row
    return _uncommented(piece, row)


def _uncommented(piece: Piece, span: Span) -> Span:
    comment = re.search(r"[ \t]#", span.of(piece.text))
    return piece.bare(Span(span.start, span.start + comment.start())) if comment else span


# What the parser says, in the order in which it is looked for.
_MISTAKES: tuple[tuple[str, Callable[[Piece], Mistake | None]], ...] = (
    ("unknown anchor", _unknown_alias),
    ("control characters", _control),
    ("mapping values are not allowed", _colon),
    ("could not find expected ':'", _no_colon),
    ("cannot start any token", _forbidden_start),
    ("found a tab character", _tab),
    ("scanning an alias", _alias),
    ("scanning an anchor", _anchor),
    ("unexpected end of stream", _open_quote),
    ("unknown escape character", _escape),
    ("did not find expected ','", _flow),
    ("did not find expected key", _no_key),
    ("did not find expected '-'", _no_item),
    ("block sequence entries", _item_in_line),
    ("comment or line break", _block_header),
    ("did not find expected node content", _forbidden_start),
    ("mapping keys are not allowed", _question),
    ("scanning a directive", _directive),
    ("<document start>", _no_document),
    ("parsing a tag", _tag),
    ("scanning a tag", _tag),
    ("undefined tag handle", _tag),
)
