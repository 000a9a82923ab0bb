"""Checks the header of an agent's file as VS Code or Copilot CLI reads it, for `copilot` alone.

Invariants: one fault that stops both programs is one message of each, or one of both. What only the
CLI refuses is information in a file whose author wrote `target: vscode`.
Facts: VS Code 1.139.1 and Copilot CLI 1.0.102, run 2026-11-28; see `reading` and `cli_header`.
"""

from collections.abc import Callable, Iterator

from agent_lsp.analysis.checks import (
    files,
    header,
    headers,
    tool_policy,
    unquoted_text,
    values,
)
from agent_lsp.analysis.checks import tool_entries as shared_tool_entries
from agent_lsp.analysis.checks import unknown_key as keys
from agent_lsp.analysis.checks.messages import code, listed, refused
from agent_lsp.analysis.suggest import nearest
from agent_lsp.data_classes import replace
from agent_lsp.dialects.copilot import (
    AGENT,
    CHAT_MODE,
    README,
    facts,
    mcp_servers,
    policy,
    readers_at,
    reading,
    sessions,
    shapes,
    vs_tools,
)
from agent_lsp.dialects.copilot.agent_checks import handoff_switches
from agent_lsp.dialects.copilot.cli_tools import EVERY
from agent_lsp.dialects.copilot.facts import ALLOW, IGNORED, NAMES, TARGETS
from agent_lsp.dialects.copilot.header_reader import MISSING
from agent_lsp.dialects.copilot.values import INSTEAD_OF_TOOLS
from agent_lsp.model.check import ANY_FIELD, Basis, Check, Field, Finding, Tag
from agent_lsp.model.schema import Key, KeyRole, Severity
from agent_lsp.model.template import LoadErrorKind, Value
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Scalar, resolve
from agent_lsp.workspace.programs import readers_in_use
from agent_lsp.workspace.snapshot import TemplateFile

_Run = Callable[[TemplateFile], Iterator[Finding]]


