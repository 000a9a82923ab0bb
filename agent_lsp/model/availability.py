"""Says for whom an agent is there: people, other agents, or nobody, and who else reads its file.

Invariant: what is said follows from what the runtime holds, not from what the author wrote.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from agent_lsp.model.runtime import Candidate
from agent_lsp.model.template import Reading
from agent_lsp.text import Span


@dataclass(frozen=True, slots=True)
class Availability:
    """A way to use an agent: `word` is the runtime's, `reason` why it is open or not."""

    word: str
    is_open: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Delegation:
    """The wording of a delegation in a prompt, and its requirements.

    `mentions` finds the names of the others in a prompt; `tool` is what the agent needs to call
    them. `refused` says why an agent cannot be called, or None.
    """

    mentions: Callable[[str], Iterator[Span]]
    tool: str
    refused: Callable[[Reading], str | None]


@dataclass(frozen=True, slots=True)
class Reach:
    """The scope in which a setting counts that has no effect for a spawned agent.

    `readers` are other systems that read files in the same places, and `session` is what starts a
    main session with an agent, where that can be. A header with the `session_key` is written for
    such a session.
    """

    readers: tuple[str, ...] = ()
    session: str = ""
    session_key: str = ""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A runtime's record of the texts that a person has confirmed, without which agents are none.

    `record` is the file, in alternatives as in a `ScopeRule`; it is read, and never written.
    `standing` says whether a candidate exists as it stands, or None where it needs no confirmation:
    by the text of the record, if there is one, the spellings of the session's folder, and the text
    of the candidate's file.
    """

    record: tuple[str, ...]
    standing: Callable[[str | None, tuple[str, ...], Candidate, str], Availability | None]
