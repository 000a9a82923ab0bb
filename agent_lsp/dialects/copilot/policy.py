"""Decides which tools an agent has in VS Code and in Copilot CLI, and says why.

Facts: VS Code 1.139.1 and Copilot CLI 1.0.102, run 2026-11-28. Without `tools` an agent has every
tool in both. VS Code drops an entry that names nothing, `*` among them; to the CLI `*` is
everything. Both leave an agent without tools if no entry names one; in the CLI an agent that a
person selects has `skill` and `sql` whatever its list says.
"""

from collections.abc import Callable

from agent_lsp.dialects.copilot import cli_tools, vs_tools
from agent_lsp.dialects.copilot.cli_tools import ALWAYS, EVERY
from agent_lsp.model.dialect import Misnamed
from agent_lsp.model.discovery import ServerNames, in_group
from agent_lsp.model.runtime import Toolset, Verdict
from agent_lsp.model.template import Reading, Value
from agent_lsp.patterns import regex

# The label of a server as VS Code makes it: lower case, and `-` for blanks.
_WORD = regex(r"[a-z\d][a-z\d.-]*")
# The names that both programs know, the shortest first.
BOTH = (
    *("read", "edit", "search", "execute", "agent", "web", "todo"),
    *("read/readFile", "search/codebase", "search/textSearch", "search/fileSearch"),
    *("edit/editFiles", "edit/createFile", "execute/runInTerminal", "web/fetch"),
    "agent/runSubagent",
)


def matches(entry: str, name: str) -> bool:
    """Whether an entry gives a tool in VS Code."""
    return entry == name or name in vs_tools.covered(entry) or _of_server(entry, name)


def matches_for_cli(entry: str, name: str) -> bool:
    """Whether an entry gives a tool in the CLI."""
    return entry in (EVERY, name) or name in cli_tools.covered(entry) or _of_server(entry, name)


def _of_server(entry: str, name: str) -> bool:
    return entry.endswith("/*") and name.startswith(entry[:-1]) and len(name) >= len(entry)


def is_pattern(entry: str) -> bool:
    """Whether an entry stands for several tools in VS Code."""
    return entry in vs_tools.SETS or bool(entry.endswith("/*") and vs_tools.server_of(entry))


def is_pattern_for_cli(entry: str) -> bool:
    """Whether an entry stands for several tools in the CLI."""
    several = len(cli_tools.covered(entry)) > 1
    return entry == EVERY or several or bool(entry.endswith("/*") and cli_tools.server_of(entry))


def cannot_tell(entry: str) -> bool:
    """Whether an entry may be tools of an MCP server or of an extension of VS Code."""
    is_known = vs_tools.server_of(entry) is not None or entry in vs_tools.SERVERS
    return is_known or _is_extension(entry)


def _is_extension(entry: str) -> bool:
    """Whether an entry may be all tools of an extension, as in `publisher.extension`."""
    publisher, dot, name = entry.partition(".")
    return bool(dot and publisher and name) and entry == entry.lower() and " " not in entry


def cannot_tell_for_cli(entry: str) -> bool:
    """Whether an entry may be tools of an MCP server."""
    return cli_tools.server_of(entry) is not None


def known_to_vs(entry: str) -> bool:
    """Whether VS Code knows an entry, or may know it."""
    return bool(vs_tools.covered(entry)) or cannot_tell(entry)


def known_to_cli(entry: str) -> bool:
    """Whether the CLI knows an entry, or may know it."""
    return entry == EVERY or bool(cli_tools.covered(entry)) or cannot_tell_for_cli(entry)


def is_tool(entry: str) -> bool:
    """Whether an entry is the name of a tool or a set in one of the programs."""
    return bool(vs_tools.covered(entry) or cli_tools.covered(entry))


def may_be_server(entry: str) -> bool:
    """Whether an entry that is no tool may be all of an MCP server in VS Code, by its bare name."""
    is_word = _WORD.fullmatch(entry) is not None and entry not in vs_tools.GONE
    return is_word and not known_to_cli(entry) and misnamed(entry) is None


def for_both(entry: str) -> str | None:
    """The name in both programs of a tool that one of them knows as `entry`, or None."""
    if entry in vs_tools.SERVERS:
        return f"{entry}/{EVERY}"
    given = frozenset(cli_tools.covered(entry))
    lowered = vs_tools.with_server_in_lower_case(entry)
    if lowered != entry and cannot_tell(lowered) and cannot_tell_for_cli(entry):
        return lowered
    if entry in vs_tools.BY_MODEL and vs_tools.BY_MODEL[entry] in BOTH:
        return vs_tools.BY_MODEL[entry]
    if given:
        same = (one for one in BOTH if frozenset(cli_tools.covered(one)) == given)
        return next(same, None)
    mine = frozenset(vs_tools.covered(entry))
    # A name that only VS Code knows has no other one, unless it is the older name of such a name.
    return next((one for one in BOTH if mine and frozenset(vs_tools.covered(one)) == mine), None)


def in_vs(entry: str) -> str:
    """The name of today for an older name of a tool, or the entry itself."""
    found = vs_tools.today(entry)
    return found[0] if len(found) == 1 else entry


