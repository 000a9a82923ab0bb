"""Previews `subagent_run`, `subagent_list` and `subagent_describe`: prompt, tools, events."""

import re
from collections.abc import Iterator

from agent_lsp.dialects.codex_subagents import facts
from agent_lsp.dialects.codex_subagents.facts import SHELL_FAMILY, WITHHELD
from agent_lsp.model.discovery import ServerNames, in_group
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
    Toolset,
    Verdict,
)
from agent_lsp.model.template import Reading, Template, Value
from agent_lsp.patterns import regex

_WITHHELD = frozenset(tool.name for tool in WITHHELD)
# The names of the tools of MCP servers: `<server>__<tool>`.
_MCP = "__"


def is_pattern(_entry: str) -> bool:
    """No entry is a pattern."""
    return False


def matches(entry: str, name: str) -> bool:
    """Whether a list entry covers a tool: the exact name, or another of the shell family."""
    return entry == name or {entry, name} <= SHELL_FAMILY


def cannot_tell(entry: str) -> bool:
    """Whether an entry has the form of a tool that only a running MCP server could name."""
    server, mark, tool = entry.partition(_MCP)
    return bool(server and mark and tool)


def prefix(server: str) -> str | None:
    """The prefix of the names of a server's tools; a server of any other name is not started."""
    return f"{server}{_MCP}" if re.fullmatch(r"[A-Za-z0-9_-]+", server) else None


# A name that begins with `mcp__` has the form of another system.
SERVERS = ServerNames(in_entry=in_group(regex(r"(?!mcp__)([A-Za-z0-9_-]+?)__.+")))


def toolset(reading: Reading, tools: tuple[str, ...], _depth: int) -> Toolset:
    """The verdict on each of `tools`; without a list the sub-agent has MCP tools, too."""
    allowed = reading.effective.settings.get("tools")
    listed = allowed.items if allowed is not None else ()
    open_patterns = tuple(item.text for item in listed if cannot_tell(item.text))
    return Toolset(
        tuple(_verdict(tool, allowed) for tool in tools),
        allowed is not None,
        open_patterns if allowed is not None else (f"*{_MCP}*",),
    )


def _verdict(tool: str, allowed: Value | None) -> Verdict:
    if tool in _WITHHELD:
        reason = "sub-agent tools are never available inside a sub-agent"
        by = _deciding(allowed, tool) if allowed is not None else None
        return Verdict(tool, False, reason, by.span if by else None)
    if allowed is None:
        return Verdict(tool, True, "no `tools`: every tool of the session")
    if not allowed.items:
        return Verdict(tool, False, "`tools` is empty: no tools", allowed.span)
    by = _deciding(allowed, tool)
    if by is None:
        return Verdict(tool, False, "not in `tools`", allowed.span)
    if by.text != tool:
        return Verdict(tool, True, f"of the shell family, as `{by.text}` is", by.span)
    return Verdict(tool, True, f"allowed by `{by.text}`", by.span)


def _deciding(allowed: Value, tool: str) -> Value | None:
    """The entry to name as the reason: the tool's own name if it is listed."""
    exact = next((entry for entry in allowed.items if entry.text == tool), None)
    return exact or next((entry for entry in allowed.items if matches(entry.text, tool)), None)


def list_agents(catalog: Catalog, call: Call) -> object | RuntimeRefusal:
    """`{"agents": […]}` with the names, or the definition of the one that the call names."""
    name = call.text("name")
    if name is None:
        return {"agents": [name for name in catalog.names if catalog.winner(name) is not None]}
    winner = catalog.winner(name)
    if winner is None:
        return RuntimeRefusal(f"Agent not found: {missing(name)}")
    if winner.unread:
        return unread(winner)
    held = catalog.read(winner).effective
    tools, description = held.settings.get("tools"), held.settings.get("description")
    return {
        "name": name,
        "description": description.text if description is not None else "",
        "tools": [item.text for item in tools.items] if tools is not None else None,
        "body": held.default.text,
    }


def unread(winner: Candidate) -> RuntimeRefusal:
    """Reports that the runtime's reading of a file is unknown here."""
    return RuntimeRefusal(f"{winner.path.name} is not read here: it is {winner.unread}", ours=True)


def missing(name: str) -> str:
    """The runtime's text for an unknown name."""
    return f"Sub-agent '{name}' not found"


