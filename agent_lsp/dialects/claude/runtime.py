"""Previews the tool `Agent` and the list of agents: model, tools, permission mode, prompt.

Invariant: a file that is not used for its name also has a row in the list, after the one that is.
Facts: code.claude.com/docs/sub-agents, model-config and errors as of 2026-08-22; and that
`CLAUDE_CODE_SUBAGENT_MODEL=inherit` counts as unset; read 2026-11-27. An agent that plans has
`ExitPlanMode`, whatever its session has: measured with 2.1.332, 2026-11-28. For the budget of each
agent that is not built in, the runtime counts `name: description`, with four UTF-16 units for a
token, and above 15000 tokens it warns: `Agent descriptions are over the 15.0k-token limit`: the
published package @anthropic-ai/claude-code-linux-x64 2.1.332, read 2026-11-28.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks.messages import some
from agent_lsp.data_classes import replace
from agent_lsp.dialects.claude import facts, models, policy, skills
from agent_lsp.dialects.claude.policy import zero_tools
from agent_lsp.dialects.claude.tools import (
    EXEMPT,
    EXIT_PLAN,
    FOR_MEMORY,
    IN_BACKGROUND,
    KEPT_SINCE,
    SEARCH,
)
from agent_lsp.model import runtime
from agent_lsp.model.runtime import (
    Artifact,
    Budget,
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
    Verdict,
)
from agent_lsp.model.template import Reading, Template, Value
from agent_lsp.patterns import regex


def list_agents(catalog: Catalog, call: Call) -> object | RuntimeRefusal:
    """`{"agents": […]}`, the rows by name, or those of the one name that the call gives."""
    given = call.text("name")
    if given is not None and not catalog.candidates(given):
        return not_found(catalog, given)
    names = catalog.names if given is None else (given,)
    return {
        "agents": [
            _row(catalog, candidate, is_shadowed=place > 0)
            for name in names
            for place, candidate in enumerate(catalog.candidates(name))
        ]
    }


def not_found(catalog: Catalog, name: str) -> RuntimeRefusal:
    """The refusal of the runtime for a name that it does not know."""
    known = (name for name in catalog.names if catalog.winner(name) is not None)
    # The runtime sorts regardless of case, and leaves `claude-code-guide` out in print mode.
    there = ", ".join(sorted(known, key=str.casefold))
    return RuntimeRefusal(f"Agent type '{name}' not found. Available agents: {there}")


def _row(catalog: Catalog, candidate: Candidate, *, is_shadowed: bool) -> dict[str, object]:
    settings = catalog.read(candidate).effective.settings
    description, model = settings.get("description"), settings.get("model")
    tools = settings.get("tools")
    return {
        "name": candidate.name,
        "description": _described(candidate, description),
        "tools": None if tools is None else [item.text for item in tools.items],
        "model": model.text if model is not None else None,
        "source": candidate.scope.label,
        "path": None if candidate.scope.builtin else str(candidate.path),
        "shadowed": is_shadowed,
    }


def _described(candidate: Candidate, description: Value | None) -> str:
    """The description that the session sees; an agent of a plugin always has one.

    Measured with Claude Code 2.1.332, 2026-11-28.
    """
    text = description.text if description is not None else ""
    return plugin_text(candidate.scope) if candidate.scope.prefix and not text.strip() else text


def plugin_text(scope: Scope) -> str:
    """The description that the session sees if an agent of a plugin has none."""
    return f"Agent from {scope.prefix.removesuffix(':')} plugin"


_LIMIT, _UNITS = 15_000, 4


def budget(catalog: Catalog) -> Budget:
    """An estimate of the tokens that the descriptions of a session take, without built-in ones."""
    rows = runtime.agents(list_agents(catalog, Call({}))) or []
    own = [row for row in rows if row["path"] is not None and not row["shadowed"]]
    texts = (f"{row['name']}: {row['description']}" for row in own)
    return Budget(sum(map(_tokens, texts)), _LIMIT)


def _tokens(text: str) -> int:
    # Rounded half up, as in JavaScript.
    units = len(text.encode("utf-16-le", "surrogatepass")) // 2
    return (units + _UNITS // 2) // _UNITS


_INHERIT = models.INHERIT
# Since 2.1.140 calls ignore these characters, and case; measured with 2.1.332.
_SEPARATORS = regex(r"[\s_-]+")
# Measured with 2.1.332, 2026-11-28.
_NO_WORKTREE = (
    "Cannot create agent worktree: not in a git repository and no WorktreeCreate hooks are "
    "configured."
)
_NUMBER = regex(r"\s*[-+]?\d")
_EFFORTS = {"med": "medium"}
# The most tools in one note.
_MOST_NAMES = 8
_PLUGIN_IGNORES = frozenset(facts.NOT_IN_PLUGINS)


# Measured with 2.1.332, 2026-11-29: the call starts a copy of the session.
_FORK = "fork"
_FORKED = RuntimeRefusal("a call of `fork` starts a copy of the session, not a file", ours=True)


def spawn(catalog: Catalog, call: Call) -> Spawn | RuntimeRefusal:
    """Everything that the call resolves to, or the runtime's refusal."""
    name = call.text("subagent_type")
    if name is None:
        return RuntimeRefusal("subagent_type is required: name the agent to run")
    winner = _called(catalog, name)
    if isinstance(winner, RuntimeRefusal):
        return _FORKED if name == _FORK else winner
    name = winner.name
    reading = _in_force(catalog.read(winner), winner)
    depth = call.parent.depth + 1
    tools = _offered(reading.effective, call)
    found = policy.toolset(reading, tools, depth)
    if call.parent.tools is not None:
        is_search_in_shell = _searches_with_shell(call)
        verdicts = (_in_session(one, is_search_in_shell) for one in found.verdicts)
        found = replace(found, verdicts=tuple(verdicts))
    refusal = zero_tools(name, reading, found, call.parent.tools)
    if refusal is not None:
        return refusal
    in_background = tuple(map(_in_background, found.verdicts))
    if _is_background(call, reading.effective):
        found = replace(found, verdicts=in_background)
    loses = tuple(one.tool for one in found.verdicts if one.kept and one not in in_background)
    return Spawn(
        name=name,
        persona=None,
        template=winner,
        settings=tuple(_settings(winner, reading.effective, call)),
        toolset=found,
        prompt=tuple(_prompt(catalog, winner, reading.effective, call)),
        depth=depth,
        notes=tuple(_notes(catalog, reading, winner, call, loses)),
        artifacts=tuple(_artifacts(catalog, reading.effective)),
    )


