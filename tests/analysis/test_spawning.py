"""`spawn_agent` resolves as the runtime does, and says where each value comes from."""

from pathlib import Path

import pytest

from agent_lsp.analysis.preview.commands import preview_spawn
from agent_lsp.data_classes import replace
from agent_lsp.options import Extras, Options
from tests.fixture import fixture

ROLE = """
    ---
    description: Reviews.
    model: gpt-5.2-codex
    reasoning_effort: high
    agent_names:
      - name: Fast
        description: " Quick
          look. "
        model: gpt-5.1-codex-mini
        reasoning_effort: medium
      - name: plain
    ---
    Review.

    <!-- agent_name: FAST -->

    Be fast.
    <!-- agent_name: plain -->
    """


LOST = (
    "the whole file is the prompt, and model, reasoning_effort, read_only, allow_list and "
    "deny_list are lost"
)
# Every preview ends in these, the first only where the tools of the session are not given.
TOOLS = (
    "of the 29 tools that this runtime can have, which ones a session has depends on its model, "
    "its features and its other settings"
)
ESCAPE = (
    "about `spawn_agent`: an agent that it starts has the tools that its own template leaves, "
    "not the tools of this one: an agent with few tools can start one with all of them"
)
LIMIT = (
    "a session has at most 12 spawned agents open at a time, unless `agents.max_threads` of the "
    "configuration says otherwise; one more is refused"
)


def asked(folder: Path, source: str, **arguments: object) -> dict[str, object]:
    return preview_spawn(fixture(folder, source).workspace, arguments)


def spawned(folder: Path, source: str, **arguments: object) -> dict[str, object]:
    answer = asked(folder, source, **arguments)
    assert answer["error"] is None
    assert isinstance(answer["result"], dict)
    return answer["result"]


def setting(result: dict[str, object], name: str) -> tuple[object, object, object]:
    """Value, label and line of one resolved value."""
    found = result[name]
    assert isinstance(found, dict)
    return found["value"], found["origin"]["label"], found["origin"]["line"]


def steps(result: dict[str, object], name: str) -> list[tuple[object, object, object]]:
    """Label, value and line of each step of a chain; the winning label carries a star."""
    found = result[name]
    assert isinstance(found, dict)
    return [
        (link["label"] + ("*" if link["wins"] else ""), link["value"], link["line"])
        for link in found["chain"]
    ]


def prompt(result: dict[str, object]) -> tuple[str, bool]:
    parts = result["prompt"]
    assert isinstance(parts, list)
    (part,) = parts
    return part["text"], part["verbatim"]


# Model and effort.


def test_call_goes_before_persona_before_role_before_caller(tmp_path: Path) -> None:
    result = spawned(
        tmp_path,
        ROLE,
        agent_type="reviewer",
        agent_name="fast",
        reasoning_effort=" HIGH ",
        parent={"model": "gpt-5", "effort": "low"},
    )

    assert steps(result, "model") == [
        ("the `spawn_agent` call", None, None),
        ("persona `fast`*", "gpt-5.1-codex-mini", 9),
        ("the template", "gpt-5.2-codex", 3),
        ("the agent that spawns", "gpt-5", None),
    ]
    assert steps(result, "reasoning_effort") == [
        ("the `spawn_agent` call*", "high", None),
        ("persona `fast`", "medium", 10),
        ("the template", "high", 4),
        ("the agent that spawns", "low", None),
    ]


def test_model_and_effort_are_chosen_each_on_its_own(tmp_path: Path) -> None:
    result = spawned(
        tmp_path, ROLE, agent_type="reviewer", agent_name="plain", model=" gpt-5.3-codex "
    )

    assert setting(result, "model") == ("gpt-5.3-codex", "the `spawn_agent` call", None)
    assert setting(result, "reasoning_effort") == ("high", "the template", 4)


