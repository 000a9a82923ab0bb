"""Decorates a template in an editor: code lenses, inlay hints and semantic tokens."""

from bisect import bisect_right
from collections.abc import Iterator
from collections.abc import Mapping as Map
from enum import Enum
from pathlib import Path

from agent_lsp.analysis.context.contexts import line_at
from agent_lsp.analysis.context.prompts import variables
from agent_lsp.analysis.navigation.references import ReferenceRole, references
from agent_lsp.analysis.preview import as_written
from agent_lsp.analysis.preview.as_written import arguments
from agent_lsp.analysis.preview.programs import confirmation_of
from agent_lsp.analysis.render import shown
from agent_lsp.analysis.suggest import is_vouched, known_tools
from agent_lsp.data_classes import dataclass, field
from agent_lsp.model.runtime import Candidate, ResolvedSetting, Toolset
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.model.template import Persona, Value
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Mapping, Scalar, Sequence
from agent_lsp.text import Span
from agent_lsp.workspace.catalogs import candidates
from agent_lsp.workspace.snapshot import TemplateFile, as_template, catalog_of, merged


@dataclass(frozen=True, slots=True)
class ToolEntry:
    """A tool or a pattern in a list, and its place, including its quotes."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class ToolList:
    """A tool list of an agent; `file` is read as this agent, and `span` is that of the value.

    `is_empty` is set if the author wrote a list without entries.
    """

    file: TemplateFile
    key: Key
    span: Span
    entries: tuple[ToolEntry, ...]
    is_empty: bool = False


def agents(file: TemplateFile) -> Iterator[TemplateFile]:
    """The file, read as each of the agents that it defines."""
    if not file.dialect.schema.is_tables:
        yield file
        return
    for one in file.names:
        yield as_template(file, (one,))


def tool_lists(file: TemplateFile) -> Iterator[ToolList]:
    """The lists of all agents of the file."""
    for agent in agents(file):
        for holds in (KeyRole.ALLOW, KeyRole.DENY):
            key = agent.dialect.schema.by_role.get(holds)
            found = _list(agent, key) if key is not None else None
            if found is not None:
                yield found


def _list(file: TemplateFile, key: Key) -> ToolList | None:
    root = file.document.tree.top
    entry = root.get(key.name) if isinstance(root, Mapping) else None
    value = file.reading.declared.settings.get(key.name)
    items = value.items if value is not None else ()
    # The target of an alias is found at the place where it is written.
    if entry is not None and isinstance(entry.value, Sequence):
        tools = {item.span: item.text for item in items}
        written = [item for item in entry.value.items if isinstance(item, Scalar)]
        named = [(tools.get(item.span, item.value), item.span) for item in written]
        is_empty = not entry.value.items
        return ToolList(file, key, entry.value.span, tuple(_entries(file, named)), is_empty)
    if value is None or not isinstance(value.value, tuple):
        return None
    is_empty = not items and value.span.of(file.document.text).startswith("[")
    said = [(item.text, item.span) for item in items]
    return ToolList(file, key, value.span, tuple(_entries(file, said)), is_empty)


def _entries(file: TemplateFile, named: list[tuple[str, Span]]) -> Iterator[ToolEntry]:
    for text, span in named:
        name, source = text.strip(), span.of(file.document.text)
        bare = source.strip("\"' ")
        if not name or not bare.startswith(name):
            continue
        at = span.start + source.find(bare)
        # Parentheses after the name of a tool may contain more about it.
        yield ToolEntry(name, span if bare == name else Span(at, at + len(name)))


class LensAction(Enum):
    """The action of a code lens."""

    PREVIEW = "shows what a spawn resolves to"
    LIST = "shows what a session lists"
    OPEN = "opens a file"


@dataclass(frozen=True, slots=True)
class CodeLens:
    """A line above the one of `span`; `call` are the runtime's arguments, `target` a file."""

    span: Span
    title: str
    does: LensAction
    call: Map[str, object] = field(default_factory=dict)
    target: Path | None = None


