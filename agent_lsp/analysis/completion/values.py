"""Completes values, the items of a list, also of one that is a text, and personas.

Invariants: as far as is known, the runtime accepts every item at this place. Entries that the list
already has are not offered. Entries without an effect come last and say why. The name of a persona
is offered if its other half is missing: its declaration, or its block.
"""

from collections.abc import Iterator

from agent_lsp.analysis import render
from agent_lsp.analysis.completion.offer import (
    Completion,
    CompletionKind,
    Words,
    by_use,
    literal,
    offer,
    scalar,
    typed_quote,
)
from agent_lsp.analysis.context.contexts import (
    Framing,
    ItemContext,
    MarkerContext,
    ValueContext,
    line_at,
)
from agent_lsp.data_classes import dataclass
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.schema import Key, KeyRole, ValueKind
from agent_lsp.model.template import Persona
from agent_lsp.patterns import regex
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.text import Span
from agent_lsp.workspace.mcp_servers import mcp_servers_of
from agent_lsp.workspace.skills import skills_of
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of, template_of


def values(file: TemplateFile, at: ValueContext) -> Iterator[Completion]:
    """Offers the values that the key at `at` accepts."""
    if at.typed is None or at.key is None:
        return
    text = file.document.text
    # A quoted value is a text, not a boolean.
    is_bare = at.key.kind is ValueKind.BOOL
    mark = "" if is_bare else typed_quote(text, at.typed)
    persona = at.key.role is KeyRole.PERSONA_NAME
    kind = CompletionKind.PERSONA if persona else CompletionKind.VALUE
    for place, (name, words) in enumerate(_named(file, at, at.key, at.typed)):
        word = name if is_bare else scalar(name, mark, file.dialect.notation, flow=at.flow)
        body = " " * at.spaced + literal(word)
        yield offer(text, at.typed, name, kind, body, words, place)


def _named(
    file: TemplateFile, at: ValueContext, key: Key, typed: Span
) -> Iterator[tuple[str, Words]]:
    if key.role is KeyRole.MODEL:
        yield from _models(file)
    elif key.role is KeyRole.PERSONA_NAME:
        for name in undeclared(file, typed):
            yield name, Words("has a block in the body, but no declaration")
    elif key.role is KeyRole.OTHER_AGENT and not key.items:
        yield from _agents(file, key)
    elif key.role is KeyRole.SKILL:
        yield from ((one.name, Words(one.meaning)) for one in _skills(file))
    elif key.kind is ValueKind.BOOL and not key.choices:
        yield from ((name, Words(key.meaning)) for name in ("true", "false"))
    else:
        efforts = _unsupported(file, at) if key.role is KeyRole.EFFORT else frozenset()
        for choice in key.choices:
            if choice.name not in efforts:
                yield choice.name, Words(choice.meaning)


def _models(file: TemplateFile) -> Iterator[tuple[str, Words]]:
    """The models of the generation that the file is written for, and those of the settings."""
    generation = file.reading.generation
    for model in file.dialect.models.listed:
        if not generation or model.generation in ("", generation):
            said = f"efforts: {', '.join(model.efforts)}" if model.efforts else "a model"
            yield model.name, Words(said)
    for name in file.options.extra(file.dialect.id).models:
        yield name, Words("named in your settings")


def _agents(file: TemplateFile, key: Key) -> Iterator[tuple[str, Words]]:
    """Each name once, with the file that defines it; agents of the runtime itself come last."""
    found = {one.name: Words("a template of this file") for one in file.names}
    for name in catalog_of(file).names:
        found.setdefault(name, Words("a template of another file"))
    for choice in key.choices:
        found.setdefault(choice.name, Words(choice.meaning))
    yield from found.items()


def _unsupported(file: TemplateFile, at: ValueContext) -> frozenset[str]:
    """The efforts that the model at this place does not have; none if this is not known.

    An effort that no model names, such as "none", depends on no model.
    """
    key = file.dialect.schema.by_role.get(KeyRole.MODEL)
    if key is None:
        return frozenset()
    role = file.reading.declared.settings.get(key.name)
    name = at.siblings.get(key.name, "").strip() or (role.text if role else "")
    model = next((model for model in file.dialect.models.listed if model.name == name), None)
    if model is None:
        return frozenset()
    return frozenset(
        effort for other in file.dialect.models.listed for effort in other.efforts
    ) - frozenset(model.efforts)


@dataclass(frozen=True, slots=True)
class _Item:
    """A name or a pattern that the list may have; `group` is a heading or empty."""

    name: str
    kind: CompletionKind
    meaning: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class _Effect:
    """The effect of adding an entry: a note, and whether it changes nothing."""

    note: str = ""
    none: bool = False


_AROUND = {Framing.DASH: ("- ", ""), Framing.ENCLOSED: ("[", "$1]")}
# No list of tools is this long.
_LAST = 5000


