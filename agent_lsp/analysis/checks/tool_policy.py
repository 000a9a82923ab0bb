"""Finds the entries of a tool policy, and the tools that they can cover.

Invariant: an entry is judged only by what can be known, and the tools of MCP servers cannot.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice, product

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed, unquoted
from agent_lsp.analysis.suggest import nearest
from agent_lsp.data_classes import dataclass
from agent_lsp.model.dialect import Misnamed
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Value
from agent_lsp.patterns import regex
from agent_lsp.syntax.document import memoised
from agent_lsp.syntax.nodes import Node, Scalar, Sequence, resolve
from agent_lsp.workspace.mcp_servers import McpServer, matching, mcp_servers_of
from agent_lsp.workspace.snapshot import TemplateFile

LISTS = (KeyRole.ALLOW, KeyRole.DENY)
# Matches the name of every tool, because no name is empty.
EVERY_TOOL = "?*"
# Stands for any character in a name that a pattern covers; no YAML text contains it.
_ANY = "\ud800"
_MOST_STARS = 3
_MOST_PATTERNS = 50
_WILDCARD = regex(r"[*?]")


@dataclass(frozen=True, slots=True)
class ToolPolicy:
    """What a file says about tools.

    `entries` has those of each of the `LISTS` as the runtime compares them, without blank ones, and
    `items` the nodes of each in the order of the text, including blank ones. `recognised` has the
    texts of entries that cover a known tool. `denier` is the entry that denies every possible tool.
    `denied` has, for each allowed entry of which nothing is left, the denied one that takes it.
    `names` are those of all tools that the runtime has or that the user vouches for.
    """

    entries: Mapping[KeyRole, tuple[Value, ...]]
    items: Mapping[KeyRole, tuple[Node, ...]]
    recognised: frozenset[str]
    denier: Value | None
    denied: Mapping[str, Value]
    names: tuple[str, ...]


@memoised
def policy(file: TemplateFile) -> ToolPolicy:
    """The tool policy of `file`, found out once for all checks."""
    entries = {holds: _entries(file, holds) for holds in LISTS}
    denied, vouched = entries[KeyRole.DENY], _vouched(file)
    names = _names(file, vouched)
    every = {entry.text for found in entries.values() for entry in found}
    return ToolPolicy(
        entries,
        _items(file),
        frozenset(text for text in every if _is_known(file, names, vouched, text)),
        next((deny for deny in denied if covers(file, deny.text, EVERY_TOOL)), None),
        _denied(file, entries[KeyRole.ALLOW], denied) if denied else {},
        names,
    )


def _entries(file: TemplateFile, holds: KeyRole) -> tuple[Value, ...]:
    key = file.dialect.schema.by_role.get(holds)
    value = file.reading.declared.settings.get(key.name) if key else None
    found = tuple([item for item in value.items if item.text.strip()]) if value else ()
    void = file.dialect.tools.void
    if holds is KeyRole.DENY and void and any(void(holds, item.text) for item in found):
        return ()
    return found


def _items(file: TemplateFile) -> dict[KeyRole, tuple[Node, ...]]:
    top, found = header.root(file), dict[KeyRole, tuple[Node, ...]]()
    for holds in LISTS:
        key = file.dialect.schema.by_role.get(holds)
        entry = top.get(key.name) if key and top else None
        node = entry.node if entry else None
        found[holds] = node.items if isinstance(node, Sequence) else ()
    return found


def _denied(
    file: TemplateFile, allowed: tuple[Value, ...], denied: tuple[Value, ...]
) -> Mapping[str, Value]:
    first: dict[str, Value] = {}
    for deny in denied:
        first.setdefault(deny.text, deny)
    # Lists may be long, so that whole names are looked up, and only patterns are tried.
    globs = patterns(file, first.values())
    found: dict[str, Value] = {}
    for text in {entry.text for entry in allowed}:
        by = [deny for deny in globs if covers(file, deny.text, text)]
        by += [first[text]] if text in first else []
        if by:
            found[text] = min(by, key=lambda deny: deny.span)
    return found


def _names(file: TemplateFile, vouched: tuple[str, ...]) -> tuple[str, ...]:
    if not vouched:
        return file.dialect.tools.names
    extra = (name for name in vouched if not file.dialect.tools.is_pattern(name))
    return (*file.dialect.tools.names, *extra)


@memoised
def covering(file: TemplateFile) -> Mapping[KeyRole, tuple[tuple[Value, Value], ...]]:
    """Each entry that adds nothing to its list, with the entry that already covers it."""
    found = policy(file)
    return {holds: tuple(_covering(file, found, holds)) for holds in LISTS}


def patterns(file: TemplateFile, among: Iterable[Value]) -> tuple[Value, ...]:
    """The patterns in a list, up to the number that a person may write.

    Each pattern is tried on each entry. In a list that is made to be slow, only the first patterns
    count, and entries that the others cover are not reported.
    """
    found = (entry for entry in among if file.dialect.tools.is_pattern(entry.text))
    return tuple(islice(found, _MOST_PATTERNS))


def covers(file: TemplateFile, broad: str, narrow: str) -> bool:
    """Whether `broad` certainly covers each name that the entry `narrow` covers."""
    if broad == narrow:
        return True
    is_pattern = file.dialect.tools.is_pattern
    return is_pattern(broad) and _is_within(file, broad, narrow, is_pattern=is_pattern(narrow))


def _is_within(file: TemplateFile, broad: str, narrow: str, *, is_pattern: bool) -> bool:
    """Whether the pattern `broad` covers another entry, which may be a pattern as well."""
    if not is_pattern:
        return file.dialect.tools.matches(broad, narrow)
    # A wildcard for several characters cannot stand for one certain character.
    if any(piece not in narrow for piece in _pieces_of(broad)):
        return False
    pieces = narrow.replace("?", _ANY).split("*")
    if len(pieces) > _MOST_STARS + 1:
        return False
    # No character, one character, and more characters than `broad` has places for: what holds for
    # these fillings holds for all fillings.
    fillings = ("", _ANY, _ANY * (len(broad) + 1))
    return all(
        file.dialect.tools.matches(broad, _filled(pieces, filling))
        for filling in product(fillings, repeat=len(pieces) - 1)
    )


# Each of a few patterns is compared with each entry.
@lru_cache(maxsize=256)
def _pieces_of(pattern: str) -> tuple[str, ...]:
    """What a pattern has between its wildcards."""
    return tuple(_WILDCARD.split(pattern))


@memoised
def is_known(file: TemplateFile, entry: str) -> bool:
    """Whether `entry` covers a known tool, or is within a pattern that the user vouches for."""
    return _is_known(file, policy(file).names, _vouched(file), entry)


def _is_known(
    file: TemplateFile, names: tuple[str, ...], vouched: tuple[str, ...], entry: str
) -> bool:
    matches = file.dialect.tools.matches
    if any(matches(extra, entry) for extra in vouched):
        return True
    if not file.dialect.tools.is_pattern(entry):
        return entry in file.dialect.tools.names
    return any(matches(entry, name) for name in names)


@memoised
def speaks_of_servers(file: TemplateFile, entry: str) -> bool:
    """Whether `entry` means tools that only a running server could name."""
    if misnamed(file, entry) is not None:
        return False
    is_of_server = file.dialect.tools.cannot_tell(entry) or entry.startswith("mcp")
    return is_of_server or matching(_servers(file), entry) is not None


@memoised
def cannot_tell(file: TemplateFile, entry: str) -> bool:
    """Whether `entry` may also cover tools that only a running server could name."""
    if misnamed(file, entry) is not None:
        return False
    is_open = file.dialect.tools.is_pattern(entry) and file.dialect.tools.is_pattern(entry[0])
    return is_open or "__" in entry or speaks_of_servers(file, entry)


def misnamed(file: TemplateFile, entry: str) -> Misnamed | None:
    """The reason why an entry for tools of servers cannot cover any."""
    return file.dialect.tools.misnamed(entry) if file.dialect.tools.misnamed is not None else None


@memoised
def _servers(file: TemplateFile) -> tuple[McpServer, ...]:
    return mcp_servers_of(file)


def _vouched(file: TemplateFile) -> tuple[str, ...]:
    return file.options.extra(file.dialect.id).tools


def _covering(
    file: TemplateFile, found: ToolPolicy, holds: KeyRole
) -> Iterator[tuple[Value, Value]]:
    once: dict[str, Value] = {}
    for entry in _written(file, found, holds):
        if once.setdefault(entry.text, entry) is not entry:
            yield entry, once[entry.text]
    # An entry that limits the uses of a tool is not the tool, and covers nothing.
    compared = {entry.text for entry in found.entries[holds]}
    whole = [entry for entry in once.values() if entry.text in compared]
    void = file.dialect.tools.void
    broad = [one for one in patterns(file, whole) if void is None or not void(holds, one.text)]
    for entry in whole if broad else ():
        is_pattern = file.dialect.tools.is_pattern(entry.text)
        every = (one for one in broad if _is_covered(file, entry, one, is_pattern=is_pattern))
        by = next(every, None)
        if by is not None:
            yield entry, by


def _written(file: TemplateFile, found: ToolPolicy, holds: KeyRole) -> Iterator[Value]:
    """The entries in the order of the text, with repeated ones as often as they occur."""
    key = file.dialect.schema.by_role.get(holds)
    may_be_text, compared = bool(key and key.in_text), found.entries[holds]
    if may_be_text and not found.items[holds]:
        yield from (Value(entry.span.of(file.document.text), entry.span) for entry in compared)
    names_ = {entry.text for entry in compared}
    for item in found.items[holds]:
        node = resolve(item)
        text = node.value.strip() if isinstance(node, Scalar) else ""
        if text in names_ or (may_be_text and text):
            yield Value(text, item.span)


def _is_covered(file: TemplateFile, entry: Value, by: Value, *, is_pattern: bool) -> bool:
    """Whether the pattern `by` makes `entry` superfluous; of two equal ones, the first one stays.

    `is_pattern` says whether `entry` is a pattern as well.
    """
    if by is entry or not _is_within(file, by.text, entry.text, is_pattern=is_pattern):
        return False
    return by.span < entry.span or not covers(file, entry.text, by.text)


def _filled(pieces: list[str], filling: tuple[str, ...]) -> str:
    pairs = zip((*filling, ""), pieces, strict=True)
    return "".join(piece + fill for fill, piece in pairs)


_REGEX = regex(r"\.[*+]|^\^|\$$|\+$|[\\|()\[\]{}]")
_ANY_TEXT = regex(r"(?:\.|\\[wdS]|\[[^\]]*\])[*+]")
_PLAIN = regex(r"[\w*?.:-]+")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A proposal for an entry; `meant` are the entries that the author probably intended."""

    fix: str
    meant: tuple[str, ...] = ()


