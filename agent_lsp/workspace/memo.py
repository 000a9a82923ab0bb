"""Remembers answers about files until what they were found from changes.

Invariants: there is one way to remember what depends on files. Each kind of answer is a `Memo` that
says how long its answers hold; the answers themselves lie with the `Files` that they are about, so
that other files have others.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Generic, Protocol, TypeVar, cast

Answer = TypeVar("Answer")
_Answers = dict[Hashable, tuple[object, object]]


class Lifetime(Enum):
    """What has to change before an answer is forgotten."""

    # Which folders and files there are, anywhere.
    TREE = "tree"
    # Which files a folder has.
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
        """There may be other folders now, or other files that mark one."""
        self.tree.clear()

    def forget_listing(self, folder: Path) -> None:
        """`folder` may have other files now."""
        for lifetime in _OF_FOLDERS:
            self.places[lifetime].pop(folder, None)

    def forget_text(self, path: Path, *, is_open: bool) -> None:
        """The text of the file at `path` is another one now."""
        self.places[Lifetime.TEXT].pop(path, None)
        self.places[Lifetime.TEXTS].pop(path.parent, None)
        if not is_open:
            self.places[Lifetime.CLOSED_TEXTS].pop(path.parent, None)

    def forget_disk(self, is_kept: Callable[[Path], bool]) -> None:
        """Anything may be another now, but for the texts of the files that are kept."""
        self.forget_tree()
        for lifetime in _OF_FOLDERS:
            self.places[lifetime].clear()
        texts = self.places[Lifetime.TEXT]
        self.places[Lifetime.TEXT] = {path: kept for path, kept in texts.items() if is_kept(path)}

    def supposing(self, path: Path) -> "Answers":
        """The same answers but for those that depend on the text of the file at `path`."""
        other = Answers(self.tree, {lifetime: dict(kept) for lifetime, kept in self.places.items()})
        other.forget_text(path, is_open=False)
        return other


class HasAnswers(Protocol):
    """Files, as far as memos need them."""

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
        # `make` may have led to a change of what is kept.
        self._of(files, place)[self, key] = (basis, answer)
        return answer

    def peek(
        self, files: HasAnswers, place: Path | None, key: Hashable, *, basis: object = None
    ) -> Answer | None:
        """The answer that is kept, or None."""
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
        """Keeps an answer that was found on the way to another one."""
        self._of(files, place)[self, key] = (basis, answer)

    def _of(self, files: HasAnswers, place: Path | None) -> _Answers:
        if place is None:
            return files.answers.tree
        return files.answers.places[self._lifetime].setdefault(place, {})
