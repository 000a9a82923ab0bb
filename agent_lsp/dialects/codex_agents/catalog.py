"""Puts the layers of a session together: files, and the tables `[agents.<role>]` beside them.

Invariants: one definition of a layer counts for a name, a table before a file and of files the
first by its path; what it lacks comes from the next layer, and only the description, the nicknames
and, for a table without a file, the file.
Facts: measured with `@openai/codex` 0.171.0, 2026-11-28 (scenes 02, 06, 07, 09, 15, 24 and 35 of
`tests/conformance/codex-agents-scenes.jsonl`).
"""

from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

from agent_lsp.data_classes import dataclass, replace
from agent_lsp.decoders import rust
from agent_lsp.dialects.codex_agents import CONFIG, keys, roles
from agent_lsp.dialects.codex_agents.layers import Layer, Table, layer_of, layers, tables
from agent_lsp.dialects.codex_agents.reading import nickname_errors
from agent_lsp.dialects.codex_agents.session import notes
from agent_lsp.model.runtime import Candidate, Catalog
from agent_lsp.model.template import Block, LoadError, LoadErrorKind, Reading, Template, Value
from agent_lsp.text import Span

_FROM_TABLE = frozenset({"name", keys.PROMPT})
_NOTHING = Template({}, (), (Block(None, "", Span(0, 0)),))
_LATE = LoadErrorKind.CONTENT
UNDESCRIBED = "agent role `{}` must define a description"


@dataclass(frozen=True, slots=True)
class Role:
    """An agent as the layers make it: who defines it, whose file it has, and the shared values.

    `file` is None for a table without a file in any layer. The values come with the file that has
    them.
    """

    winner: Candidate
    file: Candidate | None
    description: tuple[Candidate, Value]
    nicknames: tuple[Candidate, Value] | None


def is_table(candidate: Candidate) -> bool:
    """Whether a definition is a table of a configuration, without a file of its own."""
    return candidate.scope.form == CONFIG


def settled(catalog: Catalog) -> Catalog:
    """The catalog with the tables of its layers, and without what has no description at all."""
    # Each table asks for its file several times.
    catalog = replace(catalog, read=cache(catalog.read))
    found = layers(catalog)
    declared = {
        layer: tuple((table, _role_of(catalog, layer, table)) for table in sound(catalog, layer))
        for layer in found
    }
    made = {
        (one.path, one.scope, one.name): (layer, table)
        for layer in reversed(found)
        for table, one in reversed(declared[layer])
    }
    named = {table.file for _, table in made.values() if table.file is not None}

    @cache
    def chain(name: str) -> tuple[Candidate, ...]:
        every = (one for one in catalog.candidates(name) if not is_table(one))
        files = [one for one in every if one.path not in named]
        chain = []
        for layer in found:
            chain += [one for _, one in declared[layer] if one.name == name]
            of_scope = (one for one in files if one.scope == layer.scope)
            chain += sorted(of_scope, key=lambda one: one.path.parts)
        return (*chain, *(one for one in files if one not in chain))

    @cache
    def read(candidate: Candidate) -> Reading:
        by = made.get((candidate.path, candidate.scope, candidate.name))
        return catalog.read(candidate) if by is None else _reading(catalog, *by)

    def is_described(candidate: Candidate) -> bool:
        is_unknown = bool(candidate.unread)
        return is_unknown or roles.DESCRIPTION in read(candidate).declared.settings

    @cache
    def candidates(name: str) -> tuple[Candidate, ...]:
        # What has no description takes that of a lower layer, and not that of a second definition
        # of its own layer.
        found = chain(name)
        firsts = {layer_of(one): one for one in reversed(found)}
        described = {folder for folder, one in firsts.items() if is_described(one)}
        ends = [at for at, one in enumerate(found) if layer_of(one) in described]
        return found[: max(ends, default=-1) + 1]

    def skipped() -> tuple[tuple[Candidate, str], ...]:
        files = (one for one in catalog.skipped() if one[0].path not in named)
        lost = (
            (one, UNDESCRIBED.format(one.name))
            for name in names
            for one in chain(name)
            if one not in candidates(name)
        )
        return (*files, *lost)

    own = (one.name for of in declared.values() for _, one in of)
    every = sorted({*catalog.names, *own})
    # Only the name of a file that a table names may have no definition left. To look for those of
    # all others takes long.
    doubtful = {one.stem for one in named} | {
        value.text
        for layer, table in made.values()
        for key, value in _declared(catalog, layer, table).items()
        if key == "name"
    }
    names = tuple(name for name in every if name not in doubtful or chain(name))
    whole = replace(catalog, names=names, candidates=candidates, read=read, skipped=skipped)
    every_table = tuple(pair for of in declared.values() for pair in of)
    return replace(whole, made=partial(_made, whole, every_table), notes=lambda: notes(catalog))


