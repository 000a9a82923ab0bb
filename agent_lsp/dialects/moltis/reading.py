"""Reads a `moltis.toml` as the runtime does: its tables, the default, and presets with errors."""

from collections.abc import Collection, Iterator
from functools import lru_cache
from pathlib import Path

from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.decoders import serde_toml
from agent_lsp.decoders.serde_toml import VARIABLE
from agent_lsp.dialects.moltis import FILE, keys
from agent_lsp.dialects.moltis.keys import AGENT_ROUNDS, TOOLS, Generation
from agent_lsp.dialects.moltis.policy import IN_ENTRY, items
from agent_lsp.dialects.moltis.prompt import SUFFIX
from agent_lsp.model.availability import Mention
from agent_lsp.model.discovery import ServerNames
from agent_lsp.model.runtime import DefinedName, Scope
from agent_lsp.model.schema import Key, ValueKind
from agent_lsp.model.template import Block, LoadError, LoadErrorKind, Reading, Template, Value
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.text import Span

# The dotted names of the tables that a preset may have.
TABLES = frozenset(
    name
    for table in (keys.SEED, keys.TODAY)
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
    _by_name: dict[str, Preset] = field(init=False, repr=False, compare=False, default_factory=dict)

    def preset(self, name: str) -> Preset | None:
        """The preset called `name`, or None."""
        if not self._by_name:
            self._by_name.update((preset.name, preset) for preset in reversed(self.presets))
        return self._by_name.get(name)


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
    read = keys.agents_keys(generation or Generation.SEED)
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
    return keys.generation_by_names(top, sound) or keys.generation_by_names((), tables)


def _sound_defaults(node: Node | None) -> Iterator[str]:
    for entry in node.entries if isinstance(node, Mapping) else ():
        value = resolve(entry.value)
        if value is None or serde_toml.is_absent(value) or serde_toml.is_text(value):
            yield entry.name or ""


def _decoded(entry: Entry, generation: Generation, text: str) -> serde_toml.Decoded:
    return serde_toml.decode(entry.value, keys.preset_keys(generation), "AgentPreset", text)


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
    read = keys.preset_keys(generation)
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


DEFAULT = "agents.default"
ROUNDS = f"{TOOLS}.{AGENT_ROUNDS.name}"
_NOTHING = Template({}, (), (Block(None, "", Span(0, 0)),))


def name_of(file_name: str) -> str | None:
    """The stem of a file that the runtime reads; the presets in it have names of their own."""
    return file_name.rpartition(".")[0] if file_name == FILE else None


def names_in(document: Document, _scope: Scope, _path: Path) -> tuple[DefinedName, ...]:
    """The presets of a file, in its order."""
    found = named_presets(document.tree.root)
    return tuple(DefinedName(entry.name or "", entry.key.span) for entry in found)


def config_of(document: Document, generation: Generation | None = None) -> Config:
    """The configuration in `document`; where it is no TOML, as far as it can be read.

    Its keys tell the generation, unless somebody has told it by `generation`.
    """
    return _config(document, generation)


# As many as there are documents that are kept: a large one takes much room.
@lru_cache(maxsize=4)
def _config(document: Document, generation: Generation | None) -> Config:
    return config(document.tree.root, document.text, generation)


def errors(document: Document, generation: Generation | None = None) -> tuple[LoadError, ...]:
    """Why the runtime drops the whole file, in its order."""
    problem = document.tree.problem
    if problem is not None:
        message = (
            problem.message if problem.context is None else f"{problem.context}: {problem.message}"
        )
        return (LoadError(LoadErrorKind.SYNTAX, problem.span, message),)
    return config_of(document, generation).errors


def read(document: Document, name: str, generation: Generation | None = None) -> Reading:
    """The preset called `name`; nothing of it is in effect where the file is dropped.

    Where nothing tells the generation, the possible errors are those of the current runtime.
    """
    found = config_of(document, generation)
    preset = found.preset(name)
    settings = dict(preset.settings) if preset is not None else {}
    if found.default is not None:
        settings[DEFAULT] = found.default
    rounds = _rounds(document)
    if rounds is not None:
        settings[ROUNDS] = rounds
    written = Template(settings, (), (_suffix(settings),))
    wrong = errors(document, generation)
    in_use = found.generation.name if found.generation is not None else ""
    maybe = (
        () if in_use or document.tree.problem is not None else errors(document, Generation.TODAY)
    )
    return Reading(written, _NOTHING if wrong else written, wrong, in_use, maybe)


def _suffix(settings: dict[str, Value]) -> Block:
    value = settings.get(SUFFIX)
    return Block(None, "", Span(0, 0)) if value is None else Block(None, value.text, value.span)


def _rounds(document: Document) -> Value | None:
    """The number of rounds in `[tools]` for presets without a limit of their own."""
    read = serde_toml.decode(_below(document, TOOLS), (AGENT_ROUNDS,), "", document.text)
    found = read.values.get(AGENT_ROUNDS.name)
    return found if found is not None and found.value else None


def _below(document: Document, *path: str) -> Node | None:
    """The node at `path`, anywhere in the file."""
    node = resolve(document.tree.root)
    for name in path:
        entry = node.get(name) if isinstance(node, Mapping) else None
        node = resolve(entry.value) if entry is not None else None
    return node


TEMPLATES = ("agents", "presets")


def of_file(document: Document, generation: Generation | None = None) -> tuple[Key, ...]:
    """The keys of a file: only those of `[agents]` are known.

    Where nothing tells the generation, those of both are there.
    """
    return _of_file(config_of(document, generation).generation)


@lru_cache
def _of_file(generation: Generation | None) -> tuple[Key, ...]:
    inner = (
        (keys.DEFAULT, keys.DEFAULT_PRESET, keys.PRESETS)
        if generation is None
        else keys.agents_keys(generation)
    )
    preset = _merged() if generation is None else keys.preset_keys(generation)
    items = tuple(replace(key, items=preset) if key is keys.PRESETS else key for key in inner)
    return (replace(keys.AGENTS, items=items),)


def _merged() -> tuple[Key, ...]:
    """The keys of both generations, the document's first."""
    return _joined(keys.preset_keys(Generation.SEED), keys.preset_keys(Generation.TODAY))


def _joined(first: tuple[Key, ...], second: tuple[Key, ...]) -> tuple[Key, ...]:
    others = {key.name: key for key in second}
    both = tuple(
        replace(key, items=_joined(key.items, others[key.name].items))
        if key.name in others and key.kind is ValueKind.TABLE
        else key
        for key in first
    )
    names = {key.name for key in first}
    return (*both, *(key for key in second if key.name not in names))


def mentions(document: Document, generation: Generation | None = None) -> tuple[Mention, ...]:
    """The preset for calls that name none."""
    default = config_of(document, generation).default
    if default is None or not default.text:
        return ()
    start = default.span.start + default.span.of(document.text).find(default.text)
    written = Span(start, start + len(default.text))
    # A name with escapes differs from its text.
    if start < default.span.start or written.of(document.text) != default.text:
        return ()
    return (Mention(default.text, written, is_call=True),)


def _servers(document: Document) -> tuple[Value, ...]:
    """The MCP servers in the lists of all presets of a configuration."""
    presets = config_of(document).presets if "_servers" in document.text else ()
    lists = ("mcp.allow_servers", "mcp.deny_servers")
    entries = (item for one in presets for key in lists for item in items(one.settings, key))
    return tuple(one for one in entries if VARIABLE.search(one.text) is None)


SERVERS = ServerNames(in_entry=IN_ENTRY, listed=_servers)
