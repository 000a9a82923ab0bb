"""What prose may mean something else by is not renamed without a question."""

from pathlib import Path

import pytest

from agent_lsp.analysis.navigation.rename import Renaming, rename
from agent_lsp.text import apply
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture

AGENTS = """\
//- .codex/.agents/{name}.md
---
description: Works.
---
Work.
//- .codex/.agents/lead.md
---
description: Leads.
---
Call {{"agent_type": "$0{name}"}}. {text}
"""


def _renamed(at: Fixture, name: str) -> Renaming:
    file = template_file(at.workspace, at.path)
    assert file is not None
    found = rename(file, at.offset, name)
    assert isinstance(found, Renaming)
    return found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("review", "A review agent of another kind helps."),
        ("test", "Spawn any test agent."),
        ("test", "Pass the results to test."),
        ("review", "Hand it over to review."),
    ],
)
def test_an_ordinary_word_is_left_to_a_person_to_decide(
    name: str, text: str, tmp_path: Path
) -> None:
    at = fixture(tmp_path, AGENTS.format(name=name, text=text))
    found = _renamed(at, "judge")
    lead = at.root / ".codex/.agents/lead.md"
    assert text in apply(at.text, found.edits[lead])
    [(path, [edit])] = found.doubtful.items()
    assert (path, edit.span.of(at.text), edit.text) == (lead, name, "judge")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("review", "Ask the review agent."),
        ("review", 'Ask a "review" agent.'),
        ("review", "Ask `review`."),
        ("review", "Delegate it to review."),
        ("review", 'Hand it over to "review".'),
        ("code-review", "Any code-review agent will do."),
        ("codeReview", "Pass the results to codeReview."),
    ],
)
def test_words_that_can_mean_nothing_else_are_renamed(name: str, text: str, tmp_path: Path) -> None:
    at = fixture(tmp_path, AGENTS.format(name=name, text=text))
    found = _renamed(at, "judge")
    assert text.replace(name, "judge") in apply(at.text, found.edits[at.path])
    assert found.doubtful == {}


EXAMPLE = """\
//- .claude/agents/code-reviewer.md
---
name: code-rev$0iewer
description: |
  Use it after a change. Examples:
  <example>
  user: "Look at this."
  assistant: "I'll use the code-reviewer agent."
  </example>
  Any code-reviewer that people hire does the same.
---
You review.
//- .claude/agents/lead.md
---
name: lead
description: Delegates to code-reviewer.
---
You lead.
"""


def test_examples_in_descriptions_are_renamed_where_they_name_the_agent(tmp_path: Path) -> None:
    at = fixture(tmp_path, EXAMPLE)
    found = _renamed(at, "judge")
    after = apply(at.text, found.edits[at.path])
    assert "I'll use the judge agent." in after
    assert "Any code-reviewer that people hire" in after
    lead = at.root / ".claude/agents/lead.md"
    assert [edit.text for edit in found.edits[lead]] == ["judge"]


def test_the_place_at_which_somebody_asks_is_no_matter_of_doubt(tmp_path: Path) -> None:
    text = "A test agent, or a test agent."
    source = AGENTS.format(name="test", text=text).replace("$0", "")
    at = fixture(tmp_path, source.replace("A test", "A te$0st"))
    found = _renamed(at, "judge")
    assert "A judge agent, or a test agent." in apply(at.text, found.edits[at.path])
    [edit] = found.doubtful[at.path]
    assert edit.span.start > at.offset


def test_files_outside_of_the_workspace_that_keep_the_old_name_are_told(tmp_path: Path) -> None:
    mine = "//- ~/.codex/.agents/mine.md\n---\ndescription: Mine.\n---\nAsk `test`.\n"
    at = fixture(tmp_path, AGENTS.format(name="test", text="Go.") + mine)
    assert _renamed(at, "judge").left == (tmp_path / "home/.codex/.agents/mine.md",)


def test_a_preset_gets_a_name_that_has_to_be_quoted_as_a_key(tmp_path: Path) -> None:
    source = '//- moltis.toml\n[agents.presets.re$0viewer]\nmodel = "x"\n'
    at = fixture(tmp_path, source)
    found = _renamed(at, "b.c")
    assert apply(at.text, found.edits[at.path]) == '[agents.presets."b.c"]\nmodel = "x"\n'
