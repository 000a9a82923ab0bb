"""Reads a `moltis.toml` as the runtime does, and tells which keys its tables may have.

Invariant: the tree is read once for a document, however many presets ask for it; the runtime takes
all presets, or none at all.
Facts: crates/config/src/loader.rs of moltis-org/moltis at 33737298547866, read 2026-11-27; for the
rounds of `[tools]` `AgentRuntimeLimits` in schema.rs of the code that has it, read 2026-11-28: a
sub-agent falls back to them, and a 0 there falls back to the runtime's own limit.
"""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from agent_lsp.decoders import serde_toml
from agent_lsp.dialects.moltis import FILE, keys
from agent_lsp.dialects.moltis import generation as generations
from agent_lsp.dialects.moltis.config import Config, config, named_presets
from agent_lsp.dialects.moltis.generation import Generation
from agent_lsp.dialects.moltis.keys import AGENT_ROUNDS, TOOLS
from agent_lsp.dialects.moltis.prompt import SUFFIX
from agent_lsp.model.mentions import Mention
from agent_lsp.model.runtime import DefinedName, Scope
from agent_lsp.model.schema import Key, ValueKind
from agent_lsp.model.template import Block, LoadError, LoadErrorKind, Reading, Template, Value
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Mapping, Node, resolve
from agent_lsp.text import Span

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

    Where nothing tells the generation, the possible errors are those of today's runtime.
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
        else generations.agents_keys(generation)
    )
    preset = _merged() if generation is None else generations.preset_keys(generation)
    items = tuple(replace(key, items=preset) if key is keys.PRESETS else key for key in inner)
    return (replace(keys.AGENTS, items=items),)


def _merged() -> tuple[Key, ...]:
    """The keys of both generations, the document's first."""
    return _joined(
        generations.preset_keys(Generation.SEED), generations.preset_keys(Generation.TODAY)
    )


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
