"""The tables of `codex-subagents`: keys, tools, scopes, call parameters and what else to know.

Facts: tomascupr/codex at 67ee14f48 (docs/subagents.md, codex-rs/core/src/agents.rs,
core/src/openai_tools.rs, core/src/codex.rs, core/src/config.rs), read 2026-11-27.
"""

from agent_lsp.model.availability import Reach
from agent_lsp.model.schema import Key, KeyRole, Parameter, Source, Tool, ValueKind

SOURCE = Source("tomascupr/codex 67ee14f48, docs/subagents.md", "2026-11-27")

KEYS = (
    Key(
        "description",
        ValueKind.TEXT,
        "what the sub-agent is for, as `subagent_describe` and the start event show it",
        "the runtime skips the file",
        role=KeyRole.DESCRIPTION,
        required_by="the parser",
        mandatory=True,
        nullable=False,
    ),
    Key(
        "tools",
        ValueKind.LIST,
        "the only tools that the sub-agent keeps, by their exact names; `[]` means none, and one "
        "of the shell tools stands for all of them",
        "every tool of the session but the sub-agent tools",
        role=KeyRole.ALLOW,
    ),
    Key(
        "name",
        ValueKind.TEXT,
        "has no effect, because the name of the file decides",
        "the sub-agent is called after its file",
        role=KeyRole.AGENT,
    ),
)

# One of them in a list stands for all.
SHELL_FAMILY = frozenset({"shell", "local_shell", "exec_command", "write_stdin"})

_SHELL = "shell family"
_ALL_FOUR = (
    "one of `shell`, `local_shell`, `exec_command` and `write_stdin` in `tools` enables all four",
)
_OTHER = "other"
SUBAGENTS = "sub-agents"

TOOLS = (
    Tool("shell", "runs a command given as an argument list", _SHELL, notes=_ALL_FOUR),
    Tool(
        "local_shell", "runs a command through the model's own shell tool", _SHELL, notes=_ALL_FOUR
    ),
    Tool(
        "exec_command",
        "starts a command in a terminal and returns its output",
        _SHELL,
        notes=_ALL_FOUR,
    ),
    Tool(
        "write_stdin",
        "writes to a command that `exec_command` left running",
        _SHELL,
        notes=_ALL_FOUR,
    ),
    Tool("apply_patch", "edits files", _OTHER),
    Tool("update_plan", "keeps the visible plan up to date, if the session has it", _OTHER),
    Tool("view_image", "shows an image file to the model", _OTHER),
    Tool("web_search", "searches the web, if the session may", _OTHER),
)

WITHHELD = (
    Tool("subagent_list", "lists the names of the sub-agents", SUBAGENTS),
    Tool("subagent_describe", "shows the definition of a sub-agent", SUBAGENTS),
    Tool("subagent_run", "runs a sub-agent on a task", SUBAGENTS),
)

_NAME = Parameter("name", str, "the sub-agent, called after its file", role=KeyRole.AGENT)

LIST_PARAMETERS = (_NAME,)

SPAWN_PARAMETERS = (
    _NAME,
    Parameter("task", str, "the task of the sub-agent", role=KeyRole.TASK),
    Parameter("model", str, "accepted and ignored", role=KeyRole.MODEL),
)

# That these folders are shared, and by whom, was read from public repositories, 2026-11-27; the
# accepted values are those of the systems' own documents.
# It reads `.codex/agents`, too: cursor.com/docs (subagents), read 2026-11-28.
REACH = Reach(readers=("Cursor",))

IGNORED = {
    "model": (
        "a sub-agent runs on the model of its session, and the `model` of a `subagent_run` call "
        "has no effect either"
    ),
}

SWITCH = {
    "enabled_by_default": False,
    "command_line": "codex -c tools.subagent_tools=true",
    "config_toml": [
        "include_subagent_tools = true",
        "[tools]\ninclude_subagent_tools = true",
        "[tools]\nsubagent_tools = true",
    ],
    "precedence": "command line, then the top of `config.toml`, then its `[tools]`, else off",
    "inside_a_sub_agent": False,
}

DISABLED = "Sub-agents are not enabled in this session"
NESTED = "Sub-agents are not enabled in this nested context"
ARGUMENTS = "failed to parse function arguments: "

NOTES = {
    "project": (
        "a session looks only in the folder where it starts; the document says `<repo>`, but the "
        "code at 67ee14f48 does not search the folders above"
    ),
    "user": "this folder is always below the home, wherever `$CODEX_HOME` is",
    "tools": (
        "a runtime offers one of `shell`, `local_shell`, or `exec_command` with `write_stdin`, "
        "which is why any of them allows all"
    ),
}
