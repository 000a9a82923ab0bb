"""Finds the files that define an agent, for runtimes that may skip the files that they refuse.

Invariants: a file is read only if the answer depends on its text. The reading of a file depends
only on its name and its text.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from agent_lsp.data_classes import dataclass
from agent_lsp.model import template
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import LinkedFile
from agent_lsp.model.runtime import Candidate, DefinedName, Scope
from agent_lsp.model.schema import RefusedFile
from agent_lsp.model.template import LoadError, Reading
from agent_lsp.syntax.document import Document
from agent_lsp.text import Span
from agent_lsp.workspace.disk import SourceFile, with_replaced
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.memo import Lifetime, Memo

# A tree with more folders than this is not a collection of templates.
_MOST_FOLDERS = 1_000

# A file and the names that it defines.
_NamedFile = tuple[Path, tuple[str, ...]]

# The names that the files of a folder define: by the names of the files, by the texts of closed
# files, and together with open files.
_BY_NAME = Memo[Mapping[str, tuple[Path, ...]]](Lifetime.LISTING)
_CLOSED: "Memo[_Listed]" = Memo(Lifetime.CLOSED_TEXTS)
_TOGETHER = Memo[Mapping[str, tuple[Path, ...]]](Lifetime.LISTING)
# The names that a file defines, and whether the runtime skips it.
_NAMED = Memo[tuple[DefinedName, ...]](Lifetime.TEXT)
_SPANS = Memo[Mapping[str, Span | None]](Lifetime.TEXT)
_SEVERAL = 10
_SKIPPED = Memo[bool](Lifetime.TEXT)
# The readings of files that are merged with others.
_READINGS = Memo[Reading](Lifetime.TEXT)
# The folders of a deep scope.
_BELOW = Memo[tuple[Path, ...]](Lifetime.TREE)


def names(
    files: Files, dialect: Dialect, folder: Path, scope: Scope | None
) -> Mapping[str, tuple[Path, ...]]:
    """The names that the files in `folder`, a folder of `scope`, define, each with its files."""
    if scope is not None and scope.form not in ("", dialect.id):
        return {}
    if dialect.names.names_in is None:
        return _BY_NAME.get(
            files,
            folder,
            dialect.id,
            lambda: _names(
                files, dialect, (folder / entry for entry in files.entries(folder)), scope
            ),
        )
    closed = _CLOSED.get(
        files,
        folder,
        dialect.id,
        lambda: _listed(files, dialect, folder, scope),
        basis=(dialect, scope),
    )
    if not closed.held:
        return closed.names
    # A question about one of the names in an open file must not look at all of them.
    own = tuple(named(files, dialect, path, scope) for path in closed.held)
    return _TOGETHER.get(
        files, folder, dialect.id, lambda: _joined(closed, own), basis=(closed, own)
    )


def _listed(files: Files, dialect: Dialect, folder: Path, scope: Scope | None) -> "_Listed":
    """The names in `folder`, where only files that have changed are looked at again."""
    before, changed = _CLOSED.outdated(files, folder, dialect.id, basis=(dialect, scope))
    entries = files.entries(folder)
    # The names of files take less time to look up than their paths.
    again = {path.name for path in changed}
    held = {path.name: path for path in files.opened() if path.parent == folder}

    def as_now(path: Path) -> _NamedFile:
        return path, tuple(one.name for one in named(files, dialect, path, scope))

    if before is not None:
        again |= before.nameless
        is_as_listed = before.entries == entries and before.held == _sorted(held.values())
        looked_at = (before.files[entry] for entry in again if entry in before.files)
        # A checkout changes thousands of files one by one, and seldom their names.
        if is_as_listed and all(as_now(one[0]) == one for one in looked_at):
            return before
    found, closed = dict[str, tuple[Path, ...]](), dict[str, _NamedFile]()
    for entry in (one for one in entries if one not in held):
        one = before.files.get(entry) if before is not None else None
        if one is None or entry in again:
            one = as_now(one[0] if one is not None else folder / entry)
        closed[entry] = one
        for name in one[1]:
            found[name] = (*found.get(name, ()), one[0])
    nameless = frozenset(entry for entry, (_, own) in closed.items() if not own)
    return _Listed(entries, found, _sorted(held.values()), closed, nameless)


def _sorted(paths: Iterable[Path]) -> tuple[Path, ...]:
    """The `paths` of one folder in the order of its listing."""
    return tuple(sorted(paths, key=lambda path: path.name))


def _joined(
    closed: "_Listed", own: tuple[tuple[DefinedName, ...], ...]
) -> Mapping[str, tuple[Path, ...]]:
    """The names in a folder's closed files and in its open files, together."""
    found = dict(closed.names)
    for path, defined in zip(closed.held, own, strict=True):
        for one in defined:
            # Sort by name like a listing; the order of paths differs from that on Windows.
            together = (*found.get(one.name, ()), path)
            found[one.name] = _sorted(together)
    return found


