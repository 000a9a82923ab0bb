"""Reads the agents that `opencode.json` and `opencode.jsonc` define in their table `agent`.

Invariants: a table has the keys of a header, and `prompt` besides. What the file says for all
agents is read without a name.
Facts: OpenCode 1.18.33, measured 2026-11-28 and 2026-11-29: comments and commas at the end are
taken, and a wrong value stops the program as one in a header does. Before the program reads the
text as JSON, it puts the trimmed text of a file in the place of `{file:…}`, except in lines that
begin with `//`; blanks in the path count, and what it puts in is not looked at again. Before that,
the value of a variable, or nothing, takes the place of `{env:…}` everywhere, also without quotes.
"""

import os
import re
from collections.abc import Callable, Iterator
from collections.abc import Mapping as Map
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path

from agent_lsp.data_classes import replace
from agent_lsp.dialects.opencode import CONTENT, RULES, policy, rules
from agent_lsp.dialects.opencode import TABLES as FORM
from agent_lsp.dialects.opencode.facts import DEFAULT_AGENT, DEPTH, OPTION, PRIMARY, SECOND
from agent_lsp.dialects.opencode.file_values import OF_FILE, issues_of
from agent_lsp.dialects.opencode.reading import (
    BLANK,
    NAME_MESSAGE,
    merged_option,
    settings_of,
    unlisted,
    unsendable,
)
from agent_lsp.dialects.opencode.validation import OF_TABLE, Issue, validate
from agent_lsp.dialects.opencode.values import members, value_of, written
from agent_lsp.model.runtime import Candidate, Catalog, DefinedName, Scope
from agent_lsp.model.template import (
    Block,
    LoadError,
    LoadErrorKind,
    Reading,
    Template,
    Value,
)
from agent_lsp.patterns import regex
from agent_lsp.syntax import json
from agent_lsp.syntax.document import Document, parse
from agent_lsp.syntax.frontmatter import whole
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.paths import led

FILES = ("opencode.jsonc", "opencode.json")
TEMPLATES = ("agent",)
# The tables of agents; the older one has primary agents.
TABLES = ("mode", "agent")
# The table of the second generation, of which the first one translates some keys.
NEWER = "agents"
_NAMING = ("agent", "mode", NEWER)
# What such a key is here; all others are left out without a word.
_NEWER_KEYS = {
    **{key: key for key in ("description", "mode", "hidden", "color", "model", "steps")},
    "disabled": "disable",
}
_NEWER_RULES = (
    'V2 permissions are not supported by OpenCode V1. Use V1 "permission" rules or run opencode2.'
)
# What a file says in the place of a text.
_FILE = regex(r"\{file:([^}]+)\}")
_VARIABLE = regex(r"\{env:([^}]+)\}")
_FILLED_IN = regex(r"\{(?:env|file):[^}]")
_HIDDEN = "(the value of the environment variable {})"
_IS_HIDDEN = regex(re.escape(_HIDDEN).replace(r"\{\}", "[^)]+"))
# A reference to a file, as what may keep the program from starting.
REFERENCE = "a reference to a file"
_ACTION = "Expected PermissionActionConfig, got "
# Each costs a look at the disk.
_MOST_REFERENCES = 200
_NOTHING = Template({}, (), (Block(None, "", Span(0, 0)),))


def name_of(file_name: str) -> str | None:
    """The stem of a file; the agents in it have names of their own."""
    return file_name.rpartition(".")[0] or file_name


def names_in(document: Document, _scope: Scope, _path: Path) -> tuple[DefinedName, ...]:
    """The agents of a file: those of `agent` in its order, then those of its other tables."""
    found: dict[str, Entry] = {}
    for table in _NAMING:
        for name, entry in tables(document, table).items():
            # Without a name it is the reading of a file for all agents.
            if name and (table != NEWER or _is_sound(entry)):
                found.setdefault(name, entry)
    return tuple(DefinedName(name, entry.key.span) for name, entry in found.items())


# Each agent of a file asks for these again. As many as there are documents that are kept.
@lru_cache(maxsize=8)
def tables(document: Document, table: str = "agent") -> Map[str, Entry]:
    """The entries of the table `agent`, or of the older `mode`, by their names."""
    found = _table(document, table)
    return members(found) if found is not None else {}


def read(document: Document, name: str, generation: str = "") -> Reading:
    """What the file says of the agent `name`; without a name what it says for all of them."""
    errors, named = _errors(document), _references(document)
    if generation == SECOND:
        errors = tuple(one for one in errors if one.message != _NEWER_RULES)
    held = _agent(document, name) if name else Template(_for_all(document), (), _NOTHING.blocks)
    effective = _NOTHING if errors else held
    return Reading(held, effective, errors, generation, named if not name else ())


