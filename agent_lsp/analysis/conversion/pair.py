"""Describes a conversion: the agents of the template, the two systems, the result and the losses.

Invariant: whatever lets the new agent do more than the old one is a loss of weight `WIDER`.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path

from agent_lsp.analysis.checks.messages import code, listed, some
from agent_lsp.data_classes import dataclass, replace
from agent_lsp.model.conversion import Conversion
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import RuntimeRefusal
from agent_lsp.model.schema import KeyRole, ValueKind, dotted
from agent_lsp.model.template import Block, Persona, Value
from agent_lsp.syntax import toml
from agent_lsp.syntax.nodes import Entry, path_to
from agent_lsp.text import Span
from agent_lsp.workspace import definitions
from agent_lsp.workspace.snapshot import TemplateFile


@dataclass(frozen=True, slots=True)
class Variant:
    """A prompt with its persona; None if the prompt needs no persona."""

    block: Block
    persona: Persona | None

    def setting(self, file: TemplateFile, name: str) -> Value | None:
        """The effective value of a key: the persona's own, else that of the template."""
        own = self.persona.settings.get(name) if self.persona is not None else None
        return own or file.reading.effective.settings.get(name)


def variants(file: TemplateFile, persona: str | None) -> tuple[Variant, ...] | RuntimeRefusal:
    """All agents of the template, or only that of `persona`."""
    held = file.reading.effective
    found = [Variant(block, held.persona(block.name or "")) for block in held.blocks[1:]]
    if persona is not None:
        chosen = [one for one in found if one.block.name == persona.strip().lower()]
        names = [one.block.name or "" for one in found]
        there = f"; there are {listed(names, 'and')}" if names else ""
        return tuple(chosen) or RuntimeRefusal(f"there is no persona {code(persona)}{there}")
    if held.default.text.strip() or not found:
        found.insert(0, Variant(held.default, None))
    return tuple(found)


# The most names in one message.
_MOST = 8
_WHICH = "none of its agents is selected"


def one_of(file: TemplateFile, name: str | None) -> TemplateFile | RuntimeRefusal:
    """The template file as the agent called `name`, or as its only agent."""
    if not file.dialect.schema.is_tables:
        said = f"{file.dialect.title} have a file for each agent: no name chooses one"
        return file if name is None else RuntimeRefusal(said)
    found = [one for one in file.names if name in (None, one.name)]
    if len(found) != 1:
        names = [one.name for one in file.names]
        there = f"there are {some(names, _MOST, 'and')}" if names else "it defines no agent"
        unknown = f"there is no {code(name)}; " if name is not None else ""
        return RuntimeRefusal(f"{unknown}{there}" if unknown or not names else f"{_WHICH}: {there}")
    reading = definitions.read(file.dialect, file.document, file.scope, found[0].name)
    one = replace(file, names=tuple(found))
    nodes = (
        node for _, entry in written(one) for node in (entry.key, entry.value) if node is not None
    )
    if any(toml.is_open(node, file.document.text) for node in nodes):
        return RuntimeRefusal("the values of the variables in it are unknown")
    taken = file.dialect.conversion.taken if file.dialect.conversion is not None else None
    return replace(file, names=tuple(found), reading=taken(reading) if taken else reading)


def written(file: TemplateFile) -> Iterator[tuple[str, Entry]]:
    """The values of a template that is a table in its file, by the names of its settings."""
    schema, document = file.dialect.schema, file.document
    name = file.names[0] if file.names else None
    if not schema.templates or name is None or name.span is None:
        return
    found = path_to(document.tree.root, name.span)
    if found is not None and found.entry is not None:
        keys = schema.at(document, (*schema.templates[0], name.name))
        yield from dotted(keys, found.entry.value)


def name_at(file: TemplateFile, offset: int) -> str | None:
    """The agent in whose table `offset` is, if the file has several."""
    sections = file.document.tree.sections
    at = bisect_right(sections, offset, key=lambda section: section.span.start) - 1
    return file.dialect.schema.template_at(sections[at].path) if at >= 0 else None


@dataclass(frozen=True, slots=True)
class ConversionPair:
    """The two systems; `can_change` is False if a lost sandbox keeps the agent from changes.

    `is_read_only` is True if a sandbox of the target keeps it from them. `program` is what people
    call the program, or the programs, that read the file.
    """

    source: Dialect
    before: Conversion
    target: Dialect
    after: Conversion
    can_change: bool
    program: str
    is_read_only: bool = False

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools that an agent of the target can have."""
        return tuple(tool.name for tool in self.target.tools.listed)

    @property
    def can_allow(self) -> bool:
        """Whether the target can say which tools alone an agent has."""
        return self._has(KeyRole.ALLOW)

    @property
    def can_deny(self) -> bool:
        """Whether the target can say which tools an agent does not have."""
        return self._has(KeyRole.DENY)

    def _has(self, role: KeyRole) -> bool:
        return self.after.rules is not None or self.target.schema.by_role.get(role) is not None


def has_sandbox(dialect: Dialect) -> bool:
    """Whether a template of `dialect` can keep its agent from changing anything."""
    key = dialect.schema.by_role.get(KeyRole.SANDBOX)
    return key is not None and key.kind is ValueKind.BOOL


def forbidding(file: TemplateFile, conversion: Conversion) -> Value | None:
    """The value that keeps the agent from changing anything, if the runtime obeys it."""
    value = conversion.read_only(file.reading) if conversion.read_only is not None else None
    return None if value is None or value.key in without_effect(file) else value


def without_effect(file: TemplateFile) -> frozenset[Span]:
    """The spans of keys without effect: by their value, or in this scope, such as a plugin."""
    find = file.dialect.schema.no_effect
    idle = (one.span for one in find(file.document, file.scope)) if find else ()
    held, declared = file.reading.effective.settings, file.reading.declared.settings
    ignored = (one.key for name, one in declared.items() if name not in held)
    return frozenset((*idle, *filter(None, ignored)))


def top(file: TemplateFile) -> Span:
    """The start of the template: its first line, or the name of its table."""
    named = file.names[0].span if file.dialect.schema.is_tables and file.names else None
    return named or Span(0, len(file.document.text.partition("\n")[0]))


class LossSeverity(Enum):
    """The effect of a loss on the agent, the most serious one first."""

    WIDER = "may do more"
    LOST = "lost"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Loss:
    """A part of the template that the new file cannot express, and its place."""

    weight: LossSeverity
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Converted:
    """The new file at `path`, whose agent is called `name`."""

    path: Path
    name: str
    text: str
    losses: tuple[Loss, ...]


def ordered(losses: Iterable[Loss]) -> tuple[Loss, ...]:
    """The losses without repetitions, the gravest first, then in the order of the text."""
    weights = list(LossSeverity)
    found = dict.fromkeys(losses)
    return tuple(sorted(found, key=lambda one: (weights.index(one.weight), one.span)))
