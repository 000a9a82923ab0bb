"""Collects the diagnostics of templates: the findings of all checks, and which of them are hidden.

Invariants: the checks are those of the file's dialect, and those for all files. A check yields
findings and stores nothing. One cause makes one finding. Those that a repository hides are counted;
those that a user switched off, in an editor or in a file of their own, are not.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from agent_lsp.analysis.checks import checks_of, codes, present
from agent_lsp.analysis.checks.hidden_text import HIDDEN
from agent_lsp.analysis.checks.messages import joined
from agent_lsp.analysis.checks.suppressions import (
    CHECK,
    NAME,
    UNUSED,
    Suppression,
    comments,
    unused,
)
from agent_lsp.analysis.mended import Mended, as_if_loaded, mended, named, refused_keys
from agent_lsp.analysis.suggest import is_vouched
from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.model.check import Basis, Check, Field, Finding, Related, Tag
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.schema import Severity
from agent_lsp.options import Silence
from agent_lsp.patterns import regex
from agent_lsp.text import Cover, LineIndex, Span
from agent_lsp.workspace.paths import from_folder
from agent_lsp.workspace.search import template_folders, templates
from agent_lsp.workspace.snapshot import (
    TemplateFile,
    Workspace,
    as_others_read,
    as_read_by,
    options_at,
    template_file,
)

__all__ = [
    "Diagnostic",
    "Examined",
    "Related",
    "Tag",
    "diagnostics",
    "examined",
    "examined_file",
    "examining",
]

# The names of invisible and confusable characters in messages.
_POINT = "<U+"
# Nobody reads more findings of one code, and an editor would be slow to draw them.
_MOST = 500
# The limit for one check, before its findings are divided by code.
_MOST_OF_CHECK = 10_000

# How the codes of missing things begin.
_MISSING = "missing-"
# Whether these are missing does not depend on tools and models.
_OF_ALL = frozenset({"missing-description", "missing-key"})
# The codes that a syntax error has.
_OF_SYNTAX = frozenset({"header-invalid", "config-dropped", "duplicate-key"})


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding with its severity for this file; `meant` is as in `Finding`.

    `changes` are the fields that a safe fix may change, or None if no fix is safe. `programs` are
    those that the finding is about, if several read the file. `basis` is what it depends on.
    """

    code: str
    span: Span
    message: str
    severity: Severity
    tags: tuple[Tag, ...] = ()
    related: tuple[Related, ...] = ()
    meant: tuple[str, ...] = ()
    changes: frozenset[Field] | None = field(default=None, compare=False)
    programs: tuple[str, ...] = field(default=(), compare=False)
    basis: Basis = field(default=Basis.STATEMENT, compare=False)


@dataclass(frozen=True, slots=True)
class Examined:
    """The diagnostics of a file, and the suppressed ones, in the order of the text.

    `suppressed` are those that a comment of the author hides, and `off` those that the settings of
    a repository switch off.
    """

    shown: tuple[Diagnostic, ...] = ()
    suppressed: tuple[Diagnostic, ...] = ()
    off: tuple[Diagnostic, ...] = ()


def diagnostics(workspace: Workspace, path: Path) -> tuple[Diagnostic, ...]:
    """The diagnostics of the template at `path`, in the order of the text; none for other files."""
    return examined(workspace, path).shown


def examined(workspace: Workspace, path: Path) -> Examined:
    """As `diagnostics`, with the suppressed ones."""
    file = template_file(workspace, path)
    return examined_file(file) if file is not None else Examined()


def examined_file(file: TemplateFile) -> Examined:
    """The diagnostics of `file`, with the suppressed ones."""
    found: Examined | None = file.answers.get(examined_file)
    return found if found is not None else _examined(file, tuple(filter(None, _of_readers(file))))


def examining(file: TemplateFile) -> Iterator[None]:
    """Finds what `examined_file` then has, and yields after each check and each finding."""
    if examined_file not in file.answers:
        every: list[Diagnostic] = []
        for one in _of_readers(file):
            if one is not None:
                every.append(one)
            yield
        _examined(file, every)


def _examined(file: TemplateFile, every: Sequence[Diagnostic]) -> Examined:
    """What `every` finding on `file` comes to, which is remembered."""
    found = file.answers[examined_file] = _divided(file, every)
    return found


