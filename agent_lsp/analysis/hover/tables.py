"""Hover in a file of tables: names of templates, keys and values."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from agent_lsp.analysis.context import tables
from agent_lsp.analysis.hover import keys, policy
from agent_lsp.analysis.preview import as_written
from agent_lsp.analysis.render.markdown import count, steps
from agent_lsp.analysis.render.markup import code, codes, fence, link, words
from agent_lsp.model.runtime import Call, ResolvedSetting, Spawn
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import (
    TemplateFile,
    candidates,
    catalog,
    hidden_by,
    hiding_config,
    template_file,
)

_Answer = tuple[Span, Iterator[str]]


def explained(file: TemplateFile, offset: int) -> _Answer | None:
    """The span that is explained, and the blocks of the explanation."""
    for section in file.document.tree.sections:
        if section.header is not None and section.header.span.covers(offset):
            return _named(file, (), section.header.keys, offset)
        for pair in section.pairs:
            if not pair.span.covers(offset):
                continue
            found = _named(file, section.path, pair.keys, offset)
            way = (*section.path, *(_name(key) for key in pair.keys))
            return found or (_value(file, way, pair.value, offset) if pair.value else None)
    return None


def _named(
    file: TemplateFile, path: tuple[str, ...], names: tuple[Node, ...], offset: int
) -> _Answer | None:
    """The hover of the name under the cursor, one of those after `path`."""
    for key in names:
        if key.span.covers(offset):
            return _key(file, path, _name(key), key.span)
        path = (*path, _name(key))
    return None


def _name(key: Node) -> str:
    return key.value if isinstance(key, Scalar) else ""


def _key(file: TemplateFile, path: tuple[str, ...], name: str, span: Span) -> _Answer | None:
    whose = tables.within(file, path)
    if name in tables.names_at(file, path):
        return span, _template(tables.within(file, (*path, name)))
    known = tables.keys_at(file, path)
    key = next((key for key in known if key.name == name), None)
    if key is not None and not path:
        return span, _file(file, key)
    if key is not None:
        return span, _setting(whose, _dotted(file, path, key), span)
    # Other tables belong to somebody else.
    return (span, keys.stranger(whose, name, known)) if known and path else None


def _dotted(file: TemplateFile, path: tuple[str, ...], key: Key) -> Key:
    """The key under the name that its setting has in the reading."""
    names = (".".join((*path[at:], key.name)) for at in range(len(path) + 1))
    return replace(key, name=next((name for name in names if file.dialect.key(name)), key.name))


def _value(file: TemplateFile, way: tuple[str, ...], node: Node, offset: int) -> _Answer | None:
    path, name = way[:-1], way[-1]
    target = resolve(node)
    if isinstance(target, Mapping):
        entry = next((one for one in target.entries if one.span.covers(offset)), None)
        return _entry(file, way, entry, offset) if entry is not None else None
    key = next((key for key in tables.keys_at(file, path) if key.name == name), None)
    if key is None or not node.span.covers(offset):
        return None
    whose = tables.within(file, path)
    dotted = _dotted(file, path, key)
    if key.role is KeyRole.AGENT and isinstance(target, Scalar):
        return node.span, _called(file, target.value)
    if isinstance(target, Sequence) and key.role in (KeyRole.ALLOW, KeyRole.DENY):
        item = next((one for one in target.items if one.span.covers(offset)), None)
        if isinstance(item, Scalar):
            return item.span, policy.entry(whose, dotted, item.value)
    return node.span, _setting(whose, dotted, node.span)


def _entry(file: TemplateFile, way: tuple[str, ...], entry: Entry, offset: int) -> _Answer | None:
    if entry.key.span.covers(offset):
        return _key(file, way, entry.name or "", entry.key.span)
    return _value(file, (*way, entry.name or ""), entry.value, offset) if entry.value else None


def _called(file: TemplateFile, name: str) -> Iterator[str]:
    """The template called `name`, of this file or another one, or what the runtime does without."""
    own = tuple(one for one in file.names if one.name == name)
    if own:
        return _template(tables.of_names(file, own))
    winner = next(iter(candidates(file.workspace, file.dialect, file.root, name)), None)
    other = template_file(file.workspace, winner.path) if winner is not None else None
    if other is not None:
        return chain((f"It is defined in {link(file.workspace, other.path)}",), _template(other))
    return _nobody(file, name)


def _nobody(file: TemplateFile, name: str) -> Iterator[str]:
    call = Call(as_written.arguments(file.dialect, name, None, None))
    answer = file.dialect.calls.spawn(catalog(file.workspace, file.dialect, file.root), call)
    notes = answer.notes if isinstance(answer, Spawn) else ()
    said = next((note for note in notes if code(name) in note), "")
    yield words(said) if said else "No template has this name"


def _setting(file: TemplateFile, key: Key, span: Span) -> Iterator[str]:
    """The effect of a setting, then its row of the table."""
    answer = _preview(file)
    found = _resolved(answer, key)
    if found is not None and key.role is None:
        value = "inherited" if found.value is None else code(found.value)
        yield f"{code(found.name)} is {value}, from {words(found.origin.label)}"
        yield "\n".join(steps(file.workspace, found))
        yield "---"
    part = key.name.partition(".")[0]
    shown = [one for one in answer.prompt if one.title == part] if answer is not None else []
    for one in shown:
        yield "The prompt begins with:"
        yield fence(one.text.strip())
    yield from keys.key(file, key, span)


def _resolved(answer: Spawn | None, key: Key) -> ResolvedSetting | None:
    names = (key.name, key.name.partition(".")[0])
    settings = answer.settings if answer is not None else ()
    return next((one for one in settings if one.name in names), None)


def _template(file: TemplateFile) -> Iterator[str]:
    """A template in short: who it is, what decides, and what it gets."""
    answer = _preview(file)
    if answer is None:
        yield "No template of this file has this name"
        return
    if file.reading.errors:
        yield f"**{_sentence(file.dialect.format.consequence.header_refused)}**"
        yield code(file.reading.errors[0].message)
        yield "As it is written:"
    yield f"**{code(file.name or '')}**: {count(answer.toolset)}"
    if answer.prompt:
        yield fence(answer.prompt[0].text.strip())
    rows = [
        f"- {code(one.name)}: {code(one.value) if one.value is not None else 'inherited'}, "
        f"from {words(one.origin.label)}"
        for one in answer.settings
    ]
    yield "\n".join(rows)
    yield from policy.toolset(file)


def _preview(file: TemplateFile) -> Spawn | None:
    answer = as_written.preview(file, as_written.reading(file))
    return answer if isinstance(answer, Spawn) else None


def _file(file: TemplateFile, key: Key) -> Iterator[str]:
    """The role of the file in the sessions that read it."""
    used = hiding_config(file)
    if used is not None and used != file.path:
        yield f"**Not used**: sessions in this folder read {link(file.workspace, used)} instead"
    names = [one.name for one in file.names]
    yield f"{len(names)} templates: {codes(names)}" if names else "No templates"
    for path, lost in hidden_by(file):
        beside = f", with {codes(list(lost))}" if lost else ""
        yield f"Nothing is read of {link(file.workspace, path)}{beside}"
    yield words(key.meaning)


def _sentence(said: str) -> str:
    return f"{said[:1].upper()}{words(said[1:])}"
