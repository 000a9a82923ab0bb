"""What a template does not say, shown where it does not: inherited values, patterns, empty lists.

Invariants: a hint tells a fact that no reader sees in the file; a file that the runtime does not
use as written has none.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.analysis.hovers import meant
from agent_lsp.analysis.lists import Entry, agents, lists
from agent_lsp.analysis.tools import known_tools
from agent_lsp.dialects.answers import Setting
from agent_lsp.dialects.template import Persona
from agent_lsp.dialects.vocabulary import Holds
from agent_lsp.syntax.markdown import Fence
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
    if of.name is None or of.foreign is not None or not sound:
        return ()
    found = (*_top(of, within), *_personas(of, within), *_lists(of))
    return tuple(hint for hint in found if within.covers(hint.offset))


def _top(of: Subject, within: Span) -> Iterator[Hint]:
    for agent in agents(of):
        end = _beginning(agent)
        if within.covers(end) and agent.name != of.dialect.default_name:
            yield from _unset(agent, end, None)


def _beginning(of: Subject) -> int:
    """The end of the line on which the agent's settings begin."""
    named = of.names[0].span if of.dialect.keys_at is not None and of.names else None
    if named is None:
        return of.document.cut.open.end
    headers = (section.header for section in of.document.tree.sections)
    return next(
        (one.span.end for one in headers if one and one.span.covers(named.start)), named.end
    )


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
    for written in lists(of):
        end = written.span.end
        if written.is_empty and written.key.holds is Holds.ALLOW:
            kept = meant.toolset(written.of).kept
            label = "no tools" if not kept else "as without it: every tool"
            yield Hint(end, label, f"what an empty `{written.key.name}` means to the runtime")
        elif written.is_empty:
            yield Hint(end, "nothing is taken away")
        for entry in written.entries:
            void, holds = of.dialect.void, written.key.holds
            why = void(holds, entry.name) if void is not None and holds is not None else ""
            if why:
                yield Hint(entry.span.end, "no effect", why)
            elif of.dialect.is_pattern(entry.name):
                yield _pattern(of, entry)


def _pattern(of: Subject, entry: Entry) -> Hint:
    pattern = entry.name
    names = [
        name for name in known_tools(of.dialect, of.options) if of.dialect.matches(pattern, name)
    ]
    open_ = of.dialect.cannot_tell(pattern)
    counted = f"{len(names)} tool{'' if len(names) == 1 else 's'}"
    label = f"{counted}, MCP tools" if open_ and names else "MCP tools" if open_ else counted
    return Hint(entry.span.end, label, ", ".join(names))
