"""Trees as one line of text, and the claims that hold for every tree.

`key=value`; `?` for a missing colon, `<>` for a missing value, `Broken(string)`.
"""

from collections.abc import Iterator

from agent_lsp.syntax.nodes import (
    Alias,
    Broken,
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    Tree,
)
from agent_lsp.text import Span

_QUOTES = {Style.SINGLE: "'", Style.DOUBLE: '"'}


def outline(node: Node | None) -> str:
    """`node` in one line; the entries of the outermost mapping have no braces."""
    if isinstance(node, Mapping):
        return " ".join(map(_entry, node.entries))
    return _outline(node)


def check(tree: Tree, text: str, start: int = 0) -> None:
    """Asserts that spans nest and stay in bounds, and that broken nodes have the file's text."""
    whole = Span(start, start + len(text))
    if tree.root is not None:
        _check(tree.root, whole, text, start)
    for problem in [tree.problem, *tree.damage]:
        if problem is not None:
            _inside(problem.span, whole)
            if problem.context_span is not None:
                _inside(problem.context_span, whole)
    if tree.rest is not None:
        _inside(tree.rest, whole)
    assert list(tree.damage) == sorted(tree.damage, key=lambda found: found.span)
    if tree.damage:
        assert tree.problem is not None


def walk(node: Node | None) -> Iterator[Node]:
    """`node` and the nodes in it, aliases not followed."""
    if node is None:
        return
    yield node
    for child in _children(node):
        yield from walk(child)


def _children(node: Node) -> Iterator[Node]:
    if isinstance(node, Sequence):
        yield from node.items
    if isinstance(node, Mapping):
        for entry in node.entries:
            yield entry.key
            if entry.value is not None:
                yield entry.value


def _check(node: Node, outer: Span, text: str, start: int) -> None:
    _inside(node.span, outer)
    if isinstance(node, Broken):
        assert node.text == node.span.shift(-start).of(text)
    at = node.span.start
    for child in _children(node):
        assert child.span.start >= at, "nodes are in source order and do not overlap"
        at = child.span.end
        _check(child, node.span, text, start)


def _inside(span: Span, outer: Span) -> None:
    assert outer.start <= span.start <= span.end <= outer.end


def _entry(entry: Entry) -> str:
    value = "?" if entry.value is None else _outline(entry.value)
    return f"{_outline(entry.key)}={value}"


def _outline(node: Node | None) -> str:
    match node:
        case Scalar():
            return _scalar(node)
        case Alias():
            return f"*{node.name}" + ("" if node.target else "!")
        case Broken():
            return f"Broken({node.text})"
        case Sequence():
            return "[" + ", ".join(map(_outline, node.items)) + "]"
        case Mapping():
            return "{" + " ".join(map(_entry, node.entries)) + "}"
        case None:
            return "nothing"


def _scalar(node: Scalar) -> str:
    if not len(node.span):
        return "<>"
    tag = f"<{node.tag}>" if node.tag else ""
    if node.style in (Style.LITERAL, Style.FOLDED):
        return f"{tag}{node.style.value}{node.value!r}"
    quote = _QUOTES.get(node.style, "")
    return tag + quote + node.value + quote
