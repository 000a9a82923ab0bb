"""A key or a tool belongs to another generation of the runtime."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, shown
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.workspace.snapshot import TemplateFile, candidates, catalog


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a file of a form that the runtime of its sessions does not read."""
    # What a configuration has of the other generation the dialect itself remarks.
    if file.dialect.forms is None or file.dialect.keys_at is not None or file.name is None:
        return
    chain = candidates(file.workspace, file.dialect, file.root, file.name)
    used = catalog(file.workspace, file.dialect, file.root).candidates(file.name)
    if file.path in {one.path for one in chain} - {one.path for one in used}:
        where = code(shown(file, file.root))
        message = (
            f"no session that starts in {where} reads this file: its configuration is written for "
            "a runtime that has no files of this form"
        )
        yield Finding(header.first_line(file), message)


RULE = Rule("other-generation", check, of_tables=None)
