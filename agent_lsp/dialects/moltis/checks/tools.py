"""The tool policy of a preset: names that do nothing, and a policy that leaves nothing."""

from collections.abc import Iterator
from dataclasses import replace

from agent_lsp.analysis.checks.suggesting import finding
from agent_lsp.decoders import serde_toml
from agent_lsp.dialects.moltis import policy
from agent_lsp.dialects.moltis.config import Config, Preset
from agent_lsp.dialects.moltis.generation import Generation
from agent_lsp.dialects.moltis.tools import (
    LIST,
    RENAMED,
    SEED_TOOLS,
    SEND,
    SPAWN,
    TODAY_TOOLS,
    TOOLS,
)
from agent_lsp.model.check import Finding
from agent_lsp.model.schema import Severity
from agent_lsp.model.template import Value
from agent_lsp.text import Span

_SEED = frozenset(tool.name for tool in SEED_TOOLS)
_TODAY = frozenset(tool.name for tool in TODAY_TOOLS)
_ALL = _SEED | _TODAY
_NAMES = tuple(tool.name for tool in TOOLS)
# The findings on entries that allow nothing.
_VOID = ("renamed-tool", "no-effect")


def tools(config: Config, preset: Preset) -> Iterator[Finding]:
    """The remarks on `tools.allow` and `tools.deny` of one preset."""
    values = preset.settings
    allow, deny = policy.items(values, policy.ALLOW), policy.items(values, policy.DENY)
    delegating = policy.delegates(values)
    lost = () if delegating else tuple(_nothing_left(allow, deny))
    is_void = not delegating and not lost and _only_void(config, allow, deny)
    for name, entries in ((policy.ALLOW, allow), (policy.DENY, deny)):
        for entry in entries:
            # A finding on an empty toolset says more than one on a removed entry.
            if not (lost and name == policy.ALLOW and entry.text == SPAWN):
                for remark in _entry(config, name, entry, delegating=delegating):
                    is_fatal = is_void and name == policy.ALLOW and remark.code in _VOID
                    yield _fatal(remark) if is_fatal else remark
    if delegating:
        yield from _ignored(values.get(policy.ALLOW))
        return
    yield from _redundant(config, allow, deny)
    yield from lost
    yield from _blind(allow, deny)


def _entry(config: Config, name: str, entry: Value, *, delegating: bool) -> Iterator[Finding]:
    word = entry.text
    if serde_toml.VARIABLE.search(word) or policy.cannot_tell(word):
        return
    if word == SPAWN and name == policy.DENY and not delegating:
        # The document's own examples deny it, to be on the safe side.
        return
    if word == SPAWN:
        yield _spawn(name, entry, delegating=delegating)
    elif policy.looks_like_pattern(word):
        message = f"`{word}` matches no tool of a spawned sub-agent: names are compared exactly"
        yield finding("no-effect", entry.span, message)
    elif word not in _ALL:
        meant = tuple(_known(config.generation))
        message = f"unknown tool `{word}`: {_consequence(name)}"
        yield finding("unknown-tool", entry.span, message, word=word, candidates=meant)
    elif config.generation is Generation.TODAY and word in RENAMED:
        message = f"today's runtime has no `{word}`; its tool for that is `{RENAMED[word]}`"
        yield finding("renamed-tool", entry.span, message, deprecated=True, instead=RENAMED[word])
    elif name == policy.ALLOW and word in RENAMED:
        message = (
            f"no runtime has a tool `{word}`: the presets' document writes it, and today's runtime "
            f"calls it `{RENAMED[word]}`"
        )
        yield finding("renamed-tool", entry.span, message, Severity.INFORMATION)
    elif config.generation is Generation.SEED and word not in _SEED:
        message = (
            f"only today's runtime has a tool `{word}`; the runtime of the presets' document, "
            "which reads this file, has none of this name"
        )
        yield finding("other-generation", entry.span, message)


def _known(generation: Generation | None) -> Iterator[str]:
    for name in _NAMES:
        old, new = name in _SEED, name in _TODAY
        if (old or generation is not Generation.SEED) and (
            new or generation is not Generation.TODAY
        ):
            yield name


