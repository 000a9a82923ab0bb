"""Builds the catalog of a session: all that it finds, in the forms of the runtime's files.

Invariants: most runtimes have only one form of files. A file of an earlier form has precedence over
one of a later form, and within a form the order of its scopes decides. Several files of one name
are one definition only where the runtime merges them.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from agent_lsp.data_classes import dataclass, replace
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import Skill
from agent_lsp.model.runtime import Candidate, Catalog, Definition, Scope
from agent_lsp.model.schema import RefusedFile
from agent_lsp.model.system import System
from agent_lsp.model.template import Reading, Template
from agent_lsp.workspace import definitions
from agent_lsp.workspace.definitions import folders, in_scope, is_linked, names, reading, skipped
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.placement import PlacementKind, Workspace, folder_placement, options_at
from agent_lsp.workspace.programs import in_use, scopes_left
from agent_lsp.workspace.scopes import holders, scopes
from agent_lsp.workspace.skills import meant

# The names of a whole session.
_ALL_NAMES = Memo[tuple[str, ...]](Lifetime.TREE)


@dataclass(frozen=True, slots=True)
class Form:
    """One form of the runtime's files: its dialect, and the scopes in which a session finds them.

    `passed_over` is a file that the runtime uses instead, and that is not read here.
    """

    dialect: Dialect
    scopes: tuple[Scope, ...]
    passed_over: Candidate | None = None


def catalog(workspace: Workspace, dialect: Dialect, root: Path) -> Catalog:
    """The catalog of a session of `dialect` that starts in `root`."""
    forms = _forms(workspace, dialect, root)
    files, host = workspace.files, workspace.host_paths
    found = _found(files, root, forms, lambda: holders(root, files), host.home, host.variables)
    first = forms[0].dialect.system
    return replace(
        found,
        skill=skill_of(workspace, dialect, root),
        beside=lambda: tuple(_beside(workspace, first, root)),
    )


def candidates(
    workspace: Workspace, dialect: Dialect, root: Path, name: str
) -> tuple[Candidate, ...]:
    """The files that define `name` for a session in `root`, in order of precedence."""
    forms = _forms(workspace, dialect, root)
    return _of_forms(workspace.files, forms, name)


def scopes_at(workspace: Workspace, system: System, root: Path) -> tuple[Scope, ...]:
    """The scopes of a session of `system` that starts in `root`, with those that settings add."""
    files, options = workspace.files, options_at(workspace, root)
    own = scopes(system, root, workspace.host_paths, files, workspace.focus)
    found = scopes_left(own, system, root, options, workspace.settings, files)
    owner = folder_placement(workspace, root)
    if owner and owner.system is system and owner.kind is PlacementKind.CLAIMED:
        return (owner.scope, *found)
    return found


def skill_of(
    workspace: Workspace, dialect: Dialect, root: Path
) -> Callable[[str], Skill | None] | None:
    """A function that finds the skill of a name in a session; None if the system has none."""
    if dialect.references.skill_names is None:
        return None
    return lambda name: meant(dialect, root, workspace.host_paths, workspace.files, name)


def _forms(workspace: Workspace, dialect: Dialect, root: Path) -> tuple[Form, ...]:
    options = options_at(workspace, root)
    used = tuple(
        in_use(one, options)
        for one in (dialect.variants.forms() if dialect.variants.forms else (dialect,))
    )
    return tuple(_form(workspace, one, root) for one in used)


def _form(workspace: Workspace, dialect: Dialect, root: Path) -> Form:
    if not dialect.system.first_only:
        return Form(dialect, scopes_at(workspace, dialect.system, root))
    found = scopes(dialect.system, root, workspace.host_paths, workspace.files, workspace.focus)
    return _first_of(dialect, root, found, workspace.files)


def _first_of(dialect: Dialect, root: Path, scopes: tuple[Scope, ...], files: Files) -> Form:
    """The form of a runtime that reads only the first file that it finds."""
    if not any(scope.folder == root for scope in scopes):
        for name in dialect.system.passed_over:
            if files.exists(root / name):
                scope = Scope("project", "project", root)
                return Form(dialect, (), Candidate(name, root / name, scope))
    return Form(dialect, scopes[:1])


def _beside(
    workspace: Workspace, system: System, root: Path
) -> Iterator[tuple[Candidate, Reading]]:
    """The files that may refuse a session in `root` beside its agents, each with its reading."""
    files = workspace.files
    every = (
        one for one in system.beside if one.dialect.format.consequence.file is RefusedFile.CATALOG
    )
    for other in every:
        for scope in scopes(other, root, workspace.host_paths, files):
            for one in in_scope(files, other.dialect, scope):
                yield one, reading(files, other.dialect, one)


def _found(
    files: Files,
    root: Path,
    forms: tuple[Form, ...],
    repository: Callable[[], tuple[Path, ...]],
    home: Path | None = None,
    variables: Mapping[str, str] | None = None,
) -> Catalog:
    """Everything that a session which starts in `root` finds, with its `repository`."""
    names = _names_of_forms(files, forms)
    settled = forms[0].dialect.variants.settled

    def of_name(name: str) -> tuple[Candidate, ...]:
        return _of_forms(files, forms, name)

    def read(candidate: Candidate) -> Reading:
        # A system that settles the catalog itself merges the files there.
        found = defined(candidate.name) if settled is None else None
        if found is not None and candidate == found.parts[0]:
            return found.reading
        return reading(files, _form_of(forms, candidate).dialect, candidate)

    def read_as(candidate: Candidate, dialect: Dialect) -> Reading:
        return reading(files, dialect, candidate)

    def defined(name: str) -> Definition | None:
        return _definition(files, forms, name)

    def text(path: Path) -> str | None:
        file = files.read(path)
        is_there = file is not None and files.exists(path)
        return file.text or file.replaced if file is not None and is_there else None

    def all_skipped() -> tuple[tuple[Candidate, str], ...]:
        found = (skipped(files, form.dialect, form.scopes) for form in forms)
        return tuple(one for each in found for one in each)

    scopes = tuple(scope for form in forms for scope in form.scopes)
    over = next((form.passed_over for form in forms if form.passed_over is not None), None)
    found = Catalog(
        root,
        scopes,
        names,
        of_name,
        read,
        all_skipped,
        over,
        defined,
        repository=repository,
        is_link=partial(is_linked, files),
        read_as=read_as,
        text=text,
        home=home,
        variables=variables or {},
    )
    return found if settled is None else settled(found)


def _definition(files: Files, forms: tuple[Form, ...], name: str) -> Definition | None:
    """What the files of `name` make together; None where the runtime merges none, or has none.

    The settings of a file that goes before the others count, and so does its prompt if it has one.
    """
    dialect = forms[0].dialect
    parts = _of_forms(files, forms, name) if dialect.names.is_merged else ()
    if not parts:
        return None
    readings = [reading(files, _form_of(forms, part).dialect, part) for part in parts]
    own = dialect.names.own.get(name)
    origins: dict[str, Candidate] = {}
    for part, one in zip(parts, readings, strict=True):
        for setting in one.declared.settings:
            origins.setdefault(setting, part)
    declared = _merged(parts, [one.declared for one in readings], own)
    effective = _merged(parts, [one.effective for one in readings], own)
    first = readings[0]
    return Definition(name, parts, replace(first, declared=declared, effective=effective), origins)


def _merged(
    parts: tuple[Candidate, ...], templates: list[Template], own: Template | None
) -> Template:
    settings = dict(own.settings) if own is not None else {}
    for part, one in zip(reversed(parts), reversed(templates), strict=True):
        path = None if part == parts[0] else part.path
        settings |= {name: replace(value, path=path) for name, value in one.settings.items()}
    first = templates[0]
    prompts = [
        replace(one.default, path=None if part == parts[0] else part.path)
        for part, one in zip(parts, templates, strict=True)
    ]
    prompts += [] if own is None else [own.default]
    prompt = next((one for one in prompts if one.text), first.default)
    return replace(first, settings=settings, blocks=(prompt, *first.blocks[1:]))


def _form_of(forms: tuple[Form, ...], candidate: Candidate) -> Form:
    return next((form for form in forms if candidate.scope in form.scopes), forms[0])


def _names_of_forms(files: Files, forms: tuple[Form, ...]) -> tuple[str, ...]:
    """All names that the forms know, sorted by code point."""
    found = tuple(
        names(files, form.dialect, folder, scope)
        for form in forms
        for scope in form.scopes
        for folder in folders(files, scope)
    )
    # One hover needs this several times, and sorting thousands of names takes long.
    return _ALL_NAMES.get(
        files, None, forms[0].dialect.id, lambda: tuple(sorted(set().union(*found))), basis=found
    )


def _of_forms(files: Files, forms: tuple[Form, ...], name: str) -> tuple[Candidate, ...]:
    """The files that define `name`, in the order of precedence."""
    places = [(form.dialect, form.scopes) for form in forms]
    return definitions.all_candidates(files, places, name)
