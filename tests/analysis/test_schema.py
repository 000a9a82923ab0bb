"""The JSON Schema of a header says of each value what the runtime's own reading says."""

import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import jsonschema
import pytest
import yaml

from agent_lsp.analysis.schema import schema
from agent_lsp.data_classes import replace
from agent_lsp.installed import installed
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.syntax import document
from tests.systems import DIALECTS, dialect_of

VALUES = ("word", "12", "1.5", "true", "null", "[]", "{}", "[a, b]", "[12]", "[null]", "[[a]]")
TYPES = (
    LoadErrorKind.TYPE,
    LoadErrorKind.CHOICE,
    LoadErrorKind.MISSING,
    LoadErrorKind.FORBIDDEN,
)
# Its files are JSON, without a header.
WITHOUT = {"opencode-config"}
OF_YAML = [dialect for dialect in DIALECTS if not dialect.is_toml and dialect.id not in WITHOUT]
# OpenCode publishes a schema of its JSON, and editors know it.
OF_TABLES = [dialect for dialect in DIALECTS if dialect.is_toml and dialect.schema.is_tables]
TABLES = pytest.mark.parametrize("dialect", OF_TABLES, ids=lambda dialect: dialect.id)
DIALECT = pytest.mark.parametrize("dialect", OF_YAML, ids=lambda dialect: dialect.id)


# Made once, because each is found out by reading hundreds of headers.
@cache
def made(name: str) -> tuple[dict[str, Any], jsonschema.Draft7Validator]:
    found = schema(dialect_of(name))
    assert found is not None
    return found, jsonschema.Draft7Validator(found)


def schema_of(dialect: Dialect) -> dict[str, Any]:
    return made(dialect.id)[0]


def is_valid(dialect: Dialect, header: object) -> bool:
    return bool(made(dialect.id)[1].is_valid(header))


def is_read(dialect: Dialect, header: str) -> bool:
    faults = dialect.format.read(
        document.parse(f"---\n{header}---\nText.\n", dialect.format.split), "word"
    ).errors
    return all(fault.kind not in TYPES for fault in faults)


@DIALECT
def test_it_is_a_schema(dialect: Dialect) -> None:
    jsonschema.Draft7Validator.check_schema(schema_of(dialect))


@DIALECT
def test_it_takes_exactly_what_the_runtime_takes(dialect: Dialect) -> None:
    mandatory = {key.name: "word" for key in dialect.schema.keys if key.mandatory}
    for key, value in product(dialect.schema.keys, VALUES):
        if key.example and value == "word":
            # A text may have to look like the example, which is no question of its type.
            continue
        others = "".join(f"{name}: {one}\n" for name, one in mandatory.items() if name != key.name)
        if not any(is_read(dialect, f"{others}{key.name}: {one}\n") for one in VALUES):
            # It is only taken beside others.
            continue
        header = f"{others}{key.name}: {value}\n"
        assert is_valid(dialect, yaml.safe_load(header)) == is_read(dialect, header), header


@DIALECT
def test_a_header_may_lack_what_the_runtime_does_not_need_and_have_what_it_ignores(
    dialect: Dialect,
) -> None:
    needed: dict[str, Any] = {key.name: "word" for key in dialect.schema.keys if key.mandatory}
    written = "".join(f"{name}: word\n" for name in (*needed, "nonsense"))
    assert is_valid(dialect, {**needed, "nonsense": "word"}) == is_read(dialect, written)
    for name in needed:
        assert not is_valid(dialect, {key: one for key, one in needed.items() if key != name})


@DIALECT
def test_the_shipped_templates_are_valid(dialect: Dialect) -> None:
    paths = list(installed(f"templates/{dialect.id}").rglob("*.md"))
    for path in paths:
        _, header, _ = path.read_text("utf-8").split("---\n", 2)
        assert is_valid(dialect, yaml.safe_load(header)), path


@DIALECT
def test_every_key_is_described(dialect: Dialect) -> None:
    properties = schema_of(dialect)["properties"]
    assert set(properties) == {key.name for key in dialect.schema.keys}
    assert all(one["description"] for one in properties.values())


@TABLES
def test_a_file_of_tables_has_one_that_takes_exactly_what_the_runtime_takes(
    dialect: Dialect,
) -> None:
    """Each key is tried with a value of each type, in a file that has nothing else."""
    found = schema_of(dialect)
    jsonschema.Draft7Validator.check_schema(found)
    tried = 0
    for path, is_table in paths_of(found):
        # What a list may hold that stands for a table, a schema does not say.
        for value in TOML_VALUES[: -2 if is_table else None]:
            written = f"{'.'.join(path)} = {value}\n"
            faults = dialect.format.read(dialect.parse(written), "one").errors
            taken = all(fault.kind not in TYPES[:2] for fault in faults)
            assert is_valid(dialect, tomllib.loads(written)) == taken, written
            tried += 1
    assert tried > 100


TOML_VALUES = ('"word"', '"high"', '"all"', "12", "1.5", "true", "[]", "{}", '["a"]', "[12]")


def paths_of(
    found: dict[str, Any], path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The path of each value that a schema describes, and whether it is a table.

    `one` stands for a name that people choose.
    """
    inside = dict(found.get("properties", {}))
    if "additionalProperties" in found:
        inside["one"] = found["additionalProperties"]
    for name, inner in inside.items():
        yield (*path, name), "object" in inner.get("type", ())
        yield from paths_of(inner, (*path, name))


@TABLES
def test_the_shipped_files_of_tables_are_valid(dialect: Dialect) -> None:
    files = [*installed(f"templates/{dialect.id}").rglob("*.toml")]
    assert files
    for path in files:
        assert is_valid(dialect, tomllib.loads(path.read_text("utf-8"))), path


@TABLES
def test_tables_that_are_not_ours_are_allowed(dialect: Dialect) -> None:
    assert is_valid(dialect, {"server": {"port": 1}, "nonsense": 2})


def test_there_is_none_for_headers_that_are_no_yaml() -> None:
    assert all(schema(dialect) is None for dialect in DIALECTS if dialect.id in WITHOUT)
    own = OF_YAML[0].format
    format_ = replace(own, split=lambda text, bom: own.split(f"+++\n{text}", bom))
    other = replace(OF_YAML[0], format=format_)
    assert schema(other) is None
