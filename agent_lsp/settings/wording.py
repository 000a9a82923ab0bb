"""The words that messages about settings are made of.

Invariant: nothing here knows which settings there are.
"""

import re
from collections.abc import Iterable

from pydantic_core import PydanticCustomError

from agent_lsp.analysis.suggest import nearest

Place = tuple[int | str, ...]


def problem(said: str) -> PydanticCustomError:
    """A fault of one value, in words that stand for themselves."""
    # Half of a character, which JSON can spell, is in no text that others can show.
    whole = said.encode("utf-8", "replace").decode("utf-8")
    return PydanticCustomError("setting", "{said}", {"said": whole})


def dotted(place: Place) -> str:
    """The name of a setting as its file spells it."""
    parts = [f"[{part}]" if isinstance(part, int) else f".{_quoted(part)}" for part in place]
    return "".join(parts).removeprefix(".")


def _quoted(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else f'"{key}"'


def one_of(names: Iterable[str], *values: str) -> str:
    """A list of what is expected."""
    *most, last = (*values, *(f"`{name}`" for name in names))
    return f"{', '.join(most)} or {last}" if most else last


def meant(value: object, names: Iterable[str]) -> str:
    """The suggestion among `names`, as the end of a message."""
    meant = nearest(value, names) if isinstance(value, str) else None
    return f"; did you mean `{meant}`?" if meant else ""


def got(value: object) -> str:
    """The value that was found, as the end of a message."""
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