@memoised
def suggestion(file: TemplateFile, entry: Value) -> Suggestion | None:
    """The suggestion for `entry`, or None if it has no certain mistake."""
    text = entry.text
    if is_known(file, text):
        return None
    several = _several(file, entry)
    if several is not None:
        return several
    server = misnamed(file, text)
    if server is not None:
        return Suggestion(server.fix, server.meant)
    return _quoted(text) or _syntax(file, text) or _spelling(file, text)


def _several(file: TemplateFile, entry: Value) -> Suggestion | None:
    """Suggests a fix for more than one tool in an entry."""
    names = re.split(r"[\s,;]+", entry.text.strip(",; \t"))
    if names in ([entry.text], [""]) or "(" in entry.text:
        return None
    if len(names) == 1:
        return Suggestion(f"did you mean {code(names[0])}?", (names[0],))
    meant = tuple(name for name in map(unquoted, names) if name != "-")
    deeper = tuple(_after_dashes(names))
    if not deeper or "\n" not in entry.span.of(file.document.text):
        return Suggestion("write each tool as a separate item", meant)
    where = f"the `-` before {listed(deeper, 'and')} is indented deeper"
    return Suggestion(f"{where}, so this is one item; align the items", meant)


def _after_dashes(names: list[str]) -> Iterator[str]:
    for dash, name in zip(names, [*names[1:], ""], strict=True):
        if dash == "-" and name not in ("", "-"):
            yield name


