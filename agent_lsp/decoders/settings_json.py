"""Reads JSON with comments, as Gemini CLI and Qwen Code read their settings.

Facts: the package strip-json-comments, then `JSON.parse`; Gemini CLI 0.61.0 was run with a comment
in `.gemini/settings.json`, 2026-11-28.
"""

import json
import re
from collections.abc import Mapping

_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/')


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
