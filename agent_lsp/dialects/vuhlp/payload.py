"""The task payload of a node, line by line.

Facts: packages/daemon/src/runtime/prompt-builder.ts of Volpestyle/vuhlp-code at d6c289510 for the
lines and their order, "Task payload" in the document of the system for the objective and the
definition of done, read 2026-11-27.
"""

import json
from collections.abc import Iterator, Mapping

from agent_lsp.dialects.answers import Call, Origin
from agent_lsp.dialects.vuhlp import facts
from agent_lsp.dialects.vuhlp.blocks import PromptBlock

_UNKNOWN = "…"


def payload(call: Call, role: str, mode: str) -> PromptBlock:
    """The fourth layer; ids, which only a run has, are `…`."""
    text = "\n".join(_lines(call, role, mode))
    return PromptBlock("task", text, False, Origin("the call and the run"))


def capabilities(call: Call, role: str) -> dict[str, object]:
    """The settings of the node: its defaults, what the role's name decides, and the call's own."""
    given = facts.ORCHESTRATOR_CAPABILITIES if facts.is_orchestrator(role) else {}
    return {**facts.NODE_CAPABILITIES, **given, **_object(call, "capabilities")}


def permissions(call: Call, role: str) -> dict[str, object]:
    """As `capabilities`, for what the node may do unasked."""
    given = facts.ORCHESTRATOR_PERMISSIONS if facts.is_orchestrator(role) else {}
    return {**facts.NODE_PERMISSIONS, **given, **_object(call, "permissions")}


def word(value: object) -> str:
    """A setting as the payload has it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _lines(call: Call, role: str, mode: str) -> Iterator[str]:
    node = capabilities(call, role)
    order = ("edgeManagement", "runCommands", "writeCode", "writeDocs", "delegateOnly")
    held = ", ".join(f"{name}={word(node[name])}" for name in order)
    allowed = permissions(call, role)
    may = ", ".join(f"{name}={word(allowed[name])}" for name in facts.NODE_PERMISSIONS)
    yield "Task Payload"
    yield f"Run: {_UNKNOWN}"
    yield f"Node: {call.text('label') or role} ({_UNKNOWN})"
    yield f"Role: {role}"
    yield f"Provider: {call.text('provider') or _UNKNOWN}"
    yield f"Orchestration: {_UNKNOWN}"
    yield f"Global mode: {mode}"
    yield f"Capabilities: {held}"
    yield f"Permissions: {may}"
    yield ""
    yield from _work(call)
    yield from _known(call, role, node)


def _known(call: Call, role: str, node: Mapping[str, object]) -> Iterator[str]:
    """What the node knows of the graph, in which it is itself, and what has come for it."""
    alias = f" alias={call.text('alias')}" if call.text("alias") else ""
    yield "Known nodes:"
    yield (
        f"- {call.text('label') or role} ({_UNKNOWN}){alias} role={role} "
        f"provider={call.text('provider') or _UNKNOWN} status={_UNKNOWN} "
        f"edgeManagement={word(node['edgeManagement'])}"
    )
    for title in ("Known edges:", "Incoming messages:", "Incoming handoffs:"):
        yield ""
        yield title
        yield "- none"


def _work(call: Call) -> Iterator[str]:
    """What the document asks for beside the lines of the code."""
    yield f"Objective: {call.text('task') or call.text('instructions') or _UNKNOWN}"
    if call.text("task") and call.text("instructions"):
        yield f"Instructions: {call.text('instructions')}"
    given = _object(call, "input")
    done = given.get("definitionOfDone")
    yield f"Definition of done: {done if isinstance(done, str) else _UNKNOWN}"
    if given:
        yield f"Input: {json.dumps(given, ensure_ascii=False, sort_keys=True)}"
    yield f"Workspace: {_UNKNOWN}"
    yield ""


def _object(call: Call, name: str) -> Mapping[str, object]:
    value = call.arguments.get(name)
    return value if isinstance(value, Mapping) else {}
