"""Finds entries of the tool lists that cover nothing, or that only some sessions can cover.

Invariants: all entries of one kind are one finding, with one severity and one consequence; if each
of its entries has a suggestion, `meant` has them in the order of the entries, and the first entry
is at its span.
Facts: Claude Code 2.1.332, measured 2026-11-28. The runtime silently drops a name that is not a
tool, whatever its case, and refuses to launch an agent if nothing is left of its list.
"""

from collections.abc import Iterator
from itertools import groupby

from agent_lsp.analysis.checks import header, tool_policy
from agent_lsp.analysis.checks import tool_entries
from agent_lsp.analysis.checks.messages import code, listed, some
from agent_lsp.dialects.claude import policy
from agent_lsp.dialects.claude.facts import ALLOW, DENY, MEASURED
from agent_lsp.dialects.claude.tools import (
    BORROWED,
    BUILT_ON,
    CONDITIONS,
    FOR_MEMORY,
    OTHERS,
    RETIRED,
)
from agent_lsp.model.check import Basis, Check, Field, Finding, Related
from agent_lsp.model.schema import KeyRole, Severity
from agent_lsp.model.template import Value
from agent_lsp.text import Span
from agent_lsp.workspace.mcp_servers import matching, mcp_servers_of
from agent_lsp.workspace.snapshot import TemplateFile

_MOST, _MOST_SYSTEMS = 5, 3
_SERVERS = "mcpServers"
_DOES = {KeyRole.ALLOW: "allow", KeyRole.DENY: "deny"}
_IT_DOES = {KeyRole.ALLOW: "allows", KeyRole.DENY: "denies"}


def unknown_tool(file: TemplateFile) -> Iterator[Finding]:
    """Yields the findings on entries that cover nothing, those of one kind in a list together."""
    found = tuple(tool_entries.unknown_tool(file))
    for role in tool_policy.LISTS:
        spans = {entry.span: entry.text for entry in tool_policy.entries(file, role)}
        own = [_weighed(file, role, one, spans) for one in found if one.span in spans]
        for _, group in groupby(sorted(own, key=_kind), key=_kind):
            alike = sorted(group, key=lambda one: one.span)
            yield _together(file, role, alike) if len(alike) > 1 else alike[0]
    listed_ = {e.span for role in tool_policy.LISTS for e in tool_policy.entries(file, role)}
    yield from (one for one in found if one.span not in listed_)


def _kind(one: Finding) -> tuple[int, bool, bool]:
    return (one.severity or Severity.WARNING, len(one.meant) == 1, bool(one.tags))


def _weighed(file: TemplateFile, role: KeyRole, one: Finding, texts: dict[Span, str]) -> Finding:
    """A finding with its severity: a warning if the entry has no effect and that matters."""
    text = texts[one.span]
    if text in RETIRED:
        others = {entry.text for entry in tool_policy.entries(file, role)}
        is_lost = role is KeyRole.ALLOW and RETIRED[text] not in others and "*" not in others
        severity = Severity.WARNING if is_lost else Severity.HINT
        return Finding(one.span, one.message, severity, one.tags, meant=one.meant)
    if one.severity is Severity.INFORMATION:
        thing = f"unknown tool {code(text)}: {file.dialect.runtime} {MEASURED} has no such tool"
        is_fatal = role is KeyRole.ALLOW and tool_policy.allows_nothing(file)
        if is_fatal and tool_policy.denier(file) is None:
            message = f"{thing}, so {policy.REFUSED}"
            return Finding(one.span, message, Severity.ERROR)
        return Finding(one.span, f"{thing}, so it {_IT_DOES[role]} nothing", Severity.WARNING)
    return one


