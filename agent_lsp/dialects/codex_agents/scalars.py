"""Tells what a value of TOML is for serde, and how serde calls it in a message.

Facts: the messages as measured with `@openai/codex` 0.171.0 (`tests/conformance`), 2026-11-28.
"""

from agent_lsp.decoders import rust
from agent_lsp.decoders.serde_words import unexpected
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence, Style
from agent_lsp.syntax.toml.words import WordKind, newer_kind
from agent_lsp.text import Span


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
