"""Explains a place in a template; the first line is the answer.

Invariants: if the runtime does not use the header, the hover says so first, and then explains it as
written. The answer is a function of the snapshot, and nothing is stored.
"""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from agent_lsp.analysis.completion.prompt import word_at
from agent_lsp.analysis.context import cursor
from agent_lsp.analysis.context.contexts import (
    Context,
    FenceContext,
    ItemContext,
    KeyContext,
    MarkerContext,
    ValueContext,
    line_at,
)
from agent_lsp.analysis.context.hooks import script_at
from agent_lsp.analysis.context.prompts import named_file_at, variable_at
from agent_lsp.analysis.hover import keys, names, policy, template
from agent_lsp.analysis.navigation.references import ReferenceRole, target_at
from agent_lsp.analysis.preview import as_written
from agent_lsp.analysis.render import code, words
from agent_lsp.data_classes import dataclass, replace
from agent_lsp.model.schema import KeyRole
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Entry, Scalar, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.named_servers import named_server_at
from agent_lsp.workspace.skills import by_path, entry_at
from agent_lsp.workspace.snapshot import (
    TemplateFile,
    Workspace,
    template_file,
    template_of,
)


@dataclass(frozen=True, slots=True)
class Hover:
    """An explanation of the text at `span`, as Markdown."""

    span: Span
    markdown: str


def hover(workspace: Workspace, path: Path, offset: int) -> Hover | None:
    """The hover at `offset` of the template at `path`, or None."""
    file = template_file(workspace, path)
    return None if file is None else hover_of(file, offset)


def hover_of(file: TemplateFile, offset: int) -> Hover | None:
    """As `hover`, for a template that is already read."""
    found = _found(file, offset)
    if found is None:
        return None
    span, answer = found
    # Two parts of an answer may have the same note.
    blocks = list(dict.fromkeys(block for block in answer if block))
    return Hover(span, "\n\n".join(blocks) + "\n") if blocks else None


def _found(file: TemplateFile, offset: int) -> tuple[Span, Iterator[str]] | None:
    """The span to explain, and the blocks of the explanation."""
    if file.source.problem is not None:
        return Span(0, 0), template.summary(file)
    if file.dialect.format.is_text:
        return template.explained(file, offset) or _mentioned(file, offset)
    replaced = _replaced(file, offset)
    if replaced is not None:
        return replaced
    path = named_file_at(file, offset)
    if path is not None:
        return path.span, names.named(file, path)
    script = script_at(file, offset)
    if script is not None:
        return script.span, names.script(file, script)
    mentioned = _mentioned(file, offset)
    if mentioned is not None:
        return mentioned
    place = cursor.context_at(file, offset)
    if isinstance(place, FenceContext) and place.opening:
        return place.span, chain(_lost(file), template.summary(file))
    first = line_at(file.document.text, 0)
    if file.document.frontmatter.fence is FenceKind.ABSENT and first.covers(offset):
        return first, chain(_lost(file), template.summary(file))
    written = _listed(file, offset) or _written(file, place)
    if written is None:
        return None
    seen = file.document.frontmatter.fence is FenceKind.ABSENT or as_written.lost(file) is None
    before = () if seen else (*_lost(file), "As written:")
    return written[0], chain(before, written[1])


def _replaced(file: TemplateFile, offset: int) -> tuple[Span, Iterator[str]] | None:
    """What the runtime puts in the place of a variable or a tool of the prompt at `offset`."""
    variable = variable_at(file, offset)
    if variable is not None:
        one, span = variable
        said = f"{code(f'${{{one.name}}}')}: the runtime puts {words(one.meaning)} in its place"
        return span, iter((said,))
    word = word_at(file, offset)
    # A server or an extension may have a tool that is not in the list.
    return (word.span, template.word(file, word)) if word is not None and word.meaning else None


