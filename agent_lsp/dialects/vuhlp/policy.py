"""Which of vuhlp's tools a node has: no template decides about any of them.

Facts: packages/daemon/src/runtime/runtime.ts of Volpestyle/vuhlp-code at d6c289510, read
2026-11-27.
"""

from agent_lsp.dialects.answers import Toolset, Verdict
from agent_lsp.dialects.template import Reading
from agent_lsp.dialects.vocabulary import Tool
from agent_lsp.dialects.vuhlp.facts import ORCHESTRATOR
from agent_lsp.dialects.vuhlp.tools import MANAGING, TOOL_SCHEMAS

TOOLS = tuple(
    Tool(one.name, one.meaning, "for other providers" if one.native else "vuhlp only")
    for one in TOOL_SCHEMAS
)


def is_pattern(_entry: str) -> bool:
    """No entry is a pattern."""
    return False


def matches(entry: str, name: str) -> bool:
    """Whether an entry is the name of a tool."""
    return entry == name


def cannot_tell(_entry: str) -> bool:
    """All tools that a `tool_call` can name are known."""
    return False


def toolset(_reading: Reading, tools: tuple[str, ...], _depth: int) -> Toolset:
    """What can be said of a role without its node: edges depend on the node's settings."""
    return Toolset(tuple(map(_verdict, tools)), restricted=False)


def _verdict(tool: str) -> Verdict:
    if tool in MANAGING:
        reason = f"needs `edgeManagement`, which only the role name `{ORCHESTRATOR}` has by itself"
        return Verdict(tool, False, reason, certain=False)
    return Verdict(tool, True, "a template restricts no tools")
