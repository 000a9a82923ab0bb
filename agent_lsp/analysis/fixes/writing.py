"""Writes what fixes insert: quotes, line ends, and words that the author has to replace.

Invariant: nothing here looks at a finding.
"""

import re

from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

# How a line begins that is none of a text which is not indented.
_NO_TEXT = re.compile(r"[\w.-]+[ \t]*:|[\"'][^\"']*[\"'][ \t]*:|-(?:[ \t]|$)|[#\]}]|---|\.\.\.")
_NO_PROSE = re.compile(r"-(?:[ \t]|$)|#")
_KEY = re.compile(r"[\w.-]+[ \t]*:(?:[ \t]|$)")


def in_quotes(source: str) -> str:
    """`source`, as it stands in the file, as a text with all its signs.

    A line end in it is read as in a text without quotes.
    """
    if '"' not in source and "\\" not in source:
        return f'"{source}"'
    return "'" + source.replace("'", "''") + "'"


def line_end(text: str) -> str:
    """How the first line of `text` ends, or would end."""
    stop = text.find("\n")
    return "\r\n" if stop > 0 and text[stop - 1] == "\r" else "\n"


def line_start(text: str, at: int) -> int:
    """Where the line of `at` begins."""
    return text.rfind("\n", 0, at) + 1


def whole_line(text: str, at: int) -> Span:
    """The line of `at` with its end."""
    stop = text.find("\n", at)
    return Span(line_start(text, at), len(text) if stop < 0 else stop + 1)


def whole_value(file: TemplateFile, span: Span, *, prose: bool) -> Span | None:
    """A value of which `span` is what stands on its first line, down to its last line.

    None where nobody can tell what belongs to it: where lines below it are not indented, are items
    or comments or, unless it is `prose`, look like keys.
    """
    text, end = file.document.text, file.document.frontmatter.inner.end
    line = whole_line(text, span.start)
    behind = text[span.end : line.end].strip()
    if behind and not behind.startswith("#"):
        return span
    stop = min(block_end(text, span.start), end)
    below = [row.strip() for row in text[line.end : stop].splitlines() if row.strip()]
    after = next((row for row in text[stop:end].splitlines() if row.strip()), None)
    if after is not None and not _NO_TEXT.match(after.lstrip()):
        return None
    if not below:
        return span
    unclear = any(_NO_PROSE.match(row) or (not prose and _KEY.match(row)) for row in below)
    return None if behind or unclear else Span(span.start, stop)


def block_end(text: str, at: int) -> int:
    """Where the line of `at` ends, with all lines below it that are indented deeper."""
    first = whole_line(text, at)
    column, end = indent(first.of(text)), first.end
    stop = end
    while stop < len(text):
        line = whole_line(text, stop)
        row = line.of(text)
        if row.strip() and indent(row) <= column:
            break
        stop = line.end
        end = stop if row.strip() else end
    return len(text[:end].rstrip("\r\n"))


def indent(line: str) -> int:
    """How many blanks a line begins with."""
    return len(line) - len(line.lstrip(" "))


def placeholder(file: TemplateFile, key: Key) -> str:
    """A value for `key` that the runtime takes, and that is the right one only for a name."""
    if key.role is KeyRole.AGENT and file.name is not None:
        return file.name
    if key.role is KeyRole.DESCRIPTION:
        return "TODO: say what it is for"
    return key.choices[0].name if key.choices else f"TODO: {key.name}"
