"""The tool lists of the new file, and what they cannot say.

Invariant: the lists give no tool that needs an ability which the agent has not, unless a loss of
weight `WIDER` says so; where a list cannot hold a tool back, the tool is left out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.conversion.abilities import Abilities, ServerGrant, abilities, permitted
from agent_lsp.analysis.conversion.pair import ConversionPair, Loss, LossSeverity
from agent_lsp.model.conversion import CHANGING, Ability, reach
from agent_lsp.model.runtime import RuntimeRefusal
from agent_lsp.model.schema import KeyRole
from agent_lsp.text import Span

# As many names as one reads.
_NAMED = 6
_NOTHING_LIKE_IT = "nothing like it there"


def more(way: ConversionPair, policy: Abilities, denied: tuple[str, ...]) -> Iterator[Loss]:
    """That an agent without an allow list has also tools for which there is nothing here."""
    could = reach(policy.could)
    strange = [
        tool
        for tool in way.known
        if tool not in denied
        and (tool not in way.after.tools or not way.after.tools[tool].needs <= could)
    ]
    key = way.target.key_with_role(KeyRole.ALLOW)
    if strange and key is not None:
        message = (
            f"without a list of allowed tools the agent gets every tool of {way.target.runtime} "
            f"that is not denied, also those for which {way.source.runtime} has none: "
            f"{_listed(strange)}; list what it needs in {code(key.name)}"
        )
        yield Loss(LossSeverity.WIDER, policy.span, message)


def lost(way: ConversionPair, policy: Abilities, tools: tuple[str, ...]) -> Iterator[Loss]:
    """The tools of the agent for which the new one, which has `tools`, has nothing."""
    for limited in policy.limited:
        what = f"only some uses of {code(limited.text)} seem to be meant"
        message = f"{what}, which cannot be said there: it is left out, for all of it is more"
        yield Loss(LossSeverity.LOST, limited.span, message)
    for one in policy.blurred:
        message = f"which tools {code(one.text)} denies cannot be said there: no MCP tool is given"
        yield Loss(LossSeverity.LOST, one.span, message)
    for stranger in policy.strangers:
        if way.source.cannot_tell(stranger.text):
            message = f"{code(stranger.text)} cannot be said there: it is left out"
            yield Loss(LossSeverity.LOST, stranger.span, message)
            continue
        what = f"{code(stranger.text)} names no tool that {way.source.runtime} is known to have"
        yield Loss(LossSeverity.NOTE, stranger.span, f"{what}: it is left out")
    has = reach(abilities(way.after, tools))
    groups: dict[tuple[Span, str], list[str]] = {}
    for kept in policy.kept:
        does = way.before.tools.get(kept.tool)
        gives = does.gives if does is not None else frozenset()
        if not gives or not gives <= has:
            groups.setdefault((kept.span, _why(way, gives - has, tools)), []).append(kept.tool)
    # An agent with every tool of its runtime has every tool of the other one.
    is_written_out = not policy.is_open or not way.can_change or not _can_deny(way)
    for (span, why), names in groups.items():
        if is_written_out or why != _NOTHING_LIKE_IT:
            yield Loss(LossSeverity.LOST, span, f"{_listed(names, len(names))}: {why}")


def conditions(way: ConversionPair, policy: Abilities, allowed: Iterable[str]) -> Iterator[Loss]:
    """When a session has the tools that are allowed, if it does not always."""
    found: dict[str, list[str]] = {}
    for tool in way.target.tools:
        if tool.condition and tool.name in allowed:
            found.setdefault(tool.condition, []).append(tool.name)
    for condition, names in found.items():
        message = f"{_listed(names)}: there only if {condition}"
        yield Loss(LossSeverity.NOTE, policy.span, message)


def server(one: ServerGrant, entry: str) -> Loss:
    """That an entry speaks of a server which somebody has to configure."""
    message = f"{code(entry)}: there the MCP server {code(one.server)} has to be configured, too"
    return Loss(LossSeverity.NOTE, one.span, message)


def unsaid(one: ServerGrant, entry: str | None) -> Loss:
    """That tools of servers are left out."""
    whose = f"the MCP server {code(one.server)}"
    what = "the tools of MCP servers" if one.server == "*" else f"the tools of {whose}"
    if one.tool != "*":
        what = f"{code(one.tool)} of {whose}"
    why = "the list cannot say that there" if entry is None else "some cannot be denied there"
    return Loss(LossSeverity.LOST, one.span, f"{what}: {why}, so they are left out")


def undeniable(one: ServerGrant) -> Loss:
    """That all servers are denied, since part of one cannot be."""
    what = code(one.server if one.tool == "*" else one.tool)
    message = f"{what} of MCP servers cannot be denied there alone, so all of their tools are"
    return Loss(LossSeverity.LOST, one.span, message)


def nothing(policy: Abilities) -> Loss:
    """That the new agent has no tool."""
    if not policy.kept and not policy.allowed:
        return Loss(LossSeverity.NOTE, policy.span, "the agent has no tools, here and there")
    message = "there the agent has no tool at all, until you allow it one"
    return Loss(LossSeverity.LOST, policy.span, message)


def _why(way: ConversionPair, missing: frozenset[Ability], tools: tuple[str, ...]) -> str:
    if not way.can_change and not missing.isdisjoint(CHANGING):
        return "left out, for there no sandbox keeps it from changing things, as one does here"
    able = [
        tool
        for tool in way.known
        if tool not in tools and missing and missing <= _all_of(way, tool)
    ]
    if not able:
        return _NOTHING_LIKE_IT
    return f"there {_listed(able, last='or')} could do that, and more; allow it if the agent may"


def _all_of(way: ConversionPair, tool: str) -> frozenset[Ability]:
    does = way.after.tools.get(tool)
    return reach(does.gives) if does is not None else frozenset()


def _can_deny(way: ConversionPair) -> bool:
    return way.target.key_with_role(KeyRole.DENY) is not None


def _listed(names: list[str], most: int = _NAMED, last: str = "and") -> str:
    shown = [code(name) for name in names[:most]]
    if len(names) > most:
        shown.append(f"{len(names) - most} more")
    *others, final = shown
    return f"{', '.join(others)} {last} {final}" if others else final


_ALL = ("*", "*")


@dataclass(frozen=True, slots=True)
class Granted:
    """The lists to write, None for one that is not written; `tools` are those that are allowed."""

    allow: tuple[str, ...] | None
    deny: tuple[str, ...] | None
    tools: tuple[str, ...]
    losses: tuple[Loss, ...]


def granted(way: ConversionPair, policy: Abilities) -> Granted | RuntimeRefusal:
    """The lists of the new file for an agent with `policy`, or why there are none."""
    can_deny = way.target.key_with_role(KeyRole.DENY) is not None
    if policy.is_open and way.can_change:
        if not policy.gone and not policy.banned:
            return Granted(None, None, way.known, tuple(more(way, policy, ())))
        if can_deny and all(_deniable(way, one) for one in policy.banned):
            return _denying(way, policy)
    return _allowing(way, policy, can_deny=can_deny)


def _denying(way: ConversionPair, policy: Abilities) -> Granted:
    """Everything but what needs an ability that the policy takes away."""
    gone = abilities(way.before, policy.gone) - policy.can
    gone |= reach(policy.could) - reach(policy.can)
    denied = tuple(
        tool
        for tool in way.known
        if tool in way.after.tools and not way.after.tools[tool].needs.isdisjoint(gone)
    )
    entries = [way.after.entry(one.server, one.tool, KeyRole.DENY) for one in policy.banned]
    unsaid = [one for one, e in zip(policy.banned, entries, strict=True) if e is None]
    if unsaid:
        # Part of a server cannot be denied there, so that no server is left open.
        entries.append(way.after.entry("*", "*", KeyRole.DENY))
    losses = [
        *more(way, policy, denied),
        *(undeniable(one) for one in unsaid),
    ]
    tools = tuple(tool for tool in way.known if tool not in denied)
    losses += lost(way, policy, tools)
    deny = (*denied, *filter(None, dict.fromkeys(entries)))
    return Granted(None, deny or None, tools, tuple(losses))


def _deniable(way: ConversionPair, one: ServerGrant) -> bool:
    """Whether tools of servers can be denied there, if need be with all others."""
    entries = (way.after.entry(*names, KeyRole.DENY) for names in ((one.server, one.tool), _ALL))
    return any(entries)


def _allowing(
    way: ConversionPair, policy: Abilities, *, can_deny: bool
) -> Granted | RuntimeRefusal:
    """What the agent may use, written out."""
    may = permitted(policy, way.before, can_change=way.can_change)
    tools = tuple(
        tool
        for tool in way.known
        if (does := way.after.tools.get(tool)) is not None and does.gives and does.needs <= may
    )
    allow, deny, losses = list(_each_once(way, tools)), [], []
    for one in policy.allowed:
        if any(ban.covers(one) for ban in policy.banned):
            continue
        entry = way.after.entry(one.server, one.tool, KeyRole.ALLOW)
        bans = [ban for ban in policy.banned if ban.touches(one)]
        held = [way.after.entry(ban.server, ban.tool, KeyRole.DENY) for ban in bans]
        if entry is None or (bans and (not can_deny or None in held)):
            losses.append(unsaid(one, entry))
            continue
        allow.append(entry)
        losses += [server(one, entry)] if one.server != "*" else []
        deny += [ban for ban in held if ban is not None]
    losses += lost(way, policy, tools)
    if allow:
        losses += conditions(way, policy, allow)
        return Granted(tuple(allow), tuple(dict.fromkeys(deny)) or None, tools, tuple(losses))
    if way.after.nothing is None:
        message = (
            "none of its tools can be given there, and an agent without tools cannot be written"
        )
        return RuntimeRefusal(message)
    losses.append(nothing(policy))
    holds, entries = way.after.nothing
    is_allow = holds is KeyRole.ALLOW
    return Granted(entries if is_allow else None, None if is_allow else entries, (), tuple(losses))


def _each_once(way: ConversionPair, tools: tuple[str, ...]) -> Iterator[str]:
    """`tools` without those of which another one speaks already."""
    seen: list[str] = []
    for tool in tools:
        if not any(way.target.matches(entry, tool) for entry in seen):
            seen.append(tool)
            yield tool
