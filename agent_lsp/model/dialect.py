"""What one agent system is: its tables, and the few functions that truly differ.

Invariants: a dialect is tables and pure functions; every table entry names its source; nothing
here knows a particular vendor.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from agent_lsp.model.availability import Availability, Delegation, Reach
from agent_lsp.model.check import Check
from agent_lsp.model.conversion import Conversion
from agent_lsp.model.discovery import (
    Skills,
)
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
from agent_lsp.model.template import NoEffect, Reading, ShippedStandIn
from agent_lsp.syntax import document, toml, yaml
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import Frontmatter
from agent_lsp.syntax.nodes import Entry, Tree
from agent_lsp.text import Span

if TYPE_CHECKING:
    # A system loads its dialect, which names it.
    from agent_lsp.model.system import System


@dataclass(frozen=True, slots=True)
class Renamed:
    """What became of a key that the runtime ignores.

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


@dataclass(frozen=True, slots=True)
class RoleHint:
    """What the spawn call's own description tells an agent of the roles that there are.

    The first `roles` by name, each with its description, trimmed, up to `longest` characters; of
    a longer one all but the last of so many are left, and `…` stands for the rest.
    """

    roles: int
    longest: int


class WordKind(Enum):
    """What a word is about."""

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
        """What the word means, or nothing if it is not among the offers."""
        return next((one.meaning for one in self.offers if one.name == self.word), "")


