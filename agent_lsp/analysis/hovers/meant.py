"""One template taken for itself: as its author means it, whatever other files say.

Invariant: the answers are the dialect's own; only the file is taken to win and its header to
be sound, so that a hover explains what is written also where the runtime does not get that far.
"""

from dataclasses import replace

from agent_lsp.analysis.tools import known_tools
from agent_lsp.dialects.answers import (
    Call,
    Candidate,
    Catalog,
    Failure,
    Refusal,
    Setting,
    Spawn,
    Toolset,
)
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.standing import Standing
from agent_lsp.dialects.template import Persona, Reading, Value
from agent_lsp.dialects.vocabulary import Holds, Key, Refused
from agent_lsp.syntax.markdown import Fence
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject, catalog


def lost(of: Subject) -> str | None:
    """What the runtime does with a header that it does not see or refuses, else None."""
    consequence = of.dialect.consequence
    if of.document.cut.fence is Fence.UNCLOSED:
        loss = consequence.unclosed or consequence.header_absent
        return f"the header is never closed: {loss}"
    if of.document.cut.fence is Fence.HIDDEN:
        return f"a byte-order mark hides the header: {consequence.header_absent}"
    if of.document.cut.fence is Fence.ABSENT and of.dialect.is_header_optional:
        return None
    if of.document.cut.fence is Fence.ABSENT:
        return f"there is no header: {consequence.header_absent}"
    if of.reading.faults and consequence.file is Refused.SKIPPED:
        return consequence.header_refused
    if of.reading.faults:
        return f"the header is refused: {consequence.header_refused}"
    return None


def reading(of: Subject) -> Reading:
    """What the runtime would hold if the header were sound."""
    return replace(of.reading, held=of.reading.written, faults=())


def alone(of: Subject, read: Reading) -> Catalog:
    """A catalog in which this file wins, whatever its name is asked for."""
    candidate = Candidate(of.name or "", of.path, of.scope)
    return Catalog(of.root, (of.scope,), (candidate.name,), lambda _: (candidate,), lambda _: read)


def arguments(
    known: Dialect, agent: str | None, persona: str | None, effort: str | None
) -> dict[str, object]:
    """The arguments of a spawn call, under the runtime's names, as far as it takes them."""
    values = {Holds.AGENT: agent, Holds.PERSONA_NAME: persona, Holds.EFFORT: effort}
    named = ((known.spawn_argument(holds), value) for holds, value in values.items())
    return {name: value for name, value in named if name is not None and value is not None}


def preview(
    of: Subject, read: Reading, persona: str | None = None, effort: str | None = None
) -> Spawn | Refusal | None:
    """What a spawn of this file, read like that, resolves to; None where no call can mean it."""
    # What lies in a wrong place can be called by its name once it is moved.
    name = of.name if of.stray is None else of.path.stem
    if name is None or name == of.dialect.default_name:
        return None
    given = arguments(of.dialect, name, persona, effort)
    return of.dialect.spawn(alone(of, read), Call(given, tools=known_tools(of.dialect, of.options)))


def resolved(of: Subject, persona: str | None) -> tuple[Spawn | None, Refusal | None]:
    """What the file resolves to as its author means it, and why the plain call is refused.

    Values can be told of a refused call, too: they are those of the nearest call that is not,
    which asks for no reasoning, or for some persona where one is required.
    """
    refusal = None
    key = of.dialect.key_holding(Holds.EFFORT)
    effort = key.choices[0].name if key and key.choices else None
    block = next((block.name for block in of.reading.written.blocks[1:]), None)
    for variant, asked in ((persona, None), (persona, effort), (persona or block, effort)):
        answer = preview(of, reading(of), variant, asked)
        if not isinstance(answer, Refusal):
            return answer, refusal
        refusal = refusal or answer
    return None, refusal


def setting(of: Spawn, key: Key) -> Setting | None:
    """The resolved value that `key` contributes to."""
    names = (key.name, key.holds.value if key.holds else None)
    return next((setting for setting in of.settings if setting.name in names), None)


def toolset(of: Subject, tools: tuple[str, ...] | None = None, depth: int = 1) -> Toolset:
    """The verdict on `tools`, or on all that are known, for an agent spawned from this file."""
    chosen = known_tools(of.dialect, of.options) if tools is None else tools
    return of.dialect.toolset(reading(of), chosen, depth)


def failure(of: Subject) -> Failure | None:
    """The file for which no agent loads in sessions of the file's root, this one or another."""
    known = of.dialect
    if known.failure is None:
        return None
    return known.failure(catalog(of.workspace, known, of.root))


def standing(of: Subject, key: Key | None = None, word: str = "") -> tuple[Standing, ...]:
    """For whom the agent is there, as it is written or with `word` for `key`."""
    if of.dialect.standing is None:
        return ()
    written = of.reading.written
    if key is not None:
        settings = {**written.settings, key.name: Value(word, Span(0, 0))}
        written = replace(written, settings=settings)
    return of.dialect.standing(Reading(written, written))


def persona_at(of: Subject, span: Span) -> Persona | None:
    """The persona whose declaration holds `span`."""
    personas = of.reading.written.personas
    return next(
        (p for p in personas if p.span.start <= span.start and span.end <= p.span.end), None
    )
