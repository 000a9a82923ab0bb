"""Says which values of `opencode.json` the program's schema refuses, those about no agent.

Invariant: an issue without `expected` is another of the program's lines about a fault that the
issue before it names.
Facts: OpenCode 1.18.33, measured 2026-11-29 (`tests/conformance/opencode.jsonl`). Unknown keys are
taken everywhere. A server of `mcp` with `enabled: true` or `false` is taken whatever else it has.
"""

from collections.abc import Callable, Iterator
from collections.abc import Mapping as Map

from agent_lsp.data_classes import replace
from agent_lsp.dialects.opencode.facts import DEFAULT_AGENT, DEPTH
from agent_lsp.dialects.opencode.validation import Issue, issue_of, validate
from agent_lsp.dialects.opencode.values import is_whole, members, value_of
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, resolve

# The keys of a JSON file of which a wrong value stops the program, in its order.
OF_FILE = (
    *("$schema", "shell", "logLevel", "server", "command", "skills", "references", "reference"),
    *("watcher", "snapshot", "plugin", "share", "autoshare", "autoupdate", "disabled_providers"),
    *("enabled_providers", "model", "small_model", DEFAULT_AGENT, DEPTH, "username", "mode"),
    *("agent", "provider", "mcp", "formatter", "lsp", "instructions", "layout", "permission"),
    *("tools", "attachment", "enterprise", "tool_output", "compaction", "experimental"),
)
MISSING = "Missing key"
# What is expected in the place of an item that is one too many.
EXCESS = "nothing"
_MAY_BE_LEFT_OUT = " | undefined"
_LOCAL, _REMOTE = "local", "remote"
_SERVERS = " | ".join(f'{{ readonly "type": "{one}", ... }}' for one in (_LOCAL, _REMOTE))
_DISABLED = '{ readonly "disabled": true, ... }'

_Path = tuple[str, ...]
# Yields what is wrong with a value; the last text ends the program's words for what it wants.
_Shape = Callable[[_Path, Entry, str], Iterator[Issue]]


def issues_of(top: Mapping, key: str) -> Iterator[Issue]:
    """Yields the issues of a key of `OF_FILE`; the tables of agents are left out."""
    shape = _SHAPES.get(key)
    entry = members(top).get(key)
    if shape is None:
        yield from validate(top, (key,))
    elif entry is not None:
        yield from shape((key,), entry, _MAY_BE_LEFT_OUT)


def _typed(wanted: str, expected: str, *types: type) -> _Shape:
    def check(path: _Path, entry: Entry, tail: str) -> Iterator[Issue]:
        value = value_of(entry.value)
        if not isinstance(value, types):
            yield issue_of(path, entry, f"{wanted}{tail}", expected)

    return check


def _number(least: int | None, most: int | None = None) -> _Shape:
    """The shape of a number; of a whole one if it has a least value."""
    between = f"a value between {least} and {most}"
    least_words = "greater than or equal to 0" if least == 0 else "greater than 0"
    bound = between if most is not None else f"a value {least_words}"
    expected = "a number" if least is None else f"a whole number of {least} or more"

    def check(path: _Path, entry: Entry, tail: str) -> Iterator[Issue]:
        value = value_of(entry.value)
        if not isinstance(value, float):
            yield issue_of(path, entry, f"number{tail}", expected)
        elif least is not None:
            if not is_whole(value):
                yield issue_of(path, entry, "an integer", expected, LoadErrorKind.CHOICE)
            is_in = (
                (value > 0 if least == 1 else value >= least)
                if most is None
                else (least <= value <= most)
            )
            if not is_in:
                yield issue_of(path, entry, bound, expected, LoadErrorKind.CHOICE)

    return check


def _words(*words: str, label: str = "", also: str = "", other: type | None = None) -> _Shape:
    """The shape of one of `words`, which the program calls `label`, or of a value of a type."""
    quoted = " | ".join(f'"{word}"' for word in words)
    wanted = label or f"{also}{quoted}"
    *others, last = (f"`{word}`" for word in (*(("true", "false") if other else ()), *words))
    expected = f"{', '.join(others)} or {last}" if others else last

    def check(path: _Path, entry: Entry, tail: str) -> Iterator[Issue]:
        value = value_of(entry.value)
        if isinstance(value, str) and value not in words:
            yield issue_of(path, entry, wanted, expected, LoadErrorKind.CHOICE)
        elif not isinstance(value, (str, other) if other else str):
            yield issue_of(path, entry, f"{wanted}{tail}", expected)

    return check


