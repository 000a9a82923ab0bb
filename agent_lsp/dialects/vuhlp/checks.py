"""The checks of a role template: its `[template]` block, its text, and the calls in it."""

from collections.abc import Callable, Iterator
from functools import partial

from agent_lsp.analysis.checks.suggesting import finding
from agent_lsp.dialects.vuhlp import facts
from agent_lsp.dialects.vuhlp.call_checks import call_checks
from agent_lsp.dialects.vuhlp.preamble import (
    BLANK,
    Preamble,
    is_text,
    missing_parts,
    preamble,
    type_of,
)
from agent_lsp.model.check import Check, Field, Finding
from agent_lsp.model.schema import Choice, Key, ValueKind
from agent_lsp.model.template import Value
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, catalog

_UNKNOWN = {"capabilities": "unknown-capability", "constraints": "unknown-constraint"}


def role_template(file: TemplateFile) -> Iterator[Finding]:
    """The findings on a template; none on a file that the runtime never looks at."""
    if file.source.problem is None and file.name is not None:
        names = partial(_names, file)
        yield from findings(file.document, file.name, names)


def _names(file: TemplateFile) -> frozenset[str]:
    """The names of the roles that a session finds."""
    return frozenset(catalog(file.workspace, file.dialect, file.root).names)


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
        message = f"this is not TOML: {context}{problem.message}; the runtime sends it as it is"
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
                message = f"`{key.name}` is a list of texts, this is {type_of(item)}"
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
    ),
)
