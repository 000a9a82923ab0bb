"""The rules of the runtime's schema: what a value may be, and the words for one that may not.

Invariant: an issue is one fault at its place, in the runtime's own words. A rule is a function of
the path to a value and its entry.
Facts: Gemini CLI 0.61.0, measured 2026-11-28 (`tests/conformance`); where no file was recorded, its
schema in google-gemini/gemini-cli at 5411f11 (agents/agentLoader.ts), read on the same day.
"""

import json
from collections.abc import Callable, Iterator
from collections.abc import Mapping as Map

from agent_lsp.data_classes import dataclass
from agent_lsp.dialects.gemini.facts import LOCAL, LOCAL_KEYS, REMOTE, REMOTE_KEYS
from agent_lsp.dialects.gemini.js_yaml import members, number, type_of
from agent_lsp.dialects.gemini.policy import is_valid
from agent_lsp.model.schema import Key
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.text import Span

_SLUG = regex(r"[a-z0-9-_]+")
_URL = regex(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")
_Rule = Callable[[str, Entry], Iterator["Issue"]]


@dataclass(frozen=True, slots=True)
class Issue:
    """One fault: the path to it, the runtime's words, and where it stands.

    A fault of type is `fatal`: the attempt to read such an agent ends with it, and its words get a
    label. `expected` and `got` say in our words what shape was wanted and found.
    """

    kind: LoadErrorKind
    path: str
    message: str
    span: Span
    fatal: bool = False
    expected: str = ""
    got: str = ""

    @property
    def line(self) -> str:
        """The line that the runtime prints, without a label."""
        return f"{self.path}: {self.message}" if self.path else self.message


def local(top: Mapping) -> list[Issue]:
    """The issues of a header as a local agent."""
    rules: dict[str, _Rule] = {
        "kind": _kind(LOCAL),
        "name": _name,
        "description": _filled("String must contain at least 1 character(s)"),
        "display_name": _text,
        "tools": _tools,
        "model": _text,
        "temperature": _number,
        "max_turns": _count,
        "timeout_mins": _count,
        "mcp_servers": _servers,
    }
    return list(_object(top, rules, LOCAL_KEYS, ("name", "description")))


def remote(top: Mapping, card: str, path: str = "") -> list[Issue]:
    """The issues of a mapping as a remote agent whose card is there by `card`: `url` or `json`."""
    cards = {"url": ("agent_card_url", _url), "json": ("agent_card_json", _json)}
    own, _ = cards[card]
    rules: dict[str, _Rule] = {
        "kind": _kind(REMOTE),
        "name": _name,
        "description": _text,
        "display_name": _text,
        "auth": _auth,
    }
    rules |= {name: check if name == own else _absent for name, check in cards.values()}
    return list(_object(top, rules, REMOTE_KEYS, ("name", own), path))


def _object(
    top: Mapping,
    rules: dict[str, _Rule],
    keys: tuple[Key, ...],
    needed: tuple[str, ...],
    path: str = "",
    *,
    strict: bool = True,
) -> Iterator[Issue]:
    """The issues of a mapping, key by key in the order of the rules, and its unknown keys."""
    found = members(top)
    for name, rule in rules.items():
        entry = found.get(name)
        if entry is not None:
            yield from rule(f"{path}{name}", entry)
        elif name in needed:
            expected = next((key.kind.value for key in keys if key.name == name), "")
            kind = LoadErrorKind.MISSING
            yield Issue(kind, f"{path}{name}", "Required", top.span, fatal=True, expected=expected)
    for name, entry in found.items() if strict else ():
        if name not in rules:
            message = f"Unrecognized key(s) in object: '{name}'"
            kind = LoadErrorKind.FORBIDDEN
            yield Issue(kind, path.removesuffix("."), message, entry.key.span, got=name)


def _typed(path: str, node: Node | None, entry: Entry, wanted: str) -> Issue | None:
    """The issue of a value that is of another type than `wanted`."""
    got = type_of(node)
    if got == wanted:
        return None
    span = node.span if node is not None else entry.key.span
    message = f"Expected {wanted}, received {got}"
    return Issue(
        LoadErrorKind.TYPE, path, message, span, fatal=True, expected=_OURS[wanted], got=got
    )


_OURS = {
    "string": "a string",
    "number": "a number",
    "boolean": "`true` or `false`",
    "array": "a list",
    "object": "a mapping",
}


def _of_type(wanted: str) -> _Rule:
    def rule(path: str, entry: Entry) -> Iterator[Issue]:
        issue = _typed(path, entry.value, entry, wanted)
        yield from () if issue is None else (issue,)

    return rule


_text, _number, _bool = _of_type("string"), _of_type("number"), _of_type("boolean")


def _word(entry: Entry) -> str:
    node = resolve(entry.value)
    return node.value if isinstance(node, Scalar) else ""


def _value_issue(path: str, entry: Entry, message: str, expected: str = "") -> Issue:
    span = entry.value.span if entry.value is not None and len(entry.value.span) else entry.key.span
    return Issue(LoadErrorKind.CHOICE, path, message, span, expected=expected, got=_word(entry))


def _kind(wanted: str) -> _Rule:
    def rule(path: str, entry: Entry) -> Iterator[Issue]:
        if type_of(entry.value) != "string" or _word(entry) != wanted:
            message = f'Invalid literal value, expected "{wanted}"'
            issue = _value_issue(path, entry, message, f"{LOCAL}, {REMOTE}")
            yield Issue(issue.kind, path, message, issue.span, True, issue.expected, issue.got)

    return rule


def _name(path: str, entry: Entry) -> Iterator[Issue]:
    yield from _text(path, entry)
    if type_of(entry.value) == "string" and not _SLUG.fullmatch(_word(entry)):
        yield _value_issue(path, entry, "Name must be a valid slug")


def _filled(message: str) -> _Rule:
    def rule(path: str, entry: Entry) -> Iterator[Issue]:
        yield from _text(path, entry)
        if type_of(entry.value) == "string" and not _word(entry):
            issue = _value_issue(path, entry, message)
            yield Issue(LoadErrorKind.BLANK, path, message, issue.span)

    return rule


def _count(path: str, entry: Entry) -> Iterator[Issue]:
    yield from _number(path, entry)
    value = number(entry.value)
    if value is None:
        return
    if value != value // 1 or value in (float("inf"), float("-inf")):
        yield _value_issue(path, entry, "Expected integer, received float", "a whole number")
    if value <= 0:
        yield _value_issue(path, entry, "Number must be greater than 0", "a number above 0")


def _items(path: str, entry: Entry) -> Iterator[Issue]:
    """The issues of a list of strings."""
    issue = _typed(path, entry.value, entry, "array")
    if issue is not None:
        yield issue
        return
    node = resolve(entry.value)
    for at, item in enumerate(node.items if isinstance(node, Sequence) else ()):
        wrong = _typed(f"{path}.{at}", item, entry, "string")
        yield from () if wrong is None else (wrong,)


def _tools(path: str, entry: Entry) -> Iterator[Issue]:
    node = resolve(entry.value)
    wrong = {issue.path: issue for issue in _items(path, entry)}
    if path in wrong:
        yield wrong[path]
    for at, item in enumerate(node.items if isinstance(node, Sequence) else ()):
        here, one = f"{path}.{at}", resolve(item)
        if here in wrong:
            yield wrong[here]
        elif isinstance(one, Scalar) and not is_valid(one.value):
            kind = LoadErrorKind.CHOICE
            yield Issue(kind, here, "Invalid tool name", item.span, got=one.value)


def _map_of(rule: _Rule) -> _Rule:
    """The rule for a mapping whose keys are anybody's, and its values are as `rule` says."""

    def over(path: str, entry: Entry) -> Iterator[Issue]:
        issue = _typed(path, entry.value, entry, "object")
        node = resolve(entry.value)
        if issue is not None or not isinstance(node, Mapping):
            yield from () if issue is None else (issue,)
            return
        for name, inner in members(node).items():
            yield from rule(f"{path}.{name}", inner)

    return over


def _server(path: str, entry: Entry) -> Iterator[Issue]:
    issue = _typed(path, entry.value, entry, "object")
    node = resolve(entry.value)
    if issue is not None or not isinstance(node, Mapping):
        yield from () if issue is None else (issue,)
        return
    texts = ("command", "cwd", "url", "http_url", "tcp", "description")
    lists = ("args", "include_tools", "exclude_tools")
    rules: dict[str, _Rule] = {
        **dict.fromkeys(texts, _text),
        **dict.fromkeys(lists, _items),
        "env": _map_of(_text),
        "headers": _map_of(_text),
        "type": _choice(("sse", "http")),
        "timeout": _number,
        "trust": _bool,
        "auth": _server_auth,
    }
    order = ("command", "args", "env", "cwd", "url", "http_url", "headers", "tcp", "type")
    ordered = {name: rules[name] for name in (*order, *(one for one in rules if one not in order))}
    yield from _object(node, ordered, (), (), f"{path}.", strict=False)


_servers = _map_of(_server)


def _choice(words: tuple[str, ...]) -> _Rule:
    def rule(path: str, entry: Entry) -> Iterator[Issue]:
        listed = " | ".join(f"'{word}'" for word in words)
        got = type_of(entry.value)
        if got == "string" and _word(entry) in words:
            return
        message = f"Invalid enum value. Expected {listed}, received '{_word(entry)}'"
        if got != "string":
            message = f"Expected {listed}, received {got}"
        found = _value_issue(path, entry, message, ", ".join(words))
        yield Issue(found.kind, path, message, found.span, True, found.expected, found.got)

    return rule


def _server_auth(path: str, entry: Entry) -> Iterator[Issue]:
    inner = {"google-credentials": _google, "oauth": _oauth}
    message = 'Invalid literal value, expected "google-credentials"'
    yield from _of_auth(path, entry, inner, message)


def _absent(path: str, entry: Entry) -> Iterator[Issue]:
    got = type_of(entry.value)
    message = f"Expected undefined, received {got}"
    span = entry.key.span
    yield Issue(LoadErrorKind.TYPE, path, message, span, True, "no such key", got)


def _url(path: str, entry: Entry) -> Iterator[Issue]:
    yield from _text(path, entry)
    if type_of(entry.value) == "string" and not _URL.fullmatch(_word(entry)):
        yield _value_issue(path, entry, "Invalid url", "an address with its scheme")


def _json(path: str, entry: Entry) -> Iterator[Issue]:
    yield from _text(path, entry)
    if type_of(entry.value) != "string":
        return
    try:
        json.loads(_word(entry))
    except (ValueError, RecursionError):
        yield _value_issue(path, entry, "agent_card_json must be valid JSON", "a string in JSON")


def _auth(path: str, entry: Entry) -> Iterator[Issue]:
    inner = {"apiKey": _api_key, "http": _http, "google-credentials": _google, "oauth": _oauth}
    listed = " | ".join(f"'{one}'" for one in inner)
    message = f"Invalid discriminator value. Expected {listed}"
    yield from _of_auth(path, entry, inner, message)


def _of_auth(
    path: str,
    entry: Entry,
    types: Map[str, Callable[[str, Mapping], Iterator[Issue]]],
    message: str,
) -> Iterator[Issue]:
    issue = _typed(path, entry.value, entry, "object")
    node = resolve(entry.value)
    if issue is not None or not isinstance(node, Mapping):
        yield from () if issue is None else (issue,)
        return
    chosen = members(node).get("type")
    word = _word(chosen) if chosen is not None else ""
    if chosen is None or word not in types:
        span = chosen.value.span if chosen is not None and chosen.value else entry.key.span
        kind = LoadErrorKind.CHOICE
        yield Issue(kind, f"{path}.type", message, span, True, ", ".join(types), word)
        return
    yield from types[word](f"{path}.", node)


def _api_key(path: str, node: Mapping) -> Iterator[Issue]:
    rules: dict[str, _Rule] = {"key": _filled("API key is required"), "name": _text}
    yield from _object(node, rules, (), ("key",), path, strict=False)


def _google(path: str, node: Mapping) -> Iterator[Issue]:
    yield from _object(node, {"scopes": _items}, (), (), path, strict=False)


def _oauth(path: str, node: Mapping) -> Iterator[Issue]:
    rules: dict[str, _Rule] = {
        "client_id": _text,
        "client_secret": _text,
        "scopes": _items,
        "authorization_url": _url,
        "token_url": _url,
        "issuer": _url,
        "audiences": _items,
        "redirect_uri": _url,
        "token_param_name": _text,
        "registration_url": _url,
    }
    yield from _object(node, rules, (), (), path, strict=False)


def _http(path: str, node: Mapping) -> Iterator[Issue]:
    """The keys that go with a scheme, of which those of the two known ones are told apart."""
    texts = ("token", "username", "password", "value")
    filled = _filled("String must contain at least 1 character(s)")
    rules: dict[str, _Rule] = {"scheme": filled, **dict.fromkeys(texts, filled)}
    typed = list(_object(node, rules, (), ("scheme",), path, strict=False))
    yield from typed
    found = members(node)
    if typed or ((value := found.get("value")) is not None and _word(value)):
        return
    scheme = _word(found["scheme"])
    lacks = [name for name in texts if name not in found or not _word(found[name])]
    said = {
        "Bearer": (("token", 'Bearer scheme requires "token"'),),
        "Basic": tuple(
            (name, f'Basic authentication requires "{name}"') for name in ("username", "password")
        ),
    }.get(scheme, (("value", f'HTTP scheme "{scheme}" requires "value"'),))
    span = found["scheme"].key.span
    for name, message in said:
        if name in lacks:
            yield Issue(LoadErrorKind.MISSING, f"{path}{name}", message, span)
