"""Compares what the runtimes make of a file before and after a fix, field by field.

A finding declares the fields that its fix is about (`Check.changes`). A fix that changes another
one is not safe, whatever its fixer says. A file is used in several ways, and each is compared: by
each of its names, with each of its personas, with each word that an argument of the spawn call can
have, in each generation of its runtime, and by each other program that reads its place.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TypeAlias

from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.suggest import known_tools
from agent_lsp.model.check import ANY_FIELD, Field
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import Call, Spawn, Toolset
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.model.template import Reading, Record, Template, Value
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Entry
from agent_lsp.syntax.nodes import Mapping as MappingNode
from agent_lsp.syntax.query import path_at
from agent_lsp.workspace.placement import placements_of_folder
from agent_lsp.workspace.snapshot import TemplateFile, catalog

# Nobody writes so many agents into one file, or so many personas for one, that the rest matters.
_MOST_NAMES, _MOST_CALLS = 20, 20
_BY_ROLE = {
    KeyRole.DESCRIPTION: Field.DESCRIPTION,
    KeyRole.MODEL: Field.MODEL,
    KeyRole.EFFORT: Field.EFFORT,
    KeyRole.SANDBOX: Field.SANDBOX,
    KeyRole.ALLOW: Field.TOOLS,
    KeyRole.DENY: Field.TOOLS,
    KeyRole.PERSONAS: Field.PERSONAS,
    KeyRole.AGENT: Field.NAME,
}
_SETTINGS = {role.value: role for role in (KeyRole.MODEL, KeyRole.EFFORT, KeyRole.SANDBOX)}
# A field that every system has, or the name of a key or of a setting.
_Changed: TypeAlias = Field | str


@dataclass(frozen=True, slots=True)
class _Use:
    """An agent of a file as one program reads it, and what comes of each call that names it."""

    dialect: Dialect
    reading: Reading
    spawn: Callable[[tuple[str, ...]], Iterator[tuple[bool, Spawn | None]]]


def undeclared(before: TemplateFile, after: TemplateFile, fixed: Diagnostic) -> tuple[str, ...]:
    """The names of the fields that differ and that `fixed` does not declare, sorted.

    `after` is the same file with the text that the fix leaves behind. A file that was not loaded,
    or whose header was not seen, had no fields that a fix could change.
    """
    declared = frozenset[_Changed](fixed.changes or ())
    if declared >= ANY_FIELD or (Field.LOADS in declared and not _is_read(before)):
        return ()
    if Field.KEY in declared:
        declared |= _of_keys(before, fixed)
    found = set(_differences(before, after, is_comparing_tools=Field.TOOLS not in declared))
    return tuple(sorted(_worded(one) for one in found - declared))


def _worded(changed: _Changed) -> str:
    return changed.value if isinstance(changed, Field) else f"`{changed}`"


def _is_read(file: TemplateFile) -> bool:
    is_seen = file.dialect.is_toml or file.document.frontmatter.fence is FenceKind.CLOSED
    return is_seen and bool(file.names) and not file.reading.errors


def _of_keys(file: TemplateFile, fixed: Diagnostic) -> frozenset[_Changed]:
    """The fields of the keys that a finding is about: around it, named by it, or meant.

    A finding inside of a prompt is about the prompt.
    """
    path = _path(file, fixed.span.start)
    names = {".".join(path[i:j]) for i in range(len(path)) for j in range(i + 1, len(path) + 1)}
    for word in (fixed.span.of(file.document.text), *fixed.meant):
        names |= {".".join((*path[i:-1], word)) for i in range(max(1, len(path)))}
    roles = _roles(file.dialect)
    found: set[_Changed] = {_field(roles, name) for name in names}
    blocks = file.reading.effective.blocks
    if any(one.span.start <= fixed.span.start < one.span.end for one in blocks):
        found.add(Field.PROMPT)
    return frozenset(found)


def _path(file: TemplateFile, at: int) -> tuple[str, ...]:
    """The keys around an offset; of a comment, those of the value that it follows."""
    root = file.document.tree.root
    above = path_at(root, at).above
    if above == (root,) and isinstance(root, MappingNode):
        before = [entry for entry in root.entries if entry.span.start <= at]
        above = path_at(root, before[-1].key.span.start).above if before else above
    return tuple(entry.name or "" for entry in above if isinstance(entry, Entry))


def _roles(dialect: Dialect) -> Mapping[str, KeyRole | None]:
    return {key.name: key.role for key in _keys(dialect.schema.keys)}


def _keys(keys: Iterable[Key]) -> Iterator[Key]:
    for key in keys:
        yield key
        yield from _keys(key.items)


def _field(roles: Mapping[str, KeyRole | None], name: str) -> _Changed:
    """The field of a key, or of a setting of a spawn, which may have a name of its own."""
    role = roles.get(name) or _SETTINGS.get(name)
    return _BY_ROLE.get(role, name) if role is not None else name


def _differences(
    before: TemplateFile, after: TemplateFile, *, is_comparing_tools: bool
) -> Iterator[_Changed]:
    if _is_read(before) and not _is_read(after):
        yield Field.LOADS
    if [one.name for one in before.names] != [one.name for one in after.names]:
        yield Field.NAME
    names = tuple(dict.fromkeys((*_tools(before), *_tools(after)))) if is_comparing_tools else ()
    for one, other in zip(_uses(before), _uses(after), strict=False):
        yield from _of_readings(one, other)
        yield from _of_calls(one, other, names)
        if is_comparing_tools and _toolset(one, names) != _toolset(other, names):
            yield Field.TOOLS


def _of_readings(one: _Use, other: _Use) -> Iterator[_Changed]:
    if not one.reading.errors and other.reading.errors:
        yield Field.LOADS
    before, after = one.reading.effective, other.reading.effective
    roles = _roles(one.dialect)
    for name in before.settings.keys() | after.settings.keys():
        field = _field(roles, name)
        # What a list of tools comes to is compared by the tools.
        is_list = field in (Field.TOOLS, Field.PERSONAS)
        if not is_list and _plain(before.settings.get(name)) != _plain(after.settings.get(name)):
            yield field
    if _personas(one.reading) != _personas(other.reading):
        yield Field.PERSONAS
    if _texts(before) != _texts(after):
        yield Field.PROMPT


def _of_calls(one: _Use, other: _Use, names: tuple[str, ...]) -> Iterator[_Changed]:
    """The differences between what spawns come to; of those that were refused before, none."""
    roles = _roles(one.dialect)
    fresh = _personas(one.reading) != _personas(other.reading)
    for (is_persona, before), (_, after) in zip(one.spawn(names), other.spawn(names), strict=False):
        if before is None:
            continue
        if after is None:
            yield Field.LOADS
            continue
        was = {each.name: each.value for each in before.settings}
        now = {each.name: each.value for each in after.settings}
        for name in was.keys() | now.keys():
            if was.get(name) != now.get(name):
                yield Field.PERSONAS if is_persona and fresh else _field(roles, name)
        if names and _verdicts(one.dialect, before.toolset) != _verdicts(
            one.dialect, after.toolset
        ):
            yield Field.TOOLS
        if _prompt(before) != _prompt(after):
            yield Field.PROMPT


def _uses(file: TemplateFile) -> Iterator[_Use]:
    found = catalog(file.workspace, file.dialect, file.root)
    for defined in file.names[:_MOST_NAMES]:
        for candidate in found.candidates(defined.name):
            if candidate.path == file.path:
                spawn = partial(_spawned, file, defined.name)
                yield _Use(file.dialect, found.read(candidate), spawn)
                break
        else:
            yield _Use(file.dialect, file.reading, _never)
    if not file.names:
        yield _Use(file.dialect, file.reading, _never)
    text, bom = file.document.text, file.source.bom
    for dialect in _others(file):
        document = dialect.parse(text, bom=bom)
        yield _Use(dialect, dialect.format.read(document, file.name or file.path.stem), _never)


def _others(file: TemplateFile) -> Iterator[Dialect]:
    """The other generations of the runtime, unless one is chosen, and the other programs there."""
    variants = file.dialect.variants
    if variants.in_generation is not None:
        chosen = file.options.extra(file.dialect.id).generation
        for generation in variants.generations if chosen is None else ():
            yield variants.in_generation(generation.name)
    for placement in placements_of_folder(file.workspace, file.path.parent):
        if placement.system is not file.dialect.system and placement.system.has(file.path.name):
            yield placement.dialect


def _never(_: tuple[str, ...]) -> Iterator[tuple[bool, Spawn | None]]:
    return iter(())


def _spawned(
    file: TemplateFile, name: str, tools: tuple[str, ...]
) -> Iterator[tuple[bool, Spawn | None]]:
    """What each call for the agent comes to, None if it is refused, and whether by a persona."""
    dialect = file.dialect
    found = catalog(file.workspace, dialect, file.root)
    agent = dialect.spawn_argument(KeyRole.AGENT)
    for more in islice(_arguments(file), _MOST_CALLS):
        arguments = {**({agent: name} if agent is not None else {}), **more}
        answer = dialect.calls.spawn(found, Call(arguments, tools=tools))
        is_persona = dialect.spawn_argument(KeyRole.PERSONA_NAME) in more
        yield is_persona, answer if isinstance(answer, Spawn) else None


def _arguments(file: TemplateFile) -> Iterator[Mapping[str, str]]:
    yield {}
    persona = file.dialect.spawn_argument(KeyRole.PERSONA_NAME)
    if persona is not None:
        yield from ({persona: each.name} for each in file.reading.effective.personas)
    for parameter in file.dialect.calls.spawn_parameters:
        yield from ({parameter.name: choice.name} for choice in parameter.choices)


def _tools(file: TemplateFile) -> Iterator[str]:
    """The tools of the runtime, and those that the file names."""
    yield from known_tools(file.dialect, file.options)
    roles = _roles(file.dialect)
    for name, value in file.reading.effective.settings.items():
        if _field(roles, name) is Field.TOOLS:
            yield from (item.text for item in value.items if item.text)


def _toolset(use: _Use, names: tuple[str, ...]) -> object:
    return _verdicts(use.dialect, use.dialect.tools.toolset(use.reading, names, 1))


def _verdicts(dialect: Dialect, toolset: Toolset) -> object:
    """The verdicts without their reasons, and the patterns that no other one covers."""
    patterns, covers = toolset.open_patterns, dialect.tools.matches
    found = frozenset(
        (each.tool, each.kept, each.condition, each.certain) for each in toolset.verdicts
    )
    widest = (one for one in patterns if not any(covers(by, one) for by in patterns if by != one))
    return found, frozenset(widest)


def _texts(template: Template) -> list[tuple[str | None, str]]:
    return [(block.name, block.text) for block in template.blocks]


def _prompt(spawn: Spawn) -> tuple[str, ...]:
    return tuple(part.text for part in spawn.prompt if part.verbatim)


def _personas(reading: Reading) -> object:
    return [
        (one.name, {name: _plain(value) for name, value in one.settings.items()})
        for one in reading.effective.personas
    ]


def _plain(value: object) -> object:
    """A value without its places in the text."""
    match value:
        case Value():
            return _plain(value.value)
        case Record():
            return {name: _plain(each) for name, each in value.values.items()}
        case tuple():
            return [_plain(each) for each in value]
        case _:
            return value
