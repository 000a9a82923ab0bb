"""Checks for what loads and does not do what it seems to: keys, models, names.

Facts: OpenCode 1.18.33, measured 2026-11-28. A key that the program does not know is sent to the
provider of the model as an option.
"""

import re
from collections.abc import Iterable, Iterator

from agent_lsp.analysis.checks import files, header, unknown_key
from agent_lsp.analysis.checks.messages import code, shown, some
from agent_lsp.analysis.suggest import distance, fold, nearest
from agent_lsp.dialects.opencode.catalog import built_in, is_mode
from agent_lsp.dialects.opencode.checks.agents import (
    agents,
    of_each,
    of_each_written,
    overridden,
    place,
)
from agent_lsp.dialects.opencode.config import default_agent
from agent_lsp.dialects.opencode.facts import (
    ALL,
    ALWAYS_PRIMARY,
    BUILT_IN,
    HIDDEN,
    OWN,
    PRIMARY,
    SECOND,
    SUBAGENT,
)
from agent_lsp.dialects.opencode.generations import written_for
from agent_lsp.dialects.opencode.reading import Fate, fate
from agent_lsp.dialects.opencode.references import in_rules
from agent_lsp.dialects.opencode.runtime import default_refused, mode, model_refused
from agent_lsp.model.check import Finding, Related, Tag
from agent_lsp.model.runtime import Scope
from agent_lsp.model.schema import Severity
from agent_lsp.model.template import NoEffect
from agent_lsp.patterns import regex
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Entry, Mapping, Scalar, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of, definition

# A line of a prompt that has nothing else.
_REFERENCE = regex(r"^[ \t]*(\{(?:file|env):[^{}\n]+\})[ \t]*\r?$", re.MULTILINE)
_MOST_SLIPS = 2
# A shorter word with two other letters is another word.
_SHORTEST = 6
_MOST_NAMED = 4
# What decides whether an agent needs a description.
_CALLED = (SUBAGENT, ALL)
_DESCRIBING = ("description", "mode", "disable")
# What the provider of a model is meant to get: opencode.ai/v1/docs/agents, read 2026-11-28.
_OPTIONS = frozenset(
    (
        *("reasoningEffort", "reasoningSummary", "textVerbosity", "thinking", "top_k", "topK"),
        *("maxTokens", "max_tokens", "maxOutputTokens", "budgetTokens", "thinkingBudget"),
        *("frequencyPenalty", "presencePenalty", "seed", "store", "include", "effort"),
    )
)
# Keys of other systems and generations, which limit nothing here.
_LIMITS = {
    "permissions": "permission",
    "allowed-tools": "permission",
    "allowedTools": "permission",
    "allowed_tools": "permission",
    "disallowedTools": "permission",
    "disallowed-tools": "permission",
    "disallowed_tools": "permission",
    "permissionMode": "permission",
    "disabled": "disable",
    "maxTurns": "steps",
    "max_turns": "steps",
    "max_steps": "steps",
    "max-steps": "steps",
}


@of_each
def unknown_keys(file: TemplateFile, top: Mapping) -> Iterator[Finding]:
    """Yields a finding on each key that was meant to be another one, and one on all the others."""
    keys = file.dialect.schema.keys
    level = header.Level(top, keys)
    rest: list[Entry] = []
    names = tuple(key.name for key in keys)
    for entry in unknown_key.unknown(file, level):
        name = entry.name or ""
        near = _LIMITS.get(name) or _near(name, names)
        if name == "<<" or name in _OPTIONS:
            continue
        other = _elsewhere(entry, level.mapping)
        if other is not None:
            yield other
            continue
        is_there = near is not None and level.mapping.get(near) is not None
        if is_there and name in _LIMITS:
            message = (
                f"{code(name)} limits nothing in OpenCode 1: {code(near or '')} is used instead"
            )
            yield Finding(entry.key.span, message, code="ignored-key")
        elif near is None or is_there:
            rest.append(entry)
        elif name in _LIMITS:
            message = (
                f"{code(name)} limits nothing in OpenCode 1: it is sent to the model as an option; "
                f"write {code(near)}"
            )
            if written_for(top) == SECOND:
                message += ", or set `generation` in the settings if only OpenCode 2 reads the file"
            yield Finding(entry.key.span, message, meant=(near,), code="ignored-key")
        else:
            message = (
                f"unknown key {code(name)}: it is sent to the model as an option; did you mean "
                f"{code(near)}?"
            )
            yield Finding(entry.key.span, message, meant=(near,), code="unknown-key")
    if rest:
        listing = some([entry.name or "" for entry in rest], _MOST_NAMED, "and")
        are = (
            "is not a key of an agent, and is"
            if len(rest) == 1
            else "are not keys of an agent, and are"
        )
        what = "an option" if len(rest) == 1 else "options"
        message = f"{listing} {are} sent to the model as {what}"
        yield Finding(rest[0].key.span, message, Severity.INFORMATION, code="unknown-key")


