"""`@agent-<name>` and `@"<name> (agent)"` in the texts of a Claude agent mean the agent."""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.navigation.definition import definition, highlights, references_at
from agent_lsp.analysis.navigation.rename import CannotRename, Renaming, rename
from agent_lsp.text import apply
from agent_lsp.workspace.snapshot import TemplateFile, template_file
from tests.fixture import Fixture, fixture

CHECKER = "//- .claude/agents/any-file.md\n---\nname: checker\ndescription: Checks.\n---\nCheck.\n"
LEAD = "//- .claude/agents/lead.md\n---\nname: lead\ndescription: Leads.\n---\n"


def lead(folder: Path, prompt: str) -> tuple[Fixture, TemplateFile]:
    made = fixture(folder, f"{LEAD}{prompt}\n{CHECKER}")
    file = template_file(made.workspace, made.path)
    assert file is not None
    return made, file


def found(made: Fixture) -> list[str]:
    """The references of `checker` in the prompt of `lead`, each with the sign before it."""
    file = template_file(made.workspace, made.root / ".claude/agents/any-file.md")
    assert file is not None
    places = references_at(file, file.document.text.index("checker"), declaration=False)
    return [
        made.text[place.span.start - 1 : place.span.end]
        for place in places
        if place.path == made.path
    ]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Ask @agent-checker to look.", ["-checker"]),
        ('Ask @"checker (agent)" to look.', ['"checker']),
        ("@agent-checker: look at it. Then @agent-checker.", ["-checker", "-checker"]),
        ("(see `@agent-checker` and **@agent-checker**)", ["-checker", "-checker"]),
        ("```text\n@agent-checker look\n```", ["-checker"]),
    ],
)
def test_a_mention_in_a_prompt_is_a_reference(
    tmp_path: Path, prompt: str, expected: list[str]
) -> None:
    made, file = lead(tmp_path, prompt)

    assert found(made) == expected
    at = made.text.index("checker")
    [place] = definition(file, at)
    assert place.path.name == "any-file.md"
    assert place.span == subject_span(made)
    assert len(highlights(file, at)) == len(expected)
    assert diagnostics(made.workspace, made.path) == ()


def subject_span(made: Fixture) -> object:
    file = template_file(made.workspace, made.root / ".claude/agents/any-file.md")
    assert file is not None
    return file.names[0].span


@pytest.mark.parametrize(
    "prompt",
    [
        "The checker checks.",
        "Ask @checker to look.",
        "Write to me@agent-checker or @agent-checker/core, as in src/@agent-checker/x.",
        "Read @agent-checker.md and @agent-checkers.",
        'Ask @"checker" and @"the checker (agent)" and @"checker(agent)".',
        "The user-agent-checker and agent-checker are no agents.",
        "x/@agent-checker",
    ],
)
def test_what_only_looks_like_a_mention_is_none(tmp_path: Path, prompt: str) -> None:
    made, _ = lead(tmp_path, prompt)

    assert found(made) == []
    assert diagnostics(made.workspace, made.path) == ()


def test_an_agent_that_is_not_there_may_be_mentioned(tmp_path: Path) -> None:
    made, file = lead(tmp_path, "Ask @agent-nobody to look.")

    assert definition(file, made.text.index("nobody")) == ()
    assert diagnostics(made.workspace, made.path) == ()


def test_an_agent_of_a_plugin_is_mentioned_with_the_name_of_the_plugin(tmp_path: Path) -> None:
    source = "//- agents/lead.md\n---\nname: lead\ndescription: d\n---\nAsk @agent-kit:checker.\n"
    other = "//- agents/other.md\n---\nname: checker\ndescription: d\n---\nx\n"
    plugin = '//- .claude-plugin/plugin.json\n{"name": "kit"}\n'
    made = fixture(tmp_path, source + other + plugin)
    file = template_file(made.workspace, made.path)
    assert file is not None

    [place] = definition(file, made.text.index("kit:checker"))
    assert place.path.name == "other.md"


def test_a_rename_changes_the_name_in_mentions(tmp_path: Path) -> None:
    made, file = lead(tmp_path, 'Ask @agent-checker, or @"checker (agent)", not @checker.')
    done = rename(file, made.text.index("checker"), "judge")

    assert isinstance(done, Renaming)
    text = apply(made.text, done.edits[made.path])
    assert 'Ask @agent-judge, or @"judge (agent)", not @checker.' in text


def test_a_name_that_a_mention_cannot_hold_is_refused(tmp_path: Path) -> None:
    made, file = lead(tmp_path, "Ask @agent-checker to look.")

    assert isinstance(rename(file, made.text.index("checker"), "the judge"), CannotRename)


@pytest.mark.parametrize(
    "description",
    [
        "Leads. Use @agent-checker to check.",
        "'Leads. Use @agent-checker to check.'",
        "Leads: use @agent-checker to check.",
        "|\n  Leads.\n  Use @agent-checker to check.",
    ],
)
def test_a_mention_in_a_description_is_a_reference(tmp_path: Path, description: str) -> None:
    source = f"//- .claude/agents/lead.md\n---\nname: lead\ndescription: {description}\n---\nx\n"
    made = fixture(tmp_path, source + CHECKER)
    file = template_file(made.workspace, made.path)
    assert file is not None

    assert found(made) == ["-checker"]
    done = rename(file, made.text.index("checker"), "judge")
    assert isinstance(done, Renaming)
    assert apply(made.text, done.edits[made.path]) == made.text.replace("checker", "judge")


def test_an_agent_may_mention_itself_in_its_description(tmp_path: Path) -> None:
    source = "---\nname: lead\ndescription: Say @agent-lead to start it.\n---\nx\n"
    made = fixture(tmp_path, f"//- .claude/agents/lead.md\n{source}")
    file = template_file(made.workspace, made.path)
    assert file is not None

    done = rename(file, made.text.index("lead"), "head")
    assert isinstance(done, Renaming)
    assert apply(made.text, done.edits[made.path]) == made.text.replace("lead", "head")
