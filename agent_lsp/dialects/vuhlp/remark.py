"""What can be said about a place of a role template.

Invariant: never an error, since the runtime reads nothing of a template.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from agent_lsp.dialects.model import Severity
from agent_lsp.text import Span


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing to say under a `code`, whose severity is in `SEVERITIES`.

    `meant` are the names of which `word` may be a misspelling; `severity` is only for the case
    that differs.
    """

    code: str
    span: Span
    message: str
    severity: Severity | None = None
    word: str = ""
    meant: tuple[str, ...] = ()


SEVERITIES: Mapping[str, Severity] = MappingProxyType(
    {
        "preamble-place": Severity.WARNING,
        "preamble-syntax": Severity.WARNING,
        "wrong-type": Severity.WARNING,
        "name-mismatch": Severity.WARNING,
        "unknown-key": Severity.HINT,
        "unknown-capabilities": Severity.HINT,
        "unknown-constraints": Severity.HINT,
        "contradiction": Severity.WARNING,
        "older-name": Severity.INFORMATION,
        "missing-part": Severity.HINT,
        "tool-call-json": Severity.WARNING,
        "tool-call-not-alone": Severity.WARNING,
        "tool-call-echoed": Severity.WARNING,
        "tool-call-fenced": Severity.HINT,
        "tool-call-name": Severity.WARNING,
        "tool-call-native": Severity.INFORMATION,
        "tool-call-edges": Severity.WARNING,
        "tool-call-params": Severity.WARNING,
        "tool-call-argument": Severity.WARNING,
        "tool-call-id": Severity.WARNING,
        "role-not-found": Severity.WARNING,
    }
)
