"""Checks for agents that load: those that fail at each call, and keys and tools without effect.

Facts: Gemini CLI 0.61.0, measured 2026-11-28.
"""

import re
from collections.abc import Iterator
from itertools import islice

from agent_lsp.analysis.checks import header, tool_policy
from agent_lsp.analysis.checks import unknown_names as shared
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.suggest import known_models, nearest
from agent_lsp.dialects.gemini import borrowed, reading
from agent_lsp.dialects.gemini.checks import lost, mapping
from agent_lsp.dialects.gemini.facts import (
    DEAD,
    INHERIT,
    INNER,
    INPUTS,
    LONGEST_TIMEOUT,
    NEVER,
    REMOTE,
    SERVER_KEYS,
    SERVER_RENAMED,
    TOOLS,
    UNRESOLVED,
)
from agent_lsp.dialects.gemini.js_yaml import members, number
from agent_lsp.dialects.gemini.runtime import EMPTY, unknown
from agent_lsp.model.check import Basis, Check, Field, Finding, Tag
from agent_lsp.model.runtime import Scope
from agent_lsp.model.schema import KeyRole, Severity
from agent_lsp.model.template import LoadErrorKind, NoEffect
from agent_lsp.patterns import regex
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Mapping, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_MOST = 50
_OTHER_MAKER = regex(
    r"claude|sonnet|opus|haiku|gpt|codex|llama|mistral|qwen|deepseek|grok|kimi|(?<![a-z])o[1-9]\b",
    re.IGNORECASE,
)


def prompts(file: TemplateFile) -> Iterator[Finding]:
    """Yields the findings on a prompt that is not read, is empty, or names unknown variables."""
    if not header.loads(file) or file.scope.builtin:
        return
    body = file.document.frontmatter.body
    if reading.kind_of(file.document) == REMOTE:
        text = body.of(file.document.text)
        if text.strip():
            start = body.start + len(text) - len(text.lstrip())
            line = text.strip().partition("\n")[0]
            message = "a remote agent has no prompt here: the runtime ignores this text"
            span = Span(start, start + len(line))
            yield Finding(span, message, Severity.WARNING, code="unread-prompt")
        return
    behind = reading.behind_fence(file.document)
    if behind is not None:
        yield _behind(file, behind)
    elif not file.reading.effective.default.text:
        message = f"no prompt below the header: {DEAD} with `` {EMPTY} ``; write one"
        yield Finding(header.closing(file), message, code="missing-default-prompt")
    else:
        yield from _variables(file)


def _behind(file: TemplateFile, behind: Span) -> Finding:
    """The finding on what stands behind the closing fence."""
    rest = behind.of(file.document.text)
    what = "spaces" if not rest.strip() else code(rest.strip())
    close = file.document.frontmatter.close or behind
    is_long = rest.startswith("-") and not rest.strip("- \t")
    thing = f"{what} after the closing `---`" if not is_long else f"`---{rest.strip()}`"
    loss = "the runtime reads no prompt"
    message = f"{thing}: {loss}, so {DEAD} with `` {EMPTY} ``; write `---` alone"
    span = behind if rest.strip() and not is_long else close
    return Finding(span, message, code="unread-prompt")


