"""A project for each system, with an agent that starts another and overrides a user's agent."""

from dataclasses import dataclass

BODY = """\
Ask `other`, as in docs/guide.md.

# One

Text.

## Two

More.
"""


@dataclass(frozen=True)
class System:
    """A project with an agent `main` that starts `other`, and a user's file that it overrides.

    `name` is where the name of `main` is in its text, or the start of the file if the text does not
    contain it. `is_moved` is true if renaming the agent renames its file, and `starts` if the
    runtime lets an agent start another. `has_prompt` is false if its files have none. `user` is
    empty if the system has no user's agents.
    """

    main: str
    text: str
    other: str
    others: str
    user: str
    name: tuple[int, int] = (0, 1)
    is_moved: bool = True
    starts: bool = True
    has_prompt: bool = True


def _markdown(header: str, body: str = BODY) -> str:
    return f"---\n{header}---\n{body}"


CODEX = """\
description: Leads.
allow_list: [exec_command, '*_agent']
agent_names:
  - {name: strict, description: d}
"""
SUB = "description: Leads.\ntools: [shell, subagent_run]\n"
KODA = "description: Leads.\nmode: all\nAllowTools: [search, delegate, 'mcp:*']\n"
# There nobody may be called `main`.
QWEN = "name: mainly\ndescription: Leads.\ntools: read_file, agent\n"
CLAUDE = "name: main\ndescription: Leads.\ntools: Read, Agent(other)\n"
VUHLP = """
{"tool_call": {"tool": "spawn_node", "args": {"label": "o", "roleTemplate": "other"}}}
"""
AGENT = """\
name = "main"
description = "Leads."
model = "gpt-5.5"
developer_instructions = \"\"\"
Ask `other`, as in docs/guide.md.

# One

Text.

## Two

More.
\"\"\"
[features]
shell_tool = false
"""
CONFIG = """\
[agents]
max_depth = 2

[agents.main]
description = \"\"\"
Ask `other`, as in docs/guide.md.
\"\"\"
nickname_candidates = ["Ada"]

[agents.other]
description = "Works."
"""
MOLTIS = """\
[agents]
default_preset = "other"

[agents.presets.main]
model = "a/b"
delegate_only = true
system_prompt_suffix = \"\"\"
Ask `other`, as in docs/guide.md.
\"\"\"

[agents.presets.other]
model = "a/b"
tools.allow = ["exec"]
"""
OPENCODE = "description: Leads.\nmode: all\npermission:\n  task: allow\n  bash: deny\n"
OPENCODE_TABLES = """\
{
  "agent": {
    "main": {
      "description": "Leads.",
      "mode": "all",
      "permission": {"task": "allow"},
      "prompt": "Ask `other`, as in docs/guide.md."
    },
    "other": {"description": "Works.", "mode": "subagent", "prompt": "Work."}
  },
  "permission": {"bash": "ask"}
}
"""

SYSTEMS = {
    "codex-templates": System(
        ".codex/.agents/main.md",
        _markdown(CODEX, f"{BODY}<!-- agent_name: strict -->\nBe strict.\n"),
        ".codex/.agents/other.md",
        _markdown("description: Works.\n", "Work.\n"),
        "~/.codex/.agents/main.md",
    ),
    "codex-subagents": System(
        ".codex/agents/main.md",
        _markdown(SUB),
        ".codex/agents/other.md",
        _markdown("description: Works.\n", "Work.\n"),
        "~/.codex/agents/main.md",
        starts=False,
    ),
    "codex-agents": System(
        ".codex/agents/main.toml",
        AGENT,
        ".codex/agents/other.toml",
        'name = "other"\ndescription = "Works."\ndeveloper_instructions = "Work."\n',
        "~/.codex/agents/main.toml",
        (0, 9),
        is_moved=False,
    ),
    "codex-config": System(
        ".codex/config.toml",
        CONFIG,
        ".codex/config.toml",
        CONFIG,
        "~/.codex/config.toml",
        (3, 8),
        is_moved=False,
        has_prompt=False,
    ),
    "kodacode": System(
        ".kodacode/agents/main.md",
        _markdown(KODA),
        ".kodacode/agents/other.md",
        _markdown("description: Works.\nmode: subagent\n", "Work.\n"),
        "~/config/kodacode/agents/main.md",
    ),
    "claude": System(
        ".claude/agents/main.md",
        _markdown(CLAUDE),
        ".claude/agents/other.md",
        _markdown("name: other\ndescription: Works.\n", "Work.\n"),
        "~/.claude/agents/main.md",
        (1, 7),
        is_moved=False,
    ),
    "copilot": System(
        ".github/agents/main.agent.md",
        _markdown("name: main\ndescription: Leads.\ntools: [read, agent]\n"),
        ".github/agents/other.agent.md",
        _markdown("name: other\ndescription: Works.\n", "Work.\n"),
        "~/.copilot/agents/main.agent.md",
        (1, 7),
        is_moved=False,
    ),
    "gemini": System(
        ".gemini/agents/main.md",
        _markdown("name: main\ndescription: Leads.\ntools: [read_file, glob]\n"),
        ".gemini/agents/other.md",
        _markdown("name: other\ndescription: Works.\n", "Work.\n"),
        "~/.gemini/agents/main.md",
        (1, 7),
        is_moved=False,
        starts=False,
    ),
    "cursor": System(
        ".cursor/agents/main.md",
        _markdown("name: main\ndescription: Leads.\nreadonly: true\n"),
        ".cursor/agents/other.md",
        _markdown("name: other\ndescription: Works.\n", "Work.\n"),
        "~/.cursor/agents/main.md",
        (1, 7),
        is_moved=False,
    ),
    "qwen": System(
        ".qwen/agents/main.md",
        _markdown(QWEN),
        ".qwen/agents/other.md",
        _markdown("name: other\ndescription: Works.\n", "Work, and report it.\n"),
        "~/.qwen/agents/main.md",
        (1, 7),
        is_moved=False,
    ),
    "moltis-agents": System(
        ".moltis/agents/main.md",
        _markdown(
            "name: main\ndescription: Leads.\ntools: exec, web_search\ndelegate_only: true\n"
        ),
        ".moltis/agents/other.md",
        _markdown("name: other\ndescription: Works.\n", "Work.\n"),
        "~/.moltis/agents/main.md",
        (1, 7),
        is_moved=False,
    ),
    "opencode": System(
        ".opencode/agents/main.md",
        _markdown(OPENCODE),
        ".opencode/agents/other.md",
        _markdown("description: Works.\nmode: subagent\n", "Work.\n"),
        "~/config/opencode/agents/main.md",
    ),
    "opencode-config": System(
        "opencode.json",
        OPENCODE_TABLES,
        "opencode.json",
        OPENCODE_TABLES,
        "~/config/opencode/opencode.json",
        (2, 6),
        is_moved=False,
    ),
    "vuhlp": System(
        "docs/templates/main.md",
        f'[template]\nname = "main"\ncapabilities = ["edges"]\n\n{BODY}{VUHLP}',
        "docs/templates/other.md",
        '[template]\nname = "other"\n\nWork.\n',
        "",
        starts=False,
    ),
    "moltis": System(
        "moltis.toml",
        MOLTIS,
        "moltis.toml",
        MOLTIS,
        "~/.config/moltis/moltis.toml",
        (3, 17),
        is_moved=False,
    ),
}
