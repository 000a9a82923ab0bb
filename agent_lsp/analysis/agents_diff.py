"""Compares the agents of two snapshots: what a change of files does to each of them.

Invariants: what is compared are the runtime's own answers, so that a change without an effect is
none. An agent that is built in counts only where a file takes its place. Of a file to which a link
leads out of the repository, nothing is quoted but the names of its agents and tools: pull requests
show the comparison, and somebody else may have made the link.
"""

from collections.abc import Iterator, Mapping
from difflib import unified_diff
from itertools import islice
from pathlib import Path

from agent_lsp.analysis.agents_tree import Member, SessionAgents, agents_tree
from agent_lsp.analysis.preview import call_arguments
from agent_lsp.analysis.preview.as_written import arguments
from agent_lsp.data_classes import dataclass, replace
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import Candidate, Catalog, CatalogFailure, RuntimeRefusal, Spawn
from agent_lsp.model.schema import KeyRole, Parameter
from agent_lsp.model.template import Record, Value
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.search import leads_out
from agent_lsp.workspace.snapshot import Workspace

# The value of a setting that the agent takes from its session.
INHERITED = "inherited"
_WITHHELD = "its text is not shown, because its file is outside of the repository"
_LISTS = (KeyRole.ALLOW, KeyRole.DENY)
# Roles of keys whose effect is compared in another way.
_ELSEWHERE = (KeyRole.PERSONAS, KeyRole.PERSONA_NAME, KeyRole.PROMPT, KeyRole.AGENT)


@dataclass(frozen=True, slots=True)
class AgentKey:
    """What stays the same about an agent: its system, its session, its name and its persona."""

    dialect: str
    root: Path
    name: str
    persona: str = ""


@dataclass(frozen=True, slots=True)
class AgentState:
    """An agent as a session has it; `values` are its settings as text, by name.

    `lists` are the lists that decide about tools, as they are written. An agent that is not
    restricted has the tools of its session. `refusal` is the runtime's answer if a spawn fails.
    """

    path: Path
    label: str
    is_builtin: bool
    values: Mapping[str, str]
    lists: Mapping[str, str]
    tools: tuple[str, ...] = ()
    is_restricted: bool = False
    prompt: str = ""
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A setting with its values before and after, each None if there is none."""

    name: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class AgentChange:
    """A change of one agent; it appears without `before`, and vanishes without `after`.

    `reason` says why it vanishes, or which agent it takes the place of. `prompt` are the lines of a
    unified diff, without its head.
    """

    key: AgentKey
    before: AgentState | None
    after: AgentState | None
    reason: str = ""
    values: tuple[ValueChange, ...] = ()
    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    prompt: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """`appears`, `vanishes` or `changes`."""
        if self.before is None:
            return "appears"
        return "vanishes" if self.after is None else "changes"


@dataclass(frozen=True, slots=True)
class FileChange:
    """A definition that a session no longer uses, or never did, with the reason.

    `is_shadowed` says that another definition, at `winner`, has precedence.
    """

    key: AgentKey
    path: Path
    reason: str
    is_shadowed: bool = False
    winner: Path | None = None


@dataclass(frozen=True, slots=True)
class AgentsDiff:
    """Everything that a change does to the agents, sorted by system, session and name."""

    agents: tuple[AgentChange, ...]
    files: tuple[FileChange, ...]


def agents_diff(before: Workspace, after: Workspace) -> AgentsDiff:
    """What is different in `after`."""
    old, new = _Side(before), _Side(after)
    keys = sorted(
        {*old.agents, *new.agents}, key=lambda k: (k.dialect, str(k.root), k.name, k.persona)
    )
    found = (_change(key, old, new) for key in keys)
    changes = {change.key: change for change in found if change is not None}
    agents = tuple(one for one in changes.values() if not _is_said(one, changes))
    return AgentsDiff(agents, tuple(_files(old, new)))


def _is_said(change: AgentChange, changes: Mapping[AgentKey, AgentChange]) -> bool:
    """Whether the change of a persona is also that of its agent."""
    key = change.key
    if not key.persona:
        return False
    whole = changes.get(AgentKey(key.dialect, key.root, key.name))
    if whole is None or whole.kind != change.kind:
        return whole is not None and whole.kind != "changes"
    ours = {*change.values, *change.gained, *change.lost, *change.prompt}
    return ours <= {*whole.values, *whole.gained, *whole.lost, *whole.prompt}


class _Side:
    """One of the two snapshots, with its agents and definitions."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.agents: dict[AgentKey, AgentState] = {}
        self.members: dict[AgentKey, list[Member]] = {}
        self.failures: dict[tuple[str, Path], CatalogFailure] = {}
        for session in agents_tree(workspace, lambda _: ()):
            self._add(session)

    def _add(self, session: SessionAgents) -> None:
        dialect, root = session.dialect, session.root
        found = catalog(self.workspace, dialect, root)
        if session.failure is not None:
            self.failures[dialect.id, root] = session.failure
        for member in session.members:
            key = AgentKey(dialect.id, root, member.name)
            self.members.setdefault(key, []).append(member)
            if session.failure is not None or member.why or member.winner is not None:
                continue
            if key in self.agents and dialect.names.is_merged:
                continue
            for persona in ("", *(name for name, _ in member.personas)):
                mine = AgentKey(dialect.id, root, member.name, persona)
                self.agents[mine] = _state(self.workspace, dialect, found, member, persona)

    def is_led_out(self, path: Path, root: Path) -> bool:
        """Whether a link leads to the file at `path`, out of the repository of `root`."""
        return leads_out(path, root, self.workspace.files) is not None

    def why(self, key: AgentKey, member: Member) -> str:
        """Why a definition does not load, in words that quote nothing from outside."""
        return _WITHHELD if member.why and self.is_led_out(member.path, key.root) else member.why

    def winner(self, key: AgentKey) -> Member | None:
        """The definition that counts for the agent of `key`, or None."""
        found = self.members.get(AgentKey(key.dialect, key.root, key.name), ())
        return next((one for one in found if not one.why and one.winner is None), None)


