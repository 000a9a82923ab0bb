"""Finds where the structure of a TOML 1.1 text breaks, as the toml crate 1.x does.

Invariants: the crate first cuts a text into tokens and checks how they follow one another, and only
then looks into keys and values; so a missing `=` in the last line comes before a wrong escape in
the first. Offsets count from the start of the text, and only the first problem is exact.
"""

# Read in crates/toml_parser/src/{lexer,parser} of toml-rs/toml at 5538279d, 2026-11-28.

import re
from collections.abc import Iterator

from agent_lsp.data_classes import dataclass, field
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Problem
from agent_lsp.text import Span

_TOKEN = regex(
    r"""
      (?P<ml_basic>\"\"\"[^"\\]*(?:(?:\\(?:["\\]|(?!["\\]))|"{1,2}(?!"))[^"\\]*)*(?:"{3,5})?)
    | (?P<ml_literal>'''[^']*(?:'{1,2}(?!')[^']*)*(?:'{3,5})?)
    | (?P<basic>"[^"\\\n]*(?:\\(?:["\\]|(?!["\\]))[^"\\\n]*)*"?)
    | (?P<literal>'[^'\n]*'?)
    | (?P<blank>[ \t]+)
    | (?P<line>\r?\n|\r)
    | (?P<comment>\#[^\r\n]*)
    | (?P<sign>[.=,\[\]{}])
    | (?P<atom>[^.=,\[\]{}\ \t\#\r\n]+)
    """,
    re.VERBOSE,
)
TEXTS = frozenset({"basic", "literal", "ml_basic", "ml_literal"})
_KEYS = TEXTS | {"atom"}
_END = "end"
# The 80th bracket in brackets is refused.
_DEEPEST = 80
_TOO_DEEP = "cannot recurse further; max recursion depth met"
_CONTROL = regex(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Token:
    """A token from `start` to `end`; its kind is the sign itself for a sign."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A key, or with `is_value` a value, that the second step looks into; it may be empty."""

    kind: str
    start: int
    end: int
    is_value: bool = False


def pieces(text: str) -> tuple[Problem | None, tuple[Piece, ...]]:
    """The first problem of the structure of `text`, and the keys and values up to there."""
    reader = _Reader(text, _tokens(text))
    problem = next(reader.document(), None)
    return problem, tuple(reader.found)


def expecting(message: str, *words: str, start: int, end: int | None = None) -> Problem:
    """The problem with the words that the crate expects there; what is no sign is in plain text."""
    expected = ", ".join(words) or "nothing"
    return Problem(f"{message}, expected {expected}", Span(start, start if end is None else end))


def _tokens(text: str) -> list[Token]:
    found, at = [], int(text.startswith("\ufeff"))
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            break
        kind = match.lastgroup or ""
        found.append(Token(match[0] if kind == "sign" else kind, at, match.end()))
        at = match.end()
    return [*found, Token(_END, len(text), len(text))]


@dataclass(slots=True)
class _Reader:
    """The tokens of a text, and how far they are read."""

    text: str
    tokens: list[Token]
    at: int = 0
    found: list[Piece] = field(default_factory=list)

    @property
    def next(self) -> Token:
        return self.tokens[min(self.at, len(self.tokens) - 1)]

    def take(self) -> Token:
        token = self.next
        self.at += 1
        return token

    def blanks(self) -> None:
        while self.next.kind == "blank":
            self.at += 1

    def note(self, token: Token, *, is_value: bool = False) -> None:
        self.found.append(Piece(token.kind, token.start, token.end, is_value))

    def nothing(self, at: int, *, is_value: bool = False) -> None:
        """Notes a key or a value that is not there."""
        self.found.append(Piece("atom", at, at, is_value))

    def document(self) -> Iterator[Problem]:
        while self.next.kind != _END:
            token = self.take()
            if token.kind in ("line", "comment"):
                yield from self.passed(token)
            elif token.kind == "[":
                yield from self.header()
            elif token.kind == "]":
                yield expecting("missing table open", "`[`", start=token.start)
            elif token.kind in (",", "{", "}"):
                yield expecting("invalid key-value pair", "key", start=token.start)
            elif token.kind != "blank":
                yield from self.pair(token)

    def passed(self, token: Token) -> Iterator[Problem]:
        """A line end or a comment, which may have a control character in it."""
        if token.kind == "line" and self.text[token.start : token.end] == "\r":
            problem = "carriage return must be followed by newline"
            yield expecting(problem, "newline", start=token.end)
        bad = _CONTROL.search(self.text, token.start, token.end)
        if token.kind == "comment" and bad is not None:
            yield expecting("invalid comment character", "printable characters", start=bad.start())

    def header(self) -> Iterator[Problem]:
        is_array = self.next.kind == "["
        self.at += is_array
        self.blanks()
        is_whole = self.key(self.take())
        self.blanks()
        before = self.before()
        if self.next.kind == "]":
            closed = self.take()
            if is_array and self.next.kind != "]":
                yield expecting("unclosed array table", "`]`", start=closed.end)
            self.at += is_array
        elif is_whole:
            message = "unclosed array table" if is_array else "unclosed table"
            yield expecting(message, "`]]`" if is_array else "`]`", start=before)
        yield from self.line_end()

    def before(self) -> int:
        """The end of what was read last, besides blanks."""
        for token in reversed(self.tokens[: self.at]):
            if token.kind not in ("blank", "comment", "line", _END):
                return token.end
        return 0

    def key(self, first: Token) -> bool:
        """Reads a dotted key that begins with `first`; whether all its parts are there."""
        if first.kind in _KEYS:
            self.note(first)
        else:
            self.nothing(first.start)
            self.at -= 1
            if first.kind != ".":
                return False
        self.blanks()
        while self.next.kind == ".":
            dot = self.take()
            self.blanks()
            if self.next.kind in _KEYS:
                self.note(self.take())
                self.blanks()
            else:
                self.nothing(max(dot.end, self.next.start))
                if self.next.kind != ".":
                    return False
        return True

    def pair(self, first: Token) -> Iterator[Problem]:
        self.key(first)
        self.blanks()
        if self.next.kind != "=":
            message = "missing value for key" if first.kind == "." else "key with no value"
            yield expecting(message, "`=`", start=self.next.start)
        self.at += 1
        self.blanks()
        yield from self.value(1)
        yield from self.line_end()

    def line_end(self) -> Iterator[Problem]:
        self.blanks()
        if self.next.kind not in ("line", "comment", _END):
            yield expecting("unexpected key or value", "newline", "`#`", start=self.next.start)
        if self.next.kind != _END:
            yield from self.passed(self.take())

    def value(self, depth: int) -> Iterator[Problem]:
        token = self.take()
        if token.kind == "=":
            yield expecting("extra `=`", start=token.start, end=token.end)
        elif token.kind in ("}", "]"):
            is_table = token.kind == "}"
            message = f"missing {'inline table' if is_table else 'array'} opening"
            yield expecting(message, "`{`" if is_table else "`[`", start=token.start)
        elif token.kind in ("[", "{"):
            if depth > _DEEPEST:
                yield Problem(_TOO_DEEP, Span(token.start, token.end))
            yield from (self.array if token.kind == "[" else self.table)(depth)
        elif token.kind in TEXTS:
            self.note(token, is_value=True)
        elif token.kind in ("atom", "."):
            self.word(token)
        else:
            self.nothing(token.start, is_value=True)
            self.at -= 1

    def word(self, first: Token) -> None:
        """Reads a value without quotes, which goes on over dots and single blanks."""
        end = first.end
        while True:
            after = self.tokens[min(self.at + 1, len(self.tokens) - 1)]
            if self.next.kind in ("atom", "."):
                end = self.take().end
            elif self.next.kind == "blank" and after.kind == "atom":
                end, self.at = after.end, self.at + 2
            else:
                break
        self.found.append(Piece("atom", first.start, end, is_value=True))

    def array(self, depth: int) -> Iterator[Problem]:
        needs_comma = False
        while self.next.kind != _END:
            token = self.take()
            if token.kind in ("line", "comment"):
                yield from self.passed(token)
            elif token.kind == "]":
                return
            elif token.kind == ",":
                if not needs_comma:
                    message = "extra comma in array"
                    yield expecting(message, "value", start=token.start, end=token.end)
                needs_comma = False
            elif token.kind == "=":
                message = "unexpected `=` in array"
                yield expecting(message, "value", "`]`", start=token.start, end=token.end)
            elif token.kind != "blank":
                if needs_comma:
                    message = "missing comma between array elements"
                    yield expecting(message, "`,`", start=token.start)
                self.at -= 1
                yield from self.value(depth + 1)
                needs_comma = True
        yield expecting("unclosed array", "`]`", start=self.before())

    def table(self, depth: int) -> Iterator[Problem]:
        needs = "key"
        while self.next.kind != _END:
            token = self.take()
            if token.kind in ("line", "comment"):
                yield from self.passed(token)
            elif token.kind == "}":
                if needs in ("`=`", "value"):
                    self.found.append(Piece("missing", token.start, token.start, is_value=True))
                return
            elif token.kind != "blank":
                wrong = _misplaced(token, needs)
                if wrong:
                    yield expecting(wrong, needs, start=token.start)
                if needs == "key" and token.kind != "=":
                    self.key(token)
                    needs = "`=`"
                elif token.kind in ("=", ","):
                    if needs == "key":
                        self.nothing(token.start)
                    needs = "value" if token.kind == "=" else "key"
                else:
                    self.at -= 1
                    yield from self.value(depth + 1)
                    needs = "`,`"
        yield expecting("unclosed inline table", "`}`", start=self.before())


def _misplaced(token: Token, needs: str) -> str:
    """What the crate says of `token` in an inline table that needs something else, or nothing."""
    if token.kind == ",":
        return "" if needs == "`,`" else "extra comma in inline table"
    if token.kind == "=":
        is_right = needs in ("key", "`=`")
        return "" if is_right else "extra assignment between key-value pairs"
    if token.kind == "]" and needs != "value":
        return "invalid inline table element"
    if token.kind in ("[", "{") and needs in ("key", "`,`"):
        return "missing key for inline table element"
    if needs == "`=`":
        return "missing assignment between key-value pairs"
    return "missing comma between key-value pairs" if needs == "`,`" else ""