def _consequence(name: str) -> str:
    return "the entry allows nothing" if name == policy.ALLOW else "the entry denies nothing"


def _spawn(name: str, entry: Value, *, delegating: bool) -> Finding:
    if delegating:
        message = f"no effect: `{policy.DELEGATE}` gives `{SPAWN}` back, whatever `{name}` says"
        return finding("no-effect", entry.span, message)
    message = f"no effect: `{SPAWN}` is always removed from a sub-agent, whatever `{name}` says"
    return finding("no-effect", entry.span, message)


def _ignored(allow: Value | None) -> Iterator[Finding]:
    if allow is not None and allow.items:
        yield finding(
            "no-effect",
            allow.key or allow.span,
            f"no effect: with `{policy.DELEGATE}` the tools are fixed, and only `{policy.DENY}` "
            "applies",
        )


def _redundant(
    config: Config, allow: tuple[Value, ...], deny: tuple[Value, ...]
) -> Iterator[Finding]:
    names = [entry.text for entry in allow]
    # Today's sessions read patterns, so that a name may be allowed by one.
    covers = config.generation is not Generation.SEED and any(map(policy.looks_like_pattern, names))
    for entry in deny if allow and not covers and not _may_be_more(allow) else ():
        if entry.text not in names and _is_tool(entry.text):
            message = f"`{entry.text}` is not in `{policy.ALLOW}`, so there is nothing to deny"
            yield finding("redundant-entry", entry.span, message, unnecessary=True)
    for entries in (allow, deny):
        seen: set[str] = set()
        for entry in entries:
            if entry.text in seen:
                message = f"the list has `{entry.text}` already"
                yield finding("redundant-entry", entry.span, message, unnecessary=True)
            seen.add(entry.text)


def _is_tool(word: str) -> bool:
    """Whether `word` names a tool that a list may give or take; what is none is said elsewhere."""
    return word != SPAWN and (word in _ALL or policy.cannot_tell(word))


def _may_be_more(entries: tuple[Value, ...]) -> bool:
    """Whether a variable may bring in any name."""
    return any(serde_toml.VARIABLE.search(entry.text) for entry in entries)


def _fatal(remark: Finding) -> Finding:
    message = f"{remark.message}: the sub-agent is left without any tool"
    return replace(remark, message=message, severity=Severity.WARNING)


def _only_void(config: Config, allow: tuple[Value, ...], deny: tuple[Value, ...]) -> bool:
    """Whether all that is allowed and not denied is a pattern, or has another name today."""
    denied = {entry.text for entry in deny} | {SPAWN}
    left = [entry.text for entry in allow if entry.text not in denied]
    renamed = RENAMED if config.generation is Generation.TODAY else {}
    return bool(left) and all(policy.looks_like_pattern(name) or name in renamed for name in left)


def _nothing_left(allow: tuple[Value, ...], deny: tuple[Value, ...]) -> Iterator[Finding]:
    if not allow or _may_be_more(allow):
        return
    denied = {entry.text for entry in deny} | {SPAWN}
    left = [entry.text for entry in allow if entry.text not in denied]
    # An unknown or old tool, or a pattern, has its own finding.
    if not left:
        span = Span(allow[0].span.start, allow[-1].span.end)
        message = "the sub-agent is left without any tool: all that is allowed is removed again"
        if any(entry.text == SPAWN for entry in allow):
            message += f", and `{SPAWN}` always"
        yield finding("no-tools", span, message)


def _blind(allow: tuple[Value, ...], deny: tuple[Value, ...]) -> Iterator[Finding]:
    """A sub-agent that can send to sessions and cannot find any."""
    denied = {entry.text for entry in deny}
    names = {entry.text for entry in allow}
    sending = next((entry for entry in allow if entry.text == SEND), None)
    if sending is None or SEND in denied or _may_be_more((*allow, *deny)):
        return
    if LIST not in names or LIST in denied:
        message = f"without `{LIST}` the sub-agent cannot find the sessions that `{SEND}` sends to"
        yield finding("sessions-without-list", sending.span, message)
