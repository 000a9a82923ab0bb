"""Previews `task` and the list of agents that a model is told.

Invariant: of a prompt only the agent's own text and the call's are verbatim.
Facts: OpenCode 1.18.33, measured 2026-11-28 (`tests/conformance/opencode.jsonl`).
"""

from collections.abc import Iterator

from agent_lsp.dialects.opencode import TABLES, policy
from agent_lsp.dialects.opencode.catalog import built_in, is_mode
from agent_lsp.dialects.opencode.config import has_hidden, is_open
from agent_lsp.dialects.opencode.facts import (
    ALL,
    BUILT_IN,
    DENY,
    DEPTH,
    EVERY,
    HIDDEN,
    OPTION,
    PRIMARY,
    SENT_AS,
    SUBAGENT,
    UNDESCRIBED,
    UNSENT,
)
from agent_lsp.dialects.opencode.failure import failure
from agent_lsp.dialects.opencode.generations import in_other
from agent_lsp.dialects.opencode.reading import as_mode
from agent_lsp.dialects.opencode.rules import deciding
from agent_lsp.model.availability import Availability
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

_MOST_DEEP = 1
# Measured 2026-11-29: all that a caller sees if the session of a call has no agent.
_NO_SESSION = "UnknownError"
_RUNTIME, _CALL, _SESSION = Origin("the runtime"), Origin("the call"), Origin("the caller")
_SENT = ("temperature", "top_p", "steps", "variant")
_REPLACED = frozenset({"temperature", "top_p"})


def mode(template: Template) -> str:
    """Who starts the agent: `subagent`, `primary` or `all`."""
    value = template.settings.get("mode")
    return value.text if value is not None else ALL


def is_hidden(template: Template) -> bool:
    """Whether the agent is kept out of `@`."""
    value = template.settings.get("hidden")
    return value is not None and value.value is True


def availability(reading: Reading, scope: Scope) -> tuple[Availability, ...]:
    """Whether people and other agents can start the agent."""
    held = (as_mode(reading) if is_mode(scope) else reading).effective
    by_mode = f"the mode is `{mode(held)}`"
    reason = "it is hidden from `@`, and a model still sees it" if is_hidden(held) else by_mode
    return (
        Availability("a person can choose it", mode(held) != SUBAGENT, by_mode),
        Availability("a person can mention it", not is_hidden(held), reason),
        Availability("models see it", mode(held) != PRIMARY, by_mode),
    )


def list_agents(catalog: Catalog, call: Call) -> object | RuntimeRefusal:
    """`{"agents": […]}` by name, or why the program does not start."""
    failed = failure(catalog)
    if failed is not None:
        return RuntimeRefusal(failed.message)
    given = call.text("name")
    native = built_in(catalog)
    if given is not None and catalog.winner(given) is None and given not in native:
        return RuntimeRefusal(f'agent "{given}" not found')
    names = sorted({*catalog.names, *native}) if given is None else [given]
    return {"agents": [_row(catalog, name) for name in names]}


def _row(catalog: Catalog, name: str) -> dict[str, object]:
    """An agent of the list, with the line about it that a model is told."""
    winner = catalog.winner(name)
    held = catalog.read(winner).effective if winner is not None else Template({}, (), ())
    called = _told(catalog, name, held)
    own_mode, own_words = BUILT_IN.get(name, (ALL, UNDESCRIBED))
    described = held.settings.get("description")
    said = described.text if described is not None else own_words
    is_told = (mode(held) if "mode" in held.settings else own_mode) != PRIMARY
    model = held.settings.get("model")
    return {
        "name": name,
        "description": said,
        "mode": mode(held) if "mode" in held.settings else own_mode,
        "model": model.text if model is not None else None,
        "hidden": is_hidden(held) if "hidden" in held.settings else name in HIDDEN,
        "native": name in BUILT_IN,
        "listed": f"- {called}: {said}" if is_told else None,
        "path": str(winner.path) if winner is not None else None,
    }


def _told(catalog: Catalog, name: str, held: Template) -> str:
    """The name that models see; only a JSON file has another one than calls need."""
    told = held.settings.get("name")
    is_of_json = all(part.scope.form == TABLES for part in catalog.parts(name))
    return told.text if told is not None and is_of_json else name