def source(files: Files, dialect: Dialect, path: Path) -> SourceFile | None:
    """The file at `path` as the runtime of `dialect` reads it, or None if there is none."""
    file = files.read(path)
    is_replaced = file is not None and file.replaced and dialect.format.replaces_bytes
    return with_replaced(file) if file is not None and is_replaced else file


def named(
    files: Files, dialect: Dialect, path: Path, scope: Scope | None
) -> tuple[DefinedName, ...]:
    """The names that the file at `path` defines, by its own name or by its text."""
    names_in = dialect.names.names_in
    kept = None if names_in is None else _NAMED.peek(files, path, (dialect.id, scope))
    if kept is not None:
        return kept
    own = dialect.names.name_of(path.name) if scope is None or scope.counts(path.name) else None
    if own is None or names_in is None:
        return () if own is None else (DefinedName(own),)
    file = source(files, dialect, path) if scope is not None else None
    if scope is None or file is None or file.problem is not None:
        return ()
    found = names_in(dialect.parse(file.text, bom=file.bom), scope, path)
    note(files, dialect, path, scope, found)
    return found


def note(
    files: Files, dialect: Dialect, path: Path, scope: Scope, names: tuple[DefinedName, ...]
) -> None:
    """Stores the names in the text of `path`, which another function has read."""
    _NAMED.keep(files, path, (dialect.id, scope), names)


def folders(files: Files, scope: Scope) -> tuple[Path, ...]:
    """The folders that belong to `scope`, its own first, up to a limit."""
    if not scope.deep:
        return (scope.folder,)
    return _BELOW.get(files, None, scope.folder, lambda: _folders(files, scope.folder))


def _folders(files: Files, top: Path) -> tuple[Path, ...]:
    # A folder may exist only in the editor.
    held = (path.parent for path in files.opened() if top in path.parents)
    found = islice(files.walk(top, is_whole=True), _MOST_FOLDERS)
    return tuple(dict.fromkeys((*found, *sorted(held))))


def in_scope(files: Files, dialect: Dialect, scope: Scope) -> Iterator[Candidate]:
    """All definitions in the files of `scope`, folder by folder, including skipped files."""
    for folder in folders(files, scope):
        for name, paths in sorted(names(files, dialect, folder, scope).items()):
            for path in paths:
                candidate = _candidate(files, dialect, name, path, scope)
                if candidate is not None:
                    yield candidate


def candidates(
    files: Files, dialect: Dialect, scopes: Iterable[Scope], name: str
) -> Iterator[Candidate]:
    """The files that define `name`, in the order of `scopes`.

    A runtime ignores a file that it cannot read, and uses the file of a later scope instead.
    """
    for scope in scopes:
        for path in _in_order(files, dialect, scope, name):
            candidate = _candidate(files, dialect, name, path, scope)
            if candidate is not None and not _is_skipped(files, dialect, candidate):
                yield candidate


def all_candidates(
    files: Files, places: Iterable[tuple[Dialect, Iterable[Scope]]], name: str
) -> tuple[Candidate, ...]:
    """The files that define `name`, in the order of `places`, which are scopes with a dialect."""
    found = (candidates(files, dialect, scopes, name) for dialect, scopes in places)
    return tuple(one for each in found for one in each)


