"""What a session finds of a runtime whose agents may be in files of several dialects.

Invariants: most runtimes have one form of files only; a file of an earlier form goes before one of
a later form, and within a form the order of its scopes counts.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import is_
from pathlib import Path

from agent_lsp.dialects.answers import Candidate, Catalog, Scope
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.template import Reading
from agent_lsp.workspace import definitions
from agent_lsp.workspace.files import Files


@dataclass(frozen=True, slots=True)
class Form:
    """A dialect of the runtime, and the scopes in which a session finds its files.

    `passed_over` is a file that is used in their place, and is not looked into here.
    """

    dialect: Dialect
    scopes: tuple[Scope, ...]
    passed_over: Candidate | None = None


def first_of(dialect: Dialect, root: Path, found: tuple[Scope, ...], files: Files) -> Form:
    """The form of a runtime that reads the first file which it finds, and nothing else."""
    if not any(scope.folder == root for scope in found):
        for name in dialect.passed_over:
            if files.exists(root / name):
                scope = Scope("project", "project", root)
                return Form(dialect, (), Candidate(name, root / name, scope))
    return Form(dialect, found[:1])


def catalog(files: Files, root: Path, forms: tuple[Form, ...]) -> Catalog:
    """Everything that a session which starts in `root` finds."""
    names = _names(files, forms)

    def of_name(name: str) -> tuple[Candidate, ...]:
        return tuple(candidates(files, forms, name))

    def read(candidate: Candidate) -> Reading:
        form = next((form for form in forms if candidate.scope in form.scopes), forms[0])
        return definitions.reading(files, form.dialect, candidate)

    def all_skipped() -> tuple[tuple[Candidate, str], ...]:
        found = (definitions.skipped(files, form.dialect, form.scopes) for form in forms)
        return tuple(one for each in found for one in each)

    scopes = tuple(scope for form in forms for scope in form.scopes)
    over = next((form.passed_over for form in forms if form.passed_over is not None), None)
    found = Catalog(root, scopes, names, of_name, read, all_skipped, over)
    settled = forms[0].dialect.settled
    return found if settled is None else settled(found)


@dataclass(frozen=True, slots=True)
class _Named:
    """The names of several folders together, in order."""

    of_folders: tuple[Mapping[str, tuple[Path, ...]], ...]
    names: tuple[str, ...]


def _names(files: Files, forms: tuple[Form, ...]) -> tuple[str, ...]:
    """All names that the forms know, sorted by code point."""
    found = tuple(
        definitions.names(files, form.dialect, folder, scope)
        for form in forms
        for scope in form.scopes
        for folder in definitions.folders(files, scope)
    )
    # Asked several times for one hover, and thousands of names are long in sorting.
    key = ("catalog", forms[0].dialect.id)
    kept = files.derived(None, key)
    if not isinstance(kept, _Named) or not _are_same(kept.of_folders, found):
        kept = _Named(found, tuple(sorted(set().union(*found))))
        files.remember(None, key, kept)
    return kept.names


def _are_same(some: tuple[object, ...], others: tuple[object, ...]) -> bool:
    return len(some) == len(others) and all(map(is_, some, others))


def candidates(files: Files, forms: tuple[Form, ...], name: str) -> Iterator[Candidate]:
    """The files that define `name`, in the order of precedence."""
    for form in forms:
        yield from definitions.candidates(files, form.dialect, form.scopes, name)
