"""Defines the types of a dialect's tables: keys, tools, models, calls.

Invariants: the module has only values. Every table entry names its source. Nothing here depends on
a particular vendor.
"""

from collections.abc import Mapping
from enum import Enum, IntEnum
from re import Pattern

from agent_lsp.data_classes import dataclass, field
from agent_lsp.text import Span


class Severity(IntEnum):
    """The consequence of a finding, in the Language Server Protocol's numbers."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4


class ValueKind(Enum):
    """The type of a key's value."""

    TEXT = "string"
    BOOL = "true or false"
    CHOICE = "one of a few words"
    NUMBER = "whole number"
    LIST = "list of strings"
    RECORDS = "list of mappings"
    TABLE = "table"


class KeyRole(Enum):
    """The subject of a key or an argument, which decides what is offered for it."""

    DESCRIPTION = "description"
    MODEL = "model"
    EFFORT = "effort"
    SANDBOX = "sandbox"
    ALLOW = "allow"
    DENY = "deny"
    PERSONAS = "personas"
    PERSONA_NAME = "persona name"
    AGENT = "agent"
    OTHER_AGENT = "another agent"
    TASK = "task"
    PROMPT = "prompt"
    MODE = "mode"
    AVAILABILITY = "who can reach it"
    SKILL = "skill"
    SERVER = "MCP server"
    PROGRAM = "the program that answers"

    # Answers about files have roles in their keys. The hash of an enum is a call in Python.
    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a fact, and when it was read (ISO date)."""

    where: str
    read: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A word that a key accepts, and its meaning."""

    name: str
    meaning: str


class IfWrong(Enum):
    """The consequence of a value that a key does not take; each completes the sentence "or …"."""

    REFUSED = "the runtime refuses the template"
    FILE_LOST = "the whole file is lost"
    PROJECT_LOST = "nothing in the project starts"
    IGNORED = "the runtime ignores it"
    EVERYTHING = "the runtime reads it as everything"
    CALL_FAILS = "the template loads, and every call of it fails"

    @property
    def loads(self) -> bool:
        """Whether the runtime still loads the template."""
        return self in (IfWrong.IGNORED, IfWrong.EVERYTHING, IfWrong.CALL_FAILS)


@dataclass(frozen=True, slots=True)
class When:
    """A condition of a key: `key` in the same mapping has to be one of `values`.

    `default` is the word that the runtime uses if `key` is missing.
    """

    key: str
    values: tuple[str, ...]
    default: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a header or of a mapping inside it.

    `default` says what the runtime does without the key. `required_by` names who refuses a template
    without it, or is None. `nullable` tells whether null counts as unset. `mandatory` tells whether
    the parser itself fails without the key. `items` are the keys of a table or of a list's
    mappings. `record` is the runtime's name for such a mapping, for the type of a number or for a
    choice.

    A list that is `in_text` may be a text whose items are separated by commas. In a table that is
    `closed`, people do not put keys of their own. In a table that `is_named`, people choose the
    names, and `items` are the keys of the table under each name. A choice with `items` may be a
    table instead. `others` is what each further name of a table means, where that is the same for
    all. `when` is the value of another key that this key needs. `if_wrong` is the consequence of a
    value that the key does not take, or None if it is that of the whole header. `no_effect` says
    why a right value does nothing.
    """

    name: str
    kind: ValueKind
    meaning: str
    default: str
    role: KeyRole | None = None
    required_by: str | None = None
    mandatory: bool = False
    nullable: bool = True
    choices: tuple[Choice, ...] = ()
    items: "tuple[Key, ...]" = ()
    others: "Key | None" = None
    record: str = ""
    example: str = ""
    in_text: bool = False
    closed: bool = False
    is_named: bool = False
    when: When | None = None
    if_wrong: IfWrong | None = None
    no_effect: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the runtime can offer; `group` is its heading.

    `meaning` completes the sentence "It …". `condition` says what a session needs to have the tool,
    as in "it exists only if …", and is empty if every session has it. `notes` are advice for
    authors who give the tool to an agent.
    """

    name: str
    meaning: str
    group: str
    condition: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Model:
    """A model that the runtime describes, with the efforts that it supports.

    A model with a `note` is known from another source. The note names the source, and says how the
    runtime treats the model. A model with a `generation` exists only for files of it.
    """

    name: str
    efforts: tuple[str, ...]
    note: str = ""
    generation: str = ""


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument of a runtime call; a `content` one only carries a message and changes nothing.

    `choices` are the only words that it takes, or empty.
    """

    name: str
    type: type
    meaning: str
    content: bool = False
    role: KeyRole | None = None
    choices: tuple[Choice, ...] = ()


class RefusedFile(Enum):
    """The runtime's treatment of a file that it refuses."""

    PROMPT = "the whole file is the prompt"
    SKIPPED = "it defines nothing, and a file of the same name in a lower scope is used"
    CATALOG = "no agent at all loads, whatever its file"


@dataclass(frozen=True, slots=True)
class Consequence:
    """The loss if the runtime cannot use a header, in one clause each.

    `file` says what happens to the file as a whole. `unclosed` is the loss for a header without an
    end, if it differs from that for a missing header. `unreadable` is the loss for a file that is
    not text, if the runtime may do something other than to ignore it.
    """

    header_refused: str
    header_absent: str
    file: RefusedFile = RefusedFile.PROMPT
    unclosed: str = ""
    unreadable: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """Where the hooks in a header name the commands that they run.

    The keys of `commands` each hold a command. `folder` matches a variable for the folder of the
    session at the start of a path. Where the hooks are `plain`, one may be in the list of its event
    without a matcher, needs no `type`, and runs in its `cwd`.
    """

    commands: tuple[str, ...] = ("command",)
    folder: Pattern[str] | None = None
    plain: bool = False


class WordKind(Enum):
    """The kind of a word."""

    KEY = "key"
    VALUE = "value"
    TOOL = "tool"
    AGENT = "agent"


@dataclass(frozen=True, slots=True)
class WordAt:
    """A word at `span` without its quotes, and the words that may stand there.

    `title` says what kind of word this is. `notes` are shown in its hover. `shapes` are snippets
    that insert more than the word, by the words that they begin with.
    """

    sort: WordKind
    title: str
    span: Span
    word: str
    offers: tuple[Choice, ...]
    notes: tuple[str, ...] = ()
    shapes: Mapping[str, str] = field(default_factory=dict)

    @property
    def meaning(self) -> str:
        """The meaning of the word, or nothing if it is not among the offers."""
        return next((one.meaning for one in self.offers if one.name == self.word), "")
