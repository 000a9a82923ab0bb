"""Checks a preset: keys that the runtime does not know, and tool policies that leave nothing."""

from collections.abc import Iterator

from agent_lsp.analysis.checks.messages import finding
from agent_lsp.data_classes import replace
from agent_lsp.decoders import serde_toml
from agent_lsp.dialects.moltis import keys as tables
from agent_lsp.dialects.moltis import policy
from agent_lsp.dialects.moltis.keys import Generation
from agent_lsp.dialects.moltis.policy import (
    LIST,
    RENAMED,
    SEED_TOOLS,
    SEND,
    SPAWN,
    TODAY_TOOLS,
    TOOLS,
)
from agent_lsp.dialects.moltis.reading import Config, Preset, PresetKey
from agent_lsp.model.check import Finding
from agent_lsp.model.schema import Severity
from agent_lsp.model.template import Value
from agent_lsp.syntax.nodes import Entry, Mapping, resolve
from agent_lsp.syntax.toml.edit import quote_key
from agent_lsp.text import Span

# The names of the tool policy in other systems, without case and separators.
_BORROWED = {
    policy.ALLOW: "allow allowed allowlist allowtools allowedtools toolsallow toolsallowed "
    "enabledtools whitelist",
    policy.DENY: "deny denied denylist denytools deniedtools disallowedtools toolsdeny "
    "toolsdenied disabledtools excludedtools blacklist blockedtools",
    "system_prompt_suffix": "prompt systemprompt instructions suffix",
    "max_iterations": "maxturns maxsteps iterations",
    "timeout_secs": "timeout timeoutseconds",
}
_SEPARATORS = str.maketrans("", "", "-_ .")
_LOST = {policy.ALLOW: ", so it restricts no tools", policy.DENY: ", so it restricts no tools"}


def known(generation: Generation | None) -> tuple[str, ...]:
    """The dotted names of the keys of a preset; of an unknown generation those of both."""
    if generation is not None:
        return tuple(tables.SEED if generation is Generation.SEED else tables.TODAY)
    return (*tables.SEED, *tables.TODAY)


def belongs(name: str, generation: Generation | None) -> str | None:
    """The dotted name of the key that `name`, a dotted name too, is in the wrong place."""
    table, _, last = name.rpartition(".")
    names = known(generation)
    # The policy comes first of all tables that have the same key.
    at_top = [other for other in names if other == last and table]
    inside = [other for other in names if "." in other and other.rpartition(".")[2] == last]
    preferred = [policy.ALLOW, policy.DENY, "identity.name"]
    found = (*at_top, *(one for one in preferred if one in inside), *inside, "")[0]
    if not found:
        folded = last.casefold().translate(_SEPARATORS)
        found = next((key for key, words in _BORROWED.items() if folded in words.split()), "")
        if found.rpartition(".") == (table, "." * bool(table), folded):
            # Another spelling of a key of this table is no key of another one.
            return None
    return found if found and found != name else None


def place(found: str, table: str) -> str:
    """What is lost, and how the key `found` is written that now stands in `table`."""
    inner, _, last = found.rpartition(".")
    if inner == table:
        how = f"its name here is `{last}`"
    elif inner:
        how = f"of a preset it is `{found}`"
    else:
        how = f"`{last}` is a key of the preset itself, not of `{table}`"
    return f"{_LOST.get(found, '')}; {how}"


_AGENTS = (
    tables.DEFAULT.name,
    tables.DEFAULT_PRESET.name,
    tables.PRESETS.name,
    *tables.UNDOCUMENTED,
)
_TOP = {Generation.SEED: tables.DEFAULT, Generation.TODAY: tables.DEFAULT_PRESET}
# The replacements of keys in the current runtime, if there are any.
_INSTEAD = {
    "identity.vibe": "identity.theme",
    "identity.theme": "identity.vibe",
    "sandbox.enabled": "sandbox.mode",
    "sandbox.mode": "sandbox.enabled",
}


