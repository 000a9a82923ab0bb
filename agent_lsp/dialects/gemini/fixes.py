"""Fixes for agents of Gemini CLI alone.

Invariant: what changes the text of a prompt is not safe, unless it only takes away what hides it.
"""

import re
from collections.abc import Iterator, Mapping

from agent_lsp.analysis.checks import coerce, tool_policy
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.node_path import node_path
from agent_lsp.analysis.fixes.remove import without_effect
from agent_lsp.analysis.fixes.replace import renamed, replaced
from agent_lsp.data_classes import replace
from agent_lsp.dialects.gemini import policy, reading
from agent_lsp.dialects.gemini.borrowed import tool_for
from agent_lsp.model.check import Fixer, Proposal
from agent_lsp.model.schema import KeyRole
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Scalar, resolve
from agent_lsp.syntax.yaml import edit
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.snapshot import TemplateFile

_VARIABLE = regex(r"\$\{(\w+)\}", re.ASCII)
_WORD = regex(r"\w", re.ASCII)


def as_text(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A variable that nobody knows becomes text that the runtime leaves alone."""
    text = file.document.text
    found = _VARIABLE.fullmatch(diagnostic.span.of(text))
    if found is None or diagnostic.meant:
        return
    behind = text[diagnostic.span.end : diagnostic.span.end + 1]
    bare, spaced = f"${found[1]}", f"${{ {found[1]} }}"
    if not _WORD.match(behind):
        yield Proposal(f"Write {code(bare)}", (TextEdit(diagnostic.span, bare),))
    yield Proposal(f"Write {code(spaced)}", (TextEdit(diagnostic.span, spaced),))


def closed_alone(file: TemplateFile, _diagnostic: Diagnostic) -> Iterator[Proposal]:
    """The closing fence stands alone on its line; words behind it begin the prompt."""
    behind, text = reading.behind_fence(file.document), file.document.text
    if behind is None:
        return
    rest = behind.of(text)
    if not rest.strip("- \t"):
        edits = (TextEdit(behind, ""),)
        yield Proposal("Write `---` alone", edits, safe=True)
        return
    line_end = "\r\n" if "\r\n" in text else "\n"
    start = behind.start + len(rest) - len(rest.lstrip(" \t-"))
    moved = (TextEdit(Span(behind.start, start), line_end),)
    yield Proposal("Begin the prompt on the next line", moved)


def translated(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A text that lists tools becomes a list with their names here."""
    at = node_path(file, diagnostic.span)
    entry = at.entry if at is not None else None
    node = resolve(entry.value) if entry is not None else None
    if at is None or entry is None or entry.name != "tools" or not isinstance(node, Scalar):
        return
    names = [tool_for(name) for name in coerce.names(node.value)]
    found = tuple(dict.fromkeys(name for name in names if name is not None))
    if found and None not in names:
        edits = edit.replace_value(file.document.text, entry, found, flow=at.flow)
        yield Proposal("Make it a list, with the names of the tools here", edits)


def unlisted(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A name that is no tool goes away; if nothing else is listed, the agent has no tools then."""
    entries = tool_policy.policy(file).entries[KeyRole.ALLOW]
    is_any_left = any(policy.is_valid(entry.text) for entry in entries)
    is_of_server = policy.misnamed(diagnostic.span.of(file.document.text)) is not None
    for proposal in without_effect(file, diagnostic) if not diagnostic.meant else ():
        yield replace(proposal, safe=is_any_left and not is_of_server)


FIXERS: Mapping[str, tuple[Fixer, ...]] = {
    "agent-name": (replaced,),
    "ignored-key": (renamed,),
    "unknown-tool": (unlisted,),
    "unknown-variable": (as_text, replaced),
    "unread-prompt": (closed_alone,),
    "wrong-type": (translated,),
}
