"""Derives the abilities of an agent from its tool policy.

Invariants: a tool for which the policy allows only some uses does not count as allowed, because no
other system could enforce that limit. An entry counts if one of the programs that read the file
knows it.
"""

from collections.abc import Iterable, Iterator

from agent_lsp.analysis.conversion.pair import top
from agent_lsp.analysis.suggest import known_tools
from agent_lsp.data_classes import dataclass, replace
from agent_lsp.model.conversion import CHANGING, Ability, Conversion, reach
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Reading, Template, Value
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, as_programs_read

_ALL = ("*", "*")


@dataclass(frozen=True, slots=True)
class ServerGrant:
    """A tool of an MCP server that a list names; `*` stands for all."""

    server: str
    tool: str
    span: Span

    def covers(self, other: "ServerGrant") -> bool:
        """Whether this entry covers everything that `other` covers."""
        return self.server in ("*", other.server) and self.tool in ("*", other.tool)

    def touches(self, other: "ServerGrant") -> bool:
        """Whether both entries can cover the same tool."""
        servers, tools = {self.server, other.server}, {self.tool, other.tool}
        return ("*" in servers or len(servers) == 1) and ("*" in tools or len(tools) == 1)


@dataclass(frozen=True, slots=True)
class KeptTool:
    """A tool that the agent may use, the entry that allows it, and what it `gives`."""

    tool: str
    span: Span
    gives: frozenset[Ability]


@dataclass(frozen=True, slots=True)
class ForeignEntry:
    """An entry that only another `program` than the first one knows, and what it `gives` there.

    `is_all` is set if it stands for every tool, or for tools of servers.
    """

    entry: Value
    program: str
    gives: frozenset[Ability]
    is_all: bool


@dataclass(frozen=True, slots=True)
class Abilities:
    """The abilities of an agent.

    `is_open` is set if the agent also has tools that are unknown here. `gone` are the tools that
    the policy removes, and `denied` those of them that it removes by name. `limited` are entries
    for some uses of a tool, and `strangers` entries that cover no known tool. `allowed` and
    `banned` are the entries about servers. If an entry in `blurred` denies tools that cannot be
    named, `banned` covers all servers. `span` is the place of the policy, or the top of the file.
    `can` are the abilities of the kept tools, without those that most kinds of sessions then lack;
    `could` are the abilities of all tools. `elsewhere` are the entries that the first program does
    not know, and another one does.
    """

    is_open: bool
    kept: tuple[KeptTool, ...]
    gone: frozenset[str]
    denied: frozenset[str]
    limited: tuple[Value, ...]
    strangers: tuple[Value, ...]
    allowed: tuple[ServerGrant, ...]
    banned: tuple[ServerGrant, ...]
    blurred: tuple[Value, ...]
    span: Span
    can: frozenset[Ability]
    could: frozenset[Ability]
    elsewhere: tuple[ForeignEntry, ...] = ()


def abilities_in_all(file: TemplateFile, conversion: Conversion) -> Abilities:
    """The abilities of the agent of `file` in all programs of its system that read it.

    An entry means what it means to the first program that knows it.
    """
    found = abilities_of(file, conversion)
    for other in as_programs_read(file):
        if other.dialect.conversion is not None:
            # What the program would read if it did not refuse the header.
            sound = replace(other.reading, effective=other.reading.declared, errors=())
            theirs = abilities_of(replace(other, reading=sound), other.dialect.conversion)
            found = _joined(found, theirs, other)
    return found


def _joined(own: Abilities, theirs: Abilities, other: TemplateFile) -> Abilities:
    """`own` with the entries that are strange in it, and that the `other` program knows."""
    strange = {one.span for one in theirs.strangers}
    entries = {one.span: one for one in own.strangers if one.span not in strange}
    if not entries:
        return own
    kept = tuple(one for one in theirs.kept if one.span in entries)
    allowed = tuple(one for one in theirs.allowed if one.span in entries)
    elsewhere = (
        ForeignEntry(
            entry,
            other.program,
            frozenset().union(*(one.gives for one in kept if one.span == span)),
            theirs.is_open or any(one.span == span for one in allowed),
        )
        for span, entry in entries.items()
    )
    # An entry for every tool leaves nothing of a list.
    is_open = theirs.is_open and not own.is_open
    return replace(
        theirs if is_open else own,
        kept=(*own.kept, *(theirs.kept if is_open else kept)),
        strangers=tuple(one for one in own.strangers if one.span in strange),
        allowed=theirs.allowed if is_open else (*own.allowed, *allowed),
        can=own.can.union(theirs.can if is_open else (), *(one.gives for one in kept)),
        could=own.could | theirs.could,
        elsewhere=(*own.elsewhere, *elsewhere),
    )


