"""Whether a tool policy leaves the agent any tool, and which rule says that it does not.

Invariant: an entry that could admit a tool which cannot be known here leaves something.
"""

from collections.abc import Mapping

from agent_lsp.analysis.latest import of_latest
from agent_lsp.analysis.rules import policy
from agent_lsp.analysis.rules.slips import slip
from agent_lsp.dialects.template import Value
from agent_lsp.dialects.vocabulary import Holds
from agent_lsp.workspace.index import Subject


@of_latest
def denier(of: Subject) -> Value | None:
    """The entry that denies every tool there can be, or None."""
    denied = policy.entries(of, Holds.DENY)
    return next((deny for deny in denied if policy.covers(of, deny.text, policy.EVERY_TOOL)), None)


@of_latest
def denied(of: Subject) -> Mapping[str, Value]:
    """For each allowed entry of which nothing is left the denied one that is the reason."""
    first: dict[str, Value] = {}
    for deny in policy.entries(of, Holds.DENY):
        first.setdefault(deny.text, deny)
    # Whole names are looked up, since lists may be long; only patterns have to be tried.
    patterns = policy.patterns(of, first.values())
    found: dict[str, Value] = {}
    for text in {entry.text for entry in policy.entries(of, Holds.ALLOW)}:
        by = [deny for deny in patterns if policy.covers(of, deny.text, text)]
        by += [first[text]] if text in first else []
        if by:
            found[text] = min(by, key=lambda deny: deny.span)
    return found


@of_latest
def allows_nothing(of: Subject) -> bool:
    """Whether there are allowed entries and none of them covers a tool that is not denied."""
    allowed, lost = policy.entries(of, Holds.ALLOW), denied(of)
    if not allowed or not all(entry.text in lost or is_unknown(of, entry) for entry in allowed):
        return False
    # Another key may leave some, whatever the lists say.
    return not of.dialect.toolset(of.reading, policy.names(of), 1).kept


def is_unknown(of: Subject, entry: Value) -> bool:
    """Whether `entry` covers nothing that is known, and nothing that a server could name."""
    if policy.is_known(of, entry.text):
        return False
    return slip(of, entry) is not None or not policy.cannot_tell(of, entry.text)


@of_latest
def has_slips(of: Subject) -> bool:
    """Whether an allowed entry is a mistake that is reported, with its consequence, on its own."""
    return any(slip(of, entry) is not None for entry in policy.entries(of, Holds.ALLOW))


def is_reported(of: Subject) -> bool:
    """Whether a finding about the whole policy says that no tool is left."""
    return denier(of) is not None or (allows_nothing(of) and not has_slips(of))
