"""Describes a conversion: the two systems, the result and the losses.

Invariant: whatever lets the new agent do more than the old one is a loss of weight `WIDER`.
"""

from collections.abc import Iterable
from enum import Enum
from pathlib import Path

from agent_lsp.data_classes import dataclass
from agent_lsp.model.conversion import Conversion
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.schema import KeyRole, ValueKind
from agent_lsp.model.template import Value
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile


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
    """The spans of keys that have no effect in this scope, such as some in a plugin."""
    find = file.dialect.schema.no_effect
    return frozenset(one.span for one in find(file.document, file.scope)) if find else frozenset()


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
