"""Previews `runSubagent` of VS Code and `task` of Copilot CLI, and the agents that each lists.

Invariants: the argument `reader` says which program answers. Without it VS Code does, or Copilot
CLI for an agent that it alone has. Texts that depend on the session, and those that are not
established, are in our own words.
Facts: VS Code 1.139.1 and Copilot CLI 1.0.102, run 2026-11-28.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks.messages import listed
from agent_lsp.data_classes import replace
from agent_lsp.dialects.copilot import id_at, policy, sessions, skills
from agent_lsp.dialects.copilot.body import references
from agent_lsp.dialects.copilot.cli_tools import ALWAYS, EVERY, TOOLS
from agent_lsp.dialects.copilot.facts import ALLOW, BUILT_IN_CLI, READERS
from agent_lsp.dialects.copilot.vs_tools import (
    AGENT,
    ASK,
    NAMES,
    TODO,
    in_prompt,
    may_be_written,
)
from agent_lsp.model.runtime import (
    Call,
    Candidate,
    Catalog,
    ChainStep,
    Origin,
    PromptPart,
    ResolvedSetting,
    RuntimeRefusal,
    Spawn,
    Toolset,
    Verdict,
)
from agent_lsp.model.template import Reading, Value
from agent_lsp.text import Span, TextEdit, apply

VS_ID, CLI_ID = (one.name for one in READERS)
_Row = dict[str, object]


def list_agents(catalog: Catalog, call: Call) -> object | RuntimeRefusal:
    """`{"agents": […]}` of both programs, in the order of VS Code, or those of one name.

    `readers` says which of the two has the agent, and `otherwise` what the second one makes of it
    in another way. With the argument `reader` the list has the agents of that program alone, in its
    order.
    """
    given, reader = call.text("agentName"), call.text("reader")
    if reader == CLI_ID:
        of_cli = sessions.of_cli(catalog)
        rows = [_row(one, reading, [CLI_ID]) for one, reading in of_cli.values()]
    else:
        every = sessions.in_order(catalog)
        of_vs = [one for one in every if sessions.is_in_vs(catalog, one)]
        rows = (
            [_row(one, catalog.read(one), [VS_ID]) for one in of_vs]
            if reader == VS_ID
            else _of_both(catalog, every)
        )
    found = [row for row in rows if given is None or row["name"] == given]
    if given is not None and not found:
        return not_found(given)
    return {"agents": found}


def _of_both(catalog: Catalog, every: list[Candidate]) -> list[_Row]:
    """The rows of both programs, each as the first that has the agent reads it."""
    of_cli = {one.path: reading for one, reading in sessions.of_cli(catalog).values()}
    rows = []
    for one in every:
        readers = [VS_ID] if sessions.is_in_vs(catalog, one) else []
        reading = of_cli.get(one.path)
        if not readers or reading is None:
            of_one = [CLI_ID] if reading is not None else readers
            rows.append(_row(one, reading or catalog.read(one), of_one))
            continue
        row = _row(one, catalog.read(one), [VS_ID, CLI_ID])
        other = _row(one, reading, [CLI_ID])
        others = {key: other[key] for key in _JUDGED if other[key] != row[key]}
        rows.append({**row, "otherwise": [{"reader": CLI_ID, **others}]} if others else row)
    return rows


# What two programs may make of one file in different ways.
_JUDGED = ("description", "tools", "model", "userInvocable", "modelInvocable")


def _row(one: Candidate, reading: Reading, readers: list[str]) -> _Row:
    settings = reading.effective.settings
    description, tools = settings.get("description"), settings.get(ALLOW)
    return {
        "name": one.name,
        "id": id_at(one.scope, one.path),
        "description": description.text if description is not None else "",
        "tools": None if tools is None else list(dict.fromkeys(map(policy.written, tools.items))),
        "model": models(settings.get("model")),
        "source": one.scope.label,
        "path": None if one.scope.builtin else str(one.path),
        "userInvocable": switch(settings, "user-invocable", default=True),
        "modelInvocable": model_invocable(reading, by_cli=readers == [CLI_ID]),
        "readers": readers,
    }


def models(value: Value | None) -> list[str] | None:
    """The models that a file names, in its order."""
    if value is None:
        return None
    return [value.text] if isinstance(value.value, str) else [one.text for one in value.items]


def switch(settings: "dict[str, Value] | object", name: str, *, default: bool) -> bool:
    """Whether a switch is on."""
    value = settings.get(name) if hasattr(settings, "get") else None
    return value.value if value is not None and isinstance(value.value, bool) else default


def model_invocable(reading: Reading, *, by_cli: bool = False) -> bool:
    """Whether a model sees the agent; of the two keys for it each program prefers another one."""
    settings = reading.effective.settings
    infer, off = settings.get("infer"), settings.get("disable-model-invocation")
    for value, is_inverse in (
        ((off, True), (infer, False)) if by_cli else ((infer, False), (off, True))
    ):
        if value is not None and isinstance(value.value, bool):
            return value.value is not is_inverse
    return True


def not_found(name: str) -> RuntimeRefusal:
    """What VS Code answers to a name that no agent has."""
    advice = "Try again with the correct agent name, or omit agentName to use the current agent."
    return RuntimeRefusal(f"Error invoking subagent: Requested agent '{name}' not found. {advice}")


def spawn(catalog: Catalog, call: Call) -> Spawn | RuntimeRefusal:
    """Everything that the call resolves to, or the refusal of the program that answers."""
    name, caller = call.text("agentName"), call.text("caller")
    is_by_cli = call.text("reader") == CLI_ID
    if caller is not None and is_by_cli:
        said = "Copilot CLI reads no `agents`, so that every agent may call the same ones"
        return RuntimeRefusal(f"{said}; leave out `caller`", ours=True)
    refusal = _not_allowed(catalog, name, caller) if caller is not None else None
    # Without a name VS Code starts a copy of the caller.
    called = caller if name is None else name
    if refusal is not None or called is None:
        return refusal or _NO_NAME
    if is_by_cli:
        return _by_cli(catalog, call, called)
    is_open = call.text("reader") is None and caller is None
    if is_open and _of_vs(catalog, called) is None and sessions.named_in_cli(catalog, called):
        answer = _by_cli(catalog, call, called)
        if isinstance(answer, Spawn):
            return replace(answer, notes=("VS Code does not have this agent", *answer.notes))
        return answer
    return _by_vs(catalog, call, called)


def _not_allowed(catalog: Catalog, name: str | None, caller: str) -> RuntimeRefusal | None:
    """What VS Code answers to a caller whose `agents` do not have the name, or None."""
    own = _of_vs(catalog, caller)
    if own is None:
        said = f"no agent of VS Code is called `{caller}`, so what it may call is not known"
        return RuntimeRefusal(said, ours=True)
    agents = catalog.read(own).effective.settings.get("agents")
    allowed = {one.text for one in agents.items} if agents is not None else {EVERY}
    if name is None or EVERY in allowed or name in allowed:
        return None
    said = f"Requested agent '{name}' is not allowed by the current agent."
    return RuntimeRefusal(f"Error invoking subagent: {said}")


def _of_vs(catalog: Catalog, name: str) -> Candidate | None:
    """The agent of VS Code that a call of a name gets."""
    found = sessions.in_order(catalog, name)
    return next((one for one in found if sessions.is_in_vs(catalog, one)), None)


def spawn_of_cli(catalog: Catalog, call: Call) -> Spawn | RuntimeRefusal:
    """What an agent is in Copilot CLI, in a catalog that is read as the CLI reads.

    An agent that is hidden from models has an answer, because people can start it.
    """
    name = call.text("agentName")
    winner = catalog.winner(name) if name is not None else None
    if name is None or winner is None:
        return _NO_NAME if name is None else not_found(name)
    return _in_cli(catalog, name, winner, catalog.read(winner), call)


_NO_NAME = RuntimeRefusal(
    "without `agentName` the call starts a copy of the current agent, not a file", ours=True
)


def _by_vs(catalog: Catalog, call: Call, name: str) -> Spawn | RuntimeRefusal:
    winner = _of_vs(catalog, name)
    if winner is None:
        return not_found(name)
    reading = catalog.read(winner)
    tools = call.tools if call.parent.tools is None else call.parent.tools
    return Spawn(
        name=winner.name,
        persona=None,
        template=winner,
        settings=tuple(_settings(winner, reading, call)),
        toolset=_as_sub_agent(policy.toolset(reading, tools, 1)),
        prompt=tuple(_prompt_of_vs(winner, reading, call)),
        depth=call.parent.depth + 1,
        notes=tuple(_notes(catalog, winner, reading)),
        lost=tuple(one.message for one in reading.possible_errors),
    )


# What a sub-agent of VS Code never has, each with the reason.
_NEVER = {
    TODO: "a sub-agent keeps no list",
    ASK: "a sub-agent cannot ask the user",
    AGENT: "a sub-agent calls others only if `chat.subagents.allowInvocationsFromSubagents` is on",
}


def _as_sub_agent(found: Toolset) -> Toolset:
    verdicts = (
        Verdict(one.tool, False, _NEVER[one.tool], one.entry) if one.tool in _NEVER else one
        for one in found.verdicts
    )
    return Toolset(tuple(verdicts), found.restricted, found.open_patterns)


def _by_cli(catalog: Catalog, call: Call, name: str) -> Spawn | RuntimeRefusal:
    named = sessions.named_in_cli(catalog, name)
    callable_ = [one for one in named if model_invocable(one[1], by_cli=True)]
    if name in BUILT_IN_CLI:
        said = f"the call runs the prompt of the built-in `{name}`, whatever the file says"
        return RuntimeRefusal(said, ours=True)
    if not callable_:
        types = [
            *BUILT_IN_CLI,
            *(
                sessions.name_in_cli(key, reading)
                for key, (_, reading) in sessions.of_cli(catalog).items()
                if model_invocable(reading, by_cli=True)
            ),
        ]
        return RuntimeRefusal(f"Unknown agent_type: {name}. Valid types are: {', '.join(types)}")
    return _in_cli(catalog, name, *callable_[0], call)


def _in_cli(catalog: Catalog, name: str, winner: Candidate, reading: Reading, call: Call) -> Spawn:
    others = tuple(name for name in call.tools if name not in NAMES)
    own = tuple(dict.fromkeys((*(tool.name for tool in TOOLS), *others)))
    tools = own if call.parent.tools is None else call.parent.tools
    found = policy.toolset_for_cli(reading, tools, 1)
    kept = tuple(
        Verdict(one.tool, False, "a sub-agent does not have it")
        if one.tool in ALWAYS and found.restricted
        else one
        for one in found.verdicts
    )
    return Spawn(
        name=name,
        persona=None,
        template=winner,
        settings=tuple(_settings(winner, reading, call)),
        toolset=Toolset(kept, found.restricted, found.open_patterns),
        prompt=tuple(_prompt_of_cli(catalog, winner, reading, call)),
        depth=call.parent.depth + 1,
        notes=(
            "the call is `task` with `agent_type`, and the tools are those of Copilot CLI",
            *skills.left_out(catalog, reading.effective),
        ),
    )


def _settings(winner: Candidate, reading: Reading, call: Call) -> Iterator[ResolvedSetting]:
    value = reading.effective.settings.get("model")
    own = models(value) or []
    given, session = call.text("model"), call.parent.model
    header = Origin("the header", winner.path, value.span if value is not None else None)
    first = own[0] if own else None
    chain = (
        ChainStep(Origin("the call"), given, wins=given is not None),
        ChainStep(header, first, wins=given is None and bool(first)),
        ChainStep(Origin("the session"), session, wins=given is None and not first),
    )
    step = next(one for one in chain if one.wins)
    note = "the first of the list that exists" if len(own) > 1 and step.origin is header else ""
    if step.origin is header and not note:
        note = "if there is such a model; else the session's"
    yield ResolvedSetting("model", step.value, step.origin, chain, note)


def _prompt_of_vs(winner: Candidate, reading: Reading, call: Call) -> Iterator[PromptPart]:
    runtime, task = Origin("VS Code"), call.text("prompt")
    prompt = reading.effective.default
    body = Origin("the file", winner.path, prompt.span)
    yield PromptPart("system prompt", "(VS Code's own, which stays)", False, runtime)
    files = "(AGENTS.md, copilot-instructions.md and the other instructions of the workspace)"
    yield PromptPart("instructions", files, False, Origin("the workspace"))
    head = (
        f'You are currently running in "{winner.name}" mode. Below are your instructions for this '
        "mode, they must take precedence over any instructions above."
    )
    text = f"<modeInstructions>\n{head}\n\n{_as_sent(prompt.text)}</modeInstructions>"
    is_open = any(may_be_written(one.name) for one in references(prompt.text, 0) if one.is_tool)
    yield PromptPart("agent", text, not winner.scope.builtin and not is_open, body)
    yield PromptPart("prompt", task if task is not None else "…", task is not None, _CALL)


_CALL = Origin("the call")


def _as_sent(prompt: str) -> str:
    """The prompt as VS Code sends it: with the names that the model knows, and links as written."""
    edits = (
        TextEdit(Span(one.span.start - len("#tool:"), one.span.end), f"'{name}'")
        for one in references(prompt, 0)
        if one.is_tool and (name := in_prompt(one.name)) is not None
    )
    return apply(prompt, tuple(edits))


def _prompt_of_cli(
    catalog: Catalog, winner: Candidate, reading: Reading, call: Call
) -> Iterator[PromptPart]:
    task, prompt = call.text("prompt"), reading.effective.default
    body = Origin("the file", winner.path, prompt.span)
    yield PromptPart("system prompt", prompt.text, not winner.scope.builtin, body)
    more = "(notes about its tools, rules, and the environment; no AGENTS.md)"
    yield PromptPart("rules", more, False, Origin("Copilot CLI"))
    yield PromptPart("date", "(the date)", False, Origin("Copilot CLI"))
    yield from skills.parts(catalog, winner, reading.effective)
    yield PromptPart("prompt", task if task is not None else "…", task is not None, _CALL)


# So many references are named.
_MOST_NAMED = 4


def _notes(catalog: Catalog, winner: Candidate, reading: Reading) -> Iterator[str]:
    settings = reading.effective.settings
    if ALLOW not in settings:
        yield "the file does not limit the tools: the agent has those of its caller"
    named = [one.name for one in references(reading.effective.default.text, 0) if one.is_tool]
    if any(map(in_prompt, named)):
        yield "VS Code writes the name that the model knows for each `#tool:` that it knows"
    rest = [name for name in dict.fromkeys(named) if may_be_written(name)]
    if rest:
        said = listed([f"#tool:{name}" for name in rest[:_MOST_NAMED]], "and")
        yield f"{said} may have another name in the prompt: the session decides"
    if winner.scope.builtin:
        yield (
            "the prompt of this built-in agent is a stand-in, because the runtime's own text is "
            "not shipped here"
        )
    elif sessions.read_by_cli(catalog, winner).errors:
        yield "Copilot CLI does not have this agent"