def _called(catalog: Catalog, name: str) -> Candidate | RuntimeRefusal:
    """The agent that a call means by `name`: exactly, or in other case and separators."""
    exact = catalog.winner(name)
    if exact is not None:
        return exact
    folded = _SEPARATORS.sub("", name).lower()
    alike = (one for one in catalog.names if _SEPARATORS.sub("", one).lower() == folded)
    found = [winner for winner in map(catalog.winner, alike) if winner is not None]
    if len(found) == 1:
        return found[0]
    if not found:
        return not_found(catalog, name)
    names = [one.name for one in found]
    matches, exactly = ", ".join(names), " or ".join(names)
    return RuntimeRefusal(
        f"Agent type '{name}' is ambiguous — matches {matches}. Use the exact name: {exactly}"
    )


def _offered(effective: Template, call: Call) -> tuple[str, ...]:
    """The tools of the session, and more tools that an agent may have.

    An agent that plans can end its plan. In a session that searches with `Bash`, an agent may have
    the search tools.
    """
    tools = call.tools if call.parent.tools is None else call.parent.tools
    mode, allow = (effective.settings.get(key) for key in ("permissionMode", facts.ALLOW))
    more = [EXIT_PLAN] if mode is not None and mode.text == "plan" else []
    if _searches_with_shell(call) and allow is not None:
        more += [item.text for item in allow.items if item.text in SEARCH]
    return (*tools, *(tool for tool in dict.fromkeys(more) if tool not in tools))


def _searches_with_shell(call: Call) -> bool:
    """Whether the session is known, and its build searches with `Bash`."""
    return call.parent.tools is not None and SEARCH.isdisjoint(call.parent.tools)