_UNKNOWN = "…"
_ORIGIN = "Origin::Main"


def spawn(catalog: Catalog, call: Call) -> Spawn | RuntimeRefusal:
    """Everything that the call resolves to, or the runtime's refusal, checks in its order."""
    if call.parent.depth > 0:
        return RuntimeRefusal(facts.NESTED)
    name = call.text("name")
    if name is None:
        return RuntimeRefusal(f"{facts.ARGUMENTS}missing field `name`")
    winner = catalog.winner(name)
    if winner is None:
        return RuntimeRefusal(f"Sub-agent execution failed: {missing(name)}")
    if winner.unread:
        return unread(winner)
    reading = catalog.read(winner)
    tools = call.tools if call.parent.tools is None else call.parent.tools
    return Spawn(
        name=name,
        persona=None,
        template=winner,
        settings=(_model(call),),
        toolset=toolset(reading, tools, 1),
        prompt=tuple(_prompt(winner, reading.effective, call.text("task"))),
        depth=1,
        notes=tuple(_notes(reading, call)),
        artifacts=tuple(_artifacts(name, reading.effective, call.text("task"))),
    )


def _model(call: Call) -> ResolvedSetting:
    """The session's model: neither the call nor the header can choose another one."""
    origin = Origin("the session, whatever the call and the header say")
    model = call.parent.model
    return ResolvedSetting("model", model, origin, (ChainStep(origin, model, wins=True),))


def _prompt(winner: Candidate, effective: Template, task: str | None) -> Iterator[PromptPart]:
    """The base instructions of the session, then one user message in two parts."""
    stay = "(the instructions of the session; a sub-agent does not replace them)"
    yield PromptPart("base instructions", stay, False, Origin("the runtime"))
    body = Origin("the file, as a user message", winner.path, effective.default.span)
    yield PromptPart("body", effective.default.text, True, body)
    said = _UNKNOWN if task is None else task
    yield PromptPart("task", f"\n\nTask: {said}", task is not None, Origin("the call"))


def _notes(reading: Reading, call: Call) -> Iterator[str]:
    settings = reading.effective.settings
    yield (
        "sub-agent tools are off unless the session turns them on; while they are off, the call "
        f"is answered with: {facts.DISABLED}"
    )
    if call.text("task") is None:
        yield f"without `task` the call is refused: {facts.ARGUMENTS}missing field `task`"
    if call.text("model") is not None:
        yield "`model` of the call has no effect"
    if "tools" not in settings:
        yield "the file sets no `tools`: the sub-agent gets every tool but the sub-agent tools"
    else:
        listed = {item.text for item in settings["tools"].items}
        if listed & facts.SHELL_FAMILY:
            yield (
                "the shell tools are allowed as a family; a session offers one of `shell`, "
                "`local_shell`, or `exec_command` with `write_stdin`"
            )
    yield (f"a call of a sub-agent tool inside the sub-agent is answered with: {facts.NESTED}")


def _artifacts(name: str, effective: Template, task: str | None) -> Iterator[Artifact]:
    described = effective.settings.get("description")
    start = {
        "item": "SubAgentStart",
        "name": name,
        "description": described.text if described is not None else "",
        "origin": _ORIGIN,
    }
    end = {"item": "SubAgentEnd", "name": name, "success": True, "origin": _ORIGIN}
    recorded = "recorded in the session, and sent to its clients as events of the same names"
    yield Artifact("events", recorded, {"start": start, "end": end})
    output = f"{_UNKNOWN}\n\nNo tool calls were made"
    result = {
        "agent_name": name,
        "task": _UNKNOWN if task is None else task,
        "success": True,
        "output": output,
        "error": None,
    }
    shape = "the shape of what the call returns, as JSON text; tool calls are listed if any were"
    yield Artifact("returns", f"{shape} made", result)
    yield Artifact("switch", "how sub-agent tools are turned on", facts.SWITCH)
    refusals = {
        "unknown agent": f"Sub-agent execution failed: {missing(_UNKNOWN)}",
        "bad arguments": f"{facts.ARGUMENTS}{_UNKNOWN}",
        "turned off": facts.DISABLED,
        "inside a sub-agent": facts.NESTED,
    }
    yield Artifact("refusals", "what the runtime says where it does not run one", refusals)
