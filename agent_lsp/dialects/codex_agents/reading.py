"""Reads an agent's file as the runtime does: TOML, then types and names of keys, then its checks.

Invariants: the runtime prints the first error of a file, and here each has its place; what another
file can supply, which is the description, is no error of this one.
Facts: the order and the words as measured with `@openai/codex` 0.171.0, 2026-11-28 (`…` is the path
that the runtime prints there); codex-rs/core/src/config/agent_roles.rs of openai/codex at 1373047.
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from agent_lsp.data_classes import replace
from agent_lsp.decoders import rust
from agent_lsp.dialects.codex_agents import keys
from agent_lsp.dialects.codex_agents.decode import decode
from agent_lsp.model.runtime import DefinedName, Scope
from agent_lsp.model.template import Block, LoadError, LoadErrorKind, Reading, Template, Value
from agent_lsp.patterns import regex
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Mapping, Scalar, Style, resolve
from agent_lsp.syntax.toml.verdict import rendered
from agent_lsp.text import Span

_NOTHING = Template({}, (), (Block(None, "", Span(0, 0)),))
_FILE = "agent role file at …"
_PARSE = f"failed to parse {_FILE}: "
_DESERIALIZE = f"failed to deserialize {_FILE}: "
_NICKNAME = regex(r"[A-Za-z0-9 _-]*")
_TEXTS = ("name", "description")


def name_of(file_name: str) -> str | None:
    """The stem of a file that ends in exactly `.toml`; the agent goes by the name in it."""
    stem, dot, extension = file_name.rpartition(".")
    return stem if dot and stem and extension == "toml" else None


def names_in(document: Document, _scope: Scope, path: Path) -> tuple[DefinedName, ...]:
    """The name in the file; of a file without one, its stem."""
    top = resolve(document.tree.root)
    entry = top.get("name") if isinstance(top, Mapping) else None
    node = resolve(entry.value) if entry is not None else None
    name = (
        rust.trim(node.value) if isinstance(node, Scalar) and node.style is not Style.PLAIN else ""
    )
    if not name or not isinstance(node, Scalar):
        return (DefinedName(path.stem),)
    return (DefinedName(name, node.span),)


def read(document: Document, _name: str = "") -> Reading:
    """The declared and the effective values: all of them, or none."""
    return _read(document)


# A check, a hover and a list ask for the same file.
@lru_cache(maxsize=8)
def _read(document: Document) -> Reading:
    decoded = decode(document.tree.root)
    problem = document.tree.problem
    declared = Template(_trimmed(decoded.values), (), (_prompt(document, decoded.values),))
    if problem is not None:
        text = document.text.removeprefix("\ufeff")
        message = _PARSE + rendered(problem, text)
        error = LoadError(LoadErrorKind.SYNTAX, problem.span, message, got=problem.message)
        return Reading(declared, _NOTHING, (error,))
    errors = tuple(replace(one, message=_DESERIALIZE + one.message) for one in decoded.errors)
    refused = {error.key for error in errors}
    # A key whose value has an error already is not missing.
    errors += tuple(one for one in _checks(declared) if one.key not in refused)
    return Reading(declared, _NOTHING if errors else declared, errors)


def _trimmed(values: dict[str, Value]) -> dict[str, Value]:
    """The values as the runtime keeps them: names and descriptions without blanks around them."""
    found = {
        name: replace(value, value=rust.trim(value.text)) if name in _TEXTS else value
        for name, value in values.items()
    }
    nicknames = found.get(keys.NICKNAMES)
    if nicknames is not None:
        items = tuple(replace(item, value=rust.trim(item.text)) for item in nicknames.items)
        found[keys.NICKNAMES] = replace(nicknames, value=items)
    return found


def _prompt(document: Document, values: dict[str, Value]) -> Block:
    value = values.get(keys.PROMPT)
    if value is None:
        return Block(None, "", Span(0, 0))
    return Block(None, value.text, inside(value.span, document.text))


def inside(span: Span, text: str) -> Span:
    """The text between the quotes of the value at `span`, without the line end at its start."""
    raw = span.of(text)
    quotes = 3 if raw[:3] in ('"""', "'''") else 1
    start, end = span.start + quotes, max(span.end - quotes, span.start + quotes)
    if quotes > 1:
        start += 2 if text.startswith("\r\n", start) else text.startswith("\n", start)
    return Span(start, max(start, end))


def _checks(declared: Template) -> Iterator[LoadError]:
    """The runtime's checks of values that have the right types, in its order."""
    settings = declared.settings
    description, prompt, name = (settings.get(key) for key in ("description", keys.PROMPT, "name"))
    nowhere = Span(0, 0)
    if description is not None and not description.text:
        message = "agent role file ….description cannot be blank"
        yield LoadError(LoadErrorKind.BLANK, description.span, message, "description")
    if prompt is None:
        message = f"{_FILE} must define `{keys.PROMPT}`"
        yield LoadError(LoadErrorKind.MISSING, nowhere, message, keys.PROMPT, keys.PROMPT)
    elif not rust.trim(prompt.text):
        message = f"{_FILE}.{keys.PROMPT} cannot be blank"
        yield LoadError(LoadErrorKind.NO_PROMPT, prompt.span, message, keys.PROMPT)
    if name is None or not name.text:
        message = f"{_FILE} must define a non-empty `name`"
        kind = LoadErrorKind.MISSING if name is None else LoadErrorKind.BLANK
        yield LoadError(kind, nowhere if name is None else name.span, message, "name", "name")
    nicknames = settings.get(keys.NICKNAMES)
    if nicknames is not None:
        yield from _nicknames(nicknames)


def _nicknames(value: Value) -> Iterator[LoadError]:
    before = f"agent role file ….{keys.NICKNAMES}"
    for item, wrong in nickname_errors(value):
        is_item = item is not value
        kind = LoadErrorKind.BLANK_ITEM if is_item else LoadErrorKind.BLANK
        yield LoadError(kind, item.span, f"{before} {wrong}", keys.NICKNAMES)


def nickname_errors(value: Value) -> Iterator[tuple[Value, str]]:
    """What the runtime refuses of nicknames: the list or the item, and its words for that."""
    seen = set[str]()
    if not value.items:
        yield value, "must contain at least one name"
    for item in value.items:
        name = rust.trim(item.text)
        if not name:
            yield item, "cannot contain blank names"
        elif name in seen:
            yield item, "cannot contain duplicates"
        elif not _NICKNAME.fullmatch(name):
            yield item, "may only contain ASCII letters, digits, spaces, hyphens, and underscores"
        seen.add(name)
