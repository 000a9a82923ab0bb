"""Files with one value each, for every key that a dialect knows, at every depth.

A file also has what its key needs: the keys that are mandatory beside it, and the word of another
key on which it depends. Such a key is written with a right value, and then with values of each
other type.
"""

from collections.abc import Iterator

from agent_lsp.data_classes import dataclass
from agent_lsp.model.dialect import Dialect, Notation
from agent_lsp.model.schema import Key, ValueKind, may_be_table

# The name that people choose in these files.
NAME = "zzz"
# A value of each type, in JSON, which YAML reads as well.
VALUES = ("12", "true", "null", '"zzz"', "[]", '["zzz"]', "[12]", "{}", '{"zzz": 1}')
_IN_TOML = {'{"zzz": 1}': '{"zzz" = 1}'}
# The names of keys whose word decides which others belong beside them.
_DECIDING = ("type", "kind")
_PROMPT = "A prompt that is long enough.\n"
# Right values that not every word is.
_EXAMPLES = {"url": "https://example.com/x", "http_url": "https://example.com/x"}


@dataclass(frozen=True, slots=True)
class Place:
    """A key, and the keys above it, each with the keys that belong beside it."""

    above: "tuple[tuple[Key, tuple[Key, ...]], ...]"
    key: Key
    beside: tuple[Key, ...]

    @property
    def name(self) -> str:
        """The dotted name."""
        return ".".join((*(key.name for key, _ in self.above), self.key.name))

    @property
    def is_outer(self) -> bool:
        """Whether the key stands at the top of the file."""
        return not self.above


def places(dialect: Dialect) -> Iterator[Place]:
    """All keys of a dialect; the keys inside of several others are reached from the first one.

    The outermost of them are reached from each, because each may have others below it.
    """
    document = dialect.parse(_file(dialect, _declaring(dialect)))
    seen: set[int] = set()
    waiting = [Place((), key, dialect.schema.outermost(document)) for key in _outer(dialect)]
    while waiting:
        place = waiting.pop(0)
        yield place
        below = tuple(filter(None, (*place.key.items, place.key.others)))
        is_new = id(place.key.items) not in seen
        seen.add(id(place.key.items))
        above = (*place.above, (place.key, place.beside))
        if is_new or len(place.above) <= 1:
            waiting += [Place(above, key, below) for key in below]


def _outer(dialect: Dialect) -> tuple[Key, ...]:
    return dialect.schema.outermost(dialect.parse(_file(dialect, _declaring(dialect))))


def _declaring(dialect: Dialect) -> str:
    """An agent in each table of agents, since the keys of a file may depend on its agents."""
    text = ""
    for path in dialect.schema.templates[:1]:
        value = "{}"
        for step in reversed((*path[1:], NAME)):
            value = f"{{{_pair(dialect, step, value)}}}"
        text = _pair(dialect, path[0], value)
    return text


def texts(dialect: Dialect, place: Place, value: str) -> Iterator[str]:
    """Files with `value` for the key, one for each word of a key beside it that may decide."""
    value = _IN_TOML.get(value, value) if dialect.is_toml else value
    for beside in _contexts(place):
        inner = _entries(dialect, place.beside, place.key, value, beside)
        for key, siblings in reversed(place.above):
            inner = f"[{{{inner}}}]" if key.kind is ValueKind.RECORDS else f"{{{inner}}}"
            is_value = key is place.above[-1][0] and not place.key.name
            if key.is_named and not is_value:
                inner = f"{{{_pair(dialect, NAME, inner)}}}"
            inner = _entries(dialect, siblings, key, inner, {})
        yield _file(dialect, inner)


def without(dialect: Dialect, place: Place) -> str:
    """A file that has the keys beside `place.key`, and not the key itself."""
    inner = _entries(dialect, place.beside, None, "", {}, left_out=place.key.name)
    for key, siblings in reversed(place.above):
        inner = f"[{{{inner}}}]" if key.kind is ValueKind.RECORDS else f"{{{inner}}}"
        if key.is_named:
            inner = f"{{{_pair(dialect, NAME, inner)}}}"
        inner = _entries(dialect, siblings, key, inner, {})
    return _file(dialect, inner)


def right(key: Key) -> str:
    """A value that the key takes."""
    example = key.example.strip("\"'") or _EXAMPLES.get(key.name, NAME)
    of_kind = {ValueKind.BOOL: "true", ValueKind.NUMBER: "3", ValueKind.TABLE: "{}"}
    lists = dict.fromkeys((ValueKind.LIST, ValueKind.RECORDS), "[]")
    word = key.choices[0].name if key.choices else example
    return {**of_kind, **lists}.get(key.kind, f'"{word}"')


def _contexts(place: Place) -> Iterator[dict[str, str]]:
    """The words of other keys with which the key may stand."""
    when = place.key.when
    if when is not None:
        yield {when.key: when.values[0]}
        return
    yield {}
    is_deciding = place.key.name in _DECIDING
    for one in place.beside if place.above else ():
        if one.kind is ValueKind.CHOICE and one.name in _DECIDING and not is_deciding:
            yield from ({one.name: choice.name} for choice in one.choices)
        elif is_deciding and one.kind is ValueKind.TEXT:
            yield {one.name: NAME}


def _entries(
    dialect: Dialect,
    keys: tuple[Key, ...],
    key: Key | None,
    value: str,
    beside: dict[str, str],
    left_out: str = "",
) -> str:
    found = {name: f'"{word}"' for name, word in beside.items()}
    for one in keys:
        is_needed = (one.mandatory or one.required_by) and not may_be_table(one)
        if is_needed and one.name not in (left_out, key.name if key else "") and not one.when:
            found.setdefault(one.name, right(one))
    if key is not None:
        found[key.name or NAME] = value
    return ", ".join(_pair(dialect, name, text) for name, text in found.items())


def _pair(dialect: Dialect, name: str, value: str) -> str:
    sign = " =" if dialect.notation is Notation.TOML else ":"
    return f'"{name}"{sign} {value}'


def _file(dialect: Dialect, entries: str) -> str:
    if dialect.notation is Notation.JSON:
        return f"{{{entries}}}\n"
    if dialect.notation is Notation.TOML:
        return "".join(f"{line}\n" for line in _lines(entries))
    lines = "\n".join(_lines(entries))
    return f"---\n{lines}\n---\n{_PROMPT}"


def _lines(entries: str) -> Iterator[str]:
    """The entries of the outermost mapping, a line for each."""
    depth, start, is_quoted = 0, 0, False
    for at, sign in enumerate(entries):
        is_quoted ^= sign == '"'
        depth += 0 if is_quoted else (sign in "[{") - (sign in "]}")
        if sign == "," and not depth and not is_quoted:
            yield entries[start:at].strip()
            start = at + 1
    yield entries[start:].strip()
