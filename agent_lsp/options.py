"""The options that a user can set, as the core sees them.

Invariant: every value has been validated; in place of an invalid one stands the default.
"""

from collections.abc import Mapping
from pathlib import Path

from agent_lsp.data_classes import dataclass, field
from agent_lsp.model.schema import Severity


@dataclass(frozen=True, slots=True)
class Extras:
    """The names that a user adds to one dialect; tools may be patterns.

    `scopes` are absolute folders in which the runtime also looks, after its own folders and before
    the built-in ones. `generation` is the generation of the runtime that is in use, if the user has
    set it. `readers` are the programs of the system that count, or empty if all do. `readers_of`
    has the only programs that look into a folder: one of `scopes`, or one of the system's own.
    """

    tools: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    scopes: tuple[Path, ...] = ()
    generation: str | None = None
    readers: tuple[str, ...] = ()
    readers_of: Mapping[Path, frozenset[str]] = field(default_factory=dict)


_NO_EXTRAS = Extras()


@dataclass(frozen=True, slots=True)
class Silence:
    """The rules and folders that the settings `file` of a repository switches off."""

    file: Path
    codes: frozenset[str]
    folders: frozenset[Path]


@dataclass(frozen=True, slots=True)
class Options:
    """The options for one workspace folder.

    `severity` maps a code to a severity, or to None for "off". `folders` maps an absolute folder to
    the dialect that it is claimed for, or to None if it is excluded. `session_root` is the folder
    where the runtime is started, if it is not the workspace folder.

    `programs` are the programs that count, by the names of the setting `for`, or empty if the
    project's own files decide it.

    `silence` has what a repository's settings file switches off. With `isolated`, such a file is
    ignored. The other options come only from an editor: whether to show code lenses and inlay
    hints, and whether to check closed files.
    """

    severity: Mapping[str, Severity | None] = field(default_factory=dict)
    extras: Mapping[str, Extras] = field(default_factory=dict)
    folders: Mapping[Path, str | None] = field(default_factory=dict)
    session_root: Path | None = None
    programs: frozenset[str] = frozenset()
    silence: Silence | None = None
    isolated: bool = False
    code_lens: bool = True
    inlay_hints: bool = True
    closed_files: bool = True

    def extra(self, dialect: str) -> Extras:
        """The names that the user adds to `dialect`."""
        return self.extras.get(dialect, _NO_EXTRAS)