def test_what_nobody_sets_is_inherited(tmp_path: Path) -> None:
    source = "---\ndescription: d\n---\nbody\n"

    unknown = spawned(tmp_path / "a", source, agent_type="reviewer")
    known = spawned(tmp_path / "b", source, agent_type="reviewer", parent={"model": "gpt-5"})

    assert setting(unknown, "model") == (None, "the agent that spawns", None)
    assert setting(known, "model") == ("gpt-5", "the agent that spawns", None)


def test_a_built_in_role_goes_before_the_caller(tmp_path: Path) -> None:
    source = "//- .codex/.agents/explorer.md\n---\ndescription: d\n---\nbody\n"

    result = spawned(tmp_path, source, agent_type="explorer", parent={"model": "gpt-5"})

    label = "the runtime's built-in role `explorer`"
    assert setting(result, "model") == ("gpt-5.1-codex-mini", label, None)
    assert setting(result, "reasoning_effort") == ("medium", label, None)


def test_a_blank_model_counts_as_absent_everywhere(tmp_path: Path) -> None:
    source = "---\nmodel: ' '\n---\nbody\n"

    result = spawned(tmp_path, source, agent_type="reviewer", model=" ")

    assert setting(result, "model") == (None, "the agent that spawns", None)


# Sandbox, note, tools, depth.


def test_read_only_false_is_something_that_the_template_says(tmp_path: Path) -> None:
    result = spawned(tmp_path, "---\nread_only: false\n---\nbody\n", agent_type="reviewer")
    silent = spawned(tmp_path / "b", "---\nmodel: x\n---\nbody\n", agent_type="reviewer")

    sandbox, other = result["sandbox"], silent["sandbox"]
    assert isinstance(sandbox, dict)
    assert isinstance(other, dict)
    assert sandbox["chain"][0]["said"] == "`false`: inherits"
    assert sandbox["chain"][0]["value"] is None
    assert "said" not in other["chain"][0]


@pytest.mark.parametrize(
    ("read_only", "expected"),
    [
        ("true", ("read-only", "`read_only` of the template", 2)),
        ("false", ("workspace-write", "the agent that spawns", None)),
    ],
)
def test_read_only_forces_the_sandbox_and_nothing_else_changes_it(
    read_only: str, expected: tuple[object, ...], tmp_path: Path
) -> None:
    source = f"---\nread_only: {read_only}\n---\nbody\n"
    parent = {"sandbox": "workspace-write"}

    result = spawned(tmp_path, source, agent_type="reviewer", parent=parent)

    assert setting(result, "sandbox") == expected


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        ({"agent_type": " Reviewer "}, "agent_type=reviewer"),
        (
            {"agent_type": "reviewer", "agent_name": "FAST"},
            "agent_type=reviewer; agent_name=fast; agent_description=Quick look.",
        ),
        (
            {"agent_type": "reviewer", "agent_name": "plain"},
            "agent_type=reviewer; agent_name=plain",
        ),
        ({"agent_type": "reviewer", "thread_note": "  mine "}, "mine"),
        ({"agent_type": "reviewer", "thread_note": " "}, "agent_type=reviewer"),
        ({}, "agent_type=default"),
    ],
)
def test_the_thread_note_is_the_calls_or_composed(
    arguments: dict[str, object], note: str, tmp_path: Path
) -> None:
    assert setting(spawned(tmp_path, ROLE, **arguments), "thread_note")[0] == note


def test_the_policy_is_applied_to_the_tools_of_the_caller_if_they_are_known(tmp_path: Path) -> None:
    source = "---\nallow_list: [wait]\n---\nbody\n"

    result = spawned(
        tmp_path, source, agent_type="reviewer", parent={"tools": ["wait", "custom"], "depth": 0}
    )

    path = str(tmp_path / "workspace/.codex/.agents/reviewer.md")
    assert result["tools"] == {
        "restricted": True,
        "kept": [{"tool": "wait", "reason": "allowed by `wait`", "file": path, "line": 2}],
        "removed": [{"tool": "custom", "reason": "not in `allow_list`", "file": path, "line": 2}],
        "open_patterns": [],
    }


