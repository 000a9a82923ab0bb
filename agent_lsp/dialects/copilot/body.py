"""Finds what the prompt of an agent refers to: tools, and files.

Facts: VS Code 1.139.1, `PromptBody` in promptSyntax/promptFileParser, run 2026-11-28. In code, in a
fence or in backticks, nothing is a reference; a name of a tool may contain a full stop, and takes
the one at the end of a sentence with it. Copilot CLI reads none of these.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

from agent_lsp.analysis.context.contexts import line_at
from agent_lsp.data_classes import dataclass
from agent_lsp.dialects.copilot.vs_tools import TOOLS, in_prompt
from agent_lsp.model.schema import Choice, WordAt, WordKind
from agent_lsp.patterns import regex
from agent_lsp.syntax.document import Document
from agent_lsp.text import Span

_LINE = regex(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_FENCE = regex(r"\s*(?P<fence>`{3,}|~{3,})(?P<rest>[^\r\n]*)")
_CODE = regex(r"`[^`\r\n]+`")
_REFERENCE = regex(r"#file:(?P<path>[^\s#]+)|#tool:(?P<tool>[A-Za-z0-9_\-./]+)", re.IGNORECASE)

_VARIABLE = regex(r"(?<![^\s(\"'])#(?P<name>[A-Za-z]\w*)(?![\w:/-])|\$\{[A-Za-z][\w:.-]{0,100}\}")


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to a tool or a file, and where its name stands."""

    name: str
    span: Span
    is_tool: bool = False


def tool_at(document: Document, offset: int) -> WordAt | None:
    """The `#tool:` whose name stands at `offset` of the prompt, also if none is typed yet, or None.

    The offers are the whole names of VS Code's tools; older names and members are only text.
    """
    text, body = document.text, document.frontmatter.body
    line = line_at(text, offset)
    begun = _BEGUN.search(text, max(body.start, line.start), offset)
    if begun is None or not body.start <= offset <= body.end:
        return None
    rest = _REST.match(text, offset)
    span = Span(begun.start("tool"), rest.end() if rest is not None else offset)
    rows = (row for row in _lines(text, body.start) if row[1] == max(body.start, line.start))
    row, at = next(rows, ("", 0))
    code = [one.span() for one in _CODE.finditer(row)]
    if not row or _is_inside(begun.start() - at, code, [start for start, _ in code]):
        return None
    word = span.of(text)
    sent = in_prompt(word)
    notes = (f"In the prompt, VS Code writes `{sent}` in its place",) if sent is not None else ()
    return WordAt(WordKind.TOOL, "tool of VS Code", span, word, _OFFERS, notes)


_BEGUN = regex(r"#tool:(?P<tool>[A-Za-z0-9_\-./]*)\Z", re.IGNORECASE)
_REST = regex(r"[A-Za-z0-9_\-./]*")
_OFFERS = tuple(Choice(tool.name, tool.meaning) for tool in TOOLS)


@lru_cache(maxsize=4)
def references(text: str, start: int) -> tuple[Reference, ...]:
    """The references in a prompt that begins at the offset `start` of a file, in its order."""
    found = [one for line, at in _lines(text, start) for one in _in_line(line, at)]
    return tuple(sorted(found, key=lambda one: one.span))


def variables(text: str, start: int) -> Iterator[Reference]:
    """The variables of old chat modes and of prompt files in a prompt, which are text in an agent.

    The name of `#name` is that of a tool or of a piece of context, and is without the sign.
    """
    for line, at in _lines(text, start):
        code = [one.span() for one in _CODE.finditer(line)]
        starts = [begin for begin, _ in code]
        for one in _VARIABLE.finditer(line):
            # A line of nothing else may be a heading.
            if one[0] == line.strip() or _is_inside(one.start(), code, starts):
                continue
            span = Span(at + one.start(), at + one.end())
            yield Reference(one["name"] or one[0], span, is_tool=bool(one["name"]))


def _lines(text: str, start: int) -> Iterator[tuple[str, int]]:
    """The lines of a prompt outside of fences, each with its offset."""
    fence = ""
    for row in _LINE.finditer(text, start):
        line = row[0]
        opened = _FENCE.match(line)
        if opened is not None and not fence:
            fence = opened["fence"]
        elif not fence:
            yield line, row.start()
        elif opened is not None and not opened["rest"].strip():
            fence = "" if opened["fence"].startswith(fence) else fence


def _in_line(line: str, at: int) -> list[Reference]:
    if "#" not in line and "](" not in line:
        return []
    code = [one.span() for one in _CODE.finditer(line)]
    starts = [begin for begin, _ in code]
    links = [one for one in _links(line) if not _is_inside(one[0], code, starts)]
    found = [Reference(line[path:end], Span(at + path, at + end)) for _, path, end in links]
    taken = [(begin, end + 1) for begin, _, end in links]
    begins = [begin for begin, _ in taken]
    for one in _REFERENCE.finditer(line):
        start = one.start()
        # A reference that only touches a link does not count either.
        before = bisect_right(begins, one.end()) - 1
        is_at_link = before >= 0 and start <= taken[before][1]
        if is_at_link or _is_inside(start, code, starts):
            continue
        group = "tool" if one["tool"] else "path"
        span = Span(at + one.start(group), at + one.end(group))
        found.append(Reference(one[group], span, is_tool=group == "tool"))
    return found


def _links(line: str) -> Iterator[tuple[int, int, int]]:
    """Where the links of a line begin, and where their paths begin and end.

    The first `[` begins a link, whatever is between it and the next `](`; an image is none, and
    what is in it is not looked at again.
    """
    at = 0
    while (begin := line.find("[", at)) >= 0:
        middle = line.find("](", begin + 1)
        # A path has at least one character.
        end = line.find(")", middle + 3) if middle >= 0 else -1
        if end < 0:
            return
        if line[begin - 1 : begin] != "!":
            yield begin, middle + 2, end
        at = end + 1


def _is_inside(at: int, ranges: list[tuple[int, int]], starts: list[int]) -> bool:
    """Whether one of `ranges`, which are in order and begin at `starts`, holds the offset."""
    before = bisect_right(starts, at) - 1
    return before >= 0 and at < ranges[before][1]
