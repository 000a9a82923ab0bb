"""Defines the reading of a template, and the stand-ins of shipped templates.

Invariants: `declared` is what the author meant, as far as it can be known, and `effective` is what
the runtime uses. Without errors they are equal, except for entries that void their list. Only a
template that ships with the product has stand-ins; a user's file means what it says.
"""

from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path

from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.model.schema import IfWrong
from agent_lsp.text import Span


@dataclass(frozen=True, slots=True)
class Value:
    """A decoded value and its span.

    `value` is a `str`, a `bool`, a tuple of `Value` for a list of strings, or a tuple of `Record`
    for a list of mappings. `key` is the span of its key. `stands_for` says what the runtime has
    in the place of a stand-in. `written` is the item of a list as the runtime has it, if `value`
    is only the tool that the item names. `path` is the file of the value, or None if that is the
    template itself.
    """

    value: object
    span: Span
    key: Span | None = None
    stands_for: str = ""
    written: str = ""
    path: Path | None = None

    # The value as text; empty for a value that is no text.
    text: str = field(init=False, default="", repr=False, compare=False)
    # The items of a list of strings; empty for anything else.
    items: "tuple[Value, ...]" = field(init=False, default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        # These are asked for so often that properties would take more time than all parsing.
        if isinstance(self.value, str):
            object.__setattr__(self, "text", self.value)
        elif isinstance(self.value, tuple):
            items = tuple([item for item in self.value if isinstance(item, Value)])
            object.__setattr__(self, "items", items)

    @property
    def records(self) -> "tuple[Record, ...]":
        """The items of a list of mappings; empty for anything else."""
        if not isinstance(self.value, tuple):
            return ()
        return tuple([item for item in self.value if isinstance(item, Record)])


@dataclass(frozen=True, slots=True)
class Record:
    """A decoded mapping: the known keys that are set, by name."""

    span: Span
    values: Mapping[str, Value]


class LoadErrorKind(Enum):
    """The kind of a load error."""

    UNSEEN = "no header where the runtime looks for one"
    SYNTAX = "syntax"
    TYPE = "type"
    CHOICE = "choice"
    DUPLICATE = "duplicate"
    MISSING = "missing"
    FORBIDDEN = "a key that may not be there"
    CONTENT = "content that is not taken, whatever its type"
    BLANK = "blank text where some is required"
    BLANK_ITEM = "blank item of a list"
    NO_PROMPT = "no prompt"
    UNDECLARED = "block without a declaration"
    BLOCKLESS = "declaration without a block"

    # What a file has is looked up in what checks need. The hash of an enum is a call in Python.
    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class LoadError:
    """A reason for the runtime to refuse the header, or the file.

    `message` is the runtime's own text. `key` names the key (dotted inside a record). `expected`
    and `got` describe in our words the expected and the actual shape. `of_winner` says that the
    runtime checks this only for the file that it uses. An error that is not `certain` is no
    established behaviour of the runtime. `if_wrong` is what it costs, or None if the header is
    refused.
    """

    kind: LoadErrorKind
    span: Span
    message: str
    key: str = ""
    expected: str = ""
    got: str = ""
    of_winner: bool = False
    certain: bool = True
    if_wrong: IfWrong | None = None

    @property
    def reason(self) -> str:
        """What is wrong in our words, for a runtime that has no message about it."""
        match self.kind:
            case LoadErrorKind.UNSEEN:
                return "it has no complete header"
            case LoadErrorKind.SYNTAX:
                return "its header cannot be parsed"
            case LoadErrorKind.MISSING:
                return f"it has no `{self.key}`"
            case LoadErrorKind.TYPE:
                return f"`{self.key}` must be {self.expected}, not {self.got}"
            case _:
                return self.got or self.message


@dataclass(frozen=True, slots=True)
class NoEffect:
    """Something at `span` that loads and does nothing, and why."""

    span: Span
    reason: str


@dataclass(frozen=True, slots=True)
class Persona:
    """A named variant declared in a header; `name` is as the runtime normalises it."""

    name: str
    span: Span
    name_span: Span
    settings: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the body that becomes a prompt.

    `name` is None for the default block. `markers` are the spans of the names inside the marker
    lines, one for each time the block is continued. `span` is the first piece of text. `text` is
    the text that the runtime uses, with all pieces joined. `path` is as in `Value`.
    """

    name: str | None
    text: str
    span: Span
    markers: tuple[Span, ...] = ()
    path: Path | None = None


@dataclass(frozen=True, slots=True)
class Template:
    """Settings, personas and prompts; the first block is the default one."""

    settings: Mapping[str, Value]
    personas: tuple[Persona, ...]
    blocks: tuple[Block, ...]

    @property
    def default(self) -> Block:
        """The block before any marker; may be empty."""
        return self.blocks[0]

    def block(self, name: str) -> Block | None:
        """The named block, or None."""
        return next((block for block in self.blocks[1:] if block.name == name), None)

    def persona(self, name: str) -> Persona | None:
        """The first declaration of `name`, which is the one that counts, or None."""
        return next((persona for persona in self.personas if persona.name == name), None)


@dataclass(frozen=True, slots=True)
class Reading:
    """A template as declared and in effect; `errors` are in the order of the runtime's checks.

    `possible_errors` are those of a file that counts nevertheless, or of which this cannot be
    known. Their messages say in our words what happens to the file. `generation` names the
    generation of the runtime that the file is written for, if there are several and the file shows
    which.
    """

    declared: Template
    effective: Template
    errors: tuple[LoadError, ...] = ()
    generation: str = ""
    possible_errors: tuple[LoadError, ...] = ()


@dataclass(frozen=True, slots=True)
class ShippedStandIn:
    """`entry` in the list `key` of the shipped `template` is in the place of `stands_for`."""

    template: str
    key: str
    entry: str
    stands_for: str


def mark(reading: Reading, stand_ins: tuple[ShippedStandIn, ...], template: str | None) -> Reading:
    """`reading` of the shipped `template`, in which the entries that are `stand_ins` are marked."""
    own = [stand_in for stand_in in stand_ins if stand_in.template == template]
    if not own:
        return reading
    return replace(
        reading, declared=_marked(reading.declared, own), effective=_marked(reading.effective, own)
    )


def shipped_stand_ins(settings: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    """The marked entries, each with the key of its list."""
    for key, value in settings.items():
        yield from ((key, item) for item in value.items if item.stands_for)


def _marked(template: Template, stand_ins: list[ShippedStandIn]) -> Template:
    meant = {(stand_in.key, stand_in.entry): stand_in.stands_for for stand_in in stand_ins}
    lists = {key: template.settings[key] for key, _ in meant if key in template.settings}
    marked = {
        key: replace(
            value,
            value=tuple(replace(i, stands_for=meant.get((key, i.text), "")) for i in value.items),
        )
        for key, value in lists.items()
    }
    return replace(template, settings={**template.settings, **marked})
