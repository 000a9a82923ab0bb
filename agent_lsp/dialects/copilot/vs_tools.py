"""The tools of VS Code, by the names that an agent's file uses for them.

Invariant: a name is compared exactly. An entry is the name of a tool, of a set, or an older name of
either; a name that is none of these may still be one of an extension or of an MCP server.
Facts: VS Code 1.139.1 and its extension Copilot 0.67.0, the manifest and
`languageModelToolsService`, read and run 2026-11-28.
"""

from agent_lsp.model.schema import Tool
from agent_lsp.patterns import regex

AGENT, TODO, ASK = "agent/runSubagent", "todo", "vscode/askQuestions"
_OFF = "its setting is on"


def _off(setting: str) -> str:
    return f"`github.copilot.chat.{setting}.enabled` is on, and by default it is off"


# By set: the members, each with what it does, what a session needs for it, and its older names.
_SETS: dict[str, tuple[tuple[str, str, str, tuple[str, ...]], ...]] = {
    "agent": (("runSubagent", "calls another agent", "", ()),),
    "edit": (
        ("createDirectory", "makes a folder", "", ()),
        ("createFile", "makes a file", "", ("createFile",)),
        ("createJupyterNotebook", "makes a notebook", "", ("newJupyterNotebook",)),
        ("editFiles", "changes files", "", ("editFiles",)),
        ("editNotebook", "changes cells of a notebook", "", ()),
        ("rename", "renames a symbol", "", ()),
    ),
    "execute": (
        (
            "runInTerminal",
            "runs a command",
            "",
            ("runCommands/runInTerminal",),
        ),
        (
            "getTerminalOutput",
            "reads the output of a terminal",
            "",
            ("runCommands/getTerminalOutput",),
        ),
        ("killTerminal", "ends a terminal", "", ()),
        ("sendToTerminal", "writes to a terminal", "", ()),
        ("createAndRunTask", "makes a task and runs it", "", ("runTasks/createAndRunTask",)),
        ("runTask", "runs a task", "", ("runTasks/runTask",)),
        ("runTests", "runs tests", "", ("runTests",)),
        ("testFailure", "reads why a test failed", "", ("testFailure", "copilot_testFailure")),
        ("runNotebookCell", "runs a cell of a notebook", "", ("runNotebooks/runCell",)),
        (
            "executionSubagent",
            "has an agent of its own run commands",
            _off("executionSubagent"),
            (),
        ),
    ),
    "read": (
        ("readFile", "reads a file", "", ("search/readFile",)),
        ("problems", "reads the problems of files", "", ("problems",)),
        ("viewImage", "looks at an image", "", ()),
        (
            "getNotebookSummary",
            "lists the cells of a notebook",
            "",
            ("runNotebooks/getNotebookSummary",),
        ),
        (
            "readNotebookCellOutput",
            "reads what a cell of a notebook gave",
            "",
            ("runNotebooks/readNotebookCellOutput",),
        ),
        (
            "terminalSelection",
            "reads what is selected in a terminal",
            "",
            ("runCommands/terminalSelection",),
        ),
        (
            "terminalLastCommand",
            "reads the last command of a terminal",
            "",
            ("runCommands/terminalLastCommand",),
        ),
        ("getTaskOutput", "reads the output of a task", "", ("runTasks/getTaskOutput",)),
        ("skill", "loads a skill", _off("skillTool"), ()),
    ),
    "search": (
        ("codebase", "searches the workspace by meaning", "", ("codebase",)),
        ("fileSearch", "finds files by a pattern", "", ()),
        ("listDirectory", "lists a folder", "", ()),
        ("textSearch", "searches the contents of files", "", ()),
        ("usages", "finds references and definitions", "", ("usages",)),
        (
            "changes",
            "lists changes in the repository",
            _off("getChangedFilesTool"),
            ("changes",),
        ),
        ("searchSubagent", "has an agent of its own search", _off("searchSubagent"), ()),
    ),
    "vscode": (
        ("askQuestions", "asks the user", "", ("vscode_askQuestions",)),
        ("extensions", "finds extensions", "", ("extensions",)),
        ("installExtension", "installs an extension", "", ("new/installExtension",)),
        ("memory", "keeps notes", "", ()),
        ("newWorkspace", "sets up a workspace", "", ("new/newWorkspace",)),
        ("resolveMemoryFileUri", "finds the file of a note", "", ()),
        ("runCommand", "runs a command of the editor", "", ("new/runVscodeCommand",)),
        ("toolSearch", "finds tools", "", ()),
        ("vscodeAPI", "looks up the API for extensions", "", ()),
        ("switchAgent", "continues as another agent", _off("switchAgent"), ()),
    ),
    "web": (
        ("fetch", "fetches a page from the web", "", ("fetch",)),
        ("githubRepo", "searches a repository on GitHub", "", ("githubRepo",)),
        ("githubTextSearch", "searches texts on GitHub", "", ("githubTextSearch",)),
    ),
}
# Sets that the picker of tools does not show, with members that other sets have as well.
_HIDDEN_SETS = {
    "vscodeGeneral": ("rename", "usages", "runTests", "testFailure", "toolSearch"),
    "vscodeTasks": ("createAndRunTask", "runTask", "getTaskOutput", "problems"),
    "vscodeNotebooks": (
        *("createJupyterNotebook", "editNotebook", "runNotebookCell", "getNotebookSummary"),
        "readNotebookCellOutput",
    ),
}
_BROWSER = {
    "openBrowserPage": "opens a page in the browser",
    "readPage": "reads a page of the browser",
    "screenshotPage": "takes a picture of a page",
    "navigatePage": "goes to another page",
    "clickElement": "clicks on a page",
    "typeInPage": "types into a page",
    "hoverElement": "points at a part of a page",
    "dragElement": "drags a part of a page",
    "handleDialog": "answers a dialog of a page",
    "runPlaywrightCode": "runs code in a page",
}
TOOLS = (
    *(
        Tool(f"{name}/{member}", meaning, name, condition=condition)
        for name, members in _SETS.items()
        for member, meaning, condition, _ in members
    ),
    Tool(TODO, "keeps the to-do list", "more"),
    *(
        Tool(f"vscodeBrowser/{member}", meaning, "browser", condition=_OFF)
        for member, meaning in _BROWSER.items()
    ),
)
NAMES = frozenset(tool.name for tool in TOOLS)
_MEMBERS = {member: f"{name}/{member}" for name, members in _SETS.items() for member, *_ in members}


