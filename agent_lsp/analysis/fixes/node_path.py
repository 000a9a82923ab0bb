"""Finds the node at which a finding stands, and what it is the key, the value or an item of.

Invariant: a path is in the file's own text; what an alias repeats is found where it is written.
"""

from dataclasses import dataclass

from agent_lsp.analysis.context.trial import node_trail
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, Style
from agent_lsp.syntax.yaml import edit
from agent_lsp.syntax.yaml.quote import quote, quote_key
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.snapshot import TemplateFile


@dataclass(frozen=True, slots=True)
class NodePath:
    """A node with the entry or the list that it is in; `flow` is between brackets."""

    node: Node
    entry: Entry | None = None
    sequence: Sequence | None = None
    mapping: Mapping | None = None
    is_key: bool = False
    flow: bool = False


def node_path(file: TemplateFile, span: Span) -> NodePath | None:
    """The innermost key, value or item that stands exactly at `span`, or None."""
    way = node_trail(file.document.tree.root, span.start)
    above, node = list(way.above), way.leaf
    while above and (node is None or node.span != span):
        outer = above.pop()
        node = None if isinstance(outer, Entry) else outer
    if node is None or node.span != span:
        return None
    holder = above[-1] if above else None
    flow = any(isinstance(outer, Mapping | Sequence) and outer.flow for outer in above)
    entry = holder if isinstance(holder, Entry) else None
    mapping = next((outer for outer in reversed(above) if isinstance(outer, Mapping)), None)
    sequence = holder if isinstance(holder, Sequence) else None
    return NodePath(node, entry, sequence, mapping, way.is_key and node is way.leaf, flow)


def entry_at(file: TemplateFile, span: Span) -> Entry | None:
    """The entry whose key stands at `span`, or None."""
    found = node_path(file, span)
    return found.entry if found is not None and found.is_key else None


def lifts(file: TemplateFile, at: NodePath) -> bool:
    """Whether to take an item out leaves an empty list of what is allowed: that allows all."""
    if at.sequence is None or len(at.sequence.items) > 1:
        return False
    above = node_trail(file.document.tree.root, at.node.span.start).above
    dotted = ".".join(outer.name or "" for outer in above if isinstance(outer, Entry))
    allow = file.dialect.key_with_role(KeyRole.ALLOW)
    return allow is not None and f".{dotted}".endswith(f".{allow.name}")


def key_for(file: TemplateFile, entry: Entry) -> Key | None:
    """The key of the dialect that `entry` sets, in the header or in a mapping of it, or None."""
    own = file.dialect.key(entry.name or "")
    inner = (key for outer in file.dialect.keys for key in outer.items if key.name == entry.name)
    root = file.document.tree.root
    is_top = isinstance(root, Mapping) and entry in root.entries
    return own if is_top else next(inner, None)


def reworded(at: NodePath, word: str) -> tuple[TextEdit, ...]:
    """Puts `word` in the place of a key or of a value, in the same quotes if it had some."""
    if isinstance(at.node, Mapping | Sequence):
        return ()
    span = at.node.span
    if at.is_key:
        return (TextEdit(span, quote_key(word)),)
    style = at.node.style if isinstance(at.node, Scalar) else Style.PLAIN
    is_bare = word.isprintable() and not set(word) & set("'\"\\")
    if style in (Style.SINGLE, Style.DOUBLE) and is_bare:
        return (TextEdit(span, f"{style.value}{word}{style.value}"),)
    return (TextEdit(span, quote(word, flow=at.flow)),)


def removed(file: TemplateFile, at: NodePath) -> tuple[TextEdit, ...]:
    """Takes an item out of its list, or an entry out of its mapping."""
    text = file.document.text
    if at.sequence is not None:
        return edit.remove_item(text, at.sequence, at.node)
    return edit.remove_entry(text, at.entry) if at.entry is not None else ()
