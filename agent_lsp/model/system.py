"""Defines what must be known of an agent system before one of its files is found.

Invariants: the module has only values. The dialect knows what the files hold and what the runtime
does with them. It is loaded when a file of the system is found, and not before.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

from agent_lsp.data_classes import dataclass, field
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import (
    CommonFolder,
    Configuration,
    MisplacedRules,
    ScopeRule,
    SharedFolder,
    SkillPlaces,
)
from agent_lsp.model.runtime import Scope


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """The folders of an agent system, and a function that loads everything else about it.

    Each system has one record, so that records are compared by identity.
    """

    id: str
    # The name for people.
    title: str
    # The program that reads its files.
    runtime: str
    # Returns its dialect. The first call loads the dialect's modules.
    load: Callable[[], Dialect] = field(repr=False)
    # The scopes of the runtime, the highest precedence first.
    scopes: tuple[ScopeRule, ...]
    # How widely its files are written: the number of public repositories with an agent
    # `code-reviewer` in its folder of a project, counted on 2026-11-29. The forms of one program
    # count together.
    repositories: int = 0
    # The family, shared by systems that are forms of one program's files and share agent names.
    family: str = ""
    # The names of its programs in settings, if it has several.
    programs: tuple[str, ...] = ()
    # The folders and files of a project that show that the runtime is used there.
    traces: tuple[str, ...] = ()
    # The extension of its files; for Markdown in upper or lower case.
    extension: str = ".md"
    # The ending of the name of a new file, if its files have another one than the extension alone.
    new_ending: str = ""
    # The names of its files, if they are fixed.
    files: frozenset[str] = frozenset()
    # The ids of the programs that read the file at a path in a scope, if the place of a file
    # decides it; none of them reads it if there are none.
    readers_at: Callable[[Scope, Path], frozenset[str]] | None = None
    # Whether the first scope shadows all others completely.
    first_only: bool = False
    # Files of other forms, in order, that the runtime uses in a scope without one of `files`.
    passed_over: tuple[str, ...] = ()
    # The folders into which people put templates by mistake.
    misplaced: MisplacedRules | None = None
    # The rules that recognise files of other systems in shared folders.
    shared: SharedFolder | None = None
    # The rules that recognise templates in common folders.
    common: CommonFolder | None = None
    # The configurations of its MCP servers, the highest precedence first.
    mcp_servers: tuple[Configuration, ...] = ()
    # The folders of the skills that a header can name.
    skills: SkillPlaces | None = None
    # What else the runtime reads when a session starts, such as commands. Each is a system with one
    # kind of files that are no agents.
    beside: "tuple[System, ...]" = ()
    # Whether the first line of a file may be that of one of its files, if few files of such a name
    # are some. It is asked before the dialect is loaded.
    may_begin: Callable[[str], bool] | None = None

    @property
    def names(self) -> str:
        """What systems with shared agent names have in common: the family, or else the id."""
        return self.family or self.id

    @property
    def program(self) -> str:
        """The name of its program without the repository; forks share theirs, and keep it."""
        name, _, repository = self.runtime.partition(" (")
        return self.runtime if repository.startswith("fork ") else name

    @property
    def heading(self) -> str:
        """The program with the id, for people who know one of the two: `Claude Code (claude)`."""
        return f"{self.program} ({self.id})"

    def file_name(self, stem: str) -> str:
        """The name of a new file, given the name with or without its ending."""
        ending = self.new_ending or self.extension
        return f"{stem.removesuffix(ending).removesuffix(self.extension)}{ending}"

    @property
    def dialect(self) -> Dialect:
        """The dialect of the system, loaded on demand."""
        return self.load()

    def has(self, file_name: str) -> bool:
        """Whether the name of a file in the right folder has the form of this system's files."""
        if self.files:
            return file_name in self.files
        # A misspelt Markdown extension is reported. Other extensions belong to other programs as
        # well.
        is_markdown = self.extension == ".md"
        return (file_name.lower() if is_markdown else file_name).endswith(self.extension)


def program_names(systems: Iterable[System]) -> tuple[str, ...]:
    """The names of programs in settings: of each system, and of each of its programs."""
    return tuple(name for system in systems for name in (system.id, *system.programs))
