"""The entries of a tool policy and the tools that they can speak of.

Invariant: an entry is judged only by what can be known; tools of MCP servers cannot.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice, product

from agent_lsp.analysis.latest import of_latest
from agent_lsp.analysis.rules import header
from agent_lsp.dialects.renamed import Misnamed
from agent_lsp.dialects.template import Value
from agent_lsp.dialects.vocabulary import Holds
from agent_lsp.syntax.nodes import Node, Scalar, Sequence, resolve
from agent_lsp.workspace.index import Subject
from agent_lsp.workspace.servers import Server, matching, servers_of

LISTS = (Holds.ALLOW, Holds.DENY)
# Every tool's name, none of which is empty, is of this shape.
EVERY_TOOL = "?*"
# Stands for any character in a name that a pattern covers; no YAML text contains it.
_ANY = "\ud800"
_MOST_STARS = 3
_MOST_PATTERNS = 50
_WILDCARD = re.compile(r"[*?]")


@of_latest
def entries(of: Subject, holds: Holds) -> tuple[Value, ...]:
    """The entries of one of the `LISTS` as the runtime compares them, without blank ones."""
    key = of.dialect.key_holding(holds)
    value = of.reading.written.settings.get(key.name) if key else None
    return tuple([item for item in value.items if item.text.strip()]) if value else ()


@of_latest
def items(of: Subject, holds: Holds) -> tuple[Node, ...]:
    """What is written in one of the `LISTS`, in the order of the text, blank items included."""
    key, top = of.dialect.key_holding(holds), header.root(of)
    entry = top.get(key.name) if key and top else None
    node = resolve(entry.value) if entry else None
    return node.items if isinstance(node, Sequence) else ()


@of_latest
def covering(of: Subject, holds: Holds) -> tuple[tuple[Value, Value], ...]:
    """Each entry that adds nothing to its list, with the other one that says as much."""
    return tuple(_covering(of, holds))


def patterns(of: Subject, among: Iterable[Value]) -> tuple[Value, ...]:
    """The patterns in a list, of which no person writes more than a few.

    Each is tried on each entry, so that of a list made to be slow only the first ones count:
    what the others cover is not said.
    """
    found = (entry for entry in among if of.dialect.is_pattern(entry.text))
    return tuple(islice(found, _MOST_PATTERNS))


def covers(of: Subject, broad: str, narrow: str) -> bool:
    """Whether each name that the entry `narrow` covers is certainly covered by `broad`, too."""
    if broad == narrow:
        return True
    if not of.dialect.is_pattern(broad):
        return False
    if not of.dialect.is_pattern(narrow):
        return of.dialect.matches(broad, narrow)
    # Nothing that stands for several signs can stand for a certain one.
    if any(piece not in narrow for piece in _WILDCARD.split(broad)):
        return False
    pieces = narrow.replace("?", _ANY).split("*")
    if len(pieces) > _MOST_STARS + 1:
        return False
    # Nothing, one and more characters than `broad` has places for: what holds for these fillings
    # holds for all.
    fillings = ("", _ANY, _ANY * (len(broad) + 1))
    return all(
        of.dialect.matches(broad, _filled(pieces, filling))
        for filling in product(fillings, repeat=len(pieces) - 1)
    )


@of_latest
def names(of: Subject) -> tuple[str, ...]:
    """The names of all tools that the runtime or the user's settings vouch for."""
    extra = (name for name in _vouched(of) if not of.dialect.is_pattern(name))
    shipped = (tool.name for tool in (*of.dialect.tools, *of.dialect.withheld))
    return (*shipped, *extra)


@of_latest
def is_known(of: Subject, entry: str) -> bool:
    """Whether `entry` covers a known tool, or is within a pattern that the user vouches for."""
    matches = of.dialect.matches
    if any(matches(extra, entry) for extra in _vouched(of)):
        return True
    if not of.dialect.is_pattern(entry):
        return entry in _shipped(of)
    return any(matches(entry, name) for name in names(of))


@of_latest
def speaks_of_servers(of: Subject, entry: str) -> bool:
    """Whether `entry` means tools that only a running server could name."""
    if misnamed(of, entry) is not None:
        return False
    is_of_server = of.dialect.cannot_tell(entry) or entry.startswith("mcp")
    return is_of_server or matching(_servers(of), entry) is not None


@of_latest
def cannot_tell(of: Subject, entry: str) -> bool:
    """Whether `entry` may, among others, cover tools that only a running server could name."""
    if misnamed(of, entry) is not None:
        return False
    is_open = of.dialect.is_pattern(entry) and of.dialect.is_pattern(entry[0])
    may_exist = of.dialect.may_exist is not None and of.dialect.may_exist(entry)
    return is_open or may_exist or "__" in entry or speaks_of_servers(of, entry)


def misnamed(of: Subject, entry: str) -> Misnamed | None:
    """What is wrong with an entry that means tools of servers and cannot cover any."""
    return of.dialect.misnamed(entry) if of.dialect.misnamed is not None else None


@of_latest
def _servers(of: Subject) -> tuple[Server, ...]:
    return servers_of(of)


@of_latest
def _shipped(of: Subject) -> frozenset[str]:
    return frozenset(tool.name for tool in (*of.dialect.tools, *of.dialect.withheld))


def _vouched(of: Subject) -> tuple[str, ...]:
    return of.options.extra(of.dialect.id).tools


def _covering(of: Subject, holds: Holds) -> Iterator[tuple[Value, Value]]:
    once: dict[str, Value] = {}
    for entry in _written(of, holds):
        if once.setdefault(entry.text, entry) is not entry:
            yield entry, once[entry.text]
    # What limits the use of a tool stands for another thing than the tool, and covers nothing.
    compared = {entry.text for entry in entries(of, holds)}
    whole = [entry for entry in once.values() if entry.text in compared]
    vain = of.dialect.vain.get(holds, frozenset())
    broad = patterns(of, (entry for entry in whole if entry.text not in vain))
    for entry in whole:
        by = next((other for other in broad if _is_covered(of, entry, other)), None)
        if by is not None:
            yield entry, by


def _written(of: Subject, holds: Holds) -> Iterator[Value]:
    """The entries in the order of the text, those that are repeated as often as they are."""
    key = of.dialect.key_holding(holds)
    may_be_text, compared = bool(key and key.in_text), entries(of, holds)
    found = items(of, holds)
    if may_be_text and not found:
        yield from (Value(entry.span.of(of.document.text), entry.span) for entry in compared)
    names_ = {entry.text for entry in compared}
    for item in found:
        node = resolve(item)
        text = node.value.strip() if isinstance(node, Scalar) else ""
        if text in names_ or (may_be_text and text):
            yield Value(text, item.span)


def _is_covered(of: Subject, entry: Value, by: Value) -> bool:
    """Whether `by` makes `entry` superfluous; of two that say the same, the first one stays."""
    if by is entry or not covers(of, by.text, entry.text):
        return False
    return by.span < entry.span or not covers(of, entry.text, by.text)


def _filled(pieces: list[str], filling: tuple[str, ...]) -> str:
    pairs = zip((*filling, ""), pieces, strict=True)
    return "".join(piece + fill for fill, piece in pairs)