def _started_instead(catalog: Catalog, name: str, told: str) -> RuntimeRefusal:
    """What comes of a call of `name`, whose session looks for the agent `told`."""
    if told and told not in {*catalog.names, *built_in(catalog)}:
        return RuntimeRefusal(_NO_SESSION)
    other = f"`{told}`" if told else "the default agent"
    said = f"a call of `{name}` starts {other}, because that is its `name` in the JSON file"
    return RuntimeRefusal(said, ours=True)


def spawn(catalog: Catalog, call: Call) -> Spawn | RuntimeRefusal:
    """Everything that the call resolves to, or what the caller is told instead."""
    failed = failure(catalog)
    if failed is not None:
        return RuntimeRefusal(failed.message)
    name = call.text("subagent_type")
    if name is None:
        return RuntimeRefusal("The task tool was called with invalid arguments: subagent_type")
    winner = catalog.winner(name)
    if winner is None and name in built_in(catalog):
        said = f"`{name}` is built in and no file changes it, so nothing of it is shown here"
        return RuntimeRefusal(said, ours=True)
    if winner is None:
        return RuntimeRefusal(f"Unknown agent type: {name} is not a valid agent type")
    if winner.unread:
        said = f"{winner.path.name} is not read here: it is {winner.unread}"
        return RuntimeRefusal(said, ours=True)
    reading = catalog.read(winner)
    deep = depth_of(reading)
    if call.parent.depth >= deep:
        return RuntimeRefusal(
            f'Subagent depth limit reached ({deep}). Increase "subagent_depth" to allow nested '
            "subagents."
        )
    told = _told(catalog, name, reading.effective)
    if told != name:
        return _started_instead(catalog, name, told)
    why = model_refused(reading.effective)
    if why is not None:
        return RuntimeRefusal(why)
    tools = call.tools if call.parent.tools is None else call.parent.tools
    depth = call.parent.depth + 1
    return Spawn(
        name=name,
        persona=None,
        template=winner,
        settings=tuple(_settings(winner, reading, call)),
        toolset=policy.toolset(reading, tools, depth),
        prompt=tuple(_prompt(winner, reading, call)),
        depth=depth,
        notes=(
            *_notes(reading),
            *_of_session(name, reading, tools),
            *filter(None, (in_other(catalog, winner),)),
        ),
        artifacts=(Artifact("returns", "what the caller gets at the end", _RETURNS),),
    )


_RETURNS = '<task id="…" state="completed"><task_result>…</task_result></task>'


def depth_of(reading: Reading) -> int:
    """How deep sub-agents may be nested in the session of an agent."""
    value = reading.effective.settings.get(DEPTH)
    return int(value.text) if value is not None and value.text.isdecimal() else _MOST_DEEP


def default_refused(catalog: Catalog, name: str) -> str | None:
    """What a message without an agent fails with if `name` is the default one, or None."""
    winner = catalog.winner(name)
    if winner is None and name not in built_in(catalog):
        return f'default agent "{name}" not found'
    row = _row(catalog, name)
    if row["mode"] == SUBAGENT:
        return f'default agent "{name}" is a subagent'
    return f'default agent "{name}" is hidden' if row["hidden"] else None


def model_refused(template: Template) -> str | None:
    """What each use of an agent fails with because of its model, or None if nobody can know."""
    value = template.settings.get("model")
    if value is None or not value.text or is_open(value.text) or has_hidden(value.text):
        return None
    provider, _, model = value.text.partition("/")
    is_padded = value.text != value.text.strip()
    return None if provider and model and not is_padded else f"Model not found: {provider}/{model}."


