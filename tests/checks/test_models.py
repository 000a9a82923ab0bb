"""A model and an effort are judged by what the runtime's own list says, and only by that."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.suggest import near_miss
from agent_lsp.dialects.codex_templates.dialect import DIALECT
from agent_lsp.model.runtime import Call, RuntimeRefusal
from agent_lsp.model.schema import Model
from agent_lsp.options import Extras, Options
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.snapshot import template_file
from tests.checks.conftest import Check
from tests.fixture import Fixture, fixture
from tests.recorded import each

CONFORMANCE = Path(__file__).parents[1] / "conformance" / "codex-templates.jsonl"
MODELS = tuple(model.name for model in DIALECT.models.listed)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("GPT-5-Codex", "gpt-5-codex"),
        ("gpt5", "gpt-5"),
        ("gpt_5.1_codex_max", "gpt-5.1-codex-max"),
        ("gpt-53-codex", "gpt-5.3-codex"),
        ("GPT 5.2", "gpt-5.2"),
        ("gtp-5.2", "gpt-5.2"),
        ("gpt-5.3-codx", "gpt-5.3-codex"),
        ("gpt-5.1-codex-mni", "gpt-5.1-codex-mini"),
        ("gpt-5-codexmini", "gpt-5-codex-mini"),
    ],
)
def test_another_spelling_of_a_known_model_is_a_hint(header: Check, name: str, meant: str) -> None:
    [said] = header(f"model: {name}")
    assert (said.code, said.at, said.severity) == ("unknown-model", name, "warning")
    assert said.message.endswith(f"`spawn_agent` refuses the agent; did you mean `{meant}`?")


@pytest.mark.parametrize(
    "name",
    [
        *MODELS,
        "gpt-5.3-codex-spark",
        "gpt-5.4",
        "gpt-5.5",
        "gpt-5.4-mini",
        "gpt-5.3",
        "gpt-6",
        "gpt-4o",
        "gpt-5o",
        "gpt-5-mini",
        "gpt-5-pro",
        "gpt-5.3-codex-mini",
        "gpt-5.2-codex-max",
        "codex-auto-review",
        "o3",
        "o4-mini",
        "openai/gpt-5",
        "claude-sonnet-4-5",
        "in house",
        "3",
        "''",
        "' gpt-5 '",
        "~",
        "null",
        "true",
        "2024-01-01",
        "!!str gpt-5",
        "&m gpt-5",
        "|\n  gpt-5",
        ">-\n  gpt-5",
        '"gpt-5"  # fast',
        "gpt-5 #fast",
        "gpt-5\u00a0",
    ],
)
def test_nothing_is_said_of_a_model_that_may_exist(header: Check, name: str) -> None:
    assert header(f"model: {name}") == []


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("“gpt-5”", "`“gpt-5”`: `spawn_agent` refuses the agent; the quotes are part of the name"),
        ("\u2018gpt-9\u2019", "the quotes are part of the name; write `gpt-9`"),
        ("\"'gpt-5'\"", "the quotes are part of the name; write `gpt-5`"),
        ('"null"', "in quotes it is a name; write it without them"),
        ("'~'", "in quotes it is a name; write it without them"),
        ("gpt\u20115", "U+2011 only looks like `-`; write `gpt-5`"),
        ("gpt–5.9", "U+2013 only looks like `-`; write `gpt-5.9`"),
        ("gpt-5\u200b", "`gpt-5<U+200B>`: `spawn_agent` refuses the agent; U+200B is part of"),
        ("gpt-5\u00a0codex", "U+00A0 is part of the name; remove it"),
        ("gpt-5\n  gpt-5-codex", "its lines are one name; write one model on one line"),
        ("|\n  gpt-5\n  gpt-5-codex", "its lines are one name"),
    ],
)
def test_what_cannot_be_a_name_is_a_warning(header: Check, value: str, words: str) -> None:
    [said] = header(f"model: {value}")
    assert (said.code, said.at, said.severity) == ("unknown-model", value, "warning")
    assert words in said.message


def test_the_model_of_a_persona_is_judged_for_the_persona(check: Check) -> None:
    item = "  - {name: Fast, description: b, model: gpt-5-codx}\n"
    text = f"---\ndescription: x\nagent_names:\n{item}"
    [said] = check(f"{text}---\nYou.\n<!-- agent_name: fast -->\nYou.\n")
    assert (said.code, said.at) == ("unknown-model", "gpt-5-codx")
    assert "refuses persona `fast`; did you mean `gpt-5-codex`?" in said.message


def test_a_model_that_the_user_vouches_for_is_known(header: Check) -> None:
    options = Options(extras={"codex-templates": Extras(models=("gpt-5-codx", "In-House"))})
    assert header("model: gpt-5-codx", options) == []
    [said] = header("model: in-house", options)
    assert said.message.endswith("did you mean `In-House`?")


def test_of_equally_near_models_the_first_is_taken() -> None:
    assert near_miss("a-xod", ("a-xad", "a-xed")) == "a-xad"
    assert near_miss("", MODELS) is None


# Efforts.


def personas(*items: str) -> str:
    """The header's lines and the body for personas, each a name with settings in flow form."""
    names = [item.partition(",")[0] for item in items]
    blocks = "".join(f"<!-- agent_name: {name} -->\nYou.\n" for name in names)
    lines = "".join(f"  - {{description: x, name: {item}}}\n" for item in items)
    return f"agent_names:\n{lines}---\nYou.\n{blocks}"