def with_variables(catalog: Catalog) -> Catalog:
    """The catalog with the configurations that variables have, as if they were files."""
    texts: dict[Path, str] = {}
    scopes = []
    for name in (CONTENT, RULES):
        written = catalog.variables.get(name, "")
        if name == RULES and written:
            # The program passes over a value that is no JSON.
            is_mapping = (
                written.lstrip().startswith("{") and json.parse_open(written).problem is None
            )
            written = f'{{"permission": {written}}}' if is_mapping else ""
        if written:
            scope = Scope("user", name, catalog.root, form=FORM, only=frozenset({f"${name}"}))
            texts[catalog.root / f"${name}"] = written
            scopes.append(scope)
    if not scopes:
        return catalog

    def text(path: Path) -> str | None:
        own = texts.get(path)
        return catalog.text(path) if own is None else own

    def read_in(candidate: Candidate) -> Reading:
        own = texts.get(candidate.path)
        if own is None:
            return catalog.read(candidate)
        found = read(parse(own, whole, read=json.parse_open), candidate.name)
        return _of_rules(found) if candidate.scope.label == RULES else found

    return replace(catalog, scopes=(*catalog.scopes, *scopes), text=text, read=read_in)


def _of_rules(reading: Reading) -> Reading:
    """The reading of rules in a variable, of which only an action is looked at."""
    errors = tuple(one for one in reading.errors if one.message.startswith(_ACTION))
    effective = reading.effective if errors else reading.declared
    return replace(reading, effective=effective, errors=errors)


def _agent(document: Document, name: str) -> Template:
    """What a file says of an agent; `mode` goes before `agent`, and makes a primary agent."""
    held = _of_table(document, "agent", name)
    if held is None:
        entry = tables(document, NEWER).get(name)
        held = _newer(entry) if entry is not None and _is_sound(entry) else None
    older = _of_table(document, "mode", name)
    if older is None:
        return held or _NOTHING
    if held is None:
        return replace(older, settings={**older.settings, "mode": Value(PRIMARY, Span(0, 0))})
    settings = rules.as_merged(held.settings)
    for key, value in rules.as_merged(older.settings).items():
        before = settings.get(key)
        if key in ("permission", "tools"):
            value = rules.merged_value(before, value)  # noqa: PLW2901 - the value of both
        settings[key] = merged_option(before, value) if key.startswith(OPTION) else value
    settings["mode"] = Value(PRIMARY, Span(0, 0))
    prompt = older.default if older.default.text else held.default
    return Template(settings, (), (prompt,))


def apart(document: Document, name: str) -> tuple[Reading, Reading] | None:
    """What `mode` says of an agent, and what `agent` says; None if only one of them has it."""
    older, newer = (_of_table(document, table, name) for table in TABLES)
    if older is None or newer is None:
        return None
    older = replace(older, settings={**older.settings, "mode": Value(PRIMARY, Span(0, 0))})
    errors = _errors(document)
    first, second = (Reading(held, _NOTHING if errors else held, errors) for held in (older, newer))
    return first, second


def is_older(reading: Reading) -> bool:
    """Whether the older table of a JSON file, which makes primary agents, has the agent."""
    mode = reading.declared.settings.get("mode")
    return mode is not None and not len(mode.span)


def _of_table(document: Document, table: str, name: str) -> Template | None:
    entry = tables(document, table).get(name)
    node = resolve(entry.value) if entry is not None else None
    if entry is None:
        return None
    return Template(settings_of(node), (), (_prompt(node),)) if isinstance(node, Mapping) else None


def _newer(entry: Entry) -> Template:
    """What the first generation makes of an agent in the table of the second one."""
    node = resolve(entry.value)
    found = members(node) if isinstance(node, Mapping) else {}
    settings = {}
    for key, here in _NEWER_KEYS.items():
        one = found.get(key)
        value = value_of(one.value) if one is not None else None
        if one is not None and one.value is not None and value is not None:
            text = written(value) if isinstance(value, float) else value
            settings[here] = Value(text, one.value.span, one.key.span)
    system = resolve(found["system"].value) if "system" in found else None
    if not isinstance(system, Scalar):
        return Template(settings, (), _NOTHING.blocks)
    return Template(settings, (), (Block(None, system.value, system.span),))


def _is_sound(entry: Entry) -> bool:
    """Whether the first generation takes an agent in the table of the second one."""
    return isinstance(resolve(entry.value), Mapping) and not newer_issues(entry)


