"""Finds out why Copilot CLI refuses a header, in its own words, and which keys it ignores.

Invariant: a header that is no YAML has one fault, and any other one all of its faults, each at its
place. Anything else loads.
Facts: Copilot CLI 1.0.102, run with the texts of `tests/conformance/copilot.jsonl` 2026-11-28 and
with tags, `copilot-tags.jsonl`, 2026-11-30. Its parser is of the family of libyaml, and speaks as
serde_yaml does; what a number, a date or `yes` is follows YAML 1.2.
"""

from collections.abc import Iterator, Mapping

from agent_lsp.analysis.checks.messages import code
from agent_lsp.data_classes import replace
from agent_lsp.decoders import rust
from agent_lsp.decoders.rust import FLOAT, mark, unexpected, whole
from agent_lsp.decoders.serde_yaml import MORE_THAN_ONE
from agent_lsp.model.template import LoadError, LoadErrorKind
from agent_lsp.syntax import nodes
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import (
    Alias,
    Broken,
    Entry,
    Node,
    Problem,
    Scalar,
    Sequence,
    Style,
    resolve,
)
from agent_lsp.text import Span

PREFIX = "custom agent markdown frontmatter is malformed: "
NO_HEADER = f"{PREFIX}missing or malformed YAML frontmatter"
_BROKEN = f"{PREFIX}failed to parse YAML frontmatter: "
# The keys in the order in which the program reports their faults, each with its type.
_TYPES_OF = {
    "name": "string",
    "description": "string",
    "tools": "array",
    "mcp-servers": "object",
    "infer": "boolean",
    "disable-model-invocation": "boolean",
    "user-invocable": "boolean",
    "model": "string",
    "reasoning-effort": "string",
    "github": "object",
    "skills": "array",
    "deferred-tool-loading": "boolean",
}
KNOWN = tuple(_TYPES_OF)
# Keys of which another type counts as well.
_ALSO = {"tools": "string", "model": "array", "mcp-servers": "null"}
_LISTS = ("tools", "model", "skills")
_WORDS = {
    "string": "a string",
    "boolean": "`true` or `false`",
    "array": "a list",
    "object": "a mapping",
}


def type_of(node: Node | None) -> str:
    """The type of a value in the words of the program's messages."""
    target = resolve(node)
    if isinstance(target, nodes.Mapping):
        return "object"
    if isinstance(target, Sequence):
        return "array"
    if not isinstance(target, Scalar):
        return "null"
    tag = target.tag
    if tag is not None and tag.startswith(_CORE):
        # Such a tag decides, whatever quotes the value has; `_misfit` tells one that does not fit.
        found = _TAGGED.get(tag.removeprefix(_CORE), "string")
        return "null" if found == "number" and _is_no_number(_bare(target)) else found
    if target.style is not Style.PLAIN or len(target.value) > _LONGEST_WORD:
        return "string"
    said = _bare(target)
    if _is_no_number(said):
        return "null"
    for begin, name in _TYPES.items():
        if said.startswith(begin):
            return name
    return "string"


# No number is written with more characters, and most texts are.
_LONGEST_WORD = 60
_CORE = "tag:yaml.org,2002:"
# What a value with one of these tags is; one with any other tag of that kind is a string.
_TAGGED = {"int": "number", "float": "number", "bool": "boolean", "null": "null"}
_TYPES = {"unit": "null", "boolean": "boolean", "integer": "number", "floating": "number"}


def _bare(target: Scalar) -> str:
    """What the value is without its tag and quotes, in serde's words."""
    return unexpected(replace(target, style=Style.PLAIN, tag=None))


def _is_no_number(said: str) -> bool:
    """Whether a number, in serde's words, is one that JSON does not have."""
    return said.startswith("floating") and said.endswith(("NaN`", "inf`"))


