"""The tables of `codex-templates`: keys, models, scopes and call parameters.

Facts: NeoGrAIph/codex at 9f82deac0f1b (docs/features/agent-templates.md,
codex-rs/core/src/agent/role_templates.rs, core/src/tools/spec.rs, core/models.json),
read 2026-11-27.
"""

from agent_lsp.dialects.codex_templates.policy import TOOLS
from agent_lsp.model.runtime import RoleHint
from agent_lsp.model.schema import Choice, Key, KeyRole, Model, Parameter, Source, ValueKind
from agent_lsp.model.template import ShippedStandIn

SOURCE = Source("NeoGrAIph/codex 9f82deac0f1b, docs/features/agent-templates.md", "2026-11-27")

EFFORTS = (
    Choice("none", "no reasoning; accepted with every model"),
    Choice("minimal", "as little reasoning as the model can do"),
    Choice("low", "short reasoning"),
    Choice("medium", "balanced"),
    Choice("high", "long reasoning"),
    Choice("xhigh", "the longest reasoning, on the models that have it"),
)

_MODEL = Key(
    "model",
    ValueKind.TEXT,
    "the model that the agent runs on, unless the `spawn_agent` call names another",
    "inherited from the agent that spawns",
    role=KeyRole.MODEL,
    example="gpt-5.2-codex",
)
_EFFORT = Key(
    "reasoning_effort",
    ValueKind.CHOICE,
    "how long the model reasons, unless the `spawn_agent` call says otherwise",
    "inherited from the agent that spawns",
    role=KeyRole.EFFORT,
    choices=EFFORTS,
    example="medium",
)

_PERSONA_KEYS = (
    Key(
        "name",
        ValueKind.TEXT,
        "the persona's name; the `<!-- agent_name: … -->` markers refer to it, case aside",
        "the header is refused",
        role=KeyRole.PERSONA_NAME,
        mandatory=True,
        nullable=False,
        required_by="the parser",
    ),
    Key(
        "description",
        ValueKind.TEXT,
        "what the persona is for, as `list_agents` shows it",
        "`list_agents` refuses the template",
        role=KeyRole.DESCRIPTION,
        required_by="list_agents",
    ),
    _MODEL,
    _EFFORT,
)

KEYS = (
    Key(
        "description",
        ValueKind.TEXT,
        "what the role is for, as `list_agents` and the `spawn_agent` schema show it",
        "`list_agents` refuses the template",
        role=KeyRole.DESCRIPTION,
        required_by="list_agents",
    ),
    _MODEL,
    _EFFORT,
    Key(
        "read_only",
        ValueKind.BOOL,
        "`true` forces the read-only sandbox on the spawned agent",
        "`false`: the sandbox of the agent that spawns",
        role=KeyRole.SANDBOX,
        nullable=False,
        choices=(
            Choice("true", "the spawned agent gets the read-only sandbox"),
            Choice("false", "the spawned agent inherits the sandbox"),
        ),
        example="true",
    ),
    Key(
        "agent_names",
        ValueKind.RECORDS,
        "the personas of this role; each needs a block `<!-- agent_name: … -->` in the body",
        "the role has no personas",
        role=KeyRole.PERSONAS,
        items=_PERSONA_KEYS,
        record="TemplateAgentNameEntry",
    ),
    Key(
        "allow_list",
        ValueKind.LIST,
        "the only tools that the agent keeps; exact names and patterns with `*` and `?`",
        "every tool that the runtime has",
        role=KeyRole.ALLOW,
    ),
    Key(
        "deny_list",
        ValueKind.LIST,
        "tools to remove, whatever `allow_list` says; exact names, and patterns with `*` and `?`",
        "nothing is removed",
        role=KeyRole.DENY,
    ),
)

_ALL = ("low", "medium", "high", "xhigh")
_TO_HIGH = ("low", "medium", "high")

MODELS = (
    Model("gpt-5.3-codex", _ALL),
    Model("gpt-5.2-codex", _ALL),
    Model("gpt-5.1-codex-max", _ALL),
    Model("gpt-5.2", _ALL),
    Model("gpt-5.1-codex", _TO_HIGH),
    Model("gpt-5.1", _TO_HIGH),
    Model("gpt-5-codex", _TO_HIGH),
    Model("gpt-5", ("minimal", *_TO_HIGH)),
    Model("gpt-5.1-codex-mini", ("medium", "high")),
    Model("gpt-5-codex-mini", ("medium", "high")),
)

# Applied before the template, so that a template which says nothing inherits these.
BUILTIN_ROLES = {
    "default": (None, None),
    "orchestrator": (None, None),
    "worker": (None, None),
    "explorer": ("gpt-5.1-codex-mini", "medium"),
}

# `spawn_agent_templates_hint` in role_templates.rs.
HINT = RoleHint(roles=12, longest=120)

# core/templates/agents/explorer.md.
STAND_INS = (
    ShippedStandIn("explorer", "deny_list", "mcp__*", "the names of 75 tools of four MCP servers"),
)

LIST_PARAMETERS = (
    Parameter("agent_type", str, "only this role", role=KeyRole.AGENT),
    Parameter("expanded", bool, "with models, efforts and prompts"),
)

SPAWN_PARAMETERS = (
    Parameter("agent_type", str, "the role; `default` loads no template", role=KeyRole.AGENT),
    Parameter("agent_name", str, "the persona", role=KeyRole.PERSONA_NAME),
    Parameter("model", str, "overrides every model of the template", role=KeyRole.MODEL),
    Parameter(
        "reasoning_effort", str, "overrides every effort of the template", role=KeyRole.EFFORT
    ),
    Parameter("thread_note", str, "the note by which the thread is known"),
    Parameter("working_directory", str, "another folder to work in; needs the user's approval"),
    Parameter("message", str, "the task", content=True, role=KeyRole.TASK),
    Parameter("items", list, "the task as structured input", content=True),
)

# Differences between document and code, and facts that the file does not show; hover shows them.
NOTES = {
    "file": (
        "the document ends the search at the nearest `.git`; the code at 9f82deac goes on to the "
        "root of the file system where there is none, and its user folder is `$CODEX_HOME/.agents`"
    ),
    "prompt": (
        "the document requires a default prompt; the code at 9f82deac asks for it only in "
        "`list_agents`, and spawns a file of personas alone"
    ),
    "agent_names": (
        "the document requires a description of each persona; the code at 9f82deac asks for it "
        "only in `list_agents`"
    ),
    "tools": (
        f"of the {len(TOOLS)} tools that this runtime can have, which ones a session has depends "
        "on its model, its features and its other settings"
    ),
    "user": (
        "when it starts, the runtime creates this folder and writes all its built-in templates "
        "into it, unless a file with one of their names exists"
    ),
}
