"""Offers and applies verified fixes for the diagnostics of a file, one or all.

Invariants: every offered fix removes its finding (see `verify`). `repaired` uses only safe fixes
unless `unsafe` is set, and never moves a file. The work on failed fixes is bounded for each file,
however many findings it has; whoever asks is told if findings are left because of it.

A text is checked again for each fix that is tried, which takes long in a large file. Therefore
`offered` and `repairing` are generators that yield after each part of a check (`examining`), so
that a caller can pause.
"""

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import cast

from agent_lsp.analysis.diagnostics import Diagnostic, as_found, examined_file, examining
from agent_lsp.analysis.fixes import suppressions, verify
from agent_lsp.analysis.fixes.outcome import comparing, consequence, undeclared
from agent_lsp.analysis.fixes.registry import Fix, Repair, fixers
from agent_lsp.data_classes import dataclass, field
from agent_lsp.model.check import Proposal
from agent_lsp.patterns import regex
from agent_lsp.text import Span, TextEdit, apply
from agent_lsp.workspace.snapshot import TemplateFile, Workspace, template_file

# Fewer findings are fixed one by one: this takes no longer, and may fix more.
FEW = 16


@dataclass(frozen=True, slots=True)
class FixedTogether:
    """The findings that are fixed, and the file after it."""

    fixed: tuple[Diagnostic, ...]
    edits: tuple[TextEdit, ...]
    after: TemplateFile


def _fixed_together(
    file: TemplateFile, findings: Iterable[Diagnostic], effort: "_Effort"
) -> Generator[None, None, FixedTogether | None]:
    """Returns the file after safe fixes of `findings`, which have one code; None if they fail.

    A finding is left out if its edits overlap those of an earlier one, if it has no safe fix, or if
    its line is still faulty after all edits.
    """
    chosen: dict[Diagnostic, tuple[TextEdit, ...]] = {}
    end = -1
    for finding in findings:
        yield
        proposal = _safe(file, finding)
        if proposal is None or min(edit.span.start for edit in proposal.edits) < end:
            continue
        chosen[finding] = proposal.edits
        end = max(edit.span.end for edit in proposal.edits)
    for _ in range(_MOST_SELECTIONS):
        fixed, edits = tuple(chosen), tuple(edit for one in chosen.values() for edit in one)
        after = (yield from _outcome(file, edits)) if fixed else None
        effort.tried(file)
        if after is None:
            return None
        if verify.all_fixed(file, after, examined_file(file).shown, fixed, edits):
            yield
            done = FixedTogether(fixed, edits, after)
            return done if not undeclared(file, after, *fixed) else None
        chosen = verify.without_faulty(after, chosen)
        if len(chosen) == len(fixed):
            return None
    return None


def _outcome(
    file: TemplateFile, edits: tuple[TextEdit, ...]
) -> Generator[None, None, TemplateFile | None]:
    """Returns the file after `edits`, which is checked then; None if they change nothing."""
    after = verify.outcome(file, edits)
    yield
    if after is not None:
        yield from examining(after)
    return after


def _safe(file: TemplateFile, finding: Diagnostic) -> Proposal | None:
    """The proposal for `finding` that comes first, if it is safe and has edits."""
    found = as_found(file, finding)
    proposals: Iterator[Proposal] = (
        one for fixer in fixers(found.dialect, finding.code) for one in fixer(found, finding)
    )
    first = next(islice(proposals, 1), None)
    is_safe = first is not None and first.safe and bool(first.edits) and not first.last
    return first if is_safe and finding.changes is not None else None


__all__ = [
    "Fix",
    "Repair",
    "fixes",
    "fixes_at",
    "likeliest_fixes",
    "offered",
    "repair",
    "repaired",
    "repairing",
    "suppressions_at",
]

_UNSAFE = " (unsafe)"
# Each round removes one finding. To fix more than this, the caller has to ask again.
_MOST_ROUNDS = 200
# Each try checks the whole text again, which a text can be made to slow down. So the characters of
# tries have a limit, and only the first findings are tried. A minimum of findings is always tried.
_MOST_LETTERS = 1_000_000
_LEAST_TRIED = 1
# What a try costs, in characters of a prompt: the minimum, since a short text takes nearly the same
# work as an empty one, and what each character of the header, each finding and each place with
# damage adds, which a table has only to itself.
_FOR_EACH = 2_000
_FOR_EACH_IN_HEADER = 15
_FOR_EACH_FINDING = 300
_FOR_EACH_DAMAGE = 1_500
_FOR_EACH_DAMAGE_IN_TABLES = 200
# How often findings are selected to be fixed at once, by what was still faulty before.
_MOST_SELECTIONS = 3
# What remains of the number of findings that are fixed at once, after they have failed.
_SMALLER = 4
# The most fixes offered for one finding. A fix for each item of a long list would be too many.
_MOST_WAYS = 20
# A user who fixes everything waits longer than one who opens the lightbulb menu.
_PATIENCE = 2
# How often the budget is renewed after a fix, so that another run seldom has more to fix.
_MOST_RENEWALS = 2

