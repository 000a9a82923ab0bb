"""Defines a check, its findings, and the quick fixes that are proposed for them."""

from collections.abc import Callable, Iterator, Mapping
from enum import Enum, IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from agent_lsp.data_classes import dataclass, field
from agent_lsp.model.schema import IfWrong, KeyRole, Severity
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.text import Span, TextEdit

if TYPE_CHECKING:
    # A check takes a file of a workspace, and the file's dialect names its checks.
    # A fixer takes a diagnostic of a file, and the file's dialect names its fixers.
    from agent_lsp.analysis.diagnostics import Diagnostic
    from agent_lsp.workspace.snapshot import TemplateFile


class Tag(IntEnum):
    """The way in which an editor may draw a finding, in the Language Server Protocol's numbers."""

    UNNECESSARY = 1
    DEPRECATED = 2


class Field(Enum):
    """A result of reading a file that a fix can change."""

    # Whether the file loads, and whether its header does.
    LOADS = "whether it loads"
    NAME = "its name"
    DESCRIPTION = "its description"
    TOOLS = "its tools"
    MODEL = "its model"
    EFFORT = "its effort"
    SANDBOX = "its sandbox"
    PROMPT = "its prompt"
    PERSONAS = "its personas"
    # The key at the finding, or the key that was meant.
    KEY = "the key of the finding"


class Basis(Enum):
    """What a finding depends on: this decides whether it holds beside a part with an error."""

    # The statement at the finding, those that it refers to, or the text below the header.
    STATEMENT = "statement"
    # Something that is missing, or that another statement would change.
    ABSENCE = "absence"
    # The whole file: its name, its place, or whether its header is read.
    FILE = "file"


class Trait(Enum):
    """Something that few files have, and that is quickly found out."""

    MISPLACED = "it is where the runtime does not look"
    UNREADABLE = "it is not text, or not in UTF-8"
    NAMELESS = "it defines no name, or an empty one"
    IN_PLUGIN = "a plugin has it"
    BROKEN = "its header cannot be parsed without mending it"
    MORE_KEYS = "a key that the schema does not list, or one with keys below it"
    GAPS = "a line of a header that is blank, a comment or a heading"
    MORE_LINES = "more lines in a header than keys, or a header in brackets"
    CUT = "signs that may end a value or the header: a tag, an anchor, a comment, a document's end"
    MORE_BESIDE = "text on the line of the closing fence, before or after it"
    MORE_BELOW = "lines below the header that may be more of it"
    NOTATION = "signs in a header that a name of a tool has not: parentheses, wildcards, escapes"
    AGENTS = "words that may be about another agent"
    COMMENTS = "signs that begin a comment"
    PATHS = "signs that begin the path of a file in a prompt"
    SERVERS = "signs in a header that the name of an MCP server or of its tools has"
    UNPRINTED = "characters that are not on every keyboard, or control characters"
    SUPPRESSIONS = "the words of a comment that hides findings"

    # What a file has is looked up in what checks need. The hash of an enum is a call in Python.
    __hash__ = object.__hash__


# A key by its name, its role or its consequence; an error, a state of the fences, or a trait.
Need: TypeAlias = str | KeyRole | IfWrong | LoadErrorKind | FenceKind | Trait
# For a fix that replaces the header, so that every field may change.
ANY_FIELD = frozenset(Field)


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding."""

    path: Path
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding; it has a `severity` only if that differs from the dialect's.

    `meant` is what the author intended under `span`: a key, or a value without the quotes that it
    may need. It has several words if one item of a list was meant to be several items, or one word
    for the finding's own place and one for each `related` place. Only a check with several codes
    sets `code`. A finding is dropped if the user vouches for its `word`. `changes` replaces what
    the check declares.
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
    """A function that yields findings, and their codes, each with a page in `docs/rules`.

    A check that is `of_foreign` runs on files of other systems, and no other check does. A check
    with a `severity` of its own is independent of the runtime, and its severity is the same for all
    of them. `changes` are the fields that a fix of its findings changes, by code if the codes
    differ. Without `changes`, no fix is safe. `basis` is what its findings depend on, by code if
    the codes differ; a code that is not in it depends on a statement. No comment in a file hides
    the findings of a check that `warns_of_author`. A check with `needs` finds nothing in a file
    that has none of them, and is not run there.
    """

    codes: tuple[str, ...]
    run: "Callable[[TemplateFile], Iterator[Finding]]"
    of_foreign: bool = False
    severity: Severity | None = None
    changes: frozenset[Field] | Mapping[str, frozenset[Field]] | None = field(
        default=None, hash=False
    )
    basis: Basis | Mapping[str, Basis] = field(default=Basis.STATEMENT, hash=False)
    warns_of_author: bool = False
    needs: tuple[Need, ...] = ()

    def basis_of(self, code: str) -> Basis:
        """What a finding with this code depends on."""
        basis = self.basis
        return basis if isinstance(basis, Basis) else basis.get(code, Basis.STATEMENT)

    def changes_of(self, code: str) -> frozenset[Field] | None:
        """The fields that a fix of a finding with this code changes, or None if no fix is safe."""
        return self.changes.get(code) if isinstance(self.changes, Mapping) else self.changes


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
