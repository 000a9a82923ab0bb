"""The keys of an agent's file: its own, those of `config.toml` with an effect, and the others.

Facts: which keys are accepted, refused and in effect was measured with `@openai/codex` 0.171.0;
the types of those without an effect are `ConfigToml` in codex-rs/config/src/config_toml.rs of
openai/codex at 00e9f068e20e. Both 2026-11-28.
"""

from agent_lsp.model.schema import Choice, Key, KeyRole, ValueKind

AS_SESSION = "as the session has it"
SANDBOXES = (
    Choice("read-only", "commands may not write"),
    Choice("workspace-write", "commands may write in the workspace"),
    Choice("danger-full-access", "commands may do anything"),
)
APPROVALS = (
    Choice("untrusted", "asks before commands that it does not trust"),
    Choice("on-failure", "asks when a command fails in the sandbox"),
    Choice("on-request", "asks when the model wants to leave the sandbox"),
    Choice("never", "never asks"),
)

_NONE = "checked when the file is read, and without an effect for the agent"
_MAP = "a map"
# The value of each name in a table of texts.
_EACH = (Key("", ValueKind.TEXT, "a text", ""),)


def _enum(name: str, words: str) -> Key:
    choices = tuple(Choice(word, "") for word in words.split())
    return Key(name, ValueKind.CHOICE, _NONE, AS_SESSION, choices=choices)


_SERVER = (
    Key("command", ValueKind.TEXT, "the program of a server", "`url` is needed"),
    Key("args", ValueKind.LIST, "its arguments", "none"),
    Key("url", ValueKind.TEXT, "the address of a server", "`command` is needed"),
    Key("cwd", ValueKind.TEXT, "the folder in which it starts", "the session's"),
    Key("env", ValueKind.TABLE, "its variables", "none", items=_EACH, is_named=True, record=_MAP),
    Key("bearer_token_env_var", ValueKind.TEXT, "the variable with its token", "none"),
    *(
        Key(name, ValueKind.TABLE, "headers", "none", items=_EACH, is_named=True, record=_MAP)
        for name in ("http_headers", "env_http_headers")
    ),
    Key("scopes", ValueKind.LIST, "the scopes to ask for", "none"),
    Key("required", ValueKind.BOOL, "whether the session needs it", "`false`"),
    Key(
        "tools",
        ValueKind.TABLE,
        "how its tools are approved",
        "as the session does",
        items=(_enum("approval_mode", "auto prompt writes approve"),),
        is_named=True,
        record=_MAP,
    ),
    Key("enabled", ValueKind.BOOL, "whether the server is on", "`true`"),
    Key("enabled_tools", ValueKind.LIST, "the only tools of the server", "all"),
    Key("disabled_tools", ValueKind.LIST, "tools of the server that are off", "none"),
    Key(
        "startup_timeout_sec",
        ValueKind.NUMBER,
        "seconds to start",
        "the default",
        record="f64",
        has_fraction=True,
    ),
    Key(
        "tool_timeout_sec",
        ValueKind.NUMBER,
        "seconds for a call",
        "the default",
        record="f64",
        has_fraction=True,
    ),
)
SANDBOX_MODE, APPROVAL, SERVERS = "sandbox_mode", "approval_policy", "mcp_servers"
WITHOUT_EFFECT = (
    Key(SANDBOX_MODE, ValueKind.CHOICE, _NONE, AS_SESSION, choices=SANDBOXES),
    Key(APPROVAL, ValueKind.CHOICE, _NONE, AS_SESSION, choices=APPROVALS),
    Key(
        SERVERS,
        ValueKind.TABLE,
        _NONE,
        "the servers of the session",
        items=_SERVER,
        is_named=True,
        record="a map",
    ),
    _enum("web_search", "disabled cached indexed live"),
    Key("tools", ValueKind.TABLE, _NONE, AS_SESSION, record="ToolsToml"),
)


def _of(kind: ValueKind, names: str, record: str = "") -> tuple[Key, ...]:
    return tuple(Key(name, kind, _NONE, AS_SESSION, record=record) for name in names.split())


def _structs(names: dict[str, str]) -> tuple[Key, ...]:
    return tuple(
        Key(name, ValueKind.TABLE, _NONE, AS_SESSION, record=record)
        for name, record in names.items()
    )


def _record(name: str, record: str, *items: Key, is_named: bool = False) -> Key:
    kind = ValueKind.TABLE
    return Key(name, kind, _NONE, AS_SESSION, items=items, record=record, is_named=is_named)


