"""Finds messages about one file that contradict each other, or that say one thing twice.

Two messages for programs of which no one is the same never do: each is right for its own.
"""

import re
from collections.abc import Callable, Iterable
from itertools import combinations

from agent_lsp.analysis.diagnostics import Diagnostic

_REMOVE = re.compile(r"\bremove (?:it|the key|the line|this)\b")
# One of two things that are there is no instruction to remove the other one.
_WRITE = re.compile(r"\b(?:did you mean|write|add it|call it)\b")
_IGNORED = re.compile(r"\bhas no effect\b|\bno effect:|\bdoes nothing\b|\bruntime ignores it\b")
_REFUSED = re.compile(
    r"\brefuses? the (?:file|agent|whole)|\bdoes not (?:load|start)\b|\bbecomes the prompt\b"
    r"|\bskips the file\b|\bcatalog fails\b|\bignores the whole file\b|\bconfiguration is dropped\b"
)
_NO_TOOLS = re.compile(r"\bthe (?:sub-)?agent (?:has no tools?\b(?! but)|is left without any tool)")
_ALL_TOOLS = re.compile(r"\b(?:gets every tool|keeps the tools)\b")
_LACKS = re.compile(r"\b(?:header|file) has no `([^`]+)`")


def contradictions(found: Iterable[Diagnostic], text: str) -> list[str]:
    """What is wrong about the messages on a file with `text`, in words; empty if nothing is."""
    return [
        f"{kind}: {one.message!r} and {other.message!r}"
        for one, other in combinations(found, 2)
        if _have_a_reader(one, other)
        for kind, holds in _KINDS.items()
        if holds(one, other, text) or holds(other, one, text)
    ]


def _have_a_reader(one: Diagnostic, other: Diagnostic) -> bool:
    return not one.programs or not other.programs or bool({*one.programs} & {*other.programs})


def _is_one_place(one: Diagnostic, other: Diagnostic) -> bool:
    is_within = one.span.start < other.span.end and other.span.start < one.span.end
    return is_within or one.span == other.span


def _twice(one: Diagnostic, other: Diagnostic, _text: str) -> bool:
    return one.code == other.code and one.span == other.span


def _other_word(one: Diagnostic, other: Diagnostic, _text: str) -> bool:
    return one.span == other.span and bool(one.meant and other.meant) and one.meant != other.meant


def _removed_and_written(one: Diagnostic, other: Diagnostic, _text: str) -> bool:
    is_here = _is_one_place(one, other) and _REMOVE.search(one.message) is not None
    is_kept = _WRITE.search(other.message) is not None and not _REMOVE.search(other.message)
    return is_here and is_kept


def _ignored_and_refused(one: Diagnostic, other: Diagnostic, _text: str) -> bool:
    is_ignored = _IGNORED.search(one.message) is not None
    return is_ignored and _is_one_place(one, other) and _REFUSED.search(other.message) is not None


def _missing_and_there(one: Diagnostic, other: Diagnostic, text: str) -> bool:
    lacks = _LACKS.search(one.message)
    is_top = text[: other.span.start].rpartition("\n")[2] == ""
    return lacks is not None and is_top and other.span.of(text).strip("\"'") == lacks[1]


def _none_and_all(one: Diagnostic, other: Diagnostic, _text: str) -> bool:
    # What comes with a refusal ends with it.
    is_all = _ALL_TOOLS.search(other.message) and not _REFUSED.search(other.message)
    return _NO_TOOLS.search(one.message) is not None and bool(is_all)


_KINDS: dict[str, Callable[[Diagnostic, Diagnostic, str], bool]] = {
    "told twice": _twice,
    "two words are meant": _other_word,
    "removed and written": _removed_and_written,
    "ignored and refused": _ignored_and_refused,
    "missing and there": _missing_and_there,
    "no tools and all tools": _none_and_all,
}
