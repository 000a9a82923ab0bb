"""Verifies a fix before it is offered: checks the text that it would produce.

Invariants: a fix that passes removes its finding, and leaves none of the same kind in the same
entry, nor as many as before that say the same. It brings no error to a file that has none, and adds
no finding of the same or a higher severity. Only findings elsewhere in the file are excepted, and
only if they could not be reported before, because the runtime refused or did not see the header, or
found no agent in it. A file that the runtime uses is still used after a fix, and no file is refused
without a finding. A misspelled key hides the findings about its entry. Such findings do not count
against the fix, unless they are worse than the misspelling.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from itertools import accumulate
from pathlib import Path

from agent_lsp.analysis.diagnostics import Diagnostic, as_found, examined_file
from agent_lsp.analysis.fixes.node_path import block_end, entry_at, line_start, whole_line
from agent_lsp.analysis.fixes.outcome import is_read, under_each_path
from agent_lsp.analysis.suggest import nearest
from agent_lsp.data_classes import dataclass, replace
from agent_lsp.model.schema import Severity
from agent_lsp.patterns import regex
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.text import Span, TextEdit, apply
from agent_lsp.workspace.snapshot import TemplateFile, Workspace, template_file

# Two codes for the same problem: the header is not valid YAML.
_OF_YAML = frozenset({"header-invalid", "unquoted-text"})

# A file without an agent has no findings about one.
_NAMELESS = "agent-name"

_ANCHOR = regex(r"(?<![^\s,\[{])&([^\s,\[\]{}]+)")
_ALIAS = regex(r"(?<![^\s,\[{])\*([^\s,\[\]{}]+)")

_STATEMENT = regex(r"^[ \t]*(?:[\w\"'.-]+[ \t]*[=:]|\[)", re.MULTILINE)


def supposing(workspace: Workspace, path: Path, text: str) -> Workspace:
    """The workspace if the file at `path`, which exists, held `text`."""
    return replace(workspace, files=workspace.files.supposing(path, text))


def outcome(file: TemplateFile, edits: tuple[TextEdit, ...]) -> TemplateFile | None:
    """The file after `edits`; None if they change nothing, or leave no template."""
    text = file.document.text
    fresh = apply(text, edits)
    if fresh == text:
        return None
    return template_file(supposing(file.workspace, file.path, fresh), file.path)


def is_fixed(
    file: TemplateFile,
    after: TemplateFile,
    before: Iterable[Diagnostic],
    fixed: Diagnostic,
    edits: tuple[TextEdit, ...],
) -> bool:
    """Whether the `edits` that lead to `after` remove `fixed`, one of the diagnostics `before`.

    They do not pass if they break an invariant of this module.
    """
    fresh, found = after.document.text, examined_file(after).shown
    if _loses_anchor(file, after) or _is_worse(file, after):
        return False
    every = tuple(before)
    if _alike(found, fixed) >= _alike(every, fixed) or _brings_error(every, found):
        return False
    place, edited = moved(fixed.span, edits), _written(edits)
    # One fix may remove two equal findings, so both are left out.
    others = [one for one in every if one != fixed]
    was_closed = file.document.frontmatter.fence is FenceKind.CLOSED
    is_counted = _counts_damage(file)
    if is_counted and not _is_less_damaged(file, after, edits):
        return False
    # What a fix does to the fences was not hidden before.
    is_opened = was_closed and after.document.frontmatter.fence is not FenceKind.CLOSED
    # A file that defines no agent has no findings about tools.
    is_born = file.name is None and after.name is not None
    is_hidden = (bool(file.reading.errors) or not was_closed or is_born) and not is_opened
    entry = _unread(as_found(file, fixed), fixed, edits)
    horizon = block_end(fresh, max(place.end, *(span.end for span in edited)))
    for one in _new(found, others, edits):
        # A parser that stops at the first mistake has to get further than the entry. Otherwise,
        # half a fix would pass, and fixes would never end.
        is_alike = one.code == fixed.code or _OF_YAML.issuperset((one.code, fixed.code))
        is_near = one.span.start <= horizon
        if is_alike and is_near and (not is_counted or one.message == fixed.message):
            return False
        # A closing line is put right below the last value, and does not change it.
        is_beside = was_closed or fixed.code != "header-unclosed"
        is_own = not is_hidden or (is_beside and any(_touch(one.span, span) for span in edited))
        is_read = entry is not None and entry.start <= one.span.start and one.span.end <= entry.end
        if is_own and one.severity <= fixed.severity - is_read:
            return False
    return not _adds_elsewhere(file, after, fixed.severity, edits)


def all_fixed(
    file: TemplateFile,
    after: TemplateFile,
    before: Iterable[Diagnostic],
    fixed: tuple[Diagnostic, ...],
    edits: tuple[TextEdit, ...],
) -> bool:
    """Whether the `edits` that lead to `after` remove all of `fixed`, which have one code.

    They may add findings of lower severity, as one fix may. They do not pass if they break an
    invariant of this module.
    """
    fresh, found = after.document.text, examined_file(after).shown
    if _loses_anchor(file, after) or _is_worse(file, after):
        return False
    if _counts_damage(file) and not _is_less_damaged(file, after, edits):
        return False
    gone, known = set(fixed), tuple(before)
    if _brings_error(known, found):
        return False
    others = [one for one in known if one not in gone]
    code, least = fixed[0].code, max(one.severity for one in fixed)
    # A report of mistakes in syntax has a limit: without the first ones it gets to the next.
    is_cut = bool(file.reading.errors) and code in _OF_YAML
    shift = Shift.of(edits)
    end = max(span.end for span in (*_written(edits), *(shift.moved(one.span) for one in fixed)))
    horizon = block_end(fresh, end) if is_cut else len(fresh)
    new = tuple(_new(found, others, edits))
    is_more = any(
        (one.code == code or one.severity <= least) and one.span.start <= horizon for one in new
    )
    beyond = sum(one.code == code and one.span.start > horizon for one in new)
    was, now = (sum(one.code == code for one in each) for each in (known, found))
    is_more = is_more or _adds_elsewhere(file, after, least, edits)
    return now - beyond <= was - len(fixed) and not is_more


def without_faulty(
    after: TemplateFile, chosen: Mapping[Diagnostic, tuple[TextEdit, ...]]
) -> dict[Diagnostic, tuple[TextEdit, ...]]:
    """The findings `chosen` whose lines have no finding of the same code `after` their edits."""
    text, shown = after.document.text, examined_file(after).shown
    shift = Shift.of(edit for edits in chosen.values() for edit in edits)
    faulty = {(one.code, line_start(text, one.span.start)) for one in shown}
    return {
        one: edits
        for one, edits in chosen.items()
        if (one.code, line_start(text, shift.moved(edits[0].span).start)) not in faulty
    }


def _alike(found: Iterable[Diagnostic], fixed: Diagnostic) -> int:
    """How many findings say the same as `fixed`, wherever they are."""
    return sum((one.code, one.message) == (fixed.code, fixed.message) for one in found)


def _brings_error(before: Iterable[Diagnostic], after: Iterable[Diagnostic]) -> bool:
    """Whether a file without errors, whose agent has a name, gets one."""
    is_refused = any(one.severity is Severity.ERROR or one.code == _NAMELESS for one in before)
    return not is_refused and any(one.severity is Severity.ERROR for one in after)


def _loses_anchor(before: TemplateFile, after: TemplateFile) -> bool:
    """Whether an anchor has gone whose alias is still there: its value would be lost."""
    was, now = (file.document.frontmatter.inner.of(file.document.text) for file in (before, after))
    if before.dialect.schema.is_tables or "&" not in was or "*" not in now:
        return False
    gone = set(_ANCHOR.findall(was)).difference(_ANCHOR.findall(now))
    return not gone.isdisjoint(_ALIAS.findall(now))


def _adds_elsewhere(
    before: TemplateFile, after: TemplateFile, least: Severity, edits: tuple[TextEdit, ...]
) -> bool:
    """Whether another path of the file gets a new finding that is at least as severe as `least`."""
    return any(
        one.severity <= least
        for named in under_each_path(before, after)
        if not named.is_own and named.after is not None and is_read(named.before)
        for one in _new(
            examined_file(named.after).shown, [*examined_file(named.before).shown], edits
        )
    )


def _counts_damage(file: TemplateFile) -> bool:
    return file.dialect.schema.is_tables and bool(file.document.tree.damage)


def _is_worse(before: TemplateFile, after: TemplateFile) -> bool:
    """Whether a program uses less of a file than before, or refuses it without a finding.

    This is asked for each path of the file.
    """
    for named in under_each_path(before, after):
        found = examined_file(named.after).shown if named.after is not None else ()
        for was, now in named.programs:
            if now is None or _is_worse_in_one(was, now, found):
                return True
    return False


def _is_worse_in_one(
    before: TemplateFile, after: TemplateFile, diagnostics: tuple[Diagnostic, ...]
) -> bool:
    if before.name is not None and after.name is None:
        return True
    if not after.reading.errors:
        return False
    # A header that the runtime did not see may be refused afterwards, with a finding.
    fence, is_optional = before.document.frontmatter.fence, before.dialect.format.is_header_optional
    is_seen = fence is FenceKind.CLOSED or (is_optional and fence is FenceKind.ABSENT)
    is_said = any(one.severity is Severity.ERROR for one in diagnostics)
    return (is_seen and not before.reading.errors) or not is_said


def _is_less_damaged(
    before: TemplateFile, after: TemplateFile, edits: tuple[TextEdit, ...]
) -> bool:
    """Whether error recovery finds less damage, and none in a new place.

    Only the lines of the edits count: the text there hid nothing of the lines below them.
    """
    text, kept = after.document.text, after.document.tree.damage
    shift = Shift.of(edits)
    known = {shift.moved(one.span) for one in before.document.tree.damage}
    written = [Span(line_start(text, at.start), _statement(text, at.end)) for at in _written(edits)]
    fresh = (one.span for one in kept if one.span not in known)
    is_moved = any(_touch(one, lines) for one in fresh for lines in written)
    return len(kept) < len(before.document.tree.damage) and not is_moved


def _statement(text: str, at: int) -> int:
    """The offset of the next TOML statement that a mistake above does not affect."""
    found = _STATEMENT.search(text, whole_line(text, at).end)
    return found.start() - 1 if found is not None else len(text)


def _unread(file: TemplateFile, fixed: Diagnostic, edits: tuple[TextEdit, ...]) -> Span | None:
    """The entry after `edits`, if they only correct its key."""
    entry = entry_at(file, fixed.span)
    if entry is None or len(edits) != 1 or edits[0].span != entry.key.span:
        return None
    is_slip = nearest(entry.name or "", (edits[0].text.strip("\"'"),)) is not None
    return moved(entry.span, edits) if is_slip else None


def _new(
    diagnostics: tuple[Diagnostic, ...], before: list[Diagnostic], edits: tuple[TextEdit, ...]
) -> Iterator[Diagnostic]:
    """The findings that were not reported before, there or elsewhere with the same message."""
    shift = Shift.of(edits)
    places = {(one.code, shift.moved(one.span)) for one in before}
    elsewhere = [one for one in diagnostics if (one.code, one.span) not in places]
    said = Counter((one.code, one.message) for one in before)
    said -= Counter(
        (one.code, one.message) for one in diagnostics if (one.code, one.span) in places
    )
    for one in elsewhere:
        what = (one.code, one.message)
        if said[what]:
            said[what] -= 1
        else:
            yield one


def mended(
    before: Iterable[Diagnostic], after: Iterable[Diagnostic], shifts: Iterable["Shift"]
) -> Iterator[Diagnostic]:
    """The findings `before` that are gone `after` edits: none is at its place or says the same."""
    left, steps = [*after], tuple(shifts)
    parted = list[Diagnostic]()
    for one in before:
        now = reduce(shifted, steps, one)
        same = next((each for each in left if (each.code, each.span) == (now.code, now.span)), None)
        if same is not None:
            left.remove(same)
        else:
            parted.append(one)
    said = Counter((one.code, one.message) for one in left)
    for one in parted:
        if said[one.code, one.message]:
            said[one.code, one.message] -= 1
        else:
            yield one


def shifted(diagnostic: Diagnostic, shift: "Shift") -> Diagnostic:
    """`diagnostic` at its place after the edits of `shift`."""
    return replace(diagnostic, span=shift.moved(diagnostic.span))


def moved(span: Span, edits: Iterable[TextEdit]) -> Span:
    """The span, after `edits`, of the text that is now at `span`."""
    return Shift.of(edits).moved(span)


@dataclass(frozen=True, slots=True)
class Shift:
    """Where text is after some edits: what each edit adds to the offsets behind it."""

    edits: tuple[TextEdit, ...]
    ends: tuple[int, ...]
    # The sum of the lengths that the first edits add, by their number.
    by: tuple[int, ...]

    @classmethod
    def of(cls, edits: Iterable[TextEdit]) -> "Shift":
        """The shift after `edits`."""
        ordered = tuple(sorted(edits, key=lambda edit: edit.span))
        added = (len(edit.text) - len(edit.span) for edit in ordered)
        return cls(
            ordered, tuple(one.span.end for one in ordered), (*accumulate(added, initial=0),)
        )

    def moved(self, span: Span) -> Span:
        """The span, after the edits, of the text that is now at `span`."""
        return Span(self._offset(span.start), self._offset(span.end))

    def _offset(self, at: int) -> int:
        many = bisect_right(self.ends, at)
        # Replaced text has no span after the edit.
        is_replaced = many < len(self.edits) and self.edits[many].span.start < at
        return (self.edits[many].span.start if is_replaced else at) + self.by[many]


def _written(edits: Iterable[TextEdit]) -> tuple[Span, ...]:
    """The spans of the inserted text of `edits`, in the text after them."""
    ordered = sorted(edits, key=lambda edit: edit.span)
    shifts = accumulate((len(edit.text) - len(edit.span) for edit in ordered), initial=0)
    return tuple(
        Span(edit.span.start + by, edit.span.start + by + len(edit.text))
        for edit, by in zip(ordered, shifts, strict=False)
    )


def _touch(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end