def _list(item: _Shape) -> _Shape:
    def check(path: _Path, entry: Entry, tail: str) -> Iterator[Issue]:
        node = resolve(entry.value)
        if not isinstance(node, Sequence):
            yield issue_of(path, entry, f"array{tail}", "a list")
            return
        for at, one in enumerate(node.items):
            yield from item((*path, str(at)), Entry(one, one), "")

    return check


def _record(each: _Shape, label: str = "object") -> _Shape:
    """The shape of a mapping from any names to values of one shape."""

    def check(path: _Path, entry: Entry, tail: str) -> Iterator[Issue]:
        node = resolve(entry.value)
        if not isinstance(node, Mapping):
            yield issue_of(path, entry, f"{label}{tail}", "a mapping")
            return
        for name, one in members(node).items():
            yield from each((*path, name), one, "")

    return check


def _struct(fields: Map[str, _Shape], needs: tuple[str, ...] = (), label: str = "object") -> _Shape:
    """The shape of a mapping with `fields`, in the order of the schema."""

    def check(path: _Path, entry: Entry, tail: str) -> Iterator[Issue]:
        node = resolve(entry.value)
        if not isinstance(node, Mapping):
            yield issue_of(path, entry, f"{label}{tail}", "a mapping")
            return
        found = members(node)
        for name, shape in fields.items():
            if name in found:
                yield from shape(
                    (*path, name), found[name], "" if name in needs else _MAY_BE_LEFT_OUT
                )
            elif name in needs:
                yield _missing((*path, name), entry)

    return check


def _missing(path: _Path, entry: Entry) -> Issue:
    return Issue(LoadErrorKind.TYPE, path, MISSING, entry.key.span, f"`{path[-1]}`")


def _or_false(shape: _Shape, label: str, expected: str, *types: type) -> _Shape:
    """The shape of `false`, or of a value of another shape and its types."""

    def check(path: _Path, entry: Entry, tail: str) -> Iterator[Issue]:
        value = value_of(entry.value)
        if isinstance(value, types):
            yield from shape(path, entry, tail)
        elif value is not False:
            # The program says of `true` that it is of a right type.
            rest = "" if value is True else tail
            yield issue_of(path, entry, f"{label} | false{rest}", f"{expected} or `false`")

    return check


def _or_truth(shape: _Shape) -> _Shape:
    def check(path: _Path, entry: Entry, tail: str) -> Iterator[Issue]:
        if not isinstance(value_of(entry.value), bool):
            yield from shape(path, entry, tail)

    return check


def _skills(path: _Path, entry: Entry, tail: str) -> Iterator[Issue]:
    value = value_of(entry.value)
    # The form of the second generation is a list of texts.
    if not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
        yield from _struct({"paths": _TEXTS, "urls": _TEXTS})(path, entry, tail)


def _reference(path: _Path, entry: Entry, _tail: str) -> Iterator[Issue]:
    node = resolve(entry.value)
    if isinstance(node, Scalar) and isinstance(value_of(node), str):
        return
    if not isinstance(node, Mapping):
        yield issue_of(path, entry, "string | object", "text or a mapping")
        return
    ways = [tuple(shape(path, entry, "")) for shape in (_GIT, _FOLDER)]
    if all(ways):
        # Both are printed; the file means the one whose key it has.
        meant = 0 if "repository" in members(node) else 1
        for at, way in enumerate(ways):
            yield from way if at == meant else (replace(one, expected="") for one in way)


def _plugin(path: _Path, entry: Entry, _tail: str) -> Iterator[Issue]:
    node = resolve(entry.value)
    if not isinstance(node, Sequence):
        yield from _typed("string | array", "a string", str)(path, entry, "")
        return
    parts = (_TEXT, _typed("object", "a mapping", Map))
    for at, shape in enumerate(parts):
        where = (*path, str(at))
        if at < len(node.items):
            yield from shape(where, Entry(node.items[at], node.items[at]), "")
        else:
            said = ("first item, the name", "second item, a mapping of options")[at]
            yield Issue(LoadErrorKind.TYPE, where, MISSING, entry.key.span, said)
    for at, more in enumerate(node.items[len(parts) :], len(parts)):
        where, one = (*path, str(at)), Entry(more, more)
        found = issue_of(where, one, "", EXCESS)
        yield replace(
            found, message=found.message.replace("Expected , got", "Unexpected key with value")
        )


def _language_server(path: _Path, entry: Entry, tail: str) -> Iterator[Issue]:
    node = resolve(entry.value)
    found = members(node) if isinstance(node, Mapping) else {}
    is_off = "disabled" in found and value_of(found["disabled"].value) is True
    if not is_off:
        yield from _LANGUAGE_SERVER(path, entry, tail)


