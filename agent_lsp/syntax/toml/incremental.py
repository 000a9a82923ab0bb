"""Finds the sections of a TOML file that an edit has not changed, for an incremental parse.

Invariants: each header starts a new section, so the text around a section whose statements are all
valid does not affect how it is read. A reused section is equal, node for node, to what a new parse
would return.
"""

from itertools import takewhile
from typing import TypeVar

from agent_lsp.data_classes import dataclass
from agent_lsp.syntax.nodes import (
    Broken,
    Entry,
    Header,
    Mapping,
    Node,
    Pair,
    Scalar,
    Section,
    Sequence,
)
from agent_lsp.text import Span, common_prefix, common_suffix

_Key = TypeVar("_Key", Node, Scalar | Broken)


@dataclass(frozen=True, slots=True, eq=False)
class EarlierRead:
    """All sections of a text that begins at offset `shift` of its file.

    `sound` has for each section whether all its statements are valid for the runtime.
    """

    text: str
    shift: int
    sections: tuple[Section, ...]
    sound: tuple[bool, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """The difference between a text and that of `before`.

    Both are equal up to `ahead`, and again from `behind` on, which is an offset in the new text;
    there, the new text is shifted by `by`. `starts` are the indexes of the earlier sections by the
    offset of their header in the earlier text.
    """

    before: EarlierRead
    ahead: int
    behind: int
    by: int
    starts: dict[int, int]

    def taken(self, at: int) -> tuple[Section, ...]:
        """The valid sections from the header at `at` on that need not be read again."""
        first = self.starts.get(at) if at < self.ahead else None
        if first is not None:
            # A section ends at the next header, which must still be there.
            limit = self.ahead + self.before.shift
            kept = takewhile(lambda one: one.span.end < limit, self._sound(first))
            return tuple(kept)
        last = self.starts.get(at - self.by) if at >= self.behind else None
        return shifted(self._sound(last), self.by) if last is not None else ()

    def _sound(self, first: int) -> tuple[Section, ...]:
        sound = (*self.before.sound, False)
        return self.before.sections[first : sound.index(False, first)]


def change(before: EarlierRead, text: str) -> Change:
    """The difference between `text` and the text of `before`."""
    old, by = before.text, len(text) - len(before.text)
    starts = {one.span.start - before.shift: at for at, one in enumerate(before.sections) if at}
    return Change(
        before, common_prefix(old, text), len(text) - common_suffix(old, text), by, starts
    )


def shifted(sections: tuple[Section, ...], by: int) -> tuple[Section, ...]:
    """`sections` moved by `by` code points."""
    return tuple([_section(section, by) for section in sections]) if by else sections


def _section(section: Section, by: int) -> Section:
    header = section.header
    if header is not None:
        keys = tuple([_node(key, by) for key in header.keys])
        header = Header(_span(header.span, by), keys, header.array)
    pairs = tuple([_pair(pair, by) for pair in section.pairs])
    return Section(_span(section.span, by), header, pairs)


def _pair(pair: Pair, by: int) -> Pair:
    value = _node(pair.value, by) if pair.value is not None else None
    return Pair(_span(pair.span, by), tuple([_node(key, by) for key in pair.keys]), value)


def _node(node: _Key, by: int) -> _Key:
    match node:
        case Scalar():
            return Scalar(_span(node.span, by), node.value, node.style)
        case Broken():
            return Broken(_span(node.span, by), node.text)
        case Sequence():
            items = tuple([_node(item, by) for item in node.items])
            return Sequence(_span(node.span, by), items, node.flow)
        case Mapping():
            entries = [Entry(_node(one.key, by), _value(one.value, by)) for one in node.entries]
            return Mapping(_span(node.span, by), tuple(entries), node.flow)
    return node


def _value(node: Node | None, by: int) -> Node | None:
    return _node(node, by) if node is not None else None


def _span(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)
