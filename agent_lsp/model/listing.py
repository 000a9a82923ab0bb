"""Reads a runtime's listing: its answer on each template, and the template that makes it fail."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_lsp.model.runtime import Call, Candidate, Catalog, RuntimeRefusal
from agent_lsp.model.schema import KeyRole

if TYPE_CHECKING:
    # The dialect has the arguments of its listing.
    from agent_lsp.model.dialect import Dialect


@dataclass(frozen=True, slots=True)
class Budget:
    """The estimated `tokens` that the descriptions of a session's agents take.

    The runtime warns if they exceed the `limit`.
    """

    tokens: int
    limit: int

    def __str__(self) -> str:
        """The budget in words."""
        thing = f"descriptions: about {self.tokens} tokens in each session (estimated)"
        if self.tokens > self.limit:
            return f"{thing}, above the limit of {self.limit}: the runtime warns"
        return f"{thing}; the runtime warns above {self.limit}"


def refusal(dialect: "Dialect", catalog: Catalog, name: str) -> RuntimeRefusal | None:
    """The refusal of the template that `catalog` has under `name`, or None."""
    answer = dialect.calls.list_agents(catalog, Call({filter_of(dialect): name}))
    return answer if isinstance(answer, RuntimeRefusal) else None


def filter_of(dialect: "Dialect") -> str:
    """The argument that asks for a single agent; empty where the listing takes none."""
    first = next((one.name for one in dialect.calls.list_parameters), "")
    return dialect.list_argument(KeyRole.AGENT) or first


def is_filtered(dialect: "Dialect", call: Call) -> bool:
    """Whether `call` asks for a single agent."""
    return filter_of(dialect) in call.arguments


def call_of(dialect: "Dialect", call: Call) -> str:
    """The runtime's tool that answers `call`."""
    return (
        dialect.calls.describe_call if is_filtered(dialect, call) else None
    ) or dialect.calls.list_call


def agents(answer: object) -> list[Mapping[str, object]] | None:
    """The agents of an answer with their members, the name first; None if it lists none."""
    if not isinstance(answer, Mapping):
        return None
    # A runtime without agents lists its templates.
    listed = answer.get("agents", answer.get("templates"))
    if listed is None:
        return [answer]
    if not isinstance(listed, list):
        return None
    return [agent if isinstance(agent, Mapping) else {"name": agent} for agent in listed]


def culprit(dialect: "Dialect", catalog: Catalog) -> Candidate | None:
    """The first template, in the runtime's order, that makes a listing without filter fail."""
    if dialect.names.failure is not None:
        failed = dialect.names.failure(catalog)
        return failed.candidate if failed is not None else None
    for name in catalog.names:
        winner = catalog.winner(name)
        refused = None if winner is None else refusal(dialect, catalog, name)
        if refused is not None and not refused.ours:
            return winner
    return None


def unread(dialect: "Dialect", catalog: Catalog) -> tuple[tuple[Candidate, str], ...]:
    """The templates that this product leaves out of a listing without filter, with the reasons."""
    winners = filter(None, map(catalog.winner, catalog.names))
    left_out = [
        (winner, refusal(dialect, catalog, winner.name)) for winner in winners if winner.unread
    ]
    found = [(winner, refused.message) for winner, refused in left_out if refused is not None]
    if catalog.passed_over is not None:
        found.append((catalog.passed_over, f"{catalog.passed_over.name} is not read here"))
    return tuple(found)
