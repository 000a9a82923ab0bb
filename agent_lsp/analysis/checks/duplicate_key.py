"""A key stands twice in one mapping."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, refused
from agent_lsp.analysis.checks.model import Finding, Related, Rule
from agent_lsp.model.schema import Severity
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.syntax.nodes import Entry
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each repetition of a key."""
    doubts = tuple(header.doubts(file, LoadErrorKind.DUPLICATE))
    for fault in (*header.faults(file, LoadErrorKind.DUPLICATE), *doubts):
        first = _first(file, fault.span)
        if first is None:
            continue
        thing, fix = f"{code(first.name or '')} is set twice", "remove one of the two"
        message = refused(file, thing, fix)
        if fault in doubts:
            message = f"{thing}: {fix}, or {fault.message}"
        related = (Related(file.path, first.key.span, "set here for the first time"),)
        severity = Severity.WARNING if fault in doubts else None
        yield Finding(fault.span, message, severity, related=related)


def _first(file: TemplateFile, span: Span) -> Entry | None:
    """The first entry of the mapping in which the key at `span` is a repetition."""
    for level in header.levels(file):
        for entry in level.mapping.entries:
            if entry.key.span == span and entry.name is not None:
                return level.mapping.get(entry.name)
    return None


RULE = Rule("duplicate-key", check)
