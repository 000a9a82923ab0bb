"""The JSON Schema of a header says of each value what the runtime's own reading says."""

from dataclasses import replace
from itertools import product
from typing import Any

import jsonschema
import pytest
import yaml

from agent_lsp.analysis.schema import schema
from agent_lsp.dialects.known import DIALECTS
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.template import FaultKind
from agent_lsp.installed import installed
from agent_lsp.syntax import document

VALUES = ("word", "12", "1.5", "true", "null", "[]", "{}", "[a, b]", "[12]", "[null]", "[[a]]")
TYPES = (FaultKind.TYPE, FaultKind.CHOICE, FaultKind.MISSING)
OF_YAML = [known for known in DIALECTS if schema(known) is not None]
DIALECT = pytest.mark.parametrize("known", OF_YAML, ids=lambda known: known.id)


def schema_of(known: Dialect) -> dict[str, Any]:
    found = schema(known)
    assert found is not None
    return found


def is_valid(known: Dialect, header: object) -> bool:
    return bool(jsonschema.Draft7Validator(schema_of(known)).is_valid(header))


def is_read(known: Dialect, header: str) -> bool:
    faults = known.read(document.parse(f"---\n{header}---\nText.\n", known.cut), "word").faults
    return all(fault.kind not in TYPES for fault in faults)


@DIALECT
def test_it_is_a_schema(known: Dialect) -> None:
    jsonschema.Draft7Validator.check_schema(schema_of(known))


@DIALECT
def test_it_takes_exactly_what_the_runtime_takes(known: Dialect) -> None:
    mandatory = {key.name: "word" for key in known.keys if key.mandatory}
    for key, value in product(known.keys, VALUES):
        if key.example and value == "word":
            # A text may have to look like the example, which is no question of its type.
            continue
        others = "".join(f"{name}: {one}\n" for name, one in mandatory.items() if name != key.name)
        header = f"{others}{key.name}: {value}\n"
        assert is_valid(known, yaml.safe_load(header)) == is_read(known, header), header


@DIALECT
def test_a_header_may_lack_what_the_runtime_does_not_need_and_have_what_it_ignores(
    known: Dialect,
) -> None:
    needed: dict[str, Any] = {key.name: "word" for key in known.keys if key.mandatory}
    assert is_valid(known, {**needed, "nonsense": [1]})
    for name in needed:
        assert not is_valid(known, {key: one for key, one in needed.items() if key != name})


@DIALECT
def test_the_shipped_templates_are_valid(known: Dialect) -> None:
    paths = list(installed(f"templates/{known.id}").rglob("*.md"))
    for path in paths:
        _, header, _ = path.read_text("utf-8").split("---\n", 2)
        assert is_valid(known, yaml.safe_load(header)), path


@DIALECT
def test_every_key_is_described(known: Dialect) -> None:
    properties = schema_of(known)["properties"]
    assert set(properties) == {key.name for key in known.keys}
    assert all(one["description"] for one in properties.values())


def test_there_is_none_for_headers_that_are_no_yaml() -> None:
    assert {known.id for known in OF_YAML} >= {"codex-templates", "codex-subagents", "kodacode"}
    other = replace(OF_YAML[0], cut=lambda text, bom: OF_YAML[0].cut(f"+++\n{text}", bom))
    assert schema(other) is None
