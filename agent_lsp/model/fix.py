"""Defines a proposal of a quick fix, and the functions that make one.

Invariant: edits refer to the text of the snapshot, and do not overlap.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from agent_lsp.text import TextEdit

if TYPE_CHECKING:
    # A fixer takes a diagnostic of a file, and the file's dialect names its fixers.
    from agent_lsp.analysis.diagnostics import Diagnostic
    from agent_lsp.workspace.snapshot import TemplateFile


@dataclass(frozen=True, slots=True)
class Proposal:
    """A possible quick fix: edits of the file, or `moved`, a new path for it.

    A `safe` fix is the only right one as far as anybody can know: it invents nothing, and it loses
    nothing that had an effect. A `last` fix is proposed only if no other one works. `caveat` is a
    clause that says why a fix is not safe, if the runtime's answers do not show it. If several
    fixes are `equal`, nobody can tell which one the author meant.
    """

    title: str
    edits: tuple[TextEdit, ...] = ()
    safe: bool = False
    moved: Path | None = None
    last: bool = False
    caveat: str = ""
    equal: bool = False


Fixer: TypeAlias = "Callable[[TemplateFile, Diagnostic], Iterator[Proposal]]"
