"""Puts the files of a session together: which count, in which order, and what they make together.

Invariants: a layer is the Markdown files of one folder of configuration, or one JSON file. Of the
files of one name in a layer the last counts alone, and those of several layers are merged key by
key. The body of the first Markdown file is the prompt, also if it is empty.
Facts: OpenCode 1.18.33, measured 2026-11-28 (`tests/conformance/opencode.jsonl`). The program reads
the user's JSON, then that of the project from the outer to the inner folder, then the folders of
configuration, each its JSON before its Markdown: user, project from the inner to the outer folder,
home, `OPENCODE_CONFIG_DIR`, and at last the JSON of an administrator. What is read later wins.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from pathlib import Path

from agent_lsp.data_classes import replace
from agent_lsp.dialects.opencode import (
    ADMINISTRATOR,
    AGENTS,
    CONFIGURED,
    CONTENT,
    HOME,
    MODES,
    NAMED,
    NAMES,
    RULES,
    TABLES,
    USER,
)
from agent_lsp.dialects.opencode.config import (
    FILES,
    apart,
    filled,
    is_older,
    names_in,
    place,
    references,
    tables,
    with_variables,
    without_values,
)
from agent_lsp.dialects.opencode.config import TABLES as OF_FILE
from agent_lsp.dialects.opencode.facts import BUILT_IN, BUILT_IN_RULES, OPTION, SECOND, SKIPPED
from agent_lsp.dialects.opencode.policy import OF_BUILTIN, OF_PROJECT
from agent_lsp.dialects.opencode.reading import (
    MENDED,
    OPTION_MESSAGE,
    as_mode,
    merged_option,
    read_again,
)
from agent_lsp.dialects.opencode.rules import as_merged, merged_value, of_builtin, of_file, of_rules
from agent_lsp.dialects.opencode.second import DROPPED
from agent_lsp.model.runtime import Candidate, Catalog, Definition, Scope
from agent_lsp.model.template import LoadError, LoadErrorKind, Reading, Template, Value
from agent_lsp.syntax import json
from agent_lsp.syntax.document import parse
from agent_lsp.syntax.frontmatter import whole
from agent_lsp.text import Span

DISABLED = "`disable: true` disables the agent"
# The program loses an agent of this name without a word.
_LOST_NAME = "__proto__"
_OPTION = OPTION_MESSAGE.format("")
# The highest precedence first.
_FIRST_PLACES = (RULES, ADMINISTRATOR, CONTENT, CONFIGURED, HOME, "project", USER)
_PLACES = {label: at for at, label in enumerate(_FIRST_PLACES)}
_OF_PROJECT, _OF_VARIABLE, _OF_USER = len(_PLACES), len(_PLACES) + 1, len(_PLACES) + 2
_FOLDER = ".opencode"
_RULES = frozenset({"permission", "tools", OF_PROJECT})


def settled(catalog: Catalog) -> Catalog:
    """The catalog with the program's own order of places, and without what does not count."""
    catalog = _with_named(with_variables(catalog))
    scopes = tuple(sorted(catalog.scopes, key=rank))
    session = _Session(catalog, scopes)
    return replace(
        catalog,
        scopes=scopes,
        names=tuple(name for name in catalog.names if session.is_there(name)),
        candidates=session.candidates,
        read=session.read,
        skipped=session.skipped,
        definition=session.defined,
    )


def _with_named(catalog: Catalog) -> Catalog:
    """The catalog with the agents of files that have another name than most."""
    found: dict[str, tuple[Candidate, ...]] = {}
    for scope in catalog.scopes:
        for name in scope.only:
            path = scope.folder / name
            document = parse(catalog.text(path) or "", whole, read=json.parse_open)
            for one in names_in(document, scope, path):
                new = Candidate(one.name, path, scope, span=one.span)
                found[one.name] = (*found.get(one.name, ()), new)
    if not found:
        return catalog

    def candidates(name: str) -> tuple[Candidate, ...]:
        others = catalog.candidates(name)
        paths = {one.path for one in others}
        return (*others, *(one for one in found.get(name, ()) if one.path not in paths))

    names = tuple(dict.fromkeys((*catalog.names, *found)))
    return replace(catalog, names=tuple(sorted(names)), candidates=candidates)


