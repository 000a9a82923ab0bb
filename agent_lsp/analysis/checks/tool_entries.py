"""Checks the entries of tool policies: those without effect, and those that leave no tool."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from agent_lsp.analysis.checks import coerce, header, tool_policy
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.tool_policy import Suggestion, suggestion
from agent_lsp.model.check import Basis, Check, Field, Finding, Related, Tag
from agent_lsp.model.schema import Key, KeyRole, Severity
from agent_lsp.model.template import Reading, Value
from agent_lsp.syntax.document import memoised
from agent_lsp.syntax.nodes import Node, Scalar
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_DOES = {KeyRole.ALLOW: "allows", KeyRole.DENY: "denies"}


def unknown_tool(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each entry that covers no known tool but may have been meant to."""
    if not header.parses(file):
        return
    left = _Left(file)
    for holds, entries in left.policy.entries.items():
        found = (said for entry in entries if (said := _say(left, holds, entry)))
        yield from (said for said in found if said.span not in _superfluous(file, holds))


@memoised
def _superfluous(file: TemplateFile, holds: KeyRole) -> frozenset[Span]:
    """The spans of entries that another entry makes redundant."""
    return frozenset(entry.span for entry, _ in tool_policy.covering(file)[holds])


class _Left:
    """The tools that the policy leaves, computed on demand and once for all entries."""

    def __init__(self, file: TemplateFile) -> None:
        self.file = file
        self.policy = tool_policy.policy(file)

    @cached_property
    def nothing(self) -> bool:
        """Whether the policy has allowed entries but leaves no tool."""
        return self.policy.denier is None and tool_policy.allows_nothing(self.file)

    @cached_property
    def is_reported(self) -> bool:
        """Whether this is a finding of its own."""
        return tool_policy.is_reported(self.file)


def _say(left: _Left, holds: KeyRole, entry: Value) -> Finding | None:
    """The message for an entry by itself."""
    file = left.file
    heir = file.dialect.tools.retired.get(entry.text)
    if heir is None and entry.text in left.policy.recognised:
        return None
    if heir is not None and not (holds is KeyRole.ALLOW and left.is_reported):
        message = f"{code(entry.text)} no longer exists: use {code(heir)}"
        tags = (Tag.DEPRECATED,)
        return Finding(entry.span, message, Severity.HINT, tags, meant=(heir,))
    found = suggestion(file, entry) if heir is None else None
    if found is not None:
        message = f"{_thing(file, entry.text)}: {_effect(left, holds, found)}; {found.fix}"
        is_fatal = file.dialect.tools.nothing_left and holds is KeyRole.ALLOW and left.nothing
        severity = Severity.ERROR if is_fatal else None
        return Finding(entry.span, message, severity, meant=found.meant)
    if entry.text in left.policy.recognised or tool_policy.cannot_tell(file, entry.text):
        return None
    if holds is KeyRole.ALLOW and left.is_reported:
        return None
    unless = "unless the runtime has a tool of this name"
    message = f"{_thing(file, entry.text)}: it {_DOES[holds]} nothing, {unless}"
    return Finding(entry.span, message, Severity.INFORMATION)


def _thing(file: TemplateFile, entry: str) -> str:
    if file.dialect.tools.is_pattern(entry):
        return f"no known tool matches {code(entry)}"
    return f"unknown tool {code(entry)}"


def _effect(left: _Left, holds: KeyRole, found: Suggestion) -> str:
    """The effect of the mistake on the agent's tools."""
    effect = f"it {_DOES[holds]} nothing"
    if holds is KeyRole.ALLOW:
        loss = left.file.dialect.tools.nothing_left or "the agent has no tools"
        return f"{effect}, so {loss}" if left.nothing else effect
    kept = _kept(left.file, found)
    if not kept:
        return effect
    return f"{effect}, so the agent keeps the {'tool' if kept == 1 else 'tools'}"


def _kept(file: TemplateFile, found: Suggestion) -> int:
    """The number of tools that the agent keeps although the author wanted to deny them."""
    matches, written = file.dialect.tools.matches, file.reading.declared
    names = tool_policy.policy(file).names
    meant = tuple(name for name in names if any(matches(entry, name) for entry in found.meant))
    return len(file.dialect.tools.toolset(Reading(written, written), meant, 1).kept)


UNKNOWN_TOOL = Check(
    ("unknown-tool",),
    unknown_tool,
    changes=frozenset({Field.TOOLS}),
    needs=(KeyRole.ALLOW, KeyRole.DENY),
)


