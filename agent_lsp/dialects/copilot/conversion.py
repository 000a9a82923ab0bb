"""Maps the tools of VS Code to abilities, by which systems are compared.

The mapping is our judgement, from the meanings in `vs_tools`, which have their source there.
"""

from agent_lsp.dialects.copilot import vs_tools
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


def _server(entry: str) -> tuple[str, str] | None:
    return vs_tools.server_of(entry)


def _entry(server: str, tool: str, list_: KeyRole) -> str | None:
    """An entry for a tool of a server; there is no entry for all servers, and none is denied."""
    if server == EVERY or list_ is KeyRole.DENY:
        return None
    return f"{server}/{tool}"


CONVERSION = Conversion(
    _TOOLS,
    regex(r"[^\r\n]+"),
    _server,
    _entry,
    renewed=renewed,
    around="in VS Code it follows the system prompt, which stays",
    holds={
        "agents": Hold("the agent there may call every agent"),
        "hooks": Hold("a hook can refuse an action of the agent"),
        "disable-model-invocation": Hold(
            "models there may call the agent", frozenset({"false", "False"})
        ),
        "user-invocable": Hold("people there may select the agent", frozenset({"true", "True"})),
    },
)
