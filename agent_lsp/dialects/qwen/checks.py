"""Checks the header, the name, the tools and the prompt of a file, for `qwen` alone.

Invariants: of a header in which the runtime misreads something, only that is said; what the runtime
refuses with a sentence of its own is said at the value, with what to do.
Facts: Qwen Code 0.24.4, measured and read 2026-11-28; see `reading`, `refusals` and `runtime`.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header, headers, tool_policy, unquoted_text, values
from agent_lsp.analysis.checks import header_invalid as invalid
from agent_lsp.analysis.checks import tool_entries as nothing_left
from agent_lsp.analysis.checks import unknown_key as keys
from agent_lsp.analysis.checks import unknown_names as models
from agent_lsp.analysis.checks.header_invalid import explain
from agent_lsp.analysis.checks.messages import code, listed, refused, shown, unclosed
from agent_lsp.analysis.suggest import known_models, nearest
from agent_lsp.data_classes import replace
from agent_lsp.dialects.qwen import policy, reading, runtime
from agent_lsp.dialects.qwen.facts import ALLOW, DENY, IGNORED, INHERIT, LEAST_PROMPT
from agent_lsp.dialects.qwen.refusals import placeholders
from agent_lsp.dialects.qwen.tools import NONE
from agent_lsp.model.check import ANY_FIELD, Basis, Check, Field, Finding, Related
from agent_lsp.model.schema import Key, KeyRole, Severity, ValueKind
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.syntax.frontmatter import FenceKind, lines
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of

_FENCE = "---"
_ALIASES = frozenset({"sonnet", "opus", "haiku", "fable", "best", "opusplan"})


def header_unclosed(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a header whose last line is nearly `---`, or nearly not the last."""
    cut, text = file.document.frontmatter, file.document.text
    if cut.fence is FenceKind.UNCLOSED and header.is_seen(file):
        rows = (row for row in lines(text, cut.inner.start) if row.of(text).strip() == _FENCE)
        row = next(rows, None)
        line = row.of(text) if row is not None else ""
        if row is not None and line != _FENCE:
            where = "before" if line[0] in " \t" else "after"
            thing = f"with a space {where} it, {code(line)} does not close the header"
            yield Finding(row, unclosed(file, thing, "remove the space"), meant=(_FENCE,))
            return
        if row is not None and row.end == len(text):
            thing = (
                f"{code(_FENCE)} is the last line and has no line end, so it does not close "
                "the header"
            )
            fix = "write the prompt below it"
            yield Finding(row, unclosed(file, thing, fix))
            return
    yield from headers.header_unclosed(file)


