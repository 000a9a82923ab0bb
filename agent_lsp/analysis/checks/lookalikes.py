"""Comments in the body that were meant to start a persona's block and are prompt text.

Invariants: what the runtime takes for a marker is none of these; neither is what stands in code,
nor a comment that shares nothing with a marker but the shape, unless it names a persona that
lacks its block.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from agent_lsp.analysis.checks import personas
from agent_lsp.analysis.checks.messages import unquoted
from agent_lsp.analysis.suggest import fold, nearest
from agent_lsp.model.template import LoadError
from agent_lsp.syntax import frontmatter
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

# A comment of one statement, spelt right or nearly so; the end may be missing. What lies ahead is
# looked at once, and behind that nothing can fail: a long line takes no longer than it is long.
_COMMENT = re.compile(
    r"<(?:! ?-{1,4}|!|-{2,4})\s*(?=[a-z][^\n<>]*(?:>|$))"
    r"(?P<word>agent names?|[a-z](?:[\w.]|-(?!-))*)[ \t]*(?P<colon>[:=]?)"
    r"(?P<name>[^\n<>]*)(?:>|\s*-{1,4}>|$)",
    re.IGNORECASE | re.MULTILINE,
)
_SPACE_AND_DASHES = " \t\r-"
# What may stand before a comment without making a sentence of it.
_MARKUP = re.compile(r"[\W\d_]*")


@dataclass(frozen=True, slots=True)
class Lookalike:
    """A comment and the name in it, which may be empty; `alone` if nothing else is on its line."""

    span: Span
    name: str
    alone: bool


def lookalikes(file: TemplateFile) -> tuple[Lookalike, ...]:
    """The comments of the body that were meant to be markers, in the order of the text."""
    if file.dialect.marker is None:
        return ()
    lacking = tuple(fault.got for fault in personas.lacking(file))
    text, start = file.document.text, file.document.frontmatter.body.start
    named = sorted(span.start for block in file.reading.declared.blocks for span in block.markers)
    code = frontmatter.code_blocks(text, start)
    found: list[Lookalike] = []
    for match in _COMMENT.finditer(text, start):
        line = Span(text.rfind("\n", 0, match.start()) + 1, _line_end(text, match.end()))
        is_marker = bisect_left(named, line.start) < bisect_left(named, line.end)
        if not is_marker and not any(block.covers(match.start()) for block in code):
            found += _meant(file, match, line, lacking)
    return tuple(found)


def by_persona(file: TemplateFile) -> Mapping[LoadError, Lookalike]:
    """For a persona without a block the comment that was meant to start it."""
    found: dict[LoadError, Lookalike] = {}
    lacking = personas.lacking(file)
    waiting = list(lookalikes(file)) if lacking else []
    for fault in lacking:
        name = nearest(fault.got, (alike.name for alike in waiting if alike.name))
        alike = next((alike for alike in waiting if alike.name == name), None)
        if alike is not None:
            found[fault] = alike
            waiting.remove(alike)
    return found


def _meant(
    file: TemplateFile, match: re.Match[str], line: Span, lacking: tuple[str, ...]
) -> Iterator[Lookalike]:
    """The look-alike that a comment is, if it is one."""
    text = file.document.text
    before = text[line.start : match.start()].strip()
    after = text[match.end() : line.end].strip()
    # A comment in a code span shows how to write one.
    if before.count("`") % 2:
        return
    name = unquoted(match["name"].strip(_SPACE_AND_DASHES)).strip()
    is_wanted = nearest(name or match["word"], lacking) is not None
    words_before, words_after = (not _MARKUP.fullmatch(beside) for beside in (before, after))
    is_prose = words_before or bool(before and words_after)
    if not is_wanted and (is_prose or not _is_like(file, match, name)):
        return
    span = Span(match.start(), match.start() + len(match[0].rstrip()))
    yield Lookalike(span, name or _word(file, match), not before and not after)


def _is_like(file: TemplateFile, match: re.Match[str], name: str) -> bool:
    """Whether a comment says what a marker says, to a human reader."""
    key, word = _key(file), match["word"]
    is_name = re.fullmatch(r"\w+\S*", name) is not None
    if fold(word) == fold(key):
        return not name or (is_name or (match["colon"] == ":" and name[0].isalnum()))
    return bool(match["colon"]) and is_name and nearest(word, (key,)) is not None


def _word(file: TemplateFile, match: re.Match[str]) -> str:
    """The word of a comment that is nothing but a persona's name."""
    return "" if nearest(match["word"], (_key(file),)) else match["word"]


def _key(file: TemplateFile) -> str:
    return file.dialect.marker("").strip("<!->: ") if file.dialect.marker else ""


def _line_end(text: str, offset: int) -> int:
    stop = text.find("\n", offset)
    return len(text) if stop < 0 else stop
