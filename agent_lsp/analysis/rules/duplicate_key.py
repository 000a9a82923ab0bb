"""A key stands twice in one mapping."""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Related, Rule
from agent_lsp.analysis.rules.wording import code, refused
from agent_lsp.dialects.template import FaultKind
from agent_lsp.dialects.vocabulary import Severity
from agent_lsp.syntax.nodes import Entry
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on each repetition of a key."""
    doubts = tuple(header.doubts(of, FaultKind.DUPLICATE))
    for fault in (*header.faults(of, FaultKind.DUPLICATE), *doubts):
        first = _first(of, fault.span)
        if first is None:
            continue
        thing, fix = f"{code(first.name or '')} is set twice", "remove one of the two"
        message = refused(of, thing, fix)
        if fault in doubts:
            message = f"{thing}: {fix}, or {fault.message}"
        related = (Related(of.path, first.key.span, "set here for the first time"),)
        severity = Severity.WARNING if fault in doubts else None
        yield Finding(fault.span, message, severity, related=related)


def _first(of: Subject, span: Span) -> Entry | None:
    """The first entry of the mapping in which the key at `span` is a repetition."""
    for level in header.levels(of):
        for entry in level.mapping.entries:
            if entry.key.span == span and entry.name is not None:
                return level.mapping.get(entry.name)
    return None


RULE = Rule("duplicate-key", check)
