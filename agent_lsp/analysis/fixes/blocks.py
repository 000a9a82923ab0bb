"""Fixes for personas: a block for a declaration, a declaration for a block, lines meant for one.

Invariant: of two names that should be one, the author says which is right.
"""

from collections.abc import Iterator

from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.model import Proposal
from agent_lsp.analysis.fixes.spot import entry_at, reworded, spot
from agent_lsp.analysis.fixes.writing import line_end, line_start, placeholder
from agent_lsp.analysis.rules import header, instead, personas
from agent_lsp.analysis.rules.lookalikes import Lookalike, by_persona, lookalikes
from agent_lsp.analysis.rules.wording import code, listed
from agent_lsp.dialects.vocabulary import Holds, Key
from agent_lsp.syntax import edit
from agent_lsp.syntax.nodes import Mapping, Sequence, resolve
from agent_lsp.syntax.yaml_quote import quote
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.index import Subject

_PROMPT = "TODO: the prompt of this persona."


def with_block(of: Subject, found: Diagnostic) -> Iterator[Proposal]:
    """A persona gets its block: the line that was meant for it, or a new one at the end."""
    marker = of.dialect.marker
    if marker is None:
        return
    for fault, alike in by_persona(of).items():
        if alike.span == found.span:
            yield _marked(of, alike, marker(fault.got))
            return
    entry = entry_at(of, found.span)
    for fault in personas.lacking(of):
        if entry is not None and entry.value is not None and entry.value.span == fault.span:
            names = personas.unnamed(of).get(fault, ())
            for name in names:
                edits = edit.replace_value(of.document.text, entry, name)
                yield Proposal(f"Write {code(name)}", edits, safe=len(names) == 1)
        elif fault.span == found.span:
            yield from _block_for(of, found, fault.got, marker(fault.got))


def declared(of: Subject, found: Diagnostic) -> Iterator[Proposal]:
    """A block gets its declaration, or the name of a persona that has no block."""
    for fault, persona in personas.pairs(of).items():
        if fault.span == found.span:
            name = code(persona.got)
            yield Proposal(f"Call the block {name}", (TextEdit(found.span, persona.got),))
            at = spot(of, persona.span)
            if at is not None:
                yield Proposal(f"Call the persona {code(fault.got)}", reworded(at, fault.got))
            return
    names = [fault.got for fault in personas.undeclared(of) if fault.span == found.span]
    if not names and header.loads(of):
        names = [block.name or "" for block in of.reading.held.blocks[1:]]
    key, top = of.dialect.key_holding(Holds.PERSONAS), header.root(of)
    if key is not None and top is not None and names and not found.meant:
        edits = declarations(of, key, top, names)
        yield Proposal(f"Declare {listed(names, 'and')}", edits)


def marked(of: Subject, found: Diagnostic) -> Iterator[Proposal]:
    """A comment becomes the marker that it looks like."""
    for alike in lookalikes(of):
        if alike.span != found.span or not alike.name or of.dialect.marker is None:
            continue
        proposal = _marked(of, alike, of.dialect.marker(alike.name))
        yield proposal
        key, top = of.dialect.key_holding(Holds.PERSONAS), header.root(of)
        if key is not None and top is not None:
            edits = (*proposal.edits, *declarations(of, key, top, [alike.name]))
            yield Proposal(f"{proposal.title}, and declare {code(alike.name)}", edits, last=True)


def declarations(of: Subject, key: Key, top: Mapping, names: list[str]) -> tuple[TextEdit, ...]:
    """Declares `names` behind the personas that there are, or below the last key."""
    text = of.document.text
    entry = top.get(key.name)
    node = resolve(entry.value) if entry is not None else None
    end = line_end(text)
    if isinstance(node, Sequence) and node.items and entry is not None:
        last = node.items[-1].span
        if node.flow:
            records = ", ".join(_in_braces(of, key, name) for name in names)
            return (TextEdit(Span(last.end, last.end), f", {records}"),)
        first = node.items[0].span.start
        column = line_start(text, first)
        indent = text[column:first].partition("-")[0]
        if indent.strip():
            return ()
        stop = _line_stop(text, last.end)
        lines = "".join(f"{end}{line}" for line in _lines(of, key, names, indent))
        return (TextEdit(Span(stop, stop), lines),)
    if entry is not None or top.flow or not top.entries:
        return ()
    stop = _line_stop(text, top.entries[-1].span.end)
    at = top.entries[0].key.span.start
    indent = text[line_start(text, at) : at]
    rows = (f"{indent}{key.name}:", *_lines(of, key, names, f"{indent}  "))
    return (TextEdit(Span(stop, stop), "".join(f"{end}{row}" for row in rows)),)


def _marked(of: Subject, alike: Lookalike, marker: str) -> Proposal:
    text, span = of.document.text, alike.span
    title = f"Write {code(marker)}"
    if alike.alone:
        # Blanks around it would keep the line from being a marker.
        start = line_start(text, span.start)
        line = Span(start, _line_stop(text, span.end))
        return Proposal(title, (TextEdit(line, marker),), safe=True)
    end = line_end(text)
    before = end if text[line_start(text, span.start) : span.start].strip() else ""
    return Proposal(f"{title} on a line of its own", (TextEdit(span, f"{before}{marker}{end}"),))


def _block_for(of: Subject, found: Diagnostic, name: str, marker: str) -> Iterator[Proposal]:
    text = of.document.text
    for link in found.related:
        yield Proposal(f"Call the second block {code(name)}", (TextEdit(link.span, name),))
    end = line_end(text)
    gap = "" if text.endswith("\n") else end
    at = Span(len(text), len(text))
    block = end.join((f"{gap}{end}{marker}", _PROMPT, ""))
    yield Proposal(f"Add a block for {code(name)}", (TextEdit(at, block),))


def _lines(of: Subject, key: Key, names: list[str], indent: str) -> Iterator[str]:
    first, *others = instead.required(key)
    for name in names:
        yield f"{indent}- {first.name}: {quote(name)}"
        for inner in others:
            yield f"{indent}  {inner.name}: {quote(placeholder(of, inner))}"


def _in_braces(of: Subject, key: Key, name: str) -> str:
    first, *others = instead.required(key)
    more = (f", {one.name}: {quote(placeholder(of, one), flow=True)}" for one in others)
    return f"{{{first.name}: {quote(name, flow=True)}{''.join(more)}}}"


def _line_stop(text: str, at: int) -> int:
    stop = text.find("\n", at)
    stop = len(text) if stop < 0 else stop
    return stop - 1 if text[stop - 1 : stop] == "\r" else stop
