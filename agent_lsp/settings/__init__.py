"""Validates the settings in a settings file or an editor, and makes `Options` of them.

Invariants: an invalid value gives one message and its default, and all other values stay in force.
A setting is a name, a word or a folder; none is ever executed.
"""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from agent_lsp.data_classes import replace
from agent_lsp.dialects import SYSTEMS
from agent_lsp.options import Extras, Options
from agent_lsp.settings.forms import (
    EDITOR_SECTION,
    ExtrasForm,
    InEditor,
    InFile,
    Place,
    Written,
    dotted,
    got,
    meant,
    one_of,
)
from agent_lsp.syntax.toml.read import excess

# The client's own setting in the same section, which sets the trace level.
_CLIENTS_OWN = frozenset({"trace"})


def from_file(text: str, path: Path) -> tuple[Options, tuple[str, ...]]:
    """The options in the `text` of the settings file at `path`, and messages about its errors."""
    text = text.removeprefix("\ufeff")
    if problem := excess(text):
        return Options(), (f"{path}: all settings of this file are ignored: {problem}",)
    try:
        data = tomllib.loads(text)
    # Numbers with too many digits and brackets that nest too deep raise other exceptions.
    except (ValueError, RecursionError) as error:
        return Options(), (_syntax_message(error, text, path),)
    written, problems = checked(InFile, data)
    return _options(written, path.parent), tuple(f"{path}: {problem}" for problem in problems)


def from_editor(value: object, root: Path) -> tuple[Options, tuple[str, ...]]:
    """The options in an editor's section for the folder `root`, and messages about errors."""
    if not isinstance(value, Mapping):
        said = f"`{EDITOR_SECTION}`: expected an object{got(value)}"
        return Options(), () if value is None else (said,)
    # Editors send null or an empty text for settings that are not set.
    data = {k: v for k, v in value.items() if k not in _CLIENTS_OWN and v not in (None, "")}
    written, problems = checked(InEditor, data)
    options = replace(
        _options(written, root),
        code_lens=written.code_lens,
        inlay_hints=written.inlay_hints,
        closed_files=written.diagnostic_mode,
    )
    return options, problems


def merge(base: Options, over: Options) -> Options:
    """The options in `over`, and those in `base` that it does not set.

    Each rule, folder and list counts by itself.
    """
    extras = {
        name: _merged(base.extras.get(name, Extras()), over.extras.get(name, Extras()))
        for name in (*base.extras, *over.extras)
    }
    return Options(
        severity={**base.severity, **over.severity},
        extras=extras,
        folders={**base.folders, **over.folders},
        session_root=over.session_root or base.session_root,
        programs=over.programs or base.programs,
        code_lens=base.code_lens and over.code_lens,
        inlay_hints=base.inlay_hints and over.inlay_hints,
        closed_files=base.closed_files and over.closed_files,
    )


def stated(options: Options) -> dict[str, object]:
    """The values that `options` set, by dotted name, as a person would write them."""
    found: dict[str, object] = {}
    for code, severity in options.severity.items():
        found[f"severity.{code}"] = "off" if severity is None else severity.name.lower()
    for folder, claim in options.folders.items():
        found[f"folders.{folder}"] = False if claim is None else claim
    for known, extras in options.extras.items():
        for name in ("tools", "keys", "models", "scopes", "readers"):
            if values := getattr(extras, name):
                found[f"dialects.{known}.{name}"] = [str(value) for value in values]
        if extras.generation is not None:
            found[f"dialects.{known}.generation"] = extras.generation
    if options.programs:
        found["for"] = sorted(options.programs)
    if options.session_root is not None:
        found["session-root"] = str(options.session_root)
    switches = {
        "code-lens": options.code_lens,
        "inlay-hints": options.inlay_hints,
        "closed-files": options.closed_files,
    }
    return found | {name: value for name, value in switches.items() if not value}


def _merged(base: Extras, over: Extras) -> Extras:
    return Extras(
        over.tools or base.tools,
        over.keys or base.keys,
        over.models or base.models,
        over.scopes or base.scopes,
        over.generation or base.generation,
        over.readers or base.readers,
    )


def _options(written: Written, folder: Path) -> Options:
    def absolute(relative: str) -> Path:
        # The kind of path stays that of the folder.
        return type(folder)(os.path.normpath(folder / relative))

    return Options(
        severity=written.severity,
        extras={
            name: Extras(
                tuple(extra.tools),
                tuple(extra.keys),
                tuple(extra.models),
                tuple(absolute(scope) for scope in extra.scopes),
                extra.generation,
                tuple(extra.readers),
            )
            for name, extra in written.dialects.items()
        },
        folders={absolute(relative): claim for relative, claim in written.folders.items()},
        session_root=absolute(written.session_root) if written.session_root else None,
        programs=frozenset(written.programs),
    )


