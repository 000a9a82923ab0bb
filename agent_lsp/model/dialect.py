"""Defines a dialect: its tables, and the few functions in which systems differ.

Invariants: a dialect is tables and pure functions. Each entry names its source. No vendor is named.
"""

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.model.availability import (
    Availability,
    Confirmation,
    Delegation,
    Mention,
    Reach,
    Spelling,
    in_prompts,
)
from agent_lsp.model.check import Check, Fixer
from agent_lsp.model.conversion import Conversion
from agent_lsp.model.discovery import LinkedFile, ServerNames, SkillNames, Skills
from agent_lsp.model.runtime import (
    Budget,
    Call,
    Candidate,
    Catalog,
    CatalogFailure,
    DefinedName,
    RoleHint,
    RuntimeRefusal,
    Scope,
    Spawn,
    Toolset,
)
from agent_lsp.model.schema import (
    Choice,
    Consequence,
    Hooks,
    IfWrong,
    Key,
    KeyPath,
    KeyPlace,
    KeyRole,
    Model,
    Parameter,
    Renamed,
    Severity,
    Source,
    Tool,
    ValueKind,
    WordAt,
    every,
    place_at,
)
from agent_lsp.model.template import NoEffect, Reading, ShippedStandIn, Template, Value
from agent_lsp.syntax import document, yaml
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import Frontmatter
from agent_lsp.syntax.nodes import Mapping as NodeMapping
from agent_lsp.syntax.nodes import Node, Tree
from agent_lsp.text import Span

if TYPE_CHECKING:
    # The dialect names its system, and the system loads its dialect.
    from agent_lsp.model.system import System


@dataclass(frozen=True, slots=True)
class Misnamed:
    """An entry of a tool list that means tools of MCP servers, but that matches no tool's name.

    `fix` says what to write. `meant` are the entries to write, if they are certain.
    """

    fix: str
    meant: tuple[str, ...] = ()