@dataclass(frozen=True, slots=True)
class Dialect:
    """One agent system: where its files live, what they may hold, what its runtime does.

    `list_call` answers for all agents, and for one as well unless `describe_call` does. `read`
    takes the name of the agent, for the runtime's messages. `default_name` is the name for which
    the runtime uses no template; `spellings` yields the names that a call may use for one name,
    unless they are names themselves. `kept_by` says which of the built-in files, if they exist in
    the user's folder, keep the runtime from copying all of them there. `withheld` are tools of the
    runtime that no agent has; `ignored` says of keys that people write and the runtime ignores what
    they should know, `renamed` which key they are now, `elsewhere` which one does here what they do
    in other files of the system; `prompts` are the members of a listing that hold one. `mentions`
    finds the agents that a file names where only this system does, besides those in the words of
    prompts. `failure` finds the file for which no agent loads;
    `is_header_optional` says that a file may be all prompt, `last_wins` that the later of two files
    of one name in a folder counts, `lists_links` False that a link to a file is found by its name
    and not listed, and `merges` that keys behind `<<` do. `standing` tells for whom
    an agent is there, `delegation` how one calls another; `generations` are those of the runtime
    that read the same files otherwise, each with its dialect in `told`, and `servers` says where
    its MCP servers are configured. `names_in` are the names in the text of a file, where they stand
    there and not in the file's name; `is_note` tells of a file in the right folder that it is no
    template at all, whatever it looks like. `tie` says what decides between two files of one scope
    that define one name, where that is not known beforehand. `syntax` reads the header; `files` are
    the names of files, where they are no `*.md`; `first_only` says that the first scope hides the
    others wholly, and `passed_over` are files of other forms, in order, that are used in a scope
    without one of `files`. `remarks` are what only the dialect can say of a file;
    `place` tells what a word is, and what may stand there, where the
    header is no YAML, and gets the names of the agents that there are; `common` tells templates
    from others in folders of a common name; `keys_at` gives the keys of a table by its path,
    which makes the files tables with a template in each, and `template_at` the one to which a table
    belongs; `lines` are the keys that one of them has, by the names that settings have.
    `may_exist` tells of a tool that is not known here whether the runtime may have it, `retired`
    what does today what a tool did that is gone; `nothing_left` is said of allowed tools of which
    none exists. `idle` finds what does nothing. `open_keys`: people put keys of their own
    into headers; `any_word`: keys with any word. `takes_agents` are tools with agents in
    parentheses. `artifacts` are the files in which the runtime logs a prompt, by the exhibits of
    its spawn. `misnamed` tells of an entry that means tools and can cover none, `void` why one
    covers nothing in the list that it is in; with it nothing is denied at all. `forms`
    are the dialects of one runtime whose agents share their names, a file of the first one before
    those of the next, and `settled` what is left of a catalog of all of them, as the first one
    knows. `conversion` says how its files compare with those of other systems, None where nobody
    knows. `model_words` are the words in a model's id that can be only one of a few, and
    `unknown_model` what becomes of an agent whose model there is not, unless it is refused. `reach`
    says who else has something of a file.
    """

    system: "System"
    source: Source
    keys: tuple[Key, ...]
    tools: tuple[Tool, ...]
    models: tuple[Model, ...]
    globs: tuple[Choice, ...]
    consequence: Consequence
    severities: Mapping[str, Severity]
    list_call: str
    list_parameters: tuple[Parameter, ...]
    spawn_call: str
    spawn_parameters: tuple[Parameter, ...]
    name_of: Callable[[str], str | None]
    split: Callable[[str, bool], Frontmatter]
    read: Callable[[Document, str], Reading]
    matches: Callable[[str, str], bool]
    is_pattern: Callable[[str], bool]
    cannot_tell: Callable[[str], bool]
    toolset: Callable[[Reading, tuple[str, ...], int], Toolset]
    list_agents: Callable[[Catalog, Call], object | RuntimeRefusal]
    spawn: Callable[[Catalog, Call], Spawn | RuntimeRefusal]
    syntax: Callable[[str, int], Tree] = yaml.parse
    checks: tuple[Check, ...] = ()
    word_at: Callable[[Document, int, frozenset[str]], WordAt | None] | None = None
    keys_at: Callable[[Document, tuple[str, ...]], tuple[Key, ...]] | None = None
    template_at: Callable[[tuple[str, ...]], str | None] | None = None
    lines: Callable[[Document, str], tuple[tuple[str, Entry], ...]] | None = None
    names_in: Callable[[Document, Scope, Path], tuple[DefinedName, ...]] | None = None
    is_note: Callable[[Document, Scope], bool] | None = None
    tie: str = ""
    may_exist: Callable[[str], bool] | None = None
    misnamed: Callable[[str], Misnamed | None] | None = None
    void: Callable[[KeyRole, str], str] | None = None
    retired: Mapping[str, str] = field(default_factory=dict)
    nothing_left: str = ""
    no_effect: Callable[[Document, Scope], Iterator[NoEffect]] | None = None
    open_keys: bool = False
    any_word: frozenset[str] = frozenset()
    takes_agents: frozenset[str] = frozenset()
    marker: Callable[[str], str] | None = None
    default_name: str | None = None
    spellings: Callable[[str], Iterator[str]] | None = None
    kept_by: Callable[[tuple[str, ...], Callable[[str], bool]], tuple[str, ...]] | None = None
    hint: RoleHint | None = None
    stand_ins: tuple[ShippedStandIn, ...] = ()
    describe_call: str | None = None
    withheld: tuple[Tool, ...] = ()
    ignored: Mapping[str, str] = field(default_factory=dict)
    renamed: Mapping[str, Renamed] = field(default_factory=dict)
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    failure: Callable[[Catalog], CatalogFailure | None] | None = None
    is_header_optional: bool = False
    last_wins: bool = False
    lists_links: bool = True
    merges: bool = False
    availability: Callable[[Reading], tuple[Availability, ...]] | None = None
    delegation: Delegation | None = None
    skills: Skills | None = None
    prompts: frozenset[str] = frozenset()
    mentions: Callable[[Document], tuple[Mention, ...]] | None = None
    artifact_files: Callable[[Mapping[str, object]], dict[str, str]] | None = None
    generations: tuple[Choice, ...] = ()
    in_generation: "Callable[[str], Dialect] | None" = None
    forms: "Callable[[], tuple[Dialect, ...]] | None" = None
    settled: Callable[[Catalog], Catalog] | None = None
    mcp_prefix: Callable[[str], str | None] | None = None
    notes: Mapping[str, str] = field(default_factory=dict)
    conversion: Conversion | None = None
    model_words: Callable[[str], tuple[PartialWord, ...]] | None = None
    unknown_model: str = ""
    reach: Reach = field(default_factory=Reach)

    @property
    def id(self) -> str:
        """The id of the system, and of the dialect."""
        return self.system.id

    @property
    def title(self) -> str:
        """What people call the system."""
        return self.system.title

    @property
    def runtime(self) -> str:
        """The program that reads its files."""
        return self.system.runtime

    @property
    def is_toml(self) -> bool:
        """Whether headers are TOML."""
        return self.syntax in (toml.parse, toml.parse_open)

    @property
    def is_yaml(self) -> bool:
        """Whether a header is a mapping of YAML, of which the rules know what it may hold."""
        return self.keys_at is None and self.word_at is None

    def key(self, name: str) -> Key | None:
        """The header key called `name`, or None."""
        return next((key for key in self.keys if key.name == name), None)

    def key_with_role(self, holds: KeyRole) -> Key | None:
        """The header key whose value is about `holds`, or None."""
        return next((key for key in self.keys if key.role is holds), None)

    def parse(self, text: str, *, bom: bool = False) -> Document:
        """The document that a file with `text` is."""
        return document.parse(text, self.split, bom=bom, read=self.syntax)

    def list_argument(self, holds: KeyRole) -> str | None:
        """The name of the listing's argument for `holds`, or None."""
        return _named(self.list_parameters, holds)

    def spawn_argument(self, holds: KeyRole) -> str | None:
        """The name of the spawn call's argument for `holds`, or None."""
        return _named(self.spawn_parameters, holds)

    def mentioned(self, document: Document) -> tuple[Mention, ...]:
        """The agents and personas that a file speaks of, by the names that it writes."""
        agent, persona = (self.spawn_argument(h) for h in (KeyRole.AGENT, KeyRole.PERSONA_NAME))
        own = self.mentions(document) if self.mentions is not None else ()
        # In a file of tables the prompts are values, and stand anywhere.
        start = document.frontmatter.body.start if self.keys_at is None else 0
        spelling = Spelling(self.spawn_call, agent, persona)
        said = in_prompts(document.text, start, spelling)
        return tuple({one.span: one for one in (*said, *own)}.values())


def _named(parameters: tuple[Parameter, ...], holds: KeyRole) -> str | None:
    return next((found.name for found in parameters if found.role is holds), None)
