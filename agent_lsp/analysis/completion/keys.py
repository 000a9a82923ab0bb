"""Completes keys, each with the shape of its value, and a whole header."""

from collections.abc import Iterable, Iterator

from agent_lsp.analysis import render
from agent_lsp.analysis.completion.offer import (
    Completion,
    CompletionKind,
    Words,
    indent,
    key_name,
    literal,
    newline,
    offer,
    tab_stop,
    to_begin_with,
)
from agent_lsp.analysis.context.contexts import Framing, KeyContext, line_at
from agent_lsp.data_classes import dataclass, replace
from agent_lsp.model.dialect import Notation
from agent_lsp.model.schema import IfWrong, Key, KeyRole, ValueKind, wrong_value
from agent_lsp.patterns import regex
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Mapping, Sequence
from agent_lsp.text import Span
from agent_lsp.workspace.mcp_servers import mcp_servers_of
from agent_lsp.workspace.skills import skills_of
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of


def keys(file: TemplateFile, at: KeyContext) -> Iterator[Completion]:
    """The keys that may be added at `at`, or replace the key there."""
    if at.typed is None:
        return
    layout = _layout(file, at, at.typed)
    here = (file.dialect.schema.key_in(key, file.scope) for key in at.keys)
    missing = [
        key
        for key in here
        if key.name not in at.siblings and (not at.is_table or _may_follow(key, at))
    ]
    missing.sort(key=lambda key: key.required_by is None)
    yield from _record_offer(file, at, at.typed, layout)
    for place, key in enumerate(missing, start=1):
        yield offer(
            file.document.text,
            at.typed,
            key.name,
            CompletionKind.KEY,
            literal(key_name(key.name, layout.notation))
            if at.colon
            else layout.around(_entry(key, layout)),
            _words(file, key),
            place,
            retrigger=not at.colon and _has_values(key),
        )
    offered = {key.name for key in at.keys}
    found = ((name, "a template") for name in (*at.names, *_agents(file, at)))
    names = [
        one for one in (*found, *_skills(file, at), *_servers(file, at)) if one[0] not in offered
    ]
    for place, (name, said) in enumerate(names, start=len(missing) + 1):
        body = literal(key_name(name, layout.notation))
        words = Words(said)
        yield offer(file.document.text, at.typed, name, CompletionKind.KEY, body, words, place)
    if not at.path and not file.dialect.schema.is_tables:
        yield from _extras(file, at, at.typed)


def _agents(file: TemplateFile, at: KeyContext) -> Iterator[str]:
    """The agents that the names of the mapping mean, if they mean some."""
    above = file.dialect.schema.place(file.document, file.document.tree.root, at.path).key
    if above is not None and above.role is KeyRole.OTHER_AGENT and above.items:
        catalog = catalog_of(file)
        own = (one.name for one in file.dialect.references.built_in(catalog))
        names = dict.fromkeys((*catalog.names, *own))
        yield from (name for name in names if name not in at.siblings)


def _skills(file: TemplateFile, at: KeyContext) -> Iterator[tuple[str, str]]:
    """The skills that the names of the mapping mean, if they mean some."""
    above = file.dialect.schema.place(file.document, file.document.tree.root, at.path).key
    if above is not None and above.role is KeyRole.SKILL and above.items:
        for skill in skills_of(file):
            if not skill.off and skill.name not in at.siblings:
                yield skill.name, skill.header.description or f"a skill, {skill.source}"


def _servers(file: TemplateFile, at: KeyContext) -> Iterator[tuple[str, str]]:
    """The tools of the configured servers, if the names of the mapping may mean some."""
    above = file.dialect.schema.place(file.document, file.document.tree.root, at.path).key
    if above is not None and above.role is KeyRole.SERVER and above.items:
        for server in mcp_servers_of(file):
            every = f"{server.prefix}*"
            if every not in at.siblings:
                yield every, f"every tool of the MCP server `{server.name}`"


# Matches a name in a TOML header.
_OF_TABLES = (ValueKind.TABLE, ValueKind.RECORDS)


def _may_follow(key: Key, at: KeyContext) -> bool:
    """Whether `key` may be in the header of a table: no template that has no tables inside."""
    is_done = key.name in at.names and not any(one.kind in _OF_TABLES for one in key.items)
    return key.kind in _OF_TABLES and not is_done


# What happens to most values that nobody takes, or what nobody knows.
_USUAL_LOSSES = (IfWrong.IGNORED.value, IfWrong.UNDOCUMENTED.value)


