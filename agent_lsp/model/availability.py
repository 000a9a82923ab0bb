"""The availability of an agent: for people, for other agents, or for nobody.

Invariant: what is said follows from what the runtime holds, not from what the author wrote.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from agent_lsp.model.template import Reading
from agent_lsp.text import Span


@dataclass(frozen=True, slots=True)
class Availability:
    """One way to come to an agent: `word` is the runtime's, `reason` why it is open or not."""

    word: str
    is_open: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Delegation:
    """How a prompt tells an agent to call another one, and what that takes.

    `mentions` finds the names of the others in a prompt; `tool` is what the agent needs to call
    them. `refused` says why an agent cannot be called, or None.
    """

    mentions: Callable[[str], Iterator[Span]]
    tool: str
    refused: Callable[[Reading], str | None]