def _misfit(node: Scalar) -> tuple[str, str] | None:
    """Why the value does not fit its tag, in serde's words, and what does; None if it fits."""
    kind, word = (node.tag or "").removeprefix(_CORE), node.value
    if node.tag != f"{_CORE}{kind}":
        return None
    said = _bare(node)
    begin, wanted = _FITTING.get(kind, ("", ""))
    if kind == "int" and said.endswith("128"):
        return f"invalid type: {said}, expected any YAML value", "an integer of at most 64 bits"
    fits = FLOAT.fullmatch(word) is not None if kind == "float" else said.startswith(begin)
    if fits and (kind != "null" or word):
        return None
    return f"invalid value: string {rust.debug(word)}, expected {wanted}", wanted


# How a fitting value begins in serde's words, and what serde expects.
_FITTING = {
    "int": ("integer", "an integer"),
    "float": ("", "a float"),
    "bool": ("boolean", "a boolean"),
    "null": ("unit", "null"),
}


def errors(document: Document) -> Iterator[LoadError]:
    """The faults for which the program does not load a file with this header."""
    tree, header = document.tree, document.frontmatter.inner
    stop = _first_stop(document)
    if stop is not None:
        # The rest of the text does not matter.
        yield stop
        return
    if tree.problem is not None:
        said = mark(*_with_line_end(tree.problem, header.of(document.text), header.start))
        yield LoadError(LoadErrorKind.SYNTAX, tree.problem.span, f"{_BROKEN}{said}")
        return
    if tree.rest is not None:
        yield LoadError(LoadErrorKind.SYNTAX, tree.rest, f"{_BROKEN}{MORE_THAN_ONE}")
        return
    top = resolve(tree.root)
    place = header if len(header) else document.frontmatter.open
    if top is None or type_of(top) == "null":
        yield _missing("description", place)
    elif not isinstance(top, nodes.Mapping):
        message = f"{PREFIX}Expected object, received {type_of(top)}"
        yield LoadError(LoadErrorKind.TYPE, top.span, message, "", "a mapping", type_of(top))
    else:
        yield from _of_mapping(top)


def _with_line_end(problem: Problem, header: str, start: int) -> tuple[Problem, str, int]:
    """A problem at the end of a header, to which libyaml adds a line end before it goes on."""
    end = start + len(header)
    is_parsed = (problem.context or "while parsing").startswith("while parsing")
    is_wanted = problem.message.startswith("did not find expected") and is_parsed
    is_at_end = problem.span.start >= end and is_wanted
    if is_at_end and not header.endswith("\n"):
        moved, context = Span(end + 1, end + 1), problem.context_span
        at_end = context is not None and context.start >= end
        problem = replace(problem, span=moved, context_span=moved if at_end else context)
        header = f"{header}\n"
    return problem, header, start


def _place(header: str, offset: int) -> str:
    """A place in the header as messages have it; the very start is not said."""
    line, column = header.count("\n", 0, offset) + 1, offset - header.rfind("\n", 0, offset)
    return "" if (line, column) == (1, 1) else f" at line {line} column {column}"


def _first_stop(document: Document) -> LoadError | None:
    """The first key that repeats another one, or value that does not fit its tag, at any depth."""
    tree, header = document.tree, document.frontmatter.inner
    text = header.of(document.text)
    root = tree.root if tree.problem is None else tree.begun
    waiting: list[tuple[Node | None, str, str]] = [(root, "", "")]
    seen, found = set[int](), list[LoadError]()

    def message(path: str, said: str, at: Span) -> str:
        where = _place(text, at.start - header.start)
        return f"{_BROKEN}{path}: {said}{where}" if path else f"{_BROKEN}{said}{where}"

    while waiting:
        node, path, key = waiting.pop()
        if node is None or isinstance(node, Alias) or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Scalar):
            misfit = _misfit(node) if node.tag is not None else None
            if misfit is not None:
                said, wanted = message(path, misfit[0], node.span), misfit[1]
                got = code(node.value) if node.value else "empty"
                found.append(LoadError(LoadErrorKind.TYPE, node.span, said, key, wanted, got))
        elif isinstance(node, Sequence):
            items = ((item, f"{path or '.'}[{at}]") for at, item in enumerate(node.items))
            waiting += ((item, here, here) for item, here in items)
        elif isinstance(node, nodes.Mapping):
            firsts: dict[str, Entry] = {}
            for entry in node.entries:
                name = entry.name or ""
                if entry.name is not None and firsts.setdefault(name, entry) is not entry:
                    said = message(path, f'duplicate entry with key "{name}"', node.span)
                    kind, span = LoadErrorKind.DUPLICATE, entry.key.span
                    found.append(LoadError(kind, span, said, name))
                here = f"{path}.{name}" if path else name
                waiting += ((entry.key, path, name), (entry.value, here, here))
    return min(found, key=lambda one: one.span.start, default=None)