def _settings(winner: Candidate, reading: Reading, call: Call) -> Iterator[ResolvedSetting]:
    settings = reading.effective.settings
    value = settings.get("model")
    own = value.text if value is not None and value.text else None
    file = Origin("the agent", winner.path, value.span if value is not None else None)
    if value is not None and value.path is not None:
        file = Origin("the agent", value.path, value.span)
    chain = (
        ChainStep(file, own, wins=own is not None),
        ChainStep(_SESSION, call.parent.model, wins=own is None),
    )
    yield ResolvedSetting("model", own or call.parent.model, file if own else _SESSION, chain)
    for name in _SENT:
        found = settings.get(name)
        if found is None and name == "steps":
            found = settings.get("maxSteps")
        # An option of the same name takes the place of the key in the request.
        option = settings.get(f"{OPTION}{name}") if name in _REPLACED else None
        steps = [one for one in (option, found) if one is not None]
        if steps:
            origins = [Origin("the agent", one.path or winner.path, one.span) for one in steps]
            links = (
                ChainStep(origin, one.text, wins=one is steps[0])
                for origin, one in zip(origins, steps, strict=True)
            )
            yield ResolvedSetting(name, steps[0].text, origins[0], tuple(links))
    for key, value in settings.items():
        name = key.removeprefix(OPTION)
        if key != name and name not in UNSENT and name not in _REPLACED:
            origin = Origin("the agent", value.path or winner.path, value.span)
            name = f"{OPTION}{SENT_AS.get(name, name)}"
            step = ChainStep(origin, value.text, wins=True)
            yield ResolvedSetting(name, value.text, origin, (step,))


def _prompt(winner: Candidate, reading: Reading, call: Call) -> Iterator[PromptPart]:
    """The system prompt, then the message of the call."""
    held = reading.effective.default
    if held.text:
        origin = Origin("the agent", held.path or winner.path, held.span)
        yield PromptPart("system prompt", held.text, not has_hidden(held.text), origin)
    else:
        yield _stand_in("system prompt", "the default prompt for the model's provider")
    yield _stand_in("model", "You are powered by the model named …")
    yield _stand_in("environment", "the folder, the platform and the date")
    yield _stand_in("instructions", "AGENTS.md, else CLAUDE.md, and the configuration's")
    yield _stand_in("MCP servers", "the instructions of the servers, if they have any")
    if policy.toolset(reading, ("skill",), 1).kept:
        yield _stand_in("skills", "name and description of each skill that the rules allow")
    task = call.text("prompt")
    text = task if task is not None else "…"
    yield PromptPart("user message", text, task is not None, _CALL)


def _of_session(name: str, reading: Reading, tools: tuple[str, ...]) -> Iterator[str]:
    """What is otherwise if a person begins a session with the agent."""
    if mode(reading.effective) == SUBAGENT:
        said = f'agent "{name}" is a subagent, not a primary agent. Falling back to default agent'
        yield f"`opencode run --agent {name}` does not use it: `{said}`"
        return
    inner, outer = (
        {one.tool for one in policy.toolset(reading, tools, depth).kept} for depth in (1, 0)
    )
    more = " and ".join(f"`{tool}`" for tool in sorted(outer - inner))
    also = f" and also has {more}" if more else " and has the same tools"
    yield f"as the agent of a person's session it has this prompt{also}"


def _stand_in(title: str, text: str) -> PromptPart:
    return PromptPart(title, f"({text})", False, _RUNTIME)


def _notes(reading: Reading) -> Iterator[str]:
    held = reading.effective
    if not held.default.text:
        yield "the agent has no prompt of its own"
    texts = (held.default.text, *(value.text for value in held.settings.values()))
    if any(map(has_hidden, texts)):
        yield (
            "the value of an environment variable replaces `{env:…}` before the file is "
            "read, or nothing if it is not set; it is not shown here"
        )
    if any(f"{OPTION}{name}" in held.settings for name in (*SENT_AS, *UNSENT)):
        yield (
            "options are shown as a request in OpenAI's form has them; another provider may have "
            "other names for some"
        )
    if mode(held) == PRIMARY:
        yield "models do not see the agent: its mode is `primary`; a call by its name works"
    if not policy.own_rules(reading):
        yield "no rule limits the agent: it has every tool that a sub-agent has"
    task = deciding(policy.rules_of(reading), "task")
    has_task = policy.toolset(reading, ("task",), 1).kept
    if has_task and depth_of(reading) <= 1:
        yield (
            "the agent is offered `task`, and each of its calls fails: `subagent_depth` is "
            f"{depth_of(reading)}"
        )
    if task is not None and task.action == DENY and task.pattern != EVERY:
        yield "agents that the rules of `task` deny are not listed to it"
