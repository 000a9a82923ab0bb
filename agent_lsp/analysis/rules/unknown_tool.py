"""A tool policy has an entry that covers no known tool."""

from collections.abc import Iterator
from functools import cached_property

from agent_lsp.analysis.latest import of_latest
from agent_lsp.analysis.rules import header, policy, remainder
from agent_lsp.analysis.rules.model import Finding, Rule, Tag
from agent_lsp.analysis.rules.slips import Slip, slip
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.template import Reading, Value
from agent_lsp.dialects.vocabulary import Holds, Severity
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject

_DOES = {Holds.ALLOW: "allows", Holds.DENY: "denies"}


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for each entry that covers no known tool and might have been meant to."""
    if not header.parses(of):
        return
    left = _Left(of)
    for holds in policy.LISTS:
        entries = policy.entries(of, holds)
        found = (said for entry in entries if (said := _say(left, holds, entry)))
        yield from (said for said in found if said.span not in _superfluous(of, holds))


@of_latest
def _superfluous(of: Subject, holds: Holds) -> frozenset[Span]:
    """Where entries stand that another one makes superfluous."""
    return frozenset(entry.span for entry, _ in policy.covering(of, holds))


class _Left:
    """What the policy leaves, looked at once for all of its entries, and only if need be."""

    def __init__(self, of: Subject) -> None:
        self.of = of

    @cached_property
    def nothing(self) -> bool:
        """Whether there are allowed entries, of which no tool is left."""
        return remainder.denier(self.of) is None and remainder.allows_nothing(self.of)

    @cached_property
    def is_reported(self) -> bool:
        """Whether that is a finding of its own."""
        return remainder.is_reported(self.of)


def _say(left: _Left, holds: Holds, entry: Value) -> Finding | None:
    """What there is to say about an entry, taken for itself."""
    of = left.of
    heir = of.dialect.retired.get(entry.text)
    if heir is not None and not (holds is Holds.ALLOW and left.is_reported):
        message = f"there is no {code(entry.text)} any more: {code(heir)} does it"
        tags = (Tag.DEPRECATED,)
        return Finding(entry.span, message, Severity.HINT, tags, meant=(heir,))
    found = slip(of, entry) if heir is None else None
    if found is not None:
        message = f"{_thing(of, entry.text)}: {_effect(left, holds, found)}; {found.fix}"
        is_fatal = of.dialect.nothing_left and holds is Holds.ALLOW and left.nothing
        severity = Severity.ERROR if is_fatal else None
        return Finding(entry.span, message, severity, meant=found.meant)
    if policy.is_known(of, entry.text) or policy.cannot_tell(of, entry.text):
        return None
    if holds is Holds.ALLOW and left.is_reported:
        return None
    unless = "unless the runtime has more tools than are known here"
    message = f"{_thing(of, entry.text)}: it {_DOES[holds]} nothing, {unless}"
    return Finding(entry.span, message, Severity.INFORMATION)


def _thing(of: Subject, entry: str) -> str:
    if of.dialect.is_pattern(entry):
        return f"no known tool matches {code(entry)}"
    return f"unknown tool {code(entry)}"


def _effect(left: _Left, holds: Holds, found: Slip) -> str:
    """What the mistake does to the agent's tools."""
    effect = f"it {_DOES[holds]} nothing"
    if holds is Holds.ALLOW:
        loss = left.of.dialect.nothing_left or "the agent has no tools"
        return f"{effect}, so {loss}" if left.nothing else effect
    kept = _kept(left.of, found)
    if not kept:
        return effect
    return f"{effect}, so the agent keeps the {'tool' if kept == 1 else 'tools'}"


def _kept(of: Subject, found: Slip) -> int:
    """How many of the tools that were meant to be denied the agent has."""
    matches, written = of.dialect.matches, of.reading.written
    names = policy.names(of)
    meant = tuple(name for name in names if any(matches(entry, name) for entry in found.meant))
    return len(of.dialect.toolset(Reading(written, written), meant, 1).kept)


RULE = Rule("unknown-tool", check)
