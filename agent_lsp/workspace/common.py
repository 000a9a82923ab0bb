"""Which files of a folder with a common name are templates, by what the files say.

Invariants: a closed file is read once for this, and again when somebody says that a file of the
folder has changed; what is kept is which ones say so; of a folder at most `_MOST` closed files are
asked.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from agent_lsp.dialects.folders import CommonFolder
from agent_lsp.dialects.model import Dialect
from agent_lsp.workspace.files import OF_TEXTS, Files
from agent_lsp.workspace.paths import below
from agent_lsp.workspace.scopes import folders_upward, repository, session_root

# Asked for in a common folder. Where so many say nothing, nobody keeps templates.
_MOST = 500


def claims_folder(files: Files, common: CommonFolder, path: Path) -> bool:
    """Whether the text of the file at `path` says that it is a template."""
    if files.is_open(path):
        return _held_speaks(files, common, path)
    return path in _closed(files, common, path.parent)


def any_claims_folder(files: Files, common: CommonFolder, folder: Path) -> bool:
    """Whether a file of `folder` says so, which speaks for the files beside it, too."""
    held = (path for path in files.opened() if path.parent == folder)
    if any(_held_speaks(files, common, path) for path in held):
        return True
    return bool(_closed(files, common, folder))


def is_of_system(files: Files, dialect: Dialect, folder: Path, others: Iterable[Path]) -> bool:
    """Whether the repository of `folder` shows that it is for the runtime of `known`.

    `others` are folders in which the runtime may look, here and elsewhere.
    """
    common = dialect.common
    if common is None:
        return False
    base = session_root(dialect, folder, files) or folder
    top = repository(base, files)
    above = tuple(folders_upward(base, files)) if top is not None else (base,)
    if any(files.is_folder(start / common.landmark) for start in above):
        return True
    beside = (start / place for start in above for place in _places(dialect))
    # Asked of each common folder of a workspace, at every keystroke in such a file.
    inside = filter(below(top), others) if top is not None else ()
    return any(
        any_claims_folder(files, common, other) for other in dict.fromkeys((*beside, *inside))
    )


def _held_speaks(files: Files, common: CommonFolder, path: Path) -> bool:
    # Forgotten with the text of the file.
    kept = files.notes.get(path, {}).get(common)
    if not isinstance(kept, bool):
        kept = _says(files, common, path)
        files.notes.setdefault(path, {})[common] = kept
    return kept


@dataclass(frozen=True, slots=True)
class _Closed:
    """Those of a folder's files that no editor holds and that say that they are templates."""

    common: CommonFolder
    speaking: frozenset[Path]


def _closed(files: Files, common: CommonFolder, folder: Path) -> frozenset[Path]:
    kept = files.derived(folder, OF_TEXTS)
    if not isinstance(kept, _Closed) or kept.common is not common:
        paths = (folder / name for name in files.entries(folder) if name.endswith(".md"))
        closed = islice((path for path in paths if not files.is_open(path)), _MOST)
        kept = _Closed(common, frozenset(path for path in closed if _says(files, common, path)))
        files.remember(folder, OF_TEXTS, kept)
    return kept.speaking


def _says(files: Files, common: CommonFolder, path: Path) -> bool:
    file = files.read(path)
    return file is not None and common.says(file.text)


def _places(dialect: Dialect) -> Iterator[str]:
    """The folders of a project in which the runtime looks."""
    yield from (place for rule in dialect.scopes if not rule.builtin for place in rule.folders)
