"""Splits a list of tools or skills, written as text or as a list, into its entries.

Invariants: the text in the file and the text that YAML reads have the same length here, so that an
entry has its place in the file; the text of an entry is the tool that it names.
Facts: measured with Claude Code 2.1.332, 2026-11-28. Blanks and commas separate entries, except
between a `(` and the next `)`. A tab or a line break that is left in a text, as CRLF is in quotes,
separates nothing, and is dropped at the ends of an entry. An entry is `Tool` or `Tool(…)`; anything
else is not a tool.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from agent_lsp.dialects.claude.tools import ALIASES
from agent_lsp.model.template import Value
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Scalar, Style
from agent_lsp.text import Span

_PIECE = regex(r"[^ ,]+")
_DIVIDERS = " ,"
# Neither these nor `Tool (…)` are tools: without a name there is nothing to limit.
_LIMITED = regex(r"(?P<tool>(?!\*\()[^(]+)\(.*\)", re.DOTALL)
# Fills the text that YAML reads up to its length in the file; no text has it.
_FILLER = "\U000ffffe"
# What the runtime trims, as JavaScript does: unlike in Python, with U+FEFF and without U+0085.
TRIMMED = "".join(
    (
        "\t\n\x0b\x0c\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff",
        *map(chr, range(0x2000, 0x200B)),
    )
)
_ENDS = TRIMMED + _FILLER
_BREAKS = regex(r"[ \t]*(?:\r?\n[ \t]*)+")
# A tag and an anchor before the value.
_PROPERTIES = regex(r"\A(?:[!&]\S*[ \t]*)+")
_IN_DOUBLE = regex(
    r"(?P<escape>\\(?:\r?\n[ \t]*|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|.))"
    r"|[ \t]*(?:\r?\n[ \t]*)+",
    re.DOTALL,
)
_SIGNS = {"n": "\n", "r": "\r", "t": "\t", "\t": "\t", "0": "\0", "_": "\u00a0", " ": " "}
# Words that YAML 1.2 reads as null, a boolean or a number, and not as text.
_NOTHING = r"|~|null|Null|NULL"
_NUMBER = r"[-+]?(?:\d+|(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|\.(?:inf|Inf|INF))|0o[0-7]+"
_NUMBER_OR_TRUTH = rf"{_NUMBER}|0x[\da-fA-F]+|\.(?:nan|NaN|NAN)|true|True|TRUE|false|False|FALSE"
_NO_TEXT = regex(rf"(?:{_NUMBER_OR_TRUTH})")
_NO_TEXT_OR_EMPTY = regex(rf"(?:{_NUMBER_OR_TRUTH}|{_NOTHING})")
# `!` alone says that a value is text.
_TEXT_TAGS = ("tag:yaml.org,2002:str", "!")


def is_text(node: Scalar) -> bool:
    """Whether the runtime reads text, and not a number, a boolean or null."""
    is_plain = node.style is Style.PLAIN and node.tag not in _TEXT_TAGS
    return not is_plain or _NO_TEXT_OR_EMPTY.fullmatch(node.value) is None


def is_number_or_truth(node: Scalar) -> bool:
    """Whether the runtime reads a number or a boolean."""
    return not is_text(node) and _NO_TEXT.fullmatch(node.value) is not None


def of_scalar(text: str, node: Scalar) -> Iterator[Value]:
    """The entries of one text, which may be an item of a list."""
    yield from split(_read(text, node), node.span)


def of_items(text: str, items: Iterable[Scalar], flow: bool) -> Iterator[Value]:
    """The entries of the items of a list.

    A comma in parentheses splits an item of a list in brackets: the pieces are not tools, and
    count as one entry here.
    """
    begun: Scalar | None = None
    for item in items:
        is_plain = flow and item.style is Style.PLAIN
        if begun is not None and is_plain and ")" in item.value:
            span = Span(begun.span.start, item.span.end)
            yield Value(span.of(text), span, written=span.of(text))
            begun = None
        elif begun is None and is_plain and re.search(r"\([^)]*\Z", item.value):
            begun = item
        elif begun is None or not is_plain:
            yield from of_scalar(text, item)
    if begun is not None:
        yield from of_scalar(text, begun)


def split(written: str, span: Span) -> Iterator[Value]:
    """The entries of a text that begins where `span` does."""
    found = _found(written) if len(written) <= _LONGEST else _find(written)
    for start, stop, tool, entry in found:
        yield Value(tool, Span(span.start + start, span.start + stop), written=entry)


# A file is split several times, and many agents have the same tools. This bound, in code points,
# keeps long texts out of the memo.
_LONGEST = 1_000


@lru_cache(maxsize=256)
def _found(written: str) -> tuple[tuple[int, int, str, str], ...]:
    return _find(written)


def _find(written: str) -> tuple[tuple[int, int, str, str], ...]:
    """The start and the end of each entry in a text, its tool, and its own text."""
    found = []
    for start, stop in spans(written):
        entry = written[start:stop].replace(_FILLER, "")
        found.append((start, stop, tool_of(entry), entry))
    return tuple(found)


def spans(written: str) -> Iterator[tuple[int, int]]:
    """The start and the end of each entry in a text."""
    # Few lists have parentheses.
    pieces = _apart(written) if "(" in written else (one.span() for one in _PIECE.finditer(written))
    for start, stop in pieces:
        piece = written[start:stop]
        bare = piece.strip(_ENDS)
        if bare:
            at = start + len(piece) - len(piece.lstrip(_ENDS))
            yield at, at + len(bare)


def tool_of(entry: str) -> str:
    """The tool that an entry names, by its current name and without the parentheses."""
    limited = _LIMITED.fullmatch(entry)
    name = limited["tool"] if limited else entry
    return ALIASES.get(name, name)


def _apart(written: str) -> Iterator[tuple[int, int]]:
    inside, dividers = False, [-1]
    for at, sign in enumerate(written):
        inside = (inside or sign == "(") and sign != ")"
        if not inside and sign in _DIVIDERS:
            dividers.append(at)
    yield from ((before + 1, after) for before, after in pairwise((*dividers, len(written))))


def _read(text: str, node: Scalar) -> str:
    """`node` as it is read, at the length that it has in the file."""
    written = _PROPERTIES.sub(lambda found: " " * len(found[0]), node.span.of(text))
    blank = len(written) - len(written.lstrip(" "))
    written = written[blank:]
    return " " * blank + _content(written, node.style)


def _content(written: str, style: Style) -> str:
    if style in (Style.SINGLE, Style.DOUBLE) and len(written) > 1:
        if style is Style.DOUBLE:
            return f" {_IN_DOUBLE.sub(_in_double, written[1:-1])} "
        inner = _BREAKS.sub(_folded_in_quotes, written[1:-1])
        quote = f"'{_FILLER}"
        return " " + inner.replace("''", quote) + " "
    if style in (Style.LITERAL, Style.FOLDED):
        mark, line_end, rest = written.partition("\n")
        is_literal = style is Style.LITERAL
        inner = _outdented(mark, rest) if is_literal else _BREAKS.sub(_folded, rest)
        return " " * len(mark) + line_end + inner
    return _BREAKS.sub(_folded, written)


def _folded(match: re.Match[str]) -> str:
    """A line break as a blank; several line breaks become one less."""
    breaks = match[0].count("\n") - 1
    return ("\n" * breaks).ljust(len(match[0]), _FILLER) if breaks else " " * len(match[0])


def _folded_in_quotes(match: re.Match[str]) -> str:
    """Line breaks as elsewhere, or unchanged if they are CRLF."""
    kept = "\n" * match[0].count("\n")
    return kept.ljust(len(match[0]), _FILLER) if "\r" in match[0] else _folded(match)


def _in_double(match: re.Match[str]) -> str:
    """An escape as the text that it means, or line breaks as in any quotes."""
    if match["escape"] is None:
        return _folded_in_quotes(match)
    sign = match[0][1:]
    if "\n" in sign:
        # An escaped line break joins two lines.
        return _FILLER * len(match[0])
    if sign[0] in "xuU" and len(sign) > 1:
        code = int(sign[1:], 16)
        read = chr(code) if code <= sys.maxunicode else ""
    else:
        read = _SIGNS.get(sign, sign)
    return read.ljust(len(match[0]), _FILLER)


def _outdented(mark: str, rest: str) -> str:
    """The lines of a literal block; their common indentation separates nothing."""
    given = re.search(r"\d", mark)
    first = re.search(r"^( *)[^ \r\n]", rest, re.MULTILINE)
    indent = int(given[0]) if given else len(first[1]) if first else 0
    inner = re.compile(rf"(?:^|(?<=\n)) {{0,{indent}}}")
    return inner.sub(lambda found: _FILLER * len(found[0]), rest)
