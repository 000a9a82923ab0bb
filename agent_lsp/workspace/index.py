"""An immutable snapshot of a workspace: who defines what, and who wins.

Invariants: a snapshot is valid until the next change of a text, the disk or a setting;
everything is derived from memoised parts, nothing is stored.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from agent_lsp.dialects.answers import Candidate, Catalog, Named, Scope
from agent_lsp.dialects.known import DIALECTS
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.template import Reading
from agent_lsp.options import Options
from agent_lsp.syntax.document import Document
from agent_lsp.workspace import definitions, forms, paths
from agent_lsp.workspace.files import File
from agent_lsp.workspace.foreign import Foreign, foreign
from agent_lsp.workspace.generations import in_use
from agent_lsp.workspace.owners import (
    Workspace,
    dialect_at,
    dialect_of_folder,
    dialect_of_place,
    holds_own,
    is_free,
    is_used,
    options_at,
    place_of,
    scope_at,
    scope_in,
    speaks,
)
from agent_lsp.workspace.scopes import scopes, session_root
from agent_lsp.workspace.scopes_extra import with_extra
from agent_lsp.workspace.strays import Stray, speaks_for, stray

__all__ = [
    "Subject",
    "Workspace",
    "candidates",
    "catalog",
    "deeper",
    "dialect_at",
    "dialect_of_folder",
    "dialect_of_place",
    "holds_own",
    "in_reach",
    "is_free",
    "is_template",
    "is_used",
    "options_at",
    "place_of",
    "root_for",
    "scope_at",
    "scope_in",
    "speaks",
    "strays_at",
    "subject",
]


@dataclass(frozen=True, slots=True)
class Subject:
    """One template file with everything that is known about it from its place and text.

    `stray` says what is wrong with the place of a file that no runtime looks for; `foreign`
    what tells that it is another system's, whatever this runtime makes of it. `names` are those
    that the file defines for the runtime, none where it skips the file by its name.
    """

    workspace: Workspace
    path: Path
    dialect: Dialect
    scope: Scope
    root: Path
    file: File
    document: Document
    reading: Reading
    options: Options
    stray: Stray | None = None
    foreign: Foreign | None = None
    names: tuple[Named, ...] = ()

    @property
    def name(self) -> str | None:
        """The first name under which the runtime knows the file, or None where it skips it."""
        return self.names[0].name if self.names else None


def strays_at(workspace: Workspace, path: Path) -> tuple[Stray, ...]:
    """What is wrong with the place of `path`, by the dialects that know it as a wrong one.

    A place of a dialect that shares its folders can be a wrong one of another dialect.
    """
    return _strays_at(workspace, path, dialect_at(workspace, path))


def _strays_at(workspace: Workspace, path: Path, owner: Dialect | None) -> tuple[Stray, ...]:
    is_taken = owner is not None and owner.shared is None
    if is_taken or not is_free(workspace, path.parent):
        return ()
    others = (known for known in DIALECTS if not owner or known.id != owner.id)
    strays = (stray(known, path, workspace.places, workspace.files) for known in others)
    return tuple(filter(None, strays))


def is_template(workspace: Workspace, path: Path) -> bool:
    """Whether the file at `path` is a template by its place, or by its text in a wrong place."""
    return dialect_at(workspace, path) is not None or subject(workspace, path) is not None


def subject(workspace: Workspace, path: Path) -> Subject | None:
    """The template at `path`, or None where there is no file or it is no template."""
    known = dialect_at(workspace, path)
    strays = _strays_at(workspace, path, known)
    found = (_subject(workspace, path, at.dialect, at) for at in strays)
    speaking = (of for of in found if of and of.stray and speaks_for(of.stray, of.document))
    own = _subject(workspace, path, known) if known is not None else None
    return next(speaking, own)


def _subject(
    workspace: Workspace, path: Path, known: Dialect, at: Stray | None = None
) -> Subject | None:
    file = workspace.files.read(path)
    if file is None:
        return None
    folder, parsed = path.parent, known.parse(file.text, bom=file.bom)
    scope = place_of(workspace, known, folder, "claimed folder" if at is None else "no scope")
    is_note = known.is_note if at is None and not file.too_large else None
    if is_note is not None and is_note(parsed, scope):
        return None
    names = definitions.named(workspace.files, known, path, scope)
    name = names[0].name if names else known.name_of(path.name) or path.stem
    reading = definitions.read(known, parsed, scope, name)
    if names and at is None:
        definitions.remember(workspace.files, known, Candidate(name, path, scope), reading)
    return Subject(
        replace(workspace, focus=folder),
        path,
        known,
        scope,
        _root_in(workspace, known, folder),
        file,
        parsed,
        reading,
        options_at(workspace, folder),
        at,
        _foreign(workspace, path, known, parsed) if at is None and not file.problem else None,
        names if at is None else (),
    )


def root_for(workspace: Workspace, known: Dialect, path: Path | None) -> Path:
    """Where the session starts that `path` speaks of.

    For a file of a project's templates, or their folder, that is the folder which holds them;
    for any other folder, the folder itself, and for any other file, its folder. Without a path,
    and for the templates of a user or of the product, it is the first workspace folder, or what
    the settings name in its place.
    """
    if path is None:
        return _first_root(workspace)
    is_folder = workspace.files.is_folder(path)
    return _root_in(workspace, known, path if is_folder else path.parent)


def _root_in(workspace: Workspace, known: Dialect, folder: Path) -> Path:
    owner = dialect_of_folder(workspace, folder) or known
    scope = scope_in(workspace, owner, folder)
    if scope is None:
        return folder
    is_project = scope.kind == "project"
    root = session_root(owner, folder, workspace.files) if is_project else None
    return root if root is not None else _first_root(workspace)


def _first_root(workspace: Workspace) -> Path:
    first = workspace.roots[0] if workspace.roots else None
    chosen = options_at(workspace, first).session_root if first is not None else None
    return chosen or first or workspace.places.home or workspace.places.templates


def catalog(workspace: Workspace, known: Dialect, root: Path) -> Catalog:
    """Everything that a session of `known` started in `root` finds."""
    return forms.catalog(workspace.files, root, _forms(workspace, known, root))


def candidates(
    workspace: Workspace, known: Dialect, root: Path, name: str
) -> tuple[Candidate, ...]:
    """The files that define `name` for a session in `root`, in order of precedence."""
    return tuple(forms.candidates(workspace.files, _forms(workspace, known, root), name))


def deeper(of: Subject) -> tuple[Candidate, ...]:
    """Files of the same name that win over this one in sessions started elsewhere.

    That is further down, and for a file which every session finds, in any other project.
    """
    name, files = of.name, of.workspace.files
    if name is None:
        return ()
    found = []
    is_below = paths.below(of.root) if of.scope.kind == "project" else None
    own = of.path.parent
    for folder in of.workspace.folders:
        # Most folders of a large workspace are passed over here, at every keystroke.
        if (is_below is not None and not is_below(folder)) or folder == own:
            continue
        scope = scope_in(of.workspace, of.dialect, folder) if of.dialect.names_in else None
        if name not in definitions.names(files, of.dialect, folder, scope):
            continue
        root = session_root(of.dialect, folder, files)
        if root is None or paths.holds(root, of.root):
            continue
        chain = candidates(of.workspace, of.dialect, root, name)
        if any(other.path == of.path for other in chain) and chain[0].path.parent == folder:
            found.append(chain[0])
    return tuple(found)


def in_reach(of: Subject, names: Iterable[str]) -> tuple[Candidate, ...]:
    """The files that a session in the root of `of` uses for `names`, nearest scope first."""
    found = _scopes(of.workspace, of.dialect, of.root)
    chains = (definitions.candidates(of.workspace.files, of.dialect, found, n) for n in names)
    winners = filter(None, (next(chain, None) for chain in chains))
    return tuple(sorted(winners, key=lambda winner: (found.index(winner.scope), winner.name)))


def _foreign(workspace: Workspace, path: Path, known: Dialect, parsed: Document) -> Foreign | None:
    """What tells that a file is another system's; a claimed folder has none of these.

    A folder in which agents of this system lie is its own, so that what else lies there and is
    no note was meant to be one.
    """
    if known.shared is None or not is_free(workspace, path.parent):
        return None
    found = foreign(known, path.name, parsed)
    if found is None or found.is_note:
        return found
    scope = scope_in(workspace, known, path.parent)
    has_agents = definitions.has_agents(workspace.files, known, path.parent, scope)
    return None if has_agents else found


def _forms(workspace: Workspace, known: Dialect, root: Path) -> tuple[forms.Form, ...]:
    options = options_at(workspace, root)
    used = tuple(in_use(one, options) for one in (known.forms() if known.forms else (known,)))
    return tuple(_form(workspace, one, root) for one in used)


def _form(workspace: Workspace, known: Dialect, root: Path) -> forms.Form:
    if not known.first_only:
        return forms.Form(known, _scopes(workspace, known, root))
    found = scopes(known, root, workspace.places, workspace.files, workspace.focus)
    return forms.first_of(known, root, found, workspace.files)


def _scopes(workspace: Workspace, known: Dialect, root: Path) -> tuple[Scope, ...]:
    found = scopes(known, root, workspace.places, workspace.files, workspace.focus)
    more = options_at(workspace, root).extra(known.id).scopes
    found = with_extra(found, more, workspace.files)
    claimed = dialect_of_folder(workspace, root)
    if claimed and claimed.id == known.id and scope_in(workspace, known, root) is None:
        return (Scope("project", "claimed folder", root), *found)
    return found