def _elsewhere(entry: Entry, top: Mapping) -> Finding | None:
    """The finding on a key of which another one, with another value, does what it seems to do."""
    node = resolve(entry.value)
    if entry.name == "reasoning_effort" and top.get("reasoningEffort") is None:
        message = (
            "`reasoning_effort` has no effect: write `reasoningEffort`, from which OpenCode sets it"
        )
        return Finding(entry.key.span, message, meant=("reasoningEffort",), code="ignored-key")
    if entry.name == "enabled" and isinstance(node, Scalar) and node.value == "false":
        message = (
            "`enabled` does not disable the agent: it is sent to the model as an option; write "
            "`disable: true`"
        )
        return Finding(entry.key.span, message, code="ignored-key")
    return None


def _near(name: str, among: Iterable[str]) -> str | None:
    """The key that a name is a misspelling of, or None."""
    for key in among:
        if fold(key) == fold(name):
            return key
    most = _MOST_SLIPS if len(name) >= _SHORTEST else 1
    if len(name) < _SHORTEST - 2:
        return None
    letters = sorted(name.lower())
    # Of two keys that are as near, the one with the same letters was meant.
    found = (
        (distance(name.lower(), key.lower(), most), sorted(key.lower()) != letters, key)
        for key in among
    )
    best = min(found, default=None)
    return best[2] if best is not None and best[0] <= most else None


def no_effect_in_modes(document: Document, scope: Scope) -> Iterator[NoEffect]:
    """Yields the mode of a file in a folder of modes, unless it is that of all of them."""
    top = document.tree.top if is_mode(scope) else None
    entry = top.get("mode") if isinstance(top, Mapping) else None
    word = entry.node.value if entry is not None and isinstance(entry.node, Scalar) else PRIMARY
    if entry is not None and word != PRIMARY:
        yield NoEffect(entry.key.span, ALWAYS_PRIMARY)


@of_each
def no_effect(file: TemplateFile, top: Mapping) -> Iterator[Finding]:
    """Yields a finding on each key that the program takes and does not use."""
    prompt = top.get("prompt")
    if prompt is not None and not file.dialect.schema.is_tables:
        message = (
            "`prompt` has no effect: the text below the header is the prompt, also if it is empty"
        )
        yield Finding(prompt.key.span, message)
    name = top.get("name") if file.dialect.schema.is_tables else None
    told = resolve(name.value) if name is not None else None
    if name is not None and isinstance(told, Scalar) and told.value != file.name:
        message = (
            f"`name` does not name the agent: models see the name {code(told.value)}, and no call "
            f"starts this agent; remove `name`, because {code(file.name or '')}, the key of its "
            "table, is its name"
        )
        yield Finding(name.key.span, message)
    for found in no_effect_in_modes(file.document, file.scope):
        yield Finding(found.span, f"`mode` has no effect here: {found.reason}")
    yield from _replaced_options(top)
    older, newer = top.get("maxSteps"), top.get("steps")
    if older is not None and newer is not None:
        message = "`maxSteps` has no effect: `steps` overrides it"
        yield Finding(older.key.span, message, tags=(Tag.UNNECESSARY,))
    variant = top.get("variant")
    models = {*file.reading.effective.settings, *header.supplied(file)}
    if variant is not None and "model" not in models:
        message = "`variant` has no effect without a `model` that has it"
        yield Finding(variant.key.span, message)


