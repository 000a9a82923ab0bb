"""Checks for what the runtime reads and does not use, and for models and efforts that do not fit.

Facts: measured with `@openai/codex` 0.171.0, 2026-11-28: an agent with `sandbox_mode = "read-only"`
wrote a file where its session might (scene 31); so it is since 0.149.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks.messages import code, some
from agent_lsp.analysis.checks.suggesting import finding
from agent_lsp.analysis.suggest import near_miss
from agent_lsp.data_classes import replace
from agent_lsp.dialects.codex_agents import facts, keys
from agent_lsp.dialects.codex_agents.checks.refusals import is_decoded
from agent_lsp.model.check import Finding, Related, Tag
from agent_lsp.model.runtime import Scope
from agent_lsp.model.schema import Severity
from agent_lsp.model.template import NoEffect, Value
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.workspace.snapshot import TemplateFile

_MOST = 6
_SINCE = "Codex checks it and, since 0.149, does not use it for an agent"
_NARROWS = ("enabled_tools", "disabled_tools")
_PARENT = ("inherit", "parent", "default")


def idle(document: Document, _scope: Scope) -> Iterator[NoEffect]:
    """The keys that load and do nothing."""
    for name, entry in _idle_keys(document):
        yield NoEffect(entry.key.span, f"`{name}`: {_SINCE}")


def no_effect(file: TemplateFile) -> Iterator[Finding]:
    """Yields a warning on each key that somebody relies on, and one finding on all others."""
    if not is_decoded(file):
        return
    others: list[tuple[str, Entry]] = []
    refused = [error.span for error in file.reading.errors if error.span]
    for name, entry in _idle_keys(file.document):
        if any(entry.span.covers(span.start) for span in refused):
            continue
        warned = _warned(name, entry)
        if warned is None:
            others.append((name, entry))
        else:
            yield warned
    if others:
        names = some([name for name, _ in others], _MOST, "and")
        has, it = ("has", "it") if len(others) == 1 else ("have", "them")
        message = f"{names} {has} no effect: Codex checks {it}, and does not use {it} for an agent"
        span = others[0][1].key.span
        yield Finding(span, message, Severity.INFORMATION, (Tag.UNNECESSARY,), code="no-effect")


def _idle_keys(document: Document) -> Iterator[tuple[str, Entry]]:
    root = resolve(document.tree.root)
    for entry in root.entries if isinstance(root, Mapping) else ():
        name = entry.name or ""
        if name in keys.NO_EFFECT:
            yield name, entry
        elif name in ("features", "skills"):
            yield from _idle(name, resolve(entry.value))


def _warned(name: str, entry: Entry) -> Finding | None:
    """The finding on a key that is there to forbid something, which it does not."""
    value = resolve(entry.value)
    word = value.value if isinstance(value, Scalar) else ""
    if name == keys.SANDBOX_MODE and word == "read-only":
        thing = "an agent runs in the sandbox of its session, with the same rights to write"
        instead = "start the session with `--sandbox read-only`, or with a profile that sets it"
    elif name == keys.APPROVAL and word == "untrusted":
        thing = "an agent asks for approval as its session does"
        instead = "start the session with `--ask-for-approval untrusted`"
    elif name == keys.SERVERS and _narrows(value):
        thing = "an agent has all servers of its session, with all their tools"
        instead = "restrict them in `config.toml` of the session"
    else:
        return None
    message = f"{code(name)} has no effect here: {_SINCE}; {thing}: {instead}"
    return Finding(entry.key.span, message, Severity.WARNING, code="no-effect")


def _narrows(node: Node | None) -> bool:
    """Whether a table of servers switches something off."""
    for entry in node.entries if isinstance(node, Mapping) else ():
        server = resolve(entry.value)
        if not isinstance(server, Mapping):
            continue
        on = server.get("enabled")
        switch = resolve(on.value) if on is not None else None
        if isinstance(switch, Scalar) and switch.value == "false":
            return True
        if any(server.get(name) is not None for name in _NARROWS):
            return True
    return False


def _idle(name: str, node: Node | None) -> Iterator[tuple[str, Entry]]:
    """What does nothing in a table of which other keys have an effect."""
    for entry in node.entries if isinstance(node, Mapping) else ():
        value, path = resolve(entry.value), f"{name}.{entry.name}"
        is_on = isinstance(value, Scalar) and value.value == "true"
        is_unknown = name == "features" and entry.name not in _SWITCHES
        if (is_on and entry.name != "config") or is_unknown:
            yield path, entry
        for item in value.items if path == "skills.config" and isinstance(value, Sequence) else ():
            skill = resolve(item)
            on = skill.get("enabled") if isinstance(skill, Mapping) else None
            switch = resolve(on.value) if on is not None else None
            if on is not None and isinstance(switch, Scalar) and switch.value == "true":
                yield f"{path}.enabled", on


# What a file may switch off; only the first was seen to have an effect.
_SWITCHES = frozenset(
    ("shell_tool", "apps", "personality", "plugins", "memories", "request_permissions_tool")
)


def model(file: TemplateFile) -> Iterator[Finding]:
    """Yields findings on a model that is not listed, and on an effort that no spawn takes."""
    if not is_decoded(file):
        return
    settings = file.reading.declared.settings
    name, effort = settings.get("model"), settings.get(keys.EFFORT)
    vouched = file.options.extra(file.dialect.id).models
    known = {one.name: one for one in facts.MODELS}
    if name is not None and name.text not in (*known, *facts.HIDDEN, *vouched):
        yield _unlisted(name)
    if effort is not None:
        related = (Related(file.path, name.span, "the model is set here"),) if name else ()
        for found in _effort(name, effort):
            yield replace(found, related=related)


def _unlisted(value: Value) -> Finding:
    word = value.text.strip()
    if not word:
        message = f"`model` is blank, and each spawn fails: {facts.NO_MODEL}"
        return Finding(value.span, message, Severity.ERROR, code="unknown-model")
    if word in _PARENT:
        message = (
            f"{code(word)} is sent as the name of a model: to use the model of the agent that "
            "spawns, leave out `model`"
        )
        return Finding(value.span, message, Severity.WARNING, code="unknown-model")
    near = near_miss(value.text, [one.name for one in facts.MODELS])
    message = (
        f"{code(value.text)} is not in the list of Codex {keys.MEASURED}: it is sent unchanged, "
        "and the service decides"
    )
    return finding("unknown-model", value.span, message, instead=near or "")


def _effort(name: Value | None, effort: Value) -> Iterator[Finding]:
    known = facts.family(name.text) if name is not None else None
    levels = {level for one in facts.MODELS for level in one.efforts}
    if known is not None and effort.text not in known.efforts:
        why = facts.unsupported(effort.text, known, name.text if name is not None else "")
        message = f"each spawn is refused: {why}"
        near = known.efforts
    elif name is None and effort.text not in levels:
        message = (
            f"no model of Codex {keys.MEASURED} has the effort {code(effort.text)}, and Codex "
            "refuses a "
            "spawn that comes from one of them"
        )
        near = tuple(one.name for one in keys.EFFORTS if one.name in levels)
    else:
        return
    yield finding("unsupported-effort", effort.span, message, word=effort.text, candidates=near)