def _servers(path: _Path, entry: Entry, tail: str) -> Iterator[Issue]:
    node = resolve(entry.value)
    own = members(node).get("servers") if isinstance(node, Mapping) else None
    # The form of the second generation, which is translated.
    if own is None or not isinstance(resolve(own.value), Mapping):
        yield from _record(_server)(path, entry, tail)


def _server(path: _Path, entry: Entry, _tail: str) -> Iterator[Issue]:
    node = resolve(entry.value)
    if not isinstance(node, Mapping):
        yield issue_of(path, entry, f"{_SERVERS} | object", "a mapping")
        return
    found = members(node)
    enabled, kind = found.get("enabled"), found.get("type")
    if enabled is not None and _is_truth(enabled.value):
        return
    shape = _SERVER_OF.get(kind.node.value) if kind and isinstance(kind.node, Scalar) else None
    if shape is not None:
        issues = tuple(shape(path, entry, ""))
    else:
        fault = issue_of(path, entry, _SERVERS, f"`type`, `{_LOCAL}` or `{_REMOTE}`")
        at = kind.value.span if kind and kind.value is not None else entry.key.span
        issues = (replace(fault, span=at, kind=LoadErrorKind.CHOICE),)
    yield from issues
    if issues and enabled is None:
        yield replace(_missing((*path, "enabled"), entry), expected="")
    elif issues and enabled is not None:
        fault = issue_of((*path, "enabled"), enabled, "boolean", "`true` or `false`")
        yield replace(fault, expected="") if shape is not None else fault


def _is_truth(node: Node | None) -> bool:
    """Whether a value is `true` or `false`, or filled in and nobody can tell."""
    found = resolve(node)
    # What is filled in without quotes is as long as its text.
    is_filled_in = isinstance(found, Scalar) and len(found.span) == len(found.value)
    return is_filled_in or isinstance(value_of(found), bool)


def _interleaved(path: _Path, entry: Entry, tail: str) -> Iterator[Issue]:
    value = value_of(entry.value)
    words = '"reasoning" | "reasoning_content" | "reasoning_text" | string'
    if isinstance(value, Map):
        field = _typed(words, "a string", str)
        yield from _struct({"field": field}, ("field",))(path, entry, tail)
    elif not isinstance(value, (bool, str)):
        yield issue_of(path, entry, f"boolean | {words} | object{tail}", "text or a mapping")


