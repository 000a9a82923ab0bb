"""Defines neutral terms in which agents of two systems can be compared.

Invariants: what an agent may do is a set of abilities. A converted agent gets a tool only if the
original agent had everything that the tool `needs`. A fact that nobody has established is no
ability. The abilities, and which of them imply others, are our judgement, because no system
describes the tools of another one.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from re import Pattern

from agent_lsp.data_classes import dataclass, field
from agent_lsp.model.runtime import Scope
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Reading, Value
from agent_lsp.syntax.document import Document
from agent_lsp.text import Span


class Ability(Enum):
    """An ability of an agent; the value completes "it …"."""

    READ = "reads files"
    FIND = "finds and lists files"
    SEARCH = "searches file contents"
    EDIT = "changes pieces of files"
    WRITE = "writes whole files"
    RUN = "runs commands"
    FEED = "manages running commands"
    FETCH = "fetches pages from the web"
    SEARCH_WEB = "searches the web"
    PLAN = "keeps a plan"
    IMAGE = "looks at images"
    ASK = "asks the user"
    SPAWN = "starts other agents"
    TEND = "manages the agents that it started"
    RUNNING = "lists the agents that run"
    SEND = "sends messages to agents"
    SKILL = "loads skills"
    TOOLS = "finds tools"
    CODE = "asks a language server about code"
    LIST_RESOURCES = "lists what MCP servers offer to read"
    READ_RESOURCE = "reads what MCP servers offer"


# A command can read, find and search. An agent that starts something can look after it. A command
# can change files as well, but it does not imply tools that edit files: many authors leave those
# out on purpose.
IMPLIED = {
    Ability.RUN: frozenset({Ability.FEED, Ability.READ, Ability.FIND, Ability.SEARCH}),
    Ability.SPAWN: frozenset({Ability.TEND}),
}
# What a read-only sandbox prevents. The agents that a sandboxed agent starts are in the sandbox,
# too. Tools of MCP servers run outside of any sandbox.
CHANGING = frozenset({Ability.EDIT, Ability.WRITE, Ability.RUN, Ability.FEED, Ability.SPAWN})


def reach(abilities: Iterable[Ability]) -> frozenset[Ability]:
    """`abilities` with all abilities that they imply."""
    given = frozenset(abilities)
    return given.union(*(IMPLIED.get(one, frozenset()) for one in given))


@dataclass(frozen=True, slots=True)
class Effect:
    """The abilities that a tool gives, and those an agent needs so that the tool adds nothing."""

    gives: frozenset[Ability]
    needs: frozenset[Ability]


def effect(*gives: Ability) -> Effect:
    """The effect of a tool that needs only the abilities that it gives."""
    return Effect(frozenset(gives), frozenset(gives))


def only_with(*needs: Ability) -> Effect:
    """The effect of a tool without a counterpart, which is lost with any one of these abilities."""
    return Effect(frozenset(), frozenset(needs))


@dataclass(frozen=True, slots=True)
class Hold:
    """A restriction by a key; values in `harmless` restrict nothing.

    A restriction of only `tools` has no effect on an agent without these tools, and one of an
    `ability` has none on an agent without it. Of a switch, not the written word counts, but what a
    program makes of it: `true` or `false`.
    """

    reason: str
    harmless: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()
    ability: Ability | None = None
    is_switch: bool = False


@dataclass(frozen=True, slots=True)
class Renewal:
    """A file of today for one of an older kind, with what it loses and what else to know.

    `wider` is what a program of the system lets the agent do only now.
    """

    file_name: str
    text: str
    losses: tuple[tuple[Span, str], ...]
    notes: tuple[tuple[Span, str], ...]
    wider: tuple[tuple[Span, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Conversion:
    """The facts for comparing the files of a system with those of another one.

    `tools` has the effect of each tool that another system may have as well. A session offers one
    of the `alternatives`, and nobody knows which one. `names` matches the names that an agent may
    have.

    `server` returns the server and the tool, each `*` for all, of an entry for MCP servers. `entry`
    writes such an entry, or returns None if the list cannot express it. `is_verbatim` tells whether
    the entry has the names as they are configured. `nothing` is the list, with its entries, that
    leaves no tool, or None if no list does.

    `always` is written into each converted file, so that other agents can call the agent. `holds`
    are keys without which an agent may do more. `unset` has the words that mean the same as a
    missing key, or the same as every other system means. `limited` are the tools of which a list
    means to allow only some uses, and `dropped` the entries that the reading of a file in a scope
    leaves out. `read_only` is the value that keeps an agent from changing
    anything, or None. `around` says where the prompt goes if it is not the agent's whole system
    prompt.

    `writes` is False if agents can be converted from a file but not to one. `kin` has the keys for
    a reading in a system of the same runtime, given by its id. `said` are those that the tools or
    the prompt of the new file express. `taken` is the reading of a file that leaves the generation
    of the runtime open, in the generation that its tools indicate. `unfit` says why an agent that
    loads does no work of its own, or returns None; such an agent is neither converted nor written.
    `constant` are tools that every agent has, and that are not reported. `rare` are tools that most
    sessions lack, so that a list gives them only by their own names. `efforts` has the effort
    to write for one of another system, where every model of this system takes it. `rules` makes
    the key of a policy, with its actions by name, of the lists of what is allowed and denied, in a
    system that has rules in the place of lists. `renewed` makes a file of an older kind, given its
    name, a file of today of the same system, or returns None for any other file. `sandboxed` are
    the tools that the sandbox of a system without lists takes away.
    """

    tools: Mapping[str, Effect]
    names: Pattern[str]
    server: Callable[[str], tuple[str, str] | None]
    entry: Callable[[str, str, KeyRole], str | None]
    is_verbatim: bool = True
    nothing: tuple[KeyRole, tuple[str, ...]] | None = (KeyRole.ALLOW, ())
    alternatives: tuple[frozenset[str], ...] = ()
    around: str = ""
    always: Mapping[str, str] = field(default_factory=dict)
    holds: Mapping[str, Hold] = field(default_factory=dict)
    unset: Mapping[str, frozenset[str]] = field(default_factory=dict)
    limited: Callable[[Document], tuple[Value, ...]] | None = None
    dropped: Callable[[Document, Scope], Iterable[Value]] | None = None
    read_only: Callable[[Reading], Value | None] | None = None
    writes: bool = True
    kin: Callable[[Reading, str], Mapping[str, str]] | None = None
    said: frozenset[str] = frozenset()
    taken: Callable[[Reading], Reading] | None = None
    unfit: Callable[[Reading], str | None] | None = None
    constant: frozenset[str] = frozenset()
    rare: frozenset[str] = frozenset()
    sandboxed: frozenset[str] = frozenset()
    efforts: Mapping[str, str] = field(default_factory=dict)
    renewed: Callable[[Document, str], Renewal | None] | None = None
    rules: (
        Callable[[tuple[str, ...] | None, tuple[str, ...] | None], tuple[str, Mapping[str, str]]]
        | None
    ) = None
