"""Keys that the runtime does not know, or that another generation of it knows."""

from collections.abc import Iterator

from agent_lsp.analysis.checks.suggesting import finding
from agent_lsp.decoders import serde_toml
from agent_lsp.dialects.moltis import generation as generations
from agent_lsp.dialects.moltis import keys as tables
from agent_lsp.dialects.moltis import policy
from agent_lsp.dialects.moltis.checks.config import SHORT
from agent_lsp.dialects.moltis.config import Config, PresetKey
from agent_lsp.dialects.moltis.generation import Generation
from agent_lsp.model.check import Finding
from agent_lsp.syntax.nodes import Entry, Mapping, resolve
from agent_lsp.syntax.toml.edit import quote_key

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
        return tuple(generations.SEED if generation is Generation.SEED else generations.TODAY)
    return (*generations.SEED, *generations.TODAY)


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
# The replacements of keys in today's runtime, if there are any.
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
        f"`{other}` belongs to {SHORT[generation.other]}: {SHORT[generation]}, which "
        f"reads this file, ignores it and has `{own}`"
    )


def _key(config: Config, line: PresetKey) -> Iterator[Finding]:
    name, span = line.name, line.entry.key.span
    in_seed, in_today = name in generations.SEED, name in generations.TODAY
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
    table = generations.SEED if in_seed else generations.TODAY
    instead = f" and has `{_INSTEAD[name]}`" if name in _INSTEAD else ""
    yield finding(
        "other-generation",
        span,
        f"`{name}` belongs to {SHORT[knows]}, where it is {table[name].meaning}; {SHORT[own]}, "
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