@pytest.mark.parametrize("model", DIALECT.models.listed, ids=lambda model: model.name)
def test_an_effort_is_reported_exactly_if_the_model_lacks_it(header: Check, model: Model) -> None:
    name, efforts = model.name, model.efforts
    for effort in ("none", "minimal", "low", "medium", "high", "xhigh"):
        said = header(f"model: {name}\nreasoning_effort: {effort}")
        if effort == "none" or effort in efforts:
            assert said == []
            continue
        [one] = said
        assert (one.code, one.at, one.severity) == ("unsupported-effort", effort, "warning")
        assert one.related == (name,)
        spelt = "XHigh" if effort == "xhigh" else effort.capitalize()
        refusal = f'reasoning_effort {spelt} is not supported for model "{name}". '
        supported = f"Supported efforts: {', '.join(('none', *efforts))}"
        assert one.message == f"`spawn_agent` refuses the agent: {refusal}{supported}"


@pytest.mark.parametrize(
    "lines",
    [
        "reasoning_effort: xhigh",
        "model: gpt-5.3-codex-spark\nreasoning_effort: minimal",
        "model: ~\nreasoning_effort: xhigh",
        "model: gpt-5",
        "model: gpt-5\nreasoning_effort: ~",
    ],
)
def test_nothing_is_said_of_a_model_of_which_nothing_is_known(header: Check, lines: str) -> None:
    assert header(lines) == []


@pytest.mark.parametrize(
    ("role", "items", "whom", "model"),
    [
        # The persona has one of the two, the role the other.
        ("model: gpt-5-codex", ["a, reasoning_effort: xhigh"], "persona `a`: ", "gpt-5-codex"),
        ("reasoning_effort: xhigh", ["a, model: gpt-5"], "persona `a`: ", "gpt-5"),
        ("model: x", ["a, model: gpt-5, reasoning_effort: xhigh"], "persona `a`: ", "gpt-5"),
        # Both inherit the same clash, which is one finding.
        ("model: gpt-5\nreasoning_effort: xhigh", ["a", "b"], "the agent and persona `a`", "gpt-5"),
        # The persona corrects its effort, but the role stays wrong.
        ("model: gpt-5\nreasoning_effort: xhigh", ["a, reasoning_effort: low"], "the a", "gpt-5"),
    ],
)
def test_every_combination_that_can_result_is_checked(
    check: Check, role: str, items: list[str], whom: str, model: str
) -> None:
    [said] = check(f"---\ndescription: x\n{role}\n{personas(*items)}")
    assert (said.code, said.at) == ("unsupported-effort", "xhigh")
    assert said.message.startswith(f"`spawn_agent` refuses {whom}")
    assert said.related == (model,)


