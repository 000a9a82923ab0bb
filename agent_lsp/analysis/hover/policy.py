"""Explains a tool policy: the tools that the agent gets, and the effect of each entry on them."""

from collections.abc import Iterator

from agent_lsp.analysis import render
from agent_lsp.analysis.preview import as_written, programs
from agent_lsp.analysis.render import code, codes, link, words
from agent_lsp.analysis.suggest import is_vouched, known_tools, nearest
from agent_lsp.model import template
from agent_lsp.model.runtime import Verdict
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.model.template import LoadErrorKind, Value
from agent_lsp.workspace.mcp_servers import McpServer, configured_for, matching, place_of
from agent_lsp.workspace.named_servers import NamedServer, server_of
from agent_lsp.workspace.snapshot import TemplateFile, as_programs_read

# Deep enough to see every difference that nesting makes.
_DEPTHS = range(2, 4)
# A longer list is no answer in a line.
_MOST_KEPT = 15


def toolset(file: TemplateFile) -> Iterator[str]:
    """The effective tools, and how many were removed for each reason; a preview has the rest."""
    found = as_written.toolset(file)
    kept = [verdict.tool for verdict in found.kept]
    more = f" and {len(kept) - _MOST_KEPT} more" if len(kept) > _MOST_KEPT else ""
    names = f": {codes(kept[:_MOST_KEPT])}{more}" if kept else ""
    yield f"Keeps {render.count(found)}{names}"
    if found.open_patterns:
        but = render.exceptions(file.dialect, as_written.reading(file))
        yield f"Also any MCP tool that matches {codes(found.open_patterns)}{but}."
    for title, is_certain in (("Removed", True), ("Kept or removed", False)):
        group = [verdict for verdict in found.removed if verdict.certain is is_certain]
        if group:
            yield f"{title}:"
            yield "\n".join(_counts(file, group))
    yield from (f"In {words(programs.line(one))}" for one in as_programs_read(file))
    if "tools" in file.dialect.findings.notes:
        yield _sentence(words(file.dialect.findings.notes["tools"]))


def _counts(file: TemplateFile, verdicts: list[Verdict]) -> Iterator[str]:
    """For each reason how many tools it concerns, the most frequent first; a single one by name."""
    by_reason: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        by_reason.setdefault(verdict.reason, []).append(verdict)
    for reason, group in sorted(by_reason.items(), key=lambda one: -len(one[1])):
        what = code(group[0].tool) if len(group) == 1 else f"{len(group)} tools"
        yield f"- {what}: {words(reason)}{_entry(file, group[0])}"


def entry(file: TemplateFile, key: Key, name: str) -> Iterator[str]:
    """The hover of one entry of a list, in each program of the system."""
    yield from _entry_in_program(file, key, name)
    for other in as_programs_read(file):
        tools = other.dialect.tools
        covered = [one.name for one in tools.listed if tools.matches(name, one.name)]
        does = codes(covered) if covered else "no known tool"
        if name and not (tools.cannot_tell(name) and not covered):
            yield f"In {words(other.program)}, {code(name)} is {does}"


def _entry_in_program(file: TemplateFile, key: Key, name: str) -> Iterator[str]:
    marked = _stand_in(file, key, name)
    if not name:
        yield "An empty entry is dropped"
    elif marked is not None:
        yield f"{code(name)} is a **stand-in**: the runtime's own list has {marked.stands_for} here"
        yield "It is unknown whether this agent has one of the tools that it matches"
    elif (
        key.role is not None
        and file.dialect.tools.void
        and (why := file.dialect.tools.void(key.role, name))
    ):
        yield f"**No effect**: {words(why)}"
    elif file.dialect.tools.is_pattern(name):
        yield from _pattern(file, key, name)
    else:
        yield from _word(file, key, name)


def _word(file: TemplateFile, key: Key, name: str) -> Iterator[str]:
    """The explanation of a tool, or of a name that no tool has and that stands for some."""
    names, tools = known_tools(file.dialect, file.options), file.dialect.tools
    is_own = name in names or tools.cannot_tell(name)
    meant = () if is_own else tuple(one for one in names if tools.matches(name, one))
    if len(meant) > 1:
        yield from _pattern(file, key, name)
        return
    if meant:
        yield f"{code(name)} is another name of {code(meant[0])}"
    yield from _tool(file, meant[0] if meant else name)