def newer_issues(entry: Entry) -> tuple[Issue, ...]:
    """Why the first generation leaves out an agent in the table of the second one."""
    node = resolve(entry.value)
    if not isinstance(node, Mapping):
        return ()
    named = {**_NEWER_KEYS, "system": "prompt"}
    entries = (
        Entry(Scalar(entry.key.span, named[name]), entry.value)
        for name, entry in members(node).items()
        if name in named
    )
    return validate(replace(node, entries=tuple(entries)), OF_TABLE)


def place(written: str, folder: Path, home: Path | None) -> Path | None:
    """The file that `{file:written}` means in a file of `folder`.

    None if nobody knows the home, or for a file on another share.
    """
    if written.startswith("~/"):
        return led(home, written.removeprefix("~/")) if home is not None else None
    found = led(folder, written)
    return type(folder)(os.path.normpath(found)) if found is not None else None


def references(text: str) -> Iterator[re.Match[str]]:
    """The first references to files in a text, each with the path in its first group."""
    for found in islice(_FILE.finditer(text), _MOST_REFERENCES):
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        # The value of a variable may be any path.
        if not line.lstrip().startswith("//") and _VARIABLE.search(f"{found[1]}}}") is None:
            yield found


def filled(text: str, read: Callable[[str], str | None]) -> str:
    """A text with those of the files in the place of its references, as far as they are there."""

    def put(found: re.Match[str]) -> str:
        own = read(found[1])
        return found[0] if own is None else own.strip(BLANK)

    return _FILE.sub(put, text)


def is_open(text: str) -> bool:
    """Whether a part of `text` is filled in before the program reads the file."""
    return _FILLED_IN.search(text) is not None


def without_values(text: str) -> str:
    """A text that says where the values of variables stand, and not what they are."""
    return _VARIABLE.sub(lambda found: _HIDDEN.format(found[1]), text)


def has_hidden(text: str) -> bool:
    """Whether a text has a place where the value of a variable stands."""
    return _IS_HIDDEN.search(text) is not None


def _table(document: Document, name: str) -> Mapping | None:
    top = resolve(document.tree.root)
    entry = members(top).get(name) if isinstance(top, Mapping) else None
    node = resolve(entry.value) if entry is not None else None
    return node if isinstance(node, Mapping) else None


def _prompt(node: Mapping) -> Block:
    entry = members(node).get("prompt")
    value = resolve(entry.value) if entry is not None else None
    if not isinstance(value, Scalar):
        return Block(None, "", Span(node.span.start, node.span.start))
    return Block(None, value.value, value.span)


def default_agent(document: Document) -> Value | None:
    """The agent with which a session of the file's project begins, if the file names one."""
    top = resolve(document.tree.root)
    entry = members(top).get(DEFAULT_AGENT) if isinstance(top, Mapping) else None
    node = resolve(entry.value) if entry is not None else None
    if entry is None or not isinstance(node, Scalar) or not isinstance(value_of(node), str):
        return None
    is_unsaid = not node.value or is_open(node.value)
    return None if is_unsaid else Value(node.value, node.span, entry.key.span)


def _for_all(document: Document) -> dict[str, Value]:
    """The rules of the project, and how deep its sub-agents may be nested."""
    top = resolve(document.tree.root)
    found: dict[str, Value] = {}
    own = members(top) if isinstance(top, Mapping) else {}
    for name, of in (("tools", rules.of_tools), ("permission", rules.of_permission)):
        entry = own.get(name)
        value = of(entry) if entry is not None else None
        if value is not None:
            found[policy.OF_PROJECT] = rules.merged_value(found.get(policy.OF_PROJECT), value)
    depth = own.get(DEPTH)
    value_of_depth = value_of(depth.value) if depth is not None else None
    if depth is not None and depth.value is not None and isinstance(value_of_depth, float):
        found[DEPTH] = Value(written(value_of_depth), depth.value.span, depth.key.span)
    return found


@lru_cache(maxsize=4)
def _references(document: Document) -> tuple[LoadError, ...]:
    return tuple(
        LoadError(LoadErrorKind.CONTENT, Span(*found.span()), REFERENCE, got=found[1])
        for found in references(document.text)
    )


@lru_cache(maxsize=4)
def _errors(document: Document) -> tuple[LoadError, ...]:
    """Why the program does not start, as far as that concerns agents."""
    return tuple(_found_errors(document))


