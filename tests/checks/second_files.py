"""Good files for the faults that the first file of a system has no place for.

Such a fault needs a key that is not there, another file, or the opposite of another fault.
"""

from tests.checks.faults import Fault, Planted
from tests.checks.test_calls import SYSTEMS as CALLS
from tests.checks.test_servers import SYSTEMS


def _planted(system: str, source: str, *faults: Fault) -> Planted:
    """The first file of `source` with its faults; the others lie beside it."""
    first, *others = source.removeprefix("//- ").split("//- ")
    path, _, good = first.partition("\n")
    return Planted(system, path, good, faults, "".join(f"//- {one}" for one in others))


_SERVERS = tuple(
    _planted(
        system,
        header.replace("githb", "github") + configuration,
        Fault("unknown-server", *_pair),
    )
    for system, (header, configuration) in SYSTEMS.items()
    for _pair in [next((w.replace("githb", "github"), w) for w in header.split() if "githb" in w)]
)
# The systems of these calls, in their order.
_CALLING = (
    "claude",
    "codex-templates",
    "codex-subagents",
    "gemini",
    "qwen",
    "opencode",
    "moltis-agents",
    "cursor",
)
_IN_PROMPTS = tuple(
    _planted(
        system,
        "".join(
            f"//- {path.format(name)}\n---\n{header.format(name)}---\n{text}\n"
            for name, text in (("lead", "Plan the work. Then lead."), ("reviewer", "You review."))
        ),
        Fault("unknown-agent", "Then lead.", f"Then call {call.format('reviwer')}."),
        Fault("missing-file", "Plan the work.", "Read [the plan](../other/plan.md)."),
    )
    for system, (path, header, call) in zip(_CALLING, CALLS, strict=True)
)
SECOND = (
    *_SERVERS,
    *_IN_PROMPTS,
    _planted(
        "codex-agents",
        '//- .codex/agents/planner.toml\nname = "planner"\ndescription = "Plans."\n'
        'developer_instructions = "Plan."\n[[skills.config]]\nname = "imagegen"\n'
        'enabled = false\n[[skills.config]]\npath = "../../.agents/skills/tea/SKILL.md"\n'
        "enabled = false\n"
        "//- .agents/skills/tea/SKILL.md\n---\nname: tea\ndescription: Makes tea.\n---\nBoil.\n",
        Fault("unknown-skill", '"imagegen"', '"imagegem"'),
        Fault("missing-file", "tea/SKILL.md", "tee/SKILL.md"),
    ),
    _planted(
        "moltis",
        "//- moltis.toml\n[agents.presets.scout]\ndelegate_only = false\n"
        'skills.allow = ["obsidian"]\n',
        Fault("unknown-skill", "obsidian", "obsidien"),
    ),
    _planted(
        "moltis-agents",
        "//- .moltis/agents/scout.md\n---\nname: scout\nskills_allow: obsidian\n---\nPlan.\n",
        Fault("unknown-skill", "obsidian", "obsidien"),
    ),
    _planted(
        "codex-templates",
        "//- .codex/.agents/planner.md\n---\ndescription: Plans.\nmodel: gpt-5-codex\n---\nPlan.\n",
        Fault("swallowed-key", "Plans.", "|\n  Plans.\n  read_only: true"),
        Fault("unknown-model", "gpt-5-codex", "gpt-5-codx"),
    ),
    _planted(
        "codex-subagents",
        "//- .codex/agents/lead.md\n---\nname: lead\ndescription: Leads.\n---\nLead.\n"
        "//- .codex/agents/helper.md\n---\nname: helper\ndescription: Helps.\n---\nHelp.\n",
        Fault("swallowed-key", "Leads.", "|\n  Leads.\n  tools: [shell]"),
        Fault("futile-delegation", "Lead.", "Delegate to `helper`."),
        Fault("unknown-agent", "Lead.", 'Use subagent_run(name="helpr").'),
    ),
    _planted(
        "codex-config",
        "//- .codex/config.toml\n[agents]\nmax_depth = 2\n\n[agents.carver]\n"
        'config_file = "carver.toml"\n'
        '//- .codex/carver.toml\nname = "carver"\ndescription = "Carves."\n'
        'developer_instructions = "Carve."\n',
        Fault("unknown-model", "max_depth", 'default_subagent_model = "gpt-5.55"\nmax_depth'),
        Fault("name-mismatch", "[agents.carver]", "[agents.joiner]"),
    ),
    _planted(
        "codex-config",
        '//- .codex/config.toml\n[agents]\nmax_depth = 2\ndefault_subagent_model = "gpt-5.5"\n',
        Fault(
            "unsupported-effort",
            "max_depth",
            'default_subagent_reasoning_effort = "max"\nmax_depth',
        ),
    ),
    _planted(
        "kodacode",
        "//- .kodacode/agents/lead.md\n---\ndescription: Leads.\nAllowTools: [read]\n---\nLead.\n",
        Fault("missing-file", "Lead.", "Read [the plan](../other/plan.md)."),
        Fault("swallowed-key", "Leads.", "|\n  Leads.\n  hidden: true"),
        Fault("no-tools", "AllowTools: [read]", "AllowTools: [read]\nDisallowedTools: [read]"),
    ),
    _planted(
        "moltis",
        '//- moltis.toml\n[agents.presets.scout]\nmodel = "gpt-4o"\n'
        'tools.allow = ["exec", "mcp__github__x"]\n\n[mcp.servers.github]\ncommand = "x"\n',
        Fault("unknown-server", "mcp__github__x", "mcp__githb__x"),
    ),
    _planted(
        "moltis",
        '//- moltis.toml\n[agents.presets.lead]\nsystem_prompt_suffix = "Plan."\n'
        'tools.allow = ["exec"]\n\n[agents.presets.helper]\nmodel = "gpt-4o"\n',
        Fault("futile-delegation", '"Plan."', '"Delegate to `helper`."'),
    ),
    _planted(
        "moltis-agents",
        "//- .moltis/agents/lead.md\n---\nname: lead\ntools: exec\n---\nLead.\n"
        "//- .moltis/agents/helper.md\n---\nname: helper\n---\nHelp.\n",
        Fault("futile-delegation", "Lead.", "Delegate to `helper`."),
        Fault("unknown-agent", "Lead.", 'Use spawn_agent(preset="helpr").'),
    ),
    _planted(
        "claude",
        "//- .claude/agents/lead.md\n---\nname: lead\ndescription: Leads.\ntools: Read\n---\n"
        "Lead.\n//- .claude/agents/helper.md\n---\nname: helper\ndescription: Helps.\n---\nHelp.\n",
        Fault("no-tools", "tools: Read", "tools:"),
        Fault("futile-delegation", "Lead.", "Delegate to `helper`."),
    ),
    _planted(
        "claude",
        "//- agents/lead.md\n---\nname: lead\ndescription: Leads.\n---\nLead.\n"
        '//- .claude-plugin/plugin.json\n{"name": "tools"}\n',
        Fault("ignored-key", "Leads.\n", "Leads.\npermissionMode: plan\n"),
    ),
    _planted(
        "copilot",
        "//- .github/agents/lead.agent.md\n---\nname: Lead\ndescription: Leads.\n"
        "tools: [read]\n---\n\nLead.\n"
        "//- .github/agents/helper.agent.md\n---\nname: Helper\ndescription: Helps.\n---\nHelp.\n",
        Fault("swallowed-key", "Leads.", "|\n  Leads.\n  target: vscode"),
        Fault("contradiction", "tools: ", "infer: true\ndisable-model-invocation: true\ntools: "),
        Fault("futile-delegation", "[read]", "[read]\nagents: [Helper]"),
        Fault("unavailable-tool", "Lead.", "Use #tool:edit/editFiles to lead."),
    ),
    _planted(
        "copilot",
        "//- .claude/agents/lead.md\n---\nname: lead\ndescription: Leads.\n---\n\nLead.\n"
        "//- .github/agents/x.agent.md\n---\nname: X\ndescription: X.\n---\n\nX.\n",
        Fault("no-effect", "Leads.\n", "Leads.\ndisallowedTools: Bash\n"),
    ),
    _planted(
        "cursor",
        "//- .cursor/agents/lead.md\n---\nname: lead\ndescription: Leads.\n---\nLead.\n"
        "//- .cursor/agents/helper.md\n---\nname: helper\ndescription: Helps.\n---\nHelp.\n",
        Fault("swallowed-key", "Leads.", "|\n  Leads.\n  readonly: true"),
        Fault("unknown-agent", "Lead.", 'Use Task(subagent_type="helpr").'),
    ),
    _planted(
        "gemini",
        "//- .gemini/agents/lead.md\n---\nname: lead\ndescription: Leads.\ntools: [glob]\n"
        "mcp_servers: {a: {command: x}}\n---\nLead.\n"
        "//- .gemini/agents/helper.md\n---\nname: helper\ndescription: Helps.\n---\nHelp.\n",
        Fault("ignored-key", "command: x", "command: x, comand: x"),
        Fault("futile-delegation", "Lead.", "Delegate to `helper`."),
    ),
    _planted(
        "qwen",
        "//- .qwen/agents/lead.md\n---\nname: lead\ndescription: Leads.\n---\nYou lead others.\n",
        Fault("swallowed-key", "Leads.", "|\n  Leads.\n  tools: [glob]"),
        Fault("unavailable-tool", "Leads.\n", "Leads.\ntools: [glob, exit_plan_mode]\n"),
    ),
    _planted(
        "qwen",
        "//- .qwen/agents/lead.md\n---\nname: lead\ndescription: Leads.\ntools: [glob]\n---\n"
        "You lead others.\n//- .qwen/agents/helper.md\n---\nname: helper\ndescription: Helps.\n"
        "---\nYou help others.\n",
        Fault("futile-delegation", "You lead others.", "Delegate to `helper`."),
    ),
    _planted(
        "opencode",
        "//- .opencode/agent/lead.md\n---\ndescription: Leads.\nmode: subagent\n"
        "permission:\n  bash: ask\n---\nLead.\n"
        "//- .opencode/agent/helper.md\n---\ndescription: Helps.\nmode: subagent\n---\nHelp.\n",
        Fault("no-effect", "Leads.\n", "Leads.\nprompt: x\n"),
        Fault("unknown-agent", "Lead.", 'Use {"subagent_type": "helpr"}.'),
        Fault("futile-delegation", "  bash: ask", "  bash: ask\n  task: allow"),
    ),
    _planted(
        "opencode-config",
        '//- opencode.json\n{\n  "mcp": {"github": {"type": "local", "command": ["x"]}},\n'
        '  "agent": {\n    "lead": {\n      "description": "Leads.",\n      "mode": "subagent",\n'
        '      "permission": {"bash": "ask", "github_x": "ask"}\n    }\n  }\n}\n',
        Fault("no-effect", '"Leads.",', '"Leads.",\n      "variant": "high",'),
        Fault("futile-delegation", '"bash": "ask"', '"bash": "ask", "task": "allow"'),
        Fault("unknown-server", "github_x", "githb_x"),
    ),
)