def _made(
    catalog: Catalog, every_table: tuple[tuple[Table, Candidate], ...], name: str, path: Path
) -> str:
    """The agent in use to which the role `name`, or the file that a role names, leads."""
    for table, one in every_table:
        is_config = table.config.path == path and table.name == name
        if (table.file == path or is_config) and one == catalog.winner(one.name):
            return one.name
    return ""


def role(catalog: Catalog, name: str) -> Role | None:
    """The agent called `name` as a session has it, or None."""
    by_layer = {layer_of(one): one for one in reversed(catalog.candidates(name))}
    chain = list(by_layer.values())[::-1]
    if not chain:
        return None
    readings = [(one, catalog.read(one)) for one in chain]

    def first(key: str) -> tuple[Candidate, Value] | None:
        found = ((one, reading.effective.settings.get(key)) for one, reading in readings)
        return next(((one, value) for one, value in found if value is not None), None)

    described = first("description")
    if described is None:
        described = chain[0], Value("", Span(0, 0))
    file = next((one for one in chain if not is_table(one)), None)
    return Role(chain[0], file, described, first(keys.NICKNAMES))


def sound(catalog: Catalog, layer: Layer) -> Iterator[Table]:
    """The tables of a layer that make a role, unless nothing describes it.

    One wrong value in `[agents]` drops all of them, where a nearer layer lets the program start.
    """
    if layer.config is None:
        return
    errors = catalog.read(layer.config).errors
    # How many agents may run at once is decided for all layers together.
    if any(one.key.partition(".")[0] == keys.AGENTS and one.kind is not _LATE for one in errors):
        return
    for table in tables(catalog.read(layer.config), layer.config):
        if not problem(catalog, layer, table):
            yield table


def problem(catalog: Catalog, layer: Layer, table: Table) -> str:
    """Why the runtime ignores a table of a layer, whatever other layers say; empty for none."""
    described, nicknames = (table.settings.get(key) for key in (roles.DESCRIPTION, keys.NICKNAMES))
    if described is not None and not rust.trim(described.text):
        return f"{keys.AGENTS}.{table.name}.{roles.DESCRIPTION} cannot be blank"
    wrong = next(iter(nickname_errors(nicknames)), None) if nicknames is not None else None
    if wrong is not None:
        return f"{keys.AGENTS}.{table.name}.{keys.NICKNAMES} {wrong[1]}"
    if table.file is None:
        return ""
    if not _declared(catalog, layer, table):
        where = f"{keys.AGENTS}.{table.name}.{roles.FILE}"
        return f"{where} must point to an existing file at {table.file}"
    errors = errors_of_file(_file(catalog, layer, table))
    return errors[0].message if errors else ""


def errors_of_file(reading: Reading) -> tuple[LoadError, ...]:
    """The errors of a file that a table names: without those that the table makes up for."""
    return tuple(
        one
        for one in reading.errors
        if one.kind is not LoadErrorKind.MISSING or one.key not in _FROM_TABLE
    )


def _role_of(catalog: Catalog, layer: Layer, table: Table) -> Candidate:
    """The definition that a table is, by the name of its file where that has one."""
    if table.file is None:
        return table.config
    name = _declared(catalog, layer, table).get("name")
    listed = not catalog.is_link(table.file)
    at = Candidate(table.name, table.file, layer.scope, listed=listed)
    return at if name is None else replace(at, name=name.text, span=name.span)


def _declared(catalog: Catalog, layer: Layer, table: Table) -> dict[str, Value]:
    return dict(_file(catalog, layer, table).declared.settings)


def _file(catalog: Catalog, layer: Layer, table: Table) -> Reading:
    path = table.file or table.config.path
    return catalog.read(Candidate(table.name, path, layer.scope))


def _reading(catalog: Catalog, layer: Layer, table: Table) -> Reading:
    """What a table makes: the values of its file, and its own where the file has none."""
    if table.file is None:
        held = replace(_NOTHING, settings=table.settings)
        return Reading(held, held)
    declared = _file(catalog, layer, table).declared
    path = table.config.path
    own = {key: replace(value, path=path) for key, value in table.settings.items()}
    held = replace(declared, settings={**own, **declared.settings})
    return Reading(held, held)
