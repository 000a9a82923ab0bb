"""A key or a tool belongs to another generation of the runtime."""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code, shown
from agent_lsp.workspace.index import Subject, candidates, catalog


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on a file of a form that the runtime of its sessions does not read."""
    # What a configuration has of the other generation the dialect itself remarks.
    if of.dialect.forms is None or of.dialect.keys_at is not None or of.name is None:
        return
    chain = candidates(of.workspace, of.dialect, of.root, of.name)
    used = catalog(of.workspace, of.dialect, of.root).candidates(of.name)
    if of.path in {one.path for one in chain} - {one.path for one in used}:
        where = code(shown(of, of.root))
        message = (
            f"no session that starts in {where} reads this file: its configuration is written for "
            "a runtime that has no files of this form"
        )
        yield Finding(header.first_line(of), message)


RULE = Rule("other-generation", check, of_tables=None)
