"""All that a preview panel shows of one template: a spawn call, who wins, what is wrong.

Invariants: the answers are those of the previews; nothing here decides anything; places are a path
and a span.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from agent_lsp.analysis import commands, listing, request
from agent_lsp.analysis.diagnostics import Diagnostic, diagnostics
from agent_lsp.dialects.answers import Call, Candidate, Catalog, Refusal, Scope, Spawn
from agent_lsp.dialects.vocabulary import Choice, Holds, Parameter
from agent_lsp.workspace.index import Subject, Workspace, catalog, subject


class Form(Enum):
    """How a person gives an argument."""

    TEXT = "text"
    LONG = "long text"
    CHOICE = "choice"
    SWITCH = "switch"


@dataclass(frozen=True, slots=True)
class Control:
    """One argument of the spawn call that can be given here.

    `is_open` says that other values than the `choices` are taken, too. `is_main` is False for
    those that few people look for.
    """

    name: str
    meaning: str
    form: Form
    value: str | bool | None
    choices: tuple[Choice, ...] = ()
    is_open: bool = False
    is_main: bool = True
    holds: Holds | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One scope in the order of precedence, and the files in it that define the agent."""

    scope: Scope
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One call of the runtime with its arguments, and what it answers."""

    call: str
    arguments: Mapping[str, object]
    answer: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Panel:
    """A template and one spawn call that means it.

    `name` is the agent that the call names, None where the file is called by none; `winner` the
    file that the runtime takes for it, and `cause` the one for which no agent loads.
    """

    of: Subject
    name: str | None
    controls: tuple[Control, ...]
    steps: tuple[Step, ...]
    winner: Candidate | None
    answer: Spawn | Refusal
    cause: Candidate | None = None
    problems: tuple[Diagnostic, ...] = ()
    exchanges: tuple[Exchange, ...] = ()


_FORMS = {str: Form.TEXT, bool: Form.SWITCH}
_MAIN = (Holds.AGENT, Holds.PERSONA_NAME, Holds.MODEL, Holds.EFFORT, Holds.MODE, Holds.TASK)


def panel(workspace: Workspace, path: Path, arguments: Mapping[str, object]) -> Panel | None:
    """What a call with `arguments` does with the template at `path`; None where there is none.

    The agent is that of the file unless the arguments name another one.
    """
    of = subject(workspace, path)
    if of is None:
        return None
    known = of.dialect
    agent = known.spawn_argument(Holds.AGENT)
    named = {agent: of.name} if agent is not None and of.name is not None else {}
    given = {key: value for key, value in {**named, **arguments}.items() if value not in (None, "")}
    name = given.get(agent) if agent is not None else None
    asked = request.read(workspace, given, path, lambda of: (of.spawn_call, of.spawn_parameters))
    found = catalog(workspace, known, of.root)
    winner = found.winner(name) if isinstance(name, str) else None
    answer, cause = _answer(of, asked)
    return Panel(
        of=of,
        name=name if isinstance(name, str) else None,
        controls=tuple(_controls(of, found, winner, given)),
        steps=tuple(_steps(found, name)) if isinstance(name, str) else (),
        winner=winner,
        answer=answer,
        cause=cause,
        problems=diagnostics(workspace, path),
        exchanges=tuple(_exchanges(of, name, given)),
    )


def _answer(
    of: Subject, asked: request.Request | request.Wrong
) -> tuple[Spawn | Refusal, Candidate | None]:
    if isinstance(asked, request.Wrong):
        return Refusal(asked.message, ours=True), None
    found = catalog(of.workspace, asked.known, asked.root)
    answer = asked.known.spawn(found, asked.call)
    if not isinstance(answer, Refusal):
        return answer, None
    failed = asked.known.failure(found) if asked.known.failure is not None else None
    is_cause = failed is not None and failed.message == answer.message
    return answer, failed.candidate if failed is not None and is_cause else None


def _steps(found: Catalog, name: str) -> Iterator[Step]:
    chain = found.candidates(name)
    for scope in found.scopes:
        yield Step(scope, tuple(one for one in chain if one.scope == scope))


def _controls(
    of: Subject, found: Catalog, winner: Candidate | None, given: Mapping[str, object]
) -> Iterator[Control]:
    for parameter in of.dialect.spawn_parameters:
        form = _FORMS.get(parameter.type)
        choices, is_open = _choices(of, found, winner, parameter)
        value = given.get(parameter.name)
        is_settled = parameter.holds is Holds.AGENT and len(of.names) <= 1
        is_idle = parameter.holds is Holds.PERSONA_NAME and not choices and value is None
        if form is None or is_settled or is_idle:
            continue
        if choices and not is_open:
            form = Form.CHOICE
        elif parameter.holds is Holds.TASK:
            form = Form.LONG
        yield Control(
            parameter.name,
            parameter.meaning,
            form,
            value if isinstance(value, str | bool) else None,
            choices,
            is_open,
            parameter.holds in _MAIN,
            parameter.holds,
        )


def _choices(
    of: Subject, found: Catalog, winner: Candidate | None, parameter: Parameter
) -> tuple[tuple[Choice, ...], bool]:
    """What a parameter can be given, and whether that is only what is known here."""
    if parameter.holds is Holds.AGENT:
        return tuple(Choice(one.name, "") for one in of.names), False
    if parameter.holds is Holds.PERSONA_NAME:
        personas = found.read(winner).held.personas if winner is not None else ()
        described = ((one.name, one.settings.get("description")) for one in personas)
        return tuple(Choice(name, text.text if text else "") for name, text in described), False
    if parameter.holds is Holds.MODEL:
        vouched = of.options.extra(of.dialect.id).models
        names = dict.fromkeys((*(model.name for model in of.dialect.models), *vouched))
        return tuple(Choice(name, "") for name in names), True
    if parameter.holds is Holds.EFFORT:
        key = of.dialect.key_holding(Holds.EFFORT)
        return key.choices if key is not None else (), False
    return parameter.choices, False


def _exchanges(of: Subject, name: object, given: Mapping[str, object]) -> Iterator[Exchange]:
    known = of.dialect
    wanted = {listing.filter_of(known): name} if isinstance(name, str) else {}
    listed = commands.list_agents(of.workspace, wanted, of.path)
    yield Exchange(listing.call_of(known, Call(wanted)), wanted, listed)
    yield Exchange(known.spawn_call, given, commands.preview_spawn(of.workspace, given, of.path))
