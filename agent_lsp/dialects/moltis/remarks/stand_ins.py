"""Lists and dates that stand where a table is meant, as `[[agents.presets.scout]]` makes one.

Invariant: the runtime takes them without a word, where their items happen to fit: it reads those
by position, so that all keys in them are lost.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.dialects import serde_toml
from agent_lsp.dialects.moltis import reading
from agent_lsp.dialects.moltis.config import TABLES
from agent_lsp.dialects.remark import Remark
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Mapping, Node, Sequence, resolve
from agent_lsp.syntax.toml_edit import quote_key
from agent_lsp.text import Span


@dataclass(frozen=True, slots=True)
class StandIn:
    """A list or a date in the place of a table, whose key is at `span`."""

    span: Span
    what: str
    node: Node


def stand_ins(document: Document) -> Iterator[Remark]:
    """What the runtime makes of each: loss, since no key counts."""
    for found in _found(document):
        if isinstance(found.node, Sequence):
            loss = "it takes the items by their position, and passes over the keys in them"
        else:
            loss = "it takes it for an empty table"
        yield Remark("no-effect", found.span, f"{found.what}: {loss}")


def list_around(span: Span, document: Document) -> StandIn | None:
    """The list in the place of a table in which `span` is."""
    for found in _found(document):
        items = found.node.items if isinstance(found.node, Sequence) else ()
        if any(item.span.start <= span.start and span.end <= item.span.end for item in items):
            return found
    return None


def _found(document: Document) -> Iterator[StandIn]:
    root = resolve(document.tree.root)
    agents = root.get("agents") if isinstance(root, Mapping) else None
    if agents is not None:
        yield from _of(agents.key.span, "agents", "[agents]", resolve(agents.value))
    for preset in reading.config_of(document).presets:
        header = f"[agents.presets.{quote_key(preset.name)}]"
        yield from _of(preset.label, preset.name, header, preset.node)
        for line in preset.lines:
            if line.name in TABLES:
                header = f"[agents.presets.{quote_key(preset.name)}.{line.name}]"
                value = resolve(line.entry.value)
                yield from _of(line.entry.key.span, line.name, header, value)


def _of(span: Span, name: str, header: str, node: Node | None) -> Iterator[StandIn]:
    if isinstance(node, Sequence) or (node is not None and serde_toml.is_date(node)):
        kind = "list" if isinstance(node, Sequence) else "date"
        wanted = f"and the runtime wants a table, `{header}`"
        yield StandIn(span, f"`{name}` is a {kind}, {wanted}", node)
