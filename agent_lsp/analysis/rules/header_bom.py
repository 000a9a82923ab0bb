"""A byte-order mark hides the header."""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import absent
from agent_lsp.syntax.markdown import Fence
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on an opening fence behind a byte-order mark."""
    if not header.is_seen(of) or of.document.cut.fence is not Fence.HIDDEN:
        return
    thing = "a byte-order mark in front of `---` hides the header"
    yield Finding(of.document.cut.open, absent(of, thing, "save the file as UTF-8 without it"))


RULE = Rule("header-bom", check)
