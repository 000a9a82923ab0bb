"""Finds what the runtime refuses, drops, or fails at: the file, a value, or each call.

Invariant: the runtime stops at the first reason to refuse a file, except for those of its
validator, of which it gives all; each reason is one error here, in the order of the runtime, with
the runtime's own sentence. A value that is dropped, and a placeholder in the prompt for which there
is no value, are possible errors, since the file loads all the same.
Facts: Qwen Code 0.24.4, `parseSubagentContent`, `SubagentValidator`, agent-frontmatter-schema,
`parseAgentExecutionBackend` and `templateString`, read 2026-11-28; the sentences are those of the
debug log, and of standard error for `executor` and `executionBackend`, measured the same day. The
effects of `background`, `hooks` and `color` were read only.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping

from agent_lsp.dialects.qwen.facts import (
    APPROVALS,
    LEAST_NAME,
    LEAST_PROMPT,
    MOST_NAME,
    PROVIDERS,
    RESERVED,
)
from agent_lsp.dialects.qwen.values import Read, count, length, text_of, trimmed
from agent_lsp.model.schema import Choice
from agent_lsp.model.template import LoadError, LoadErrorKind
from agent_lsp.patterns import regex
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Entry, resolve
from agent_lsp.syntax.nodes import Mapping as MappingNode
from agent_lsp.text import Span

PREFIX = "Failed to parse subagent file: "
_INVALID = f"{PREFIX}Validation failed: "
EXECUTOR = (
    "Agent file … has an invalid executor block (expected { kind: 'acp' | 'codex', command: "
    "string, args?: string[] }). Refusing to load the definition: dropping the block would "
    "silently run it in-process instead of in the external agent it asked for."
)
BACKEND = (
    'Agent definition has an invalid executionBackend declaration: expected "container". '
    "Refusing to run it locally."
)
# In the places of `…` are a path and the complaint of the runtime's parser.
_BROKEN_EXECUTOR = (
    "Agent file … has an invalid executor block: its frontmatter YAML does not parse (…). Refusing "
    "to load the definition rather than dispatch a silently repaired executor."
)
_BROKEN_BACKEND = (
    "Agent definition has an invalid executionBackend declaration: …. Refusing to run it locally."
)
_CLAIM = r"^[ \t]*[\"']?{}[\"']?[ \t]*:"
_CLAIMS = {
    _BROKEN_BACKEND: regex(_CLAIM.format("executionBackend"), re.MULTILINE),
    _BROKEN_EXECUTOR: regex(_CLAIM.format("executor"), re.MULTILINE),
}
NO_TEXT = f"{PREFIX}Cannot convert object to primitive value"


def refusals(document: Document, found: Mapping[str, Read], prompt: str) -> Iterator[LoadError]:
    """Yields the reasons, in the order of the runtime; `prompt` is the trimmed body."""
    yield from _backend(document, found)
    missing = tuple(_missing(document, found))
    yield from missing
    yield from _approval(found)
    yield from _executor(document, found)
    # A mapping that is none has neither, and its error no key.
    lacking = {one.key for one in missing} if all(one.key for one in missing) else None
    if lacking is not None and "name" not in lacking:
        yield from _names(found)
    if lacking is not None and "description" not in lacking:
        yield from _descriptions(found)
    yield from _prompts(document, prompt)
    for key in ("tools", "disallowedTools"):
        yield from _blank_tools(key, found.get(key))
    yield from _models(found)
    yield from _limits(found)


def broken_claim(header: str, fault: int | None, *, is_repeated: bool) -> str | None:
    """The refusal of a header that is no YAML and names another program or a container, or None.

    `fault` is where it stops being YAML, in the header. A key that is repeated above `executor`
    does not matter to it.
    """
    if fault is None:
        return None
    for message, claim in _CLAIMS.items():
        found = claim.search(header)
        is_above = is_repeated and found is not None and fault < found.start()
        if found is not None and not (is_above and message == _BROKEN_EXECUTOR):
            return message
    return None


def _entry(document: Document, key: str) -> Entry | None:
    top = resolve(document.tree.root)
    return top.get(key) if isinstance(top, MappingNode) else None


def _backend(document: Document, found: Mapping[str, Read]) -> Iterator[LoadError]:
    entry, value = _entry(document, "executionBackend"), found.get("executionBackend")
    if entry is not None and (value is None or value.value != "container"):
        place = value.span if value is not None else entry.key.span
        word = text_of(value) or "" if value is not None else ""
        kind, key = LoadErrorKind.CHOICE, "executionBackend"
        yield LoadError(kind, place, BACKEND, key, "container", word)


def _missing(document: Document, found: Mapping[str, Read]) -> Iterator[LoadError]:
    top = resolve(document.tree.root)
    place = top.span if isinstance(top, MappingNode) else document.frontmatter.open
    for key in ("name", "description"):
        value = found.get(key)
        if value is None or value.value == "":
            message = f'{PREFIX}Missing "{key}" in frontmatter'
            entry = _entry(document, key)
            if top is not None and not isinstance(top, MappingNode):
                # The runtime finds no key in what is no mapping.
                yield LoadError(LoadErrorKind.TYPE, top.span, message, "", "a mapping")
                return
            if entry is None:
                yield LoadError(LoadErrorKind.MISSING, place, message, key)
            elif key == "name":
                yield LoadError(LoadErrorKind.CONTENT, entry.key.span, message, key, got="is blank")
            else:
                yield LoadError(LoadErrorKind.BLANK, entry.key.span, message, key)
        elif text_of(value) is None:
            kind = LoadErrorKind.TYPE
            yield LoadError(kind, value.span, NO_TEXT, key, "a string", "a mapping")


def _approval(found: Mapping[str, Read]) -> Iterator[LoadError]:
    value = found.get("approvalMode")
    if value is None or value.value == "":
        return
    words = ", ".join(
        choice.name for choice in sorted(APPROVALS, key=lambda one: _ORDER.index(one.name))
    )
    if not isinstance(value.value, str):
        kind = _type(value)
        message = f'Invalid "approvalMode" value: expected a string, got {kind}'
        text = f"{PREFIX}{message}. Valid values: {words}"
        yield LoadError(LoadErrorKind.TYPE, value.span, text, "approvalMode", "a word", kind)
    elif value.value not in _ORDER:
        message = f'Invalid "approvalMode" value "{value.value}". Valid values: {words}'
        kind_ = LoadErrorKind.CHOICE
        yield LoadError(kind_, value.span, f"{PREFIX}{message}", "approvalMode", words, value.value)


_ORDER = ("plan", "default", "auto-edit", "auto", "yolo", "bubble")


def _type(value: Read) -> str:
    if isinstance(value.value, bool):
        return "boolean"
    return "number" if value.is_number else "object"


def _executor(document: Document, found: Mapping[str, Read]) -> Iterator[LoadError]:
    entry, value = _entry(document, "executor"), found.get("executor")
    if entry is None:
        return
    if value is None or not isinstance(value.value, Mapping):
        place = value.span if value is not None else entry.key.span
        got = _type(value) if value is not None else ""
        yield LoadError(LoadErrorKind.TYPE, place, EXECUTOR, "executor", "a mapping", got)
        return
    members = value.members
    place = value.span
    kind, command, args = (members.get(name) for name in ("kind", "command", "args"))
    fix = "needs `kind: acp` or `kind: codex`, and a `command`"
    if kind is not None and kind.value not in ("acp", "codex"):
        yield _refused(kind.span, EXECUTOR, "executor", "has no such `kind`: use `acp` or `codex`")
    elif kind is None or command is None or not _is_text(command):
        yield _refused(place, EXECUTOR, "executor", fix)
    elif args is not None and not _are_texts(args):
        yield _refused(args.span, EXECUTOR, "executor", "takes only strings in the list `args`")


def _is_text(value: Read) -> bool:
    return isinstance(value.value, str) and bool(trimmed(value.value))


def _are_texts(value: Read) -> bool:
    return isinstance(value.value, tuple) and all(
        isinstance(item.value, str) for item in value.value
    )


def _names(found: Mapping[str, Read]) -> Iterator[LoadError]:
    value = found["name"]
    name = trimmed(text_of(value) or "")
    for said, thing in name_faults(name):
        message = f"{_INVALID}{said}"
        yield LoadError(LoadErrorKind.CONTENT, value.span, message, "name", got=thing)


def name_faults(name: str) -> Iterator[tuple[str, str]]:
    """The faults of a trimmed name: the runtime's sentence, and what is wrong in our words."""
    if not name:
        yield "Name is required and cannot be empty", "is blank"
        return
    if length(name) < LEAST_NAME:
        yield (
            f"Name must be at least {LEAST_NAME} characters long",
            f"is shorter than {LEAST_NAME} characters",
        )
    if length(name) > MOST_NAME:
        yield f"Name must be {MOST_NAME} characters or less", f"is longer than {MOST_NAME}"
    if not all(_is_allowed(sign) for sign in name):
        yield (
            "Name can only contain letters, numbers, hyphens, and underscores",
            "may have only letters, digits, `-` and `_`",
        )
    for at, where in ((0, "start"), (-1, "end")):
        if name[at] in "-_":
            said = f"Name cannot {where} with a hyphen or underscore"
            yield said, f"cannot {where} with `{name[at]}`"
    if name.lower() in RESERVED:
        yield f'"{name}" is a reserved name and cannot be used', "is reserved"


