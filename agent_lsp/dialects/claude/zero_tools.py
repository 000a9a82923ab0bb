"""Refuses a spawn that would have no tools although its `tools` names some.

Invariant: an agent of which every allowed tool is denied runs without tools; where one is missing
for another reason, the runtime refuses it.
Facts: measured with Claude Code 2.1.332, 2026-11-28. A denied `Tool(…)` takes the tool away and is
no such reason; nor is one that denies the old name of `Agent`, or `Agent` to an entry `Agent(…)`.
"""

from agent_lsp.dialects.claude import policy
from agent_lsp.dialects.claude.facts import ALLOW, DENY
from agent_lsp.dialects.claude.tools import AGENT, BUILT_ON
from agent_lsp.model.runtime import RuntimeRefusal, Toolset
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Reading, Value

_UNKNOWN, _WITHHELD = "unrecognized", "not available to subagents"
_UNMATCHED = "recognized but matched no tools in this session"
_ADVICE = "Fix the agent's tools frontmatter or pass a different subagent_type."


def zero_tools(
    name: str, reading: Reading, toolset: Toolset, offered: tuple[str, ...] | None
) -> RuntimeRefusal | None:
    """The refusal in the runtime's words; `offered` are the tools of the session, where known."""
    allow = reading.effective.settings.get(ALLOW)
    if allow is None or not allow.items or toolset.kept:
        return None
    known = {verdict.tool for verdict in toolset.verdicts}
    if offered is None and any(_may_be_there(item.text, known) for item in allow.items):
        return None
    deny = reading.effective.settings.get(DENY)
    denied = deny.items if deny is not None else ()
    missing: dict[str, list[str]] = {_UNKNOWN: [], _WITHHELD: [], _UNMATCHED: []}
    for item in allow.items:
        if not _is_denied(item, denied):
            missing[_group(item, known)].append(item.written or item.text)
    said = "; ".join(f"{why} [{', '.join(names)}]" for why, names in missing.items() if names)
    if not said:
        return None
    return RuntimeRefusal(
        f"Agent '{name}' would be spawned with zero tools — refusing. "
        f"Its tools list resolved to nothing: {said}. {_ADVICE}"
    )


def _may_be_there(tool: str, known_keys: set[str]) -> bool:
    """Whether a session of which nothing is known could have the tool."""
    is_of_server = policy.cannot_tell(tool) and not policy.void(KeyRole.ALLOW, tool)
    return is_of_server or (tool not in known_keys and policy.may_exist(tool))


def _is_denied(item: Value, denied: tuple[Value, ...]) -> bool:
    """Whether somebody wants the agent to be without the tool."""
    if item.text == AGENT and item.written != AGENT:
        return False
    ground = BUILT_ON.get(item.text)
    return any(
        policy.matches(entry.text, item.text) and (entry.text != item.text or _is_whole(entry))
        for entry in denied
    ) or any(entry.text == ground for entry in denied)


def _is_whole(entry: Value) -> bool:
    is_one_tool = entry.text != AGENT and not policy.names_server(entry.text)
    return "(" not in entry.written or not is_one_tool


def _group(item: Value, known_keys: set[str]) -> str:
    if item.text in known_keys:
        return _UNMATCHED if item.text == AGENT else _WITHHELD
    return _UNMATCHED if policy.names_server(item.text) else _UNKNOWN
