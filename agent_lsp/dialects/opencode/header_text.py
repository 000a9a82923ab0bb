"""Reads the text of a header as OpenCode does: with js-yaml 3, and if that fails once more, mended.

Invariants: nodes have the offsets of the file, also those of a mended text. A tree keeps the
problem of the first try, since other readers do not try again.
Facts: OpenCode 1.18.33, measured 2026-11-28 (`tests/conformance/opencode.jsonl`). The second try
makes a block text of each value with a colon whose key stands at the start of a line. js-yaml 3
skips tabs in front of a key, reads `key: ? other` as two lines, and nothing between two commas as
null.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from agent_lsp.data_classes import dataclass, replace
from agent_lsp.dialects.opencode.values import Fault, fault_of
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Node, Problem, Tree
from agent_lsp.syntax.yaml.edited import (
    Edit,
    Edited,
    any_of,
    read_again,
    with_colon,
    with_empty_key,
)
from agent_lsp.syntax.yaml.empty_items import with_next_items
from agent_lsp.syntax.yaml.javascript import (
    IN_BLOCK,
    with_halves,
    with_line_end,
)
from agent_lsp.syntax.yaml.signs import with_question_marks
from agent_lsp.syntax.yaml.stand_ins import rebuilt, restored, with_letters
from agent_lsp.text import Span

_LINE = regex(
    r"(?P<key>[A-Za-z_]\w*)(?P<between>[^\S\n]*:[^\S\n]*)(?P<value>\S[^\u2028\u2029]*)", re.ASCII
)
_TAB = "\t"
_EXPLICIT = regex(r"(?<=:)[ \t]+(?=\?(?:\s|\Z))")
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
    tree = _first(text, start)
    if tree.problem is None:
        return tree
    found = read(text, start, may_mend=True)
    if found.is_mended:
        return replace(tree, root=found.root, damage=(), rest=None)
    return tree


# Each keystroke asks for a header several times.
@lru_cache(maxsize=64)
def read(text: str, start: int, *, may_mend: bool) -> Outcome:
    """What the program makes of a header that begins at `start`."""
    tree = _first(text, start)
    fault = fault_of(tree, text, start)
    if fault is None:
        return Outcome(tree.root)
    edits = tuple(_mending(text)) if may_mend else ()
    if not edits:
        return Outcome(None, fault)
    mended = Edited.of(text, edits)
    again = _first(mended.text, 0)
    if fault_of(again, mended.text, 0) is not None:
        return Outcome(None, fault, is_changed=True)
    root = again.root
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


def _first(text: str, start: int) -> Tree:
    """The tree of a text as js-yaml reads it."""
    return with_next_items(text, start, _read)


def _read(text: str, start: int) -> Tree:
    letters = with_question_marks(with_letters(text))
    letters, tree = with_halves(letters, start, with_line_end, alone=True, above=True)
    again = read_again(letters, start, tree, _lenient, with_line_end)
    if again is not tree or tree.root is None or letters == text:
        return again
    return replace(tree, root=rebuilt(tree.root, lambda at: at, restored, {}))


_OF_COLONS = any_of(with_colon, with_empty_key)


def _lenient(text: str, problem: Problem, start: int) -> Edit | None:
    """The change of a text from `start` on that makes libyaml read what js-yaml reads, or None."""
    colon = _OF_COLONS(text, problem, start)
    if colon is not None:
        return colon
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