def _in_session(verdict: Verdict, is_search_in_shell: bool) -> Verdict:
    """The verdict in a session whose tools are known, and depend on nothing."""
    if not (is_search_in_shell and verdict.kept and verdict.tool in SEARCH and verdict.condition):
        return verdict if verdict.tool in SEARCH else replace(verdict, condition="")
    return Verdict(
        verdict.tool, False, "the agent searches with `Bash` in this build", verdict.entry
    )


def _in_force(reading: Reading, winner: Candidate) -> Reading:
    """The reading without the keys that a plugin may not set."""
    if not winner.scope.prefix:
        return reading
    kept = {k: v for k, v in reading.effective.settings.items() if k not in _PLUGIN_IGNORES}
    return replace(reading, effective=replace(reading.effective, settings=kept))


def _is_background(call: Call, effective: Template) -> bool:
    wanted = call.arguments.get("background")
    value = effective.settings.get("background")
    return wanted is True or (value is not None and value.text == "true")


def _in_background(verdict: Verdict) -> Verdict:
    is_kept = verdict.tool in IN_BACKGROUND | EXEMPT or policy.cannot_tell(verdict.tool)
    if not verdict.kept or is_kept:
        return verdict
    since = KEPT_SINCE.get(verdict.tool)
    until = f" before {since}" if since else ""
    return Verdict(verdict.tool, False, f"an agent in the background does not have it{until}")


def _settings(winner: Candidate, effective: Template, call: Call) -> Iterator[ResolvedSetting]:
    model = _model(winner, effective, call)
    yield model
    value = effective.settings.get("permissionMode")
    own = Origin("the header", winner.path, value.span if value is not None else None)
    parent, text = Origin("the session"), value.text if value is not None else None
    chain = (ChainStep(own, text, wins=text is not None), ChainStep(parent, None, wins=not text))
    note = facts.NOTES["permissionMode"] if text else ""
    yield ResolvedSetting("permissionMode", text, own if text else parent, chain, note)
    yield _effort(winner, effective, call, model)


def _model(winner: Candidate, effective: Template, call: Call) -> ResolvedSetting:
    """The model of the call, the header, the variable or the session: the first that is set."""
    value = effective.settings.get("model")
    header = value.text if value is not None and value.text else None
    variable = (Origin(f"the variable `{facts.MODEL_VARIABLE}`"), _of_variable(call))
    steps = [
        (Origin("the call"), call.text("model")),
        (Origin("the header", winner.path, value.span if value is not None else None), header),
        (Origin("the session"), call.parent.model),
    ]
    steps.insert(0 if _variable(call, facts.FORCE_VARIABLE) else 2, variable)
    deciding = next((at for at, (_, text) in enumerate(steps[:3]) if text is not None), 3)
    chain = [
        ChainStep(origin, text, wins=at == deciding) for at, (origin, text) in enumerate(steps)
    ]
    origin, model = steps[deciding]
    if model == _INHERIT:
        model = call.parent.model
    model = models.spelt(model) if model is not None else None
    family = models.moved(model or "")
    note = f"the runtime asks for the newest model of `{family}` instead" if family else ""
    size = models.left_out(model or "")
    note = f"the runtime leaves `{size}` out of the request" if size else note
    return ResolvedSetting("model", family or model, origin, tuple(chain), note)


def _effort(
    winner: Candidate, effective: Template, call: Call, model: ResolvedSetting
) -> ResolvedSetting:
    """The effort of the variable, the header, the session (if it has this model), or the model."""
    value = effective.settings.get("effort")
    header = value.text if value is not None else None
    is_own = model.value == call.parent.model
    chosen = model.value if not is_own or model.value is None else ""
    steps = (
        (Origin(f"the variable `{facts.EFFORT_VARIABLE}`"), _variable(call, facts.EFFORT_VARIABLE)),
        (Origin("the header", winner.path, value.span if value is not None else None), header),
        (Origin("the session"), call.parent.effort if is_own else None),
        (Origin("the model"), models.default_effort(chosen) if chosen else None),
    )
    last = 2 if is_own else 3
    deciding = next((at for at, (_, text) in enumerate(steps) if text is not None), last)
    origin, text = steps[deciding]
    note = ""
    if chosen and not models.takes_effort(chosen):
        text, note = None, "the model does not support an effort"
    elif text is not None and _NUMBER.match(text):
        note, text = f"`{text}` is a number, so the request states no effort", None
    chain = tuple(ChainStep(one, said, wins=at == deciding) for at, (one, said) in enumerate(steps))
    return ResolvedSetting("effort", _EFFORTS.get(text or "", text), origin, chain, note)


