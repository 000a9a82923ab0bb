"""The keys of `[agents]` in a `config.toml`: settings of the session, and a table for each role.

Facts: measured with `@openai/codex` 0.171.0, 2026-11-28 and 2026-11-29, in files of a project and
of a user: which values are refused, what an unknown key does, and what each switch takes away.
"""

from agent_lsp.dialects.codex_agents import facts, keys
from agent_lsp.model.schema import Choice, Key, KeyRole, ValueKind

DESCRIPTION, FILE = "description", "config_file"
ENABLED, DEPTH = "enabled", "max_depth"
THREADS, SHORT_THREADS = "max_concurrent_threads_per_session", "max_threads"
DEFAULT_MODEL, DEFAULT_EFFORT = "default_subagent_model", "default_subagent_reasoning_effort"
MODELS = tuple(Choice(model.name, "a model that Codex lists") for model in facts.MODELS)
_THREADS = (
    "the maximum number of agents that a session runs at once; at least 1, or Codex does not start"
)

SETTINGS = (
    Key(
        ENABLED,
        ValueKind.BOOL,
        "whether the session has agent tools; `false` removes them without a warning",
        "the session has them",
    ),
    Key(
        DEPTH,
        ValueKind.NUMBER,
        "how deep agents may start agents with tools of the first kind; 0 removes the tools",
        "1: an agent of the session starts no other",
        record="i32",
    ),
    Key(SHORT_THREADS, ValueKind.NUMBER, _THREADS, "6", record="usize"),
    Key(
        THREADS,
        ValueKind.NUMBER,
        f"the long name of `{SHORT_THREADS}`; if a table has both, Codex reads no role",
        "6",
        record="usize",
    ),
    Key(
        "job_max_runtime_seconds",
        ValueKind.NUMBER,
        "the longest time of an agent job",
        "the default of Codex",
        record="u64",
    ),
    Key(
        "interrupt_message",
        ValueKind.BOOL,
        "whether an agent gets a message that it was interrupted",
        "the default of Codex",
    ),
    Key(
        DEFAULT_MODEL,
        ValueKind.TEXT,
        "the model of agents for which neither the file nor the call names one; if Codex does "
        "not list it, it refuses "
        "each spawn whose call names no other, even if the file names one",
        "the model of the agent that spawns",
        choices=MODELS,
    ),
    Key(
        DEFAULT_EFFORT,
        ValueKind.TEXT,
        "the effort of agents for which neither the file nor the call names one",
        "the effort of the agent that spawns",
        choices=keys.EFFORTS,
    ),
)
ROLE = (
    Key(
        DESCRIPTION,
        ValueKind.TEXT,
        "what the agent is for; the description in its file overrides this one",
        "the description in its file, or in a lower layer; without one there is no agent",
        role=KeyRole.DESCRIPTION,
        example="Reviews changes for mistakes.",
    ),
    Key(
        FILE,
        ValueKind.TEXT,
        "the agent's file, relative to this one; such a file needs neither `name` nor "
        "`developer_instructions`",
        "the file of a lower layer; without one the agent is the caller under another name",
        record="path string",
        example="agents/reviewer.toml",
    ),
    Key(
        keys.NICKNAMES,
        ValueKind.LIST,
        "names for display, unless the file has its own: ASCII letters, digits, spaces, `-` and "
        "`_`",
        "names of scientists",
    ),
)
NAMES = frozenset(key.name for key in SETTINGS)


def role(name: str) -> Key:
    """The key for the table of the role called `name`."""
    return Key(
        name,
        ValueKind.TABLE,
        "an agent that this file declares",
        "",
        items=ROLE,
        record="AgentRoleToml",
    )
