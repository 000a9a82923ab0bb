"""Defines the types of a dialect's tables (keys, tools, models, calls), and finds keys by path.

Invariants: every table entry names its source. Nothing here depends on a particular vendor. The
walk along a path is the same for YAML, TOML and JSON, because their trees are the same. A path may
lead to a place where nothing is written yet. A key that needs a certain value of another key is
left out only if that value decides against it. If the value is unknown or missing without a
default, all keys stay.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum, IntEnum
from re import Pattern

from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.syntax import nodes
from agent_lsp.syntax.nodes import Entry, Node, Scalar, Sequence, resolve
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
    """The consequence of a value that a key does not take; each completes the sentence "or …".

    The first three are severe: the header does not count. There, a dialect has a sentence of its
    own, which says more: `Consequence.header_refused`. With the others the template loads all the
    same. A value that is ignored is as if the key were not there.
    """

    REFUSED = "the runtime uses nothing of the header"
    LOST = "the file defines nothing"
    STOPS = "no agent at all loads"
    IGNORED = "the runtime ignores it"
    LEFT_OUT = "the runtime leaves out the entry around it"
    EMPTY = "the runtime reads it as an empty list"
    EVERYTHING = "the runtime ignores it, so it restricts nothing"
    CALL_FAILS = "the template loads, and every call of it fails"
    LIST_FAILS = "every request for the list of agents fails in this project"
    UNDOCUMENTED = "no documentation says what the runtime does"

    # What a file has is looked up in what checks need. The hash of an enum is a call in Python.
    __hash__ = object.__hash__

    @property
    def is_severe(self) -> bool:
        """Whether the header does not count."""
        return self in _SEVERE


_SEVERE = (IfWrong.REFUSED, IfWrong.LOST, IfWrong.STOPS)


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

    A number that `has_fraction` need not be whole. A list that is `in_text` may be a text whose
    items are separated by commas. In a table that is `closed`, people do not put keys of their own.
    In a table that `is_named`, people choose the names, and `items` are the keys of the table under
    each name. A choice with `items` may be a table instead. `others` is what each further name of a
    table means, where that is the same for all. `when` is the value of another key that this key
    needs. `if_wrong` is the consequence of a value that the key does not take, or None if it is
    that of most keys of the `Schema`. `no_effect` says why a right value does nothing.
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
    has_fraction: bool = False

    @property
    def type_name(self) -> str:
        """The type of its value, for people."""
        return "number" if self.has_fraction else self.kind.value


@dataclass(frozen=True, slots=True)
class Renamed:
    """The new name of a key that the runtime ignores.

    `key` is the key to write instead, or None if no key has the same effect. `lost` is a clause
    that says what the file loses. `empty_meant_all` says that an empty list was no restriction
    under the old key, and is one under the new key.
    """

    key: str | None
    lost: str
    empty_meant_all: bool = False


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


# The names and the numbers of items that lead from the root of a tree to a node.
KeyPath = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """A mapping, a list or a value, found by the names that lead to it.

    `key` is the key of the last name, or None for an unknown key and for the root. `keys` are the
    keys that belong in the mapping, and none if the place is no mapping. `is_named` says that
    people choose the names here.
    """

    key: Key | None
    keys: tuple[Key, ...]
    is_named: bool = False

    def named(self, name: str) -> Key | None:
        """The key called `name` that belongs here, or None."""
        return next((key for key in self.keys if key.name == name), None)


def place_at(keys: tuple[Key, ...], root: Node | None, path: KeyPath) -> KeyPlace:
    """The place at `path` below `root`, a mapping for `keys`.

    A name below a list of mappings, without the number of an item, belongs to the last item.
    """
    node = resolve(root)
    place = KeyPlace(None, counting(keys, node))
    for step in path:
        if isinstance(step, str) and isinstance(node, Sequence):
            node = _child(node, -1)
            place = _into(place, -1, node)
        node = _child(node, step)
        place = _into(place, step, node)
    return place


def path_of(above: Iterable[nodes.Mapping | Entry | Sequence], last: Node | None = None) -> KeyPath:
    """The path through the nodes `above`, and to an item `last` of the last of them."""
    path: list[str | int] = []
    around: Sequence | None = None
    for step in (*above, *(() if last is None else (last,))):
        if around is not None:
            path.append(next((n for n, item in enumerate(around.items) if item is step), -1))
        around = step if isinstance(step, Sequence) and step is not last else None
        if isinstance(step, Entry):
            path.append(step.name or "")
    return tuple(path)


def every(keys: Iterable[Key]) -> Iterator[Key]:
    """The keys and all keys inside of them, the outer ones first."""
    waiting = list(keys)
    seen: set[int] = set()
    while waiting:
        key = waiting.pop(0)
        yield key
        # Many keys may share their inner keys.
        if key.items and id(key.items) not in seen:
            seen.add(id(key.items))
            waiting += key.items


def with_consequence(keys: Iterable[Key], if_wrong: IfWrong) -> tuple[Key, ...]:
    """The keys, of which each that states no other consequence has this one, at any depth."""
    return tuple(
        replace(
            key,
            if_wrong=key.if_wrong or if_wrong,
            items=with_consequence(key.items, if_wrong),
            others=next(iter(with_consequence(filter(None, (key.others,)), if_wrong)), None),
        )
        for key in keys
    )


def dotted(
    keys: tuple[Key, ...], table: Node | None, prefix: str = ""
) -> Iterator[tuple[str, Entry]]:
    """The values written in `table` and in the tables inside of it, by their dotted names."""
    node = resolve(table)
    for entry in node.entries if isinstance(node, nodes.Mapping) else ():
        name = f"{prefix}{entry.name}"
        key = next((key for key in keys if key.name == entry.name), None)
        is_table = key is not None and key.kind is ValueKind.TABLE
        if is_table and isinstance(entry.node, nodes.Mapping):
            yield from dotted(key.items if key else (), entry.value, f"{name}.")
        elif isinstance(entry.key, Scalar):
            yield name, entry


def counting(keys: tuple[Key, ...], node: Node | None) -> tuple[Key, ...]:
    """The `keys` that apply, given the values of the keys on which they depend."""
    for key in keys:
        if key.when is not None:
            break
    else:
        # Each keystroke asks this for each mapping, and most have no such keys.
        return keys
    words = _deciding(keys, node if isinstance(node, nodes.Mapping) else None)
    found: dict[str, Key] = {}
    for key in keys:
        word = words[key.when.key] if key.when is not None else None
        if key.when is None or word is None or word in key.when.values:
            found.setdefault(key.name, key)
    return tuple(found.values())


def _into(place: KeyPlace, step: str | int, node: Node | None) -> KeyPlace:
    key = place.key
    if isinstance(step, int):
        is_record = key is not None and key.kind is ValueKind.RECORDS
        return KeyPlace(key, counting(key.items, node) if is_record and key else ())
    if place.is_named and key is not None:
        return KeyPlace(replace(key, is_named=False), counting(key.items, node))
    found = place.named(step)
    if found is None and key is not None and key.others is not None:
        found = replace(key.others, name=step)
    if found is None or not may_be_table(found):
        return KeyPlace(found, ())
    return KeyPlace(found, () if found.is_named else counting(found.items, node), found.is_named)


def wrong_value(key: Key) -> str:
    """What is wrong where `if_wrong` says what follows; a text of another kind may be right."""
    return "a value" if key.kind is ValueKind.CHOICE else "a type of value"


def may_be_table(key: Key) -> bool:
    """Whether the value of a key may be a table."""
    return key.kind is ValueKind.TABLE or (key.kind is ValueKind.CHOICE and bool(key.items))


def _child(node: Node | None, step: str | int) -> Node | None:
    if isinstance(step, str):
        entry = node.get(step) if isinstance(node, nodes.Mapping) else None
        return entry.node if entry is not None else None
    items = node.items if isinstance(node, Sequence) else ()
    return resolve(items[step]) if -len(items) <= step < len(items) else None


def _deciding(keys: tuple[Key, ...], node: nodes.Mapping | None) -> Mapping[str, str | None]:
    """The word or the default of each key on which others depend; None decides nothing."""
    found: dict[str, str | None] = {}
    conditions = [key.when for key in keys if key.when is not None]
    for name in dict.fromkeys(one.key for one in conditions):
        known = {word for one in conditions if one.key == name for word in one.values}
        default = next((one.default for one in conditions if one.key == name and one.default), None)
        entry = node.get(name) if node is not None else None
        value = entry.node if entry is not None else None
        word = value.value if isinstance(value, Scalar) else None
        found[name] = default if entry is None else word if word in known else None
    return found