def _replaced_options(top: Mapping) -> Iterator[Finding]:
    """The options that a key of the agent itself replaces."""
    entry = top.get("options")
    options = resolve(entry.value) if entry is not None else None
    for one in options.entries if isinstance(options, Mapping) else ():
        if one.name and one.name not in OWN and top.get(one.name) is not None:
            message = f"{code(one.name)} has no effect here: the key {code(one.name)} of the agent"
            yield Finding(one.key.span, f"{message} overrides it")


def no_effect_of_placeholders(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each line of a prompt that seems to stand for a file or a variable."""
    body, text = file.document.frontmatter.body, file.document.text
    if ("{file:" not in text and "{env:" not in text) or not header.is_seen(file):
        return
    for found in _REFERENCE.finditer(text, body.start):
        if not text.count("\n```", body.start, found.start()) % 2:
            message = f"{code(found[1])} stays as it is: OpenCode replaces it only in opencode.json"
            yield Finding(Span(*found.span(1)), message)


@of_each_written
def deprecated_key(file: TemplateFile, top: Mapping) -> Iterator[Finding]:
    """Yields a hint on a key that has a newer name."""
    older = top.get("maxSteps")
    if older is not None and top.get("steps") is None:
        message = "`maxSteps` is deprecated; write `steps`"
        tags = (Tag.DEPRECATED,)
        yield Finding(older.key.span, message, Severity.HINT, tags, meant=("steps",))
    tools = top.get("tools")
    if tools is not None and not header.is_refused(file, tools):
        message = "`tools` is deprecated; `permission` can do the same, and more"
        yield Finding(tools.key.span, message, Severity.HINT, (Tag.DEPRECATED,))


@of_each
def unknown_model(file: TemplateFile, _top: Mapping) -> Iterator[Finding]:
    """Yields a finding on a model with which each use of the agent fails."""
    value = file.reading.effective.settings.get("model")
    if "model" in overridden(file):
        return
    why = model_refused(file.reading.effective)
    is_plain = not file.dialect.schema.is_tables and why is None
    if value is not None and is_plain and "#" in value.text:
        variant = value.text.partition("#")[2]
        message = f"`#{variant}` is a part of the model's name in OpenCode 1, and names no variant"
        yield Finding(value.span, f"{message}; write `variant: {variant}`", Severity.WARNING)
    if value is None or why is None:
        return
    if value.text in file.options.extra(file.dialect.id).models:
        return
    is_padded = value.text != value.text.strip() and "/" in value.text
    thing = f"{code(value.text)} does not name a provider"
    if is_padded:
        thing = f"the spaces around {code(value.text)} are part of the name"
    thing += f", and each use of the agent fails with {code(why)}"
    fix = "write `provider/model`, or remove the key for the model of the caller"
    yield Finding(value.span, f"{thing}; {fix}")


def missing_description(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on an agent of which a model is told nothing."""
    if not header.is_seen(file) or file.reading.possible_errors:
        return
    if not file.dialect.schema.is_tables:
        settled = header.as_settled(file, _DESCRIBING)
        if settled is not None:
            yield from _undescribed(settled)
        return
    for one, top in agents(file):
        settled = header.as_settled(one, _DESCRIBING, top.span)
        if settled is not None:
            yield from _undescribed(settled)


def _undescribed(file: TemplateFile) -> Iterator[Finding]:
    if file.name in BUILT_IN or header.is_note(file) or fate(file.document) is Fate.RUN:
        return
    held = file.reading.effective
    value = held.settings.get("description")
    is_given = value is not None and value.text.strip()
    # Whether models may call an agent with another word there is not known.
    found = definition(file)
    # The program merges what all files of the name say, also of one that is refused.
    told = found.reading.declared if found is not None and file.name else held
    if is_given or mode(told) not in _CALLED or "description" in header.supplied(file):
        return
    if "disable" in held.settings or "disable" in told.settings:
        return
    top = header.root(file)
    written = top.get("description") if top is not None else None
    thing = "the agent has no `description`" if written is None else "`description` is blank"
    message = f"{thing}: models see that it should only be called manually by the user"
    yield Finding(place(file) if written is None else written.key.span, message)


def unknown_default(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a `default_agent` with which no session can begin."""
    value = default_agent(file.document)
    if value is None or not header.loads(file):
        return
    why = default_refused(catalog_of(file), value.text)
    if why is None:
        return
    message = (
        f"{code(value.text)} cannot be the default agent: each message for which nobody chooses an "
        f"agent fails with {code(why)}"
    )
    names = {*catalog_of(file).names, *built_in(catalog_of(file))} - HIDDEN
    near = nearest(value.text, tuple(names)) if why.endswith("not found") else None
    meant = (near,) if near is not None else ()
    guess = f"; did you mean {code(near)}?" if near is not None else ""
    yield Finding(value.span, f"{message}{guess}", meant=meant)


def unknown_agent(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each rule of `task` whose name is similar to that of an agent.

    A plugin may add an agent, so another name may be right.
    """
    named = tuple(in_rules(file.document)) if header.loads(file) else ()
    catalog = catalog_of(file) if named else None
    names = {*catalog.names, *built_in(catalog)} - HIDDEN if catalog is not None else set[str]()
    for one in named:
        near = nearest(one.name, sorted(names))
        if one.name not in names | HIDDEN and near is not None:
            thing = f"no agent is called {code(one.name)}, so the rule does nothing"
            message = f"{thing}; did you mean {code(near)}?"
            yield Finding(one.span, message, Severity.WARNING, meant=(near,))


def hides_builtin(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a file that changes an agent of the program."""
    if file.name not in BUILT_IN or not header.is_seen(file) or file.reading.errors:
        return
    span, name = place(file), code(file.name or "")
    if file.reading.effective.default.text:
        message = (
            f"this changes the built-in agent {name}; the text below the header replaces its prompt"
        )
        yield Finding(span, message)
    elif file.name in ("build", "plan", "general"):
        yield Finding(span, f"this changes the built-in agent {name}")
    else:
        message = (
            f"this changes the built-in agent {name}, and removes its prompt, because the file "
            "has no text below the header: write one"
        )
        yield Finding(span, message, Severity.WARNING)


def file_name(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for an empty name, which an agent may have, or for one that is ignored."""
    if file.name != "":
        yield from files.file_name(file)
        return
    thing = "the agent has no name: models see the agent without a name"
    message = f"{thing}, and only a call with an empty name starts it"
    yield Finding(file.names[0].span or header.first_line(file), message, Severity.WARNING)


def shadowed(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a file that another one replaces, or goes before."""
    if file.name is None or file.source.problem is not None or file.misplaced is not None:
        return
    found = definition(file)
    if found is None or not header.is_seen(file):
        return
    span, name = file.names[0].span or Span(0, 0), code(file.name)
    chain = catalog_of(file).candidates(file.name)
    if all(part.path != file.path for part in found.parts):
        if any(one.path == file.path for one in chain):
            winner = next(
                one for one in chain if one.scope.folder.parent == file.scope.folder.parent
            )
            where = code(shown(file, winner.path))
            message = f"never used: {where} of the same folder defines {name}, too, and replaces it"
            related = (Related(winner.path, winner.span or Span(0, 0), "this one is used"),)
            yield Finding(span, message, Severity.WARNING, related=related)
        return
    if found.parts[0].path != file.path:
        where = code(shown(file, found.parts[0].path))
        prompt = found.reading.declared.default
        is_own = prompt.path == file.path and bool(prompt.text)
        uses = "its keys" if is_own else "its keys and its prompt"
        message = f"{where} overrides this file: the runtime uses {uses} for {name}"
        related = (Related(found.parts[0].path, Span(0, 0), "this one has precedence"),)
        yield Finding(span, message, Severity.INFORMATION, related=related)
