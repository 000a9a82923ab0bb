"""Defines the rules of discovery: where a runtime looks for agents, servers and skills."""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from pathlib import Path
from re import Pattern

from agent_lsp.data_classes import dataclass, field
from agent_lsp.model.template import Value
from agent_lsp.syntax.document import Document
from agent_lsp.text import Span

# The folder of a rule that means the session root itself.
HERE = "."
# The part of a path that stands for each folder at that place.
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


@dataclass(frozen=True, slots=True, eq=False)
class Enablement:
    """The records that say which of the installed extensions a session has.

    `records` are files, each with alternatives as in a `ScopeRule`. `is_on` says whether a session
    has an extension. Its arguments are the texts of the records, None for a file that does not
    exist; the spellings of the session's folder; the text of the extension's manifest; and the name
    of its folder.
    """

    records: tuple[tuple[str, ...], ...]
    is_on: Callable[[tuple[str | None, ...], tuple[str, ...], str, str], bool]


@dataclass(frozen=True, slots=True)
class Disabled:
    """A list of the names of MCP servers that are switched off.

    `files` are alternatives as in a `ScopeRule`, and `keys` lead to the list in the first of them,
    as those of a `Configuration`.
    """

    files: tuple[str, ...]
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Switches:
    """The records that switch MCP servers off by their names, for any file that configures them.

    `records` are files, each with alternatives as in a `ScopeRule`. `is_on` says whether a session
    has a server. Its arguments are the texts of the records, None for a file that does not exist;
    the name of the server, behind the prefix of its bundle; and what the configuration sets for it.
    """

    records: tuple[tuple[str, ...], ...]
    is_on: Callable[[tuple[str | None, ...], str, Mapping[object, object]], bool]


