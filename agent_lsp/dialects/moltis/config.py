"""Reads `[agents]` of a configuration: the default and the presets, each with its errors.

Invariants: what stands outside of `[agents]` is not looked at; settings go by dotted names
(`tools.allow`), however the file writes them; any error drops the whole configuration.
What today's runtime refuses of sound values are errors of its parser, too; what it only checks
afterwards is none of them.
Facts: crates/config/src/{loader,schema}.rs of moltis-org/moltis, read 2026-11-27; for the refusals
schema/agents.rs at 6bd2d118, read 2026-11-28: `PresetMcpPolicy` refuses both of its lists, and
`ToolChoice` is an enum that its `type` tells.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from agent_lsp.decoders import serde_toml
from agent_lsp.decoders.serde_toml import VARIABLE
from agent_lsp.dialects.moltis import generation as generations
from agent_lsp.dialects.moltis import keys
from agent_lsp.dialects.moltis.generation import Generation
from agent_lsp.model.schema import ValueKind
from agent_lsp.model.template import LoadError, LoadErrorKind, Value
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.text import Span

# The dotted names of the tables that a preset may have.
TABLES = frozenset(
    name
    for table in (generations.SEED, generations.TODAY)
    for name, key in table.items()
    if key.kind is ValueKind.TABLE
)


@dataclass(frozen=True, slots=True)
class PresetKey:
    """A key of a preset by its dotted name, where it is written, and its value."""

    name: str
    entry: Entry


@dataclass(frozen=True, slots=True)
class Preset:
    """A preset; `label` is the first span of its name.

    `settings` are the values that its generation reads; `lines` all that is written.
    """

    name: str
    label: Span
    node: Node | None
    settings: dict[str, Value]
    lines: tuple[PresetKey, ...]
    errors: tuple[LoadError, ...] = ()


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
    errors: tuple[LoadError, ...]

    def preset(self, name: str) -> Preset | None:
        """The preset called `name`, or None."""
        return next((preset for preset in self.presets if preset.name == name), None)


def config(root: Node | None, text: str, generation: Generation | None = None) -> Config:
    """The configuration whose tables are `root`; its keys tell a generation that is not given.

    Where nothing tells, the errors are those of the document's runtime.
    """
    top = resolve(root)
    agents = top.get("agents") if isinstance(top, Mapping) else None
    node = resolve(agents.value) if agents is not None else None
    lines = node.entries if isinstance(node, Mapping) else ()
    held = _presets(node)
    written = tuple(tuple(_written(entry.value, "")) for entry in held)
    generation = generation or _told(node, held, written, text)
    # If nothing tells, a table has neither key for the default, and a list has it first.
    read = generations.agents_keys(generation or Generation.SEED)
    decoded = serde_toml.decode(node, read, "AgentsConfig", text)
    presets = tuple(
        _preset(entry, lines_, generation, text)
        for entry, lines_ in zip(held, written, strict=True)
        if entry.name is not None
    )
    errors = [error for error in decoded.errors if error.key != "presets"]
    errors += _of_presets(node, held, text)
    errors += (error for preset in presets for error in preset.errors)
    default = None if generation is None else decoded.values.get(read[0].name)
    return Config(
        generation,
        default,
        presets,
        tuple(entry for entry in lines if entry.name != "presets"),
        tuple(sorted(errors, key=lambda error: error.span)),
    )


def _told(
    node: Node | None,
    held: tuple[Entry, ...],
    written: tuple[tuple[PresetKey, ...], ...],
    text: str,
) -> Generation | None:
    """The generation that the keys tell: first those with sound values, then mere tables.

    What one generation refuses, and the other ignores, is no sign that it is meant.
    """
    sound, tables = set[str](), set[str]()
    for entry, lines in zip(held, written, strict=True):
        refused = {
            error.key.partition("[")[0]
            for one in Generation
            for error in _decoded(entry, one, text).errors
        }
        refused |= {name.rpartition(".")[0] for name in refused}
        for line in lines:
            if line.name not in refused:
                (tables if line.name in TABLES else sound).add(line.name)
    top = _sound_defaults(node)
    return generations.of_names(top, sound) or generations.of_names((), tables)


def _sound_defaults(node: Node | None) -> Iterator[str]:
    for entry in node.entries if isinstance(node, Mapping) else ():
        value = resolve(entry.value)
        if value is None or serde_toml.is_absent(value) or serde_toml.is_text(value):
            yield entry.name or ""


def _decoded(entry: Entry, generation: Generation, text: str) -> serde_toml.Decoded:
    return serde_toml.decode(entry.value, generations.preset_keys(generation), "AgentPreset", text)


def named_presets(root: Node | None) -> Iterator[Entry]:
    """The presets below `root` by their names, whatever is in them."""
    top = resolve(root)
    agents = top.get("agents") if isinstance(top, Mapping) else None
    node = resolve(agents.value) if agents is not None else None
    return (entry for entry in _presets(node) if entry.name is not None)


def _presets(node: Node | None) -> tuple[Entry, ...]:
    """The entries of the table of presets."""
    holder = _holder(node)
    return holder.entries if isinstance(holder, Mapping) else ()


def _holder(node: Node | None) -> Node | None:
    """The node at the table of presets, by its key or by its position."""
    if isinstance(node, Sequence):
        return resolve(node.items[1]) if len(node.items) > 1 else None
    entry = node.get(keys.PRESETS.name) if isinstance(node, Mapping) else None
    return resolve(entry.value) if entry is not None else None


def _of_presets(node: Node | None, held: tuple[Entry, ...], text: str) -> Iterator[LoadError]:
    """The errors of the table of presets."""
    holder, name = _holder(node), keys.PRESETS.name
    if held or isinstance(holder, Mapping) or serde_toml.is_absent(holder) or holder is None:
        return
    if serde_toml.is_variable(holder, text):
        return
    if serde_toml.is_date(holder):
        message = "invalid type: string, expected struct AgentPreset"
        yield LoadError(LoadErrorKind.TYPE, holder.span, message, name, "a table", "a date")
    else:
        yield serde_toml.wrong(holder, "a map", "a table of presets", name)


def _preset(
    entry: Entry, written: tuple[PresetKey, ...], generation: Generation | None, text: str
) -> Preset:
    name = entry.name or ""
    read = generations.preset_keys(generation)
    decoded = serde_toml.decode(entry.value, read, "AgentPreset", text)
    lines = tuple(line for line in written if not _is_table(line))
    errors = _decoded(entry, generation or Generation.SEED, text).errors
    if generation is Generation.TODAY:
        errors = _of_choice(errors, decoded.values)
        errors += tuple(of_today(decoded.values, [line.name for line in lines]))
    errors = tuple(replace(error, key=error.key or name) for error in errors)
    return Preset(name, entry.key.span, resolve(entry.value), decoded.values, lines, errors)


def _written(node: Node | None, prefix: str) -> Iterator[PresetKey]:
    """The declared values of a preset: its tables and their values, by dotted names.

    The first one of an array of tables is read by position, and none by its keys.
    """
    target = resolve(node)
    for entry in target.entries if isinstance(target, Mapping) else ():
        line = PresetKey(f"{prefix}{entry.name}", entry)
        if isinstance(entry.key, Scalar):
            yield line
        if line.name in TABLES:
            yield from _written(entry.value, f"{line.name}.")


def _is_table(line: PresetKey) -> bool:
    return line.name in TABLES and isinstance(resolve(line.entry.value), Mapping)


BOTH = "mcp: allow_servers and deny_servers are mutually exclusive"
_CHOICE = "tool_controls.tool_choice"


def _of_choice(errors: tuple[LoadError, ...], values: dict[str, Value]) -> tuple[LoadError, ...]:
    """The errors without those of a name that no tool is forced by, which is then ignored."""
    kind = values.get(f"{_CHOICE}.type")
    is_forced = kind is None or kind.value == "tool"
    return tuple(error for error in errors if is_forced or error.key != f"{_CHOICE}.name")


def of_today(values: dict[str, Value], written: Collection[str]) -> Iterator[LoadError]:
    """The refusals of a preset with the `values`; `written` are the dotted names of its keys."""
    deny = values.get("mcp.deny_servers")
    if deny is not None and "mcp.allow_servers" in values:
        yield LoadError(LoadErrorKind.FORBIDDEN, deny.key or deny.span, BOTH, "mcp")
    choice = values.get(_CHOICE)
    # The table itself is no line; what stands there instead, as a variable, is one.
    if choice is None or _CHOICE in written or any(map(VARIABLE.search, written)):
        return
    kind = values.get(f"{_CHOICE}.type")
    has_type = kind is not None or f"{_CHOICE}.type" in written
    missing = "name" if has_type else "type"
    is_forced = kind is not None and kind.value == "tool"
    has = f"{_CHOICE}.{missing}" in written or f"{_CHOICE}.{missing}" in values
    if not has and (missing == "type" or is_forced):
        span = choice.key or choice.span
        message = f"missing field `{missing}`"
        yield LoadError(LoadErrorKind.MISSING, span, message, _CHOICE, missing)
