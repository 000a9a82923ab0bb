"""An entry of a tool list is blank."""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code, refused
from agent_lsp.dialects.template import FaultKind
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on each blank entry for which the runtime refuses the file."""
    for fault in header.faults(of, FaultKind.BLANK_ITEM):
        key = fault.key.partition("[")[0]
        yield Finding(fault.span, refused(of, f"an entry of {code(key)} is blank", "remove it"))


RULE = Rule("blank-tool", check)
