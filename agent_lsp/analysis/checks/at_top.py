"""Explains a header that is no mapping because of a character in front of its first keys.

Invariant: a mapping in braces, on one line or on several, is no such mistake.
"""

import re

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.yaml_mistakes import YamlMistake
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence, Style, Tree
from agent_lsp.text import Span

# The first line if it opens a bracket or a quote, and the next line if it is a key.
_OPENED = re.compile(
    r"(?:[ \t]*(?:#[^\n]*)?\n)*"
    r"(?P<line>(?P<sign>[\[{\"'])[ \t]*[\w-]+:(?:[ \t][^\n]*)?)"
    r"(?:\n(?:[ \t]*(?:#[^\n]*)?\n)*(?:[\w-]+:(?:\s|\Z)|\Z)|\Z)"
)
_CLOSERS = {"[": "]", "{": "}"}


def opened(text: str, header: Span) -> YamlMistake | None:
    """Explains a bracket or a quote before the first key that is not closed on its line."""
    found = _OPENED.match(header.of(text))
    if found is None:
        return None
    line, sign = found["line"].rstrip(), found["sign"]
    closer = _CLOSERS.get(sign)
    is_open = line.count(sign) == 1 if closer is None else line.count(sign) > line.count(closer)
    if not is_open or line.endswith(","):
        return None
    start = header.start + found.start("line")
    thing = f"{code(sign)} is before the first key and is never closed"
    return YamlMistake(Span(start, start + len(line)), thing, "remove it")


def alone(text: str, tree: Tree) -> YamlMistake | None:
    """Explains a header that is a list, a text, or a mapping in braces before more text."""
    root = tree.top
    if root is None or (isinstance(root, Mapping) and not root.flow) or not len(root.span):
        return None
    if tree.rest is None and isinstance(root, Mapping):
        return None
    source = root.span.of(text)
    span = Span(root.span.start, root.span.start + len(source.rstrip()))
    if tree.rest is not None and "\n" not in source:
        thing = f"YAML reads {code(source)} as the whole header, and more follows"
        return YamlMistake(span, thing, _unwrapped(root))
    what = "text" if isinstance(root, Scalar) else "a list"
    return YamlMistake(span, f"the header must be a mapping, not {what}", _as_mapping(root))


def _unwrapped(root: Node) -> str:
    if isinstance(root, Scalar):
        return "remove the quotes" if root.style is not Style.PLAIN else "write lines `key: value`"
    return "remove the braces" if isinstance(root, Mapping) else "remove the brackets"


def _as_mapping(root: Node) -> str:
    if isinstance(root, Sequence) and not root.flow:
        return "remove each `- ` before a key"
    return "write lines `key: value`"
