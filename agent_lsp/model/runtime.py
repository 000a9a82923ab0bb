"""The arguments and the answer of a runtime call, with the origin of each value."""

from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from agent_lsp.data_classes import dataclass, field
from agent_lsp.model.discovery import Skill
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import LoadError, Reading, Value
from agent_lsp.text import Span

if TYPE_CHECKING:
    # The dialect has the functions that answer calls.
    from agent_lsp.model.dialect import Dialect
    # The dialect has the arguments of its listing.


@dataclass(frozen=True, slots=True)
class Scope:
    """A place where the runtime looks, found on this machine.

    `reaches_down` says that sessions that start in a folder below it find it, too. `deep` says that
    the folders below `folder` belong to it. `prefix` is what the runtime puts before the names in
    it. `form` is the dialect of the files there, or empty if the runtime has only one form of
    files. If `only` has names of files, or patterns with `*`, other files do not count. `lost` says
    why the files that do not count were meant to count, or is empty if there are none. With
    `is_header_optional`, a file may have no header. A scope that `is_borrowed` is a folder of
    another program. If it has `readers`, only these programs of the system look there.
    """

    kind: str
    label: str
    folder: Path
    builtin: bool = False
    reaches_down: bool = True
    deep: bool = False
    prefix: str = ""
    form: str = ""
    only: frozenset[str] = frozenset()
    lost: str = ""
    is_header_optional: bool = False
    is_borrowed: bool = False
    readers: frozenset[str] = frozenset()

    def counts(self, file_name: str) -> bool:
        """Whether the runtime uses a file of this name."""
        return self._names(file_name) if self.only else not self.lost

    def may_hold(self, file_name: str) -> bool:
        """Whether a file of this name is a template, or at least was meant as one."""
        return not self.only or self._names(file_name) or bool(self.lost)

    def _names(self, file_name: str) -> bool:
        """Whether `only` names the file, or has a pattern with `*` that it fits."""
        patterns = (one for one in self.only if "*" in one)
        return file_name in self.only or any(fnmatchcase(file_name, one) for one in patterns)


