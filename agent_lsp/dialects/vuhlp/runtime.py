"""Previews `spawn_node`: the role's file, the node's settings, the prompt; and lists roles."""

import json
from collections.abc import Iterator, Mapping, Sequence

from agent_lsp.data_classes import dataclass
from agent_lsp.dialects import vuhlp
from agent_lsp.dialects.vuhlp import facts
from agent_lsp.dialects.vuhlp.facts import IMPLEMENTATION, PLANNING
from agent_lsp.dialects.vuhlp.tools import TOOL_SCHEMAS
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
from agent_lsp.patterns import regex

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


def mode_block(name: str) -> PromptBlock:
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


_NAME = regex(r"[a-zA-Z0-9_-]+")


def list_agents(catalog: Catalog, call: Call) -> object | RuntimeRefusal:
    """All roles in alphabetical order, or the one that the call names.

    One of the repository hides a shipped one of its name. `overrides` is not the runtime's: it is
    the path of the shipped file that is hidden.
    """
    name = call.text("name")
    if name is None:
        # A link is no plain file: it is found by its name and not listed.
        listed = (
            _entry(name, [one for one in catalog.candidates(name) if one.listed])
            for name in sorted(catalog.names, key=_order)
        )
        return {"templates": [entry for entry in listed if entry is not None]}
    asked = name.strip()
    entry = _entry(asked, catalog.candidates(asked))
    # All listed roles are described here, whether or not the runtime accepts their names.
    if entry is not None:
        return entry
    if not asked:
        return RuntimeRefusal("template name is required")
    is_name = _NAME.fullmatch(asked) is not None
    return RuntimeRefusal(f"template not found: {asked}" if is_name else "invalid template name")


def source(candidate: Candidate) -> str:
    """The owner of the file, in the runtime's words."""
    return "system" if candidate.scope.builtin else "repo"


def _entry(name: str, candidates: Sequence[Candidate]) -> dict[str, object] | None:
    winner = next(iter(candidates), None)
    if winner is None:
        return None
    entry: dict[str, object] = {"name": name, "source": source(winner), "path": str(winner.path)}
    hidden = next((one for one in candidates if one.scope.builtin), None)
    if hidden is not None and hidden is not winner and not winner.scope.builtin:
        entry["overrides"] = str(hidden.path)
    return entry


def _order(name: str) -> tuple[str, str]:
    """Letters as in a dictionary: the same ones side by side, small ones first."""
    return name.casefold(), name.swapcase()


_ALLOWED = "the node's settings allow it"


def spawn(catalog: Catalog, call: Call) -> Spawn | RuntimeRefusal:
    """Everything that the call resolves to; a role without a file is no reason to refuse it."""
    role = call.text("roleTemplate")
    if not role:
        return RuntimeRefusal("`roleTemplate` names no role", ours=True)
    mode = call.text("mode") or facts.PLANNING
    if mode not in (facts.PLANNING, facts.IMPLEMENTATION):
        return RuntimeRefusal(f"`mode` is {facts.PLANNING} or {facts.IMPLEMENTATION}", ours=True)
    winner = catalog.winner(role)
    if winner is not None and winner.unread and not call.text("customSystemPrompt"):
        return RuntimeRefusal(f"{winner.path.name} is not read here: {winner.unread}", ours=True)
    layers = tuple(prompt_blocks(catalog, call, role, mode))
    return Spawn(
        name=role,
        persona=None,
        template=winner,
        settings=tuple(_settings(call, role)),
        toolset=_toolset(call, role, mode),
        prompt=tuple(_parts(layers)),
        depth=call.parent.depth + 1,
        notes=tuple(_notes(catalog, call, role)),
        artifacts=tuple(_artifacts(layers)),
    )


def prompt_blocks(catalog: Catalog, call: Call, role: str, mode: str) -> Iterator[PromptBlock]:
    """The layers of the prompt in their order; one without text is left out of it."""
    yield system()
    yield _role(catalog, call, role)
    yield mode_block(mode)
    yield payload(call, role, mode)
    override = call.text("user_override")
    if override is not None:
        yield PromptBlock("override", override, True, Origin("the call"))


def _role(catalog: Catalog, call: Call, role: str) -> PromptBlock:
    custom = call.text("customSystemPrompt")
    # An empty one counts as none.
    if custom:
        return PromptBlock("role", custom, True, Origin("`customSystemPrompt` of the call"))
    winner = catalog.winner(role)
    if winner is None:
        # A name that is a path may lead to a file after all.
        return PromptBlock("role", facts.not_found(role), not _is_path(role), Origin("the runtime"))
    held = catalog.read(winner).effective.default
    origin = Origin(f"the file ({source(winner)})", winner.path, held.span)
    return PromptBlock("role", held.text, not winner.scope.builtin, origin)


