"""Stores answers about files until their inputs change.

Invariants: all answers that depend on files are stored in this way. A kind of answer is a `Memo`
with a lifetime. The answers themselves belong to their `Files`, so that other files have other
answers.
"""

import os
from collections.abc import Callable, Collection, Hashable, Iterable
from enum import Enum
from pathlib import Path
from typing import Generic, Protocol, TypeVar, cast

from agent_lsp.data_classes import dataclass, field

Answer = TypeVar("Answer")
_Answers = dict[Hashable, tuple[object, object]]


class Lifetime(Enum):
    """The change that makes an answer outdated."""

    # Any change of the folders and files that exist.
    TREE = "tree"
    # A change of the files in a folder.
    LISTING = "listing"
    # The same, or a change of the text of one that is closed.
    CLOSED_TEXTS = "closed texts"
    # The same, or a change of the text of any of them.
    TEXTS = "texts"
    # A change of the text of one file.
    TEXT = "text"

    # Each look-up hashes a lifetime. The hash of an enum is a call in Python.
    __hash__ = object.__hash__


_OF_FOLDERS = (Lifetime.LISTING, Lifetime.CLOSED_TEXTS, Lifetime.TEXTS)


@dataclass(slots=True)
class Answers:
    """The stored answers: those about the whole tree, and those about one folder or file.

    `changes` counts how often some were forgotten: while it is the same, no file has changed.
    `outdated` has the last answers about the closed texts of a folder, each with the files whose
    texts have changed since, so that a new answer need not look at the others again.
    """

    tree: _Answers = field(default_factory=dict)
    places: dict[Lifetime, dict[Path, _Answers]] = field(
        default_factory=lambda: {lifetime: {} for lifetime in (*_OF_FOLDERS, Lifetime.TEXT)}
    )
    changes: int = 0
    outdated: dict[Path, tuple[_Answers, set[Path]]] = field(default_factory=dict)

    def forget_tree(self) -> None:
        """Forgets the answers about the tree, after a change of folders or of marker files."""
        self.changes += 1
        self.tree.clear()

    def forget_listing(self, folder: Path) -> None:
        """Forgets the answers about `folder`, after a possible change of its files."""
        self.changes += 1
        self._outdate(folder)
        for lifetime in _OF_FOLDERS:
            self.places[lifetime].pop(folder, None)

    def forget_text(self, path: Path, *, is_open: bool) -> None:
        """Forgets the answers about the text of the file at `path`."""
        self.changes += 1
        folder = path.parent
        self.places[Lifetime.TEXT].pop(path, None)
        self.places[Lifetime.TEXTS].pop(folder, None)
        if not is_open:
            self._outdate(folder, path)

    def _outdate(self, folder: Path, *changed: Path) -> None:
        """Sets the answers about the closed texts of `folder` aside, for those that come next."""
        answers = self.places[Lifetime.CLOSED_TEXTS].pop(folder, None)
        before, since = self.outdated.get(folder, ({}, set[Path]()))
        if not answers:
            since.update(changed)
        elif answers.keys() >= before.keys():
            self.outdated[folder] = answers, set(changed)
        else:
            # Some were not asked for again, and lack the earlier changes as well.
            self.outdated[folder] = {**before, **answers}, since.union(changed)

    def forget_disk(self, kept: Iterable[Path]) -> None:
        """Forgets everything except the answers about the texts of the files in folders `kept`."""
        self.forget_tree()
        for folder in tuple(self.places[Lifetime.CLOSED_TEXTS]):
            self._outdate(folder)
        # The folder of a path would be a new path, which is slow to make and to look up.
        folders = frozenset(map(str, kept))
        self.outdated = {
            folder: one for folder, one in self.outdated.items() if str(folder) in folders
        }
        for lifetime in _OF_FOLDERS:
            self.places[lifetime].clear()
        texts = self.places[Lifetime.TEXT]
        for path in [one for one in texts if str(one).rpartition(os.sep)[0] not in folders]:
            del texts[path]

    def supposing(self, path: Path) -> "Answers":
        """A copy without the answers that depend on the text of the file at `path`."""
        places = {lifetime: dict(kept) for lifetime, kept in self.places.items()}
        outdated = {folder: (kept, set(since)) for folder, (kept, since) in self.outdated.items()}
        other = Answers(self.tree, places, outdated=outdated)
        other.forget_text(path, is_open=False)
        return other


class HasAnswers(Protocol):
    """The part of files that memos need."""

    answers: Answers


class Memo(Generic[Answer]):
    """One kind of answer, all with the same lifetime."""

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
        """The stored answer for `key` and `place`, or a new one from `make`.

        `place` is the folder or file of the lifetime, or None for the tree. A new answer is made if
        none is stored, or if the `basis` is not equal to that of the stored one.
        """
        # Asked hundreds of times at each start, most often about the tree.
        answers = files.answers.tree if place is None else self._of(files, place)
        kept = answers.get((self, key))
        if kept is not None and kept[0] is basis:
            return cast("Answer", kept[1])
        if kept is not None and kept[0] == basis:
            # Parts that are the same objects need no comparison the next time, such as a list of
            # all names in a folder.
            answers[self, key] = (basis, kept[1])
            return cast("Answer", kept[1])
        answer = make()
        # Look up again, since `make` may have changed the stored answers.
        answers = files.answers.tree if place is None else self._of(files, place)
        answers[self, key] = (basis, answer)
        return answer

    def peek(
        self, files: HasAnswers, place: Path | None, key: Hashable, *, basis: object = None
    ) -> Answer | None:
        """The stored answer, or None."""
        kept = self._of(files, place).get((self, key))
        return cast("Answer", kept[1]) if kept is not None and kept[0] == basis else None

    def outdated(
        self, files: HasAnswers, folder: Path, key: Hashable, *, basis: object = None
    ) -> tuple[Answer | None, Collection[Path]]:
        """The last answer about the closed texts of `folder`, and the files changed since.

        The files in the folder may be others by now.
        """
        answers, since = files.answers.outdated.get(folder, ({}, set[Path]()))
        kept = answers.get((self, key))
        is_same = kept is not None and kept[0] == basis
        return (cast("Answer", kept[1]) if kept is not None and is_same else None), since

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
        places = files.answers.places[self._lifetime]
        found = places.get(place)
        if found is None:
            found = places[place] = {}
        return found