def _state(
    workspace: Workspace, dialect: Dialect, found: Catalog, member: Member, persona: str
) -> AgentState:
    candidate = found.winner(member.name) or Candidate(member.name, member.path, member.scope)
    merged = found.definition(member.name)
    read = merged.reading if merged is not None else found.read(candidate)
    spawn, refusal = _spawned(workspace, dialect, found.root, member.name, persona)
    settings = spawn.settings if spawn is not None else ()
    values = {one.name: one.value or INHERITED for one in settings}
    lists = dict[str, str]()
    for name, value in read.effective.settings.items():
        key = dialect.key(name)
        role = key.role if key is not None else None
        is_resolved = name in values or (role is not None and role.value in values)
        if role in _LISTS:
            lists[name] = _text(value)
        elif role not in _ELSEWHERE and not is_resolved and value.text != member.name:
            values[name] = _text(value)
    tools = spawn.toolset.kept if spawn is not None else ()
    patterns = spawn.toolset.open_patterns if spawn is not None else ()
    parts = spawn.prompt if spawn is not None else ()
    # Our words for a text of the runtime tell nothing about a change, except that they are there.
    prompt = "\n".join(one.text if one.verbatim else f"[{one.title}]" for one in parts)
    return AgentState(
        path=member.path,
        label=member.scope.label,
        is_builtin=member.scope.builtin,
        values=values,
        lists=lists,
        tools=tuple(dict.fromkeys((*(one.tool for one in tools), *patterns))),
        is_restricted=spawn is not None and spawn.toolset.restricted,
        prompt=prompt.replace("\r\n", "\n"),
        refusal=refusal,
    )


def _spawned(
    workspace: Workspace, dialect: Dialect, root: Path, name: str, persona: str
) -> tuple[Spawn | None, str]:
    """The result of a spawn, and the refusal of the plain call if there is one.

    A runtime that refuses the plain call is asked with a reasoning effort, which some agents need.
    """
    key = dialect.schema.by_role.get(KeyRole.EFFORT)
    efforts = (None, key.choices[0].name) if key is not None and key.choices else (None,)
    refusal = ""
    agent = None if name == dialect.names.default_name else name
    for effort in efforts:
        given = {"dialect": dialect.id, **arguments(dialect, agent, persona or None, effort)}
        asked = call_arguments.read(workspace, given, root, _spawning)
        if isinstance(asked, call_arguments.BadArguments):
            continue
        answer = asked.dialect.calls.spawn(catalog(workspace, asked.dialect, root), asked.call)
        if not isinstance(answer, RuntimeRefusal):
            return answer, refusal
        refusal = refusal or answer.message
    return None, refusal


def _spawning(dialect: Dialect) -> tuple[str, tuple[Parameter, ...]]:
    return dialect.calls.spawn_call, dialect.calls.spawn_parameters


def _text(value: Value) -> str:
    """A value of a header as text."""
    if isinstance(value.value, bool):
        return "true" if value.value else "false"
    if isinstance(value.value, tuple):
        return ", ".join(map(_item, value.value))
    return value.written or str(value.value)