_Wanted = Callable[[Diagnostic, str], bool]


_CONFLICT = regex(r"^(?:<{7}|>{7})(?: |$)", re.MULTILINE)


@dataclass(slots=True)
class _Effort:
    """The remaining budget of characters for tries, and the findings that were tried.

    `together` is the number of findings of a code to fix at once, after larger ones have failed.
    `is_cut`: something was not tried because nothing is left of the budget. `renewals` is how often
    it may be renewed.
    """

    letters: int = _MOST_LETTERS
    renewals: int = 0
    findings: int = 0
    in_vain: list[Diagnostic] = field(default_factory=list)
    together: dict[str, int] = field(default_factory=dict)
    is_cut: bool = False

    def tried(self, file: TemplateFile, times: int = 1) -> None:
        """Records that a text like that of `file` was checked."""
        header, tree = file.document.frontmatter.inner, file.document.tree
        in_tables = file.dialect.schema.is_tables
        self.letters -= times * (
            len(file.document.text)
            + _FOR_EACH
            + _FOR_EACH_IN_HEADER * len(header)
            + _FOR_EACH_FINDING * len(examined_file(file).shown)
            + (_FOR_EACH_DAMAGE_IN_TABLES if in_tables else _FOR_EACH_DAMAGE) * len(tree.damage)
        )

    def renewed(self) -> bool:
        """Whether all findings may be tried again, after a fix; those that failed are forgotten.

        There is as much left then as another run would have, or that run would fix more.
        """
        if self.is_cut and not self.renewals:
            return False
        if self.renewals:
            self.renewals -= 1
            # What the last try took too much is taken off.
            self.letters = min(self.letters, 0) + _MOST_LETTERS * _PATIENCE
            self.findings = 0
        self.in_vain, self.together, self.is_cut = [], {}, False
        return True

    @property
    def is_left(self) -> bool:
        """Whether another finding may be tried."""
        return self.letters > 0 or self.findings < _LEAST_TRIED


def fixes(workspace: Workspace, path: Path) -> tuple[Fix, ...]:
    """The fixes for all diagnostics of the template at `path`, in the order of the text."""
    return fixes_at(workspace, path, None)


def fixes_at(workspace: Workspace, path: Path, span: Span | None) -> tuple[Fix, ...]:
    """The fixes for the diagnostics that touch `span`, the likeliest one of each first."""
    file = template_file(workspace, path)
    return tuple(filter(None, _fixes(file, span, _Effort()))) if file is not None else ()


def _fixes(file: TemplateFile, span: Span | None, effort: _Effort) -> Iterator[Fix | None]:
    yield from examining(file)
    for one in _tried(examined_file(file).shown, span, effort):
        for proven in _proven(file, one, effort):
            yield proven[0] if proven is not None else None


def likeliest_fixes(workspace: Workspace, path: Path) -> dict[Diagnostic, Fix]:
    """The fix that `repair` would apply for each diagnostic of the template at `path` that has one.

    There is none in a file that is not UTF-8, which `repair` leaves alone.
    """
    file = template_file(workspace, path)
    if file is None or file.source.replaced:
        return {}
    effort = _Effort()
    ways = {
        one: likeliest([fix for fix, _ in filter(None, _proven(file, one, effort))])
        for one in _tried(examined_file(file).shown, None, effort)
    }
    return {one: fix for one, fix in ways.items() if fix is not None}


def offered(workspace: Workspace, path: Path, span: Span) -> Generator[Fix | None, None, bool]:
    """Yields the fixes for the diagnostics that touch `span`, then comments that suppress these.

    It also yields None, after each part of a check of a text. It returns whether something was not
    tried, because it would have taken too long.
    """
    file = template_file(workspace, path)
    if file is None:
        return False
    efforts = (_Effort(), _Effort())
    yield from _fixes(file, span, efforts[0])
    yield from _suppressions(file, span, efforts[1])
    return any(effort.is_cut for effort in efforts)


