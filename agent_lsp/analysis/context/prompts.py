"""Finds the prompts of a file: its body, the value of a key, or one for each agent in a table."""

from agent_lsp.analysis.memo import memoised
from agent_lsp.model.schema import KeyRole
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile


def is_value(file: TemplateFile) -> bool:
    """Whether a prompt is the value of a key, in the notation of the header."""
    return file.dialect.schema.is_tables or file.dialect.key_with_role(KeyRole.PROMPT) is not None


@memoised
def prompts(file: TemplateFile) -> tuple[Span, ...]:
    """The places of the prompts, in the order of the text."""
    if not file.dialect.schema.is_tables:
        return (file.body,)
    read = file.dialect.format.read
    spans = (read(file.document, one.name).declared.default.span for one in file.names)
    return tuple(sorted(span for span in spans if len(span)))