def _item(item: object) -> str:
    if isinstance(item, Value):
        return item.written or _text(item)
    if isinstance(item, Record):
        return " ".join(f"{name}={_text(value)}" for name, value in item.values.items())
    return str(item)


def _change(key: AgentKey, old: _Side, new: _Side) -> AgentChange | None:
    before, after = old.agents.get(key), new.agents.get(key)
    found = _changed(key, before, after, new)
    sides = ((old, before), (new, after))
    if found is None or not any(
        one is not None and not one.is_builtin and side.is_led_out(one.path, key.root)
        for side, one in sides
    ):
        return found
    return replace(
        found,
        before=_without_text(before),
        after=_without_text(after),
        reason=", ".join(filter(None, (found.reason, _WITHHELD))),
        values=(),
        prompt=(),
    )


def _without_text(state: AgentState | None) -> AgentState | None:
    if state is None:
        return None
    refusal = state.refusal and "the reason is not shown"
    return replace(state, values={}, lists={}, prompt="", refusal=refusal)


def _changed(
    key: AgentKey, before: AgentState | None, after: AgentState | None, new: _Side
) -> AgentChange | None:
    if before is None or after is None:
        one = before or after
        if one is None or one.is_builtin:
            return None
        reason = _instead(key, new) if before is None else _gone(key, one, new)
        return AgentChange(key, before, after, reason)
    values = tuple(_values(before.values, after.values))
    gained = tuple(one for one in after.tools if one not in before.tools)
    lost = tuple(one for one in before.tools if one not in after.tools)
    if not gained and not lost:
        values += tuple(_values(before.lists, after.lists))
    if before.refusal != after.refusal:
        values += (ValueChange("spawn is refused", before.refusal or None, after.refusal or None),)
    prompt = _diff(before.prompt, after.prompt)
    moved = before.path != after.path
    if not (values or gained or lost or prompt or moved):
        return None
    return AgentChange(key, before, after, "", values, gained, lost, prompt)


def _values(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[ValueChange]:
    for name in dict.fromkeys((*before, *after)):
        if before.get(name) != after.get(name):
            yield ValueChange(name, before.get(name), after.get(name))


def _diff(before: str, after: str) -> tuple[str, ...]:
    """The lines of a unified diff from the first change on; empty if nothing differs."""
    if before == after:
        return ()
    lines = unified_diff(before.split("\n"), after.split("\n"), n=1, lineterm="")
    return tuple(islice(lines, 2, None))


def _instead(key: AgentKey, new: _Side) -> str:
    """What a new agent takes the place of, in words, or empty."""
    member = new.winner(key)
    hides = member.hides if member is not None else None
    if key.persona or hides is None:
        return ""
    return "instead of the built-in agent" if hides.scope.builtin else ""


def _gone(key: AgentKey, before: AgentState, new: _Side) -> str:
    """Why an agent vanishes, in words."""
    failure = new.failures.get((key.dialect, key.root))
    if failure is not None:
        path = failure.candidate.path
        message = _WITHHELD if new.is_led_out(path, key.root) else failure.message
        return f"no agent loads because of {path.name}: {message}"
    if key.persona and AgentKey(key.dialect, key.root, key.name) in new.agents:
        return "the template no longer declares it"
    for member in new.members.get(AgentKey(key.dialect, key.root, key.name), ()):
        if member.why:
            return f"its file no longer loads: {new.why(key, member)}"
    if new.workspace.files.read(before.path) is None:
        return "its file no longer exists"
    others = (
        one.name
        for other, members in new.members.items()
        for one in members
        if one.path == before.path and (other.dialect, other.root) == (key.dialect, key.root)
    )
    name = next(others, None)
    return f"its file now defines `{name}`" if name else "the runtime no longer finds its file"


def _files(old: _Side, new: _Side) -> Iterator[FileChange]:
    """The definitions that are new without an effect, or that have lost it."""
    for key, members in sorted(
        new.members.items(), key=lambda i: (i[0].dialect, str(i[0].root), i[0].name)
    ):
        earlier = {one.path: one for one in old.members.get(key, ())}
        for one in members:
            before = earlier.get(one.path)
            was_unused = before is not None and bool(before.why or before.winner)
            if one.scope.builtin or was_unused or not (one.why or one.winner):
                continue
            if one.winner is not None:
                yield FileChange(key, one.path, "", is_shadowed=True, winner=one.winner.path)
            elif before is None:
                yield FileChange(key, one.path, new.why(key, one))
