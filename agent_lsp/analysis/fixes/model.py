"""A fix, and what a fixer proposes.

Invariant: edits refer to the text of the snapshot, and do not overlap.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.text import TextEdit
from agent_lsp.workspace.snapshot import TemplateFile


@dataclass(frozen=True, slots=True)
class Proposal:
    """A possible quick fix: edits of the file, or `moved`, a new path for it.

    `safe` says that it is the only right way, as far as anybody can tell: nothing is made up,
    and nothing is lost that had an effect. A `last` one is for who has no other way.
    """

    title: str
    edits: tuple[TextEdit, ...] = ()
    safe: bool = False
    moved: Path | None = None
    last: bool = False


@dataclass(frozen=True, slots=True)
class Fix:
    """A proposal that was tried, and the diagnostic that is gone with it."""

    diagnostic: Diagnostic
    title: str
    edits: tuple[TextEdit, ...] = ()
    safe: bool = False
    moved: Path | None = None


@dataclass(frozen=True, slots=True)
class Repair:
    """The text of a file after fixes, and the findings that they were for, in their order."""

    text: str
    fixed: tuple[Diagnostic, ...] = ()


Fixer = Callable[[TemplateFile, Diagnostic], Iterator[Proposal]]