def abilities_of(file: TemplateFile, conversion: Conversion) -> Abilities:
    """The abilities of the agent of `file`, by the policy in its header as the runtime reads it."""
    dialect = file.dialect
    tools = tuple(
        name for name in known_tools(dialect, file.options) if name not in conversion.constant
    )
    allow, deny = (_list(file.reading, dialect, holds) for holds in (KeyRole.ALLOW, KeyRole.DENY))
    limited = conversion.limited(file.document) if conversion.limited is not None else ()
    unsure = {entry.text for entry in limited}
    span = next((one.key or one.span for one in (allow, deny) if one is not None), top(file))
    found = dialect.tools.toolset(file.reading, tools, 1)
    is_every = _admits_all(conversion, allow)
    by_name = {} if is_every else {tool: _naming(dialect, allow, tool) for tool in conversion.rare}
    kept = tuple(
        KeptTool(v.tool, by_name.get(v.tool) or v.entry or span, abilities(conversion, (v.tool,)))
        for v in found.kept
        if v.tool not in unsure and (allow is None or by_name.get(v.tool, span) is not None)
    )
    before = {v.tool for v in dialect.tools.toolset(_bare(file.reading), tools, 1).kept}
    gone = before.difference(one.tool for one in kept)
    # The entry that denies one tool may remove another one with it.
    by = {entry.span for entry in deny.items} if deny is not None else set()
    with_another = {v.tool for v in found.removed if v.entry in by}
    denied = {t for t in gone if t in unsure | with_another or _covers(dialect, deny, t)}
    listed = allow is not None and (bool(allow.items) or not kept)
    # If the agent has no known tool, it has no unknown one either.
    is_open = bool(kept) and gone <= denied and (not listed or is_every)
    blurred = tuple(_blurred(dialect, conversion, deny))
    return Abilities(
        is_open,
        kept,
        frozenset(gone),
        frozenset(denied),
        limited,
        tuple(_strangers(file, conversion, allow, tools, unsure | conversion.constant)),
        (ServerGrant(*_ALL, span),) if is_open else _servers(conversion, allow),
        (ServerGrant(*_ALL, blurred[0].span),) if blurred else _servers(conversion, deny),
        blurred,
        span,
        abilities(conversion, _sure(conversion, kept, denied, allow)),
        abilities(conversion, before),
    )


def abilities(conversion: Conversion, tools: Iterable[str]) -> frozenset[Ability]:
    """The main abilities of `tools`, without their requirements."""
    found = (conversion.tools[tool].gives for tool in tools if tool in conversion.tools)
    return frozenset().union(*found)


def permitted(
    policy_: Abilities, conversion: Conversion, *, can_change: bool
) -> frozenset[Ability]:
    """The abilities that the new agent may have: none that its policy denies by name."""
    denied = abilities(conversion, policy_.denied) - policy_.can
    given = reach(policy_.can) - denied
    return given if can_change else given - CHANGING


def _sure(
    conversion: Conversion, kept: Iterable[KeptTool], denied: set[str], allow: Value | None
) -> Iterator[str]:
    """The kept tools, without the alternatives to a denied one.

    An author who denies the tool for commands of most sessions wants no such tool, and an agent of
    another system has one in every session. A tool that is allowed by its own name is still wanted.
    """
    named = {one.text for one in allow.items} if allow is not None else set()
    doubtful = [group for group in conversion.alternatives if not group.isdisjoint(denied)]
    for one in kept:
        if one.tool in named or not any(one.tool in group for group in doubtful):
            yield one.tool


def _bare(reading: Reading) -> Reading:
    """The reading of a file that contains only the prompt."""
    bare = Template({}, (), reading.effective.blocks)
    return Reading(bare, bare, generation=reading.generation)


def _list(reading: Reading, dialect: Dialect, role: KeyRole) -> Value | None:
    key = dialect.schema.by_role.get(role)
    return reading.effective.settings.get(key.name) if key is not None else None


def _covers(dialect: Dialect, entries: Value | None, tool: str) -> bool:
    return entries is not None and any(
        dialect.tools.matches(one.text, tool) for one in entries.items
    )


def _naming(dialect: Dialect, allow: Value | None, tool: str) -> Span | None:
    """The entry that allows this tool alone, or None."""
    entries = allow.items if allow is not None else ()
    found = (one for one in entries if dialect.tools.matches(one.text, tool))
    return next((one.span for one in found if not dialect.tools.is_pattern(one.text)), None)


def _admits_all(conversion: Conversion, allow: Value | None) -> bool:
    return allow is not None and any(conversion.server(one.text) == _ALL for one in allow.items)


def _servers(conversion: Conversion, entries: Value | None) -> tuple[ServerGrant, ...]:
    items = entries.items if entries is not None else ()
    found = ((conversion.server(one.text), one.span) for one in items)
    return tuple(ServerGrant(*server, span) for server, span in found if server is not None)


def _blurred(dialect: Dialect, conversion: Conversion, deny: Value | None) -> Iterator[Value]:
    """The entries that deny tools of servers and have no name in another system."""
    for one in deny.items if deny is not None else ():
        server = conversion.server(one.text)
        is_vague = server != _ALL and not conversion.is_verbatim
        if (server is None and dialect.tools.cannot_tell(one.text)) or (
            server is not None and is_vague
        ):
            yield one


def _strangers(
    file: TemplateFile,
    conversion: Conversion,
    allow: Value | None,
    tools: Iterable[str],
    unsure: set[str],
) -> Iterator[Value]:
    if conversion.dropped is not None:
        yield from conversion.dropped(file.document, file.scope)
    for one in allow.items if allow is not None else ():
        is_known = any(file.dialect.tools.matches(one.text, tool) for tool in tools)
        if not is_known and one.text not in unsure and conversion.server(one.text) is None:
            yield one