def test_a_caller_without_tools_gives_none(tmp_path: Path) -> None:
    result = spawned(tmp_path, ROLE, agent_type="reviewer", parent={"tools": []})

    tools = result["tools"]
    assert isinstance(tools, dict)
    assert (tools["kept"], tools["removed"]) == ([], [])


def test_each_spawn_is_one_deeper_and_the_third_is_refused(tmp_path: Path) -> None:
    source = "---\ndescription: d\n---\nbody\n"
    depths = [
        spawned(tmp_path / str(depth), source, agent_type="reviewer", parent={"depth": depth})
        for depth in (0, 1)
    ]

    assert [result["depth"] for result in depths] == [1, 2]
    assert asked(tmp_path / "2", source, agent_type="reviewer", parent={"depth": 2}) == {
        "result": None,
        "error": "Agent depth limit reached. Solve the task yourself.",
    }


# The prompt.


@pytest.mark.parametrize(
    ("arguments", "persona", "text"),
    [
        ({}, None, "Review.\n"),
        ({"agent_name": ""}, None, "Review.\n"),
        ({"agent_name": " Fast "}, "fast", "\nBe fast."),
        ({"agent_name": "plain"}, "plain", ""),
    ],
)
def test_the_selected_block_alone_is_the_prompt(
    arguments: dict[str, object], persona: str | None, text: str, tmp_path: Path
) -> None:
    """Default and persona blocks are never joined, and nothing is trimmed."""
    result = spawned(tmp_path, ROLE, agent_type="reviewer", **arguments)

    assert (result["persona"], prompt(result)) == (persona, (text, True))


def test_the_only_persona_is_taken_where_the_default_block_is_blank(tmp_path: Path) -> None:
    source = "---\nagent_names: [{name: a}]\n---\n\n\n<!-- agent_name: a -->\nA.\n"

    result = spawned(tmp_path, source, agent_type="reviewer")

    assert (result["persona"], prompt(result)) == ("a", ("A.", True))
    assert steps(result, "model")[1][0] == "persona `a`"


def test_a_block_that_is_not_declared_can_be_spawned(tmp_path: Path) -> None:
    source = "---\ndescription: d\n---\nbody\n<!-- agent_name: a -->\nA.\n"

    result = spawned(tmp_path, source, agent_type="reviewer", agent_name="a")

    assert prompt(result) == ("A.", True)
    assert setting(result, "thread_note")[0] == "agent_type=reviewer; agent_name=a"


def test_a_refused_header_is_part_of_the_prompt_and_its_limits_are_lost(tmp_path: Path) -> None:
    text = "---\nread_only: yes\nallow_list: [wait]\n---\r\nbody\n<!-- agent_name: a -->\n"

    result = spawned(tmp_path, f"//- .codex/.agents/reviewer.md\n{text}", agent_type="reviewer")

    assert prompt(result) == (text, True)
    assert setting(result, "sandbox")[0] is None
    tools = result["tools"]
    assert isinstance(tools, dict)
    assert (tools["restricted"], tools["removed"]) == (False, [])
    assert result["lost"] == [
        (
            'the header is refused (invalid YAML: read_only: invalid type: string "yes", '
            f"expected a boolean at line 1 column 12): {LOST}"
        ),
    ]
    assert result["notes"] == [TOOLS, LIMIT]


@pytest.mark.parametrize("text", ["---\nmodel: gpt-5\nbody\n", "\ufeff---\nmodel: gpt-5\n---\nb\n"])
def test_a_header_that_is_not_seen_is_part_of_the_prompt(text: str, tmp_path: Path) -> None:
    result = spawned(tmp_path, f"//- .codex/.agents/reviewer.md\n{text}", agent_type="reviewer")

    assert prompt(result) == (text.removesuffix("\n"), True)
    assert result["lost"] == [
        (
            "the runtime does not see the header, which is not closed or follows a byte-order "
            f"mark: {LOST}"
        ),
    ]
    assert result["notes"] == [TOOLS, LIMIT]


