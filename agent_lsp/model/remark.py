"""What only a dialect itself can say about a file of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_lsp.text import Span

if TYPE_CHECKING:
    # The vocabulary names remarks, too.
    from agent_lsp.model.schema import Severity


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a file beside its text.

    `name` is its own, empty where the runtime skips the file; `agents` are the names that a session
    finds, which takes a look at other files.
    """

    name: str
    agents: Callable[[], frozenset[str]]


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing to say under the `code` of a rule; `severity` only where the case differs.

    `meant` are the names of which `word` may be a misspelling: the nearest one is suggested.
    `instead` is what is to be written under `span`, where that is sure.
    """

    code: str
    span: Span
    message: str
    severity: "Severity | None" = None
    word: str = ""
    meant: tuple[str, ...] = ()
    unnecessary: bool = False
    deprecated: bool = False
    instead: str = ""
