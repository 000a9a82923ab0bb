"""Fixes many findings of one rule at once, in files that have hundreds of them.

To verify a fix is to check the whole file again. With one check for each finding, the time would
grow with the square of their number.

Invariants: all edits are from safe proposals, and the result is verified more strictly than that of
one fix: every field that differs is declared by each of the findings. If it does not pass, the
findings are fixed one by one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from agent_lsp.analysis.diagnostics import Diagnostic, as_found, examined_file
from agent_lsp.analysis.fixes import verify
from agent_lsp.analysis.fixes.outcome import undeclared
from agent_lsp.analysis.fixes.registry import fixers
from agent_lsp.model.fix import Proposal
from agent_lsp.text import TextEdit
from agent_lsp.workspace.snapshot import TemplateFile

# Fewer findings are fixed one by one: this takes no longer, and may fix more.
FEW = 16


@dataclass(frozen=True, slots=True)
class FixedTogether:
    """The findings that are fixed, and the file after it."""

    fixed: tuple[Diagnostic, ...]
    edits: tuple[TextEdit, ...]
    after: TemplateFile


def fixed_together(file: TemplateFile, findings: Iterable[Diagnostic]) -> FixedTogether | None:
    """The file after safe fixes of `findings`, which have one code; None if they do not pass.

    A finding is left out if its edits overlap those of an earlier one, or if it has no safe fix.
    """
    chosen: dict[Diagnostic, tuple[TextEdit, ...]] = {}
    edits: list[TextEdit] = []
    end = -1
    for finding in findings:
        proposal = _safe(file, finding)
        if proposal is None or min(edit.span.start for edit in proposal.edits) < end:
            continue
        chosen[finding] = proposal.edits
        edits += proposal.edits
        end = max(edit.span.end for edit in proposal.edits)
    after = _after(file, tuple(chosen), tuple(edits)) if chosen else None
    return FixedTogether(tuple(chosen), tuple(edits), after) if after is not None else None


def _safe(file: TemplateFile, finding: Diagnostic) -> Proposal | None:
    """The proposal for `finding` that comes first, if it is safe and has edits."""
    found = as_found(file, finding)
    proposals: Iterator[Proposal] = (
        one for fixer in fixers(found.dialect, finding.code) for one in fixer(found, finding)
    )
    first = next(islice(proposals, 1), None)
    is_safe = first is not None and first.safe and bool(first.edits) and not first.last
    return first if is_safe and finding.changes is not None else None


def _after(
    file: TemplateFile, fixed: tuple[Diagnostic, ...], edits: tuple[TextEdit, ...]
) -> TemplateFile | None:
    after = verify.all_fixed(file, examined_file(file).shown, fixed, edits)
    return after if after is not None and not undeclared(file, after, *fixed) else None
