"""The table in the features page: what can be done with a name, by system and by its kind."""

import re
from dataclasses import dataclass
from pathlib import Path

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.navigation import skills
from agent_lsp.analysis.navigation.definition import (
    configured_at,
    definition,
    document_links,
    file_at,
    skill_at,
)
from agent_lsp.analysis.navigation.references import target_at
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import fixture

PAGE = Path(__file__).parents[2] / "docs" / "features.md"
SKILLS, SERVERS, AGENTS, FILES = "skills", "MCP servers", "agents in prompts", "files"
SCRIPTS, MATCHERS, TOOL = "hook scripts", "matchers", "delegation"
NONE = "\u2013"
KINDS = (SKILLS, SERVERS, AGENTS, FILES, SCRIPTS, MATCHERS, TOOL)


@dataclass(frozen=True, slots=True)
class _Named:
    """A file with a name at the cursor, the same name misspelt, and what is beside the file."""

    source: str
    right: str
    wrong: str
    beside: str = ""


_SKILL = "//- {}/lint/SKILL.md\n---\nname: lint\ndescription: D.\n---\nText.\n"
_HEAD = "---\n{}description: Does its work well.\n{}---\n{}\n"
_PROMPT = "You do the work that you are told."
# By system: the place of its files, a line with the name, and a call of an agent.
_MARKDOWN = {
    "claude": (".claude/agents/{}.md", "name: {}\n", 'Agent(subagent_type="{}")'),
    "codex-templates": (".codex/.agents/{}.md", "", 'spawn_agent with agent_type: "{}"'),
    "codex-subagents": (".codex/agents/{}.md", "name: {}\n", 'subagent_run(name="{}")'),
    "copilot": (".github/agents/{}.agent.md", "name: {}\n", 'runSubagent(agentName="{}")'),
    "cursor": (".cursor/agents/{}.md", "name: {}\n", 'Task(subagent_type="{}")'),
    "gemini": (".gemini/agents/{}.md", "name: {}\n", 'invoke_agent(agent_name="{}")'),
    "kodacode": (".kodacode/agents/{}.md", "mode: all\n", "delegate to `{}`"),
    "moltis-agents": (".moltis/agents/{}.md", "name: {}\n", 'spawn_agent(preset="{}")'),
    "opencode": (".opencode/agent/{}.md", "mode: subagent\n", '{{"subagent_type": "{}"}}'),
    "qwen": (".qwen/agents/{}.md", "name: {}\n", 'agent(subagent_type="{}")'),
}


def _file(system: str, lines: str, prompt: str, name: str = "lead") -> str:
    path, head, _ = _MARKDOWN[system]
    return f"//- {path.format(name)}\n" + _HEAD.format(head.format(name), lines, prompt)


def _servers(lines: str, system: str, configured: str) -> _Named:
    return _Named(_file(system, lines, _PROMPT), "github", "githbu", configured)


def _hooks(system: str, matcher: str, command: str) -> str:
    lines = (
        f"hooks:\n  PreToolUse:\n    - matcher: {matcher}\n      hooks:\n"
        f"        - type: command\n          command: {command}\n"
    )
    return _file(system, lines, _PROMPT)


