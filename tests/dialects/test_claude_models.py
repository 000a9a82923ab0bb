"""Which full ids of models are misspelt, and which may be models that are not known here."""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import repaired
from tests.fixture import fixture


def agent(model: str) -> str:
    header = f"---\nname: a\ndescription: d\nmodel: {model}\n---\nYou help.\n"
    return f"//- .claude/agents/a.md\n{header}"


@pytest.mark.parametrize(
    "model",
    [
        "claude-sonnet-4-5",
        "claude-opus-4-1-20250805",
        "claude-3-5-sonnet-20241022",
        "claude-3-7-sonnet-latest",
        "claude-opus-4-6[1m]",
        "claude-fable-5-1",
        "claude-mythos-5",
        "claudia-sonnet-4",
        "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "global.anthropic.claude-opus-9-v1:0",
        "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/ab12cd34",
        "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-haiku-4-5-v1:0",
        "claude-sonnet-4-5@20250929",
        "anthropic/claude-sonnet-4.5",
        "openrouter/anthropic/claude-opus-4.6:thinking",
        "vertex_ai/claude-haiku-4-5",
        "qwen/qwen3-coder",
        "my-sonet",
    ],
)
def test_nothing_is_said_of_an_id_that_may_exist(tmp_path: Path, model: str) -> None:
    made = fixture(tmp_path, agent(model))

    assert diagnostics(made.workspace, made.path) == ()


@pytest.mark.parametrize(
    ("model", "meant"),
    [
        ("claude-sonet-4-5", "claude-sonnet-4-5"),
        ("claude-sonnett-4-5", "claude-sonnet-4-5"),
        ("claude-snonet-4-5", "claude-sonnet-4-5"),
        ("claude-opuss-4-1", "claude-opus-4-1"),
        ("claude-opsu-4-1", "claude-opus-4-1"),
        ("claude-haikku-4-5", "claude-haiku-4-5"),
        ("claude-haiki-4-5", "claude-haiku-4-5"),
        ("claude-3-5-sonet-20241022", "claude-3-5-sonnet-20241022"),
        ("cluade-sonnet-4-5[1m]", "claude-sonnet-4-5[1m]"),
        ("claud-sonet-4", "claude-sonnet-4"),
        ("us.anthropic.claude-sonet-4-v1:0", "us.anthropic.claude-sonnet-4-v1:0"),
        ("claude-fabel-5@20260101", "claude-fable-5@20260101"),
        ("anthropic/claude-hiaku-4.5", "anthropic/claude-haiku-4.5"),
    ],
)
def test_a_misspelt_word_of_an_id_is_told_and_put_right(
    tmp_path: Path, model: str, meant: str
) -> None:
    made = fixture(tmp_path, agent(model))
    [said] = diagnostics(made.workspace, made.path)

    assert (said.code, said.severity.name) == ("unknown-model", "WARNING")
    assert said.message == (
        f"unknown model `{model}`: unless the provider has it, the agent fails at its first "
        f"request; did you mean `{meant}`?"
    )
    assert repaired(made.workspace, made.path) == made.text.replace(model, meant)


@pytest.mark.parametrize(
    ("model", "alias"),
    [
        ("gpt-4o", "sonnet"),
        ("gpt-5-mini", "haiku"),
        ("gemini-2.5-pro", "sonnet"),
        ("glm-5.1", "sonnet"),
        ("Claude Sonnet 4.5", "sonnet"),
        ("claude-3.5-sonnet", "sonnet"),
        ("claude-opus-4.5", "opus"),
        ("claude-sonnet", "sonnet"),
        ("sonnet-4.5", "sonnet"),
        ("Opus 4", "opus"),
        ("default", "inherit"),
        ("auto", "inherit"),
        ("none", "inherit"),
        ("inherited", "inherit"),
        ("parent", "inherit"),
        ("n/a", "inherit"),
        ("TBD", "inherit"),
        ("sonnet (default)", "sonnet"),
        ("sonnet or opus", "sonnet"),
        ("opus/sonnet", "opus"),
        ("haiku|sonnet", "haiku"),
        ("sonnet[2m]", "sonnet[1m]"),
        ("claude-sonnet-4-5[2m]", "claude-sonnet-4-5[1m]"),
        ("small", "haiku"),
        ("fast", "haiku"),
        ("medium", "sonnet"),
        ("Large", "opus"),
        ("${MODEL}", "inherit"),
        ("<model>", "inherit"),
        ("YOUR_MODEL", "inherit"),
    ],
)
def test_what_is_no_model_of_claude_s_gets_the_nearest_alias(
    tmp_path: Path, model: str, alias: str
) -> None:
    made = fixture(tmp_path, agent(model))
    [said] = diagnostics(made.workspace, made.path)

    assert (said.code, said.severity.name) == ("unknown-model", "WARNING")
    assert "the runtime sends it unchanged, and unless a gateway has it" in said.message
    # Other programs that read the file may have the model.
    fixed = repaired(made.workspace, made.path, unsafe=True)
    assert fixed == made.text.replace(model, alias)


@pytest.mark.parametrize("model", ["haiku[1m]", "sonnet [1m]", "Opus[1M]", "opusplan", "best"])
def test_an_alias_may_have_a_long_context(tmp_path: Path, model: str) -> None:
    made = fixture(tmp_path, agent(model))

    assert diagnostics(made.workspace, made.path) == ()


@pytest.mark.parametrize(
    "model",
    [
        *("claude-opus-99", "claude-sonnet-9-9", "claude-haiku-4", "claude-fable-4-1"),
        *("claude-opal-1", "claude-v2", "claude-5", "claude-3-7-opus-latest", "claude-instant-1.2"),
    ],
)
def test_an_id_that_the_measured_version_logs_as_unknown_is_named_with_that_version(
    tmp_path: Path, model: str
) -> None:
    made = fixture(tmp_path, agent(model))
    [said] = diagnostics(made.workspace, made.path)

    assert (said.code, said.severity.name) == ("unknown-model", "INFORMATION")
    assert said.message == (
        f"Claude Code 2.1.332 does not know the model `{model}`: unless the provider has it, "
        "the agent fails at its first request"
    )


def test_a_comment_that_the_second_try_takes_into_the_model_is_told(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: Use when: asked\nmodel: sonnet # x: y\n---\nYou help.\n"
    made = fixture(tmp_path, f"//- .claude/agents/a.md\n{text}")
    found = diagnostics(made.workspace, made.path)
    [said] = [one for one in found if one.code == "unknown-model"]

    assert (said.code, said.severity.name) == ("unknown-model", "WARNING")
    assert said.message.startswith("the value is read as text, so the comment is part of it: ")
    assert "did you mean `sonnet`?" in said.message
