"""The vocabulary for discovery: where a runtime looks, and what else lies there or beside it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from re import Pattern

# The folder of a rule that means the session root itself.
HERE = "."


class Walk(Enum):
    """The direction in which a project scope is searched from the session root."""

    TO_GIT = "up to the first folder with .git, else to the root of the file system"
    NONE = "the session root only"


@dataclass(frozen=True, slots=True)
class ScopeRule:
    """A rule for a scope: a folder where the runtime looks.

    `folders` are alternatives in order: `$NAME/rest` counts if that variable is set,
    `~/rest` is below the home, a plain path is relative to the session root (and to every
    folder that `walk` visits). `builtin` scopes come with the product, below `templates/`.
    `.` is the session root itself, and needs a `marker`. A place of `kind` `managed` is an
    administrator's, where nobody begins a template. `deep` ones are searched recursively. A
    rule with a `marker` counts only for a folder below which that file exists; `prefix` gives what
    the runtime puts before the names there, by the text of the marker and the name of the folder.
    `form` is the dialect of the files there, where those of one runtime are of several.
    """

    kind: str
    label: str
    folders: tuple[str, ...]
    walk: Walk = Walk.NONE
    builtin: bool = False
    deep: bool = False
    marker: str = ""
    prefix: Callable[[str, str], str] | None = None
    form: str = ""


@dataclass(frozen=True, slots=True)
class MisplacedRules:
    """Rules that recognise templates in folders where the runtime never looks.

    `folders` and `shared` are endings of folders in which people put them by mistake; other
    programs have files in the `shared` ones, too, so there it takes one of `keys`, which no
    other system has. `extensions` are those that people give to a template in a right folder.
    """

    folders: tuple[str, ...]
    shared: tuple[str, ...]
    extensions: tuple[str, ...]
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class SharedFolder:
    """Rules that recognise the files of other systems in shared folders.

    `keys` are header keys that only others have; `values` are words that only others write
    under a key that this one has, too, alone or in a list; `notes` are the names of files that
    explain a folder and are no agents, in lower case.
    """

    keys: frozenset[str]
    values: Mapping[str, frozenset[str]]
    notes: frozenset[str]


@dataclass(frozen=True, slots=True)
class CommonFolder:
    """Rules that recognise templates in folders whose name anybody may use.

    A file whose text `says` that it is one speaks for all files beside it. One that has a shipped
    name, of `names`, is one as well in a repository that is the system's: it has the folder
    `landmark`, or a file elsewhere says so, or a user does. `sign` is what a text says it with.
    """

    says: Callable[[str], bool]
    names: frozenset[str]
    landmark: str
    sign: str


@dataclass(frozen=True, slots=True)
class Skills:
    """Skills in `folder` beside each folder of agents, the nearest first.

    `mention` finds a name, in whichever of its groups has one. A skill is a file of that name, or
    `document` in a folder of it.
    """

    folder: str
    document: str
    mention: Pattern[str]


@dataclass(frozen=True, slots=True)
class Configuration:
    """A file in which servers are configured.

    `files` are alternatives as in a `ScopeRule`: TOML, YAML or JSON by the extension. The first
    that there can be counts, or with `is_first_there` the first that exists. Each of `keys` leads
    to the servers, by name or as a list with names, and the first that leads anywhere counts; `.`
    among them is the session's folder. Where there is a `marker` below that folder, it is
    `qualified` that says what the runtime calls a server there, by the text of the marker, the name
    of the folder and that of the server.
    """

    files: tuple[str, ...]
    keys: tuple[tuple[str, ...], ...]
    is_first_there: bool = False
    marker: str = ""
    qualified: Callable[[str, str, str], str] | None = None