def header_missing(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a file without a header; documentation is only information."""
    for one in headers.header_missing(file):
        is_text = one.message.startswith(("no header", "empty file")) and not _addresses(
            file.document.text
        )
        yield replace(one, severity=Severity.INFORMATION) if is_text else one


def _addresses(text: str) -> bool:
    """Whether the first lines of a text speak to an agent."""
    start = text.lstrip("\ufeff \t\r\n")[:2_000].lower()
    return any(
        words in start for words in ("you are", "you're", "your role", "your task", "act as")
    )


def header_invalid(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a header that is no YAML and of which nothing is lost."""
    yield from invalid.header_invalid(file)
    document = file.document
    fault = reading.fault(document) if header.loads(file) else None
    if fault is None or fault.repeated is not None or unquoted_text.is_said(file):
        return
    known = {key.name: key for key in file.dialect.schema.keys}
    mistake = explain(document.text, document.frontmatter.inner, document.tree, known)
    said = "the runtime still reads the header, line by line, and other readers lose it"
    yield Finding(mistake.span, f"{mistake.thing}: {said}; {mistake.fix}", Severity.INFORMATION)


def agent_name(file: TemplateFile) -> Iterator[Finding]:
    """Yields the findings on a name that the runtime refuses, changes, or never calls."""
    for error in header.errors(file, LoadErrorKind.CONTENT):
        if error.key == "name":
            thing = f"{code('name')} {error.got}"
            yield Finding(error.span, refused(file, thing, "write another one"))
    value = file.reading.declared.settings.get("name")
    if value is None or not header.loads(file):
        return
    if value.text != value.text.strip():
        bare = value.text.strip()
        message = (
            f"the spaces are part of the name, and a call has to include them: use {code(bare)}"
        )
        yield Finding(value.span, message, Severity.WARNING, meant=(bare,))
    elif value.text.lower() == "fork":
        thing = f"no call reaches this agent: {code('fork')} is always a fork of the session"
        yield Finding(value.span, f"{thing}; write another name", Severity.WARNING)
    else:
        yield from _called_otherwise(file, value.span, value.text)


def _called_otherwise(file: TemplateFile, span: Span, name: str) -> Iterator[Finding]:
    """The finding on a name that differs only in case from one that a call finds first."""
    found = catalog_of(file)
    alike = [one for one in found.names if one != name and one.lower() == name.lower()]
    if not alike:
        return
    order = runtime.in_order(found, is_call=True)
    first = next((one for one in order if one.name.lower() == name.lower()), None)
    if first is None or first.path == file.path:
        return
    where = "the built-in agent" if first.scope.builtin else code(shown(file, first.path))
    thing = f"a call ignores case, and gets {code(first.name)} of {where} also for {code(name)}"
    related = (Related(first.path, first.span or Span(0, 0), "this one is called"),)
    yield Finding(span, thing, Severity.WARNING, related=related, code="shadowed")


def invalid_value(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each other value for which the runtime refuses the file."""
    for error in header.errors(file, LoadErrorKind.CONTENT):
        if error.key != "name":
            thing = f"{code(error.key.rpartition('.')[2])} {error.got}"
            yield Finding(error.span, refused(file, thing, _fix(error.key)))


def _fix(key: str) -> str:
    return {
        "executor": "write `kind` and `command`, or remove it",
        "model": f"write a model, or {code(INHERIT)}",
    }.get(key, "write such a number, or remove it")


def blank_tool(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each blank entry for which the runtime refuses the file."""
    for error in header.errors(file, LoadErrorKind.BLANK_ITEM):
        key = error.key.partition("[")[0]
        yield Finding(error.span, refused(file, f"an entry of {code(key)} is blank", "remove it"))


def missing_default_prompt(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a prompt that is absent or too short."""
    for error in header.errors(file, LoadErrorKind.NO_PROMPT):
        if not file.reading.declared.default.text:
            yield from values.missing_default_prompt(file)
            return
        thing = f"the prompt has fewer than {LEAST_PROMPT} characters"
        yield Finding(error.span, refused(file, thing, "write more"))


def unknown_variable(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each `${…}` of the prompt for which there is no value."""
    for error in header.possible_errors(file, LoadErrorKind.CONTENT):
        first, *others = placeholders(file.document, error.got)
        thing = f"{code(f'${{{error.got}}}')} is a placeholder without a value"
        fix = (
            f"write {code(f'${error.got}')} or {code(f'${{ {error.got} }}')}, which are plain text"
        )
        related = tuple(Related(file.path, span, "also here") for span in others)
        yield Finding(first, f"{thing}: {error.message}; {fix}", related=related)


def external_agent(file: TemplateFile) -> Iterator[Finding]:
    """Yields the findings on keys with which another program, or a container, does not start."""
    settings = file.reading.effective.settings
    if not header.loads(file):
        return
    backend = settings.get("executionBackend")
    if backend is not None:
        said = "Container execution is not enabled by this host."
        message = f"an ordinary host refuses each call: {code(said)}"
        yield Finding(backend.span, message, Severity.INFORMATION)
    if "executor" not in settings:
        return
    for key in runtime.not_outside(settings):
        value = settings[key.partition(".")[0]]
        said = f'`External agent "{file.name}" does not support {key}.`'
        thing = f"the other program does not accept {code(key)}, so each call fails"
        yield Finding(value.key or value.span, f"{thing} with {said}; remove it")


def unknown_value(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each word that the runtime drops."""
    if not header.loads(file):
        return
    found = reading.effective(file.document)
    for key in file.dialect.schema.keys:
        one = found.get(key.name)
        if key.kind is ValueKind.CHOICE and one is not None and isinstance(one.value, str):
            yield from _unknown_word(key, one.value, one.span)


def _unknown_word(key: Key, word: str, span: Span) -> Iterator[Finding]:
    names = [choice.name for choice in key.choices]
    if not word or word in names:
        return
    is_color = key.name == "color"
    # The runtime's own dialog once wrote `Automatic Color`, which does what it says.
    if is_color and word.lower().startswith("auto"):
        return
    meant = nearest(word, names)
    severity = Severity.INFORMATION if is_color else None
    thing = f"unknown {code(key.name)} {code(word)}: the runtime ignores it"
    if meant is not None:
        thing = f"{thing}; did you mean {code(meant)}?"
        yield Finding(span, thing, severity, meant=(meant,))
    else:
        yield Finding(span, f"{thing}; use {listed(names)}", severity)


def unknown_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields the findings on keys without effect; an author's own key is only a hint."""
    top = header.root(file)
    entry = top.get("mcpServers") if top is not None else None
    # What a server may be set to is not known here.
    servers = entry.value.span if entry is not None and entry.value is not None else Span(0, 0)
    for one in keys.unknown_key(file):
        if servers.start < one.span.start < servers.end:
            continue
        word = one.span.of(file.document.text).strip("\"'")
        is_own = one.severity is Severity.INFORMATION and not one.meant and word not in IGNORED
        yield replace(one, severity=Severity.HINT) if is_own else one


def unknown_model(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a model that is an alias of another system, or a misspelling."""
    value = file.reading.effective.settings.get("model")
    word = value.text if value is not None else ""
    if value is None or not header.loads(file) or word in known_models(file.dialect, file.options):
        return
    if word.lower() not in _ALIASES:
        yield from models.unknown_model(file)
        return
    thing = f"{code(word)} is an alias of Claude Code, but not of Qwen Code"
    effect = "it is sent unchanged, and unless the provider knows it, the agent fails at once"
    message = f"{thing}: {effect}; write the provider's full id, or {code(INHERIT)}"
    # Only the author knows which model was meant, so no fix is safe.
    yield Finding(value.span, message, Severity.WARNING, meant=(INHERIT,), changes=frozenset())


def every_tool(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a list of tools that is there and has no entries."""
    if header.as_settled(file, (ALLOW,)) is None:
        return
    one = reading.effective(file.document).get(ALLOW)
    top = header.root(file)
    entry = top.get(ALLOW) if top is not None else None
    if one is None:
        if entry is not None and reading.is_yaml(file.document):
            thing = f"{code(ALLOW)} has no value: the agent gets every tool"
            message = f"{thing}; name its tools, or remove the key"
            yield Finding(entry.key.span, message, code="unset-allow-list")
        return
    if one.value in ((), ""):
        thing = f"an empty {code(ALLOW)} allows every tool"
        message = f"{thing}: name the tools, or write {code(f'{ALLOW}: [{NONE}]')} for none at all"
        yield Finding(one.key or one.span, message)


def no_tools(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding where no tool is left, unless the list says that none is meant."""
    entries = tool_policy.policy(file).entries[KeyRole.ALLOW]
    # The list is not for an agent that is another program.
    if "executor" in header.held(file).settings:
        return
    if not entries or any(entry.text != NONE for entry in entries):
        yield from nothing_left.no_tools(file)


def unknown_tool(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each entry that counts in the other list only."""
    if not header.loads(file):
        return
    settings = file.reading.effective.settings
    for role, key in ((KeyRole.ALLOW, ALLOW), (KeyRole.DENY, DENY)):
        value = settings.get(key)
        for item in value.items if value is not None else ():
            reason = policy.void(role, item.text)
            if reason:
                yield Finding(item.span, _message(file, role, reason), Severity.WARNING)


def _message(file: TemplateFile, role: KeyRole, reason: str) -> str:
    if role is KeyRole.DENY:
        return f"{reason}: name the tools"
    names = tool_policy.policy(file).names
    allow = file.reading.effective.settings[ALLOW].items
    is_only = all(
        policy.void(role, item.text) or not policy.cannot_tell(item.text) for item in allow
    )
    is_left = bool(policy.toolset(file.reading, names, 1).kept) or not is_only
    effect = reason if is_left else f"{reason}, so the agent has no tools"
    return f"{effect}; name each tool, as in `mcp__github__get_issue`"


# Shared checks whose findings the system changes.
REPLACED = (
    headers.header_unclosed,
    headers.header_missing,
    invalid.header_invalid,
    values.missing_default_prompt,
    nothing_left.no_tools,
    keys.unknown_key,
    models.unknown_model,
)
_OF_KEY = frozenset({Field.LOADS, Field.KEY})
CHECKS: tuple[Check, ...] = (
    Check(("header-missing",), header_missing, changes=ANY_FIELD, basis=Basis.FILE),
    Check(("header-unclosed",), header_unclosed, changes=ANY_FIELD, basis=Basis.FILE),
    Check(("header-invalid",), header_invalid, changes=_OF_KEY, basis=Basis.FILE),
    Check(
        ("agent-name", "shadowed"),
        agent_name,
        changes=_OF_KEY | {Field.NAME},
        basis={"agent-name": Basis.ABSENCE, "shadowed": Basis.FILE},
    ),
    Check(("invalid-value",), invalid_value, changes=_OF_KEY),
    Check(("blank-tool",), blank_tool, changes=frozenset({Field.LOADS, Field.TOOLS})),
    Check(
        ("missing-default-prompt",),
        missing_default_prompt,
        changes=frozenset({Field.LOADS, Field.PROMPT}),
    ),
    Check(("unknown-variable",), unknown_variable, changes=frozenset({Field.PROMPT})),
    Check(("external-agent",), external_agent, changes=frozenset({Field.KEY, Field.TOOLS})),
    Check(("unknown-value",), unknown_value, changes=frozenset({Field.KEY})),
    Check(("unknown-key",), unknown_key, changes=_OF_KEY),
    Check(("unknown-model",), unknown_model, changes=frozenset({Field.KEY, Field.MODEL})),
    Check(
        ("empty-allow-list", "unset-allow-list"),
        every_tool,
        changes=frozenset(),
        basis=Basis.ABSENCE,
    ),
    Check(("no-tools",), no_tools, changes=frozenset({Field.TOOLS}), basis=Basis.ABSENCE),
    Check(("unknown-tool",), unknown_tool, changes=frozenset({Field.TOOLS})),
)