class _Session:
    """What a session makes of the files in its scopes, each asked for once."""

    def __init__(self, catalog: Catalog, scopes: tuple[Scope, ...]) -> None:
        self._catalog, self._scopes = catalog, scopes
        # The two readings of an agent that both tables of one file have.
        self._apart: dict[Candidate, Reading] = {}
        self._every = cache(self._in_order)
        self._counting = cache(self._of_layers)
        self._for_all = cache(lambda: _for_all(catalog, scopes))
        self._again = cache(lambda: frozenset(_read_again(catalog, scopes)))
        self.defined = cache(self._defined)

    def _in_order(self, name: str) -> tuple[Candidate, ...]:
        """All files of a name; the program merges the older tables of JSON files at last."""
        found = tuple(_in_order(self._catalog.candidates(name), self._scopes))
        older = [one for one in found if self._is_older(one)]
        if not older:
            return found
        both = {one: self._tables(one) for one in older}
        rest = (both[one][1:] if one in both else (one,) for one in found)
        return (*(both[one][0] for one in older), *(one for each in rest for one in each))

    def _is_older(self, candidate: Candidate) -> bool:
        return candidate.scope.form == TABLES and is_older(self._catalog.read(candidate))

    def _tables(self, candidate: Candidate) -> tuple[Candidate, ...]:
        """The agent in the older table of a file, then the one in the other table if it is there.

        The two have the spans of their names, which tell them apart.
        """
        document = parse(self._catalog.text(candidate.path) or "", whole, read=json.parse_open)
        readings = apart(document, candidate.name)
        if readings is None:
            return (candidate,)
        spans = (tables(document, table)[candidate.name].key.span for table in OF_FILE)
        found = tuple(replace(candidate, span=span) for span in spans)
        self._apart.update(zip(found, readings, strict=True))
        return found

    def _own(self, candidate: Candidate) -> Reading:
        own = self._apart.get(candidate)
        if own is not None:
            return own
        # Only a mended text depends on what the program has read before.
        is_mended = _is_said(self._catalog.read(candidate), MENDED)
        is_again = is_mended and candidate.path in self._again()
        return _as_read(self._catalog, candidate, is_again=is_again)

    def _kept(self, name: str) -> Iterator[Candidate]:
        """The files of a name that the program does not skip, in order."""
        return (one for one in self._every(name) if not _is_skipped(self._own(one)))

    def _of_layers(self, name: str) -> tuple[Candidate, ...]:
        found = tuple(_of_layers(self._kept(name), self._apart))
        readings = [self._own(one) for one in found]
        # In the second generation a file takes away what was read before it, and nothing else.
        ends = [
            at
            for at, one in enumerate(readings)
            if one.generation == SECOND and is_disabled(one.effective)
        ]
        return found[: ends[0]] if ends and ends[0] else found

    def _defined(self, name: str) -> Definition | None:
        parts = self._counting(name)
        if not parts:
            return None
        return _definition(self._catalog, name, parts, self._own, self._for_all())

    def is_there(self, name: str) -> bool:
        """Whether the session has the agent; a fault counts before `disable` does."""
        parts = self._counting(name) if name != _LOST_NAME else ()
        if not any("disable" in self._own(one).declared.settings for one in parts):
            return bool(parts)
        found = self.defined(name)
        is_faulty = any(self._own(one).errors for one in self._every(name))
        return found is not None and (is_faulty or not is_disabled(found.reading.effective))

    def candidates(self, name: str) -> tuple[Candidate, ...]:
        """The files of a name: those that are merged, then those that others replace."""
        parts = self._counting(name)
        others = (one for one in self._kept(name) if one not in parts)
        return (*parts, *others) if self.is_there(name) else ()

    def read(self, candidate: Candidate) -> Reading:
        """What all files of a name make together, for the first of them."""
        found = self.defined(candidate.name) if candidate.name else None
        is_first = found is not None and found.parts[0] == candidate
        return found.reading if found is not None and is_first else self._own(candidate)

    def skipped(self) -> tuple[tuple[Candidate, str], ...]:
        """The files that define nothing, each with the reason."""
        found: list[tuple[Candidate, str]] = []
        for name in self._catalog.names:
            found += ((one, SKIPPED) for one in self._every(name) if _is_skipped(self._own(one)))
            parts = self._counting(name)
            found += ((one, DISABLED) for one in parts[:1] if not self.is_there(name))
        return (*self._catalog.skipped(), *found)


