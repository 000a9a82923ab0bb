"""A template cannot be read as text."""

from collections.abc import Iterator

from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.vocabulary import Refused, Severity
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for a file without text."""
    # Names that stand in a text cannot be known where there is none.
    is_table, is_named = of.dialect.keys_at is not None, of.dialect.names_in is None
    if of.file.problem is None or (of.name is None and is_named):
        return
    place = Span(0, 0)
    if of.file.too_large:
        yield Finding(place, f"{of.file.problem}: not checked", Severity.INFORMATION)
        return
    if not of.dialect.is_yaml and not is_table:
        # To the runtime all of the file is a text, and what it makes of such bytes is not known.
        return
    if of.dialect.consequence.file is not Refused.CATALOG and not is_table:
        what = code(of.name or "") if is_named else "agent"
        lost = f"the runtime passes over the file, and it defines no {what}"
        yield Finding(place, f"{of.file.problem}: {lost}")
        return
    loss = of.dialect.consequence.header_refused
    if of.file.unsure and not is_table:
        message = f"{of.file.problem}: if the runtime stumbles over that in the header, {loss}"
        yield Finding(place, message, Severity.WARNING)
        return
    yield Finding(place, f"{of.file.problem}: {loss}")


RULE = Rule("unreadable", check, of_tables=None)
