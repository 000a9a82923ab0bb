"""Decodes the tables of an agent's file that serde reads in a way of their own.

Facts: the messages as measured with `@openai/codex` 0.171.0 (`tests/conformance`), 2026-11-28.
"""

from collections.abc import Iterator

from agent_lsp.dialects.codex_agents.scalars import found_in, is_date, kind_of, text_of
from agent_lsp.model.template import LoadError, LoadErrorKind
from agent_lsp.syntax.nodes import Broken, Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.syntax.toml.words import WordKind

_PROFILE_LENGTH, _TOOLS_LENGTH = 5, 4
_SEARCH_PROVIDERS = ("standalone", "search_mcp")


def tools(node: Node) -> Iterator[LoadError]:
    """A list has the four values of the table by position, and the first is a provider."""
    wanted = "a table"
    if isinstance(node, Sequence):
        word = text_of(resolve(node.items[0])) if node.items else None
        if node.items and word is not None and word not in _SEARCH_PROVIDERS:
            first, other = _SEARCH_PROVIDERS
            message = f"unknown variant `{word}`, expected `{first}` or `{other}`"
            yield LoadError(LoadErrorKind.TYPE, node.span, message, "tools", wanted, "a list")
        elif len(node.items) < _TOOLS_LENGTH:
            many = max(2, len(node.items)) if node.items else 0
            message = f"invalid length {many}, expected struct ToolsToml with 4 elements"
            yield LoadError(LoadErrorKind.TYPE, node.span, message, "tools", wanted, "a list")
        return
    plan = node.get("update_plan") if isinstance(node, Mapping) else None
    told = resolve(plan.value) if plan is not None else None
    if isinstance(told, Scalar):
        found = found_in(told)
        message = f"invalid type: {found}, expected struct UpdatePlanToolConfig"
        yield LoadError(LoadErrorKind.TYPE, told.span, message, "tools.update_plan", wanted, found)
    entry = node.get("web_search") if isinstance(node, Mapping) else None
    value = resolve(entry.value) if entry is not None else None
    is_fine = isinstance(value, Mapping) or (
        isinstance(value, Scalar) and kind_of(value) is WordKind.BOOLEAN
    )
    if value is not None and not is_fine and not isinstance(value, Broken):
        message = "data did not match any variant of untagged enum WebSearchToolConfigInput"
        got = found_in(value)
        wanted = "`true`, `false` or a table"
        yield LoadError(LoadErrorKind.TYPE, value.span, message, "tools.web_search", wanted, got)


def notifications(node: Node) -> Iterator[LoadError]:
    """The errors in `tui`: its notifications are a switch or a list."""
    entry = node.get("notifications") if isinstance(node, Mapping) else None
    value = resolve(entry.value) if entry is not None else None
    is_fine = isinstance(value, Sequence) or (
        isinstance(value, Scalar) and kind_of(value) is WordKind.BOOLEAN
    )
    if value is not None and not is_fine and not isinstance(value, Broken):
        message = "data did not match any variant of untagged enum Notifications"
        wanted, name = "`true`, `false` or a list of strings", "tui.notifications"
        yield LoadError(LoadErrorKind.TYPE, value.span, message, name, wanted, found_in(value))


def permissions(node: Node) -> Iterator[LoadError]:
    """The errors in `permissions`, of which each is a table."""
    record = "struct PermissionProfileToml"
    for entry in node.entries if isinstance(node, Mapping) else ():
        value = resolve(entry.value)
        name = f"permissions.{entry.name}"
        if isinstance(value, Sequence) and len(value.items) < _PROFILE_LENGTH:
            message = f"invalid length {len(value.items)}, expected {record} with 5 elements"
            yield LoadError(LoadErrorKind.TYPE, value.span, message, name, "a table", "a list")
        elif isinstance(value, Scalar) and not is_date(value):
            found = found_in(value)
            message = f"invalid type: {found}, expected {record}"
            yield LoadError(LoadErrorKind.TYPE, value.span, message, name, "a table", found)
