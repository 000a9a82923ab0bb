"""Finds the anchors and tags that js-yaml does not take where they are.

Facts: js-yaml 3.15.2 and 4.1.0, run 2026-11-30 (`js-yaml-properties`). Behind a property on its
line they expect no block, so they read the first key of a mapping as a text, and stop at its colon.
A tag lasts up to the next blank, and has no brackets and commas. Properties on several lines belong
to one node, also if the first one was meant for a value that is missing.
"""

from collections.abc import Iterator

from agent_lsp.data_classes import dataclass
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Alias, Mapping, Node, Scalar, Sequence
from agent_lsp.text import Span

_ANCHOR, _TAG = "&", "!"
# An anchor ends at a bracket or a comma, and a tag in angle brackets may have anything inside.
_PROPERTY = regex(r"&[^\s,\[\]{}]*|!<[^>\s]*>|!\S*")
_GLUED = regex(r"[&*][^\s,\[\]{}]*:")
_NO_COLON = "can not read a block mapping entry; a multiline key may not be an implicit key"
_INDICATOR = regex(r"[,\[\]{}]")
# Blanks, line ends and comments between a property and what follows.
_BETWEEN = regex(r"\s*(?:#[^\n]*(?:\n\s*|\Z))*")
_BLANKS = regex(r"[ \t]*")
_OF_PARENTS: dict[type | None, str] = {
    None: "end of the stream or a document separator is expected",
    Mapping: "bad indentation of a mapping entry",
    Sequence: "bad indentation of a sequence entry",
}
_TWICE = {_ANCHOR: "duplication of an anchor property", _TAG: "duplication of a tag property"}


@dataclass(frozen=True, slots=True)
class Refused:
    """A property that js-yaml does not take.

    `reason` and `at` are why and where it stops, `span` is the place for people, and `word` the
    property.
    """

    reason: str
    at: int
    span: Span
    word: str


def refused_properties(root: Node | None, text: str, start: int) -> Iterator[Refused]:
    """The properties that js-yaml does not take in a sound `text`, which begins at `start`."""
    # Few headers have any, and every header is searched.
    if root is None or (_ANCHOR not in text and _TAG not in text):
        return
    for glued in glued_keys(root, text, start):
        word = glued.shift(-start).of(text)
        reason = f'unidentified alias "{word[1:]}"' if word[0] == "*" else _NO_COLON
        yield Refused(reason, glued.end, glued, word)
    waiting: list[tuple[Node, type | None]] = [(root, None)]
    while waiting:
        node, parent = waiting.pop()
        if isinstance(node, Mapping):
            sides = (side for one in node.entries for side in (one.key, one.value))
            waiting += ((side, Mapping) for side in sides if side is not None)
        elif isinstance(node, Sequence):
            waiting += ((item, Sequence) for item in node.items)
        own, stop = _properties(text, node.span.start - start)
        refused = _refused(node, parent, own, stop, text, start) if own else None
        if refused is not None:
            yield refused


def glued_keys(root: Node | None, text: str, start: int) -> Iterator[Span]:
    """The anchors and aliases that are a key, with a colon right behind them.

    The colon belongs to the name for js-yaml and the npm package `yaml`, so that the key has none.
    Only keys of blocks count, in a sound `text` that begins at `start`.
    """
    waiting = [root] if _ANCHOR in text else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, Sequence):
            waiting += node.items
        elif isinstance(node, Mapping):
            waiting += (one.value for one in node.entries)
            for entry in () if node.flow else node.entries:
                key = entry.key.span
                is_bare = isinstance(entry.key, Alias) or (
                    isinstance(entry.key, Scalar) and not entry.key.value
                )
                if is_bare and _GLUED.fullmatch(text, key.start - start, key.end - start + 1):
                    yield Span(key.start, key.end + 1)


def _properties(text: str, at: int) -> tuple[list[Span], int]:
    """The properties that begin at `at`, also on other lines, and the place of what follows."""
    found = list[Span]()
    while (match := _PROPERTY.match(text, at)) is not None:
        found.append(Span(*match.span()))
        between = _BETWEEN.match(text, match.end())
        at = between.end() if between is not None else match.end()
        if at == match.end():
            break
    return found, at


def _refused(
    node: Node, parent: type | None, own: list[Span], stop: int, text: str, start: int
) -> Refused | None:
    """Why js-yaml does not take the properties of `node`, which end at `stop`."""
    seen = set[str]()
    for one in own:
        word = one.of(text)
        if word[0] == _TAG and word[1:2] != "<" and _INDICATOR.search(word) is not None:
            reason = "tag suffix cannot contain flow indicator characters"
            return Refused(reason, start + one.end, one.shift(start), word)
        if word[0] in seen:
            return Refused(_TWICE[word[0]], start + one.start, one.shift(start), word)
        seen.add(word[0])
    if not isinstance(node, Mapping) or node.flow or "\n" in text[own[-1].end : stop]:
        return None
    key = node.entries[0].key.span
    blanks = _BLANKS.match(text, key.end - start)
    colon = start + (blanks.end() if blanks is not None else key.end - start)
    # It ends behind the key, so that a fault of the key itself goes before it.
    return Refused(_OF_PARENTS[parent], colon, Span(key.start, colon + 1), own[-1].of(text))
