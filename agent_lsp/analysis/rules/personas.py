"""Which declared personas lack a block and which blocks lack a declaration.

Invariant: a name that differs only by a slip between the two is one mistake, a pair; so are a
name that YAML takes away, and a persona that is declared twice.
"""

from collections.abc import Mapping

from agent_lsp.analysis.nearest import nearest
from agent_lsp.analysis.rules import header, keys, taken
from agent_lsp.analysis.rules.wording import unquoted
from agent_lsp.dialects.template import Block, Fault, FaultKind
from agent_lsp.dialects.vocabulary import Holds
from agent_lsp.syntax import markdown
from agent_lsp.syntax.nodes import resolve
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject

# Names beyond any that a person writes are not compared with one another.
_MOST_PAIRS = 10_000
EXAMPLE = "put other text on the line if it is an example"


def pairs(of: Subject) -> Mapping[Fault, Fault]:
    """For an undeclared block the persona without a block that it was meant for."""
    blockless, found = _blockless(of), dict[Fault, Fault]()
    undeclared = tuple(header.faults(of, FaultKind.UNDECLARED))
    if len(blockless) * len(undeclared) > _MOST_PAIRS:
        return found
    for fault in undeclared:
        name = nearest(unquoted(fault.got), blockless)
        if name is not None:
            found[fault] = blockless.pop(name)
    return found


def unnamed(of: Subject) -> Mapping[Fault, tuple[str, ...]]:
    """For a persona whose name YAML takes away, the blocks that it may have been meant for."""
    elsewhere = pairs(of)
    left = [f.got for f in header.faults(of, FaultKind.UNDECLARED) if f not in elsewhere]
    found: dict[Fault, tuple[str, ...]] = {}
    blank = [fault for fault in header.faults(of, FaultKind.BLOCKLESS) if not fault.got]
    paired = set(elsewhere.values())
    for fault in _blockless(of).values() if left else ():
        node = resolve(header.node_at(of, fault.span)[0])
        comment = taken.comment(of, node)
        if comment is None or fault in paired:
            continue
        whole = of.document.text[fault.span.start : comment.end].casefold()
        name = next((name for name in left if name.casefold() == whole), None)
        if name is not None:
            found[fault] = (name,)
            left.remove(name)
    if blank and blank[0] not in found and 0 < len(left) <= len(blank):
        found[blank[0]] = tuple(left)
    return found


def undeclared(of: Subject) -> tuple[Fault, ...]:
    """The blocks without a persona, but for those that another finding speaks of."""
    found = tuple(header.faults(of, FaultKind.UNDECLARED))
    if not found or keys.is_below(of, Holds.PERSONAS):
        return ()
    elsewhere = {name for names in unnamed(of).values() for name in names}
    return tuple(fault for fault in found if fault.got not in elsewhere)


def lacking(of: Subject) -> tuple[Fault, ...]:
    """The personas without a block, each once, for which no block was meant."""
    meant = set(pairs(of).values())
    return tuple(fault for fault in _blockless(of).values() if fault not in meant)


def declared_blocks(of: Subject) -> tuple[Block, ...]:
    """The blocks of declared personas in a header that the runtime uses."""
    held = of.reading.held
    blocks = held.blocks[1:] if header.loads(of) else ()
    declared = {persona.name for persona in held.personas}
    return tuple(block for block in blocks if block.name and block.name in declared)


def markers_in_code(of: Subject) -> frozenset[Span]:
    """The names in those markers that stand in a fenced code block."""
    blocks = of.reading.written.blocks[1:]
    code = markdown.code_blocks(of.document.text, of.document.cut.body.start) if blocks else ()
    markers = (span for block in blocks for span in block.markers)
    return frozenset(span for span in markers if any(block.covers(span.start) for block in code))


def block_at(of: Subject, offset: int) -> str | None:
    """The persona whose block the text at `offset` belongs to, None for the default one."""
    markers = {
        span.start: block.name
        for block in of.reading.written.blocks
        for span in block.markers
        if span.start < offset
    }
    return markers[max(markers)] if markers else None


def _blockless(of: Subject) -> dict[str, Fault]:
    found: dict[str, Fault] = {}
    for fault in header.faults(of, FaultKind.BLOCKLESS):
        found.setdefault(fault.got, fault)
    return found
