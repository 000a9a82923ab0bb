"""A persona's block is continued further down."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import personas
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.model import Finding, Related, Rule
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each further marker of a declared persona, unless it is in code."""
    in_code = personas.markers_in_code(file)
    for block in personas.declared_blocks(file):
        first, *others = block.markers
        for span in others:
            if in_code.isdisjoint((first, span)):
                thing = f"continues the block of {code(block.name or '')} above"
                related = (Related(file.path, first, "the block starts here"),)
                message = f"{thing}: the prompt of the persona is both texts together"
                yield Finding(span, message, related=related)


RULE = Rule("repeated-block", check)
