"""Reads settings as Gemini CLI and Qwen Code do: JSON with comments, and rules for folders."""

import json
import re
from collections.abc import Iterable, Mapping

from agent_lsp.patterns import regex

_COMMENT = regex(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/')


def settings(text: str | None) -> Mapping[str, object]:
    """The values of a settings file; nothing if there is none or it cannot be read."""
    if not text:
        return {}
    bare = _COMMENT.sub(lambda found: found[0] if found[0].startswith('"') else " ", text)
    try:
        values = json.loads(bare)
    except (ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}


def at(values: Mapping[str, object], *keys: str) -> object:
    """The value at the end of `keys`, or None."""
    found: object = values
    for key in keys:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def is_enabled(rules: Iterable[object], folders: Iterable[str], *, default: bool = True) -> bool:
    """Whether the rules enable the extension in the folder that has these spellings."""
    slashed = tuple(_slashed(folder) for folder in folders)
    found = default
    for rule in rules:
        if isinstance(rule, str) and any(_matches(rule.removeprefix("!"), one) for one in slashed):
            found = not rule.startswith("!")
    return found


def _slashed(folder: str) -> str:
    path = folder.replace("\\", "/")
    return f"{'' if path.startswith('/') else '/'}{path}{'' if path.endswith('/') else '/'}"


def _matches(rule: str, folder: str) -> bool:
    """`/a/*` matches `/a` and everything below it, as the slash belongs to what `*` stands for."""
    pattern = re.sub(r"(/?)\\\*", r"(?:\1.*)?", re.escape(rule))
    return re.fullmatch(pattern, folder) is not None
