"""Completes a whole header, with a line to begin the prompt if there is none.

Invariant: a file has no finding right after its header was accepted. A header starts on the first
line, where the runtime looks for it.
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.completion.offer import (
    Completion,
    CompletionKind,
    Words,
    literal,
    newline,
    offer,
    tab_stop,
    to_begin_with,
)
from agent_lsp.analysis.context.marker import line_at
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_FENCE = "---"
_USUAL = (KeyRole.DESCRIPTION, KeyRole.MODEL, KeyRole.ALLOW)
_DESCRIPTION = "What the agent does, and when to use it."
_PROMPT = "Say what the agent does, and what it answers with."
# More would hide that any other one may be typed.
_MOST_CHOICES = 8


def header(file: TemplateFile, offset: int) -> Iterator[Completion]:
    """A header with the keys that matter most, in a file that has none."""
    text = file.document.text
    first = line_at(text, 0)
    dashes, rest = first.of(text).rstrip(), text[first.end :].strip()
    if file.document.frontmatter.fence not in (FenceKind.ABSENT, FenceKind.UNCLOSED) or (
        not dashes and rest
    ):
        return
    end = newline(text)
    lines = [*_keys(file), _FENCE] + ([] if rest else [tab_stop(0, (_PROMPT,))])
    if dashes in ("", "-", "--", _FENCE) and first.covers(offset):
        typed, lines = first, [_FENCE, *lines]
    elif dashes == _FENCE and not rest and text[first.end : offset] == end:
        typed = Span(offset, offset)
    else:
        return
    words = Words("a whole header")
    yield offer(text, typed, "--- header", CompletionKind.SNIPPET, end.join(lines), words, 0)


def _keys(file: TemplateFile) -> Iterator[str]:
    """The keys that matter most, each with a value to type over or to choose."""
    stop = 1
    for key in file.dialect.schema.keys:
        shape = _value(file, key, stop) if key.required_by or key.role in _USUAL else None
        shape = shape or (
            _example(key, stop) if key.example and key.role is KeyRole.EFFORT else None
        )
        if shape is not None:
            yield f"{literal(key.name)}: {shape}"
            stop += 1


def _value(file: TemplateFile, key: Key, stop: int) -> str | None:
    """The value of `key` as a tab stop, or None if nothing would be right in most files."""
    if key.role is KeyRole.AGENT:
        return tab_stop(stop, (_own_name(file) or key.example,))
    if key.role is KeyRole.DESCRIPTION:
        return tab_stop(stop, (key.example or _DESCRIPTION,))
    if key.role is KeyRole.MODEL:
        return _models(file, key, stop)
    if key.role is KeyRole.ALLOW:
        names = to_begin_with(file.dialect)
        listed = tab_stop(stop, (", ".join(names),))
        return (listed if key.in_text else f"[{listed}]") if names else None
    return _example(key, stop)


def _models(file: TemplateFile, key: Key, stop: int) -> str | None:
    names = dict.fromkeys((key.example, *(model.name for model in file.dialect.models.listed)))
    found = tuple(name for name in names if name)[:_MOST_CHOICES]
    return tab_stop(stop, found) if found else None


def _example(key: Key, stop: int) -> str:
    others = (choice.name for choice in key.choices)
    return tab_stop(stop, tuple(dict.fromkeys(name for name in (key.example, *others) if name)))


_OUTSIDE = re.compile(r"[^A-Za-z0-9_-]+")


def _own_name(file: TemplateFile) -> str | None:
    """The name that the file has, as far as the runtime takes it for that of an agent."""
    named = file.dialect.names.name_of(file.path.name) or file.path.stem
    allowed = file.dialect.conversion.names if file.dialect.conversion is not None else None
    for name in (named, named.lower(), _OUTSIDE.sub("-", named).strip("-_").lower()):
        if name and allowed is not None and allowed.fullmatch(name):
            return name
    return None
