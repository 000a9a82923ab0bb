"""Reads the agents in `opencode.json` as the second generation of OpenCode does.

Invariant: a file with a wrong value defines nothing, and nothing is said about it.
Facts: the loader of the second generation inside of OpenCode 1.18.33, measured 2026-11-29: it drops
the whole file for one wrong value under any key that it knows. Of an agent in `agents` the list
`permissions` counts, and `permission` does not. `{file:…}` stays as it is.
"""

from collections.abc import Iterator

from agent_lsp.data_classes import replace
from agent_lsp.dialects.opencode import config, rules, second
from agent_lsp.dialects.opencode.facts import SECOND
from agent_lsp.dialects.opencode.policy import OF_PROJECT
from agent_lsp.dialects.opencode.validation import Issue
from agent_lsp.dialects.opencode.values import members
from agent_lsp.model.template import LoadError, Reading, Value
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Mapping, Node, resolve


def read(document: Document, name: str = "") -> Reading:
    """What the file says of the agent `name`; without a name what it says for all of them."""
    found = config.read(document, name, SECOND)
    fault = next(_faults(document, found), None)
    if fault is not None:
        lost = LoadError(fault.kind, fault.span, second.DROPPED)
        nothing = replace(found.effective, settings={})
        return replace(found, effective=nothing, errors=(), possible_errors=(lost,))
    own = _rules(_owner(document, name))
    if own is None:
        return found
    settings = {**found.effective.settings, "permission" if name else OF_PROJECT: own}
    held = replace(found.effective, settings=settings)
    return replace(found, declared=held, effective=held)


def is_newer(document: Document, name: str) -> bool:
    """Whether only the table of the second generation has the agent `name`."""
    others = (config.tables(document, table) for table in config.TABLES)
    return name in config.tables(document, config.NEWER) and all(name not in one for one in others)


def _faults(document: Document, found: Reading) -> Iterator[LoadError | Issue]:
    yield from found.errors
    for entry in config.tables(document, config.NEWER).values():
        yield from config.newer_issues(entry)


def _owner(document: Document, name: str) -> Node | None:
    """The mapping whose `permissions` count for an agent, or for all of them."""
    if not name:
        return resolve(document.tree.root)
    entry = config.tables(document, config.NEWER).get(name)
    return resolve(entry.value) if entry is not None and is_newer(document, name) else None


def _rules(owner: Node | None) -> Value | None:
    entry = members(owner).get("permissions") if isinstance(owner, Mapping) else None
    if entry is None or entry.value is None:
        return None
    records = tuple(rules.record(*each, is_mapped=True) for each in second.listed(entry))
    return Value(records, entry.value.span, entry.key.span)
