"""Files that are good, and small faults to plant in them, each of which breaks one rule.

A fault is an edit at a place of its own, so that any two of them can be in one file.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """An edit of a good file, in which `old` becomes `new`, and the rule that it breaks.

    After an edit that `is_whole`, a whole list of tools, or the agent itself, is another one, so
    that other faults of the file mean something else.
    """

    rule: str
    old: str
    new: str
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Planted:
    """A good file of a system, its faults, and other files that are there, as in a fixture."""

    system: str
    path: str
    good: str
    faults: tuple[Fault, ...]
    beside: str = ""


_TEMPLATES = Planted(
    "codex-templates",
    ".codex/.agents/reviewer.md",
    """\
---
description: Reviews changes.
model: gpt-5-codex
reasoning_effort: medium
read_only: true
agent_names:
  - name: strict
    description: Leaves nothing out.
    model: gpt-5.2-codex
  - name: brief
    description: Says what matters.
allow_list:
  - exec_command
  - update_plan
  - view_image
deny_list:
  - apply_patch
x-owner: platform
x-note: kept
---
Review the change.

<!-- agent_name: strict -->
Leave nothing out.

<!-- agent_name: brief -->
Say what matters.
""",
    (
        Fault("missing-description", "description: Reviews changes.", "description: ''"),
        Fault("unknown-model", "model: gpt-5-codex", "model: gpt-5-codx"),
        Fault("wrong-type", "read_only: true", "read_only: yes"),
        Fault("invalid-value", "reasoning_effort: medium", "reasoning_effort: lots"),
        Fault("missing-key", "  - name: brief\n    description", "  - description"),
        Fault("duplicate-key", "    model: gpt-5.2-codex", "    model: a\n    model: b"),
        Fault(
            "missing-description", "    description: Leaves nothing out.", "    description: ' '"
        ),
        Fault("unknown-tool", "  - view_image", "  - view_imge"),
        Fault("wrong-type", "  - update_plan", "  - [update_plan]"),
        Fault("redundant-entry", "  - exec_command", "  - exec_command\n  - exec_command"),
        Fault("wrong-type", "deny_list:\n  - apply_patch", "deny_list: apply_patch"),
        Fault("unknown-key", "x-owner: platform", "colour: platform"),
        Fault("duplicate-key", "x-note: kept", "model: kept"),
        Fault("missing-default-prompt", "Review the change.", ""),
        Fault(
            "block-without-persona",
            "<!-- agent_name: brief -->",
            "<!-- agent_name: other -->\nx\n\n<!-- agent_name: brief -->",
        ),
        Fault("hidden-text", "Leave nothing out.", "Leave nothing out.\u202e"),
        Fault("marker-lookalike", "Say what matters.", "Say what matters.\n<!-- agent_nam: x -->"),
        Fault(
            "unused-suppression",
            "x-note: kept",
            "# agent-template-lsp: ignore[file-name]\nx-note: kept",
        ),
        Fault(
            "lost-text",
            "    description: Says what matters.",
            "    description: Says what #1 matters.",
        ),
        Fault("allowed-and-denied", "  - apply_patch", "  - apply_patch\n  - exec_command"),
        Fault("unsupported-effort", "reasoning_effort: medium", "reasoning_effort: xhigh"),
        Fault(
            "duplicate-persona",
            "  - name: brief\n",
            "  - name: strict\n    description: x\n  - name: brief\n",
        ),
        Fault(
            "persona-without-block",
            "  - name: brief\n",
            "  - name: lone\n    description: x\n  - name: brief\n",
        ),
        Fault("empty-block", "Leave nothing out.\n", ""),
        Fault(
            "repeated-block",
            "<!-- agent_name: brief -->",
            "<!-- agent_name: strict -->\nx\n\n<!-- agent_name: brief -->",
        ),
        Fault("marker-in-code", "Review the change.", "```\n<!-- agent_name: brief -->\n```"),
        Fault(
            "empty-allow-list",
            "allow_list:\n  - exec_command\n  - update_plan\n  - view_image\n",
            "allow_list: []\n",
            is_whole=True,
        ),
        Fault("no-tools", "  - apply_patch", '  - "*"', is_whole=True),
        Fault(
            "futile-delegation", "Review the change.", "Review the change. Delegate to `worker`."
        ),
        Fault("missing-file", "Review the change.", "See [x](../x.md). Review the change."),
        Fault(
            "unknown-agent",
            "Review the change.",
            'Review the change. Use spawn_agent with agent_type: "nobody".',
        ),
    ),
)
_SUBAGENTS = Planted(
    "codex-subagents",
    ".codex/agents/writer.md",
    """\