_JSON = '{"mcpServers": {"github": {"command": "x"}}}'
_CODEX = (
    '//- .codex/agents/lead.toml\nname = "lead"\ndescription = "D."\n'
    'developer_instructions = "{}"\n{}'
)
_PRESETS = (
    "//- moltis.toml\n[agents.presets.lead]\ndelegate_only = {}\n{}"
    'system_prompt_suffix = "{}"\n[agents.presets.reviewer]\n'
)
_OPENCODE = (
    '//- opencode.json\n{{"mcp": {{"github": {{"type": "local", "command": ["x"]}}}},\n'
    '"agent": {{"lead": {{"description": "D.", "mode": "primary", "prompt": "{}"{}}},\n'
    '"reviewer": {{"description": "D.", "mode": "subagent", "prompt": "You review."}}}}}}\n'
)
_TOMLS = "//- ~/.codex/config.toml\n[mcp_servers.github]\ncommand = 'x'\n"
_MOLTIS = '//- ~/.moltis/mcp-servers.json\n{"servers": {"github": {}}}\n'
_ROLE = "//- docs/templates/{}.md\n[template]\nYou are here to help.\n\n{}\n"
_LINK = "See [it](docs/gui$0de.md)."
_GUIDE, _SCRIPT = "//- docs/guide.md\nx\n", "//- hooks/guard.sh\nexit 2\n"
NAMED: dict[tuple[str, str], _Named] = {
    (SKILLS, "claude"): _Named(
        _file("claude", "skills: li$0nt\n", _PROMPT),
        "lint",
        "lnit",
        _SKILL.format(".claude/skills"),
    ),
    (SKILLS, "copilot"): _Named(
        _file("copilot", "skills: [li$0nt]\n", _PROMPT),
        "lint",
        "lnit",
        _SKILL.format(".github/skills"),
    ),
    (SKILLS, "codex-agents"): _Named(
        _CODEX.format("B.", '[[skills.config]]\nname = "li$0nt"\nenabled = false\n'),
        "lint",
        "lnit",
        _SKILL.format(".agents/skills"),
    ),
    (SKILLS, "opencode"): _Named(
        _file("opencode", "permission:\n  skill:\n    li$0nt: deny\n", _PROMPT),
        "lint",
        "lnit",
        _SKILL.format(".opencode/skills"),
    ),
    (SKILLS, "opencode-config"): _Named(
        _OPENCODE.format("B.", ', "permission": {"skill": {"li$0nt": "deny"}}'),
        "lint",
        "lnit",
        _SKILL.format(".opencode/skills"),
    ),
    (SKILLS, "moltis"): _Named(
        _PRESETS.format("false", 'skills.allow = ["li$0nt"]\n', "B."),
        "lint",
        "lnit",
        _SKILL.format("~/.moltis/skills"),
    ),
    (SKILLS, "moltis-agents"): _Named(
        _file("moltis-agents", "skills_allow: li$0nt\n", _PROMPT),
        "lint",
        "lnit",
        _SKILL.format("~/.moltis/skills"),
    ),
    (SERVERS, "claude"): _servers(
        "tools: mcp__git$0hub__x\n", "claude", f"//- .mcp.json\n{_JSON}\n"
    ),
    (SERVERS, "codex-templates"): _servers(
        "allow_list: [mcp__git$0hub__x]\n", "codex-templates", _TOMLS
    ),
    (SERVERS, "codex-subagents"): _servers("tools: [git$0hub__x]\n", "codex-subagents", _TOMLS),
    (SERVERS, "copilot"): _Named(
        _file("copilot", "tools: [git$0lab/x]\n", _PROMPT),
        "gitlab",
        "gitlba",
        '//- .vscode/mcp.json\n{"servers": {"gitlab": {"command": "x"}}}\n',
    ),
    (SERVERS, "gemini"): _servers(
        "tools: [mcp_git$0hub_x]\n", "gemini", f"//- .gemini/settings.json\n{_JSON}\n"
    ),
    (SERVERS, "qwen"): _servers(
        "tools: [mcp__git$0hub__x]\n", "qwen", f"//- .qwen/settings.json\n{_JSON}\n"
    ),
    (SERVERS, "kodacode"): _servers(
        "AllowTools: [mcp_git$0hub__x]\n",
        "kodacode",
        "//- ~/.config/kodacode/config.yaml\nmcp:\n  servers:\n    - name: github\n",
    ),
    (SERVERS, "opencode"): _servers(
        "permission:\n  git$0hub_x: ask\n",
        "opencode",
        '//- opencode.json\n{"mcp": {"github": {"type": "local", "command": ["x"]}}}\n',
    ),
    (SERVERS, "opencode-config"): _Named(
        _OPENCODE.format("B.", ', "permission": {"git$0hub_x": "ask"}'),
        "github_x",
        "githbu_x",
    ),
    (SERVERS, "moltis"): _Named(
        _PRESETS.format("false", 'mcp.allow_servers = ["git$0hub"]\n', "B."),
        "github",
        "githbu",
        _MOLTIS,
    ),
    (SERVERS, "moltis-agents"): _servers("mcp_allow_servers: git$0hub\n", "moltis-agents", _MOLTIS),
    **{
        (AGENTS, system): _Named(
            _file(system, "", f"{_PROMPT} Then {call.format('review$0er')}."),
            "reviewer",
            "reviwer",
            _file(system, "", "You review the changes.", "reviewer"),
        )
        for system, (*_, call) in _MARKDOWN.items()
    },
    (AGENTS, "codex-agents"): _Named(
        _CODEX.format("Then spawn_agent(agent_type='review$0er').", ""),
        "reviewer",
        "reviwer",
        _CODEX.format("B.", "").replace("lead", "reviewer"),
    ),
    (AGENTS, "moltis"): _Named(
        _PRESETS.format("true", "", "Then spawn_agent(preset='review$0er')."),
        "reviewer')",
        "reviwer')",
    ),
    (AGENTS, "opencode-config"): _Named(
        _OPENCODE.format("Then task(subagent_type='review$0er').", ""),
        "reviewer')",
        "reviwer')",
    ),
    **{
        (FILES, system): _Named(
            _file(system, "", f"{_PROMPT} See [it](../../docs/gui$0de.md)."),
            "guide.md",
            "giude.md",
            _GUIDE,
        )
        for system in _MARKDOWN
    },
    (AGENTS, "vuhlp"): _Named(
        _ROLE.format(
            "helper",
            '{"tool_call":{"name":"spawn_node","args":{"label":"D",'
            '"instructions":"D.","roleTemplate":"docs_revie$0wer"}}}',
        ),
        "docs_reviewer",
        "docs_reviwer",
        _ROLE.format("docs_reviewer", "You review."),
    ),
    (FILES, "codex-agents"): _Named(_CODEX.format(_LINK, ""), "guide.md", "giude.md", _GUIDE),
    (FILES, "moltis"): _Named(_PRESETS.format("false", "", _LINK), "guide.md", "giude.md", _GUIDE),
    (FILES, "opencode-config"): _Named(_OPENCODE.format(_LINK, ""), "guide.md", "giude.md", _GUIDE),
    **{
        (SCRIPTS, system): _Named(
            _hooks(system, tool, "bash hooks/gua$0rd.sh"), "guard.sh", "gaurd.sh", _SCRIPT
        )
        for system, tool in (("claude", "Bash"), ("copilot", "execute"), ("qwen", "Shell"))
    },
    **{
        (MATCHERS, system): _Named(_hooks(system, matcher, "echo"), right, right.swapcase())
        for system, matcher, right in (
            ("claude", "Ba$0sh", "Bash"),
            ("qwen", "run_shell$0_command", "run_shell_command"),
        )
    },
    **{
        (TOOL, system): _Named(
            _file(system, allowed, f"{_PROMPT} Delegate to `reviewer`."),
            allowed,
            denied,
            _file(system, "", "You review the changes.", "reviewer"),
        )
        for system, allowed, denied in (
            ("claude", "tools: Read, Agent\n", "tools: Read\n"),
            (
                "codex-templates",
                "allow_list: [exec_command, spawn_agent]\n",
                "allow_list: [exec_command]\n",
            ),
            ("codex-subagents", "", "tools: [apply_patch]\n"),
            ("copilot", "tools: [agent]\n", "tools: [read]\n"),
            ("gemini", "", "tools: [read_file]\n"),
            ("kodacode", "AllowTools: [delegate]\n", "AllowTools: [read]\n"),
            ("moltis-agents", "delegate_only: true\n", "tools: exec\n"),
            ("opencode", "permission:\n  task: ask\n", "permission:\n  task: deny\n"),
            ("qwen", "", "tools: [read_file]\n"),
        )
    },
    (TOOL, "moltis"): _Named(
        _PRESETS.format("true", "", "Delegate to `reviewer`."), "= true", "= false"
    ),
    (TOOL, "opencode-config"): _Named(
        _OPENCODE.format("Delegate to `reviewer`.", ', "permission": {"task": "ask"}'),
        '"task": "ask"',
        '"task": "deny"',
    ),
}


