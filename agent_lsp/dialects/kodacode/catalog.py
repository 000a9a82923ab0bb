"""Builds the catalog of all agent files, or none at all, and finds what it says of an agent.

Facts: internal/agent/{registry,catalog,loader}.go and, for whom an agent is there, `Selectable` and
`Delegatable` in definition.go of sageil/kodacode at aa5479acbe0f, and the document on agents; read
2026-11-27.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator

from agent_lsp.data_classes import dataclass
from agent_lsp.decoders import go
from agent_lsp.dialects.kodacode.facts import ALL, DEFAULT_AGENT, DELEGATE, PRIMARY, SUBAGENT
from agent_lsp.dialects.kodacode.reading import is_hidden, mode
from agent_lsp.model.availability import Availability, Delegation
from agent_lsp.model.runtime import Candidate, Catalog, CatalogFailure, RuntimeRefusal, Scope
from agent_lsp.model.template import Reading, Template
from agent_lsp.patterns import regex
from agent_lsp.text import Span

# An id is the name of a file; what stands for one, such as `<agent>`, has signs that none has.
_ID = r"`[^`\s<>{}$/\\]+`"
_MENTION = regex(
    rf"\bdelegat(?:e|es|ing)(?:\s+[\w-]+){{0,3}}?\s+to\s+(?:the\s+|either\s+)?"
    rf"({_ID}(?:(?:\s*,\s*|\s+)(?:(?:or|and)\s+)?(?:to\s+)?(?:the\s+)?{_ID})*)(?!\s+tools?\b)",
    re.IGNORECASE,
)
_NAME = regex(_ID)
# A sentence that says so tells the agent to keep from it.
_NOT = regex(r"\b(?:not|never|no|without|avoid|cannot)\b|n['\u2019]t\b", re.IGNORECASE)
_SENTENCE_END = regex(r"[.!?:;]\s|\n\s*\n|\n\s*[-*#]")


def is_selectable(template: Template) -> bool:
    """Whether people can pick the agent."""
    return not is_hidden(template) and mode(template) in (PRIMARY, ALL)


def is_delegatable(template: Template) -> bool:
    """Whether agents can delegate to the agent; being hidden does not matter."""
    return mode(template) in (SUBAGENT, ALL)


def availability(reading: Reading, _: Scope) -> tuple[Availability, ...]:
    """Whether people can pick the agent, and whether agents can delegate to it."""
    held = reading.effective
    by_mode = f"the mode is `{mode(held)}`"
    reason = "it is hidden" if mode(held) != SUBAGENT and is_hidden(held) else by_mode
    return (
        Availability("selectable", is_selectable(held), reason),
        Availability("delegatable", is_delegatable(held), by_mode),
    )


def _mentions(prompt: str) -> Iterator[Span]:
    # Looked for once, for a prompt may have thousands of mentions, in one sentence or in many.
    ends = [end.end() for end in _SENTENCE_END.finditer(prompt)]
    nots = [(word.end(), word.start()) for word in _NOT.finditer(prompt)]
    for found in _MENTION.finditer(prompt):
        sentence = bisect_right(ends, found.start())
        begin = ends[sentence - 1] if sentence else 0
        word = bisect_right(nots, (found.start(), found.start()))
        is_denied = word > 0 and nots[word - 1][1] >= begin
        if not is_denied and not _NOT.search(found[0]):
            for name in _NAME.finditer(prompt, *found.span(1)):
                yield Span(name.start() + 1, name.end() - 1)


def _refused(reading: Reading) -> str | None:
    if is_delegatable(reading.effective):
        return None
    return f"its mode is `{mode(reading.effective)}`, and only `{SUBAGENT}` and `{ALL}` allow that"


DELEGATION = Delegation(_mentions, DELEGATE, _refused)


_NO_ID = 'agent "": agent id is required'


@dataclass(frozen=True, slots=True)
class Agent:
    """A definition of the catalog."""

    id: str
    candidate: Candidate
    reading: Reading

    @property
    def mode(self) -> str:
        """`primary`, `subagent` or `all`."""
        return mode(self.reading.effective)

    @property
    def is_hidden(self) -> bool:
        """Whether the picker leaves it out."""
        return is_hidden(self.reading.effective)

    @property
    def is_selectable(self) -> bool:
        """Whether people can pick it."""
        return is_selectable(self.reading.effective)

    @property
    def is_delegatable(self) -> bool:
        """Whether agents can delegate to it; being hidden does not matter."""
        return is_delegatable(self.reading.effective)

    @property
    def description(self) -> str:
        """The description, or the id where there is none."""
        value = self.reading.effective.settings.get("description")
        return value.text if value is not None else self.id

    @property
    def model(self) -> str | None:
        """The agent's own model, or None."""
        value = self.reading.effective.settings.get("model")
        return value.text if value is not None else None


def failure(catalog: Catalog) -> CatalogFailure | None:
    """The first file that the runtime cannot take, or None.

    It reads the global folder before the project's, each by file name, shadowed files too; ids
    and modes it checks at the end, and only those of the definitions that win.
    """
    for candidate in _in_reading_order(catalog):
        if candidate.locked:
            return CatalogFailure(candidate, f"open {candidate.path}: {candidate.locked.lower()}")
        errors = catalog.read(candidate).errors
        if errors and not errors[0].of_winner:
            return CatalogFailure(candidate, errors[0].message, errors[0])
    for name in catalog.names:
        winner = catalog.winner(name)
        if winner is None:
            continue
        if not name:
            return CatalogFailure(winner, _NO_ID)
        errors = catalog.read(winner).errors
        if errors:
            return CatalogFailure(winner, errors[0].message, errors[0])
    return None


def find(catalog: Catalog, given: str) -> Agent | RuntimeRefusal:
    """The agent that an id means, in a catalog that has not failed; a blank one is the default."""
    name = go.trim(given) or DEFAULT_AGENT
    winner = catalog.winner(name)
    if winner is None:
        return RuntimeRefusal(f"agent not found: {name}")
    return Agent(name, winner, catalog.read(winner))


def agents(catalog: Catalog) -> Iterator[Agent]:
    """The definitions of a catalog that has not failed, by id."""
    for name in catalog.names:
        winner = catalog.winner(name)
        if winner is not None:
            yield Agent(name, winner, catalog.read(winner))


def _in_reading_order(catalog: Catalog) -> Iterator[Candidate]:
    chains = (candidate for name in catalog.names for candidate in catalog.candidates(name))
    own = (candidate for candidate in chains if not candidate.scope.builtin)
    order = {scope.folder: at for at, scope in enumerate(reversed(catalog.scopes))}
    yield from sorted(own, key=lambda one: (order[one.scope.folder], one.path.name))
