"""Classifies the model of an agent: an alias, an id that the runtime replaces, or any other word.

Facts: Claude Code 2.1.332 at the first-party API, measured 2026-11-28
(`tests/conformance/claude-runtime.jsonl`). Aliases count in any case. Any other text is sent
unchanged, and an unknown one is logged on the error stream as `unrecognized_model`. The effort of
the header has precedence over that of the session, which only an agent with the session's own model
has; others have that of their model, and some models take none.
"""

import re

from agent_lsp.dialects.claude.facts import ALIASES

INHERIT = "inherit"
_ALIASES = frozenset(alias.name for alias in ALIASES) - {INHERIT}
# Ids for which the runtime asks for the newest model of the family instead.
_MOVED = re.compile(r"claude-(?P<family>opus)-4(?:-[01](?:-20\d{6})?|-20\d{6})", re.IGNORECASE)
_NO_EFFORT = re.compile(
    r"claude-(?:3|opus-4(?!-\d(?!\d)|\.)|opus-4-[01](?!\d)|sonnet-4(?!-6)|haiku-4-5)", re.IGNORECASE
)
_DEFAULTS = (
    (re.compile(r"claude-(?:opus|sonnet|haiku)-5-5|claude-fable-5-2"), "medium"),
    (re.compile(r"claude-opus-4-7"), "xhigh"),
)
_USUAL = "high"
# Words in the names of models of other makers, and of their families.
_OTHERS = re.compile(
    r"gpt|(?<![a-z])o[1-9](?![a-z])|codex|gemini|gemma|llama|mistral|mixtral|codestral|devstral|qwen"
    r"|deepseek|grok|kimi|glm|command-r|phi-?\d|nova|titan|minimax|davinci",
    re.IGNORECASE,
)
_FAMILIES = frozenset({"sonnet", "opus", "haiku", "fable"})
# Words that may be beside the family in a display name.
_BESIDE = frozenset(
    {
        *("claude", "anthropic", "latest", "thinking"),
        *("v", "model", "copilot", "preview", "default"),
    }
)
_WORD = re.compile(r"[^\W\d_]+")
_OF_FAMILY = "(?:sonnet|opus|haiku|fable)"
# The ids of the API, and those of gateways and providers, which cannot be known.
_ID = re.compile(
    rf"claude-(?:{_OF_FAMILY}-\d+(?:-\d+)*|\d(?:-\d)?-{_OF_FAMILY}(?=-(?:20\d{{6}}|latest)))"
    r"(?:-20\d{6}|-latest)?(?:-fast)?(?:\[1m\])?",
    re.IGNORECASE,
)
_OF_PROVIDER = re.compile(r"[/:@]|^[a-z]{2,}\.(?=[a-z])|^[A-Z_]+$|\$")
# Words of somebody who has chosen no model: the session's was meant.
_NO_CHOICE = frozenset(
    {*("default", "auto", "claude", "any", "none", "null", "off", "n/a", "tbd", "unknown")}
    | {*("inherited", "inherits", "parent", "same", "session")}
)
# Words in the names of small models.
_SMALL = re.compile(r"(?<!ge)mini|nano|flash|lite|haiku|small|instant", re.IGNORECASE)


def is_alias(model: str) -> bool:
    """Whether the word is an alias, in upper or lower case, with a long context or not."""
    return model.lower().removesuffix("[1m]") in _ALIASES


def moved(model: str) -> str | None:
    """The alias of the model that replaces an old id, or None."""
    found = _MOVED.fullmatch(model)
    return found["family"].lower() if found is not None else None


def default_effort(model: str) -> str | None:
    """The effort of a model if none is set, or None if it takes none."""
    if is_alias(model) or moved(model):
        return "medium"
    if not takes_effort(model):
        return None
    return next((effort for ids, effort in _DEFAULTS if ids.search(model)), _USUAL)


def takes_effort(model: str) -> bool:
    """Whether a request for the model states an effort."""
    return moved(model) is not None or _NO_EFFORT.search(model) is None


def other_maker(model: str) -> str | None:
    """The alias nearest to a model of another maker, or None for a model of Claude."""
    if "claude" in model.lower() or "/" in model or _OTHERS.search(model) is None:
        return None
    return "haiku" if _SMALL.search(model) else "sonnet"


def display_name(model: str) -> str | None:
    """The alias for a display name such as `Claude Sonnet 4.5`, or None.

    A possible id of a provider or a gateway is not a display name.
    """
    if model.lower() in _NO_CHOICE:
        return INHERIT
    if is_alias(model) or _OF_PROVIDER.search(model) or _ID.fullmatch(model):
        return None
    words = [word.lower() for word in _WORD.findall(model)]
    family = next((word for word in words if word in _FAMILIES), None)
    return family if all(word in _FAMILIES | _BESIDE for word in words) else None
