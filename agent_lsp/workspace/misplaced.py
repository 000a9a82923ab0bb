"""Recognises templates where a place is no proof: in wrong, in shared and in common folders.

Invariants: a folder where a dialect looks is never a wrong one. A place alone proves nothing: the
keys of the header must be those of a template. Only a shared folder has files of other systems.
Such a file is recognised by its name, its header or the lack of a header, never by its prompt. A
common folder belongs to a system if its files show so by their texts. For this, a closed file is
read once, and again when a caller reports a change in the folder. At most `_MOST` closed files of a
folder are read.
"""

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import islice
from pathlib import Path

from agent_lsp.data_classes import dataclass
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import CommonFolder, MisplacedRules, SharedFolder
from agent_lsp.model.system import System
from agent_lsp.syntax import characters
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.workspace.bundles import bundle_of
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.near import may_misplace
from agent_lsp.workspace.paths import HostPaths, before, below
from agent_lsp.workspace.scopes import (
    folders_upward,
    is_called,
    proper_folder,
    repository,
    scope_of,
    session_root,
)


class MisplacedReason(Enum):
    """Why the runtime does not find a file."""

    FOLDER = "it does not read the folder"
    BELOW = "it reads the folder above, and no deeper"
    EXTENSION = "it reads files of another extension there"


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A wrong place for a template of `system`; `belongs` is the right folder.

    `shared` is true if other programs also have files in such a place.
    """

    system: System
    reason: MisplacedReason
    belongs: Path
    shared: bool = False

    @property
    def is_sure(self) -> bool:
        """Whether it is known that the runtime does not read the file."""
        rules = self.system.misplaced
        is_unknown = rules is not None and rules.is_below_unknown
        return not (is_unknown and self.reason is MisplacedReason.BELOW)


# The limit for a common folder. If so many files show nothing, the folder holds no templates.
_MOST = 500

# Whether a text is that of a template, and the closed files of a folder with such a text.
_CLAIMS = Memo[bool](Lifetime.TEXT)
_CLAIMING = Memo[frozenset[Path]](Lifetime.CLOSED_TEXTS)
_OF_FOLDERS = Memo[Misplaced | None](Lifetime.TREE)
_OF_PATHS = Memo[tuple[Misplaced, ...]](Lifetime.TREE)


def misplaced(system: System, path: Path, host_paths: HostPaths, files: Files) -> Misplaced | None:
    """What is wrong with the place of `path`, if it is a template; None if nothing is known."""
    rules = system.misplaced
    if rules is None or scope_of(system, path.parent, host_paths, files) is None:
        is_markdown = path.suffix.lower() == ".md"
        return misplaced_folder(system, path.parent, host_paths, files) if is_markdown else None
    extension = path.suffix.lower().removeprefix(".")
    is_one = extension in rules.extensions
    return Misplaced(system, MisplacedReason.EXTENSION, path.parent) if is_one else None


def all_misplaced(
    systems: tuple[System, ...], path: Path, host_paths: HostPaths, files: Files
) -> tuple[Misplaced, ...]:
    """As `misplaced`, for each of the systems to which the place of `path` is a wrong one."""
    every = (misplaced(system, path, host_paths, files) for system in systems)
    return _OF_PATHS.get(
        files,
        None,
        (path.parent, path.suffix.lower()),
        lambda: tuple(filter(None, every)),
        basis=(systems, host_paths),
    )


def misplaced_folder(
    system: System, folder: Path, host_paths: HostPaths, files: Files
) -> Misplaced | None:
    """As `misplaced`, for a `folder` of templates."""
    # Any Markdown file in an editor may be in a wrong folder of each of the systems.
    return _OF_FOLDERS.get(
        files,
        None,
        (system.id, folder),
        lambda: _misplaced_folder(system, folder, host_paths, files),
        basis=host_paths,
    )


def _misplaced_folder(
    system: System, folder: Path, host_paths: HostPaths, files: Files
) -> Misplaced | None:
    rules = system.misplaced
    # By their names, few folders may be wrong places.
    if rules is None or not may_misplace((system,), folder):
        return None
    if scope_of(system, folder, host_paths, files) is not None:
        return None
    above = next(_above(system, folder, host_paths, files), None)
    if above is not None:
        return Misplaced(system, MisplacedReason.BELOW, above)
    for ending in (*rules.folders, *rules.shared):
        if is_called(folder, ending, files):
            belongs = proper_folder(system, before(folder, ending), host_paths, files)
            return Misplaced(system, MisplacedReason.FOLDER, belongs, ending in rules.shared)
    found = _in_bundles(system, folder, rules, files)
    return next((Misplaced(system, MisplacedReason.FOLDER, right) for right in found), None)


def _in_bundles(
    system: System, folder: Path, rules: MisplacedRules, files: Files
) -> Iterator[Path]:
    """The right folder in the bundle in which `folder` is a wrong one."""
    for ending in rules.in_bundles:
        if not is_called(folder, ending, files):
            continue
        base = before(folder, ending)
        for rule in system.scopes:
            if rule.manifests is not None and bundle_of(rule.manifests, base, files) is not None:
                yield base / rule.folders[0]


def is_meant_for(place: Misplaced, document: Document, file_name: str) -> bool:
    """Whether a misplaced file is a template by its name or by its header."""
    rules = place.system.misplaced
    if rules is not None and rules.endings and file_name.endswith(rules.endings):
        return True
    top = document.tree.top
    if not isinstance(top, Mapping):
        return False
    known = {key.name for key in place.system.dialect.schema.keys}
    written = {entry.name for entry in top.entries}
    telling = place.system.misplaced.keys if place.shared and place.system.misplaced else known
    return written <= known and not written.isdisjoint(telling)


def _above(system: System, folder: Path, host_paths: HostPaths, files: Files) -> Iterator[Path]:
    """The folders above `folder` in which the runtime looks, nearest first."""
    for above in folder.parents:
        scope = scope_of(system, above, host_paths, files)
        if scope is not None and not scope.builtin and not scope.only:
            yield above


@dataclass(frozen=True, slots=True)
class Foreign:
    """The signs that a file belongs to another system.

    `keys` are the keys of its header that show this. `has_header` is true if the runtime sees a
    header. `is_note` is true if the file explains the folder.
    """

    keys: tuple[str, ...] = ()
    has_header: bool = True
    is_note: bool = False


def foreign(dialect: Dialect, file_name: str, document: Document) -> Foreign | None:
    """The signs that `document` belongs to another system, or None if it may be an agent."""
    shared = dialect.system.shared
    if shared is None:
        return None
    is_note = file_name.rpartition(".")[0].lower() in shared.notes
    has_header = document.frontmatter.fence is not FenceKind.ABSENT
    if not has_header:
        # An invisible character hides the header, but the author did not intend it.
        seen = document.text[characters.leading(document.text).end :]
        has_header = dialect.format.split(seen, False).fence is not FenceKind.ABSENT
    keys = tuple(_telling(shared, document))
    if not keys and has_header and not is_note:
        return None
    return Foreign(keys, has_header, is_note)


def is_proof(dialect: Dialect, document: Document) -> bool:
    """Whether a sound `document` of a shared folder can be an agent of this system only.

    Other systems have agents with a name, a description and no more.
    """
    shared, top = dialect.system.shared, document.tree.top
    if shared is None or not isinstance(top, Mapping):
        return True
    return any(top.get(name) is None for name in shared.elsewhere_required) or any(
        top.get(name) is not None for name in shared.values if dialect.key(name) is not None
    )


def _telling(shared: SharedFolder, document: Document) -> Iterator[str]:
    top = document.tree.top
    for entry in top.entries if isinstance(top, Mapping) else ():
        name = entry.name or ""
        words = shared.values.get(name)
        if name in shared.keys or (words and not words.isdisjoint(_words(entry.node))):
            yield name


def _words(value: Node | None) -> Iterator[str]:
    """The words of a value: the items of a list, or of a text, without what is in brackets."""
    for item in value.items if isinstance(value, Sequence) else (value,):
        text = resolve(item)
        if isinstance(text, Scalar):
            yield from re.split(r"[,\s]+", re.sub(r"\([^)]*\)?", "", text.value).strip())


def claims_template(files: Files, common: CommonFolder, path: Path) -> bool:
    """Whether the file at `path` shows by its text that it is a template."""
    if files.is_open(path):
        return _open_file_claims(files, common, path)
    return path in _closed(files, common, path.parent)


def any_claims_template(files: Files, common: CommonFolder, folder: Path) -> bool:
    """Whether a file of `folder` shows by its text that the folder holds templates."""
    of_system = common.extension
    held = (
        path
        for path in files.opened()
        if path.parent == folder and path.name.lower().endswith(of_system)
    )
    if any(_open_file_claims(files, common, path) for path in held):
        return True
    return bool(_closed(files, common, folder))


def is_of_system(files: Files, system: System, folder: Path, others: Iterable[Path]) -> bool:
    """Whether the repository of `folder` shows that it is for the runtime of `system`.

    `others` are folders in which the runtime may look, in this repository and elsewhere.
    """
    common = system.common
    if common is None:
        return False
    base = session_root(system, folder, files) or folder
    top = repository(base, files)
    above = folders_upward(base, files) if top is not None else (base,)
    if any(files.is_folder(start / common.landmark) for start in above):
        return True
    beside = (start / place for start in above for place in _places(system))
    # Called for each common folder of a workspace, at every keystroke in such a file.
    inside = filter(below(top), others) if top is not None else ()
    return any(
        any_claims_template(files, common, other) for other in dict.fromkeys((*beside, *inside))
    )


def _open_file_claims(files: Files, common: CommonFolder, path: Path) -> bool:
    return _CLAIMS.get(files, path, common, lambda: _says(files, common, path))


def _closed(files: Files, common: CommonFolder, folder: Path) -> frozenset[Path]:
    def claiming() -> frozenset[Path]:
        paths = (folder / name for name in files.entries(folder) if name.endswith(common.extension))
        closed = islice((path for path in paths if not files.is_open(path)), _MOST)
        return frozenset(path for path in closed if _says(files, common, path))

    return _CLAIMING.get(files, folder, common, claiming)


def _says(files: Files, common: CommonFolder, path: Path) -> bool:
    file = files.read(path)
    return file is not None and common.says(file.text)


def _places(system: System) -> Iterator[str]:
    """The project folders in which the runtime looks."""
    yield from (place for rule in system.scopes if not rule.builtin for place in rule.folders)
