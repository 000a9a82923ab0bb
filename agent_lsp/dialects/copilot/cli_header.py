"""Finds out why Copilot CLI refuses a header, in its own words, and which keys it ignores.

Invariant: a header that is no YAML has one fault, and any other one all of its faults, each at its
place. Anything else loads.
Facts: Copilot CLI 1.0.102, run with the texts of `tests/conformance/copilot.jsonl` 2026-11-28. Its
parser is of the family of libyaml, and speaks as serde_yaml does; what a number, a date or `yes` is
follows YAML 1.2.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from agent_lsp.decoders.serde_words import mark, unexpected
from agent_lsp.decoders.serde_yaml import MORE_THAN_ONE
from agent_lsp.model.template import LoadError, LoadErrorKind
from agent_lsp.syntax import nodes
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Alias, Broken, Entry, Node, Problem, Scalar, Sequence, resolve
from agent_lsp.text import Span

NO_HEADER = "missing or malformed YAML frontmatter"
_BROKEN = "failed to parse YAML frontmatter: "
_WRONG = "custom agent markdown frontmatter is malformed: "
KNOWN = (
    "name",
    "description",
    "tools",
    "model",
    "reasoning-effort",
    "user-invocable",
    "disable-model-invocation",
    "infer",
    "mcp-servers",
    "skills",
    "deferred-tool-loading",
    "github",
)
_TEXTS = ("name", "description", "reasoning-effort")
_BOOLS = ("user-invocable", "disable-model-invocation", "infer", "deferred-tool-loading")
_OBJECTS = ("mcp-servers", "github")
_WORDS = {
    "string": "text",
    "boolean": "`true` or `false`",
    "array": "a list",
    "object": "a mapping",
}
LOCAL, REMOTE = ("local", "stdio"), ("http", "sse")


def type_of(node: Node | None) -> str:
    """The type of a value in the words of the program's messages."""
    target = resolve(node)
    if isinstance(target, nodes.Mapping):
        return "object"
    if isinstance(target, Sequence):
        return "array"
    if not isinstance(target, Scalar):
        return "null"
    said = unexpected(target)
    for begin, name in _TYPES.items():
        if said.startswith(begin):
            return name
    return "string"


_TYPES = {"unit": "null", "boolean": "boolean", "integer": "number", "floating": "number"}


@dataclass(frozen=True, slots=True)
class Repeated:
    """A second key of a mapping, and the first one."""

    entry: Entry
    first: Entry


def errors(document: Document) -> Iterator[LoadError]:
    """The faults for which the program does not load a file with this header."""
    tree, header = document.tree, document.frontmatter.inner
    twice = repeated(tree.root if tree.problem is None else tree.begun)
    if twice is not None:
        # The rest of the text does not matter, since the program stops here.
        message = f'{_BROKEN}duplicate entry with key "{twice.entry.name}"'
        span, key = twice.entry.key.span, twice.entry.name or ""
        yield LoadError(LoadErrorKind.DUPLICATE, span, message, key)
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
        message = f"{_WRONG}Expected object, received {type_of(top)}"
        yield LoadError(LoadErrorKind.TYPE, top.span, message, "", "a mapping", type_of(top))
    else:
        yield from _of_mapping(top)


def _with_line_end(problem: Problem, header: str, start: int) -> tuple[Problem, str, int]:
    """A problem at the end of a header, where the program has a line end that `inner` has not."""
    end = start + len(header)
    if problem.span.start >= end and not header.endswith("\n"):
        problem = replace(problem, span=Span(end + 1, end + 1))
    return problem, f"{header}\n", start


def repeated(root: Node | None) -> Repeated | None:
    """The first key of a mapping, at any depth, that repeats another one; None if none does."""
    waiting, seen = [root], set[int]()
    found: list[Repeated] = []
    while waiting:
        node = waiting.pop()
        if node is None or isinstance(node, Alias) or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Sequence):
            waiting += node.items
        elif isinstance(node, nodes.Mapping):
            firsts: dict[str, Entry] = {}
            for entry in node.entries:
                first = firsts.setdefault(entry.name, entry) if entry.name is not None else entry
                if first is not entry:
                    found.append(Repeated(entry, first))
                waiting.append(entry.value)
    return min(found, key=lambda one: one.entry.key.span.start, default=None)