def _is_allowed(sign: str) -> bool:
    return sign in "-_" or unicodedata.category(sign)[0] in "LN"


def _descriptions(found: Mapping[str, Read]) -> Iterator[LoadError]:
    value = found["description"]
    if not trimmed(text_of(value) or ""):
        message = f"{_INVALID}Description is required and cannot be empty"
        yield LoadError(LoadErrorKind.BLANK, value.span, message, "description")


def _prompts(document: Document, prompt: str) -> Iterator[LoadError]:
    place = document.frontmatter.close or document.frontmatter.open
    if not prompt:
        message = f"{_INVALID}System prompt is required and cannot be empty"
        yield LoadError(LoadErrorKind.NO_PROMPT, place, message)
    elif length(prompt) < LEAST_PROMPT:
        message = f"{_INVALID}System prompt must be at least {LEAST_PROMPT} characters long"
        body = document.frontmatter.body
        start = body.start + body.of(document.text).index(prompt[:1])
        yield LoadError(LoadErrorKind.NO_PROMPT, Span(start, start + len(prompt)), message)


def _blank_tools(key: str, value: Read | None) -> Iterator[LoadError]:
    for at, item in enumerate(value.value if value and isinstance(value.value, tuple) else ()):
        if isinstance(item.value, str) and not trimmed(item.value):
            message = f"{_INVALID}Tool name cannot be empty"
            kind = LoadErrorKind.BLANK_ITEM
            yield LoadError(kind, item.span, message, f"{key}[{at}]")