def suppressions_at(workspace: Workspace, path: Path, span: Span) -> tuple[Fix, ...]:
    """Comments that suppress the diagnostics that touch `span`."""
    file = template_file(workspace, path)
    return tuple(filter(None, _suppressions(file, span, _Effort()))) if file is not None else ()


def _suppressions(file: TemplateFile, span: Span, effort: _Effort) -> Iterator[Fix | None]:
    for one in _tried(examined_file(file).shown, span, effort):
        # A comment has two possible places, and each is tried.
        effort.tried(file, 2)
        for proposal in suppressions.suppressed(file, one):
            yield Fix(one, proposal.title, proposal.edits) if proposal is not None else None
        yield None


def repaired(workspace: Workspace, path: Path, *, unsafe: bool = False) -> str | None:
    """The text of the template at `path` after all of its fixes, or None if there is none.

    With `unsafe`, it also applies fixes that may not be what the author meant. If a finding has
    several, the likeliest is applied. If they are equally likely, none is.
    """
    done = repair(workspace, path, unsafe=unsafe)
    return done.text if done is not None else None


def repair(
    workspace: Workspace,
    path: Path,
    *,
    unsafe: bool = False,
    wanted: _Wanted | None = None,
) -> Repair | None:
    """As `repaired`, with the fixed findings. `wanted` selects the findings of a text to fix."""
    steps = repairing(workspace, path, unsafe=unsafe, wanted=wanted)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return cast("Repair | None", end.value)


def repairing(
    workspace: Workspace,
    path: Path,
    *,
    unsafe: bool = False,
    wanted: _Wanted | None = None,
) -> Generator[None, None, Repair | None]:
    """Returns what `repair` does, and yields after each part of a check of a text."""
    file = template_file(workspace, path)
    # Writing the text would lose the bytes that were replaced when it was decoded.
    if file is None or file.source.replaced:
        return None
    yield from examining(file)
    text, fixed, shifts = file.document.text, list[Diagnostic](), list[verify.Shift]()
    seen, effort, is_again = {text}, _Effort(_MOST_LETTERS * _PATIENCE, _MOST_RENEWALS), False
    for _ in range(_MOST_ROUNDS):
        done = yield from _together(file, effort, wanted)
        if done is None:
            done = yield from _next(file, effort, unsafe=unsafe, wanted=wanted)
        fresh = apply(text, done.edits) if done is not None else text
        if done is not None and fresh not in seen:
            text, file, is_again = fresh, done.after, True
            seen.add(text)
            fixed += done.fixed
            shift = verify.Shift.of(done.edits)
            shifts.append(shift)
            effort.in_vain = [verify.shifted(one, shift) for one in effort.in_vain]
        elif is_again and effort.renewed():
            # A fix that failed earlier may work after the fixes since then.
            is_again = False
        else:
            break
    else:
        effort.is_cut = True
    return Repair(text, tuple(fixed), tuple(shifts), is_cut=effort.is_cut)


def _together(
    file: TemplateFile, effort: _Effort, wanted: _Wanted | None
) -> Generator[None, None, FixedTogether | None]:
    """The fixes of the many findings of one code, if there are so many and they pass."""
    by: dict[str, list[Diagnostic]] = {}
    for one in _remaining(file, effort, wanted):
        by.setdefault(one.code, []).append(one)
    for code, found in by.items():
        most = effort.together.setdefault(code, len(found))
        while most >= FEW and len(found) >= FEW:
            if not effort.is_left:
                effort.is_cut = True
                return None
            done = yield from _fixed_together(file, found[:most], effort)
            yield
            if done is not None:
                # Other findings may pass after it.
                effort.together = {}
                return done
            most = effort.together[code] = most // _SMALLER
    return None


def _remaining(file: TemplateFile, effort: _Effort, wanted: _Wanted | None) -> Iterator[Diagnostic]:
    """The wanted findings except those whose fixes failed, in the order in which to fix them."""
    text = file.document.text
    told = {(one.code, one.span, one.message) for one in effort.in_vain}
    # Of two equal entries one goes before a fix makes them differ.
    for one in sorted(examined_file(file).shown, key=lambda one: one.code != "duplicate-key"):
        is_told = (one.code, one.span, one.message) in told
        if not is_told and (wanted is None or wanted(one, text)):
            yield one