def code_lenses(file: TemplateFile) -> tuple[CodeLens, ...]:
    """The lenses of a file that defines an agent; other files have none."""
    if file.name is None or file.foreign is not None or file.source.problem is not None:
        return ()
    if file.dialect.schema.is_tables:
        return tuple(_tables(file))
    return (*_lenses_above(file, file.name), *_lenses_of_personas(file, file.name))


def _lenses_above(file: TemplateFile, name: str) -> Iterator[CodeLens]:
    first, call = Span(0, 0), arguments(file.dialect, name, None, None)
    failed = as_written.failure(file)
    if failed is not None and failed.candidate.path != file.path:
        where = shown(file.workspace, failed.candidate.path)
        title = f"No agent loads because of {where}"
        yield CodeLens(first, title, LensAction.OPEN, target=failed.candidate.path)
    if name != file.dialect.names.default_name:
        yield CodeLens(first, "Preview spawn", LensAction.PREVIEW, call)
    yield CodeLens(first, "List agents", LensAction.LIST)
    standing = confirmation_of(file)
    if standing is not None:
        title = standing.word.capitalize() if standing.is_open else f"Not {standing.word}"
        yield CodeLens(first, title, LensAction.LIST)
    is_merged = file.dialect.names.is_merged
    # The files on a disk may have another order than those that the program merges.
    chain = (
        catalog_of(file).candidates(name)
        if is_merged
        else candidates(file.workspace, file.dialect, file.root, name)
    )
    at = next((at for at, one in enumerate(chain) if one.path == file.path), None)
    if at is None:
        return
    found = file.dialect.tools.toolset(merged(file), known_tools(file.dialect, file.options), 1)
    yield CodeLens(first, _counted(found), LensAction.PREVIEW, call)
    if at:
        # The keys of a file that is merged still count.
        is_part = is_merged and chain[at] in catalog_of(file).parts(name)
        how = "Overridden" if is_part else "Shadowed"
        title = f"{how} by {_other(file, chain[0])}"
        yield CodeLens(first, title, LensAction.OPEN, target=chain[0].path)
    elif len(chain) > 1:
        yield CodeLens(
            first, f"Overrides {_other(file, chain[1])}", LensAction.OPEN, target=chain[1].path
        )


def _other(file: TemplateFile, candidate: Candidate) -> str:
    """Another definition of the name; a built-in one is shown without the path of our copy."""
    return "the built-in one" if candidate.scope.builtin else shown(file.workspace, candidate.path)


def _tables(file: TemplateFile) -> Iterator[CodeLens]:
    """The lenses of each template at its name; all are listed above the first one."""
    for number, one in enumerate(file.names):
        if one.span is None:
            continue
        call = arguments(file.dialect, one.name, None, None)
        yield CodeLens(one.span, "Preview spawn", LensAction.PREVIEW, call)
        if not number:
            yield CodeLens(one.span, "List agents", LensAction.LIST)
        reading = merged(as_template(file, (one,)))
        found = file.dialect.tools.toolset(reading, known_tools(file.dialect, file.options), 1)
        yield CodeLens(one.span, _counted(found), LensAction.PREVIEW, call)


def _counted(toolset: Toolset) -> str:
    """The number of tools; it is open without a policy, because servers may add theirs."""
    if toolset.restricted:
        return f"{len(toolset.kept)} of {len(toolset.verdicts)} tools"
    return f"All tools but {len(toolset.removed)}" if toolset.removed else "All tools"


def _lenses_of_personas(file: TemplateFile, name: str) -> Iterator[CodeLens]:
    for persona in file.reading.declared.personas:
        if persona.name:
            call = arguments(file.dialect, name, persona.name, None)
            title = f"Preview as {persona.name}"
            yield CodeLens(persona.name_span, title, LensAction.PREVIEW, call)


_INHERITED = (KeyRole.MODEL, KeyRole.EFFORT)
_MOST_PERSONAS = 50


