"""Previews `spawn_node`: the role's file, the node's settings, the prompt; and lists roles.

Facts: packages/daemon/src/runtime/{prompt-builder,runtime}.ts and packages/daemon/src/api/server.ts
of Volpestyle/vuhlp-code at d6c289510 and the document of the system, read 2026-11-27.
"""

import re
from collections.abc import Iterator, Sequence

from agent_lsp.dialects import vuhlp
from agent_lsp.dialects.vuhlp import facts, prompt
from agent_lsp.dialects.vuhlp.prompt import PromptBlock, capabilities, payload, permissions, word
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

_NAME = re.compile(r"[a-zA-Z0-9_-]+")


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
    yield prompt.system()
    yield _role(catalog, call, role)
    yield prompt.mode(mode)
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
        text = block.text if not at else prompt.SEPARATOR + block.text
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
            "sha256": prompt.digest(block.text),
        }
        for block in layers
    }
    yield Artifact("blocks", "each layer, as it is logged for its own", each)
    for name, title, text in (
        ("effective", "the full prompt, which is logged whatever is sent", prompt.joined(layers)),
        ("delta", "what a node that continues its session is sent", prompt.delta(layers)),
    ):
        yield Artifact(name, title, {"text": text, "sha256": prompt.digest(text)})
