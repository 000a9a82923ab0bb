"""KodaCode's catalog, tools and delegation answer as its runtime does."""

from typing import Any

import pytest

from agent_lsp.dialects.kodacode import policy
from agent_lsp.dialects.kodacode.catalog import failure
from agent_lsp.dialects.kodacode.facts import TOOLS
from agent_lsp.dialects.kodacode.reading import name_of
from agent_lsp.dialects.kodacode.runtime import list_agents, spawn
from agent_lsp.model.runtime import Call, Catalog, Parent, RuntimeRefusal, Spawn
from tests.dialects.kodacode import GLOBAL, PROJECT, catalog, read

SESSION: dict[str, Any] = {"as": "session"}
NAMES = (*(tool.name for tool in TOOLS), "mcp_docs__find")
CHILD = "---\nmode: subagent\n---\nYou help."


def listed(catalog: Catalog, **arguments: object) -> list[dict[str, Any]]:
    """The rows of a listing that succeeds."""
    answer = list_agents(catalog, Call(arguments))
    assert isinstance(answer, dict), answer
    rows: list[dict[str, Any]] = answer["agents"]
    return rows


def rows(**files: dict[str, str]) -> dict[str, dict[str, Any]]:
    """The listing by id."""
    return {row["id"]: row for row in listed(catalog(**files))}


def kept(header: str) -> set[str]:
    """The tools that an agent with this header keeps."""
    return {one.tool for one in policy.toolset(read(f"---\n{header}\n---\n"), NAMES, 0).kept}


def delegated(
    project: dict[str, str], arguments: dict[str, object], parent: Parent
) -> Spawn | RuntimeRefusal:
    """What `delegate` resolves to, with a task and a summary unless told."""
    given = {"task": "Do it.", "context_summary": "All.", **arguments}
    return spawn(catalog(project), Call(given, parent, NAMES))


def refusal(project: dict[str, str], **arguments: object) -> str:
    """The runtime's text for a call that it refuses."""
    answer = delegated(project, arguments, Parent())
    assert isinstance(answer, RuntimeRefusal)
    return answer.message


def spawned(project: dict[str, str], parent: Parent | None = None, **arguments: Any) -> Spawn:
    """A call that the runtime accepts."""
    answer = delegated(project, arguments, parent or Parent())
    assert isinstance(answer, Spawn), answer
    return answer


@pytest.mark.parametrize(
    ("file_name", "name"),
    [
        ("Release.md", "Release"),
        ("a.b.MD", "a.b"),
        (".foo.md", ".foo"),
        ("README.md", "README"),
        ("a.markdown", None),
        ("md", None),
        (".md", ""),
    ],
)
def test_every_markdown_file_is_an_agent(file_name: str, name: str | None) -> None:
    """The case of the id is kept."""
    assert name_of(file_name) == name


def test_builtin_agents_have_the_modes_of_the_runtime() -> None:
    """Two are only picked, two are delegated to as well."""
    found = rows()
    assert {name: row["mode"] for name, row in found.items()} == {
        "builder": "primary",
        "engineer": "primary",
        "planner": "all",
        "reviewer": "all",
    }
    assert found["builder"]["source"] == "built-in"
    assert found["builder"]["path"] is None


def test_a_row_says_where_the_agent_appears() -> None:
    """Hidden agents can be delegated to."""
    text = "---\ndescription: Notes\nmode: all\nhidden: yes\nmodel: a/b\n---\n"
    assert rows(project={"notes.md": text})["notes"] == {
        "id": "notes",
        "description": "Notes",
        "mode": "all",
        "model": "a/b",
        "hidden": True,
        "selectable": False,
        "delegatable": True,
        "source": "project",
        "path": str(PROJECT.folder / "notes.md"),
    }


def test_a_file_replaces_the_whole_definition_below_it() -> None:
    """Nothing is merged, and the id stands in for a description."""
    row = rows(project={"reviewer.md": "Just a prompt."}, user={"reviewer.md": CHILD})["reviewer"]
    assert (row["description"], row["mode"], row["source"]) == ("reviewer", "primary", "project")