def test_what_the_product_ships_for_a_built_in_role_is_a_stand_in(tmp_path: Path) -> None:
    result = spawned(tmp_path, ROLE, agent_type="worker", agent_name="runner")

    template = result["template"]
    assert isinstance(template, dict)
    assert template["label"] == "built into the runtime"
    assert not prompt(result)[1]
    assert result["notes"] == [
        (
            "the runtime's own text of this built-in role is not shipped here: its description and "
            "prompt are stand-ins"
        ),
        (
            "`gpt-5.3-codex-spark` is not in the model list that the runtime ships; unless the "
            'provider\'s list has it, the call is refused: unknown model "gpt-5.3-codex-spark" for '
            "spawn_agent. Available models: …"
        ),
        TOOLS,
        LIMIT,
    ]


def test_default_loads_no_template_even_if_there_is_one(tmp_path: Path) -> None:
    source = "//- .codex/.agents/default.md\n---\nmodel: gpt-5\n---\nbody\n"

    for arguments in ({}, {"agent_type": " DEFAULT "}):
        result = spawned(tmp_path / str(len(arguments)), source, **arguments)
        assert (result["name"], result["template"]) == ("default", None)
        text = "(the instructions of the agent that spawns; no template replaces them)"
        assert prompt(result) == (text, False)


def test_a_built_in_role_goes_on_without_a_template_but_not_with_a_persona(
    tmp_path: Path,
) -> None:
    made = fixture(tmp_path, ROLE)
    nowhere = replace(made.workspace.host_paths, templates=tmp_path / "nowhere")
    bare = replace(made.workspace, host_paths=nowhere)

    result = preview_spawn(bare, {"agent_type": "explorer"})["result"]

    assert isinstance(result, dict)
    assert (result["name"], result["template"]) == ("explorer", None)
    assert setting(result, "model")[0] == "gpt-5.1-codex-mini"
    assert preview_spawn(bare, {"agent_type": "explorer", "agent_name": "x"}) == {
        "result": None,
        "error": "missing agent template: explorer",
    }


def test_a_dash_finds_an_underscore_and_the_note_keeps_what_was_asked(tmp_path: Path) -> None:
    source = "//- .codex/.agents/my_role.md\n---\ndescription: d\n---\nbody\n"

    result = spawned(tmp_path, source, agent_type="my-role")

    assert result["name"] == "my_role"
    assert setting(result, "thread_note")[0] == "agent_type=my-role"


# Notes.


@pytest.mark.parametrize(
    ("header", "arguments", "note"),
    [
        (
            "deny_list: [wait]",
            {"reasoning_effort": "high"},
            "the model is inherited, so whether it supports the effort is not checked here",
        ),
        (
            "deny_list: [wait]",
            {"working_directory": "sub"},
            (
                "another working_directory needs the user's approval; without it the call is "
                "refused: spawn_agent in a different working_directory was not approved"
            ),
        ),
        (
            "description: d",
            {},
            "the template sets no tool policy: the agent gets every tool of the session",
        ),
        (
            "deny_list: [wait]\nagent_names: [{name: a}]",
            {"agent_name": "a"},
            "the selected block is empty: the agent is spawned without instructions",
        ),
    ],
)
def test_notes_say_what_a_caller_would_not_expect(
    header: str, arguments: dict[str, object], note: str, tmp_path: Path
) -> None:
    blocks = "<!-- agent_name: a -->\n" if "agent_names" in header else ""
    source = f"//- .codex/.agents/reviewer.md\n---\n{header}\n---\nbody\n{blocks}"

    found = spawned(tmp_path, source, agent_type="reviewer", **arguments)["notes"]

    assert isinstance(found, list)
    assert [known for known in found if known not in (TOOLS, ESCAPE, LIMIT)] == [note]


