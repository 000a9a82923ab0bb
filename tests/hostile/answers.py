"""What must hold for an answer: its shape, its places, its edits, and what they are about.

A client hands in its texts. Lines are divided and columns counted here, independently of the
product, in the units that the client has asked for.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from typing import Any, Protocol

from lsprotocol import types
from pygls.protocol import default_converter

# What must hold, as `make fuzz` tells it.
KINDS = (
    *("death", "unanswered", "slow", "fault", "bad-answer", "range", "version", "edit", "fix"),
    "inconsistent",
)
ENCODINGS = ("utf-8", "utf-16", "utf-32")
_LINE_END = re.compile(r"\r\n|\n|\r")
# What a hover must not contain outside of code: a command, an image, or an element.
_MARKUP = ("](command:", "](javascript:", "](http:", "![", "<script", "<img")
_CODE = re.compile(
    r"^(?P<fence>`{3,}|~{3,}).*?^(?P=fence)|(?P<ticks>`+).+?(?P=ticks)(?!`)",
    re.DOTALL | re.MULTILINE,
)
# The members of the protocol that hold a range, or a list of them.
_RANGES = (
    *("range", "selectionRange", "targetRange", "targetSelectionRange", "originSelectionRange"),
    *("fromRanges", "insert", "replace"),
)
# The requests about a place, and those about a whole file.
AT = (
    "hover",
    "completion",
    "definition",
    "references",
    "prepareRename",
    "documentHighlight",
    "implementation",
    "prepareCallHierarchy",
)
WHOLE = ("documentSymbol", "foldingRange", "codeLens", "semanticTokens/full", "documentLink")


class WrongPlaceError(Exception):
    """A place that is not in the text, or an edit that cannot be applied."""


class Lines:
    """The lines of a text, without their ends, and the columns between their characters."""

    def __init__(self, text: str, encoding: str) -> None:
        self.text, self._encoding = text, encoding
        ends = list(_LINE_END.finditer(text))
        self._starts = [0, *(end.end() for end in ends)]
        self._ends = [*(end.start() for end in ends), len(text)]
        self._columns: dict[int, dict[int, int]] = {}

    @property
    def count(self) -> int:
        """The number of lines; that after the last line end is one, too."""
        return len(self._starts)

    def line(self, number: int) -> str:
        """A line of the text without its end."""
        return self.text[self._starts[number] : self._ends[number]]

    def offset(self, position: Mapping[str, int]) -> int:
        """The offset of `position`; raises `WrongPlaceError` if the text has no such place."""
        line, column = position["line"], position["character"]
        if not 0 <= line < self.count:
            raise WrongPlaceError(f"line {line} of {self.count}")
        start, end = self._starts[line], self._ends[line]
        if line not in self._columns:
            widths = map(self._width, self.text[start:end])
            columns = accumulate(widths, initial=0)
            self._columns[line] = {one: number for number, one in enumerate(columns)}
        if column not in self._columns[line]:
            said = self.text[start : min(end, start + 200)]
            raise WrongPlaceError(f"column {column} in line {line}: {said!r}")
        return start + self._columns[line][column]

    def span(self, where: Mapping[str, Mapping[str, int]]) -> tuple[int, int]:
        """The offsets of a range; raises `WrongPlaceError` as above, or if it ends too early."""
        start, end = self.offset(where["start"]), self.offset(where["end"])
        if end < start:
            raise WrongPlaceError(f"a range ends before it starts: {where}")
        return start, end

    def position(self, offset: int) -> dict[str, int]:
        """The place at `offset`; the end of its line, if that is within a line end."""
        line = next(at for at in range(self.count - 1, -1, -1) if self._starts[at] <= offset)
        before = self.text[self._starts[line] : min(offset, self._ends[line])]
        return {"line": line, "character": sum(map(self._width, before))}

    def edited(self, edits: Iterable[Mapping[str, Any]]) -> str:
        """The text after `edits`; raises `WrongPlaceError` if two of them overlap."""
        spans = sorted(((*self.span(one["range"]), one["newText"]) for one in edits), key=_place)
        for (_, end, _), (start, _, _) in pairwise(spans):
            if start < end:
                raise WrongPlaceError(f"edits overlap: {edits}")
        # Edits at the same place are inserted in their order.
        text, at = "", 0
        for start, end, new in spans:
            text, at = text + self.text[at:start] + new, end
        return joined(text + self.text[at:])

    def _width(self, character: str) -> int:
        if self._encoding == "utf-32":
            return 1
        codec = "utf-16-le" if self._encoding == "utf-16" else "utf-8"
        size = len(character.encode(codec, "surrogatepass"))
        return size // 2 if self._encoding == "utf-16" else size


def joined(text: str) -> str:
    """`text` as it is after JSON: two halves of a pair beside each other are one character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _place(one: tuple[int, int, str]) -> tuple[int, int]:
    return one[:2]