def _together(file: TemplateFile, role: KeyRole, alike: list[Finding]) -> Finding:
    """One finding on several entries, at the first; the others are related places."""
    text, first = file.document.text, alike[0]
    words = [one.span.of(text) for one in alike]
    related = tuple(Related(file.path, one.span, "also here") for one in alike[1:])
    meant = tuple(one.meant[0] for one in alike) if len(first.meant) == 1 else ()
    named = some(words, _MOST, "and")
    if first.tags:
        message = f"{named} no longer exist: use {listed(dict.fromkeys(meant), 'and')}"
        return Finding(first.span, message, first.severity, first.tags, related, meant)
    effect = f"they {_DOES[role]} nothing"
    if first.severity is Severity.ERROR:
        effect += f", so {policy.REFUSED}"
    fix = f"; did you mean {some(tuple(dict.fromkeys(meant)), _MOST, 'and')}?" if meant else ""
    message = f"unknown tools {named}{_of_systems(words)}: {effect}{fix}"
    return Finding(first.span, message, first.severity, (), related, meant)


def _of_systems(words: list[str]) -> str:
    """The systems that have tools of these names, each once; no more than a person reads."""
    named = (BORROWED[word][0].split(" and ") for word in words if word in BORROWED)
    systems = tuple(dict.fromkeys(system for each in named for system in each))
    if not systems:
        return ""
    is_short = len(systems) <= _MOST_SYSTEMS and OTHERS not in systems
    *most, last = systems if is_short else (OTHERS,)
    return f" (names of {', '.join(most)} and {last})" if most else f" (names of {last})"


def allowed_and_denied(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each allowed tool that is built on a denied one."""
    if not header.parses(file):
        return
    allowed, denied = (tool_policy.entries(file, role) for role in tool_policy.LISTS)
    by = {entry.text: entry for entry in reversed(denied)}
    for entry in allowed:
        ground = by.get(BUILT_ON.get(entry.text, ""))
        if ground is None or entry.text in by:
            continue
        message = f"{code(entry.text)} is built on {code(ground.text)}: `{DENY}` removes both"
        names = tuple(one.text for one in allowed)
        if not file.dialect.tools.toolset(file.reading, names, 1).kept:
            message += f", and `{ALLOW}` has nothing else: the agent has no tools"
        related = (Related(file.path, ground.span, "denied here"),)
        yield Finding(entry.span, message, Severity.WARNING, related=related)


def no_tools(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a list of tools all of which only some sessions have."""
    allowed = tool_policy.entries(file, KeyRole.ALLOW) if header.loads(file) else ()
    lost, settings = tool_policy.denied(file), file.reading.effective.settings
    if not allowed or _SERVERS in settings or tool_policy.allows_nothing(file):
        return
    if file.dialect.tools.toolset(file.reading, _everywhere(file, allowed), 1).kept:
        return
    there = [
        one
        for one in allowed
        if not (one.text in lost or tool_policy.is_unknown(file, one))
        and not policy.void(KeyRole.ALLOW, one.text)
    ]
    of_servers = [one for one in there if policy.cannot_tell(one.text)]
    if any(matching(mcp_servers_of(file), one.text) for one in of_servers):
        return
    conditions = dict.fromkeys(CONDITIONS[one.text] for one in there if one.text in CONDITIONS)
    if of_servers:
        names = some([one.text for one in of_servers], _MOST, "and")
        conditions[f"a server that no configuration names gives it {names}"] = None
    if conditions:
        needed = ", or ".join(conditions)
        thing = f"every entry of {code(ALLOW)} depends on the session: unless {needed}"
        severity = Severity.INFORMATION if of_servers else Severity.WARNING
        yield Finding(settings[ALLOW].key or there[0].span, f"{thing}, {policy.REFUSED}", severity)


def _everywhere(file: TemplateFile, allowed: tuple[Value, ...]) -> tuple[str, ...]:
    """The tools that each session has, as far as the agent may keep them.

    A sub-agent may have some of them only without `Bash`.
    """
    said = {entry.text for entry in allowed} | FOR_MEMORY
    is_any = any(policy.is_pattern(text) or policy.cannot_tell(text) for text in said)
    names = tool_policy.names(file)
    return tuple(name for name in names if name not in CONDITIONS and (is_any or name in said))


CHECKS: tuple[Check, ...] = (
    Check(("unknown-tool",), unknown_tool, changes=frozenset({Field.TOOLS})),
    Check(("allowed-and-denied",), allowed_and_denied, changes=frozenset()),
    Check(("no-tools",), no_tools, changes=frozenset({Field.TOOLS}), basis=Basis.ABSENCE),
)