---
description: Writes documents.
name: writer
tools:
  - shell
  - apply_patch
  - web_search
x-owner: platform
x-note: kept
---
Write what is asked for.
""",
    (
        Fault("missing-description", "description: Writes documents.", "description: ' '"),
        Fault("name-mismatch", "name: writer", "name: editor"),
        Fault("blank-tool", "  - shell", "  - ' '\n  - shell"),
        Fault("unknown-tool", "  - web_search", "  - web_serch"),
        Fault("wrong-type", "  - apply_patch", "  - {apply_patch: x}"),
        Fault("unknown-key", "x-owner: platform", "colour: platform"),
        Fault("duplicate-key", "x-note: kept", "name: writer"),
        Fault("missing-default-prompt", "Write what is asked for.", ""),
        Fault(
            "unused-suppression",
            "x-note: kept",
            "# agent-template-lsp: ignore[file-name]\nx-note: kept",
        ),
        Fault("lost-text", "description: Writes documents.", "description: Writes documents. #1"),
        Fault("missing-key", "description: Writes documents.\n", ""),
        Fault("hidden-text", "Write what", "Write\u202e what"),
        Fault("redundant-entry", "  - shell", "  - shell\n  - shell"),
        Fault("unavailable-tool", "  - shell", "  - shell\n  - subagent_run"),
        Fault(
            "no-tools",
            "tools:\n  - shell\n  - apply_patch\n  - web_search\n",
            "tools: [x]\n",
            is_whole=True,
        ),
        Fault(
            "missing-file", "Write what is asked for.", "See [x](../x.md). Write what is asked for."
        ),
    ),
)
_KODACODE = Planted(
    "kodacode",
    ".kodacode/agents/reviewer.md",
    """\
---
description: Reviews changes.
model: openai/gpt-5-mini
mode: all
hidden: false
AllowTools:
  - read
  - search
  - git_diff
  - delegate
  - web_search
DisallowedTools:
  - bash
handoff:
  provides:
    - kind: review
x-owner: platform
x-note: kept
x-more: kept
---
Review. Delegate to `planner`.
""",
    (
        Fault("wrong-type", "description: Reviews changes.", "description: [a]"),
        Fault("invalid-value", "model: openai/gpt-5-mini", "model: gpt-5-mini"),
        Fault("invalid-value", "mode: all", "mode: everywhere"),
        Fault("wrong-type", "hidden: false", "hidden: 2"),
        Fault("unknown-tool", "  - search", "  - serach"),
        Fault("wrong-type", "  - read", "  - [read]"),
        Fault("redundant-entry", "  - git_diff", "  - git_diff\n  - git_diff"),
        Fault("wrong-type", "DisallowedTools:\n  - bash", "DisallowedTools: bash"),
        Fault("wrong-type", "    - kind: review", "    - kind: [review]"),
        Fault("unknown-key", "x-owner: platform", "allowTools: [read]"),
        Fault("duplicate-key", "x-note: kept", "hidden: false"),
        Fault("forbidden-key", "x-more: kept", "fallback_models: [x]"),
        Fault("futile-delegation", "Delegate to `planner`.", "Delegate to `nobody`."),
        Fault("hidden-text", "Review. ", "Rev\u202eiew. "),
        Fault(
            "unused-suppression",
            "x-note: kept",
            "# agent-template-lsp: ignore[file-name]\nx-note: kept",
        ),
        Fault("lost-text", "description: Reviews changes.", "description: Reviews changes. #1"),
        Fault(
            "allowed-and-denied",
            "DisallowedTools:\n  - bash",
            "DisallowedTools:\n  - bash\n  - web_search",
        ),
        Fault(
            "unset-allow-list",
            "AllowTools:\n  - read\n  - search\n  - git_diff\n  - delegate\n  - web_search\n",
            "AllowTools:\n",
            is_whole=True,
        ),
        Fault(
            "out-of-reach", "mode: all\nhidden: false", "mode: primary\nhidden: true", is_whole=True
        ),
        Fault("missing-file", "Review. ", "See [x](../x.md). Review. "),
    ),
)
_MOLTIS = Planted(
    "moltis",
    "moltis.toml",
    """\
