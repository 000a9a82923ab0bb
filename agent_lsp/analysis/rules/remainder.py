"""Whether a tool policy leaves the agent any tool, and which rule says that it does not.

Invariant: an entry that could admit a tool which cannot be known here leaves something.
"""

from collections.abc import Mapping

from agent_lsp.analysis.latest import memo_latest
from agent_lsp.analysis.rules import policy
from agent_lsp.analysis.rules.slips import suggestion
from agent_lsp.dialects.template import Value
from agent_lsp.dialects.vocabulary import KeyRole
from agent_lsp.workspace.index import TemplateFile


@memo_latest
def denier(file: TemplateFile) -> Value | None:
    """The entry that denies every tool there can be, or None."""
    denied = policy.entries(file, KeyRole.DENY)
    return next(
        (deny for deny in denied if policy.covers(file, deny.text, policy.EVERY_TOOL)), None
    )


@memo_latest
def denied(file: TemplateFile) -> Mapping[str, Value]:
    """For each allowed entry of which nothing is left the denied one that is the reason."""
    first: dict[str, Value] = {}
    for deny in policy.entries(file, KeyRole.DENY):
        first.setdefault(deny.text, deny)
    # Whole names are looked up, since lists may be long; only patterns have to be tried.
    globs = policy.patterns(file, first.values())
    found: dict[str, Value] = {}
    for text in {entry.text for entry in policy.entries(file, KeyRole.ALLOW)}:
        by = [deny for deny in globs if policy.covers(file, deny.text, text)]
        by += [first[text]] if text in first else []
        if by:
            found[text] = min(by, key=lambda deny: deny.span)
    return found


@memo_latest
def allows_nothing(file: TemplateFile) -> bool:
    """Whether there are allowed entries and none of them covers a tool that is not denied."""
    allowed, lost = policy.entries(file, KeyRole.ALLOW), denied(file)
    if not allowed or not all(entry.text in lost or is_unknown(file, entry) for entry in allowed):
        return False
    # Another key may leave some, whatever the lists say.
    return not file.dialect.toolset(file.reading, policy.names(file), 1).kept


def is_unknown(file: TemplateFile, entry: Value) -> bool:
    """Whether `entry` covers nothing that is known, and nothing that a server could name."""
    if policy.is_known(file, entry.text):
        return False
    return suggestion(file, entry) is not None or not policy.cannot_tell(file, entry.text)


@memo_latest
def has_slips(file: TemplateFile) -> bool:
    """Whether an allowed entry is a mistake that is reported, with its consequence, on its own."""
    return any(suggestion(file, entry) is not None for entry in policy.entries(file, KeyRole.ALLOW))


def is_reported(file: TemplateFile) -> bool:
    """Whether a finding about the whole policy says that no tool is left."""
    return denier(file) is not None or (allows_nothing(file) and not has_slips(file))
