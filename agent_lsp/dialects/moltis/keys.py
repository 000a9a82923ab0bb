"""The keys of `[agents]` and of a preset in both generations, by which a file tells its own.

Invariants: the order of the keys is that of the runtime's record, since a record may be written as
a list; a key that both generations have is the same value in both tables; where no key tells a
generation, none is guessed.
Facts: crates/config/src/schema.rs of moltis-org/moltis at 33737298547866 (the generation of the
presets' document) and schema/agents.rs at 6bd2d118 (today's), read 2026-11-27.
"""

from collections.abc import Iterable
from enum import Enum
from functools import cache

from agent_lsp.data_classes import replace
from agent_lsp.dialects.moltis.facts import BUILT_IN
from agent_lsp.model.schema import Choice, Key, KeyRole, ValueKind

U32, U64 = "u32", "u64"

NAME = Key(
    "name",
    ValueKind.TEXT,
    "what the sub-agent is called in its prompt",
    "the prompt has no name",
    example="scout",
)
_EMOJI_SEED = Key(
    "emoji",
    ValueKind.TEXT,
    "a symbol for people; it never reaches the prompt",
    "no sign",
    example="🔍",
)
_EMOJI_TODAY = Key(
    "emoji",
    ValueKind.TEXT,
    "a symbol that the prompt shows in brackets after the name",
    "no sign",
    example="🔍",
)
THEME = Key(
    "theme",
    ValueKind.TEXT,
    "the style of the sub-agent, as the prompt says it",
    "the prompt does not mention a style",
    example="thorough and methodical",
)
_IDENTITY_SEED = (
    NAME,
    _EMOJI_SEED,
    Key(
        "creature",
        ValueKind.TEXT,
        "what the sub-agent is; the prompt has it only after a name",
        "the prompt does not mention it",
        example="helpful owl",
    ),
    Key(
        "vibe",
        ValueKind.TEXT,
        "the style of the sub-agent, as the prompt says it",
        "the prompt does not mention a style",
        example="focused and efficient",
    ),
    Key(
        "soul",
        ValueKind.TEXT,
        "free text about the personality, in the prompt unchanged",
        "the prompt does not mention it",
    ),
)
_IDENTITY_TODAY = (NAME, _EMOJI_TODAY, THEME)

ALLOW = Key(
    "allow",
    ValueKind.LIST,
    "the only tools that the sub-agent keeps, by their exact names; `[]` means all",
    "every tool but `spawn_agent`",
    role=KeyRole.ALLOW,
)
DENY = Key(
    "deny",
    ValueKind.LIST,
    "tools that the sub-agent does not have, by their exact names",
    "no tool is denied",
    role=KeyRole.DENY,
)
_TOOLS = (ALLOW, DENY)