[agents]
default = "scout"

[agents.presets.scout]
identity.name = "Scout"
identity.creature = "owl"
identity.vibe = "calm"
model = "anthropic/claude-sonnet-4-20250514"
tools.allow = ["exec", "web_search"]
tools.deny = ["cron"]
max_iterations = 25
timeout_secs = 600
sandbox.enabled = true

[agents.presets.other]
model = "gpt-4o"
tools.deny = ["web_fetch"]
""",
    (
        Fault("unknown-default", 'default = "scout"', 'default = "scuot"'),
        Fault("config-dropped", 'identity.vibe = "calm"', "identity.vibe = 5"),
        Fault("no-effect", 'identity.name = "Scout"\n', ""),
        Fault("config-dropped", "max_iterations = 25", "max_iterations = -1"),
        Fault("config-dropped", "timeout_secs = 600", 'timeout_secs = "600"'),
        Fault("unknown-tool", '"web_search"]', '"web_serch"]'),
        Fault(
            "missing-file",
            "[agents.presets.other]",
            'system_prompt_suffix = "See [x](docs/x.md)."\n\n[agents.presets.other]',
        ),
        Fault("config-dropped", "sandbox.enabled = true", "sandbox.enabled = 1"),
        Fault("unknown-key", 'model = "gpt-4o"', 'modle = "gpt-4o"'),
        Fault("config-dropped", 'tools.deny = ["web_fetch"]', 'tools.deny = ["web_fetch", 5]'),
        Fault(
            "other-generation",
            'model = "anthropic',
            'reasoning_effort = "hihg"\nmodel = "anthropic',
        ),
        Fault(
            "unused-suppression",
            "[agents.presets.other]",
            "# agent-template-lsp: ignore[file-name]\n[agents.presets.other]",
        ),
        Fault("hidden-text", '"owl"', '"o\u202ewl"'),
        Fault("redundant-entry", '["exec", ', '["exec", "exec", '),
        Fault("renamed-tool", '["exec", ', '["exec", "read_file", '),
        Fault("sessions-without-list", '["exec", ', '["exec", "sessions_send", '),
        Fault(
            "no-tools",
            'tools.allow = ["exec", "web_search"]\ntools.deny = ["cron"]',
            'tools.allow = ["exec"]\ntools.deny = ["exec"]',
            is_whole=True,
        ),
        Fault("preset-conflict", "max_iterations = 25", "max_iterations = 0"),
        Fault(
            "main-session-unprotected",
            "[agents]\n",
            '[agents]\ndefault_preset = "scout"\n',
            is_whole=True,
        ),
    ),
    beside="//- docs/y.md\nA page.\n",
)
_DEFINITIONS = Planted(
    "moltis-agents",
    ".moltis/agents/scout.md",
    """\
---
name: scout
display_name: Scout
tools: exec, web_search
deny_tools: cron
theme: calm
delegate_only: false
max_iterations: 25
timeout_secs: 600
reasoning_effort: high
sandbox_mode: off
mcp_allow_servers: docs
x-owner: platform
x-note: kept
---
Find facts.
""",
    (
        Fault("missing-key", "name: scout\n", ""),
        Fault("wrong-type", "display_name: Scout", "display_name: [Scout]"),
        Fault("unknown-tool", "tools: exec, web_search", "tools: exec, web_serch"),
        Fault("wrong-type", "deny_tools: cron", "deny_tools: [cron]"),
        Fault("lost-text", "theme: calm", "theme: calm #1"),
        Fault("wrong-type", "delegate_only: false", "delegate_only: no"),
        Fault("wrong-type", "max_iterations: 25", "max_iterations: -1"),
        Fault("invalid-value", "reasoning_effort: high", "reasoning_effort: hihg"),
        Fault("invalid-value", "sandbox_mode: off", "sandbox_mode: of"),
        Fault(
            "preset-conflict",
            "mcp_allow_servers: docs",
            "mcp_allow_servers: docs\nmcp_deny_servers: web",
        ),
        Fault("unknown-key", "x-owner: platform", "colour: platform"),
        Fault("duplicate-key", "x-note: kept", "timeout_secs: 5"),
        Fault(
            "unused-suppression",
            "x-note: kept",
            "# agent-template-lsp: ignore[file-name]\nx-note: kept",
        ),
        Fault("hidden-text", "Find facts.", "Find\u202e facts."),
        Fault("redundant-entry", "tools: exec, web", "tools: exec, exec, web"),
        Fault(
            "no-tools",
            "tools: exec, web_search\ndeny_tools: cron",
            "tools: exec\ndeny_tools: exec",
            is_whole=True,
        ),
        Fault("no-effect", "tools: exec, web_search", "tools: exec, spawn_agent, web_search"),
        Fault("sessions-without-list", "tools: exec, web", "tools: exec, sessions_send, web"),
        Fault("missing-file", "Find facts.", "See [x](../x.md). Find facts."),
    ),
)
_CLAUDE = Planted(
    "claude",
    ".claude/agents/reviewer.md",
    """\
