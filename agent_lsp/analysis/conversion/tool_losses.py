"""What the tool lists of the new file cannot say, in sentences."""

from collections.abc import Iterable, Iterator

from agent_lsp.analysis.conversion.model import Loss, LossSeverity
from agent_lsp.analysis.conversion.policy import Abilities, ServerGrant, abilities
from agent_lsp.analysis.conversion.way import ConversionPair
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.conversion import CHANGING, Ability, reach
from agent_lsp.dialects.vocabulary import KeyRole
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
