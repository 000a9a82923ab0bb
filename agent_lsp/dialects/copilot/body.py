"""Finds what the prompt of an agent refers to: tools, and files.

Facts: VS Code 1.139.1, `PromptBody` in promptSyntax/promptFileParser, run 2026-11-28. In code, in a
fence or in backticks, nothing is a reference; a name of a tool may contain a full stop, and takes
the one at the end of a sentence with it. Copilot CLI reads none of these.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from agent_lsp.text import Span

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,})(?P<rest>[^\r\n]*)")
_CODE = re.compile(r"`[^`\r\n]+`")
_LINK = re.compile(r"(?<!!)\[(?P<text>[^\]\r\n]*)\]\((?P<path>[^)\r\n]+)\)")
_REFERENCE = re.compile(r"#file:(?P<path>[^\s#]+)|#tool:(?P<tool>[\w\-./]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to a tool or a file, and where its name stands."""

    name: str
    span: Span
    is_tool: bool = False


@lru_cache(maxsize=4)
def references(text: str, start: int) -> tuple[Reference, ...]:
    """The references in a prompt that begins at the offset `start` of a file, in its order."""
    found: list[Reference] = []
    fence = ""
    for row in _LINE.finditer(text, start):
        line, at = row[0], row.start()
        opened = _FENCE.match(line)
        if opened is not None and not fence:
            fence = opened["fence"]
            continue
        if fence:
            is_end = opened is not None and not opened["rest"].strip()
            if is_end and opened is not None and opened["fence"].startswith(fence):
                fence = ""
            continue
        found += _in_line(line, at)
    return tuple(sorted(found, key=lambda one: one.span))


def _in_line(line: str, at: int) -> list[Reference]:
    if "#" not in line and "](" not in line:
        return []
    code = [one.span() for one in _CODE.finditer(line)]
    links = [one for one in _LINK.finditer(line) if not _is_inside(one.start(), code)]
    found = [
        Reference(one["path"], Span(at + one.start("path"), at + one.end("path"))) for one in links
    ]
    taken = [(one.start() - 1, one.end() + 1) for one in links]
    for one in _REFERENCE.finditer(line):
        if _is_inside(one.start(), code) or _is_inside(one.start(), taken):
            continue
        group = "tool" if one["tool"] else "path"
        span = Span(at + one.start(group), at + one.end(group))
        found.append(Reference(one[group], span, is_tool=group == "tool"))
    return found


def _is_inside(at: int, ranges: list[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in ranges)