def _words(file: TemplateFile, key: Key) -> Words:
    """The label and documentation of `key`."""
    required = f", required by {key.required_by}" if key.required_by else ""
    choices = "\n".join(
        f"- {render.code(choice.name)}: {render.words(choice.meaning)}" for choice in key.choices
    )
    loss = render.words(file.dialect.loss(key, file.scope))
    pieces = (
        render.words(key.meaning),
        f"Without it: {render.words(key.default)}",
        "" if loss in _USUAL_LOSSES else f"With {wrong_value(key)} that it does not take: {loss}",
        choices,
    )
    return Words(key.type_name + required, "\n\n".join(piece for piece in pieces if piece))


def _has_values(key: Key) -> bool:
    if key.role in (KeyRole.MODEL, KeyRole.PERSONA_NAME, KeyRole.OTHER_AGENT) or key.choices:
        return True
    return key.kind in (ValueKind.LIST, ValueKind.RECORDS, ValueKind.BOOL) or bool(key.items)


@dataclass(frozen=True, slots=True)
class _Layout:
    """The layout of an entry: its indentation, and that of the lists in it."""

    lead: str
    tail: str
    column: str
    step: str
    newline: str
    flow: bool
    notation: Notation

    def around(self, body: str) -> str:
        """`body` with the text that belongs around it."""
        return f"{self.lead}{body}{self.tail}"


_HEAD = regex(r"[ \t]*(?:-[ \t]+)*")


def _layout(file: TemplateFile, at: KeyContext, typed: Span) -> _Layout:
    text = file.document.text
    end, step = newline(text), _step(file)
    column = indent(text, typed.start)
    lead, tail = " " * at.spaced, ""
    match at.frame:
        case Framing.BARE:
            column += lead
        case Framing.DASH:
            lead, column = "- ", column + "  "
        case Framing.BELOW:
            line = line_at(text, typed.start)
            head = _HEAD.match(text, line.start, typed.start)
            column = indent(text, head.end() if head else line.start) + step
            lead, column = f"{end}{column}- ", column + "  "
        case Framing.ENCLOSED:
            lead, tail = lead + "{", "}"
    return _Layout(lead, literal(tail), column, step, end, at.flow, file.dialect.notation)


def _step(file: TemplateFile) -> str:
    """The indentation of the header's first list below its key; two if there is no list."""
    root = file.document.tree.root
    text = file.document.text
    for entry in root.entries if isinstance(root, Mapping) else ():
        if isinstance(entry.value, Sequence) and not entry.value.flow:
            key, item = (indent(text, node.span.start) for node in (entry.key, entry.value))
            return item[len(key) :]
    return "  "


def _entry(key: Key, layout: _Layout) -> str:
    """`key` with the shape of its value."""
    name = literal(key_name(key.name, layout.notation))
    if layout.notation is not Notation.YAML:
        sign = ": " if layout.notation is Notation.JSON else " = "
        is_dotted = layout.notation is Notation.TOML and key.kind is ValueKind.TABLE
        return f"{name}." if is_dotted else f"{name}{sign}{_VALUES.get(key.kind, '')}"
    if key.kind is ValueKind.TABLE and key.items and not layout.flow:
        return f"{name}:{layout.newline}{layout.column}{layout.step}"
    if key.kind not in (ValueKind.LIST, ValueKind.RECORDS):
        return f"{name}: "
    if layout.flow:
        return f"{name}: [$1]" if key.kind is ValueKind.LIST else f"{name}: [{{$1\\}}]"
    item = f"{name}:{layout.newline}{layout.column}{layout.step}- "
    if key.kind is ValueKind.LIST:
        return item
    return item + _record(key.items, replace(layout, column=f"{layout.column}{layout.step}  "))


# The shapes of values that include the end of each value.
_VALUES = {
    ValueKind.LIST: '["$1"]',
    ValueKind.TEXT: '"$1"',
    ValueKind.CHOICE: '"$1"',
    ValueKind.TABLE: "{$1\\}",
    ValueKind.RECORDS: "[{$1\\}]",
}


def _record(keys: Iterable[Key], layout: _Layout) -> str:
    """The required keys of a record, each with a tab stop."""
    names = [literal(key.name) for key in keys if key.required_by]
    between = ", " if layout.flow else f"{layout.newline}{layout.column}"
    return between.join(f"{name}: ${at}" for at, name in enumerate(names, start=1))


