"""Reads a text again after small changes, with which libyaml takes what another parser takes.

Invariant: nodes have the places of the text before the changes.
Facts: between brackets, js-yaml 3.15.2 and 4.1.0 read a colon with a key and no blank behind it, or
without a key; run 2026-11-30 (`js-yaml-properties`). Claude Code 2.1.332 does so, too
(`claude-colons`).
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable

from agent_lsp.data_classes import dataclass, replace
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Problem, Tree
from agent_lsp.syntax.yaml import libyaml
from agent_lsp.syntax.yaml.stand_ins import rebuilt, restored, stand_in
from agent_lsp.text import Span

# A change: where it starts and ends, and what is there instead.
Edit = tuple[int, int, str]
Change = Callable[[str, Problem, int], Edit | None]
# The most changes of a text, and the most characters that are read for them. Each change is about
# one place, and nobody writes many of these.
_MOST, _MOST_READ = 50, 2_000_000


def read_again(
    text: str,
    start: int,
    tree: Tree,
    change: Change,
    read: Callable[[str, int], Tree],
) -> Tree:
    """The tree of `text` after the changes that make it sound; without them, `tree` as it is.

    `tree` is that of `text`, which begins at `start`. `change` returns the change for a problem,
    given the text and where that begins, or None.
    """
    problem = tree.problem
    edit = None if problem is None else change(text, problem, start)
    if edit is None:
        return tree
    edited, again = Edited.of(text, ()), tree
    for _ in range(min(_MOST, _MOST_READ // len(text))):
        edited = edited.again(edit)
        # To find the next problem is faster than to read around it.
        problem = _problem(edited.text)
        edit = None if problem is None else change(edited.text, problem, 0)
        if edit is None:
            again = read(edited.text, 0)
            edit = None if again.problem is None else change(edited.text, again.problem, 0)
        if edit is None:
            break
    is_sound = again is not tree and again.problem is None
    return moved(again, lambda at: start + edited.place(at)) if is_sound else tree


def _problem(text: str) -> Problem | None:
    source = libyaml.read(text, 0)
    found = libyaml.compose(source, 0, len(source.text), {})
    return found.unknown or found.problem


_UNEXPECTED = "found unexpected ':'"
_NOTHING_HERE = "did not find expected node content"
_BEHIND_KEY = " \t\r\n,[]{}"


def with_colon(text: str, problem: Problem, start: int, *, key: str = "~") -> Edit | None:
    """The change for a colon between brackets that libyaml does not take, or None.

    `key` is put in front of a colon without a key; to js-yaml, that key is null.
    """
    at = problem.span.start - start
    if text[at : at + 1] != ":" or problem.message not in (_UNEXPECTED, _NOTHING_HERE):
        return None
    following = text[at + 1 : at + 2]
    if following and following not in _BEHIND_KEY:
        # It is a letter of a word.
        return (at, at + 1, stand_in(":"))
    return (at, at, key) if problem.message == _NOTHING_HERE else (at + 1, at + 1, " ")


_NO_END = ("did not find expected ',' or ']'", "did not find expected ',' or '}'")
_EXPLICIT = regex(r"\?\s*(?=[:,]\s*\Z)")


def with_empty_key(text: str, problem: Problem, start: int, *, key: str = "~") -> Edit | None:
    """The change that puts `key` behind a `?` without one in a list in brackets, or None."""
    if problem.message not in _NO_END:
        return None
    at = problem.span.start - start
    # libyaml takes the colon or the comma, and then no value.
    found = _EXPLICIT.match(text, max(text.rfind("?", 0, at), 0), at)
    return None if found is None else (found.end(), found.end(), f"{key} ")


def any_of(*changes: Change) -> Change:
    """The first change that one of the functions returns."""

    def change(text: str, problem: Problem, start: int) -> Edit | None:
        return next((edit for one in changes if (edit := one(text, problem, start))), None)

    return change


def moved(tree: Tree, place: Callable[[int], int]) -> Tree:
    """A sound tree of a changed text with the places and the characters of the text before."""
    root = None if tree.root is None else rebuilt(tree.root, place, restored, {})
    rest = None if tree.rest is None else Span(place(tree.rest.start), place(tree.rest.end))
    return replace(tree, root=root, rest=rest)


@dataclass(frozen=True, slots=True)
class Edited:
    """A text after changes, and where each part of it was before.

    What a change has put in comes from the end of what it replaces.
    """

    text: str
    # The places in `text` where a part begins, and where that part was, or where its change ended.
    starts: tuple[int, ...]
    places: tuple[int, ...]
    copied: tuple[bool, ...]

    @classmethod
    def of(cls, text: str, edits: Iterable[Edit]) -> "Edited":
        """`text` with `edits`, which are in its order."""
        parts: list[str] = []
        starts, places, copied = [], [], []
        at = length = 0
        for start, end, new in (*edits, (len(text), len(text), "")):
            for part, place, is_copy in ((text[at:start], at, True), (new, end, False)):
                if part:
                    starts.append(length)
                    places.append(place)
                    copied.append(is_copy)
                    parts.append(part)
                    length += len(part)
            at = end
        return cls("".join(parts), tuple(starts), tuple(places), tuple(copied))

    def again(self, edit: Edit) -> "Edited":
        """The text after one more change."""
        more = Edited.of(self.text, (edit,))
        starts = sorted({*more.starts, *(more.back(at) for at in self.starts)})
        return Edited(
            more.text,
            tuple(starts),
            tuple(self.place(more.place(at)) for at in starts),
            tuple(more.is_copied(at) and self.is_copied(more.place(at)) for at in starts),
        )

    def back(self, old: int) -> int:
        """The first place in this text that was at `old`, or behind it."""
        for start, place, is_copy in zip(self.starts, self.places, self.copied, strict=True):
            following = [one for one in self.starts if one > start]
            length = (following[0] if following else len(self.text)) - start
            if is_copy and place <= old < place + length:
                return start + old - place
            if place >= old:
                return start
        return len(self.text)

    def is_copied(self, at: int) -> bool:
        """Whether what is at `at` was in the text before."""
        index = bisect_right(self.starts, at) - 1
        return index >= 0 and self.copied[index]

    def place(self, at: int) -> int:
        """Where what is at `at` was before."""
        index = bisect_right(self.starts, at) - 1
        if index < 0:
            return at
        inner = at - self.starts[index]
        if self.copied[index]:
            return self.places[index] + inner
        if not inner and index and self.copied[index - 1]:
            return self.places[index - 1] + at - self.starts[index - 1]
        return self.places[index]
