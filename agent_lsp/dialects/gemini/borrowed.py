"""The names of tools and keys in other systems, with what does the same here.

Facts: the names, measured with Claude Code 2.1.332, Qwen Code 0.24.4, OpenCode 1.18.33, Codex CLI
0.171.0, Copilot CLI 1.0.102 and the reader of code-server 4.139.1 (VS Code), and read at
cursor.com/docs (tools); the display names of Gemini CLI itself, in google-gemini/gemini-cli at
5411f11 (tools/tool-names.ts); all on 2026-11-28. The choice of what does the same is our judgement,
as in `conversion`.
"""

import re
from collections.abc import Mapping

from agent_lsp.analysis.suggest import nearest
from agent_lsp.dialects.gemini import facts, policy
from agent_lsp.patterns import regex

_TOOLS = {
    "read_file": "Read read view ReadFile ReadManyFiles FileRead readFile read/readFile "
    "search/readFile NotebookRead cat",
    "write_file": "Write write create WriteFile FileWrite create_file createFile edit/createFile",
    "replace": "Edit edit MultiEdit NotebookEdit EditFile edit_file editFiles edit/editFiles "
    "apply_patch patch multiedit str_replace str_replace_editor str_replace_based_edit_tool "
    "search_replace SmartEdit",
    "run_shell_command": "Bash bash PowerShell shell Shell ShellTool run_command run_in_terminal "
    "execute_command exec_command local_shell terminal Terminal run_terminal run_terminal_cmd "
    "run_terminal_command runCommands runInTerminal execute runTests "
    "runTasks execute/runInTerminal",
    "glob": "Glob FindFiles find_files file_search fileSearch search/fileSearch glob_file_search",
    "list_directory": "LS ls list ReadFolder ListFiles list_dir list_files listDirectory "
    "search/listDirectory",
    "grep_search": "Grep grep SearchText SearchFiles search_files textSearch search/textSearch "
    "codebase search search/codebase codebase_search ripgrep",
    "google_web_search": "WebSearch websearch web_search GoogleSearch google_search search_web",
    "web_fetch": "WebFetch webfetch fetch fetch_url web web/fetch",
    "write_todos": "TodoWrite todo_write todowrite TodoList todos todo update_plan update_todo",
    "ask_user": "AskUserQuestion ask_user_question ask_followup_question askQuestions question",
    "activate_skill": "Skill skill",
    "exit_plan_mode": "ExitPlanMode",
    "enter_plan_mode": "EnterPlanMode",
}
TOOLS: Mapping[str, str] = {name: tool for tool, names in _TOOLS.items() for name in names.split()}
# Names for what no sub-agent can do here.
_STARTS = "a sub-agent cannot start another one"
NOTHING: Mapping[str, str] = {
    **dict.fromkeys(
        ("Task", "Agent", "task", "agent", "runSubagent", "agent/runSubagent"), _STARTS
    ),
    **dict.fromkeys(("codebase_investigator", "cli_help", "generalist"), _STARTS),
    "save_memory": "newer versions have no such tool",
    "memory": "newer versions have no such tool",
}

_NO_DENY = "there is no deny list: `tools` names what the agent gets"
_BODY = "the text below the header is the prompt"
_NOBODY = "nothing here does the same"
# What to do instead of a key that others have, where no key here is called alike.
KEYS: Mapping[str, str] = {
    **dict.fromkeys(("disallowedTools", "disallowed_tools", "excludeTools", "deny"), _NO_DENY),
    **dict.fromkeys(("prompt", "system_prompt", "systemPrompt", "instructions"), _BODY),
    "permissionMode": "a policy in the settings decides what needs a confirmation",
    "skills": "`activate_skill` in `tools` lets the agent load any skill",
    "hooks": "hooks are in the settings",
    **dict.fromkeys(("topP", "top_p", "thinking", "effort", "reasoning"), _NOBODY),
}
# The key here for a key of others that is spelt in another way.
RENAMED: Mapping[str, str] = {
    "allowed-tools": "tools",
    "allowedTools": "tools",
    "allowed_tools": "tools",
    "steps": "max_turns",
    "maxSteps": "max_turns",
    "timeout": "timeout_mins",
    "title": "display_name",
}


_ARGUMENTS = regex(r"(?P<tool>[\w.-]+)\(.*\)", re.DOTALL)


def tool_for(name: str) -> str | None:
    """The valid name that was meant by `name`, or None."""
    if policy.is_valid(name):
        return name
    return instead(name)[1] or None


def instead(name: str) -> tuple[str, str]:
    """What to do about a name that is not valid, and the name to write if there is one."""
    misnamed = policy.misnamed(name)
    if misnamed is not None:
        return misnamed.fix, misnamed.meant[0] if misnamed.meant else ""
    called = _ARGUMENTS.fullmatch(name)
    bare = called["tool"] if called else name.strip()
    if bare in NOTHING:
        return f"remove it ({NOTHING[bare]})", ""
    if bare in facts.UNNAMEABLE:
        return "remove it (only `*`, or no `tools`, gives it)", ""
    known = [tool.name for tool in facts.TOOLS]
    meant = bare if policy.is_valid(bare) else TOOLS.get(bare) or nearest(bare, known)
    if meant is None:
        return "remove it", ""
    if called and meant:
        return f"write `{meant}`, which takes no arguments", meant
    return f"write `{meant}`", meant
