"""Builds the blocks of a prompt, the task payload, and the files in which they are logged.

Invariant: equal blocks have equal hashes, whenever and wherever they are made.
Facts: "Prompt architecture", "Prompt logging requirements" and "Task payload" in the document of
the system, and packages/daemon/src/runtime/prompt-builder.ts of Volpestyle/vuhlp-code at d6c289510,
read 2026-11-27. What is not verbatim is said here in other words; the names of the files are ours.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from agent_lsp.dialects.vuhlp import facts
from agent_lsp.dialects.vuhlp.facts import IMPLEMENTATION, PLANNING
from agent_lsp.model.runtime import Call, Origin

SEPARATOR = "\n\n"
LAYERS = ("system", "role", "mode", "task", "override")


@dataclass(frozen=True, slots=True)
class PromptBlock:
    """A layer; `verbatim` False means that the text is ours and replaces the runtime's."""

    name: str
    text: str
    verbatim: bool
    origin: Origin

    @property
    def is_blank(self) -> bool:
        """Whether the runtime leaves the block out."""
        return not self.text.strip()


SYSTEM = """\
(in our words) You are a node in a graph of agents, and work flows along its edges: think of the
graph first, not of a single conversation.
Everything you do has to be visible: log what you decide, what you run and what you change.
In planning mode nothing but documents may change; code changes wait for implementation mode.
Do not go around in circles: when nothing new comes of a step, stop and report that you are stuck.
Tools of vuhlp are called with one line of JSON each, `{"tool_call": …}`, and nothing else on it."""

_MODES = {
    PLANNING: """\
(in our words) Mode: PLANNING. The repository is there to be read.
Only files below docs/ may be written.
If code has to change, ask for implementation mode.""",
    IMPLEMENTATION: """\
(in our words) Mode: IMPLEMENTATION. Code may be changed, and documents as well.
Run tests or other checks where they fit.""",
}


def system() -> PromptBlock:
    """The first layer: what the whole system expects."""
    return PromptBlock("system", SYSTEM, False, Origin("the runtime"))


def mode(name: str) -> PromptBlock:
    """The third layer: what the mode allows."""
    return PromptBlock("mode", _MODES[name], False, Origin("the mode of the run"))


def joined(blocks: tuple[PromptBlock, ...]) -> str:
    """The prompt that `blocks` make."""
    return SEPARATOR.join(block.text for block in blocks if not block.is_blank)


def delta(blocks: tuple[PromptBlock, ...]) -> str:
    """The prompt of a node that continues its session: only the mode and the task."""
    return joined(tuple(block for block in blocks if block.name in ("mode", "task")))


def digest(text: str) -> str:
    """The hash by which a repeated prompt is recognised."""
    from hashlib import sha256  # noqa: PLC0415 - seldom, and not to start

    return sha256(text.encode(errors="surrogatepass")).hexdigest()


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
    """The node's knowledge of the graph and of its incoming messages."""
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
    """The lines that the document requires in addition to those of the code."""
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


def artifacts(shown: Mapping[str, object]) -> dict[str, str]:
    """The texts by the names of their files; equal prompts have equal files.

    `shown` are the artifacts of a spawn by their names.
    """
    texts = {"prompt.md": _member(shown["effective"], "text")}
    texts["delta.md"] = _member(shown["delta"], "text")
    hashes: dict[str, str | None] = {"prompt": _member(shown["effective"], "sha256")}
    hashes["delta"] = _member(shown["delta"], "sha256")
    held = shown["blocks"]
    for at, layer in enumerate(LAYERS, 1):
        block = held.get(layer) if isinstance(held, dict) else None
        # One that is not there is written as well: a turn before may have left its text.
        texts[f"blocks/{at}-{layer}.md"] = _member(block, "text")
        hashes[layer] = _member(block, "sha256") if block is not None else None
    texts["hashes.json"] = json.dumps(hashes, indent=2) + "\n"
    return texts


def _member(value: object, name: str) -> str:
    member = value.get(name) if isinstance(value, dict) else None
    return member if isinstance(member, str) else ""
