"""Fixes for characters that nobody sees.

Invariant: nothing that anybody can see goes away.
"""

from collections.abc import Iterator

from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.model import Proposal
from agent_lsp.analysis.rules.hidden_text import places, together
from agent_lsp.syntax import unseen
from agent_lsp.text import TextEdit
from agent_lsp.workspace.index import TemplateFile


def removed(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """The run goes away; where one finding speaks of many, all of them do."""
    if diagnostic.meant:
        return
    runs = tuple(places(file))
    gone = runs if together(runs) else tuple(run for run in runs if run == diagnostic.span)
    edits = tuple(TextEdit(run, "") for run in gone)
    safe = not any(unseen.may_be_needed(run.of(file.document.text)) for run in gone)
    yield Proposal("Remove what nobody sees", edits, safe)
