"""Finds what the prompt of an agent refers to: tools, and files.

Facts: VS Code 1.139.1, `PromptBody` in promptSyntax/promptFileParser, run 2026-11-28. In code, in a
fence or in backticks, nothing is a reference; a name of a tool may contain a full stop, and takes
the one at the end of a sentence with it. Copilot CLI reads none of these.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from agent_lsp.text import Span

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,})(?P<rest>[^\r\n]*)")
_CODE = re.compile(r"`[^`\r\n]+`")
# No link of a person is longer, and the search has to end.
_LINK = re.compile(r"(?<!!)\[[^\[\]\r\n]{0,200}\]\((?P<path>[^()\r\n]{1,400})\)")
_REFERENCE = re.compile(r"#file:(?P<path>[^\s#]+)|#tool:(?P<tool>[\w\-./]+)", re.IGNORECASE)

_VARIABLE = re.compile(
    r"(?<![^\s(\"'])#(?P<name>[A-Za-z]\w*)(?![\w:/-])|\$\{[A-Za-z][\w:.-]{0,100}\}"
)


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to a tool or a file, and where its name stands."""

    name: str
    span: Span
    is_tool: bool = False


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
    links = [one for one in _LINK.finditer(line) if not _is_inside(one.start(), code, starts)]
    found = [
        Reference(one["path"], Span(at + one.start("path"), at + one.end("path"))) for one in links
    ]
    taken = [(one.start() - 1, one.end() + 1) for one in links]
    begins = [begin for begin, _ in taken]
    for one in _REFERENCE.finditer(line):
        start = one.start()
        if _is_inside(start, code, starts) or _is_inside(start, taken, begins):
            continue
        group = "tool" if one["tool"] else "path"
        span = Span(at + one.start(group), at + one.end(group))
        found.append(Reference(one[group], span, is_tool=group == "tool"))
    return found


def _is_inside(at: int, ranges: list[tuple[int, int]], starts: list[int]) -> bool:
    """Whether one of `ranges`, which are in order and begin at `starts`, holds the offset."""
    before = bisect_right(starts, at) - 1
    return before >= 0 and at < ranges[before][1]
