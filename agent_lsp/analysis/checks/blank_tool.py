"""An entry of a tool list is blank."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, refused
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each blank entry for which the runtime refuses the file."""
    for fault in header.faults(file, LoadErrorKind.BLANK_ITEM):
        key = fault.key.partition("[")[0]
        yield Finding(fault.span, refused(file, f"an entry of {code(key)} is blank", "remove it"))


RULE = Rule("blank-tool", check)
