"""Quick fixes for `moltis.toml`."""

from collections.abc import Iterator, Mapping

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.node_path import lifts, node_path
from agent_lsp.analysis.fixes.replace import replaced
from agent_lsp.analysis.fixes.syntax import toml_repaired
from agent_lsp.model.check import Fixer, Proposal
from agent_lsp.syntax.toml import edit
from agent_lsp.workspace.snapshot import TemplateFile


def without_effect(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """An entry of a list goes away that does nothing; its author meant something by it."""
    at = node_path(file, diagnostic.span)
    if at is not None and at.sequence is not None and not lifts(file, at):
        edits = edit.remove_item(file.document.text, at.node)
        yield Proposal(f"Remove {code(diagnostic.span.of(file.document.text))}", edits)


FIXERS: Mapping[str, tuple[Fixer, ...]] = {
    "config-dropped": (replaced, toml_repaired),
    "no-effect": (without_effect,),
}
