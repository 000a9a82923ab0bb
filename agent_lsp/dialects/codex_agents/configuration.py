"""Reads a `config.toml`: its `[agents]`, and the keys of the session that decide what agents get.

Invariants: nothing else in the file is looked at; any error in it, and any text that is no TOML,
keeps the program from starting. What only drops a role is no error of the file.
Facts: the words as measured with `@openai/codex` 0.171.0, 2026-11-29 (`…` is the path that the
runtime prints there).
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from agent_lsp.data_classes import replace
from agent_lsp.dialects.codex_agents import FILE, MANAGED_FILE, keys, roles
from agent_lsp.dialects.codex_agents.decode import session
from agent_lsp.model.runtime import DefinedName, Scope
from agent_lsp.model.schema import Key, ValueKind
from agent_lsp.model.template import Block, LoadError, LoadErrorKind, Reading, Record, Template
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Broken, Entry, Mapping, Node, Scalar, resolve
from agent_lsp.syntax.toml.verdict import rendered
from agent_lsp.text import Span

TEMPLATES = (keys.AGENTS,)
_NOTHING = Template({}, (), (Block(None, "", Span(0, 0)),))
_LOADING = "Error loading config.toml: "
_NO_THREADS = f"Error: {keys.AGENTS}.{roles.THREADS} must be at least 1"
_TABLE = f"{keys.AGENTS}."


def name_of(file_name: str) -> str | None:
    """The stem of a file that the runtime reads; the roles in it have names of their own."""
    return file_name.rpartition(".")[0] if file_name in (FILE, MANAGED_FILE) else None


def names_in(document: Document, scope: Scope, path: Path) -> tuple[DefinedName, ...]:
    """The roles of a file, in its order."""
    if path.name == MANAGED_FILE and scope.kind != "managed":
        return ()
    return tuple(DefinedName(entry.name or "", entry.key.span) for entry in roles_of(document))


def roles_of(document: Document) -> Iterator[Entry]:
    """The tables `[agents.<role>]`; a setting that does not exist is none of them."""
    node = agents_of(document)
    for entry in node.entries if isinstance(node, Mapping) else ():
        is_table = not isinstance(resolve(entry.value), Scalar | Broken)
        if is_table and entry.name and entry.name not in roles.NAMES:
            yield entry


def agents_of(document: Document) -> Node | None:
    """The value of `agents`, or None."""
    root = resolve(document.tree.root)
    entry = root.get(keys.AGENTS) if isinstance(root, Mapping) else None
    return resolve(entry.value) if entry is not None else None


def read(document: Document, name: str) -> Reading:
    """The session's settings by dotted names, and with them what the role called `name` sets."""
    held = _read(document)
    record = _roles(document).get(name)
    if record is None:
        return held
    own = {key: value for key, value in record.values.items() if key != "role"}
    declared = replace(held.declared, settings={**held.declared.settings, **own})
    return replace(held, declared=declared, effective=_NOTHING if held.errors else declared)


# All roles of a file are asked for, one after the other, and it may have thousands.
@lru_cache(maxsize=8)
def _roles(document: Document) -> dict[str | None, Record]:
    """What each role of the file sets, by its name; the first one of a name counts."""
    agents = _read(document).declared.settings.get(keys.AGENTS)
    found: dict[str | None, Record] = {}
    for one in agents.records if agents is not None else ():
        found.setdefault(one.values["role"].text, one)
    return found


# Checks, lists and previews of all files of a layer ask for the same one.
@lru_cache(maxsize=8)
def _read(document: Document) -> Reading:
    decoded = session(document.tree.root)
    declared = replace(_NOTHING, settings=decoded.values)
    problem = document.tree.problem
    errors: tuple[LoadError, ...]
    if problem is not None:
        text = document.text.removeprefix("\ufeff")
        message = f"{_LOADING}Error parsing project config file …: {rendered(problem, text)}"
        errors = (LoadError(LoadErrorKind.SYNTAX, problem.span, message, got=problem.message),)
    else:
        errors = tuple(
            replace(one, message=f"{_LOADING}{one.message}\nin `{_place(one.key)}`")
            for one in decoded.errors
            # It drops the roles of the file, and the program starts.
            if one.kind is not LoadErrorKind.DUPLICATE
        )
        errors += () if errors else tuple(_threads(declared))
    return Reading(declared, _NOTHING if errors else declared, errors)


def _place(key: str) -> str:
    """The key that the runtime names: that of a setting, and else the table at the top."""
    last = key.removeprefix(_TABLE)
    if last == roles.SHORT_THREADS:
        last = roles.THREADS
    is_setting = key.startswith(_TABLE) and last in roles.NAMES
    return f"{_TABLE}{last}" if is_setting else key.partition(".")[0]


def _threads(declared: Template) -> tuple[LoadError, ...]:
    named = (f"{_TABLE}{name}" for name in (roles.SHORT_THREADS, roles.THREADS))
    found = ((name, declared.settings.get(name)) for name in named)
    return tuple(
        LoadError(LoadErrorKind.CONTENT, value.span, _NO_THREADS, name, "at least 1")
        for name, value in found
        if value is not None and value.value == 0
    )


_FEATURES = (
    Key(
        "multi_agent",
        ValueKind.BOOL,
        "`false` removes agent tools of the first kind; deprecated",
        "the session has them",
    ),
    Key(
        "multi_agent_v2",
        ValueKind.BOOL,
        "`true` gives every session agent tools of the second kind, also where "
        "`agents.enabled` is `false`",
        "the model decides which kind there is",
    ),
)
SESSION = (
    Key(
        "model",
        ValueKind.TEXT,
        "the model of the session: it decides which kind of agent tools there are, and agents have "
        "it for which neither the file nor the call names one",
        "the default of Codex",
        choices=roles.MODELS,
    ),
    Key(
        keys.EFFORT,
        ValueKind.TEXT,
        "the effort of the session, and of agents for which neither the file nor the call "
        "names one",
        "the model's",
        choices=keys.EFFORTS,
    ),
    Key(
        keys.SANDBOX_MODE,
        ValueKind.CHOICE,
        "the sandbox of the session, and of each of its agents, whatever their files say",
        "Codex's default",
        choices=keys.SANDBOXES,
    ),
    Key(
        keys.APPROVAL,
        ValueKind.CHOICE,
        "when the session and its agents ask for approval, whatever the files of the agents say",
        "Codex's default",
        choices=keys.APPROVALS,
    ),
    Key(
        keys.PROMPT,
        ValueKind.TEXT,
        "instructions of the session; an agent with a prompt of its own does not get them",
        "none",
    ),
    Key(
        "features",
        ValueKind.TABLE,
        "switches of the session",
        "Codex's defaults",
        items=_FEATURES,
        record="FeaturesToml",
    ),
)


def of_file(document: Document) -> tuple[Key, ...]:
    """The keys of a file: only those that concern agents are known."""
    return _of_file(tuple(entry.name or "" for entry in roles_of(document)))


@lru_cache(maxsize=8)
def _of_file(written: tuple[str, ...]) -> tuple[Key, ...]:
    items = (*roles.SETTINGS, *map(roles.role, dict.fromkeys(written)))
    agents = Key(
        keys.AGENTS,
        ValueKind.TABLE,
        "settings for all agents, and a table `[agents.<role>]` for each agent that is declared "
        "here",
        "only files define agents",
        items=items,
        record="AgentsToml",
    )
    return (agents, *SESSION)
