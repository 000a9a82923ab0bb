"""Describes the settings as a JSON Schema and as a Markdown table.

Invariant: everything here is derived from the forms that validate the settings.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from agent_lsp.analysis.checks import codes as all_codes
from agent_lsp.dialects import BY_USE, SYSTEMS
from agent_lsp.model.system import System
from agent_lsp.settings.forms import MODES, ExtrasForm, InEditor, InFile

SCHEMA_FILE = "docs/settings.schema.json"
_WORDS = {"boolean": "true or false", "object": "names with values", "string": "string"}


def schema() -> str:
    """The JSON Schema of a settings file."""
    made = InFile.model_json_schema()
    made["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    made["title"] = "agent-template-lsp.toml"
    made["description"] = "What a team shares about its agent templates."
    properties = made["properties"]
    properties["severity"]["propertyNames"] = {"enum": list(all_codes(SYSTEMS))}
    properties["dialects"]["propertyNames"] = {"enum": [system.id for system in BY_USE]}
    return json.dumps(_plain(made), indent=2, sort_keys=True) + "\n"


def editor_schema(claims: Mapping[str, str]) -> dict[str, Any]:
    """The settings by full name, as the manifest of a VS Code extension declares them.

    `claims` has the claim of each rule by its code, without the full stop.
    """
    made: Any = _plain(InEditor.model_json_schema())
    extras = made["$defs"]["ExtrasForm"]
    settings = made["properties"]
    # An editor sends an unset field as an empty text.
    settings["sessionRoot"] |= {"minLength": 0, "default": ""}
    settings["diagnosticMode"] |= {"type": "string", "default": next(iter(MODES))}
    level = settings["severity"].pop("additionalProperties")
    # VS Code shows it as it is, and knows no code in it.
    said = {code: _sentence(claim.replace("`", "")) for code, claim in claims.items()}
    codes = {code: level | {"description": words} for code, words in said.items()}
    settings["severity"] |= {"properties": codes, "additionalProperties": False}
    del settings["dialects"]["additionalProperties"]
    settings["dialects"] |= {
        "properties": {system.id: _extras(system, extras) for system in BY_USE},
        "additionalProperties": False,
    }
    return {
        f"{InEditor.prefix}{name}": said
        | {"description": _sentence(said["description"]), "scope": "resource", "order": place}
        for place, (name, said) in enumerate(settings.items(), start=1)
    }


def table() -> str:
    """All settings as a Markdown table: name in a file, name in an editor, values, meaning."""
    rows = ["| in a file | in an editor | value | meaning |", "|---|---|---|---|"]
    in_file = InFile.model_json_schema()["properties"]
    for name, field in InEditor.model_fields.items():
        editor = field.alias or name
        alias = InFile.model_fields[name].alias if name in InFile.model_fields else None
        said = InEditor.model_json_schema()["properties"][editor]
        value = _value(in_file[alias] if alias else said)
        file = f"`{alias}`" if alias else "–"
        rows.append(f"| {file} | `{editor}` | {value} | {field.description} |")
    for name, said in ExtrasForm.model_json_schema()["properties"].items():
        place = f"`dialects.*.{name}`"
        rows.append(f"| {place} | {place} | {_value(said)} | {said['description']} |")
    return "\n".join(rows) + "\n"


def _extras(system: System, extras: dict[str, Any]) -> dict[str, Any]:
    """The settings for one dialect, with the names and the meanings of its generations."""
    made = extras | {"description": system.title}
    generations = system.dialect.variants.generations
    if not generations:
        return made
    meanings = ", or ".join(f"“{one.name}” for {one.meaning}" for one in generations)
    properties: dict[str, Any] = extras["properties"]
    said: dict[str, Any] = properties["generation"]
    words = f"{said['description']}: {meanings}".replace("`", "")
    return made | {"properties": properties | {"generation": said | {"description": words}}}


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _value(said: Mapping[str, Any]) -> str:
    """The accepted values, in words."""
    if "enum" in said:
        return " or ".join(f'`"{word}"`' for word in said["enum"])
    if "anyOf" in said:
        return " or ".join(_value(one) for one in said["anyOf"] if one.get("type") != "null")
    if said.get("type") == "array":
        return "list of strings"
    return _WORDS[said["type"]]


def _plain(made: object) -> object:
    """`made` without titles that repeat a name, and without null, which TOML does not have."""
    if isinstance(made, list):
        return [_plain(one) for one in made]
    if not isinstance(made, dict):
        return made
    if "anyOf" in made:
        [kept] = [one for one in made["anyOf"] if one != {"type": "null"}]
        made = {**kept, **{key: value for key, value in made.items() if key != "anyOf"}}
    return dict(_kept(made))


def _kept(made: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for key, value in made.items():
        is_repeated = key == "title" and value != "agent-template-lsp.toml"
        if not (is_repeated or (key == "default" and value is None)):
            yield key, _plain(value)
