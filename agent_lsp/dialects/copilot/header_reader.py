"""Reads a header as VS Code does: it never refuses one, and may lose the rest of it.

Invariants: the nodes are those of all headers, so that the same functions take values from them.
What is behind the end of the outermost mapping is lost without a word, and `rest` says where.
Facts: VS Code 1.139.1, src/vs/base/common/yaml, read 2026-11-28 and measured with the texts of
`tests/conformance/copilot.jsonl`; the messages are those that it shows in an editor.
"""

from functools import lru_cache

from agent_lsp.data_classes import dataclass, field
from agent_lsp.dialects.copilot.scanner import Sign, Token, scan
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, Style
from agent_lsp.text import Span

INVALID = "INVALID_YAML"
DUPLICATE = "duplicate-key"
MISSING = "missing-value"
INDENTATION = "unexpected-indentation"
KEY = "expected-key"
MAP_END = "expected-flow-map-end"
LIST_END = "expected-flow-seq-end"
STRAY = "unexpected-token"
_MESSAGES = {
    INVALID: "Invalid header, expecting <key: value> pairs",
    KEY: "Expected mapping key",
    MAP_END: 'Expected "}"',
    LIST_END: 'Expected "]"',
    STRAY: "Unexpected token in flow sequence",
}
# Deeper settings do not exist, and the recursion has to end.
_DEEPEST = 50


