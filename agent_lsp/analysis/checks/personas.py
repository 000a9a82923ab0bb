"""Which declared personas lack a block and which blocks lack a declaration.

Invariant: a name that differs only by a slip between the two is one mistake, a pair; so are a
name that YAML takes away, and a persona that is declared twice.
"""

from collections.abc import Mapping

from agent_lsp.analysis.checks import coerce, header, known_keys
from agent_lsp.analysis.checks.messages import unquoted
from agent_lsp.analysis.suggest import nearest
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Block, LoadError, LoadErrorKind
from agent_lsp.syntax import frontmatter
from agent_lsp.syntax.nodes import resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

# Names beyond any that a person writes are not compared with one another.
_MOST_PAIRS = 10_000
EXAMPLE = "put other text on the line if it is an example"


def pairs(file: TemplateFile) -> Mapping[LoadError, LoadError]:
    """For an undeclared block the persona without a block that it was meant for."""
    blockless, found = _blockless(file), dict[LoadError, LoadError]()
    undeclared = tuple(header.faults(file, LoadErrorKind.UNDECLARED))
    if len(blockless) * len(undeclared) > _MOST_PAIRS:
        return found
    for fault in undeclared:
        name = nearest(unquoted(fault.got), blockless)
        if name is not None:
            found[fault] = blockless.pop(name)
    return found


def unnamed(file: TemplateFile) -> Mapping[LoadError, tuple[str, ...]]:
    """For a persona whose name YAML takes away, the blocks that it may have been meant for."""
    elsewhere = pairs(file)
    left = [f.got for f in header.faults(file, LoadErrorKind.UNDECLARED) if f not in elsewhere]
    found: dict[LoadError, tuple[str, ...]] = {}
    blank = [fault for fault in header.faults(file, LoadErrorKind.BLOCKLESS) if not fault.got]
    paired = set(elsewhere.values())
    for fault in _blockless(file).values() if left else ():
        node = resolve(header.node_at(file, fault.span)[0])
        comment = coerce.comment(file, node)
        if comment is None or fault in paired:
            continue
        whole = file.document.text[fault.span.start : comment.end].casefold()
        name = next((name for name in left if name.casefold() == whole), None)
        if name is not None:
            found[fault] = (name,)
            left.remove(name)
    if blank and blank[0] not in found and 0 < len(left) <= len(blank):
        found[blank[0]] = tuple(left)
    return found


def undeclared(file: TemplateFile) -> tuple[LoadError, ...]:
    """The blocks without a persona, but for those that another finding speaks of."""
    found = tuple(header.faults(file, LoadErrorKind.UNDECLARED))
    if not found or known_keys.is_below(file, KeyRole.PERSONAS):
        return ()
    elsewhere = {name for names in unnamed(file).values() for name in names}
    return tuple(fault for fault in found if fault.got not in elsewhere)


def lacking(file: TemplateFile) -> tuple[LoadError, ...]:
    """The personas without a block, each once, for which no block was meant."""
    meant = set(pairs(file).values())
    return tuple(fault for fault in _blockless(file).values() if fault not in meant)


def declared_blocks(file: TemplateFile) -> tuple[Block, ...]:
    """The blocks of declared personas in a header that the runtime uses."""
    held = file.reading.effective
    blocks = held.blocks[1:] if header.loads(file) else ()
    declared = {persona.name for persona in held.personas}
    return tuple(block for block in blocks if block.name and block.name in declared)


def markers_in_code(file: TemplateFile) -> frozenset[Span]:
    """The names in those markers that stand in a fenced code block."""
    blocks = file.reading.declared.blocks[1:]
    code = (
        frontmatter.code_blocks(file.document.text, file.document.frontmatter.body.start)
        if blocks
        else ()
    )
    markers = (span for block in blocks for span in block.markers)
    return frozenset(span for span in markers if any(block.covers(span.start) for block in code))


def block_at(file: TemplateFile, offset: int) -> str | None:
    """The persona whose block the text at `offset` belongs to, None for the default one."""
    markers = {
        span.start: block.name
        for block in file.reading.declared.blocks
        for span in block.markers
        if span.start < offset
    }
    return markers[max(markers)] if markers else None


def _blockless(file: TemplateFile) -> dict[str, LoadError]:
    found: dict[str, LoadError] = {}
    for fault in header.faults(file, LoadErrorKind.BLOCKLESS):
        found.setdefault(fault.got, fault)
    return found
