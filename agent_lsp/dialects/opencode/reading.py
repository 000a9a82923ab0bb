"""Reads one agent file as OpenCode does: fences, header, values, name and prompt.

Invariants: an error is one fault for which the program does not start; a header that cannot be
read is a possible error, because the agent is there without it.
Facts: OpenCode 1.18.33, measured 2026-11-28 (`tests/conformance/opencode.jsonl`): a header begins
with `---` at the very start and ends at the first line that begins so, or with the file. What
stands behind the first `---` names the language of the header.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import lru_cache
from pathlib import Path

from agent_lsp.data_classes import replace
from agent_lsp.dialects.opencode import header_text, rules
from agent_lsp.dialects.opencode.facts import LOST, OPTION, OWN, SKIPPED
from agent_lsp.dialects.opencode.header_text import Outcome
from agent_lsp.dialects.opencode.validation import Issue, validate
from agent_lsp.dialects.opencode.values import Fault, as_json, members, value_of, written
from agent_lsp.model.runtime import DefinedName, Scope
from agent_lsp.model.schema import IfWrong
from agent_lsp.model.template import (
    Block,
    LoadError,
    LoadErrorKind,
    Reading,
    Template,
    Value,
)
from agent_lsp.patterns import regex
from agent_lsp.syntax import nodes
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind, Frontmatter
from agent_lsp.syntax.nodes import Entry, Scalar, resolve
from agent_lsp.text import Span

_FENCE, _ENDING = "---", ".md"
_MARK = "\ufeff"
_OPENING = regex(r"\ufeff?---(?!-)(?P<language>[^\n]*?)(?P<end>\r?\n|\Z)")
_YAML = frozenset({"", "yaml", "yml"})
_SCRIPT = frozenset({"js", "javascript"})
# What JavaScript trims.
BLANK = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_NOTHING = Template({}, (), (Block(None, "", Span(0, 0)),))
_RULES = {"permission": rules.of_permission, "tools": rules.of_tools}
# The header is read in the second try; the whole text comes with it.
MENDED = "the header is read in a second try"
NAME_MESSAGE = "Expected string, got {}"
# No list of agents is answered with an option that JSON has no word for.
OPTION_MESSAGE = "Expected JSON value, got {}"


class Fate(Enum):
    """What the program does with a header."""

    READ = "it is read"
    MENDED = "only the second try reads it, and only once in the life of the program"
    LOST = "the whole file is the prompt"
    SKIPPED = "the file is skipped"
    RUN = "it is run as JavaScript"


def split(text: str, _bom: bool) -> Frontmatter:
    """The header, the fences and the body of `text`; one byte-order mark does not count."""
    opened = _OPENING.match(text)
    if opened is None:
        return Frontmatter(FenceKind.ABSENT, Span(0, 0), Span(0, 0), None, Span(0, len(text)))
    mark = len(_MARK) if text.startswith(_MARK) else 0
    opening = Span(mark, opened.start("end"))
    start = opened.end()
    # The line end of the opening fence may be that of the closing one.
    close = text.find(f"\n{_FENCE}", opened.start("end"))
    if close < 0:
        end = len(text)
        return Frontmatter(FenceKind.CLOSED, opening, Span(start, end), None, Span(end, end))
    is_crlf = text[close - 1 : close] == "\r"
    inner = Span(start, max(start, close - is_crlf))
    at = close + 1 + len(_FENCE)
    below = re.compile(r"\r?\n?").match(text, at)
    body = below.end() if below is not None else at
    return Frontmatter(FenceKind.CLOSED, opening, inner, Span(close + 1, at), Span(body, len(text)))


def language(document: Document) -> str:
    """The word behind the opening fence; in lower case where its case does not count."""
    word = _behind(document).strip(BLANK)
    return word.lower() if word.lower() in _YAML | _SCRIPT else word


def is_script(first_line: str) -> bool:
    """Whether a header is JavaScript by the first line of its file, which has another line."""
    found = _OPENING.match(f"{first_line}\n")
    return found is not None and found["language"].strip(BLANK).lower() in _SCRIPT


def _behind(document: Document) -> str:
    """All that stands behind the opening fence."""
    found = _OPENING.match(document.text)
    return found["language"] if found is not None else ""


def name_of(file_name: str) -> str | None:
    """The stem of a file that the program looks at, else None; the case of `.md` counts.

    A file that is called `.md` alone has no ending.
    """
    if not file_name.endswith(_ENDING):
        return None
    return file_name.removesuffix(_ENDING) if Path(file_name).suffix else file_name


def names_in(document: Document, scope: Scope, path: Path) -> tuple[DefinedName, ...]:
    """The name in the header, or the path of the file below the folder of agents."""
    top = root(document)
    entry = members(top).get("name") if top is not None else None
    if entry is not None and entry.value is not None:
        value = value_of(entry.value)
        name = value if isinstance(value, str) else written(value)
        return (DefinedName(name, entry.value.span),)
    return path_name(document, scope, path)


def path_name(_document: Document, scope: Scope, path: Path) -> tuple[DefinedName, ...]:
    """The path of the file below the folder of `scope`, without its ending."""
    inside = scope.folder in path.parents
    below = path.relative_to(scope.folder).as_posix() if inside else path.name
    return (DefinedName(name_of(below) or below),)


def root(document: Document) -> nodes.Mapping | None:
    """The mapping that the program makes of the header, or None."""
    top = resolve(outcome(document).root)
    return top if isinstance(top, nodes.Mapping) else None


# The name, the values and several checks of a text ask one after the other.
@lru_cache(maxsize=4)
def outcome(document: Document) -> Outcome:
    """What the program makes of the header of a document."""
    header, word = document.frontmatter.inner, language(document)
    if document.frontmatter.fence is not FenceKind.CLOSED:
        return Outcome(None)
    text = header.of(document.text)
    # Blanks that name no language belong to the header, as its first line.
    is_line = not word and _behind(document).strip(" \t\ufeff") != ""
    if not is_line and is_blank(text):
        return Outcome(None)
    if word == "json":
        return _json(document, text)
    if word not in _YAML or is_line:
        return Outcome(None, Fault(f"no reader for {word!r}", document.frontmatter.open))
    is_plain = not document.bom and document.text.startswith(("---\n", "---\r\n"))
    has_end = document.frontmatter.close is not None
    return header_text.read(text, header.start, may_mend=is_plain and has_end)


def is_blank(text: str) -> bool:
    """Whether a header has nothing but comments, so that no language reads it."""
    return not re.sub(r"^\s*#[^\n]+", "", text, flags=re.MULTILINE).strip(BLANK)


def _json(document: Document, text: str) -> Outcome:
    try:
        json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return Outcome(None, Fault("the header is not JSON", document.frontmatter.inner))
    return Outcome(document.tree.root)


def _refuse(word: str) -> object:
    raise ValueError(word)


def fate(document: Document) -> Fate:
    """What the program does with the header of a document."""
    is_closed = document.frontmatter.fence is FenceKind.CLOSED
    is_script = is_closed and language(document) in _SCRIPT
    if is_script and not is_blank(document.frontmatter.inner.of(document.text)):
        return Fate.RUN
    found = outcome(document)
    if found.is_mended:
        return Fate.MENDED
    if found.fault is None:
        return Fate.READ
    return Fate.SKIPPED if found.is_changed else Fate.LOST


def read(document: Document, _name: str = "") -> Reading:
    """What a header says, what counts of it, and for which values the program does not start."""
    declared = Template(_settings(document), (), (_prompt(document, document.frontmatter.body),))
    happened = fate(document)
    if document.frontmatter.fence is not FenceKind.CLOSED:
        return Reading(declared, declared)
    if happened is Fate.RUN:
        held = Template({}, (), declared.blocks)
        return Reading(declared, held)
    if happened in (Fate.LOST, Fate.SKIPPED):
        fault = outcome(document).fault
        is_lost = happened is Fate.LOST
        whole = _prompt(document, Span(_marked(document), len(document.text)))
        held = Template({}, (), (whole,)) if is_lost else _NOTHING
        kind = LoadErrorKind.DUPLICATE if fault and fault.twice else LoadErrorKind.SYNTAX
        span = fault.span if fault is not None else document.frontmatter.open
        lost = LoadError(kind, span, LOST if is_lost else SKIPPED)
        return Reading(declared, held, possible_errors=(lost,))
    errors = tuple(_errors(document))
    said: tuple[LoadError, ...] = ()
    if happened is Fate.MENDED:
        opening = document.frontmatter.open
        said = (LoadError(LoadErrorKind.CONTENT, opening, MENDED, got=document.text),)
    return Reading(declared, _NOTHING if errors else declared, errors, possible_errors=said)


def read_again(reading: Reading) -> Reading:
    """The reading of a file with a mended text that the program has read before."""
    text = next(one.got for one in reading.possible_errors if one.message == MENDED)
    whole = Block(None, text.strip(BLANK), Span(0, len(text)))
    held = Template({}, (), (whole,))
    return Reading(reading.declared, held, possible_errors=reading.possible_errors)


def as_mode(reading: Reading) -> Reading:
    """The reading of a file in a folder of modes, which is always that of a primary agent."""
    mode = Value("primary", Span(0, 0))
    effective = replace(reading.effective, settings={**reading.effective.settings, "mode": mode})
    return replace(reading, effective=effective)


def issues(document: Document) -> tuple[Issue, ...]:
    """What the schema finds wrong with the header."""
    top = root(document)
    return validate(top) if top is not None else ()


def _errors(document: Document) -> Iterator[LoadError]:
    for one in issues(document):
        yield LoadError(one.kind, one.span, one.message, ".".join(one.path), one.expected, one.got)
    top = root(document)
    entry = members(top).get("name") if top is not None else None
    value = value_of(entry.value) if entry is not None else None
    is_text = value is None or isinstance(value, str)
    if entry is not None and entry.value is not None and not is_text:
        message, span = NAME_MESSAGE.format(written(value)), entry.value.span
        yield unlisted(span, message, "name", "a string", written(value))
    if top is not None:
        yield from unsendable(top)


def unlisted(span: Span, message: str, key: str, expected: str, got: str) -> LoadError:
    """The error of a value with which the program starts, and answers no request for the list."""
    kind, if_wrong = LoadErrorKind.CONTENT, IfWrong.LIST_FAILS
    return LoadError(kind, span, message, key, expected, got, if_wrong=if_wrong)


def unsendable(top: nodes.Mapping) -> Iterator[LoadError]:
    """The options that JSON has no word for; an agent that is taken away sends none."""
    found = members(top)
    if "disable" in found and value_of(found["disable"].value) is True:
        return
    options = resolve(found["options"].value) if "options" in found else None
    own = members(options) if isinstance(options, nodes.Mapping) else {}
    more = {name: entry for name, entry in found.items() if name not in OWN}
    named = {
        **{name: (f"options.{name}", entry) for name, entry in own.items()},
        **{name: (name, entry) for name, entry in more.items()},
    }
    for key, entry in named.values():
        value = value_of(entry.value)
        if entry.value is not None and not _is_finite(value):
            message = OPTION_MESSAGE.format(written(value))
            yield unlisted(entry.value.span, message, key, "a value of JSON", written(value))


def _is_finite(value: object) -> bool:
    if isinstance(value, dict):
        return all(map(_is_finite, value.values()))
    if isinstance(value, list):
        return all(map(_is_finite, value))
    return not isinstance(value, float) or math.isfinite(value)


def _settings(document: Document) -> Mapping[str, Value]:
    """The known keys that are set, as far as they can be read."""
    top = resolve(outcome(document).root or document.tree.root)
    if not isinstance(top, nodes.Mapping):
        return {}
    return settings_of(top)


def settings_of(top: nodes.Mapping) -> dict[str, Value]:
    """The known keys that are set in a mapping; `prompt` is left to who has one."""
    found = ((one, _value(one, entry)) for one, entry in members(top).items() if one in OWN)
    kept = {one: value for one, value in found if value is not None and one != "prompt"}
    kept |= _options(top)
    model = kept.get("model")
    return {
        key: value for key, value in kept.items() if model is None or key != "model" or model.text
    }


def _options(top: nodes.Mapping) -> dict[str, Value]:
    """The options that a mapping sends to the model, as JSON: a key of the agent goes first."""
    found = members(top)
    own = resolve(found["options"].value) if "options" in found else None
    entries = {
        **(members(own) if isinstance(own, nodes.Mapping) else {}),
        **{name: entry for name, entry in found.items() if name not in OWN},
    }
    return {
        f"{OPTION}{name}": Value(as_json(value_of(entry.value)), entry.span, entry.key.span)
        for name, entry in entries.items()
        if name != "__proto__"
    }


def merged_option(first: Value | None, second: Value) -> Value:
    """An option of two files: of two mappings the program keeps the keys of both."""
    if first is None or not (first.text[:1] == second.text[:1] == "{"):
        return second
    both = _merged(json.loads(first.text), json.loads(second.text))
    return replace(second, value=json.dumps(both, ensure_ascii=False))


def _merged(first: dict[str, object], second: dict[str, object]) -> dict[str, object]:
    found = dict(first)
    for name, value in second.items():
        before = found.get(name)
        if isinstance(before, dict) and isinstance(value, dict):
            found[name] = _merged(before, value)
        else:
            found[name] = value
    return found


def _value(name: str, entry: Entry) -> Value | None:
    of_rules = _RULES.get(name)
    if of_rules is not None:
        return of_rules(entry)
    node = resolve(entry.value)
    if not isinstance(node, Scalar) or entry.value is None:
        return None
    value = value_of(node)
    if value is None:
        return None
    if isinstance(value, bool):
        return Value(value, entry.value.span, entry.key.span)
    text = value if isinstance(value, str) else written(value)
    return Value(text, entry.value.span, entry.key.span)


def options(document: Document) -> dict[str, object]:
    """The options that the header has the program send to the provider of the model."""
    top = resolve(outcome(document).root)
    if isinstance(top, nodes.Sequence):
        return {str(at): value_of(item) for at, item in enumerate(top.items)}
    if isinstance(top, Scalar):
        value = value_of(top)
        return dict(enumerate_text(value)) if isinstance(value, str) else {}
    return options_of(top) if isinstance(top, nodes.Mapping) else {}


def options_of(top: nodes.Mapping) -> dict[str, object]:
    """The options in a mapping: those of `options`, then each key that is none of an agent."""
    found = members(top)
    own = value_of(found["options"].value) if "options" in found else None
    more = {
        name: value_of(entry.value)
        for name, entry in found.items()
        if name not in OWN and name != "__proto__"
    }
    return {**(own if isinstance(own, dict) else {}), **more}


def enumerate_text(value: str) -> Iterator[tuple[str, object]]:
    """The letters of a text by their numbers, which the program takes for keys."""
    yield from ((str(at), sign) for at, sign in enumerate(value))


def _marked(document: Document) -> int:
    return len(_MARK) if document.text.startswith(_MARK) else 0


def _prompt(document: Document, body: Span) -> Block:
    """The trimmed text of `body`."""
    text = body.of(document.text)
    trimmed = text.strip(BLANK)
    start = body.start + (text.index(trimmed) if trimmed else 0)
    return Block(None, trimmed, Span(start, start + len(trimmed)))
