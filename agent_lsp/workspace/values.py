"""The values in a runtime's own configuration: TOML, YAML or JSON.

Invariant: whatever a file holds is read without an error; what is wrong with it is said.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent_lsp.syntax import nodes, yaml
from agent_lsp.syntax.nodes import Node, Style, resolve
from agent_lsp.syntax.toml_bounds import excess
from agent_lsp.workspace.file import MAX_TABLES

_OFF = frozenset({"false", "no", "off"})


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """What `text` holds: plain values, or nodes of YAML; or the `problem` for which nothing."""

    text: str
    top: object = None
    problem: str = ""


def config_file(text: str, extension: str) -> ConfigFile:
    """The values of a file with this `text`; its `extension` tells the language."""
    try:
        if extension == ".toml":
            problem = excess(text)
            return ConfigFile(text, None if problem else tomllib.loads(text), problem or "")
        if extension in (".yaml", ".yml"):
            if len(text) > MAX_TABLES:
                return ConfigFile(text, problem=f"larger than {MAX_TABLES // 1000} kB")
            tree = yaml.parse(text)
            problem = tree.problem.message if tree.problem is not None else ""
            return ConfigFile(text, None if problem else tree.root, problem)
        return ConfigFile(text, json.loads(text) if text.strip() else None)
    except (ValueError, RecursionError) as error:
        return ConfigFile(text, problem=str(error))


def names_at(read: ConfigFile, keys: Sequence[str]) -> tuple[str, ...]:
    """The names of what `keys` lead to, without what is turned off; none if they lead nowhere.

    That is a mapping by name, or a list of mappings that have one.
    """
    value = read.top
    for key in keys:
        inside = _plain(value)
        value = inside.get(key) if isinstance(inside, Mapping) else None
    return tuple(name for name, one in _named(_plain(value)) if _is_on(_plain(one)))


def _named(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        yield from ((name, one) for name, one in value.items() if isinstance(name, str))
    for one in value if isinstance(value, list) else ():
        inside = _plain(one)
        name = _plain(inside.get("name")) if isinstance(inside, Mapping) else None
        if isinstance(name, str):
            yield name, one


def _is_on(value: object) -> bool:
    return isinstance(value, Mapping) and _plain(value.get("enabled")) is not False


def _plain(value: object) -> object:
    """What a node of YAML holds, its own nodes as they are; a plain word for no is false.

    Aliases of aliases grow without bounds when all of them are followed.
    """
    found = resolve(value) if isinstance(value, Node) else value
    if isinstance(found, nodes.Mapping):
        return {one.name: one.value for one in found.entries}
    if isinstance(found, nodes.Sequence):
        return list(found.items)
    if isinstance(found, nodes.Scalar):
        is_off = found.style is Style.PLAIN and found.value.lower() in _OFF
        return False if is_off else found.value
    return found
