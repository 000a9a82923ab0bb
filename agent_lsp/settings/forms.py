"""Defines and validates the settings of a settings file and of an editor.

Invariants: both forms have the same settings, each in its own spelling. The settings that only an
editor has are personal preferences, which a repository cannot set. The JSON Schema and the table of
the documentation are derived from these forms.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    StringConstraints,
    WithJsonSchema,
)
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from agent_lsp.analysis.checks import codes as all_codes
from agent_lsp.analysis.suggest import nearest
from agent_lsp.dialects import BY_USE, SYSTEMS
from agent_lsp.model.schema import Severity
from agent_lsp.model.system import System, program_names

EDITOR_SECTION = "agentTemplates"

# The diagnostic modes: whether closed files are checked as well.
MODES = {"workspace": True, "openFiles": False}
LEVELS = {severity.name.lower(): severity for severity in Severity} | {"off": None}


def _severity(value: object) -> Severity | None:
    if not isinstance(value, str) or value not in LEVELS:
        raise problem(f"expected {one_of(LEVELS)}{got(value)}{meant(value, LEVELS)}")
    return LEVELS[value]


def _claim(value: object) -> str | None:
    if value is False:
        return None
    ids = [system.id for system in BY_USE]
    if not isinstance(value, str) or value not in ids:
        raise problem(f"expected {one_of(ids, 'false')}{got(value)}{meant(value, ids)}")
    return value


def _mode(value: object) -> bool:
    if not isinstance(value, str) or value not in MODES:
        raise problem(f"expected {one_of(MODES)}{got(value)}{meant(value, MODES)}")
    return MODES[value]


def _rule_code(value: str) -> str:
    codes = all_codes(SYSTEMS)
    if value not in codes:
        known = meant(value, codes) or "; `agent-template-lsp explain` lists them"
        raise problem(f"there is no such rule{known}")
    return value


def _dialect_id(value: str) -> str:
    ids = [system.id for system in BY_USE]
    if value not in ids:
        raise problem(f"there is no such dialect; expected {one_of(ids)}{meant(value, ids)}")
    return value


def _program(value: str) -> str:
    names = program_names(BY_USE)
    if value not in names:
        said = f"there is no such program; expected {one_of(names)}{meant(value, names)}"
        raise problem(said)
    return value


_Name = Annotated[str, StringConstraints(min_length=1)]
_RuleCode = Annotated[str, AfterValidator(_rule_code)]
_DialectId = Annotated[str, AfterValidator(_dialect_id)]
_Program = Annotated[
    str,
    AfterValidator(_program),
    WithJsonSchema({"enum": list(program_names(BY_USE)), "type": "string"}),
]
_Level = Annotated[
    Severity | None,
    PlainValidator(_severity),
    WithJsonSchema({"enum": list(LEVELS)}),
]
_Mode = Annotated[bool, PlainValidator(_mode), WithJsonSchema({"enum": list(MODES)})]
_Claim = Annotated[
    str | None,
    PlainValidator(_claim),
    WithJsonSchema({"enum": [*(system.id for system in BY_USE), False]}),
]


class ExtrasForm(BaseModel):
    """The settings for one dialect."""

    model_config = ConfigDict(strict=True, extra="forbid")

    tools: list[_Name] = Field(
        [], description="tools to add to the built-in list; patterns are allowed"
    )
    keys: list[_Name] = Field(
        [], description="header keys that other programs read, to add to the built-in list"
    )
    models: list[_Name] = Field([], description="models to add to the built-in list")
    scopes: list[_Name] = Field(
        [],
        description="more folders in which the runtime looks, after its own folders and before the "
        "built-in agents",
    )
    generation: _Name | None = Field(
        None, description="which generation of the runtime reads the files, if they do not show it"
    )
    readers: list[_Name] = Field(
        [], description="the programs to check for, if several read the same files (default: all)"
    )


class Written(BaseModel):
    """The settings that both forms have."""

    model_config = ConfigDict(strict=True, extra="forbid")

    session_root: _Name | None = Field(
        None, description="the folder where the runtime starts, if not the workspace folder"
    )
    programs: list[_Program] = Field(
        [],
        alias="for",
        description="the programs to check for in this project (default: the programs whose "
        "folders or configuration it has)",
    )
    severity: dict[_RuleCode, _Level] = Field(
        {}, description="the severity of each rule, by its code"
    )
    folders: dict[str, _Claim] = Field(
        {},
        description="more folders with templates, each with its dialect; or false, which excludes "
        "the folder and everything below it",
    )
    dialects: dict[_DialectId, ExtrasForm] = Field(
        {},
        description="tools, keys, models and folders to add to the built-in lists, by dialect",
    )


class InFile(Written):
    """The settings in a file; names are in kebab case."""

    model_config = ConfigDict(alias_generator=lambda name: name.replace("_", "-"))

    mapping: ClassVar = "a table"
    prefix: ClassVar = ""


class InEditor(Written):
    """The settings in an editor, with those that only an editor has; names are in camel case."""

    model_config = ConfigDict(alias_generator=to_camel)

    mapping: ClassVar = "an object"
    prefix: ClassVar = f"{EDITOR_SECTION}."

    code_lens: bool = Field(
        default=True, description="whether to show links above a template and its personas"
    )
    inlay_hints: bool = Field(
        default=True,
        description="whether to show inlay hints: inherited values, and what a pattern covers",
    )
    diagnostic_mode: _Mode = Field(
        default=True, description="whether to also check closed templates of the workspace"
    )


Place = tuple[int | str, ...]


def problem(said: str) -> PydanticCustomError:
    """The error for an invalid value; `said` is the whole message."""
    # JSON can contain a lone surrogate, which UTF-8 cannot encode.
    whole = said.encode("utf-8", "replace").decode("utf-8")
    return PydanticCustomError("setting", "{said}", {"said": whole})


def dotted(place: Place) -> str:
    """The name of a setting in the spelling of its file."""
    parts = [f"[{part}]" if isinstance(part, int) else f".{_quoted(part)}" for part in place]
    return "".join(parts).removeprefix(".")


def _quoted(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else f'"{key}"'


def one_of(names: Iterable[str], *values: str) -> str:
    """The accepted values as a list in words."""
    *most, last = (*values, *(f"`{name}`" for name in names))
    return f"{', '.join(most)} or {last}" if most else last


def meant(value: object, names: Iterable[str]) -> str:
    """The end of a message with the suggestion among `names`; empty if there is none."""
    meant = nearest(value, names) if isinstance(value, str) else None
    return f"; did you mean `{meant}`?" if meant else ""


def got(value: object) -> str:
    """The end of a message with the value that was found."""
    match value:
        case bool():
            return f", got {str(value).lower()}"
        case str():
            return f', got "{value}"'
        case dict():
            return ", got keys with values"
        case list():
            return ", got a list"
        case None:
            return ", got null"
    return f", got {value}"


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
