"""Finds comments in a header that suppress findings.

Invariants: a comment counts only if the runtime's parser sees one there, and never inside a text.
It stands on its own line, and applies to the next line that is no comment, or to the file.
"""

import re
from collections.abc import Iterator

from agent_lsp.data_classes import dataclass
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Broken, Mapping, Node, Scalar, Sequence
from agent_lsp.text import LineIndex, Span
from agent_lsp.workspace.snapshot import TemplateFile

NAME = "agent-template-lsp"
LINE, FILE = "ignore", "ignore-file"

_COMMENT = regex(rf"^[ \t]*#[ \t]*{NAME}\b:?(?P<rest>[^\r\n]*)", re.MULTILINE)
_BEHIND = regex(rf"(?<=\S)[ \t]+(?P<comment>#[ \t]*{NAME}\b:?[^\r\n]*)")
_REST = regex(rf"[ \t]*(?P<verb>{FILE}|{LINE})\[(?P<codes>[^\]]*)\](?:[ \t].*)?")
_CODE = regex(r"[^\s,]+")


@dataclass(frozen=True, slots=True)
class Suppression:
    """A code in a comment, with its span.

    `line` is the line of the hidden findings, or None for those of the whole file. `comment` is the
    span of the comment without its indentation.
    """

    code: str
    span: Span
    comment: Span
    line: int | None


@dataclass(frozen=True, slots=True)
class Comments:
    """The suppressions in the comments of a header; `odd` are the invalid ones.

    The comments in `behind` follow something on their line and have no effect.
    """

    suppressions: tuple[Suppression, ...] = ()
    odd: tuple[Span, ...] = ()
    behind: tuple[Span, ...] = ()


def comments(file: TemplateFile) -> Comments:
    """The suppressions in the header of a file."""
    text, inner = file.document.text, file.document.frontmatter.inner
    # Few files have one, and each keystroke asks for them.
    if NAME not in inner.of(text):
        return Comments()
    taken = tuple(_texts(file.document.tree.root))
    index = LineIndex(text)
    found: list[Suppression] = []
    odd: list[Span] = []
    for match in _COMMENT.finditer(text, inner.start, inner.end):
        start = text.index("#", match.start())
        comment = Span(start, start + len(text[start : match.end()].rstrip()))
        if any(span.start <= start < span.end for span in taken):
            continue
        said = _REST.fullmatch(match["rest"])
        codes = [*_CODE.finditer(said["codes"])] if said is not None else []
        if said is None or not codes:
            odd.append(comment)
            continue
        line = _below(index, comment.start) if said["verb"] == LINE else None
        at = match.start("rest") + said.start("codes")
        for code in codes:
            span = Span(at + code.start(), at + code.end())
            found.append(Suppression(code[0], span, comment, line))
    return Comments(tuple(found), tuple(odd), tuple(_behind(file, taken)))


def _behind(file: TemplateFile, taken: tuple[Span, ...]) -> Iterator[Span]:
    """The comments that follow something on their line."""
    text, inner = file.document.text, file.document.frontmatter.inner
    for match in _BEHIND.finditer(text, inner.start, inner.end):
        start = match.start("comment")
        if not any(span.start <= start < span.end for span in taken):
            yield Span(start, start + len(match["comment"].rstrip()))


def _below(index: LineIndex, at: int) -> int:
    """The first line below the one of `at` that is neither blank nor a comment."""
    line = index.line_of(at) + 1
    while line < len(index.starts):
        written = index.line_span(line).of(index.text).strip()
        if written and not written.startswith("#"):
            return line
        line += 1
    return line


def _texts(root: Node | None) -> Iterator[Span]:
    """The spans in which a `#` does not start a comment, or may not."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Mapping):
            waiting += (side for entry in node.entries for side in (entry.key, entry.value))
        elif isinstance(node, Sequence):
            waiting += node.items
        elif isinstance(node, Scalar | Broken):
            yield node.span