_PROFILE = (
    *_of(ValueKind.TEXT, "model model_provider model_reasoning_effort service_tier"),
    Key("sandbox_mode", ValueKind.CHOICE, _NONE, AS_SESSION, choices=SANDBOXES),
    Key("approval_policy", ValueKind.CHOICE, _NONE, AS_SESSION, choices=APPROVALS),
)
OTHERS = (
    *WITHOUT_EFFECT,
    *_of(
        ValueKind.TEXT,
        "review_model model_provider default_permissions instructions model_instructions_file "
        "compact_prompt mcp_oauth_callback_url js_repl_node_path profile sqlite_home log_dir "
        "plan_mode_reasoning_effort model_catalog_json service_tier chatgpt_base_url "
        "apps_mcp_product_sku openai_base_url experimental_realtime_ws_base_url "
        "experimental_realtime_ws_model experimental_realtime_ws_backend_prompt "
        "experimental_realtime_ws_startup_context experimental_realtime_start_instructions "
        "experimental_thread_store_endpoint experimental_compact_prompt_file oss_provider",
    ),
    *_of(
        ValueKind.BOOL,
        "allow_login_shell include_apps_instructions include_collaboration_mode_instructions "
        "include_environment_context include_permissions_instructions hide_agent_reasoning "
        "show_raw_agent_reasoning experimental_use_unified_exec_tool check_for_update_on_startup "
        "suppress_unstable_features_warning disable_paste_burst",
    ),
    *_of(ValueKind.NUMBER, "model_context_window model_auto_compact_token_limit", "i64"),
    *_of(ValueKind.NUMBER, "project_doc_max_bytes tool_output_token_limit", "usize"),
    *_of(ValueKind.NUMBER, "background_terminal_max_timeout", "u64"),
    *_of(ValueKind.NUMBER, "mcp_oauth_callback_port", "u16"),
    *_of(
        ValueKind.LIST,
        "notify project_doc_fallback_filenames js_repl_node_module_dirs project_root_markers",
    ),
    *_of(ValueKind.NUMBER, "thread_unload_delay_secs mcp_optional_startup_grace_ms", "u64"),
    _enum("personality", "none friendly pragmatic"),
    _enum("file_opener", "vscode vscode-insiders windsurf cursor none"),
    _enum("approvals_reviewer", "user auto_review guardian_subagent"),
    _enum("forced_login_method", "chatgpt api"),
    _record(
        "shell_environment_policy",
        "ShellEnvironmentPolicyToml",
        _enum("inherit", "core all none"),
    ),
    _record(
        "sandbox_workspace_write",
        "SandboxWorkspaceWrite",
        *_of(ValueKind.BOOL, "network_access exclude_tmpdir_env_var exclude_slash_tmp"),
        *_of(ValueKind.LIST, "writable_roots"),
    ),
    _record("history", "History", _enum("persistence", "save-all none")),
    _record("profiles", _MAP, *_PROFILE, is_named=True),
    _record("projects", _MAP, _enum("trust_level", "trusted untrusted"), is_named=True),
    _record("model_providers", _MAP, *_of(ValueKind.TEXT, "name base_url"), is_named=True),
    *_structs(
        {
            "auto_review": "AutoReviewToml",
            "permissions": "PermissionsToml",
            "tui": "Tui",
            "audio": "RealtimeAudioToml",
            "realtime": "RealtimeToml",
            "tool_suggest": "ToolSuggestConfig",
            "agents": "AgentsToml",
            "memories": "MemoriesToml",
            "hooks": "HooksToml",
            "ghost_snapshot": "GhostSnapshotToml",
            "analytics": "AnalyticsConfigToml",
            "feedback": "FeedbackConfigToml",
            "apps": "AppsConfigToml",
            "otel": "OtelConfigToml",
            "windows": "WindowsToml",
            "notice": "Notice",
            "plugins": "PluginsConfigToml",
            "code_mode": "CodeModeToml",
            "goals": "GoalsToml",
            "rollout_trace": "RolloutTraceToml",
            "orchestrator": "OrchestratorToml",
            "cloud": "CloudToml",
            "responses": "ResponsesToml",
            "browser_use": "BrowserUseConfigToml",
            "computer_use": "ComputerUseConfigToml",
        }
    ),
    *_structs(dict.fromkeys(("marketplaces", "desktop"), _MAP)),
)
# Accepted as well; what their values have to be was not established.
_UNTYPED = (
    "model_auto_compact_token_limit_scope model_post_turn_compact_threshold_percent "
    "allow_symlinked_codex_home "
    "forced_chatgpt_workspace_id cli_auth_credentials_store "
    "mcp_enterprise_managed_auth mcp_oauth_credentials_store "
    ""
    "responses_api_metadata experimental_realtime_webrtc_call_base_url "
    "experimental_thread_store "
)
UNTYPED = frozenset(_UNTYPED.split())


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
