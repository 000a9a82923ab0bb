"""Reads the text of a header as OpenCode does: with js-yaml 3, and if that fails once more, mended.

Invariants: nodes have the offsets of the file, also those of a mended text. A tree keeps the
problem of the first try, since other readers do not try again.
Facts: OpenCode 1.18.33, measured 2026-11-28 (`tests/conformance/opencode.jsonl`). The second try
makes a block text of each value with a colon whose key stands at the start of a line. js-yaml 3
skips tabs in front of a key, reads `key: ? other` as two lines, and nothing between two commas as
null.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache

from agent_lsp.data_classes import dataclass, replace
from agent_lsp.dialects.opencode.values import Fault, fault_of
from agent_lsp.patterns import regex
from agent_lsp.syntax import yaml
from agent_lsp.syntax.nodes import Node, Problem, Tree
from agent_lsp.syntax.yaml.javascript import (
    IN_BLOCK,
    rebuilt,
    restored,
    with_halves,
    with_letters,
    with_line_end,
)
from agent_lsp.text import Span

_LINE = regex(
    r"(?P<key>[A-Za-z_]\w*)(?P<between>[^\S\n]*:[^\S\n]*)(?P<value>\S[^\u2028\u2029]*)", re.ASCII
)
_TAB = "\t"
# A key with two tabs in front is nothing that people write often.
_MOST_TABS = 50
_EXPLICIT = regex(r"(?<=:)[ \t]+(?=\?[ \t])")
_NOTHING_HERE = "did not find expected node content"
_NO_KEY_HERE = "mapping keys are not allowed in this context"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the program makes of a header: its root, or why there is none.

    `is_mended` says that only the second try reads it. Without a root, `is_changed` says that the
    second try had another text than the first one.
    """

    root: Node | None
    fault: Fault | None = None
    is_mended: bool = False
    is_changed: bool = False


def parse(text: str, start: int = 0) -> Tree:
    """The tree of a header that begins at the offset `start`; a mended one has its problem, too."""
    tree, root = _first(text, start)
    if root is not None:
        return tree
    found = read(text, start, may_mend=True)
    if found.is_mended:
        problem = tree.problem or _problem(found.fault)
        return replace(tree, root=found.root, problem=problem, damage=(), rest=None)
    return tree


# Each keystroke asks for a header several times.
@lru_cache(maxsize=64)
def read(text: str, start: int, *, may_mend: bool) -> Outcome:
    """What the program makes of a header that begins at `start`."""
    tree, root = _first(text, start)
    fault = fault_of(tree, text, start)
    if fault is None:
        return Outcome(tree.root)
    edits = tuple(_mending(text)) if may_mend else ()
    if not edits:
        return Outcome(None, fault)
    mended = _Edited.of(text, edits)
    again, root = _first(mended.text, 0)
    if fault_of(again, mended.text, 0) is not None:
        return Outcome(None, fault, is_changed=True)
    moved = (
        None if root is None else rebuilt(root, lambda at: start + mended.place(at), restored, {})
    )
    return Outcome(moved, fault, is_mended=True, is_changed=True)


def mended_lines(text: str, start: int) -> Iterator[Span]:
    """The values that the second try makes block texts of, in the order of the text."""
    yield from (
        Span(start + found.start("value"), start + found.start("value") + len(value))
        for found, value in _lines(text)
    )


def _problem(fault: Fault | None) -> Problem | None:
    return None if fault is None else Problem(fault.reason, fault.span)


def _first(text: str, start: int) -> tuple[Tree, Node | None]:
    """The tree of a text as js-yaml reads it, and its root if it is sound YAML."""
    letters, tree = with_halves(with_letters(text), start, with_line_end, alone=True, above=True)
    edited = _Edited.of(letters, ())
    first = tree
    for _ in range(_MOST_TABS):
        shift = start if tree is first else 0
        edit = None if tree.problem is None else _lenient(edited.text, tree.problem, shift)
        if edit is None:
            break
        edited = edited.again(edit)
        tree = yaml.parse(edited.text, 0)
    if tree.problem is not None:
        return first, None
    if tree is first and letters == text:
        return tree, tree.root
    is_moved = tree is not first
    place = (lambda at: start + edited.place(at)) if is_moved else (lambda at: at)
    root = None if tree.root is None else rebuilt(tree.root, place, restored, {})
    rest = tree.rest if tree.rest is None or not is_moved else Span(*map(place, _ends(tree.rest)))
    return replace(tree, root=root, rest=rest), root


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _lenient(text: str, problem: Problem, start: int) -> tuple[int, int, str] | None:
    """The change of a text from `start` on that makes libyaml read what js-yaml reads, or None."""
    at = problem.span.start - start
    is_in_brackets = problem.context is not None and "flow" in problem.context
    if problem.message == _NOTHING_HERE and is_in_brackets and text[at : at + 1] == ",":
        return (at, at, "~")
    # Alone in a row, `past_tabs` reads what js-yaml reads.
    is_alone = not text[at:].partition("\n")[0].strip()
    if text[at : at + 1] == _TAB and not (is_alone and problem.context == IN_BLOCK):
        line = text.rfind("\n", 0, at) + 1
        lead = len(text) - len(text[line:].lstrip(" \t")) - line
        if line <= at < line + lead:
            first = line + text[line : line + lead].index(_TAB)
            # js-yaml counts a tab as a blank in the first row of a level, and not in the others.
            return (first, line + lead, " " * (line + lead - first) * _is_first(text, line))
    if problem.message == _NO_KEY_HERE:
        line = text.rfind("\n", 0, at) + 1
        found = _EXPLICIT.search(text, line, at + 2)
        return None if found is None else (found.start(), found.end(), "\n")
    return None


def _is_first(text: str, line: int) -> bool:
    """Whether the row that begins at `line` is the first one of its level."""
    above, rest = _COMMENTS.sub("", text[:line]).rstrip(), text[line:].lstrip()
    # A key behind a tab alone is one of the outermost.
    is_inner = text[line : line + 1] == " " or rest.startswith("-")
    return not above or (above.endswith(":") and is_inner)


_COMMENTS = regex(r"(?:^|(?<=[ \t]))#.*", re.MULTILINE)


def _mending(text: str) -> Iterator[tuple[int, int, str]]:
    for found, value in _lines(text):
        yield (*found.span("between"), ": |-\n  ")
        yield (found.start("value") + len(value), found.end("value"), "")


def _lines(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """The lines that the second try changes, each with its value."""
    at = 0
    for row in text.split("\n"):
        found = _LINE.fullmatch(text, at, at + len(row.removesuffix("\r")))
        at += len(row) + 1
        if found is None:
            continue
        value = found["value"].strip()
        if ":" in value and value[0] not in "\"'":
            yield found, value


@dataclass(frozen=True, slots=True)
class _Edited:
    """A text after changes, and where each part of it was before.

    What a change has put in comes from the end of what it replaces.
    """

    text: str
    # The places in `text` where a part begins, and where that part was, or where its change ended.
    starts: tuple[int, ...]
    places: tuple[int, ...]
    copied: tuple[bool, ...]

    @classmethod
    def of(cls, text: str, edits: Iterable[tuple[int, int, str]]) -> "_Edited":
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

    def again(self, edit: tuple[int, int, str]) -> "_Edited":
        """The text after one more change."""
        more = _Edited.of(self.text, (edit,))
        starts = sorted({*more.starts, *(more.back(at) for at in self.starts)})
        return _Edited(
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
