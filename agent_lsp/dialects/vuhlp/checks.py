"""The checks of a role template: its `[template]` block, its text, and the calls in it.

Facts on the calls: "CLI tool protocol" in the document of the system, and
packages/daemon/src/runtime/{tool-call-parser,prompt-builder}.ts of Volpestyle/vuhlp-code at
d6c289510, read 2026-11-27.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial

from agent_lsp.analysis.checks.messages import finding
from agent_lsp.analysis.suggest import nearest
from agent_lsp.dialects.vuhlp import facts
from agent_lsp.dialects.vuhlp.preamble import (
    BLANK,
    Preamble,
    is_text,
    missing_parts,
    preamble,
    type_of,
    within_quotes,
)
from agent_lsp.dialects.vuhlp.tools import (
    MANAGING,
    TOOL_SCHEMAS,
    Argument,
    Shape,
    ToolCall,
    are_several,
    get,
    json_of,
    role_of,
    text_of,
    tool,
    tool_calls,
)
from agent_lsp.model.check import Basis, Check, Field, Finding
from agent_lsp.model.schema import Choice, Key, Severity, ValueKind
from agent_lsp.model.template import Value
from agent_lsp.patterns import regex
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, Style
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of

# What stands for something else is for people, and nobody emits it as it is.
_PLACEHOLDER = regex(r"\.\.\.|…|<[^\W\d]|\{\{|\$\{|^\{[\w -]+\}$|^\$\w+$", re.IGNORECASE)


def is_placeholder(text: str) -> bool:
    """Whether a text, or something in it, is to be replaced by what is meant."""
    return _PLACEHOLDER.search(text) is not None


def arguments(owner: str, expected: tuple[Argument, ...], entry: Entry) -> Iterator[Finding]:
    """Reports missing, unknown and mistyped arguments in the object of `entry`."""
    held = entry.value
    if not isinstance(held, Mapping):
        name = entry.name or ""
        if held is not None:
            yield finding("tool-call-argument", held.span, f"`{name}` must be an object")
        return
    yield from _members(owner, expected, held)


def _members(owner: str, expected: tuple[Argument, ...], held: Mapping) -> Iterator[Finding]:
    known = {name: one for one in expected for name in (one.name, one.other) if name}
    names = tuple(one.name for one in expected)
    present = {known[entry.name].name for entry in held.entries if entry.name in known}
    missing = {one.name for one in expected if one.required} - present
    unknown = {entry.name for entry in held.entries if entry.name} - known.keys()
    meant = {nearest(name, names) for name in unknown}
    for one in expected:
        # A misspelt argument is not missing as well.
        if one.name in missing - meant:
            message = f"`{owner}` needs `{one.name}`, {one.shape.value}"
            yield finding("tool-call-argument", held.span, message)
    for entry in held.entries:
        name = entry.name or ""
        if name in known:
            yield from _value(known[name], entry.value)
            continue
        near, message = nearest(name, names), f"`{owner}` has no argument `{name}`"
        span = within_quotes(entry.key) if isinstance(entry.key, Scalar) else entry.key.span
        severity: Severity | None = Severity.INFORMATION
        if near in missing:
            message, severity = f"{message} and needs `{near}`", None
        yield finding("tool-call-argument", span, message, severity, name, names)


def _value(one: Argument, node: Node | None) -> Iterator[Finding]:
    if node is None or (isinstance(node, Scalar) and is_placeholder(node.value)):
        return
    if _shape(node) is not one.shape:
        message = f"`{one.name}` must be {one.shape.value}"
        yield finding("tool-call-argument", node.span, message)
        return
    if isinstance(node, Scalar) and one.choices and node.value not in one.choices:
        words = " or ".join(f"`{choice}`" for choice in one.choices)
        message = f"`{one.name}` must be {words}"
        span = within_quotes(node)
        yield finding("tool-call-argument", span, message, word=node.value, candidates=one.choices)
    if isinstance(node, Mapping) and one.members:
        yield from _members(one.name, one.members, node)
    if isinstance(node, Sequence) and one.each:
        for item in node.items:
            if isinstance(item, Mapping):
                yield from _members(one.name, one.each, item)
            else:
                message = f"`{one.name}` must be a list of objects"
                yield finding("tool-call-argument", item.span, message)


def _shape(node: Node) -> Shape | None:
    """The JSON type of a value; None for numbers, null and unreadable values."""
    if isinstance(node, Mapping):
        return Shape.OBJECT
    if isinstance(node, Sequence):
        return Shape.ARRAY
    if isinstance(node, Scalar) and node.style is Style.DOUBLE:
        return Shape.STRING
    is_truth = isinstance(node, Scalar) and node.value in ("true", "false")
    return Shape.BOOLEAN if is_truth else None


def call_checks(
    text: str, name: str, roles: Callable[[], frozenset[str]], *, manages_edges: bool
) -> Iterator[Finding]:
    """The findings on the calls in a template, which may declare that it `manages_edges`."""
    ids: set[str] = set()
    aliases: set[str] = set()
    for call in tool_calls(text):
        yield from _line(call, text)
        if call.bare:
            message = "vuhlp runs this with a warning in its log: a call belongs under `tool_call`"
            yield finding("tool-call-wrapper", call.span, message)
        if call.echoed or call.value is None or call.inner is None:
            continue
        yield from _tool(call, name, manages_edges=manages_edges)
        # Of two examples an agent copies one at a time.
        yield from _repeated(get(call.inner, "id"), "id", set() if call.fenced else ids)
        if call.name is not None and call.name.value == "spawn_node" and not call.fenced:
            held = call.entry.value if call.entry else None
            yield from _repeated(get(held, "alias"), "alias", aliases)
        yield from _role(call, roles)


def _line(call: ToolCall, text: str) -> Iterator[Finding]:
    if call.echoed:
        message = "a tool call that a shell command prints is an error for vuhlp: write it yourself"
        yield finding("tool-call-echoed", call.span, message)
    elif call.value is None:
        source = call.span.of(text)
        # What stands for something else is for people, and nobody emits it as it is.
        weight = Severity.HINT if is_placeholder(source) else None
        yield finding("tool-call-json", call.span, _why(source), weight)
    elif not call.alone:
        message = "vuhlp runs a tool call only if nothing else is on its line"
        yield finding("tool-call-not-alone", call.span, message)
    elif call.fenced:
        place = "backticks" if text.startswith("`", call.span.end) else "a code fence"
        message = f"a tool call must not be in {place}; agents may copy it like this"
        yield finding("tool-call-fenced", call.span, message)


def _why(source: str) -> str:
    """Why a call does not run; another parser has other words for it, so ours are few."""
    if are_several(source):
        return "vuhlp does not run these tool calls: a line may have only one"
    if json_of(source) is None:
        return "vuhlp does not run this tool call: it must be JSON on one line"
    return "vuhlp does not run this tool call: `tool_call` must be an object"


def _tool(call: ToolCall, role: str, *, manages_edges: bool) -> Iterator[Finding]:
    name = call.name
    place = call.inner.span if call.inner else call.span
    if name is None:
        yield finding("tool-call-name", place, "the tool call names no tool")
        return
    known = tool(name.value.strip())
    if known is None and is_placeholder(name.value):
        return
    if known is None:
        names = tuple(one.name for one in TOOL_SCHEMAS)
        message = f"vuhlp has no tool `{name.value}`"
        span = within_quotes(name)
        yield finding("tool-call-name", span, message, word=name.value, candidates=names)
        return
    if known.native:
        message = (
            f"Claude, Codex and Gemini have tools of their own for this; `{name.value}` as a "
            "tool call is for other providers (`VUHLP_<PROVIDER>_NATIVE_TOOLS`)"
        )
        yield finding("tool-call-native", name.span, message)
    if known.name in MANAGING and not (manages_edges or facts.is_orchestrator(role)):
        message = (
            f"`{known.name}` needs edge management, which `{role}` does not declare: add "
            f"`{facts.MANAGES_EDGES}` to its capabilities"
        )
        yield finding("tool-call-edges", name.span, message)
    entry = call.entry
    if entry is None:
        # Not even for a tool that takes none.
        message = f"vuhlp does not run this call: `{known.name}` needs `args`, an object"
        yield finding("tool-call-argument", place, message)
        return
    if entry.name == "params":
        message = "`params` is accepted with a warning in the log; the key is `args`"
        span = entry.key.span
        if isinstance(entry.key, Scalar):
            span = within_quotes(entry.key)
        yield finding("tool-call-params", span, message, instead="args")
    yield from arguments(known.name, known.arguments, entry)


def _repeated(entry: Entry | None, key: str, seen: set[str]) -> Iterator[Finding]:
    value = entry.value if entry else None
    if not isinstance(value, Scalar):
        return
    if value.style is not Style.DOUBLE:
        if key == "id":
            yield finding("tool-call-id", value.span, "`id` must be a string, or be left out")
    elif is_placeholder(value.value):
        return
    elif value.value in seen:
        yield finding("tool-call-id", value.span, f"`{value.value}` is the {key} of another call")
    else:
        seen.add(value.value)


def _role(call: ToolCall, roles: Callable[[], frozenset[str]]) -> Iterator[Finding]:
    role = role_of(call)
    # The runtime makes a path of the name, so that one with a slash may lead anywhere.
    if role is None or "/" in role.value or "\\" in role.value or is_placeholder(role.value):
        return
    held = call.entry.value if call.entry else None
    prompt = text_of(held, "customSystemPrompt")
    if prompt is not None and prompt.value:
        # It stands in the place of the file, which is not looked for.
        return
    names = roles()
    if role.value not in names:
        message, known = facts.not_found(role.value), tuple(sorted(names))
        span = within_quotes(role)
        yield finding("role-not-found", span, message, word=role.value, candidates=known)


_UNKNOWN = {"capabilities": "unknown-capability", "constraints": "unknown-constraint"}


def role_template(file: TemplateFile) -> Iterator[Finding]:
    """The findings on a template; none on a file that the runtime never looks at."""
    if file.source.problem is None and file.name is not None:
        names = partial(_names, file)
        yield from findings(file.document, file.name, names)


def _names(file: TemplateFile) -> frozenset[str]:
    """The names of the roles that a session finds."""
    return frozenset(catalog_of(file).names)


def findings(
    document: Document, name: str, roles: Callable[[], frozenset[str]]
) -> Iterator[Finding]:
    """The findings on the template `name`, where `roles` gives the names of all templates."""
    found = preamble(document)
    if found is not None:
        yield from _of_block(document, found)
        yield from _name(found, name)
        yield from _words(document, found, "capabilities", facts.CAPABILITIES)
        yield from _words(document, found, "constraints", facts.CONSTRAINTS)
        yield from _contradictions(found)
        yield from _older_name(document, found)
    if found is not None or name.lower() not in facts.OTHERS:
        yield from _missing_parts(document, found)
    yield from call_checks(document.text, name, roles, manages_edges=manages_edges(found))


def manages_edges(preamble: Preamble | None) -> bool:
    """Whether a role declares that it manages edges, under whichever name."""
    names = (facts.MANAGES_EDGES, facts.OLDER_NAME)
    return any(item.text in names for item in declared(preamble, "capabilities"))


def declared(preamble: Preamble | None, key: str) -> tuple[Value, ...]:
    """The entries of a list of the block."""
    value = preamble.settings.get(key) if preamble else None
    return value.items if value else ()


def _of_block(document: Document, preamble: Preamble) -> Iterator[Finding]:
    if document.text[: preamble.header.start].strip(BLANK):
        message = "the `[template]` block belongs at the top of the file"
        yield finding("preamble-place", preamble.header, message)
    for problem in document.tree.damage:
        context = f"{problem.context}: " if problem.context else ""
        message = f"this is not TOML: {context}{problem.message}; the runtime sends it unchanged"
        yield finding("preamble-syntax", problem.span, message)
    for entry in preamble.entries:
        key = next((known for known in facts.KEYS if known.name == entry.name), None)
        if key is not None:
            yield from _type(key, entry.value)
        elif entry.name is not None and entry.value is not None:
            message = f"unknown key `{entry.name}` in the `[template]` block"
            known = tuple(key.name for key in facts.KEYS)
            yield finding("unknown-key", entry.key.span, message, word=entry.name, candidates=known)


def _type(key: Key, node: Node | None) -> Iterator[Finding]:
    """A value that is not what the key is for; what does not parse has been reported."""
    if isinstance(node, Sequence) and key.kind is ValueKind.LIST:
        for item in node.items:
            if isinstance(item, Scalar | Sequence | Mapping) and not is_text(item):
                message = f"`{key.name}` is a list of strings, this is {type_of(item)}"
                yield finding("wrong-type", item.span, message)
        return
    if not isinstance(node, Scalar | Sequence | Mapping) or not len(node.span):
        return
    if key.kind is not ValueKind.TEXT or not is_text(node):
        message = f"`{key.name}` is a {key.kind.value}, this is {type_of(node)}"
        yield finding("wrong-type", node.span, message)


def _name(preamble: Preamble, name: str) -> Iterator[Finding]:
    value = preamble.settings.get("name")
    if value is not None and value.text != name:
        message = f"`{value.text}` is called `{name}` after its file; nodes ask for `{name}`"
        yield finding("name-mismatch", value.span, message)


def _words(
    document: Document, preamble: Preamble, key: str, choices: tuple[Choice, ...]
) -> Iterator[Finding]:
    """Words that nobody else uses: the vocabulary is open."""
    known = tuple(choice.name for choice in choices)
    for item in declared(preamble, key):
        if item.text not in known:
            message = f"`{item.text}` is not among the {key} that vuhlp's own templates use"
            code, span = _UNKNOWN[key], _inside(item, document)
            yield finding(code, span, message, word=item.text, candidates=known)


def _contradictions(preamble: Preamble) -> Iterator[Finding]:
    held = {item.text for item in declared(preamble, "capabilities")}
    for item in declared(preamble, "constraints"):
        for constraint, capability in facts.CONTRADICTIONS:
            if item.text == constraint and capability in held:
                message = f"`{constraint}` says the opposite of the capability `{capability}`"
                yield finding("contradiction", item.span, message)


def _older_name(document: Document, preamble: Preamble) -> Iterator[Finding]:
    for item in declared(preamble, "capabilities"):
        if item.text == facts.OLDER_NAME:
            message = f"`{facts.OLDER_NAME}` is the older name of `{facts.MANAGES_EDGES}`"
            span = _inside(item, document)
            yield finding("older-name", span, message, instead=facts.MANAGES_EDGES, deprecated=True)


def _inside(item: Value, document: Document) -> Span:
    """The span of an item without its quotes, so that another word can replace it."""
    source = item.span.of(document.text)
    is_plain = len(source) == len(item.text) + 2
    return Span(item.span.start + 1, item.span.end - 1) if is_plain else item.span


def _missing_parts(document: Document, preamble: Preamble | None) -> Iterator[Finding]:
    text = document.text
    # Invalid TOML may be words of the prompt that no blank line separates.
    block = (preamble.header if document.tree.damage else preamble.span) if preamble else Span(0, 0)
    body = text[: block.start] + text[block.end :]
    missing = missing_parts(body)
    if not missing:
        return
    place = preamble.header if preamble else Span(0, len(text.split("\n", 1)[0].rstrip("\r")))
    message = f"the prompt does not seem to say its {', '.join(missing)}"
    yield finding("missing-part", place, message)


CHECKS: tuple[Check, ...] = (
    Check(
        tuple(code for code in facts.SEVERITIES if code not in ("file-name", "unreadable")),
        role_template,
        # The runtime reads no header: a whole file is the prompt.
        changes=frozenset({Field.KEY, Field.PROMPT}),
        basis={
            "preamble-place": Basis.FILE,
            "preamble-syntax": Basis.FILE,
            "missing-part": Basis.ABSENCE,
        },
    ),
)
