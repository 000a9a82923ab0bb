"""The completion that writes a whole header where a file has none.

Invariant: the header starts on the first line, where the runtime looks for it.
"""

from collections.abc import Iterator

from agent_lsp.analysis.completion.offer import (
    Completion,
    CompletionKind,
    Words,
    literal,
    newline,
    offer,
)
from agent_lsp.analysis.marker import line_at
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.vocabulary import KeyRole
from agent_lsp.syntax.markdown import FenceKind
from agent_lsp.text import Span
from agent_lsp.workspace.index import TemplateFile

_FENCE = "---"


def header(file: TemplateFile, offset: int) -> Iterator[Completion]:
    """A header with the keys that matter most, in a file that has none."""
    text = file.document.text
    first = line_at(text, 0)
    dashes, rest = first.of(text).rstrip(), text[first.end :].strip()
    if file.document.frontmatter.fence not in (FenceKind.ABSENT, FenceKind.UNCLOSED) or (
        not dashes and rest
    ):
        return
    end = newline(text)
    lines = [*_keys(file.dialect), _FENCE] + ([] if rest else ["$0"])
    if dashes in ("", "-", "--", _FENCE) and first.covers(offset):
        typed, lines = first, [_FENCE, *lines]
    elif dashes == _FENCE and not rest and text[first.end : offset] == end:
        typed = Span(offset, offset)
    else:
        return
    words = Words("a whole header")
    yield offer(text, typed, "--- header", CompletionKind.SNIPPET, end.join(lines), words, 0)


def _keys(dialect: Dialect) -> Iterator[str]:
    """The keys that are required, and model and effort, with examples to type over."""
    offered = (key for key in dialect.keys if key.required_by or key.role in _USUAL)
    for at, key in enumerate(offered, start=1):
        example = f"${{{at}:{literal(key.example)}}}" if key.example else f"${at}"
        yield f"{literal(key.name)}: {example}"


_USUAL = (KeyRole.MODEL, KeyRole.EFFORT)
