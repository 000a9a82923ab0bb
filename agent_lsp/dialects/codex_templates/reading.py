"""Reads a template file as the Codex fork does, and finds the one that a call selects."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import product

from agent_lsp.data_classes import dataclass, replace
from agent_lsp.decoders import rust, serde_yaml
from agent_lsp.dialects.codex_templates.facts import BUILTIN_ROLES, KEYS
from agent_lsp.dialects.codex_templates.policy import MAX_DEPTH
from agent_lsp.model.runtime import Call, Candidate, Catalog, RuntimeRefusal
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
    return frontmatter.split(text, _is_fence, bom=bom)


def _is_fence(line: str) -> bool:
    return line == "---" or ("---" in line and rust.trim(line) == "---")


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


def resolve(catalog: Catalog, agent_type: str) -> str | RuntimeRefusal:
    """The name in `catalog` that `agent_type` means: exactly, else with `-` and `_` alike."""
    name = normalise(agent_type)
    if not is_valid(name):
        return RuntimeRefusal(
            f"invalid agent_type {rust.debug(name)}; expected snake_case or kebab-case like "
            '"worker", "my_custom_role", or "my-custom-role"'
        )
    if catalog.winner(name) is not None:
        return name
    alike = [
        other
        for other in catalog.names
        if _canonical(other) == _canonical(name) and catalog.winner(other)
    ]
    if len(alike) == 1:
        return alike[0]
    if alike:
        return RuntimeRefusal(
            f"ambiguous agent_type {rust.debug(name)}; matched multiple templates: "
            f"{', '.join(alike)}. Use exact agent_type."
        )
    return RuntimeRefusal(f"missing agent template: {name}")


def unread(winner: Candidate) -> RuntimeRefusal:
    """Why nothing is answered about a template that the runtime may well accept."""
    return RuntimeRefusal(f"{winner.path.name} is not read here: it is {winner.unread}", ours=True)


def spellings(name: str) -> Iterator[str]:
    """Every name that a call may use for `name`, itself included: `-` and `_` exchanged."""
    words = re.split("[-_]", name)
    for separators in product("-_", repeat=len(words) - 1):
        pairs = zip(words, (*separators, ""), strict=True)
        yield "".join(word + separator for word, separator in pairs)


def _canonical(name: str) -> str:
    return name.replace("-", "_")


def kept_by(builtin: Iterable[str], exists: Callable[[str], bool]) -> tuple[str, ...]:
    """The `builtin` file names that prevent the runtime from copying any; none: it copies."""
    return tuple(name for name in builtin if exists(name))


_NOTHING = Template({}, (), ())


@dataclass(frozen=True, slots=True)
class Selection:
    """The template and block of a call; `winner` and `block` are None if it uses none.

    `agent_type` is the argument as the runtime compares it, which may spell the winner's name
    with `-` for `_`.
    """

    agent_type: str
    winner: Candidate | None
    reading: Reading
    block: Block | None

    @property
    def persona(self) -> Persona | None:
        """The declaration that belongs to the block."""
        return (
            self.reading.effective.persona(self.block.name)
            if self.block and self.block.name
            else None
        )


def select(catalog: Catalog, call: Call) -> Selection | RuntimeRefusal:
    """The template and block for `call`, or the runtime's refusal, checks in its order."""
    given = call.text("agent_type")
    agent_type = "default" if given is None else normalise(given)
    persona = normalise(call.text("agent_name") or "")
    if agent_type == "default" and persona:
        return RuntimeRefusal("agent_name requires a non-default agent_type")
    refusal = _content(call)
    if refusal is not None:
        return refusal
    if call.parent.depth + 1 > MAX_DEPTH:
        return RuntimeRefusal("Agent depth limit reached. Solve the task yourself.")
    winner = _template(catalog, agent_type, persona)
    if isinstance(winner, RuntimeRefusal):
        return winner
    if winner is None:
        return Selection(agent_type, None, Reading(_NOTHING, _NOTHING), None)
    if winner.unread:
        return unread(winner)
    reading = catalog.read(winner)
    block = _block(reading.effective, persona, agent_type)
    return (
        block
        if isinstance(block, RuntimeRefusal)
        else Selection(agent_type, winner, reading, block)
    )


def _content(call: Call) -> RuntimeRefusal | None:
    """Why the runtime does not take the task; a call without one is fine here, only."""
    message, items = call.text("message"), call.arguments.get("items")
    if message is not None and items is not None:
        return RuntimeRefusal("Provide either message or items, but not both")
    if message is not None and not rust.trim(message):
        return RuntimeRefusal("Empty message can't be sent to an agent")
    return RuntimeRefusal("Items can't be empty") if items == [] else None


def _template(catalog: Catalog, agent_type: str, persona: str) -> Candidate | RuntimeRefusal | None:
    if agent_type == "default":
        return None
    name = resolve(catalog, agent_type)
    if isinstance(name, RuntimeRefusal):
        # A built-in role goes on without a template; no other role can.
        return None if agent_type in BUILTIN_ROLES and not persona else name
    return catalog.winner(name)


def _block(effective: Template, persona: str, agent_type: str) -> Block | RuntimeRefusal:
    quoted = rust.debug(agent_type)
    if persona:
        unknown = f"unknown agent_name {rust.debug(persona)} for agent_type {quoted}"
        return effective.block(persona) or RuntimeRefusal(unknown)
    if rust.trim(effective.default.text):
        return effective.default
    if len(effective.blocks) == 2:  # noqa: PLR2004 - the blank default block and one more
        return effective.blocks[1]
    return RuntimeRefusal(f"agent_type {quoted} requires agent_name selection")
