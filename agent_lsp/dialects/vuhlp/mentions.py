"""Where a role template names another role: `roleTemplate` in its `tool_call` lines."""

from agent_lsp.dialects.mentions import Mention
from agent_lsp.dialects.vuhlp.preamble import within_quotes
from agent_lsp.dialects.vuhlp.tool_calls import role_of, tool_calls
from agent_lsp.syntax.document import Document


def mentions(document: Document) -> tuple[Mention, ...]:
    """The roles that nodes are spawned with, in the order of the text."""
    found = []
    for call in tool_calls(document.text):
        role = role_of(call)
        span = within_quotes(role) if role is not None else None
        # A name with escapes is not written as it is called.
        if role is not None and span is not None and span.of(document.text) == role.value:
            found.append(Mention(role.value, span, is_call=True))
    return tuple(found)
