"""The options that a user may set, as the core sees them.

Invariant: a value here has been checked; where a user wrote nonsense, the default stands.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agent_lsp.model.schema import Severity


@dataclass(frozen=True, slots=True)
class Extras:
    """The names that a user vouches for in one dialect; tools may be patterns.

    `scopes` are absolute folders in which the runtime looks as well, after all of its own but
    the built-in ones; `generation` is the one of the runtime's generations that is in use.
    """

    tools: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    scopes: tuple[Path, ...] = ()
    generation: str | None = None


_NO_EXTRAS = Extras()


@dataclass(frozen=True, slots=True)
class Silence:
    """The rules and folders that the settings `file` of a repository switches off."""

    file: Path
    codes: frozenset[str]
    folders: frozenset[Path]


@dataclass(frozen=True, slots=True)
class Options:
    """The user's wishes for one workspace folder.

    `severity` maps a rule's code to a severity, or to None for "off". `folders` maps an
    absolute folder to the dialect that it is claimed for, or to None if it is disowned.
    `session_root` is where the runtime is started, if not in the workspace folder. `silence` is
    what of this is the word of a repository; where it is `isolated`, nothing is. The rest is what
    only an editor says: whether it wants lenses, hints, and to hear of closed files.
    """

    severity: Mapping[str, Severity | None] = field(default_factory=dict)
    extras: Mapping[str, Extras] = field(default_factory=dict)
    folders: Mapping[Path, str | None] = field(default_factory=dict)
    session_root: Path | None = None
    silence: Silence | None = None
    isolated: bool = False
    code_lens: bool = True
    inlay_hints: bool = True
    closed_files: bool = True

    def extra(self, dialect: str) -> Extras:
        """The extra names for `dialect`."""
        return self.extras.get(dialect, _NO_EXTRAS)
