"""Checks what users wrote in a settings file or in their editor, and makes `Options` of it.

Invariants: a bad value makes one message and its default, and leaves every other value in
force; a setting is a name, a word or a folder, and none of them is ever executed.
"""

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    PlainValidator,
    StringConstraints,
    ValidationError,
)
from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails, PydanticCustomError

from agent_lsp.analysis.nearest import nearest
from agent_lsp.analysis.rules import RULES
from agent_lsp.dialects.known import DIALECTS
from agent_lsp.dialects.model import Severity
from agent_lsp.options import Extras, Options

EDITOR_SECTION = "agentTemplates"

_LEVELS = {severity.name.lower(): severity for severity in Severity} | {"off": None}
# What a client keeps in the same section for itself: its language client's trace level.
_CLIENTS_OWN = frozenset({"trace"})
_EXPECTED = {
    "string_type": "expected text",
    "string_too_short": "expected text that is not empty",
    "list_type": "expected a list of texts",
}


def from_file(text: str, path: Path) -> tuple[Options, tuple[str, ...]]:
    """The options that the settings file at `path` states, and what is wrong with it."""
    try:
        data = tomllib.loads(text.removeprefix("\ufeff"))
    # Digits beyond Python's limit and brackets beyond its stack are no TOMLDecodeError.
    except (ValueError, RecursionError) as error:
        return Options(), (_syntax_message(error, text, path),)
    written, problems = _checked(_InFile, data)
    return _options(written, path.parent), tuple(f"{path}: {problem}" for problem in problems)


def from_editor(value: object, root: Path) -> tuple[Options, tuple[str, ...]]:
    """The options that an editor's section states for the folder `root`, and what is wrong."""
    if not isinstance(value, Mapping):
        said = f"`{EDITOR_SECTION}`: expected an object{_got(value)}"
        return Options(), () if value is None else (said,)
    # Editors send null or an empty text for what their user has not set.
    data = {k: v for k, v in value.items() if k not in _CLIENTS_OWN and v not in (None, "")}
    written, problems = _checked(_InEditor, data)
    return _options(written, root), problems


def merge(base: Options, over: Options) -> Options:
    """`base` where `over` sets nothing: each rule, folder and list counts on its own."""
    extras = {
        name: _merged(base.extras.get(name, Extras()), over.extras.get(name, Extras()))
        for name in (*base.extras, *over.extras)
    }
    return Options(
        severity={**base.severity, **over.severity},
        extras=extras,
        folders={**base.folders, **over.folders},
        session_root=over.session_root or base.session_root,
    )


def _merged(base: Extras, over: Extras) -> Extras:
    return Extras(over.tools or base.tools, over.keys or base.keys, over.models or base.models)


# What may be written.


def _severity(value: object) -> Severity | None:
    if not isinstance(value, str) or value not in _LEVELS:
        raise _problem(f"expected {_one_of(_LEVELS)}{_got(value)}{_meant(value, _LEVELS)}")
    return _LEVELS[value]


def _claim(value: object) -> str | None:
    if value is False:
        return None
    ids = [known.id for known in DIALECTS]
    if not isinstance(value, str) or value not in ids:
        raise _problem(f"expected {_one_of(ids, 'false')}{_got(value)}{_meant(value, ids)}")
    return value


def _rule_code(value: str) -> str:
    codes = [rule.code for rule in RULES]
    if value not in codes:
        known = _meant(value, codes) or "; `agent-template-lsp explain` lists them"
        raise _problem(f"there is no such rule{known}")
    return value


def _dialect_id(value: str) -> str:
    ids = [known.id for known in DIALECTS]
    if value not in ids:
        raise _problem(f"there is no such dialect; expected {_one_of(ids)}{_meant(value, ids)}")
    return value


_Name = Annotated[str, StringConstraints(min_length=1)]
_RuleCode = Annotated[str, AfterValidator(_rule_code)]
_DialectId = Annotated[str, AfterValidator(_dialect_id)]
_Level = Annotated[Severity | None, PlainValidator(_severity)]
_Claim = Annotated[str | None, PlainValidator(_claim)]


