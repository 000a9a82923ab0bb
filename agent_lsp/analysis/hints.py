"""What a template does not say, shown where it does not: inherited values, patterns, empty lists.

Invariants: a hint tells a fact that no reader sees in the file; a file that the runtime does not
use as written has none.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.analysis.hovers import meant
from agent_lsp.analysis.tools import known_tools
from agent_lsp.dialects.answers import Setting
from agent_lsp.dialects.template import Persona
from agent_lsp.dialects.vocabulary import Holds, Key
from agent_lsp.syntax.markdown import Fence
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject

_INHERITED = (Holds.MODEL, Holds.EFFORT)
_MOST_PERSONAS = 50


@dataclass(frozen=True, slots=True)
class Hint:
    """Words at a place, and why they are so."""

    offset: int
    label: str
    tooltip: str = ""


def hints(of: Subject, within: Span) -> tuple[Hint, ...]:
    """The hints whose places lie `within` a part of the file that somebody looks at."""
    sound = of.document.cut.fence is Fence.CLOSED and not of.reading.faults
    # In a table each value stands beside its key, and has no place where it is not set.
    is_one = of.name is not None and of.dialect.keys_at is None
    if not is_one or of.foreign is not None or not sound:
        return ()
    found = (*_top(of, within), *_personas(of, within), *_lists(of))
    return tuple(hint for hint in found if within.covers(hint.offset))


def _top(of: Subject, within: Span) -> Iterator[Hint]:
    end = of.document.cut.open.end
    if within.covers(end) and of.name != of.dialect.default_name:
        yield from _unset(of, end, None)


def _personas(of: Subject, within: Span) -> Iterator[Hint]:
    for persona in of.reading.written.personas[:_MOST_PERSONAS]:
        if persona.name and within.covers(persona.name_span.end):
            yield from _unset(of, persona.name_span.end, persona)


def _unset(of: Subject, offset: int, persona: Persona | None) -> Iterator[Hint]:
    """The values of model and effort that stand somewhere else, in one hint."""
    settings = persona.settings if persona is not None else of.reading.written.settings
    keys = [key for holds in _INHERITED if (key := of.dialect.key_holding(holds))]
    absent = [key for key in keys if key.name not in settings]
    if not absent:
        return
    answer, refusal = meant.resolved(of, persona.name if persona is not None else None)
    if answer is None or refusal is not None:
        return
    found = [(key, meant.setting(answer, key)) for key in absent]
    said = [(key.name, setting) for key, setting in found if setting is not None]
    # That a persona has no more than its role has, the hint of the role says already.
    told = [(name, s) for name, s in said if persona is None or s.value is not None]
    if told:
        label = ", ".join(f"{name}: {_value(setting)}" for name, setting in told)
        where = "; ".join(f"`{name}` comes from {setting.origin.label}" for name, setting in told)
        yield Hint(offset, label, where)


def _value(setting: Setting) -> str:
    return setting.value if setting.value is not None else "inherited"


def _lists(of: Subject) -> Iterator[Hint]:
    root = resolve(of.document.tree.root)
    for entry in root.entries if isinstance(root, Mapping) else ():
        key = of.dialect.key(entry.name or "")
        if key is None or key.holds not in (Holds.ALLOW, Holds.DENY):
            continue
        # What an alias stands for is written elsewhere, and hinted at there.
        if isinstance(entry.value, Sequence):
            yield from _list(of, key, entry.value)


def _list(of: Subject, key: Key, written: Sequence) -> Iterator[Hint]:
    if not written.items and key.holds is Holds.ALLOW:
        kept = meant.toolset(of).kept
        label = "no tools" if not kept else "as without it: every tool"
        yield Hint(written.span.end, label, f"what an empty `{key.name}` means to the runtime")
    elif not written.items:
        yield Hint(written.span.end, "nothing is taken away")
    for item in written.items:
        yield from _pattern(of, item)


def _pattern(of: Subject, item: Node) -> Iterator[Hint]:
    if not isinstance(item, Scalar) or not of.dialect.is_pattern(item.value.strip()):
        return
    pattern = item.value.strip()
    names = [
        name for name in known_tools(of.dialect, of.options) if of.dialect.matches(pattern, name)
    ]
    open_ = of.dialect.cannot_tell(pattern)
    counted = f"{len(names)} tool{'' if len(names) == 1 else 's'}"
    label = f"{counted}, MCP tools" if open_ and names else "MCP tools" if open_ else counted
    yield Hint(item.span.end, label, ", ".join(names))
