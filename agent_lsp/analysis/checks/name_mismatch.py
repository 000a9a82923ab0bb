"""A header gives another name than the file."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.model.schema import KeyRole
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a name that is not the file's."""
    key = file.dialect.key_with_role(KeyRole.AGENT)
    value = file.reading.declared.settings.get(key.name) if key else None
    if key is None or value is None or not header.parses(file) or value.text == file.name:
        return
    thing = (
        f"{code(key.name)} is {code(value.text)}" if value.text else f"{code(key.name)} is empty"
    )
    after = f"the agent is called {code(file.name or '')}, after its file"
    yield Finding(value.span, f"{thing}, and the runtime ignores it: {after}")


RULE = Rule("name-mismatch", check)