@dataclass(frozen=True, slots=True)
class InlayHint:
    """A text at a place, and the reason for it."""

    offset: int
    label: str
    tooltip: str = ""


def inlay_hints(file: TemplateFile, within: Span) -> tuple[InlayHint, ...]:
    """The hints whose places are `within` the visible part of the file."""
    sound = file.document.frontmatter.fence is FenceKind.CLOSED and not file.reading.errors
    if file.name is None or file.foreign is not None or not sound:
        return ()
    found = (*_hints_above(file, within), *_hints_of_personas(file, within), *_lists(file))
    return tuple(hint for hint in found if within.covers(hint.offset))


def _hints_above(file: TemplateFile, within: Span) -> Iterator[InlayHint]:
    for agent in agents(file):
        end = _beginning(agent)
        if within.covers(end) and agent.name != file.dialect.names.default_name:
            yield from _unset(agent, end, None)


def _beginning(file: TemplateFile) -> int:
    """The end of the line on which the agent's settings begin."""
    named = file.names[0].span if file.dialect.schema.is_tables and file.names else None
    if named is None:
        return file.document.frontmatter.open.end
    sections = file.document.tree.sections
    # A file may define thousands of agents, and each of them asks.
    at = bisect_right(sections, named.start, key=lambda section: section.span.start)
    header = sections[at - 1].header if at else None
    return header.span.end if header and header.span.covers(named.start) else named.end


def _hints_of_personas(file: TemplateFile, within: Span) -> Iterator[InlayHint]:
    for persona in file.reading.declared.personas[:_MOST_PERSONAS]:
        if persona.name and within.covers(persona.name_span.end):
            yield from _unset(file, persona.name_span.end, persona)


def _unset(file: TemplateFile, offset: int, persona: Persona | None) -> Iterator[InlayHint]:
    """The model and the effort that are set somewhere else, in one hint."""
    settings = persona.settings if persona is not None else file.reading.declared.settings
    keys = [key for holds in _INHERITED if (key := file.dialect.schema.by_role.get(holds))]
    absent = [key for key in keys if key.name not in settings]
    if not absent:
        return
    answer, refusal = as_written.resolved(file, persona.name if persona is not None else None)
    if answer is None or refusal is not None:
        return
    found = [(key, as_written.setting(answer, key)) for key in absent]
    said = [(key.name, setting) for key, setting in found if setting is not None]
    # The hint of the role already shows what a persona inherits.
    told = [(name, s) for name, s in said if persona is None or s.value is not None]
    if told:
        label = ", ".join(f"{name}: {_value(setting)}" for name, setting in told)
        where = "; ".join(f"`{name}` comes from {setting.origin.label}" for name, setting in told)
        yield InlayHint(offset, label, where)


def _value(setting: ResolvedSetting) -> str:
    return setting.value if setting.value is not None else "inherited"


def _lists(file: TemplateFile) -> Iterator[InlayHint]:
    for written in tool_lists(file):
        end = written.span.end
        if written.is_empty and written.key.role is KeyRole.ALLOW:
            kept = as_written.toolset(written.file).kept
            label = "no tools" if not kept else "as without it: every tool"
            yield InlayHint(end, label, f"what an empty `{written.key.name}` means to the runtime")
        elif written.is_empty:
            yield InlayHint(end, "nothing is removed")
        for entry in written.entries:
            void, holds = file.dialect.tools.void, written.key.role
            why = void(holds, entry.name) if void is not None and holds is not None else ""
            if why:
                yield InlayHint(entry.span.end, "no effect", why)
            elif file.dialect.tools.is_pattern(entry.name):
                yield _pattern(file, entry)


def _pattern(file: TemplateFile, entry: ToolEntry) -> InlayHint:
    pattern = entry.name
    names = [
        name
        for name in known_tools(file.dialect, file.options)
        if file.dialect.tools.matches(pattern, name)
    ]
    open_ = file.dialect.tools.cannot_tell(pattern)
    counted = f"{len(names)} tool{'' if len(names) == 1 else 's'}"
    label = f"{counted}, MCP tools" if open_ and names else "MCP tools" if open_ else counted
    return InlayHint(entry.span.end, label, ", ".join(names))


