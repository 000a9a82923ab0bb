"""Writes a text as a YAML scalar, in quotes only where it needs them.

Invariant: what is written reads back, with our own parser, as the same text.
"""

import re

from agent_lsp.syntax import yaml
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence, Style

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


def quote(value: str, *, flow: bool = False) -> str:
    """`value` as the value of a key, or with `flow` as an item or a value between brackets."""
    plain = not _CONTROL.search(value) and _is_plain(value, flow=flow)
    return value if plain else _in_quotes(value)


def quote_key(name: str) -> str:
    """`name` as a key, in a block or between braces."""
    block, flow = yaml.parse(f"{name}: x"), yaml.parse(f"{{{name}: x}}")
    plain = not _CONTROL.search(name) and all(
        tree.problem is None
        and tree.rest is None
        and isinstance(tree.root, Mapping)
        and [_text(entry.key) for entry in tree.root.entries] == [name]
        for tree in (block, flow)
    )
    return name if plain else _in_quotes(name)


def _is_plain(value: str, *, flow: bool) -> bool:
    tree = yaml.parse(f"k: [{value}]" if flow else f"k: {value}")
    if tree.problem is not None or tree.rest is not None or not isinstance(tree.root, Mapping):
        return False
    node = tree.root.entries[0].value
    if flow:
        node = node.items[0] if isinstance(node, Sequence) and len(node.items) == 1 else None
    return len(tree.root.entries) == 1 and _text(node) == value != ""


def _text(node: Node | None) -> str | None:
    plain = isinstance(node, Scalar) and node.style is Style.PLAIN and node.tag is None
    return node.value if isinstance(node, Scalar) and plain else None


def _in_quotes(value: str) -> str:
    if not _CONTROL.search(value) and ('"' in value or "\\" in value):
        return "'" + value.replace("'", "''") + "'"
    return '"' + "".join(map(_escaped, value)) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if "\ud800" <= character <= "\udfff":
        # No YAML text can hold a lone surrogate.
        return "\ufffd"
    # Python's escapes of these are YAML's, too.
    return ascii(character)[1:-1] if _CONTROL.match(character) else character
