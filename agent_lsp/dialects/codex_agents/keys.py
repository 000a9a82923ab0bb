"""The keys of an agent's file: its own, those of `config.toml` with an effect, and the others.

Facts: which keys are accepted, refused and in effect was measured with `@openai/codex` 0.171.0;
the types of those without an effect are `ConfigToml` in codex-rs/config/src/config_toml.rs of
openai/codex at 00e9f068e20e. Both 2026-11-28.
"""

from agent_lsp.dialects.codex_agents.idle_keys import (
    APPROVAL,
    APPROVALS,
    AS_SESSION,
    OTHERS,
    SANDBOX_MODE,
    SANDBOXES,
    SERVERS,
    UNTYPED,
    WITHOUT_EFFECT,
)
from agent_lsp.model.schema import Choice, Key, KeyRole, ValueKind

__all__ = [
    "APPROVAL",
    "APPROVALS",
    "OTHERS",
    "SANDBOXES",
    "SANDBOX_MODE",
    "SERVERS",
    "UNTYPED",
]
MEASURED = "0.171.0"
PROMPT = "developer_instructions"
NICKNAMES = "nickname_candidates"
EFFORT = "model_reasoning_effort"
SHELL = "features.shell_tool"
AGENTS = "agents"

# Any word is read; a model supports a few of these.
EFFORTS = (
    Choice("low", "short reasoning"),
    Choice("medium", "balanced"),
    Choice("high", "long reasoning"),
    Choice("xhigh", "longer than `high`"),
    Choice("max", "longer than `xhigh`, where the model has it"),
    Choice("ultra", "the longest, where the model has it"),
    Choice("minimal", "no model of this release supports it"),
    Choice("none", "no model of this release supports it"),
)
OWN = (
    Key(
        "name",
        ValueKind.TEXT,
        "the name by which the agent is called, without spaces around it; case matters, and the "
        "name of the file does not",
        "the file is refused, unless a table in `config.toml` names it",
        role=KeyRole.AGENT,
        required_by="the runtime",
        example="reviewer",
    ),
    Key(
        "description",
        ValueKind.TEXT,
        "what the agent is for; the model reads it in the description of `agent_type`",
        "the description of an agent of this name in a lower layer; else the file is refused",
        role=KeyRole.DESCRIPTION,
        required_by="the runtime",
        example="Reviews changes for mistakes.",
    ),
    Key(
        PROMPT,
        ValueKind.TEXT,
        "the prompt, word for word; it replaces the session's own `developer_instructions`",
        "the file is refused, unless a table in `config.toml` names it",
        role=KeyRole.PROMPT,
        required_by="the runtime",
    ),
    Key(
        NICKNAMES,
        ValueKind.LIST,
        "names for display, of which a spawned agent gets one: ASCII letters, digits, spaces, "
        "`-` and `_`",
        "names of scientists",
    ),
)
_SKILL = (
    Key(
        "name",
        ValueKind.TEXT,
        "the name of a skill, as in its header",
        "`path` says which",
        role=KeyRole.SKILL,
    ),
    Key("path", ValueKind.TEXT, "its `SKILL.md`, relative to this file", "`name` says which"),
    Key(
        "enabled",
        ValueKind.BOOL,
        "`false` switches the skill off for the agent; `true` does nothing",
        "the file is refused",
        mandatory=True,
    ),
)
EFFECTIVE = (
    Key(
        "model",
        ValueKind.TEXT,
        "the model of the agent, which no call can change",
        "the call's `model`, then `agents.default_subagent_model`, then the model of the agent "
        "that spawns",
        role=KeyRole.MODEL,
        example="gpt-6.2-sol",
    ),
    Key(
        EFFORT,
        ValueKind.TEXT,
        "how long the model reasons; Codex refuses each spawn with a level that the model does "
        "not have",
        "the call's `reasoning_effort`, then `agents.default_subagent_reasoning_effort`, then the "
        "effort of the agent that spawns",
        role=KeyRole.EFFORT,
        choices=EFFORTS,
    ),
    Key(
        "model_reasoning_summary",
        ValueKind.CHOICE,
        "how the reasoning is summarized",
        AS_SESSION,
        choices=(
            Choice("auto", "as the model has it"),
            Choice("concise", "short"),
            Choice("detailed", "long"),
            Choice("none", "not at all"),
        ),
    ),
    Key(
        "model_verbosity",
        ValueKind.CHOICE,
        "how much the model writes",
        AS_SESSION,
        choices=(
            Choice("low", "little"),
            Choice("medium", "balanced"),
            Choice("high", "much"),
        ),
    ),
    Key(
        "features",
        ValueKind.TABLE,
        "`shell_tool = false` removes the tools for commands; `true` adds nothing",
        AS_SESSION,
        items=(
            Key(
                "shell_tool",
                ValueKind.BOOL,
                "`false` removes `exec_command` and `write_stdin`; `true` does nothing",
                "the agent can run commands if its session can",
            ),
        ),
        record="FeaturesToml",
    ),
    Key(
        "skills",
        ValueKind.TABLE,
        "switches skills off for the agent",
        "the skills of the session",
        items=(
            Key("config", ValueKind.RECORDS, "one skill each", "no skill is off", items=_SKILL),
            Key(
                "bundled",
                ValueKind.TABLE,
                "the skills that come with Codex",
                "as the session has them",
                items=(Key("enabled", ValueKind.BOOL, "`false` switches them off", "they are on"),),
                record="BundledSkillsConfig",
            ),
            Key(
                "include_instructions",
                ValueKind.BOOL,
                "`false` leaves the list of skills out of the prompt",
                "the list is in the prompt",
            ),
        ),
        record="SkillsConfig",
    ),
)
KEYS = (*OWN, *EFFECTIVE, *WITHOUT_EFFECT)
TYPED = {key.name: key for key in (*OWN, *EFFECTIVE, *OTHERS)}
ACCEPTED = frozenset(TYPED) | UNTYPED
NO_EFFECT = ACCEPTED - {key.name for key in (*OWN, *EFFECTIVE)}