def ignored(document: Document) -> tuple[Entry, ...]:
    """The keys of which the program only says that it ignores them."""
    top = resolve(document.tree.root)
    entries = top.entries if isinstance(top, nodes.Mapping) else ()
    return tuple(one for one in entries if one.name is not None and one.name not in KNOWN)


def warning(names: list[str]) -> str:
    """What the program says of ignored keys."""
    return f"unknown field{'s' if len(names) > 1 else ''} ignored: {', '.join(names)}"


def _missing(key: str, place: Span) -> LoadError:
    return LoadError(LoadErrorKind.MISSING, place, f"{PREFIX}{key}: Required", key, "a string")


def _wrong(path: str, entry: Entry, expected: str) -> LoadError:
    """The fault of a value that has another type than `expected`."""
    return _wrong_node(path, entry.value, entry.key.span, expected)


def _wrong_node(path: str, node: Node | None, key: Span, expected: str) -> LoadError:
    got = type_of(node)
    span = node.span if node is not None else key
    at = path.rpartition(": ")
    dotted = f"{at[0]}[{at[2]}]" if at[0] else path
    message = f"{PREFIX}{path}: Expected {expected}, received {got}"
    return LoadError(LoadErrorKind.TYPE, span, message, dotted, _WORDS[expected], got)


def _of_mapping(top: nodes.Mapping) -> Iterator[LoadError]:
    for name, expected in _TYPES_OF.items():
        entry = top.get(name)
        if entry is None or entry.value is None:
            if name == "description":
                yield _missing(name, top.span)
        elif not isinstance(resolve(entry.value), Broken):
            yield from _of_key(name, expected, entry)


def _of_key(name: str, expected: str, entry: Entry) -> Iterator[LoadError]:
    value = resolve(entry.value)
    if type_of(value) not in (expected, _ALSO.get(name)):
        yield _wrong(name, entry, expected)
    elif name in _LISTS and isinstance(value, Sequence):
        yield from _of_items(name, entry)
        words = [one.value for item in value.items if isinstance(one := resolve(item), Scalar)]
        if name == "model" and not (value.items and all(word.strip() for word in words)):
            message = f"{PREFIX}model: Expected a non-empty list of model names"
            kind, wanted = LoadErrorKind.BLANK_ITEM, "a model or a list of models"
            yield LoadError(kind, value.span, message, name, wanted, "empty")
    elif isinstance(value, nodes.Mapping):
        for member in value.entries if name == "mcp-servers" else ():
            yield from _of_server(member)
        if name == "github":
            yield from _of_members("github", value, _GITHUB)


def _of_items(path: str, entry: Entry) -> Iterator[LoadError]:
    """The faults of the items of a list, which are to be texts."""
    value = resolve(entry.value)
    for at, item in enumerate(value.items if isinstance(value, Sequence) else ()):
        if type_of(item) != "string":
            yield _wrong_node(f"{path}: {at}", item, entry.key.span, "string")