def _divided(file: TemplateFile, every: Sequence[Diagnostic]) -> Examined:
    """`every` finding on `file`, divided into what is shown and what is hidden."""
    found = tuple(_once(one for one in every if not _is_off(file, one)))
    off = tuple(one for one in every if _is_off(file, one))
    # Few files have such a comment.
    written = comments(file).suppressions if NAME in file.document.text else ()
    said = tuple(one for one in written if _counts(file, one))
    if not said:
        return Examined(_sorted(found), off=_sorted(off))
    index = LineIndex(file.document.text)
    by_place: dict[_Place, list[Suppression]] = {}
    for each in said:
        by_place.setdefault((each.code, each.line), []).append(each)
    by = {one: _by(one, index, by_place) for one in found}
    used = {each for meant in by.values() for each in meant}
    # A rule that is switched off has no known findings.
    idle = (one for one in said if file.options.severity.get(one.code, one) is not None)
    left = unused((one for one in idle if one not in used), lambda: codes(file.workspace.systems))
    said_of_them = (_diagnostic(file, CHECK, UNUSED, finding) for finding in left)
    more = [one for one in said_of_them if one is not None]
    shown = (one for one, meant in by.items() if not meant)
    quiet = (one for one in off if not _by(one, index, by_place))
    return Examined(
        _sorted((*shown, *(one for one in more if not _is_off(file, one)))),
        _sorted(one for one, meant in by.items() if meant),
        _sorted((*quiet, *(one for one in more if _is_off(file, one)))),
    )


def as_found(file: TemplateFile, diagnostic: Diagnostic) -> TemplateFile:
    """The file as the first program reads it that `diagnostic` is about."""
    programs = diagnostic.programs
    return (as_read_by(file, programs[0]) if programs else None) or file


def without_programs(diagnostic: Diagnostic) -> str:
    """The message of `diagnostic`, without the names of programs before it."""
    programs = diagnostic.programs
    return diagnostic.message.removeprefix(_named(programs)) if programs else diagnostic.message


def _named(programs: Sequence[str]) -> str:
    return f"for {joined(programs)}: "


def _is_off(file: TemplateFile, one: Diagnostic) -> bool:
    return file.options.silence is not None and one.code in file.options.silence.codes


def _counts(file: TemplateFile, one: Suppression) -> bool:
    """Whether a comment may hide its findings; with `isolated`, none hides hidden text."""
    checks = checks_of(file.dialect)
    if any(check.warns_of_author and one.code in check.codes for check, _ in checks):
        return False
    return not (file.options.isolated and one.code == HIDDEN)


def _sorted(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(found, key=lambda one: (one.span, one.severity, one.code)))


# A code, and the line on which it is suppressed or None for the whole file.
_Place: TypeAlias = tuple[str, int | None]


def _by(
    one: Diagnostic, index: LineIndex, said: Mapping[_Place, Sequence[Suppression]]
) -> tuple[Suppression, ...]:
    """The suppressions that apply to a diagnostic."""
    line = index.line_of(one.span.start)
    return (*said.get((one.code, None), ()), *said.get((one.code, line), ()))


def _of_readers(file: TemplateFile) -> Iterator[Diagnostic | None]:
    """The findings on a file; a finding that not all its readers have names the readers.

    One that weighs more for one of them than for another has the greater weight. None comes after
    each check.
    """
    others = as_others_read(file)
    if not others:
        for found in _with_certain(file):
            yield found and _naming(file.dialect, (file.program,), found)
        return
    dialects = {one.program: one.dialect for one in (file, *others)}
    by: dict[Diagnostic, dict[str, None]] = {}
    weights: dict[Diagnostic, Severity] = {}
    for one in (file, *others):
        for found in _with_certain(one):
            yield None
            if found is None:
                continue
            same = replace(found, severity=Severity.ERROR)
            by.setdefault(same, {})[one.program] = None
            weights[same] = min(found.severity, weights.get(same, found.severity))
    for same, programs in by.items():
        found = _naming(dialects[next(iter(programs))], tuple(programs), same)
        is_all = len(programs) > len(others)
        said = found.message if is_all else f"{_named(tuple(programs))}{found.message}"
        severity = weights[same]
        yield replace(found, message=said, severity=severity, programs=tuple(programs))


_RUNTIME = regex(r"the runtime(?: (ignores|reads|skips|leaves|does|ends|has)\b)?")
_PLURAL = {"does": "do", "has": "have"}


def _naming(dialect: Dialect, programs: Sequence[str], found: Diagnostic) -> Diagnostic:
    """`found` with the names of `programs` for the runtime, if a dialect has several readers."""
    if not dialect.variants.readers or "the runtime" not in found.message:
        return found

    def named(words: re.Match[str]) -> str:
        verb = words[1] or ""
        if len(programs) > 1:
            verb = _PLURAL.get(verb, verb.removesuffix("s"))
        return f"{joined(programs)} {verb}".rstrip()

    return replace(found, message=_RUNTIME.sub(named, found.message))


