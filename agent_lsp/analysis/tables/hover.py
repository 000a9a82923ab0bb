"""What is shown for a place in a file of tables: names of templates, keys and values."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from agent_lsp.analysis.hovers import keys, meant, policy
from agent_lsp.analysis.markdown import count, steps
from agent_lsp.analysis.markup import code, codes, fence, link, words
from agent_lsp.analysis.tables import subjects
from agent_lsp.dialects.answers import Call, Setting, Spawn
from agent_lsp.dialects.vocabulary import Holds, Key
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.hidden import hidden_by, whole
from agent_lsp.workspace.index import Subject, candidates, catalog, subject

_Answer = tuple[Span, Iterator[str]]


def explained(of: Subject, offset: int) -> _Answer | None:
    """The span that is explained, and the blocks of the explanation."""
    for section in of.document.tree.sections:
        if section.header is not None and section.header.span.covers(offset):
            return _named(of, (), section.header.keys, offset)
        for pair in section.pairs:
            if not pair.span.covers(offset):
                continue
            found = _named(of, section.path, pair.keys, offset)
            way = (*section.path, *(_name(key) for key in pair.keys))
            return found or (_value(of, way, pair.value, offset) if pair.value else None)
    return None


def _named(
    of: Subject, path: tuple[str, ...], names: tuple[Node, ...], offset: int
) -> _Answer | None:
    """What the name under the cursor is, of those that lead on from `path`."""
    for key in names:
        if key.span.covers(offset):
            return _key(of, path, _name(key), key.span)
        path = (*path, _name(key))
    return None


def _name(key: Node) -> str:
    return key.value if isinstance(key, Scalar) else ""


def _key(of: Subject, path: tuple[str, ...], name: str, span: Span) -> _Answer | None:
    whose = subjects.within(of, path)
    if name in subjects.names_at(of, path):
        return span, _template(subjects.within(of, (*path, name)))
    known = subjects.keys_at(of, path)
    key = next((key for key in known if key.name == name), None)
    if key is not None and not path:
        return span, _file(of, key)
    if key is not None:
        return span, _setting(whose, _dotted(of, path, key), span)
    # What stands beside our own tables is somebody else's.
    return (span, keys.stranger(whose, name, known)) if known and path else None


def _dotted(of: Subject, path: tuple[str, ...], key: Key) -> Key:
    """The key under the name that its setting has in the reading."""
    names = (".".join((*path[at:], key.name)) for at in range(len(path) + 1))
    return replace(key, name=next((name for name in names if of.dialect.key(name)), key.name))


def _value(of: Subject, way: tuple[str, ...], node: Node, offset: int) -> _Answer | None:
    path, name = way[:-1], way[-1]
    target = resolve(node)
    if isinstance(target, Mapping):
        entry = next((one for one in target.entries if one.span.covers(offset)), None)
        return _entry(of, way, entry, offset) if entry is not None else None
    key = next((key for key in subjects.keys_at(of, path) if key.name == name), None)
    if key is None or not node.span.covers(offset):
        return None
    whose = subjects.within(of, path)
    dotted = _dotted(of, path, key)
    if key.holds is Holds.AGENT and isinstance(target, Scalar):
        return node.span, _called(of, target.value)
    if isinstance(target, Sequence) and key.holds in (Holds.ALLOW, Holds.DENY):
        item = next((one for one in target.items if one.span.covers(offset)), None)
        if isinstance(item, Scalar):
            return item.span, policy.entry(whose, dotted, item.value)
    return node.span, _setting(whose, dotted, node.span)


def _entry(of: Subject, way: tuple[str, ...], entry: Entry, offset: int) -> _Answer | None:
    if entry.key.span.covers(offset):
        return _key(of, way, entry.name or "", entry.key.span)
    return _value(of, (*way, entry.name or ""), entry.value, offset) if entry.value else None


def _called(of: Subject, name: str) -> Iterator[str]:
    """The template called `name`, of this file or another one, or what the runtime does without."""
    own = tuple(one for one in of.names if one.name == name)
    if own:
        return _template(subjects.of_names(of, own))
    winner = next(iter(candidates(of.workspace, of.dialect, of.root, name)), None)
    other = subject(of.workspace, winner.path) if winner is not None else None
    if other is not None:
        return chain((f"It is defined in {link(of.workspace, other.path)}",), _template(other))
    return _nobody(of, name)


def _nobody(of: Subject, name: str) -> Iterator[str]:
    call = Call(meant.arguments(of.dialect, name, None, None))
    answer = of.dialect.spawn(catalog(of.workspace, of.dialect, of.root), call)
    notes = answer.notes if isinstance(answer, Spawn) else ()
    said = next((note for note in notes if code(name) in note), "")
    yield words(said) if said else "No template has this name"


def _setting(of: Subject, key: Key, span: Span) -> Iterator[str]:
    """What a setting amounts to, then its row of the table."""
    answer = _preview(of)
    found = _resolved(answer, key)
    if found is not None and key.holds is None:
        value = "inherited" if found.value is None else code(found.value)
        yield f"{code(found.name)} is {value}, from {words(found.origin.label)}"
        yield "\n".join(steps(of.workspace, found))
        yield "---"
    part = key.name.partition(".")[0]
    shown = [one for one in answer.prompt if one.title == part] if answer is not None else []
    for one in shown:
        yield "The prompt begins with:"
        yield fence(one.text.strip())
    yield from keys.key(of, key, span)


def _resolved(answer: Spawn | None, key: Key) -> Setting | None:
    names = (key.name, key.name.partition(".")[0])
    settings = answer.settings if answer is not None else ()
    return next((one for one in settings if one.name in names), None)


def _template(of: Subject) -> Iterator[str]:
    """A template in short: who it is, what decides, and what it gets."""
    answer = _preview(of)
    if answer is None:
        yield "No template of this file has this name"
        return
    if of.reading.faults:
        yield f"**{_sentence(of.dialect.consequence.header_refused)}**"
        yield code(of.reading.faults[0].message)
        yield "As it is written:"
    yield f"**{code(of.name or '')}**: {count(answer.toolset)}"
    if answer.prompt:
        yield fence(answer.prompt[0].text.strip())
    rows = [
        f"- {code(one.name)}: {code(one.value) if one.value is not None else 'inherited'}, "
        f"from {words(one.origin.label)}"
        for one in answer.settings
    ]
    yield "\n".join(rows)
    yield from policy.toolset(of)


def _preview(of: Subject) -> Spawn | None:
    answer = meant.preview(of, meant.reading(of))
    return answer if isinstance(answer, Spawn) else None


def _file(of: Subject, key: Key) -> Iterator[str]:
    """What the file is for the sessions that read it."""
    used = whole(of)
    if used is not None and used != of.path:
        yield f"**Not used**: sessions in this folder read {link(of.workspace, used)} instead"
    names = [one.name for one in of.names]
    yield f"{len(names)} templates: {codes(names)}" if names else "No templates"
    for path, lost in hidden_by(of):
        beside = f", with {codes(list(lost))}" if lost else ""
        yield f"Nothing is read of {link(of.workspace, path)}{beside}"
    yield words(key.meaning)


def _sentence(said: str) -> str:
    return f"{said[:1].upper()}{words(said[1:])}"
