"""Who may start whom."""

from pathlib import Path

from agent_lsp.analysis.navigation.call_hierarchy import agent_at, incoming, outgoing
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture

SOURCE = """\
//- .codex/.agents/lead.md
---
description: Leads.
---
Ask `reviewer` and the tester agent; never `lead`. Then `reviewer` again.
//- .codex/.agents/reviewer.md
---
description: Reviews.
deny_list: [spawn_agent]
---
Tell `tester` about it.
//- .codex/.agents/tester.md
---
description: Tests.
allow_list: [exec_command]
---
Run the tests that `reviewer` names.
"""


def _calls(at: Fixture) -> tuple[list[str], list[str]]:
    """The agents that the one at the cursor starts, and those that start it."""
    file = template_file(at.workspace, at.path)
    assert file is not None
    target = agent_at(file, at.offset)
    assert target is not None
    return (
        [f"{one.called.agent} {len(one.spans)}" for one in outgoing(at.workspace, target)],
        [f"{one.caller.agent} {len(one.spans)}" for one in incoming(at.workspace, target)],
    )


def test_an_agent_starts_those_that_it_names(tmp_path: Path) -> None:
    at = fixture(tmp_path, SOURCE.replace("Leads.", "Lea$0ds."))
    assert _calls(at) == (["reviewer 2", "tester 1"], [])


def test_an_agent_without_the_call_starts_nobody(tmp_path: Path) -> None:
    at = fixture(tmp_path, SOURCE.replace("Reviews.", "Revi$0ews."))
    assert _calls(at) == ([], ["lead 2"])


def test_a_name_in_a_prompt_is_the_agent_that_is_asked_about(tmp_path: Path) -> None:
    at = fixture(tmp_path, SOURCE.replace("the tester", "the tes$0ter"))
    assert _calls(at) == ([], ["lead 1"])


def test_whom_a_prompt_forbids_is_not_started(tmp_path: Path) -> None:
    source = SOURCE.replace("Leads.", "Lea$0ds.").replace(
        "Ask `reviewer` and", "Do not delegate to `reviewer`. Ask"
    )
    assert _calls(fixture(tmp_path, source)) == (["tester 1", "reviewer 1"], [])


def test_the_runtime_decides_who_can_be_started(tmp_path: Path) -> None:
    """In KodaCode only sub-agents can be delegated to, and only by who has the tool."""
    source = """\
    //- .kodacode/agents/lead.md
    ---
    description: Leads.
    mode: primary
    AllowTools: [delegate]
    ---
    Delegate to `hel$0per`, then delegate to `chief`.
    //- .kodacode/agents/helper.md
    ---
    description: Helps.
    mode: subagent
    AllowTools: [read]
    ---
    Help. Delegate to `helper`.
    //- .kodacode/agents/chief.md
    ---
    description: Leads, too.
    mode: primary
    AllowTools: [read]
    ---
    Delegate to `helper`.
    """
    assert _calls(fixture(tmp_path, source)) == ([], ["lead 1"])
    at = fixture(
        tmp_path / "again", source.replace("Leads.", "Lea$0ds.").replace("hel$0per", "helper")
    )
    assert _calls(at) == (["helper 1"], [])


def test_a_sub_agent_never_starts_another(tmp_path: Path) -> None:
    source = """\
    //- .codex/agents/lead.md
    ---
    description: Leads.
    ---
    Ask `checker`.$0
    //- .codex/agents/checker.md
    ---
    description: Checks.
    ---
    Check.
    """
    assert _calls(fixture(tmp_path, source)) == ([], [])


def test_a_shadowing_file_starts_what_its_own_session_finds(tmp_path: Path) -> None:
    """The `reviewer` of the inner project is another one, and only the inner lead starts it."""
    inner = (
        "//- web/.codex/.agents/reviewer.md\n---\ndescription: W$0eb.\n---\nReview.\n"
        "//- web/.codex/.agents/web-lead.md\n---\ndescription: Web.\n---\nAsk `reviewer`.\n"
    )
    assert _calls(fixture(tmp_path, f"{SOURCE}{inner}")) == ([], ["web-lead 1"])


def test_files_of_both_forms_start_each_other(tmp_path: Path) -> None:
    """A preset of the configuration starts a definition, and is named by the definition."""
    source = """\
//- moltis.toml
[agents.presets.lead]
delegate_only = true
system_prompt_suffix = "Delegate to `helper`."
//- .moltis/agents/helper.md
---
name: hel$0per
delegate_only: true
---
Hand back to `lead`.
"""
    assert _calls(fixture(tmp_path, source)) == (["lead 1"], ["lead 1"])