@dataclass(frozen=True, slots=True)
class DefinedName:
    """A name that a file defines, and its span, or None if the file's name is the agent's name."""

    name: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that defines `name` in `scope`; the first readable one of a name wins.

    `unread` says why this product does not read a file that the runtime reads, or is empty.
    `locked` says why the runtime cannot read it either, if the runtime does not skip such a file.
    `span` is the span of the name, or None if the file's name is the agent's name. A candidate that
    is not `listed` is found only by a call with its name.
    """

    name: str
    path: Path
    scope: Scope
    unread: str = ""
    locked: str = ""
    span: Span | None = None
    listed: bool = True


@dataclass(frozen=True, slots=True)
class Definition:
    """The meaning of a name for the runtime, with the file that decides each setting.

    `parts` are the files that are merged, in order of precedence; most runtimes use only one.
    `reading` is the result of the merge. `origins` has the file that decides each setting. A
    setting without a file there is the runtime's own. `inner` has the parts of a setting that
    several files make together, by dotted names.
    """

    name: str
    parts: tuple[Candidate, ...]
    reading: Reading
    origins: Mapping[str, Candidate]
    inner: Mapping[str, Value] = field(default_factory=dict)

    @property
    def is_merged(self) -> bool:
        """Whether several files define it, or the runtime has an agent of the same name."""
        return len(self.parts) > 1 or len(self.origins) < len(self.reading.declared.settings)


@dataclass(frozen=True, slots=True)
class Catalog:
    """Everything the runtime finds from one session root.

    `names` are sorted by code point. `candidates(name)` are the files that define the name for the
    runtime, in order of precedence. `read(candidate)` is the runtime's reading of one. `skipped()`
    are the readable files that the runtime skips, each with its reason. `passed_over` is a file
    that the runtime reads and this product does not, whatever it defines. `definition(name)` is the
    result of all files of a name, if the runtime merges them. `skill(name)` is the skill that a
    header means by a name; it is None if nothing is known about skills. `repository()` are the
    folders whose trust counts for the session: its repository and, for a worktree, the main
    checkout; outside of all repositories the root. `is_link` says whether a path is a link to a
    file. `made(name, path)` is the agent that uses what the file at `path` defines as `name`, if
    another file decides what that is, or empty. `notes()` say in our words what decides about all
    of its agents. `read_as` is the reading of one by another program of the system. `text(path)` is
    that of any file, or None if there is none, and `home` is the user's folder. `variables` are the
    environment variables of the session. `beside()` are the files beside the agents that
    may refuse the session, each with its reading.
    """

    root: Path
    scopes: tuple[Scope, ...]
    names: tuple[str, ...]
    candidates: Callable[[str], tuple[Candidate, ...]]
    read: Callable[[Candidate], Reading]
    skipped: Callable[[], tuple[tuple[Candidate, str], ...]] = tuple
    passed_over: Candidate | None = None
    definition: Callable[[str], Definition | None] = lambda _: None
    skill: Callable[[str], Skill | None] | None = None
    repository: Callable[[], tuple[Path, ...]] = tuple
    is_link: Callable[[Path], bool] = lambda _: False
    made: Callable[[str, Path], str] = lambda _, __: ""
    notes: Callable[[], tuple[str, ...]] = tuple
    read_as: "Callable[[Candidate, Dialect], Reading]" = lambda _, dialect: dialect.format.read(
        dialect.parse(""), ""
    )
    text: Callable[[Path], str | None] = lambda _: None
    home: Path | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    beside: "Callable[[], tuple[tuple[Candidate, Reading], ...]]" = tuple

    def parts(self, name: str) -> tuple[Candidate, ...]:
        """The files that count for the name: the winner, or all that are merged."""
        merged, winner = self.definition(name), self.winner(name)
        if merged is not None:
            return merged.parts
        return (winner,) if winner is not None else ()

    def winner(self, name: str) -> Candidate | None:
        """The candidate that the runtime uses for exactly `name`, or None."""
        return next(iter(self.candidates(name)), None)


@dataclass(frozen=True, slots=True)
class CatalogFailure:
    """The file that prevents every agent from loading, with the runtime's message.

    `error` is the load error, if it is one.
    """

    candidate: Candidate
    message: str
    error: LoadError | None = None


@dataclass(frozen=True, slots=True)
class Parent:
    """The agent that makes the call; None means that it is not known.

    `tools` are those that its session offers to an agent without a policy. The policy of the
    calling agent does not count, because the runtime computes an agent's tools from those of the
    session.
    """

    model: str | None = None
    effort: str | None = None
    sandbox: str | None = None
    tools: tuple[str, ...] | None = None
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """The arguments of a runtime call under the runtime's own names, and the caller.

    `tools` are the names that the runtime can have, used if the tools of the session are not known.
    `models` are those that the user vouches for. `variables` are the environment variables of the
    process.
    """

    arguments: Mapping[str, object]
    parent: Parent = field(default_factory=Parent)
    tools: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)

    def text(self, name: str) -> str | None:
        """The argument `name` as text, or None where it is absent."""
        value = self.arguments.get(name)
        return value if isinstance(value, str) else None


@dataclass(frozen=True, slots=True)
class RuntimeRefusal:
    """The runtime refuses the call; `message` is its own text.

    `ours` says that this product cannot answer, and that the runtime may accept the call.
    """

    message: str
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Origin:
    """The source of a value: a place in a file, or a description in words."""

    label: str
    path: Path | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class ChainStep:
    """A step of a precedence chain; `value` None means that this step decides nothing.

    `said` is our description of what such a step says nevertheless, or empty if it says nothing.
    """

    origin: Origin
    value: str | None
    wins: bool = False
    said: str = ""


@dataclass(frozen=True, slots=True)
class ResolvedSetting:
    """A resolved value with the chain that it was chosen from, highest precedence first.

    `note` says what may surprise the author, or is empty.
    """

    name: str
    value: str | None
    origin: Origin
    chain: tuple[ChainStep, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the agent has one tool, and why; `entry` is the list entry that decided.

    `path` is the file of the entry, or None if that is the agent's own. `condition` says what a
    session needs to have such a tool. A verdict that is not `certain` may be wrong, and `reason`
    says that it cannot be known.
    """

    tool: str
    kept: bool
    reason: str
    entry: Span | None = None
    condition: str = ""
    certain: bool = True
    path: Path | None = None


@dataclass(frozen=True, slots=True)
class Toolset:
    """The verdict on every tool that the runtime may have, in the given order.

    `restricted` is False if the template sets no policy. `open_patterns` are allow patterns that
    may also admit tools whose names cannot be known here.
    """

    verdicts: tuple[Verdict, ...]
    restricted: bool
    open_patterns: tuple[str, ...] = ()

    @property
    def kept(self) -> tuple[Verdict, ...]:
        """The tools that the agent has, if its session has them."""
        return tuple(verdict for verdict in self.verdicts if verdict.kept)

    @property
    def removed(self) -> tuple[Verdict, ...]:
        """The tools that the agent does not have, and those of which this cannot be known."""
        return tuple(verdict for verdict in self.verdicts if not verdict.kept)


