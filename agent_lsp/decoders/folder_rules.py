"""Reads the rules that say in which folders an extension of Gemini CLI or Qwen Code is enabled.

Facts: `extension-enablement.json` of Gemini CLI 0.61.0 and Qwen Code 0.24.4, read in their bundles
and measured 2026-11-28. Of the rules `/a/b/`, `/a/*` and `!/a/*` the last one that matches counts;
`!` disables, `*` stands for anything, and without a rule an extension is enabled.
"""

import re
from collections.abc import Iterable


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
