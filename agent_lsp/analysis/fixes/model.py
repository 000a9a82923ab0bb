"""Defines a quick fix, and the text after several.

Invariant: edits refer to the text of the snapshot, and do not overlap.
"""

from dataclasses import dataclass
from pathlib import Path

from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.text import TextEdit


@dataclass(frozen=True, slots=True)
class Fix:
    """A proposal that was verified, and the diagnostic that it removes.

    Of several fixes of a diagnostic that are `equal`, nobody can tell which one the author meant.
    """

    diagnostic: Diagnostic
    title: str
    edits: tuple[TextEdit, ...] = ()
    safe: bool = False
    moved: Path | None = None
    equal: bool = False


@dataclass(frozen=True, slots=True)
class Repair:
    """The text of a file after fixes, and the findings that they were for, in their order."""

    text: str
    fixed: tuple[Diagnostic, ...] = ()
