"""Answers questions about a snapshot of a workspace: definitions, winners, shadowed files.

Invariants: a snapshot is immutable, and valid until the next change of a text, the disk or a
setting. Everything is derived from memoised parts; the snapshot stores nothing.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import Candidate, Catalog, DefinedName, Definition, Scope
from agent_lsp.model.schema import Consequence, KeyPath, KeyRole
from agent_lsp.model.system import System
from agent_lsp.model.template import Reading
from agent_lsp.options import Options
from agent_lsp.syntax.document import Document
from agent_lsp.text import Span
from agent_lsp.workspace import definitions, paths
from agent_lsp.workspace.catalogs import candidates, catalog, scopes_at
from agent_lsp.workspace.files import Files, SourceFile
from agent_lsp.workspace.misplaced import Foreign, Misplaced, foreign, is_meant_for, is_proof
from agent_lsp.workspace.placement import (
    Placement,
    Workspace,
    first_root,
    folder_placement,
    is_free,
    options_at,
    placements,
    root_of,
    scope_in,
    system_placements,
)
from agent_lsp.workspace.programs import is_named
from agent_lsp.workspace.scopes import scopes, session_root

__all__ = [
    "TemplateFile",
    "Workspace",
    "as_others_read",
    "as_programs_read",
    "as_read_by",
    "as_system_reads",
    "as_template",
    "catalog_of",
    "deeper",
    "definition",
    "in_reach",
    "is_template",
    "may_have_templates",
    "options_at",
    "root_for",
    "template_file",
    "template_of",
    "templates_at",
]


@dataclass(frozen=True, slots=True)
class TemplateFile:
    """One template file, with everything that its place and its text tell about it.

    `misplaced` is set if the runtime does not look for the file. `foreign` has the signs that it
    belongs to another system, even if this runtime loads it. `names` are the names that it defines
    for the runtime; it is empty if the runtime skips the file because of its own name. `reader` is
    that of the placement. `others` are the placements in the other programs that read the file, and
    only the file of the first one has them.
    """

    workspace: Workspace
    path: Path
    dialect: Dialect
    scope: Scope
    root: Path
    source: SourceFile
    document: Document
    reading: Reading
    options: Options
    misplaced: Misplaced | None = None
    foreign: Foreign | None = None
    names: tuple[DefinedName, ...] = ()
    reader: str = ""
    others: tuple[Placement, ...] = ()
    # Memoised answers about this file; a copy with other values has none.
    answers: dict[object, Any] = field(init=False, default_factory=dict, repr=False, compare=False)
    # The first name that the file defines for the runtime, or None if it skips the file.
    name: str | None = field(init=False, default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.names:
            object.__setattr__(self, "name", self.names[0].name)

    @property
    def program(self) -> str:
        """The program that reads the file in this way, as people call it."""
        readers = self.dialect.variants.readers
        return self.reader or (readers[0].name if readers else self.dialect.runtime)

    @property
    def consequence(self) -> Consequence:
        """The treatment of the file if the runtime cannot use its header."""
        return self.dialect.consequence(self.scope)

    @property
    def body(self) -> Span:
        """The prompt as written: below the header, or in the value of a key."""
        if self.dialect.schema.by_role.get(KeyRole.PROMPT) is None:
            return self.document.frontmatter.body
        return self.reading.declared.default.span


def is_template(workspace: Workspace, path: Path) -> bool:
    """Whether the file at `path` is a template by its place, or by its header in a wrong place."""
    found = system_placements(workspace, path)
    return bool(found) or template_file(workspace, path, found) is not None


def template_file(
    workspace: Workspace, path: Path, in_systems: tuple[Placement, ...] | None = None
) -> TemplateFile | None:
    """The template at `path`, or None if there is no file or it is not a template.

    A misplaced file is a template if its header is that of one, even if another runtime reads it.
    `in_systems` are the `system_placements` of `path`, if they are there already.
    """
    found = placements(workspace, path, in_systems)
    for placement in sorted(found, key=lambda one: one.misplaced is None):
        wrong = placement.misplaced
        file = _template_file(workspace, path, placement)
        if file is not None and wrong is None and len(found) > 1:
            return _with_others(file, found)
        if file is not None and (wrong is None or is_meant_for(wrong, file.document, path.name)):
            return file
    return None


def as_others_read(file: TemplateFile) -> tuple[TemplateFile, ...]:
    """The file as the other programs read it, if `file` is that of its first reader."""
    if not file.others:
        return ()
    found: tuple[TemplateFile, ...] | None = file.answers.get(as_others_read)
    if found is None:
        made = (_template_file(file.workspace, file.path, one) for one in file.others)
        found = file.answers[as_others_read] = tuple(filter(None, made))
    return found


def as_programs_read(file: TemplateFile) -> tuple[TemplateFile, ...]:
    """As `as_others_read`, for the other programs of the same system."""
    others = as_others_read(file)
    return tuple(one for one in others if one.dialect.system is file.dialect.system)


def as_read_by(file: TemplateFile, program: str) -> TemplateFile | None:
    """The file as the program of this name reads it, or None if it does not."""
    return next((one for one in (file, *as_others_read(file)) if one.program == program), None)


def as_system_reads(file: TemplateFile, system: System) -> TemplateFile | None:
    """The file as the first program of `system` reads it, or None if none does."""
    every = (file, *as_others_read(file))
    return next((one for one in every if one.dialect.system is system), None)


def _with_others(file: TemplateFile, found: tuple[Placement, ...]) -> TemplateFile:
    """`file`, which its first reader reads, with the placements of its other readers."""
    readers = (one for one in found if one.misplaced is None)
    own = (file.dialect.system, file.reader)
    return replace(file, others=tuple(one for one in readers if (one.system, one.reader) != own))


def _template_file(workspace: Workspace, path: Path, placement: Placement) -> TemplateFile | None:
    dialect, scope, is_own = placement.dialect, placement.scope, placement.misplaced is None
    file = definitions.source(workspace.files, dialect, path)
    if file is None:
        return None
    parsed = dialect.parse(file.text, bom=file.bom)
    is_note = dialect.format.is_note if is_own and not file.too_large else None
    if is_note is not None and is_note(parsed, scope):
        return None
    names = definitions.named(workspace.files, dialect, path, scope)
    name = names[0].name if names else dialect.names.name_of(path.name) or path.stem
    reading = definitions.read(dialect, parsed, scope, name)
    if names and is_own:
        definitions.remember(workspace.files, dialect, Candidate(name, path, scope), reading)
    return TemplateFile(
        workspace.at(path.parent),
        path,
        dialect,
        scope,
        placement.root,
        file,
        parsed,
        reading,
        placement.options,
        placement.misplaced,
        _foreign(workspace, path, placement, parsed) if is_own and not file.problem else None,
        names if is_own else (),
        placement.reader,
    )


def as_template(file: TemplateFile, names: tuple[DefinedName, ...]) -> TemplateFile:
    """The file as the template with `names`, which are some of those that it defines."""
    reading = file.dialect.format.read(file.document, names[0].name)
    if reading.errors and not file.reading.errors:
        # The file is looked at as it would be without its errors.
        reading = replace(reading, effective=reading.declared, errors=())
    made = replace(file, names=names, reading=reading)
    made.answers[as_template] = file
    return made


def template_of(file: TemplateFile, path: KeyPath) -> TemplateFile:
    """The file as the template to which the table at `path` belongs, if it belongs to one."""
    name = file.dialect.schema.template_at(path)
    named = tuple(one for one in file.names if one.name == name)
    return as_template(file, named) if named else file


def templates_at(file: TemplateFile, path: KeyPath) -> tuple[str, ...]:
    """The templates of the file whose tables stand in the one at `path`."""
    schema = file.dialect.schema
    is_there = path in schema.templates
    return tuple(one.name for one in file.names if one.name) if is_there else ()


def root_for(workspace: Workspace, system: System, path: Path | None) -> Path:
    """The session root for `path`.

    For a project's template, or the folder of its templates, this is the folder of the project. For
    any other folder, it is the folder itself; for any other file, its folder. Without a path, and
    for user or built-in templates, it is the first workspace folder, or the one in the settings.
    """
    if path is None:
        return first_root(workspace)
    folder = path if workspace.files.is_folder(path) else path.parent
    owner = folder_placement(workspace, folder)
    if owner is not None:
        return owner.root
    return root_of(workspace, system, folder, scope_in(workspace, system, folder))


def catalog_of(file: TemplateFile) -> Catalog:
    """The catalog of a session in the root of `file`, made once for all templates of the file."""
    whole: TemplateFile | None = file.answers.get(as_template)
    if whole is not None:
        return catalog_of(whole)
    found: Catalog | None = file.answers.get(catalog_of)
    if found is None:
        found = file.answers[catalog_of] = catalog(file.workspace, file.dialect, file.root)
    return found


def definition(file: TemplateFile) -> Definition | None:
    """What a session in the root of `file` makes of its name; None where no files are merged."""
    if not file.dialect.names.is_merged or file.name is None or file.misplaced is not None:
        return None
    return catalog_of(file).definition(file.name)


def merged(file: TemplateFile) -> Reading:
    """What a session reads of an agent from all its files; of a view of one, what that says."""
    found = definition(file)
    part = next((one for one in found.parts if one.path == file.path), None) if found else None
    if found is None or part is None or file.document.text != file.source.text:
        return file.reading
    is_view = bool(catalog_of(file).read(part).errors) and not file.reading.errors
    return file.reading if is_view else found.reading


def may_have_templates(workspace: Workspace, system: System, root: Path) -> bool:
    """Whether a session of `system` in `root` has a template folder besides the built-in one.

    This does not load the dialect of the system. Files of other forms of its runtime count as well.
    """
    options = options_at(workspace, root)
    if options.programs and not is_named(system, options):
        return False
    kin = (
        one
        for one in workspace.systems
        if one is system or (one.family and one.family == system.family)
    )
    found = ((one, scope) for one in kin for scope in scopes_at(workspace, one, root))
    return not all(scope.builtin or _is_others(workspace, one, scope) for one, scope in found)


def _is_others(workspace: Workspace, system: System, scope: Scope) -> bool:
    """Whether a folder has files of another system alone, which have another form."""
    files = workspace.files
    names = [name for folder in definitions.folders(files, scope) for name in files.entries(folder)]
    if not names or any(system.has(name) for name in names):
        return False
    others = (one for one in workspace.systems if any(one.has(name) for name in names))
    return any(scope_in(workspace, one, scope.folder) is not None for one in others)


def deeper(file: TemplateFile) -> tuple[Candidate, ...]:
    """The files of the same name that win over this one in sessions with another root.

    Those sessions start further down, or in any other project if every session finds the file.
    """
    name, files = file.name, file.workspace.files
    if name is None:
        return ()
    found = []
    own, every = file.path.parent, file.workspace.folders
    if every == (own,):
        return ()
    is_below = paths.below(file.root) if file.scope.kind == "project" else None
    for folder in every:
        # At every keystroke, this skips most folders of a large workspace.
        if (is_below is not None and not is_below(folder)) or folder == own:
            continue
        scope = (
            scope_in(file.workspace, file.dialect.system, folder)
            if file.dialect.names.names_in
            else None
        )
        if name not in definitions.names(files, file.dialect, folder, scope):
            continue
        root = session_root(file.dialect.system, folder, files)
        if root is None or paths.holds(root, file.root):
            continue
        chain = candidates(file.workspace, file.dialect, root, name)
        if any(other.path == file.path for other in chain) and chain[0].path.parent == folder:
            found.append(chain[0])
    return tuple(found)


def in_reach(file: TemplateFile, names: Iterable[str]) -> tuple[Candidate, ...]:
    """The files that a session in the root of `file` uses for `names`, nearest scope first."""
    found = scopes_at(file.workspace, file.dialect.system, file.root)
    chains = (definitions.candidates(file.workspace.files, file.dialect, found, n) for n in names)
    winners = filter(None, (next(chain, None) for chain in chains))
    return tuple(sorted(winners, key=lambda winner: (found.index(winner.scope), winner.name)))


def _foreign(
    workspace: Workspace, path: Path, placement: Placement, parsed: Document
) -> Foreign | None:
    """The signs that a file belongs to another system; a claimed folder has no such file.

    A folder with agents of this system belongs to it. Every other file there was meant to be an
    agent, except notes.
    """
    dialect, scope = placement.dialect, placement.scope
    in_bundle = dialect.schema.foreign_keys if scope.prefix else None
    if (in_bundle is None and dialect.system.shared is None) or not is_free(workspace, path.parent):
        return None
    if in_bundle is not None:
        keys = in_bundle(parsed, path.name)
        return Foreign(keys) if keys else None
    found = foreign(dialect, path.name, parsed)
    if found is None or found.is_note:
        return found
    is_among = _has_agents_beside(workspace.files, dialect, path, scope)
    return None if is_among else found


def hiding_config(file: TemplateFile) -> Path | None:
    """The file that sessions in the root of `file` read instead of all others, or None."""
    if not file.dialect.system.first_only:
        return None
    found = next(_files(file), None)
    other = next((path for path in _others(file, file.root)), None)
    is_project = found is not None and found[1].folder == file.root
    return other if other is not None and not is_project else found[0] if found else None


def hidden_by(file: TemplateFile) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """The files that sessions do not read because of this one, each with the agents it defines."""
    files = file.workspace.files
    for path, scope in _files(file):
        if path != file.path:
            found = definitions.named(files, file.dialect, path, scope)
            yield path, tuple(one.name for one in found)
    yield from ((path, ()) for path in _others(file, file.path.parent))


def _others(file: TemplateFile, folder: Path) -> Iterator[Path]:
    """The files of other forms in `folder`, in the order in which the runtime looks for one."""
    for name in file.dialect.system.passed_over:
        if file.workspace.files.exists(folder / name):
            yield folder / name


def _files(file: TemplateFile) -> Iterator[tuple[Path, Scope]]:
    """The files of all scopes, in the order in which the runtime looks for one."""
    workspace, system = file.workspace, file.dialect.system
    for scope in scopes(system, file.root, workspace.host_paths, workspace.files, workspace.focus):
        for name in workspace.files.entries(scope.folder):
            if system.has(name):
                yield scope.folder / name, scope


# The number of files that are read to find out which system a folder belongs to.
_MOST_SIBLINGS = 100


def _has_agents_beside(files: Files, dialect: Dialect, path: Path, scope: Scope) -> bool:
    """Whether the runtime loads another file beside `path` that can be of no other system."""
    found = definitions.names(files, dialect, path.parent, scope).items()
    for name, (other, *_) in islice(found, _MOST_SIBLINGS):
        file = definitions.source(files, dialect, other) if other != path else None
        if file is None or file.problem is not None:
            continue
        parsed = dialect.parse(file.text, bom=file.bom)
        is_own = foreign(dialect, other.name, parsed) is None and is_proof(dialect, parsed)
        if is_own and not dialect.format.read(parsed, name).errors:
            return True
    return False
