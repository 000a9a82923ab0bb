"""What Claude Code makes of an agent file, and what is said about it."""

from pathlib import Path
from typing import cast

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from agent_lsp.dialects.claude.dialect import DIALECT
from agent_lsp.dialects.claude.entries import spans
from agent_lsp.dialects.claude.tools import TOOLS
from agent_lsp.model.runtime import Call, Parent, RuntimeRefusal, Spawn
from agent_lsp.text import apply
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture

AGENT = "//- .claude/agents/a.md\n"
FORCED = {"CLAUDE_CODE_SUBAGENT_MODEL": "opus", "CLAUDE_CODE_SUBAGENT_MODEL_FORCE": "1"}
NAMES = tuple(tool.name for tool in (*DIALECT.tools.listed, *DIALECT.tools.withheld))


def said(made: Fixture) -> list[str]:
    """The findings on the file under test, as `severity[code]`."""
    found = diagnostics(made.workspace, made.path)
    return [f"{one.severity.name.lower()}[{one.code}]" for one in found]


def header(lines: str, *, name: str = "a") -> str:
    return f"{AGENT}---\nname: {name}\ndescription: d\n{lines}\n---\nYou help.\n"


def spawned(folder: Path, source: str, **arguments: object) -> Spawn | RuntimeRefusal:
    made = fixture(folder, source)
    found = catalog(made.workspace, DIALECT, made.root)
    parent = Parent(model="claude-opus-5", depth=cast("int", arguments.pop("depth", 0)))
    call = Call({"subagent_type": "a", "prompt": "Go.", **arguments}, parent, NAMES)
    return DIALECT.calls.spawn(found, call)


def kept(folder: Path, source: str, **arguments: object) -> list[str]:
    answer = spawned(folder, source, **arguments)
    assert isinstance(answer, Spawn)
    return [verdict.tool for verdict in answer.toolset.kept]


@pytest.mark.parametrize(
    "lines",
    [
        "model: sonnet",
        "model: claude-opus-4-6-20270101",
        "model: opus[1m]",
        "color: teal",
        "color: '#ff8800'",
        "effort: 3",
        "effort: med",
        "effort: HIGH",
        "effort: -1",
        "effort: [high]",
        "isolation: remote",
        "maxTurns: 5x",
        "background: True",
        "tools: Read, Bash(git diff:*), Agent(a, Plan), mcp__r__t, mcp__s, mcp__t__*",
        "tools: Read Grep Glob",
        "tools: [Read, 'Bash(npm run *)', Skill]",
        "tools: ['Read, Grep']",
        "tools:\n  - Read, Grep\n  - Glob",
        "tools:\n  - Read\n  - Task",
        "tools: '*'",
        "tools: []",
        "disallowedTools: mcp__*, Bash",
        "maxTurns: 3\nskills: [simplify]\nmemory: project\nbackground: true\nisolation: worktree",
        "hooks: {}",
        "hooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: x",
        "mcpServers:\n  - github\n  - mine:\n      type: stdio\n      command: x",
        "permissionMode: plan\ninitialPrompt: Go.",
        "permissionMode: plan\ntools: Read, ExitPlanMode",
    ],
)
def test_nothing_is_said_about_what_loads(tmp_path: Path, lines: str) -> None:
    assert said(fixture(tmp_path, header(lines))) == []