def _found_errors(document: Document) -> Iterator[LoadError]:
    problem = document.tree.problem
    # The program takes an empty file for one that is not there.
    if problem is not None and document.text:
        yield LoadError(LoadErrorKind.SYNTAX, problem.span, problem.message)
        return
    top = resolve(document.tree.root)
    # The program names these alone.
    yield from _newer_rules(top) if isinstance(top, Mapping) else ()
    issues = _issues(top) if isinstance(top, Mapping) else _no_config(top, document.text)
    certain = [one for one in issues if not _may_be_right(one, document.text)]
    named = [one.path for one in certain if one.expected]
    for one in certain:
        owner = one.path[:-1]
        # A further line about a fault is printed with the one that names it.
        if one.expected or any(path[: len(owner)] == owner for path in named):
            path = ".".join(one.path)
            is_late = one.kind is LoadErrorKind.CONTENT
            make = unlisted if is_late else partial(LoadError, one.kind)
            yield make(one.span, one.message, path, one.expected, one.got)


def _may_be_right(issue: Issue, text: str) -> bool:
    """Whether a fault is one of a text that the program fills in, so that nobody can tell."""
    written = issue.span.of(text)
    if not is_open(written):
        return False
    # In quotes it is a text, whatever is filled in.
    return issue.kind is LoadErrorKind.CHOICE or not written.startswith('"')


def _newer_rules(top: Mapping) -> Iterator[LoadError]:
    """The rules of the second generation, for which the first one says nothing else."""
    owners: dict[str, Node | None] = {"": top}
    for table in _NAMING:
        found = members(top).get(table)
        node = resolve(found.value) if found is not None else None
        for name, one in members(node).items() if isinstance(node, Mapping) else ():
            owners[f"{table}.{name}."] = resolve(one.value)
    for path, owner in owners.items():
        entry = members(owner).get("permissions") if isinstance(owner, Mapping) else None
        if entry is not None:
            where = f"{path}permissions"
            yield LoadError(LoadErrorKind.FORBIDDEN, entry.key.span, _NEWER_RULES, where)


def _no_config(top: Node | None, text: str) -> Iterator[Issue]:
    """The fault of a file that is no mapping at all; an empty one is no file."""
    if top is not None and text:
        got = written(value_of(top))
        message = f"Expected Config, got {got}"
        yield Issue(LoadErrorKind.TYPE, (), message, top.span, "a mapping", got)


def _issues(top: Mapping) -> Iterator[Issue]:
    """The faults of a file, in the order in which the program prints them."""
    found = members(top)
    names: list[Issue] = []
    for key in OF_FILE:
        if key not in TABLES:
            yield from issues_of(top, key)
            continue
        entry = found.get(key)
        node = resolve(entry.value) if entry is not None else None
        if isinstance(node, Mapping):
            for name, one in members(node).items():
                yield from _of_agent((key, name), one)
                names += _of_name((key, name), one)
                names += _of_options((key, name), one)
        elif entry is not None:
            yield _no_mapping((key,), entry, "object | undefined")
    yield from names


def _of_agent(path: tuple[str, ...], entry: Entry) -> Iterator[Issue]:
    node = resolve(entry.value)
    if not isinstance(node, Mapping):
        yield _no_mapping(path, entry, "object")
        return
    for one in validate(node, OF_TABLE):
        yield replace(one, path=(*path, *one.path))


def _of_name(path: tuple[str, ...], entry: Entry) -> Iterator[Issue]:
    """The fault of a `name` with which no listing is answered."""
    node = resolve(entry.value)
    name = members(node).get("name") if isinstance(node, Mapping) else None
    value = value_of(name.value) if name is not None else None
    if name is not None and name.value is not None and not isinstance(value, str | None):
        got = written(value)
        message, span = NAME_MESSAGE.format(got), name.value.span
        yield Issue(LoadErrorKind.CONTENT, (*path, "name"), message, span, "a string", got)


def _of_options(path: tuple[str, ...], entry: Entry) -> Iterator[Issue]:
    """The faults of options with which no listing is answered."""
    node = resolve(entry.value)
    for one in unsendable(node) if isinstance(node, Mapping) else ():
        where = (*path, *one.key.split(".", 1))
        yield Issue(one.kind, where, one.message, one.span, one.expected, one.got)


def _no_mapping(path: tuple[str, ...], entry: Entry, wanted: str) -> Issue:
    node = resolve(entry.value)
    got = written(value_of(node))
    span = node.span if node is not None and len(node.span) else entry.key.span
    message = f"Expected {wanted}, got {got}"
    return Issue(LoadErrorKind.TYPE, path, message, span, "a mapping", got)