def unavailable_tool(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each allowed tool that the runtime withholds from all agents."""
    withheld = {tool.name for tool in file.dialect.tools.withheld}
    if not withheld or not header.parses(file):
        return
    if file.dialect.references.reach.session_key in file.reading.declared.settings:
        return
    entries = tool_policy.policy(file).entries[KeyRole.ALLOW]
    if not any(entry.text in withheld for entry in entries):
        return
    verdicts = file.dialect.tools.toolset(
        file.reading, tuple(entry.text for entry in entries), 1
    ).verdicts
    lost = [not verdict.kept and verdict.tool in withheld for verdict in verdicts]
    is_fatal = bool(file.dialect.tools.nothing_left) and all(lost)
    for entry, verdict, is_lost in zip(entries, verdicts, lost, strict=False):
        if is_lost:
            effect = f"has no effect: {verdict.reason}"
            if is_fatal:
                effect += f", and nothing else is allowed: {file.dialect.tools.nothing_left}"
            severity = Severity.ERROR if is_fatal else None
            yield Finding(entry.span, f"{code(entry.text)} {effect}", severity)


UNAVAILABLE_TOOL = Check(
    ("unavailable-tool",), unavailable_tool, changes=frozenset(), needs=(KeyRole.ALLOW,)
)


def redundant_entry(file: TemplateFile) -> Iterator[Finding]:
    """Yields a hint on each entry that another entry of its list makes superfluous."""
    if not header.parses(file):
        return
    for covered in tool_policy.covering(file).values():
        for entry, other in covered:
            if entry.text == other.text:
                thing, where = f"{code(entry.text)} is in this list twice", "the first time"
            else:
                thing = f"{code(entry.text)} is covered by {code(other.text)}"
                where = "covered here"
            related = (Related(file.path, other.span, where),)
            message = f"{thing}: this entry changes nothing"
            yield Finding(entry.span, message, tags=(Tag.UNNECESSARY,), related=related)


REDUNDANT_ENTRY = Check(
    ("redundant-entry",),
    redundant_entry,
    changes=frozenset(),
    needs=(KeyRole.ALLOW, KeyRole.DENY),
)


def allowed_and_denied(file: TemplateFile) -> Iterator[Finding]:
    """Yields a hint on each allowed entry whose tools are all denied."""
    if not header.parses(file) or tool_policy.is_reported(file):
        return
    own = tool_policy.policy(file)
    for allowed in own.entries[KeyRole.ALLOW]:
        deny = own.denied.get(allowed.text)
        if deny is None:
            continue
        by = "" if deny.text == allowed.text else f" by {code(deny.text)}"
        message = f"{code(allowed.text)} is denied{by}, and deny wins: this entry has no effect"
        related = (Related(file.path, deny.span, "denied here"),)
        yield Finding(allowed.span, message, tags=(Tag.UNNECESSARY,), related=related)


ALLOWED_AND_DENIED = Check(
    ("allowed-and-denied",),
    allowed_and_denied,
    changes=frozenset(),
    needs=(KeyRole.DENY,),
)


_NONE = "the agent has no tools"


def no_tools(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding if no tool is left, unless a misspelt entry is the cause."""
    key = file.dialect.schema.by_role.get(KeyRole.ALLOW)
    if key is None or not header.parses(file):
        return
    if tool_policy.is_settled(file, KeyRole.ALLOW) and _is_without_entries(file, key):
        yield _nothing_written(file, key)
        return
    if not tool_policy.is_reported(file):
        return
    denier = tool_policy.policy(file).denier
    yield _nothing_allowed(file, key) if denier is None else _all_denied(file, key, denier)


def _is_without_entries(file: TemplateFile, key: Key) -> bool:
    """Whether the runtime reads an allow list as empty, although it is not written as one."""
    value = header.held(file).settings.get(key.name)
    items = tool_policy.policy(file).items[KeyRole.ALLOW]
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
    if tool_policy.policy(file).items[KeyRole.ALLOW]:
        thing = f"{code(key.name)} has blank entries only, which are dropped"
    elif header.is_empty(_node(file, key)):
        thing = f"{code(key.name)} has no value"
    else:
        thing = f"{code(key.name)} has no entries"
    # Another key may give the agent tools whatever the list says.
    reading = header.reading_held(file)
    kept = [
        code(verdict.tool)
        for verdict in file.dialect.tools.toolset(reading, tool_policy.policy(file).names, 1).kept
    ]
    left = f"the agent has no tools but {', '.join(kept)}" if kept else _NONE
    fix = "write `[]` if that is intended, or remove the key for all tools"
    span = reading.effective.settings[key.name].key or header.opening(file)
    return Finding(span, f"{thing}: {left}; {fix}")


def _all_denied(file: TemplateFile, key: Key, denier: Value) -> Finding:
    thing = f"{code(denier.text)} denies every tool"
    if not tool_policy.policy(file).entries[KeyRole.ALLOW]:
        return Finding(denier.span, f"{thing}: {_NONE}", Severity.INFORMATION)
    allow = code(key.name)
    fix = f"remove it: a tool that is not in {allow} is denied anyway"
    return Finding(denier.span, f"{thing}, whatever {allow} says: {_NONE}; {fix}")


def _nothing_allowed(file: TemplateFile, key: Key) -> Finding:
    own = tool_policy.policy(file)
    allowed, lost = own.entries[KeyRole.ALLOW], own.denied
    span = file.reading.declared.settings[key.name].key or allowed[0].span
    denied = [lost[entry.text] for entry in allowed if entry.text in lost]
    places = dict.fromkeys(by.span for by in denied)
    related = tuple(Related(file.path, place, "denied here") for place in places)
    if len(denied) == len(allowed) and file.dialect.tools.nothing_left and _in_part(lost, allowed):
        thing = f"each entry of {code(key.name)} is denied, at least for some uses"
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


NO_TOOLS = Check(
    ("no-tools",),
    no_tools,
    changes=frozenset({Field.TOOLS}),
    basis=Basis.ABSENCE,
    needs=(KeyRole.ALLOW, KeyRole.DENY),
)