---
name: reviewer
description: Reviews changes.
tools: Read, Grep, Bash
disallowedTools: Write
model: sonnet
color: blue
x-owner: platform
x-note: kept
---
Review the change.
""",
    (
        Fault("missing-key", "description: Reviews changes.\n", ""),
        Fault("unknown-tool", "Grep, Bash", "Grpe, Bash"),
        Fault("unknown-model", "model: sonnet", "model: sonet"),
        Fault("unknown-tool", "disallowedTools: Write", "disallowedTools: Wrte"),
        Fault("unknown-value", "color: blue", "permissionMode: never"),
        Fault("unknown-key", "x-owner: platform", "maxTurn: 5"),
        Fault("hidden-text", "Review the change.", "Review the change.\u202e"),
        Fault(
            "unused-suppression",
            "x-note: kept",
            "# agent-template-lsp: ignore[file-name]\nx-note: kept",
        ),
        Fault("agent-name", "name: reviewer", "name: re:viewer"),
        Fault("duplicate-key", "x-note: kept", "model: haiku"),
        Fault("lost-text", "description: Reviews changes.", "description: Reviews changes. #1"),
        Fault("redundant-entry", "tools: Read,", "tools: Read, Read,"),
        Fault("allowed-and-denied", "disallowedTools: Write", "disallowedTools: Write, Bash"),
        Fault("whole-tool", "disallowedTools: Write", "disallowedTools: Bash(rm *)"),
        Fault("unavailable-tool", "tools: Read,", "tools: Read, ExitPlanMode,"),
        Fault("unknown-agent", "tools: Read,", "tools: Read, Agent(nobody),"),
        Fault("unknown-skill", "x-note: kept", "skills: nothing"),
        Fault("wrong-type", "x-note: kept", "maxTurns: x"),
        Fault(
            "futile-hook",
            "x-note: kept",
            "hooks:\n  PreToolUse:\n    - matcher: bash\n      hooks:\n        - {t"
            "ype: command, command: x}",
        ),
        Fault("missing-file", "Review the change.", "See [x](../x.md). Review the change."),
    ),
)
_VUHLP = Planted(
    "vuhlp",
    "docs/templates/helper.md",
    """\
[template]
name = "helper"
version = "1"
capabilities = ["edit_code", "delegate"]
constraints = ["log_decisions"]

# Helper

You are a helper. Always report what you did, and never hide an error.
Output: a list.