def _next(
    file: TemplateFile, effort: _Effort, *, unsafe: bool, wanted: _Wanted | None
) -> Generator[None, None, FixedTogether | None]:
    """The fix of the first remaining finding that has one."""
    for one in _tried(_remaining(file, effort, wanted), None, effort):
        ways = dict[Fix, TemplateFile]()
        for proven in _proven(file, one, effort, is_brief=True):
            ways |= (proven,) if proven is not None else ()
            yield
        best = likeliest(tuple(ways))
        if best is not None and (best.safe or unsafe):
            return FixedTogether((one,), best.edits, ways[best])
        effort.in_vain.append(one)
    return None


def likeliest(ways: Sequence[Fix]) -> Fix | None:
    """The fix to apply for one finding: the safe one, or else the likeliest."""
    edited = [fix for fix in ways if fix.edits]
    safe = next((fix for fix in edited if fix.safe), None)
    is_clear = len(edited) == 1 or (bool(edited) and not edited[0].equal)
    return safe if safe is not None else edited[0] if is_clear else None


def _tried(
    diagnostics: Iterable[Diagnostic], span: Span | None, effort: _Effort
) -> Iterator[Diagnostic]:
    """The findings that touch `span`, or all of them, while the budget for tries lasts."""
    for one in diagnostics:
        if span is None or (one.span.start <= span.end and span.start <= one.span.end):
            if not effort.is_left:
                effort.is_cut = True
                return
            effort.findings += 1
            yield one


def _proven(
    file: TemplateFile, diagnostic: Diagnostic, effort: _Effort, *, is_brief: bool = False
) -> Iterator[tuple[Fix, TemplateFile] | None]:
    """The proposals that pass verification, with at most one safe one: the first.

    Each comes with the file after it. While it tries one, it yields None.

    A proposal that changes a field which its finding does not declare is unsafe, and its title says
    what it does. A file with merge conflict markers has no fixes, because an edit would hide the
    conflict. With `is_brief`, a safe proposal is the last one, and titles do not say what they do.
    If several programs read the file, `file` is that of the first.
    """
    if _CONFLICT.search(file.document.text):
        return
    seen: set[object] = set()
    is_safe = False
    found = as_found(file, diagnostic)
    proposals = (
        each
        for fixer in fixers(found.dialect, diagnostic.code)
        for each in fixer(found, diagnostic)
    )
    for proposal in islice(proposals, _MOST_WAYS):
        what = proposal.edits or proposal.moved
        is_needless = (proposal.last and seen) or (proposal.safe and is_safe)
        if what in seen or is_needless:
            continue
        if seen and effort.letters < 0:
            effort.is_cut = True
            return
        after = None
        for tried in _fixed(file, diagnostic, proposal):
            after = tried
            yield None
        effort.tried(file)
        if after is None:
            continue
        seen.add(what)
        for _ in comparing(file, after) if proposal.safe or not is_brief else ():
            yield None
        more = undeclared(file, after, diagnostic) if proposal.safe and proposal.edits else ()
        is_declared = proposal.moved is not None or diagnostic.changes is not None
        is_proven = proposal.safe and is_declared and not more
        is_safe = is_safe or is_proven
        yield None
        end = "" if is_proven or is_brief else _unsafe(file, after, diagnostic, proposal)
        title = proposal.title + end
        fix = Fix(diagnostic, title, proposal.edits, is_proven, proposal.moved, proposal.equal)
        yield fix, after
        if is_brief and is_proven:
            return


def _unsafe(
    before: TemplateFile, after: TemplateFile, fixed: Diagnostic, proposal: Proposal
) -> str:
    """The suffix for the title of an unsafe fix: its effect, unless a move's title states it."""
    caveat = proposal.caveat
    done = consequence(before, after, fixed) if after is not before else ""
    if not done and not caveat and len(after.document.text) < len(before.document.text):
        done = "deletes what you wrote"
    said = "; ".join(filter(None, (done, caveat)))
    return f" (unsafe: {said})" if said else _UNSAFE


def _fixed(
    file: TemplateFile, diagnostic: Diagnostic, proposal: Proposal
) -> Iterator[TemplateFile | None]:
    """Yields None while a fix is tried, and then the file after it if it passes.

    A fix that only moves the file leaves it unchanged.
    """
    if proposal.moved is not None:
        # A move never replaces another file. On some disks the new name means the same file.
        files = file.workspace.files
        is_own = files.real(proposal.moved) == files.real(file.path)
        is_free = is_own or files.read(proposal.moved) is None
        yield file if is_free and not proposal.edits else None
        return
    after = verify.outcome(file, proposal.edits)
    yield None
    if after is not None:
        for _ in examining(after):
            yield None
        before, edits = examined_file(file).shown, proposal.edits
        yield after if verify.is_fixed(file, after, before, diagnostic, edits) else None
