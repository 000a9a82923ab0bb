"""Previews an agent as the session itself: `claude --agent`, or `agent` in the settings.

Invariants: a key that counts only for a sub-agent is shown as such and decides nothing; texts of
the runtime are in our own words.
Facts: measured with Claude Code 2.1.332, 2026-11-28, with `-p --agent`: the body of the file is the
whole system prompt except for one line of the runtime; `tools` and `disallowedTools` count, and a
list of which nothing is left is not refused; `Agent(a, b)` limits the agents; the model is that of
`--model`, else the header's, else the session's; `initialPrompt` is the first message, with the
person's message below it. `permissionMode`, `effort`, `skills`, `omitClaudeMd`, `background` and
`isolation` of the header have no effect. The name must match exactly.
"""

from collections.abc import Iterator
from shlex import quote

from agent_lsp.data_classes import replace
from agent_lsp.dialects.claude import facts, policy, runtime
from agent_lsp.dialects.claude.tools import AGENT, FOR_MEMORY
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
)
from agent_lsp.model.template import Reading, Template

AS, SESSION = "as", "session"
_AGENTS = "sub-agent"
_ONLY_SUB_AGENTS = ("skills", "omitClaudeMd", "background", "isolation")


def spawn(catalog: Catalog, call: Call) -> Spawn | RuntimeRefusal:
    """The result of a call of `Agent`, or a session with the agent, depending on `as`."""
    way = call.text(AS)
    if way in (None, _AGENTS):
        return runtime.spawn(catalog, call)
    if way != SESSION:
        message = f"`{AS}` is `{SESSION}` or `{_AGENTS}`, not `{way}`"
        return RuntimeRefusal(message, ours=True)
    return _session(catalog, call)


def _session(catalog: Catalog, call: Call) -> Spawn | RuntimeRefusal:
    name = call.text("subagent_type")
    if name is None:
        return RuntimeRefusal("subagent_type is required: name the agent to run")
    winner = catalog.winner(name)
    if winner is None:
        known = ", ".join(name for name in catalog.names if catalog.winner(name) is not None)
        return RuntimeRefusal(f"--agent '{name}' not found. Available agents: {known}")
    reading = _in_force(catalog.read(winner), winner)
    tools = call.tools if call.parent.tools is None else call.parent.tools
    effective = reading.effective
    return Spawn(
        name=name,
        persona=None,
        template=winner,
        settings=tuple(_settings(winner, effective, call)),
        toolset=policy.toolset(reading, tools, policy.SESSION_DEPTH),
        prompt=tuple(_prompt(winner, effective, call)),
        depth=policy.SESSION_DEPTH,
        notes=tuple(_notes(winner, effective)),
    )


def _in_force(reading: Reading, winner: Candidate) -> Reading:
    """The reading without the keys that a plugin may not set."""
    if not winner.scope.prefix:
        return reading
    settings = reading.effective.settings
    kept = {key: value for key, value in settings.items() if key not in facts.NOT_IN_PLUGINS}
    return replace(reading, effective=replace(reading.effective, settings=kept))


def _settings(winner: Candidate, effective: Template, call: Call) -> Iterator[ResolvedSetting]:
    value = effective.settings.get("model")
    header = value.text if value is not None and value.text not in ("", "inherit") else None
    steps = (
        (Origin("the option `--model`"), call.text("model")),
        (Origin("the header", winner.path, value.span if value is not None else None), header),
        (Origin("the session"), call.parent.model),
    )
    deciding = next((at for at, (_, text) in enumerate(steps[:2]) if text is not None), 2)
    chain = tuple(ChainStep(one, text, wins=at == deciding) for at, (one, text) in enumerate(steps))
    yield ResolvedSetting("model", steps[deciding][1], steps[deciding][0], chain)
    for name, own in (("permissionMode", None), ("effort", call.parent.effort)):
        value = effective.settings.get(name)
        session = Origin("the session")
        chain = (ChainStep(session, own, wins=True),)
        if value is not None:
            origin = Origin("the header", winner.path, value.span)
            said = f"`{value.text}`, which applies to a sub-agent only"
            chain = (ChainStep(origin, None, said=said), *chain)
        yield ResolvedSetting(name, own, session, chain)


def _prompt(winner: Candidate, effective: Template, call: Call) -> Iterator[PromptPart]:
    own = Origin("the runtime")
    yield PromptPart("introduction", "(one line that says what Claude is)", False, own)
    body = Origin("the file", winner.path, effective.default.span)
    yield PromptPart("system prompt", effective.default.text, not winner.scope.builtin, body)
    if "memory" in effective.settings:
        notes = "(the first 200 lines of the agent's notes, 25 KB at most)"
        yield PromptPart("memory", notes, False, own)
    yield PromptPart("project", "(the CLAUDE.md files, the environment, the date)", False, own)
    first, said = effective.settings.get("initialPrompt"), call.text("prompt")
    if first is not None and first.text:
        origin = Origin("the header", winner.path, first.span)
        yield PromptPart("first message", first.text, True, origin)
    text = said if said is not None else "…"
    yield PromptPart("prompt", text, said is not None, Origin("the person"))


def _notes(winner: Candidate, effective: Template) -> Iterator[str]:
    allow, settings = effective.settings.get(facts.ALLOW), effective.settings
    yield (
        f"as a session, by `claude --agent {quote(winner.name)}`; measured with `-p`, which lacks "
        "some tools of a session at a terminal, such as `AskUserQuestion`"
    )
    limits = [item.written for item in allow.items if item.text == AGENT] if allow else []
    if limits and all("(" in written for written in limits):
        inner = ", ".join(written.partition("(")[2].rstrip(")") for written in limits)
        yield f"the session has only the agents in `{AGENT}(…)`: {inner}"
    if "memory" in settings and allow is not None:
        yield f"`memory` turns on {', '.join(sorted(FOR_MEMORY))}"
    idle = ", ".join(f"`{key}`" for key in _ONLY_SUB_AGENTS if key in settings)
    if idle:
        yield f"in a session, the header's {idle} have no effect"
    if winner.scope.prefix:
        ignored = ", ".join(f"`{name}`" for name in facts.NOT_IN_PLUGINS)
        yield f"in an agent of a plugin, the runtime ignores {ignored}"
