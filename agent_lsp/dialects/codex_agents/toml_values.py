"""Tells what a value of TOML is for serde, and decodes the tables with a reader of their own.

Facts: the messages as measured with `@openai/codex` 0.171.0 (`tests/conformance`), 2026-11-28.
"""

from collections.abc import Iterator

from agent_lsp.decoders import rust
from agent_lsp.decoders.rust import unexpected
from agent_lsp.model.template import LoadError, LoadErrorKind
from agent_lsp.syntax.nodes import Broken, Mapping, Node, Scalar, Sequence, Style, resolve
from agent_lsp.syntax.toml.scan import WordKind, newer_kind
from agent_lsp.text import Span

_PROFILE_LENGTH, _TOOLS_LENGTH = 5, 4
_SEARCH_PROVIDERS = ("standalone", "search_mcp")


def is_date(node: Node | None) -> bool:
    """Whether `node` is a date or a time, which counts as a text."""
    plain = isinstance(node, Scalar) and node.style is Style.PLAIN
    return isinstance(node, Scalar) and plain and newer_kind(node.value) is WordKind.DATE_TIME


def kind_of(node: Scalar) -> WordKind | None:
    """What a value is; None for a word without quotes that is nothing."""
    return WordKind.STRING if node.style is not Style.PLAIN else newer_kind(node.value)


def text_of(node: Node | None) -> str | None:
    """The text that a value is; a date without quotes is one as well."""
    if not isinstance(node, Scalar):
        return None
    return node.value if kind_of(node) in (WordKind.STRING, WordKind.DATE_TIME) else None


def fits(node: Node, record: str) -> bool:
    """Whether a value is a number of the type `record`, apart from its size."""
    kind = kind_of(node) if isinstance(node, Scalar) else None
    if record == "f64":
        return kind in (WordKind.INTEGER, WordKind.FLOAT)
    return kind is WordKind.INTEGER


def number_of(node: Node, record: str) -> object:
    """The number that a value is, which fits."""
    word = node.value.replace("_", "") if isinstance(node, Scalar) else "0"
    return float(word) if record == "f64" and "x" not in word else int(word, 0)


def _float(word: str) -> str:
    """A float as serde prints it."""
    found = unexpected(Scalar(Span(0, 0), word.replace("_", ""), Style.PLAIN))
    return found.partition("`")[2].rstrip("`")


def found_in(node: Node) -> str:
    """What was found, in serde's words."""
    if isinstance(node, Mapping):
        return "map"
    if isinstance(node, Sequence):
        return "sequence"
    if not isinstance(node, Scalar):
        return "unit value"
    match kind_of(node):
        case WordKind.INTEGER:
            return f"integer `{int(node.value.replace('_', ''), 0)}`"
        case WordKind.BOOLEAN:
            return f"boolean `{node.value}`"
        case WordKind.FLOAT:
            return f"floating point `{_float(node.value)}`"
        case _:
            return f"string {rust.debug(node.value)}"


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
