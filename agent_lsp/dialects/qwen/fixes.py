"""Quick fixes for `qwen` alone: placeholders in a prompt, and blanks at a fence.

Invariant: nothing here is safe, since only the author knows what a placeholder was meant to be.
"""

from collections.abc import Iterator, Mapping

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes import remove
from agent_lsp.model.check import Fixer, Proposal
from agent_lsp.text import TextEdit
from agent_lsp.workspace.snapshot import TemplateFile


def as_text(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Writes each placeholder of the name so that the runtime leaves it alone."""
    word = diagnostic.span.of(file.document.text)
    name = word.removeprefix("${").removesuffix("}")
    # Variables of a shell are in capitals, and those of other languages are not.
    ways = (f"${name}", f"${{ {name} }}")
    for way in ways if name.isupper() else reversed(ways):
        spans = (diagnostic.span, *(one.span for one in diagnostic.related))
        edits = tuple(TextEdit(span, way) for span in spans)
        yield Proposal(f"Write {code(word)} as {code(way)}", edits)


FIXERS: Mapping[str, tuple[Fixer, ...]] = {
    "unknown-variable": (as_text,),
    "external-agent": (remove.dropped,),
}
