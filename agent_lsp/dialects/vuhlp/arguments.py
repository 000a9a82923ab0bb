"""Checks the arguments of a tool call against the schema of its tool."""

import re
from collections.abc import Iterator

from agent_lsp.dialects.remark import Remark
from agent_lsp.dialects.vocabulary import Severity
from agent_lsp.dialects.vuhlp.preamble import within_quotes
from agent_lsp.dialects.vuhlp.tools import Argument, Shape
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, Style

# What stands for something else is for people, and nobody emits it as it is.
_PLACEHOLDER = re.compile(r"\.\.\.|…|<[^\W\d]|\{\{|\$\{|^\{[\w -]+\}$|^\$\w+$", re.IGNORECASE)


def is_placeholder(text: str) -> bool:
    """Whether a text, or something in it, is to be replaced by what is meant."""
    return _PLACEHOLDER.search(text) is not None


def arguments(owner: str, expected: tuple[Argument, ...], entry: Entry) -> Iterator[Remark]:
    """What is missing, unknown or of another type in the object that `entry` holds."""
    held = entry.value
    if not isinstance(held, Mapping):
        name = entry.name or ""
        if held is not None:
            yield Remark("tool-call-argument", held.span, f"`{name}` has to be an object")
        return
    yield from _members(owner, expected, held)


def _members(owner: str, expected: tuple[Argument, ...], held: Mapping) -> Iterator[Remark]:
    known = {name: one for one in expected for name in (one.name, one.other) if name}
    present = {known[entry.name].name for entry in held.entries if entry.name in known}
    for one in expected:
        if one.required and one.name not in present:
            message = f"`{owner}` needs `{one.name}`, {one.shape.value}"
            yield Remark("tool-call-argument", held.span, message)
    for entry in held.entries:
        name = entry.name or ""
        if name in known:
            yield from _value(known[name], entry.value)
            continue
        message = f"`{owner}` has no argument `{name}`"
        names = tuple(one.name for one in expected)
        span = within_quotes(entry.key) if isinstance(entry.key, Scalar) else entry.key.span
        yield Remark("tool-call-argument", span, message, Severity.INFORMATION, name, names)


def _value(one: Argument, node: Node | None) -> Iterator[Remark]:
    if node is None or (isinstance(node, Scalar) and is_placeholder(node.value)):
        return
    if _shape(node) is not one.shape:
        message = f"`{one.name}` has to be {one.shape.value}"
        yield Remark("tool-call-argument", node.span, message)
        return
    if isinstance(node, Scalar) and one.choices and node.value not in one.choices:
        words = " or ".join(f"`{choice}`" for choice in one.choices)
        message = f"`{one.name}` has to be {words}"
        span = within_quotes(node)
        yield Remark("tool-call-argument", span, message, word=node.value, meant=one.choices)
    if isinstance(node, Mapping) and one.members:
        yield from _members(one.name, one.members, node)
    if isinstance(node, Sequence) and one.each:
        for item in node.items:
            if isinstance(item, Mapping):
                yield from _members(one.name, one.each, item)
            else:
                message = f"`{one.name}` has to be a list of objects"
                yield Remark("tool-call-argument", item.span, message)


def _shape(node: Node) -> Shape | None:
    """What a value is in JSON; None for numbers, null and what cannot be read."""
    if isinstance(node, Mapping):
        return Shape.OBJECT
    if isinstance(node, Sequence):
        return Shape.ARRAY
    if isinstance(node, Scalar) and node.style is Style.DOUBLE:
        return Shape.STRING
    is_truth = isinstance(node, Scalar) and node.value in ("true", "false")
    return Shape.BOOLEAN if is_truth else None
