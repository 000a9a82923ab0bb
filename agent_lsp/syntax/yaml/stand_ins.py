"""Puts private letters in the place of characters that libyaml does not read, and takes them back.

Invariant: a text keeps its length, and a rebuilt tree its shape.
"""

from collections.abc import Callable

from agent_lsp.data_classes import replace
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Alias, Entry, Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.text import Span

_LETTERS = regex("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
FIRST = 0xF0000
_STAND_INS = regex("[\U000f0000-\U000fffff]")
# Is put behind an escape that is shorter than the one in the file; no character has this stand-in.
FILLER = "\U000fd800"


def with_letters(text: str) -> str:
    """`text` with a private letter for each character that only these parsers read as a letter."""
    return _LETTERS.sub(lambda sign: stand_in(sign[0]), text)


def stand_in(sign: str) -> str:
    """The private letter for a character."""
    return chr(FIRST + ord(sign))


def restored(node: Scalar) -> Scalar:
    """`node` with the characters for which it has private letters."""
    value = node.value.replace(FILLER, "")
    value = _STAND_INS.sub(lambda sign: chr(ord(sign[0]) - FIRST), value)
    return node if value == node.value else replace(node, value=value)


def rebuilt(
    node: Node,
    place: Callable[[int], int],
    scalar: Callable[[Scalar], Scalar],
    done: dict[int, Node],
) -> Node:
    """`node` with other places and other scalars; `done` has the nodes that are rebuilt already."""
    if id(node) in done:
        return done[id(node)]

    def again(inner: Node) -> Node:
        return rebuilt(inner, place, scalar, done)

    span = Span(place(node.span.start), place(node.span.end))
    moved: Node
    match node:
        case Mapping():
            pairs = ((one.key, one.value) for one in node.entries)
            entries = tuple(
                Entry(again(key), None if value is None else again(value)) for key, value in pairs
            )
            moved = replace(node, span=span, entries=entries)
        case Sequence():
            moved = replace(node, span=span, items=tuple(map(again, node.items)))
        case Alias():
            target = resolve(node)
            moved = replace(node, span=span, target=None if target is None else again(target))
        case Scalar():
            moved = replace(scalar(node), span=span)
        case _:
            moved = replace(node, span=span)
    done[id(node)] = moved
    return moved