def is_disabled(template: Template) -> bool:
    """Whether an agent is taken away."""
    value = template.settings.get("disable")
    return value is not None and value.value is True


def built_in(catalog: Catalog) -> frozenset[str]:
    """The names of the built-in agents that no file takes away."""
    skipped = frozenset(one.name for one, why in catalog.skipped() if why == DISABLED)
    return frozenset(BUILT_IN) - skipped


def is_mode(scope: Scope) -> bool:
    """Whether a folder is one of an older form, whose files are always primary agents."""
    return scope.form == AGENTS and scope.folder.name in MODES


def rank(scope: Scope) -> tuple[int, int, int]:
    """The precedence of a scope, the highest first.

    The outer folder of configuration of two goes before the inner one, and the inner one of two
    folders of a project.
    """
    is_table = scope.form == TABLES
    if is_table and scope.label == "project" and scope.folder.name != _FOLDER:
        return _OF_PROJECT, -len(scope.folder.parts), 0
    if scope.label == NAMED:
        return _OF_VARIABLE, 0, 0
    if is_table and scope.label == USER:
        return _OF_USER, len(scope.only), 0
    layer = scope.folder if is_table else scope.folder.parent
    order = (*MODES, *NAMES)
    within = order.index(scope.folder.name) if scope.folder.name in order else len(order)
    return _PLACES.get(scope.label, 0), len(layer.parts), within


def _in_order(found: Iterable[Candidate], scopes: tuple[Scope, ...]) -> Iterator[Candidate]:
    """The files of a name, the one with the highest precedence first."""
    order = {scope: at for at, scope in enumerate(scopes)}
    last_first = sorted(found, key=lambda one: one.path.as_posix(), reverse=True)
    yield from sorted(last_first, key=lambda one: order.get(one.scope, len(order)))


def _of_layers(found: Iterable[Candidate], apart: Collection[Candidate]) -> Iterator[Candidate]:
    """The first file of each layer; the others of the layer are replaced as a whole.

    An agent that two tables of a file have makes two layers.
    """
    seen: set[tuple[Path, bool, Span | None]] = set()
    for one in found:
        is_table = one.scope.form == TABLES
        place = one.span if one in apart else None
        layer = one.path if is_table else one.scope.folder.parent, is_mode(one.scope), place
        if layer not in seen:
            seen.add(layer)
            yield one


def _is_skipped(reading: Reading) -> bool:
    """Whether the program skips a file without a word."""
    return _is_said(reading, SKIPPED) or _is_said(reading, DROPPED)


def _is_said(reading: Reading, message: str) -> bool:
    return any(one.message == message for one in reading.possible_errors)


def _as_read(catalog: Catalog, candidate: Candidate, *, is_again: bool) -> Reading:
    """The reading of a file at its place, and of one whose text the program has read before."""
    found = catalog.read(candidate)
    if is_again:
        return read_again(found)
    if not is_mode(candidate.scope):
        return found
    if found.errors and found.errors[0].if_wrong is None:
        error = replace(found.errors[0], message=SKIPPED)
        return replace(found, errors=(), possible_errors=(error,))
    return as_mode(found)


def is_of_options(error: LoadError) -> bool:
    """Whether an error is one of a list that is not answered, and not one of the file."""
    return error.kind is LoadErrorKind.CONTENT and error.message.startswith(_OPTION)


def _read_again(catalog: Catalog, scopes: tuple[Scope, ...]) -> Iterator[Path]:
    """The files whose mended text the program has read before, in the order of its reading."""
    seen: set[str] = set()
    for candidate in in_reading_order(catalog, scopes):
        for one in catalog.read(candidate).possible_errors:
            if one.message == MENDED and one.got in seen:
                yield candidate.path
            elif one.message == MENDED:
                seen.add(one.got)


