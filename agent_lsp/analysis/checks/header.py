"""Answers the questions of checks about a header: whether the runtime reads it, and spans in it.

Invariant: a header is seen, then parsed, then loaded. A check of a later stage reports nothing on a
file that fails an earlier one, so that one mistake makes one finding.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator

from agent_lsp.analysis.mended import as_if_loaded
from agent_lsp.analysis.suggest import nearest
from agent_lsp.data_classes import dataclass
from agent_lsp.model.schema import Key, KeyRole, ValueKind, counting
from agent_lsp.model.template import LoadError, LoadErrorKind, Reading, Template
from agent_lsp.patterns import regex
from agent_lsp.syntax import characters
from agent_lsp.syntax.document import memoised
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, path_at, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, definition

_PART = regex(r"([^.\[\]]+)(?:\[(\d+)\])?")
_HOLDING = (ValueKind.RECORDS, ValueKind.TABLE)
# The names of files that explain templates.
_NOTES = ("readme", "changelog", "contributing", "license", "agents", "claude", "notes", "todo")


@dataclass(frozen=True, slots=True)
class Level:
    """A mapping of the header with the keys that belong in it; `within` is None for the root."""

    mapping: Mapping
    keys: tuple[Key, ...]
    within: Key | None = None

    def named(self, name: str) -> Key | None:
        """The key called `name` that belongs in the mapping, or None."""
        return next((key for key in self.keys if key.name == name), None)


def is_seen(file: TemplateFile) -> bool:
    """Whether the runtime uses the file at all.

    If the name of the agent is in the header, the runtime reads the file before it knows whether
    there is a name.
    """
    return file.source.problem is None and (file.name is not None or hides_name(file))


@memoised
def hides_name(file: TemplateFile) -> bool:
    """Whether the agent's name is unknown because its header is broken."""
    key = file.dialect.schema.by_role.get(KeyRole.AGENT)
    if (
        file.dialect.names.names_in is None
        or key is None
        or file.misplaced is not None
        or file.name is not None
        or not file.scope.counts(file.path.name)
    ):
        return False
    if file.document.frontmatter.fence is FenceKind.CLOSED:
        return is_broken(file)
    top = root(file)
    is_begun = top is not None and top.get(key.name) is not None
    return is_begun and file.document.tree.problem is not None


def is_broken(file: TemplateFile) -> bool:
    """Whether the header is not YAML, even if the runtime may repair it or drops it alone."""
    # Nearly all files have no errors, and some thousands.
    return bool(file.reading.errors or file.reading.possible_errors) and _has_syntax_error(file)


@memoised
def _has_syntax_error(file: TemplateFile) -> bool:
    found = (*file.reading.errors, *file.reading.possible_errors)
    return any(error.kind is LoadErrorKind.SYNTAX for error in found)


# Asked by nearly every check, and found out as quickly as remembered.
def parses(file: TemplateFile) -> bool:
    """Whether the runtime finds a header that is valid YAML."""
    closed = file.document.frontmatter.fence is FenceKind.CLOSED
    return is_seen(file) and closed and not is_broken(file)


def loads(file: TemplateFile) -> bool:
    """Whether the runtime uses the header."""
    return parses(file) and not file.reading.errors


def as_settled(
    file: TemplateFile, names: Collection[str], within: Span | None = None
) -> TemplateFile | None:
    """A file that loads, or a refused one as it would load without its errors.

    None if the runtime does not get to the header, or if an error concerns one of the keys `names`
    at the top, or of the mapping at `within`: what they will say is not known.
    """
    if not parses(file):
        return None
    place = within or Span(0, len(file.document.text))
    if any(_concerns(file, error, names, place) for error in _errors_in(file, place)):
        return None
    return as_if_loaded(file) if file.reading.errors else file


def _concerns(file: TemplateFile, error: LoadError, names: Collection[str], place: Span) -> bool:
    """Whether the mending of `error` may set or change one of the keys `names` of a mapping."""
    if error.kind is LoadErrorKind.NO_PROMPT:
        return False
    if error.kind is LoadErrorKind.MISSING or not error.key:
        return error.key in names or not error.key
    if error.kind is LoadErrorKind.FORBIDDEN and nearest(error.key, tuple(names)) is not None:
        return True
    above = path_at(file.document.tree.root, error.span.start).above
    inside = (e for e in above if isinstance(e, Entry) and e.key.span.start >= place.start)
    entry = next(inside, None)
    return entry is not None and entry.name in names