def test_the_folder_where_the_session_starts_needs_no_approval(tmp_path: Path) -> None:
    source = "---\ndeny_list: [wait]\n---\nbody\n"

    result = spawned(tmp_path, source, agent_type="reviewer", working_directory=" . ")

    assert result["notes"] == [TOOLS, ESCAPE, LIMIT]


INHERITED = (
    "the effort is inherited, and with `gpt-5-codex-mini` the call is refused unless the agent "
    "that spawns has one of `none`, `medium`, `high`"
)


@pytest.mark.parametrize(
    ("name", "header", "arguments", "is_noted"),
    [
        ("reviewer", "model: gpt-5-codex-mini", {}, True),
        ("reviewer", "description: d", {"model": "gpt-5-codex-mini"}, True),
        ("reviewer", "description: d", {"parent": {"model": "gpt-5-codex-mini"}}, True),
        ("reviewer", "model: gpt-5-codex-mini\nreasoning_effort: high", {}, False),
        ("reviewer", "model: gpt-5-codex-mini", {"reasoning_effort": "high"}, False),
        ("reviewer", "model: gpt-5-codex-mini", {"parent": {"effort": "high"}}, False),
        ("reviewer", "model: unheard-of", {}, False),
        ("reviewer", "description: d", {}, False),
        # The built-in role has an effort of its own.
        ("explorer", "model: gpt-5-codex-mini", {}, False),
    ],
)
def test_an_effort_that_nobody_sets_may_not_fit_the_model(
    name: str, header: str, arguments: dict[str, object], is_noted: bool, tmp_path: Path
) -> None:
    source = f"//- .codex/.agents/{name}.md\n---\n{header}\n---\nbody\n"

    notes = spawned(tmp_path, source, agent_type=name, **arguments)["notes"]

    assert isinstance(notes, list)
    assert (INHERITED in notes) is is_noted


@pytest.mark.parametrize(
    ("header", "depth", "is_noted"),
    [
        ("allow_list: [spawn_agent]", 0, True),
        ("deny_list: [wait]", 0, True),
        ("deny_list: [spawn_agent]", 0, False),
        ("allow_list: [wait]", 0, False),
        ("description: d", 0, False),
        ("allow_list: [spawn_agent]", 1, False),
    ],
)
def test_a_restricted_agent_that_may_spawn_is_not_restricted_by_its_own_list(
    header: str, depth: int, is_noted: bool, tmp_path: Path
) -> None:
    source = f"---\n{header}\n---\nbody\n"

    notes = spawned(tmp_path, source, agent_type="reviewer", parent={"depth": depth})["notes"]

    assert isinstance(notes, list)
    assert (ESCAPE in notes) is is_noted


# What can be told of the tools.


def reasons(result: dict[str, object], group: str) -> dict[str, str]:
    tools = result["tools"]
    assert isinstance(tools, dict)
    return {verdict["tool"]: verdict["reason"] for verdict in tools[group]}


def test_a_tool_that_not_every_session_has_says_when_one_has_it(tmp_path: Path) -> None:
    source = "---\nallow_list: [grep_files, update_plan, wait]\n---\nbody\n"

    result = spawned(tmp_path, source, agent_type="reviewer")

    listed = "the model lists it among its experimental tools"
    assert reasons(result, "kept") == {
        "update_plan": "allowed by `update_plan`",
        "grep_files": f"allowed by `grep_files`; exists only if {listed}",
        "wait": "allowed by `wait`; exists only if the feature `collab` is on",
    }
    assert TOOLS in str(result["notes"])


def test_a_tool_that_the_session_is_said_to_have_exists(tmp_path: Path) -> None:
    source = "---\nallow_list: [grep_files]\n---\nbody\n"

    result = spawned(tmp_path, source, agent_type="reviewer", parent={"tools": ["grep_files"]})

    assert reasons(result, "kept") == {"grep_files": "allowed by `grep_files`"}
    assert result["notes"] == [LIMIT]


NAMES = "stands in for the names of 75 tools of four MCP servers"


