"""Quick fixes for an agent's file: what is missing, stands too low, or does nothing.

Invariant: words that are made up are never safe, and say that they are to be replaced.
"""

from collections.abc import Iterator, Mapping

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.node_path import node_path, whole_line
from agent_lsp.analysis.fixes.replace import replaced
from agent_lsp.analysis.fixes.syntax import toml_repaired
from agent_lsp.dialects.codex_agents import keys
from agent_lsp.model.check import Fixer, Proposal
from agent_lsp.syntax.nodes import Mapping as Table
from agent_lsp.syntax.nodes import Pair, resolve
from agent_lsp.syntax.toml import edit
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.snapshot import TemplateFile

_TO_WRITE = "TODO: say what the agent is for, and when to use it"
_PROMPT = "TODO: write the prompt"


def added(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A required key: the name is that of the file, and the others are to be written."""
    root = resolve(file.document.tree.root)
    if diagnostic.span.start or not isinstance(root, Table):
        return
    values = {"name": file.path.stem, "description": _TO_WRITE, keys.PROMPT: _PROMPT}
    for name, value in values.items():
        if root.get(name) is None and code(name) in diagnostic.message:
            edits = edit.insert_entry(file.document.text, file.document.tree, (), name, value)
            yield Proposal(f"Add {code(name)}", edits, safe=name == "name")


def written(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A blank value gets the words that are to be replaced."""
    at = node_path(file, diagnostic.span)
    name = at.entry.name if at is not None and at.entry is not None else None
    value = {"description": _TO_WRITE, keys.PROMPT: _PROMPT}.get(name or "")
    if value is not None and diagnostic.span.start:
        edits = (TextEdit(diagnostic.span, edit.quote(value)),)
        yield Proposal(f"Write a {code(name or '')}", edits)


def above_tables(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A key that stands behind a table goes above all of them, as it is written."""
    text, sections = file.document.text, file.document.tree.sections
    first = next((one for one in sections if one.header is not None), None)
    pair = _pair_at(file, diagnostic.span)
    if first is None or first.header is None or pair is None:
        return
    start = whole_line(text, pair.span.start).start
    end = whole_line(text, max(pair.span.end - 1, pair.span.start)).end
    moved = text[start:end]
    line_end = "\r\n" if "\r\n" in text else "\n"
    moved += "" if moved.endswith("\n") else line_end
    place = whole_line(text, first.header.span.start).start
    edits = (TextEdit(Span(place, place), moved), TextEdit(Span(start, end), ""))
    yield Proposal(f"Move {code(diagnostic.span.of(text))} above all tables", edits, safe=True)


def _pair_at(file: TemplateFile, span: Span) -> Pair | None:
    pairs = (pair for section in file.document.tree.sections for pair in section.pairs)
    found = (pair for pair in pairs if len(pair.keys) == 1 and pair.keys[0].span == span)
    return next(found, None)


def removed(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A key that does nothing goes."""
    at = node_path(file, diagnostic.span)
    if at is not None and at.entry is not None:
        edits = edit.remove_entry(file.document.text, file.document.tree, at.entry)
        yield Proposal(f"Remove {code(at.entry.name or '')}", edits)


def no_list(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A list of tools goes: there is none for an agent."""
    at = node_path(file, diagnostic.span)
    if at is not None and at.entry is not None and at.entry.name == "tools":
        yield from removed(file, diagnostic)


FIXERS: Mapping[str, tuple[Fixer, ...]] = {
    "header-invalid": (toml_repaired,),
    "missing-key": (added,),
    "missing-description": (added, written),
    "missing-default-prompt": (added, written),
    "no-effect": (removed,),
    "wrong-type": (no_list,),
    "swallowed-key": (above_tables,),
}
OF_CONFIGURATION: Mapping[str, tuple[Fixer, ...]] = {
    "agent-file": (replaced,),
    "header-invalid": (toml_repaired,),
    "missing-description": (written,),
    "no-effect": (removed,),
    "unknown-key": (removed,),
    "never-spawned": (removed,),
    "duplicate-key": (removed,),
}
