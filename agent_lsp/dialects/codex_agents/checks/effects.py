"""Checks for what a file that loads does: which of it has no effect, and whether the agent is used.

A model or an effort may not fit, and a table may switch no skill off because of its `path`.

Facts: measured with `@openai/codex` 0.171.0, 2026-11-28: an agent with `sandbox_mode = "read-only"`
wrote a file where its session might (scene 31); so it is since 0.149. Those about skills: as in
`codex_agents.skills`, run 2026-11-29.
"""

from collections.abc import Iterator
from pathlib import Path

from agent_lsp.analysis.checks.messages import code, finding, shown, some
from agent_lsp.analysis.suggest import near_miss
from agent_lsp.data_classes import replace
from agent_lsp.dialects.codex_agents import facts, keys
from agent_lsp.dialects.codex_agents.checks.refusals import is_decoded, is_read
from agent_lsp.dialects.codex_agents.layers import layer_of
from agent_lsp.dialects.codex_agents.skills import PATH, is_void, scalar, switches
from agent_lsp.model.check import Finding, Related, Tag
from agent_lsp.model.runtime import Scope
from agent_lsp.model.schema import Severity
from agent_lsp.model.template import NoEffect, Value
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.exports import NamedIn, keep
from agent_lsp.workspace.skills import place_of
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of

_MOST = 6
_SINCE = "Codex checks it and, since 0.149, does not use it for an agent"
_NARROWS = ("enabled_tools", "disabled_tools")
_PARENT = ("inherit", "parent", "default")
_SKILL = "SKILL.md"


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


def futile_switch(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each table that switches no skill off because of its `path`."""
    if not is_read(file) or file.reading.errors:
        return
    named = set[Path]()
    for table in switches(file.document):
        path = scalar(table, PATH)
        target = place_of(file, path.value) if path is not None else None
        if path is not None and is_void(table):
            message = "a table with `name` and `path` does not turn off a skill; remove one of them"
            yield Finding(path.span, message, tags=(Tag.UNNECESSARY,), code="no-effect")
        elif path is not None and target is not None:
            named.add(target)
            yield from _missing_skill(file, path, target)
    keep(file.workspace.files, file.path, NamedIn.SKILL, named)


def _missing_skill(file: TemplateFile, path: Scalar, target: Path) -> Iterator[Finding]:
    files, thing = file.workspace.files, code(path.value)
    if files.is_folder(target):
        right = f"{path.value.rstrip('/')}/{_SKILL}"
        message = (
            f"{thing} is a folder, so it does not turn off a skill; did you mean {code(right)}?"
        )
        yield Finding(path.span, message, Severity.WARNING, meant=(right,))
    elif not files.exists(target):
        message = f"{thing} does not exist, so it does not turn off a skill; correct the path"
        yield Finding(path.span, message, Severity.WARNING)


def shadowed(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a file that does not count, or of which only a part does."""
    if not is_read(file) or file.reading.errors or file.misplaced is not None:
        return
    chain = catalog_of(file).candidates(file.name or "")
    own = next((one for one in chain if one.path == file.path), None)
    if own is None or chain[0].path == file.path:
        return
    winner = next(one for one in chain if layer_of(one) == layer_of(own))
    name, span = code(file.name or ""), file.names[0].span or Span(0, 0)
    if winner.path != file.path:
        where = code(shown(file, winner.path))
        message = (
            f"never used: {where} of the same layer defines {name}, too; Codex warns `duplicate "
            f"agent role name`"
        )
        related = (Related(winner.path, winner.span or Span(0, 0), "this one is used"),)
        yield Finding(span, message, Severity.WARNING, related=related)
        return
    winner = chain[0]
    where = code(shown(file, winner.path))
    message = (
        f"not used in sessions started in {code(shown(file, file.root))}: {where} defines {name}, "
        "too, and comes first; a description or nicknames that it lacks come from this file"
    )
    related = (Related(winner.path, winner.span or Span(0, 0), "this one is used"),)
    yield Finding(span, message, related=related)


def never_spawned(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a file that is a link: it is listed, and no spawn takes it."""
    files = file.workspace.files
    if not is_read(file) or file.reading.errors or file.misplaced is not None:
        return
    if files.real(file.path) == files.real(file.path.parent) / file.path.name:
        return
    message = (
        f"the file is a link: Codex lists {code(file.name or '')}, and answers each spawn with "
        f"{code(facts.UNAVAILABLE)}; put the file itself here, or link its folder"
    )
    yield Finding(file.names[0].span or Span(0, 0), message)


def hides_builtin(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on an agent that also takes the calls that name none."""
    if is_read(file) and not file.reading.errors and file.name == facts.DEFAULT:
        message = (
            "this agent replaces the built-in `default`, and is used for each call "
            "without `agent_type`"
        )
        yield Finding(file.names[0].span or Span(0, 0), message)