def _models(found: Mapping[str, Read]) -> Iterator[LoadError]:
    value = found.get("model")
    if value is None or value.value == "":
        return
    text = text_of(value)
    if text is None:
        yield LoadError(LoadErrorKind.TYPE, value.span, NO_TEXT, "model", "a string", "a mapping")
        return
    if text and not trimmed(text):
        message = f"{_INVALID}Model must be a non-empty string"
        yield LoadError(LoadErrorKind.CONTENT, value.span, message, "model", got="is blank")
    provider, colon, model = trimmed(text).partition(":")
    if colon and trimmed(provider) in PROVIDERS and not trimmed(model):
        message = f"{_INVALID}Model selector must include a model ID after the authType"
        thing = f"has no model after the provider `{trimmed(provider)}`"
        yield LoadError(LoadErrorKind.CONTENT, value.span, message, "model", got=thing)


def _limits(found: Mapping[str, Read]) -> Iterator[LoadError]:
    limits = found.get("runConfig")
    for name in ("max_time_minutes", "max_turns"):
        value = limits.members.get(name) if limits is not None else None
        said = _wrong_number(name, value) if value is not None else ""
        if value is not None and said:
            key = f"runConfig.{name}"
            message = f"{_INVALID}{name} {said}"
            thing = said.replace("an integer", "a whole number")
            yield LoadError(LoadErrorKind.CONTENT, value.span, message, key, got=thing)


def _wrong_number(name: str, value: Read) -> str:
    if not value.is_number or not isinstance(value.value, int | float):
        return "must be a number"
    if value.value <= 0:
        return "must be greater than 0"
    is_whole = float(value.value).is_integer()
    return "must be an integer" if name == "max_turns" and not is_whole else ""


