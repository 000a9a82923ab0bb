"""The arguments and the answer of a runtime call, with the origin of each value.

Invariants: origins are a path and a span, never a line; every part of a prompt says
whether it is verbatim.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agent_lsp.model.template import LoadError, Reading
from agent_lsp.text import Span


@dataclass(frozen=True, slots=True)
class Scope:
    """A place where the runtime looks, found on this machine.

    `reaches_down` says that sessions which start further down find it, too; `deep` that the
    folders below `folder` belong to it; `prefix` is what it puts before the names in it. `form` is
    the dialect of the files there, or empty where a runtime has files of one only. If there are
    names of files in `only`, the others do not count; `lost` says why what does not count was meant
    to, or is empty where there is no such thing. A file may do without a header where
    `is_header_optional`.
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

    def counts(self, file_name: str) -> bool:
        """Whether the runtime takes up a file of this name."""
        return file_name in self.only if self.only else not self.lost

    def may_hold(self, file_name: str) -> bool:
        """Whether a file of this name is a template, if only one that was meant to count."""
        return not self.only or file_name in self.only or bool(self.lost)


@dataclass(frozen=True, slots=True)
class DefinedName:
    """A name that a file defines, and where it stands; nowhere if the file is called by it."""

    name: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that defines `name` in `scope`; the first readable one of a name wins.

    `unread` says why we do not look into a file that the runtime does read, or is empty; `locked`
    why the runtime cannot read it either, where it does not pass over such a file. `span` is where
    the name stands, None where the file is called by it. One that is not `listed` is found by those
    who know its name.
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
    """The meaning of a name for the runtime, and which file says what of it.

    `parts` are the files that it is merged from, the one that goes before the others first; most
    runtimes use one. `reading` is what they make together, and `origins` has the file that counts
    for each setting; one without a file is the runtime's own.
    """

    name: str
    parts: tuple[Candidate, ...]
    reading: Reading
    origins: Mapping[str, Candidate]

    @property
    def is_merged(self) -> bool:
        """Whether more than one file defines it, or the runtime has an agent of the name itself."""
        return len(self.parts) > 1 or len(self.origins) < len(self.reading.declared.settings)


@dataclass(frozen=True, slots=True)
class Catalog:
    """Everything the runtime finds from one session root.

    `names` are sorted by code point; `candidates(name)` are the files of that name that define
    it for the runtime, in the order of precedence; `read(candidate)` is what it makes of one.
    `skipped()` are the readable files that the runtime skips, each with its reason. `passed_over`
    is a file that the runtime reads and that is not looked into here, whatever it defines.
    `definition(name)` is what the files of a name make together, where a runtime merges them.
    """

    root: Path
    scopes: tuple[Scope, ...]
    names: tuple[str, ...]
    candidates: Callable[[str], tuple[Candidate, ...]]
    read: Callable[[Candidate], Reading]
    skipped: Callable[[], tuple[tuple[Candidate, str], ...]] = tuple
    passed_over: Candidate | None = None
    definition: Callable[[str], Definition | None] = lambda _: None

    def winner(self, name: str) -> Candidate | None:
        """The candidate that the runtime uses for exactly `name`, or None."""
        return next(iter(self.candidates(name)), None)


@dataclass(frozen=True, slots=True)
class CatalogFailure:
    """The file for which no agent loads, what the runtime says, and the fault if it is one."""

    candidate: Candidate
    message: str
    error: LoadError | None = None


@dataclass(frozen=True, slots=True)
class Parent:
    """The agent that makes the call; None means that it is not known.

    `tools` are those that its session offers to an agent without a policy. What this agent itself
    is left with does not count, since an agent's tools are built afresh from the session's.
    """

    model: str | None = None
    effort: str | None = None
    sandbox: str | None = None
    tools: tuple[str, ...] | None = None
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """The arguments of a runtime call under the runtime's own names, and who calls.

    `tools` are the names that the runtime can have, for when those of the session are not known;
    `models` are those that the user vouches for, `variables` what surrounds the process.
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

    `ours` says that it is we who do not answer: the runtime may accept the call.
    """

    message: str
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Origin:
    """The source of a value: a place in a file, or only words."""

    label: str
    path: Path | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class ChainStep:
    """A step of a precedence chain; `value` None means that this step decides nothing.

    `said` is what it says all the same, in our words, or empty where it says nothing.
    """

    origin: Origin
    value: str | None
    wins: bool = False
    said: str = ""


@dataclass(frozen=True, slots=True)
class ResolvedSetting:
    """A resolved value with the chain that it was chosen from, highest precedence first.

    `note` says what its author would not expect of it, or is empty.
    """

    name: str
    value: str | None
    origin: Origin
    chain: tuple[ChainStep, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the agent has one tool, and why; `entry` is the list entry that decided.

    `condition` says what has to be so for there to be such a tool in a session. A verdict that is
    not `certain` may be the other one as well, and `reason` says that it cannot be told.
    """

    tool: str
    kept: bool
    reason: str
    entry: Span | None = None
    condition: str = ""
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Toolset:
    """The verdict on every tool that the runtime may have, in the order it was given.

    `restricted` is False where the template sets no policy. `open_patterns` are allow
    patterns that may also admit tools of names that cannot be known here.
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
        """The tools that the agent does not have, and those of which it cannot be told."""
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
    """Something more that belongs to a spawn, as JSON under a name of its own.

    `title` says in our words what it is.
    """

    name: str
    title: str
    value: object


@dataclass(frozen=True, slots=True)
class Spawn:
    """Everything that the runtime resolves for one spawn call.

    `lost` says what of the template does not count, and is told before everything else.
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
