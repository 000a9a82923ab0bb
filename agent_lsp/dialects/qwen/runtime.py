"""Previews the tool `agent` and the list of agents: model, tools, approval, prompt.

Invariants: names are listed as they are and called in any case; a file that is not used for its
name has a row in the list, after the one that is. Texts of the runtime that depend on the session
are in our own words.
Facts: Qwen Code 0.24.4, `listSubagents`, `loadSubagent`, `createAgentHeadless` and
`renderSubagentSystemPrompt`, read and measured 2026-11-28. Approval was read only.
"""

from collections.abc import Iterator, Mapping

from agent_lsp.dialects.qwen import policy
from agent_lsp.dialects.qwen.facts import ALLOW, BUILTIN, DENY, FAST, INHERIT, NOTES, PROVIDERS
from agent_lsp.dialects.qwen.refusals import (
    BACKEND,
    EXECUTOR,
    FAILED,
    HOOK_WORD,
    PLACEHOLDER,
    TASK_WORD,
    unset_words,
)
from agent_lsp.dialects.qwen.tools import SKILL
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
    Spawn,
)
from agent_lsp.model.template import LoadErrorKind, Reading, Template, Value

_DEFAULT, _FORK = "general-purpose", "fork"
_NO_CONTAINER = "Failed to run subagent: Container execution is not enabled by this host."


def list_agents(catalog: Catalog, call: Call) -> object | RuntimeRefusal:
    """`{"agents": […]}`, in the runtime's order, or only those of the name that the call gives.

    Of those that are `listed`, the model of the session reads a line each, as in
    `- **reviewer**: Reviews a change.`
    """
    given = call.text("name")
    every = in_order(catalog, is_call=False)
    if given is not None and not any(one.name == given for one in every):
        return not_found(catalog, given)
    first: dict[str, Candidate] = {}
    for one in every:
        first.setdefault(one.name, one)
    rows = [_row(catalog, one, is_listed=first[one.name] is one) for one in every]
    return {"agents": [row for row in rows if given is None or row["name"] == given]}


def in_order(catalog: Catalog, *, is_call: bool) -> list[Candidate]:
    """All candidates that load, in the order of the list, or in that in which a call looks.

    In the list, built-in agents precede those of extensions.
    """
    found = [one for name in catalog.names for one in catalog.candidates(name)]
    ranks = {scope.folder: at for at, scope in enumerate(catalog.scopes)}

    def rank(one: Candidate) -> tuple[bool, int, int, bytes]:
        is_late = not is_call and one.scope.label == "extension"
        place = BUILTIN.index(one.name) if one.scope.builtin and one.name in BUILTIN else 0
        file_name = one.path.name.encode("utf-8", "surrogatepass")
        return (is_late, ranks[one.scope.folder], place, file_name)

    return sorted(found, key=rank)


def taken(catalog: Catalog, candidate: Candidate) -> str:
    """Which built-in agent a file replaces, or which file gets the calls of an agent."""
    folded = candidate.name.lower()
    first, *others = [
        one for one in in_order(catalog, is_call=True) if one.name.lower() == folded
    ] or [candidate]
    if first.path != candidate.path:
        if first.name == candidate.name:
            return ""
        return f"a call of `{candidate.name}` gets `{first.name}` ({first.scope.label}) instead"
    replaced = next((one for one in others if one.scope.builtin), None)
    if replaced is None or candidate.scope.builtin:
        return ""
    more = ", and so does a call that names no agent" if folded == _DEFAULT else ""
    said = f"it replaces the built-in agent: each call of `{replaced.name}` gets this file{more}"
    kept = replaced.name != candidate.name
    return f"{said}; the built-in one stays in the list" if kept else said


def not_found(catalog: Catalog, name: str) -> RuntimeRefusal:
    """The refusal of the runtime for a name that it does not know."""
    names = dict.fromkeys(one.name for one in in_order(catalog, is_call=False))
    available = f". Available subagents: {', '.join(names)}" if names else ""
    return RuntimeRefusal(f'Subagent "{name}" not found{available}')


