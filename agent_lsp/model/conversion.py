"""The neutral words in which an agent of one system can be compared with one of another.

Invariants: what an agent may do is a set of abilities, and a tool is given to a converted agent
only where the agent could do before all that the tool `needs`; what nobody has established is no
ability. Which abilities there are, and what comes with which, is our judgement, for no system
speaks of another one's tools.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from re import Pattern

from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Reading, Value
from agent_lsp.syntax.document import Document


class Ability(Enum):
    """An ability of an agent; the value completes "it …"."""

    READ = "reads files"
    FIND = "finds and lists files"
    SEARCH = "searches file contents"
    EDIT = "changes pieces of files"
    WRITE = "writes whole files"
    RUN = "runs commands"
    FEED = "looks after running commands"
    FETCH = "gets pages from the web"
    SEARCH_WEB = "searches the web"
    PLAN = "keeps a plan"
    IMAGE = "looks at images"
    ASK = "asks the user"
    SPAWN = "starts other agents"
    TEND = "looks after the agents that it started"
    RUNNING = "lists the agents that run"
    SEND = "sends messages to agents"
    SKILL = "loads skills"
    TOOLS = "finds tools"
    CODE = "asks a language server about code"
    LIST_RESOURCES = "lists what MCP servers offer to read"
    READ_RESOURCE = "reads what MCP servers offer"


# A command can read, find and search, and who starts something can look after it. That a command
# can change files as well gives no tool that edits them: many authors leave those out on purpose.
IMPLIED = {
    Ability.RUN: frozenset({Ability.FEED, Ability.READ, Ability.FIND, Ability.SEARCH}),
    Ability.SPAWN: frozenset({Ability.TEND}),
}
# What an agent in a read-only sandbox does not do outside of one. Those that it starts are in the
# sandbox, too. Tools of MCP servers run beside it in either case.
CHANGING = frozenset({Ability.EDIT, Ability.WRITE, Ability.RUN, Ability.FEED, Ability.SPAWN})


def reach(abilities: Iterable[Ability]) -> frozenset[Ability]:
    """`abilities` with all that comes with them."""
    given = frozenset(abilities)
    return given.union(*(IMPLIED.get(one, frozenset()) for one in given))


@dataclass(frozen=True, slots=True)
class Effect:
    """The purpose of a tool, and the abilities an agent needs so that the tool adds nothing."""

    gives: frozenset[Ability]
    needs: frozenset[Ability]


def effect(*gives: Ability) -> Effect:
    """A tool that needs no more than what it is for."""
    return Effect(frozenset(gives), frozenset(gives))


def only_with(*needs: Ability) -> Effect:
    """A tool without a counterpart elsewhere, which goes where one of these abilities goes."""
    return Effect(frozenset(), frozenset(needs))


@dataclass(frozen=True, slots=True)
class Hold:
    """A restriction by a key; values in `harmless` restrict nothing.

    One that limits only `tools` holds it from nothing where there are none of them.
    """

    reason: str
    harmless: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Conversion:
    """The facts by which the files of a system are compared with those of another one.

    `tools` says what each tool does, as far as another system has the like; of `alternatives` a
    session offers one, and nobody knows which. `names` are those
    that an agent may have. `server` gives the server and the tool, each `*` for all, of an entry
    that speaks of MCP servers, and `entry` writes one, or None where the list cannot say it;
    `is_verbatim` tells whether it has their names as they are configured. `nothing` is the list,
    with its entries, that leaves no tool, or None where none does. `always` is written into each
    converted file, so that other agents can call it. `holds` are keys without which an agent may
    do more, `unset` the words that say what a missing key says, or what every other system says.
    `limited` are the tools of which a list means to allow only some uses; `read_only` is the
    value that keeps an agent from changing anything, or None. `around` says where the prompt goes
    that is not the agent's system prompt as it stands. `writes` is False where agents can be
    converted from a file, and none into one. `kin` are the keys that a system of the same runtime,
    told by its id, has for those of a reading, and `said` those that the tools or the prompt of the
    new file say. `taken` is the reading of a file that leaves open which generation of the runtime
    it is for, as its tools tell it. `unfit` says why an agent that loads does no work of its own,
    or None: neither is such a one converted, nor one written. `constant` are tools that every agent
    has, of which nothing is said.
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
    read_only: Callable[[Reading], Value | None] | None = None
    writes: bool = True
    kin: Callable[[Reading, str], Mapping[str, str]] | None = None
    said: frozenset[str] = frozenset()
    taken: Callable[[Reading], Reading] | None = None
    unfit: Callable[[Reading], str | None] | None = None
    constant: frozenset[str] = frozenset()
