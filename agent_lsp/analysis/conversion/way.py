"""From which system a conversion leads to which."""

from dataclasses import dataclass

from agent_lsp.dialects.conversion import Conversion
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.template import Value
from agent_lsp.dialects.vocabulary import Holds, Kind
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject


@dataclass(frozen=True, slots=True)
class Way:
    """The two systems; `can_change` says that no sandbox which is lost forbids anything."""

    source: Dialect
    before: Conversion
    target: Dialect
    after: Conversion
    can_change: bool

    @property
    def known(self) -> tuple[str, ...]:
        """The tools that an agent of the target can have."""
        return tuple(tool.name for tool in self.target.tools)


def has_sandbox(known: Dialect) -> bool:
    """Whether a template of `known` can keep its agent from changing anything."""
    key = known.key_holding(Holds.SANDBOX)
    return key is not None and key.kind is Kind.BOOL


def forbidding(of: Subject, conversion: Conversion) -> Value | None:
    """The value that keeps the agent from changing anything, if the runtime minds it."""
    value = conversion.read_only(of.reading) if conversion.read_only is not None else None
    return None if value is None or value.key in idle(of) else value


def idle(of: Subject) -> frozenset[Span]:
    """Where keys stand that do nothing in this place, as some in a plugin."""
    find = of.dialect.idle
    return frozenset(one.span for one in find(of.document, of.scope)) if find else frozenset()


def top(of: Subject) -> Span:
    """Where the template begins: its first line, or the name of its table."""
    named = of.names[0].span if of.dialect.lines is not None and of.names else None
    return named or Span(0, len(of.document.text.partition("\n")[0]))
