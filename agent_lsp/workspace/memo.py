"""Remembers answers about files until their inputs change.

Invariants: all answers that depend on files are remembered in this way. Each kind of answer is a
`Memo` with the lifetime of its answers; the answers themselves are stored with their `Files`, so
that other files have other answers.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Generic, Protocol, TypeVar, cast

Answer = TypeVar("Answer")
_Answers = dict[Hashable, tuple[object, object]]


class Lifetime(Enum):
    """The change that makes an answer outdated."""

    # Any change of the folders and files that exist.
    TREE = "tree"
    # A change of the files in a folder.
    LISTING = "listing"
    # … or the text of one that is closed.
    CLOSED_TEXTS = "closed texts"
    # … or the text of any.
    TEXTS = "texts"
    # The text of one file.
    TEXT = "text"


_OF_FOLDERS = (Lifetime.LISTING, Lifetime.CLOSED_TEXTS, Lifetime.TEXTS)


@dataclass(slots=True)
class Answers:
    """The answers about some files: of the tree, and of each folder and file by lifetime."""

    tree: _Answers = field(default_factory=dict)
    places: dict[Lifetime, dict[Path, _Answers]] = field(
        default_factory=lambda: {lifetime: {} for lifetime in (*_OF_FOLDERS, Lifetime.TEXT)}
    )

    def forget_tree(self) -> None:
        """Forgets the answers about the tree, when folders or the files that mark them change."""
        self.tree.clear()

    def forget_listing(self, folder: Path) -> None:
        """Forgets the answers about `folder`, when its files may have changed."""
        for lifetime in _OF_FOLDERS:
            self.places[lifetime].pop(folder, None)

    def forget_text(self, path: Path, *, is_open: bool) -> None:
        """Forgets the answers about the text of the file at `path`."""
        self.places[Lifetime.TEXT].pop(path, None)
        self.places[Lifetime.TEXTS].pop(path.parent, None)
        if not is_open:
            self.places[Lifetime.CLOSED_TEXTS].pop(path.parent, None)

    def forget_disk(self, is_kept: Callable[[Path], bool]) -> None:
        """Forgets everything except the answers about the texts of the kept files."""
        self.forget_tree()
        for lifetime in _OF_FOLDERS:
            self.places[lifetime].clear()
        texts = self.places[Lifetime.TEXT]
        self.places[Lifetime.TEXT] = {path: kept for path, kept in texts.items() if is_kept(path)}

    def supposing(self, path: Path) -> "Answers":
        """The same answers, except those that depend on the text of the file at `path`."""
        other = Answers(self.tree, {lifetime: dict(kept) for lifetime, kept in self.places.items()})
        other.forget_text(path, is_open=False)
        return other


class HasAnswers(Protocol):
    """The part of files that memos need."""

    answers: Answers


class Memo(Generic[Answer]):
    """One kind of answers, which all hold for `lifetime`."""

    def __init__(self, lifetime: Lifetime) -> None:
        self._lifetime = lifetime

    def get(
        self,
        files: HasAnswers,
        place: Path | None,
        key: Hashable,
        make: Callable[[], Answer],
        *,
        basis: object = None,
    ) -> Answer:
        """The answer for `key` about `place`, from `make` if none is kept for this `basis`.

        `place` is the folder or file that the lifetime speaks of, None for the tree. The answer
        for a key is made anew when its `basis` is not equal to the one before.
        """
        answers = self._of(files, place)
        kept = answers.get((self, key))
        if kept is not None and kept[0] == basis:
            return cast("Answer", kept[1])
        answer = make()
        # `make` may have changed the stored answers.
        self._of(files, place)[self, key] = (basis, answer)
        return answer

    def peek(
        self, files: HasAnswers, place: Path | None, key: Hashable, *, basis: object = None
    ) -> Answer | None:
        """The stored answer, or None."""
        kept = self._of(files, place).get((self, key))
        return cast("Answer", kept[1]) if kept is not None and kept[0] == basis else None

    def keep(
        self,
        files: HasAnswers,
        place: Path | None,
        key: Hashable,
        answer: Answer,
        *,
        basis: object = None,
    ) -> None:
        """Stores an answer that was found together with another one."""
        self._of(files, place)[self, key] = (basis, answer)

    def _of(self, files: HasAnswers, place: Path | None) -> _Answers:
        if place is None:
            return files.answers.tree
        return files.answers.places[self._lifetime].setdefault(place, {})
