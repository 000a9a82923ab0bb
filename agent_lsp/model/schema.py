"""The words in which the tables of a dialect are written: keys, tools, models, calls.

Invariants: values only; every table entry names its source; nothing here knows a particular vendor.
"""

from dataclasses import dataclass
from enum import Enum, IntEnum

from agent_lsp.text import Span


class Severity(IntEnum):
    """The consequence of a finding, in the Language Server Protocol's numbers."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4


class ValueKind(Enum):
    """The type of a key's value."""

    TEXT = "text"
    BOOL = "true or false"
    CHOICE = "one of a few words"
    NUMBER = "whole number"
    LIST = "list of texts"
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
    AVAILABILITY = "who can come to it"


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
    EVERYTHING = "the runtime takes it for everything"
    CALL_FAILS = "the template loads, and every call of it fails"

    @property
    def loads(self) -> bool:
        """Whether the runtime loads the template all the same."""
        return self in (IfWrong.IGNORED, IfWrong.EVERYTHING, IfWrong.CALL_FAILS)


@dataclass(frozen=True, slots=True)
class When:
    """A key belongs into a mapping where `key` beside it is one of `values`.

    `default` is the word that the runtime takes if `key` is not there.
    """

    key: str
    values: tuple[str, ...]
    default: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a header or of a mapping inside it.

    `default` says what the runtime does without the key; `required_by` names who refuses a
    template that lacks it, or is None; `nullable` tells whether null counts as unset;
    `mandatory` whether the parser itself fails without it; `items` are the keys of a
    table or of a list's mappings and `record` the runtime's name for such a mapping, for the type
    of a number or for a choice. A list that is `in_text` may be a text whose items commas divide.
    A table that is `closed` is none in which people put keys of their own. In one that `is_named`
    they choose the names, and `items` are the keys of the table of each. `when` says which value
    beside it the key needs. `if_wrong` is the consequence of a value that it does not take, None if
    that is the one of the whole header; and `no_effect` says why a right one does nothing.
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

    `meaning` completes the sentence "It …". `condition` says what has to be so for a session to
    have the tool, as in "it exists only if …", and is empty where every session has it. `notes`
    are for those who give it to an agent.
    """

    name: str
    meaning: str
    group: str
    condition: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Model:
    """A model that the runtime describes, with the efforts that it supports.

    One with a `note` is known from elsewhere: that says from where, and what the runtime makes of
    it. Only files of its `generation` have it, if it has one.
    """

    name: str
    efforts: tuple[str, ...]
    note: str = ""
    generation: str = ""


@dataclass(frozen=True, slots=True)
class PartialWord:
    """A word inside of a value that has to be one of `choices`, at `span` of the value."""

    span: Span
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument of a runtime call; `content` ones only carry a message and change nothing.

    `choices` are the words that it takes where it takes no others.
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
    SKIPPED = "it defines nothing, and a file of its name in a lower scope stays in force"
    CATALOG = "no agent at all loads, whatever its file"


@dataclass(frozen=True, slots=True)
class Consequence:
    """The loss if the runtime cannot use a header, in one clause each.

    `file` says what becomes of the file as a whole, and `unclosed` is for a header without an
    end, if that is another matter than none at all.
    """

    header_refused: str
    header_absent: str
    file: RefusedFile = RefusedFile.PROMPT
    unclosed: str = ""
