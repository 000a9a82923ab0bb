"""Previews `invoke_agent` and the list of agents that the session's model is told.

Invariant: of a prompt only the agent's own text and the call's are verbatim, and a variable whose
value nobody knows beforehand makes its text a stand-in.
Facts: Gemini CLI 0.61.0, measured 2026-11-28 (`tests/conformance`). `${word}` is a variable
wherever it stands, also in code and after a backslash; `${a.b}`, `${A:-x}`, `$X` and `{{x}}` are
text. What is put in is not looked at again. A variable that the runtime does not know makes each
call fail.
"""

import re
from collections.abc import Iterator, Mapping

from agent_lsp.decoders.gemini_settings import at, settings
from agent_lsp.dialects.gemini import HOME, SETTINGS, policy
from agent_lsp.dialects.gemini.facts import INHERIT, INPUTS, MEASURED, RESOLVED, UNRESOLVED
from agent_lsp.dialects.gemini.session_tools import SettingsFile, limited
from agent_lsp.model.runtime import (
    Artifact,
    Call,
    Candidate,
    Catalog,
    ChainStep,
    Origin,
    PromptPart,
    ResolvedSetting,
    RuntimeRefusal,
    Scope,
    Spawn,
)
from agent_lsp.model.template import Reading, Template
from agent_lsp.patterns import regex
from agent_lsp.text import Span

EMPTY = "PromptConfig must define either `systemPrompt` or `initialMessages`."
# The runtime replaces these when it loads an extension.
_OF_EXTENSIONS = ("extensionPath", "workspacePath")
_VARIABLE = regex(r"\$\{(\w+)\}", re.ASCII)
# The session's prompt has no more than one blank line in a row.
_BREAKS = regex(r"\n{3,}")
_RUNTIME = Origin("the runtime")
_CALL, _SESSION = Origin("the call"), Origin("the session")


def list_agents(catalog: Catalog, call: Call) -> object | RuntimeRefusal:
    """`{"agents": […]}` in the order in which they are registered, or the one that is asked for."""
    given = call.text("agent_name")
    if given is not None and catalog.winner(given) is None:
        return not_found(given)
    names = catalog.names if given is None else (given,)
    order = {scope.folder: at for at, scope in enumerate(catalog.scopes)}
    found = [winner for winner in map(catalog.winner, names) if winner is not None]
    found.sort(key=lambda one: (order.get(one.scope.folder, len(order)), one.path.name))
    return {"agents": [_row(catalog, winner) for winner in found]}


def not_found(name: str) -> RuntimeRefusal:
    """The runtime's words for a name that it does not know; case counts."""
    return RuntimeRefusal(f"Subagent '{name}' not found.")


def _row(catalog: Catalog, winner: Candidate) -> dict[str, object]:
    effective = catalog.read(winner).effective
    description = effective.settings.get("description")
    return {
        "name": winner.name,
        "description": _BREAKS.sub("\n\n", description.text) if description is not None else "",
        "kind": "remote" if is_remote(effective) else "local",
        "source": winner.scope.label,
        "path": None if winner.scope.builtin else str(winner.path),
    }


def is_remote(effective: Template) -> bool:
    """Whether the agent runs elsewhere: it has a card."""
    return not effective.settings.keys().isdisjoint(("agent_card_url", "agent_card_json"))


def spawn(catalog: Catalog, call: Call) -> Spawn | RuntimeRefusal:
    """Everything that the call resolves to, or what the session is told instead."""
    name = call.text("agent_name")
    if name is None:
        return RuntimeRefusal("params must have required property 'agent_name'")
    winner = catalog.winner(name)
    if winner is None:
        return not_found(name)
    if winner.unread:
        return RuntimeRefusal(
            f"{winner.path.name} is not read here: it is {winner.unread}", ours=True
        )
    reading = catalog.read(winner)
    is_local = not is_remote(reading.effective)
    is_own = is_local and not winner.scope.builtin
    why = refused(reading.effective, winner.scope) if is_own else None
    if why is not None:
        return RuntimeRefusal(f"Subagent '{name}' failed. Error: {why}")
    tools = call.tools if call.parent.tools is None else call.parent.tools
    files = tuple(_files(catalog))
    return Spawn(
        name=name,
        persona=None,
        template=winner,
        settings=tuple(_settings(winner, reading, call, files)) if is_local else (),
        toolset=limited(files, policy.toolset(reading, tools if is_local else (), 1)),
        prompt=tuple(_prompt(winner, reading, call) if is_local else _remote_prompt(call)),
        depth=1,
        notes=tuple(_notes(winner, reading)),
        artifacts=tuple(_artifacts(name)),
    )


