"""Lines that read like a header in a place where the runtime does not look for one.

Invariant: prose is none, even where it looks like keys: it takes a list, a truth value or a choice
behind a key of the dialect, or nothing but a model and a description above a line that closes them.
"""

import re
from dataclasses import dataclass

from agent_lsp.dialects.vocabulary import Key, KeyRole, ValueKind
from agent_lsp.syntax import markdown, yaml
from agent_lsp.syntax.markdown import FenceKind
from agent_lsp.syntax.nodes import Entry, Mapping, Scalar, Sequence, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.index import TemplateFile

_OPEN = "---\n"
_KEY = re.compile(r"\s*^[\"']?([\w-]+)[\"']?[ \t]*:(?=\s|$)", re.MULTILINE)
# A text that stands for a list, and no prose.
_LISTED = re.compile(r"[\w()*:.-]+(?:,[ \t]*[\w()*:.-]+)*")
_TRUTH = ("true", "false", "yes", "no", "on", "off")
# What is longer is a prompt, and is not read through for each keystroke.
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class HeaderLike:
    """Such lines with the keys of the dialect in them.

    `close` is the line that ends them like a header, `plain` that the value of one of them is
    no text.
    """

    span: Span
    entries: tuple[Entry, ...]
    close: Span | None
    plain: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The keys, in the order of the text, each once."""
        return tuple(dict.fromkeys(entry.name or "" for entry in self.entries))


def header_like(file: TemplateFile, start: int, *, described: bool = False) -> HeaderLike | None:
    """What reads like a header from `start` on, if anything does.

    `described` says that nothing else is to be expected there, so that a description is enough.
    """
    text = file.document.text
    if _KEY.match(text, start) is None:
        return None
    close, end = fence(file, start)
    root = mapping(text[start:end], start) if close is not None else None
    if root is None and begins(file, start):
        # What is no YAML as a whole may begin as a header and go on as a prompt.
        meant = _meant_end(file, start, end)
        close = None if text[meant:end].strip() else close
        end = meant
        node = resolve(yaml.parse(text[start:end], start).root)
        root = node if isinstance(node, Mapping) else None
    if root is None:
        return None
    known = {key.name: key for key in file.dialect.keys}
    entries = tuple(entry for entry in root.entries if entry.name in known)
    plain = any(_is_setting(known[entry.name or ""], entry) for entry in entries)
    has_text = described and any(
        known[entry.name or ""].role is KeyRole.DESCRIPTION for entry in entries
    )
    if not plain and (close is None or not (has_text or _are_texts(root, known))):
        return None
    return HeaderLike(Span(start, end), entries, close, plain)


def begins(file: TemplateFile, start: int) -> bool:
    """Whether the first line from `start` on that is not blank begins with a key."""
    first = _KEY.match(file.document.text, start)
    return first is not None and file.dialect.key(first[1]) is not None


def opening(file: TemplateFile, start: int) -> Span | None:
    """The first line from `start` on that is not blank, if it could open a header."""
    for row in markdown.lines(file.document.text, start):
        line = row.of(file.document.text)
        if line.strip():
            return row if opens(file, line) else None
    return None


def opens(file: TemplateFile, line: str) -> bool:
    """Whether a header begins with `line`, if something follows."""
    return file.dialect.split(f"{line}\nx\n", False).fence is not FenceKind.ABSENT


def fence(file: TemplateFile, start: int) -> tuple[Span | None, int]:
    """The first line from `start` on that closes a header, and where the header would end."""
    found = file.dialect.split(_OPEN + file.document.text[start : start + _LONGEST], False)
    by = start - len(_OPEN)
    if found.fence is FenceKind.CLOSED and found.close is not None:
        return found.close.shift(by), found.inner.end + by
    return None, found.inner.end + by


def mapping(text: str, start: int) -> Mapping | None:
    """The mapping that `text` is, at offset `start`, or None where it is something else."""
    root = resolve(yaml.sound(text, start)) if len(text) <= _LONGEST else None
    return root if isinstance(root, Mapping) else None


def _meant_end(file: TemplateFile, start: int, end: int) -> int:
    """Where what begins as a header stops to be one."""
    found = file.dialect.split(_OPEN + file.document.text[start:end], False)
    return found.inner.end + start - len(_OPEN)


def _are_texts(root: Mapping, keys: dict[str, Key]) -> bool:
    """Whether nothing but a description and the name of a model is there."""
    for entry in root.entries:
        key, node = keys.get(entry.name or ""), resolve(entry.value)
        if key is None or key.kind is not ValueKind.TEXT or not isinstance(node, Scalar):
            return False
        if key.role is not KeyRole.DESCRIPTION and len(node.value.split()) > 1:
            return False
    return bool(root.entries)


def _is_setting(key: Key, entry: Entry) -> bool:
    """Whether `entry` has a value that its key takes and prose has not."""
    node = resolve(entry.value)
    word = node.value.strip().lower() if isinstance(node, Scalar) else ""
    match key.kind:
        case ValueKind.BOOL:
            return word in _TRUTH
        case ValueKind.CHOICE:
            return any(word == choice.name for choice in key.choices)
        case ValueKind.LIST | ValueKind.RECORDS:
            is_listed = isinstance(node, Scalar) and _LISTED.fullmatch(node.value.strip())
            return isinstance(node, Sequence) or bool(key.in_text and is_listed)
        case ValueKind.NUMBER:
            return word.isdecimal()
        case ValueKind.TABLE:
            return isinstance(node, Mapping)
        case ValueKind.TEXT:
            return False
