"""Quick fixes for personas: a block for a declaration, a declaration for a block.

Invariants: of two names that should be equal, the author chooses the right one; only the author
knows what a missing prompt should say, so no fix for one is safe.
"""

from collections.abc import Iterator, Mapping

from agent_lsp.analysis.checks import header, personas
from agent_lsp.analysis.checks.messages import code, listed
from agent_lsp.analysis.checks.personas import Lookalike, by_persona, lookalikes
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.insert import declarations, line_stop
from agent_lsp.analysis.fixes.node_path import (
    entry_at,
    line_end,
    line_start,
    node_path,
    reworded,
    whole_line,
)
from agent_lsp.analysis.fixes.replace import replaced
from agent_lsp.model.check import Fixer, Proposal
from agent_lsp.model.schema import KeyRole
from agent_lsp.syntax.yaml import edit
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.snapshot import TemplateFile

_PROMPT = "TODO: the prompt of this persona."


def with_block(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A persona gets its block: the line that was meant for it, or a new one at the end."""
    marker = file.dialect.format.marker
    if marker is None:
        return
    for error, alike in by_persona(file).items():
        if alike.span == diagnostic.span:
            yield _marked(file, alike, marker(error.got))
            return
    entry = entry_at(file, diagnostic.span)
    for error in personas.lacking(file):
        if entry is not None and entry.value is not None and entry.value.span == error.span:
            names = personas.unnamed(file).get(error, ())
            for name in names:
                edits = edit.replace_value(file.document.text, entry, name)
                yield Proposal(f"Write {code(name)}", edits, safe=len(names) == 1)
        elif error.span == diagnostic.span:
            yield from _block_for(file, diagnostic, error.got, marker(error.got))


def declared(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A block gets its declaration, or the name of a persona that has no block."""
    for error, persona in personas.pairs(file).items():
        if error.span == diagnostic.span:
            name = code(persona.got)
            yield Proposal(f"Rename the block to {name}", (TextEdit(diagnostic.span, persona.got),))
            at = node_path(file, persona.span)
            if at is not None:
                yield Proposal(f"Rename the persona to {code(error.got)}", reworded(at, error.got))
            return
    names = [error.got for error in personas.undeclared(file) if error.span == diagnostic.span]
    if not names and header.loads(file):
        names = [block.name or "" for block in file.reading.effective.blocks[1:]]
    key, top = file.dialect.schema.by_role.get(KeyRole.PERSONAS), header.root(file)
    if key is not None and top is not None and names and not diagnostic.meant:
        edits = declarations(file, key, top, names)
        yield Proposal(f"Declare {listed(names, 'and')}", edits)


def marked(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A comment becomes the marker that it looks like."""
    for alike in lookalikes(file):
        if alike.span != diagnostic.span or not alike.name or file.dialect.format.marker is None:
            continue
        proposal = _marked(file, alike, file.dialect.format.marker(alike.name))
        yield proposal
        key, top = file.dialect.schema.by_role.get(KeyRole.PERSONAS), header.root(file)
        if key is not None and top is not None:
            edits = (*proposal.edits, *declarations(file, key, top, [alike.name]))
            yield Proposal(f"{proposal.title}, and declare {code(alike.name)}", edits, last=True)


def _marked(file: TemplateFile, alike: Lookalike, marker: str) -> Proposal:
    text, span = file.document.text, alike.span
    title = f"Write {code(marker)}"
    if alike.alone:
        # Blanks around it would keep the line from being a marker.
        start = line_start(text, span.start)
        line = Span(start, line_stop(text, span.end))
        return Proposal(title, (TextEdit(line, marker),), safe=True)
    end = line_end(text)
    before = end if text[line_start(text, span.start) : span.start].strip() else ""
    return Proposal(f"{title} on its own line", (TextEdit(span, f"{before}{marker}{end}"),))


def _block_for(
    file: TemplateFile, diagnostic: Diagnostic, name: str, marker: str
) -> Iterator[Proposal]:
    text = file.document.text
    for link in diagnostic.related:
        yield Proposal(f"Rename the second block to {code(name)}", (TextEdit(link.span, name),))
    end = line_end(text)
    gap = "" if text.endswith("\n") else end
    at = Span(len(text), len(text))
    block = end.join((f"{gap}{end}{marker}", _PROMPT, ""))
    yield Proposal(f"Add a block for {code(name)}", (TextEdit(at, block),))


def repeated(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """An empty block says what the default prompt says."""
    text, end = file.document.text, line_end(file.document.text)
    default = file.reading.declared.default
    prompt = default.span.of(text).strip()
    for block in personas.declared_blocks(file):
        if diagnostic.span in block.markers and prompt:
            line = whole_line(text, block.markers[-1].start)
            before = "" if line.of(text).endswith("\n") else end
            edit = TextEdit(Span(line.end, line.end), f"{before}{prompt}{end}")
            yield Proposal(f"Repeat the default prompt for {code(block.name or '')}", (edit,))


FIXERS: Mapping[str, tuple[Fixer, ...]] = {
    "block-without-persona": (replaced, declared),
    "empty-block": (repeated,),
    "marker-lookalike": (marked,),
    "persona-without-block": (with_block,),
}
