"""Compares what the runtimes make of a file before and after a fix, field by field.

A finding declares the fields that its fix is about (`Check.changes`). A fix that changes another
one is not safe, whatever its fixer says. A file is used in several ways, and each is compared: by
each of its names, with each of its personas, with each word that an argument of the spawn call can
have, in each generation of its runtime, in each program that reads the file, and through each link
to it. In a program that has no such finding, a safe fix changes nothing.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TypeAlias

from agent_lsp.analysis.checks.messages import joined
from agent_lsp.analysis.checks.unknown_key import may_restrict
from agent_lsp.analysis.diagnostics import Diagnostic, examined_file
from agent_lsp.analysis.suggest import known_tools
from agent_lsp.data_classes import dataclass, replace
from agent_lsp.model.check import ANY_FIELD, Field
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import Call, Spawn, Toolset
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Reading, Record, Template, Value
from agent_lsp.patterns import regex
from agent_lsp.syntax.document import memoised
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Entry, path_at
from agent_lsp.syntax.nodes import Mapping as MappingNode
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.search import other_names
from agent_lsp.workspace.snapshot import (
    TemplateFile,
    as_others_read,
    as_read_by,
    catalog_of,
    template_file,
)

# Nobody writes so many agents into one file that the rest matters.
_MOST_NAMES = 20
# So many tools are named; of more there is a number.
_MOST_NAMED = 2
# A key of YAML, TOML or JSON.
_WRITTEN_KEY = regex(r"(?<![\w-])([\w-]+)[\"']?[ \t]*[:=]")
# A field that every system has, or the name of a key or of a setting.
_Changed: TypeAlias = Field | str
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
# A call makes nothing else of these than a reading.
_AS_READ = frozenset[_Changed]({Field.DESCRIPTION, Field.PROMPT, Field.PERSONAS, Field.TOOLS})
_SETTINGS = {role.value: role for role in (KeyRole.MODEL, KeyRole.EFFORT, KeyRole.SANDBOX)}


@dataclass(frozen=True, slots=True)
class _Use:
    """An agent of a file as one program reads it, with its tools and the answers to its calls.

    A call that is refused has the answer None.
    """

    dialect: Dialect
    reading: Reading
    toolset: Toolset
    calls: Callable[[], tuple[Spawn | None, ...]] = tuple


def in_programs(
    before: TemplateFile, after: TemplateFile
) -> tuple[tuple[TemplateFile, TemplateFile | None], ...]:
    """The file before and after a fix, once for each program that reads it, the first one first.

    The second is None for a program that does not read the file any more.
    """
    if not before.others:
        return ((before, after),)
    every = (before, *as_others_read(before))
    return tuple((one, as_read_by(after, one.program)) for one in every)


@dataclass(frozen=True, slots=True)
class Named:
    """A file under one of its paths, before and after a fix; `after` is None if it is lost there.

    `is_own` is whether the fix was asked for under this path.
    """

    before: TemplateFile
    after: TemplateFile | None
    is_own: bool

    @property
    def programs(self) -> tuple[tuple[TemplateFile, TemplateFile | None], ...]:
        """The file before and after, once for each program that reads it under this path."""
        if self.after is None:
            every = (self.before, *as_others_read(self.before))
            return tuple((one, None) for one in every)
        return in_programs(self.before, self.after)

    def is_about(self, program: str, fixed: Diagnostic) -> bool:
        """Whether a program has the finding `fixed` under this path."""
        alike = (fixed,) if self.is_own else self._alike(fixed)
        return any(not one.programs or program in one.programs for one in alike)

    def _alike(self, fixed: Diagnostic) -> Iterator[Diagnostic]:
        for one in examined_file(self.before).shown:
            if one.code == fixed.code and one.span == fixed.span:
                yield one


def under_each_path(before: TemplateFile, after: TemplateFile) -> tuple[Named, ...]:
    """A file before and after a fix under its own path, and under those of the links to it."""
    own = Named(before, after, is_own=True)
    paths = other_names(before.workspace, before.path)
    if not paths:
        return (own,)
    was, now = (_under(file, paths) for file in (before, after))
    others = (Named(one, now[path], is_own=False) for path, one in was.items() if one is not None)
    return (own, *others)


@memoised
def _under(file: TemplateFile, paths: tuple[Path, ...]) -> Mapping[Path, TemplateFile | None]:
    """The text of a file as that of the template at each of `paths`."""
    files = file.workspace.files
    for path in paths:
        files = files.supposing(path, file.document.text)
    workspace = replace(file.workspace, files=files)
    return {path: template_file(workspace, path) for path in paths}


def comparing(before: TemplateFile, after: TemplateFile) -> Iterator[None]:
    """Finds most of what `undeclared` and `consequence` compare, and yields after each part."""
    for named in under_each_path(before, after):
        for was, now in named.programs:
            names = _names(was, now) if now is not None else ()
            for file in (was, now) if now is not None else ():
                _uses(file, names)
                yield


def undeclared(before: TemplateFile, after: TemplateFile, *fixed: Diagnostic) -> tuple[str, ...]:
    """The names of the fields that differ and that one of `fixed` does not declare, sorted.

    `after` is the same file with the text that the fix leaves behind. A file that was not loaded,
    or whose header was not seen, had no fields that a fix could change. In a program that `fixed`
    is not about, no field may differ.
    """
    found = {
        _worded(one)
        for named in under_each_path(before, after)
        for pair in named.programs
        for one in _undeclared(named, *pair, fixed)
    }
    return tuple(sorted(found))


def _undeclared(
    named: Named, before: TemplateFile, after: TemplateFile | None, fixed: Iterable[Diagnostic]
) -> Iterator[_Changed]:
    differ: frozenset[_Changed] | None = None
    for one in fixed:
        is_about = named.is_about(before.program, one)
        declared = frozenset[_Changed]((one.changes or ()) if is_about else ())
        if declared >= ANY_FIELD or (Field.LOADS in declared and not is_read(before)):
            continue
        if differ is None:
            differ = frozenset(_differences(before, after) if after is not None else (Field.LOADS,))
        left = differ - declared
        yield from _besides(left, before, one) if left and Field.KEY in declared else left


def _besides(
    left: frozenset[_Changed], file: TemplateFile, fixed: Diagnostic
) -> frozenset[_Changed]:
    """The changes `left` that are not of the keys that a finding is about."""
    keys = _of_keys(file, fixed)
    if not file.dialect.schema.open_keys:
        return left - keys
    # A key that is none of the runtime may be a setting below another name.
    below = {one for one in left if isinstance(one, str) and one.rpartition(".")[2] in keys}
    return left - keys - below


def consequence(before: TemplateFile, after: TemplateFile, fixed: Diagnostic) -> str:
    """What a fix does to the agents of a file, as "gains `Bash`, changes its prompt".

    It is empty where no runtime makes anything else of the file. An effect in a program that
    `fixed` is not about names the program.
    """
    own, others = dict[str, None](), dict[str, None]()
    for named in under_each_path(before, after):
        for was, now in named.programs:
            done = _done(was, now) if now is not None else "loses the file"
            if named.is_about(was.program, fixed):
                own[done] = None
            elif done:
                others[f"for {was.program}: {done}"] = None
    return "; ".join(filter(None, (*own, *others)))


def _done(before: TemplateFile, after: TemplateFile) -> str:
    if not is_read(before) and is_read(after):
        return "loads the file" + _unlimited(before, after)
    changed = set(_differences(before, after))
    said = list(_tools_said(before, after)) if Field.TOOLS in changed else []
    others = sorted(_worded(one) for one in changed - ({Field.TOOLS} if said else set()))
    return ", ".join((*said, *((f"changes {joined(others)}",) if others else ())))


def _unlimited(before: TemplateFile, after: TemplateFile) -> str:
    """The tools of an agent that a fix lets load without a key that may have limited them.

    The key is found by its name alone: nobody read the file before, and it may not parse.
    """
    was, now = (Counter(_WRITTEN_KEY.findall(_settings_text(file))) for file in (before, after))
    gone = [name for name in was - now if may_restrict(name)]
    if not gone:
        return ""
    known = frozenset(known_tools(after.dialect, after.options))
    names = tuple(known)
    if after.dialect.schema.is_tables:
        toolsets = [use.toolset for use in _uses(after, names)]
    else:
        # The catalog, which takes longer to read, adds nothing to a file of one agent.
        toolsets = [_toolset(after.dialect, after.reading, names)]
    has = {each.tool for toolset in toolsets for each in toolset.kept} & known
    keys = joined(f"`{name}`" for name in gone)
    if not has:
        return f", without {keys}"
    many = len(has) > _MOST_NAMED
    tools = f"{len(has)} tools" if many else joined(f"`{name}`" for name in sorted(has))
    return f"; without {keys} its agent gets {tools}"


def _settings_text(file: TemplateFile) -> str:
    inner = file.document.frontmatter.inner
    return inner.of(file.document.text) if len(inner) else file.document.text


def _worded(changed: _Changed) -> str:
    return changed.value if isinstance(changed, Field) else f"`{changed}`"


def _tools_said(before: TemplateFile, after: TemplateFile) -> Iterator[str]:
    names = _names(before, after)
    known = frozenset(known_tools(before.dialect, before.options))
    was, now = (
        {each.tool for use in _uses(file, names) for each in use.toolset.kept} & known
        for file in (before, after)
    )
    for verb, tools in (("gains", now - was), ("loses", was - now)):
        if len(tools) > _MOST_NAMED:
            yield f"{verb} {len(tools)} tools"
        elif tools:
            yield f"{verb} {joined(f'`{name}`' for name in sorted(tools))}"


def is_read(file: TemplateFile) -> bool:
    """Whether the runtime sees the header of a file, and loads its agents."""
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
    if Field.MODEL in found:
        # An agent of another model has other efforts, and may not get that of its session.
        found.add(Field.EFFORT)
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
    return {name: key.role for name, key in dialect.schema.by_name().items()}


def _field(roles: Mapping[str, KeyRole | None], name: str) -> _Changed:
    """The field of a key, or of a setting of a spawn, which may have a name of its own."""
    role = roles.get(name) or _SETTINGS.get(name)
    return _BY_ROLE.get(role, name) if role is not None else name


def _differences(before: TemplateFile, after: TemplateFile) -> Iterator[_Changed]:
    if is_read(before) and not is_read(after):
        yield Field.LOADS
    if [one.name for one in before.names] != [one.name for one in after.names]:
        yield Field.NAME
    names = _names(before, after)
    for one, other in zip(_uses(before, names), _uses(after, names), strict=False):
        changed = set(_of_readings(one, other))
        yield from changed
        # What else a call comes to depends on the other settings, and on its words for the tools.
        is_by_call = _has_choices(one.dialect) and _lists(one) != _lists(other)
        if is_by_call or not changed <= _AS_READ:
            yield from _of_calls(one, other)


def _of_readings(one: _Use, other: _Use) -> Iterator[_Changed]:
    if not one.reading.errors and other.reading.errors:
        yield Field.LOADS
    # Of a file that is refused, before and after, the author's own words are compared.
    is_refused = bool(one.reading.errors)
    before, after = (
        use.reading.declared if is_refused else use.reading.effective for use in (one, other)
    )
    roles = _roles(one.dialect)
    for name in before.settings.keys() | after.settings.keys():
        field = _field(roles, name)
        # A list of tools is compared by what it comes to.
        is_list = field in (Field.TOOLS, Field.PERSONAS)
        if not is_list and _plain(before.settings.get(name)) != _plain(after.settings.get(name)):
            yield field
    if _personas(before) != _personas(after):
        yield Field.PERSONAS
    if _texts(before) != _texts(after):
        yield Field.PROMPT
    if _verdicts(one.dialect, one.toolset) != _verdicts(one.dialect, other.toolset):
        yield Field.TOOLS


def _of_calls(one: _Use, other: _Use) -> Iterator[_Changed]:
    """The differences between what calls come to; of those that were refused before, none."""
    if one.reading.errors:
        return
    roles = _roles(one.dialect)
    for was, now in zip(one.calls(), other.calls(), strict=False):
        if was is None:
            continue
        if now is None:
            yield Field.LOADS
            continue
        before, after = _settings(was), _settings(now)
        for name in before.keys() | after.keys():
            if before.get(name) != after.get(name):
                yield _field(roles, name)
        if _verdicts(one.dialect, was.toolset) != _verdicts(one.dialect, now.toolset):
            yield Field.TOOLS
        if _prompt(was) != _prompt(now):
            yield Field.PROMPT


def _names(*files: TemplateFile) -> tuple[str, ...]:
    """The tools of the runtime, and those that a file names."""
    found: dict[str, None] = dict.fromkeys(known_tools(files[0].dialect, files[0].options))
    for file in files:
        roles = _roles(file.dialect)
        for name, value in file.reading.effective.settings.items():
            if _field(roles, name) is Field.TOOLS:
                found |= dict.fromkeys(item.text for item in value.items if item.text)
    return tuple(found)


@memoised
def _uses(file: TemplateFile, names: tuple[str, ...]) -> tuple[_Use, ...]:
    """The uses of a file in sessions that have the tools `names`."""
    return tuple(_each_use(file, names))


def _each_use(file: TemplateFile, names: tuple[str, ...]) -> Iterator[_Use]:
    found = catalog_of(file)
    for defined in file.names[:_MOST_NAMES]:
        own = (one for one in found.candidates(defined.name) if one.path == file.path)
        candidate = next(own, None)
        reading = found.read(candidate) if candidate is not None else file.reading
        toolset = _toolset(file.dialect, reading, names)
        calls = (
            cache(partial(_calls, file, defined.name, names)) if candidate is not None else tuple
        )
        yield _Use(file.dialect, reading, toolset, calls)
    if not file.names:
        yield _Use(file.dialect, file.reading, _toolset(file.dialect, file.reading, names))
    for dialect in _others(file):
        document = dialect.parse(file.document.text, bom=file.source.bom)
        reading = dialect.format.read(document, file.name or file.path.stem)
        yield _Use(dialect, reading, _toolset(dialect, reading, names))


def _toolset(dialect: Dialect, reading: Reading, names: tuple[str, ...]) -> Toolset:
    return dialect.tools.toolset(reading, names, 1)


def _others(file: TemplateFile) -> Iterator[Dialect]:
    """The other generations of the runtime, unless one is chosen."""
    variants = file.dialect.variants
    if variants.in_generation is not None:
        chosen = file.options.extra(file.dialect.id).generation
        for generation in variants.generations if chosen is None else ():
            yield variants.in_generation(generation.name)


def _calls(file: TemplateFile, name: str, tools: tuple[str, ...]) -> tuple[Spawn | None, ...]:
    return tuple(_answers(file, name, tools))


def _answers(file: TemplateFile, name: str, tools: tuple[str, ...]) -> Iterator[Spawn | None]:
    dialect = file.dialect
    found = catalog(file.workspace, dialect, file.root)
    agent = dialect.spawn_argument(KeyRole.AGENT)
    for more in _arguments(dialect):
        arguments = {**({agent: name} if agent is not None else {}), **more}
        answer = dialect.calls.spawn(found, Call(arguments, tools=tools))
        yield answer if isinstance(answer, Spawn) else None


def _has_choices(dialect: Dialect) -> bool:
    return any(parameter.choices for parameter in dialect.calls.spawn_parameters)


def _lists(use: _Use) -> object:
    """The lists of tools as they stand in the header."""
    roles, settings = _roles(use.dialect), use.reading.effective.settings
    return {name: _plain(settings[name]) for name in settings if _field(roles, name) is Field.TOOLS}


def _arguments(dialect: Dialect) -> Iterator[Mapping[str, str]]:
    """What a call may say beside the name; what a persona has of its own, its reading tells."""
    yield {}
    for parameter in dialect.calls.spawn_parameters:
        yield from ({parameter.name: choice.name} for choice in parameter.choices)


def _verdicts(dialect: Dialect, toolset: Toolset) -> object:
    """The verdicts without their reasons, and the patterns that no other one covers."""
    patterns, covers = toolset.open_patterns, dialect.tools.matches
    found = frozenset(
        (each.tool, each.kept, each.condition, each.certain) for each in toolset.verdicts
    )
    widest = (one for one in patterns if not any(covers(by, one) for by in patterns if by != one))
    return found, frozenset(widest)


def _settings(spawn: Spawn) -> Mapping[str, str | None]:
    return {setting.name: setting.value for setting in spawn.settings}


def _prompt(spawn: Spawn) -> tuple[str, ...]:
    return tuple(part.text for part in spawn.prompt if part.verbatim)


def _texts(template: Template) -> list[tuple[str | None, str]]:
    return [(block.name, block.text) for block in template.blocks]


def _personas(template: Template) -> object:
    return [(one.name, _plain(Record(one.span, one.settings))) for one in template.personas]


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