_TEXT = _typed("string", "a string", str)
_FLAG = _typed("boolean", "`true` or `false`", bool)
_OBJECT = _typed("object", "a mapping", Map)
_AT_LEAST_0, _AT_LEAST_1, _ANY_NUMBER = _number(0), _number(1), _number(None)
_TEXTS = _list(_TEXT)
_TEXT_OF_NAME = _record(_TEXT)
_NOTED = {"description": _TEXT, "hidden": _FLAG}
_GIT = _struct({"repository": _TEXT, "branch": _TEXT, **_NOTED}, ("repository",))
_FOLDER = _struct({"path": _TEXT, **_NOTED}, ("path",))
_LANGUAGE_SERVER = _struct(
    {
        "command": _TEXTS,
        "extensions": _TEXTS,
        "disabled": _FLAG,
        "env": _TEXT_OF_NAME,
        "initialization": _OBJECT,
    },
    ("command",),
    f"{_DISABLED} | object",
)
_AUTHORIZATION = _struct(
    {
        **dict.fromkeys(("clientId", "clientSecret", "scope"), _TEXT),
        "callbackPort": _number(1, 65535),
        "redirectUri": _TEXT,
    }
)
_SERVER_OF = {
    _LOCAL: _struct(
        {
            "command": _TEXTS,
            "cwd": _TEXT,
            "environment": _TEXT_OF_NAME,
            "enabled": _FLAG,
            "timeout": _AT_LEAST_1,
        },
        ("command",),
    ),
    _REMOTE: _struct(
        {
            "url": _TEXT,
            "enabled": _FLAG,
            "headers": _TEXT_OF_NAME,
            "oauth": _or_false(_AUTHORIZATION, "McpOAuthConfig", "a mapping", Map),
            "timeout": _AT_LEAST_1,
        },
        ("url",),
    ),
}
_WAIT = _or_false(_AT_LEAST_1, "number", "a whole number of 1 or more", float)
_MEDIA = _list(_words("text", "audio", "image", "video", "pdf"))
_PRICES = dict.fromkeys(("input", "output", "cache_read", "cache_write"), _ANY_NUMBER)
_BOTH_WAYS = ("input", "output")
_MODEL = _struct(
    {
        **dict.fromkeys(("id", "name", "family", "release_date"), _TEXT),
        **dict.fromkeys(("attachment", "reasoning", "temperature", "tool_call"), _FLAG),
        "interleaved": _interleaved,
        "cost": _struct({**_PRICES, "context_over_200k": _struct(_PRICES, _BOTH_WAYS)}, _BOTH_WAYS),
        "limit": _struct(
            dict.fromkeys(("context", "input", "output"), _ANY_NUMBER), ("context", "output")
        ),
        "modalities": _struct(dict.fromkeys(_BOTH_WAYS, _MEDIA)),
        "experimental": _FLAG,
        "status": _words("alpha", "beta", "deprecated", "active"),
        "provider": _struct({"npm": _TEXT, "api": _TEXT}),
        "options": _OBJECT,
        "headers": _TEXT_OF_NAME,
        "variants": _record(_struct({"disabled": _FLAG})),
    }
)
_PROVIDER = _struct(
    {
        "api": _TEXT,
        "name": _TEXT,
        "env": _TEXTS,
        "id": _TEXT,
        "npm": _TEXT,
        "whitelist": _TEXTS,
        "blacklist": _TEXTS,
        "options": _struct(
            {
                **dict.fromkeys(("apiKey", "baseURL", "enterpriseUrl"), _TEXT),
                "setCacheKey": _FLAG,
                **dict.fromkeys(("timeout", "headerTimeout", "chunkTimeout"), _WAIT),
            }
        ),
        "models": _record(_MODEL),
    },
    label="ProviderConfig",
)
_FORMATTER = _struct(
    {"disabled": _FLAG, "command": _TEXTS, "environment": _TEXT_OF_NAME, "extensions": _TEXTS}
)
_COMMAND = _struct(
    {
        **dict.fromkeys(("template", "description", "agent", "model", "variant"), _TEXT),
        "subtask": _FLAG,
    },
    ("template",),
)
_POLICY = _struct(
    {
        "action": _words("provider.use"),
        "effect": _words("allow", "deny", label="Policy.Effect"),
        "resource": _TEXT,
    },
    ("action", "effect", "resource"),
)
_IMAGE = _struct(
    {
        "auto_resize": _FLAG,
        **dict.fromkeys(("max_width", "max_height", "max_base64_bytes"), _AT_LEAST_1),
    },
    label="ImageAttachmentConfig",
)
_SHAPES: Map[str, _Shape] = {
    **dict.fromkeys(("$schema", "shell", "small_model", "username"), _TEXT),
    **dict.fromkeys(("instructions", "disabled_providers", "enabled_providers"), _TEXTS),
    **dict.fromkeys(("snapshot", "autoshare"), _FLAG),
    **dict.fromkeys(("references", "reference"), _record(_reference)),
    "logLevel": _words("DEBUG", "INFO", "WARN", "ERROR", label="LogLevel"),
    "layout": _words("auto", "stretch", label="LayoutConfig"),
    "share": _words("manual", "auto", "disabled"),
    "autoupdate": _words("notify", also="boolean | ", other=bool),
    "server": _struct(
        {
            "port": _AT_LEAST_1,
            "hostname": _TEXT,
            "mdns": _FLAG,
            "mdnsDomain": _TEXT,
            "cors": _TEXTS,
        },
        label="ServerConfig",
    ),
    "command": _record(_COMMAND),
    "skills": _skills,
    "watcher": _struct({"ignore": _TEXTS}),
    "plugin": _list(_plugin),
    "provider": _record(_PROVIDER),
    "mcp": _servers,
    "formatter": _or_truth(_record(_FORMATTER, "boolean | object")),
    "lsp": _or_truth(_record(_language_server, "boolean | object")),
    "attachment": _struct({"image": _IMAGE}, label="AttachmentConfig"),
    "enterprise": _struct({"url": _TEXT}),
    "tool_output": _struct({"max_lines": _AT_LEAST_1, "max_bytes": _AT_LEAST_1}),
    "compaction": _struct(
        {
            "auto": _FLAG,
            "prune": _FLAG,
            **dict.fromkeys(("tail_turns", "preserve_recent_tokens", "reserved"), _AT_LEAST_0),
        }
    ),
    "experimental": _struct(
        {
            **dict.fromkeys(("disable_paste_summary", "batch_tool", "openTelemetry"), _FLAG),
            "primary_tools": _TEXTS,
            "continue_loop_on_deny": _FLAG,
            "mcp_timeout": _AT_LEAST_1,
            "policies": _list(_POLICY),
        }
    ),
}
