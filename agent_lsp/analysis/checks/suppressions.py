"""Finds comments in a header that suppress findings, and checks for those without effect."""

import re
from collections.abc import Callable, Iterable, Iterator

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.suggest import nearest
from agent_lsp.data_classes import dataclass
from agent_lsp.model.check import Basis, Check, Field, Finding, Tag, Trait
from agent_lsp.model.schema import Severity
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Alias, Node, leaves
from agent_lsp.text import Cover, LineIndex, Span
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
    taken = Cover.of(_texts(file.document.tree.root))
    index, below = LineIndex(text), 0
    found: list[Suppression] = []
    odd: list[Span] = []
    for match in _COMMENT.finditer(text, inner.start, inner.end):
        start = text.index("#", match.start())
        comment = Span(start, start + len(text[start : match.end()].rstrip()))
        if start in taken:
            continue
        said = _REST.fullmatch(match["rest"])
        codes = [*_CODE.finditer(said["codes"])] if said is not None else []
        if said is None or not codes:
            odd.append(comment)
            continue
        if index.line_of(comment.start) >= below:
            below = _below(index, comment.start)
        line = below if said["verb"] == LINE else None
        at = match.start("rest") + said.start("codes")
        for one in codes:
            span = Span(at + one.start(), at + one.end())
            found.append(Suppression(one[0], span, comment, line))
    return Comments(tuple(found), tuple(odd), tuple(_behind(file, taken)))


def _behind(file: TemplateFile, taken: Cover) -> Iterator[Span]:
    """The comments that follow something on their line."""
    text, inner = file.document.text, file.document.frontmatter.inner
    for match in _BEHIND.finditer(text, inner.start, inner.end):
        start = match.start("comment")
        if start not in taken:
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
    yield from (node.span for node in leaves(root) if not isinstance(node, Alias))


def unused_suppression(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each suppression comment that is not valid.

    `unused` reports valid comments that hide nothing, because it needs the findings of the checks.
    """
    forms = f"{code(f'{LINE}[CODE]')} or {code(f'{FILE}[CODE]')}"
    said = comments(file)
    for span in said.odd:
        message = f"this comment is not valid: write {forms} after the colon"
        yield Finding(span, message)
    for span in said.behind:
        yield Finding(
            span, "the comment works only on its own line, above the line that it is about"
        )


def unused(left: Iterable[Suppression], codes: Callable[[], tuple[str, ...]]) -> Iterator[Finding]:
    """A finding for each suppression that is `left` over; `codes` returns those of all checks."""
    known: tuple[str, ...] = ()
    for one in left:
        known = known or codes()
        name = code(one.code)
        if one.code in known:
            where = "in this file" if one.line is None else "on the next line"
            message = f"{name} is not found {where}: this comment suppresses nothing"
            yield Finding(one.span, message, tags=(Tag.UNNECESSARY,))
            continue
        meant = nearest(one.code, known)
        guess = f"; did you mean {code(meant)}?" if meant else ": this comment suppresses nothing"
        words = (meant,) if meant else ()
        tags = () if meant else (Tag.UNNECESSARY,)
        yield Finding(one.span, f"no rule is called {name}{guess}", tags=tags, meant=words)


UNUSED = "unused-suppression"
CHECK = Check(
    (UNUSED,),
    unused_suppression,
    severity=Severity.HINT,
    changes=frozenset({Field.PROMPT}),
    basis=Basis.FILE,
    needs=(Trait.SUPPRESSIONS,),
)