{"tool_call":{"name":"command","args":{"cmd":"ls"}}}
""",
    (
        Fault("name-mismatch", 'name = "helper"', 'name = "other"'),
        Fault("unknown-capability", '"edit_code"', '"edit_cod"'),
        Fault("unknown-constraint", '"log_decisions"', '"log_decision"'),
        Fault("unknown-key", 'version = "1"', 'version = "1"\nvresion = "1"'),
        Fault("tool-call-argument", '"cmd":"ls"', '"cdm":"ls"'),
        Fault("hidden-text", "You are a helper.", "You are\u202e a helper."),
        Fault("wrong-type", 'constraints = ["log_decisions"]', 'constraints = "log_decisions"'),
        Fault("contradiction", '["log_decisions"]', '["log_decisions", "no_code_edits"]'),
        Fault("older-name", '"delegate"]', '"delegate", "spawn_nodes"]'),
        Fault(
            "missing-part",
            "Always report what you did, and never hide an error.\nOutput: a list.",
            "x",
        ),
        Fault("tool-call-name", '"name":"command"', '"name":"comand"'),
        Fault("tool-call-json", '"args":{"cmd":"ls"}}}', '"args":{"cmd":"ls",}}}'),
        Fault(
            "tool-call-echoed",
            "Output: a list.",
            'Output: a list.\n\necho \'{"tool_call":{"name":"send_handoff","args":{'
            '"to":"lead","message":"Done."}}}\'',
        ),
        Fault(
            "tool-call-fenced",
            "Output: a list.",
            'Output: a list.\n\n~~~\n{"tool_call":{"name":"send_handoff","args":{"t'
            'o":"lead","message":"Done."}}}\n~~~',
        ),
        Fault(
            "tool-call-not-alone",
            "Output: a list.",
            'Output: a list.\n\n- Say: {"tool_call":{"name":"send_handoff","args":{'
            '"to":"lead","message":"Done."}}}',
        ),
        Fault(
            "tool-call-params",
            "Output: a list.",
            'Output: a list.\n\n{"tool_call":{"name":"send_handoff","params":{"to":'
            '"lead","message":"Done."}}}',
        ),
        Fault(
            "tool-call-wrapper",
            "Output: a list.",
            'Output: a list.\n\n{"name":"send_handoff","args":{"to":"lead","message":"Done."}}',
        ),
        Fault(
            "tool-call-native",
            "Output: a list.",
            'Output: a list.\n\n{"tool_call":{"name":"read_file","args":{"path":"README.md"}}}',
        ),
        Fault(
            "tool-call-edges",
            "Output: a list.",
            'Output: a list.\n\n{"tool_call":{"name":"spawn_node","args":{"label":"'
            'Docs","roleTemplate":"planner"}}}',
        ),
        Fault(
            "role-not-found",
            "Output: a list.",
            'Output: a list.\n\n{"tool_call":{"name":"spawn_node","args":{"label":"'
            'Docs","roleTemplate":"planer"}}}',
        ),
        Fault(
            "tool-call-id",
            "Output: a list.",
            'Output: a list.\n\n{"tool_call":{"id":"one","name":"send_handoff","arg'
            's":{"to":"lead","message":"Done."}}}\n{"tool_call":{"id":"one","name":'
            '"send_handoff","args":{"to":"lead","message":"Done."}}}',
        ),
    ),
)
_GEMINI = Planted(
    "gemini",
    ".gemini/agents/reviewer.md",
    """\
---
name: reviewer
description: Reviews changes.
display_name: Reviewer
tools: [read_file, glob]
model: inherit
temperature: 1
max_turns: 30
timeout_mins: 10
---
Review the change.
""",
    (
        Fault("missing-key", "description: Reviews changes.\n", ""),
        Fault("agent-name", "name: reviewer\n", "name: re viewer\n"),
        Fault("wrong-type", "display_name: Reviewer", "display_name: [x]"),
        Fault("unknown-tool", "glob]", "glbo]"),
        Fault("wrong-type", "temperature: 1", "temperature: x"),
        Fault("invalid-value", "max_turns: 30", "max_turns: -1"),
        Fault("unknown-key", "timeout_mins: 10", "colour: red"),
        Fault("hidden-text", "Review the", "Review\u202e the"),
        Fault(
            "unused-suppression",
            "max_turns: 30",
            "max_turns: 30\n# agent-template-lsp: ignore[file-name]",
        ),
        Fault("lost-text", "description: Reviews changes.", "description: Reviews changes. #1"),
        Fault("duplicate-key", "timeout_mins: 10", "timeout_mins: 10\nmax_turns: 4"),
        Fault("missing-default-prompt", "Review the change.\n", ""),
        Fault("missing-description", "description: Reviews changes.", 'description: ""'),
        Fault("redundant-entry", "[read_file,", "[read_file, read_file,"),
        Fault("unavailable-tool", "[read_file,", "[read_file, invoke_agent,"),
        Fault("conditional-tool", "[read_file,", "[read_file, ask_user,"),
        Fault("unknown-model", "model: inherit", "model: gemini-2.5-por"),
        Fault("unknown-variable", "change.\n", "change ${x}.\n"),
        Fault("missing-file", "Review the", "See [x](../x.md). Review the"),
        Fault("unknown-agent", "Review the", 'Use invoke_agent(agent_name="nobody"). Review the'),
    ),
)
_CURSOR = Planted(
    "cursor",
    ".cursor/agents/reviewer.md",
    """\
