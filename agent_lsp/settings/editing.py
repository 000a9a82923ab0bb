"""Helps to edit a settings file: what is wrong in it, what may be written, and what it means.

Invariants: all of it comes from the forms that validate the settings. A half-typed file is
completed like any other.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from enum import Enum

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from agent_lsp.analysis.checks import codes as all_codes
from agent_lsp.analysis.completion.offer import Completion, CompletionKind, Words, literal, offer
from agent_lsp.analysis.context.contexts import line_at
from agent_lsp.analysis.hover import Hover
from agent_lsp.analysis.render import code, words
from agent_lsp.data_classes import dataclass
from agent_lsp.dialects import BY_USE, SYSTEMS
from agent_lsp.installed import installed
from agent_lsp.model.dialect import Variants
from agent_lsp.model.system import program_names
from agent_lsp.patterns import regex
from agent_lsp.settings import placed
from agent_lsp.settings.forms import LEVELS, ExtrasForm, InFile, Place
from agent_lsp.syntax import toml
from agent_lsp.syntax.nodes import Mapping as NodeMapping
from agent_lsp.syntax.nodes import Node, Sequence
from agent_lsp.syntax.toml.read import excess
from agent_lsp.text import Span

_SEVERITY, _FOLDERS, _DIALECTS, _PROGRAMS = "severity", "folders", "dialects", "for"
_TABLES = (_SEVERITY, _FOLDERS, _DIALECTS)


@dataclass(frozen=True, slots=True)
class Mistake:
    """Something at `span` of a settings file that does not count, and why."""

    span: Span
    message: str


def mistakes(text: str) -> tuple[Mistake, ...]:
    """What is wrong in the `text` of a settings file, in the order of the file."""
    first = line_at(text, 0)
    if problem := excess(text):
        return (Mistake(first, f"all settings of this file are ignored: {problem}"),)
    tree = toml.parse(text.removeprefix("\ufeff"), len(text) - len(text.removeprefix("\ufeff")))
    try:
        data = tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        said = tree.problem.message if tree.problem is not None else str(error)
        span = tree.problem.span if tree.problem is not None else first
        return (Mistake(span, f"not valid TOML, so all settings of this file are ignored: {said}"),)
    _, problems = placed(InFile, data)
    found = (Mistake(_span(tree.root, place), message) for place, message in problems.items())
    return tuple(sorted(found, key=lambda one: one.span))


def _span(root: Node | None, place: Place) -> Span:
    """The value at `place`, or its key if only the key says what is wrong."""
    held, span = root, Span(0, 0)
    for step in place:
        if isinstance(held, NodeMapping) and (entry := held.get(str(step))) is not None:
            held, span = entry.node, entry.key.span
        elif isinstance(held, Sequence) and isinstance(step, int) and step < len(held.items):
            held = held.items[step]
            span = held.span
        else:
            return span
    is_table = held is None or isinstance(held, NodeMapping)
    is_key = len(place) == 1 or place[0] == _DIALECTS or place[0] == _SEVERITY
    return span if is_table or (is_key and not _is_value(place)) else held.span if held else span


def _is_value(place: Place) -> bool:
    """Whether a mistake at `place` is one of the value, because the key is known."""
    match place:
        case (str(name),):
            return name in _fields(InFile)
        case ("severity", str(name)):
            return name in all_codes(SYSTEMS)
        case ("dialects", str(), str(name)):
            return name in _fields(ExtrasForm)
    return True


class _Kind(Enum):
    """The syntax at a place of a settings file."""

    TABLE = "header of a table"
    KEY = "key"
    VALUE = "value"
    ITEM = "item of a list"


@dataclass(frozen=True, slots=True)
class _Spot:
    """The place of a cursor: `path` is that of the table for a key, and of the key for a value."""

    kind: _Kind
    path: tuple[str, ...]
    typed: Span


@dataclass(frozen=True, slots=True)
class _Choice:
    """A name that may be written, and what it means; `body` is what is inserted, as a snippet."""

    name: str
    meaning: str
    body: str
    retrigger: bool = False


def complete_settings(text: str, offset: int) -> tuple[Completion, ...]:
    """The completion items at `offset` of the settings file `text`."""
    spot = _spot(text, offset)
    if spot is None:
        return ()
    is_key = spot.kind in (_Kind.KEY, _Kind.TABLE)
    kind = CompletionKind.KEY if is_key else CompletionKind.VALUE
    return tuple(
        offer(
            text,
            spot.typed,
            choice.name,
            kind,
            choice.body,
            Words(choice.meaning, words(choice.meaning)),
            at,
            retrigger=choice.retrigger,
        )
        for at, choice in enumerate(_choices(spot))
    )


def hover_settings(text: str, offset: int) -> Hover | None:
    """What the word at `offset` of the settings file `text` means, or None."""
    spot = _spot(text, offset)
    if spot is None:
        return None
    whole = Span(spot.typed.start, _word_end(text, spot.typed.end))
    name = whole.of(text).strip("\"'")
    if spot.kind is _Kind.TABLE:
        name = (_names(name) or ("",))[-1]
    meaning = next((one.meaning for one in _choices(spot) if one.name == name), "")
    if not meaning or not name:
        return None
    lines = [f"{code(name)}: {words(meaning)}"]
    if name in all_codes(SYSTEMS):
        lines.append(f"[The page of this rule]({installed(f'docs/rules/{name}.md').as_uri()})")
    return Hover(whole, "\n\n".join(lines) + "\n")


_TABLE = regex(r"[ \t]*\[(?P<name>[^\[\]#\n]*)")
_PAIR = regex(r"[ \t]*(?P<key>(?:\"[^\"\n]*\"|'[^'\n]*'|[\w.-])+)[ \t]*=[ \t]*")
_NAME = regex(r"\"([^\"\n]*)\"?|'([^'\n]*)'?|([\w-]+)")
_OPEN_LIST = regex(r"(?P<before>.*)\[[^\]\n]*\Z")
_WORD = regex(r"[\w.*/-]*")
_TEXTS = regex(r"\"[^\"\n]*\"|'[^'\n]*'")
_TYPED = regex(r"(?:\"[^\"\n]*|'[^'\n]*|[\w./*-]*)\Z")


def _spot(text: str, offset: int) -> _Spot | None:
    line = line_at(text, offset)
    before = text[line.start : offset]
    if _is_comment(before):
        return None
    start = offset - len(_typed(before))
    end = _typed_end(text, start, offset, line.end)
    header = _TABLE.match(text, line.start, line.end)
    table, opened = _above(text, line.start)
    if opened is not None:
        return _Spot(_Kind.ITEM, (*table, *opened), Span(start, end))
    if header is not None and header.start("name") <= offset <= header.end("name"):
        return _Spot(_Kind.TABLE, (), Span(header.start("name"), header.end("name")))
    pair = _PAIR.match(text, line.start, line.end)
    if pair is None or offset <= pair.end("key"):
        return _Spot(_Kind.KEY, table, Span(start, end))
    if offset < pair.end():
        return None
    path = (*table, *_names(pair["key"]))
    in_list = _OPEN_LIST.match(text[pair.end() : start])
    return _Spot(_Kind.ITEM if in_list else _Kind.VALUE, path, Span(start, end))


def _typed(before: str) -> str:
    """The end of `before` that belongs to the word or to the text in quotes at the cursor."""
    whole = _TEXTS.sub(lambda text: " " * len(text[0]), before)
    found = _TYPED.search(whole)
    return before[len(before) - len(found[0]) :] if found and found[0] else ""


def _is_comment(before: str) -> bool:
    """Whether a comment begins in `before`, a part of a line without texts of several lines."""
    return "#" in re.sub(r"\"[^\"]*\"?|'[^']*'?", "", before)


def _typed_end(text: str, start: int, offset: int, limit: int) -> int:
    """The end of the word or of the text in quotes in which the cursor is."""
    quote = text[start : start + 1]
    if quote in ('"', "'") and start < offset:
        closed = text.find(quote, offset, limit)
        return offset if closed < 0 else closed + 1
    return _word_end(text, offset)


def _word_end(text: str, offset: int) -> int:
    found = _WORD.match(text, offset)
    return found.end() if found else offset


def _above(text: str, end: int) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """The table of the line at `end`, and the key of the list that is open there, if one is."""
    table: tuple[str, ...] = ()
    opened: tuple[str, ...] | None = None
    for row in text[:end].split("\n"):
        if opened is not None:
            opened = None if "]" in row else opened
        elif (pair := _PAIR.match(row)) is not None:
            value = row[pair.end() :]
            opened = _names(pair["key"]) if value.startswith("[") and "]" not in value else None
        elif (header := _TABLE.match(row)) is not None:
            table = _names(header["name"])
    return table, opened


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(double or single or bare for double, single, bare in _NAME.findall(dotted))


def _choices(spot: _Spot) -> Iterator[_Choice]:
    if spot.kind is _Kind.TABLE:
        for name in _TABLES:
            body = f"{_DIALECTS}.$1" if name == _DIALECTS else name
            yield _Choice(name, _fields(InFile)[name].description or "", body)
        for system in SYSTEMS:
            name = f"{_DIALECTS}.{system.id}"
            yield _Choice(
                name,
                f"what exists for {system.title} in addition to the built-in lists",
                literal(name),
            )
    elif spot.kind is _Kind.KEY:
        yield from _keys(spot.path)
    else:
        for name, meaning in _values(spot.path):
            word = "false" if name == "false" else f'"{literal(name)}"'
            is_list = spot.kind is _Kind.VALUE and _is_list(spot.path)
            yield _Choice(name, meaning, f"[{word}]" if is_list else word)


def _keys(table: tuple[str, ...]) -> Iterator[_Choice]:
    match table:
        case ():
            yield from (_entry(*one) for one in _fields(InFile).items() if one[0] not in _TABLES)
            for name in _TABLES:
                body = f"[{_DIALECTS}.$1]" if name == _DIALECTS else f"[{name}]\n"
                yield _Choice(name, _fields(InFile)[name].description or "", body)
        case ("severity",):
            for rule in all_codes(SYSTEMS):
                yield _Choice(rule, _claim(rule), f'{literal(rule)} = "$1"', retrigger=True)
        case ("dialects",):
            for system in BY_USE:
                yield _Choice(system.id, system.title, f"{literal(system.id)}.$1")
        case ("dialects", _):
            yield from (_entry(*one) for one in _fields(ExtrasForm).items())


def _entry(name: str, field: FieldInfo) -> _Choice:
    shape = '["$1"]' if field.default == [] else '"$1"'
    return _Choice(name, field.description or "", f"{literal(name)} = {shape}", retrigger=True)


def _values(path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    match path:
        case ("severity", _):
            yield from ((level, "the severity of its findings") for level in LEVELS)
        case ("folders", _):
            yield from ((system.id, f"a folder of {system.title}") for system in BY_USE)
            yield "false", "a folder without templates, with everything below it"
        case ("for",):
            yield from (
                (name, "a program to check for in this project") for name in program_names(BY_USE)
            )
        case ("dialects", name, "generation"):
            for one in _variants(name).generations:
                yield one.name, one.meaning
        case ("dialects", name, "readers"):
            for reader in _variants(name).readers:
                yield reader.id, reader.name


def _variants(name: str) -> Variants:
    system = next((one for one in SYSTEMS if one.id == name), None)
    return system.dialect.variants if system is not None else Variants()


def _is_list(path: tuple[str, ...]) -> bool:
    return path == (_PROGRAMS,) or path[-1] == "readers"


def _claim(rule: str) -> str:
    """The first line of the page of `rule`, or nothing if the page is missing."""
    try:
        with installed(f"docs/rules/{rule}.md").open(encoding="utf-8") as page:
            return page.readline().partition(": ")[2].strip()
    except OSError:
        return ""


def _fields(form: type[BaseModel]) -> Mapping[str, FieldInfo]:
    return {field.alias or name: field for name, field in form.model_fields.items()}