def in_cli(entry: str) -> str:
    """As `in_vs`, where the CLI makes the same of both names."""
    today = in_vs(entry)
    return today if cli_tools.covered(today) == cli_tools.covered(entry) else entry


def written(item: Value) -> str:
    """An entry as it is written."""
    return item.written or item.text


_CLAUDE = {"WebSearch": "web", "LS": "search", "KillShell": "execute", "BashOutput": "execute"}


def misnamed(entry: str) -> Misnamed | None:
    """Why an entry gives no tool in VS Code, if there is a name that does; or None."""
    if known_to_vs(entry):
        return None
    if entry == EVERY:
        fix = f"`{EVERY}` is not a tool in VS Code; remove `tools` to give every tool"
        return Misnamed(fix)
    return _wrong(entry)


def misnamed_for_cli(entry: str) -> Misnamed | None:
    """Why an entry gives no tool in the CLI, if there is a name that does; or None."""
    return None if known_to_cli(entry) else _wrong(entry)


def _wrong(entry: str) -> Misnamed | None:
    if entry.startswith("mcp__"):
        server, _, tool = entry.removeprefix("mcp__").partition("__")
        if server:
            right = f"{server}/{tool or EVERY}"
            return Misnamed(f"a tool of an MCP server is `server/tool`; write `{right}`", (right,))
    if entry in vs_tools.BY_MODEL:
        tool = vs_tools.BY_MODEL[entry]
        both = ", which both programs know" if for_both(tool) else ""
        return Misnamed(f"it is the model's word for `{tool}`; write that{both}", (tool,))
    name = entry.partition("(")[0].strip() if entry.endswith(")") else entry.strip()
    folder, slash, rest = name.partition("/")
    bare = folder if slash and rest == EVERY and vs_tools.covered(folder) else name
    right_name = for_both(bare) or _CLAUDE.get(bare) or (bare if bare in BOTH else None)
    if right_name is None or right_name == entry:
        return None
    said = "only a whole tool can be allowed; " if name != entry.strip() else ""
    said = "the blanks belong to the name; " if not said and entry != entry.strip() else said
    return Misnamed(f"{said}write `{right_name}`, which both programs know", (right_name,))


def toolset(reading: Reading, tools: tuple[str, ...], _depth: int) -> Toolset:
    """The verdict on each of `tools` for an agent of VS Code that a person selects."""
    missing = "no `tools`: every tool that is on in the picker; as a sub-agent the caller's"
    return _toolset(reading, tools, matches, _is_of_server, missing)


def _is_of_server(entry: str) -> bool:
    """Whether an entry may give tools in VS Code whose names are not known."""
    return vs_tools.server_of(entry) is not None


def _is_open_for_cli(entry: str) -> bool:
    """Whether an entry may give tools in the CLI whose names are not known."""
    return entry == EVERY or cli_tools.server_of(entry) is not None


def toolset_for_cli(reading: Reading, tools: tuple[str, ...], _depth: int) -> Toolset:
    """The verdict on each of `tools` for an agent of the CLI."""
    missing = "no `tools`: every tool of the session"
    found = _toolset(reading, tools, matches_for_cli, _is_open_for_cli, missing)
    if not found.restricted:
        return found
    reason = "an agent that a person selects has it; as a sub-agent it has not"
    verdicts = (
        Verdict(one.tool, True, reason) if one.tool in ALWAYS and not one.kept else one
        for one in found.verdicts
    )
    return Toolset(tuple(verdicts), True, found.open_patterns)


def _toolset(
    reading: Reading,
    tools: tuple[str, ...],
    gives: Callable[[str, str], bool],
    is_open: Callable[[str], bool],
    missing: str,
) -> Toolset:
    allow = reading.effective.settings.get("tools")
    if allow is None:
        every = (
            Verdict(tool, True, missing, condition=vs_tools.CONDITIONS.get(tool, ""))
            for tool in tools
        )
        return Toolset(tuple(every), False, (EVERY,))
    listed = allow.items
    verdicts = tuple(_verdict(tool, listed, gives) for tool in tools)
    open_ = (item.text for item in listed if is_open(item.text))
    return Toolset(verdicts, True, tuple(open_))


def _verdict(tool: str, listed: tuple[Value, ...], gives: Callable[[str, str], bool]) -> Verdict:
    by = next((item for item in listed if gives(item.text, tool)), None)
    if by is None:
        return Verdict(tool, False, "not in `tools`")
    return Verdict(
        tool, True, f"allowed by `{written(by)}`", by.span, vs_tools.CONDITIONS.get(tool, "")
    )


def prefix(server: str) -> str | None:
    """What stands before the names of a server's tools."""
    name = server.lower().replace(" ", "-")
    return f"{name}/" if name else None


# VS Code and the CLI find servers in more files than are read here, and in extensions.
SERVERS = ServerNames(
    in_entry=in_group(regex(r"([\w.-]+(?:/[\w.-]+)?)/(?:\*|[\w.-]+)")),
    own_key="mcp-servers",
    may_be_other=True,
)
