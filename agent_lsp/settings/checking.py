"""Checks what was written against a form.

Invariant: a bad value makes one message, and leaves every other value in force.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from agent_lsp.dialects import SYSTEMS
from agent_lsp.settings.forms import ExtrasForm, InEditor, InFile, Written
from agent_lsp.settings.wording import Place, dotted, got, meant, one_of

_EXPECTED = {
    "string_type": "expected text",
    "string_too_short": "expected text that is not empty",
    "list_type": "expected a list of texts",
    "string_unicode": "expected text without half characters",
    "bool_type": "expected true or false",
}
_DEEPEST = 3
_Form = TypeVar("_Form", InFile, InEditor)


def checked(form: type[_Form], data: Mapping[str, object]) -> tuple[_Form, tuple[str, ...]]:
    """The valid part of `data`, and a message for each invalid value."""
    problems: dict[Place, str] = {}
    rest: object = data
    # The form's own check fails on them as a whole.
    for place in tuple(_broken_keys(data)):
        problems[place] = f"`{form.prefix}{dotted(place)}`: half of a character is no name"
        rest = _without(rest, place)
    while True:
        try:
            written = form.model_validate(rest)
            found = dict(_unknown_generations(form, written))
            if not found:
                return written, tuple(problems.values())
        except ValidationError as invalid:
            found = {}
            for error in invalid.errors(include_url=False):
                place = tuple(part for part in error["loc"] if part != "[key]")
                # A bad key takes its value with it: one message is enough.
                if not any(place[: len(known)] == known for known in found):
                    found[place] = f"`{form.prefix}{dotted(place)}`: {_said(error, form, place)}"
        problems |= found
        # From the last to the first, so that the items of a list keep their numbers.
        for place in reversed(found):
            rest = _without(rest, place)


def _unknown_generations(
    form: type[InFile | InEditor], written: Written
) -> Iterator[tuple[Place, str]]:
    """The generations that a dialect does not have, which only its name tells."""
    for name, extras in written.dialects.items():
        system = next((one for one in SYSTEMS if one.id == name), None)
        names = (
            [one.name for one in system.dialect.variants.generations] if system is not None else []
        )
        if extras.generation is None or extras.generation in names:
            continue
        place: Place = ("dialects", name, "generation")
        expected = f"expected {one_of(names)}" if names else "there is only one, and it is known"
        said = f"{expected}{got(extras.generation)}{meant(extras.generation, names)}"
        yield place, f"`{form.prefix}{dotted(place)}`: {said}"


def _broken_keys(data: object, above: Place = ()) -> Iterator[Place]:
    """The keys with half of a surrogate pair, as JSON can spell it and UTF-8 cannot."""
    for key, value in data.items() if isinstance(data, Mapping) else ():
        if not isinstance(key, str) or _is_whole(key):
            # No setting lies deeper, and what is nested without end must not be followed.
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
    """A copy of `data` that lacks what stands at `place`."""
    copy = list(data) if isinstance(data, list) else {**data} if isinstance(data, dict) else None
    first: Any = place[0]
    if copy is not None and len(place) > 1:
        copy[first] = _without(copy[first], place[1:])
    elif copy is not None:
        del copy[first]
    return copy