def test_a_clash_of_role_and_persona_is_told_once_for_all_that_it_concerns(check: Check) -> None:
    role = "model: gpt-5\nreasoning_effort: xhigh"
    items = ("a", "b, model: gpt-5-codex")
    [said] = check(f"---\ndescription: x\n{role}\n{personas(*items)}")
    assert "refuses the agent and persona `a`: reasoning_effort XHigh" in said.message
    assert "; and refuses persona `b`: reasoning_effort XHigh is not supported f" in said.message
    assert said.related == ("gpt-5", "gpt-5-codex")


def test_a_persona_that_corrects_the_model_is_fine(check: Check) -> None:
    item = "a, model: gpt-5.2"
    assert check(f"---\ndescription: x\nreasoning_effort: xhigh\n{personas(item)}") == []


def test_a_role_that_nobody_can_spawn_without_a_persona_is_not_checked(check: Check) -> None:
    head = "---\ndescription: x\nmodel: gpt-5\nreasoning_effort: xhigh\n"
    items = ("a, model: gpt-5.2", "b, model: gpt-5.2")
    said = check(head + personas(*items).replace("---\nYou.\n", "---\n"))
    assert [one.code for one in said] == ["missing-default-prompt"]


def test_a_built_in_role_brings_its_model_along(check: Check) -> None:
    text = "---\ndescription: x\nreasoning_effort: xhigh\n---\nYou.\n"
    [said] = check(f"//- .codex/.agents/explorer.md\n{text}")
    assert 'is not supported for model "gpt-5.1-codex-mini"' in said.message
    assert said.message.endswith("; the model is that of the runtime's built-in role `explorer`")
    assert said.related == ()
    assert check(f"//- .codex/.agents/worker.md\n{text}") == []


def test_a_template_that_is_never_used_is_not_checked(check: Check) -> None:
    text = "---\ndescription: x\nmodel: gpt-5\nreasoning_effort: xhigh\n---\nYou.\n"
    said = check(f"//- .codex/.agents/default.md\n{text}")
    assert "unsupported-effort" not in {one.code for one in said}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Fixture:
    """A workspace for one text after the other."""
    return fixture(tmp_path_factory.mktemp("written"), "x\n")


@each(map(json.loads, CONFORMANCE.read_text(encoding="utf-8").splitlines()))
def test_an_effort_is_reported_exactly_if_a_spawn_is_refused_for_it(
    case: dict[str, Any], written: Fixture
) -> None:
    value = case["value"] if isinstance(case["value"], dict) else {}
    names = [persona["name"] for persona in value.get("agent_names") or ()]
    blocks = "".join(f"<!-- agent_name: {name} -->\nYou.\n" for name in names)
    written.workspace.files.open(
        written.path, f"---\n{case['text'].rstrip(chr(10))}\n---\nYou.\n{blocks}"
    )
    file = template_file(written.workspace, written.path)
    assert file is not None
    if file.reading.errors:
        # No call shows what a refused file would be spawned with.
        return
    found = catalog(written.workspace, DIALECT, written.root)
    refused = False
    for name in (None, *(block.name for block in file.reading.effective.blocks[1:])):
        call = Call({"agent_type": "reviewer"} | ({"agent_name": name} if name else {}))
        answer = DIALECT.calls.spawn(found, call)
        refused |= isinstance(answer, RuntimeRefusal) and "is not supported" in answer.message
    codes = {one.code for one in diagnostics(written.workspace, written.path)}
    assert ("unsupported-effort" in codes) is refused
