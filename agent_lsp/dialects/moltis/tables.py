"""The keys that a table of the configuration may have, for whoever writes in it."""

from dataclasses import replace

from agent_lsp.dialects.moltis import generation as generations
from agent_lsp.dialects.moltis import keys, reading
from agent_lsp.dialects.moltis.generation import Generation
from agent_lsp.dialects.vocabulary import Key, ValueKind
from agent_lsp.syntax.document import Document

_AGENTS, _PRESETS = "agents", "presets"
_LEAST = 3
_ROOT = Key(
    _AGENTS, ValueKind.TABLE, "the presets for sub-agents, and the default one", "no presets"
)


def keys_at(
    document: Document, path: tuple[str, ...], told: Generation | None = None
) -> tuple[Key, ...]:
    """The keys of the table at `path`; none for a table that is none of ours.

    Where nothing tells the generation, those of both are there.
    """
    told = reading.config_of(document, told).generation
    if not path:
        return (_ROOT,)
    if path == (_AGENTS,):
        both = (keys.DEFAULT, keys.DEFAULT_PRESET, keys.PRESETS)
        return both if told is None else generations.agents_keys(told)
    if len(path) < _LEAST or path[:2] != (_AGENTS, _PRESETS):
        return ()
    found = _merged() if told is None else generations.preset_keys(told)
    for name in path[_LEAST:]:
        table = next(
            (key for key in found if key.name == name and key.kind is ValueKind.TABLE), None
        )
        found = table.items if table is not None else ()
    return found


def template_at(path: tuple[str, ...]) -> str | None:
    """The preset to which the table at `path` belongs, or None."""
    inside = len(path) >= _LEAST and path[:2] == (_AGENTS, _PRESETS)
    return path[_LEAST - 1] if inside else None


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
