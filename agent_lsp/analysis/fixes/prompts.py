"""Fixes for prompts that are missing.

Invariant: what a prompt should say, nobody but the author knows; none of these is safe.
"""

from collections.abc import Iterator

from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.model import Proposal
from agent_lsp.analysis.fixes.writing import line_end, whole_line
from agent_lsp.analysis.rules import personas
from agent_lsp.analysis.rules.wording import code
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.index import TemplateFile

_PROMPT = "TODO: the prompt of this agent."


def written(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """The agent gets a prompt to be filled in, below the header."""
    del diagnostic
    text, at = file.document.text, file.document.frontmatter.body.start
    end = line_end(text)
    before = "" if text[:at].endswith("\n") else end
    after = end if text[at:].strip() else ""
    yield Proposal("Add a prompt", (TextEdit(Span(at, at), f"{before}{_PROMPT}{end}{after}"),))


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
