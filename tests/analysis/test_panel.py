"""What a preview panel shows is what the previews say, with what can be chosen in it."""

from pathlib import Path

from agent_lsp.analysis.navigation.call_hierarchy import graph
from agent_lsp.analysis.preview.panel import Control, ControlForm, Panel, panel
from agent_lsp.model.runtime import RuntimeRefusal, Spawn
from agent_lsp.options import Extras, Options
from agent_lsp.workspace.catalogs import catalog
from tests.fixture import Fixture, fixture
from tests.systems import dialect_by_id

REVIEWER = """\
//- .codex/.agents/reviewer.md
---
description: Reviews.
model: gpt-5.2-codex
agent_names:
  - name: strict
    description: Finds more.
---
Review.
<!-- agent_name: strict -->
Review all.
//- ~/.codex/.agents/reviewer.md
---
description: Mine.
---
Mine.
"""
PRESETS = """\
//- moltis.toml
[agents.presets.scout]
model = "haiku"
[agents.presets.writer]
model = "opus"
"""


def shown(at: Fixture, **call: object) -> Panel:
    found = panel(at.workspace, at.path, call)
    assert found is not None
    return found


def control(panel: Panel, name: str) -> Control:
    return next(one for one in panel.controls if one.name == name)


def test_the_agent_is_that_of_the_file_and_a_call_may_say_more(tmp_path: Path) -> None:
    at = fixture(tmp_path, REVIEWER)
    plain, strict = shown(at), shown(at, agent_name="strict", model="gpt-5")
    assert isinstance(plain.answer, Spawn)
    assert (plain.answer.name, plain.answer.persona) == ("reviewer", None)
    assert isinstance(strict.answer, Spawn)
    assert strict.answer.persona == "strict"
    assert strict.answer.settings[0].value == "gpt-5"
    assert control(strict, "model").value == "gpt-5"


def test_an_empty_argument_is_none(tmp_path: Path) -> None:
    at = fixture(tmp_path, REVIEWER)
    assert shown(at, agent_name="", model=None).answer == shown(at).answer


def test_the_scopes_stand_in_their_order_with_what_they_define(tmp_path: Path) -> None:
    at = fixture(tmp_path, REVIEWER)
    found = shown(at)
    assert [(step.scope.label, len(step.candidates)) for step in found.steps] == [
        ("project", 1),
        ("user", 1),
        ("built into the runtime", 0),
    ]
    assert found.winner is not None
    assert found.winner.path == at.path


def test_what_can_be_chosen_depends_on_the_system_and_the_file(tmp_path: Path) -> None:
    at = fixture(
        tmp_path,
        REVIEWER,
        options=Options(extras={"codex-templates": Extras(models=("ours",))}),
    )
    found = shown(at)
    assert [one.name for one in found.controls if one.is_main] == [
        "agent_name",
        "model",
        "reasoning_effort",
        "message",
    ]
    assert [one.name for one in control(found, "agent_name").choices] == ["strict"]
    model = control(found, "model")
    assert model.is_open
    assert model.choices[-1].name == "ours"
    assert control(found, "reasoning_effort").form is ControlForm.CHOICE
    assert control(found, "message").form is ControlForm.LONG


def test_a_persona_can_be_chosen_only_where_there_is_one(tmp_path: Path) -> None:
    at = fixture(tmp_path, "---\ndescription: d\n---\nbody\n")
    assert "agent_name" not in [one.name for one in shown(at).controls]
    # One that was chosen and is gone can be taken back.
    assert control(shown(at, agent_name="gone"), "agent_name").value == "gone"


def test_of_a_file_with_several_agents_one_can_be_chosen(tmp_path: Path) -> None:
    at = fixture(tmp_path, PRESETS)
    assert [one.name for one in control(shown(at), "preset").choices] == ["scout", "writer"]
    found = shown(at, preset="writer").answer
    assert isinstance(found, Spawn)
    assert found.name == "writer"


def test_a_call_that_is_refused_leaves_everything_else_there(tmp_path: Path) -> None:
    found = shown(fixture(tmp_path, REVIEWER), agent_name="strikt")
    assert isinstance(found.answer, RuntimeRefusal)
    assert found.cause is None
    assert found.steps
    assert found.controls


def test_the_file_for_which_no_agent_loads_is_named(tmp_path: Path) -> None:
    source = """\
//- .kodacode/agents/helper.md
---
description: Helps.
mode: subagent
---
Help.
//- .kodacode/agents/zz.md
---
mode: [
---
"""
    found = shown(fixture(tmp_path, source))
    assert isinstance(found.answer, RuntimeRefusal)
    assert found.cause is not None
    assert found.cause.path.name == "zz.md"


def test_the_problems_are_those_of_the_file(tmp_path: Path) -> None:
    at = fixture(tmp_path, "---\ndescription: d\nmodle: x\n---\nbody\n")
    assert [one.code for one in shown(at).problems] == ["unknown-key"]


def test_the_runtimes_own_answers_are_there_with_their_calls(tmp_path: Path) -> None:
    listed, spawned = shown(fixture(tmp_path, REVIEWER), model="gpt-5").exchanges
    assert (listed.call, listed.arguments) == ("list_agents", {"agent_type": "reviewer"})
    assert listed.answer["error"] is None
    assert spawned.arguments == {"agent_type": "reviewer", "model": "gpt-5"}


def test_what_is_no_template_has_no_panel(tmp_path: Path) -> None:
    at = fixture(tmp_path, "//- README.md\n# Shop\n")
    assert panel(at.workspace, at.path, {}) is None


def test_a_graph_tells_starts_from_mere_mentions(tmp_path: Path) -> None:
    source = """\
//- .codex/.agents/lead.md
---
description: Leads.
---
Ask `reviewer`, never `tester`.
//- .codex/.agents/reviewer.md
---
description: Reviews.
---
//- .codex/.agents/tester.md
---
description: Tests.
---
"""
    at = fixture(tmp_path, source)
    dialect = dialect_by_id("codex-templates")
    assert dialect is not None
    found = graph(at.workspace, dialect, catalog(at.workspace, dialect, at.root))
    assert [(one.name, other.name) for one, other in found.starts] == [("lead", "reviewer")]
    assert [(one.name, other.name) for one, other in found.mentions] == [("lead", "tester")]