---
name: reviewer
description: Reviews changes.
model: composer-2
readonly: true
is_background: false
x-note: kept
---
Review the change.
""",
    (
        Fault("missing-description", "description: Reviews changes.\n", ""),
        Fault("unknown-model", "model: composer-2", "model: opus"),
        Fault("wrong-type", "readonly: true", "readonly: 'yes'"),
        Fault("unknown-key", "is_background: false", "background: false"),
        Fault(
            "unused-suppression",
            "x-note: kept",
            "# agent-template-lsp: ignore[file-name]\nx-note: kept",
        ),
        Fault("agent-name", "name: reviewer", "name: re viewer"),
        Fault("hidden-text", "Review the", "Review\u202e the"),
        Fault("lost-text", "description: Reviews changes.", "description: Reviews changes. #1"),
        Fault("missing-file", "Review the", "See [x](../x.md). Review the"),
    ),
)
_QWEN = Planted(
    "qwen",
    ".qwen/agents/reviewer.md",
    """\
---
name: reviewer
description: Reviews changes.
tools:
  - read_file
  - glob
  - grep_search
model: inherit
color: blue
x-note: kept
---
Review the change.
""",
    (
        Fault("missing-key", "description: Reviews changes.\n", ""),
        Fault("unknown-tool", "  - glob", "  - glbo"),
        Fault("unknown-key", "x-note: kept", "disalowedTools: x"),
        Fault("missing-default-prompt", "Review the change.", "x"),
        Fault(
            "unused-suppression",
            "x-note: kept",
            "# agent-template-lsp: ignore[file-name]\nx-note: kept",
        ),
        Fault("agent-name", "name: reviewer", "name: re viewer"),
        Fault("duplicate-key", "x-note: kept", "color: red"),
        Fault("hidden-text", "Review the", "Review\u202e the"),
        Fault("lost-text", "description: Reviews changes.", "description: Reviews changes. #1"),
        Fault("missing-description", "description: Reviews changes.", "description: ' '"),
        Fault("redundant-entry", "  - read_file", "  - read_file\n  - read_file"),
        Fault("blank-tool", "  - glob", "  - glob\n  - ' '"),
        Fault("unknown-value", "color: blue", "color: bleu"),
        Fault("unknown-variable", "the change.", "the change ${x}."),
        Fault("unknown-model", "model: inherit", "model: sonnet"),
        Fault("invalid-value", "x-note: kept", "runConfig: {max_turns: 0}"),
        Fault("wrong-type", "x-note: kept", "hooks: x"),
        Fault(
            "external-agent", "x-note: kept", "executor:\n  kind: acp\n  command: x", is_whole=True
        ),
        Fault("allowed-and-denied", "x-note: kept", "disallowedTools: [grep_search]"),
        Fault(
            "no-tools",
            "tools:\n  - read_file\n  - glob\n  - grep_search\n",
            "tools: [none, x]\n",
            is_whole=True,
        ),
        Fault(
            "empty-allow-list",
            "tools:\n  - read_file\n  - glob\n  - grep_search\n",
            "tools: []\n",
            is_whole=True,
        ),
        Fault(
            "unset-allow-list",
            "tools:\n  - read_file\n  - glob\n  - grep_search\n",
            "tools:\n",
            is_whole=True,
        ),
        Fault("missing-file", "Review the", "See [x](../x.md). Review the"),
        Fault("unknown-agent", "Review the", 'Use agent(subagent_type="nobody"). Review the'),
    ),
)
_CODEX_AGENTS = Planted(
    "codex-agents",
    ".codex/agents/reviewer.toml",
    """\
# For changes.
name = "reviewer"
description = "Reviews changes."
developer_instructions = "Review the change."
model_reasoning_effort = "high"
nickname_candidates = ["Ada"]
sandbox_mode = "read-only"

