"""Defines an agent system: its tables, and the few functions that truly differ.

Invariants: a dialect is tables and pure functions; every table entry names its source; nothing
here knows a particular vendor.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from agent_lsp.model.availability import Availability, Confirmation, Delegation, Reach
from agent_lsp.model.check import Check
from agent_lsp.model.conversion import Conversion
from agent_lsp.model.discovery import Skills
from agent_lsp.model.fix import Fixer
from agent_lsp.model.key_path import KeyPath, KeyPlace, every, place_at
from agent_lsp.model.listing import Budget
from agent_lsp.model.mentions import Mention, Spelling, in_prompts
from agent_lsp.model.runtime import (
    Call,
    Catalog,
    CatalogFailure,
    DefinedName,
    RuntimeRefusal,
    Scope,
    Spawn,
    Toolset,
)
from agent_lsp.model.schema import (
    Choice,
    Consequence,
    Key,
    KeyRole,
    Model,
    Parameter,
    PartialWord,
    Severity,
    Source,
    Tool,
)
from agent_lsp.model.template import NoEffect, Reading, ShippedStandIn, Template
from agent_lsp.syntax import document, json, toml, yaml
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import Frontmatter
from agent_lsp.syntax.nodes import Mapping as NodeMapping
from agent_lsp.syntax.nodes import Node, Tree
from agent_lsp.text import Span

if TYPE_CHECKING:
    # A system loads its dialect, which names it.
    from agent_lsp.model.system import System


@dataclass(frozen=True, slots=True)
class Renamed:
    """The new name of a key that the runtime ignores.

    `key` is the one to write instead, or None where nothing in a header does the same. `lost`
    says what the file loses, in a clause. `empty_meant_all` says that an empty list under the old
    key was no restriction, which an empty list under the new one is.
    """

    key: str | None
    lost: str
    empty_meant_all: bool = False


@dataclass(frozen=True, slots=True)
class Misnamed:
    """An entry of a tool list that means tools of MCP servers, spelt as no tool can be.

    `fix` says what to write; `meant` are the entries that do it, where they are certain.
    """

    fix: str
    meant: tuple[str, ...] = ()


class Notation(Enum):
    """The language in which headers, or whole files, are written."""

    YAML = "YAML"
    TOML = "TOML"
    JSON = "JSON"


@dataclass(frozen=True, slots=True)
class RoleHint:
    """The part of the spawn call's own description that tells an agent about the roles.

    The first `roles` by name, each with its description, trimmed, up to `longest` characters; of
    a longer one all but the last of so many are left, and `…` stands for the rest.
    """

    roles: int
    longest: int


class WordKind(Enum):
    """The kind of a word."""

    KEY = "key"
    VALUE = "value"
    TOOL = "tool"
    AGENT = "agent"


@dataclass(frozen=True, slots=True)
class WordAt:
    """A word at `span` without its quotes, and the words that may stand there.

    `title` says what such a word is; `notes` are for who asks about it; `shapes` are the snippets
    that write more than the word, by the words that they begin with.
    """

    sort: WordKind
    title: str
    span: Span
    word: str
    offers: tuple[Choice, ...]
    notes: tuple[str, ...] = ()
    shapes: Mapping[str, str] = field(default_factory=dict)

    @property
    def meaning(self) -> str:
        """The meaning of the word, or nothing if it is not among the offers."""
        return next((one.meaning for one in self.offers if one.name == self.word), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFormat:
    """The text of a file, and what is read out of it."""

    # Splits a text into header and body; the flag says that a byte-order mark precedes it.
    split: Callable[[str, bool], Frontmatter]
    # Reads the header's text, which begins at an offset, as a tree.
    syntax: Callable[[str, int], Tree] = yaml.parse
    # Reads a document as the runtime does; the name of the agent is for its messages.
    read: Callable[[Document, str], Reading]
    # A file may be all prompt.
    is_header_optional: bool = False
    # Keys behind `<<` count.
    merges: bool = False
    # A file in the right folder is no template at all, whatever it looks like.
    is_note: Callable[[Document, Scope], bool] | None = None
    # The comment that starts the block of a persona.
    marker: Callable[[str], str] | None = None
    # The runtime's treatment of a file whose header it cannot use.
    consequence: Consequence
    # What is no UTF-8 is replaced, and the file is read all the same.
    replaces_bytes: bool = False
    # The variables that the runtime replaces in a prompt, each as `${name}`.
    variables: tuple[Choice, ...] = ()
    # Entries of shipped templates that stand for what the runtime's own have there.
    stand_ins: tuple[ShippedStandIn, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """How agents get their names, and which file counts of those with one name."""

    # The name that a file name gives, or None where the runtime skips such a file.
    name_of: Callable[[str], str | None]
    # The names in the text of a file, where they stand there and not in the file's name.
    names_in: Callable[[Document, Scope, Path], tuple[DefinedName, ...]] | None = None
    # The name for which the runtime uses no template.
    default_name: str | None = None
    # The names that a call may use for one name, unless they are names themselves.
    spellings: Callable[[str], Iterator[str]] | None = None
    # Of two files of one name the later one counts, by its name, or by its path in a deep scope.
    last_wins: bool = False
    # The files of one name are merged, setting by setting; of each the first file counts.
    is_merged: bool = False
    # The agents that the runtime has without a file, and what a file of their names adds to.
    own: Mapping[str, Template] = field(default_factory=dict)
    # The rule that decides between two files of one name in a scope, if it is not known beforehand.
    tie: Callable[[Scope], str] = lambda _: ""
    # A link to a file is listed; else it is found by its name alone.
    lists_links: bool = True
    # A link to a file is not read at all.
    skips_links: bool = False
    # The built-in files in the user's folder that prevent the runtime from copying all of them.
    kept_by: Callable[[tuple[str, ...], Callable[[str], bool]], tuple[str, ...]] | None = None
    # The file for which no agent loads, if there is one.
    failure: Callable[[Catalog], CatalogFailure | None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """The keys of a header, or of the tables of a file."""

    keys: tuple[Key, ...]
    # Notes on keys that people write and the runtime ignores.
    ignored: Mapping[str, str] = field(default_factory=dict)
    # The replacements of keys that other versions or systems have.
    renamed: Mapping[str, Renamed] = field(default_factory=dict)
    # The key here for a key of other files of the system.
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    # People put keys of their own into headers.
    open_keys: bool = False
    # Keys that take any word, beside those that are known.
    any_word: frozenset[str] = frozenset()
    # The entries that load and do nothing.
    no_effect: Callable[[Document, Scope], Iterator[NoEffect]] | None = None
    # The keys of a whole file, where a template is one of its tables; `keys` are then those of a
    # template, by their dotted names.
    of_file: Callable[[Document], tuple[Key, ...]] | None = None
    # The path of the table whose keys name the templates of a file.
    templates: tuple[str, ...] | None = None
    # The word at an offset in a header that is not YAML; gets the names of all agents.
    word_at: Callable[[Document, int, frozenset[str]], WordAt | None] | None = None
    # The keys that tell that the file of this name is another system's, none for one of our own.
    foreign_keys: Callable[[Document, Scope, str], tuple[str, ...]] | None = None

    @property
    def is_tables(self) -> bool:
        """Whether a file may have several templates, each in a table of its own."""
        return self.templates is not None

    def at(self, document: Document, path: KeyPath) -> tuple[Key, ...]:
        """The keys that belong into the mapping at `path`; none where it is unknown."""
        return self.place(document, document.tree.root, path).keys

    def place(self, document: Document, root: Node | None, path: KeyPath) -> KeyPlace:
        """The place at `path` of `root`, the tree of `document` or of a text that is like it."""
        return place_at(self.outermost(document), root, path)

    def outermost(self, document: Document) -> tuple[Key, ...]:
        """The keys of the outermost mapping, whatever is written in it."""
        return self.keys if self.of_file is None else self.of_file(document)

    def by_name(self) -> dict[str, Key]:
        """The keys of a header at any depth, by their names; an outer one counts."""
        return {key.name: key for key in reversed(tuple(every(self.keys)))}

    def template_at(self, path: KeyPath) -> str | None:
        """The template to which the table at `path` belongs, or None."""
        above = self.templates
        if above is None or len(path) <= len(above) or path[: len(above)] != above:
            return None
        return str(path[len(above)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """The tools of the runtime, and what an entry of a policy covers."""

    listed: tuple[Tool, ...]
    # Tools of the runtime that no agent has.
    withheld: tuple[Tool, ...] = ()
    # The replacements of tools that no longer exist.
    retired: Mapping[str, str] = field(default_factory=dict)
    # Other names that tools have today, each with the usual one.
    aliases: Mapping[str, str] = field(default_factory=dict)
    # The signs that patterns are made of.
    globs: tuple[Choice, ...]
    # Whether an entry covers a tool.
    matches: Callable[[str, str], bool]
    is_pattern: Callable[[str], bool]
    # Whether it is unknown here what an entry covers.
    cannot_tell: Callable[[str], bool]
    # Whether the runtime may have a tool that is not known here.
    may_exist: Callable[[str], bool] | None = None
    # The suggestion for an entry that looks like tools and can cover none.
    misnamed: Callable[[str], Misnamed | None] | None = None
    # Why an entry covers nothing in the list that it is in; with it nothing is denied at all.
    void: Callable[[KeyRole, str], str] | None = None
    # Tools that take agents in parentheses.
    takes_agents: frozenset[str] = frozenset()
    # The message for allowed tools of which none exists.
    nothing_left: str = ""
    # The verdict on each tool for an agent at a depth.
    toolset: Callable[[Reading, tuple[str, ...], int], Toolset]
    # The prefix of the tools of an MCP server, or None if it can have none.
    mcp_prefix: Callable[[str], str | None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """The models of the runtime."""

    listed: tuple[Model, ...]
    # The words in a model's id that can be only one of a few.
    words: Callable[[str], tuple[PartialWord, ...]] | None = None
    # The treatment of an agent whose model does not exist, unless it is refused.
    if_unknown: str = ""


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
    # What the descriptions of a session's agents take of it, where that can be told.
    budget: Callable[[Catalog], Budget] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """Who can come to an agent, whom it names, and who else has something of its file."""

    availability: Callable[[Reading], tuple[Availability, ...]] | None = None
    # The delegation from one agent to another.
    delegation: Delegation | None = None
    # The agents that a file names where only this system does, besides those in prompts.
    mentions: Callable[[Document], tuple[Mention, ...]] | None = None
    skills: Skills | None = None
    reach: Reach = field(default_factory=Reach)
    # The record of the texts that a person has to confirm before there is such an agent.
    confirmation: Confirmation | None = None


@dataclass(frozen=True, slots=True)
class Reader:
    """One of the programs of a system that read the same files, and its dialect."""

    name: str
    load: "Callable[[], Dialect]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variants:
    """Forms, generations and versions of one runtime, and its readers."""

    # The programs that read every file, each in its way; the first is the one that answers calls.
    readers: tuple[Reader, ...] = ()
    # Those that read the same files otherwise, and the dialect of each.
    generations: tuple[Choice, ...] = ()
    in_generation: "Callable[[str], Dialect] | None" = None
    # The dialects whose agents share their names; a file of the first precedes those of the next.
    forms: "Callable[[], tuple[Dialect, ...]] | None" = None
    # The rest of a catalog of all forms, as the first form knows it.
    settled: Callable[[Catalog], Catalog] | None = None
    # The version of the runtime that was run to see what it does, where one was, and where what an
    # installed one says of its version may lie.
    measured: str = ""
    packages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What is said of a file."""

    checks: tuple[Check, ...] = ()
    # Gives the fixers of its rules; the first call loads the modules that it takes.
    fixers: Callable[[], Mapping[str, tuple[Fixer, ...]]] = dict
    # The severity of each code; a code that is not here is not reported.
    severities: Mapping[str, Severity]
    # The differences between the runtime's code and its document, by key.
    notes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """One agent system: what its files may hold, and what its runtime does with them."""

    # The folders of its files, and its title.
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
    # The facts for conversion to other systems, None if they are unknown.
    conversion: Conversion | None = None

    @property
    def id(self) -> str:
        """The id of the system, and of the dialect."""
        return self.system.id

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
        if self.format.syntax in (toml.parse, toml.parse_open, toml.parse_newer):
            return Notation.TOML
        return Notation.JSON if self.format.syntax is json.parse else Notation.YAML

    @property
    def is_toml(self) -> bool:
        """Whether headers are TOML."""
        return self.notation is Notation.TOML

    def key(self, name: str) -> Key | None:
        """The header key called `name`, or None."""
        return next((key for key in self.schema.keys if key.name == name), None)

    def key_with_role(self, holds: KeyRole) -> Key | None:
        """The header key whose value is about `holds`, or None."""
        return next((key for key in self.schema.keys if key.role is holds), None)

    def parse(self, text: str, *, bom: bool = False) -> Document:
        """The document that a file with `text` is."""
        return document.parse(text, self.format.split, bom=bom, read=self.format.syntax)

    def list_argument(self, holds: KeyRole) -> str | None:
        """The name of the listing's argument for `holds`, or None."""
        return _named(self.calls.list_parameters, holds)

    def spawn_argument(self, holds: KeyRole) -> str | None:
        """The name of the spawn call's argument for `holds`, or None."""
        return _named(self.calls.spawn_parameters, holds)

    def mentioned(self, document: Document) -> tuple[Mention, ...]:
        """The agents and personas that a file speaks of, by the names that it writes."""
        agent, persona = (self.spawn_argument(h) for h in (KeyRole.AGENT, KeyRole.PERSONA_NAME))
        own = self.references.mentions(document) if self.references.mentions is not None else ()
        # Prompts that are values stand anywhere.
        is_value = self.schema.is_tables or self.key_with_role(KeyRole.PROMPT) is not None
        start = 0 if is_value else document.frontmatter.body.start
        spelling = Spelling(self.calls.spawn_call, agent, persona)
        said = in_prompts(document.text, start, spelling)
        where = self._description(document) if start else None
        # An example in a description shows a call, and makes none.
        told = (
            replace(one, is_call=False)
            for at in (() if where is None else (where,))
            for one in in_prompts(document.text[: at.end], at.start, spelling)
        )
        return tuple({one.span: one for one in (*told, *said, *own)}.values())

    def _description(self, document: Document) -> Span | None:
        """The description in a header, or None."""
        key, root = self.key_with_role(KeyRole.DESCRIPTION), document.tree.root
        entry = root.get(key.name) if key is not None and isinstance(root, NodeMapping) else None
        return entry.value.span if entry is not None and entry.value is not None else None


def _named(parameters: tuple[Parameter, ...], holds: KeyRole) -> str | None:
    return next((found.name for found in parameters if found.role is holds), None)
