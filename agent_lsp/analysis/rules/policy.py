"""The entries of a tool policy and the tools that they can speak of.

Invariant: an entry is judged only by what can be known; tools of MCP servers cannot.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice, product

from agent_lsp.analysis.latest import memo_latest
from agent_lsp.analysis.rules import header
from agent_lsp.dialects.renamed import Misnamed
from agent_lsp.dialects.template import Value
from agent_lsp.dialects.vocabulary import KeyRole
from agent_lsp.syntax.nodes import Node, Scalar, Sequence, resolve
from agent_lsp.workspace.index import TemplateFile
from agent_lsp.workspace.servers import McpServer, matching, mcp_servers_of

LISTS = (KeyRole.ALLOW, KeyRole.DENY)
# Every tool's name, none of which is empty, is of this shape.
EVERY_TOOL = "?*"
# Stands for any character in a name that a pattern covers; no YAML text contains it.
_ANY = "\ud800"
_MOST_STARS = 3
_MOST_PATTERNS = 50
_WILDCARD = re.compile(r"[*?]")


@memo_latest
def entries(file: TemplateFile, holds: KeyRole) -> tuple[Value, ...]:
    """The entries of one of the `LISTS` as the runtime compares them, without blank ones."""
    key = file.dialect.key_with_role(holds)
    value = file.reading.declared.settings.get(key.name) if key else None
    found = tuple([item for item in value.items if item.text.strip()]) if value else ()
    void = file.dialect.void
    if holds is KeyRole.DENY and void and any(void(holds, item.text) for item in found):
        return ()
    return found


@memo_latest
def items(file: TemplateFile, holds: KeyRole) -> tuple[Node, ...]:
    """What is written in one of the `LISTS`, in the order of the text, blank items included."""
    key, top = file.dialect.key_with_role(holds), header.root(file)
    entry = top.get(key.name) if key and top else None
    node = resolve(entry.value) if entry else None
    return node.items if isinstance(node, Sequence) else ()


@memo_latest
def covering(file: TemplateFile, holds: KeyRole) -> tuple[tuple[Value, Value], ...]:
    """Each entry that adds nothing to its list, with the other one that says as much."""
    return tuple(_covering(file, holds))


def patterns(file: TemplateFile, among: Iterable[Value]) -> tuple[Value, ...]:
    """The patterns in a list, of which no person writes more than a few.

    Each is tried on each entry, so that of a list made to be slow only the first ones count:
    what the others cover is not said.
    """
    found = (entry for entry in among if file.dialect.is_pattern(entry.text))
    return tuple(islice(found, _MOST_PATTERNS))


def covers(file: TemplateFile, broad: str, narrow: str) -> bool:
    """Whether each name that the entry `narrow` covers is certainly covered by `broad`, too."""
    if broad == narrow:
        return True
    if not file.dialect.is_pattern(broad):
        return False
    if not file.dialect.is_pattern(narrow):
        return file.dialect.matches(broad, narrow)
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
        file.dialect.matches(broad, _filled(pieces, filling))
        for filling in product(fillings, repeat=len(pieces) - 1)
    )


@memo_latest
def names(file: TemplateFile) -> tuple[str, ...]:
    """The names of all tools that the runtime or the user's settings vouch for."""
    extra = (name for name in _vouched(file) if not file.dialect.is_pattern(name))
    shipped = (tool.name for tool in (*file.dialect.tools, *file.dialect.withheld))
    return (*shipped, *extra)


@memo_latest
def is_known(file: TemplateFile, entry: str) -> bool:
    """Whether `entry` covers a known tool, or is within a pattern that the user vouches for."""
    matches = file.dialect.matches
    if any(matches(extra, entry) for extra in _vouched(file)):
        return True
    if not file.dialect.is_pattern(entry):
        return entry in _shipped(file)
    return any(matches(entry, name) for name in names(file))


@memo_latest
def speaks_of_servers(file: TemplateFile, entry: str) -> bool:
    """Whether `entry` means tools that only a running server could name."""
    if misnamed(file, entry) is not None:
        return False
    is_of_server = file.dialect.cannot_tell(entry) or entry.startswith("mcp")
    return is_of_server or matching(_servers(file), entry) is not None


@memo_latest
def cannot_tell(file: TemplateFile, entry: str) -> bool:
    """Whether `entry` may, among others, cover tools that only a running server could name."""
    if misnamed(file, entry) is not None:
        return False
    is_open = file.dialect.is_pattern(entry) and file.dialect.is_pattern(entry[0])
    may_exist = file.dialect.may_exist is not None and file.dialect.may_exist(entry)
    return is_open or may_exist or "__" in entry or speaks_of_servers(file, entry)


def misnamed(file: TemplateFile, entry: str) -> Misnamed | None:
    """What is wrong with an entry that means tools of servers and cannot cover any."""
    return file.dialect.misnamed(entry) if file.dialect.misnamed is not None else None


@memo_latest
def _servers(file: TemplateFile) -> tuple[McpServer, ...]:
    return mcp_servers_of(file)


@memo_latest
def _shipped(file: TemplateFile) -> frozenset[str]:
    return frozenset(tool.name for tool in (*file.dialect.tools, *file.dialect.withheld))


def _vouched(file: TemplateFile) -> tuple[str, ...]:
    return file.options.extra(file.dialect.id).tools


def _covering(file: TemplateFile, holds: KeyRole) -> Iterator[tuple[Value, Value]]:
    once: dict[str, Value] = {}
    for entry in _written(file, holds):
        if once.setdefault(entry.text, entry) is not entry:
            yield entry, once[entry.text]
    # What limits the use of a tool stands for another thing than the tool, and covers nothing.
    compared = {entry.text for entry in entries(file, holds)}
    whole = [entry for entry in once.values() if entry.text in compared]
    void = file.dialect.void
    broad = [one for one in patterns(file, whole) if void is None or not void(holds, one.text)]
    for entry in whole:
        by = next((other for other in broad if _is_covered(file, entry, other)), None)
        if by is not None:
            yield entry, by


def _written(file: TemplateFile, holds: KeyRole) -> Iterator[Value]:
    """The entries in the order of the text, those that are repeated as often as they are."""
    key = file.dialect.key_with_role(holds)
    may_be_text, compared = bool(key and key.in_text), entries(file, holds)
    found = items(file, holds)
    if may_be_text and not found:
        yield from (Value(entry.span.of(file.document.text), entry.span) for entry in compared)
    names_ = {entry.text for entry in compared}
    for item in found:
        node = resolve(item)
        text = node.value.strip() if isinstance(node, Scalar) else ""
        if text in names_ or (may_be_text and text):
            yield Value(text, item.span)


def _is_covered(file: TemplateFile, entry: Value, by: Value) -> bool:
    """Whether `by` makes `entry` superfluous; of two that say the same, the first one stays."""
    if by is entry or not covers(file, by.text, entry.text):
        return False
    return by.span < entry.span or not covers(file, entry.text, by.text)


def _filled(pieces: list[str], filling: tuple[str, ...]) -> str:
    pairs = zip((*filling, ""), pieces, strict=True)
    return "".join(piece + fill for fill, piece in pairs)
