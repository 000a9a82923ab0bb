"""Proposes a replacement for a value of the wrong type.

Invariant: the runtime accepts a proposal as it is, so that a fix never leads to a second mistake.
"""

import re

from agent_lsp.analysis.checks import tool_policy
from agent_lsp.analysis.checks.messages import code, listed, some, unquoted
from agent_lsp.model.schema import Key, KeyRole, ValueKind
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Alias, Mapping, Node, Scalar, Sequence, Style, resolve
from agent_lsp.syntax.yaml.edit import quote
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_YES = ("yes", "y", "on", "true", "1")
_NO = ("no", "n", "off", "false", "0")
_ALL = (*_YES, "all", "any")
_NONE = (*_NO, "none", "null", "~")
# The names that other systems give to the key for the name.
_NAMES = ("name", "tool", "id")
_ENTRY = regex(r"[\w*?][\w*?.:-]*")
_SHORT = 40
# A message lists at most this many keys.
_MOST = 4
_NUMBER = "write a whole number"


def in_quotes(source: str, what: str = "it") -> str:
    """Explains how to quote `source`, as written in the file; `what` is its name."""
    if not re.search(r'["\\]', source):
        return f"put {what} in quotes"
    if "'" not in source:
        return f"put {what} in single quotes"
    return f"put {what} on the next line, indented, with `|` in its place"


def names(source: str) -> tuple[str, ...]:
    """The entries of a tool list in one text; none if the text is not certainly such a list."""
    found = tuple(unquoted(name) for name in _split(source))
    return found if all(map(_ENTRY.fullmatch, found)) else ()


def truth(word: str) -> str | None:
    """The truth value of a word in lower case, or None if it is none."""
    if word in _YES:
        return "true"
    return "false" if word in _NO else None


def is_amount(word: str) -> bool:
    """Whether a word in the place of a list is an amount: all or nothing."""
    return word.lower() in (*_ALL, *_NONE)


def is_off(node: Node | None) -> bool:
    """Whether the value means "no"."""
    return _is_word(node, _NO)


def single(node: Node | None) -> str:
    """The only word in a list or a mapping; empty if there is not exactly one."""
    if isinstance(node, Scalar):
        return node.value.strip()
    if isinstance(node, Sequence) and len(node.items) == 1:
        return single(resolve(node.items[0]))
    if isinstance(node, Mapping) and len(node.entries) == 1:
        return single(resolve(node.entries[0].value))
    return ""


def tool(file: TemplateFile, node: Node | None) -> str:
    """The tool that a mapping names; empty if it names none."""
    entries = node.entries if isinstance(node, Mapping) else ()
    for entry in entries:
        value = single(entry.node)
        for name in (entry.name or "", value):
            if name and tool_policy.is_known(file, name):
                return name
        if entry.name in _NAMES and value:
            return value
    only = entries[0] if len(entries) == 1 else None
    is_on = only is not None and (not single(only.node) or _is_word(only.value, _YES))
    return only.name or "" if only is not None and is_on else ""


def required(key: Key) -> tuple[Key, ...]:
    """The keys that are required in a mapping in the list of `key`."""
    first = next((inner for inner in key.items if inner.name == _first(key)), None)
    return (*((first,) if first else ()), *_others(key))


def of_text(key: Key, source: str) -> str:
    """Proposes a value of the key's type for a plain text, or a text that YAML does not read."""
    match key.kind:
        case ValueKind.BOOL:
            return _truth(unquoted(source.strip()).lower())
        case ValueKind.CHOICE:
            return f"write {listed(choice.name for choice in key.choices)}"
        case ValueKind.LIST:
            return _items(key, source)
        case ValueKind.RECORDS:
            return _records(key, [unquoted(name) for name in _split(source)])
        case ValueKind.NUMBER:
            return f"write {code(unquoted(source))}" if unquoted(source).isdecimal() else _NUMBER
        case ValueKind.TABLE:
            inner = some([f"{inner.name}: …" for inner in key.items] or ["key: …"], _MOST)
            return f"write {f'a name with {inner}' if key.is_named else inner} below it"
        case ValueKind.TEXT:
            return in_quotes(source, "the value")