def keys(config: Config) -> Iterator[Finding]:
    """The keys of `[agents]` and of the presets that do nothing here."""
    for entry in config.lines:
        name, span = entry.name or "", entry.key.span
        if serde_toml.VARIABLE.search(name):
            continue
        if name not in _AGENTS:
            yield _stranger(entry, config.generation)
        elif config.generation is not None and name == _TOP[config.generation.other].name:
            instead = _TOP[config.generation].name
            message = _default(config.generation)
            yield finding("other-generation", span, message, instead=instead)
    for preset in config.presets:
        for line in preset.lines:
            yield from _key(config, line)


def _default(generation: Generation) -> str:
    own, other = _TOP[generation].name, _TOP[generation.other].name
    return (
        f"`{other}` belongs to {generation.other.short}: {generation.short}, which "
        f"reads this file, ignores it and has `{own}`"
    )


def _key(config: Config, line: PresetKey) -> Iterator[Finding]:
    name, span = line.name, line.entry.key.span
    in_seed, in_today = name in tables.SEED, name in tables.TODAY
    if not in_seed and not in_today:
        if name not in tables.LATER_KEYS and not serde_toml.VARIABLE.search(name):
            yield _unknown(line, config.generation)
        return
    own = config.generation
    if own is None or (in_seed and in_today):
        return
    knows = Generation.SEED if in_seed else Generation.TODAY
    if knows is own:
        return
    table = tables.SEED if in_seed else tables.TODAY
    instead = f" and has `{_INSTEAD[name]}`" if name in _INSTEAD else ""
    yield finding(
        "other-generation",
        span,
        f"`{name}` belongs to {knows.short}, where it is {table[name].meaning}; {own.short}, "
        f"which reads this file, ignores it{instead}",
        instead=_INSTEAD.get(name, "").rpartition(".")[2],
    )


def _stranger(entry: Entry, generation: Generation | None) -> Finding:
    """That `[agents]` has no such key: it may be one of a preset, or be a preset."""
    name, value = entry.name or "", resolve(entry.value)
    message = f"unknown key `{name}` in `[agents]`: the runtime ignores it"
    inner = {key.name or "" for key in value.entries} if isinstance(value, Mapping) else set()
    names = known(generation)
    if name in names:
        message += f"; `{name}` is a key of a preset, `[agents.presets.<name>]`"
        return finding("unknown-key", entry.key.span, message, word=name)
    if inner.intersection(names):
        message += f"; a preset of this name is `[agents.presets.{quote_key(name)}]`"
        return finding("unknown-key", entry.key.span, message, word=name)
    return finding("unknown-key", entry.key.span, message, word=name, candidates=_AGENTS[:3])


def _unknown(line: PresetKey, generation: Generation | None) -> Finding:
    """Reports an unknown key; its neighbours are those of the same table."""
    table, _, last = line.name.rpartition(".")
    prefix = f"{table}." if table else ""
    span, where = line.entry.key.span, f" in `{table}`" if table else ""
    message = f"unknown key `{last}`{where}: the runtime ignores it"
    moved = belongs(line.name, generation)
    if moved is not None:
        # From within a table no key leads to the preset's own, or to another table.
        is_here = not table or moved.rpartition(".")[0] == table
        instead = moved if not table else moved.rpartition(".")[2]
        message += place(moved, table)
        return finding("unknown-key", span, message, word=last, instead=instead * is_here)
    names = known(generation)
    inner = [name.removeprefix(prefix) for name in names if name.startswith(prefix)]
    here = tuple(dict.fromkeys(name for name in inner if "." not in name))
    lost = {"tools": ", so it restricts no tools", "sandbox": ", so it restricts no sandbox"}
    message += lost.get(table, "")
    return finding("unknown-key", span, message, word=last, candidates=here)


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
        message = f"the current runtime has no `{word}`; its tool for that is `{RENAMED[word]}`"
        yield finding("renamed-tool", entry.span, message, deprecated=True, instead=RENAMED[word])
    elif name == policy.ALLOW and word in RENAMED:
        message = (
            f"no runtime has a tool `{word}`: only the documentation of presets has it, and "
            "the current runtime "
            f"calls it `{RENAMED[word]}`"
        )
        yield finding("renamed-tool", entry.span, message, Severity.INFORMATION)
    elif config.generation is Generation.SEED and word not in _SEED:
        message = (
            f"only the current runtime has a tool `{word}`; the older runtime, "
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
