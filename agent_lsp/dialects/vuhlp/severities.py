"""How much each remark on a role template weighs.

Invariant: none is an error, since the runtime reads nothing of a template.
"""

from collections.abc import Mapping
from types import MappingProxyType

from agent_lsp.dialects.vocabulary import Severity

SEVERITIES: Mapping[str, Severity] = MappingProxyType(
    {
        "file-name": Severity.WARNING,
        "unreadable": Severity.INFORMATION,
        "preamble-place": Severity.WARNING,
        "preamble-syntax": Severity.WARNING,
        "wrong-type": Severity.WARNING,
        "name-mismatch": Severity.WARNING,
        "unknown-key": Severity.HINT,
        "unknown-capability": Severity.HINT,
        "unknown-constraint": Severity.HINT,
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
        "tool-call-wrapper": Severity.INFORMATION,
        "tool-call-params": Severity.WARNING,
        "tool-call-argument": Severity.WARNING,
        "tool-call-id": Severity.WARNING,
        "role-not-found": Severity.WARNING,
    }
)
