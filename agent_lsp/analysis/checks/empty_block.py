"""A persona has a block without a prompt."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import personas
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on the first marker of each declared persona without a prompt."""
    for block in personas.declared_blocks(file):
        if not block.text.strip():
            thing = f"the block of {code(block.name or '')} is empty"
            loss = f"{code(file.dialect.spawn_call)} starts the persona without a prompt"
            yield Finding(block.markers[0], f"{thing}: {loss}, not with the default one")


RULE = Rule("empty-block", check)
