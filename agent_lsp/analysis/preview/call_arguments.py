"""Checks the single argument object of a command.

Invariants: any JSON is accepted, and an error in it is answered with a message. An unknown argument
is reported, because ignoring it would preview another call.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from agent_lsp.analysis.suggest import known_tools, nearest
from agent_lsp.data_classes import dataclass
from agent_lsp.decoders import rust
from agent_lsp.model.dialect import Dialect, Reader
from agent_lsp.model.runtime import Call, Parent
from agent_lsp.model.schema import KeyRole, Parameter
from agent_lsp.model.system import System
from agent_lsp.options import Options
from agent_lsp.workspace import definitions
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.placement import (
    folder_placement,
    is_free,
    is_used,
    placement_at,
    system_by_id,
)
from agent_lsp.workspace.programs import in_use, readers_in_use
from agent_lsp.workspace.snapshot import Workspace, may_have_templates, options_at, root_for

FORMATS = ("json", "markdown")
# What an object may contain besides the runtime's own arguments. Its `uri` has already become a
# path.
OURS = ("dialect", "uri", "parent", "format")
PARENT = ("model", "effort", "sandbox", "tools", "depth")
_EXPECTED = {str: "a string", bool: "a boolean", list: "a sequence", dict: "a map"}


@dataclass(frozen=True, slots=True)
class Arguments:
    """A runtime call, the dialect that answers it, and the folder where the session starts."""

    dialect: Dialect
    root: Path
    call: Call


@dataclass(frozen=True, slots=True)
class BadArguments:
    """The object asks for something impossible; `message` explains it."""

    message: str


def read(
    workspace: Workspace,
    argument: Mapping[str, object],
    start: Path | None,
    parameters: Callable[[Dialect], tuple[str, tuple[Parameter, ...]]],
) -> Arguments | BadArguments:
    """The request in `argument`; `parameters` returns the name and the parameters of the call."""
    dialect = dialect_for(workspace, argument.get("dialect"), start)
    if isinstance(dialect, BadArguments):
        return dialect
    _, takes = parameters(dialect)
    root = root_for(workspace, dialect.system, start)
    options = options_at(workspace, start or root)
    reader = _reader(dialect, argument, takes, options)
    if isinstance(reader, BadArguments):
        return reader
    if reader is not None:
        dialect = reader.answers() if reader.answers is not None else reader.load()
    name, takes = parameters(dialect)
    wrong = (
        _unknown(argument, name, takes)
        or _format(argument.get("format"))
        or next(
            filter(None, (_mistyped(p, argument[p.name]) for p in takes if p.name in argument)),
            None,
        )
    )
    parent = _parent(dialect, argument.get("parent"))
    if wrong is not None:
        return wrong
    if isinstance(parent, BadArguments):
        return parent
    arguments = {p.name: argument[p.name] for p in takes if argument.get(p.name) is not None}
    program = _program(takes)
    if reader is not None and program is not None:
        arguments[program] = reader.id
    vouched = options.extra(dialect.id).models
    variables = workspace.host_paths.variables
    call = Call(arguments, parent, known_tools(dialect, options), vouched, variables)
    return Arguments(in_use(dialect, options), root, call)


def _reader(
    dialect: Dialect,
    argument: Mapping[str, object],
    takes: tuple[Parameter, ...],
    options: Options,
) -> Reader | BadArguments | None:
    """The program that answers alone: the one that the call names, or the only one that counts."""
    every, program = dialect.variants.readers, _program(takes)
    named = argument.get(program) if program is not None else None
    if isinstance(named, str):
        ids = " or ".join(f"`{one.id}`" for one in every)
        found = next((one for one in every if one.id == named), None)
        return found or BadArguments(f"`{program}` is {ids}, not `{named}`")
    used = readers_in_use(dialect, options)
    return used[0] if len(used) == 1 < len(every) else None


def _program(takes: tuple[Parameter, ...]) -> str | None:
    """The parameter that names the program that answers, if there is one."""
    return next((one.name for one in takes if one.role is KeyRole.PROGRAM), None)


def present(workspace: Workspace, start: Path | None) -> tuple[Dialect, ...]:
    """The dialects with templates, besides built-in ones, for a session that starts at `start`."""
    found = (system for system in workspace.systems if _has_templates(workspace, system, start))
    return tuple(system.dialect for system in found)


def in_order(
    workspace: Workspace, found: tuple[Dialect, ...], start: Path | None
) -> tuple[Dialect, ...]:
    """`found` as a list shows them: those of the project first, then by how widely written."""

    def rank(dialect: Dialect) -> tuple[bool, int]:
        root = root_for(workspace, dialect.system, start)
        return not _is_project_of(workspace, dialect.system, root), -dialect.system.repositories

    return tuple(sorted(found, key=rank))


def dialect_for(workspace: Workspace, wanted: object, start: Path | None) -> Dialect | BadArguments:
    """The requested dialect, else that of the place, else one with templates there."""
    by_use = sorted(workspace.systems, key=lambda one: -one.repositories)
    names = ", ".join(f"`{system.id}`" for system in by_use)
    if isinstance(wanted, str):
        system = system_by_id(workspace.systems, wanted)
        close = nearest(wanted, [one.id for one in workspace.systems])
        hint = f"did you mean `{close}`? known: {names}" if close else f"expected one of {names}"
        if system is not None:
            return system.dialect
        return BadArguments(f"unknown dialect `{wanted}`; {hint}")
    if wanted is not None:
        return BadArguments(f"`dialect` is {_found(wanted)}; expected one of {names}")
    if start is not None:
        file = placement_at(workspace, start)
        if file is not None:
            return file.dialect
        folder = start if workspace.files.is_folder(start) else start.parent
        owner = folder_placement(workspace, folder)
        if owner is not None:
            return _of_project(workspace, owner.dialect, folder)
    here = next(iter(present(workspace, start)), None)
    return here if here is not None else workspace.systems[0].dialect


def _of_project(workspace: Workspace, dialect: Dialect, folder: Path) -> Dialect:
    """The dialect of the project in `folder`, which also has a file for `dialect`.

    A folder with agents is a better sign of a project's dialect than a file that also configures
    other things.
    """
    if root_for(workspace, dialect.system, folder) != folder or not is_free(workspace, folder):
        return dialect
    others = (other for other in workspace.systems if other.id != dialect.id)
    own = (other.dialect for other in others if _is_project_of(workspace, other, folder))
    return next(own, dialect)


def _is_project_of(workspace: Workspace, system: System, root: Path) -> bool:
    """Whether the project in `root` has templates of `system` of its own."""
    if not may_have_templates(workspace, system, root):
        return False
    dialect = system.dialect
    found = catalog(workspace, dialect, root)
    projects = (scope for scope in found.scopes if scope.kind == "project")
    own = [scope for scope in projects if root_for(workspace, dialect.system, scope.folder) == root]
    if not is_used(workspace, dialect.system, own):
        return False
    return any(definitions.names(workspace.files, dialect, one.folder, one) for one in own)


def _has_templates(workspace: Workspace, system: System, start: Path | None) -> bool:
    root = root_for(workspace, system, start)
    if not may_have_templates(workspace, system, root):
        return False
    return is_used(workspace, system, catalog(workspace, system.dialect, root).scopes)


def _unknown(
    argument: Mapping[str, object], call: str, takes: tuple[Parameter, ...]
) -> BadArguments | None:
    names = tuple(parameter.name for parameter in takes)
    return _stranger(argument, (*names, *OURS), "argument", f"`{call}` takes {', '.join(names)}")


def _stranger(
    given: Iterable[str], expected: tuple[str, ...], kind: str, note: str
) -> BadArguments | None:
    stranger = next((name for name in given if name not in expected), None)
    if stranger is None:
        return None
    close = nearest(stranger, expected)
    hint = f"did you mean `{close}`? " if close else ""
    return BadArguments(f"unknown {kind} `{stranger}`; {hint}{note}")


def _format(wanted: object) -> BadArguments | None:
    if wanted is None or wanted in FORMATS:
        return None
    return BadArguments(f"`format` is {_found(wanted)}; expected `json` or `markdown`")


def _mistyped(parameter: Parameter, value: object) -> BadArguments | None:
    """The error of a serde runtime for a value of a wrong type; only a boolean cannot be null."""
    if isinstance(value, parameter.type) or (value is None and parameter.type is not bool):
        return None
    return BadArguments(
        f"failed to parse function arguments: invalid type: {_found(value)}, "
        f"expected {_EXPECTED[parameter.type]}"
    )


def _parent(dialect: Dialect, value: object) -> Parent | BadArguments:
    if value is None:
        return Parent()
    if not isinstance(value, Mapping):
        return BadArguments(
            f"`parent` is {_found(value)}; expected an object with {', '.join(PARENT)}"
        )
    stranger = _stranger(value, PARENT, "member of `parent`", f"it takes {', '.join(PARENT)}")
    if stranger is not None:
        return stranger
    for name in ("model", "effort", "sandbox"):
        if not isinstance(value.get(name), str | None):
            return BadArguments(f"`parent.{name}` is {_found(value[name])}; expected a string")
    tools, depth = value.get("tools"), value.get("depth")
    if tools is not None and not (
        isinstance(tools, list) and all(isinstance(t, str) for t in tools)
    ):
        return BadArguments("`parent.tools` is not a list of strings; expected the names of tools")
    if depth is not None and (not isinstance(depth, int) or isinstance(depth, bool) or depth < 0):
        return BadArguments(
            f"`parent.depth` is {_found(depth)}; expected 0 for the first agent, or more"
        )
    key = dialect.schema.by_role.get(KeyRole.EFFORT)
    efforts = [choice.name for choice in key.choices] if key else []
    if efforts and value.get("effort") not in (None, *efforts):
        return BadArguments(
            f"`parent.effort` is {_found(value['effort'])}; expected one of {', '.join(efforts)}"
        )
    named = None if tools is None else tuple(dict.fromkeys(tools))
    return Parent(value.get("model"), value.get("effort"), value.get("sandbox"), named, depth or 0)


def _found(value: object) -> str:
    """The type of a value, as serde names it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"boolean `{str(value).lower()}`"
    if isinstance(value, int):
        return f"integer `{value}`"
    if isinstance(value, float):
        return f"floating point `{value}`"
    if isinstance(value, str):
        return f"string {rust.debug(value)}"
    return "map" if isinstance(value, Mapping) else "sequence"