def items(file: TemplateFile, at: ItemContext) -> Iterator[Completion]:
    """Offers the entries that the list at `at` does not have yet."""
    if at.typed is None or at.key is None:
        return
    text, agent = file.document.text, template_of(file, at.path)
    mark = typed_quote(text, at.typed)
    lead, tail = _AROUND.get(at.frame, ("", ""))
    for place, entry in enumerate(_items(agent, at.key)):
        if entry.name in at.others:
            continue
        effect = _effect(agent, at, at.key, entry)
        item = literal(scalar(entry.name, mark, file.dialect.notation, flow=at.flow))
        yield offer(
            text,
            at.typed,
            entry.name,
            entry.kind,
            f"{' ' * at.spaced}{lead}{item}{tail}",
            _item_words(entry, effect),
            place + _LAST * effect.none,
            deprecated=effect.none,
        )


def _items(file: TemplateFile, key: Key) -> Iterator[_Item]:
    servers = file.dialect.tools.servers
    if key.role is KeyRole.SKILL:
        yield from _skills(file)
    elif key.role is KeyRole.SERVER or (servers is not None and key.name in servers.keys):
        for server in mcp_servers_of(file):
            said = f"an MCP server, configured in {server.path.name}"
            yield _Item(server.name, CompletionKind.VALUE, said)
    elif key.role in (KeyRole.ALLOW, KeyRole.DENY):
        yield from _tools(file)
    elif key.role is KeyRole.OTHER_AGENT:
        for name, words in _agents(file, key):
            yield _Item(name, CompletionKind.VALUE, words.detail)
    else:
        for choice in key.choices:
            yield _Item(choice.name, CompletionKind.VALUE, choice.meaning)


def _tools(file: TemplateFile) -> Iterator[_Item]:
    """The tools and patterns of the runtime, of the configured servers, and of the settings."""
    offered = _offered(file)
    for tool in by_use(file.dialect):
        if tool.name in offered:
            yield _Item(tool.name, CompletionKind.TOOL, tool.meaning, tool.group)
    for pattern in file.dialect.tools.globs:
        yield _Item(pattern.name, CompletionKind.PATTERN, pattern.meaning)
    for server in mcp_servers_of(file):
        # Without patterns, the author types the name of the tool.
        every = f"{server.prefix}*"
        is_pattern = file.dialect.tools.is_pattern(every)
        said = f"every tool of the MCP server `{server.name}`"
        if not is_pattern:
            every, said = server.prefix, f"a tool of the MCP server `{server.name}`"
        yield _Item(every, CompletionKind.PATTERN, said)
    for name in file.options.extra(file.dialect.id).tools:
        is_pattern = file.dialect.tools.is_pattern(name)
        kind = CompletionKind.PATTERN if is_pattern else CompletionKind.TOOL
        yield _Item(name, kind, "named in your settings")


def _skills(file: TemplateFile) -> Iterator[_Item]:
    """The skills that the agent can start with."""
    for skill in skills_of(file):
        if not skill.off:
            meaning = skill.header.description or f"a skill, {skill.source}"
            yield _Item(skill.name, CompletionKind.VALUE, meaning)
    names = file.dialect.references.skill_names
    for group in sorted(names.groups) if names is not None else ():
        yield _Item(group, CompletionKind.VALUE, "all skills of this group")


def _offered(file: TemplateFile) -> frozenset[str]:
    """The tools of the generation that the file is written for, or all if nothing shows which."""
    names = tuple(tool.name for tool in file.dialect.tools.listed)
    if not file.reading.generation:
        return frozenset(names)
    toolset = file.dialect.tools.toolset(file.reading, names, 1)
    return frozenset(verdict.tool for verdict in toolset.verdicts)


def _effect(file: TemplateFile, at: ItemContext, key: Key, entry: _Item) -> _Effect:
    by = _covering(file, at.others, entry.name)
    if by is not None:
        return _Effect(f"no effect: the list has `{by}`", none=True)
    other = file.dialect.schema.by_role.get(
        KeyRole.DENY if key.role is KeyRole.ALLOW else KeyRole.ALLOW
    )
    listed = file.reading.declared.settings.get(other.name) if other else None
    if other is None or listed is None:
        return _Effect()
    by = _covering(file, tuple(item.text for item in listed.items), entry.name)
    if key.role is KeyRole.ALLOW:
        denied = f"no effect: `{other.name}` has `{by}`"
        return _Effect(denied, none=True) if by is not None else _Effect()
    if by is not None:
        return _Effect(f"`{other.name}` has `{by}`")
    # In some runtimes an empty list allows everything.
    kept = () if listed.items else file.dialect.tools.toolset(file.reading, (entry.name,), 1).kept
    known = not kept and not file.dialect.tools.is_pattern(entry.name)
    return _Effect(f"no effect: not in `{other.name}`", none=True) if known else _Effect()


