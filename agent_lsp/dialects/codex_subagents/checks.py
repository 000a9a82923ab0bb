"""The checks of `codex-subagents` alone: a name that nobody reads, and blank entries of a list."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, refused
from agent_lsp.model.check import Check, Field, Finding
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.workspace.snapshot import TemplateFile


def name_mismatch(file: TemplateFile) -> Iterator[Finding]:
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


def blank_tool(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each blank entry for which the runtime refuses the file."""
    for error in header.errors(file, LoadErrorKind.BLANK_ITEM):
        key = error.key.partition("[")[0]
        yield Finding(error.span, refused(file, f"an entry of {code(key)} is blank", "remove it"))


CHECKS: tuple[Check, ...] = (
    Check(("name-mismatch",), name_mismatch, changes=frozenset({Field.NAME})),
    Check(("blank-tool",), blank_tool, changes=frozenset({Field.LOADS, Field.TOOLS})),
)