# The older names of tools, each with the name of today; what is behind the set's name counts alone.
OLDER = {
    word: f"{name}/{member}"
    for name, members in _SETS.items()
    for member, _, _, olders in members
    for older in olders
    for word in (older, older.rpartition("/")[2])
    if word != member or word == older
} | {"todos": TODO}
# Other names of tools: those of members alone, and those in hidden sets.
_ALSO = {
    **{name: tool for name, tool in _MEMBERS.items() if name != "runSubagent"},
    **{name: f"vscodeBrowser/{name}" for name in _BROWSER},
    **{
        f"{name}/{member}": _MEMBERS[member]
        for name, members in _HIDDEN_SETS.items()
        for member in members
    },
}
SETS: dict[str, tuple[str, ...]] = {
    **{name: tuple(f"{name}/{one[0]}" for one in members) for name, members in _SETS.items()},
    **{
        name: tuple(_MEMBERS[member] for member in members)
        for name, members in _HIDDEN_SETS.items()
    },
    "vscodeBrowser": tuple(f"vscodeBrowser/{member}" for member in _BROWSER),
}
# This tool had a name that began with the set's.
SETS["search"] = (*SETS["search"], "read/readFile")
# Older names of sets, each with the set of today if there is one.
OLDER_SETS = {"runSubagent": "agent", "custom-agent": "agent", "shell": "execute"}
_OLD_SETS = ("runCommands", "runTasks", "runNotebooks", "new")
SETS |= {
    name: tuple(
        dict.fromkeys(tool for older, tool in OLDER.items() if older.startswith(f"{name}/"))
    )
    for name in _OLD_SETS
}
SETS |= {older: SETS[name] for older, name in OLDER_SETS.items()}
# What the model knows a tool as, where that is not the same words with `_` between them.
_OTHER_WORDS = {
    "agent/runSubagent": "runSubagent",
    "edit/createJupyterNotebook": "create_new_jupyter_notebook",
    "edit/editNotebook": "edit_notebook_file",
    "edit/rename": "vscode_renameSymbol",
    "execute/runTests": "runTests",
    "execute/testFailure": "testFailure",
    "read/getNotebookSummary": "copilot_getNotebookSummary",
    "read/problems": "get_errors",
    "search/changes": "get_changed_files",
    "search/codebase": "semantic_search",
    "search/listDirectory": "list_dir",
    "search/textSearch": "grep_search",
    "search/usages": "vscode_listCodeUsages",
    TODO: "manage_todo_list",
    ASK: "vscode_askQuestions",
    "vscode/extensions": "vscode_searchExtensions_internal",
    "vscode/newWorkspace": "create_new_workspace",
    "vscode/runCommand": "run_vscode_command",
    "vscode/vscodeAPI": "get_vscode_api",
    "web/fetch": "fetch_webpage",
}
CONDITIONS = {tool.name: tool.condition for tool in TOOLS}
# Names that once were tools or sets, and are nothing today.
GONE = frozenset(
    {"think", "openSimpleBrowser", "searchResults", "search/searchResults", "findTestFiles"}
)
# Servers of MCP that have several names.
SERVERS = {
    "github": ("github/github-mcp-server", "io.github.github/github-mcp-server"),
    "playwright": ("microsoft/playwright-mcp", "com.microsoft/playwright-mcp"),
}
_OF_SERVER = regex(r"(?P<server>[\w.-]+(?:/[\w.-]+)?)/(?P<tool>\*|[\w.-]+)")