[features]
view_image_tool = true
""",
    (
        Fault("wrong-type", '["Ada"]', '"Ada"'),
        Fault("invalid-value", '"read-only"', '"read"'),
        Fault("wrong-type", "view_image_tool = true", 'view_image_tool = "x"'),
        Fault("unknown-key", 'name = "reviewer"', 'name = "reviewer"\nclour = "x"'),
        Fault(
            "unused-suppression",
            "sandbox_mode",
            "# agent-template-lsp: ignore[file-name]\nsandbox_mode",
        ),
        Fault(
            "duplicate-key",
            'nickname_candidates = ["Ada"]',
            'nickname_candidates = ["Ada"]\ndescription = "x"',
        ),
        Fault("hidden-text", '"Review the change."', '"Re\u202eview the change."'),
        Fault("missing-description", 'description = "Reviews changes."', 'description = ""'),
        Fault("missing-key", 'name = "reviewer"\n', ""),
        Fault(
            "missing-default-prompt",
            'developer_instructions = "Review the change."',
            'developer_instructions = ""',
        ),
        Fault(
            "swallowed-key",
            "view_image_tool = true",
            'view_image_tool = true\ndeveloper_instructions = "x"',
        ),
        Fault(
            "unknown-model",
            'model_reasoning_effort = "high"',
            'model_reasoning_effort = "high"\nmodel = "gpt-5.55"',
        ),
        Fault(
            "unsupported-effort",
            'model_reasoning_effort = "high"',
            'model_reasoning_effort = "max"\nmodel = "gpt-5.5"',
        ),
        Fault("no-effect", 'sandbox_mode = "read-only"', 'web_search = "disabled"'),
    ),
)
_CODEX_CONFIG = Planted(
    "codex-config",
    ".codex/config.toml",
    """\
[agents]
max_depth = 2

[agents.apprentice]
description = "Does small things."
nickname_candidates = ["Ada"]

[agents.carver]
description = "Carves ornaments."
""",
    (
        Fault("wrong-type", "max_depth = 2", 'max_depth = "two"'),
        Fault("wrong-type", '["Ada"]', '"Ada"'),
        Fault("wrong-type", '"Does small things."', "7"),
        Fault(
            "unused-suppression",
            "[agents.carver]",
            "# agent-template-lsp: ignore[file-name]\n[agents.carver]",
        ),
        Fault(
            "duplicate-key",
            'description = "Carves ornaments."',
            'description = "Carves ornaments."\ndescription = "x"',
        ),
        Fault("hidden-text", '"Carves orn', '"Carves\u202e orn'),
        Fault("missing-description", 'description = "Carves ornaments."', 'description = ""'),
        Fault(
            "agent-file",
            'description = "Carves ornaments."',
            'description = "Carves ornaments."\nconfig_file = "x.toml"',
        ),
        Fault(
            "unknown-key",
            'description = "Carves ornaments."',
            'description = "Carves ornaments."\ndescripton = "x"',
        ),
        Fault(
            "no-effect",
            'description = "Carves ornaments."',
            'description = "Carves ornaments."\nmodel = "gpt-5.5"',
        ),
        Fault("never-spawned", "max_depth = 2", "enabled = false"),
        Fault("invalid-value", '["Ada"]', '[""]'),
    ),
)
_COPILOT = Planted(
    "copilot",
    ".github/agents/pilot.agent.md",
    """\
---
name: Pilot
description: Brings a ship into the harbour.
target: vscode
tools: [read, search, agent]
handoffs:
  - label: Moor the ship
    agent: pilot
    prompt: Moor it.
x-note: kept
---

You bring ships in.
""",
    (
        Fault("unknown-value", "target: vscode", "target: vs"),
        Fault(
            "futile-hook",
            "handoffs:\n",
            "hooks: {PreToolUse: [{type: command, command: ./gone.sh}]}\nhandoffs:\n",
        ),
        Fault("missing-part", "    prompt: Moor it.\n", ""),
        Fault("unknown-key", "x-note: kept", "descripton: kept"),
        Fault(
            "unused-suppression",
            "x-note: kept",
            "# agent-template-lsp: ignore[file-name]\nx-note: kept",
        ),
        Fault(
            "lost-text",
            "description: Brings a ship into the harbour.",
            "description: Brings a ship #1 into the harbour.",
        ),
        Fault("hidden-text", "You bring", "You\u202e bring"),
        Fault("unknown-tool", "[read, search,", "[read, serch,"),
        Fault("redundant-entry", "[read, search,", "[read, read, search,"),
        Fault("renamed-tool", "[read, search,", "[read, runCommands, search,"),
        Fault("wrong-type", "name: Pilot", "name: [x]"),
        Fault("unknown-agent", "    agent: pilot", "    agent: nobody"),
        Fault("duplicate-key", "x-note: kept", "target: vscode"),
        Fault("missing-key", "description: Brings a ship into the harbour.\n", ""),
        Fault("missing-file", "You bring", "See [x](docs/x.md). You bring"),
        Fault("invalid-value", "x-note: kept", "mcp-servers: {s: {type: x}}"),
        Fault("older-name", "x-note: kept", "infer: false"),
        Fault("unset-allow-list", "tools: [read, search, agent]", "tools:", is_whole=True),
        Fault("no-tools", "tools: [read, search, agent]", "tools: [x]", is_whole=True),
        Fault("agent-name", "name: Pilot", "name: ''"),
        Fault("unknown-skill", "x-note: kept", "skills: [nothing]"),
    ),
)
_OPENCODE = Planted(
    "opencode",
    ".opencode/agent/gardener.md",
    """\
