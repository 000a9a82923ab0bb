"""Reads a file of agents as the second generation of OpenCode does: a header, or `opencode.json`.

Invariant: this generation refuses nothing, and nothing is said about a fault. A file with a value
of a wrong type defines nothing, and the others load.

Facts: the loader of the second generation inside of OpenCode 1.18.33, measured 2026-11-28
(`v2` in `tests/conformance/opencode.jsonl`), and opencode.ai/docs, migrate-v1, read on the same
day. A header with a key that is not its own is read as one of the first generation. Measured
2026-11-29: of `opencode.json` it drops the whole file for one wrong value under any key that it
knows. Of an agent in `agents` the list `permissions` counts, and `permission` does not. `{file:…}`
stays as it is.
"""

from collections.abc import Iterator
from pathlib import Path

from agent_lsp.data_classes import replace
from agent_lsp.dialects.opencode import config, header_text, reading, rules
from agent_lsp.dialects.opencode.facts import ACTIONS, SECOND
from agent_lsp.dialects.opencode.header_text import Outcome
from agent_lsp.dialects.opencode.policy import OF_PROJECT
from agent_lsp.dialects.opencode.reading import Fate
from agent_lsp.dialects.opencode.validation import Issue, validate
from agent_lsp.dialects.opencode.values import members, value_of
from agent_lsp.model.runtime import DefinedName, Scope
from agent_lsp.model.template import (
    Block,
    LoadError,
    LoadErrorKind,
    Reading,
    Template,
    Value,
)
from agent_lsp.syntax import nodes
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Entry, Mapping, Node, resolve
from agent_lsp.text import Span

OWN = frozenset(
    (
        *("model", "variant", "request", "system", "description", "mode", "hidden", "color"),
        *("steps", "disabled", "permissions"),
    )
)
DROPPED = "OpenCode 2 silently drops the file"
_NOTHING = Template({}, (), (Block(None, "", Span(0, 0)),))
_RULE = ("action", "resource", "effect")


def names_in(_document: Document, scope: Scope, path: Path) -> tuple[DefinedName, ...]:
    """The path of the file below the folder of agents; `name` does not count."""
    inside = scope.folder in path.parents
    below = path.relative_to(scope.folder).as_posix() if inside else path.name
    return (DefinedName(below.removesuffix(".md")),)


def outcome(document: Document) -> Outcome:
    """What this generation makes of a header: a byte-order mark does not keep it from mending."""
    if not document.bom or reading.language(document):
        return reading.outcome(document)
    header = document.frontmatter.inner
    return header_text.read(header.of(document.text), header.start, may_mend=True)


def read(document: Document, _name: str = "") -> Reading:
    """What a header says here, and what counts of it."""
    first = reading.read(document)
    found = outcome(document)
    top = resolve(found.root)
    is_read = found.fault is None or found.is_mended
    if not isinstance(top, Mapping) or not is_read or reading.fate(document) is Fate.RUN:
        return replace(first, errors=(), generation=SECOND)
    settings = _settings(top)
    block = first.declared.default
    held = Template(settings, (), (block,))
    fault = next(iter(_faults(top)), None)
    if fault is None:
        said = first.possible_errors if found.is_mended and not document.bom else ()
        return Reading(held, held, generation=SECOND, possible_errors=said)
    error = LoadError(LoadErrorKind.TYPE, fault, DROPPED)
    return Reading(held, _NOTHING, generation=SECOND, possible_errors=(error,))


def is_own(top: Mapping) -> bool:
    """Whether a header has keys of this generation alone."""
    return OWN.issuperset(members(top))


def _settings(top: Mapping) -> dict[str, Value]:
    found = reading.settings_of(top)
    found.pop("name", None)
    entry = members(top).get("permissions")
    if is_own(top) and entry is not None and entry.value is not None:
        records = tuple(rules.record(*each, is_mapped=True) for each in listed(entry))
        found["permission"] = Value(records, entry.value.span, entry.key.span)
    entry = members(top).get("disabled")
    if is_own(top) and entry is not None and entry.value is not None:
        found["disable"] = Value(value_of(entry.value), entry.value.span, entry.key.span)
    return found


def listed(entry: Entry) -> Iterator[tuple[str, str, object, Span]]:
    """The rules of a list `permissions`: name, pattern and action of each, and where it stands."""
    node = resolve(entry.value)
    for item in map(resolve, node.items) if isinstance(node, nodes.Sequence) else ():
        if isinstance(item, Mapping):
            found = members(item)
            texts = [value_of(found[key].value) if key in found else "" for key in _RULE]
            yield str(texts[0]), str(texts[1]), texts[2], item.span


def _faults(top: Mapping) -> Iterator[Span]:
    """The values for which the file is dropped."""
    if not is_own(top):
        yield from (one.span for one in validate(top))
        return
    shared = tuple(entry for entry in top.entries if entry.name != "permissions")
    yield from (one.span for one in validate(replace(top, entries=shared)))
    found = members(top)
    for name in ("permissions", "disabled"):
        entry = found.get(name)
        if entry is not None and not _fits(name, entry):
            yield entry.key.span


def _fits(name: str, entry: Entry) -> bool:
    if name == "disabled":
        return isinstance(value_of(entry.value), bool)
    node = resolve(entry.value)
    if not isinstance(node, nodes.Sequence):
        return False
    items = [resolve(item) for item in node.items]
    return all(isinstance(item, Mapping) for item in items) and all(
        action in ACTIONS for _, _, action, _ in listed(entry)
    )


def read_table(document: Document, name: str = "") -> Reading:
    """What the file says of the agent `name`; without a name what it says for all of them."""
    found = config.read(document, name, SECOND)
    fault = next(_table_faults(document, found), None)
    if fault is not None:
        lost = LoadError(fault.kind, fault.span, DROPPED)
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


def _table_faults(document: Document, found: Reading) -> Iterator[LoadError | Issue]:
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
    records = tuple(rules.record(*each, is_mapped=True) for each in listed(entry))
    return Value(records, entry.value.span, entry.key.span)
