"""A byte-order mark hides the header."""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import absent
from agent_lsp.syntax.markdown import FenceKind
from agent_lsp.workspace.index import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on an opening fence behind a byte-order mark."""
    if not header.is_seen(file) or file.document.frontmatter.fence is not FenceKind.HIDDEN:
        return
    thing = "a byte-order mark in front of `---` hides the header"
    yield Finding(
        file.document.frontmatter.open, absent(file, thing, "save the file as UTF-8 without it")
    )


RULE = Rule("header-bom", check)
