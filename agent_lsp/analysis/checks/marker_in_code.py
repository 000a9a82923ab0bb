"""A line in a code block starts a persona's block all the same."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import personas
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each marker of a declared persona in a fenced code block."""
    in_code = personas.markers_in_code(file)
    for block in personas.declared_blocks(file) if in_code else ():
        thing = "a marker counts in a code block, too: the text from here on is the prompt of"
        message = f"{thing} {code(block.name or '')}; {personas.EXAMPLE}"
        for span in block.markers:
            if span in in_code:
                yield Finding(span, message)


RULE = Rule("marker-in-code", check)
