"""The tool lists of the new file, and what they cannot say.

Invariant: the lists give no tool that needs an ability which the agent has not, unless a loss of
weight `WIDER` says so; where a list cannot hold a tool back, the tool is left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.analysis.conversion import tool_losses
from agent_lsp.analysis.conversion.model import Loss
from agent_lsp.analysis.conversion.policy import Abilities, ServerGrant, abilities, permitted
from agent_lsp.analysis.conversion.way import ConversionPair
from agent_lsp.dialects.answers import RuntimeRefusal
from agent_lsp.dialects.conversion import reach
from agent_lsp.dialects.vocabulary import KeyRole

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
            return Granted(None, None, way.known, tuple(tool_losses.more(way, policy, ())))
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
        *tool_losses.more(way, policy, denied),
        *(tool_losses.undeniable(one) for one in unsaid),
    ]
    tools = tuple(tool for tool in way.known if tool not in denied)
    losses += tool_losses.lost(way, policy, tools)
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
            losses.append(tool_losses.unsaid(one, entry))
            continue
        allow.append(entry)
        losses += [tool_losses.server(one, entry)] if one.server != "*" else []
        deny += [ban for ban in held if ban is not None]
    losses += tool_losses.lost(way, policy, tools)
    if allow:
        losses += tool_losses.conditions(way, policy, allow)
        return Granted(tuple(allow), tuple(dict.fromkeys(deny)) or None, tools, tuple(losses))
    if way.after.nothing is None:
        message = (
            "none of its tools can be given there, and an agent without tools cannot be written"
        )
        return RuntimeRefusal(message)
    losses.append(tool_losses.nothing(policy))
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