class Texts(Protocol):
    """The texts of a client, as an answer may be about them."""

    def lines(self, uri: str) -> Lines | None:
        """The lines of an open text or of a file; None if nobody knows what the server has."""

    def versions(self, uri: str) -> Mapping[int | None, Lines | None]:
        """The texts that an edit may be for, by version; empty if nobody knows them.

        A file that is not open has the version None.
        """

    def is_inside(self, uri: str) -> bool:
        """Whether files may be created, renamed or deleted there."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """Something that did not hold; `sign` is the same each time that its cause is the same."""

    kind: str
    what: str
    sign: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a request; `legend` has how many types and modifiers tokens may have."""

    method: str
    params: Mapping[str, Any]
    result: Any
    texts: Texts
    legend: tuple[int, int] = (100, 30)

    @property
    def uri(self) -> str:
        """The text that was asked about, or nothing."""
        document = self.params.get("textDocument")
        uri = document.get("uri") if isinstance(document, dict) else None
        return uri if isinstance(uri, str) else ""

    def wrong(self, kind: str, what: str, sign: str = "") -> Wrong:
        """Says that something about this answer did not hold."""
        about = self.method.removeprefix("textDocument/")
        return Wrong(kind, f"{about}: {what}", f"{about} {sign or kind}")


def wrong_in(answer: Answer) -> Iterator[Wrong]:
    """All that does not hold for an answer that is no refusal."""
    if answer.result is None:
        return
    shape = _wrong_shape(answer)
    if shape is not None:
        yield shape
        return
    yield from _wrong_places(answer)
    yield from _wrong_edits(answer, answer.result)
    own = _OWN.get(answer.method)
    if own is not None:
        yield from own(answer)


@cache
def _converter() -> Any:
    return default_converter()  # type: ignore[no-untyped-call] # it has no types


def _wrong_shape(answer: Answer) -> Wrong | None:
    """What the types of the protocol do not allow."""
    try:
        if answer.method == types.TEXT_DOCUMENT_CODE_ACTION:
            # The library takes an action with a command for a command.
            for one in answer.result:
                _converter().structure(one, types.CodeAction)
        elif answer.method in types.METHOD_TO_TYPES:
            said = {"jsonrpc": "2.0", "id": 1, "result": answer.result}
            response = types.METHOD_TO_TYPES[answer.method][1]
            _converter().structure(said, response)
    except Exception as error:  # noqa: BLE001 - the library raises groups of any kind
        return answer.wrong(
            "bad-answer", f"{_reasons(error)} in {str(answer.result)[:300]}", "shape"
        )
    return None


def _reasons(error: BaseException) -> str:
    if isinstance(error, BaseExceptionGroup):
        return ", ".join(_reasons(one) for one in error.exceptions)
    return repr(error)


def _wrong_places(answer: Answer) -> Iterator[Wrong]:
    kept: dict[str, Lines | None] = {}
    for other, where in _ranges_of(answer):
        if other not in kept:
            kept[other] = answer.texts.lines(other)
        said = wrong_range(where, kept[other])
        if said:
            yield answer.wrong("range", f"{said} of {other}", "range")


def wrong_range(where: Mapping[str, Any], lines: Lines | None) -> str:
    """Why `where` is no range in a text, if nobody knows it in any; or nothing."""
    try:
        if lines is not None:
            lines.span(where)
            return ""
        start, end = at(where["start"]), at(where["end"])
    except (WrongPlaceError, KeyError, TypeError) as error:
        return str(error) if isinstance(error, WrongPlaceError) else f"no range: {where}"
    return "" if start <= end and min(*start, *end) >= 0 else f"no range: {where}"


def at(position: Mapping[str, int]) -> tuple[int, int]:
    """A position as line and column, so that two can be compared."""
    return position["line"], position["character"]


def ranges(said: object, uri: str) -> Iterator[tuple[str, dict[str, dict[str, int]]]]:
    """The ranges anywhere in a message, each with the URI of the text that it is about."""
    if isinstance(said, list):
        for one in said:
            yield from ranges(one, uri)
    elif isinstance(said, dict):
        document = said.get("textDocument")
        named = document.get("uri") if isinstance(document, dict) else said.get("uri")
        caller = said.get("from")
        named = caller.get("uri") if isinstance(caller, dict) else named
        own = said.get("targetUri", named) or uri
        for key, value in said.items():
            if key in _RANGES:
                about = uri if key == "originSelectionRange" else own
                yield from ((about, one) for one in (value if isinstance(value, list) else [value]))
            elif key == "changes" and isinstance(value, dict):
                for other, edits in value.items():
                    yield from ranges(edits, other)
            elif key == "position" and isinstance(value, dict):
                yield own, {"start": value, "end": value}
            # The findings of an action are those that the client sent, `data` is no place.
            elif key not in ("diagnostics", "data"):
                yield from ranges(value, own)


