"""Finds headers that an author intended and that the runtime does not see.

Invariant: a text that only shows a header as an example has none: the text above it says so, or it
is in a code block below other text.
Facts: Claude Code 2.1.332, measured 2026-11-28: a file that does not begin with `---` has no
header, and is documentation; so is a file whose first two lines are `---`.
"""

import re
from collections.abc import Iterable, Iterator

from agent_lsp.model.template import Value
from agent_lsp.syntax import invisible
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.text import Span

_LOOKED_AT = 5_000
# A header that is not on the first line, with nothing important above it.
_BLANK_OR_COMMENT = r"[ \t]*\r?\n|[ \t]*<!--[^\n]*-->[ \t]*\r?\n"
_LATE = re.compile(
    rf"(?:(?:{_BLANK_OR_COMMENT})*(?:`{{3,}}|~{{3,}})[\w-]*[ \t]*\r?\n(?:{_BLANK_OR_COMMENT})*"
    rf"|(?:{_BLANK_OR_COMMENT}|#[^\n]*\n)+)"
    r"---[ \t]*\r?\n(?P<header>(?:(?!---)[^\n]*\n)+)---[ \t]*(?:\r?\n|\Z)"
)
# A header whose first line is missing, or only looks like `---`.
_NEAR = re.compile(
    r"(?:[ \t]*(?:[-–—]{2,}|\+{3})[ \t]*(?:ya?ml|toml|#[^\n]*)?[ \t]*\r?\n)?"
    r"(?P<header>[ \t]*(?:name|description)[ \t]*[:=][^\n]*\n"
    r"(?:(?![ \t]*(?:[-–—]{3}|\+{3}))[^\n]*\n)+?)"
    r"[ \t]*(?:[-–—]{3,}|\+{3})[ \t]*(?:\r?\n|\Z)"
)
# A header without its lines `---`, up to the first blank line, or in a code block.
_BARE = re.compile(
    r"(?:(?:`{3,}|~{3,})[\w-]*[ \t]*\r?\n)?"
    r"(?P<header>(?:name|description):[ \t][^\n]*\n"
    r"(?:(?![ \t]*\r?\n|`{3}|~{3})[^\n]+(?:\n|\Z))+)"
)
# A line above a header; a colon at its end says that an example follows.
_SENTENCE = re.compile(r"[^`~].*[^:]", re.DOTALL)
_KEY = re.compile(r"(?:name|description):")
_MOST_ABOVE = 2
# A header whose lines end in CR alone, changed to LF: otherwise the first line has no end.
_OLD_ENDS = re.compile(r"\r(?!\n)")
_WHOLE = re.compile(r"---[ \t]*\n(?P<header>(?:(?!---[ \t]*\n)[^\n]*\n)+)---[ \t]*(?:\n|\Z)")
_NAME = re.compile(
    r"^[ \t]*name[ \t]*[:=][ \t]*[\"']?(?P<name>[^\s\"'#][^\n\"'#]*?)[\"']?[ \t]*\r?$", re.MULTILINE
)
_DESCRIPTION = re.compile(r"^[ \t]*description[ \t]*[:=]", re.MULTILINE)
# Text that speaks to an agent, below nothing but titles.
_TITLE = re.compile(r"[ \t]*(?:#|<!--|={3,}[ \t]*$|-{3,}[ \t]*$)")
_TO_AGENT = re.compile(
    r"[*_>\s]*(?:(?i:You are|You['\u2019]re)\s+"
    r"(?:(?i:an?|the|now|acting|responsible|tasked)\b|[A-Z])"
    r"|(?i:Act as|Your (?:role|job|task) is)\s)"
)
# Names of files that people put beside agents to explain them.
_NOTES = frozenset({"readme", "changelog", "contributing", "license", "agents", "claude", "index"})


def below(document: Document) -> Value | None:
    """The name in a header that does not begin correctly in the first line, or None."""
    cut = document.frontmatter
    if cut.fence is FenceKind.CLOSED and not cut.inner.of(document.text).strip():
        # Blanks and a line end replace the text above it, so that offsets stay.
        begin = _blanked(document.text, cut.body.start)
        return _named(begin, (_NEAR.match(begin, len(begin) - len(begin.lstrip())),))
    if cut.fence is not FenceKind.ABSENT:
        return None
    begin, hidden = document.text[:_LOOKED_AT], invisible.leading(document.text[:_LOOKED_AT])
    if len(hidden):
        # Invisible characters above the header count as a blank line.
        begin = f"{' ' * (hidden.end - 1)}\n{begin[hidden.end :]}"
    begin, ends = _OLD_ENDS.subn("\n", begin)
    return _named(begin, _found(begin, is_old=bool(ends)))


def _blanked(text: str, at: int) -> str:
    """The start of a text from `at`, with a line end right above its first word."""
    words = text[at : at + _LOOKED_AT]
    first = at + len(words) - len(words.lstrip())
    return f"{' ' * (first - 1)}\n{words.lstrip()}"


def _found(begin: str, *, is_old: bool) -> Iterator[re.Match[str] | None]:
    """Yields possible headers at the start of a text, the likeliest first."""
    if is_old:
        yield _WHOLE.match(begin)
    yield _LATE.match(begin)
    yield _NEAR.match(begin)
    yield _BARE.match(begin)
    yield _below_text(begin)


def _below_text(begin: str) -> re.Match[str] | None:
    """A header below a line or two of text."""
    at = above = 0
    for line in begin.splitlines(keepends=True):
        bare = line.strip()
        if bare == "---" and above and _KEY.match(begin, at + len(line)):
            return _WHOLE.match(begin, at)
        above += bool(bare)
        if bare and (above > _MOST_ABOVE or not _SENTENCE.fullmatch(bare)):
            return None
        at += len(line)
    return None


def _named(begin: str, found: Iterable[re.Match[str] | None]) -> Value | None:
    """The name in the first of the headers that were `found`, if it has a description as well."""
    header = next((one for one in found if one is not None), None)
    if header is None or not _DESCRIPTION.search(begin, *header.span("header")):
        return None
    name = _NAME.search(begin, *header.span("header"))
    return Value(name["name"], Span(*name.span("name"))) if name is not None else None


def is_note_by_name(stem: str) -> bool:
    """Whether a file has a name that is usual for documentation."""
    return stem.lower() in _NOTES


def addresses(document: Document) -> bool:
    """Whether a file without a header begins by speaking to an agent."""
    if document.frontmatter.fence is not FenceKind.ABSENT:
        return False
    lines = (line for line in document.text[:_LOOKED_AT].splitlines() if line.strip("\ufeff \t"))
    first = next((line for line in lines if not _TITLE.match(line)), "")
    return _TO_AGENT.match(first) is not None
