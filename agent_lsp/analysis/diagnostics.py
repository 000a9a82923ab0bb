"""What to say about one template: the findings of all rules, with their severities.

Invariants: the list of rules is the tuple below; a rule yields findings and stores nothing;
one cause makes one finding.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from agent_lsp.analysis.checks import RULES, hidden_text, unused_suppression
from agent_lsp.analysis.checks.model import Finding, Related, Rule, Tag
from agent_lsp.analysis.checks.remarked import remarked
from agent_lsp.analysis.suppression import Suppression, comments
from agent_lsp.model.schema import Severity
from agent_lsp.text import LineIndex, Span
from agent_lsp.workspace.snapshot import TemplateFile, Workspace, template_file

__all__ = ["Diagnostic", "Examined", "Related", "Tag", "diagnostics", "examined"]

# How a message names a character that nobody sees, or takes for another one.
_POINT = "<U+"
# Nobody reads more of one rule, and an editor would be long in drawing them.
_MOST = 500
# Those of one file before they are told apart by their rules.
_MOST_REMARKS = 10_000


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


@dataclass(frozen=True, slots=True)
class Examined:
    """What is said about a file, and what is not, in the order of the text.

    That is what its author has `suppressed`, and what the settings of a repository switch `off`.
    """

    shown: tuple[Diagnostic, ...] = ()
    suppressed: tuple[Diagnostic, ...] = ()
    off: tuple[Diagnostic, ...] = ()


def diagnostics(workspace: Workspace, path: Path) -> tuple[Diagnostic, ...]:
    """The diagnostics of the template at `path`, in the order of the text; none for other files."""
    return examined(workspace, path).shown


def examined(workspace: Workspace, path: Path) -> Examined:
    """As `diagnostics`, with those that are suppressed."""
    file = template_file(workspace, path)
    if file is None:
        return Examined()
    every = tuple(_found(file))
    found = tuple(_once(one for one in every if not _is_off(file, one)))
    off = tuple(one for one in every if _is_off(file, one))
    said = tuple(one for one in comments(file).suppressions if _counts(file, one))
    if not said:
        return Examined(_sorted(found), off=_sorted(off))
    index = LineIndex(file.document.text)
    by = {one: _by(one, index.line_of(one.span.start), said) for one in found}
    used = {each for meant in by.values() for each in meant}
    codes = (rule.code for rule in RULES)
    # What a rule that is switched off would find, nobody knows.
    idle = (one for one in said if file.options.severity.get(one.code, one) is not None)
    left = unused_suppression.unused((one for one in idle if one not in used), codes)
    said_of_them = (_diagnostic(file, unused_suppression.RULE, finding) for finding in left)
    more = [one for one in said_of_them if one is not None]
    shown = (one for one, meant in by.items() if not meant)
    quiet = (one for one in off if not _by(one, index.line_of(one.span.start), said))
    return Examined(
        _sorted((*shown, *(one for one in more if not _is_off(file, one)))),
        _sorted(one for one, meant in by.items() if meant),
        _sorted((*quiet, *(one for one in more if _is_off(file, one)))),
    )


def _is_off(file: TemplateFile, one: Diagnostic) -> bool:
    return file.options.silence is not None and one.code in file.options.silence.codes


def _counts(file: TemplateFile, one: Suppression) -> bool:
    """Whether a comment keeps its finding quiet: of what nobody sees, no stranger's does."""
    return not (file.options.isolated and one.code == hidden_text.RULE.code)


def _sorted(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(found, key=lambda one: (one.span, one.severity, one.code)))


def _by(one: Diagnostic, line: int, said: Iterable[Suppression]) -> tuple[Suppression, ...]:
    """The suppressions that speak of a diagnostic on `line`."""
    about = (each for each in said if each.code == one.code)
    return tuple(each for each in about if each.line is None or each.line == line)


def _found(file: TemplateFile) -> Iterator[Diagnostic]:
    remarks = tuple(islice(remarked(file), _MOST_REMARKS))
    for rule in RULES:
        if rule.severity is None and rule.code not in file.dialect.severities:
            continue
        findings = rule.check(file) if _is_about(rule, file) else ()
        if remarks:
            findings = chain(findings, (one for code, one in remarks if code == rule.code))
        for finding in islice(findings, _MOST):
            said = _diagnostic(file, rule, finding)
            if said is not None:
                yield said


def _once(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """What is found, without hidden text that another finding shows already."""
    every = tuple(found)
    others = [one for one in every if one.code != hidden_text.RULE.code and _POINT in one.message]
    for one in every:
        if one.code != hidden_text.RULE.code or not any(_shows(other, one) for other in others):
            yield one


def _shows(other: Diagnostic, one: Diagnostic) -> bool:
    return other.span.start <= one.span.start and one.span.end <= other.span.end


def _is_about(rule: Rule, file: TemplateFile) -> bool:
    """Whether a rule speaks of such files."""
    is_of_form = rule.severity is not None or rule.of_tables in (None, not file.dialect.is_yaml)
    return rule.of_foreign is (file.foreign is not None) and is_of_form


def _diagnostic(file: TemplateFile, rule: Rule, finding: Finding) -> Diagnostic | None:
    severity = _severity(file, rule, finding)
    if severity is None:
        return None
    return Diagnostic(
        rule.code,
        finding.span,
        finding.message,
        severity,
        finding.tags,
        finding.related,
        finding.meant,
    )


def _severity(file: TemplateFile, rule: Rule, finding: Finding) -> Severity | None:
    """The user's wish, else the rule's own judgement of this case, else the dialect's."""
    is_off = file.options.silence is not None and rule.code in file.options.silence.codes
    if rule.code in file.options.severity and not is_off:
        return file.options.severity[rule.code]
    return finding.severity or file.dialect.severities.get(rule.code, rule.severity)
