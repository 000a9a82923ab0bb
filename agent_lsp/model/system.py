"""An agent system, as far as it has to be known before one of its files is met.

Invariants: values only; what the files hold, and what the runtime makes of them, is the dialect's,
which is loaded when a file of the system is met, and not before.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import (
    CommonFolder,
    Configuration,
    MisplacedRules,
    ScopeRule,
    SharedFolder,
)


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """The folders of an agent system, and a way to load everything else about it.

    There is one record of each system, so that it is compared and kept by what it is.
    """

    id: str
    # The name for people.
    title: str
    # The program that reads its files.
    runtime: str
    # Gives its dialect; the first call loads the modules that it takes.
    load: Callable[[], Dialect] = field(repr=False)
    # The scopes of the runtime, the highest precedence first.
    scopes: tuple[ScopeRule, ...]
    # The same for systems that are forms of one program's files, and share their agents' names.
    family: str = ""
    # The end of the names of its files, in any case for Markdown.
    extension: str = ".md"
    # The names of its files, where they have fixed ones.
    files: frozenset[str] = frozenset()
    # The first scope hides the others wholly.
    first_only: bool = False
    # Files of other forms, in order, that count in a scope without one of `files`.
    passed_over: tuple[str, ...] = ()
    # The folders into which people put templates by mistake.
    misplaced: MisplacedRules | None = None
    # The rules that recognise files of other systems in shared folders.
    shared: SharedFolder | None = None
    # The rules that recognise templates in common folders.
    common: CommonFolder | None = None
    # The configurations of its MCP servers, the highest precedence first.
    mcp_servers: tuple[Configuration, ...] = ()

    @property
    def names(self) -> str:
        """What the systems have in common that share their agents' names: the family, or the id."""
        return self.family or self.id

    @property
    def dialect(self) -> Dialect:
        """The dialect of the system, loaded on demand."""
        return self.load()

    def has(self, file_name: str) -> bool:
        """Whether a file in the right folder is one of this system's by the form of its name."""
        if self.files:
            return file_name in self.files
        # Who mistypes the end of Markdown is told so; other ends are other programs' as well.
        is_markdown = self.extension == ".md"
        return (file_name.lower() if is_markdown else file_name).endswith(self.extension)
