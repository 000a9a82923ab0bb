"""Where a configuration names one of its presets, besides in words: as the default one."""

from agent_lsp.dialects.mentions import Mention
from agent_lsp.dialects.moltis.generation import Generation
from agent_lsp.dialects.moltis.reading import config_of
from agent_lsp.syntax.document import Document
from agent_lsp.text import Span


def mentions(document: Document, told: Generation | None = None) -> tuple[Mention, ...]:
    """The preset for calls that name none."""
    default = config_of(document, told).default
    if default is None or not default.text:
        return ()
    start = default.span.start + default.span.of(document.text).find(default.text)
    written = Span(start, start + len(default.text))
    # What is written with escapes is not the name, letter by letter.
    if start < default.span.start or written.of(document.text) != default.text:
        return ()
    return (Mention(default.text, written, is_call=True),)
