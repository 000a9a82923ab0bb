"""Reads a header that is no YAML as the runtime does then: line by line.

Invariant: this understands less than YAML, so that a value can become another one, or be lost.
Facts: Qwen Code 0.24.4, `parseSimple` and `parseValue` in utils/yaml-parser, read 2026-11-28, and
measured with the files of section `desc …` of `tests/conformance/qwen.jsonl`. The program takes
this way with whatever the npm package `yaml` rejects, and with a header that is no mapping. Blank
lines and whole comments do not count; a key ends at the first colon of its line; the last of two
keys counts; a value is text, a number, `true`, `false` or null, and only double quotes around all
of it are taken away. Below a key without a value, lines that begin with two blanks and `- ` are its
list, and other lines with two blanks its mapping.
"""

from collections.abc import Iterator

from agent_lsp.data_classes import dataclass, field
from agent_lsp.dialects.qwen.values import BLANKS, Read, literal, trimmed
from agent_lsp.patterns import regex
from agent_lsp.text import Span

_LINE = regex(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_ITEM, _INNER = "  - ", "  "


@dataclass(frozen=True, slots=True)
class _Line:
    """A line without its end, and the offset at which it begins."""

    text: str
    start: int

    def span(self, begin: int, end: int) -> Span:
        """The part of the line between two columns, without the blanks around it."""
        part = self.text[begin:end]
        lead = len(part) - len(part.lstrip(BLANKS))
        bare = part.strip(BLANKS)
        at = self.start + begin + (lead if bare else 0)
        return Span(at, at + len(bare))


@dataclass(slots=True)
class _State:
    """What has been read so far; `key` waits for a list, `owner` for a mapping."""

    found: dict[str, Read] = field(default_factory=dict)
    key: tuple[str, Span] = ("", Span(0, 0))
    items: list[Read] | None = None
    owner: tuple[str, Span] | None = None
    members: dict[str, Read] = field(default_factory=dict)

    def end_list(self) -> None:
        """Keeps the list that is open under the last key that had no value."""
        if self.items is not None:
            name, span = self.key
            self.found[name] = Read(tuple(self.items), _around(self.items, span), span)
            self.items, self.key = None, ("", Span(0, 0))

    def end_mapping(self) -> None:
        """Keeps the mapping that is open under its key."""
        if self.owner is not None:
            name, span = self.owner
            members = self.members
            self.found[name] = Read(members, _around(list(members.values()), span), span)
            self.owner, self.members = None, {}


def read(header: str, start: int = 0) -> dict[str, Read]:
    """The keys that the runtime finds in a header that begins at `start`, without null values."""
    state = _State()
    lines = tuple(_lines(header, start))
    for at, line in enumerate(lines):
        below = lines[at + 1].text if at + 1 < len(lines) else ""
        _take(state, line, below)
    state.end_list()
    state.end_mapping()
    return state.found


_KEY = regex(r"[\w.$-]+:(?=[ \t]|$)")


def cut_value(header: str, start: int = 0) -> str | None:
    """The first key whose text goes on in lines that are no keys, and so ends with its line."""
    owner = None
    for line in _lines(header, start):
        if line.text.startswith(_INNER) or line.text.startswith("- "):
            continue
        bare = line.text.strip(BLANKS)
        if _KEY.match(bare):
            key, _, rest = bare.partition(":")
            owner = key if trimmed(rest) else None
        elif owner is not None:
            return owner
    return None


def _lines(header: str, start: int) -> Iterator[_Line]:
    for found in _LINE.finditer(header):
        text = found[0].rstrip("\r\n")
        bare = trimmed(text)
        if bare and not bare.startswith("#"):
            yield _Line(text, start + found.start())


def _take(state: _State, line: _Line, below: str) -> None:
    if line.text.startswith(_ITEM):
        state.items = [] if state.items is None else state.items
        item = _value(line, len(_ITEM), len(line.text))
        if item is not None:
            state.items.append(item)
        return
    state.end_list()
    key_end = line.text.find(":")
    if line.text.startswith(_INNER) and state.owner is not None:
        _member(state, line, key_end)
        return
    state.end_mapping()
    if key_end < 0:
        return
    name, span = trimmed(line.text[:key_end]), line.span(0, key_end)
    value = _value(line, key_end + 1, len(line.text))
    if value is None:
        # A null takes an earlier value away, and is taken away itself in the end.
        state.found.pop(name, None)
        return
    if value.value != "" or len(value.span):
        state.found[name] = Read(value.value, value.span, span)
        return
    state.key = (name, span)
    if below.startswith(_INNER) and not below.startswith(_ITEM):
        state.owner, state.members, state.key = (name, span), {}, ("", span)


def _member(state: _State, line: _Line, key_end: int) -> None:
    end = len(line.text)
    stop = key_end if key_end >= 0 else end
    name, span = trimmed(line.text[:stop]), line.span(0, stop)
    value = _value(line, min(stop + 1, end), end)
    if value is not None:
        state.members[name] = Read(value.value, value.span, span)
    else:
        state.members.pop(name, None)


def _value(line: _Line, begin: int, end: int) -> Read | None:
    """The value in a part of a line, or None for null."""
    span = line.span(begin, end)
    text = line.text[span.start - line.start : span.end - line.start]
    if text == "null":
        return None
    if text in ("true", "false"):
        return Read(text == "true", span)
    if len(text) > 1 and text.startswith('"') and text.endswith('"'):
        inner = text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        return Read(inner, span)
    number = literal(text) if text else None
    return Read(text if number is None else number, span)


def _around(parts: list[Read], key: Span) -> Span:
    """The span from the first part to the last, or that of the key if there is none."""
    if not parts:
        return key
    spans = [part.span for part in parts]
    return Span(min(one.start for one in spans), max(one.end for one in spans))
