"""Which declared personas lack a block and which blocks lack a declaration.

Invariant: a name that differs only by a slip between the two is one mistake, a pair.
"""

from collections.abc import Mapping

from agent_lsp.analysis.nearest import fold, nearest
from agent_lsp.analysis.rules import header
from agent_lsp.dialects.template import Fault, FaultKind
from agent_lsp.syntax import markdown
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject


def pairs(of: Subject) -> Mapping[Fault, Fault]:
    """For an undeclared block the persona without a block that it was meant for."""
    blockless = {fault.got: fault for fault in header.faults(of, FaultKind.BLOCKLESS)}
    found = {}
    for fault in header.faults(of, FaultKind.UNDECLARED):
        name = nearest(fault.got, blockless)
        if name is not None:
            found[fault] = blockless.pop(name)
    return found


def lookalike(of: Subject, name: str) -> Span | None:
    """A line of the body that was meant to start the block of `name` and is prompt text."""
    if of.dialect.marker is None:
        return None
    text, wanted = of.document.text, fold(of.dialect.marker(name))
    rows = markdown.lines(text, of.document.cut.body.start)
    return next((row for row in rows if fold(row.of(text).strip()) == wanted), None)
