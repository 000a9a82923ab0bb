"""Agents in the text of a prompt: completion where a name follows, and hover on a mention."""

from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from tests.fixture import Fixture, fixture

AGENT = "//- .claude/agents/{0}.md\n---\nname: {0}\ndescription: Does {0}.\n---\n{1}\n"
TEMPLATE = "//- .codex/.agents/{0}.md\n---\ndescription: Does {0}.\n---\n{1}\n"


def _made(folder: Path, prompt: str, form: str = AGENT) -> Fixture:
    return fixture(folder, form.format("lead", prompt) + form.format("code-review", "Review."))


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Delegate to $0", True),
        ("Delegate the work to the `co$0`.", True),
        ("Ask `$0`", True),
        ('Agent(subagent_type: "$0")', True),
        ("Use @agent-co$0 here.", True),
        ("Ask `someone` $0", False),
        ("Ask `someone`$0", False),
        ("Write to $0", False),
        ("mail@agent-$0", False),
    ],
)
def test_a_name_completes_where_one_follows(prompt: str, expected: bool, tmp_path: Path) -> None:
    made = _made(tmp_path, prompt)
    labels = [one.label for one in complete(made.workspace, made.path, made.offset)]
    assert ("code-review" in labels) is expected
    assert "lead" not in labels


def test_a_completed_name_replaces_what_is_typed(tmp_path: Path) -> None:
    made = _made(tmp_path, 'spawn_agent(agent_type="co$0de")', TEMPLATE)
    [item] = [
        one
        for one in complete(made.workspace, made.path, made.offset)
        if one.label == "code-review"
    ]
    assert item.edit.span.of(made.text) == "code"


_OPENCODE = "//- .opencode/agent/lead.md\n---\ndescription: Leads.\n{}---\n{}\n"
_CODEX = (
    '//- .codex/agents/lead.toml\nname = "lead"\ndescription = "D."\n'
    "developer_instructions = '''{}'''\n"
)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (_OPENCODE.format("", 'Use task with subagent_type: "$0"'), {"general", "explore"}),
        (_OPENCODE.format("permission:\n  task:\n    $0\n", "B."), {"general", "explore"}),
        (_OPENCODE.format("", "Ask @$0 first."), {"general", "explore"}),
        (_OPENCODE.format("", "Ask @ge$0 first."), {"general", "explore"}),
        (_CODEX.format('Use spawn_agent(agent_type="$0")'), {"default", "explorer", "worker"}),
    ],
)
def test_agents_of_the_program_complete(source: str, expected: set[str], tmp_path: Path) -> None:
    made = fixture(tmp_path, source)
    labels = {one.label for one in complete(made.workspace, made.path, made.offset)}
    assert expected <= labels
    assert "build" not in labels


def test_agents_are_offered_before_paths(tmp_path: Path) -> None:
    made = fixture(tmp_path, _OPENCODE.format("", "Ask @$0 first.") + "//- docs/a.md\n")
    labels = [one.label for one in complete(made.workspace, made.path, made.offset)]
    assert set(labels[:2]) == {"general", "explore"}
    assert "docs/" in labels[2:]


_WITHOUT_EXPLORE = '//- opencode.json\n{"agent": {"explore": {"disable": true}}}\n'


@pytest.mark.parametrize(
    "source",
    [
        _OPENCODE.format("", 'Use task with subagent_type: "$0"'),
        _OPENCODE.format("permission:\n  task:\n    $0\n", "B."),
    ],
)
def test_an_agent_of_the_program_that_is_disabled_does_not_complete(
    source: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, source + _WITHOUT_EXPLORE)
    labels = {one.label for one in complete(made.workspace, made.path, made.offset)}
    assert "general" in labels
    assert "explore" not in labels


def test_a_call_of_a_disabled_agent_is_told(tmp_path: Path) -> None:
    source = _OPENCODE.format("", 'Use task with subagent_type: "explore", then "general".')
    made = fixture(tmp_path, source + _WITHOUT_EXPLORE)
    found = [one for one in diagnostics(made.workspace, made.path) if one.code == "unknown-agent"]
    assert [(one.span.of(made.text), one.message) for one in found] == [
        ("explore", "no agent is called `explore`: `disable: true` disables the agent")
    ]
    [related] = found[0].related
    assert related.path == made.root / "opencode.json"