def _quoted(entry: str) -> Suggestion | None:
    """Suggests a fix for quotes that are no quotes in YAML."""
    bare = unquoted(entry)
    if bare in ("", entry):
        return None
    return Suggestion(f"the quotes are part of the name; write {code(bare)}", (bare,))


def _syntax(file: TemplateFile, entry: str) -> Suggestion | None:
    """Suggests a fix for characters without a meaning in an entry."""
    if entry.startswith("!"):
        return Suggestion("a leading `!` negates nothing")
    called = re.match(r"([\w.:-]+)\(", entry)
    if called:
        return Suggestion("an entry takes no arguments and covers the whole tool", (called[1],))
    if "*" in entry and not file.dialect.tools.is_pattern(entry):
        patterns = [pattern.name for pattern in file.dialect.tools.globs]
        only = f", only {listed(patterns)} is" if patterns else ""
        return Suggestion(f"`*` is not a wildcard here{only}; name each tool")
    if not _REGEX.search(entry):
        return None
    glob = re.sub(r"\\(\W)", r"\1", _ANY_TEXT.sub("*", entry.removeprefix("^").removesuffix("$")))
    read = "regular expressions are not supported"
    if glob == "*" and "." not in entry:
        # A character class covers some names only, and a suggestion never allows all.
        return Suggestion(read)
    if _PLAIN.fullmatch(glob) and (is_known(file, glob) or cannot_tell(file, glob)):
        return Suggestion(f"{read}; did you mean {code(glob)}?", (glob,))
    return Suggestion(read)


