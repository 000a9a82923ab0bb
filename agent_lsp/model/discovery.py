"""The vocabulary for discovery: where a runtime looks, and what else lies there or beside it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from re import Pattern

# The folder of a rule that means the session root itself.
HERE = "."
# The part of a path that stands for each folder there.
EACH = "*"


class Walk(Enum):
    """The direction in which a project scope is searched from the session root."""

    TO_GIT = "up to the first folder with .git, else to the root of the file system"
    TO_CHECKOUT = (
        "as TO_GIT, but not to the home or above it; from a worktree of Git without such a folder "
        "to that of the main checkout"
    )
    TO_REPOSITORY = "up to the first folder with .git; without one the session root only"
    NONE = "the session root only"


@dataclass(frozen=True, slots=True)
class Bundle:
    """What manifests make of a folder that brings templates, such as that of a plugin.

    `prefix` is what the runtime puts before the names there. `files` are templates that a manifest
    names, relative to the folder, each with what comes before the names in it. `replaced` says why
    the folders of the rule count for nothing but those files, or is empty; `lost` why the runtime
    loads nothing of it at all.
    """

    prefix: str
    files: tuple[tuple[str, str], ...] = ()
    replaced: str = ""
    lost: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Manifests:
    """The files that make a bundle of a folder.

    `own` lies in the folder, and `index`, which lists many, in a folder above it. `bundle` makes
    out what they say, or that they say nothing of the folder: it is given the text of `own`, or
    None, those of the indexes above, each with the folder's place below it, and its name.
    """

    own: str
    index: str
    bundle: Callable[[str | None, tuple[tuple[str, str], ...], str], Bundle | None]

    @property
    def folder(self) -> str:
        """The folder in which both lie, without which there is neither."""
        return self.own.partition("/")[0]


@dataclass(frozen=True, slots=True, eq=False)
class Installed:
    """The files that say which bundles a session has besides what lies in its own folder.

    `files` are alternatives each, as in a `ScopeRule`. `bundles` makes of their texts, None where
    there is no such file, and of the folder of the session, the folders of the bundles, each with
    what comes before the names there unless a manifest says so.
    """

    files: tuple[tuple[str, ...], ...]
    bundles: Callable[[tuple[str | None, ...], str], tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True, eq=False)
class ScopeRule:
    """A rule for a scope: a folder where the runtime looks.

    `folders` are alternatives in order: `$NAME/rest` counts if that variable is set,
    `~/rest` is below the home, a plain path is relative to the session root (and to every
    folder that `walk` visits). Below the home or a variable, `*` is each folder there, and a
    `marker` lies in it. `builtin` scopes come with the product, below `templates/`.
    `.` is the session root itself, and needs a `marker`. A place of `kind` `managed` is an
    administrator's, where nobody begins a template. `deep` ones are searched recursively. A
    rule with a `marker` counts only for a folder below which that file exists, and one with
    `manifests` only for a folder of which these say so, and for bundles that are `installed`; where
    `is_header_optional`, a file needs no header to count. `form` is the dialect of the files there,
    where those of one runtime are of several.
    """

    kind: str
    label: str
    folders: tuple[str, ...]
    walk: Walk = Walk.NONE
    builtin: bool = False
    deep: bool = False
    marker: str = ""
    manifests: Manifests | None = None
    installed: Installed | None = None
    is_header_optional: bool = False
    form: str = ""

    @property
    def markers(self) -> tuple[str, ...]:
        """The files that decide whether a folder is one of this rule, below its own."""
        if self.manifests is not None:
            return (self.manifests.own, self.manifests.index)
        return (self.marker,) if self.marker else ()


@dataclass(frozen=True, slots=True)
class MisplacedRules:
    """Rules that recognise templates in folders where the runtime never looks.

    `folders` and `shared` are endings of folders in which people put them by mistake; other
    programs have files in the `shared` ones, too, so there it takes one of `keys`, which no
    other system has. `in_bundles` are endings of wrong folders in a bundle. `extensions` are those
    that people give to a template in a right folder.
    """

    folders: tuple[str, ...]
    shared: tuple[str, ...]
    extensions: tuple[str, ...]
    keys: frozenset[str]
    in_bundles: tuple[str, ...] = ()


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