@pytest.mark.parametrize(
    ("source", "meant"),
    [
        (_OPENCODE.format("", 'Use task with subagent_type: "exlpore".'), "explore"),
        (_CODEX.format('Use spawn_agent(agent_type="explroer").'), "explorer"),
    ],
)
def test_a_misspelt_agent_of_the_program_is_told(source: str, meant: str, tmp_path: Path) -> None:
    made = fixture(tmp_path, source)
    found = [one for one in diagnostics(made.workspace, made.path) if one.code == "unknown-agent"]
    assert [one.meant for one in found] == [(meant,)]


def test_hover_on_a_mention_shows_the_agent(tmp_path: Path) -> None:
    made = _made(tmp_path, "Delegate to `code-$0review`.")
    said = hover(made.workspace, made.path, made.offset)
    assert said is not None
    assert said.span.of(made.text) == "code-review"
    assert "It is defined in [.claude/agents/code-review.md" in said.markdown


@pytest.mark.parametrize(
    "header", ["description: For @agent-code-$0review.", "tools: Agent(code-$0review)"]
)
def test_hover_on_a_mention_in_the_header_shows_the_agent(header: str, tmp_path: Path) -> None:
    source = f"//- .claude/agents/lead.md\n---\nname: lead\n{header}\n---\nYou lead.\n"
    made = fixture(tmp_path, source + AGENT.format("code-review", "Review."))
    said = hover(made.workspace, made.path, made.offset)
    assert said is not None
    assert said.span.of(made.text) == "code-review"
    assert "It is defined in [.claude/agents/code-review.md" in said.markdown


def test_hover_on_a_mention_in_a_table_shows_the_agent(tmp_path: Path) -> None:
    source = """\
        //- moltis.toml
        [agents.presets.lead]
        system_prompt_suffix = "Delegate to `check$0er`."

        [agents.presets.checker]
        system_prompt_suffix = "You check."
        """
    made = fixture(tmp_path, source)
    said = hover(made.workspace, made.path, made.offset)
    assert said is not None
    assert said.span.of(made.text) == "checker"


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ('spawn_agent(agent_type="other", agent_name="ha$0")', ["hard"]),
        ('spawn_agent(agent_type="lead", agent_name="$0")', ["own"]),
        ('spawn_agent(agent_name="$0")', []),
    ],
)
def test_a_persona_completes_in_a_call(call: str, expected: list[str], tmp_path: Path) -> None:
    head = "---\ndescription: D.\nagent_names:\n  - {{name: {0}, description: d}}\n---\n{1}\n"
    block = "<!-- agent_name: {} -->\nBe so.\n"
    made = fixture(
        tmp_path,
        f"//- .codex/.agents/lead.md\n{head.format('own', call)}{block.format('own')}"
        f"//- .codex/.agents/other.md\n{head.format('hard', 'Work.')}{block.format('hard')}",
    )
    found = complete(made.workspace, made.path, made.offset)
    assert [one.label for one in found] == expected


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("Leads. Delegates to $0", True),
        ("Leads `co$0`.", True),
        ('"Leads `co$0`"', True),
        ("|\n  Leads.\n  Delegates to `$0`.", True),
        ("Leads $0", False),
        ("$0", False),
    ],
)
def test_an_agent_completes_in_a_description(
    description: str, expected: bool, tmp_path: Path
) -> None:
    made = fixture(
        tmp_path,
        f"//- .claude/agents/lead.md\n---\nname: lead\ndescription: {description}\n---\nB.\n"
        "//- .claude/agents/code-review.md\n---\nname: code-review\ndescription: D.\n---\nB.\n",
    )
    labels = [one.label for one in complete(made.workspace, made.path, made.offset)]
    assert ("code-review" in labels) is expected


def test_an_agent_completes_in_the_list_of_a_header(tmp_path: Path) -> None:
    head = "---\nname: {}\ndescription: D.\n{}---\nB.\n"
    made = fixture(
        tmp_path,
        f"//- .github/agents/lead.agent.md\n{head.format('lead', 'agents: [ot$0]{}')}"
        f"//- .github/agents/other.agent.md\n{head.format('other', '')}".replace("{}", "\n"),
    )
    labels = [one.label for one in complete(made.workspace, made.path, made.offset)]
    assert "other" in labels


def test_hover_on_a_mention_in_a_prompt_of_vuhlp_shows_the_agent(tmp_path: Path) -> None:
    made = fixture(
        tmp_path,
        """
        //- docs/templates/lead.md
        [template]
        name = "lead"

        Delegate to `ot$0her`.
        //- docs/templates/other.md
        [template]
        name = "other"

        Work.
        """,
    )
    said = hover(made.workspace, made.path, made.offset)
    assert said is not None
    assert "docs/templates/other.md" in said.markdown
