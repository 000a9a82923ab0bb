"""Finds the entries of a header that the runtime does not know, and suggests keys for them.

Invariant: if the absence of a key is a finding, a misspelling of that key is reported there, as the
cause, and nowhere else.
"""

from collections.abc import Iterator
from collections.abc import Mapping as Map

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.fence_heuristics import too_early, too_late
from agent_lsp.analysis.checks.header import Level
from agent_lsp.analysis.memo import memoised
from agent_lsp.analysis.suggest import fold, nearest
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.syntax.nodes import Alias, Entry, Mapping, Node, Sequence
from agent_lsp.workspace.snapshot import TemplateFile

# The consequence of a restriction under a key that the runtime ignores.
NO_EFFECT: dict[KeyRole | None, str] = {
    KeyRole.ALLOW: ", so it limits no tools",
    KeyRole.DENY: ", so it denies no tools",
    KeyRole.SANDBOX: ", so it restricts no sandbox",
}
# Words that people use for a key, without case and separators.
_INSTEAD = dict.fromkeys(("desc", "descr", "summary", "whentouse"), "description")
# Keys of other systems that are one slip away from a key, but no misspelling of it.
_WORDS_OF_THEIR_OWN = ("mode", "names", "modes")


def unknown(file: TemplateFile, level: Level) -> Iterator[Entry]:
    """The entries of `level` that the runtime ignores and that no user vouches for."""
    known = {key.name for key in level.keys} | set(file.options.extra(file.dialect.id).keys)
    found = [entry for entry in level.mapping.entries if entry.name and entry.name not in known]
    if not found:
        return
    refused = {error.span for error in header.errors(file, LoadErrorKind.FORBIDDEN)}
    found = [entry for entry in found if entry.key.span not in refused]
    late = too_late(file) if found and level.within is None else None
    yield from (entry for entry in found if late is None or entry.span.start < late.start.start)


def meant(level: Level, entry: Entry) -> Key | None:
    """The key that `entry` is a misspelling of, if the mapping does not have that key as well."""
    if entry.name is None or entry.name in _WORDS_OF_THEIR_OWN:
        return None
    name = nearest(entry.name, (key.name for key in level.keys)) or _INSTEAD.get(fold(entry.name))
    if name is None or level.mapping.get(name) is not None:
        return None
    return next((key for key in level.keys if key.name == name), None)


def misspelt(file: TemplateFile, level: Level, name: str) -> Entry | None:
    """The first entry of `level` that was meant to be the missing key `name`, or None."""
    for entry in unknown(file, level):
        key = meant(level, entry)
        if key is not None and key.name == name:
            return entry
    return None


def is_reported_as_missing(file: TemplateFile, level: Level, entry: Entry, key: Key) -> bool:
    """Whether another check reports that `key` is missing, with `entry` as the cause."""
    if misspelt(file, level, key.name) is not entry:
        return False
    lacking = header.errors(file, LoadErrorKind.MISSING)
    if key.mandatory or any(error.key == key.name for error in lacking):
        return True
    if not header.parses(file):
        return False
    if key.role is KeyRole.PERSONAS:
        return has_undeclared_blocks(file)
    return key.required_by is not None


def has_undeclared_blocks(file: TemplateFile) -> bool:
    """Whether the body has blocks of personas and the header declares none."""
    held = header.held(file)
    key = file.dialect.key_with_role(KeyRole.PERSONAS)
    is_refused = key is not None and any(
        error.key.startswith(key.name) for error in file.reading.errors
    )
    is_absent = not held.personas and not is_refused and not is_below(file, KeyRole.PERSONAS)
    return bool(held.blocks[1:]) and is_absent


def is_below(file: TemplateFile, holds: KeyRole) -> bool:
    """Whether the key with the role `holds` is below the line that closes the header."""
    key = file.dialect.key_with_role(holds)
    return key is not None and stands_below(file, key.name)


def stands_below(file: TemplateFile, name: str) -> bool:
    """Whether the key called `name` is below the line that closes the header."""
    early = too_early(file)
    return early is not None and name in early.names


def holds_anchor(file: TemplateFile, entry: Entry) -> bool:
    """Whether an alias outside of `entry` refers to an anchor in its value."""
    if entry.value is None or "*" not in file.document.frontmatter.inner.of(file.document.text):
        return False
    own, uses = {id(node) for node in _nodes(entry.value)}, _uses(file)
    return any(alias not in own for node in own for alias in uses.get(node, ()))


@memoised
def _uses(file: TemplateFile) -> Map[int, list[int]]:
    """The aliases of each node, both by identity, because equal nodes are not the same."""
    found: dict[int, list[int]] = {}
    for node in _nodes(file.document.tree.root):
        if isinstance(node, Alias):
            found.setdefault(id(node.target), []).append(id(node))
    return found


def _nodes(root: Node | None) -> Iterator[Node]:
    """`root` and all nodes below it, without following aliases."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node is None:
            continue
        yield node
        if isinstance(node, Mapping):
            waiting += (side for entry in node.entries for side in (entry.key, entry.value))
        elif isinstance(node, Sequence):
            waiting += node.items
