"""Agents that a prompt calls, and no session has."""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from tests.fixture import fixture

CLAUDE = ("claude", ".claude/agents/{}.md", "name: {}\ndescription: D.\n")
OTHER = "reviewer"
# The folder of each system, its header, and a call of an agent.
SYSTEMS = [
    (".claude/agents/{}.md", "name: {}\ndescription: D.\n", 'Agent(subagent_type="{}")'),
    (".codex/.agents/{}.md", "description: D.\n", 'spawn_agent with agent_type: "{}"'),
    (".codex/agents/{}.md", "name: {}\ndescription: D.\n", 'subagent_run(name="{}")'),
    (".gemini/agents/{}.md", "name: {}\ndescription: D.\n", 'invoke_agent(agent_name="{}")'),
    (".qwen/agents/{}.md", "name: {}\ndescription: Longer.\n", 'agent(subagent_type="{}")'),
    (".opencode/agent/{}.md", "description: D.\nmode: subagent\n", '{{"subagent_type": "{}"}}'),
    (".moltis/agents/{}.md", "name: {}\n", 'spawn_agent(preset="{}")'),
    (".cursor/agents/{}.md", "name: {}\ndescription: D.\n", 'Task(subagent_type="{}")'),
]


def _said(
    folder: Path, prompt: str, path: str = SYSTEMS[0][0], header: str = SYSTEMS[0][1]
) -> list[tuple[str, str, tuple[str, ...]]]:
    files = (
        f"//- {path.format(name)}\n---\n{header.format(name)}---\n{text}\n"
        for name, text in (("lead", prompt), (OTHER, "You review."))
    )
    made = fixture(folder, "".join(files))
    found = diagnostics(made.workspace, made.path)
    return [
        (one.span.of(made.text), one.severity.name.lower(), one.meant)
        for one in found
        if one.code == "unknown-agent"
    ]


@pytest.mark.parametrize(("path", "header", "call"), SYSTEMS)
def test_a_call_of_a_misspelt_agent_is_reported_in_every_system(
    path: str, header: str, call: str, tmp_path: Path
) -> None:
    prompt = f"{call.format('reviwer')} and {call.format(OTHER)}.\n"
    said = _said(tmp_path, prompt, path, header)
    assert said == [("reviwer", "warning", (OTHER,))]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ('Agent(subagent_type="zork")', [("zork", "information", ())]),
        ('subagent_type: "zork", then subagent_type: "zork"', [("zork", "information", ())]),
        ("Delegate to `reviwer`.", [("reviwer", "hint", (OTHER,))]),
        # The runtime has it, or ignores how it is spelt.
        ('subagent_type: "general-purpose", subagent_type: "Explore"', []),
        ('subagent_type: "Reviewer"', []),
        ('subagent_type: "fork"', []),
        # An example, an agent of a plugin, a type, or prose.
        ('subagent_type: "agent-name", subagent_type: "your-agent", subagent_type: "x"', []),
        ('subagent_type: "deploy:zork"', []),
        ("subagent_type: string", []),
        ("Delegate to `zork`, to the reviewers, and ask the test agent.", []),
        # In the prompt of an agent, a mention is plain text.
        ("Ask @agent-zork and @agent-reviwer, and read @agent-reviewer.md.", []),
        ("See @agent-framework/core.", []),
    ],
)
def test_what_is_said_of_calls(
    prompt: str, expected: list[tuple[str, str, tuple[str, ...]]], tmp_path: Path
) -> None:
    assert _said(tmp_path, prompt) == expected


def test_an_agent_of_the_user_may_call_those_of_any_project(tmp_path: Path) -> None:
    prompt = 'subagent_type: "zork", subagent_type: "reviwer"'
    said = _said(tmp_path, prompt, "~/.claude/agents/{}.md")
    assert said == [("reviwer", "warning", (OTHER,))]


def test_a_persona_that_the_called_agent_has_not_is_reported(tmp_path: Path) -> None:
    source = """\
        //- .codex/.agents/lead.md
        ---
        description: Leads.
        ---
        agent_type: "reviewer", agent_name: "strct"; agent_type: "reviewer", agent_name: "Strict".
        agent_type: "reviewer", agent_name: "lenient".
        //- .codex/.agents/reviewer.md
        ---
        description: Reviews.
        agent_names:
          - name: strict
            description: Says all.
        ---
        You review.
        <!-- agent_name: strict -->
        Say all.
        """
    made = fixture(tmp_path, source)
    found = diagnostics(made.workspace, made.path)
    said = [(one.span.of(made.text), one.severity.name.lower(), one.meant) for one in found]
    assert said == [("strct", "warning", ("strict",)), ("lenient", "information", ())]


@pytest.mark.parametrize(
    "source",
    [
        (
            '//- .codex/agents/lead.toml\nname = "lead"\ndescription = "D."\n'
            "developer_instructions = \"Call spawn_agent(agent_type='{}').\"\n"
            '//- .codex/agents/b.toml\nname = "reviewer"\ndescription = "D."\n'
            'developer_instructions = "B."\n'
        ),
        (
            "//- moltis.toml\n[agents.presets.lead]\ndelegate_only = true\n"
            "system_prompt_suffix = \"Call spawn_agent(preset='{}').\"\n[agents.presets.reviewer]\n"
        ),
        (
            '//- opencode.json\n{{"agent": {{\n"lead": {{"description": "D.", "mode": "primary",\n'
            '"prompt": "Call task(subagent_type=\'{}\')."}},\n'
            '"reviewer": {{"description": "D.", "mode": "subagent", "prompt": "You review."}}}}}}\n'
        ),
    ],
)
def test_a_call_in_a_prompt_that_is_a_value_is_reported(source: str, tmp_path: Path) -> None:
    for name, expected in (("reviewer", []), ("reviwer", [("reviwer", (OTHER,))])):
        made = fixture(tmp_path / name, source.format(name))
        found = diagnostics(made.workspace, made.path)
        said = [(one.span.of(made.text), one.meant) for one in found if one.code == "unknown-agent"]
        assert said == expected
