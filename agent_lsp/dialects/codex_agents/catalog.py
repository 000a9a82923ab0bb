"""Puts the layers of a session together: files, and the tables `[agents.<role>]` beside them.

Invariants: one definition of a layer counts for a name, a table before a file and of files the
first by its path; what it lacks comes from the next layer, and only the description, the nicknames
and, for a table without a file, the file.
Facts: measured with `@openai/codex` 0.171.0, 2026-11-28 (scenes 02, 06, 07, 09, 15, 24 and 35 of
`tests/conformance/codex-agents-scenes.jsonl`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from agent_lsp.dialects.codex_agents import keys
from agent_lsp.model.runtime import Candidate, Catalog, Scope
from agent_lsp.model.template import Block, LoadErrorKind, Reading, Template, Value
from agent_lsp.text import Span

CONFIG = "config.toml"
_OF_TABLE = ("description", keys.NICKNAMES)
_FROM_TABLE = frozenset({"name", keys.PROMPT})
_NOTHING = Template({}, (), (Block(None, "", Span(0, 0)),))
UNDESCRIBED = "agent role `{}` must define a description"


@dataclass(frozen=True, slots=True)
class Table:
    """A table `[agents.<role>]` of a layer; `file` is what its `config_file` leads to."""

    name: str
    config: Candidate
    settings: dict[str, Value]
    file: Path | None


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
    return candidate.path.name == CONFIG


def tables(reading: Reading, config: Candidate) -> Iterator[Table]:
    """The roles that a configuration declares, in the order of the text."""
    agents = reading.declared.settings.get("agents")
    for record in agents.records if agents is not None else ():
        name, file = record.values["role"].text, record.values.get("config_file")
        own = {key: record.values[key] for key in _OF_TABLE if key in record.values}
        path = config.path.parent / file.text if file is not None else None
        yield Table(name, replace(config, name=name, span=record.span), own, path)


def settled(catalog: Catalog) -> Catalog:
    """The catalog with the tables of its layers, and without what has no description at all."""
    layers = _layers(catalog)
    declared = {scope: tuple(_sound(catalog, config)) for scope, config in layers.items()}
    named = {table.file for of in declared.values() for table in of if table.file is not None}

    @cache
    def chain(name: str) -> tuple[Candidate, ...]:
        found = []
        files = [one for one in catalog.candidates(name) if one.path not in named]
        for scope in layers:
            of_tables = (_role_of(catalog, table) for table in declared.get(scope, ()))
            found += [one for one in of_tables if one.name == name]
            of_scope = (one for one in files if one.scope == scope)
            found += sorted(of_scope, key=lambda one: one.path.parts)
        rest = [one for one in files if one not in found]
        return (*found, *rest)

    def read(candidate: Candidate) -> Reading:
        for table in declared.get(candidate.scope, ()):
            if _is_of(candidate, table):
                return _reading(catalog, table)
        return catalog.read(candidate)

    def is_described(candidate: Candidate) -> bool:
        is_unknown = bool(candidate.unread)
        return is_unknown or "description" in read(candidate).effective.settings

    @cache
    def candidates(name: str) -> tuple[Candidate, ...]:
        # What has no description takes that of a lower layer.
        found = chain(name)
        last = max((at for at, one in enumerate(found) if is_described(one)), default=-1)
        return found[: last + 1]

    def skipped() -> tuple[tuple[Candidate, str], ...]:
        files = (one for one in catalog.skipped() if one[0].path not in named)
        lost = (
            (one, UNDESCRIBED.format(one.name))
            for name in names
            for one in chain(name)
            if one not in candidates(name)
        )
        return (*files, *lost)

    own = (_role_of(catalog, table).name for of in declared.values() for table in of)
    names = tuple(sorted({*catalog.names, *own}))
    return replace(catalog, names=names, candidates=candidates, read=read, skipped=skipped)


def role(catalog: Catalog, name: str) -> Role | None:
    """The agent called `name` as a session has it, or None."""
    chain = list({one.scope: one for one in reversed(catalog.candidates(name))}.values())[::-1]
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


def _layers(catalog: Catalog) -> dict[Scope, Candidate]:
    """The layers of a session, the nearest first, each with its configuration."""
    scopes = [scope for scope in catalog.scopes if not scope.builtin]
    own = catalog.root / ".codex" / "agents"
    if all(scope.folder != own for scope in scopes):
        scopes.insert(0, Scope("project", "project", own, deep=True))
    return {scope: Candidate("", scope.folder.parent / CONFIG, scope) for scope in scopes}


def _sound(catalog: Catalog, config: Candidate) -> Iterator[Table]:
    """The tables of a layer that make a role, unless nothing describes it."""
    for table in tables(catalog.read(config), config):
        described = table.settings.get("description")
        if described is not None and not described.text.strip():
            continue
        if table.file is not None and (not _declared(catalog, table) or _errors(catalog, table)):
            continue
        yield table


def _role_of(catalog: Catalog, table: Table) -> Candidate:
    """The definition that a table is, by the name of its file where that has one."""
    if table.file is None:
        return table.config
    name = _declared(catalog, table).get("name")
    at = Candidate(table.name, table.file, table.config.scope)
    return at if name is None else replace(at, name=name.text, span=name.span)


def _declared(catalog: Catalog, table: Table) -> dict[str, Value]:
    return dict(_file(catalog, table).declared.settings)


def _errors(catalog: Catalog, table: Table) -> bool:
    found = _file(catalog, table).errors
    return any(one.kind is not LoadErrorKind.MISSING or one.key not in _FROM_TABLE for one in found)


def _file(catalog: Catalog, table: Table) -> Reading:
    path = table.file or table.config.path
    return catalog.read(Candidate(table.name, path, table.config.scope))


def _is_of(candidate: Candidate, table: Table) -> bool:
    """Whether `candidate` is the definition that `table` makes."""
    if table.file is not None:
        return candidate.path == table.file
    return candidate.path == table.config.path and candidate.name == table.name


def _reading(catalog: Catalog, table: Table) -> Reading:
    """What a table makes: the values of its file, and its own where the file has none."""
    if table.file is None:
        held = replace(_NOTHING, settings=table.settings)
        return Reading(held, held)
    declared = _file(catalog, table).declared
    path = table.config.path
    own = {key: replace(value, path=path) for key, value in table.settings.items()}
    held = replace(declared, settings={**own, **declared.settings})
    return Reading(held, held)
