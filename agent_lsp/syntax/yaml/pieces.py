"""Reads parts of an invalid YAML text, collects the damage, and limits the work.

Invariants: a problem is reported inside the part that has it. The budget bounds how much text
libyaml reads again, so that the time is proportional to the length of the text.
"""

from dataclasses import dataclass, field, replace

from agent_lsp.syntax.nodes import Broken, Node, Problem, Scalar
from agent_lsp.syntax.yaml import libyaml
from agent_lsp.syntax.yaml.libyaml import Source


@dataclass(slots=True)
class Pieces:
    """An invalid text during error recovery; `damage` and `anchors` grow, `budget` shrinks."""

    source: Source
    damage: list[Problem] = field(default_factory=list)
    anchors: libyaml.Anchors = field(default_factory=dict)
    budget: int = 0
    reserve: int = 0

    def __post_init__(self) -> None:
        # Much more than a header written by a person needs.
        size = min(len(self.source.text), 1_000_000)
        self.reserve = 8 * size
        self.budget = self.reserve + 4 * size + 65_536


def compose(
    pieces: Pieces, start: int, end: int, *, before: str = "", after: str = ""
) -> tuple[Node | None, Problem | None]:
    """The node between two indexes, or None and the complaint.

    The complaint is None as well if the budget is used up.
    """
    if pieces.budget <= 0:
        return None, None
    source = pieces.source
    reading = libyaml.compose(source, start, end, pieces.anchors, before=before, after=after)
    read = end - start
    if reading.problem is not None:
        # libyaml parses the text up to the error; the rest is only copied.
        reached = reading.problem.span.start - source.offset(start)
        read = max(0, reached) + read // 16
    pieces.budget -= read + 1
    return (reading.root if reading.rest is None else None), reading.problem


def key(pieces: Pieces, start: int, end: int) -> Node:
    """The key before a colon; text that is not a key is broken."""
    node, problem = compose(pieces, start, end)
    if node is not None and not isinstance(node, Broken):
        return node
    return broken(pieces, start, end, problem)


def absent(pieces: Pieces, index: int) -> Scalar:
    """The missing value at `index`."""
    return Scalar(pieces.source.span(index, index), "")


def broken(pieces: Pieces, start: int, end: int, problem: Problem | None) -> Broken:
    """The text between two indexes as a broken node; reports `problem`."""
    # After a dash there may be only blanks; `end` is then before `start`.
    start = min(start, end)
    span = pieces.source.span(start, pieces.source.trimmed(start, end))
    report(pieces, problem, start, end)
    return Broken(span, pieces.source.raw(span))


def report(pieces: Pieces, problem: Problem | None, start: int, end: int) -> None:
    """Adds `problem` to the damage, at a place between two indexes."""
    if problem is None:
        return
    at, begun = problem.span, problem.context_span
    low, high = pieces.source.offset(start), pieces.source.offset(end)
    inside = low <= at.start < high
    # libyaml notices a missing colon only on the next line.
    late = problem.message == "could not find expected ':'"
    if begun and low <= begun.start < high and (late or not inside):
        problem = replace(problem, span=begun)
    elif not inside:
        problem = replace(problem, span=pieces.source.token(start))
    pieces.damage.append(problem)