def _row(catalog: Catalog, candidate: Candidate, *, is_listed: bool) -> dict[str, object]:
    settings = catalog.read(candidate).effective.settings
    description, model, tools = (settings.get(key) for key in ("description", "model", ALLOW))
    text = description.text if description is not None else ""
    return {
        "name": candidate.name,
        "description": text,
        "tools": None if tools is None else [item.text for item in tools.items],
        "model": model.text if model is not None else None,
        "source": candidate.scope.label,
        "path": None if candidate.scope.builtin else str(candidate.path),
        "listed": is_listed,
        "shadowed": catalog.winner(candidate.name) != candidate,
    }


def spawn(catalog: Catalog, call: Call) -> Spawn | RuntimeRefusal:
    """Everything that the call resolves to, or the runtime's refusal."""
    if call.parent.depth >= policy.DEEPEST:
        return RuntimeRefusal(
            f"Error: sub-agent nesting depth limit reached (max {policy.DEEPEST} levels). Complete "
            "this task directly with your own tools instead of spawning another sub-agent."
        )
    name = call.text("subagent_type") or _DEFAULT
    if name.lower() == _FORK:
        return _forked(call)
    winner = _called(catalog, name)
    if isinstance(winner, RuntimeRefusal):
        return winner
    reading = catalog.read(winner)
    refusal = _refused(winner, reading.effective)
    if refusal is not None:
        return refusal
    depth = call.parent.depth + 1
    tools = call.tools if call.parent.tools is None else call.parent.tools
    is_external = "executor" in reading.effective.settings
    found = policy.toolset(reading, () if is_external else tools, depth)
    return Spawn(
        name=winner.name,
        persona=None,
        template=winner,
        settings=tuple(_settings(winner, reading.effective, call)),
        toolset=found,
        prompt=tuple(_prompt(winner, reading, call)),
        depth=depth,
        notes=tuple(_notes(reading, winner, call)),
        lost=tuple(one.message for one in reading.possible_errors if one.kind in _MISREAD),
        artifacts=tuple(_artifacts(reading, tools, depth)),
    )


def _forked(call: Call) -> RuntimeRefusal:
    if call.parent.depth > 0:
        return RuntimeRefusal(
            'Error: subagent_type "fork" is not supported from within a sub-agent. Complete this '
            "task directly with your own tools instead of requesting a nested fork."
        )
    return RuntimeRefusal("a call of `fork` is a fork of the session, and never a file", ours=True)


def _called(catalog: Catalog, name: str) -> Candidate | RuntimeRefusal:
    """The agent that a call means, in any case; a refused one stops the search."""
    folded, order = name.lower(), in_order(catalog, is_call=True)
    for scope in catalog.scopes:
        for one in order:
            if one.scope.folder == scope.folder and one.name.lower() == folded:
                return one
        for one, why in catalog.skipped():
            is_it = one.scope.folder == scope.folder and one.name.lower() == folded
            if is_it and why in (EXECUTOR, BACKEND):
                return RuntimeRefusal(f"Failed to run subagent: {why}")
    return not_found(catalog, name)


# What an agent that another program runs may not have, in the runtime's order.
_NOT_OUTSIDE = (ALLOW, DENY, "mcpServers", "hooks", "maxTurns")


def _refused(winner: Candidate, effective: Template) -> RuntimeRefusal | None:
    settings = effective.settings
    if "executionBackend" in settings:
        return RuntimeRefusal(_NO_CONTAINER)
    if "executor" in settings:
        wrong = not_outside(settings)
        if wrong:
            said = f'External agent "{winner.name}" does not support {", ".join(wrong)}.'
            return RuntimeRefusal(f"Failed to run subagent: {said}")
        return None
    if unset_words(effective.default.text):
        return RuntimeRefusal(FAILED)
    return None


def not_outside(settings: Mapping[str, Value]) -> tuple[str, ...]:
    """The keys for which the runtime does not start another program."""
    wrong = [key for key in _NOT_OUTSIDE if key in settings]
    limits, model = settings.get("runConfig"), settings.get("model")
    if limits is not None and "max_turns" in limits.text:
        wrong.append("runConfig.max_turns")
    if model is not None and model.text != INHERIT:
        wrong.append("model")
    return tuple(wrong)


def _settings(winner: Candidate, effective: Template, call: Call) -> Iterator[ResolvedSetting]:
    yield _model(winner, effective, call)
    value = effective.settings.get("approvalMode")
    own = Origin("the header", winner.path, value.span if value is not None else None)
    session, text = Origin("the session"), value.text if value is not None else None
    chain = (ChainStep(own, text, wins=text is not None), ChainStep(session, None, wins=not text))
    note = NOTES["approvalMode"] if text else ""
    yield ResolvedSetting("approvalMode", text, own if text else session, chain, note)


