"""Writes the tool lists of the new file, and explains what they lose.

Invariant: the lists allow no tool that needs an ability which the agent lacks, unless a loss of
weight `WIDER` reports it. A tool that a list cannot withhold is left out.
"""

from collections.abc import Iterable, Iterator

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.conversion.abilities import Abilities, ServerGrant, abilities, permitted
from agent_lsp.analysis.conversion.pair import (
    ConversionPair,
    Loss,
    LossSeverity,
    has_sandbox,
)
from agent_lsp.data_classes import dataclass
from agent_lsp.model.conversion import CHANGING, Ability, reach
from agent_lsp.model.runtime import RuntimeRefusal
from agent_lsp.model.schema import KeyRole
from agent_lsp.text import Span

# The most names in one message.
_NAMED = 6
_NOTHING_LIKE_IT = "no equivalent in the other system"


def more(pair: ConversionPair, policy: Abilities, denied: tuple[str, ...]) -> Iterator[Loss]:
    """Reports that an agent without an allow list also gets tools that this system lacks."""
    could = reach(policy.could)
    strange = [
        tool
        for tool in pair.tools
        if tool not in denied
        and (tool not in pair.after.tools or not pair.after.tools[tool].needs <= could)
    ]
    key = pair.target.schema.by_role.get(KeyRole.ALLOW)
    name = pair.after.rules((), None)[0] if pair.after.rules else key.name if key else ""
    if strange and name:
        message = (
            f"without a list of allowed tools the agent gets every tool of {pair.target.runtime} "
            f"that is not denied, also those for which {pair.program} has none: "
            f"{_listed(strange)}; list what it needs in {code(name)}"
        )
        yield Loss(LossSeverity.WIDER, policy.span, message)


def lost(pair: ConversionPair, policy: Abilities, tools: tuple[str, ...]) -> Iterator[Loss]:
    """The tools of the agent that have no equivalent among the `tools` of the new one."""
    for limited in policy.limited:
        what = f"only some uses of {code(limited.text)} seem to be intended"
        why = (
            "which the other system cannot express: it is left out, because all uses would be more"
        )
        message = f"{what}, {why}"
        yield Loss(LossSeverity.LOST, limited.span, message)
    for one in policy.blurred:
        thing = f"which tools {code(one.text)} denies cannot be expressed in the other system"
        message = f"{thing}: the agent gets no MCP tool"
        yield Loss(LossSeverity.LOST, one.span, message)
    for stranger in policy.strangers:
        if pair.source.tools.cannot_tell(stranger.text):
            message = f"{code(stranger.text)} has no equivalent in the other system: it is left out"
            yield Loss(LossSeverity.LOST, stranger.span, message)
            continue
        what = f"{code(stranger.text)} is not a known tool of {pair.program}"
        yield Loss(LossSeverity.NOTE, stranger.span, f"{what}: it is left out")
    has = reach(abilities(pair.after, tools))
    groups: dict[tuple[Span, str], list[str]] = {}
    for kept in policy.kept:
        gives = kept.gives
        if not gives or not gives <= has:
            groups.setdefault((kept.span, _why(pair, gives - has, tools)), []).append(kept.tool)
    # An agent with every tool of its runtime gets every tool of the other one.
    is_written_out = not policy.is_open or not pair.can_change or not pair.can_deny
    for (span, why), names in groups.items():
        if is_written_out or why != _NOTHING_LIKE_IT:
            yield Loss(LossSeverity.LOST, span, f"{_listed(names, len(names))}: {why}")


def conditions(pair: ConversionPair, policy: Abilities, allowed: Iterable[str]) -> Iterator[Loss]:
    """Reports the conditions under which a session has the allowed tools."""
    found: dict[str, list[str]] = {}
    for tool in pair.target.tools.listed:
        if tool.condition and tool.name in allowed:
            found.setdefault(tool.condition, []).append(tool.name)
    for condition, names in found.items():
        message = f"{_listed(names)}: in the other system only if {condition}"
        yield Loss(LossSeverity.NOTE, policy.span, message)


def server(grant: ServerGrant, entry: str) -> Loss:
    """Reports that an entry needs a server to be configured."""
    message = (
        f"{code(entry)}: configure the MCP server {code(grant.server)} in the other system, too"
    )
    return Loss(LossSeverity.NOTE, grant.span, message)


