"""Checks for entries of a tool policy that cover no known tool, or a tool that no agent has."""

from collections.abc import Iterator
from functools import cached_property

from agent_lsp.analysis.checks import header, tool_policy
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.tool_policy import Suggestion, suggestion
from agent_lsp.analysis.memo import memoised
from agent_lsp.model.check import Check, Field, Finding, Tag
from agent_lsp.model.schema import KeyRole, Severity
from agent_lsp.model.template import Reading, Value
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_DOES = {KeyRole.ALLOW: "allows", KeyRole.DENY: "denies"}


def unknown_tool(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each entry that covers no known tool but may have been meant to."""
    if not header.parses(file):
        return
    left = _Left(file)
    for holds in tool_policy.LISTS:
        entries = tool_policy.entries(file, holds)
        found = (said for entry in entries if (said := _say(left, holds, entry)))
        yield from (said for said in found if said.span not in _superfluous(file, holds))


@memoised
def _superfluous(file: TemplateFile, holds: KeyRole) -> frozenset[Span]:
    """The spans of entries that another entry makes redundant."""
    return frozenset(entry.span for entry, _ in tool_policy.covering(file, holds))


class _Left:
    """The tools that the policy leaves, computed on demand and once for all entries."""

    def __init__(self, file: TemplateFile) -> None:
        self.file = file

    @cached_property
    def nothing(self) -> bool:
        """Whether the policy has allowed entries but leaves no tool."""
        return tool_policy.denier(self.file) is None and tool_policy.allows_nothing(self.file)

    @cached_property
    def is_reported(self) -> bool:
        """Whether this is a finding of its own."""
        return tool_policy.is_reported(self.file)


def _say(left: _Left, holds: KeyRole, entry: Value) -> Finding | None:
    """The message for an entry by itself."""
    file = left.file
    heir = file.dialect.tools.retired.get(entry.text)
    if heir is not None and not (holds is KeyRole.ALLOW and left.is_reported):
        message = f"{code(entry.text)} no longer exists: use {code(heir)}"
        tags = (Tag.DEPRECATED,)
        return Finding(entry.span, message, Severity.HINT, tags, meant=(heir,))
    found = suggestion(file, entry) if heir is None else None
    if found is not None:
        message = f"{_thing(file, entry.text)}: {_effect(left, holds, found)}; {found.fix}"
        is_fatal = file.dialect.tools.nothing_left and holds is KeyRole.ALLOW and left.nothing
        severity = Severity.ERROR if is_fatal else None
        return Finding(entry.span, message, severity, meant=found.meant)
    if tool_policy.is_known(file, entry.text) or tool_policy.cannot_tell(file, entry.text):
        return None
    if holds is KeyRole.ALLOW and left.is_reported:
        return None
    unless = "unless the runtime has a tool of this name"
    message = f"{_thing(file, entry.text)}: it {_DOES[holds]} nothing, {unless}"
    return Finding(entry.span, message, Severity.INFORMATION)


def _thing(file: TemplateFile, entry: str) -> str:
    if file.dialect.tools.is_pattern(entry):
        return f"no known tool matches {code(entry)}"
    return f"unknown tool {code(entry)}"


def _effect(left: _Left, holds: KeyRole, found: Suggestion) -> str:
    """The effect of the mistake on the agent's tools."""
    effect = f"it {_DOES[holds]} nothing"
    if holds is KeyRole.ALLOW:
        loss = left.file.dialect.tools.nothing_left or "the agent has no tools"
        return f"{effect}, so {loss}" if left.nothing else effect
    kept = _kept(left.file, found)
    if not kept:
        return effect
    return f"{effect}, so the agent keeps the {'tool' if kept == 1 else 'tools'}"


def _kept(file: TemplateFile, found: Suggestion) -> int:
    """The number of tools that the agent keeps although the author wanted to deny them."""
    matches, written = file.dialect.tools.matches, file.reading.declared
    names = tool_policy.names(file)
    meant = tuple(name for name in names if any(matches(entry, name) for entry in found.meant))
    return len(file.dialect.tools.toolset(Reading(written, written), meant, 1).kept)


UNKNOWN_TOOL = Check(("unknown-tool",), unknown_tool, changes=frozenset({Field.TOOLS}))


def unavailable_tool(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each allowed tool that the runtime withholds from all agents."""
    withheld = {tool.name for tool in file.dialect.tools.withheld}
    if not withheld or not header.parses(file):
        return
    if file.dialect.references.reach.session_key in file.reading.declared.settings:
        return
    entries = tool_policy.entries(file, KeyRole.ALLOW)
    if not any(entry.text in withheld for entry in entries):
        return
    verdicts = file.dialect.tools.toolset(
        file.reading, tuple(entry.text for entry in entries), 1
    ).verdicts
    lost = [not verdict.kept and verdict.tool in withheld for verdict in verdicts]
    is_fatal = bool(file.dialect.tools.nothing_left) and all(lost)
    for entry, verdict, is_lost in zip(entries, verdicts, lost, strict=False):
        if is_lost:
            effect = f"has no effect: {verdict.reason}"
            if is_fatal:
                effect += f", and nothing else is allowed: {file.dialect.tools.nothing_left}"
            severity = Severity.ERROR if is_fatal else None
            yield Finding(entry.span, f"{code(entry.text)} {effect}", severity)


UNAVAILABLE_TOOL = Check(("unavailable-tool",), unavailable_tool, changes=frozenset())
