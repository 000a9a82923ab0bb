"""Gathers the contents of the panel of a template: a spawn call, candidates and problems.

Invariants: the answers are those of the previews, and nothing is decided here. A place is a path
and a span.
"""

from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path

from agent_lsp.analysis.diagnostics import Diagnostic, diagnostics
from agent_lsp.analysis.preview import call_arguments, commands
from agent_lsp.data_classes import dataclass
from agent_lsp.model import runtime
from agent_lsp.model.runtime import Call, Candidate, Catalog, RuntimeRefusal, Scope, Spawn
from agent_lsp.model.schema import Choice, KeyRole, Parameter
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.snapshot import TemplateFile, Workspace, template_file


class ControlForm(Enum):
    """The kind of input for an argument."""

    TEXT = "text"
    LONG = "long text"
    CHOICE = "choice"
    SWITCH = "switch"


@dataclass(frozen=True, slots=True)
class Control:
    """An argument of the spawn call that the user can set.

    `is_open` is set if values other than the `choices` are accepted. `is_main` is False for the
    less common arguments.
    """

    name: str
    meaning: str
    form: ControlForm
    value: str | bool | None
    choices: tuple[Choice, ...] = ()
    is_open: bool = False
    is_main: bool = True
    role: KeyRole | None = None


@dataclass(frozen=True, slots=True)
class ScopeStep:
    """A scope in the order of precedence, and the files in it that define the agent."""

    scope: Scope
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A call of the runtime with its arguments and its answer."""

    call: str
    arguments: Mapping[str, object]
    answer: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Panel:
    """A template and a spawn call for it.

    `name` is the agent that the call names, or None if no name calls the file. `winner` is the file
    that the runtime uses for the name. `cause` is the file that keeps all agents from loading.
    """

    file: TemplateFile
    name: str | None
    controls: tuple[Control, ...]
    steps: tuple[ScopeStep, ...]
    winner: Candidate | None
    answer: Spawn | RuntimeRefusal
    cause: Candidate | None = None
    problems: tuple[Diagnostic, ...] = ()
    exchanges: tuple[Exchange, ...] = ()


_FORMS = {str: ControlForm.TEXT, bool: ControlForm.SWITCH}
_MAIN = (
    KeyRole.AGENT,
    KeyRole.PERSONA_NAME,
    KeyRole.MODEL,
    KeyRole.EFFORT,
    KeyRole.MODE,
    KeyRole.TASK,
)


def panel(workspace: Workspace, path: Path, arguments: Mapping[str, object]) -> Panel | None:
    """The result of a call with `arguments` for the template at `path`; None if there is none.

    The agent is that of the file, unless the arguments name another one.
    """
    file = template_file(workspace, path)
    if file is None:
        return None
    dialect = file.dialect
    agent = dialect.spawn_argument(KeyRole.AGENT)
    named = {agent: file.name} if agent is not None and file.name is not None else {}
    given = {key: value for key, value in {**named, **arguments}.items() if value not in (None, "")}
    name = given.get(agent) if agent is not None else None
    asked = call_arguments.read(
        workspace,
        given,
        path,
        lambda dialect: (dialect.calls.spawn_call, dialect.calls.spawn_parameters),
    )
    found = catalog(workspace, dialect, file.root)
    winner = found.winner(name) if isinstance(name, str) else None
    answer, cause = _answer(file, asked)
    return Panel(
        file=file,
        name=name if isinstance(name, str) else None,
        controls=tuple(_controls(file, found, winner, given)),
        steps=tuple(_steps(found, name)) if isinstance(name, str) else (),
        winner=winner,
        answer=answer,
        cause=cause,
        problems=diagnostics(workspace, path),
        exchanges=tuple(_exchanges(file, name, given)),
    )


def _answer(
    file: TemplateFile, asked: call_arguments.Arguments | call_arguments.BadArguments
) -> tuple[Spawn | RuntimeRefusal, Candidate | None]:
    if isinstance(asked, call_arguments.BadArguments):
        return RuntimeRefusal(asked.message, ours=True), None
    found = catalog(file.workspace, asked.dialect, asked.root)
    answer = asked.dialect.calls.spawn(found, asked.call)
    if not isinstance(answer, RuntimeRefusal):
        return answer, None
    failed = asked.dialect.names.failure(found) if asked.dialect.names.failure is not None else None
    is_cause = failed is not None and failed.message == answer.message
    return answer, failed.candidate if failed is not None and is_cause else None


def _steps(catalog: Catalog, name: str) -> Iterator[ScopeStep]:
    chain = catalog.candidates(name)
    for scope in catalog.scopes:
        yield ScopeStep(scope, tuple(one for one in chain if one.scope == scope))


def _controls(
    file: TemplateFile, catalog: Catalog, winner: Candidate | None, given: Mapping[str, object]
) -> Iterator[Control]:
    for parameter in file.dialect.calls.spawn_parameters:
        form = _FORMS.get(parameter.type)
        choices, is_open = _choices(file, catalog, winner, parameter)
        value = given.get(parameter.name)
        is_settled = parameter.role is KeyRole.AGENT and len(file.names) <= 1
        is_idle = parameter.role is KeyRole.PERSONA_NAME and not choices and value is None
        if form is None or is_settled or is_idle:
            continue
        if choices and not is_open:
            form = ControlForm.CHOICE
        elif parameter.role is KeyRole.TASK:
            form = ControlForm.LONG
        yield Control(
            parameter.name,
            parameter.meaning,
            form,
            value if isinstance(value, str | bool) else None,
            choices,
            is_open,
            parameter.role in _MAIN,
            parameter.role,
        )


def _choices(
    file: TemplateFile, catalog: Catalog, winner: Candidate | None, parameter: Parameter
) -> tuple[tuple[Choice, ...], bool]:
    """The values of a parameter, and whether others are accepted."""
    if parameter.role is KeyRole.AGENT:
        return tuple(Choice(one.name, "") for one in file.names), False
    if parameter.role is KeyRole.PERSONA_NAME:
        personas = catalog.read(winner).effective.personas if winner is not None else ()
        described = ((one.name, one.settings.get("description")) for one in personas)
        return tuple(Choice(name, text.text if text else "") for name, text in described), False
    if parameter.role is KeyRole.MODEL:
        vouched = file.options.extra(file.dialect.id).models
        names = dict.fromkeys((*(model.name for model in file.dialect.models.listed), *vouched))
        return tuple(Choice(name, "") for name in names), True
    if parameter.role is KeyRole.EFFORT:
        key = file.dialect.schema.by_role.get(KeyRole.EFFORT)
        return key.choices if key is not None else (), False
    return parameter.choices, False


def _exchanges(file: TemplateFile, name: object, given: Mapping[str, object]) -> Iterator[Exchange]:
    dialect = file.dialect
    wanted = {runtime.filter_of(dialect): name} if isinstance(name, str) else {}
    listed = commands.list_agents(file.workspace, wanted, file.path)
    yield Exchange(runtime.call_of(dialect, Call(wanted)), wanted, listed)
    yield Exchange(
        dialect.calls.spawn_call, given, commands.preview_spawn(file.workspace, given, file.path)
    )