def places(answer: Answer) -> list[tuple[str, object]]:
    """Where the ranges of an answer are, as offsets, which are the same in each encoding.

    A range in a text that nobody knows, or that is none in its text, is only its URI.
    """
    found = list[tuple[str, object]]()
    for uri, where in _ranges_of(answer):
        lines = answer.texts.lines(uri)
        is_place = lines is not None and not wrong_range(where, lines)
        found.append((uri, lines.span(where) if lines is not None and is_place else None))
    return found


def _ranges_of(answer: Answer) -> Iterator[tuple[str, dict[str, dict[str, int]]]]:
    result = answer.result
    if answer.method == types.WORKSPACE_EXECUTE_COMMAND:
        yield from _ranges_of_command(result)
    elif answer.method == types.TEXT_DOCUMENT_PREPARE_RENAME and "start" in result:
        yield answer.uri, result
    else:
        yield from ranges(result, answer.uri)


def _ranges_of_command(said: object) -> Iterator[tuple[str, dict[str, dict[str, int]]]]:
    """The places that a command tells; what a runtime records may have any names."""
    if isinstance(said, list):
        for one in said:
            yield from _ranges_of_command(one)
    elif isinstance(said, dict) and {"uri", "range", "label"} == said.keys():
        # Without a range it is the whole file.
        yield from [(said["uri"], said["range"])] * (said["range"] is not None)
    elif isinstance(said, dict):
        yield from _ranges_of_command([*said.values()])


def edits_in(edit: object) -> Iterator[tuple[str, int | None, list[dict[str, Any]]]]:
    """The edits of each text in a workspace edit, with its URI and the version they are for."""
    if not isinstance(edit, dict):
        return
    for uri, edits in (edit.get("changes") or {}).items():
        yield uri, None, edits
    for one in edit.get("documentChanges") or []:
        if "textDocument" in one:
            yield one["textDocument"]["uri"], one["textDocument"]["version"], one["edits"]


def _wrong_edits(answer: Answer, said: object) -> Iterator[Wrong]:
    if isinstance(said, list):
        for one in said:
            yield from _wrong_edits(answer, one.get("edit") if isinstance(one, dict) else None)
        return
    if not isinstance(said, dict):
        return
    is_versioned = "documentChanges" in said
    for uri, version, edits in edits_in(said):
        versions = answer.texts.versions(uri)
        if is_versioned and versions and version not in versions:
            expected = sorted(versions, key=str)
            yield answer.wrong("edit", f"for version {version} of {uri}, not {expected}", "version")
            continue
        lines = versions.get(version) if is_versioned else answer.texts.lines(uri)
        try:
            if lines is not None:
                lines.edited(edits)
        except WrongPlaceError as error:
            yield answer.wrong("edit", f"of {uri}: {error}", "edit")
    yield from _wrong_files(answer, said)


def _wrong_files(answer: Answer, edit: Mapping[str, Any]) -> Iterator[Wrong]:
    for one in edit.get("documentChanges") or []:
        for key in ("uri", "oldUri", "newUri"):
            if key in one and not answer.texts.is_inside(one[key]):
                yield answer.wrong("edit", f"{one['kind']} outside of the workspace: {one[key]}")


# What holds for one kind of answer.


def _hover(answer: Answer) -> Iterator[Wrong]:
    contents = answer.result["contents"]
    said = _CODE.sub("", contents["value"]) if isinstance(contents, dict) else ""
    for markup in _MARKUP:
        if markup in said:
            yield answer.wrong("bad-answer", f"{markup} in {said[:300]!r}", markup)


def _completion(answer: Answer) -> Iterator[Wrong]:
    result = answer.result
    place = at(answer.params["position"])
    lines = answer.texts.lines(answer.uri)
    for item in result["items"] if isinstance(result, dict) else result:
        if not item["label"]:
            yield answer.wrong("bad-answer", f"no label: {item}")
        edit = item.get("textEdit") or {}
        for where in (edit[key] for key in ("range", "insert", "replace") if key in edit):
            start, end = at(where["start"]), at(where["end"])
            # Of a place that is none, it may complete what is at the nearest one.
            is_place = lines is not None and not wrong_range(
                _empty(answer.params["position"]), lines
            )
            if start[0] != end[0] or (is_place and not start <= place <= end):
                yield answer.wrong("range", f"at {place} it replaces {where}", "elsewhere")


