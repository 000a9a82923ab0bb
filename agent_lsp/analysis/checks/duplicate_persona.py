"""A persona is declared twice."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.model import Finding, Related, Rule
from agent_lsp.model.template import Persona
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on the name of each declaration that is not the first one of its name."""
    if not header.loads(file):
        return
    listing, spawning = code(file.dialect.list_call), code(file.dialect.spawn_call)
    first: dict[str, Persona] = {}
    for persona in file.reading.effective.personas:
        counts = first.setdefault(persona.name, persona)
        if counts is not persona:
            thing = f"{code(persona.name)} is declared above"
            loss = f"{spawning} never uses this declaration, while {listing} shows both"
            related = (Related(file.path, counts.name_span, "this declaration is used"),)
            yield Finding(persona.name_span, f"{thing}: {loss}", related=related)


RULE = Rule("duplicate-persona", check)
