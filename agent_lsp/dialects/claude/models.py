"""Classifies the model of an agent, and finds those that Claude's API cannot have by this name.

Invariants: an id that a provider or a gateway may have is not reported; a model id may have any
prefix that ends in `.` or `/`, as for Bedrock and gateways, and any suffix behind its family; the
number may be on either side of the family.
Facts: Claude Code 2.1.332 at the first-party API, measured 2026-11-28
(`tests/conformance/claude-runtime.jsonl`). Aliases count in any case, also with a blank before
`[1m]`. Any other text is sent unchanged, except that a number of tokens such as `[2m]` at its end
is left out; `${VARIABLE}` is text. One that the runtime does not know is logged on the error stream
as `[claude-code:unrecognized_model]`; `default` counts for `--model` alone. The effort of the
header has precedence over that of the session, which only an agent with the session's own model
has; others have that of their model, and some models take none. An agent with a model that the
provider does not have fails at its first request: anthropics/claude-code 92715, and
code.claude.com/docs/model-config as of 2026-08-22, both read 2026-11-28.
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks import unknown_names as shared
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.suggest import distance, known_models
from agent_lsp.dialects.claude import entries
from agent_lsp.dialects.claude.facts import ALIASES, MEASURED
from agent_lsp.model.check import Check, Field, Finding
from agent_lsp.model.schema import KeyRole, Severity
from agent_lsp.patterns import regex
from agent_lsp.workspace.snapshot import TemplateFile

UNKNOWN = "the agent fails at its first request"
INHERIT = "inherit"
_ALIASES = frozenset(alias.name for alias in ALIASES) - {INHERIT}
# Ids for which the runtime asks for the newest model of the family instead.
_MOVED = regex(
    r"claude-(?P<family>opus)-4(?:-[01](?:-20\d{6})?|-20\d{6})(?:\[1m\])?", re.IGNORECASE
)
_NO_EFFORT = regex(
    r"claude-(?:3|opus-4(?!-\d(?!\d)|\.)|opus-4-[01](?!\d)|sonnet-4(?!-[1-46-9](?!\d))|haiku-4-5)",
    re.IGNORECASE,
)
_DEFAULTS = (
    (regex(r"claude-(?:opus|sonnet|haiku)-5-5|claude-fable-5-2", re.IGNORECASE), "medium"),
    (regex(r"claude-opus-4-7", re.IGNORECASE), "xhigh"),
)
# Ids that the runtime writes in lower case; it sends any other id as it is written.
_LOWERED = frozenset(
    {
        *("claude-opus-5-5", "claude-opus-5", "claude-opus-4-8", "claude-opus-4-7"),
        *("claude-opus-4-6", "claude-opus-4-5-20251101"),
        *("claude-sonnet-5-5", "claude-sonnet-5", "claude-sonnet-4-6"),
        *("claude-sonnet-4-5-20250929", "claude-sonnet-4-20250514"),
        *("claude-haiku-5-5", "claude-haiku-4-5-20251001"),
        *("claude-fable-5-2", "claude-fable-5-1", "claude-fable-5"),
        *("claude-3-5-haiku-20241022", "claude-3-7-sonnet-20250219"),
    }
)
_USUAL = "high"
# Words in the names of models of other makers, and of their families.
_OTHERS = regex(
    r"gpt|(?<![a-z])o[1-9](?![a-z])|codex|gemini|gemma|llama|mistral|mixtral|codestral|devstral|qwen"
    r"|deepseek|grok|kimi|glm|command-r|phi-?\d|nova|titan|minimax|davinci",
    re.IGNORECASE,
)
FAMILIES = ("sonnet", "opus", "haiku", "fable")
# Words that may be beside the family in a display name.
_BESIDE = frozenset(
    {
        *("claude", "anthropic", "latest", "thinking"),
        *("v", "model", "copilot", "preview", "default"),
        *("or", "and", "m", "k", "context"),
    }
)
_WORD = regex(r"[^\W\d_]+")
_ID = regex(
    r"claude-(?:(?P<family>[a-z]+)-(?P<version>\d{1,2}(?:-\d{1,2})?)"
    r"|(?P<old>\d(?:-\d)?)-(?P<old_family>[a-z]+))"
    r"(?P<date>-20\d{6}|-latest)?(?:-fast)?(?:\[1m\])?",
    re.IGNORECASE,
)
# The versions that the measured runtime knows; one without a date and of the old form may be a
# display name as well.
_VERSIONS = {
    "sonnet": {"4", "4-0", "4-5", "4-6", "5", "5-0", "5-5"},
    "opus": {"4", "4-0", "4-1", "4-5", "4-6", "4-7", "4-8", "5", "5-0", "5-5"},
    "haiku": {"4-5", "5-5"},
    "fable": {"5", "5-0", "5-1", "5-2"},
    "mythos": {"5", "5-0", "5-1", "5-2"},
}
_OLD_VERSIONS = {"sonnet": {"3", "3-5", "3-7"}, "opus": {"3"}, "haiku": {"3", "3-5"}}
_OTHER_IDS = frozenset({"claude-mythos-preview"})
# The ids of gateways and providers, which cannot be known.
_OF_PROVIDER = regex(r"[/:@]|^[a-z]{2,}\.(?=[a-z])|^[A-Z_]+$")
_PLACEHOLDER = regex(
    r"\$\{?\w+\}?|<[^<>]*>|\{\{.*|%\w+%|(?:your[-_ ])?model(?:[-_ ](?:here|name|id))?",
    re.IGNORECASE,
)
_TOKENS = regex(r"\s*\[\d+m\]", re.IGNORECASE)
_LONG = "[1m]"
_COMMENT = regex(r"\s#.*")
_BETWEEN = regex(r"\s*[/|,]\s*")
# Words of somebody who has chosen no model: the session's was meant.
_NO_CHOICE = frozenset(
    {*("default", "auto", "claude", "any", "none", "null", "off", "n/a", "tbd", "unknown")}
    | {*("inherited", "inherits", "parent", "same", "session")}
)
# Words for a size, by the alias of about that size.
_SIZES = {
    **dict.fromkeys(("small", "fast", "fastest", "quick", "cheap", "low", "light"), "haiku"),
    **dict.fromkeys(("lite", "mini", "lightweight", "simple", "economy"), "haiku"),
    **dict.fromkeys(("medium", "balanced", "standard", "normal", "mid", "general"), "sonnet"),
    **dict.fromkeys(("coding", "moderate", "regular", "midrange"), "sonnet"),
    **dict.fromkeys(("large", "big", "smart", "smartest", "strong", "strongest"), "opus"),
    **dict.fromkeys(("high", "heavy", "powerful", "reasoning", "premium", "max"), "opus"),
    **dict.fromkeys(("advanced", "complex", "pro", "ultra", "deep"), "opus"),
}
# Words in the names of small models.
_SMALL = regex(r"(?<!ge)mini|nano|flash|lite|haiku|small|instant", re.IGNORECASE)


def is_alias(model: str) -> bool:
    """Whether the word is an alias, in upper or lower case, with a long context or not."""
    return model.lower().removesuffix(_LONG).rstrip(entries.TRIMMED) in _ALIASES


def spelt(model: str) -> str:
    """An alias in the one spelling that it has here, a known id likewise; other text as it is."""
    word = model.lower()
    if word.removesuffix(_LONG) in _LOWERED:
        return word
    if not is_alias(model):
        return model
    return (
        f"{word.removesuffix(_LONG).rstrip(entries.TRIMMED)}{_LONG if word.endswith(_LONG) else ''}"
    )


def left_out(model: str) -> str:
    """The number of tokens at the end of a text, which is no part of the request, or nothing."""
    size = _TOKENS.search(model) if not is_alias(model) else None
    return size[0].strip() if size is not None and size.end() == len(model) else ""


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
    """The alias nearest to a model of another vendor, or None for a model of Claude."""
    if "claude" in model.lower() or "/" in model or _OTHERS.search(model) is None:
        return None
    return "haiku" if _SMALL.search(model) else "sonnet"


def display_name(model: str) -> str | None:
    """The alias for a word such as `Claude Sonnet 4.5`, `fast` or `opus/sonnet`, or None.

    A possible id of a provider or a gateway is neither.
    """
    if model.lower() in _NO_CHOICE:
        return INHERIT
    if model.lower() in _SIZES:
        return _SIZES[model.lower()]
    first, *others = _BETWEEN.split(model.lower())
    if others and all(one in _ALIASES for one in (first, *others)):
        return first
    if is_alias(model) or _OF_PROVIDER.search(model) or _is_id(model):
        return None
    words = [word.lower() for word in _WORD.findall(model)]
    family = next((word for word in words if word in FAMILIES), None)
    return family if all(word in {*FAMILIES, *_BESIDE} for word in words) else None


def _is_id(model: str) -> bool:
    """Whether the text has the form of an id of the API, be there such a model or not."""
    found = _ID.fullmatch(model)
    if found is None or found["family"]:
        return found is not None
    return found["old_family"].lower() not in FAMILIES or found["date"] is not None


def is_known(model: str) -> bool:
    """Whether the measured runtime knows this id of the API, or it may be one of a provider."""
    if not model.lower().startswith("claude-") or _OF_PROVIDER.search(model):
        return True
    found = _ID.fullmatch(model)
    if found is None:
        return model.lower() in _OTHER_IDS
    if found["family"]:
        return found["version"] in _VERSIONS.get(found["family"].lower(), ())
    return found["old"] in _OLD_VERSIONS.get(found["old_family"].lower(), ())


_MAKER = ("claude",)
# A shorter word with another letter is another word.
_SHORTEST = 5
_NAMED = regex(
    r"(?:^|(?<=[./]))(?P<maker>[a-z]{5,7})-(?:\d[\d.]*-)*(?P<family>[a-z]{3,8})(?![a-z])"
)


def _near_id(name: str) -> str | None:
    """The text with the maker and the family that its last id was meant to have, or None."""
    ids = tuple(_NAMED.finditer(name))
    if not ids:
        return None
    meant = name
    for part, words in (("family", FAMILIES), ("maker", _MAKER)):
        written = ids[-1][part]
        right = next((one for one in words if written == one or _is_typo(written, one)), "")
        if not right:
            return None
        meant = f"{meant[: ids[-1].start(part)]}{right}{meant[ids[-1].end(part) :]}"
    return meant if meant != name else None


def _is_typo(word: str, meant: str) -> bool:
    """Whether `word` is one slip away from `meant`, and is hardly a word of its own."""
    if word[:1] != meant[:1] or distance(word, meant, 1) != 1:
        return False
    is_longer = len(word) > len(meant)
    is_swapped = sorted(word) == sorted(meant)
    return is_longer or is_swapped or len(meant) >= _SHORTEST


def unknown_model(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a model that Claude's API cannot have by this name."""
    value = file.reading.effective.settings.get("model")
    if value is not None and is_alias(value.text):
        return
    found = tuple(shared.unknown_model(file))
    yield from found
    written = file.reading.declared.settings.get("model")
    if found or written is None or not header.parses(file):
        return
    known = known_models(file.dialect, file.options)
    near = _near_id(written.text) if written.text not in known else None
    if near is not None:
        thing = f"unknown model {code(written.text)}: unless the provider has it, {UNKNOWN}"
        yield Finding(written.span, f"{thing}; did you mean {code(near)}?", meant=(near,))
        return
    if value is None or not value.text or value.text in known or not header.loads(file):
        return
    model = value.text
    thing, meant = _mistake(model)
    effect = f"the runtime sends it unchanged, and unless a gateway has it, {UNKNOWN}"
    if thing:
        fix = f"; did you mean {code(meant)}?" if meant else "; write an alias or a model id"
        message = f"{thing}: {effect}{fix}"
        suggested = (meant,) if meant else ()
        yield Finding(value.span, message, Severity.WARNING, meant=suggested)
    elif not is_known(model):
        thing = f"{file.dialect.runtime} {MEASURED} does not know the model {code(model)}"
        message = f"{thing}: unless the provider has it, {UNKNOWN}"
        yield Finding(value.span, message, Severity.INFORMATION)


def _mistake(model: str) -> tuple[str, str]:
    """Why a text is no model of Claude, and the word that was meant; both may be empty."""
    if _PLACEHOLDER.fullmatch(model):
        return f"{code(model)} is a placeholder, and nothing takes its place", INHERIT
    bare = _COMMENT.sub("", model)
    if bare != model:
        thing = "the value is read as text, so the comment is part of it"
        return thing, bare if is_alias(bare) or _is_id(bare) else display_name(bare) or ""
    size = left_out(model)
    if size and size.lower() != _LONG:
        right = f"{model.removesuffix(size).rstrip()}{_LONG}"
        return f"{code(size)} is not a context size that the runtime knows", right
    alias = display_name(model)
    if alias is not None:
        return f"{code(model)} is neither an alias nor a model id", alias
    alias = other_maker(model)
    return (f"{code(model)} is a model of another vendor", alias) if alias else ("", "")


CHECKS: tuple[Check, ...] = (
    Check(
        ("unknown-model",),
        unknown_model,
        changes=frozenset({Field.KEY, Field.EFFORT}),
        needs=(KeyRole.MODEL,),
    ),
)