def test_one_malformed_file_fails_the_whole_catalog() -> None:
    """Also one that another file shadows, for files are read before they are laid over."""
    found = catalog({"a.md": CHILD, "b.md": CHILD}, {"b.md": "---\nmode: [\n---\n"})
    failed = failure(found)
    assert failed is not None
    assert failed.candidate.scope == GLOBAL
    answer = list_agents(found, Call({"id": "a"}))
    assert answer == RuntimeRefusal(failed.message)
    assert failed.message.startswith("decode front matter: yaml: ")


def test_an_invalid_mode_matters_only_where_it_wins() -> None:
    """Modes are checked when all files are laid over each other."""
    invalid = "---\nmode: both\n---\n"
    assert failure(catalog({"a.md": CHILD}, {"a.md": invalid})) is None
    failed = failure(catalog({"a.md": invalid}))
    assert failed is not None
    assert failed.message == 'agent "a": agent mode is invalid'


def test_the_global_folder_is_read_first_and_each_by_file_name() -> None:
    """So the first broken file in that order is the one that is reported."""
    broken = "---\nx\n"
    failed = failure(catalog({"a.md": broken}, {"z.md": broken, "y.md": broken}))
    assert failed is not None
    assert failed.candidate.path == GLOBAL.folder / "y.md"


def test_a_file_without_a_name_fails_the_catalog() -> None:
    """Its id is empty."""
    failed = failure(catalog({".md": CHILD}))
    assert failed is not None
    assert failed.message == 'agent "": agent id is required'


def test_a_listing_of_one_agent_finds_it_or_says_so() -> None:
    """A blank id means the default agent."""
    assert list_agents(catalog(), Call({"id": "nobody"})) == RuntimeRefusal(
        "agent not found: nobody"
    )
    assert [row["id"] for row in listed(catalog(), id=" ")] == ["builder"]


def test_lists_match_exact_names_and_one_wildcard() -> None:
    """Nothing else is a pattern, and an unknown name is dropped."""
    assert kept("AllowTools: [read, Read, git_*, mcp_*, nothing]") == {"read"}
    assert kept("AllowTools: ['mcp:*']") == {"mcp_docs__find"}
    assert kept("DisallowedTools: ['mcp:*']") == set(NAMES) - {"mcp_docs__find"}
    assert kept("AllowTools: [read, bash]\nDisallowedTools: [bash]") == {"read"}


def test_an_empty_list_is_no_tools_and_no_list_is_all() -> None:
    """A key without a value is no list."""
    assert kept("AllowTools: []") == set()
    assert kept("AllowTools:") == set(NAMES)
    assert kept("DisallowedTools: []") == set(NAMES)


def test_delegation_checks_its_arguments_first() -> None:
    """In the runtime's order and words."""
    broken = {"a.md": "---\nx\n"}
    assert refusal(broken) == "agent_id is required"
    assert refusal(broken, agent_id="a", task=" ") == "task is required"
    assert refusal(broken, agent_id="a", context_summary="") == "context_summary is required"
    assert refusal(broken, agent_id="a", context_summary="x" * 2001) == (
        "context_summary exceeds maximum length: maximum 2000 characters"
    )
    assert refusal(broken, agent_id="a") == "front matter is missing closing delimiter"


def test_only_delegatable_agents_are_run() -> None:
    """The mode of the child decides, not its being hidden."""
    assert refusal({}, agent_id="builder") == "child agent is not available for delegation"
    assert refusal({}, agent_id="nobody") == "agent not found: nobody"
    assert spawned({"a.md": "---\nmode: all\nhidden: on\n---\n"}, agent_id=" a ").name == "a"