def unset_allow_list(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a `tools` without a value, which leaves no tool in VS Code."""
    if not header.parses(file):
        return
    value = file.reading.effective.settings.get(ALLOW)
    top = header.root(file)
    entry = top.get(ALLOW) if top is not None else None
    node = resolve(entry.value) if entry is not None else None
    is_void = isinstance(node, Scalar) and not node.value
    marked = any(one.code == MISSING for one in reading.header(file.document).faults)
    if value is not None and not value.items and is_void and marked and entry is not None:
        thing = f"{code(ALLOW)} has no value: the agent has no tools"
        fix = "write `[]` if that is intended, or remove the key for all tools"
        yield Finding(entry.key.span, f"{thing}; {fix}")


def no_tools(file: TemplateFile) -> Iterator[Finding]:
    """Yields the finding on `*`, which is not a tool in VS Code, or one where no tool is left."""
    found = tool_policy.policy(file).entries[KeyRole.ALLOW]
    if not any(one.text == EVERY for one in found):
        yield from _no_tools_left(file)
        return
    for one in found if header.parses(file) else ():
        if one.text == EVERY:
            is_all = not any(policy.known_to_vs(other.text) for other in found)
            effect = "so the agent has no tools" if is_all else "and is dropped"
            fix = f"remove {code(ALLOW)} to give every tool in both programs"
            thing = f"{code(EVERY)} names no tool in VS Code, {effect}"
            yield Finding(one.span, f"{thing}; {fix}", None if is_all else Severity.INFORMATION)


def unknown_tool(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each entry that names no tool of VS Code; `*` has its own."""
    if not header.parses(file) or any(_no_tools_left(file)):
        return
    for one in _once(file):
        if one.text == EVERY or policy.known_to_vs(one.text):
            continue
        yield (
            _of_one(one, policy.for_both(one.text))
            if policy.known_to_cli(one.text)
            else _of_none(one)
        )


def unknown_tool_of_cli(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each entry that names no tool of the CLI.

    Most lists are written for VS Code: an entry that it knows is only reported if there is a name
    for both.
    """
    if not header.loads(file) or any(no_tools_of_cli(file)):
        return
    for one in _once(file):
        if policy.known_to_cli(one.text):
            continue
        right = policy.for_both(one.text)
        if not policy.known_to_vs(one.text):
            yield _of_none(one)
        elif right is not None:
            yield _of_one(one, right)


def _once(file: TemplateFile) -> tuple[Value, ...]:
    """The entries of `tools` that no other one makes redundant."""
    twice = {one.span for one, _ in tool_policy.covering(file)[KeyRole.ALLOW]}
    return tuple(
        one for one in tool_policy.policy(file).entries[KeyRole.ALLOW] if one.span not in twice
    )


def _of_one(one: Value, right: str | None) -> Finding:
    """The finding on a name that only the other program knows."""
    thing = f"unknown tool {code(one.text)}: it allows nothing here"
    if right is None:
        return Finding(one.span, thing, Severity.HINT, word=one.text)
    message = f"{thing}; write {code(right)}, which both programs know"
    return Finding(one.span, message, Severity.INFORMATION, meant=(right,), word=one.text)


def _of_none(one: Value) -> Finding:
    """The finding on a name that neither program knows, the same for both."""
    word, thing = one.text, f"unknown tool {code(one.text)}: it allows nothing"
    if word in vs_tools.GONE:
        message = f"{code(word)} is no longer a tool, and allows nothing"
        return Finding(one.span, message, Severity.HINT, (Tag.UNNECESSARY,), word=word)
    wrong = policy.misnamed(word)
    if wrong is not None:
        return Finding(one.span, f"{thing}; {wrong.fix}", meant=wrong.meant, word=word)
    meant = nearest(word, _WORDS)
    if meant is not None:
        # An older name of a tool would be reported next.
        today = vs_tools.today(meant)
        meant = today[0] if len(today) == 1 else meant
        message = f"{thing}; did you mean {code(meant)}?"
        return Finding(one.span, message, meant=(meant,), word=word)
    message = f"{thing}, unless an extension or an MCP server has it"
    return Finding(one.span, message, Severity.HINT, word=word)


_WORDS = tuple(dict.fromkeys((*policy.BOTH, *vs_tools.SETS, *vs_tools.OLDER, *vs_tools.NAMES)))


def renamed_tool(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each older name of a tool, which VS Code still accepts."""
    if not header.parses(file):
        return
    for one in tool_policy.policy(file).entries[KeyRole.ALLOW]:
        names = vs_tools.today(policy.written(one))
        if names:
            thing = f"{code(policy.written(one))} is an older name, which VS Code still accepts"
            are = "name is" if len(names) == 1 else "names are"
            message = f"{thing}; the current {are} {listed(names, 'and')}"
            yield Finding(one.span, message, tags=(Tag.DEPRECATED,), meant=names)


def unknown_tool_behind_a_setting(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each tool that VS Code has only with a setting."""
    for one in tool_policy.policy(file).entries[KeyRole.ALLOW] if header.parses(file) else ():
        given = vs_tools.covered(one.text)
        condition = vs_tools.CONDITIONS[given[0]] if len(given) == 1 else ""
        if condition:
            message = f"{code(given[0])} exists only if {condition}"
            yield Finding(one.span, message, Severity.HINT, word=one.text)


def _no_tools_left(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding where no tool is left, unless `*` or a missing value is the cause."""
    found = tool_policy.policy(file).entries[KeyRole.ALLOW]
    if any(one.text == EVERY for one in found) or any(unset_allow_list(file)):
        return
    if ALLOW not in file.reading.effective.settings:
        # VS Code has lost the list.
        return
    # The name of a server alone is all of its tools, and which servers there are is not known.
    is_open = any(_may_be_server(one) for one in found)
    told = list(shared_tool_entries.no_tools(file))
    key = file.reading.declared.settings[ALLOW].key if found else None
    if not told and key is not None and all(_names_nothing(one) for one in found):
        thing = f"no entry of {code(ALLOW)} is the name of a tool: the agent has no tools"
        told.append(Finding(key, thing))
    for one in told:
        yield replace(one, severity=Severity.INFORMATION) if is_open else one


def _names_nothing(one: Value) -> bool:
    """Whether an entry can be no name of a tool, and is not reported with the right one."""
    word = one.text
    is_name = policy.known_to_vs(word) or _may_be_server(one)
    return not is_name and policy.misnamed(word) is None and nearest(word, _WORDS) is None


def _may_be_server(one: Value) -> bool:
    return policy.may_be_server(one.text) and nearest(one.text, _WORDS) is None


def no_tools_of_cli(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding where no entry names a tool of the CLI; less if it is one of VS Code."""
    value = file.reading.effective.settings.get(ALLOW)
    if not header.loads(file) or value is None or not value.items or value.key is None:
        return
    if not any(policy.known_to_cli(one.text) for one in value.items):
        named = (one for one in value.items if one.text)
        is_for_vs = any(policy.known_to_vs(one.text) or _may_be_server(one) for one in named)
        thing = f"no entry of {code(ALLOW)} names a tool: the agent has none but `skill` and `sql`"
        yield Finding(value.key, thing, Severity.INFORMATION if is_for_vs else None)


def older_name(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on `infer` alone, which both programs still read."""
    settings = file.reading.effective.settings
    infer = settings.get("infer")
    if not header.parses(file) or infer is None or "disable-model-invocation" in settings:
        return
    if infer.key is not None:
        key, value = "disable-model-invocation", "false" if infer.value else "true"
        thing = "`infer` is an older key, which both programs still read"
        message = f"{thing}; write {code(f'{key}: {value}')}"
        yield Finding(infer.key, message, tags=(Tag.DEPRECATED,), meant=(key, value))


def unknown_value(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a `target` that is none, and on each such switch of a hand-off."""
    yield from handoff_switches(file)
    value = file.reading.effective.settings.get("target")
    names = [choice.name for choice in TARGETS]
    if value is None or not header.parses(file) or value.text in ("", *names):
        return
    meant = nearest(value.text, names)
    thing = f"unknown `target` {code(value.text)}, and VS Code marks an error"
    fix = f"did you mean {code(meant)}?" if meant else f"use {listed(names)}"
    yield Finding(value.span, f"{thing}; {fix}", meant=(meant,) if meant else ())


def unknown_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields the findings on keys that neither program knows; an author's own is only a hint."""
    if not _is_cli(file):
        yield from _key_with_signs(file)
    top = header.root(file)
    outer = {entry.key.span for entry in top.entries} if top is not None else set()
    for one in keys.unknown_key(file):
        word = one.span.of(file.document.text).strip("\"'")
        if one.span in outer:
            if word in NAMES or (not one.meant and _is_of_other(file, word)):
                continue
            if word in IGNORED:
                message = f"no program reads {code(word)}: {IGNORED[word]}"
                yield Finding(one.span, message, Severity.HINT)
                continue
        elif not _is_in(file, one, "handoffs"):
            # Those of servers, of hooks and of GitHub have checks of their own.
            continue
        is_own = one.severity is Severity.INFORMATION and not one.meant
        yield replace(one, severity=Severity.HINT) if is_own else one


def _key_with_signs(file: TemplateFile) -> Iterator[Finding]:
    """The findings on keys in Markdown, as in `**tools**`, which only VS Code reads as keys."""
    found = reading.header(file.document).entries if header.parses(file) else ()
    names, top = {one.name for one in found}, header.root(file)
    told = {one.key.span for one in top.entries if one.name} if top is not None else set()
    for one in found:
        meant = reading.meant_by(f"{one.name}:")
        if meant is None or one.name in _NAMED or meant[0] in names or one.key.span in told:
            continue
        right = ALLOW if meant[0] in INSTEAD_OF_TOOLS else meant[0]
        effect = ", so the agent gets every tool" if right == ALLOW else ""
        thing = f"VS Code reads {code(one.name or '')} as a key of its own"
        yield Finding(one.key.span, f"{thing}{effect}; write {code(right)}", meant=(right,))


_NAMED = frozenset({*NAMES, *INSTEAD_OF_TOOLS})


def _is_of_other(file: TemplateFile, word: str) -> bool:
    """Whether the other program that reads the file has a key of which `word` is a misspelling."""
    others = readers_at(file.scope, file.path) - {sessions.CLI_ID if _is_cli(file) else "vscode"}
    is_read = len(readers_in_use(file.dialect, file.options)) > 1 and bool(others)
    own, other = facts.KEYS, facts.KEYS_OF_CLI
    if _is_cli(file):
        own, other = other, own
    return (
        is_read and nearest(word, _names(other)) is not None and nearest(word, _names(own)) is None
    )


def _names(keys_: tuple[Key, ...]) -> list[str]:
    return [key.name for key in keys_]


def _is_cli(file: TemplateFile) -> bool:
    return file.program == facts.CLI


def _is_in(file: TemplateFile, one: Finding, key: str) -> bool:
    top = header.root(file)
    entry = top.get(key) if top is not None else None
    return entry is not None and entry.span.start <= one.span.start < entry.span.end


def file_name(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a file whose extension is in another case; others may be texts."""
    if file.name is None and file.document.frontmatter.fence is FenceKind.CLOSED:
        yield from files.file_name(file)


def header_missing(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a file without a header; one that may be a text is information."""
    is_below = file.path.parent != file.scope.folder or file.path.name == README
    if is_below and not file.path.name.endswith(AGENT):
        # Documentation, of which the CLI complains without consequence.
        return
    is_meant = file.path.name.endswith((AGENT, CHAT_MODE))
    for one in headers.header_missing(file):
        lowered = one if is_meant else replace(one, severity=Severity.INFORMATION)
        yield lowered if _is_cli(file) and _is_read_by_vs(file) else _of_both(file, lowered)


def _is_read_by_vs(file: TemplateFile) -> bool:
    """Whether VS Code sees a header where Copilot CLI does not, as with line ends of CR alone."""
    return reading.split(file.document.text, True).fence is not FenceKind.ABSENT


def header_unclosed(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a header without an end."""
    for one in headers.header_unclosed(file):
        yield _of_both(file, one)


def _of_both(file: TemplateFile, one: Finding) -> Finding:
    """The finding of each program on one fault, in the same words, so that it is one for both."""
    if len(readers_in_use(file.dialect, file.options)) < len(file.dialect.variants.readers):
        return one
    said = file.dialect.format.consequence
    losses = tuple(filter(None, (said.unclosed, said.header_absent)))
    loss = next((each for each in losses if each in one.message), None)
    severity = one.severity or Severity.ERROR
    if loss is None:
        return replace(one, severity=severity)
    fence = file.document.frontmatter.fence
    if _is_cli(file) and fence is FenceKind.CLOSED:
        # VS Code reads such a header, and has a finding of its own.
        return replace(one, message=one.message.replace(loss, facts.REFUSED), severity=severity)
    is_open = fence is FenceKind.UNCLOSED
    both = f"{facts.UNCLOSED if is_open else facts.ABSENT}, and {facts.REFUSED}"
    return replace(one, message=one.message.replace(loss, both), severity=severity)


def missing_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a missing description, and one on each server without required keys."""
    lacking = header.errors(file, LoadErrorKind.MISSING)
    of_servers = {error.span for error in lacking if error.key.startswith(f"{mcp_servers.KEY}.")}
    yield from (one for one in values.missing_key(file) if one.span not in of_servers)
    yield from mcp_servers.missing_key(file)


def agent_name(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a name without text, which is the agent's name in VS Code."""
    name = file.reading.effective.settings.get("name")
    if header.parses(file) and name is not None and name.key is not None and not name.text:
        thing = "`name` is empty, and so is the name of the agent, so nothing calls it"
        yield Finding(
            name.key, f"{thing}; write one, or remove the key to use the name of the file"
        )


def invalid_value(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a list of models with none in it, or with a blank one."""
    for error in header.errors(file, LoadErrorKind.BLANK_ITEM):
        has_items = error.span.of(file.document.text).strip("[] \t\r\n") != ""
        thing = f"{code(error.key)} has {'a blank item' if has_items else 'no item'}"
        yield Finding(error.span, refused(file, thing, "write a model, or remove it"))


def contradiction(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on `infer` beside the switch that the other program prefers."""
    settings = file.reading.effective.settings
    infer, off = settings.get("infer"), settings.get("disable-model-invocation")
    if not header.parses(file) or infer is None or off is None or infer.key is None:
        return
    if infer.value is off.value:
        thing = "`infer` and `disable-model-invocation` contradict each other"
        said = (
            "VS Code uses `infer`, and Copilot CLI uses `disable-model-invocation`; remove `infer`"
        )
        yield Finding(infer.key, f"{thing}: {said}")


def under_target(run: _Run) -> _Run:
    """The check `run` with information for errors in a file that is written for VS Code."""

    def lowered(file: TemplateFile) -> Iterator[Finding]:
        is_for_vs = _is_for_vs(file)
        for one in run(file):
            severity = one.severity
            yield (
                replace(one, severity=Severity.INFORMATION)
                if is_for_vs
                and severity
                in (
                    None,
                    Severity.ERROR,
                    Severity.WARNING,
                )
                else one
            )

    return lowered


def _is_for_vs(file: TemplateFile) -> bool:
    top = header.root(file)
    entry = top.get("target") if top is not None else None
    node = resolve(entry.value) if entry is not None else None
    return isinstance(node, Scalar) and node.value == "vscode"


_OF_KEY = frozenset({Field.LOADS, Field.KEY})
_OF_TOOLS = frozenset({Field.TOOLS})


def lost_text_as_comment(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each text that VS Code cuts at a `#`; it knows no tags and no anchors."""
    for one in unquoted_text.lost_text(file):
        if one.span.of(file.document.text).startswith("#"):
            yield one


BOTH: tuple[Check, ...] = (
    replace(files.FILE_NAME, run=file_name),
    Check(("header-missing",), header_missing, changes=ANY_FIELD, basis=Basis.FILE),
    Check(("header-unclosed",), header_unclosed, changes=ANY_FIELD, basis=Basis.FILE),
    Check(("unknown-key",), unknown_key, changes=_OF_KEY),
    Check(("older-name",), older_name, changes=_OF_KEY),
)
OF_VS: tuple[Check, ...] = (
    Check(("header-invalid",), shapes.header_invalid, changes=ANY_FIELD, basis=Basis.FILE),
    replace(unquoted_text.LOST_TEXT, run=lost_text_as_comment),
    Check(("unset-allow-list",), unset_allow_list, changes=frozenset(), basis=Basis.ABSENCE),
    Check(("no-tools",), no_tools, changes=_OF_TOOLS, basis=Basis.ABSENCE),
    Check(("unknown-tool",), unknown_tool, changes=_OF_TOOLS),
    Check(("renamed-tool",), renamed_tool, changes=_OF_TOOLS),
    Check(("unknown-tool",), unknown_tool_behind_a_setting, changes=_OF_TOOLS),
    Check(("contradiction",), contradiction, changes=_OF_KEY),
    Check(("agent-name",), agent_name, changes=frozenset({Field.NAME})),
    Check(("unknown-value",), unknown_value, changes=_OF_KEY),
)
OF_CLI: tuple[Check, ...] = (
    Check(("missing-key",), missing_key, changes=_OF_KEY, basis=Basis.ABSENCE),
    Check(("invalid-value",), invalid_value, changes=_OF_KEY),
    Check(("no-tools",), no_tools_of_cli, changes=_OF_TOOLS, basis=Basis.ABSENCE),
    Check(("unknown-tool",), unknown_tool_of_cli, changes=_OF_TOOLS),
)
# Shared checks whose findings the system changes.
REPLACED = (
    headers.header_missing,
    headers.header_unclosed,
    shared_tool_entries.no_tools,
    shared_tool_entries.unknown_tool,
    keys.unknown_key,
    values.missing_key,
)
