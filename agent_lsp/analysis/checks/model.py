"""What a rule is and what it yields."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from agent_lsp.model.schema import Severity
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile


class Tag(IntEnum):
    """How an editor may draw a finding, in the Language Server Protocol's numbers."""

    UNNECESSARY = 1
    DEPRECATED = 2


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding."""

    path: Path
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a rule found; `severity` only where the case differs from the dialect's.

    `meant` is what was meant by the words under `span`: a key, or a value without the quotes that
    it may need; several where one item of a list was meant to be so many.
    """

    span: Span
    message: str
    severity: Severity | None = None
    tags: tuple[Tag, ...] = ()
    related: tuple[Related, ...] = ()
    meant: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A check and its code, after which its page in `docs/rules` is called.

    `of_foreign` says that it speaks of files of other systems; no other rule does. `of_tables` says
    the same of files whose headers are no YAML, as tables, and None that it speaks of all. A rule
    with a `severity` of its own is about no runtime, and the same for all of them.
    """

    code: str
    check: Callable[[TemplateFile], Iterator[Finding]]
    of_foreign: bool = False
    of_tables: bool | None = False
    severity: Severity | None = None


def told(_of: TemplateFile) -> Iterator[Finding]:
    """The check of a rule whose findings are remarks of a dialect, and nothing else."""
    return iter(())
