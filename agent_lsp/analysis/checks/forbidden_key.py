"""A key may not be in the header at all."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, refused
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each key for which alone the runtime refuses the file."""
    for fault in header.faults(file, LoadErrorKind.FORBIDDEN):
        thing = f"{code(fault.key)} is not supported"
        yield Finding(fault.span, refused(file, thing, "remove it"))


RULE = Rule("forbidden-key", check)
