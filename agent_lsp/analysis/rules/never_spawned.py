"""A template has the name for which no template is used."""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for the file that defines the agent of no template."""
    if of.name is None or of.name != of.dialect.default_name or not header.is_seen(of):
        return
    listing, spawning = code(of.dialect.list_call), code(of.dialect.spawn_call)
    why = f"for {code(of.name)} is an agent without a template"
    loss = f"{spawning} never uses this file, {why}; {listing} lists it all the same"
    yield Finding(header.opening(of), f"{loss}: give it another name")


RULE = Rule("never-spawned", check)