class _Extras(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    tools: list[_Name] = []
    keys: list[_Name] = []
    models: list[_Name] = []


class _Written(BaseModel):
    """The settings under the names that both forms share."""

    model_config = ConfigDict(strict=True, extra="forbid")

    session_root: _Name | None = None
    severity: dict[_RuleCode, _Level] = {}
    folders: dict[str, _Claim] = {}
    dialects: dict[_DialectId, _Extras] = {}


class _InFile(_Written):
    model_config = ConfigDict(alias_generator=lambda name: name.replace("_", "-"))

    mapping: ClassVar = "a table"
    prefix: ClassVar = ""


class _InEditor(_Written):
    model_config = ConfigDict(alias_generator=to_camel)

    mapping: ClassVar = "an object"
    prefix: ClassVar = f"{EDITOR_SECTION}."


# From what was written to options and messages.


_Place = tuple[int | str, ...]


def _checked(
    form: type[_InFile | _InEditor], data: Mapping[str, object]
) -> tuple[_Written, tuple[str, ...]]:
    """What is left of `data` without its bad values, and one message for each of them."""
    problems: dict[_Place, str] = {}
    rest: object = data
    while True:
        try:
            return form.model_validate(rest), tuple(problems.values())
        except ValidationError as invalid:
            found: dict[_Place, str] = {}
            for error in invalid.errors(include_url=False):
                place = tuple(part for part in error["loc"] if part != "[key]")
                # A bad key takes its value with it: one message is enough.
                if not any(place[: len(known)] == known for known in found):
                    found[place] = f"`{form.prefix}{_dotted(place)}`: {_said(error, form, place)}"
            problems |= found
            # From the last to the first, so that the items of a list keep their numbers.
            for place in reversed(found):
                rest = _without(rest, place)


def _said(error: ErrorDetails, form: type[_InFile | _InEditor], place: _Place) -> str:
    match error["type"]:
        case "setting":
            return error["msg"]
        case "extra_forbidden":
            owner = form if len(place) == 1 else _Extras
            names = [field.alias or name for name, field in owner.model_fields.items()]
            return f"there is no such setting; expected {_one_of(names)}{_meant(place[-1], names)}"
        case kind:
            return f"{_EXPECTED.get(kind, f'expected {form.mapping}')}{_got(error['input'])}"


def _without(data: object, place: _Place) -> object:
    """A copy of `data` that lacks what stands at `place`."""
    copy = list(data) if isinstance(data, list) else {**data} if isinstance(data, dict) else None
    first: Any = place[0]
    if copy is not None and len(place) > 1:
        copy[first] = _without(copy[first], place[1:])
    elif copy is not None:
        del copy[first]
    return copy


def _options(written: _Written, folder: Path) -> Options:
    def absolute(relative: str) -> Path:
        return Path(os.path.normpath(folder / relative))

    return Options(
        severity=written.severity,
        extras={
            name: Extras(tuple(extra.tools), tuple(extra.keys), tuple(extra.models))
            for name, extra in written.dialects.items()
        },
        folders={absolute(relative): claim for relative, claim in written.folders.items()},
        session_root=absolute(written.session_root) if written.session_root else None,
    )


# Words.


def _syntax_message(error: Exception, text: str, path: Path) -> str:
    said = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "a value is too large"
    found = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", said)
    place = ":".join(part for part in found.groups() if part) if found else ""
    if found and not place:
        place = str(len(text.rstrip().splitlines()) or 1)
    reason = said[: found.start()] if found else said
    where = f"{path}:{place}" if place else str(path)
    reason = f"{reason[:1].lower()}{reason[1:]}"
    return f"{where}: not valid TOML, so no setting of this file counts: {reason}"


def _problem(said: str) -> PydanticCustomError:
    return PydanticCustomError("setting", "{said}", {"said": said})


def _dotted(place: _Place) -> str:
    parts = [f"[{part}]" if isinstance(part, int) else f".{_quoted(part)}" for part in place]
    return "".join(parts).removeprefix(".")


def _quoted(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else f'"{key}"'


def _one_of(names: Iterable[str], *values: str) -> str:
    *most, last = (*values, *(f"`{name}`" for name in names))
    return f"{', '.join(most)} or {last}" if most else last


def _meant(value: object, names: Iterable[str]) -> str:
    meant = nearest(value, names) if isinstance(value, str) else None
    return f"; did you mean `{meant}`?" if meant else ""


def _got(value: object) -> str:
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
