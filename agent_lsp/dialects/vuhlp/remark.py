"""What can be said about a place of a role template.

Invariant: never an error, since the runtime reads nothing of a template.
"""

from dataclasses import dataclass

from agent_lsp.dialects.model import Severity
from agent_lsp.text import Span


@dataclass(frozen=True, slots=True)
class Remark:
    """`code` says which kind of remark it is; `known` are the words that might be meant."""

    code: str
    span: Span
    message: str
    severity: Severity = Severity.WARNING
    known: tuple[str, ...] = ()
