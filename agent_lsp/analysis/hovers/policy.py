"""Hover on a tool policy: which tools the agent really gets, and what an entry does to them."""

from collections.abc import Iterator

from agent_lsp.analysis import markdown
from agent_lsp.analysis.hovers import meant
from agent_lsp.analysis.markup import code, codes, link, words
from agent_lsp.analysis.nearest import nearest
from agent_lsp.analysis.tools import is_vouched, known_tools
from agent_lsp.dialects import stand_ins
from agent_lsp.dialects.answers import Verdict
from agent_lsp.dialects.template import Value
from agent_lsp.dialects.vocabulary import Holds, Key
from agent_lsp.workspace.index import Subject
from agent_lsp.workspace.servers import matching, servers_of

# Deep enough to see every difference that nesting makes.
_DEPTHS = range(2, 4)


def toolset(of: Subject) -> Iterator[str]:
    """The effective tools, with the reason for each removal."""
    but = markdown.exceptions(of.dialect, meant.reading(of))
    yield "\n".join(markdown.toolset(of.workspace, of.path, meant.toolset(of), but))
    if "tools" in of.dialect.notes:
        yield words(of.dialect.notes["tools"])


def entry(of: Subject, key: Key, name: str) -> Iterator[str]:
    """What one entry of a list is about."""
    marked = _stand_in(of, key, name)
    if not name:
        yield "An empty entry is dropped"
    elif marked is not None:
        yield f"{code(name)} is a **stand-in**: the runtime's own list has {marked.stands_for} here"
        yield "Whether this agent has one of the tools that it matches cannot be told"
    elif key.holds is not None and of.dialect.void and (why := of.dialect.void(key.holds, name)):
        yield f"**No effect**: {words(why)}"
    elif of.dialect.is_pattern(name):
        yield from _pattern(of, key, name)
    else:
        yield from _tool(of, name)


def _tool(of: Subject, name: str) -> Iterator[str]:
    verdict = meant.toolset(of, (name,)).verdicts[0]
    names = known_tools(of.dialect, of.options)
    vouched = is_vouched(of.dialect, of.options, name)
    if name not in names and not vouched and not of.dialect.cannot_tell(name):
        close = nearest(name, names)
        hint = f"; did you mean {code(close)}?" if close else ""
        yield f"{code(name)} is **no tool that is known here**: the entry may have no effect{hint}"
        return
    has = "this agent has it" if verdict.kept else "this agent does not have it"
    if not verdict.certain:
        has = "this agent may have it"
    elif verdict.condition:
        has = "this agent has it where it exists"
    yield f"**{code(name)}: {has}**, {words(verdict.reason)}{_entry(of, verdict)}"
    shipped = (*of.dialect.tools, *of.dialect.withheld)
    tool = next((tool for tool in shipped if tool.name == name), None)
    if tool is not None:
        yield f"It {words(tool.meaning)} ({tool.group})"
        if verdict.condition:
            yield f"It exists only if {words(verdict.condition)}"
    elif vouched:
        yield "The runtime does not ship it; your settings name it"
    else:
        yield "A tool of an MCP server: it exists where that server runs and offers it"
        yield from _server(of, name)
    yield from _nested(of, verdict)
    if name in of.dialect.notes:
        yield _sentence(words(of.dialect.notes[name]))
    if tool is not None and verdict.kept:
        yield from (_sentence(words(note)) for note in tool.notes)


def _nested(of: Subject, verdict: Verdict) -> Iterator[str]:
    """Where the agent loses the tool when it is spawned further down."""
    for depth in _DEPTHS if verdict.kept else ():
        deeper = meant.toolset(of, (verdict.tool,), depth).verdicts[0]
        if not deeper.kept:
            yield f"Not when it is spawned at depth {depth}: {words(deeper.reason)}"
            return


def _pattern(of: Subject, key: Key, pattern: str) -> Iterator[str]:
    names = known_tools(of.dialect, of.options)
    covered = tuple(name for name in names if of.dialect.matches(pattern, name))
    known = f"the {len(names)} tools known here"
    does = "denies" if key.holds is Holds.DENY else "allows"
    mcp = "any MCP tool of that shape" if of.dialect.cannot_tell(pattern) else ""
    if covered:
        also = f", and {mcp}" if mcp else ""
        yield f"{code(pattern)} {does} {len(covered)} of {known}{also}: {codes(covered)}"
    elif mcp:
        yield f"{code(pattern)} {does} {mcp}, and none of {known}"
    else:
        yield f"{code(pattern)} matches none of {known}"
    if mcp:
        yield "Which MCP tools there are, only the running servers can tell"
        yield from _server(of, pattern)
    if mcp and key.holds is Holds.ALLOW and pattern not in meant.toolset(of, ()).open_patterns:
        yield "But every MCP tool of that shape is denied"
    elif mcp and key.holds is Holds.ALLOW:
        yield _sentence(markdown.exceptions(of.dialect, meant.reading(of)).removeprefix(", "))
    removed = () if key.holds is Holds.DENY else meant.toolset(of, covered).removed
    if removed:
        yield "But this agent does not have:"
        yield "\n".join(f"- {code(v.tool)}, {words(v.reason)}{_entry(of, v)}" for v in removed)


def _server(of: Subject, entry: str) -> Iterator[str]:
    """Where the server is configured whose tools an entry means."""
    server = matching(servers_of(of), entry)
    if server is not None:
        yield f"The server {code(server.name)} is configured in {link(of.workspace, server.path)}"


def _stand_in(of: Subject, key: Key, name: str) -> Value | None:
    """The entry, if it only stands in for what the runtime has there."""
    marked = stand_ins.found(of.reading.written.settings)
    return next((item for found, item in marked if (found, item.text) == (key.name, name)), None)


def _sentence(said: str) -> str:
    return f"{said[:1].upper()}{said[1:]}"


def _entry(of: Subject, verdict: Verdict) -> str:
    return f" ({link(of.workspace, of.path, verdict.entry)})" if verdict.entry else ""
