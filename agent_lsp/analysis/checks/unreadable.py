"""A template cannot be read as text."""

from collections.abc import Iterator

from agent_lsp.analysis.checks.messages import code
from agent_lsp.model.check import Check, Finding
from agent_lsp.model.schema import RefusedFile, Severity
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile


def unreadable(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for a file without text."""
    # Names that stand in a text cannot be known where there is none.
    is_table, is_named = file.dialect.keys_at is not None, file.dialect.names_in is None
    if file.source.problem is None or (file.name is None and is_named):
        return
    place = Span(0, 0)
    if file.source.too_large:
        yield Finding(place, f"{file.source.problem}: not checked", Severity.INFORMATION)
        return
    if not file.dialect.is_yaml and not is_table:
        # To the runtime all of the file is a text, and what it makes of such bytes is not known.
        return
    if file.dialect.consequence.file is not RefusedFile.CATALOG and not is_table:
        what = code(file.name or "") if is_named else "agent"
        lost = f"the runtime passes over the file, and it defines no {what}"
        yield Finding(place, f"{file.source.problem}: {lost}")
        return
    loss = file.dialect.consequence.header_refused
    if file.source.unsure and not is_table:
        message = f"{file.source.problem}: if the runtime stumbles over that in the header, {loss}"
        yield Finding(place, message, Severity.WARNING)
        return
    yield Finding(place, f"{file.source.problem}: {loss}")


CHECK = Check(("unreadable",), unreadable)
