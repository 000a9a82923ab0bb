"""Builds a completion item, fits its text to the place, and orders items by their use."""

import re
from enum import Enum
from functools import lru_cache

from agent_lsp.analysis import render
from agent_lsp.analysis.context.contexts import line_at
from agent_lsp.data_classes import dataclass
from agent_lsp.model.conversion import Ability
from agent_lsp.model.dialect import Dialect, Notation
from agent_lsp.model.schema import Tool
from agent_lsp.patterns import regex
from agent_lsp.syntax.yaml.edit import quote
from agent_lsp.text import Span, TextEdit


class CompletionKind(Enum):
    """The kind of a completion item, so that an editor can draw it."""

    KEY = "key"
    VALUE = "value"
    TOOL = "tool"
    PATTERN = "pattern"
    PERSONA = "persona"
    SNIPPET = "snippet"
    FILE = "file"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class Completion:
    """A completion item.

    `edit` is plain text. `snippet` is the same text with tab stops in the syntax of the Language
    Server Protocol, or None if it has none. `detail` is one line, and `documentation` is Markdown.
    An editor sorts by `sort`, and compares `filter` with what is typed. `retrigger` asks for
    completions again right after this one. `deprecated` marks an item without an effect. `indent`
    is the text with which every line of the edit after its first begins because of the cursor's
    line. Editors that indent by themselves must not get it.
    """

    label: str
    kind: CompletionKind
    edit: TextEdit
    snippet: str | None
    detail: str
    documentation: str
    sort: str
    filter: str
    retrigger: bool = False
    deprecated: bool = False
    indent: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """The label and documentation of a completion item."""

    detail: str
    documentation: str = ""


def offer(
    text: str,
    typed: Span,
    label: str,
    kind: CompletionKind,
    body: str,
    words: Words,
    place: int,
    *,
    retrigger: bool = False,
    deprecated: bool = False,
) -> Completion:
    """The completion item that replaces `typed` by `body`, which is in snippet syntax."""
    # Editors compare the filter text with the whole replaced text, including a quote.
    mark = typed_quote(text, typed)
    return Completion(
        label=label,
        kind=kind,
        edit=TextEdit(typed, plain(body)),
        snippet=body if any(found[1] is None for found in _SYNTAX.finditer(body)) else None,
        detail=words.detail,
        documentation=words.documentation or render.words(words.detail),
        sort=f"{place:04}",
        filter=mark + label,
        retrigger=retrigger,
        deprecated=deprecated,
        indent=_blanks(text, typed.start),
    )


_SPECIAL = regex(r"[\\$}]")
# An escaped character, or a tab stop with its default or its choices.
_SYNTAX = regex(r"\\([\\$}])|\$(?:\d+|\{\d+(?::((?:[^\\}]|\\.)*)|\|((?:[^\\|]|\\.)*)\|)\})")
_CHOICES = regex(r"\$\{(\d+)\|((?:[^\\|]|\\.)*)\|\}")
_IN_CHOICE = regex(r"[\\,|]")
_FIRST = regex(r"(?:[^\\,]|\\.)*")


def literal(text: str) -> str:
    """`text`, escaped for a snippet."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def tab_stop(number: int, choices: tuple[str, ...]) -> str:
    """A tab stop with a default, which is the first of the `choices`; none if there is none."""
    match choices:
        case ():
            return f"${number}"
        case (default,):
            return f"${{{number}:{literal(default)}}}"
        case _:
            escaped = (_IN_CHOICE.sub(r"\\\g<0>", choice) for choice in choices)
            return f"${{{number}|{','.join(escaped)}|}}"


def plain(snippet: str) -> str:
    """The text of a snippet, with the defaults of its tab stops."""
    return _SYNTAX.sub(
        lambda found: found[1] or plain(found[2] or "") or _first(found[3] or ""), snippet
    )


def without_choices(snippet: str) -> str:
    """`snippet` with a default in the place of choices, which not every editor knows."""
    return _CHOICES.sub(lambda found: f"${{{found[1]}:{literal(_first(found[2]))}}}", snippet)


def _first(choices: str) -> str:
    found = _FIRST.match(choices)
    return re.sub(r"\\(.)", r"\1", found[0]) if found else ""


def newline(text: str) -> str:
    """The line end that a file uses, according to its first line."""
    end = text.find("\n")
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def indent(text: str, offset: int) -> str:
    """The indentation of `offset`: its line up to there, with a blank for each other character."""
    return re.sub(r"[^ \t]", " ", text[line_at(text, offset).start : offset])


def _blanks(text: str, offset: int) -> str:
    """The blanks at the start of the line of `offset`, up to `offset`."""
    before = text[line_at(text, offset).start : offset]
    return before[: len(before) - len(before.lstrip(" \t"))]


def typed_quote(text: str, typed: Span) -> str:
    """The quote at the start of the typed text, or nothing."""
    first = typed.of(text)[:1]
    return first if first in ("'", '"') else ""


# Each keystroke offers the same few names.
@lru_cache(maxsize=1024)
def scalar(value: str, mark: str, notation: Notation, *, flow: bool) -> str:
    """`value` as a text: in the quotes that are already typed, or else in those that it needs."""
    if mark == "'" and notation is Notation.YAML:
        return "'" + value.replace("'", "''") + "'"
    if mark == "'" and notation is Notation.TOML and "'" not in value:
        return f"'{value}'"
    if mark or notation is not Notation.YAML:
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return quote(value, flow=flow)


@lru_cache(maxsize=1024)
def key_name(name: str, notation: Notation) -> str:
    """`name` as a key, in quotes if it needs them."""
    if notation is Notation.YAML:
        return name
    is_bare = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    is_plain = is_bare and notation is Notation.TOML
    return name if is_plain else scalar(name, "", notation, flow=True)


_ABILITIES = (
    *(Ability.READ, Ability.SEARCH, Ability.FIND, Ability.WRITE, Ability.RUN, Ability.EDIT),
    *(Ability.SEARCH_WEB, Ability.FETCH, Ability.SPAWN, Ability.PLAN),
)
_LOOKING = frozenset({Ability.READ, Ability.SEARCH, Ability.FIND})
_MOST = 3


def by_use(dialect: Dialect) -> tuple[Tool, ...]:
    """The tools of `dialect` that a list may name, those that authors write most first."""
    return tuple(sorted(dialect.tools.listed, key=lambda tool: _rank(dialect, tool.name)))


def to_begin_with(dialect: Dialect) -> tuple[str, ...]:
    """A few tools that every session has and that only look at files; none if too few are known."""
    found: dict[Ability, str] = {}
    for tool in by_use(dialect):
        gives = _gives(dialect, tool.name)
        if len(gives) == 1 and gives <= _LOOKING and not tool.condition:
            found.setdefault(next(iter(gives)), tool.name)
    return tuple(found.values())[:_MOST]


def _rank(dialect: Dialect, tool: str) -> int:
    places = (_ABILITIES.index(one) for one in _gives(dialect, tool) if one in _ABILITIES)
    return min(places, default=len(_ABILITIES))


def _gives(dialect: Dialect, tool: str) -> frozenset[Ability]:
    effect = dialect.conversion.tools.get(tool) if dialect.conversion is not None else None
    return effect.gives if effect is not None else frozenset()