def ignored(document: Document) -> tuple[Entry, ...]:
    """The keys of which the program only says that it ignores them."""
    top = resolve(document.tree.root)
    entries = top.entries if isinstance(top, nodes.Mapping) else ()
    return tuple(one for one in entries if one.name is not None and one.name not in KNOWN)


def warning(names: list[str]) -> str:
    """What the program says of ignored keys."""
    return f"unknown field{'s' if len(names) > 1 else ''} ignored: {', '.join(names)}"


def _missing(key: str, place: Span) -> LoadError:
    return LoadError(LoadErrorKind.MISSING, place, f"{_WRONG}{key}: Required", key, "text")


def _wrong(key: str, node: Node, entry: Entry | None, expected: str, path: str = "") -> LoadError:
    got, span = type_of(node), node.span
    if entry is not None and not len(span):
        span = entry.key.span
    message = f"{_WRONG}{path or key}: Expected {expected}, received {got}"
    return LoadError(LoadErrorKind.TYPE, span, message, key, _WORDS[expected], got)


def _of_mapping(top: nodes.Mapping) -> Iterator[LoadError]:
    for name in KNOWN:
        entry = top.get(name)
        value = resolve(entry.value) if entry is not None else None
        if entry is None or entry.value is None:
            if name == "description":
                yield _missing(name, top.span)
        elif value is not None and not isinstance(value, Broken):
            yield from _of_key(name, value, entry)


def _of_key(name: str, value: Node, entry: Entry) -> Iterator[LoadError]:
    got = type_of(value)
    if name in _TEXTS and got != "string":
        yield _wrong(name, value, entry, "string")
    elif name in _BOOLS and got != "boolean":
        yield _wrong(name, value, entry, "boolean")
    elif name == "skills" and got != "array":
        yield _wrong(name, value, entry, "array")
    elif name == "tools" and got not in ("array", "string"):
        yield _wrong(name, value, entry, "array")
    elif name == "model" and (got not in ("array", "string") or _is_void(value)):
        message = f"{_WRONG}model: Expected a non-empty list of model names"
        kind, span = LoadErrorKind.TYPE, value.span if len(value.span) else entry.key.span
        yield LoadError(kind, span, message, name, "a model or a list of models", got)
    elif name in _OBJECTS and got not in ("object", "null"):
        yield _wrong(name, value, entry, "object")
    elif isinstance(value, Sequence):
        for at, item in enumerate(value.items):
            if type_of(item) != "string":
                yield _wrong(f"{name}[{at}]", item, None, "string", f"{name}: {at}")
    elif name == "mcp-servers" and isinstance(value, nodes.Mapping):
        for server in value.entries:
            yield from _of_server(server)


def _is_void(value: Node) -> bool:
    return isinstance(value, Sequence) and not value.items


def _of_server(server: Entry) -> Iterator[LoadError]:
    """The faults of the settings of an MCP server, of which `tools` is always required."""
    path, table = f"mcp-servers.{server.name}", resolve(server.value)
    if not isinstance(table, nodes.Mapping):
        if table is not None and not isinstance(table, Broken):
            yield _wrong(path, table, server, "object")
        return
    entry = table.get("type")
    kind = resolve(entry.value) if entry is not None else None
    word = kind.value if isinstance(kind, Scalar) else LOCAL[0]
    if word not in (*LOCAL, *REMOTE) and kind is not None:
        listed = " | ".join(f"'{one}'" for one in LOCAL)
        message = f"{_WRONG}{path}.type: Invalid enum value. Expected {listed}, received '{word}'"
        known = " or ".join((*LOCAL, *REMOTE))
        yield LoadError(LoadErrorKind.CHOICE, kind.span, message, f"{path}.type", known, word)
    needed = ("url", "tools") if word in REMOTE else ("command", "args", "tools")
    for name in needed:
        if table.get(name) is None:
            message = f"{_WRONG}{path}.{name}: Required"
            key = f"{path}.{name}"
            yield LoadError(LoadErrorKind.MISSING, server.key.span, message, key, "a value")
