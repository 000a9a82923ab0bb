"""The parts of a delegated agent's prompt, in the runtime's order.

Invariant: only the agent's own text and the call's task are verbatim; the rest stands for text
that the runtime makes up or reads when it runs.
Facts: `defaultTurnFragments` and `executeDelegatedHandoff` in internal/app of sageil/kodacode at
aa5479acbe0f, read 2026-11-27.
"""

from collections.abc import Iterator

from agent_lsp.dialects import go
from agent_lsp.dialects.answers import Call, Origin, PromptPart, Toolset
from agent_lsp.dialects.kodacode.catalog import Agent
from agent_lsp.dialects.kodacode.facts import MCP_PREFIX

_RUNTIME = Origin("the runtime")
_CALL = Origin("the `delegate` call")
_SOURCES = (
    ("AGENTS.md sources", "the AGENTS.md files that the runtime finds for the workspace"),
    ("memory", "what the project's memory holds, if anything"),
    ("available skills", "`$name`, description and SKILL.md path of each skill that is found"),
    ("response style", "how to answer, as the session is set"),
    ("workspace", "the folder of the workspace and further writable folders"),
    ("execution environment", "the operating system and the shell"),
    ("inspection progress", "what the parent's turn has looked at, if it was compacted"),
)


def parts(child: Agent, call: Call, tools: Toolset, sources: list[str]) -> Iterator[PromptPart]:
    """What the child's model is sent before and with its task."""
    yield _stand_in("core policy", "what every agent of the runtime has to keep to")
    held = child.reading.effective.default
    if held.text:
        builtin = child.candidate.scope.builtin
        origin = Origin("prompt of the agent", child.candidate.path, held.span)
        yield PromptPart("agent prompt", held.text, not builtin, origin)
    for title, text in _SOURCES:
        yield _stand_in(title, text)
    has_mcp = tools.open_patterns or any(one.tool.startswith(MCP_PREFIX) for one in tools.kept)
    if has_mcp:
        yield _stand_in("MCP", "the active MCP servers, and their tools that the agent may call")
    yield _handoff(call)
    if child.id == "planner":
        yield _stand_in("delegated planner", "to return the plan as text, and to ask nobody")
    yield _stand_in("exploration", "what the parent's turn has read and searched, if anything")
    if sources:
        text = f"the results of {', '.join(sources)}"
        yield PromptPart("source handoffs", f"({text})", False, _CALL)
    task = call.text("task")
    if task is not None:
        yield PromptPart("user message", go.trim(task), True, _CALL)


def _stand_in(title: str, text: str) -> PromptPart:
    return PromptPart(title, f"({text})", False, _RUNTIME)


def _handoff(call: Call) -> PromptPart:
    summary = go.trim(call.text("context_summary") or "") or "…"
    task = go.trim(call.text("task") or "") or "…"
    text = f"(the parent's session, turn and agent)\ntask: {task}\ncontext summary: {summary}"
    return PromptPart("handoff", text, False, _CALL)
