"""What to say about one template: the findings of all rules, with their severities.

Invariants: the list of rules is the tuple below; a rule yields findings and stores nothing;
one cause makes one finding.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agent_lsp.analysis.rules import RULES
from agent_lsp.analysis.rules.model import Finding, Related, Tag
from agent_lsp.dialects.model import Severity
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject, Workspace, subject

__all__ = ["Diagnostic", "Related", "Tag", "diagnostics"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding with its severity for this file; `meant` is as in `Finding`."""

    code: str
    span: Span
    message: str
    severity: Severity
    tags: tuple[Tag, ...] = ()
    related: tuple[Related, ...] = ()
    meant: tuple[str, ...] = ()


def diagnostics(workspace: Workspace, path: Path) -> tuple[Diagnostic, ...]:
    """The diagnostics of the template at `path`, in the order of the text; none for other files."""
    of = subject(workspace, path)
    if of is None:
        return ()
    return tuple(sorted(_found(of), key=lambda found: (found.span, found.severity, found.code)))


def _found(of: Subject) -> Iterator[Diagnostic]:
    for rule in RULES:
        is_about = rule.of_foreign is (of.foreign is not None)
        if rule.code not in of.dialect.severities or not is_about:
            continue
        for finding in rule.check(of):
            severity = _severity(of, rule.code, finding)
            if severity is not None:
                yield Diagnostic(
                    rule.code,
                    finding.span,
                    finding.message,
                    severity,
                    finding.tags,
                    finding.related,
                    finding.meant,
                )


def _severity(of: Subject, code: str, finding: Finding) -> Severity | None:
    """The user's wish, else the rule's own judgement of this case, else the dialect's."""
    if code in of.options.severity:
        return of.options.severity[code]
    return finding.severity or of.dialect.severities[code]
