"""A byte-order mark hides the header."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import absent
from agent_lsp.model.check import Check, Finding
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.workspace.snapshot import TemplateFile


def header_bom(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on an opening fence behind a byte-order mark."""
    if not header.is_seen(file) or file.document.frontmatter.fence is not FenceKind.HIDDEN:
        return
    thing = "a byte-order mark in front of `---` hides the header"
    yield Finding(
        file.document.frontmatter.open, absent(file, thing, "save the file as UTF-8 without it")
    )


CHECK = Check(("header-bom",), header_bom)
