"""Which files of a folder define an agent, for a runtime that may skip what it refuses.

Invariants: a file is read only where the answer depends on its text; what a runtime makes of a
file depends on nothing but its name and its text.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from agent_lsp.dialects import stand_ins
from agent_lsp.dialects.answers import Candidate, Scope
from agent_lsp.dialects.model import Dialect, Refused
from agent_lsp.dialects.template import Reading
from agent_lsp.syntax import document
from agent_lsp.syntax.document import Document
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.foreign import foreign

# More files of a folder than these are not read to find out whose folder it is.
_MOST_SIBLINGS = 100


def names(files: Files, known: Dialect, folder: Path) -> Mapping[str, tuple[Path, ...]]:
    """The names that the files in `folder` have for the runtime, each with its files in order."""
    # Forgotten with the listing of the folder, and asked for of every folder at a keystroke.
    kept = files.derived(folder, known.id)
    if isinstance(kept, dict):
        return kept
    found: dict[str, tuple[Path, ...]] = {}
    for entry in files.entries(folder):
        name = known.name_of(entry)
        if name is not None:
            found[name] = (*found.get(name, ()), folder / entry)
    files.remember(folder, known.id, found)
    return found


def candidates(
    files: Files, known: Dialect, scopes: Iterable[Scope], name: str
) -> Iterator[Candidate]:
    """The files that define `name`, in the order of `scopes`.

    A runtime passes over a file that it cannot read, and a lower scope's file counts.
    """
    for scope in scopes:
        found = names(files, known, scope.folder).get(name, ())
        for path in reversed(found) if known.last_wins else found:
            file = files.read(path)
            if file is None or (file.is_passed_over and not _fails_all(known)):
                continue
            is_locked = file.is_passed_over and not file.unsure
            locked = file.problem or "" if is_locked else ""
            unread = "" if locked else file.problem or ""
            candidate = Candidate(name, path, scope, unread, locked)
            if not _is_skipped(files, known, candidate):
                yield candidate


def reading(files: Files, known: Dialect, candidate: Candidate) -> Reading:
    """What the runtime makes of a file."""
    file = files.read(candidate.path)
    text, bom = (file.text, file.bom) if file else ("", False)
    parsed = document.parse(text, known.cut, bom=bom)
    return read(known, parsed, candidate.scope, candidate.path)


def read(known: Dialect, parsed: Document, scope: Scope, path: Path) -> Reading:
    """What the runtime makes of a file that is parsed, with the stand-ins in it marked."""
    shipped = known.stand_ins if scope.builtin else ()
    name = known.name_of(path.name)
    return stand_ins.mark(known.read(parsed, name or path.stem), shipped, name)


def skipped(
    files: Files, known: Dialect, scopes: Iterable[Scope]
) -> Iterator[tuple[Candidate, str]]:
    """The readable files that the runtime skips, each with its reason."""
    if known.consequence.file is not Refused.SKIPPED:
        return
    for scope in scopes:
        for name, paths in sorted(names(files, known, scope.folder).items()):
            for path in paths:
                file = files.read(path)
                if file is None or file.problem is not None:
                    continue
                candidate = Candidate(name, path, scope)
                faults = reading(files, known, candidate).faults
                if faults:
                    yield candidate, faults[0].message


def defines(files: Files, known: Dialect | None, path: Path) -> bool:
    """Whether a runtime that knows the file at `path` reads it, and does not skip it."""
    name = known.name_of(path.name) if known is not None else None
    if known is None or name is None or not _is_readable(files, path):
        return _is_readable(files, path)
    file = files.read(path)
    unread = file.problem or "" if file is not None else ""
    return not _is_skipped(files, known, Candidate(name, path, _somewhere(path.parent), unread))


def has_agents(files: Files, known: Dialect, folder: Path) -> bool:
    """Whether the runtime loads a file of `folder` that is no other system's."""
    for name, (path, *_) in islice(names(files, known, folder).items(), _MOST_SIBLINGS):
        file = files.read(path)
        if file is None or file.problem is not None:
            continue
        parsed = document.parse(file.text, known.cut, bom=file.bom)
        is_foreign = foreign(known, path.name, parsed) is not None
        if not is_foreign and not known.read(parsed, name).faults:
            return True
    return False


def _somewhere(folder: Path) -> Scope:
    return Scope("project", "", folder)


def _is_readable(files: Files, path: Path) -> bool:
    file = files.read(path)
    return file is not None and not file.is_passed_over


def _fails_all(known: Dialect) -> bool:
    return known.consequence.file is Refused.CATALOG


def _is_skipped(files: Files, known: Dialect, candidate: Candidate) -> bool:
    if known.consequence.file is not Refused.SKIPPED or candidate.unread:
        return False
    return bool(reading(files, known, candidate).faults)
