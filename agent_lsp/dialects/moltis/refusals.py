"""Finds the reasons for which today's runtime refuses a preset whose values are sound.

Invariant: these are errors of its parser, so they drop the whole configuration as a wrong type
does; what it only checks afterwards is none of them.
Facts: crates/config/src/schema/agents.rs of moltis-org/moltis at 6bd2d118, read 2026-11-28:
`PresetMcpPolicy` refuses both of its lists, and `ToolChoice` is an enum that its `type` tells.
"""

from collections.abc import Collection, Iterator, Mapping

from agent_lsp.decoders.serde_toml import VARIABLE
from agent_lsp.model.template import LoadError, LoadErrorKind, Value

BOTH = "mcp: allow_servers and deny_servers are mutually exclusive"
_CHOICE = "tool_controls.tool_choice"


def of_today(values: Mapping[str, Value], written: Collection[str]) -> Iterator[LoadError]:
    """The refusals of a preset with the `values`; `written` are the dotted names of its keys."""
    deny = values.get("mcp.deny_servers")
    if deny is not None and "mcp.allow_servers" in values:
        yield LoadError(LoadErrorKind.FORBIDDEN, deny.key or deny.span, BOTH, "mcp")
    choice = values.get(_CHOICE)
    # The table itself is no line; what stands there instead, as a variable, is one.
    if choice is None or _CHOICE in written or any(map(VARIABLE.search, written)):
        return
    kind = values.get(f"{_CHOICE}.type")
    missing = "type" if f"{_CHOICE}.type" not in written else "name"
    is_forced = kind is not None and kind.value == "tool"
    if f"{_CHOICE}.{missing}" not in written and (missing == "type" or is_forced):
        span = choice.key or choice.span
        message = f"missing field `{missing}`"
        yield LoadError(LoadErrorKind.MISSING, span, message, _CHOICE, missing)
