"""Helps the readers of unsound YAML: pieces of the text, the damage found, and a budget.

Invariants: a problem is reported inside the piece that has it; the budget bounds how much text
libyaml reads again, so any text is read in time proportional to its length.
"""

from dataclasses import dataclass, field, replace

from agent_lsp.syntax.nodes import Broken, Node, Problem, Scalar
from agent_lsp.syntax.yaml import build, libyaml
from agent_lsp.syntax.yaml.header_text import Source


@dataclass(slots=True)
class Pieces:
    """A broken text while it is read; `damage` and `anchors` grow, `budget` shrinks."""

    source: Source
    damage: list[Problem] = field(default_factory=list)
    anchors: build.Anchors = field(default_factory=dict)
    budget: int = 0
    reserve: int = 0

    def __post_init__(self) -> None:
        # Many times what any header takes that a person wrote.
        size = min(len(self.source.text), 1_000_000)
        self.reserve = 8 * size
        self.budget = self.reserve + 4 * size + 65_536


def compose(
    pieces: Pieces, start: int, end: int, *, before: str = "", after: str = ""
) -> tuple[Node | None, Problem | None]:
    """The node between two indexes, or None and the complaint, if there is one."""
    if pieces.budget <= 0:
        return None, None
    source = pieces.source
    reading = libyaml.compose(source, start, end, pieces.anchors, before=before, after=after)
    read = end - start
    if reading.problem is not None:
        # Up to the fault it is parsed, the rest is only copied.
        reached = reading.problem.span.start - source.offset(start)
        read = max(0, reached) + read // 16
    pieces.budget -= read + 1
    return (reading.root if reading.rest is None else None), reading.problem


def key(pieces: Pieces, start: int, end: int) -> Node:
    """The text before a colon; text that is no key by itself is broken."""
    node, problem = compose(pieces, start, end)
    if node is not None and not isinstance(node, Broken):
        return node
    return broken(pieces, start, end, problem)


def absent(pieces: Pieces, index: int) -> Scalar:
    """The value that is missing at `index`."""
    return Scalar(pieces.source.span(index, index), "")


def broken(pieces: Pieces, start: int, end: int, problem: Problem | None) -> Broken:
    """The text between two indexes as it stands, with `problem` reported."""
    # Behind a dash there may be nothing but blanks, which end before they begin.
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
    # A word without colon is only missed on the line after it.
    late = problem.message == "could not find expected ':'"
    if begun and low <= begun.start < high and (late or not inside):
        problem = replace(problem, span=begun)
    elif not inside:
        problem = replace(problem, span=pieces.source.token(start))
    pieces.damage.append(problem)
