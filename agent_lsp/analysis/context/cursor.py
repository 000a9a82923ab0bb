"""Finds the context of a cursor: a key, a value, an item, a marker, a fence or text.

Invariants: the statement of TOML decides, and the parser of YAML, which reads JSON as well. What is
typed at the cursor is replaced by a plain word, and where that word turns up in the tree is where
the cursor stands; a word that makes the header worse stands nowhere.
"""

import re

from agent_lsp.analysis.context import marker, statement, trial
from agent_lsp.analysis.context.contexts import (
    BodyContext,
    Context,
    FenceContext,
    Framing,
    HeaderContext,
    ItemContext,
    KeyContext,
    MarkerContext,
    ValueContext,
)
from agent_lsp.analysis.context.trial import Typed
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Scalar, Style
from agent_lsp.syntax.query import path_at
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

__all__ = [
    "BodyContext",
    "Context",
    "FenceContext",
    "Framing",
    "HeaderContext",
    "ItemContext",
    "KeyContext",
    "MarkerContext",
    "ValueContext",
    "context_at",
]


def context_at(file: TemplateFile, offset: int) -> Context | None:
    """The completion context at `offset`; None if nothing can be written there, as in a comment."""
    text, frontmatter = file.document.text, file.document.frontmatter
    if text[max(offset - 1, 0) : offset + 1] == "\r\n":
        offset -= 1
    if file.dialect.is_toml:
        return statement.context_at(file, offset)
    if frontmatter.fence is not FenceKind.ABSENT and _is_on(frontmatter.open, offset):
        return FenceContext(frontmatter.open, opening=True)
    if frontmatter.close is not None and _is_on(frontmatter.close, offset):
        return FenceContext(frontmatter.close, opening=False)
    header = _header(file, offset)
    if header is None:
        return marker.marker_context(file, offset) or BodyContext()
    typed = _typed(file, header, offset)
    return None if typed is None else trial.context_at(file, header, typed, offset)


def _is_on(fence: Span, offset: int) -> bool:
    """Whether `offset` is on a fence; a file that is all header has none."""
    return bool(len(fence)) and fence.covers(offset)


_FIRST_WORD = re.compile(r"[ \t]*(?:-[ \t]+)?[\w\"'*?-]*[ \t]*$")


def _header(file: TemplateFile, offset: int) -> Span | None:
    """The span of the header as the author means it, if `offset` is in it.

    A header that is not closed grows by a first word typed below it.
    """
    text, frontmatter = file.document.text, file.document.frontmatter
    if frontmatter.fence is FenceKind.ABSENT or offset < frontmatter.inner.start:
        return None
    if offset <= frontmatter.inner.end:
        return frontmatter.inner
    line = marker.line_at(text, offset)
    if (
        frontmatter.fence is not FenceKind.UNCLOSED
        or text[frontmatter.inner.end : line.start].strip()
    ):
        return None
    return Span(frontmatter.inner.start, line.end) if _FIRST_WORD.match(line.of(text)) else None


_BEFORE = re.compile(r"[^\s,\[\]{}]*$")
_AFTER = re.compile(r"(?:(?!:(?:\s|$))[^\s,\[\]{}])*")
_DASHES = re.compile(r"[ \t]*(?:-[ \t]+)*-$")


def _typed(file: TemplateFile, header: Span, offset: int) -> Typed | None:
    """The word or the quoted text under the cursor; None for a comment or a fence."""
    text = file.document.text
    quoted = _quoted(file, offset)
    if quoted is not None:
        return Typed(quoted)
    line = marker.line_at(text, offset)
    left = Span(max(line.start, header.start), offset).of(text)
    right = Span(offset, min(line.end, header.end)).of(text)
    before, after = _found(_BEFORE.search(left)), _found(_AFTER.match(right))
    if not after and (before.endswith(":") or _DASHES.match(left) or left.endswith(",")):
        return Typed(Span(offset, offset), spaced=True)
    # Two dashes are no word of YAML: a fence is being typed.
    if (before + after).startswith(("#", "--")):
        return None
    return Typed(Span(offset - len(before), offset + len(after)))


def _quoted(file: TemplateFile, offset: int) -> Span | None:
    """The scalar in quotes under the cursor, where quotes are sure to be paired as meant."""
    tree = file.document.tree
    leaf = path_at(tree.root, offset).node
    if tree.problem is not None or not isinstance(leaf, Scalar) or leaf.tag is not None:
        return None
    quoted = leaf.style in (Style.SINGLE, Style.DOUBLE) and leaf.span.covers(offset)
    return leaf.span if quoted and "\n" not in leaf.span.of(file.document.text) else None


def _found(match: re.Match[str] | None) -> str:
    return match.group() if match else ""
