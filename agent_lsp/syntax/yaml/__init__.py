"""Parses a YAML header: libyaml parses a valid text, and error recovery an invalid one.

Invariants: `parse` never raises, and always ends. The tree of a valid text is what the runtime
sees. In an invalid text, the damage stays in the part of the text where it is.
"""

from agent_lsp.syntax.nodes import Node, Tree
from agent_lsp.syntax.yaml import libyaml, recover
from agent_lsp.text import Span


def parse(text: str, start: int = 0) -> Tree:
    """The tree of `text`, a header without its fences that begins at offset `start`."""
    source = libyaml.read(text, start)
    anchors: libyaml.Anchors = {}
    reading = libyaml.compose(source, 0, len(source.text), anchors)
    # The parser looks anchors up as it reads, so an unknown one comes before its other complaint.
    problem = reading.unknown or reading.problem
    if reading.problem is not None:
        root, damage, rest = recover.read(source, reading.problem)
        return Tree(root, problem, damage, rest, libyaml.begun(source))
    rest = None if reading.rest is None else Span(source.offset(reading.rest), start + len(text))
    begun = libyaml.begun(source) if problem is not None else None
    return Tree(reading.root, problem, (), rest, begun)


def sound(text: str, start: int = 0) -> Node | None:
    """The root of `text` as `parse` finds it, or None if `text` is not one valid document."""
    source = libyaml.read(text, start)
    reading = libyaml.compose(source, 0, len(source.text), {})
    is_one = (reading.problem, reading.unknown, reading.rest) == (None, None, None)
    return reading.root if is_one else None
