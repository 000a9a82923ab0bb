"""What can be done about the diagnostics of a file: fixes that were tried, one by one or all.

Invariants: nothing is offered that does not take its finding away (see `proof`); `repaired` uses
the safe ones only, unless it is told otherwise, and never moves a file.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from agent_lsp.analysis.diagnostics import Diagnostic, diagnostics, examined
from agent_lsp.analysis.fixes import comments, proof
from agent_lsp.analysis.fixes.model import Fix, Proposal, Repair
from agent_lsp.analysis.fixes.table import ANY, FIXERS
from agent_lsp.text import Span, apply
from agent_lsp.workspace.index import Subject, Workspace, subject

__all__ = ["Fix", "Repair", "fixes", "fixes_at", "repair", "repaired", "suppressions_at"]

_UNSAFE = " (unsafe)"
# Each round takes a finding away; a file with more of them is looked at again by who asks.
_MOST_ROUNDS = 200
# Each try looks at the whole text again, so that of a text that is made to be slow only the first
# findings are tried: as many as come to so many characters, and never fewer than a person looks at.
_MOST_LETTERS = 1_000_000
_LEAST_TRIED = 3
# Nobody reads more ways to mend one finding, of which a long list may have one for each item.
_MOST_WAYS = 20
# Who has all repaired waits longer than who looks at a lamp.
_PATIENCE = 3


def fixes(workspace: Workspace, path: Path) -> tuple[Fix, ...]:
    """The fixes for all diagnostics of the template at `path`, in the order of the text."""
    return fixes_at(workspace, path, None)


def fixes_at(workspace: Workspace, path: Path, span: Span | None) -> tuple[Fix, ...]:
    """The fixes for the diagnostics that touch `span`, the likeliest one of each first."""
    of = subject(workspace, path)
    if of is None:
        return ()
    found = diagnostics(workspace, path)
    return tuple(fix for one in _tried(of, found, span) for fix in _proven(of, found, one))


def suppressions_at(workspace: Workspace, path: Path, span: Span) -> tuple[Fix, ...]:
    """Comments that keep the diagnostics that touch `span` from being reported."""
    of = subject(workspace, path)
    if of is None:
        return ()
    before = examined(workspace, path)
    return tuple(
        Fix(one, proposal.title, proposal.edits)
        for one in _tried(of, before.shown, span)
        for proposal in comments.suppressed(of, before, one)
    )


def repaired(workspace: Workspace, path: Path, *, unsafe: bool = False) -> str | None:
    """The text of the template at `path` after all of its fixes, or None if there is none.

    With `unsafe` fixes are used, too, that may not be what the author meant, where there is only
    one such for a finding: between several nobody but the author can choose.
    """
    done = repair(workspace, path, unsafe=unsafe)
    return done.text if done is not None else None


def repair(
    workspace: Workspace,
    path: Path,
    *,
    unsafe: bool = False,
    wanted: Callable[[Diagnostic, str], bool] | None = None,
) -> Repair | None:
    """As `repaired`, with what was fixed; `wanted` says of which findings of a text it may be."""
    of = subject(workspace, path)
    if of is None:
        return None
    text, fixed = of.document.text, list[Diagnostic]()
    seen = {text}
    for _ in range(_MOST_ROUNDS):
        supposed = proof.supposing(workspace, path, text)
        fix = _next(supposed, path, unsafe=unsafe, wanted=wanted)
        fresh = apply(text, fix.edits) if fix is not None else text
        if fix is None or fresh in seen:
            break
        text = fresh
        seen.add(text)
        fixed.append(fix.diagnostic)
    return Repair(text, tuple(fixed))


def _next(
    workspace: Workspace,
    path: Path,
    *,
    unsafe: bool,
    wanted: Callable[[Diagnostic, str], bool] | None,
) -> Fix | None:
    """The fix of the first finding that is left and has one."""
    of = subject(workspace, path)
    if of is None:
        return None
    found = diagnostics(workspace, path)
    meant = [one for one in found if wanted is None or wanted(one, of.document.text)]
    for one in _tried(of, meant, None, patience=_PATIENCE):
        ways = [fix for fix in _proven(of, found, one) if fix.edits]
        best = next((fix for fix in ways if fix.safe), None)
        if best is None and unsafe and len(ways) == 1:
            best = ways[0]
        if best is not None:
            return best
    return None


def _tried(
    of: Subject, found: Iterable[Diagnostic], span: Span | None, patience: int = 1
) -> Iterator[Diagnostic]:
    """The findings that touch `span`, or all of them, as far as there is time to try fixes."""
    touched = (
        one
        for one in found
        if span is None or (one.span.start <= span.end and span.start <= one.span.end)
    )
    most = patience * _MOST_LETTERS // (len(of.document.text) + 1)
    return islice(touched, max(_LEAST_TRIED, most))


def _proven(of: Subject, found: tuple[Diagnostic, ...], one: Diagnostic) -> Iterator[Fix]:
    """The proposals that work, of the safe ones the first only."""
    seen: set[object] = set()
    is_safe = False
    proposals = (each for fixer in FIXERS.get(one.code, ANY) for each in fixer(of, one))
    for proposal in islice(proposals, _MOST_WAYS):
        what = proposal.edits or proposal.moved
        is_needless = (proposal.last and seen) or (proposal.safe and is_safe)
        if what in seen or is_needless or not _works(of, found, one, proposal):
            continue
        seen.add(what)
        is_safe = is_safe or proposal.safe
        title = proposal.title if proposal.safe else proposal.title + _UNSAFE
        yield Fix(one, title, proposal.edits, proposal.safe, proposal.moved)


def _works(of: Subject, found: tuple[Diagnostic, ...], one: Diagnostic, proposal: Proposal) -> bool:
    if proposal.moved is not None:
        # A file is not moved over another one; a disk may take its new name for its own.
        files = of.workspace.files
        is_own = files.real(proposal.moved) == files.real(of.path)
        return not proposal.edits and (is_own or files.read(proposal.moved) is None)
    return proof.holds(of, found, one, proposal.edits)
