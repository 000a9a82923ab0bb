"""Says for which file OpenCode does not start, or answers no request for the list of agents.

Facts: OpenCode 1.18.33, measured 2026-11-28 and 29 (`tests/conformance/opencode.jsonl`).
"""

from collections.abc import Iterator

from agent_lsp.data_classes import replace
from agent_lsp.dialects.opencode import CONTENT, RULES, TABLES
from agent_lsp.dialects.opencode.catalog import built_in, in_reading_order, is_of_options, rank
from agent_lsp.dialects.opencode.config import REFERENCE, place
from agent_lsp.dialects.opencode.config import TABLES as OF_FILE
from agent_lsp.dialects.opencode.facts import OPTION, SECOND
from agent_lsp.model.runtime import Candidate, Catalog, CatalogFailure, Scope
from agent_lsp.model.template import LoadError, LoadErrorKind, Reading

SERVER_ERROR = "Unexpected server error. Check server logs for details."
# Names of JavaScript itself, for which the program finds something else than an agent.
_OF_LANGUAGE = frozenset(
    (
        *("constructor", "toString", "toLocaleString", "valueOf", "hasOwnProperty"),
        *("isPrototypeOf", "propertyIsEnumerable", "__defineGetter__", "__defineSetter__"),
        *("__lookupGetter__", "__lookupSetter__"),
    )
)
# The agent that a listing begins with.
_FIRST = "build"


def failure(catalog: Catalog) -> CatalogFailure | None:
    """The first file for which the program does not start, or lists no agent."""
    for candidate, command in _with_commands(catalog):
        if command is not None:
            said = (f'{one.message}\n  at ["{one.key}"]' for one in command.errors)
            sentence = f"Configuration is invalid at {candidate.path}: SchemaError: "
            return CatalogFailure(candidate, sentence + "\n".join(said), command.errors[0])
        if catalog.read(candidate).generation == SECOND:
            return None
        errors = catalog.read(candidate).errors
        lost = next(_lost_references(catalog, candidate), None)
        if lost is not None:
            return lost
        if errors and errors[0].kind is not LoadErrorKind.CONTENT:
            return CatalogFailure(candidate, _sentence(candidate, errors), errors[0])
    return next(filter(None, (_unlisted_agent(catalog, name) for name in catalog.names)), None)


def _unlisted_agent(catalog: Catalog, name: str) -> CatalogFailure | None:
    """The file of an agent for which no request for the list is answered."""
    # An option of a file that is read later takes the place of one that cannot be sent.
    replaced: set[str] = set()
    for part in catalog.candidates(name):
        reading = catalog.read(part)
        for error in _errors_of(reading, name, part):
            if f"{OPTION}{error.key.removeprefix(OPTION)}" not in replaced:
                return CatalogFailure(part, _unlisted(catalog, name, error), error)
        replaced.update(reading.declared.settings)
    winner = catalog.winner(name)
    if winner is not None and name in _OF_LANGUAGE:
        return CatalogFailure(winner, SERVER_ERROR)
    return None


def _with_commands(catalog: Catalog) -> Iterator[tuple[Candidate, Reading | None]]:
    """The files in the order of reading, and the refused commands among them with their readings.

    Those of a folder of configuration are read behind its JSON, and before its agents.
    """
    waiting = [(one, found) for one, found in catalog.beside() if found.errors]
    waiting.sort(key=lambda each: (_later(each[0].scope), each[0].path.as_posix()))
    for candidate in in_reading_order(catalog, catalog.scopes):
        is_table = candidate.scope.form == TABLES
        at = (_later(candidate.scope), not is_table)
        while waiting and (_later(waiting[0][0].scope), False) < at:
            yield waiting.pop(0)
        yield candidate, None
    yield from waiting


def _later(scope: Scope) -> tuple[int, ...]:
    """How late the files of a scope are read, as a key for sorting."""
    return tuple(-one for one in rank(scope))


def _errors_of(reading: Reading, name: str, part: Candidate) -> Iterator[LoadError]:
    """The errors about one of the agents of a file, by their paths below it."""
    if part.scope.form != TABLES:
        yield from reading.errors
    for one in reading.errors if part.scope.form == TABLES else ():
        for table in OF_FILE:
            if one.key.startswith(f"{table}.{name}."):
                yield replace(one, key=one.key.removeprefix(f"{table}.{name}."))


def _unlisted(catalog: Catalog, name: str, error: LoadError) -> str:
    """What a request for the list of agents is answered with for a value of an agent."""
    at = [_FIRST, *sorted({*built_in(catalog), *catalog.names} - {_FIRST})].index(name)
    path = '["name"]'
    if is_of_options(error):
        path = f'["options"]["{error.key.removeprefix("options.")}"]'
    return f"{error.message}\n  at [{at}]{path}"


def _lost_references(catalog: Catalog, candidate: Candidate) -> Iterator[CatalogFailure]:
    """The references of a JSON file to files that are not there, which count before its values."""
    for one in catalog.read(candidate).possible_errors:
        if one.message != REFERENCE:
            continue
        path = place(one.got, candidate.path.parent, catalog.home)
        if path is not None and catalog.text(path) is None:
            thing = f'bad file reference: "{{file:{one.got}}}" {path} does not exist'
            sentence = f"Configuration is invalid at {_place_of(candidate)}: {thing}"
            yield CatalogFailure(candidate, sentence, one)


def _sentence(candidate: Candidate, errors: tuple[LoadError, ...]) -> str:
    """What the program prints instead of starting; of a file that is no JSON its first line."""
    if errors[0].kind is LoadErrorKind.SYNTAX:
        return f"Config file at {_place_of(candidate)} is not valid JSON(C)"
    if candidate.scope.label == RULES:
        # The program goes on with the number of the rule.
        return errors[0].message.replace("PermissionActionConfig", "PermissionAction")
    if errors[0].kind is LoadErrorKind.FORBIDDEN:
        errors = tuple(one for one in errors if one.kind is LoadErrorKind.FORBIDDEN)
    lines = (f"↳ {one.message} {one.key}" for one in errors)
    return "\n".join((f"Configuration is invalid at {_place_of(candidate)}", *lines))


def _place_of(candidate: Candidate) -> str:
    """A file as the program names it: a variable by its name alone."""
    is_variable = candidate.scope.label in (CONTENT, RULES)
    return candidate.scope.label if is_variable else str(candidate.path)