def _variables(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each variable that the runtime does not know."""
    body = file.document.frontmatter.body
    found = unknown(body.of(file.document.text), file.scope)
    for name, span in islice(found, _MOST):
        close = nearest(name, INPUTS)
        text_, spaced = code(f"${name}"), code(f"${{ {name} }}")
        fix = f"for text write {text_} or {spaced}"
        fix = f"did you mean {code(f'${{{close}}}')}?" if close else fix
        thing = f"the runtime replaces {code(f'${{{name}}}')} and does not know this variable"
        message = f"{thing}, so {DEAD}; {fix}"
        meant = (f"${{{close}}}",) if close else ()
        yield Finding(span.shift(body.start), message, meant=meant, code="unknown-variable")


def limits(file: TemplateFile) -> Iterator[Finding]:
    """Yields the findings on a time that overflows, and on a temperature, which has no effect."""
    top = mapping(file)
    if top is None or not header.loads(file):
        return
    found = members(top)
    timeout = found.get("timeout_mins")
    minutes = number(timeout.value) if timeout is not None else None
    if timeout is not None and timeout.value and minutes and minutes > LONGEST_TIMEOUT:
        thing = f"{code('timeout_mins')} above {LONGEST_TIMEOUT} overflows"
        message = f"{thing}: the agent runs out of time at once; write at most {LONGEST_TIMEOUT}"
        meant = (str(LONGEST_TIMEOUT),)
        yield Finding(timeout.value.span, message, meant=meant, code="invalid-value")
    temperature = found.get("temperature")
    if temperature is not None and number(temperature.value) != 1:
        thing = (
            "`temperature` never reaches the model: each request uses the model's own temperature"
        )
        fix = "set it in settings.json, in `modelConfigs.overrides` with the agent's name"
        message = f"{thing}; {fix}"
        yield Finding(temperature.key.span, message, code="ignored-key")


def no_effect(document: Document, _scope: Scope) -> Iterator[NoEffect]:
    """The temperature, which never reaches the model."""
    top = resolve(document.tree.root)
    entry = members(top).get("temperature") if isinstance(top, Mapping) else None
    if entry is not None:
        yield NoEffect(entry.key.span, "it never reaches the model")


def ignored_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each key of an own server that the runtime ignores."""
    top = mapping(file)
    entry = members(top).get("mcp_servers") if top is not None else None
    node = resolve(entry.value) if entry is not None else None
    if not isinstance(node, Mapping) or not header.loads(file):
        return
    for server in members(node).values():
        inner = resolve(server.value)
        for name, one in members(inner).items() if isinstance(inner, Mapping) else ():
            if name in SERVER_KEYS:
                continue
            meant = SERVER_RENAMED.get(name) or nearest(name, SERVER_KEYS)
            thing = f"the runtime ignores {code(name)}"
            fix = f"; its name here is {code(meant)}" if meant else ""
            found = (meant,) if meant else ()
            yield Finding(one.key.span, f"{thing}{fix}", meant=found)


def unknown_tool(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each entry of `tools` for which the runtime refuses the file."""
    for error in header.errors(file, LoadErrorKind.CHOICE):
        if not error.message.endswith("Invalid tool name"):
            continue
        fix, meant = borrowed.instead(error.got)
        message = lost(file, error, f"unknown tool {code(error.got)}", fix)
        yield Finding(error.span, message, meant=(meant,) if meant else (), word=error.got)


def without_effect(file: TemplateFile) -> Iterator[Finding]:
    """Yields the findings on tools that the agent never gets, or only under a condition."""
    if not header.loads(file) or file.scope.builtin:
        return
    conditions = {tool.name: tool.condition for tool in TOOLS if tool.condition}
    for entry in tool_policy.policy(file).entries[KeyRole.ALLOW]:
        if entry.text in NEVER:
            message = f"{code(entry.text)} gives nothing: {NEVER[entry.text]}"
            tags = (Tag.UNNECESSARY,)
            yield Finding(entry.span, message, tags=tags, code="unavailable-tool")
        elif entry.text in conditions:
            message = f"the agent has {code(entry.text)} only if {conditions[entry.text]}"
            yield Finding(entry.span, message, code="conditional-tool")


def unknown_model(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a model that the runtime sends and does not know."""
    value = file.reading.effective.settings.get("model")
    if value is None or not value.text or not header.loads(file):
        return
    model = value.text
    if model in (*known_models(file.dialect, file.options), *INNER):
        return
    bare = model.removeprefix("models/")
    if bare != model and bare in known_models(file.dialect, file.options):
        return
    if model in UNRESOLVED:
        message = f"{code(model)} is not a model: {DEAD}; write `{INHERIT}`"
        yield Finding(value.span, message, Severity.ERROR, meant=(INHERIT,))
        return
    found = tuple(shared.unknown_model(file))
    if found:
        yield from found
        return
    sent = "the runtime sends it unchanged"
    if _OTHER_MAKER.search(model):
        thing = f"{code(model)} is a model of another vendor"
        message = f"{thing}: {sent}, and unless the API has it, {DEAD}; write `{INHERIT}`"
        yield Finding(value.span, message, meant=(INHERIT,))
    else:
        program = f"{file.dialect.runtime} {file.dialect.variants.measured}"
        thing = f"{program} does not know the model {code(model)}"
        yield Finding(value.span, f"{thing}: {sent}", Severity.INFORMATION)


_PROMPT, _KEY = frozenset({Field.PROMPT, Field.KEY}), frozenset({Field.KEY})
CHECKS: tuple[Check, ...] = (
    Check(
        ("missing-default-prompt", "unread-prompt", "unknown-variable"),
        prompts,
        changes=_PROMPT,
        basis={"unread-prompt": Basis.FILE},
    ),
    Check(("invalid-value", "ignored-key"), limits, changes=_KEY),
    Check(("ignored-key",), ignored_key, changes=_KEY),
    Check(("unknown-tool",), unknown_tool, changes=frozenset({Field.LOADS, Field.TOOLS})),
    Check(
        ("unavailable-tool", "conditional-tool"),
        without_effect,
        changes={"unavailable-tool": frozenset()},
    ),
    Check(("unknown-model",), unknown_model, changes=_KEY),
)