def _with_certain(file: TemplateFile) -> Iterator[Diagnostic | None]:
    """The findings on a file, and those that the runtime does not get to because of an error.

    The latter are findings that no mending of a syntax error changes, and those on a file that is
    refused for something else, or whose agent has no valid name. None comes after each check.
    """
    told: list[Diagnostic] = []
    for found in _found(file):
        told += (found,) if found is not None else ()
        yield found
    rests = tuple(_mended(file)) if any(one.code in _OF_SYNTAX for one in told) else ()
    if not rests and not file.reading.errors and file.names:
        return
    yield None
    base = rests[-1].file if rests else file
    loaded, refused = as_if_loaded(base), refused_keys(base)
    without = tuple((one.file, rests[: at + 1]) for at, one in enumerate(rests))
    for view, lacking in (*without, (named(base), rests), (loaded, rests)):
        more: list[Diagnostic] = []
        for found in _of_statements(view) if view is not None else ():
            more += (found,) if found is not None else ()
            yield None
        for one in _not_at(told, more):
            word = one.span.of(file.document.text)
            is_certain = all(_is_certain(rest, one, word) for rest in lacking)
            # What is missing may be there under a key that is refused.
            is_open = one.basis is Basis.STATEMENT and one.span not in refused
            if is_certain and (view is not loaded or is_open):
                told.append(one)
                yield one


def _mended(file: TemplateFile) -> Iterator[Mended]:
    """The file without broken statements, and then without repeated ones."""
    rest = mended(file)
    if rest is not None:
        yield rest
        again = mended(rest.file)
        yield from (again,) if again is not None else ()


