"""Files that are good, and small faults to plant in them, each of which breaks one rule.

A fault is an edit at a place of its own, so that any two of them can be in one file.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """An edit of a good file, in which `old` becomes `new`, and the rule that it breaks."""

    rule: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Planted:
    """A good file of a system, and its faults."""

    system: str
    path: str
    good: str
    faults: tuple[Fault, ...]


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
        Fault("config-dropped", "sandbox.enabled = true", "sandbox.enabled = 1"),
        Fault("unknown-key", 'model = "gpt-4o"', 'modle = "gpt-4o"'),
        Fault("config-dropped", 'tools.deny = ["web_fetch"]', 'tools.deny = ["web_fetch", 5]'),
        Fault(
            "other-generation",
            'model = "anthropic',
            'reasoning_effort = "hihg"\nmodel = "anthropic',
        ),
    ),
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
    ),
)
_CODEX_AGENTS = Planted(
    "codex-agents",
    ".codex/agents/reviewer.toml",
    """\
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
        Fault("missing-part", "    prompt: Moor it.\n", ""),
        Fault("unknown-key", "x-note: kept", "descripton: kept"),
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