def _spelling(file: TemplateFile, entry: str) -> Suggestion | None:
    """Suggests a fix for a misspelling of a known tool or pattern."""
    if speaks_of_servers(file, entry):
        return None
    lowered = entry.lower()
    if lowered != entry and (is_known(file, lowered) or speaks_of_servers(file, lowered)):
        return Suggestion(f"case matters; did you mean {code(lowered)}?", (lowered,))
    meant = None if file.dialect.tools.is_pattern(entry) else nearest(entry, policy(file).names)
    return Suggestion(f"did you mean {code(meant)}?", (meant,)) if meant else None


@memoised
def allows_nothing(file: TemplateFile) -> bool:
    """Whether the policy has allowed entries and none of them covers a tool that is not denied."""
    own = policy(file)
    allowed, lost = own.entries[KeyRole.ALLOW], own.denied
    if not allowed or not all(entry.text in lost or is_unknown(file, entry) for entry in allowed):
        return False
    # Another key may leave some tools, whatever the lists say.
    return not file.dialect.tools.toolset(header.reading_held(file), own.names, 1).kept


def is_unknown(file: TemplateFile, entry: Value) -> bool:
    """Whether `entry` of the policy covers nothing known, and nothing that a server could name."""
    if entry.text in policy(file).recognised:
        return False
    return suggestion(file, entry) is not None or not cannot_tell(file, entry.text)


@memoised
def has_slips(file: TemplateFile) -> bool:
    """Whether an allowed entry has a mistake that its own finding reports with its consequence."""
    return any(suggestion(file, entry) is not None for entry in policy(file).entries[KeyRole.ALLOW])


@memoised
def is_settled(file: TemplateFile, *lists: KeyRole) -> bool:
    """Whether the runtime reads these `LISTS` as written, or would without other errors."""
    keys = (file.dialect.schema.by_role.get(holds) for holds in lists)
    names = tuple(key.name for key in keys if key is not None)
    return header.as_settled(file, names) is not None


def is_reported(file: TemplateFile) -> bool:
    """Whether a finding about the whole policy says that no tool is left."""
    if policy(file).denier is not None:
        return is_settled(file, KeyRole.DENY)
    return allows_nothing(file) and is_settled(file, *LISTS) and not has_slips(file)
