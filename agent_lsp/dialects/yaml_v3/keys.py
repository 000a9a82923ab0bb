"""The keys of a mapping: when two are the same, and what a key's place is called.

Facts: decode.go of gopkg.in/yaml.v3 3.0.1, read 2026-11-27.
"""

from agent_lsp.dialects.go import quote
from agent_lsp.dialects.template import LoadErrorKind
from agent_lsp.dialects.yaml_v3 import words
from agent_lsp.dialects.yaml_v3.run import MAX_FAULTS, Run, report
from agent_lsp.syntax.nodes import Alias, Entry, Mapping, Node, Scalar, resolve


def has_duplicates(run: Run, node: Mapping, path: str) -> bool:
    """Whether a key occurs twice: every two of a kind are a fault, and nothing else is read."""
    alike: dict[tuple[type[Node], str], list[Node]] = {}
    for entry in node.entries:
        alike.setdefault(_identity(entry.key), []).append(entry.key)
    if len(alike) == len(node.entries):
        return False
    for entry in node.entries:
        if len(run.errors) >= MAX_FAULTS:
            break
        kind, text = _identity(entry.key)
        later = alike[kind, text]
        later.pop(0)
        told = f"mapping key {quote(text)} already defined at line {run.at.of(entry.span.start)}"
        for other in later[:MAX_FAULTS]:
            report(run, other, LoadErrorKind.DUPLICATE, told, dotted(path, text))
    return True


def has_text_key(entry: Entry) -> bool:
    """Whether the key of an entry is a text; of `<<`, too."""
    key = resolve(entry.key)
    return isinstance(key, Scalar) and words.tag_of(key) in (words.STR, words.MERGE)


def dotted(path: str, name: str) -> str:
    """The place of a key below the place of its mapping."""
    return f"{path}.{name}" if path else name


def _identity(key: Node) -> tuple[type[Node], str]:
    """What makes two keys the same: their kind and their text, which a collection has not."""
    match key:
        case Scalar():
            return Scalar, key.value
        case Alias():
            return Alias, key.name
        case _:
            return type(key), ""