@dataclass(frozen=True, slots=True)
class Configuration:
    """A file in which MCP servers are configured.

    `files` are alternatives as in a `ScopeRule`, in TOML, YAML or JSON according to the extension.
    The first possible one counts, or with `is_first_there` the first that exists. Each of `keys`
    leads to the servers, by name or as a list with names, and the first that leads to something
    counts; `.` among them is the session's folder, and a number is a place in a list.
    `has_comments` says that JSON may have comments and commas at the end. With `has_switch`,
    `enabled: false` switches a server off. `disabled` has the lists that switch off servers of
    this file by their names, and `switches` the records that do. If `is_sole`, the configurations
    below it do not count where the file exists.

    `*` in a file stands for each installed extension that a session has according to `enablement`.
    If there are `bundles`, the files are relative to each bundle of this rule, come after those
    that its manifest names, and `qualified` returns the runtime's name for a server. Its arguments
    are the prefix of the bundle and the name of the server.
    """

    files: tuple[str, ...]
    keys: tuple[tuple[str, ...], ...]
    has_comments: bool = field(default=False, kw_only=True)
    has_switch: bool = field(default=True, kw_only=True)
    disabled: tuple[Disabled, ...] = field(default=(), kw_only=True)
    switches: Switches | None = field(default=None, kw_only=True)
    is_sole: bool = field(default=False, kw_only=True)
    is_first_there: bool = False
    enablement: Enablement | None = field(default=None, kw_only=True)
    bundles: "ScopeRule | None" = field(default=None, kw_only=True)
    qualified: Callable[[str, str], str] | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class Bundle:
    """A folder that has templates because of manifests, such as that of a plugin.

    `prefix` is what the runtime puts before the names in the folder. `files` are templates that a
    manifest names, relative to the folder, each with the prefix of its names. `replaced` says why
    only those files count and not the folders of the rule, or is empty. `lost` says why the runtime
    loads nothing of the folder at all, or is empty. `beside` has folders and files that a manifest
    names for a folder of a rule, each with the name of that folder; those in `instead` do not count
    then. `servers` are the MCP servers that a manifest configures, with files relative to the
    folder.
    """

    prefix: str
    files: tuple[tuple[str, str], ...] = ()
    replaced: str = ""
    lost: str = ""
    beside: tuple[tuple[str, str], ...] = ()
    instead: frozenset[str] = frozenset()
    servers: tuple[Configuration, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Manifests:
    """The manifests that make a folder a bundle.

    `own` is in the folder. `index` is in a folder above it and lists many bundles. `bundle` reads
    these manifests and returns the bundle, or None if they do not name the folder. Its arguments
    are the text of `own`, or None; the texts of the indexes above, each with the path of the folder
    below it; and the name of the folder.
    """

    own: str
    index: str
    bundle: Callable[[str | None, tuple[tuple[str, str], ...], str], Bundle | None]

    @property
    def folder(self) -> str:
        """The folder that has both manifests, without which neither exists."""
        return self.own.partition("/")[0]


@dataclass(frozen=True, slots=True, eq=False)
class Installed:
    """The files that say which bundles a session has outside of its own folder.

    Each of `files` has alternatives, as in a `ScopeRule`. `bundles` returns the folders of the
    bundles, each with the prefix of the names in it unless a manifest gives one. Its arguments are
    the texts of the files, None for a file that does not exist, and the folder of the session.
    `are_missing` says whether the same files name bundles that are not on this machine.
    """

    files: tuple[tuple[str, ...], ...]
    bundles: Callable[[tuple[str | None, ...], str], tuple[tuple[str, str], ...]]
    are_missing: Callable[[tuple[str | None, ...]], bool] = lambda _: False


@dataclass(frozen=True, slots=True, eq=False)
class ScopeRule:
    """A rule for a scope: a folder where the runtime looks.

    `folders` are alternatives in order. `$NAME/rest` counts if that variable is set. `~/rest` is
    below the home. A plain path is relative to the session root, and to every folder that `walk`
    visits. Below the home or a variable, `*` stands for each folder that has a `marker`. `.` is the
    session root itself, and needs a `marker`.

    `builtin` scopes come with the product, below `templates/`. A scope of the `kind` `managed`
    belongs to an administrator, and nobody creates a template in it. `deep` scopes are searched
    recursively. A rule with a `marker` applies only to a folder below which that file exists. A
    rule with `manifests` applies only to a folder that these name, and to bundles that are
    `installed`. If `is_header_optional`, a file needs no header to count. `form` is the dialect of
    the files there, if the runtime has several forms. A rule that `is_borrowed` names a folder of
    another program, which counts only where the project shows that it uses this runtime. If a rule
    has `readers`, only these programs of the system look into its folders, by their ids. A rule
    does not apply while the variable `unless` is `1` or `true`, or while `replaced_by` has any
    value. With `may_be_file`, a variable may name a file, of any name.
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
    is_borrowed: bool = False
    unless: str = ""
    replaced_by: str = ""
    readers: frozenset[str] = frozenset()
    may_be_file: bool = False

    @property
    def markers(self) -> tuple[str, ...]:
        """The files that decide whether the rule applies to a folder, relative to that folder."""
        if self.manifests is not None:
            return (self.manifests.own, self.manifests.index)
        return (self.marker,) if self.marker else ()


@dataclass(frozen=True, slots=True)
class MisplacedRules:
    """Rules that recognise templates in folders where the runtime never looks.

    `folders` and `shared` are endings of folders into which people put templates by mistake. Other
    programs have files in the `shared` folders, too, so that a file there needs one of `keys`,
    which no other system has. `in_bundles` are endings of wrong folders in a bundle. `extensions`
    are wrong extensions that people give to a template in a right folder. A file whose name has one
    of `endings` is a template of this system, whatever its header. With `is_below_unknown`, nobody
    knows whether files in folders below a scope count.
    """

    folders: tuple[str, ...]
    shared: tuple[str, ...]
    extensions: tuple[str, ...]
    keys: frozenset[str]
    in_bundles: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    is_below_unknown: bool = False


@dataclass(frozen=True, slots=True)
class SharedFolder:
    """Rules that recognise the files of other systems in shared folders.

    `keys` are header keys that only other systems have. `values` are words that only other systems
    use under a key that this system has, too, alone or in a list. `elsewhere_required` are keys
    without which a file is no agent of the other systems. `notes` are the names, in lower case, of
    files that explain a folder and are no agents.
    """

    keys: frozenset[str]
    values: Mapping[str, frozenset[str]]
    notes: frozenset[str]
    elsewhere_required: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CommonFolder:
    """Rules that recognise templates in common folders, whose names any project may use.

    A file is a template if its text `says` so, and then all files beside it are templates. A file
    with one of the shipped `names` is a template as well if its repository belongs to the system:
    the repository has the folder `landmark`, or another file of it says so, or a user does. `sign`
    is what a text says it with. `extension` is that of the system's files.
    """

    says: Callable[[str], bool]
    names: frozenset[str]
    landmark: str
    sign: str
    extension: str = ".md"


@dataclass(frozen=True, slots=True)
class Skills:
    """Skills in `folder` beside each folder of agents, the nearest first.

    `mention` finds a name, in any one of its groups. A skill is a file with that name, or
    `document` in a folder with that name.
    """

    folder: str
    document: str
    mention: Pattern[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerNames:
    """How the header of an agent names MCP servers.

    `in_entry` returns the spans of an entry of a tool list that may be the name of a server, the
    most likely one first; none if the entry is not about one server. `own_key` is the key that
    gives the agent servers of its own. `keys` are those whose items are names of servers; one of
    them may be the `own_key`. `listed` returns the names of servers at other places of a file.
    `elsewhere` matches the names of servers that come from somewhere
    else, such as the runtime itself. `may_be_other` says that an entry of this form need not be
    about a server, or that servers may be configured in files that are not read here.
    """

    in_entry: Callable[[str], tuple[Span, ...]]
    own_key: str = ""
    keys: frozenset[str] = frozenset()
    elsewhere: Pattern[str] | None = None
    may_be_other: bool = False
    listed: Callable[[Document], tuple[Value, ...]] = lambda _: ()

    def is_elsewhere(self, name: str) -> bool:
        """Whether the server of this name may exist without a configuration."""
        return self.elsewhere is not None and self.elsewhere.fullmatch(name) is not None


def in_group(pattern: Pattern[str]) -> Callable[[str], tuple[Span, ...]]:
    """An `in_entry` for entries that match `pattern`, whose first group is the server."""

    def found(entry: str) -> tuple[Span, ...]:
        match = pattern.fullmatch(entry)
        return (Span(*match.span(1)),) if match is not None else ()

    return found


def up_to_underscores(before: str) -> Callable[[str], tuple[Span, ...]]:
    """An `in_entry` for `<server>_<tool>` behind `before`, where both may have underscores."""

    def found(entry: str) -> tuple[Span, ...]:
        if not entry.startswith(before):
            return ()
        start = len(before)
        ends = (at for at in range(start + 1, len(entry) - 1) if entry[at] == "_")
        return tuple(Span(start, end) for end in ends if "*" not in entry[start:end])

    return found


@dataclass(frozen=True, slots=True)
class SkillHeader:
    """What the file of a skill says.

    `name` and `description` are empty if there are none. `body` is the span of the text below the
    header. `off` says why the runtime keeps the skill from agents, or is empty; `off_in_bundle` is
    the same for a skill of a bundle, such as a plugin, and `off_in_folder` for one that is no
    command.
    """

    name: str
    description: str
    body: Span
    off: str = ""
    off_in_bundle: str = ""
    off_in_folder: str = ""


_NO_HEADER = SkillHeader("", "", Span(0, 0))


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill of a session.

    A header finds it as `name`, or as `alias`, which is the name in its own header. `source` says
    where it is from, and `prefix` is that of its bundle. `path` is its file, or None if it is the
    runtime's own. `text` is the text below its header. A command is a file that counts as a skill
    without a folder of its own.
    """

    name: str
    source: str
    path: Path | None = None
    header: SkillHeader = _NO_HEADER
    alias: str = ""
    text: str = ""
    is_command: bool = False
    prefix: str = ""

    @property
    def off(self) -> str:
        """Why the runtime keeps the skill from agents, or an empty text."""
        in_bundle = self.header.off_in_bundle if self.prefix else ""
        in_folder = "" if self.is_command else self.header.off_in_folder
        return self.header.off or in_bundle or in_folder


@dataclass(frozen=True, slots=True, eq=False)
class SkillPlaces:
    """The folders in which a runtime finds skills, the highest precedence first.

    In a folder of `rules`, each skill has a folder with a file called `document`, at any depth if
    `is_deep`; if `has_direct`, the file may also lie directly in it. In a folder of `commands`,
    each Markdown file counts as a skill, at any depth if `are_commands_deep`.
    """

    document: str
    rules: tuple[ScopeRule, ...]
    commands: tuple[ScopeRule, ...] = ()
    is_deep: bool = False
    has_direct: bool = False
    are_commands_deep: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillUse:
    """What naming a skill does, in the words of messages.

    `there` begins the sentence about a skill that exists, and `kept_back` the one about a skill
    that the runtime does not give to agents. `missing` is what follows from a name that no skill
    has, and `fix` what to do about it.
    """

    there: str
    kept_back: str
    missing: str
    fix: str


STARTS = SkillUse(
    there="The agent starts with the skill",
    kept_back="the agent starts without the skill",
    missing="so the agent starts without it",
    fix="write the skill, or remove the name",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillNames:
    """The key of a header that names skills, and how the runtime finds them.

    `read` reads the file of a skill. `find` returns the skill that a name means among some, or
    None. `entries` returns the entries of a header, if a program does not read the key that another
    program of the system reads, or if there are several keys. `own` are the skills of the runtime
    itself. `paths` returns the paths of skills in a header, from the folder of its file on. If
    `is_in_header`, the name in the header of a skill replaces that of its folder.
    `others` says where skills may be that are not looked up here, or is empty. `groups` are names
    of several skills of the runtime at once. `use` says what an entry does.
    """

    key: str
    read: Callable[[str], SkillHeader]
    find: Callable[[Iterable[Skill], str], Skill | None]
    own: tuple[Skill, ...] = ()
    entries: Callable[[Document], tuple[Value, ...]] | None = None
    is_in_header: bool = False
    others: str = ""
    groups: frozenset[str] = frozenset()
    paths: Callable[[Document], tuple[Value, ...]] = lambda _: ()
    use: Callable[[Document, Value], SkillUse] = lambda _, __: STARTS


class LinkedFile(Enum):
    """What the runtime makes of a link to a file in a folder of agents."""

    READ = "it is read like a file"
    UNLISTED = "only a call by its name finds it"
    SKIPPED = "it is skipped"