MODEL = Key(
    "model",
    ValueKind.TEXT,
    "the model that the sub-agent runs on, unless the `spawn_agent` call names another",
    "the model of the agent that spawns",
    role=KeyRole.MODEL,
    example="anthropic/claude-sonnet-4-20250514",
)
SUFFIX = Key(
    "system_prompt_suffix",
    ValueKind.TEXT,
    "text at the end of the sub-agent's system prompt",
    "nothing is added",
)
_ITERATIONS_SEED = Key(
    "max_iterations",
    ValueKind.NUMBER,
    "the number of turns after which the sub-agent stops",
    "25",
    record=U32,
    example="25",
)
ITERATIONS = "`tools.agent_max_iterations` of the configuration, else 25"
_ITERATIONS_TODAY = replace(_ITERATIONS_SEED, record=U64, default=ITERATIONS)
_TIMEOUT_SEED = Key(
    "timeout_secs",
    ValueKind.NUMBER,
    "how many seconds the sub-agent may take",
    "600",
    record=U64,
    example="600",
)
_TIMEOUT_TODAY = Key(
    "timeout_secs",
    ValueKind.NUMBER,
    "how many seconds the sub-agent may take",
    "no limit",
    record=U64,
    example="600",
)
_SANDBOX_SEED = (
    Key("enabled", ValueKind.BOOL, "whether the sub-agent runs in a sandbox", "as its parent"),
    Key("image", ValueKind.TEXT, "the image of the sandbox", "the parent's"),
    Key("no_network", ValueKind.BOOL, "whether the sandbox has no network", "as the parent's"),
)
MODES = (
    Choice("off", "no sandbox"),
    Choice("all", "every session runs in a sandbox"),
    Choice("non-main", "every session but the main one runs in a sandbox"),
)
_SANDBOX_TODAY = (
    Key(
        "mode",
        ValueKind.CHOICE,
        "which sessions run in a sandbox",
        "as the runtime is configured",
        role=KeyRole.SANDBOX,
        choices=MODES,
        record="SandboxMode",
    ),
)
_SESSIONS = (
    Key("key_prefix", ValueKind.TEXT, "the prefix of the keys of visible sessions", "any"),
    Key("allowed_keys", ValueKind.LIST, "the keys of other visible sessions", "none more"),
    Key("can_send", ValueKind.BOOL, "whether the sub-agent may send to sessions", "`true`"),
    Key("cross_agent", ValueKind.BOOL, "whether it sees the sessions of other agents", "`false`"),
)
EFFORTS = (
    Choice("minimal", "as little reasoning as the model can do"),
    Choice("low", "short reasoning"),
    Choice("medium", "balanced"),
    Choice("high", "long reasoning"),
    Choice("xhigh", "the longest reasoning"),
)
# Seen in single files of later states only, so nobody is told that they are wrong.
LATER_EFFORTS = (
    Choice("extra-high", "longer than `high`, in runtimes after August 2026"),
    Choice("max", "as long as the model can, in runtimes after August 2026"),
)
LATER_KEYS = frozenset({"sandbox.force", "sandbox.mounts", "sandbox.run_as"})
_CHOICES = (
    Choice("auto", "the model decides whether it calls a tool"),
    Choice("any", "the model has to call some tool"),
    Choice("none", "the model may call no tool"),
    Choice("tool", "the model has to call the tool that `name` names"),
)
_CONTROLS = (
    Key("active_tools", ValueKind.LIST, "the tools that the model is shown", "all that are left"),
    Key(
        "tool_choice",
        ValueKind.TABLE,
        "whether the model has to call a tool, and which",
        "the model decides",
        items=(
            Key("type", ValueKind.CHOICE, "how the choice is made", "`auto`", choices=_CHOICES),
            Key("name", ValueKind.TEXT, "the tool that is forced, for `tool`", "none"),
        ),
        record="ToolChoice",
    ),
)
_MEMORY = (
    Key(
        "scope",
        ValueKind.CHOICE,
        "where the agent's memory file is",
        "`user`",
        choices=(
            Choice("user", "below `~/.moltis/agent-memory/`"),
            Choice("project", "below `.moltis/agent-memory/`"),
            Choice("local", "below `.moltis/agent-memory-local/`"),
        ),
        record="MemoryScope",
    ),
    Key("max_lines", ValueKind.NUMBER, "how many of its lines the prompt has", "200", record=U64),
)
_MCP = (
    Key(
        "allow_servers",
        ValueKind.LIST,
        "the only MCP servers; `[]` means none",
        "every server",
        role=KeyRole.SERVER,
    ),
    Key(
        "deny_servers",
        ValueKind.LIST,
        "MCP servers that it does not have",
        "no server is denied",
        role=KeyRole.SERVER,
    ),
)
_SKILLS = (
    Key(
        "allow",
        ValueKind.LIST,
        "the only skills that the sub-agent has, by their names or categories",
        "every skill",
        role=KeyRole.SKILL,
    ),
    Key(
        "deny",
        ValueKind.LIST,
        "skills that the sub-agent does not have, by their names or categories",
        "no skill is denied",
        role=KeyRole.SKILL,
    ),
)


def _table(name: str, record: str, items: tuple[Key, ...], meaning: str) -> Key:
    return Key(name, ValueKind.TABLE, meaning, "nothing is set", items=items, record=record)


_WHO = "who the sub-agent is, for the first sentences of its prompt"
_POLICY = "which tools the sub-agent has"
_BOX = "the sandbox that the sub-agent runs in"
_SEEN = "which sessions the sub-agent sees"

SEED_PRESET = (
    _table("identity", "AgentIdentity", _IDENTITY_SEED, _WHO),
    MODEL,
    _table("tools", "PresetToolPolicy", _TOOLS, _POLICY),
    SUFFIX,
    _ITERATIONS_SEED,
    _TIMEOUT_SEED,
    _table("sandbox", "PresetSandboxConfig", _SANDBOX_SEED, _BOX),
    _table("sessions", "SessionAccessPolicy", _SESSIONS, _SEEN),
)
TODAY_PRESET = (
    _table("identity", "AgentIdentity", _IDENTITY_TODAY, _WHO),
    MODEL,
    _table("tools", "PresetToolPolicy", _TOOLS, _POLICY),
    Key(
        "delegate_only",
        ValueKind.BOOL,
        "leaves the sub-agent nothing but the tools with which it delegates",
        "`false`",
    ),
    _table("tool_controls", "ToolControls", _CONTROLS, "which tools the model is shown and calls"),
    SUFFIX,
    _ITERATIONS_TODAY,
    _TIMEOUT_TODAY,
    _table("sessions", "SessionAccessPolicy", _SESSIONS, _SEEN),
    _table("memory", "PresetMemoryConfig", _MEMORY, "the memory that the sub-agent keeps"),
    Key(
        "reasoning_effort",
        ValueKind.CHOICE,
        "how long the model reasons; it overrides an `@reasoning-…` suffix of the model",
        "as the model is configured",
        role=KeyRole.EFFORT,
        choices=(*EFFORTS, *LATER_EFFORTS),
        record="ReasoningEffort",
    ),
    _table("mcp", "PresetMcpPolicy", _MCP, "which MCP servers the sub-agent has"),
    _table("sandbox", "PresetSandboxPolicy", _SANDBOX_TODAY, _BOX),
    _table("skills", "PresetSkillPolicy", _SKILLS, "which skills the sub-agent has"),
)