---
description: Prunes the trees.
mode: subagent
model: anthropic/claude-sonnet-4-5
temperature: 0.3
color: "#228833"
steps: 5
permission:
  edit: deny
  bash: ask
---
You prune.
""",
    (
        Fault("invalid-value", "mode: subagent", "mode: worker"),
        Fault("wrong-type", "temperature: 0.3", "temperature: warm"),
        Fault("invalid-value", '"#228833"', "green"),
        Fault("invalid-value", "  edit: deny", "  edit: never"),
        Fault(
            "unused-suppression",
            "mode: subagent",
            "# agent-template-lsp: ignore[file-name]\nmode: subagent",
        ),
        Fault("unknown-tool", "  bash: ask", "  bsh: ask"),
        Fault("lost-text", "description: Prunes the trees.", "description: Prunes the trees. #1"),
        Fault("deprecated-key", "steps: 5", "maxSteps: 5"),
        Fault("unknown-model", "model: anthropic/claude-sonnet-4-5", "model: sonnet"),
        Fault("hidden-text", "You prune", "You\u202e prune"),
        Fault("missing-description", "description: Prunes the trees.\n", ""),
        Fault("duplicate-key", "steps: 5", "steps: 5\nmode: all"),
        Fault("unknown-key", "steps: 5", "stps: 5"),
        Fault("ignored-key", "steps: 5", "steps: 5\npermissions: []"),
        Fault("unknown-skill", "  edit: deny", "  edit: deny\n  skill: {pruning: deny}"),
        Fault("overridden-rule", "  bash: ask", '  bash:\n    "git *": allow\n    "*": deny'),
        Fault(
            "no-tools", "permission:\n  edit: deny\n  bash: ask", "permission: deny", is_whole=True
        ),
        Fault("missing-file", "You prune", "See [x](../x.md). You prune"),
    ),
)
_OPENCODE_CONFIG = Planted(
    "opencode-config",
    "opencode.json",
    """\
{
  "agent": {
    "seller": {
      "description": "Sets the prices.",
      "mode": "subagent",
      "temperature": 0.2,
      "steps": 5,
      "prompt": "You set prices."
    }
  }
}
""",
    (
        Fault("invalid-value", '"subagent"', '"worker"'),
        Fault("wrong-type", "0.2", '"warm"'),
        Fault("invalid-value", "5", "0"),
        Fault("hidden-text", '"You set', '"You\u202e set'),
        Fault("deprecated-key", '"steps"', '"maxSteps"'),
        Fault("missing-description", '      "description": "Sets the prices.",\n', ""),
        Fault("unknown-key", '"steps": 5', '"stps": 5'),
        Fault("missing-file", '"You set prices."', '"{file:./x.md}"'),
        Fault("unknown-model", '"steps": 5', '"model": "x", "steps": 5'),
        Fault("unknown-tool", '"steps": 5', '"permission": {"bsh": "deny"}, "steps": 5'),
        Fault(
            "overridden-rule",
            '"steps": 5',
            '"permission": {"bash": {"git *": "allow", "*": "deny"}}, "steps": 5',
        ),
        Fault("unknown-skill", '"steps": 5', '"permission": {"skill": {"x": "deny"}}, "steps": 5'),
        Fault("no-tools", '"steps": 5', '"permission": "deny", "steps": 5', is_whole=True),
        Fault("ignored-key", '"steps": 5', '"allowed-tools": [], "steps": 5'),
        Fault(
            "unknown-default", '{\n  "agent": {', '{\n  "default_agent": "nobody",\n  "agent": {'
        ),
    ),
)
PLANTED = (
    _TEMPLATES,
    _SUBAGENTS,
    _CODEX_AGENTS,
    _CODEX_CONFIG,
    _KODACODE,
    _MOLTIS,
    _DEFINITIONS,
    _CLAUDE,
    _COPILOT,
    _CURSOR,
    _GEMINI,
    _QWEN,
    _OPENCODE,
    _OPENCODE_CONFIG,
    _VUHLP,
)
