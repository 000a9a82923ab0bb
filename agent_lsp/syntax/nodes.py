"""The nodes of a header: what YAML and TOML readers both produce.

Invariants: spans are offsets into the whole file, nest, and stay in bounds; half-typed
is a state of a node (`Entry.value is None`, `Broken`), never an exception.
"""

from dataclasses import dataclass, field
from enum import Enum

from agent_lsp.text import Span


class Style(Enum):
    """The style in which a scalar is written."""

    PLAIN = "plain"
    SINGLE = "'"
    DOUBLE = '"'
    LITERAL = "|"
    FOLDED = ">"
    MULTI_SINGLE = "'''"
    MULTI_DOUBLE = '"""'


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text value; `value` is the result after quotes, escapes and folding.

    `tag` is the resolved explicit tag (`tag:yaml.org,2002:str`, `!local`) or None.
    A value that is absent after its colon is a plain scalar with an empty span.
    """

    span: Span
    value: str
    style: Style = Style.PLAIN
    tag: str | None = None


@dataclass(frozen=True, slots=True)
class Alias:
    """`*name`; `target` is the anchored node, or None where it is not (yet) known.

    Aliases of aliases grow without bounds when they are followed, so neither comparison nor
    `repr` looks at the target.
    """

    span: Span
    name: str
    target: "Node | None" = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Broken:
    """Text that stands where a value is expected and does not parse."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list, in block (`- a`) or flow (`[a]`) form."""

    span: Span
    items: "tuple[Node, ...]"
    flow: bool = False
    tag: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A key with its value; `value is None` means that no colon has been typed yet."""

    key: "Node"
    value: "Node | None"

    @property
    def name(self) -> str | None:
        """The key's text, or None for a key that is no scalar."""
        # Asked by nearly every rule, so without a call for each key.
        key = self.key.target if isinstance(self.key, Alias) else self.key
        return key.value if isinstance(key, Scalar) else None

    @property
    def span(self) -> Span:
        """From the key's start to the value's end."""
        end = self.key.span.end if self.value is None else self.value.span.end
        return Span(self.key.span.start, max(end, self.key.span.end))

    def covers(self, offset: int) -> bool:
        """Whether `offset` is in the entry, or in what belongs to it and stands above its key."""
        is_inside = self.value is not None and self.value.span.covers(offset)
        return is_inside or self.span.covers(offset)


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys with values, in source order, duplicates kept."""

    span: Span
    entries: tuple[Entry, ...]
    flow: bool = False
    tag: str | None = None

    def get(self, name: str) -> Entry | None:
        """The first entry called `name`, or None."""
        # Asked for each key of each dialect in each header, so without a call for each entry.
        for entry in self.entries:
            key = entry.key.target if isinstance(entry.key, Alias) else entry.key
            if isinstance(key, Scalar) and key.value == name:
                return entry
        return None


Node = Scalar | Alias | Broken | Sequence | Mapping


def resolve(node: "Node | None") -> "Node | None":
    """`node`, or what it is an alias of; None where the alias has no target."""
    return node.target if isinstance(node, Alias) else node


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a header is not sound, in the words of the parser that the runtime uses.

    `message` is the parser's problem without a position; `context` what it was doing;
    `span` where it gave up; `context_span` where the construct it was reading began.
    """

    message: str
    span: Span
    context: str | None = None
    context_span: Span | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """`[a.b]` of TOML, or `[[a.b]]` if `array`; what is no key in it is `Broken`."""

    span: Span
    keys: "tuple[Scalar | Broken, ...]"
    array: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    """`a.b = value` of TOML; `value is None` means that no equals sign has been typed yet."""

    span: Span
    keys: "tuple[Scalar | Broken, ...]"
    value: "Node | None"


@dataclass(frozen=True, slots=True)
class Section:
    """A header of TOML with what stands below it, or what stands before all headers.

    `span` goes on to the next header.
    """

    span: Span
    header: Header | None
    pairs: tuple[Pair, ...]

    @property
    def path(self) -> tuple[str, ...]:
        """The names in the header; what is no key has the empty name."""
        keys = self.header.keys if self.header else ()
        return tuple(key.value if isinstance(key, Scalar) else "" for key in keys)


@dataclass(frozen=True, slots=True)
class Tree:
    """The tree of one header.

    `problem` is the runtime parser's verdict: None means that the text is well formed.
    `root` is then exactly what the runtime sees, down to a depth of 64; what lies deeper is
    `Broken`. Otherwise `root` is the tolerant reading
    and `damage` lists the pieces that could not be read, in source order.
    `begun` is what the runtime has seen of an unsound text when its parser gives up: a key may
    lack its value, and a collection that is not closed ends with the text.
    `rest` is text after the first document: another document, or what fails to be one.
    Runtimes differ in what they do with it, so it is no problem here.
    `sections` is the same text as TOML has it: statement by statement, in source order.
    """

    root: Node | None
    problem: Problem | None = None
    damage: tuple[Problem, ...] = ()
    rest: Span | None = None
    begun: Node | None = field(default=None, repr=False, compare=False)
    sections: tuple[Section, ...] = field(default=(), repr=False, compare=False)