def _variable(call: Call, name: str) -> str | None:
    """The value of a variable, in the environment of the call or the session; None if unset."""
    given = call.arguments.get("env")
    variable = (given if isinstance(given, dict) else call.variables).get(name)
    return variable if isinstance(variable, str) and variable else None


def _of_variable(call: Call) -> str | None:
    """The model that the variable names; `inherit` counts as unset."""
    variable = _variable(call, facts.MODEL_VARIABLE)
    return None if variable == _INHERIT else variable


def _prompt(
    catalog: Catalog, winner: Candidate, effective: Template, call: Call
) -> Iterator[PromptPart]:
    body = Origin("the file", winner.path, effective.default.span)
    yield PromptPart("system prompt", effective.default.text, not winner.scope.builtin, body)
    around = "(the working folder, the platform, the date: what the session runs in)"
    yield PromptPart("environment", around, False, Origin("the runtime"))
    if "memory" in effective.settings:
        notes = "(the first 200 lines of the agent's notes, 25 KB at most)"
        yield PromptPart("memory", notes, False, Origin("the runtime"))
    if not (winner.scope.builtin and winner.name in facts.NOT_TOLD):
        project = "(the CLAUDE.md files and the state of Git)"
        yield PromptPart("project", project, False, Origin("the session"))
    said = call.text("prompt")
    yield PromptPart(
        "prompt", said if said is not None else "…", said is not None, Origin("the call")
    )
    yield from skills.parts(catalog, winner, effective)


def _notes(
    catalog: Catalog, reading: Reading, winner: Candidate, call: Call, loses: tuple[str, ...]
) -> Iterator[str]:
    """What else to know; `loses` are the tools that the agent would lose in the background."""
    yield from skills.left_out(catalog, reading.effective)
    for error in reading.possible_errors:
        yield f"`{error.key}`: {error.message}" if error.key else f"the header: {error.message}"
    settings = reading.effective.settings
    if call.text("prompt") is None:
        yield "the call has no `prompt`, which the runtime requires"
    if "tools" not in settings and "disallowedTools" not in settings:
        yield "the file does not limit the tools: the agent gets all that sub-agents can have"
    isolation = settings.get("isolation")
    if isolation is not None and isolation.text == "worktree":
        yield f"outside a Git repository with a commit, the spawn fails: {_NO_WORKTREE}"
    if "memory" in settings and "tools" in settings:
        yield f"`memory` turns on {', '.join(sorted(FOR_MEMORY))}"
    if loses:
        yield (
            "sessions at a terminal run agents in the background by default, where this one does "
            f"not have {some(loses, _MOST_NAMES, 'and')}"
        )
    if winner.scope.builtin:
        yield (
            "the prompt of this built-in agent is a stand-in, because the runtime's own text is "
            "not shipped here; other versions may give the agent other tools"
        )
    if _of_variable(call) and (call.text("model") or settings.get("model")):
        yield (
            "since 2.1.251 the models of the call and of the header have precedence over "
            f"`{facts.MODEL_VARIABLE}`, unless `{facts.FORCE_VARIABLE}` is set; before, the "
            "variable had precedence"
        )
    if winner.scope.prefix:
        ignored = ", ".join(f"`{name}`" for name in facts.NOT_IN_PLUGINS)
        yield f"in an agent of a plugin, the runtime ignores {ignored}"


def _artifacts(catalog: Catalog, effective: Template) -> Iterator[Artifact]:
    if skills.KEY in effective.settings:
        loaded = {skills.KEY: skills.loaded(catalog, effective)}
        yield Artifact("preloaded", "what the agent starts with", loaded)
