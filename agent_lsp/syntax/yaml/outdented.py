"""Finds lines that some parsers of YAML reject in a text that libyaml takes.

Facts: YAML 1.2 wants each line of a text in quotes, or of a list in brackets, deeper than the
mapping around it. libyaml does not look at that, and the parsers that JavaScript programs use do:
measured with Claude Code 2.1.332 and with Qwen Code 0.24.4, 2026-11-28.
"""

from collections.abc import Iterator

from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence, Style
from agent_lsp.text import Span

# What is said of such a line as the problem of a tree.
PROBLEM = "a text or a list continues in a line without indentation"


def outdented(text: str, root: Node | None, start: int) -> Span | None:
    """The first line of a text in quotes, or of a list in brackets, that is not indented.

    Such a line must be deeper than the key or the dash of the text, except for a bracket that
    closes the list.
    """
    waiting: list[tuple[Node | None, int]] = [(root, -1)]
    found: list[Span] = []
    while waiting:
        node, column = waiting.pop()
        if isinstance(node, Mapping | Sequence) and not node.flow:
            children = (
                [entry.value for entry in node.entries]
                if isinstance(node, Mapping)
                else list(node.items)
            )
            own = _column(text, node.span.start - start)
            waiting += [(child, own) for child in children]
        elif isinstance(node, Mapping | Sequence | Scalar):
            found += _outdented_rows(text, node, column, start)
    return min(found, default=None)


def _column(text: str, offset: int) -> int:
    return offset - text.rfind("\n", 0, offset) - 1


def _outdented_rows(text: str, node: Node, column: int, start: int) -> Iterator[Span]:
    is_flow = isinstance(node, Mapping | Sequence)
    if isinstance(node, Scalar) and node.style not in (Style.SINGLE, Style.DOUBLE):
        return
    at, end = text.find("\n", node.span.start - start) + 1, node.span.end - start
    while 0 < at < end:
        stop = text.find("\n", at)
        row = text[at : stop if stop >= 0 else len(text)].rstrip("\r")
        blanks = len(row) - len(row.lstrip(" "))
        inner = row.strip(" \t")
        is_shut = is_flow and inner[:1] in ("]", "}")
        is_tab = not is_flow and row[blanks : blanks + 1] == "\t"
        if inner and blanks <= column and not is_shut and not is_tab:
            yield Span(start + at, start + at + len(row))
        at = stop + 1
