"""Makes findings about a word that may be a misspelling of a known one."""

from collections.abc import Iterable

from agent_lsp.analysis.checks.messages import code as in_code
from agent_lsp.analysis.suggest import nearest
from agent_lsp.model.check import Finding, Tag
from agent_lsp.model.schema import Severity
from agent_lsp.text import Span


def finding(
    code: str,
    span: Span,
    message: str,
    severity: Severity | None = None,
    word: str = "",
    candidates: Iterable[str] = (),
    *,
    unnecessary: bool = False,
    deprecated: bool = False,
    instead: str = "",
) -> Finding:
    """The finding under `code` at `span`, with the nearest of the `candidates` as a suggestion.

    `instead` is the word to write there, if it is certain.
    """
    close = nearest(word, tuple(candidates)) if word else None
    meant = instead or close
    return Finding(
        span,
        f"{message}; did you mean {in_code(close)}?" if close else message,
        severity,
        (*[Tag.UNNECESSARY] * unnecessary, *[Tag.DEPRECATED] * deprecated),
        meant=(meant,) if meant else (),
        code=code,
        word=word,
    )