def _settings(call: Call, role: str) -> Iterator[ResolvedSetting]:
    """The node's settings; nothing that the template declares is among them."""
    for argument, values, decided in (
        ("capabilities", capabilities(call, role), facts.ORCHESTRATOR_CAPABILITIES),
        ("permissions", permissions(call, role), facts.ORCHESTRATOR_PERMISSIONS),
    ):
        given = call.arguments.get(argument)
        for name, value in values.items():
            if isinstance(given, dict) and name in given:
                origin = Origin(f"`{argument}` of the call")
            elif name in decided and facts.is_orchestrator(role):
                origin = Origin(f"the role name `{vuhlp.ORCHESTRATOR}`")
            else:
                origin = Origin("the runtime's default")
            text = word(value)
            note = facts.DECLARED_ONLY if name == "edgeManagement" else ""
            yield ResolvedSetting(name, text, origin, (ChainStep(origin, text, wins=True),), note)


def _toolset(call: Call, role: str, mode: str) -> Toolset:
    node = capabilities(call, role)
    return Toolset(
        tuple(_verdict(tool.name, node, mode) for tool in TOOL_SCHEMAS), restricted=False
    )


def _verdict(name: str, node: dict[str, object], mode: str) -> Verdict:
    """The verdict of the node's settings on a tool, in the words of the refusal."""
    edges = node["edgeManagement"]
    if name == "spawn_node" and edges != "all":
        return Verdict(name, False, "edgeManagement=all required to spawn nodes")
    if name == "create_edge" and edges not in ("all", "self"):
        return Verdict(name, False, "edgeManagement capability is disabled")
    if name == "command" and node["runCommands"] is not True:
        return Verdict(name, False, "runCommands capability is disabled")
    native = name in ("command", "read_file", "write_file", "list_files", "delete_file")
    if native and node["delegateOnly"] is True:
        return Verdict(name, False, "delegateOnly is enabled")
    return _writing(node, mode) if name == "write_file" else Verdict(name, True, _ALLOWED)


def _writing(node: dict[str, object], mode: str) -> Verdict:
    """Whether a node may write: anywhere, below `docs/` only, or not at all."""
    limit = "writeCode capability is disabled" if node["writeCode"] is not True else ""
    if mode == facts.PLANNING:
        limit = "write restricted to docs/ in PLANNING mode"
    if not limit:
        return Verdict("write_file", True, _ALLOWED)
    if node["writeDocs"] is not True:
        return Verdict("write_file", False, "writeDocs capability is disabled")
    return Verdict("write_file", True, f"only below `docs/`: {limit}")


def _parts(layers: tuple[PromptBlock, ...]) -> Iterator[PromptPart]:
    shown = [block for block in layers if not block.is_blank]
    for at, block in enumerate(shown):
        text = block.text if not at else SEPARATOR + block.text
        yield PromptPart(block.name, text, block.verbatim, block.origin)


def _notes(catalog: Catalog, call: Call, role: str) -> Iterator[str]:
    winner: Candidate | None = catalog.winner(role)
    if call.text("customSystemPrompt"):
        yield "`customSystemPrompt` replaces the role's file"
    elif winner is None and _is_path(role):
        yield (
            "the runtime makes a path of the name and may find a file there, where we do not look; "
            f"without one `{facts.not_found(role)}` is in the prompt"
        )
    elif winner is None:
        yield f"no file for this role: `{facts.not_found(role)}` is in the prompt instead"
    elif winner.scope.builtin:
        yield "vuhlp's own text of this role is not shipped here: its prompt is a stand-in"
    elif not winner.listed:
        yield f"`{winner.path.name}` is a link, which the runtime reads and does not list"
    if not call.text("label"):
        yield "`spawn_node` needs a `label`"
    yield from _unknown_settings(call, role)
    if call.text("user_override") is not None:
        yield "the document has an override as the last layer; the code at d6c289510 has none"
    yield "the runtime keeps a role that it has read, or not found, until it is started again"
    if not facts.is_orchestrator(role):
        yield "the user has to approve what changes the graph"


def _unknown_settings(call: Call, role: str) -> Iterator[str]:
    """The settings of the call that do not exist."""
    for argument, known in (
        ("capabilities", facts.NODE_CAPABILITIES),
        ("permissions", facts.NODE_PERMISSIONS),
    ):
        given = call.arguments.get(argument)
        for name in given if isinstance(given, dict) else ():
            if name not in known:
                yield f"`{name}` is not among the {argument} of a node: {', '.join(known)}"
    edges = capabilities(call, role)["edgeManagement"]
    if edges not in facts.EDGES:
        yield f"`edgeManagement` is one of {', '.join(facts.EDGES)}"
    provider = call.text("provider")
    if provider is not None and provider not in facts.PROVIDERS:
        yield f"`{provider}` is not among the providers: {', '.join(facts.PROVIDERS)}"


def _is_path(role: str) -> bool:
    return "/" in role or "\\" in role


def _artifacts(layers: tuple[PromptBlock, ...]) -> Iterator[Artifact]:
    each = {
        block.name: {
            "text": block.text,
            "verbatim": block.verbatim,
            "sha256": digest(block.text),
        }
        for block in layers
    }
    yield Artifact("blocks", "each layer, as it is logged for its own", each)
    for name, title, text in (
        ("effective", "the full prompt, which is logged whatever is sent", joined(layers)),
        ("delta", "what a node that continues its session is sent", delta(layers)),
    ):
        yield Artifact(name, title, {"text": text, "sha256": digest(text)})