def of_node(key: Key, node: Node | None, source: str) -> str:
    """Proposes a value of the key's type for `node`, written as `source`."""
    if key.kind is ValueKind.TEXT:
        return _text(key, node, source)
    if isinstance(node, Scalar):
        if key.kind is ValueKind.LIST and re.match(r"-\S[^\n]*\n", source):
            return "write a space after each `-`"
        return of_text(key, node.value)
    word = single(node)
    if key.kind is ValueKind.RECORDS and isinstance(node, Mapping):
        return _listed_records(key, node)
    if key.kind is ValueKind.LIST and isinstance(node, Mapping):
        named = (entry.name or "" for entry in node.entries if not _is_word(entry.value, _NO))
        return _items(key, ", ".join(named))
    if key.kind is ValueKind.CHOICE and any(choice.name == word for choice in key.choices):
        return f"write {code(word)}"
    return of_text(key, word)


def of_item(file: TemplateFile, key: Key, written: Node | None, source: str, *, flow: bool) -> str:
    """Proposes an item for the key's list; `flow` says that the list is in brackets."""
    node = resolve(written)
    dash = "" if flow else "- "
    if key.kind is ValueKind.RECORDS:
        first = _first(key)
        name = node.value if isinstance(node, Scalar) and node.value.isprintable() else "…"
        name = quote(name, flow=flow)
        if flow:
            return f"write {code(f'{{{first}: {name}{_required(key)}}}')}"
        more = "".join(f" and a {code(inner.name)}" for inner in _others(key))
        return f"write {code(f'- {first}: {name}')}{f'{more} below it' if more else ''}"
    if isinstance(written, Alias):
        return "write the items of that list in its place"
    if isinstance(node, Sequence) and len(node.items) > 1:
        return "remove the inner brackets" if node.flow else "give it the indentation of the others"
    if key.role not in (KeyRole.ALLOW, KeyRole.DENY) and isinstance(node, Scalar):
        return in_quotes(source)
    name = single(node) if isinstance(node, Sequence) else tool(file, node)
    if name:
        return f"write {code(dash + quote(name, flow=flow))}"
    if isinstance(node, Mapping) and node.flow and not _tool_words(node):
        return in_quotes(source)
    return "write nothing but the name of a tool"


def _truth(word: str) -> str:
    meant = truth(word)
    return f"write {code(meant)}" if meant else "write `true` or `false`"


def _items(key: Key, source: str) -> str:
    """The list that a text with names of tools, or with other words, was meant to be."""
    if key.role is None and source.startswith("-") and not source[1:2].isspace():
        # The options of a command, not items without a blank.
        words = ", ".join(quote(word, flow=True) for word in source.split())
        return f"write {code(f'[{words}]')}"
    names = [unquoted(name) for name in _split(source)]
    if key.role is not None and len(names) == 1 and is_amount(names[0]):
        # Without the key every tool is allowed, and none is denied.
        is_default = names[0].lower() in (_ALL if key.role is KeyRole.ALLOW else _NONE)
        return "remove the key" if is_default else "write the names of tools, each after `- `"
    if any(name.endswith(":") for name in names):
        return "write the names of tools, each after `- `"
    inline = f"[{', '.join(quote(name, flow=True) for name in names)}]"
    if names and len(inline) < _SHORT and all(map(_ENTRY.fullmatch, names)):
        return f"write {code(inline)}"
    return "write each item on its own line, after `- `"


def _split(source: str) -> list[str]:
    """The words of a list in one text; text in parentheses belongs to one word."""
    if "(" in source:
        return [source]
    words = re.split(r"[,\s]+", source.strip().strip("[]{}"))
    return [name for word in words if (name := word.removeprefix("-"))]


def _records(key: Key, names: list[str]) -> str:
    first = _first(key)
    if len(names) == 1 and len(names[0]) < _SHORT // 2:
        inline = f"[{{{first}: {quote(names[0], flow=True)}{_required(key)}}}]"
        return f"write {code(inline)}"
    more = "".join(f" and a {code(inner.name)}" for inner in _others(key))
    return f"write each one after `- `, beginning with {code(first)}{more}"


