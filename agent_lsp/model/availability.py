"""Describes who can use an agent, and which other programs read its file.

Invariant: availability follows from the effective values, not from the declared ones.
"""

from collections.abc import Callable, Iterator

from agent_lsp.data_classes import dataclass
from agent_lsp.model.runtime import Candidate, Verdict
from agent_lsp.model.template import Reading
from agent_lsp.text import Span


@dataclass(frozen=True, slots=True)
class Availability:
    """A way to use an agent.

    `word` is the runtime's word for it, and `reason` says why it is open or not.
    """

    word: str
    is_open: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Delegation:
    """The wording of a delegation in a prompt, and its requirements.

    `mentions` finds the names of other agents in a prompt. `tool` is the tool that the agent needs
    to call them. `refused` says why an agent cannot be called, or returns None. `may` says whether
    an agent can call the one of a name; without it, the tool alone decides. `denied` is the verdict
    on a tool that is kept from calls of this one agent, or None. `depth` is the least depth at
    which an agent works.
    """

    mentions: Callable[[str], Iterator[Span]]
    tool: str
    refused: Callable[[Reading], str | None]
    may: Callable[[Reading, str], bool] | None = None
    depth: Callable[[Reading], int] = lambda _: 1
    denied: Callable[[Reading, str], Verdict | None] = lambda _, __: None


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a setting has an effect although a spawned agent ignores it.

    `readers` are other systems that read files in the same places. `session` is what starts a main
    session with an agent, if anything does. A header with the `session_key` is written for such a
    session.
    """

    readers: tuple[str, ...] = ()
    session: str = ""
    session_key: str = ""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A runtime's records of what a person has confirmed or switched off.

    `records` are the files, each with alternatives as in a `ScopeRule`, and a plain path is below
    the session's folder; they are only read. `manifest` is a file in the folder above that of the
    candidate, if it has one. `standing` returns whether a candidate exists as it is, or None if
    nothing has to be confirmed. Its arguments are the texts of the records and of the manifest,
    None for a file that does not exist, the spellings of the session's folder, the candidate, and
    the text of the candidate's file.
    """

    records: tuple[tuple[str, ...], ...]
    standing: Callable[
        [tuple[str | None, ...], tuple[str, ...], Candidate, str], Availability | None
    ]
    manifest: str
