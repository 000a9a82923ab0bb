"""Completions for the items of a list of tools: names and patterns.

Invariants: what the list has already is not offered; what would have no effect comes last
and says why.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.analysis import markup
from agent_lsp.analysis.completion.offer import (
    Completion,
    CompletionKind,
    Words,
    literal,
    offer,
    scalar,
    typed_quote,
)
from agent_lsp.analysis.places import Frame, ItemPlace
from agent_lsp.dialects.vocabulary import Holds, Key
from agent_lsp.workspace.index import Subject
from agent_lsp.workspace.servers import servers_of


@dataclass(frozen=True, slots=True)
class _Entry:
    """A name or a pattern that the list may have; `group` is a heading or empty."""

    name: str
    kind: CompletionKind
    meaning: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class _Effect:
    """What adding an entry would change: a note, and whether it would change nothing."""

    note: str = ""
    none: bool = False


_AROUND = {Frame.DASH: ("- ", ""), Frame.ENCLOSED: ("[", "$1]")}
# Further down than any list of tools is long.
_LAST = 5000


def items(of: Subject, at: ItemPlace) -> Iterator[Completion]:
    """What the list at `at` may have besides what it has."""
    if at.typed is None or at.key is None:
        return
    text = of.document.text
    mark = typed_quote(text, at.typed)
    lead, tail = _AROUND.get(at.frame, ("", ""))
    for place, entry in enumerate(_entries(of, at.key)):
        if entry.name in at.others:
            continue
        effect = _effect(of, at, at.key, entry)
        item = literal(scalar(entry.name, mark, flow=at.flow))
        yield offer(
            text,
            at.typed,
            entry.name,
            entry.kind,
            f"{' ' * at.spaced}{lead}{item}{tail}",
            _words(entry, effect),
            place + _LAST * effect.none,
            deprecated=effect.none,
        )


def _entries(of: Subject, key: Key) -> Iterator[_Entry]:
    if key.holds not in (Holds.ALLOW, Holds.DENY):
        for choice in key.choices:
            yield _Entry(choice.name, CompletionKind.VALUE, choice.meaning)
        return
    for tool in of.dialect.tools:
        yield _Entry(tool.name, CompletionKind.TOOL, tool.meaning, tool.group)
    for pattern in of.dialect.globs:
        yield _Entry(pattern.name, CompletionKind.PATTERN, pattern.meaning)
    for server in servers_of(of):
        # Without patterns the name of the tool is left to type.
        every = f"{server.prefix}*"
        is_pattern = of.dialect.is_pattern(every)
        said = f"every tool of the MCP server `{server.name}`"
        if not is_pattern:
            every, said = server.prefix, f"a tool of the MCP server `{server.name}`"
        yield _Entry(every, CompletionKind.PATTERN, said)
    for name in of.options.extra(of.dialect.id).tools:
        is_pattern = of.dialect.is_pattern(name)
        kind = CompletionKind.PATTERN if is_pattern else CompletionKind.TOOL
        yield _Entry(name, kind, "named in your settings")


def _effect(of: Subject, at: ItemPlace, key: Key, entry: _Entry) -> _Effect:
    by = _covering(of, at.others, entry.name)
    if by is not None:
        return _Effect(f"no effect: the list has `{by}`", none=True)
    other = of.dialect.key_holding(Holds.DENY if key.holds is Holds.ALLOW else Holds.ALLOW)
    listed = of.reading.written.settings.get(other.name) if other else None
    if other is None or listed is None:
        return _Effect()
    by = _covering(of, tuple(item.text for item in listed.items), entry.name)
    if key.holds is Holds.ALLOW:
        denied = f"no effect: `{other.name}` has `{by}`"
        return _Effect(denied, none=True) if by is not None else _Effect()
    if by is not None:
        return _Effect(f"`{other.name}` has `{by}`")
    known = not of.dialect.is_pattern(entry.name)
    return _Effect(f"no effect: not in `{other.name}`", none=True) if known else _Effect()


def _covering(of: Subject, entries: tuple[str, ...], name: str) -> str | None:
    """The first of `entries` that has the tool or the pattern `name` in it, or None."""
    if of.dialect.is_pattern(name):
        return name if name in entries else None
    return next((entry for entry in entries if of.dialect.matches(entry, name)), None)


def _words(entry: _Entry, effect: _Effect) -> Words:
    detail = "; ".join(filter(None, (entry.meaning, effect.note)))
    pieces = (entry.meaning, entry.group and f"Group: {entry.group}", effect.note)
    return Words(detail, "\n\n".join(markup.words(piece) for piece in pieces if piece))
