"""Defines what a runtime reads in one template, and what shipped templates only stand in for.

Invariants: `declared` is what the author meant, as far as it can be told; `effective` is what the
runtime holds; without errors they are equal, but for entries that void their list. Only a template
that the product ships has stand-ins; what a user writes is what it says.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from agent_lsp.text import Span


@dataclass(frozen=True, slots=True)
class Value:
    """A decoded value and where it stands.

    `value` is a `str`, a `bool`, a tuple of `Value` for a list of texts, or a tuple of
    `Record` for a list of mappings. `key` is where its key stands. `stands_for` says what the
    runtime has in the place of an item that only stands in for it, `written` what an item of a
    list is to the runtime where `value` is only the tool that it speaks of. `path` is the file in
    which it stands, None if that is the template's own.
    """

    value: object
    span: Span
    key: Span | None = None
    stands_for: str = ""
    written: str = ""
    path: Path | None = None

    @property
    def text(self) -> str:
        """The value as text; empty for anything that is no text."""
        return self.value if isinstance(self.value, str) else ""

    @property
    def items(self) -> "tuple[Value, ...]":
        """The items of a list of texts; empty for anything else."""
        if not isinstance(self.value, tuple):
            return ()
        return tuple([item for item in self.value if isinstance(item, Value)])

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
    """Why the runtime refuses a header, or the file."""

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


@dataclass(frozen=True, slots=True)
class LoadError:
    """A reason for the runtime to refuse the header, or the file.

    `message` is the runtime's own text; `key` names the key (dotted inside a record);
    `expected` and `got` say in our words what shape was wanted and found. `of_winner` says that
    the runtime checks this only of the file that it uses. One that is not `certain` is no
    established behaviour of the runtime.
    """

    kind: LoadErrorKind
    span: Span
    message: str
    key: str = ""
    expected: str = ""
    got: str = ""
    of_winner: bool = False
    certain: bool = True


@dataclass(frozen=True, slots=True)
class NoEffect:
    """Something at `span` that loads and does nothing, and why."""

    span: Span
    reason: str


@dataclass(frozen=True, slots=True)
class Persona:
    """A named variant declared in a header; `name` as the runtime normalises it."""

    name: str
    span: Span
    name_span: Span
    settings: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the body that becomes a prompt.

    `name` is None for the default block. `markers` are the spans of the names inside the
    marker lines, one for each time the block is continued; `span` is the first piece of
    text; `text` is what the runtime takes, pieces joined. `path` is as in `Value`.
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
    """A template as declared and in effect; `errors` in the order in which the runtime meets them.

    `possible_errors` are those of a file that counts all the same, or of which that cannot be
    told; their messages say in our words what becomes of it.
    `generation` names the state of the runtime that the file is written for, where there are
    several and the file tells.
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
    """`reading` of the shipped `template` with those of its entries marked that are `stand_ins`."""
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