def test_an_agent_that_people_pick_runs_as_the_session_with_its_own_policy() -> None:
    """Delegation takes no tool from it, and the model is its own or the session's."""
    header = "---\nmodel: a/b\nDisallowedTools: [bash, task_review]\n---\nYou work."
    own = spawned({"planner.md": header}, agent_id="planner", **SESSION)
    removed = {one.tool: one.reason for one in own.toolset.removed}
    assert removed == {
        "bash": "denied by `bash` in `DisallowedTools`",
        "task_review": "denied by `task_review` in `DisallowedTools`",
    }
    assert (own.depth, own.settings[0].value) == (0, "a/b")
    assert [one.title for one in own.prompt if one.verbatim] == ["agent prompt", "user message"]
    builder = spawned({}, parent=Parent(model="c/d"), agent_id="builder", **SESSION)
    assert {one.tool for one in builder.toolset.removed} == {
        "delegate",
        "task_workflow",
        "task_review",
    }
    assert builder.settings[0].value == "c/d"
    for header, why in (
        ("mode: subagent", "its mode is `subagent`"),
        ("hidden: on", "it is hidden"),
    ):
        files = {"a.md": f"---\n{header}\n---\nYou work."}
        found = refusal(files, agent_id="a", **SESSION)
        assert found == f"the picker does not show `a`: {why}"
    assert refusal({}, agent_id="builder", **{"as": "x"}).startswith("`as` is `session` or")


def test_a_child_runs_on_its_own_model_or_its_parents() -> None:
    """Without either the model is not known."""
    own = spawned({"a.md": "---\nmode: all\nmodel: a/b\n---\n"}, agent_id="a")
    assert own.settings[0].value == "a/b"
    inherited = spawned({"a.md": CHILD}, parent=Parent(model="c/d"), agent_id="a")
    assert inherited.settings[0].value == "c/d"
    assert inherited.settings[0].origin.label == "the turn that delegates"


def test_a_child_has_its_own_tools_and_not_those_of_its_parent() -> None:
    """Delegation takes some from the planner and the reviewer, whoever defines them."""
    parent = Parent(tools=("read",))
    found = spawned({"a.md": CHILD}, parent=parent, agent_id="a").toolset
    assert {one.tool for one in found.kept} == set(NAMES)
    planner = spawned({"planner.md": CHILD}, agent_id="planner").toolset
    assert {one.tool for one in planner.removed} == {"question", "task_workflow"}
    reviewer = spawned({}, agent_id="reviewer").toolset
    review = next(one for one in reviewer.kept if one.tool == "task_review")
    assert review.reason.endswith("only while the parent's session has tasks")


def test_the_prompt_has_the_parts_of_the_runtime_in_order() -> None:
    """Only the agent's own text and the task are verbatim."""
    found = spawned({"a.md": f"{CHILD}\nAlways."}, agent_id="a")
    assert [part.title for part in found.prompt] == [
        "core policy",
        "agent prompt",
        "AGENTS.md sources",
        "memory",
        "available skills",
        "response style",
        "workspace",
        "execution environment",
        "inspection progress",
        "MCP",
        "handoff",
        "exploration",
        "user message",
    ]
    verbatim = {part.title: part.text for part in found.prompt if part.verbatim}
    assert verbatim == {"agent prompt": "You help.\nAlways.", "user message": "Do it."}


def test_a_contract_says_which_results_a_call_needs() -> None:
    """Only the latest ones can be asked for."""
    text = "---\nmode: all\nhandoff:\n  consumes: [{kind: plan, from: FROM, required: yes}]\n---\n"
    latest = spawned({"a.md": text.replace("FROM", "latest")}, agent_id="a")
    assert any("required handoff source is missing" in note for note in latest.notes)
    other = {"a.md": text.replace("FROM", "any")}
    assert refusal(other, agent_id="a") == "handoff source is invalid"
    given = spawned(other, agent_id="a", source_handoff_ids=["h1"])
    assert "source handoffs" in [part.title for part in given.prompt]


def test_the_record_is_shown_in_its_four_states() -> None:
    """Each with the members that it has."""
    artifact = spawned({"a.md": CHILD}, agent_id="a").artifacts[0]
    assert isinstance(artifact.value, dict)
    assert [one["status"] for one in artifact.value["states"]] == [
        "completed",
        "failed",
        "pending_permission",
        "pending_question",
    ]