def _not_at(told: Iterable[Diagnostic], found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The findings that do not begin within the span of another one."""
    taken = Cover.of(Span(one.span.start, max(one.span.end, 1)) for one in told)
    return tuple(one for one in found if one.span.start not in taken)


def _is_certain(rest: Mended, one: Diagnostic, word: str) -> bool:
    """Whether a finding at `word` in the sound statements does not depend on the broken ones."""
    # Which of two values the author keeps, to which a finding refers, is not known.
    here = (related.span for related in one.related if related.path == rest.file.path)
    if any(rest.is_repeated(span) for span in here):
        return False
    if one.basis is Basis.ABSENCE:
        # That something is missing is told at a statement of which it says nothing.
        is_about = not one.code.startswith(_MISSING) and rest.is_repeated(one.span)
        is_apart = one.code in _OF_ALL and rest.lacks_only_tools
        return (rest.lacks_no_known_key or is_apart) and not is_about
    # Behind a broken statement, an unknown key may be a line of a text that has lost its indent.
    is_key = one.code != "unknown-key" or rest.precedes(one.span) or rest.is_slip(word)
    return is_key and not rest.lacks(one.span)


def _of_statements(view: TemplateFile) -> Iterator[Diagnostic | None]:
    """The findings on a view of a file that do not depend on the file as a whole."""
    found = _found(view, but_not=_is_of_file)
    return (one for one in found if one is None or one.basis is not Basis.FILE)


@lru_cache(maxsize=512)
def _is_of_file(check: Check) -> bool:
    return all(check.basis_of(code) is Basis.FILE for code in check.codes)


def _found(
    file: TemplateFile, *, but_not: Callable[[Check], bool] | None = None
) -> Iterator[Diagnostic | None]:
    """The findings of the checks that may find something, without those that are `but_not`.

    None comes after each check, and for each finding that is left out.
    """
    counts, there = Counter[str](), present(file)
    for check, needs in checks_of(file.dialect):
        if (needs and needs.isdisjoint(there)) or (but_not is not None and but_not(check)):
            continue
        if check.of_foreign is not (file.foreign is not None and check.severity is None):
            continue
        for finding in islice(check.run(file), _MOST_OF_CHECK):
            code = finding.code or check.codes[0]
            counts[code] += 1
            if counts[code] > _MOST or _is_vouched(file, code, finding.word):
                yield None
            else:
                yield _diagnostic(file, check, code, finding)
        yield None


def _is_vouched(file: TemplateFile, code: str, word: str) -> bool:
    """Whether a user vouches for the `word` that a finding is about."""
    if code == "unknown-tool" and word:
        return is_vouched(file.dialect, file.options, word)
    return code == "unknown-key" and word in file.options.extra(file.dialect.id).keys


def _once(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The findings, without hidden text that another finding already shows."""
    every = tuple(found)
    others = [one for one in every if one.code != HIDDEN and _POINT in one.message]
    for one in every:
        if one.code != HIDDEN or not any(_shows(other, one) for other in others):
            yield one


def _shows(other: Diagnostic, one: Diagnostic) -> bool:
    return other.span.start <= one.span.start and one.span.end <= other.span.end


def _diagnostic(file: TemplateFile, check: Check, code: str, finding: Finding) -> Diagnostic | None:
    severity = _severity(file, check, code, finding)
    if severity is None:
        return None
    return Diagnostic(
        code,
        finding.span,
        finding.message,
        severity,
        finding.tags,
        finding.related,
        finding.meant,
        check.changes_of(code) if finding.changes is None else finding.changes,
        basis=check.basis_of(code),
    )


def _severity(file: TemplateFile, check: Check, code: str, finding: Finding) -> Severity | None:
    """The severity from the user's settings, else from the finding, else from the dialect."""
    is_off = file.options.silence is not None and code in file.options.silence.codes
    if code in file.options.severity and not is_off:
        return file.options.severity[code]
    return finding.severity or file.dialect.findings.severities.get(code, check.severity)


@dataclass(frozen=True, slots=True)
class Silenced:
    """The findings that one settings `file` hides, by code and by folder."""

    file: Path
    codes: Counter[str] = field(default_factory=Counter)
    folders: Counter[Path] = field(default_factory=Counter)

    @property
    def count(self) -> int:
        """The number of hidden findings."""
        return self.codes.total() + self.folders.total()

    def sentence(self, name: Callable[[Path], str]) -> str:
        """A sentence about the hidden findings, in which `name` writes the paths."""
        codes = [f"`{code}`" for code in sorted(self.codes)]
        folders = [name(folder) for folder, many in sorted(self.folders.items()) if many]
        said = [f"switches off {_listed(codes)}"] if codes else []
        said += [f"excludes {_listed(folders)}"] if folders else []
        many = "1 finding is hidden" if self.count == 1 else f"{self.count} findings are hidden"
        return f"{name(self.file)} {' and '.join(said)}: {many}"


def silenced(
    workspace: Workspace,
    seen: Iterable[tuple[Path, Examined]],
    within: tuple[Path, ...] | None = None,
    takes: Callable[[Diagnostic], bool] = lambda _: True,
) -> tuple[Silenced, ...]:
    """The findings that settings hide, of the `seen` and of the excluded templates.

    Of the excluded templates, only those at the paths `within` count, if it is given.
    """
    found: dict[Path, Silenced] = {}
    if all(options.silence is None for options in workspace.settings.values()):
        return ()
    for path, all_ in seen:
        silence = options_at(workspace, path).silence
        if silence is not None:
            hidden = found.setdefault(silence.file, Silenced(silence.file))
            hidden.codes.update(one.code for one in all_.off if takes(one))
    for silence, folder, path, heard in _passed_over(workspace):
        if within is not None and not any(top in (path, *path.parents) for top in within):
            continue
        every = examined(heard, path)
        hidden = found.setdefault(silence.file, Silenced(silence.file))
        hidden.folders[folder] += sum(map(takes, (*every.shown, *every.off)))
    return tuple(one for _, one in sorted(found.items()) if one.count)


def from_below(folder: Path) -> Callable[[Path], str]:
    """A function that names paths relative to `folder`, if they are below it."""
    return lambda path: from_folder(path, folder) if folder in (path, *path.parents) else str(path)


def _listed(names: list[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _passed_over(workspace: Workspace) -> Iterator[tuple[Silence, Path, Path, Workspace]]:
    """The templates in folders that a repository excludes, with a workspace that includes them."""
    told: set[Path] = set()
    for root, options in workspace.settings.items():
        silence = options.silence
        if silence is None:
            continue
        for folder in sorted(silence.folders):
            claims = {
                at: claim for at, claim in options.folders.items() if at not in silence.folders
            }
            heard = replace(workspace, settings={root: replace(options, folders=claims)})
            start = folder if root in folder.parents else root
            if start != folder and folder not in (root, *root.parents):
                continue
            inside = filter(None, template_folders(heard, start))
            heard = replace(heard, folders=tuple(dict.fromkeys(inside)))
            for path in templates(heard):
                if path not in told:
                    told.add(path)
                    yield silence, folder, path, heard