@pytest.mark.parametrize(
    "text",
    [
        "# Agents\n\nThese help.\n",
        "",
        "---\ntitle: Agents\ndescription: d\n---\nText\n",
        "---\n\nA rule above a text.\n\n---\nMore.\n",
        "---\n\n# Guide\n\n**Version:** *1*\n\nHow to write one:\n\nname: a\n```\n\n---\nMore.\n",
        "---\n\n# Guide\n\nThis is how to check them.\n\n```yaml\nname: a\n```\n\n---\nMore.\n",
    ],
)
def test_documentation_is_none_of_our_business(tmp_path: Path, text: str) -> None:
    made = fixture(tmp_path, f"//- .claude/agents/README.md\n{text}")

    assert said(made) == []
    assert hover(made.workspace, made.path, 0) is None or not text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\ndescription: d\ntools: Read\n---\nx\n", ["error[agent-name]"]),
        ("---\ndescription: d\n---\nx\n", ["information[agent-name]"]),
        ("---\nname:\ndescription: d\n---\nx\n", ["information[agent-name]"]),
        ("---\nname: 'a:b'\ndescription: d\n---\nx\n", ["error[agent-name]"]),
        ("---\nname: -a\ndescription: d\n---\nx\n", ["error[agent-name]"]),
        ("---\nname: a\n---\nx\n", ["error[missing-key]"]),
        ("---\nname: a\ndescription: d\nx\n", ["error[header-unclosed]"]),
        ("\ufeff---\nname: a\ndescription: d\n---\nx\n", []),
        ("---\nname: a\ndescription: do: it\n---\nx\n", ["information[unquoted-text]"]),
        ("---\r\nname: a\r\ndescription: do: it\r\n---\r\nx\r\n", ["error[unquoted-text]"]),
        ("---\nname: a\ndescription: Do. Such as:\n<e>\n</e>\n---\nx\n", ["error[unquoted-text]"]),
        # What follows another system's list is the prompt, and no text of the colour's.
        (
            "---\nname: a\ndescription: d\ncolor: red\nx: []\n## End\n\nDo:\n- x\n**All**\n---\n",
            ["error[header-unclosed]"],
        ),
        ("---\nname: a\ndescription: d\nmodel:opus\n---\nx\n", ["error[header-invalid]"]),
        ("---\nname: a\ndescription: d\n\tmodel: x\n---\nx\n", ["error[header-invalid]"]),
        ('---\nname: a\ndescription: "Say "x" to it"\n---\nx\n', ["error[header-invalid]"]),
        ("---\nname: a\ndescription: d\ndeny_list: [Bash]\n---\nx\n", ["warning[unknown-key]"]),
        ("---\nname: a\ndescription: d\ntools: [Read\n---\nx\n", ["error[unknown-tool]"]),
        ("---\nname: a\ndescription: d\nhooks: []\n---\nx\n", ["error[wrong-type]"]),
        ("---\nname: a\nname: b\ndescription: d\n---\nx\n", ["warning[duplicate-key]"]),
        ("---\nname: a\ndescription: d\nallowed-tools: Read\n---\nx\n", ["warning[unknown-key]"]),
        ("---\nname: a\ndescription: d\nallowedTools: Read\n---\nx\n", ["warning[unknown-key]"]),
        ("---\nname: a\ndescription: d\nmodle: opus\n---\nx\n", ["warning[unknown-key]"]),
        ("---\nname: a\ndescription: d\nmodel: sonet\n---\nx\n", ["warning[unknown-model]"]),
        ("---\nname: a\ndescription: d\ntools: Read, Grpe\n---\nx\n", ["warning[unknown-tool]"]),
        ("---\nname: a\ndescription: d\ntools: Grpe\n---\nx\n", ["error[unknown-tool]"]),
        ("---\nname: a\ndescription: d\ntools: ls_dir, go\n---\nx\n", ["error[no-tools]"]),
        ("---\nname: a\ndescription: d\ntools: Read, LS\n---\nx\n", ["warning[unknown-tool]"]),
        ("---\nname: a\ndescription: d\ntools: Glob, LS\n---\nx\n", ["hint[unknown-tool]"]),
        ("---\nname: a\ndescription: d\ntools: Read, New\n---\nx\n", ["warning[unknown-tool]"]),
        (
            "---\nname: a\ndescription: d\ntools: Read, AskUserQuestion\n---\nx\n",
            ["information[unavailable-tool]"],
        ),
        (
            "---\nname: a\ndescription: d\ntools: AskUserQuestion\n---\nx\n",
            ["error[unavailable-tool]"],
        ),
        ("---\nname: a\ndescription: d\nmemory: tam\n---\nx\n", ["warning[unknown-value]"]),
        ("---\nname: a\ndescription: d\nmemory: none\n---\nx\n", ["information[unknown-value]"]),
        (
            "---\nname: a\ndescription: d\nisolation: work-tree\n---\nx\n",
            ["warning[unknown-value]"],
        ),
    ],
)
def test_each_mistake_is_said_once(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert said(fixture(tmp_path, AGENT + text)) == expected


def test_an_unquoted_colon_is_read_all_the_same(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"{AGENT}---\nname: a\ndescription: do: it\ntools: Read\n---\nx\n")
    file = template_file(made.workspace, made.path)

    assert file is not None
    assert file.reading.effective.settings["description"].text == "do: it"
    assert [tool.text for tool in file.reading.effective.settings["tools"].items] == ["Read"]


def test_commas_inside_parentheses_divide_nothing() -> None:
    text = "Agent(a, b), Read Bash(git diff:*)"
    assert [text[a:b] for a, b in spans(text)] == ["Agent(a, b)", "Read", "Bash(git diff:*)"]


def test_neither_key_gives_all_that_sub_agents_can_have(tmp_path: Path) -> None:
    assert kept(tmp_path, header("")) == [tool.name for tool in TOOLS]


def test_what_is_denied_goes_first(tmp_path: Path) -> None:
    assert kept(tmp_path, header("tools: Read, Bash\ndisallowedTools: Bash")) == ["Read"]


def test_to_deny_some_uses_of_a_tool_denies_it(tmp_path: Path) -> None:
    assert "Bash" not in kept(tmp_path, header("disallowedTools: Bash(rm *)"))


def test_an_empty_list_launches_without_tools(tmp_path: Path) -> None:
    assert kept(tmp_path, header("tools: []")) == []


def test_memory_turns_on_what_it_needs(tmp_path: Path) -> None:
    assert kept(tmp_path, header("tools: Grep\nmemory: user")) == ["Read", "Write", "Edit", "Grep"]


def test_in_the_background_there_are_fewer_tools(tmp_path: Path) -> None:
    lines = header("tools: Read, CronList, Agent")

    assert kept(tmp_path / "1", lines) == ["Read", "Agent", "CronList"]
    assert kept(tmp_path / "2", lines, background=True) == ["Read", "Agent"]
    assert kept(tmp_path / "3", header("tools: Read, CronList\nbackground: true")) == ["Read"]


def test_a_preview_names_the_tools_that_the_agent_loses_in_the_background(tmp_path: Path) -> None:
    def told(folder: str, lines: str) -> str:
        found = spawned(tmp_path / folder, header(lines), prompt="Go.")
        assert isinstance(found, Spawn)
        return " ".join(note for note in found.notes if "background" in note)

    assert told("1", "tools: Read, CronList, Agent").endswith("this one does not have `CronList`")
    assert told("2", "tools: Read, Agent") == ""
    assert told("3", "tools: Read, CronList\nbackground: true") == ""


def test_an_agent_at_the_depth_limit_calls_no_other(tmp_path: Path) -> None:
    assert kept(tmp_path / "1", header("tools: Read, Agent"), depth=1) == ["Read", "Agent"]
    assert kept(tmp_path / "2", header("tools: Read, Agent"), depth=2) == ["Read"]


def test_a_list_of_which_nothing_resolves_is_refused(tmp_path: Path) -> None:
    assert spawned(tmp_path, header("tools: grpe, AskUserQuestion")) == RuntimeRefusal(
        "Agent 'a' would be spawned with zero tools — refusing. Its tools list resolved to "
        "nothing: unrecognized [grpe]; not available to subagents [AskUserQuestion]. "
        "Fix the agent's tools frontmatter or pass a different subagent_type."
    )


@pytest.mark.parametrize(
    ("lines", "arguments", "model"),
    [
        ("", {}, "claude-opus-5"),
        ("model: inherit", {}, "claude-opus-5"),
        ("model: haiku", {}, "haiku"),
        ("model: haiku", {"model": "sonnet"}, "sonnet"),
        ("model: haiku", {"env": {"CLAUDE_CODE_SUBAGENT_MODEL": "opus"}}, "haiku"),
        ("model: inherit", {"env": {"CLAUDE_CODE_SUBAGENT_MODEL": "opus"}}, "claude-opus-5"),
        ("", {"env": {"CLAUDE_CODE_SUBAGENT_MODEL": "opus"}}, "opus"),
        ("", {"env": {"CLAUDE_CODE_SUBAGENT_MODEL": "inherit"}}, "claude-opus-5"),
        ("model: haiku", {"env": FORCED, "model": "sonnet"}, "opus"),
        ("model: haiku", {"env": {"CLAUDE_CODE_SUBAGENT_MODEL": "inherit"}}, "haiku"),
    ],
)
def test_the_model_is_the_first_that_somebody_names(
    tmp_path: Path, lines: str, arguments: dict[str, object], model: str
) -> None:
    answer = spawned(tmp_path, header(lines), **arguments)
    assert isinstance(answer, Spawn)
    assert answer.settings[0].value == model


def test_a_preview_says_that_the_variable_decides_in_older_versions_only(tmp_path: Path) -> None:
    variable = {"CLAUDE_CODE_SUBAGENT_MODEL": "opus"}
    both = spawned(tmp_path / "1", header("model: haiku"), env=variable)
    alone = spawned(tmp_path / "2", header(""), env=variable)

    assert isinstance(both, Spawn)
    assert isinstance(alone, Spawn)
    assert any("since 2.1.251" in note for note in both.notes)
    assert not any("2.1.251" in note for note in alone.notes)


def test_an_unknown_agent_is_answered_with_those_that_there_are(tmp_path: Path) -> None:
    answer = spawned(tmp_path, header("", name="b"))
    own = "b, claude, claude-code-guide, Explore, general-purpose, Plan, statusline-setup"
    assert answer == RuntimeRefusal(f"Agent type 'a' not found. Available agents: {own}")


def test_the_prompt_is_the_body_and_what_is_loaded_beforehand(tmp_path: Path) -> None:
    answer = spawned(tmp_path, header("skills: loop, run"))
    assert isinstance(answer, Spawn)
    titles = [part.title for part in answer.prompt]
    assert titles == [
        "system prompt",
        "environment",
        "project",
        "prompt",
        "skill `loop`",
        "skill `run`",
    ]
    assert answer.prompt[0].text == "You help."


@pytest.mark.parametrize(
    ("lines", "label", "expected"),
    [
        ("mod$0", "model", "model: "),
        ("model: so$0", "sonnet", "model: sonnet"),
        ("permissionMode: ac$0", "acceptEdits", "permissionMode: acceptEdits"),
        ("tools: Gr$0", "Grep", "tools: Grep"),
        ("tools: Read, Gr$0", "Grep", "tools: Read, Grep"),
        ("tools: Read, $0", "Grep", "tools: Read, Grep"),
        ("tools: [Read, Gr$0]", "Grep", "tools: [Read, Grep]"),
        ("disallowedTools: Wr$0, Bash", "Write", "disallowedTools: Write, Bash"),
        ("tools: Agent(he$0)", "helper", "tools: Agent(helper)"),
    ],
)
def test_completion_inserts_what_was_begun(
    tmp_path: Path, lines: str, label: str, expected: str
) -> None:
    helper = "//- .claude/agents/h.md\n---\nname: helper\ndescription: d\n---\nx\n"
    made = fixture(tmp_path, header(lines) + helper)
    found = complete(made.workspace, made.path, made.offset)
    item = next(item for item in found if item.label == label)
    assert expected in apply(made.text, [item.edit])


@pytest.mark.parametrize("text", ["---\nna$0", "---\nna$0\n---\n", "---\n# mine\nname: a\nd$0"])
def test_keys_are_offered_from_the_first_letter_on(tmp_path: Path, text: str) -> None:
    made = fixture(tmp_path, AGENT + text)

    assert "description" in {one.label for one in complete(made.workspace, made.path, made.offset)}
    assert all(one.startswith("error[header-unclosed]") for one in said(made))


def test_hover_on_the_first_line_tells_what_the_agent_is_left_with(tmp_path: Path) -> None:
    made = fixture(tmp_path, header("tools: Read, Grep"))
    shown = hover(made.workspace, made.path, 0)
    assert shown is not None
    assert "**This file is `a`**" in shown.markdown
    assert "2" in shown.markdown


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("tools: Read, Ba$0sh(git:*)", "**`Bash`: this agent has it**"),
        ("tools: [Read, Bash(gi$0t:*)]", "**`Bash`: this agent has it**"),
        ("disallowedTools: [Bash(rm$0 *)]", "**`Bash`: this agent does not have it**"),
        ("disallowedTools: Read Wri$0te", "**`Write`: this agent does not have it**"),
        ("permissionMode: pl$0an", "reads and plans"),
    ],
)
def test_hover_on_a_value_says_what_it_does(tmp_path: Path, lines: str, expected: str) -> None:
    made = fixture(tmp_path, header(lines))
    shown = hover(made.workspace, made.path, made.offset)
    assert shown is not None
    assert expected in shown.markdown