DEFAULT = Key(
    "default",
    ValueKind.TEXT,
    "the preset for calls of `spawn_agent` that name none",
    "such a call uses no preset",
    role=KeyRole.OTHER_AGENT,
)
DEFAULT_PRESET = Key(
    "default_preset",
    ValueKind.TEXT,
    "the preset for calls of `spawn_agent` that name none",
    "`research`",
    role=KeyRole.OTHER_AGENT,
    choices=tuple(Choice(preset.name, "a preset that is built in") for preset in BUILT_IN),
)
PRESETS = Key(
    "presets",
    ValueKind.TABLE,
    "the presets by name",
    "none but the built-in ones",
    is_named=True,
)
AGENTS = Key(
    "agents", ValueKind.TABLE, "the presets for sub-agents, and the default one", "no presets"
)
# Beside `[agents]`, for every agent; only the current runtime asks it about sub-agents.
TOOLS = "tools"
AGENT_ROUNDS = Key(
    "agent_max_iterations",
    ValueKind.NUMBER,
    "the number of turns after which an agent without its own limit stops",
    "25",
    record=U64,
)
# The document does not have them; they do nothing for a preset.
UNDOCUMENTED = ("multi_agent", "instances")


class Generation(Enum):
    """The runtime that the document on presets describes, or the current one."""

    SEED = "the older runtime (February 2026)"
    TODAY = "the current runtime (since March 2026)"

    @property
    def short(self) -> str:
        """The generation in a message, without the date."""
        return self.value.partition(" (")[0]

    @property
    def other(self) -> "Generation":
        """The other generation."""
        return Generation.TODAY if self is Generation.SEED else Generation.SEED


def generation_named(name: str) -> Generation | None:
    """The generation that goes by `name` in settings, or None."""
    return next((one for one, choice in _CHOSEN.items() if choice.name == name), None)


@cache
def preset_keys(generation: Generation | None) -> tuple[Key, ...]:
    """The keys of a preset; of an unknown generation those that both read alike."""
    if generation is None:
        return _shared(SEED_PRESET, TODAY_PRESET)
    return SEED_PRESET if generation is Generation.SEED else TODAY_PRESET


def agents_keys(generation: Generation) -> tuple[Key, ...]:
    """The keys of `[agents]` in the order of the record."""
    first = DEFAULT if generation is Generation.SEED else DEFAULT_PRESET
    return (first, PRESETS)


def generation_by_names(agents: Iterable[str], preset: Iterable[str]) -> Generation | None:
    """The generation that the names of keys tell: those of `[agents]`, and dotted those of presets.

    One key of today's is enough: its author has the current runtime, and what is older
    beside it was left over.
    """
    top, inner = frozenset(agents), frozenset(preset)
    if DEFAULT_PRESET.name in top or inner & ONLY_TODAY:
        return Generation.TODAY
    if DEFAULT.name in top or inner & ONLY_SEED:
        return Generation.SEED
    return None


def flat(table: tuple[Key, ...], prefix: str = "") -> dict[str, Key]:
    """The keys of a table and of those in it, by their dotted names."""
    found: dict[str, Key] = {}
    for key in table:
        dotted = f"{prefix}{key.name}"
        found[dotted] = key
        if key.kind is ValueKind.TABLE:
            found |= flat(key.items, f"{dotted}.")
    return found


def _shared(first: tuple[Key, ...], second: tuple[Key, ...]) -> tuple[Key, ...]:
    names = {key.name: key for key in second}
    both = []
    for key in first:
        other = names.get(key.name)
        if other is None or other.kind is not key.kind:
            continue
        items = _shared(key.items, other.items)
        both.append(
            Key(
                key.name,
                key.kind,
                key.meaning,
                key.default
                if key.default == other.default
                else f"{key.default} ({other.default} today)",
                key.role,
                items=items,
                # A value that one generation accepts is no error while the generation is unknown.
                record=key.record
                if key.kind is not ValueKind.NUMBER
                else max(key.record, other.record),
                example=key.example,
                choices=key.choices,
            )
        )
    return tuple(both)


_CHOSEN = {
    Generation.SEED: Choice("document", Generation.SEED.value),
    Generation.TODAY: Choice("today", Generation.TODAY.value),
}
GENERATIONS = tuple(_CHOSEN.values())
SEED = flat(SEED_PRESET)
TODAY = flat(TODAY_PRESET)
# Both, as far as one table can show them; the names are those of settings.
DOTTED = tuple(
    replace(key, name=name)
    for name, key in (SEED | TODAY).items()
    if key.kind is not ValueKind.TABLE
)
ONLY_SEED = frozenset(SEED) - frozenset(TODAY)
ONLY_TODAY = frozenset(TODAY) - frozenset(SEED)

# The text that hovers add for keys of only one generation.
_SEED_ONLY = "the current runtime ignores it"
_TODAY_ONLY = "the older runtime ignores it"
NOTES = dict.fromkeys(ONLY_SEED, _SEED_ONLY) | dict.fromkeys(ONLY_TODAY, _TODAY_ONLY)
