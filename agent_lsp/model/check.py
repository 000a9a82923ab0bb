"""Defines a check and its findings."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
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


class Field(Enum):
    """What a runtime makes of a file, as far as a fix can change it."""

    # Whether the file loads, and with its header.
    LOADS = "whether it loads"
    NAME = "its name"
    DESCRIPTION = "its description"
    TOOLS = "its tools"
    MODEL = "its model"
    EFFORT = "its effort"
    SANDBOX = "its sandbox"
    PROMPT = "its prompt"
    PERSONAS = "its personas"
    # The key that the finding stands at, or the key that was meant.
    KEY = "the key of the finding"


# Of a fix that gives a file another header: nothing of it needs to stay.
ANY_FIELD = frozenset(Field)


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
    a check that has several. Nothing is said of a `word` that a user vouches for. `changes`
    replaces what the check declares.
    """

    span: Span
    message: str
    severity: Severity | None = None
    tags: tuple[Tag, ...] = ()
    related: tuple[Related, ...] = ()
    meant: tuple[str, ...] = ()
    code: str = ""
    word: str = ""
    changes: frozenset[Field] | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """A function that yields findings, and their codes, each of which has a page in `docs/rules`.

    A check `of_foreign` speaks of files of other systems, and no other one does. One with a
    `severity` of its own is about no runtime, and the same for all of them. `changes` are the
    fields that a fix of its findings is about, by code if its codes differ; without them no fix is
    safe.
    """

    codes: tuple[str, ...]
    run: "Callable[[TemplateFile], Iterator[Finding]]"
    of_foreign: bool = False
    severity: Severity | None = None
    changes: frozenset[Field] | Mapping[str, frozenset[Field]] | None = field(
        default=None, hash=False
    )

    def changes_of(self, code: str) -> frozenset[Field] | None:
        """The fields that a fix of a finding with this code is about, or None if none is safe."""
        return self.changes.get(code) if isinstance(self.changes, Mapping) else self.changes