def _syntax_message(error: Exception, text: str, path: Path) -> str:
    said = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "a value is too large"
    found = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", said)
    place = ":".join(part for part in found.groups() if part) if found else ""
    if found and not place:
        place = str(len(text.rstrip().splitlines()) or 1)
    reason = said[: found.start()] if found else said
    where = f"{path}:{place}" if place else str(path)
    reason = f"{reason[:1].lower()}{reason[1:]}"
    return f"{where}: not valid TOML, so all settings of this file are ignored: {reason}"


_EXPECTED = {
    "string_type": "expected a string",
    "string_too_short": "expected a string that is not empty",
    "list_type": "expected a list of strings",
    "string_unicode": "expected a string without lone surrogates",
    "bool_type": "expected true or false",
}
_DEEPEST = 3
_Form = TypeVar("_Form", InFile, InEditor)


def checked(form: type[_Form], data: Mapping[str, object]) -> tuple[_Form, tuple[str, ...]]:
    """The valid part of `data`, and a message for each invalid value."""
    written, problems = placed(form, data)
    return written, tuple(problems.values())


def placed(form: type[_Form], data: Mapping[str, object]) -> tuple[_Form, Mapping[Place, str]]:
    """As `checked`, with the place of each invalid value."""
    problems: dict[Place, str] = {}
    rest: object = data
    # The form would reject the whole data because of them.
    for place in tuple(_broken_keys(data)):
        problems[place] = f"`{form.prefix}{dotted(place)}`: a lone surrogate is not a name"
        rest = _without(rest, place)
    while True:
        try:
            written = form.model_validate(rest)
            found = dict(_unknown_words(form, written))
            if not found:
                return written, problems
        except ValidationError as invalid:
            found = {}
            for error in invalid.errors(include_url=False):
                place = tuple(part for part in error["loc"] if part != "[key]")
                # An invalid key has one message; its value needs none.
                if not any(place[: len(known)] == known for known in found):
                    found[place] = f"`{form.prefix}{dotted(place)}`: {_said(error, form, place)}"
        problems |= found
        # Remove the last first, so that the items of a list keep their indexes.
        for place in reversed(found):
            rest = _without(rest, place)


def _unknown_words(form: type[InFile | InEditor], written: Written) -> Iterator[tuple[Place, str]]:
    """The messages about generations and readers that a dialect does not have."""
    for name, extras in written.dialects.items():
        system = next((one for one in SYSTEMS if one.id == name), None)
        if system is None or (extras.generation is None and not extras.readers):
            continue
        variants = system.dialect.variants
        names = [one.name for one in variants.generations]
        if extras.generation is not None and extras.generation not in names:
            place: Place = ("dialects", name, "generation")
            expected = f"expected {one_of(names)}" if names else "there is only one generation"
            said = f"{expected}{got(extras.generation)}{meant(extras.generation, names)}"
            yield place, f"`{form.prefix}{dotted(place)}`: {said}"
        ids = [one.id for one in variants.readers]
        for at, reader in enumerate(extras.readers):
            if reader not in ids:
                place = ("dialects", name, "readers", at)
                expected = f"expected {one_of(ids)}" if ids else "only one program reads its files"
                said = f"{expected}{got(reader)}{meant(reader, ids)}"
                yield place, f"`{form.prefix}{dotted(place)}`: {said}"


def _broken_keys(data: object, above: Place = ()) -> Iterator[Place]:
    """The keys with a lone surrogate, which JSON can express and UTF-8 cannot."""
    for key, value in data.items() if isinstance(data, Mapping) else ():
        if not isinstance(key, str) or _is_whole(key):
            # No setting is nested deeper, and this stops the recursion.
            yield from _broken_keys(value, (*above, key)) if len(above) < _DEEPEST else ()
        else:
            yield (*above, key)


def _is_whole(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _said(error: ErrorDetails, form: type[InFile | InEditor], place: Place) -> str:
    match error["type"]:
        case "setting":
            return error["msg"]
        case "extra_forbidden":
            owner = form if len(place) == 1 else ExtrasForm
            names = [field.alias or name for name, field in owner.model_fields.items()]
            return f"there is no such setting; expected {one_of(names)}{meant(place[-1], names)}"
        case kind:
            return f"{_EXPECTED.get(kind, f'expected {form.mapping}')}{got(error['input'])}"


def _without(data: object, place: Place) -> object:
    """A copy of `data` without the value at `place`."""
    copy = list(data) if isinstance(data, list) else {**data} if isinstance(data, dict) else None
    first: Any = place[0]
    if copy is not None and len(place) > 1:
        copy[first] = _without(copy[first], place[1:])
    elif copy is not None:
        del copy[first]
    return copy