def test_nothing_is_told_of_the_tools_that_a_stand_in_matches(tmp_path: Path) -> None:
    offered = ["mcp__docs__search", "exec_command", "shell", "apply_patch"]

    result = spawned(tmp_path, ROLE, agent_type="explorer", parent={"tools": offered})

    assert reasons(result, "kept") == {"exec_command": "allowed by `exec_command`"}
    assert reasons(result, "removed") == {
        "shell": "not in `allow_list`",
        "apply_patch": "denied by `apply_patch`",
        "mcp__docs__search": f"cannot tell: `mcp__*` {NAMES}",
    }
    tools, notes = result["tools"], result["notes"]
    assert isinstance(tools, dict)
    assert isinstance(notes, list)
    assert tools["open_patterns"] == ["mcp*"]
    assert notes[1] == (
        f"`mcp__*` in `deny_list` {NAMES}; it is unknown here whether the agent has one of "
        "the tools that it matches"
    )


def test_the_same_list_of_a_user_is_what_it_says(tmp_path: Path) -> None:
    header = "allow_list: ['mcp*']\ndeny_list: ['mcp__*']"
    source = f"//- .codex/.agents/explorer.md\n---\n{header}\n---\nbody\n"

    result = spawned(
        tmp_path, source, agent_type="explorer", parent={"tools": ["mcp__docs__search"]}
    )

    assert reasons(result, "removed") == {"mcp__docs__search": "denied by `mcp__*`"}
    assert result["notes"] == [LIMIT]


# Refusals.


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"agent_name": "x"}, "agent_name requires a non-default agent_type"),
        (
            {"agent_type": "Default", "agent_name": "x"},
            "agent_name requires a non-default agent_type",
        ),
        (
            {"agent_type": "a b"},
            (
                'invalid agent_type "a b"; expected snake_case or kebab-case like "worker", '
                '"my_custom_role", or "my-custom-role"'
            ),
        ),
        ({"agent_type": "nobody"}, "missing agent template: nobody"),
        ({"agent_type": "nobody", "agent_name": "x"}, "missing agent template: nobody"),
        (
            {"agent_type": "Reviewer", "agent_name": "Nope"},
            'unknown agent_name "nope" for agent_type "reviewer"',
        ),
        (
            {"agent_type": "worker", "agent_name": "nope"},
            'unknown agent_name "nope" for agent_type "worker"',
        ),
        (
            {"agent_type": "reviewer", "reasoning_effort": "minimal"},
            (
                'reasoning_effort Minimal is not supported for model "gpt-5.2-codex". '
                "Supported efforts: none, low, medium, high, xhigh"
            ),
        ),
        (
            {"agent_type": "reviewer", "agent_name": "fast", "reasoning_effort": "XHigh"},
            (
                'reasoning_effort XHigh is not supported for model "gpt-5.1-codex-mini". '
                "Supported efforts: none, medium, high"
            ),
        ),
        (
            {"agent_type": "reviewer", "reasoning_effort": " Max "},
            (
                'reasoning_effort " Max " is not supported for model "gpt-5.2-codex". '
                "Supported efforts: none, low, medium, high, xhigh"
            ),
        ),
        (
            {"agent_type": "reviewer", "reasoning_effort": ""},
            (
                'reasoning_effort "" is not supported for model "gpt-5.2-codex". '
                "Supported efforts: none, low, medium, high, xhigh"
            ),
        ),
        (
            {"agent_type": "reviewer", "model": "new-model", "reasoning_effort": "max"},
            (
                'reasoning_effort "max" is not supported for model "new-model". '
                "Supported efforts: none, … (a guess: unless the provider's list has the model, "
                'the runtime says unknown model "new-model" for spawn_agent. Available models: …)'
            ),
        ),
        (
            {"reasoning_effort": "max"},
            (
                'reasoning_effort "max" is not supported for model "…". Supported efforts: none, … '
                "(a guess: the inherited model is not known here)"
            ),
        ),
        (
            {"agent_type": "reviewer", "message": " "},
            "Empty message can't be sent to an agent",
        ),
        ({"agent_type": "reviewer", "items": []}, "Items can't be empty"),
        (
            {"agent_type": "reviewer", "message": "do", "items": [{}]},
            "Provide either message or items, but not both",
        ),
    ],
)
def test_a_call_is_refused_in_the_runtimes_words(
    arguments: dict[str, object], error: str, tmp_path: Path
) -> None:
    assert asked(tmp_path, ROLE, **arguments) == {"result": None, "error": error}