def _mentioned(file: TemplateFile, offset: int) -> tuple[Span, Iterator[str]] | None:
    """The card of the agent that a prompt or the header mentions at `offset`."""
    found = target_at(file, offset)
    if found is None or found.role is not ReferenceRole.MENTION:
        return None
    return found.span, template.called_agent(file, found.target.agent)


def _listed(file: TemplateFile, offset: int) -> tuple[Span, Iterator[str]] | None:
    """The hover of a list entry, also in a list that is written as a text."""
    for holds in (KeyRole.ALLOW, KeyRole.DENY):
        key = file.dialect.schema.by_role.get(holds)
        value = file.reading.declared.settings.get(key.name) if key and key.in_text else None
        for item in value.items if value is not None else ():
            if key is not None and item.span.covers(offset):
                return item.span, policy.entry(file, key, item.text)
    skill = entry_at(file, offset)
    if skill is not None:
        return skill.span, names.entry(file, skill)
    for path, place in by_path(file):
        if path.span.covers(offset):
            return path.span, names.path(file, path, place)
    named = named_server_at(file, offset)
    if named is None or named.name != named.entry.text:
        return None
    return named.entry.span, policy.server(file, named)


def _written(file: TemplateFile, context: Context | None) -> tuple[Span, Iterator[str]] | None:
    """The hover of a span in the file, which is read as written."""
    if isinstance(context, FenceContext):
        return context.span, template.body(file)
    if isinstance(context, MarkerContext):
        return (context.line, names.marker(file, context.name)) if context.name else None
    if isinstance(context, KeyContext):
        return _key(file, context)
    if isinstance(context, ValueContext):
        return _value(file, context)
    return _item(file, context) if isinstance(context, ItemContext) else None


def _key(file: TemplateFile, context: KeyContext) -> tuple[Span, Iterator[str]] | None:
    if context.word is None:
        return None
    name, span, path = context.word.value, context.word.span, context.path
    if name in context.names:
        return span, template.agent_summary(template_of(file, (*path, name)))
    is_tables = file.dialect.schema.is_tables
    key = next((key for key in context.keys if key.name == name), None)
    if key is None:
        # Other tables of such a file are not about agents.
        is_known = not is_tables or (path and context.keys)
        return (span, keys.stranger(file, name, context.keys, path)) if is_known else None
    if is_tables and not path:
        return span, template.of_file(file, key)
    entry = context.entry or Entry(context.word, None)
    return span, keys.key(template_of(file, path), key, entry, path)


def _value(file: TemplateFile, context: ValueContext) -> tuple[Span, Iterator[str]] | None:
    entry, key, path = context.entry, context.key, context.path
    if entry is None or entry.value is None:
        return None
    if key is None:
        if file.dialect.schema.is_tables:
            return None
        known = file.dialect.schema.at(file.document, path)
        return entry.span, keys.stranger(file, entry.name or "", known, path)
    value = entry.node
    if key.role is KeyRole.OTHER_AGENT and isinstance(value, Scalar):
        return entry.value.span, template.called_agent(file, value.value)
    return entry.value.span, keys.value(template_of(file, path), key, entry, path)


def _item(file: TemplateFile, context: ItemContext) -> tuple[Span, Iterator[str]] | None:
    entry, key, path = context.entry, context.key, context.path
    if entry is None or entry.value is None or key is None:
        return None
    item, whose = resolve(context.item), template_of(file, path)
    if key.role in (KeyRole.ALLOW, KeyRole.DENY) and isinstance(item, Scalar) and context.item:
        name = item.value.partition("(")[0] if key.in_text else item.value
        listed = replace(key, name=keys.setting_name(file, path, key) or key.name)
        return context.item.span, policy.entry(whose, listed, name.strip())
    return entry.value.span, keys.value(whose, key, entry, path)


def _lost(file: TemplateFile) -> Iterator[str]:
    loss = as_written.lost(file)
    if loss is None:
        return
    yield f"**{loss[0].upper()}{words(loss[1:])}**"
    if file.reading.errors:
        yield code(file.reading.errors[0].message)