@dataclass(frozen=True, slots=True)
class Fault:
    """What VS Code reports about a header; `opened` is the bracket that is not closed."""

    code: str
    message: str
    span: Span
    opened: Span | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """What VS Code reads in a header, and what it reports.

    `rest` is where the text begins that it does not read, or None if it reads all. `open_quote` is
    a quote without an end.
    """

    root: Node | None
    faults: tuple[Fault, ...]
    rest: int | None = None
    open_quote: Span | None = None

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The keys that VS Code reads, in their order."""
        return self.root.entries if isinstance(self.root, Mapping) else ()


# A document is asked for several times by each of its checks.
@lru_cache(maxsize=8)
def read(text: str, start: int = 0) -> Header:
    """The header `text`, which begins at the offset `start` of a file."""
    state = _State(scan(text), start)
    state.skip_lines()
    if state.token.sign is Sign.MARK_START:
        state.advance()
        state.skip_lines()
    root = None
    if state.token.sign not in (Sign.END, Sign.MARK_END):
        root = _value(state, -1)
    if root is not None and not isinstance(root, Mapping):
        span = Span(start, start + len(text))
        state.faults.append(Fault(INVALID, _MESSAGES[INVALID], span))
    state.skip_lines()
    if state.token.sign is Sign.INDENT and state.peek(1).sign is not Sign.END:
        state.advance()
    left = state.token
    rest = left.span.start + start if left.sign is not Sign.END else None
    quote = next((one for one in state.tokens if not one.is_closed), None)
    opened = state.at(Span(quote.span.start, quote.span.start + 1)) if quote is not None else None
    return Header(root, tuple(state.faults), rest, opened)


@dataclass(slots=True)
class _State:
    """The tokens, and the one that comes next."""

    tokens: tuple[Token, ...]
    start: int
    pos: int = 0
    depth: int = 0
    faults: list[Fault] = field(default_factory=list)

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.pos]

    def peek(self, by: int) -> Token:
        """The token `by` places behind the next one."""
        return self.tokens[min(self.pos + by, len(self.tokens) - 1)]

    def advance(self) -> Token:
        """Goes on behind the next token, and returns it."""
        token = self.token
        self.pos += token.sign is not Sign.END
        return token

    def skip_lines(self) -> None:
        """Goes on behind line ends, comments and lines of blanks."""
        ends = (Sign.NEWLINE, Sign.COMMENT, Sign.END)
        while self.token.sign in (Sign.NEWLINE, Sign.COMMENT) or (
            self.token.sign is Sign.INDENT and self.peek(1).sign in ends
        ):
            self.advance()

    def skip_blanks(self) -> None:
        """Goes on behind everything that does not count in brackets."""
        while self.token.sign in (Sign.NEWLINE, Sign.INDENT, Sign.COMMENT):
            self.advance()

    @property
    def indent(self) -> int:
        """The number of blanks at the start of the line."""
        return self.token.width if self.token.sign is Sign.INDENT else 0

    @property
    def content(self) -> Token:
        """The first token of the line behind its blanks."""
        return self.peek(1) if self.token.sign is Sign.INDENT else self.token

    @property
    def is_entry(self) -> bool:
        """Whether the line begins with a key."""
        by = 1 if self.token.sign is Sign.INDENT else 0
        return self.peek(by).sign is Sign.SCALAR and self.peek(by + 1).sign is Sign.COLON

    def at(self, span: Span) -> Span:
        """A span of the header in the file."""
        return Span(span.start + self.start, span.end + self.start)

    def report(
        self, code: str, token: Token, message: str = "", opened: Token | None = None
    ) -> None:
        """Keeps what VS Code says about a token."""
        at = self.at(opened.span) if opened is not None else None
        self.faults.append(Fault(code, message or _MESSAGES[code], self.at(token.span), at))

    def empty(self, offset: int) -> Scalar:
        """A text without characters behind `offset`."""
        return Scalar(self.at(Span(offset, offset)), "")

    def scalar(self, token: Token) -> Scalar:
        """The text of a token."""
        return Scalar(self.at(token.span), token.value, token.style)


def _value(state: _State, parent: int) -> Node | None:
    """A value on lines of its own, below a key or a dash in the column `parent`."""
    state.skip_lines()
    if state.content.sign in (Sign.MAP_START, Sign.LIST_START):
        if state.token.sign is Sign.INDENT:
            state.advance()
        return _flow(state)
    indent = state.indent
    if state.content.sign is Sign.DASH:
        return _sequence(state, indent)
    if state.is_entry:
        return _mapping(state, indent)
    if state.token.sign not in (Sign.SCALAR, Sign.INDENT):
        return None
    if state.token.sign is Sign.INDENT:
        state.advance()
    if state.token.sign is not Sign.SCALAR:
        return state.empty(state.token.span.start)
    return _text(state, parent)


def _text(state: _State, parent: int) -> Scalar:
    """A text; one without quotes goes on in lines that are indented deeper than `parent`."""
    token = state.advance()
    if token.style is not Style.PLAIN:
        return state.scalar(token)
    parts, end = [token.value], token.span.end
    while (below := _next_line(state, parent)) is not None:
        pos, empty = below
        first = state.tokens[pos]
        if first.sign is Sign.DASH:
            rest = state.tokens[pos + 1]
            is_more = rest.sign is Sign.SCALAR
            line = f"- {rest.value}" if is_more else "-"
            end = rest.span.end if is_more else first.span.end
            state.pos = pos + 1 + is_more
        elif first.sign is Sign.SCALAR and state.tokens[pos + 1].sign is not Sign.COLON:
            line, end = first.value, first.span.end
            state.pos = pos + 1
        else:
            break
        parts += ["\n" * empty if empty else " ", line]
    return Scalar(state.at(Span(token.span.start, end)), "".join(parts))


def _next_line(state: _State, parent: int) -> tuple[int, int] | None:
    """Where the text of the next line begins, and the number of empty lines above it.

    None if a text does not go on there.
    """
    tokens, pos, empty = state.tokens, state.pos, 0
    while tokens[pos].sign is Sign.NEWLINE:
        after = tokens[pos + 1]
        if after.sign is Sign.NEWLINE:
            empty, pos = empty + 1, pos + 1
            continue
        if after.sign is not Sign.INDENT:
            ends = (Sign.END, Sign.MARK_START, Sign.MARK_END)
            goes_on = parent < 0 and after.sign not in ends
            return (pos + 1, empty) if goes_on else None
        first = tokens[pos + 2]
        if first.sign is Sign.NEWLINE or first.sign is Sign.END:
            empty, pos = empty + 1, pos + 2
            continue
        is_deeper = after.width > parent and first.sign is not Sign.COMMENT
        return (pos + 2, empty) if is_deeper else None
    return None


def _mapping(state: _State, indent: int, *, is_inline: bool = False) -> Mapping:
    """A mapping whose keys are in the column `indent`; the first one may be behind a dash."""
    start = state.token.span.start
    entries: list[Entry] = []
    names: set[str] = set()
    if is_inline:
        _take(state, indent, entries, names)
    while _is_next(state, indent):
        if not state.is_entry:
            break
        twice = _take(state, indent, entries, names)
        if twice is not None:
            state.report(DUPLICATE, twice, f'Duplicate key: "{twice.value}"')
    end = entries[-1].span.end if entries else start + state.start
    return Mapping(Span(start + state.start, max(end, start + state.start)), tuple(entries))


def _is_next(state: _State, indent: int) -> bool:
    """Whether the next line belongs to a mapping or a list in the column `indent`."""
    state.skip_lines()
    if state.token.sign is Sign.END or state.indent < indent:
        return False
    if state.indent > indent:
        said = f"Unexpected indentation (expected {indent}, got {state.indent})"
        state.report(INDENTATION, state.token, said)
    return True


def _take(state: _State, indent: int, entries: list[Entry], names: set[str]) -> Token | None:
    """Keeps the next key with its value; returns the key if there was one of its name."""
    if state.token.sign is Sign.INDENT:
        state.advance()
    key = state.advance()
    colon = state.advance()
    entries.append(Entry(state.scalar(key), _of_key(state, indent, colon)))
    is_twice = key.value in names
    names.add(key.value)
    return key if is_twice else None


def _of_key(state: _State, indent: int, colon: Token) -> Node:
    """The value behind a colon, or below it."""
    if state.token.sign in (Sign.MAP_START, Sign.LIST_START):
        return _flow(state)
    if state.token.sign is Sign.SCALAR:
        return _text(state, indent)
    state.skip_lines()
    is_list = state.indent == indent and state.content.sign is Sign.DASH
    if state.token.sign is Sign.END or (state.indent <= indent and not is_list):
        state.report(MISSING, colon, "Missing value")
        return state.empty(colon.span.end)
    return _nested(state, indent, colon)


def _nested(state: _State, indent: int, above: Token) -> Node:
    """A value below `above`; one that is nested too deep is empty."""
    if state.depth >= _DEEPEST:
        return state.empty(above.span.end)
    state.depth += 1
    found = _value(state, indent)
    state.depth -= 1
    return state.empty(above.span.end) if found is None else found


def _sequence(state: _State, indent: int) -> Sequence:
    """A list whose dashes are in the column `indent`."""
    start = state.token.span.start
    items: list[Node] = []
    # The first dash may be in the middle of a line.
    is_here = state.token.sign is Sign.DASH and state.token.column > 0
    while True:
        if is_here:
            if state.token.column > indent:
                said = f"Unexpected indentation (expected {indent}, got {state.token.column})"
                state.report(INDENTATION, state.token, said)
        elif not _is_next(state, indent):
            break
        if state.content.sign is not Sign.DASH:
            break
        is_here = False
        if state.token.sign is Sign.INDENT:
            state.advance()
        items.append(_item(state, indent, state.advance()))
    begin = start + state.start
    end = items[-1].span.end if items else begin
    return Sequence(Span(begin, max(end, begin)), tuple(items))


def _item(state: _State, indent: int, dash: Token) -> Node:
    """The value behind a dash, or below it."""
    token = state.token
    if token.sign is Sign.COMMENT:
        state.advance()
    if token.sign in (Sign.MAP_START, Sign.LIST_START):
        return _flow(state)
    if token.sign is Sign.DASH and state.depth < _DEEPEST:
        state.depth += 1
        found = _sequence(state, token.column)
        state.depth -= 1
        return found
    if token.sign is Sign.SCALAR and state.peek(1).sign is Sign.COLON:
        return _mapping(state, token.column, is_inline=True)
    if token.sign is Sign.SCALAR:
        return _text(state, indent)
    state.skip_lines()
    if state.token.sign is Sign.END or state.indent <= indent:
        state.report(MISSING, dash, "Missing sequence item value")
        return state.empty(dash.span.end)
    return _nested(state, indent, dash)


def _flow(state: _State) -> Node:
    """A list or a mapping in brackets; deeper ones than settings need are empty."""
    if state.depth >= _DEEPEST:
        return state.empty(state.advance().span.end)
    state.depth += 1
    is_list = state.token.sign is Sign.LIST_START
    found: Node = _flow_sequence(state) if is_list else _flow_mapping(state)
    state.depth -= 1
    return found


def _flow_sequence(state: _State) -> Sequence:
    opened = state.advance()
    items: list[Node] = []
    state.skip_blanks()
    while state.token.sign not in (Sign.LIST_END, Sign.END):
        if state.token.sign in (Sign.MAP_START, Sign.LIST_START):
            items.append(_flow(state))
        elif state.token.sign is Sign.SCALAR:
            items.append(_flow_text(state))
        else:
            state.report(STRAY, state.token)
            state.advance()
            continue
        _skip_comma(state)
    end = _closed(state, Sign.LIST_END, LIST_END, opened)
    return Sequence(state.at(Span(opened.span.start, end)), tuple(items), flow=True)


def _flow_mapping(state: _State) -> Mapping:
    opened = state.advance()
    entries: list[Entry] = []
    state.skip_blanks()
    while state.token.sign not in (Sign.MAP_END, Sign.END):
        if state.token.sign is not Sign.SCALAR:
            state.report(KEY, state.token)
            break
        key = _flow_text(state)
        state.skip_blanks()
        entries.append(Entry(key, _flow_member(state, key)))
        _skip_comma(state)
    end = _closed(state, Sign.MAP_END, MAP_END, opened)
    return Mapping(state.at(Span(opened.span.start, end)), tuple(entries), flow=True)


def _flow_member(state: _State, key: Scalar) -> Node:
    """The value behind a key in brackets, which may have none."""
    if state.token.sign is not Sign.COLON:
        return state.empty(key.span.end - state.start)
    state.advance()
    state.skip_blanks()
    return _flow_value(state)


def _skip_comma(state: _State) -> None:
    state.skip_blanks()
    if state.token.sign is Sign.COMMA:
        state.advance()
        state.skip_blanks()


def _closed(state: _State, sign: Sign, code: str, opened: Token) -> int:
    """The end of brackets, which VS Code misses where they are not closed."""
    token = state.token
    if token.sign is sign:
        state.advance()
        return token.span.end
    state.report(code, token, opened=opened)
    return max(token.span.start, opened.span.end)


def _flow_value(state: _State) -> Node:
    if state.token.sign in (Sign.MAP_START, Sign.LIST_START):
        return _flow(state)
    if state.token.sign is Sign.SCALAR:
        return _flow_text(state)
    return state.empty(state.token.span.start)


def _flow_text(state: _State) -> Scalar:
    """A text in brackets; one without quotes goes on in the lines below."""
    token = state.advance()
    if token.style is not Style.PLAIN:
        return state.scalar(token)
    parts, end = [token.value], token.span.end
    while True:
        pos, is_below = state.pos, False
        while state.tokens[pos].sign in (Sign.NEWLINE, Sign.INDENT, Sign.COMMENT):
            is_below = is_below or state.tokens[pos].sign is Sign.NEWLINE
            pos += 1
        below = state.tokens[pos]
        is_text = below.sign is Sign.SCALAR and below.style is Style.PLAIN
        if not (is_below and is_text):
            break
        parts.append(below.value)
        end, state.pos = below.span.end, pos + 1
    return Scalar(state.at(Span(token.span.start, end)), " ".join(parts))