def unsaid(grant: ServerGrant, entry: str | None) -> Loss:
    """Reports that tools of servers are left out."""
    whose = f"the MCP server {code(grant.server)}"
    what = "the tools of MCP servers" if grant.server == "*" else f"the tools of {whose}"
    if grant.tool != "*":
        what = f"{code(grant.tool)} of {whose}"
    why = (
        "the list of the other system cannot express that"
        if entry is None
        else "some cannot be denied in the other system"
    )
    return Loss(LossSeverity.LOST, grant.span, f"{what}: {why}, so they are left out")


def undeniable(grant: ServerGrant) -> Loss:
    """Reports that all servers are denied, because a part of one cannot be denied."""
    what = code(grant.server if grant.tool == "*" else grant.tool)
    message = (
        f"{what} of MCP servers cannot be denied alone in the other system, so all of their "
        "tools are"
    )
    return Loss(LossSeverity.LOST, grant.span, message)


def nothing(policy: Abilities) -> Loss:
    """Reports that the new agent has no tool."""
    if not policy.kept and not policy.allowed:
        return Loss(LossSeverity.NOTE, policy.span, "the agent has no tools, in both systems")
    message = "in the other system the agent has no tool at all, until you allow it one"
    return Loss(LossSeverity.LOST, policy.span, message)


def _why(pair: ConversionPair, missing: frozenset[Ability], tools: tuple[str, ...]) -> str:
    if not pair.can_change and not missing.isdisjoint(CHANGING):
        return (
            "left out, because no sandbox of the other system prevents it from changing "
            "things, but one of this system does"
        )
    able = [
        tool
        for tool in pair.tools
        if tool not in tools and missing and missing <= _all_of(pair, tool)
    ]
    if not able:
        return _NOTHING_LIKE_IT
    return (
        f"in the other system {_listed(able, last='or')} could do that, and more; allow it if "
        "the agent may"
    )


def _all_of(pair: ConversionPair, tool: str) -> frozenset[Ability]:
    does = pair.after.tools.get(tool)
    return reach(does.gives) if does is not None else frozenset()


def _listed(names: list[str], most: int = _NAMED, last: str = "and") -> str:
    shown = [code(name) for name in names[:most]]
    if len(names) > most:
        shown.append(f"{len(names) - most} more")
    *others, final = shown
    return f"{', '.join(others)} {last} {final}" if others else final


_ALL = ("*", "*")


@dataclass(frozen=True, slots=True)
class Granted:
    """The lists to write, None for one that is not written; `tools` are the allowed tools.

    `is_read_only` says to write a sandbox, in a system without lists that has one.
    """

    allow: tuple[str, ...] | None
    deny: tuple[str, ...] | None
    tools: tuple[str, ...]
    losses: tuple[Loss, ...]
    is_read_only: bool = False


def granted(pair: ConversionPair, policy: Abilities) -> Granted | RuntimeRefusal:
    """The lists of the new file for an agent with `policy`, or the reason for having none."""
    can_deny = pair.can_deny
    if not can_deny and not pair.can_allow:
        may = permitted(policy, pair.before, can_change=pair.can_change)
        # The sandbox is the nearest thing to a list of tools that change nothing.
        is_harmless = not policy.is_open and not policy.allowed and may.isdisjoint(CHANGING)
        boxed = pair.is_read_only or (is_harmless and has_sandbox(pair.target))
        losses = tuple(_listless(pair, policy, is_read_only=boxed))
        return Granted(None, None, pair.tools, losses, boxed)
    if policy.is_open and pair.can_change:
        if not policy.gone and not policy.banned:
            return Granted(None, None, pair.tools, tuple(more(pair, policy, ())))
        if can_deny and all(_deniable(pair, one) for one in policy.banned):
            return _denying(pair, policy)
    return _allowing(pair, policy, can_deny=can_deny)