@dataclass(frozen=True, slots=True)
class PromptPart:
    """A piece of the prompt; a stand-in (`verbatim` False) is our words, not the runtime's."""

    title: str
    text: str
    verbatim: bool
    origin: Origin


@dataclass(frozen=True, slots=True)
class Artifact:
    """An additional result of a spawn, as JSON under a name of its own.

    `title` describes it in our words.
    """

    name: str
    title: str
    value: object


@dataclass(frozen=True, slots=True)
class Spawn:
    """Everything that the runtime resolves for one spawn call.

    `lost` says which parts of the template do not count, and is shown before everything else.
    """

    name: str
    persona: str | None
    template: Candidate | None
    settings: tuple[ResolvedSetting, ...]
    toolset: Toolset
    prompt: tuple[PromptPart, ...]
    depth: int
    notes: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    artifacts: tuple[Artifact, ...] = ()


@dataclass(frozen=True, slots=True)
class Budget:
    """The estimated `tokens` that the descriptions of a session's agents take.

    The runtime warns if they exceed the `limit`.
    """

    tokens: int
    limit: int

    def __str__(self) -> str:
        """The budget in words."""
        thing = f"descriptions: about {self.tokens} tokens in each session (estimated)"
        if self.tokens > self.limit:
            return f"{thing}, above the limit of {self.limit}: the runtime warns"
        return f"{thing}; the runtime warns above {self.limit}"


def refusal(dialect: "Dialect", catalog: Catalog, name: str) -> RuntimeRefusal | None:
    """The refusal of the template that `catalog` has under `name`, or None."""
    answer = dialect.calls.list_agents(catalog, Call({filter_of(dialect): name}))
    return answer if isinstance(answer, RuntimeRefusal) else None


def filter_of(dialect: "Dialect") -> str:
    """The argument that asks for a single agent; empty where the listing takes none."""
    first = next((one.name for one in dialect.calls.list_parameters), "")
    return dialect.list_argument(KeyRole.AGENT) or first


def is_filtered(dialect: "Dialect", call: Call) -> bool:
    """Whether `call` asks for a single agent."""
    return filter_of(dialect) in call.arguments


def call_of(dialect: "Dialect", call: Call) -> str:
    """The runtime's tool that answers `call`."""
    return (
        dialect.calls.describe_call if is_filtered(dialect, call) else None
    ) or dialect.calls.list_call


def agents(answer: object) -> list[Mapping[str, object]] | None:
    """The agents of an answer with their members, the name first; None if it lists none."""
    if not isinstance(answer, Mapping):
        return None
    # A runtime without agents lists its templates.
    listed = answer.get("agents", answer.get("templates"))
    if listed is None:
        return [answer]
    if not isinstance(listed, list):
        return None
    return [agent if isinstance(agent, Mapping) else {"name": agent} for agent in listed]


def culprit(dialect: "Dialect", catalog: Catalog) -> Candidate | None:
    """The first template, in the runtime's order, that makes a listing without filter fail."""
    if dialect.names.failure is not None:
        failed = dialect.names.failure(catalog)
        return failed.candidate if failed is not None else None
    for name in catalog.names:
        winner = catalog.winner(name)
        refused = None if winner is None else refusal(dialect, catalog, name)
        if refused is not None and not refused.ours:
            return winner
    return None


def unread(dialect: "Dialect", catalog: Catalog) -> tuple[tuple[Candidate, str], ...]:
    """The templates that this product leaves out of a listing without filter, with the reasons."""
    winners = filter(None, map(catalog.winner, catalog.names))
    left_out = [
        (winner, refusal(dialect, catalog, winner.name)) for winner in winners if winner.unread
    ]
    found = [(winner, refused.message) for winner, refused in left_out if refused is not None]
    if catalog.passed_over is not None:
        found.append((catalog.passed_over, f"{catalog.passed_over.name} is not read here"))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class RoleHint:
    """The part of the spawn call's own description that tells an agent about the roles.

    It has the first `roles` by name, each with its trimmed description. A description has at most
    `longest` characters. A longer one is cut to one character less, and `…` stands for the rest.
    """

    roles: int
    longest: int