def _record_offer(
    file: TemplateFile, at: KeyContext, typed: Span, layout: _Layout
) -> Iterator[Completion]:
    """Offers a whole new record."""
    needed = [key.name for key in at.keys if key.required_by]
    if at.record and not at.siblings and not at.colon and len(needed) > 1:
        yield offer(
            file.document.text,
            typed,
            ", ".join(needed),
            CompletionKind.SNIPPET,
            layout.around(_record(at.keys, layout)),
            Words("the keys that each item needs"),
            0,
            retrigger=True,
        )


def _extras(file: TemplateFile, at: KeyContext, typed: Span) -> Iterator[Completion]:
    """The keys that the user's settings add to a header."""
    known = {*at.siblings, *(key.name for key in at.keys)}
    said = Words("named in your settings")
    for place, name in enumerate(file.options.extra(file.dialect.id).keys, start=len(at.keys) + 1):
        if name not in known:
            body = literal(name) if at.colon else f"{literal(name)}: "
            yield offer(file.document.text, typed, name, CompletionKind.KEY, body, said, place)


_FENCE = "---"
_USUAL = (KeyRole.DESCRIPTION, KeyRole.MODEL, KeyRole.ALLOW)
_DESCRIPTION = "What the agent does, and when to use it."
_PROMPT = "Say what the agent does, and what it answers with."
# More would hide that any other one may be typed.
_MOST_CHOICES = 8


def header(file: TemplateFile, offset: int) -> Iterator[Completion]:
    """A header with the keys that matter most, in a file that has none."""
    text = file.document.text
    first = line_at(text, 0)
    dashes, rest = first.of(text).rstrip(), text[first.end :].strip()
    if file.document.frontmatter.fence not in (FenceKind.ABSENT, FenceKind.UNCLOSED) or (
        not dashes and rest
    ):
        return
    end = newline(text)
    lines = [*_keys(file), _FENCE] + ([] if rest else [tab_stop(0, (_PROMPT,))])
    if dashes in ("", "-", "--", _FENCE) and first.covers(offset):
        typed, lines = first, [_FENCE, *lines]
    elif dashes == _FENCE and not rest and text[first.end : offset] == end:
        typed = Span(offset, offset)
    else:
        return
    words = Words("a whole header")
    yield offer(text, typed, "--- header", CompletionKind.SNIPPET, end.join(lines), words, 0)


def _keys(file: TemplateFile) -> Iterator[str]:
    """The keys that matter most, each with a value to type over or to choose."""
    stop = 1
    for key in file.dialect.schema.keys:
        shape = _value(file, key, stop) if key.required_by or key.role in _USUAL else None
        shape = shape or (
            _example(key, stop) if key.example and key.role is KeyRole.EFFORT else None
        )
        if shape is not None:
            yield f"{literal(key.name)}: {shape}"
            stop += 1


def _value(file: TemplateFile, key: Key, stop: int) -> str | None:
    """The value of `key` as a tab stop, or None if nothing would be right in most files."""
    if key.role is KeyRole.AGENT:
        return tab_stop(stop, (_own_name(file) or key.example,))
    if key.role is KeyRole.DESCRIPTION:
        return tab_stop(stop, (key.example or _DESCRIPTION,))
    if key.role is KeyRole.MODEL:
        return _models(file, key, stop)
    if key.role is KeyRole.ALLOW:
        names = to_begin_with(file.dialect)
        listed = tab_stop(stop, (", ".join(names),))
        return (listed if key.in_text else f"[{listed}]") if names else None
    return _example(key, stop)


def _models(file: TemplateFile, key: Key, stop: int) -> str | None:
    names = dict.fromkeys((key.example, *(model.name for model in file.dialect.models.listed)))
    found = tuple(name for name in names if name)[:_MOST_CHOICES]
    return tab_stop(stop, found) if found else None


def _example(key: Key, stop: int) -> str:
    others = (choice.name for choice in key.choices)
    return tab_stop(stop, tuple(dict.fromkeys(name for name in (key.example, *others) if name)))


_OUTSIDE = regex(r"[^A-Za-z0-9_-]+")


def _own_name(file: TemplateFile) -> str | None:
    """The name that the file has, as far as the runtime takes it for that of an agent."""
    named = file.dialect.names.name_of(file.path.name) or file.path.stem
    allowed = file.dialect.conversion.names if file.dialect.conversion is not None else None
    for name in (named, named.lower(), _OUTSIDE.sub("-", named).strip("-_").lower()):
        if name and allowed is not None and allowed.fullmatch(name):
            return name
    return None