def _in_order(files: Files, dialect: Dialect, scope: Scope, name: str) -> Iterable[Path]:
    """The files of `scope` that define `name`, the one that counts first."""
    found = [
        path
        for folder in folders(files, scope)
        for path in names(files, dialect, folder, scope).get(name, ())
    ]
    if not dialect.names.last_wins:
        return found
    # In a scope with folders below it, the whole path decides, in the order of UTF-16.
    return reversed(sorted(found, key=_utf16) if scope.deep else found)


def _utf16(path: Path) -> bytes:
    return path.as_posix().encode("utf-16-be", "surrogatepass")


def reading(files: Files, dialect: Dialect, candidate: Candidate) -> Reading:
    """The runtime's reading of the file of `candidate`."""
    if not dialect.names.is_merged and dialect.variants.settled is None:
        return _reading(files, dialect, candidate)
    # Each question about one agent needs the readings of many files.
    key = dialect.format.read, candidate.scope, candidate.name
    return _READINGS.get(files, candidate.path, key, lambda: _reading(files, dialect, candidate))


def _reading(files: Files, dialect: Dialect, candidate: Candidate) -> Reading:
    file = source(files, dialect, candidate.path)
    text, bom = (file.text, file.bom) if file else ("", False)
    parsed = dialect.parse(text, bom=bom)
    return read(dialect, parsed, candidate.scope, candidate.name)


def read(dialect: Dialect, parsed: Document, scope: Scope, name: str) -> Reading:
    """The runtime's reading of a parsed file, with the product's stand-ins marked."""
    shipped = dialect.format.stand_ins if scope.builtin else ()
    # A preview reads the file of its agent again for each call.
    borrowed = dialect.format.read_borrowed if scope.is_borrowed else None
    take = borrowed or dialect.format.read
    key = (take, name, bool(shipped))
    found = parsed.answers.get(key)
    if not isinstance(found, Reading):
        found = template.mark(take(parsed, name), shipped, name)
        parsed.answers[key] = found
    return found


def remember(files: Files, dialect: Dialect, candidate: Candidate, reading: Reading) -> None:
    """Stores what other functions need of `reading`, the reading of a file's text."""
    _SKIPPED.keep(files, candidate.path, _as(dialect, candidate), bool(reading.errors))


def skipped(
    files: Files, dialect: Dialect, scopes: Iterable[Scope]
) -> Iterator[tuple[Candidate, str]]:
    """The readable files that the runtime skips, each with its reason."""
    if dialect.format.consequence.file is not RefusedFile.SKIPPED:
        return
    for scope in scopes:
        for candidate in in_scope(files, dialect, scope):
            file = files.read(candidate.path)
            if file is None or file.problem is not None:
                continue
            errors = reading(files, dialect, candidate).errors
            if errors:
                yield candidate, _reason(dialect, errors[0])
        for path in _nameless(files, dialect, scope):
            candidate = Candidate(path.stem, path, scope)
            errors = reading(files, dialect, candidate).errors
            why = _reason(dialect, errors[0]) if errors else "it has no name for an agent"
            yield candidate, why


def _reason(dialect: Dialect, error: LoadError) -> str:
    """The runtime's message, or what is wrong where the runtime has none."""
    said = error.message
    return error.reason if said == dialect.format.consequence.header_refused else said


def _nameless(files: Files, dialect: Dialect, scope: Scope) -> Iterator[Path]:
    """The readable files in `scope` that were meant to define an agent, and name none."""
    if dialect.names.names_in is None or dialect.schema.is_tables:
        return
    for folder in folders(files, scope):
        for entry in sorted(files.entries(folder)):
            path = folder / entry
            if not dialect.system.has(entry) or not scope.counts(entry):
                continue
            file = source(files, dialect, path)
            if file is None or file.problem is not None:
                continue
            is_note, parsed = dialect.format.is_note, dialect.parse(file.text, bom=file.bom)
            is_meant = is_note is None or not is_note(parsed, scope)
            if is_meant and not named(files, dialect, path, scope):
                yield path