def _covering(file: TemplateFile, entries: tuple[str, ...], name: str) -> str | None:
    """The first of `entries` that covers the tool or the pattern `name`, or None."""
    if file.dialect.tools.is_pattern(name):
        return name if name in entries else None
    return next((entry for entry in entries if file.dialect.tools.matches(entry, name)), None)


def _item_words(entry: _Item, effect: _Effect) -> Words:
    detail = "; ".join(filter(None, (entry.meaning, effect.note)))
    pieces = (entry.meaning, entry.group and f"Group: {entry.group}", effect.note)
    return Words(detail, "\n\n".join(render.words(piece) for piece in pieces if piece))


_ENTRY = regex(r"([\w-]+):")
_BEFORE = regex(r"[^\s,()]*$")
_AFTER = regex(r"[^\s,()]*")
_INSIDE = regex(r"(\w+)\([^()]*$")
_ELSEWHERE = tuple("[{|>&*!#")


def listed(file: TemplateFile, offset: int) -> Iterator[Completion] | None:
    """Offers entries for the text that lists them at `offset`; None if there is no such text."""
    frontmatter, text = file.document.frontmatter, file.document.text
    if (
        frontmatter.fence is FenceKind.ABSENT
        or not frontmatter.inner.start <= offset <= frontmatter.inner.end
    ):
        return None
    line = line_at(text, offset)
    entry = _ENTRY.match(text, line.start, line.end)
    key = file.dialect.key(entry[1]) if entry is not None else None
    if entry is None or key is None or not key.in_text or offset < entry.end():
        return None
    if text[entry.end() : line.end].lstrip().startswith(_ELSEWHERE):
        return None
    before, after = text[entry.end() : offset], text[offset : line.end]
    left, right = _BEFORE.search(before), _AFTER.match(after)
    start = offset - len(left[0] if left else "")
    typed = Span(start, offset + len(right[0] if right else ""))
    if typed.of(text)[:1] in ("'", '"'):
        typed = Span(typed.start + 1, typed.end)
    inside = _INSIDE.search(before)
    if inside is not None:
        return (
            _listed_agents(file, typed)
            if inside[1] in file.dialect.tools.takes_agents
            else iter(())
        )
    value = file.reading.declared.settings.get(key.name)
    others = value.items if value is not None else ()
    names = tuple(one.text for one in others if not one.span.covers(offset))
    spaced = text[start - 1 : start] in (",", ":")
    return items(file, ItemContext(typed, key, names, spaced=spaced))


def _listed_agents(file: TemplateFile, typed: Span) -> Iterator[Completion]:
    """The agents of a session that finds this file, without the file's own agent."""
    found = catalog_of(file).names
    for place, name in enumerate(name for name in found if name != file.name):
        words = Words("an agent of this project, or of the user")
        text = file.document.text
        yield offer(text, typed, name, CompletionKind.VALUE, literal(name), words, place)


def markers(file: TemplateFile, at: MarkerContext) -> Iterator[Completion]:
    """The personas that have no block yet, as names or as whole markers."""
    if at.typed is None or file.dialect.format.marker is None:
        return
    for place, persona in enumerate(_blockless(file, at.line)):
        marker = file.dialect.format.marker(persona.name)
        label = marker if at.whole else persona.name
        body = marker if at.whole else f"{at.lead}{persona.name}{at.tail}"
        words = Words("declared, but has no block", _description(file.dialect, persona))
        yield offer(
            file.document.text, at.typed, label, CompletionKind.PERSONA, literal(body), words, place
        )


def undeclared(file: TemplateFile, typed: Span) -> Iterator[str]:
    """The names of blocks that no declaration has, except perhaps the one at `typed`."""
    declared = {
        persona.name
        for persona in file.reading.declared.personas
        if not persona.name_span.covers(typed.start)
    }
    for block in file.reading.declared.blocks[1:]:
        if block.name is not None and block.name not in declared:
            yield block.name


def _blockless(file: TemplateFile, line: Span) -> Iterator[Persona]:
    """The personas without a block, or with only the one that starts at `line`; each name once."""
    written = file.reading.declared
    seen = {
        block.name
        for block in written.blocks[1:]
        if any(not line.covers(name.start) for name in block.markers)
    }
    for persona in written.personas:
        if persona.name and persona.name not in seen:
            seen.add(persona.name)
            yield persona


def _description(dialect: Dialect, persona: Persona) -> str:
    declared = dialect.schema.by_role.get(KeyRole.PERSONAS)
    for key in declared.items if declared else ():
        if key.role is KeyRole.DESCRIPTION and key.name in persona.settings:
            return render.inline(persona.settings[key.name].text)
    return ""