class Notation(Enum):
    """The language in which headers, or whole files, are written."""

    YAML = "YAML"
    TOML = "TOML"
    JSON = "JSON"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFormat:
    """The format of a file, and how it is read."""

    # Splits a text into header and body. The flag says whether a byte-order mark precedes the text.
    split: Callable[[str, bool], Frontmatter]
    # Parses the header's text, which begins at the offset.
    syntax: Callable[[str, int], Tree] = yaml.parse
    # The language of the header.
    notation: Notation = Notation.YAML
    # Reads a document as the runtime does. The messages use the name of the agent.
    read: Callable[[Document, str], Reading]
    # As `read`, for a file in a folder of another program, if that makes a difference.
    read_borrowed: Callable[[Document, str], Reading] | None = None
    # Whether a file may have no header.
    is_header_optional: bool = False
    # Whether the runtime takes the whole file as text, also the header.
    is_text: bool = False
    # Whether the runtime applies the keys of a merge (`<<`).
    merges: bool = False
    # Whether a file in the right folder is a note, and therefore no template.
    is_note: Callable[[Document, Scope], bool] | None = None
    # The comment that starts the block of a persona.
    marker: Callable[[str], str] | None = None
    # The runtime's treatment of a file whose header it cannot use.
    consequence: Consequence
    # The same for the files of a scope, or None if it is no other.
    consequence_in: Callable[[Scope], Consequence | None] = lambda _: None
    # Whether the runtime replaces bytes that are not UTF-8, and reads the file.
    replaces_bytes: bool = False
    # The variables that the runtime replaces in a prompt, each as `${name}`.
    variables: tuple[Choice, ...] = ()
    # Entries of shipped templates that are stand-ins for entries of the runtime's own templates.
    stand_ins: tuple[ShippedStandIn, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """How agents get their names, and which of several files with one name is used."""

    # The name that a file name gives, or None where the runtime skips such a file.
    name_of: Callable[[str], str | None]
    # The names in the text of a file, if names stand there and not in the file's name.
    names_in: Callable[[Document, Scope, Path], tuple[DefinedName, ...]] | None = None
    # The name for which the runtime uses no template.
    default_name: str | None = None
    # Other names that a call may use for a name, unless an agent has such a name itself.
    spellings: Callable[[str], Iterator[str]] | None = None
    # Whose calls a candidate gets besides those of its own name, who gets its own, or what another
    # generation makes of it, in words; empty for most.
    taken: Callable[[Catalog, Candidate], str] | None = None
    # Whether the later of two files with one name wins, by its name, or by its path in a deep
    # scope.
    last_wins: bool = False
    # Whether files of one name are merged by setting. The first file with a setting decides it.
    is_merged: bool = False
    # The agents that the runtime has without a file; a file with such a name adds to the agent.
    own: Mapping[str, Template] = field(default_factory=dict)
    # The rule that decides between two files of one name in a scope, if the order is not fixed.
    tie: Callable[[Scope], str] = lambda _: ""
    # What becomes of a link to a file.
    links: LinkedFile = LinkedFile.READ
    # The built-in files in the user's folder that prevent the runtime from copying all of them.
    kept_by: Callable[[tuple[str, ...], Callable[[str], bool]], tuple[str, ...]] | None = None
    # The file for which no agent loads, if there is one.
    failure: Callable[[Catalog], CatalogFailure | None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """The keys of a header, or of the tables of a file."""

    keys: tuple[Key, ...]
    # The consequence of a value that a key does not take, for each key that states no other.
    if_wrong: IfWrong
    # A key as it is in the files of a scope, where the runtime treats them differently.
    key_in: Callable[[Key, Scope], Key] = lambda key, _: key
    # Notes on keys that people write and the runtime ignores.
    ignored: Mapping[str, str] = field(default_factory=dict)
    # The replacements of keys that other versions or systems have.
    renamed: Mapping[str, Renamed] = field(default_factory=dict)
    # The key here for a key of other files of the system.
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    # Whether people may put keys of their own into headers.
    open_keys: bool = False
    # What becomes of a key that is not listed: a clause, empty if it is known elsewhere, or None.
    stranger: Callable[[KeyPath, str], str | None] = lambda _, __: None
    # The entries that load and do nothing.
    no_effect: Callable[[Document, Scope], Iterator[NoEffect]] | None = None
    # The keys of a file whose tables are templates; `keys` are then theirs, with dotted names.
    of_file: Callable[[Document], tuple[Key, ...]] | None = None
    # The paths of the tables whose keys name the templates of a file, the usual one first.
    templates: tuple[tuple[str, ...], ...] = ()
    # The word at an offset where only the system knows what may stand there: in a whole file that
    # is text, or in a prompt. The last argument returns the names of all agents.
    word_at: Callable[[Document, int, Callable[[], frozenset[str]]], WordAt | None] | None = None
    # The keys that show that a bundle's file of this name belongs to another system, or none.
    foreign_keys: Callable[[Document, str], tuple[str, ...]] | None = None
    # Whether a file may have several templates, each a table.
    is_tables: bool = field(init=False, default=False)
    # The first key whose value is about each role.
    by_role: Mapping[KeyRole, Key] = field(init=False, default_factory=dict)
    # The keys that may always stand in a header, and that have none below them.
    plain: frozenset[str] = field(init=False, default=frozenset())

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_tables", bool(self.templates))
        by_role = {key.role: key for key in reversed(self.keys) if key.role is not None}
        object.__setattr__(self, "by_role", by_role)
        holding = (ValueKind.RECORDS, ValueKind.TABLE)
        plain = [
            key.name
            for key in self.keys
            if key.when is None and not (key.items or key.others or key.kind in holding)
        ]
        object.__setattr__(self, "plain", frozenset(() if self.of_file is not None else plain))

    def at(self, document: Document, path: KeyPath) -> tuple[Key, ...]:
        """The keys that belong in the mapping at `path`; none if the mapping is unknown."""
        return self.place(document, document.tree.root, path).keys

    def place(self, document: Document, root: Node | None, path: KeyPath) -> KeyPlace:
        """The place at `path` of `root`, the tree of `document` or of a text similar to it."""
        return place_at(self.outermost(document), root, path)

    def outermost(self, document: Document) -> tuple[Key, ...]:
        """The keys that belong in the outermost mapping, whatever keys it has."""
        return self.keys if self.of_file is None else self.of_file(document)

    def consequence(self, key: Key) -> IfWrong:
        """The consequence of a value that `key` does not take."""
        return key.if_wrong or self.if_wrong

    def by_name(self) -> dict[str, Key]:
        """The keys of a header at any depth, by their names; an outer key has precedence."""
        return {key.name: key for key in reversed(tuple(every(self.keys)))}

    def template_at(self, path: KeyPath) -> str | None:
        """The template to which the table at `path` belongs, or None."""
        above = self.templates_above(path)
        return str(path[len(above)]) if above is not None else None

    def templates_above(self, path: KeyPath) -> tuple[str, ...] | None:
        """The path of the table of templates that has the one at `path` below it, or None."""
        for above in self.templates:
            if len(path) > len(above) and path[: len(above)] == above:
                return above
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """The tools of the runtime, and what an entry of a policy covers."""

    listed: tuple[Tool, ...]
    # Tools of the runtime that no agent has.
    withheld: tuple[Tool, ...] = ()
    # The replacements of tools that no longer exist.
    retired: Mapping[str, str] = field(default_factory=dict)
    # The characters that form patterns.
    globs: tuple[Choice, ...]
    # Whether an entry covers a tool.
    matches: Callable[[str, str], bool]
    is_pattern: Callable[[str], bool]
    # Whether this product cannot know what an entry covers.
    cannot_tell: Callable[[str], bool]
    # The suggestion for an entry that looks like tools but can cover none.
    misnamed: Callable[[str], Misnamed | None] | None = None
    # Why an entry covers nothing in its list; it also keeps the list from denying anything.
    void: Callable[[KeyRole, str], str] | None = None
    takes_agents: frozenset[str] = frozenset()  # Tools that take agents in parentheses.
    # The message for a list of allowed tools none of which exists.
    nothing_left: str = ""
    # The verdict on each tool for an agent at a depth.
    toolset: Callable[[Reading, tuple[str, ...], int], Toolset]
    # The names and patterns of tools in a policy that is no list, each with its span.
    named: Callable[[Reading], tuple[Value, ...]] | None = None
    # The prefix of the tools of an MCP server, or None if the server can have no tools.
    mcp_prefix: Callable[[str], str | None] | None = None
    # How a header names MCP servers, if it can.
    servers: ServerNames | None = None
    # The names of all tools of the runtime, in order.
    names: tuple[str, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        names = tuple(tool.name for tool in (*self.listed, *self.withheld))
        object.__setattr__(self, "names", names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """The models of the runtime."""

    listed: tuple[Model, ...]
    if_unknown: str = ""  # What happens to an agent without its model, if it is not refused.


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """The calls of the runtime, and what it answers."""

    list_call: str
    list_parameters: tuple[Parameter, ...]
    # The call that answers for one agent, where the listing does not.
    describe_call: str | None = None
    list_agents: Callable[[Catalog, Call], object | RuntimeRefusal]
    # The members of a listing that hold a prompt.
    prompts: frozenset[str] = frozenset()
    spawn_call: str
    spawn_parameters: tuple[Parameter, ...]
    spawn: Callable[[Catalog, Call], Spawn | RuntimeRefusal]
    # The files in which the runtime logs a prompt, by the artifacts of a spawn.
    artifact_files: Callable[[Mapping[str, object]], dict[str, str]] | None = None
    # The part of each role that the description of the spawn call shows.
    hint: RoleHint | None = None
    # The tokens that the descriptions of a session's agents take, if they can be estimated.
    budget: Callable[[Catalog], Budget] | None = None
    # The first argument of the spawn call with each role.
    by_role: Mapping[KeyRole, str] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        given = reversed(self.spawn_parameters)
        by_role = {one.role: one.name for one in given if one.role is not None}
        object.__setattr__(self, "by_role", by_role)


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """Who can use an agent, which agents it names, and which other programs read its file."""

    availability: Callable[[Reading, Scope], tuple[Availability, ...]] | None = None
    # The delegation from one agent to another.
    delegation: Delegation | None = None
    # The agents that a file names in the syntax of this system, in addition to those in prompts.
    mentions: Callable[[Document], tuple[Mention, ...]] | None = None
    built_in: Callable[[Catalog], tuple[Choice, ...]] = lambda _: ()  # They need no file.
    skills: Skills | None = None
    # The key of a header that names skills, if the system has one.
    skill_names: SkillNames | None = None
    reach: Reach = field(default_factory=Reach)
    # The hooks in a header, if it may have any.
    hooks: Hooks | None = None
    # The record of the texts that a person has to confirm before such an agent exists.
    confirmation: Confirmation | None = None


@dataclass(frozen=True, slots=True)
class Reader:
    """One of the programs of a system: its `id` in settings, its dialect, and that of its calls."""

    name: str
    load: "Callable[[], Dialect]"
    id: str = ""
    answers: "Callable[[], Dialect] | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Variants:
    """Forms, generations and versions of one runtime, and its readers."""

    # The programs that each read every file in their own way. The first one answers calls.
    readers: tuple[Reader, ...] = ()
    # The generations that read the same files differently, and the dialect of each.
    generations: tuple[Choice, ...] = ()
    in_generation: "Callable[[str], Dialect] | None" = None
    # The dialects whose agents share their names, in order of precedence.
    forms: "Callable[[], tuple[Dialect, ...]] | None" = None
    # The rest of a catalog of all forms, as the first form knows it.
    settled: Callable[[Catalog], Catalog] | None = None
    # The version in which facts were measured, and where an installed runtime may record its own.
    measured: str = ""
    packages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The findings on a file, and their severities."""

    checks: tuple[Check, ...] = ()
    # Returns the fixers of its rules. The first call loads their modules.
    fixers: Callable[[], Mapping[str, tuple[Fixer, ...]]] = dict
    # The severity of each code. A code that is missing here is not reported.
    severities: Mapping[str, Severity]
    # What VS Code reports itself, with its severity, by code, by `code/key` in the value of a key,
    # or by `code/.a.b` in files with such an ending. No more severe findings are left to it.
    left_to_vscode: Mapping[str, Severity] = field(default_factory=dict)
    # The differences between the runtime's code and its documentation, by key.
    notes: Mapping[str, str] = field(default_factory=dict)


# Dialects are compared by identity, so that what is computed from them can be stored.
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Dialect:
    """The dialect of a system: what its files may hold, and what its runtime does with them."""

    # The system: the folders of its files, and its title.
    system: "System"
    # The source of most of its facts.
    source: Source
    format: FileFormat
    names: Names
    schema: Schema
    tools: Tools
    models: Models
    calls: Calls
    references: References = field(default_factory=References)
    variants: Variants = field(default_factory=Variants)
    findings: Findings
    # The facts for conversion to other systems, or None if they are unknown.
    conversion: Conversion | None = None
    # The id of the system, and of the dialect.
    id: str = field(init=False, default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", self.system.id)

    @property
    def title(self) -> str:
        """The name of the system for people."""
        return self.system.title

    @property
    def runtime(self) -> str:
        """The program that reads its files."""
        return self.system.runtime

    @property
    def notation(self) -> Notation:
        """The language of a header."""
        return self.format.notation

    @property
    def is_toml(self) -> bool:
        """Whether headers are TOML."""
        return self.notation is Notation.TOML

    def key(self, name: str) -> Key | None:
        """The header key called `name`, or None."""
        return next((key for key in self.schema.keys if key.name == name), None)

    def loss(self, key: Key, scope: Scope) -> str:
        """What a value costs that `key` does not take, as a clause, in a file of `scope`."""
        found = self.schema.consequence(self.schema.key_in(key, scope))
        return self.consequence(scope).header_refused if found.is_severe else found.value

    def consequence(self, scope: Scope) -> Consequence:
        """The treatment of a file of `scope` whose header the runtime cannot use."""
        return self.format.consequence_in(scope) or self.format.consequence

    def parse(self, text: str, *, bom: bool = False) -> Document:
        """The document for a file with `text`."""
        return document.parse(text, self.format.split, bom=bom, read=self.format.syntax)

    def list_argument(self, holds: KeyRole) -> str | None:
        """The name of the listing's argument for `holds`, or None."""
        given = self.calls.list_parameters
        return next((one.name for one in given if one.role is holds), None)

    def spawn_argument(self, holds: KeyRole) -> str | None:
        """The name of the spawn call's argument for `holds`, or None."""
        return self.calls.by_role.get(holds)

    def mentioned(self, document: Document) -> tuple[Mention, ...]:
        """The agents and personas that a file mentions, with the names that it uses."""
        agent, persona = (self.spawn_argument(h) for h in (KeyRole.AGENT, KeyRole.PERSONA_NAME))
        own = self.references.mentions(document) if self.references.mentions is not None else ()
        # A prompt that is the value of a key can stand anywhere.
        is_value = self.schema.is_tables or self.schema.by_role.get(KeyRole.PROMPT) is not None
        start = 0 if is_value else document.frontmatter.body.start
        spelling = Spelling(self.calls.spawn_call, agent, persona)
        said = in_prompts(document.text, start, spelling)
        where = self._description(document) if start else None
        # A call in a description is an example and does not run.
        told = (
            replace(one, is_call=False)
            for at in (() if where is None else (where,))
            for one in in_prompts(document.text[: at.end], at.start, spelling)
        )
        return tuple({one.span: one for one in (*told, *said, *own)}.values())

    def _description(self, document: Document) -> Span | None:
        """The description in a header, or None."""
        key, root = self.schema.by_role.get(KeyRole.DESCRIPTION), document.tree.root
        entry = root.get(key.name) if key is not None and isinstance(root, NodeMapping) else None
        return entry.value.span if entry is not None and entry.value is not None else None
