"""An entry adds nothing to its list."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header, tool_policy
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.model import Finding, Related, Rule, Tag
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a hint on each entry that another one of its list makes superfluous."""
    if not header.parses(file):
        return
    for holds in tool_policy.LISTS:
        for entry, other in tool_policy.covering(file, holds):
            if entry.text == other.text:
                thing, where = f"{code(entry.text)} stands twice in this list", "the first time"
            else:
                thing = f"{code(entry.text)} is covered by {code(other.text)}"
                where = "covered here"
            related = (Related(file.path, other.span, where),)
            message = f"{thing}: this entry changes nothing"
            yield Finding(entry.span, message, tags=(Tag.UNNECESSARY,), related=related)


RULE = Rule("redundant-entry", check)
