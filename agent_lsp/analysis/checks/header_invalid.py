"""Checks whether a header is valid YAML."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header, unquoted_text
from agent_lsp.analysis.checks.explain_yaml import explain
from agent_lsp.analysis.checks.fence_heuristics import too_early, too_late
from agent_lsp.analysis.checks.messages import refused
from agent_lsp.model.check import Check, Field, Finding
from agent_lsp.model.schema import Severity
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.workspace.snapshot import TemplateFile


def header_invalid(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on the first mistake that makes the header invalid YAML."""
    possible = next(header.possible_errors(file, LoadErrorKind.SYNTAX), None)
    if possible is None and not any(header.errors(file, LoadErrorKind.SYNTAX)):
        return
    if unquoted_text.is_said(file) or too_early(file) or too_late(file):
        return
    document = file.document
    known = file.dialect.schema.by_name()
    text, tree = document.text, document.tree
    if unquoted_text.CODE in file.dialect.findings.severities:
        # A mistake that the runtime repairs itself is not reported.
        text = unquoted_text.without_colons(file)
        inner_text, start = document.frontmatter.inner.of(text), document.frontmatter.inner.start
        tree = file.dialect.format.syntax(inner_text, start)
    mistake = explain(text, document.frontmatter.inner, tree, known)
    if possible is None:
        yield Finding(mistake.span, refused(file, mistake.thing, mistake.fix))
        return
    message = f"{mistake.thing}: {mistake.fix}, or {possible.message}"
    yield Finding(mistake.span, message, None if possible.certain else Severity.WARNING)


CHECK = Check(("header-invalid",), header_invalid, changes=frozenset({Field.LOADS, Field.KEY}))
