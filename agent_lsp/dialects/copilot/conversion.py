"""Maps the tools of VS Code and of Copilot CLI to abilities, by which systems are compared.

The mapping is our judgement, from the meanings in `vs_tools` and `cli_tools`, which have their
sources there. New files have VS Code's names.
"""

from agent_lsp.data_classes import replace
from agent_lsp.dialects.copilot import claude_files, cli_tools, vs_tools
from agent_lsp.dialects.copilot.cli_tools import EVERY
from agent_lsp.dialects.copilot.migration import renewed
from agent_lsp.model.conversion import Ability, Conversion, Effect, Hold, effect, only_with
from agent_lsp.model.schema import KeyRole
from agent_lsp.patterns import regex

_TOOLS: dict[str, Effect] = {
    "agent/runSubagent": effect(Ability.SPAWN),
    "edit/editFiles": effect(Ability.EDIT),
    "edit/createFile": effect(Ability.WRITE),
    "edit/createDirectory": only_with(Ability.WRITE),
    "execute/runInTerminal": effect(Ability.RUN),
    "execute/getTerminalOutput": only_with(Ability.RUN),
    "execute/killTerminal": only_with(Ability.RUN),
    "execute/sendToTerminal": only_with(Ability.RUN),
    "read/readFile": effect(Ability.READ),
    "read/viewImage": effect(Ability.IMAGE),
    "read/skill": effect(Ability.SKILL),
    "search/codebase": only_with(Ability.SEARCH, Ability.READ),
    "search/fileSearch": effect(Ability.FIND),
    "search/listDirectory": only_with(Ability.FIND),
    "search/textSearch": effect(Ability.SEARCH),
    "search/usages": effect(Ability.CODE),
    "vscode/askQuestions": effect(Ability.ASK),
    "vscode/toolSearch": effect(Ability.TOOLS),
    "web/fetch": effect(Ability.FETCH),
    "todo": effect(Ability.PLAN),
}


_TOOLS_OF_CLI: dict[str, Effect] = {
    "bash": effect(Ability.RUN),
    "read_bash": only_with(Ability.RUN),
    "stop_bash": only_with(Ability.RUN),
    "list_bash": only_with(Ability.RUN),
    "view": effect(Ability.READ),
    "create": effect(Ability.WRITE),
    "edit": effect(Ability.EDIT),
    "grep": effect(Ability.SEARCH),
    "glob": effect(Ability.FIND),
    "web_fetch": effect(Ability.FETCH),
    "web_search": effect(Ability.SEARCH_WEB),
    "task": effect(Ability.SPAWN),
    "read_agent": only_with(Ability.SPAWN),
    "list_agents": effect(Ability.RUNNING),
    "write_agent": effect(Ability.SEND),
    "skill": effect(Ability.SKILL),
    "update_todo": effect(Ability.PLAN),
    "tool_search_tool": effect(Ability.TOOLS),
}


def _server(entry: str) -> tuple[str, str] | None:
    return vs_tools.server_of(entry)


def _server_of_cli(entry: str) -> tuple[str, str] | None:
    return (EVERY, EVERY) if entry == EVERY else cli_tools.server_of(entry)


def _entry(server: str, tool: str, list_: KeyRole) -> str | None:
    """An entry for a tool of a server; there is no entry for all servers, and none is denied."""
    if server == EVERY or list_ is KeyRole.DENY:
        return None
    return f"{server}/{tool}"


_CALLED = "models of the other system may call the agent"

CONVERSION = Conversion(
    _TOOLS,
    regex(r"[^\r\n]+"),
    _server,
    _entry,
    renewed=renewed,
    around="in VS Code the prompt is added after VS Code's own system prompt",
    dropped=claude_files.dropped,
    rare=frozenset(tool.name for tool in vs_tools.TOOLS if tool.condition),
    holds={
        "agents": Hold("in the other system the agent may call every agent", ability=Ability.SPAWN),
        "hooks": Hold("a hook can refuse an action of the agent"),
        "disable-model-invocation": Hold(_CALLED, frozenset({"false"}), is_switch=True),
        "infer": Hold(_CALLED, frozenset({"true"}), is_switch=True),
        "user-invocable": Hold(
            "people may select the agent in the other system", frozenset({"true"}), is_switch=True
        ),
    },
)
CLI_CONVERSION = replace(
    CONVERSION,
    tools=_TOOLS_OF_CLI,
    server=_server_of_cli,
    dropped=None,
    # A sub-agent has these by no list.
    rare=frozenset(cli_tools.ALWAYS),
)
