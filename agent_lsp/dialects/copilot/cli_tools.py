"""The tools of Copilot CLI, and the many words that an agent's file may use for them.

Invariant: a word is compared without case. A word that is no tool, no alias and no server is
dropped, and a list of such words leaves no tool.
Facts: Copilot CLI 1.0.102, run with one word at a time (`copilot -p`) 2026-11-28.
"""

from agent_lsp.model.schema import Tool
from agent_lsp.patterns import regex

EVERY, SKILL, SQL = "*", "skill", "sql"
# What an agent has that a person selects, whatever its list says.
ALWAYS = (SKILL, SQL)
_RUN, _FILES, _AGENTS, _MORE = "commands", "files", "agents", "more"
_SOME = "its setting is on"
TOOLS = (
    Tool("bash", "runs a command; `powershell` on Windows", _RUN),
    Tool("read_bash", "reads the output of a command", _RUN),
    Tool("stop_bash", "ends a command", _RUN),
    Tool("list_bash", "lists the commands that run", _RUN),
    Tool("view", "reads a file or lists a folder", _FILES),
    Tool("create", "makes a file", _FILES),
    Tool("edit", "changes a file", _FILES),
    Tool("grep", "searches the contents of files; some models have `rg` instead", _FILES),
    Tool("glob", "finds files by a pattern", _FILES),
    Tool("web_fetch", "fetches a page from the web", "web"),
    Tool("web_search", "searches the web", "web", condition="the session has it"),
    Tool("task", "calls another agent", _AGENTS),
    Tool("read_agent", "reads what another agent says", _AGENTS),
    Tool("list_agents", "lists the agents that run", _AGENTS),
    Tool("write_agent", "writes to another agent", _AGENTS),
    Tool(SKILL, "loads a skill", _MORE),
    Tool(SQL, "asks the database of the session", _MORE),
    Tool("update_todo", "keeps the to-do list", _MORE),
    Tool("tool_search_tool", "finds tools", _MORE, condition=_SOME),
    Tool("session_store_sql", "asks the database of all sessions", _MORE, condition=_SOME),
    Tool("semantic_code_search", "searches code by meaning", _MORE, condition=_SOME),
    Tool("fetch_copilot_cli_documentation", "reads the documentation of the program", _MORE),
)
NAMES = frozenset(tool.name for tool in TOOLS)
# Tools that answer to their own name alone, and that no list shows.
_HIDDEN = frozenset({"read_file", "file_search", "grep_search", "semantic_search"})
_BASH = ("bash", "read_bash", "stop_bash", "list_bash")
_TASK = ("task", "read_agent", "list_agents", "write_agent")
_ALIASES = (
    (
        ("execute", "shell", "bash", "runCommands", "runInTerminal", "execute/runInTerminal"),
        _BASH,
    ),
    (("read", "NotebookRead", "view", "readFile", "read/readFile"), ("view",)),
    (("edit", "MultiEdit", "Write", "NotebookEdit"), ("create", "edit")),
    (("create", "createFile", "edit/createFile", "edit/createDirectory"), ("create",)),
    (("editFiles", "edit/editFiles"), ("edit",)),
    (("search", "codebase", "search/codebase"), ("grep", "glob")),
    (("grep", "textSearch", "search/textSearch"), ("grep",)),
    (("glob", "fileSearch", "search/fileSearch"), ("glob",)),
    (
        (
            *("agent", "custom-agent", "task", "runSubagent", "agent/runSubagent"),
            "agent/task",
        ),
        _TASK,
    ),
    (("web",), ("web_fetch", "web_search")),
    (("WebFetch", "web_fetch", "web/fetch"), ("web_fetch",)),
    (("todo", "todos", "TodoWrite", "update_todo"), ("update_todo",)),
)
ALIASES: dict[str, tuple[str, ...]] = {
    word.lower(): tools for words, tools in _ALIASES for word in words
}
_OF_SERVER = regex(r"(?P<server>[^/*\s]+(?:/[^/*\s]+)?)/(?P<tool>\*|[^/*\s]+)")
# What stands before the tool's name in the entries of VS Code, and is no server.
_SETS = frozenset({"agent", "edit", "execute", "read", "search", "vscode", "web"})


def covered(entry: str) -> tuple[str, ...]:
    """The known tools that an entry gives."""
    lowered = entry.lower()
    if lowered in ALIASES:
        return ALIASES[lowered]
    return (lowered,) if lowered in NAMES | _HIDDEN else ()


def server_of(entry: str) -> tuple[str, str] | None:
    """The server of MCP and the tool, `*` for all, that an entry names; or None."""
    found = _OF_SERVER.fullmatch(entry)
    if found is None or covered(entry) or found["server"].lower() in _SETS:
        return None
    return found["server"], found["tool"]
