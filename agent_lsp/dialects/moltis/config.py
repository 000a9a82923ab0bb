"""What `[agents]` of a configuration holds: the default and the presets, each with its faults.

Invariants: what stands outside of `[agents]` is not looked at; settings go by dotted names
(`tools.allow`), however the file writes them; any fault drops the whole configuration.
Facts: crates/config/src/{loader,schema}.rs of moltis-org/moltis, read 2026-11-27.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from agent_lsp.dialects import serde_toml
from agent_lsp.dialects.model import Kind
from agent_lsp.dialects.moltis import generation as generations
from agent_lsp.dialects.moltis.generation import Generation
from agent_lsp.dialects.template import Fault, FaultKind, Value
from agent_lsp.syntax.nodes import Broken, Entry, Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.text import Span

_TABLES = frozenset(
    name
    for table in (generations.SEED, generations.TODAY)
    for name, key in table.items()
    if key.kind is Kind.TABLE
)


@dataclass(frozen=True, slots=True)
class Line:
    """A key of a preset by its dotted name, where it is written, and its value."""

    name: str
    entry: Entry


@dataclass(frozen=True, slots=True)
class Preset:
    """One preset; `label` is where its name stands first.

    `settings` are the values that its generation reads; `lines` all that is written.
    """

    name: str
    label: Span
    node: Node | None
    settings: dict[str, Value]
    lines: tuple[Line, ...]
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class Config:
    """The `[agents]` of one file; `generation` is None where nothing tells.

    `default` is the preset for calls without one, as the file's generation reads it; `lines` are
    the keys beside `presets`.
    """

    generation: Generation | None
    default: Value | None
    presets: tuple[Preset, ...]
    lines: tuple[Entry, ...]
    faults: tuple[Fault, ...]

    def preset(self, name: str) -> Preset | None:
        """The preset called `name`, or None."""
        return next((preset for preset in self.presets if preset.name == name), None)


def config(root: Node | None, text: str, generation: Generation | None = None) -> Config:
    """The configuration whose tables are `root`; its keys tell a generation that is not given."""
    top = resolve(root)
    agents = top.get("agents") if isinstance(top, Mapping) else None
    node = resolve(agents.value) if agents is not None else None
    lines = node.entries if isinstance(node, Mapping) else ()
    held = _presets(node)
    names = tuple(entry.name or "" for entry in lines)
    found = {entry.name or "": tuple(_lines(entry.value)) for entry in held}
    told = generation or generations.told(
        names, (line.name for written in found.values() for line in written)
    )
    read = generations.agents_keys(told)
    decoded = serde_toml.decode(node, read, "AgentsConfig", text)
    presets = tuple(_preset(entry, told, text) for entry in held if entry.name is not None)
    faults = [fault for fault in decoded.faults if fault.key != "presets"]
    faults += _of_presets(node, held)
    faults += (fault for preset in presets for fault in preset.faults)
    default = None if told is None else decoded.values.get(read[0].name)
    return Config(
        told,
        default,
        presets,
        tuple(entry for entry in lines if entry.name != "presets"),
        tuple(sorted(faults, key=lambda fault: fault.span)),
    )


def _presets(node: Node | None) -> tuple[Entry, ...]:
    """The entries of the table of presets."""
    if isinstance(node, Sequence):
        holder = resolve(node.items[1]) if len(node.items) > 1 else None
    else:
        entry = node.get("presets") if isinstance(node, Mapping) else None
        holder = resolve(entry.value) if entry is not None else None
    return holder.entries if isinstance(holder, Mapping) else ()


def _of_presets(node: Node | None, held: tuple[Entry, ...]) -> Iterator[Fault]:
    """What is wrong where the table of presets should be."""
    entry = node.get("presets") if isinstance(node, Mapping) else None
    holder = resolve(entry.value) if entry is not None else None
    if held or holder is None or isinstance(holder, Mapping | Broken):
        return
    if serde_toml.is_date(holder):
        message = "invalid type: string, expected struct AgentPreset"
        yield Fault(FaultKind.TYPE, holder.span, message, "presets", "a table", "a date")
    else:
        yield serde_toml.wrong(holder, "a map", "a table of presets", "presets")


def _preset(entry: Entry, told: Generation | None, text: str) -> Preset:
    name = entry.name or ""
    keys = generations.preset_keys(told)
    decoded = serde_toml.decode(entry.value, keys, "AgentPreset", text)
    return Preset(
        name,
        entry.key.span,
        resolve(entry.value),
        decoded.values,
        tuple(_lines(entry.value)),
        tuple(replace(fault, key=fault.key or name) for fault in decoded.faults),
    )


def _lines(node: Node | None, prefix: str = "") -> Iterator[Line]:
    target = resolve(node)
    if isinstance(target, Sequence) and target.items and not prefix:
        # An array of tables: the first one is read by position, and none by its keys.
        return
    for entry in target.entries if isinstance(target, Mapping) else ():
        name = f"{prefix}{entry.name}"
        inner = resolve(entry.value)
        if name in _TABLES and isinstance(inner, Mapping):
            yield from _lines(inner, f"{name}.")
        elif isinstance(entry.key, Scalar):
            yield Line(name, entry)