def in_reading_order(catalog: Catalog, scopes: tuple[Scope, ...]) -> Iterator[Candidate]:
    """The files of a session in the order in which the program reads them."""
    found = {one.path: one for name in catalog.names for one in catalog.candidates(name)}
    # What a JSON file says for all agents is read without a name.
    found |= {one.path: one for one in _configurations(scopes)}
    order = {scope: at for at, scope in enumerate(reversed(scopes))}
    yield from sorted(
        found.values(), key=lambda one: (order.get(one.scope, 0), one.path.as_posix())
    )


def _configurations(scopes: Iterable[Scope]) -> Iterator[Candidate]:
    """The JSON files that may be in the scopes, read for what they say of all agents."""
    for scope in scopes:
        names = tuple(scope.only) or tuple(reversed(FILES))
        for name in names if scope.form == TABLES else ():
            yield Candidate("", scope.folder / name, scope)


def _for_all(catalog: Catalog, scopes: tuple[Scope, ...]) -> dict[str, Value]:
    """The settings of the project's configuration that concern every agent."""
    found: dict[str, Value] = {}
    for config in _configurations(reversed(scopes)):
        for key, value in catalog.read(config).effective.settings.items():
            found[key] = _joined(key, found.get(key), _placed(key, value, config.path))
    return found


def _definition(
    catalog: Catalog,
    name: str,
    parts: tuple[Candidate, ...],
    read: Callable[[Candidate], Reading],
    for_all: dict[str, Value],
) -> Definition:
    """What the files of a name make together, with the settings `for_all` agents."""
    readings = [_with_text(catalog, part, read(part)) for part in parts]
    origins: dict[str, Candidate] = {}
    for part, one in zip(parts, readings, strict=True):
        for setting in one.declared.settings:
            origins.setdefault(setting, part)
    held = (one.effective for one in readings)
    effective = _merged(parts, [replace(one, settings=as_merged(one.settings)) for one in held])
    own = {OF_BUILTIN: of_builtin(BUILT_IN_RULES[name])} if name in BUILT_IN_RULES else {}
    effective = replace(effective, settings={**own, **for_all, **effective.settings})
    declared = _merged(parts, [one.declared for one in readings])
    made = replace(readings[0], declared=declared, effective=effective)
    inner = {f"permission.{one}": value for one, value in of_rules(effective.settings)}
    return Definition(name, parts, made, origins, inner)


def _with_text(catalog: Catalog, part: Candidate, reading: Reading) -> Reading:
    """The reading of a table, with the texts of the files that its texts name."""
    if part.scope.form != TABLES or reading.generation == SECOND:
        return reading

    def read(written: str) -> str | None:
        path = place(written, part.path.parent, catalog.home)
        return catalog.text(path) if path is not None else None

    held = reading.effective
    settings = {
        key: replace(value, value=filled(without_values(value.text), read)) if value.text else value
        for key, value in held.settings.items()
    }
    prompt = replace(held.default, text=filled(without_values(held.default.text), read))
    whole = next(references(held.default.text), None)
    path = place(whole[1], part.path.parent, catalog.home) if whole is not None else None
    if whole is not None and whole[0] == held.default.text and path is not None:
        prompt = replace(prompt, span=Span(0, len(catalog.text(path) or "")), path=path)
    return replace(reading, effective=replace(held, settings=settings, blocks=(prompt,)))


def _merged(parts: tuple[Candidate, ...], templates: list[Template]) -> Template:
    settings: dict[str, Value] = {}
    for part, one in zip(reversed(parts), reversed(templates), strict=True):
        for key, value in one.settings.items():
            placed = value if part == parts[0] else _placed(key, value, part.path)
            settings[key] = _joined(key, settings.get(key), placed)
    prompts = [
        replace(one.default, path=one.default.path or (None if at == 0 else part.path))
        for at, (part, one) in enumerate(zip(parts, templates, strict=True))
        # A Markdown file always sets a prompt.
        if part.scope.form != TABLES or one.default.text
    ]
    prompt = prompts[0] if prompts else templates[0].default
    return replace(templates[0], settings=settings, blocks=(prompt,))


def _joined(key: str, first: Value | None, second: Value) -> Value:
    """A setting of two files; the second one is read later."""
    if key in _RULES:
        return merged_value(first, second)
    return merged_option(first, second) if key.startswith(OPTION) else second


def _placed(key: str, value: Value, path: Path) -> Value:
    return of_file(value, path) if key in _RULES else replace(value, path=path)
