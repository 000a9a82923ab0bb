"""An immutable snapshot of a workspace: who defines what, and who wins.

Invariants: a snapshot is valid until the next change of a text, the disk or a setting;
everything is derived from memoised parts, nothing is stored.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agent_lsp.dialects.answers import Candidate, Catalog, Scope
from agent_lsp.dialects.known import DIALECTS, dialect
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.template import Reading
from agent_lsp.options import Options
from agent_lsp.syntax import document
from agent_lsp.syntax.document import Document
from agent_lsp.workspace.files import File, Files
from agent_lsp.workspace.scopes import Places, scope_of, scopes, session_root


@dataclass(frozen=True, slots=True)
class Workspace:
    """What all features look at.

    `roots` are the workspace folders; `folders` the template folders found below them;
    `settings` the options of each root; `claimed` folders given to a dialect by the caller.
    """

    files: Files
    places: Places
    roots: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()
    settings: Mapping[Path, Options] = field(default_factory=dict)
    claimed: Mapping[Path, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Subject:
    """One template file with everything that is known about it from its place and text."""

    workspace: Workspace
    path: Path
    dialect: Dialect
    scope: Scope
    root: Path
    file: File
    document: Document
    reading: Reading
    options: Options

    @property
    def name(self) -> str | None:
        """The name under which the runtime knows the file, or None where it skips it."""
        return self.dialect.name_of(self.path.name)


def options_at(workspace: Workspace, path: Path) -> Options:
    """The options of the deepest workspace folder that holds `path`."""
    holding = [root for root in workspace.settings if root == path or root in path.parents]
    return (
        workspace.settings[max(holding, key=lambda root: len(root.parts))] if holding else Options()
    )


def dialect_at(workspace: Workspace, path: Path) -> Dialect | None:
    """The dialect of the file at `path` by its place, or None: then it is none of our business."""
    return dialect_of_folder(workspace, path.parent) if path.suffix.lower() == ".md" else None


def dialect_of_folder(workspace: Workspace, folder: Path) -> Dialect | None:
    """The dialect that looks into `folder`, or None."""
    if folder in workspace.claimed:
        return dialect(workspace.claimed[folder])
    claims = options_at(workspace, folder).folders
    if claims.get(folder) is not None:
        return dialect(claims[folder] or "")
    if any(place in claims and claims[place] is None for place in (folder, *folder.parents)):
        return None
    return next((known for known in DIALECTS if scope_of(known, folder, workspace.places)), None)


def subject(workspace: Workspace, path: Path) -> Subject | None:
    """The template at `path`, or None where there is no file or it is no template."""
    known = dialect_at(workspace, path)
    file = workspace.files.read(path) if known else None
    if known is None or file is None:
        return None
    parsed = document.parse(file.text, known.cut, bom=file.bom)
    scope = scope_of(known, path.parent, workspace.places) or Scope(
        "project", "claimed folder", path.parent
    )
    root = root_for(workspace, known, path)
    return Subject(
        workspace,
        path,
        known,
        scope,
        root,
        file,
        parsed,
        known.read(parsed),
        options_at(workspace, path),
    )


def root_for(workspace: Workspace, known: Dialect, path: Path | None) -> Path:
    """Where the session starts that `path` speaks of.

    For a file of a project's templates, or their folder, that is the folder which holds them;
    for any other folder, the folder itself, and for any other file, its folder. Without a path,
    and for the templates of a user or of the product, it is the first workspace folder, or what
    the settings name in its place.
    """
    if path is not None:
        folder = path if workspace.files.is_folder(path) else path.parent
        owner = dialect_of_folder(workspace, folder) or known
        scope = scope_of(owner, folder, workspace.places)
        if scope is None:
            return folder
        root = session_root(owner, folder) if scope.kind == "project" else None
        if root is not None:
            return root
    first = workspace.roots[0] if workspace.roots else None
    chosen = options_at(workspace, first).session_root if first is not None else None
    return chosen or first or workspace.places.home or workspace.places.templates


def catalog(workspace: Workspace, known: Dialect, root: Path) -> Catalog:
    """Everything that a session of `known` started in `root` finds."""
    found = _scopes(workspace, known, root)
    names = sorted(
        {name for scope in found for name in _names(workspace.files, known, scope.folder)}
    )

    def candidates(name: str) -> tuple[Candidate, ...]:
        return tuple(_candidates(workspace, known, found, name))

    def read(candidate: Candidate) -> Reading:
        file = workspace.files.read(candidate.path)
        text, bom = (file.text, file.bom) if file else ("", False)
        return known.read(document.parse(text, known.cut, bom=bom))

    return Catalog(root, found, tuple(names), candidates, read)


def candidates(
    workspace: Workspace, known: Dialect, root: Path, name: str
) -> tuple[Candidate, ...]:
    """The readable files that define `name` for a session in `root`, in order of precedence."""
    return tuple(_candidates(workspace, known, _scopes(workspace, known, root), name))


def deeper(of: Subject) -> tuple[Candidate, ...]:
    """Files of the same name that win over this one in sessions started further down."""
    if of.scope.kind != "project" or of.name is None:
        return ()
    found = []
    for folder in of.workspace.folders:
        root = session_root(of.dialect, folder)
        if root is None or root == of.root or of.root not in root.parents:
            continue
        chain = candidates(of.workspace, of.dialect, root, of.name)
        if any(other.path == of.path for other in chain) and chain[0].path.parent == folder:
            found.append(chain[0])
    return tuple(found)


def templates(workspace: Workspace) -> Iterator[Path]:
    """The template files below the workspace folders, folder by folder."""
    for folder in workspace.folders:
        for name in workspace.files.entries(folder):
            path = folder / name
            if dialect_at(workspace, path):
                yield path


def find_folders(workspace: Workspace, root: Path) -> Iterator[Path | None]:
    """Walks `root`; yields each template folder, and None for every other folder on the way."""
    for folder in workspace.files.walk(root):
        yield folder if dialect_of_folder(workspace, folder) else None


def _scopes(workspace: Workspace, known: Dialect, root: Path) -> tuple[Scope, ...]:
    found = scopes(known, root, workspace.places, workspace.files)
    claimed = dialect_of_folder(workspace, root)
    if claimed is known and scope_of(known, root, workspace.places) is None:
        return (Scope("project", "claimed folder", root), *found)
    return found


def _candidates(
    workspace: Workspace, known: Dialect, found: tuple[Scope, ...], name: str
) -> Iterator[Candidate]:
    for scope in found:
        for path in _names(workspace.files, known, scope.folder).get(name, ()):
            file = workspace.files.read(path)
            # The runtime passes over a file that it cannot read, and a lower scope's file counts.
            if file is not None and not file.is_passed_over:
                yield Candidate(name, path, scope)


def _names(files: Files, known: Dialect, folder: Path) -> Mapping[str, tuple[Path, ...]]:
    entries = files.entries(folder)
    kept = files.derived(folder, known.id)
    if isinstance(kept, dict):
        return kept
    names: dict[str, tuple[Path, ...]] = {}
    for entry in entries:
        name = known.name_of(entry)
        if name is not None:
            names[name] = (*names.get(name, ()), folder / entry)
    files.remember(folder, known.id, names)
    return names