def _letters(folder: Path, named: _Named) -> str:
    """What can be done with a name, in the letters of the page."""
    made = fixture(folder / "right", named.source + named.beside)
    file, at = template_file(made.workspace, made.path), made.offset
    assert file is not None
    has = dict.fromkeys("chdrnlfx", False)
    if "$0" in named.source:
        word = re.split(r"\W|_x\b", named.right)[0]
        labels = " ".join(one.label for one in complete(made.workspace, made.path, at))
        has["c"] = word in labels
        has["h"] = hover(made.workspace, made.path, at) is not None
        places = (skill_at(file, at), file_at(file, at), configured_at(file, at))
        has["d"] = any(places) or bool(definition(file, at))
        is_agent = target_at(file, at) is not None
        has["r"] = bool(skills.uses_at(file, at)) or is_agent
        has["n"] = skills.prepare(file, at) is not None or is_agent
        has["l"] = any(one.span.covers(at) for one in document_links(file))
    # A sub-agent may lack the tool for delegation in any case.
    is_tool = "$0" not in named.source
    before = {one.message for one in diagnostics(made.workspace, made.path) if not is_tool}
    wrong = _misspelt(named)
    made = fixture(folder / "wrong", wrong + named.beside)
    found = [o for o in diagnostics(made.workspace, made.path) if o.message not in before]
    found = [one for one in found if not is_tool or one.code == "futile-delegation"]
    has["f"] = bool(found)
    has["x"] = any(one.meant for one in found)
    return "".join(letter for letter, is_there in has.items() if is_there)


def _misspelt(named: _Named) -> str:
    plain = named.source.replace("$0", "")
    if named.right:
        return plain.replace(named.right, named.wrong)
    return plain.replace("description", f"{named.wrong}description", 1)


def _row(folder: Path, system: str) -> str:
    cells = (
        _letters(folder / str(place), NAMED[kind, system]) if (kind, system) in NAMED else ""
        for place, kind in enumerate(KINDS)
    )
    return f"| `{system}` | {' | '.join(cell or NONE for cell in cells)} |"


def test_the_page_says_what_can_be_done_with_each_name(tmp_path: Path) -> None:
    systems = sorted({system for _, system in NAMED})
    rows = [_row(tmp_path / system, system) for system in systems]
    page = PAGE.read_text(encoding="utf-8")
    assert [row for row in rows if row not in page] == []