def held(file: TemplateFile) -> Template:
    """What is in effect, or would be without the errors that the runtime stops at."""
    return file.reading.declared if file.reading.errors else file.reading.effective


def reading_held(file: TemplateFile) -> Reading:
    """The reading with `held` in effect."""
    declared = file.reading.declared
    return Reading(declared, declared) if file.reading.errors else file.reading


def is_no_mapping(file: TemplateFile) -> bool:
    """Whether the runtime refuses the header as a whole, since it has no keys."""
    return any(not e.key and e.kind is LoadErrorKind.TYPE for e in file.reading.errors)


def is_refused(file: TemplateFile, entry: Entry | None) -> bool:
    """Whether the runtime refuses the file for `entry`, so that nothing more is to say of it."""
    return entry is not None and bool(_errors_in(file, entry.span))


def _errors_in(file: TemplateFile, span: Span) -> tuple[LoadError, ...]:
    """The errors that begin in `span`, which each of thousands of entries may ask for."""
    if not file.reading.errors:
        return ()
    starts, found = _ordered_errors(file)
    return found[bisect_left(starts, span.start) : bisect_right(starts, span.end)]


@memoised
def _ordered_errors(file: TemplateFile) -> tuple[tuple[int, ...], tuple[LoadError, ...]]:
    """Where each error begins, in the order of the text, and the errors."""
    found = sorted(file.reading.errors, key=lambda one: one.span.start)
    return tuple(one.span.start for one in found), tuple(found)


def is_decoded(file: TemplateFile) -> bool:
    """Whether the runtime finds no error in the header itself, whatever the body is."""
    return parses(file) and all(
        error.kind in (LoadErrorKind.UNDECLARED, LoadErrorKind.BLOCKLESS)
        for error in file.reading.errors
    )


def is_note(file: TemplateFile) -> bool:
    """Whether the file is a note beside the templates, by its name and its header."""
    known = {key.name for key in file.dialect.schema.keys}
    top = root(file)
    return (file.name or "").lower() in _NOTES and (
        top is None or known.isdisjoint(e.name for e in top.entries)
    )


def errors(file: TemplateFile, *kinds: LoadErrorKind) -> Iterator[LoadError]:
    """The errors of these kinds for which the runtime refuses the header.

    If the header is not YAML, no other error is returned, even if the runtime fails earlier.
    """
    if not file.reading.errors or not is_seen(file):
        return
    # Some checks ask for each of thousands of entries.
    by_kind = _errors_by_kind(file)
    if len(kinds) == 1:
        yield from by_kind.get(kinds[0], ())
    else:
        allowed = by_kind.keys() & set(kinds)
        yield from (error for error in file.reading.errors if error.kind in allowed)


@memoised
def _errors_by_kind(file: TemplateFile) -> dict[LoadErrorKind, tuple[LoadError, ...]]:
    """The errors of each kind, and those of the syntax alone if there are any."""
    found: dict[LoadErrorKind, list[LoadError]] = {}
    for error in file.reading.errors:
        found.setdefault(error.kind, []).append(error)
    broken = found.get(LoadErrorKind.SYNTAX)
    found = {LoadErrorKind.SYNTAX: broken} if broken is not None else found
    return {kind: tuple(some) for kind, some in found.items()}


@memoised
def missing_keys(file: TemplateFile) -> frozenset[str]:
    """The keys that the runtime refuses the header for the lack of, as errors call them."""
    return frozenset(error.key for error in errors(file, LoadErrorKind.MISSING))


def possible_errors(file: TemplateFile, *kinds: LoadErrorKind) -> Iterator[LoadError]:
    """The errors of these kinds with which the file counts, or may count."""
    yield from (
        possible
        for possible in file.reading.possible_errors
        if is_seen(file) and possible.kind in kinds
    )


def first_line(file: TemplateFile) -> Span:
    """The first line as an editor shows it, without its end."""
    return Span(0, len(re.split(r"[\r\n]", file.document.text, maxsplit=1)[0]))


