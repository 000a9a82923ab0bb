"""Defines the contexts of a cursor; `cursor.context_at` finds the one at an offset.

Invariants: nodes are those of the current document, and None if they are not written yet. `path`
leads to the mapping at the cursor, and is empty in the outermost one. A completion replaces
`typed`: it is empty if nothing is typed, and None if the cursor is inside a longer text. `spaced`
says that an insertion needs a space before it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from agent_lsp.model.key_path import KeyPath
from agent_lsp.model.schema import Key
from agent_lsp.syntax import nodes
from agent_lsp.syntax.nodes import Entry, Node, Scalar
from agent_lsp.text import Span


class Framing(Enum):
    """The text that an insertion needs around it to be valid YAML."""

    BARE = "nothing"
    DASH = "a dash before it: it starts an item on its own line"
    BELOW = "a line end and a dash before it: its list starts below the key"
    ENCLOSED = "brackets around an item, braces around a key"


@dataclass(frozen=True, slots=True)
class KeyContext:
    """On a key, or where a key may be added.

    `keys` are those that the mapping may have, and none if the mapping is unknown. `names` are
    those of the templates that may stand there instead. `siblings` has the names of the mapping's
    other keys. `record` says that the mapping is an item of a list, and `flow` that it is in
    braces. `colon` says that a colon or an equals sign follows, or that none can. `is_table` says
    that only tables may stand there. `word` is the key that is written.
    """

    typed: Span | None
    keys: tuple[Key, ...]
    path: KeyPath = ()
    names: tuple[str, ...] = ()
    word: Scalar | None = None
    siblings: tuple[str, ...] = ()
    record: bool = False
    flow: bool = False
    colon: bool = False
    is_table: bool = False
    frame: Framing = Framing.BARE
    spaced: bool = False
    entry: Entry | None = None
    mapping: nodes.Mapping | None = None


@dataclass(frozen=True, slots=True)
class ValueContext:
    """On the value of `key` (None if the dialect has no such key), or where it may be typed.

    `siblings` has the texts of the other keys in the same mapping, `mapping`. `flow` says that the
    mapping is in braces.
    """

    typed: Span | None
    key: Key | None
    siblings: Mapping[str, str]
    path: KeyPath = ()
    flow: bool = False
    spaced: bool = False
    entry: Entry | None = None
    mapping: nodes.Mapping | None = None


@dataclass(frozen=True, slots=True)
class ItemContext:
    """On an item of the list under `key`, or where one may be added.

    `others` are the texts of the list's other items. `flow` says that the list is in brackets.
    """

    typed: Span | None
    key: Key | None
    others: tuple[str, ...] = ()
    path: KeyPath = ()
    flow: bool = False
    frame: Framing = Framing.BARE
    spaced: bool = False
    entry: Entry | None = None
    item: Node | None = None


@dataclass(frozen=True, slots=True)
class MarkerContext:
    """On the line `line` of the body, which starts a persona's block or is about to.

    `name` is the span of the persona's name, if there is one. `lead` and `tail` are the missing
    text before and after it. `whole` says that `typed` is all of an unfinished marker.
    """

    line: Span
    typed: Span | None
    name: Span | None = None
    whole: bool = False
    lead: str = ""
    tail: str = ""


@dataclass(frozen=True, slots=True)
class FenceContext:
    """On the line that opens or closes the header."""

    span: Span
    opening: bool


@dataclass(frozen=True, slots=True)
class BodyContext:
    """In the body, outside of markers."""


HeaderContext = KeyContext | ValueContext | ItemContext
Context = HeaderContext | MarkerContext | FenceContext | BodyContext
