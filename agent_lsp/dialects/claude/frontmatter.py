"""Finds the header of an agent file, and reads again one that is no YAML.

Invariants: a line that begins with `---` ends the header; of `---` inside of a line only that it
may is said, since no documentation tells; what is not established is never called certain.
Facts: code.claude.com/docs/sub-agents as of 2026-10-08. Analyses of the published package
@anthropic-ai/claude-code, 2.1.42 to 2.1.284, agree that the header goes from a first line `---`,
which blanks and LF end, to the very next `---`, wherever that stands; read 2026-11-28. An unquoted
`: ` in a value on one line is recovered in a file with LF, and not with CRLF (PostHog/posthog
91631, anthropics/claude-code 80890, 91871), read 2026-11-27.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from agent_lsp.analysis.checks.suggesting import finding
from agent_lsp.dialects.claude.facts import KNOWN
from agent_lsp.model.check import Finding
from agent_lsp.model.schema import Severity
from agent_lsp.syntax import frontmatter, yaml
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind, Frontmatter
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, resolve
from agent_lsp.text import Span

_FENCE = "---"
_MOST = 3


def split(text: str, bom: bool) -> Frontmatter:
    """Splits `text` at the first line `---`, blanks behind it aside, and the next that begins so.

    One that is indented counts where there is no other: it may as well be a part of a text.
    """
    found = _split(text, lambda line: line.startswith(_FENCE), bom=bom)
    if found.fence is not FenceKind.UNCLOSED:
        return found
    indented = _split(text, lambda line: line.lstrip().startswith(_FENCE), bom=bom)
    return indented if indented.close is not None else found


def remarks(document: Document) -> Iterator[Finding]:
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
        yield finding(
            "header-unclosed",
            span,
            f"{message}; write `{_FENCE}`",
            Severity.INFORMATION,
            instead=_FENCE,
        )


def _split(text: str, is_end: Callable[[str], bool], *, bom: bool) -> Frontmatter:
    return frontmatter.split(
        text, lambda line: line.rstrip(" \t") == _FENCE, bom=bom, is_end=is_end
    )


def _inside(document: Document, at: int) -> Iterator[Finding]:
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
    yield finding("header-cut-short", Span(at, at + len(_FENCE)), message, severity)


_LINE = re.compile(r"^([A-Za-z_-]+):[ \t]+(\S.*)$", re.MULTILINE)
# What makes a plain value something else than the text it looks like.
_SPECIAL = re.compile(r"[{}\[\]*&#!|>%@`\"']|:(?:\s|$)")
# What is only opened is a list or a mapping to every reader, and has no end.
_OPENS = re.compile(r"[\[{]")
# Readers differ about tabs in front of a key, control characters and quotes within quotes.
_DOUBTFUL = re.compile(
    r"^\t|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
    r"""|^[A-Za-z_-]+:[ \t]+(?:"(?:\\.|[^"\\\n])*"|'[^'\n]*')[^\s#'].*$""",
    re.MULTILINE,
)


class Outcome(Enum):
    """What the runtime does with a header that is no YAML."""

    RECOVERED = "it reads the values all the same"
    DOUBTFUL = "it may skip the file"
    LOST = "it skips the file"


@dataclass(frozen=True, slots=True)
class Recovery:
    """The outcome, and the values of the header as far as they are read, with their keys."""

    outcome: Outcome
    values: tuple[tuple[str, Span, str, Span], ...] = ()
    root: Node | None = None


# A header is asked about several times at each keystroke.
@lru_cache(maxsize=64)
def recover(header: str, start: int) -> Recovery:
    """What becomes of `header`, which is no YAML and begins at offset `start`."""
    is_sound = isinstance(resolve(yaml.sound(_quoted(header, colons=True))), Mapping)
    if "\r\n" not in header and is_sound:
        return Recovery(Outcome.RECOVERED, _values(header, start))
    if _DOUBTFUL.search(header):
        return Recovery(Outcome.DOUBTFUL, _values(header, start))
    if isinstance(resolve(yaml.sound(_quoted(header.replace("\r", ""), colons=False))), Mapping):
        only_colons = isinstance(
            resolve(yaml.sound(_quoted(header.replace("\r", ""), colons=True))), Mapping
        )
        return Recovery(Outcome.LOST if only_colons else Outcome.DOUBTFUL, _values(header, start))
    return Recovery(Outcome.LOST, _values(header, start))


def values(document: Document) -> tuple[tuple[str, Span, str, Span], ...]:
    """The values that are read of a header although it is no YAML, with their keys."""
    header = document.frontmatter.inner
    if document.tree.problem is None:
        return ()
    return recover(header.of(document.text), header.start).values


def _quoted(header: str, *, colons: bool) -> str:
    """`header` with quotes around each value on one line that has a `: `, or any special sign."""

    def quoted(line: re.Match[str]) -> str:
        key, value = line[1], line[2].rstrip()
        is_quoted = value[0] in "\"'" and value[-1] == value[0] and len(value) > 1
        is_special = re.search(r":\s", value) if colons else _SPECIAL.search(value)
        is_shut = not _OPENS.match(value) or any(end in value for end in "]}")
        if is_quoted or not is_special or (colons and value[0] in "[{&*!|>%@`\"'") or not is_shut:
            return line[0]
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'{key}: "{escaped}"'

    return _LINE.sub(quoted, header)


def _values(header: str, start: int) -> tuple[tuple[str, Span, str, Span], ...]:
    """The values on one line whose text is no sound YAML, as they are written."""
    found = []
    for line in _LINE.finditer(header):
        text = line[2].rstrip()
        if re.search(r":\s", text) and not isinstance(yaml.sound(text), Scalar):
            at = start + line.start(2)
            key = Span(start + line.start(1), start + line.end(1))
            found.append((line[1], key, text, Span(at, at + len(text))))
    return tuple(found)