def hidden_above(file: TemplateFile) -> Span | None:
    """The invisible characters before the header that keep it from being one, or None."""
    run = characters.leading(file.document.text)
    if not len(run) or file.document.frontmatter.fence is not FenceKind.ABSENT:
        return None
    below = file.dialect.format.split(file.document.text[run.end :], False)
    return run if below.fence is not FenceKind.ABSENT else None


def ends_lines_in_cr(file: TemplateFile) -> bool:
    """Whether the runtime would see the header if a lone CR ended a line."""
    text, seen = file.document.text, file.document.frontmatter.fence
    if seen not in (FenceKind.ABSENT, FenceKind.UNCLOSED) or "\r" not in text.replace("\r\n", ""):
        return False
    found = file.dialect.format.split(
        text.replace("\r\n", "\n").replace("\r", "\n"), file.document.bom
    )
    return found.fence is not seen and found.fence is not FenceKind.ABSENT


def opening(file: TemplateFile) -> Span:
    """The opening fence, or the first line of a file without one."""
    cut = file.document.frontmatter
    return first_line(file) if cut.fence is FenceKind.ABSENT else cut.open


def closing(file: TemplateFile) -> Span:
    """The closing fence, or the opening one if the header is not closed."""
    return file.document.frontmatter.close or opening(file)


def root(file: TemplateFile) -> Mapping | None:
    """The mapping that the header is, or None."""
    node = file.document.tree.top
    return node if isinstance(node, Mapping) else None


@memoised
def levels(file: TemplateFile) -> tuple[Level, ...]:
    """The header's mapping and those in its lists of mappings, each once."""
    top = root(file)
    if top is None:
        return ()
    found: list[Level] = []
    seen: set[Span] = set()
    waiting = [Level(top, file.dialect.schema.at(file.document, ()))]
    while waiting:
        level = waiting.pop(0)
        # Two aliases of one mapping lead to the same text.
        if level.mapping.span in seen:
            continue
        seen.add(level.mapping.span)
        found.append(level)
        for key in (key for key in level.keys if key.kind in _HOLDING):
            waiting += (
                Level(inner, counting(key.items, inner), key) for inner in _inner(level, key)
            )
    return tuple(found)


@memoised
def known_entries(file: TemplateFile) -> tuple[tuple[Entry, Key], ...]:
    """The entries of all levels whose keys the dialect knows, each with its key."""
    found: list[tuple[Entry, Key]] = []
    for level in levels(file):
        keys = {key.name: key for key in reversed(level.keys)}
        pairs = ((entry, keys.get(entry.name or "")) for entry in level.mapping.entries)
        found += ((entry, key) for entry, key in pairs if key is not None)
    return tuple(found)


def level_at(file: TemplateFile, span: Span) -> Level | None:
    """The mapping with exactly this `span`, or None."""
    return _levels_by_span(file).get(span)


@memoised
def _levels_by_span(file: TemplateFile) -> dict[Span, Level]:
    return {level.mapping.span: level for level in levels(file)}


def key_of(file: TemplateFile, dotted: str) -> Key | None:
    """The key that an error calls `allow_list`, `allow_list[1]` or `agent_names[0].name`."""
    path: list[str | int] = []
    for name, number in _PART.findall(dotted):
        path += [name, int(number)] if number else [name]
    schema = file.dialect.schema
    key = schema.place(file.document, file.document.tree.root, tuple(path)).key
    return key or schema.by_name().get(dotted)


@memoised
def supplied(file: TemplateFile) -> frozenset[str]:
    """The settings that a merge takes from another file or from the runtime."""
    found = definition(file)
    if found is None:
        return frozenset()
    own = {name for name, part in found.origins.items() if part.path == file.path}
    return frozenset(found.reading.declared.settings) - own


def is_empty(node: Node | None) -> bool:
    """Whether nothing is written where a value could stand."""
    return isinstance(node, Scalar) and node.span.start == node.span.end


def _inner(level: Level, key: Key) -> Iterator[Mapping]:
    """The mappings in the value of `key` in `level`."""
    entry = level.mapping.get(key.name)
    node = entry.node if entry is not None else None
    items: tuple[Node | None, ...] = ()
    if key.kind is ValueKind.RECORDS:
        items = node.items if isinstance(node, Sequence) else ()
    elif key.is_named:
        items = tuple(one.value for one in node.entries) if isinstance(node, Mapping) else ()
    else:
        items = (node,)
    yield from (inner for inner in map(resolve, items) if isinstance(inner, Mapping))