class TokenKind(Enum):
    """The kind of a token, under its name in the Language Server Protocol."""

    MARKER = "macro"
    NAME = "class"
    TOOL = "function"
    PATTERN = "regexp"


@dataclass(frozen=True, slots=True)
class SemanticToken:
    """A word; `gone` is set if the agent lacks this tool, or all tools of this pattern."""

    span: Span
    kind: TokenKind
    declares: bool = False
    gone: bool = False


def semantic_tokens(file: TemplateFile) -> tuple[SemanticToken, ...]:
    """All tokens of the file."""
    text, end = file.document.text, 0
    kept = []
    found = (SemanticToken(span, TokenKind.MARKER) for _, span in variables(file))
    for token in sorted(
        (*_tokens_of_lists(file), *_names(file), *found), key=lambda token: token.span
    ):
        word = token.span.of(text)
        # For the protocol, a lone CR ends a line as well.
        if token.span.start >= end and word and "\n" not in word and "\r" not in word:
            kept.append(token)
            end = token.span.end
    return tuple(kept)


def _names(file: TemplateFile) -> Iterator[SemanticToken]:
    for place in references(file):
        yield SemanticToken(
            place.span, TokenKind.NAME, declares=place.role is ReferenceRole.DECLARATION
        )
        if place.role is ReferenceRole.MARKER:
            line = line_at(file.document.text, place.span.start)
            yield SemanticToken(Span(line.start, place.span.start), TokenKind.MARKER)
            yield SemanticToken(Span(place.span.end, line.end), TokenKind.MARKER)


def _tokens_of_lists(file: TemplateFile) -> Iterator[SemanticToken]:
    for written in tool_lists(file):
        yield from _tokens_of_list(written)
    named = file.dialect.tools.named
    for agent in agents(file) if named is not None else ():
        yield from _named(agent, named(agent.reading) if named is not None else ())


def _named(file: TemplateFile, entries: tuple[Value, ...]) -> Iterator[SemanticToken]:
    """The tokens of the names in a policy that is no list."""
    shipped = frozenset(known_tools(file.dialect, file.options))
    names = tuple(dict.fromkeys(one.text for one in entries if one.text in shipped))
    verdicts = {one.tool: one.kept for one in as_written.toolset(file, names).verdicts}
    for one in entries:
        if file.dialect.tools.is_pattern(one.text):
            yield SemanticToken(one.span, TokenKind.PATTERN)
        elif one.text in verdicts:
            yield SemanticToken(one.span, TokenKind.TOOL, gone=not verdicts[one.text])


def _tokens_of_list(tool_list: ToolList) -> Iterator[SemanticToken]:
    file, denies = tool_list.file, tool_list.key.role is KeyRole.DENY
    known = frozenset(known_tools(file.dialect, file.options))

    def is_tool(name: str) -> bool:
        return name in known or is_vouched(file.dialect, file.options, name)

    plain = [entry for entry in tool_list.entries if not file.dialect.tools.is_pattern(entry.name)]
    # Other names are not resolved: their verdicts are not shown, and each name costs a match with
    # each entry of both lists.
    names = tuple(dict.fromkeys(entry.name for entry in plain if is_tool(entry.name)))
    verdicts = {one.tool: one for one in as_written.toolset(file, names).verdicts}
    for entry in tool_list.entries:
        if file.dialect.tools.is_pattern(entry.name):
            yield SemanticToken(entry.span, TokenKind.PATTERN, gone=denies)
        # An unknown tool gets no colour, so that the mistake is visible.
        elif is_tool(entry.name):
            is_kept = entry.name in verdicts and verdicts[entry.name].kept
            yield SemanticToken(entry.span, TokenKind.TOOL, gone=not is_kept)