def defines(
    files: Files, dialect: Dialect, path: Path, scope: Scope, found: tuple[DefinedName, ...]
) -> frozenset[str]:
    """Those of the names `found` in the file at `path` under which the runtime does not skip it."""
    file = files.read(path)
    if file is None or file.is_passed_over:
        return frozenset()
    candidates = (_candidate(files, dialect, one.name, path, scope, found) for one in found)
    counting = (one for one in candidates if one and not _is_skipped(files, dialect, one))
    return frozenset(one.name for one in counting)


@dataclass(frozen=True, slots=True)
class _Listed:
    """The entries of a folder, and the names that its closed files define.

    `held` are its open files, `files` the closed ones by entry, and `nameless` those without a
    name, which may not have been readable.
    """

    entries: tuple[str, ...]
    names: Mapping[str, tuple[Path, ...]]
    held: tuple[Path, ...]
    files: Mapping[str, _NamedFile]
    nameless: frozenset[str]


def _names(
    files: Files, dialect: Dialect, paths: Iterable[Path], scope: Scope | None
) -> dict[str, tuple[Path, ...]]:
    found: dict[str, tuple[Path, ...]] = {}
    for path in paths:
        for one in named(files, dialect, path, scope):
            found[one.name] = (*found.get(one.name, ()), path)
    return found


def _candidate(
    files: Files,
    dialect: Dialect,
    name: str,
    path: Path,
    scope: Scope,
    defined: tuple[DefinedName, ...] | None = None,
) -> Candidate | None:
    """The candidate for `name` in the file at `path`, or None if the runtime ignores the file."""
    file = source(files, dialect, path)
    is_passed_over = file is not None and file.is_passed_over
    if file is None or (is_passed_over and not _fails_all(dialect)):
        return None
    locked = file.problem or "" if is_passed_over and not file.unsure else ""
    unread = "" if locked else file.problem or ""
    every = named(files, dialect, path, scope) if defined is None else defined
    span = _span(files, dialect, path, scope, name, every)
    links = dialect.names.links
    is_link = links is not LinkedFile.READ and is_linked(files, path)
    if is_link and links is LinkedFile.SKIPPED:
        return None
    return Candidate(name, path, scope, unread, locked, span, not is_link)


def name_span(
    files: Files, dialect: Dialect, path: Path, scope: Scope | None, name: str
) -> Span | None:
    """Where the file at `path` says `name`, if it defines that name by its text."""
    return _span(files, dialect, path, scope, name, named(files, dialect, path, scope))


def _span(
    files: Files,
    dialect: Dialect,
    path: Path,
    scope: Scope | None,
    name: str,
    every: tuple[DefinedName, ...],
) -> Span | None:
    """Where `name` stands, if `every` name of the file at `path` is known."""
    if len(every) < _SEVERAL:
        return next((one.span for one in every if one.name == name), None)
    # A table may define thousands, and each of them is looked up.
    key = (dialect.id, scope)
    spans = _SPANS.get(
        files,
        path,
        key,
        lambda: {one.name: one.span for one in reversed(every)},
        basis=every,
    )
    return spans.get(name)


def is_linked(files: Files, path: Path) -> bool:
    """Whether `path` is a link to a file."""
    return files.real(path) != files.real(path.parent) / path.name


def _fails_all(dialect: Dialect) -> bool:
    return dialect.format.consequence.file is RefusedFile.CATALOG


def _is_skipped(files: Files, dialect: Dialect, candidate: Candidate) -> bool:
    if dialect.format.consequence.file is not RefusedFile.SKIPPED or candidate.unread:
        return False
    # One keystroke may need this for a hundred files of one name.
    return _SKIPPED.get(
        files,
        candidate.path,
        _as(dialect, candidate),
        lambda: bool(reading(files, dialect, candidate).errors),
    )


def _as(dialect: Dialect, candidate: Candidate) -> Hashable:
    """The inputs besides the text that decide whether a file is skipped."""
    # Two programs of one system may read a file differently.
    return dialect.id, dialect.format.read, candidate.scope, candidate.name
