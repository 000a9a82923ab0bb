"""A template has the name for which no template is used."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for the file that defines the agent of no template."""
    if file.name is None or file.name != file.dialect.default_name or not header.is_seen(file):
        return
    listing, spawning = code(file.dialect.list_call), code(file.dialect.spawn_call)
    why = f"for {code(file.name)} is an agent without a template"
    loss = f"{spawning} never uses this file, {why}; {listing} lists it all the same"
    yield Finding(header.opening(file), f"{loss}: give it another name")


RULE = Rule("never-spawned", check)
