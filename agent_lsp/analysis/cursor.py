"""Where a cursor stands in a template: on a key, a value, an item, a marker, a fence or in text.

Invariants: YAML decides. What is typed at the cursor is replaced by a plain word, and where
that word turns up in the tree is where the cursor stands; a word that makes the header worse
stands nowhere.
"""

import re

from agent_lsp.analysis import marker, trial
from agent_lsp.analysis.places import (
    BodyPlace,
    FencePlace,
    Frame,
    HeaderPlace,
    ItemPlace,
    KeyPlace,
    MarkerPlace,
    Place,
    ValuePlace,
)
from agent_lsp.analysis.trial import Typed
from agent_lsp.syntax.markdown import Fence
from agent_lsp.syntax.nodes import Scalar, Style
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject

__all__ = [
    "BodyPlace",
    "FencePlace",
    "Frame",
    "HeaderPlace",
    "ItemPlace",
    "KeyPlace",
    "MarkerPlace",
    "Place",
    "ValuePlace",
    "place",
]


def place(of: Subject, offset: int) -> Place | None:
    """Where `offset` stands; None where nothing can stand, such as in a comment."""
    text, cut = of.document.text, of.document.cut
    if text[max(offset - 1, 0) : offset + 1] == "\r\n":
        offset -= 1
    if cut.fence is not Fence.ABSENT and cut.open.covers(offset):
        return FencePlace(cut.open, opening=True)
    if cut.close is not None and cut.close.covers(offset):
        return FencePlace(cut.close, opening=False)
    header = _header(of, offset)
    if header is None:
        return marker.place(of, offset) or BodyPlace()
    typed = _typed(of, header, offset)
    return None if typed is None else trial.place(of, header, typed, offset)


_FIRST_WORD = re.compile(r"[ \t]*(?:-[ \t]+)?[\w\"'*?-]*[ \t]*$")


def _header(of: Subject, offset: int) -> Span | None:
    """The span of the header as the author means it, if `offset` is in it.

    A header that is not closed grows by a first word typed below it.
    """
    text, cut = of.document.text, of.document.cut
    if cut.fence is Fence.ABSENT or offset < cut.inner.start:
        return None
    if offset <= cut.inner.end:
        return cut.inner
    line = marker.line_at(text, offset)
    if cut.fence is not Fence.UNCLOSED or text[cut.inner.end : line.start].strip():
        return None
    return Span(cut.inner.start, line.end) if _FIRST_WORD.match(line.of(text)) else None


_BEFORE = re.compile(r"[^\s,\[\]{}]*$")
_AFTER = re.compile(r"(?:(?!:(?:\s|$))[^\s,\[\]{}])*")
_DASHES = re.compile(r"[ \t]*(?:-[ \t]+)*-$")


def _typed(of: Subject, header: Span, offset: int) -> Typed | None:
    """The word or the quoted text under the cursor; None for a comment or a fence."""
    text = of.document.text
    quoted = _quoted(of, offset)
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


def _quoted(of: Subject, offset: int) -> Span | None:
    """The scalar in quotes under the cursor, where quotes are sure to be paired as meant."""
    tree = of.document.tree
    leaf = trial.trail(tree.root, offset).leaf
    if tree.problem is not None or not isinstance(leaf, Scalar) or leaf.tag is not None:
        return None
    quoted = leaf.style in (Style.SINGLE, Style.DOUBLE) and leaf.span.covers(offset)
    return leaf.span if quoted and "\n" not in leaf.span.of(of.document.text) else None


def _found(match: re.Match[str] | None) -> str:
    return match.group() if match else ""
