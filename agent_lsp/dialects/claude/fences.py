"""Where the header of an agent begins and ends, and what `---` does elsewhere in it.

Invariants: a line that begins with `---` ends the header; of `---` inside of a line only that it
may is said, since no documentation tells.
Facts: code.claude.com/docs/sub-agents as of 2026-10-08. Analyses of the published package
@anthropic-ai/claude-code, 2.1.42 to 2.1.284, agree that the header goes from a first line `---`,
which blanks and LF end, to the very next `---`, wherever that stands; read 2026-11-28.
"""

from collections.abc import Callable, Iterator

from agent_lsp.dialects.claude.facts import KNOWN
from agent_lsp.dialects.remark import Remark
from agent_lsp.dialects.vocabulary import Severity
from agent_lsp.syntax import markdown
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.markdown import FenceKind, Frontmatter
from agent_lsp.syntax.nodes import Mapping, resolve
from agent_lsp.text import Span

_FENCE = "---"
_MOST = 3


def cut(text: str, bom: bool) -> Frontmatter:
    """The cut at the first line `---`, blanks behind it aside, and the next that begins so.

    One that is indented counts where there is no other: it may as well be a part of a text.
    """
    found = _cut(text, lambda line: line.startswith(_FENCE), bom=bom)
    if found.fence is not FenceKind.UNCLOSED:
        return found
    indented = _cut(text, lambda line: line.lstrip().startswith(_FENCE), bom=bom)
    return indented if indented.close is not None else found


def remarks(document: Document) -> Iterator[Remark]:
    """What `---` does inside of the header, and what stands behind the one that ends it."""
    text, inner, close = document.text, document.frontmatter.inner, document.frontmatter.close
    if document.frontmatter.fence is not FenceKind.CLOSED or close is None:
        return
    at = text.find(_FENCE, inner.start, inner.end)
    if at >= 0:
        yield from _inside(document, at)
    line = close.of(text).strip()
    if line != _FENCE:
        rest = line.removeprefix(_FENCE).strip()
        message = f"`{line}` may end the header with `{rest}` as the first words of the prompt"
        start = text.index(_FENCE, close.start)
        span = Span(start, start + len(line))
        yield Remark(
            "header-unclosed",
            span,
            f"{message}; write `{_FENCE}`",
            Severity.INFORMATION,
            instead=_FENCE,
        )


def _cut(text: str, is_end: Callable[[str], bool], *, bom: bool) -> Frontmatter:
    return markdown.split(text, lambda line: line.rstrip(" \t") == _FENCE, bom=bom, is_end=is_end)


def _inside(document: Document, at: int) -> Iterator[Remark]:
    """The remark on `---` inside of a line, with the keys that it may cost."""
    top = resolve(document.tree.root)
    entries = top.entries if isinstance(top, Mapping) else ()
    below = [f"`{one.name}`" for one in entries if one.key.span.start > at and one.name in KNOWN]
    within = next((one.name for one in entries if one.span.covers(at)), None)
    lost = [f"the rest of `{within}`"] if within is not None else []
    lost += below if len(below) <= _MOST else [*below[:_MOST], f"{len(below) - _MOST} more"]
    if not lost:
        # The end of a comment makes no difference to a prompt.
        return
    *others, last = lost
    things = f"{', '.join(others)} and {last}" if others else last
    thing = f"`{_FENCE}` may end the header here, also inside of a line"
    message = f"{thing}: {things} would be text of the prompt; write something else, such as `–`"
    severity = Severity.WARNING if below else Severity.INFORMATION
    yield Remark("header-cut-short", Span(at, at + len(_FENCE)), message, severity)
