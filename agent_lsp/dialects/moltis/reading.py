"""Reads a `moltis.toml` as the runtime does: all presets, or none at all.

Invariant: the tree is read once for a document, however many presets ask for it.
Facts: crates/config/src/loader.rs of moltis-org/moltis at 33737298547866, read 2026-11-27; for the
rounds of `[tools]` `AgentRuntimeLimits` in schema.rs of the code that has it, read 2026-11-28: a
sub-agent falls back to them, and a 0 there falls back to the runtime's own limit.
"""

from functools import lru_cache
from pathlib import Path

from agent_lsp.dialects import serde_toml
from agent_lsp.dialects.answers import DefinedName, Scope
from agent_lsp.dialects.moltis.config import Config, config, named_presets
from agent_lsp.dialects.moltis.facts import FILE
from agent_lsp.dialects.moltis.generation import Generation
from agent_lsp.dialects.moltis.keys import AGENT_ROUNDS, TOOLS
from agent_lsp.dialects.moltis.prompt import SUFFIX
from agent_lsp.dialects.template import Block, LoadError, LoadErrorKind, Reading, Template, Value
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Entry, Mapping, Node, resolve
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


def config_of(document: Document, told: Generation | None = None) -> Config:
    """The configuration in `document`; where it is no TOML, as far as it can be read.

    Its keys tell the generation, unless somebody has `told` it.
    """
    return _config(document, told)


# As many as there are documents that are kept: a large one takes much room.
@lru_cache(maxsize=4)
def _config(document: Document, told: Generation | None) -> Config:
    return config(document.tree.root, document.text, told)


def lines(document: Document, name: str) -> tuple[tuple[str, Entry], ...]:
    """The keys of the preset called `name`, by their dotted names."""
    preset = config_of(document).preset(name)
    return tuple((line.name, line.entry) for line in preset.lines) if preset is not None else ()


def faults(document: Document, told: Generation | None = None) -> tuple[LoadError, ...]:
    """Why the runtime drops the whole file, in its order."""
    problem = document.tree.problem
    if problem is not None:
        message = (
            problem.message if problem.context is None else f"{problem.context}: {problem.message}"
        )
        return (LoadError(LoadErrorKind.SYNTAX, problem.span, message),)
    return config_of(document, told).errors


def names_below(document: Document, *path: str) -> tuple[str, ...]:
    """The keys of the table at `path`, wherever it stands in the file."""
    node = _below(document, *path)
    return tuple(entry.name or "" for entry in node.entries) if isinstance(node, Mapping) else ()


def read(document: Document, name: str, told: Generation | None = None) -> Reading:
    """The preset called `name`; `held` is nothing where the file is dropped."""
    found = config_of(document, told)
    preset = found.preset(name)
    settings = dict(preset.settings) if preset is not None else {}
    if found.default is not None:
        settings[DEFAULT] = found.default
    rounds = _rounds(document)
    if rounds is not None:
        settings[ROUNDS] = rounds
    written = Template(settings, (), (_suffix(settings),))
    wrong = faults(document, told)
    generation = found.generation.name if found.generation is not None else ""
    return Reading(written, _NOTHING if wrong else written, wrong, generation)


def _suffix(settings: dict[str, Value]) -> Block:
    value = settings.get(SUFFIX)
    return Block(None, "", Span(0, 0)) if value is None else Block(None, value.text, value.span)


def _rounds(document: Document) -> Value | None:
    """How many rounds `[tools]` gives to all who have no limit of their own."""
    read = serde_toml.decode(_below(document, TOOLS), (AGENT_ROUNDS,), "", document.text)
    found = read.values.get(AGENT_ROUNDS.name)
    return found if found is not None and found.value else None


def _below(document: Document, *path: str) -> Node | None:
    """What stands at `path`, wherever in the file."""
    node = resolve(document.tree.root)
    for name in path:
        entry = node.get(name) if isinstance(node, Mapping) else None
        node = resolve(entry.value) if entry is not None else None
    return node
