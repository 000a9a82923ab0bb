"""A template has no prompt of its own."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, refused
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding where there is no text before the first persona's block."""
    for fault in header.faults(file, LoadErrorKind.NO_PROMPT):
        yield Finding(fault.span, refused(file, "no prompt below the header", "write one"))
    if not header.loads(file) or file.reading.effective.default.text.strip():
        return
    listing, spawning = code(file.dialect.list_call), code(file.dialect.spawn_call)
    named = file.reading.effective.blocks[1:]
    if not named:
        message = f"no prompt below the header: {listing} and {spawning} refuse the template"
    elif len(named) == 1:
        only = f"{spawning} takes the only persona, {code(named[0].name or '')}"
        message = f"no prompt above the personas: {listing} refuses the template; {only}"
    else:
        refusal = f"{listing} refuses the template, and {spawning} every call without a persona"
        message = f"no prompt above the personas: {refusal}"
    yield Finding(header.closing(file), message)


RULE = Rule("missing-default-prompt", check)