def refused(effective: Template, scope: Scope | None = None) -> str | None:
    """Why every call of the agent fails, or None; in an extension more variables are known."""
    if not effective.default.text:
        return EMPTY
    model = effective.settings.get("model")
    if model is not None and model.text in UNRESOLVED:
        return f'Could not resolve a model name for alias "{model.text}".'
    return missing(effective.default.text, scope)


def _files(catalog: Catalog) -> Iterator[SettingsFile]:
    """The settings of the project, which have precedence, and those of the user."""
    other = catalog.variables.get(HOME)
    home = type(catalog.root)(other) if other else catalog.home
    for folder, whose in ((catalog.root, ""), (home, " of the user")):
        path = folder / SETTINGS if folder is not None else None
        text = catalog.text(path) if path is not None else None
        if path is not None and text is not None:
            yield path, settings(text), f"{path.name}{whose}"


def _settings(
    winner: Candidate, reading: Reading, call: Call, files: tuple[SettingsFile, ...]
) -> Iterator[ResolvedSetting]:
    yield _model(winner, reading, call, files)
    for name, own_name, default in _LIMITS:
        value = reading.effective.settings.get(name)
        header = Origin("the header", winner.path, value.span if value is not None else None)
        over, said = _override(files, winner.name, "runConfig", own_name)
        given = ((over, said), (header, value.text if value is not None else None))
        yield ResolvedSetting(name, *_chosen((*given, (_RUNTIME, default)), is_told=bool(said)))


# The keys that limit a run, their names in the settings, and the defaults.
_LIMITS = (("max_turns", "maxTurns", "30"), ("timeout_mins", "maxTimeMinutes", "10"))


def _override(files: tuple[SettingsFile, ...], name: str, *keys: str) -> tuple[Origin, str | None]:
    """What the settings say of one agent, as `agents.overrides` does; of the project first."""
    for path, values, called in files:
        found = at(values, "agents", "overrides", name, *keys)
        if isinstance(found, str | int | float):
            return Origin(f"`agents.overrides.{name}` in {called}", path), str(found)
    return _RUNTIME, None


def _chosen(
    steps: tuple[tuple[Origin, str | None], ...], *, is_told: bool
) -> tuple[str | None, Origin, tuple[ChainStep, ...]]:
    """The first value of `steps`, its origin, and the chain, without settings that say nothing."""
    steps = steps if is_told else steps[1:]
    first = next((at for at, (_, value) in enumerate(steps) if value is not None), len(steps) - 1)
    chain = (ChainStep(origin, value, wins=at == first) for at, (origin, value) in enumerate(steps))
    return steps[first][1], steps[first][0], tuple(chain)


def _model(
    winner: Candidate, reading: Reading, call: Call, files: tuple[SettingsFile, ...]
) -> ResolvedSetting:
    """The model of the settings, else of the header, or that of the session."""
    value = reading.effective.settings.get("model")
    over, said = _override(files, winner.name, "modelConfig", "model")
    header = Origin("the header", winner.path, value.span if value is not None else None)
    in_header = value.text if value is not None else ""
    written, origin = (in_header, header) if said is None else (said, over)
    is_own = written not in ("", INHERIT)
    chain = (
        *((ChainStep(over, said, wins=is_own),) if said is not None else ()),
        ChainStep(
            header,
            in_header if in_header not in ("", INHERIT) else None,
            wins=is_own and said is None,
            said=in_header,
        ),
        ChainStep(_SESSION, call.parent.model, wins=not is_own),
    )
    if not is_own:
        return ResolvedSetting("model", call.parent.model, _SESSION, chain)
    model = RESOLVED.get(written, written)
    where = "the header says" if said is None else "the settings say"
    note = "" if model == written else f"the runtime asks for {model} where {where} {written}"
    return ResolvedSetting("model", model, origin, chain, note)


