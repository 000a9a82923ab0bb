"""Checks for entries of a tool policy that add nothing, or contradict one another."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header, tool_policy
from agent_lsp.analysis.checks.messages import code
from agent_lsp.model.check import Check, Finding, Related, Tag
from agent_lsp.model.schema import KeyRole
from agent_lsp.workspace.snapshot import TemplateFile


def redundant_entry(file: TemplateFile) -> Iterator[Finding]:
    """Yields a hint on each entry that another entry of its list makes superfluous."""
    if not header.parses(file):
        return
    for holds in tool_policy.LISTS:
        for entry, other in tool_policy.covering(file, holds):
            if entry.text == other.text:
                thing, where = f"{code(entry.text)} is in this list twice", "the first time"
            else:
                thing = f"{code(entry.text)} is covered by {code(other.text)}"
                where = "covered here"
            related = (Related(file.path, other.span, where),)
            message = f"{thing}: this entry changes nothing"
            yield Finding(entry.span, message, tags=(Tag.UNNECESSARY,), related=related)


REDUNDANT_ENTRY = Check(("redundant-entry",), redundant_entry, changes=frozenset())


def allowed_and_denied(file: TemplateFile) -> Iterator[Finding]:
    """Yields a hint on each allowed entry whose tools are all denied."""
    if not header.parses(file) or tool_policy.is_reported(file):
        return
    lost = tool_policy.denied(file)
    for allowed in tool_policy.entries(file, KeyRole.ALLOW):
        deny = lost.get(allowed.text)
        if deny is None:
            continue
        by = "" if deny.text == allowed.text else f" by {code(deny.text)}"
        message = f"{code(allowed.text)} is denied{by}, and deny wins: this entry has no effect"
        related = (Related(file.path, deny.span, "denied here"),)
        yield Finding(allowed.span, message, tags=(Tag.UNNECESSARY,), related=related)


ALLOWED_AND_DENIED = Check(("allowed-and-denied",), allowed_and_denied, changes=frozenset())