def _of_members(path: str, table: nodes.Mapping, types: Mapping[str, str]) -> Iterator[LoadError]:
    """The faults of the members of a table; in an inner list or table all values are texts."""
    for name, expected in types.items():
        entry = table.get(name)
        value = resolve(entry.value) if entry is not None else None
        if entry is None or entry.value is None or isinstance(value, Broken):
            continue
        here = f"{path}.{name}"
        if type_of(value) != expected:
            yield _wrong(here, entry, expected)
        elif isinstance(value, Sequence):
            yield from _of_items(here, entry)
        elif isinstance(value, nodes.Mapping):
            for one in value.entries:
                if one.value is not None and type_of(one.value) != "string":
                    yield _wrong(f"{here}.{one.name}", one, "string")


_GITHUB = {"toolsets": "array", "permissions": "object"}
LOCAL, REMOTE = ("local", "stdio"), ("http", "sse")
# The members of a server in the order of their faults, each with its type.
_LOCAL = {"command": "string", "args": "array", "tools": "array", "type": "string"}
_REMOTE = {"url": "string", "tools": "array", "type": "string", "headers": "object"}
_MORE_LOCAL = {"cwd": "string", "env": "object"}
_NEEDED = frozenset({"command", "args", "tools", "url"})


def is_remote(table: nodes.Mapping) -> bool:
    """Whether the program takes the settings of a server for those of a remote one."""
    return table.get("url") is not None or _kind(table) in REMOTE


def _kind(table: nodes.Mapping) -> str | None:
    entry = table.get("type")
    node = resolve(entry.value) if entry is not None else None
    return node.value if isinstance(node, Scalar) else None


def _of_server(server: Entry) -> Iterator[LoadError]:
    """The faults of the settings of an MCP server, of which `tools` is always required."""
    path, table = f"mcp-servers.{server.name}", resolve(server.value)
    if isinstance(table, Broken):
        return
    if not isinstance(table, nodes.Mapping):
        yield _wrong(path, server, "object")
        return
    remote = is_remote(table)
    needed = _NEEDED | {"type"} if remote else _NEEDED
    for name, expected in (_REMOTE if remote else {**_LOCAL, **_MORE_LOCAL}).items():
        if table.get(name) is not None:
            yield from _of_members(path, table, {name: expected})
            if name == "type":
                yield from _of_type(path, table, REMOTE if remote else LOCAL)
        elif name in needed:
            key, kind = f"{path}.{name}", LoadErrorKind.MISSING
            yield LoadError(kind, server.key.span, f"{PREFIX}{key}: Required", key, "a value")
    yield from _of_timeout(path, table)


def _of_type(path: str, table: nodes.Mapping, kinds: tuple[str, ...]) -> Iterator[LoadError]:
    entry, word = table.get("type"), _kind(table)
    is_text = entry is not None and type_of(entry.value) == "string"
    if entry is not None and entry.value is not None and is_text and word not in kinds:
        words = " | ".join(f"'{one}'" for one in kinds)
        message = f"{PREFIX}{path}.type: Invalid enum value. Expected {words}"
        kind, span = LoadErrorKind.CHOICE, entry.value.span
        yield LoadError(kind, span, message, f"{path}.type", " or ".join(kinds), word or "")


def _of_timeout(path: str, table: nodes.Mapping) -> Iterator[LoadError]:
    entry = table.get("timeout")
    if entry is None or entry.value is None:
        return
    node, number = resolve(entry.value), None
    if isinstance(node, Scalar) and type_of(node) == "number" and node.tag != f"{_CORE}float":
        number = whole(replace(node, style=Style.PLAIN, tag=None))
    if number is None or number <= 0:
        message = f"{PREFIX}{path}.timeout: Expected positive integer"
        kind, got = LoadErrorKind.TYPE, type_of(entry.value)
        wanted = "a positive whole number"
        yield LoadError(kind, entry.value.span, message, f"{path}.timeout", wanted, got)