def _tool(file: TemplateFile, name: str) -> Iterator[str]:
    verdict = as_written.toolset(file, (name,)).verdicts[0]
    names = known_tools(file.dialect, file.options)
    vouched = is_vouched(file.dialect, file.options, name)
    if name not in names and not vouched and not file.dialect.tools.cannot_tell(name):
        yield _unknown(file, name, names)
        return
    has = "this agent has it" if verdict.kept else "this agent does not have it"
    if not verdict.certain:
        has = "this agent may have it"
    elif verdict.condition:
        has = "this agent has it where it exists"
    yield f"**{code(name)}: {has}**, {words(verdict.reason)}{_entry(file, verdict)}"
    shipped = (*file.dialect.tools.listed, *file.dialect.tools.withheld)
    tool = next((tool for tool in shipped if tool.name == name), None)
    if tool is not None:
        yield f"It {words(tool.meaning)} ({tool.group})"
        if verdict.condition:
            yield f"It exists only if {words(verdict.condition)}"
    elif vouched:
        yield "The runtime does not ship it; your settings name it"
    else:
        yield "A tool of an MCP server: it exists where that server runs and offers it"
        yield from _server(file, name)
    yield from _nested(file, verdict)
    if name in file.dialect.findings.notes:
        yield _sentence(words(file.dialect.findings.notes[name]))
    if tool is not None and verdict.kept:
        yield from (_sentence(words(note)) for note in tool.notes)


def _unknown(file: TemplateFile, name: str, names: tuple[str, ...]) -> str:
    """The explanation of a name that is none of the `names` of tools."""
    close = nearest(name, names)
    hint = f"; did you mean {code(close)}?" if close else ""
    has = "has" if file.dialect.variants.measured else "may have"
    loss = f"the entry {has} no effect"
    wrong = file.dialect.tools.misnamed(name) if file.dialect.tools.misnamed else None
    if wrong is not None:
        return f"{code(name)} is **not a known tool**: the entry has no effect; {wrong.fix}"
    errors = (one for one in file.reading.errors if one.kind is LoadErrorKind.CHOICE)
    if any(one.got == name for one in errors):
        loss = "the runtime refuses the file because of it"
    return f"{code(name)} is **not a known tool**: {loss}{hint}"


def _nested(file: TemplateFile, verdict: Verdict) -> Iterator[str]:
    """The depth at which the agent loses the tool."""
    for depth in _DEPTHS if verdict.kept else ():
        deeper = as_written.toolset(file, (verdict.tool,), depth).verdicts[0]
        if not deeper.kept:
            yield f"Not when it is spawned at depth {depth}: {words(deeper.reason)}"
            return


def _pattern(file: TemplateFile, key: Key, pattern: str) -> Iterator[str]:
    names = known_tools(file.dialect, file.options)
    covered = tuple(name for name in names if file.dialect.tools.matches(pattern, name))
    known = f"the {len(names)} tools known here"
    does = "denies" if key.role is KeyRole.DENY else "allows"
    mcp = "any MCP tool of that form" if file.dialect.tools.cannot_tell(pattern) else ""
    if covered:
        also = f", and {mcp}" if mcp else ""
        yield f"{code(pattern)} {does} {len(covered)} of {known}{also}: {codes(covered)}"
    elif mcp:
        yield f"{code(pattern)} {does} {mcp}, and none of {known}"
    else:
        yield f"{code(pattern)} matches none of {known}"
    if mcp:
        yield "Only the running servers know which MCP tools exist"
        yield from _server(file, pattern)
    if (
        mcp
        and key.role is KeyRole.ALLOW
        and pattern not in as_written.toolset(file, ()).open_patterns
    ):
        yield "But every MCP tool of that form is denied"
    elif mcp and key.role is KeyRole.ALLOW:
        yield _sentence(
            render.exceptions(file.dialect, as_written.reading(file)).removeprefix(", ")
        )
    removed = () if key.role is KeyRole.DENY else as_written.toolset(file, covered).removed
    if removed:
        yield "But this agent does not have:"
        yield "\n".join(f"- {code(v.tool)}, {words(v.reason)}{_entry(file, v)}" for v in removed)


def _server(file: TemplateFile, entry: str) -> Iterator[str]:
    """The configuration of the server of an entry's tools."""
    named = file.dialect.tools.servers
    servers = configured_for(file)
    server = matching(servers, entry)
    if server is not None:
        yield _configured(file, server)
    elif servers and named is not None and not named.may_be_other:
        for name in (span.of(entry) for span in named.in_entry(entry)[:1]):
            if not named.is_elsewhere(name):
                yield f"No configuration has the server {code(name)}"


def server(file: TemplateFile, named: NamedServer) -> Iterator[str]:
    """The hover of an entry that is the name of a server."""
    found = server_of(file, named)
    if found is None:
        yield f"No configuration has the MCP server {code(named.name)}"
    else:
        yield _configured(file, found)


def _configured(file: TemplateFile, server: McpServer) -> str:
    place = link(file.workspace, server.path, place_of(server, file.workspace.files))
    off = "" if server.is_on else ", and switched off"
    return f"The server {code(server.name)} is configured in {place}{off}"


def _stand_in(file: TemplateFile, key: Key, name: str) -> Value | None:
    """The entry, if it is a stand-in for one in the runtime."""
    marked = template.shipped_stand_ins(file.reading.declared.settings)
    return next((item for found, item in marked if (found, item.text) == (key.name, name)), None)


def _sentence(said: str) -> str:
    return f"{said[:1].upper()}{said[1:]}"


def _entry(file: TemplateFile, verdict: Verdict) -> str:
    return f" ({link(file.workspace, file.path, verdict.entry)})" if verdict.entry else ""
