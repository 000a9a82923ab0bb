"""The names of tools in other systems, with the tools of Claude Code that do the same.

Facts: the names, measured with Gemini CLI 0.61.0, Qwen Code 0.24.4, OpenCode 1.18.33, Codex CLI
0.171.0, Copilot CLI 1.0.102 and the reader of code-server 4.139.1 (VS Code), and read at
cursor.com/docs (tools); all on 2026-11-28. The choice of the tool of Claude Code is our judgement,
as in `conversion`.
"""

from collections.abc import Iterator

from agent_lsp.dialects.claude.tools import AGENT

_VSCODE, _GEMINI, _CODEX = "VS Code", "Gemini CLI", "Codex CLI"
_OPENCODE, _CURSOR, _COPILOT, _QWEN = "OpenCode", "Cursor", "Copilot CLI", "Qwen Code"
_READ, _WRITE, _EDIT, _SHELL = ("Read",), ("Write",), ("Edit",), ("Bash",)
_FIND, _SEARCH, _LOOK = ("Glob",), ("Grep",), ("Grep", "Glob")
_FETCH, _WEB, _SPAWN, _LIST = ("WebFetch",), ("WebSearch",), (AGENT,), ("TodoWrite",)

_NAMES: dict[str, dict[tuple[str, ...], str]] = {
    f"{_GEMINI} and {_QWEN}": {
        _SHELL: "run_shell_command",
        _READ: "read_many_files",
        _WEB: "google_web_search",
        _FIND: "list_directory FindFiles ReadFolder ListFiles",
        _SEARCH: "search_file_content SearchFiles",
        _WRITE: "WriteFile",
        _EDIT: "replace",
        _LIST: "write_todos todo_write TodoList",
        _SPAWN: "invoke_agent",
        ("AskUserQuestion",): "ask_user",
        ("Skill",): "activate_skill",
    },
    _VSCODE: {
        _EDIT: "editFiles edit/editFiles",
        _WRITE: "createFile edit/createFile edit/createDirectory createDirectory",
        ("NotebookEdit",): "editNotebook edit/editNotebook",
        _SHELL: "runCommands runInTerminal execute runTasks runTests execute/runInTerminal "
        "runCommands/runInTerminal execute/runTests runTests",
        _LOOK: "codebase search search/codebase searchResults",
        _SEARCH: "textSearch search/textSearch",
        _FIND: "fileSearch search/fileSearch listDirectory search/listDirectory",
        _READ: "readFile read/readFile search/readFile",
        ("LSP",): "usages search/usages problems read/problems",
        _FETCH: "fetch web/fetch web githubRepo web/githubRepo",
        _SPAWN: "runSubagent agent/runSubagent",
        _LIST: "todo todos",
    },
    _CODEX: {_SHELL: "exec_command write_stdin local_shell", _EDIT: "apply_patch"},
    f"{_CODEX} and {_COPILOT}": {_SHELL: "shell"},
    f"{_OPENCODE} and others": {
        _FIND: "list",
        _EDIT: "patch multiedit",
        _FETCH: "webfetch",
        _WEB: "websearch",
        _LIST: "todowrite todoread",
    },
    _CURSOR: {
        _SHELL: "run_terminal_cmd run_terminal_command Shell Terminal Delete delete_file",
        _EDIT: "edit_file search_replace",
        _LOOK: "codebase_search SemanticSearch",
        _FIND: "list_dir file_search glob_file_search",
        ("LSP",): "ReadLints read_lints",
    },
    _COPILOT: {
        _READ: "view",
        _WRITE: "create",
        _LIST: "update_todo",
        _SHELL: "read_bash stop_bash",
    },
    "several other systems": {
        _READ: "read_file ReadFile FileRead",
        _WRITE: "write_file FileWrite create_file",
        _EDIT: "str_replace str_replace_editor str_replace_based_edit_tool FileEdit EditFile",
        _SEARCH: "grep_search search_files",
        _FIND: "find_files list_files",
        _FETCH: "web_fetch fetch_url",
        _WEB: "web_search",
        _SHELL: "run_command run_in_terminal execute_command terminal run_terminal",
    },
}


def _entries() -> Iterator[tuple[str, tuple[str, tuple[str, ...]]]]:
    for system, tools in _NAMES.items():
        for meant, names in tools.items():
            yield from ((name, (system, meant)) for name in names.split())


BORROWED = dict(_entries())
