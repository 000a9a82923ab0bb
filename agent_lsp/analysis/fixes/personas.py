"""Fixes for personas and prompts: a block for a declaration, a declaration for a block.

Invariants: of two names that should be one, the author says which is right; what a missing prompt
should say, nobody else knows, so that no fix for one is safe.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import coerce, header, personas
from agent_lsp.analysis.checks.messages import code, listed
from agent_lsp.analysis.checks.personas import Lookalike, by_persona, lookalikes
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.model import Proposal
from agent_lsp.analysis.fixes.node_path import (
    entry_at,
    line_end,
    line_start,
    node_path,
    placeholder,
    reworded,
    whole_line,
)
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.syntax.nodes import Mapping, Sequence, resolve
from agent_lsp.syntax.yaml import edit
from agent_lsp.syntax.yaml.edit import quote
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.snapshot import TemplateFile

_PROMPT = "TODO: the prompt of this persona."


def with_block(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A persona gets its block: the line that was meant for it, or a new one at the end."""
    marker = file.dialect.marker
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
            yield Proposal(f"Call the block {name}", (TextEdit(diagnostic.span, persona.got),))
            at = node_path(file, persona.span)
            if at is not None:
                yield Proposal(f"Call the persona {code(error.got)}", reworded(at, error.got))
            return
    names = [error.got for error in personas.undeclared(file) if error.span == diagnostic.span]
    if not names and header.loads(file):
        names = [block.name or "" for block in file.reading.effective.blocks[1:]]
    key, top = file.dialect.key_with_role(KeyRole.PERSONAS), header.root(file)
    if key is not None and top is not None and names and not diagnostic.meant:
        edits = declarations(file, key, top, names)
        yield Proposal(f"Declare {listed(names, 'and')}", edits)


def marked(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A comment becomes the marker that it looks like."""
    for alike in lookalikes(file):
        if alike.span != diagnostic.span or not alike.name or file.dialect.marker is None:
            continue
        proposal = _marked(file, alike, file.dialect.marker(alike.name))
        yield proposal
        key, top = file.dialect.key_with_role(KeyRole.PERSONAS), header.root(file)
        if key is not None and top is not None:
            edits = (*proposal.edits, *declarations(file, key, top, [alike.name]))
            yield Proposal(f"{proposal.title}, and declare {code(alike.name)}", edits, last=True)


def declarations(
    file: TemplateFile, key: Key, top: Mapping, names: list[str]
) -> tuple[TextEdit, ...]:
    """Declares `names` behind the personas that there are, or below the last key."""
    text = file.document.text
    entry = top.get(key.name)
    node = resolve(entry.value) if entry is not None else None
    end = line_end(text)
    if isinstance(node, Sequence) and node.items and entry is not None:
        last = node.items[-1].span
        if node.flow:
            records = ", ".join(_in_braces(file, key, name) for name in names)
            return (TextEdit(Span(last.end, last.end), f", {records}"),)
        first = node.items[0].span.start
        column = line_start(text, first)
        indent = text[column:first].partition("-")[0]
        if indent.strip():
            return ()
        stop = _line_stop(text, last.end)
        lines = "".join(f"{end}{line}" for line in _lines(file, key, names, indent))
        return (TextEdit(Span(stop, stop), lines),)
    if entry is not None or top.flow or not top.entries:
        return ()
    stop = _line_stop(text, top.entries[-1].span.end)
    at = top.entries[0].key.span.start
    indent = text[line_start(text, at) : at]
    rows = (f"{indent}{key.name}:", *_lines(file, key, names, f"{indent}  "))
    return (TextEdit(Span(stop, stop), "".join(f"{end}{row}" for row in rows)),)


def _marked(file: TemplateFile, alike: Lookalike, marker: str) -> Proposal:
    text, span = file.document.text, alike.span
    title = f"Write {code(marker)}"
    if alike.alone:
        # Blanks around it would keep the line from being a marker.
        start = line_start(text, span.start)
        line = Span(start, _line_stop(text, span.end))
        return Proposal(title, (TextEdit(line, marker),), safe=True)
    end = line_end(text)
    before = end if text[line_start(text, span.start) : span.start].strip() else ""
    return Proposal(f"{title} on its own line", (TextEdit(span, f"{before}{marker}{end}"),))


def _block_for(
    file: TemplateFile, diagnostic: Diagnostic, name: str, marker: str
) -> Iterator[Proposal]:
    text = file.document.text
    for link in diagnostic.related:
        yield Proposal(f"Call the second block {code(name)}", (TextEdit(link.span, name),))
    end = line_end(text)
    gap = "" if text.endswith("\n") else end
    at = Span(len(text), len(text))
    block = end.join((f"{gap}{end}{marker}", _PROMPT, ""))
    yield Proposal(f"Add a block for {code(name)}", (TextEdit(at, block),))


def _lines(file: TemplateFile, key: Key, names: list[str], indent: str) -> Iterator[str]:
    first, *others = coerce.required(key)
    for name in names:
        yield f"{indent}- {first.name}: {quote(name)}"
        for inner in others:
            yield f"{indent}  {inner.name}: {quote(placeholder(file, inner))}"


def _in_braces(file: TemplateFile, key: Key, name: str) -> str:
    first, *others = coerce.required(key)
    more = (f", {one.name}: {quote(placeholder(file, one), flow=True)}" for one in others)
    return f"{{{first.name}: {quote(name, flow=True)}{''.join(more)}}}"


def _line_stop(text: str, at: int) -> int:
    stop = text.find("\n", at)
    stop = len(text) if stop < 0 else stop
    return stop - 1 if text[stop - 1 : stop] == "\r" else stop


_AGENT_PROMPT = "TODO: the prompt of this agent."


def written(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """The agent gets a prompt to be filled in, below the header."""
    del diagnostic
    text, at = file.document.text, file.document.frontmatter.body.start
    end = line_end(text)
    before = "" if text[:at].endswith("\n") else end
    after = end if text[at:].strip() else ""
    yield Proposal(
        "Add a prompt", (TextEdit(Span(at, at), f"{before}{_AGENT_PROMPT}{end}{after}"),)
    )


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
