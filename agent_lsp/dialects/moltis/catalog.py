"""Presets and Markdown definitions of one session: which of them the runtime has at all.

Facts: a preset goes over a definition of its name, and what is dropped defines nothing:
crates/config/src/{loader,agent_defs}.rs of moltis-org/moltis at 6bd2d118, read 2026-11-27. The
runtime of the presets' document (33737298547866) reads no definitions.
"""

from agent_lsp.data_classes import replace
from agent_lsp.dialects.moltis import FILE
from agent_lsp.dialects.moltis.definitions import as_preset, in_its_words
from agent_lsp.dialects.moltis.keys import Generation
from agent_lsp.model.runtime import Candidate, Catalog, Toolset
from agent_lsp.model.template import Reading, Template

_NOTHING = Template({}, (), ())


def settled(catalog: Catalog, generation: Generation | None = None) -> Catalog:
    """The catalog without what the runtime does not read; what it drops comes last."""
    _, configured = configuration(catalog)
    is_old = (
        generation.name if generation is not None else configured.generation
    ) == Generation.SEED.name

    def candidates(name: str) -> tuple[Candidate, ...]:
        found = catalog.candidates(name)
        if is_old:
            return tuple(one for one in found if not is_definition(one))
        if configured.errors:
            return tuple(sorted(found, key=lambda one: not is_definition(one)))
        return found

    names = catalog.names
    if is_old:
        names = tuple(name for name in names if candidates(name))
    skipped = tuple if is_old else catalog.skipped
    return replace(catalog, names=names, candidates=candidates, skipped=skipped)


def is_definition(candidate: Candidate) -> bool:
    """Whether a file is a Markdown definition, and no configuration."""
    return candidate.path.name != FILE


def configuration(catalog: Catalog) -> tuple[Candidate | None, Reading]:
    """The configuration of a session, read for what it says for all calls; there may be none."""
    for scope in catalog.scopes:
        if scope.form == "moltis":
            found = Candidate("", scope.folder / FILE, scope)
            return found, _read(catalog, found)
    return None, Reading(_NOTHING, _NOTHING)


def preset_of(catalog: Catalog, candidate: Candidate) -> Reading:
    """The preset that the runtime makes of a preset or a definition, with the keys of a preset."""
    if is_definition(candidate):
        return as_preset(catalog.read(candidate))
    return _read(catalog, candidate)


def _read(catalog: Catalog, candidate: Candidate) -> Reading:
    """A configuration as the runtime reads it that a definition tells, if it tells none itself."""
    reading = catalog.read(candidate)
    if reading.generation or not has_definitions(catalog):
        return reading
    errors = reading.possible_errors
    return replace(reading, effective=_NOTHING if errors else reading.declared, errors=errors)


def has_definitions(catalog: Catalog) -> bool:
    """Whether a session has a definition, as only the current runtime reads them."""
    chains = map(catalog.candidates, catalog.names)
    return any(is_definition(one) for chain in chains for one in chain)


def in_words_of_definitions(toolset: Toolset) -> Toolset:
    """The verdicts with the keys that a definition has."""
    verdicts = (replace(one, reason=in_its_words(one.reason)) for one in toolset.verdicts)
    return replace(toolset, verdicts=tuple(verdicts))


def generation_of(
    catalog: Catalog, configured: Reading, generation: Generation | None
) -> Generation | None:
    """The generation that somebody has told, or the configuration does, or a definition.

    Who has definitions has a runtime that reads them, unless the configuration is an older one's.
    """
    if generation is not None or configured.generation:
        return generation or Generation[configured.generation]
    return Generation.TODAY if has_definitions(catalog) else None