def _prompt(winner: Candidate, reading: Reading, call: Call) -> Iterator[PromptPart]:
    """The system prompt of the agent, then its first message."""
    held = reading.effective.default
    task = call.text("prompt")
    known = {"query": task, "activeModel": call.parent.model, "cliVersion": MEASURED}
    values = {name: value for name, value in known.items() if value is not None}
    used = {name for name, _ in variables(held.text)}
    is_verbatim = not winner.scope.builtin and used <= values.keys() - {"cliVersion"}
    values.setdefault("today", "(the date)")
    values.setdefault("query", "(the prompt of the call)")
    values.setdefault("activeModel", "(the model of the session)")
    origin = Origin("the file", winner.path, held.span)
    text = substituted(held.text, values)
    yield PromptPart("system prompt", text, is_verbatim, origin)
    toolset = policy.toolset(reading, ("activate_skill",), 1)
    if toolset.verdicts[0].kept:
        yield _stand_in("Available Agent Skills", "name and description of each skill")
    yield _stand_in("Contextual Instructions (GEMINI.md)", "the user's GEMINI.md, if there is one")
    yield _stand_in("Environment Context", "the workspace folders, with up to 200 names")
    yield _stand_in(
        "Important Rules",
        "to ask nobody, to write absolute paths, and to end with `complete_task`",
    )
    yield _stand_in("project context", "the project's GEMINI.md, in front of the first message")
    yield PromptPart("first message", task if task is not None else "…", task is not None, _CALL)


def _remote_prompt(call: Call) -> Iterator[PromptPart]:
    task = call.text("prompt")
    yield PromptPart("message", task if task is not None else "…", task is not None, _CALL)


def _stand_in(title: str, text: str) -> PromptPart:
    return PromptPart(title, f"({text})", False, _RUNTIME)


def _notes(winner: Candidate, reading: Reading) -> Iterator[str]:
    settings = reading.effective.settings
    if winner.scope.kind == "project" and winner.scope.label == "project":
        yield (
            "the agent exists only if a person has confirmed this text in an interactive session; "
            "each edit needs a new confirmation"
        )
    if is_remote(reading.effective):
        yield "the agent exists only if its card can be fetched when the session starts"
        return
    if "temperature" in settings:
        yield "`temperature` never reaches the model"
    if "tools" not in settings:
        yield "the file sets no `tools`: the agent gets every tool that its session has"
    if "mcp_servers" in settings:
        yield "the agent's own servers start with the call; `tools` does not limit their tools"
    if winner.scope.builtin:
        yield "the prompt of this built-in agent is a stand-in: the runtime's is not shipped here"


def _artifacts(name: str) -> Iterator[Artifact]:
    shape = f"Subagent '{name}' finished.\nTermination Reason: GOAL\nResult:\n…"
    yield Artifact("returns", "what the session gets when the agent has finished", shape)
    refusals = {
        "no such agent": "Subagent '…' not found.",
        "out of turns": "Agent reached max turns limit (…).",
        "out of time": "Agent timed out after … minutes.",
        "stopped": "Agent stopped calling tools but did not call 'complete_task'.",
    }
    yield Artifact("refusals", "what the session gets when the agent fails", refusals)


def variables(prompt: str) -> Iterator[tuple[str, Span]]:
    """The names of the variables in `prompt`, each with the span of all that is replaced."""
    for found in _VARIABLE.finditer(prompt):
        yield found[1], Span(*found.span())


def unknown(prompt: str, scope: Scope | None = None) -> Iterator[tuple[str, Span]]:
    """The variables that the runtime does not know, in the order of the text."""
    is_extension = scope is not None and scope.label == "extension"
    known = (*INPUTS, *_OF_EXTENSIONS) if is_extension else INPUTS
    yield from ((name, span) for name, span in variables(prompt) if name not in known)


def missing(prompt: str, scope: Scope | None = None) -> str | None:
    """What the runtime says of the unknown variables at each call, or None if there are none."""
    names = tuple(dict.fromkeys(name for name, _ in unknown(prompt, scope)))
    if not names:
        return None
    lacks = f"Missing required input parameters: {', '.join(names)}"
    return f"Template validation failed: {lacks}. Available inputs: {', '.join(INPUTS)}"


def substituted(prompt: str, values: Mapping[str, str]) -> str:
    """`prompt` with the variables that have a value replaced by it."""
    return _VARIABLE.sub(lambda found: values.get(found[1], found[0]), prompt)
