"""Reads a TOML file to the nodes that the reader of YAML makes, with every table in its place.

Invariants: `parse` never raises and always ends; a sound text's tree is what the runtime sees;
damage in an unsound one stays in the statement where it is.
"""

from agent_lsp.syntax.nodes import Node, Problem, Section, Tree
from agent_lsp.syntax.toml.incremental import EarlierRead
from agent_lsp.syntax.toml.read import PLACEHOLDER, read
from agent_lsp.syntax.toml.tables import document
from agent_lsp.text import Span


def parse(text: str, start: int = 0) -> Tree:
    """The tree of `text`, which begins at offset `start` of its file."""
    return _parse(text, start, placeholders=False)


def parse_open(text: str, start: int = 0) -> Tree:
    """As `parse`, for a runtime that replaces `${NAME}` before it reads the text.

    What stands on a line with one is never wrong, and a value with one but without quotes is a
    scalar of the kind UNKNOWN; `is_open` finds those with quotes.
    """
    return _parse(text, start, placeholders=True)


def is_open(node: Node, text: str) -> bool:
    """Whether `node` of the file `text` has a `${NAME}` in it: nobody can tell its value."""
    return PLACEHOLDER.search(text, node.span.start, node.span.end) is not None


def unclosed(problem: Problem, text: str) -> Span | None:
    """The quotes or the bracket in the file `text` of which `problem` says that they have no end.

    None for any other problem, as an item that is wrong or a line end inside of an inline table.
    """
    opened, at = problem.context_span, problem.span
    if opened is None or at.of(text).strip():
        return None
    mark = opened.of(text)
    if mark == "{" and not at and at.start < len(text):
        return None
    is_multiline = mark in "\"'" and text.startswith(mark * 3, opened.start)
    return Span(opened.start, opened.start + 3) if is_multiline else opened


def _parse(text: str, start: int, *, placeholders: bool) -> Tree:
    span = Span(start, start + len(text))
    found, problems = _sections(text, start, placeholders=placeholders, tolerant=False)
    conflicts: list[Problem] = []
    root = document(span, found, conflicts)
    if not problems and not conflicts:
        return Tree(root, sections=found)
    problem = min(problems[:1] + conflicts[:1], key=lambda problem: problem.span)
    if problems:
        found, problems = _sections(text, start, placeholders=placeholders, tolerant=True)
        conflicts = []
        root = document(span, found, conflicts)
    damage = sorted(problems + conflicts, key=lambda problem: problem.span)
    return Tree(root, problem, tuple(damage), sections=found)


def _sections(
    text: str, start: int, *, placeholders: bool, tolerant: bool
) -> tuple[tuple[Section, ...], list[Problem]]:
    """The result of `read` for `text`, reusing what has not changed since the last large text.

    A reading that ends at an error is not kept: the tolerant one follows, and holds more.
    """
    kept = _LAST.get(placeholders) if len(text) > _LARGE else None
    found, problems = read(text, start, placeholders=placeholders, tolerant=tolerant, before=kept)
    if len(text) > _LARGE and (tolerant or not problems):
        _LAST[placeholders] = found
    return found.sections, problems


# To read less than this anew takes no longer than to answer.
_LARGE = 5_000
_LAST: dict[bool, EarlierRead] = {}
