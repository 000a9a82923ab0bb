"""Declares personas, and adds a missing prompt.

Invariant: only the author knows what a missing prompt should say, so no fix for one is safe.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import coerce
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.node_path import (
    line_end,
    line_start,
    placeholder,
)
from agent_lsp.model.fix import Proposal
from agent_lsp.model.schema import Key
from agent_lsp.syntax.nodes import Mapping, Sequence
from agent_lsp.syntax.yaml.edit import quote
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.snapshot import TemplateFile


def declarations(
    file: TemplateFile, key: Key, top: Mapping, names: list[str]
) -> tuple[TextEdit, ...]:
    """Declares `names` after the existing personas, or below the last key."""
    text = file.document.text
    entry = top.get(key.name)
    node = entry.node if entry is not None else None
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
        stop = line_stop(text, last.end)
        lines = "".join(f"{end}{line}" for line in _lines(file, key, names, indent))
        return (TextEdit(Span(stop, stop), lines),)
    if entry is not None or top.flow or not top.entries:
        return ()
    stop = line_stop(text, top.entries[-1].span.end)
    at = top.entries[0].key.span.start
    indent = text[line_start(text, at) : at]
    rows = (f"{indent}{key.name}:", *_lines(file, key, names, f"{indent}  "))
    return (TextEdit(Span(stop, stop), "".join(f"{end}{row}" for row in rows)),)


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


def line_stop(text: str, at: int) -> int:
    """The offset at which the line of `at` ends, before a CR or LF."""
    stop = text.find("\n", at)
    stop = len(text) if stop < 0 else stop
    return stop - 1 if text[stop - 1 : stop] == "\r" else stop


_AGENT_PROMPT = "TODO: the prompt of this agent."


def written(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Adds a placeholder prompt below the header."""
    del diagnostic
    text, at = file.document.text, file.document.frontmatter.body.start
    end = line_end(text)
    before = "" if text[:at].endswith("\n") else end
    after = end if text[at:].strip() else ""
    yield Proposal(
        "Add a prompt", (TextEdit(Span(at, at), f"{before}{_AGENT_PROMPT}{end}{after}"),)
    )
