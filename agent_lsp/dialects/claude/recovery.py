"""What becomes of a header that is no YAML: some values are put in quotes, and it is read again.

Invariant: what is not established is never called certain.
Facts: an unquoted `: ` in a value on one line is recovered in a file with LF, and not with CRLF
(PostHog/posthog 91631, anthropics/claude-code 80890, 91871), read 2026-11-27.
"""

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from agent_lsp.syntax import yaml
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, resolve
from agent_lsp.text import Span

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
