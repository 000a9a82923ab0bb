"""What to say about one template: the findings of all rules, with their severities.

Invariants: the list of rules is the tuple below; a rule yields findings and stores nothing;
one cause makes one finding.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from agent_lsp.analysis.rules import RULES
from agent_lsp.analysis.rules.model import Finding, Related, Rule, Tag
from agent_lsp.analysis.rules.remarked import remarked
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
    remarks = tuple(remarked(of))
    for rule in RULES:
        if rule.code not in of.dialect.severities:
            continue
        own = (finding for code, finding in remarks if code == rule.code)
        for finding in chain(rule.check(of) if _is_about(rule, of) else (), own):
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


def _is_about(rule: Rule, of: Subject) -> bool:
    """Whether a rule speaks of such files."""
    of_tables = of.dialect.keys_at is not None
    return rule.of_foreign is (of.foreign is not None) and rule.of_tables is of_tables


def _severity(of: Subject, code: str, finding: Finding) -> Severity | None:
    """The user's wish, else the rule's own judgement of this case, else the dialect's."""
    if code in of.options.severity:
        return of.options.severity[code]
    return finding.severity or of.dialect.severities[code]