def _empty(position: Mapping[str, int]) -> dict[str, Mapping[str, int]]:
    return {"start": position, "end": position}


def _is_within(inner: Mapping[str, Any], outer: Mapping[str, Any]) -> bool:
    starts = at(outer["start"]) <= at(inner["start"])
    return starts and at(inner["end"]) <= at(outer["end"])


def _symbols(answer: Answer) -> Iterator[Wrong]:
    remaining = list(answer.result)
    while remaining:
        one = remaining.pop()
        if not one["name"]:
            yield answer.wrong("bad-answer", "a symbol without a name", "name")
        if "selectionRange" in one and not _is_within(one["selectionRange"], one["range"]):
            yield answer.wrong("range", f"the name is outside of the symbol: {one}", "name")
        remaining += one.get("children") or []


def _folds(answer: Answer) -> Iterator[Wrong]:
    """Folds are inside of each other or apart, and none hides a blank line below what it folds."""
    lines, around = answer.texts.lines(answer.uri), list[int]()
    for one in sorted(answer.result, key=lambda one: (one["startLine"], -one["endLine"])):
        start, end = one["startLine"], one["endLine"]
        if not 0 <= start <= end or (lines is not None and end >= lines.count):
            yield answer.wrong("range", f"{one}")
            continue
        while around and around[-1] < start:
            around.pop()
        if around and (end > around[-1] or start == around[-1]):
            yield answer.wrong("range", f"{one} and another one until {around[-1]} cross", "cross")
        if lines is not None and not lines.line(end).strip():
            yield answer.wrong("range", f"{one} ends with a blank line", "blank")
        around.append(end)


def _selections(answer: Answer) -> Iterator[Wrong]:
    places, lines = answer.params["positions"], answer.texts.lines(answer.uri)
    if len(answer.result) != len(places):
        yield answer.wrong("bad-answer", f"{len(answer.result)} for {len(places)} places", "count")
    for place, one in zip(places, answer.result, strict=False):
        is_place = lines is not None and not wrong_range(_empty(place), lines)
        if is_place and not _is_within(_empty(place), one["range"]):
            yield answer.wrong("range", f"{one['range']} at {place}", "elsewhere")
        inner = one
        while outer := inner.get("parent"):
            if not _is_within(inner["range"], outer["range"]):
                yield answer.wrong("range", f"{inner['range']} in {outer['range']}", "parent")
            inner = outer


def _links(answer: Answer) -> Iterator[Wrong]:
    for one in answer.result:
        if not str(one.get("target", "")).startswith("file:"):
            yield answer.wrong("bad-answer", f"a link to {one.get('target')}", "target")


def _tokens(answer: Answer) -> Iterator[Wrong]:
    lines, data = answer.texts.lines(answer.uri), answer.result["data"]
    if len(data) % 5:
        yield answer.wrong("bad-answer", f"{len(data)} numbers are no fives", "fives")
        return
    line = column = end = 0
    for number in range(0, len(data), 5):
        below, after, length, kind, modifiers = one = data[number : number + 5]
        column, end = (after, 0) if below else (column + after, end)
        line += below
        many = min(below, after) < 0 or kind >= answer.legend[0]
        if many or modifiers >> answer.legend[1]:
            yield answer.wrong("bad-answer", f"the token {one} in line {line}", "token")
        if length <= 0 or column < end:
            said = f"the token {one} in line {line} overlaps another one or has no length"
            yield answer.wrong("range", said, "overlap")
            return
        end = column + length
        where = {
            "start": {"line": line, "character": column},
            "end": {"line": line, "character": end},
        }
        said = wrong_range(where, lines)
        if said:
            yield answer.wrong("range", f"the token {one}: {said}", "token")
            return


def _actions(answer: Answer) -> Iterator[Wrong]:
    only = answer.params["context"].get("only")
    for one in answer.result:
        kind = one.get("kind", "")
        if not one["title"]:
            yield answer.wrong("bad-answer", f"no title: {one}", "title")
        if only and not any(not it or f"{kind}.".startswith(f"{it}.") for it in only):
            yield answer.wrong("bad-answer", f"{kind} when asked for {only}", "only")


_OWN: Mapping[str, Callable[[Answer], Iterator[Wrong]]] = {
    types.TEXT_DOCUMENT_HOVER: _hover,
    types.TEXT_DOCUMENT_COMPLETION: _completion,
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: _symbols,
    types.WORKSPACE_SYMBOL: _symbols,
    types.TEXT_DOCUMENT_FOLDING_RANGE: _folds,
    types.TEXT_DOCUMENT_SELECTION_RANGE: _selections,
    types.TEXT_DOCUMENT_DOCUMENT_LINK: _links,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: _tokens,
    types.TEXT_DOCUMENT_CODE_ACTION: _actions,
}
