"""Defines a check and its findings."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING

from agent_lsp.model.schema import Severity
from agent_lsp.text import Span

if TYPE_CHECKING:
    # A check is about a file of a workspace, whose dialect names its checks.
    from agent_lsp.workspace.snapshot import TemplateFile


class Tag(IntEnum):
    """The way in which an editor may draw a finding, in the Language Server Protocol's numbers."""

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
    """A finding; it has a `severity` only if it differs from the dialect's.

    `meant` is what was meant by the words under `span`: a key, or a value without the quotes that
    it may need; several where one item of a list was meant to be so many, or one for the finding's
    own place and each `related` one. `code` is needed only by
    a check that has several. Nothing is said of a `word` that a user vouches for.
    """

    span: Span
    message: str
    severity: Severity | None = None
    tags: tuple[Tag, ...] = ()
    related: tuple[Related, ...] = ()
    meant: tuple[str, ...] = ()
    code: str = ""
    word: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A function that yields findings, and their codes, each of which has a page in `docs/rules`.

    A check `of_foreign` speaks of files of other systems, and no other one does. One with a
    `severity` of its own is about no runtime, and the same for all of them.
    """

    codes: tuple[str, ...]
    run: "Callable[[TemplateFile], Iterator[Finding]]"
    of_foreign: bool = False
    severity: Severity | None = None
