"""Parses a TOML file into the same nodes as YAML, with each table in its place.

Invariants: `parse` never raises, and always ends. The tree of a valid text is what the runtime
sees. In an invalid text, the damage stays in its statement.
"""

from agent_lsp.data_classes import replace
from agent_lsp.syntax.nodes import Node, Problem, Section, Tree
from agent_lsp.syntax.toml.incremental import EarlierRead
from agent_lsp.syntax.toml.read import PLACEHOLDER, read
from agent_lsp.syntax.toml.tables import document
from agent_lsp.syntax.toml.verdict import verdict
from agent_lsp.text import Span


def parse(text: str, start: int = 0) -> Tree:
    """The tree of `text`, which begins at offset `start` of its file."""
    return _parse(text, start)


def parse_open(text: str, start: int = 0) -> Tree:
    """As `parse`, for a runtime that replaces `${NAME}` before it parses the text.

    A line with a placeholder has no problems. A value with an unquoted one is a scalar of the kind
    UNKNOWN; `is_open` finds the quoted ones.
    """
    return _parse(text, start, placeholders=True)


def parse_newer(text: str, start: int = 0) -> Tree:
    """As `parse`, for a runtime with the toml crate 1.x, which reads TOML 1.1.

    The problem has the words of that crate, and its span what it underlines.
    """
    tree = _parse(text, start, newer=True)
    problem = verdict(text, tree.problem) if start == 0 else tree.problem
    damage = tree.damage or (() if problem is None else (problem,))
    return replace(tree, problem=problem, damage=damage)


def is_open(node: Node, text: str) -> bool:
    """Whether `node` of the file `text` contains a `${NAME}`, so that its value is not known."""
    return PLACEHOLDER.search(text, node.span.start, node.span.end) is not None


def unclosed(problem: Problem, text: str) -> Span | None:
    """The quotes or the bracket of the file `text` that `problem` reports as not closed.

    None for any other problem, such as an invalid item or a line end in an inline table.
    """
    opened, at = problem.context_span, problem.span
    if opened is None or at.of(text).strip():
        return None
    mark = opened.of(text)
    if mark == "{" and not at and at.start < len(text):
        return None
    is_multiline = mark in "\"'" and text.startswith(mark * 3, opened.start)
    return Span(opened.start, opened.start + 3) if is_multiline else opened


def _parse(text: str, start: int, *, placeholders: bool = False, newer: bool = False) -> Tree:
    span, kind = Span(start, start + len(text)), (placeholders, newer)
    found, problems = _sections(text, start, kind, tolerant=False)
    conflicts: list[Problem] = []
    root = document(span, found, conflicts)
    if not problems and not conflicts:
        return Tree(root, sections=found)
    problem = min(problems[:1] + conflicts[:1], key=lambda problem: problem.span)
    if problems:
        found, problems = _sections(text, start, kind, tolerant=True)
        conflicts = []
        root = document(span, found, conflicts)
    damage = sorted(problems + conflicts, key=lambda problem: problem.span)
    return Tree(root, problem, tuple(damage), sections=found)


def _sections(
    text: str, start: int, kind: tuple[bool, bool], *, tolerant: bool
) -> tuple[tuple[Section, ...], list[Problem]]:
    """The result of `read` for `text`; reuses unchanged sections of the last large text.

    A parse that stops at an error is not stored, because error recovery follows and contains more.
    """
    kept = _LAST.get(kind) if len(text) > _LARGE else None
    placeholders, newer = kind
    found, problems = read(
        text, start, placeholders=placeholders, newer=newer, tolerant=tolerant, before=kept
    )
    if len(text) > _LARGE and (tolerant or not problems):
        _LAST[kind] = found
    return found.sections, problems


# In code points: parsing a shorter text again is as fast as comparing it.
_LARGE = 5_000
# By what the text is read for: with placeholders, and as TOML 1.1.
_LAST: dict[tuple[bool, bool], EarlierRead] = {}
