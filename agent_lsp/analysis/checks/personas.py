"""Finds declared personas without a block, and blocks without a declaration.

Invariant: one mistake makes one finding. If the two names differ only by a slip, both belong to one
pair. The same holds for a name that YAML removes, and for a persona that is declared twice.

The module also finds comments in the body that were meant to start a persona's block. These exclude
the runtime's own markers and comments in code. They also exclude a comment that only has the shape
of a marker, unless it names a persona without a block.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping

from agent_lsp.analysis.checks import coerce, header, unknown_key
from agent_lsp.analysis.checks.messages import unquoted
from agent_lsp.analysis.suggest import fold, nearest
from agent_lsp.data_classes import dataclass
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Block, LoadError, LoadErrorKind
from agent_lsp.patterns import regex
from agent_lsp.syntax import frontmatter
from agent_lsp.syntax.document import memoised
from agent_lsp.syntax.nodes import path_to, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

# More names than a person writes are not compared with one another.
_MOST_PAIRS = 10_000
EXAMPLE = "put other text on the line if it is an example"


@memoised
def pairs(file: TemplateFile) -> Mapping[LoadError, LoadError]:
    """For each undeclared block, the persona without a block that it was meant for."""
    blockless, found = _blockless(file), dict[LoadError, LoadError]()
    undeclared = tuple(header.errors(file, LoadErrorKind.UNDECLARED))
    if len(blockless) * len(undeclared) > _MOST_PAIRS:
        return found
    for error in undeclared:
        name = nearest(unquoted(error.got), blockless)
        if name is not None:
            found[error] = blockless.pop(name)
    return found


@memoised
def unnamed(file: TemplateFile) -> Mapping[LoadError, tuple[str, ...]]:
    """For each persona whose name YAML removes, the blocks that may be meant for it."""
    elsewhere = pairs(file)
    left = [f.got for f in header.errors(file, LoadErrorKind.UNDECLARED) if f not in elsewhere]
    found: dict[LoadError, tuple[str, ...]] = {}
    blank = [error for error in header.errors(file, LoadErrorKind.BLOCKLESS) if not error.got]
    paired = set(elsewhere.values())
    for error in _blockless(file).values() if left else ():
        path = path_to(file.document.tree.root, error.span)
        node = resolve(path.node) if path is not None else None
        comment = coerce.comment(file, node)
        if comment is None or error in paired:
            continue
        whole = file.document.text[error.span.start : comment.end].casefold()
        name = next((name for name in left if name.casefold() == whole), None)
        if name is not None:
            found[error] = (name,)
            left.remove(name)
    if blank and blank[0] not in found and 0 < len(left) <= len(blank):
        found[blank[0]] = tuple(left)
    return found


def undeclared(file: TemplateFile) -> tuple[LoadError, ...]:
    """The blocks without a persona, except those that another finding reports."""
    found = tuple(header.errors(file, LoadErrorKind.UNDECLARED))
    if not found or unknown_key.is_below(file, KeyRole.PERSONAS):
        return ()
    elsewhere = {name for names in unnamed(file).values() for name in names}
    return tuple(error for error in found if error.got not in elsewhere)


@memoised
def lacking(file: TemplateFile) -> tuple[LoadError, ...]:
    """The personas without a block and without a block meant for them, each once."""
    meant = set(pairs(file).values())
    return tuple(error for error in _blockless(file).values() if error not in meant)


def declared_blocks(file: TemplateFile) -> tuple[Block, ...]:
    """The blocks of declared personas below a header that the runtime can read."""
    held = header.held(file)
    blocks = held.blocks[1:] if header.parses(file) else ()
    declared = {persona.name for persona in held.personas}
    return tuple(block for block in blocks if block.name and block.name in declared)


def markers_in_code(file: TemplateFile) -> frozenset[Span]:
    """The spans of the names in markers that are in a fenced code block."""
    blocks = file.reading.declared.blocks[1:]
    code = (
        frontmatter.code_blocks(file.document.text, file.document.frontmatter.body.start)
        if blocks
        else ()
    )
    markers = (span for block in blocks for span in block.markers)
    return frozenset(span for span in markers if any(block.covers(span.start) for block in code))


def block_at(file: TemplateFile, offset: int) -> str | None:
    """The persona of the block at `offset`, or None for the default block."""
    markers = {
        span.start: block.name
        for block in file.reading.declared.blocks
        for span in block.markers
        if span.start < offset
    }
    return markers[max(markers)] if markers else None


def _blockless(file: TemplateFile) -> dict[str, LoadError]:
    found: dict[str, LoadError] = {}
    for error in header.errors(file, LoadErrorKind.BLOCKLESS):
        found.setdefault(error.got, error)
    return found


# A comment with one statement, spelt right or nearly so; the end may be missing. The lookahead runs
# once, and nothing after it can fail, so that the time is linear in the length of the line.
_COMMENT = regex(
    r"<(?:! ?-{1,4}|!|-{2,4})\s*(?=[a-z][^\n<>]*(?:>|$))"
    r"(?P<word>agent names?|[a-z](?:[\w.]|-(?!-))*)[ \t]*(?P<colon>[:=]?)"
    r"(?P<name>[^\n<>]*)(?:>|\s*-{1,4}>|$)",
    re.IGNORECASE | re.MULTILINE,
)
_SPACE_AND_DASHES = " \t\r-"
# Text before a comment that is no part of a sentence.
_MARKUP = regex(r"[\W\d_]*")


@dataclass(frozen=True, slots=True)
class Lookalike:
    """A comment and its name, which may be empty; `alone` if nothing else is on its line."""

    span: Span
    name: str
    alone: bool


@memoised
def lookalikes(file: TemplateFile) -> tuple[Lookalike, ...]:
    """The comments of the body that were meant to be markers, in the order of the text."""
    if file.dialect.format.marker is None:
        return ()
    undeclared = tuple(error.got for error in lacking(file))
    text, start = file.document.text, file.document.frontmatter.body.start
    named = sorted(span.start for block in file.reading.declared.blocks for span in block.markers)
    code = frontmatter.code_blocks(text, start)
    found: list[Lookalike] = []
    for match in _COMMENT.finditer(text, start):
        line = Span(text.rfind("\n", 0, match.start()) + 1, _line_end(text, match.end()))
        is_marker = bisect_left(named, line.start) < bisect_left(named, line.end)
        if not is_marker and not any(block.covers(match.start()) for block in code):
            found += _meant(file, match, line, undeclared)
    return tuple(found)


def by_persona(file: TemplateFile) -> Mapping[LoadError, Lookalike]:
    """For each persona without a block, the comment that was meant to start it."""
    found: dict[LoadError, Lookalike] = {}
    without_block = lacking(file)
    waiting = list(lookalikes(file)) if without_block else []
    for error in without_block:
        name = nearest(error.got, (alike.name for alike in waiting if alike.name))
        alike = next((alike for alike in waiting if alike.name == name), None)
        if alike is not None:
            found[error] = alike
            waiting.remove(alike)
    return found


def _meant(
    file: TemplateFile, match: re.Match[str], line: Span, lacking: tuple[str, ...]
) -> Iterator[Lookalike]:
    """The look-alike of a marker that a comment is, if it is one."""
    text = file.document.text
    before = text[line.start : match.start()].strip()
    after = text[match.end() : line.end].strip()
    # A comment in a code span is an example.
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


# What later versions of runtimes call the same.
_LATER = ("agentnickname",)


def _is_like(file: TemplateFile, match: re.Match[str], name: str) -> bool:
    """Whether a person would read a comment as a marker."""
    key, word = _key(file), match["word"]
    is_name = re.fullmatch(r"\w+\S*", name) is not None
    if fold(word) == fold(key):
        return not name or (is_name or (match["colon"] == ":" and name[0].isalnum()))
    is_near = nearest(word, (key,)) is not None or fold(word) in _LATER
    return bool(match["colon"]) and is_name and is_near


def _word(file: TemplateFile, match: re.Match[str]) -> str:
    """The word of a comment that has only a persona's name."""
    return "" if nearest(match["word"], (_key(file),)) else match["word"]


def _key(file: TemplateFile) -> str:
    return file.dialect.format.marker("").strip("<!->: ") if file.dialect.format.marker else ""


def _line_end(text: str, offset: int) -> int:
    stop = text.find("\n", offset)
    return len(text) if stop < 0 else stop
