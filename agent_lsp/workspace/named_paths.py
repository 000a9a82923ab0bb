"""Keeps which places the text of a file names, so that their changes can be watched.

Invariant: the places are those of the current text, and known once the file was checked.
"""

from collections.abc import Iterable
from enum import Enum
from pathlib import Path

from agent_lsp.workspace.files import Files
from agent_lsp.workspace.memo import Lifetime, Memo


class NamedIn(Enum):
    """The part of a file that names a place."""

    PROMPT = "the prompt"
    HOOK = "the command of a hook"
    SKILL = "the path of a skill"


_PLACES = Memo[frozenset[Path]](Lifetime.TEXT)


def keep(files: Files, path: Path, where: NamedIn, places: Iterable[Path]) -> None:
    """Stores the `places` that a part of the file at `path` names."""
    found = frozenset(places)
    if found or _PLACES.peek(files, path, where):
        _PLACES.keep(files, path, where, found)


def kept(files: Files, path: Path) -> frozenset[Path]:
    """The places that the file at `path` names."""
    found = [one for where in NamedIn if (one := _PLACES.peek(files, path, where))]
    return found[0] if len(found) == 1 else frozenset[Path]().union(*found)
