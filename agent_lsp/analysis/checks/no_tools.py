"""Checks for a tool policy that leaves the agent no tool."""

from collections.abc import Iterator, Mapping

from agent_lsp.analysis.checks import coerce, header, tool_policy
from agent_lsp.analysis.checks.messages import code
from agent_lsp.model.check import Basis, Check, Field, Finding, Related
from agent_lsp.model.schema import Key, KeyRole, Severity
from agent_lsp.model.template import Value
from agent_lsp.syntax.nodes import Node, Scalar
from agent_lsp.workspace.snapshot import TemplateFile

_NONE = "the agent has no tools"


def no_tools(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding if no tool is left, unless a misspelt entry is the cause."""
    key = file.dialect.key_with_role(KeyRole.ALLOW)
    if key is None or not header.parses(file):
        return
    if tool_policy.is_settled(file, KeyRole.ALLOW) and _is_without_entries(file, key):
        yield _nothing_written(file, key)
        return
    if not tool_policy.is_reported(file):
        return
    denier = tool_policy.denier(file)
    yield _nothing_allowed(file, key) if denier is None else _all_denied(file, key, denier)


def _is_without_entries(file: TemplateFile, key: Key) -> bool:
    """Whether the runtime reads an allow list as empty, although it is not written as one."""
    value = header.held(file).settings.get(key.name)
    items = tool_policy.items(file, KeyRole.ALLOW)
    # Another check reports an entry that is blank because of a tag or a wrong type.
    is_told = any(possible.key == key.name for possible in file.reading.possible_errors)
    if value is None or value.items or is_told or any(coerce.tag(file, item) for item in items):
        return False
    return bool(items) or isinstance(_node(file, key), Scalar)


def _node(file: TemplateFile, key: Key) -> Node | None:
    top = header.root(file)
    entry = top.get(key.name) if top else None
    return entry.node if entry is not None else None


def _nothing_written(file: TemplateFile, key: Key) -> Finding:
    """Reports a list that allows no tools but looks half typed, or as if it were not set."""
    if tool_policy.items(file, KeyRole.ALLOW):
        thing = f"{code(key.name)} has blank entries only, which are dropped"
    elif header.is_empty(_node(file, key)):
        thing = f"{code(key.name)} has no value"
    else:
        thing = f"{code(key.name)} has no entries"
    # Another key may give the agent tools whatever the list says.
    reading = header.reading_held(file)
    kept = [
        code(verdict.tool)
        for verdict in file.dialect.tools.toolset(reading, tool_policy.names(file), 1).kept
    ]
    left = f"the agent has no tools but {', '.join(kept)}" if kept else _NONE
    fix = "write `[]` if that is intended, or remove the key for all tools"
    span = reading.effective.settings[key.name].key or header.opening(file)
    return Finding(span, f"{thing}: {left}; {fix}")


def _all_denied(file: TemplateFile, key: Key, denier: Value) -> Finding:
    thing = f"{code(denier.text)} denies every tool"
    if not tool_policy.entries(file, KeyRole.ALLOW):
        return Finding(denier.span, f"{thing}: {_NONE}", Severity.INFORMATION)
    allow = code(key.name)
    fix = f"remove it: a tool that is not in {allow} is denied anyway"
    return Finding(denier.span, f"{thing}, whatever {allow} says: {_NONE}; {fix}")


def _nothing_allowed(file: TemplateFile, key: Key) -> Finding:
    allowed = tool_policy.entries(file, KeyRole.ALLOW)
    span = file.reading.declared.settings[key.name].key or allowed[0].span
    lost = tool_policy.denied(file)
    denied = [lost[entry.text] for entry in allowed if entry.text in lost]
    places = dict.fromkeys(by.span for by in denied)
    related = tuple(Related(file.path, place, "denied here") for place in places)
    if len(denied) == len(allowed) and file.dialect.tools.nothing_left and _in_part(lost, allowed):
        thing = f"each entry of {code(key.name)} is denied, if only for some uses"
        message = f"{thing}: {file.dialect.tools.nothing_left}"
        return Finding(span, message, Severity.ERROR, related=related)
    if len(denied) == len(allowed):
        thing = f"each entry of {code(key.name)} is denied, and deny wins"
        return Finding(span, f"{thing}: {_NONE}", related=related)
    thing = f"no entry of {code(key.name)} covers a known tool"
    if denied:
        thing += " that is not denied"
    elif file.dialect.tools.nothing_left:
        return Finding(span, f"{thing}: {file.dialect.tools.nothing_left}", Severity.ERROR)
    unless = "unless the runtime has more than are known here"
    return Finding(span, f"{thing}: {_NONE}, {unless}", related=related)


def _in_part(lost: Mapping[str, Value], allowed: tuple[Value, ...]) -> bool:
    """Whether some tool is missing only because some of its uses are denied."""
    by = [lost[entry.text] for entry in allowed]
    return any("(" in one.written for one in by)


CHECK = Check(("no-tools",), no_tools, changes=frozenset({Field.TOOLS}), basis=Basis.ABSENCE)