def covered(entry: str) -> tuple[str, ...]:
    """The known tools that an entry gives."""
    if entry in NAMES:
        return (entry,)
    if entry in SETS:
        return SETS[entry]
    tool = OLDER.get(entry) or _ALSO.get(entry)
    return () if tool is None else (tool,)


def in_prompt(name: str) -> str | None:
    """What VS Code writes for `#tool:` and `name` in a prompt; None where that stays as it is.

    Only the whole name of a single tool counts: older names, bare members and sets stay.
    """
    tool = _ALSO.get(name, name)
    if not is_whole(name) or tool not in NAMES or CONDITIONS[tool]:
        return None
    member = tool.rpartition("/")[2]
    return _OTHER_WORDS.get(tool) or _CAPITAL.sub("_", member).lower()


_CAPITAL = regex(r"(?=[A-Z])")


def is_whole(name: str) -> bool:
    """Whether a name is today's of a tool, with its set, or of a set."""
    is_set = name in SETS and name not in OLDER_SETS and name not in _OLD_SETS
    return is_set or name in NAMES or ("/" in name and name in _ALSO)


# What the model calls a tool, with the name for it in a file.
BY_MODEL = {name: tool for tool in NAMES if (name := in_prompt(tool)) and not covered(name)}


def may_be_written(name: str) -> bool:
    """Whether `#tool:` and `name` may have another name in the prompt of some session.

    A session may have tools of servers and of extensions, and those behind a setting.
    """
    if covered(name):
        return "/" in name and is_whole(name) and in_prompt(name) is None
    return server_of(name) is not None


def today(entry: str) -> tuple[str, ...]:
    """The names of today for an older name; none for a name that is not one."""
    if entry in OLDER_SETS:
        return (OLDER_SETS[entry],)
    return covered(entry) if entry in OLDER or entry in _OLD_SETS else ()


def with_server_in_lower_case(entry: str) -> str:
    """An entry with the name of its server, or extension, as VS Code writes it."""
    server, slash, tool = entry.rpartition("/")
    return f"{server.lower()}{slash}{tool}"


def server_of(entry: str) -> tuple[str, str] | None:
    """The server, or the extension, and the tool of an entry that is no known tool; or None.

    VS Code writes the names of both in lower case, and compares them exactly.
    """
    if covered(entry) or entry != with_server_in_lower_case(entry):
        return None
    found = _OF_SERVER.fullmatch(entry)
    if found is None or found["server"] in _SETS or found["server"] in _HIDDEN_SETS:
        return None
    own = next((name for name, names in SERVERS.items() if found["server"] in names), None)
    return own or found["server"], found["tool"]
