"""What the runtime makes of all agent files together: one catalog, or none at all.

Facts: internal/agent/{registry,catalog,loader}.go of sageil/kodacode at aa5479acbe0f,
read 2026-11-27.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.dialects import go
from agent_lsp.dialects.answers import Candidate, Catalog, CatalogFailure, RuntimeRefusal
from agent_lsp.dialects.kodacode.facts import DEFAULT_AGENT
from agent_lsp.dialects.kodacode.reading import is_hidden, mode
from agent_lsp.dialects.kodacode.standing import is_delegatable, is_selectable
from agent_lsp.dialects.template import Reading

_NO_ID = 'agent "": agent id is required'


@dataclass(frozen=True, slots=True)
class Agent:
    """One definition of the catalog."""

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
        faults = catalog.read(candidate).errors
        if faults and not faults[0].of_winner:
            return CatalogFailure(candidate, faults[0].message, faults[0])
    for name in catalog.names:
        winner = catalog.winner(name)
        if winner is None:
            continue
        if not name:
            return CatalogFailure(winner, _NO_ID)
        faults = catalog.read(winner).errors
        if faults:
            return CatalogFailure(winner, faults[0].message, faults[0])
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