def _listless(pair: ConversionPair, policy: Abilities, *, is_read_only: bool) -> Iterator[Loss]:
    """Reports the tools that a system without tool lists gives to each agent."""
    boxed = pair.after.sandboxed if is_read_only else frozenset()
    key = pair.target.schema.by_role.get(KeyRole.SANDBOX)
    is_held = policy.gone or policy.banned or not policy.is_open or not pair.can_change
    may = permitted(policy, pair.before, can_change=pair.can_change)
    could = may if is_held else reach(policy.could)
    strange = [
        tool
        for tool in pair.tools
        if tool not in boxed
        and ((does := pair.after.tools.get(tool)) is None or not does.needs <= could)
    ]
    if strange:
        thing = f"there is no list of tools for an agent of {pair.target.runtime}"
        but = f" except those that `{key.name}` removes" if key is not None and boxed else ""
        message = f"{thing}: it has all tools of its session{but}, also {_listed(strange)}"
        yield Loss(LossSeverity.WIDER, policy.span, message)
    if boxed and key is not None and not policy.is_open:
        for grant in policy.allowed:
            what = f"the tools of the MCP server {code(grant.server)}"
            yield Loss(
                LossSeverity.LOST,
                grant.span,
                f"{what}: `{key.name}` removes them in the other system",
            )
    yield from lost(pair, policy, pair.tools)


def _denying(pair: ConversionPair, policy: Abilities) -> Granted:
    """Denies the tools that need an ability which the policy removes."""
    gone = abilities(pair.before, policy.gone) - policy.can
    gone |= reach(policy.could) - reach(policy.can)
    denied = tuple(
        tool
        for tool in pair.tools
        if tool in pair.after.tools and not pair.after.tools[tool].needs.isdisjoint(gone)
    )
    entries = [pair.after.entry(one.server, one.tool, KeyRole.DENY) for one in policy.banned]
    unsaid = [one for one, e in zip(policy.banned, entries, strict=True) if e is None]
    if unsaid:
        # A part of a server cannot be denied there, so all servers are denied.
        entries.append(pair.after.entry("*", "*", KeyRole.DENY))
    losses = [
        *more(pair, policy, denied),
        *(undeniable(one) for one in unsaid),
    ]
    tools = tuple(tool for tool in pair.tools if tool not in denied)
    losses += lost(pair, policy, tools)
    deny = (*denied, *filter(None, dict.fromkeys(entries)))
    return Granted(None, deny or None, tools, tuple(losses))


def _deniable(pair: ConversionPair, grant: ServerGrant) -> bool:
    """Whether tools of the server can be denied there, if only together with all others."""
    entries = (
        pair.after.entry(*names, KeyRole.DENY) for names in ((grant.server, grant.tool), _ALL)
    )
    return any(entries)


def _allowing(
    pair: ConversionPair, policy: Abilities, *, can_deny: bool
) -> Granted | RuntimeRefusal:
    """Lists the tools that the agent may use."""
    may = permitted(policy, pair.before, can_change=pair.can_change)
    tools = tuple(
        tool
        for tool in pair.tools
        if (does := pair.after.tools.get(tool)) is not None and does.gives and does.needs <= may
    )
    allow, deny, losses = list(_each_once(pair, tools)), [], []
    for one in policy.allowed:
        if any(ban.covers(one) for ban in policy.banned):
            continue
        entry = pair.after.entry(one.server, one.tool, KeyRole.ALLOW)
        bans = [ban for ban in policy.banned if ban.touches(one)]
        held = [pair.after.entry(ban.server, ban.tool, KeyRole.DENY) for ban in bans]
        if entry is None or (bans and (not can_deny or None in held)):
            losses.append(unsaid(one, entry))
            continue
        allow.append(entry)
        losses += [server(one, entry)] if one.server != "*" else []
        deny += [ban for ban in held if ban is not None]
    losses += lost(pair, policy, tools)
    if allow:
        losses += conditions(pair, policy, allow)
        return Granted(tuple(allow), tuple(dict.fromkeys(deny)) or None, tools, tuple(losses))
    if pair.after.nothing is None:
        message = (
            "the other system can give it none of its tools, and has no way to write an agent "
            "without tools"
        )
        return RuntimeRefusal(message)
    losses.append(nothing(policy))
    holds, entries = pair.after.nothing
    is_allow = holds is KeyRole.ALLOW
    return Granted(entries if is_allow else None, None if is_allow else entries, (), tuple(losses))


def _each_once(pair: ConversionPair, tools: tuple[str, ...]) -> Iterator[str]:
    """`tools` without those that an earlier one covers."""
    seen: list[str] = []
    for tool in tools:
        if not any(pair.target.tools.matches(entry, tool) for entry in seen):
            seen.append(tool)
            yield tool
