"""Reads one template file as the Codex fork does: header, personas, blocks.

Facts: codex-rs/core/src/agent/role_templates.rs at 9f82deac0f1b, read 2026-11-27.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from agent_lsp.decoders import rust, serde_yaml
from agent_lsp.dialects.codex_templates.facts import KEYS
from agent_lsp.model.template import (
    Block,
    LoadError,
    LoadErrorKind,
    Persona,
    Reading,
    Template,
    Value,
)
from agent_lsp.syntax import frontmatter
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind, Frontmatter
from agent_lsp.text import Span

_MARKER_OPEN = "<!-- agent_name:"
_MARKER_CLOSE = "-->"
_STEM = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")
_LISTS = ("allow_list", "deny_list")


def split(text: str, bom: bool) -> Frontmatter:
    """Splits `text` at the first line and the first later line that trim to `---`."""
    return frontmatter.split(text, lambda line: rust.trim(line) == "---", bom=bom)


# Nearly everything that is said about a file begins with its name.
@lru_cache(maxsize=1024)
def name_of(file_name: str) -> str | None:
    """The agent type that a file of this name defines, or None where the runtime skips it."""
    stem, dot, extension = file_name.rpartition(".")
    if not dot or not stem or rust.lower(extension) != "md":
        return None
    name = normalise(stem)
    return name if is_valid(name) else None


def normalise(name: str) -> str:
    """A stem or an `agent_type` argument as the runtime compares it."""
    return rust.lower(rust.trim(name))


def is_valid(name: str) -> bool:
    """Whether a normalised name is an agent type."""
    return bool(name) and _STEM.issuperset(name)


def marker(name: str) -> str:
    """The line that starts the block of persona `name`."""
    return f"{_MARKER_OPEN} {name} {_MARKER_CLOSE}"


# After each keystroke an editor asks about the same text several times.
@lru_cache(maxsize=4)
def read(document: Document, _name: str = "") -> Reading:
    """The declared and the effective values; its messages name no agent."""
    cut_ = document.frontmatter
    decoded = serde_yaml.decode(
        document.tree, KEYS, "TemplateFrontmatter", cut_.inner.of(document.text), cut_.inner.start
    )
    settings = dict(_normalised(decoded.values))
    personas = tuple(_personas(settings))
    # The runtime joins what is below a header line by line, and cuts the result into lines again.
    again = cut_.fence is not FenceKind.ABSENT
    written = Template(settings, personas, _blocks(document.text, cut_.body, again=again))
    if cut_.fence is not FenceKind.CLOSED:
        held = Template({}, (), _blocks(_whole(document), Span(0, len(_whole(document)))))
        return Reading(written, held)
    errors = [replace(error, message=f"invalid YAML: {error.message}") for error in decoded.errors]
    # The runtime stops at the first; what comes later is wrong all the same.
    if all(map(_keeps_names, decoded.errors)):
        errors += _mismatches(written)
    if not errors:
        return Reading(written, written)
    whole = Block(None, _whole(document), Span(0, len(document.text)))
    return Reading(written, Template({}, (), (whole,)), tuple(errors))


def _keeps_names(error: LoadError) -> bool:
    """Whether the names of all personas are known in spite of `error`."""
    place, _, key = error.key.rpartition(".")
    is_name = key == "name" or not place.startswith("agent_names")
    is_persona = error.key.startswith("agent_names")
    if error.kind is LoadErrorKind.DUPLICATE:
        return error.key != "agent_names"
    return error.kind is not LoadErrorKind.SYNTAX and not (is_persona and (is_name or not place))


def _whole(document: Document) -> str:
    return (
        f"\ufeff{document.text}"
        if document.bom and not document.text.startswith("\ufeff")
        else document.text
    )


def _normalised(values: dict[str, Value]) -> Iterator[tuple[str, Value]]:
    for name, value in values.items():
        if name == "model":
            model = rust.trim(value.text)
            if model:
                yield name, value if model == value.value else replace(value, value=model)
        elif name in _LISTS:
            if tools := _tools(value):
                yield name, replace(value, value=tools)
        else:
            yield name, value


def _tools(value: Value) -> tuple[Value, ...]:
    """Trimmed, without blanks, sorted by code point (which is Rust's order of UTF-8), each once."""
    tools: dict[str, Value] = {}
    for item in value.items:
        text = item.text
        name = rust.trim(text)
        if name and name not in tools:
            tools[name] = item if name == text else replace(item, value=name)
    return tuple(tools[name] for name in sorted(tools))


def _personas(settings: dict[str, Value]) -> Iterator[Persona]:
    declared = settings.get("agent_names")
    for record in declared.records if declared else ():
        name = record.values.get("name")
        if name is not None:
            yield Persona(
                normalise(name.text), record.span, name.span, dict(_normalised(dict(record.values)))
            )


def _blocks(text: str, body: Span, *, again: bool = False) -> tuple[Block, ...]:
    rows: dict[str | None, list[str]] = {None: []}
    spans: dict[str | None, Span] = {}
    markers: dict[str, list[Span]] = {}
    current: str | None = None
    start = body.start
    for row in _lines(text, body.start, again=again):
        line = row.of(text)
        name = _marked(text, row) if _MARKER_OPEN in line else None
        if name is None:
            rows[current].append(line)
            continue
        spans.setdefault(current, Span(start, row.start))
        end = text.find("\n", row.end)
        start = len(text) if end < 0 else end + 1
        current = normalise(name.of(text))
        rows.setdefault(current, [])
        markers.setdefault(current, []).append(name)
    spans.setdefault(current, Span(min(start, body.end), body.end))
    return tuple(
        Block(name, "\n".join(kept), spans[name], tuple(markers.get(name or "", ())))
        for name, kept in rows.items()
    )


def _lines(text: str, start: int, *, again: bool) -> Iterator[Span]:
    """The lines from `start` on; `again` as they are after being joined and divided once more.

    That takes another CR off each line but the last, and the last one away if it is empty.
    """
    if not again:
        yield from frontmatter.lines(text, start)
        return
    has_two = "\r\r\n" in text
    last: Span | None = None
    for row in frontmatter.lines(text, start):
        if last is not None:
            ends_in_cr = has_two and last.of(text).endswith("\r")
            yield Span(last.start, last.end - 1) if ends_in_cr else last
        last = row
    if last is not None and len(last):
        yield last


def _marked(text: str, row: Span) -> Span | None:
    """The span of the persona's name where the line is a marker, else None."""
    line = row.of(text)
    trimmed = rust.trim(line)
    if not trimmed.startswith(_MARKER_OPEN) or not trimmed.endswith(_MARKER_CLOSE):
        return None
    inner = trimmed.removeprefix(_MARKER_OPEN)
    if not inner.endswith(_MARKER_CLOSE):
        return None
    inner = inner.removesuffix(_MARKER_CLOSE)
    name = rust.trim(inner)
    if not name:
        return None
    start = row.start + line.index(_MARKER_OPEN) + len(_MARKER_OPEN) + inner.index(name)
    return Span(start, start + len(name))


def _mismatches(template: Template) -> Iterator[LoadError]:
    """Declarations without a block and blocks without one, if there is any declaration."""
    if not template.personas:
        return
    declared = {persona.name for persona in template.personas}
    blocks = {block.name for block in template.blocks[1:]}
    for block in template.blocks[1:]:
        if block.name not in declared:
            text = (
                f"invalid agent_names: missing agent_names entry for {rust.debug(block.name or '')}"
            )
            yield LoadError(
                LoadErrorKind.UNDECLARED,
                block.markers[0],
                text,
                "agent_names",
                got=block.name or "",
            )
    for persona in template.personas:
        if persona.name not in blocks:
            text = f"invalid agent_names: missing agent_name block for {rust.debug(persona.name)}"
            yield LoadError(
                LoadErrorKind.BLOCKLESS, persona.name_span, text, "agent_names", got=persona.name
            )