def _model(winner: Candidate, effective: Template, call: Call) -> ResolvedSetting:
    """The model of the header, else that of the session; `fast` is a setting."""
    value = effective.settings.get("model")
    word = value.text.strip() if value is not None else ""
    header = Origin("the header", winner.path, value.span if value is not None else None)
    session = Origin("the session")
    is_own = bool(word) and word not in (INHERIT, FAST)
    note = ""
    if word == FAST:
        note = "the setting `fastModel`, if it is configured, else the model of the session"
    provider, colon, model = word.partition(":")
    chosen = word
    if colon and provider.strip() in PROVIDERS:
        chosen, note = model.strip(), f"requested from the provider `{provider.strip()}`"
    chain = (
        ChainStep(header, chosen if is_own else None, wins=is_own, said=word or ""),
        ChainStep(session, call.parent.model, wins=not is_own),
    )
    if is_own:
        return ResolvedSetting("model", chosen, header, chain, note)
    return ResolvedSetting("model", call.parent.model, session, chain, note)


def _prompt(winner: Candidate, reading: Reading, call: Call) -> Iterator[PromptPart]:
    effective, task = reading.effective, call.text("prompt")
    body = Origin("the file", winner.path, effective.default.span)
    text = effective.default.text
    hooks = f"${{{HOOK_WORD}}}"
    is_verbatim = not winner.scope.builtin and hooks not in text
    # Without hooks there is no text of theirs.
    text = text.replace(hooks, "")
    if task is not None:
        text = text.replace(f"${{{TASK_WORD}}}", task)
    else:
        is_verbatim = is_verbatim and not PLACEHOLDER.search(text)
    yield PromptPart("system prompt", text, is_verbatim, body)
    runtime = Origin("the runtime")
    if "executor" in effective.settings:
        yield PromptPart("program", "(what the other program adds)", False, runtime)
    else:
        rules = (
            "(to ask the user nothing, to use tools only where needed, and to end with an answer)"
        )
        yield PromptPart("rules", rules, False, runtime)
        files = "(QWEN.md, AGENTS.md and the language of the output, each under its path)"
        yield PromptPart("context files", files, False, Origin("the session"))
        if _has_skills(reading):
            yield PromptPart("skills", "(the skills that there are)", False, runtime)
        around = "(the date, the system, the working folder and what is in it)"
        yield PromptPart("environment", around, False, runtime)
    said = task if task is not None else "…"
    yield PromptPart("prompt", said, task is not None, Origin("the call"))


def _has_skills(reading: Reading) -> bool:
    return bool(policy.toolset(reading, (SKILL,), 1).kept)


# The kinds of mistakes because of which a header is read line by line.
_MISREAD = (LoadErrorKind.SYNTAX, LoadErrorKind.DUPLICATE)


def _notes(reading: Reading, winner: Candidate, call: Call) -> Iterator[str]:
    for error in reading.possible_errors:
        if error.kind not in _MISREAD:
            yield f"{error.key}: {error.message}"
    settings = reading.effective.settings
    if call.text("prompt") is None:
        yield "the call has no `prompt`, which the runtime requires"
    executor = settings.get("executor")
    if executor is not None:
        yield (
            f"the runtime starts `{executor.text}`, which has its own tools and its own model; the "
            "call fails where there is no such program"
        )
    elif ALLOW not in settings and DENY not in settings:
        yield "the file does not limit the tools: the agent gets all that sub-agents can have"
    if executor is None and "approvalMode" not in settings:
        yield (
            "in a trusted folder the agent edits files without asking, even where the session "
            "would ask; `approvalMode: default` prevents it"
        )
    if winner.scope.builtin:
        yield (
            "the prompt of this built-in agent is a stand-in, because the runtime's own text is "
            "not shipped here"
        )


def _artifacts(reading: Reading, tools: tuple[str, ...], depth: int) -> Iterator[Artifact]:
    if "executor" in reading.effective.settings:
        return
    names = policy.offered(reading, tools, depth)
    yield Artifact("request", "the tools that the model is offered, in this order", list(names))