def _refused(span: Span, message: str, key: str, thing: str) -> LoadError:
    return LoadError(LoadErrorKind.CONTENT, span, message, key, got=thing)


_IGNORED = "the runtime ignores it"
_EVERY_TOOL = f"{_IGNORED}, and the agent gets every tool"
_NONE_DENIED = f"{_IGNORED}, and denies nothing"


def wrong_values(found: Mapping[str, Read]) -> Iterator[LoadError]:
    """Yields a possible error for each value that does not count; the file loads all the same."""
    for key, lost in (("tools", _EVERY_TOOL), ("disallowedTools", _NONE_DENIED)):
        if key in found:
            yield from _wrong_list(key, found[key], lost)
    for key in ("mcpServers", "hooks"):
        if key in found:
            yield from _wrong_mapping(key, found[key])
    turns, background = found.get("maxTurns"), found.get("background")
    if turns is not None and count(turns) is None:
        yield _wrong("maxTurns", turns, "a whole number above 0", _IGNORED)
    is_bool = background is not None and isinstance(background.value, bool)
    if background is not None and not is_bool and background.value not in ("true", "false"):
        lost = f"{_IGNORED}: the call decides"
        yield _wrong("background", background, "`true` or `false`", lost)
    for key in ("permissionMode", "color"):
        one = found.get(key)
        if one is not None and not isinstance(one.value, str):
            yield _wrong(key, one, "a word", _IGNORED)


def _wrong_list(key: str, one: Read, lost: str) -> Iterator[LoadError]:
    if isinstance(one.value, str):
        return
    if not isinstance(one.value, tuple):
        yield _wrong(key, one, "a list, or a string with commas", lost)
        return
    is_left = any(isinstance(item.value, str) for item in one.value)
    for item in one.value:
        if not isinstance(item.value, str):
            said = "the runtime leaves it out" if is_left else lost
            yield _wrong(key, item, "a string in each item", said)


def _wrong_mapping(key: str, one: Read) -> Iterator[LoadError]:
    wanted, inner = {
        "mcpServers": ("a mapping from names to settings", "the settings of a server"),
        "hooks": ("a mapping from events to lists", "a list of matchers"),
    }[key]
    if not isinstance(one.value, Mapping):
        yield _wrong(key, one, wanted, _IGNORED)
        return
    for name, member in one.members.items():
        is_right = isinstance(member.value, Mapping if key == "mcpServers" else tuple)
        if not is_right:
            yield _wrong(f"{key}.{name}", member, inner, _IGNORED)


def _wrong(key: str, one: Read, wanted: str, lost: str) -> LoadError:
    got = ""
    if isinstance(one.value, Mapping):
        got = "a mapping"
    elif isinstance(one.value, tuple):
        got = "a list"
    return LoadError(LoadErrorKind.TYPE, one.span, lost, key, wanted, got, certain=False)


TASK_WORD, HOOK_WORD = "task_prompt", "hook_context"
VARIABLES = (Choice(TASK_WORD, "the prompt of the call"), Choice(HOOK_WORD, "the text of hooks"))
_VARIABLES = frozenset(one.name for one in VARIABLES)
FAILED = "Subagent execution failed."
PLACEHOLDER = regex(r"\$\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)\}")


def unset_words(prompt: str) -> tuple[str, ...]:
    """The names without a value, each once."""
    if "${" not in prompt:
        return ()
    names = (found["name"] for found in PLACEHOLDER.finditer(prompt))
    return tuple(dict.fromkeys(name for name in names if name not in _VARIABLES))


def failures(document: Document) -> Iterator[LoadError]:
    """Yields a possible error at the first place of each name; `got` is the name."""
    body, text = document.frontmatter.body, document.text
    for name in unset_words(body.of(text)):
        first = next(placeholders(document, name))
        message = f"each call fails with `{FAILED}`"
        yield LoadError(LoadErrorKind.CONTENT, first, message, got=name)


def placeholders(document: Document, name: str) -> Iterator[Span]:
    """The places of a placeholder in the prompt."""
    body = document.frontmatter.body
    for found in PLACEHOLDER.finditer(document.text, body.start, body.end):
        if found["name"] == name:
            yield Span(*found.span())
