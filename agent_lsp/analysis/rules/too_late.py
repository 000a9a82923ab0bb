"""Whether the prompt begins above the line that closes the header.

Invariant: a header that loads as it is meant to is none of these, whatever keys of their own
authors put into it: it takes prose behind the last key of the dialect.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.analysis.latest import memo_latest
from agent_lsp.analysis.nearest import fold
from agent_lsp.analysis.rules import header, parts
from agent_lsp.dialects.vocabulary import ValueKind
from agent_lsp.syntax import markdown
from agent_lsp.syntax.markdown import FenceKind
from agent_lsp.syntax.nodes import Mapping, Scalar, Style, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.index import TemplateFile

_HEADING = re.compile(r"#{1,6}[ \t]+\S")
# What may stand at the start of a header's line, half typed or mistyped, and is no prose.
_YAML = re.compile(
    r"[\w.-]+[ \t]*:(?:\s|$)|[\w-]+:\S+$|[\"'][^\"']*[\"'][ \t]*:|[a-z][\w.-]*\s*$"
    r"|-\S|-[ \t]+\w+[ \t]*:|-(?:[ \t]+\S+){0,2}\s*$|[#%\]}{,&!?:]|\.\.\.|---",
)
# Who is spoken to is the agent, and no reader of its description.
_TO_THE_AGENT = re.compile(r"You(?:\s|.re\s|r\s)|#{1,6}[ \t]")
_SENTENCE = re.compile(r"[.!?:…][*_\"')\]]*\s*$")
_WORDS = 3
_FENCES = ("```", "~~~")


@dataclass(frozen=True, slots=True)
class Late:
    """The line with which the prompt begins, and the one below that closes the header.

    `bare` says that no setting stands above it, `attached` that it could go on with a text.
    """

    start: Span
    close: Span
    bare: bool
    attached: bool


@memo_latest
def too_late(file: TemplateFile) -> Late | None:
    """The line of the header with which the prompt was meant to begin, or None."""
    cut = file.document.frontmatter
    if not header.is_seen(file) or cut.fence is not FenceKind.CLOSED or cut.close is None:
        return None
    start = _start(file)
    if start is None or (header.parses(file) and not _has_sentence(file, start)):
        return None
    above = file.document.text[cut.inner.start : start.start]
    bare = not re.sub(r"^[ \t]*#.*", "", above, flags=re.MULTILINE).strip()
    top = parts.mapping(above, cut.inner.start)
    if bare:
        return Late(start, cut.close, bare=True, attached=False)
    # Below `description: |` without a text, the lines are one that is not indented.
    if top is None or not top.entries or _is_open(top):
        return None
    key = file.dialect.key(top.entries[-1].name or "")
    is_text = key is not None and key.kind is ValueKind.TEXT
    attached = is_text and not _TO_THE_AGENT.match(start.of(file.document.text))
    return Late(start, cut.close, bare=False, attached=attached)


def _start(file: TemplateFile) -> Span | None:
    """The first line of prose behind the last key of the dialect, with the headings above it.

    A blank line or a heading has to stand above it, or a blank line below it in the header.
    """
    rows = tuple(_rows(file))
    first: Span | None = None
    is_heading = is_apart = False
    for at, row in enumerate(rows):
        line = row.of(file.document.text)
        if not line.strip():
            first, is_apart = (first if is_heading else None), True
        elif _HEADING.match(line):
            first, is_heading, is_apart = (first if is_heading else row), True, True
        elif _is_prose(file, line):
            more = any(not later.of(file.document.text).strip() for later in rows[at:])
            return (first or row) if is_apart or more else None
        else:
            is_heading, is_apart = False, first is not None
    return None


def _rows(file: TemplateFile) -> Iterator[Span]:
    """The lines of the header behind the last key of the dialect."""
    text, inner = file.document.text, file.document.frontmatter.inner
    rows = list(markdown.lines(text[: inner.end], inner.start))
    # Keys in a code block are an example.
    fences = (at for at, row in enumerate(rows) if text.startswith(_FENCES, row.start))
    first = next(fences, len(rows)) if "\n```" in text or "\n~~~" in text else len(rows)
    for at in range(first - 1, -1, -1):
        row = rows[at]
        if len(row) and not text[row.start].isspace() and parts.begins(file, row.start):
            yield from rows[at + 1 :]
            return
    yield from rows


def _is_prose(file: TemplateFile, line: str) -> bool:
    if line[0] in " \t" or _YAML.match(line):
        return False
    word = re.split(r"[\s:]", line, maxsplit=1)[0]
    return all(fold(word) != fold(key.name) for key in file.dialect.keys)


def _is_open(top: Mapping) -> bool:
    value = resolve(top.entries[-1].value)
    is_block = isinstance(value, Scalar) and value.style in (Style.LITERAL, Style.FOLDED)
    return is_block and isinstance(value, Scalar) and not value.value


def _has_sentence(file: TemplateFile, start: Span) -> bool:
    """Whether what YAML takes for keys from `start` on is a text for people."""
    top = header.root(file)
    return top is not None and any(
        entry.key.span.start >= start.start
        and len((entry.name or "").split()) > 1
        and (
            len((entry.name or "").split()) >= _WORDS
            or _SENTENCE.search(entry.span.of(file.document.text)) is not None
        )
        for entry in top.entries
    )