def test_several_personas_without_a_default_prompt_need_a_choice(tmp_path: Path) -> None:
    source = "---\nmodel: gpt-5\n---\n<!-- agent_name: a -->\nA.\n<!-- agent_name: b -->\nB.\n"

    assert asked(tmp_path, source, agent_type="reviewer") == {
        "result": None,
        "error": 'agent_type "reviewer" requires agent_name selection',
    }


def test_a_template_without_any_text_cannot_be_spawned(tmp_path: Path) -> None:
    assert asked(tmp_path, "---\nmodel: gpt-5\n---\n", agent_type="reviewer") == {
        "result": None,
        "error": 'agent_type "reviewer" requires agent_name selection',
    }


def test_a_template_alone_can_make_the_call_fail(tmp_path: Path) -> None:
    """The runtime checks the final values, wherever they come from."""
    source = "---\nmodel: gpt-5\nreasoning_effort: xhigh\n---\nbody\n"

    assert asked(tmp_path, source, agent_type="reviewer") == {
        "result": None,
        "error": 'reasoning_effort XHigh is not supported for model "gpt-5". '
        "Supported efforts: none, minimal, low, medium, high",
    }


def test_no_reasoning_is_accepted_with_every_model(tmp_path: Path) -> None:
    result = spawned(tmp_path, ROLE, agent_type="reviewer", reasoning_effort="None")

    assert setting(result, "reasoning_effort")[0] == "none"


def test_the_caller_is_checked_before_the_template(tmp_path: Path) -> None:
    answer = asked(tmp_path, ROLE, agent_type="nobody", parent={"depth": 2})

    assert answer["error"] == "Agent depth limit reached. Solve the task yourself."


def test_a_file_beyond_our_limit_is_not_judged(tmp_path: Path) -> None:
    made = fixture(tmp_path, "x")
    made.path.write_bytes(b"x" * 1_000_001)

    answer = preview_spawn(made.workspace, {"agent_type": "reviewer"})
    shown = preview_spawn(made.workspace, {"agent_type": "reviewer", "format": "markdown"})

    error = "reviewer.md is not read here: it is larger than 1 MB"
    assert answer == {"result": None, "error": error}
    assert shown["markdown"] == f"**`spawn_agent` is not answered here**\n\n```text\n{error}\n```\n"


def test_a_word_that_is_no_effort_is_refused_for_sure_with_a_model_that_the_settings_name(
    tmp_path: Path,
) -> None:
    options = Options(extras={"codex-templates": Extras(models=("new-model",))})
    made = fixture(tmp_path, ROLE, options=options)
    argument = {"agent_type": "reviewer", "model": "new-model", "reasoning_effort": "max"}

    answer = preview_spawn(made.workspace, argument)

    assert answer["error"] == (
        'reasoning_effort "max" is not supported for model "new-model". Supported efforts: none, …'
    )


def test_a_model_that_the_settings_name_needs_no_note(tmp_path: Path) -> None:
    options = Options(extras={"codex-templates": Extras(models=("gpt-5.3-codex-spark",))})
    made = fixture(tmp_path, ROLE, options=options)
    argument = {"agent_type": "worker", "agent_name": "runner"}

    answer = preview_spawn(made.workspace, argument)

    assert isinstance(answer["result"], dict)
    assert not any("gpt-5.3-codex-spark" in note for note in answer["result"]["notes"])