def _listed_records(key: Key, node: Mapping) -> str:
    """The list that one record, or several records under their names, was meant to be."""
    if any(node.get(inner.name) for inner in key.items):
        if node.flow:
            return "put it in brackets"
        return "write `- ` before its first key and align the others with that key"
    name = next((entry.name for entry in node.entries if entry.name), "…")
    more = "".join(f" and a {code(inner.name)} below it" for inner in _others(key))
    return f"write each one as {code(f'- {_first(key)}: {quote(name)}')}{more}"


def _text(key: Key, node: Node | None, source: str) -> str:
    """The text that a list or a mapping was meant to be."""
    is_flow = isinstance(node, Sequence | Mapping) and node.flow
    word = single(node)
    is_one = isinstance(node, Sequence) or key.role is not KeyRole.DESCRIPTION
    # A number or a boolean is a text only in quotes.
    if word and is_one and not isinstance(node, Scalar) and len(word) < _SHORT:
        return f"write {code(quote(word))}"
    if key.in_text and isinstance(node, Sequence):
        words = filter(None, map(single, map(resolve, node.items)))
        return f"write {code(', '.join(words))}, a string"
    if key.role is not KeyRole.DESCRIPTION and isinstance(node, Sequence):
        return "write one of them"
    if is_flow or isinstance(node, Scalar):
        return in_quotes(source, "the value")
    return "write `|` after the colon and indent all lines of it"


def _tool_words(node: Mapping) -> bool:
    return any(entry.name for entry in node.entries)


def _is_word(node: Node | None, words: tuple[str, ...]) -> bool:
    value = resolve(node)
    return isinstance(value, Scalar) and value.value.strip().lower() in words


def _first(key: Key) -> str:
    names = sorted(key.items, key=lambda inner: not inner.mandatory)
    return names[0].name if names else "key"


def _others(key: Key) -> list[Key]:
    """The keys that a record needs besides its first one, although the parser does not."""
    return [inner for inner in key.items if inner.required_by and not inner.mandatory]


def _required(key: Key) -> str:
    return "".join(f", {inner.name}: …" for inner in _others(key))


_COMMENT = regex(r"[ \t]+(#(?!(?:todo|fixme|xxx|hack|note|noqa)\b)\w[^\r\n]*)", re.IGNORECASE)
_WORD = regex(r"!(?!<)\S*|&\S*")
_OF_YAML = "tag:yaml.org,"


def comment(file: TemplateFile, node: Node | None) -> Span | None:
    """The offset of a comment directly after an unquoted text that may be part of it."""
    if not isinstance(node, Scalar) or node.style is not Style.PLAIN:
        return None
    found = _COMMENT.match(file.document.text, node.span.end)
    if found is None or found.end(1) > file.document.frontmatter.inner.end:
        return None
    return Span(found.start(1), found.start(1) + len(found[1].rstrip()))


def tag(file: TemplateFile, node: Node | None) -> Span | None:
    """A word with `!` at the start of an unquoted text, which makes it a tag."""
    if not isinstance(node, Scalar) or node.tag is None or node.tag.startswith(_OF_YAML):
        return None
    return _word(file, node, "!") if node.style is Style.PLAIN else None


def anchor(file: TemplateFile, node: Node | None) -> Span | None:
    """A word with `&` in place of a value, which makes it an anchor of nothing."""
    if not isinstance(node, Scalar) or node.style is not Style.PLAIN or node.value:
        return None
    return _word(file, node, "&")


def blank(file: TemplateFile, node: Node | None) -> str:
    """Says that the value `node` is blank, with the reason if YAML discards its text."""
    for words, what in ((comment(file, node), "a comment"), (tag(file, node), "a tag")):
        if words is not None:
            return (
                f"blank, because {code(words.of(file.document.text))} is {what} unless it is quoted"
            )
    return "blank"


def _word(file: TemplateFile, node: Scalar, sign: str) -> Span | None:
    found = _WORD.match(file.document.text, node.span.start, node.span.end)
    return Span(*found.span()) if found and found[0].startswith(sign) else None
