"""The commands take one object, say what is wrong with it, and answer for the right session."""

from pathlib import Path

import pytest

from agent_lsp.analysis.preview.commands import list_agents, preview_spawn
from agent_lsp.options import Extras, Options
from tests.fixture import fixture
from tests.systems import DIALECTS

GOOD = "---\ndescription: d\n---\nbody\n"
LIST_TAKES = "`list_agents` takes agent_type, expanded"
SPAWN_TAKES = (
    "`spawn_agent` takes agent_type, agent_name, model, reasoning_effort, thread_note, "
    "working_directory, message, items"
)
IDS = ", ".join(f"`{dialect.id}`" for dialect in DIALECTS)
LIMIT = (
    "a session has at most 12 spawned agents open at a time, unless `agents.max_threads` of the "
    "configuration says otherwise; one more is refused"
)
PARENT_TAKES = "it takes model, effort, sandbox, tools, depth"


@pytest.mark.parametrize(
    ("argument", "error"),
    [
        (
            {"agent_nam": "x"},
            f"unknown argument `agent_nam`; did you mean `agent_name`? {SPAWN_TAKES}",
        ),
        (
            {"AgentType": "x"},
            f"unknown argument `AgentType`; did you mean `agent_type`? {SPAWN_TAKES}",
        ),
        ({"nonsense": 1}, f"unknown argument `nonsense`; {SPAWN_TAKES}"),
        ({"expanded": True}, f"unknown argument `expanded`; {SPAWN_TAKES}"),
        (
            {"dialekt": "codex-templates"},
            f"unknown argument `dialekt`; did you mean `dialect`? {SPAWN_TAKES}",
        ),
        (
            {"dialect": "codex-template"},
            (f"unknown dialect `codex-template`; did you mean `codex-templates`? known: {IDS}"),
        ),
        ({"dialect": "x"}, f"unknown dialect `x`; expected one of {IDS}"),
        ({"dialect": 5}, f"`dialect` is integer `5`; expected one of {IDS}"),
        ({"format": "html"}, '`format` is string "html"; expected `json` or `markdown`'),
        (
            {"parent": "x"},
            '`parent` is string "x"; expected an object with model, effort, sandbox, tools, depth',
        ),
        (
            {"parent": {"dept": 1}},
            f"unknown member of `parent` `dept`; did you mean `depth`? {PARENT_TAKES}",
        ),
        ({"parent": {"model": 1}}, "`parent.model` is integer `1`; expected a string"),
        (
            {"parent": {"effort": "max"}},
            (
                '`parent.effort` is string "max"; expected one of none, minimal, low, medium, '
                "high, xhigh"
            ),
        ),
        (
            {"parent": {"tools": "wait"}},
            "`parent.tools` is not a list of strings; expected the names of tools",
        ),
        (
            {"parent": {"tools": [1]}},
            "`parent.tools` is not a list of strings; expected the names of tools",
        ),
        (
            {"parent": {"depth": -1}},
            "`parent.depth` is integer `-1`; expected 0 for the first agent, or more",
        ),
        (
            {"parent": {"depth": True}},
            "`parent.depth` is boolean `true`; expected 0 for the first agent, or more",
        ),
    ],
)
def test_what_the_object_says_wrong_is_named(
    argument: dict[str, object], error: str, tmp_path: Path
) -> None:
    workspace = fixture(tmp_path, GOOD).workspace

    assert preview_spawn(workspace, argument) == {"result": None, "error": error}


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (5, "integer `5`"),
        (1.5, "floating point `1.5`"),
        (False, "boolean `false`"),
        (["x"], "sequence"),
        ({}, "map"),
    ],
)
def test_an_argument_of_a_wrong_type_is_refused_in_the_runtimes_words(
    value: object, found: str, tmp_path: Path
) -> None:
    workspace = fixture(tmp_path, GOOD).workspace
    error = f"failed to parse function arguments: invalid type: {found}, expected a string"

    for command in (list_agents, preview_spawn):
        assert command(workspace, {"agent_type": value}) == {"result": None, "error": error}


@pytest.mark.parametrize(
    ("value", "found"), [("yes", 'string "yes"'), (None, "null"), (1, "integer `1`")]
)
def test_a_boolean_is_nothing_else(value: object, found: str, tmp_path: Path) -> None:
    workspace = fixture(tmp_path, GOOD).workspace
    error = f"failed to parse function arguments: invalid type: {found}, expected a boolean"

    assert list_agents(workspace, {"expanded": value}) == {"result": None, "error": error}


def test_items_are_a_sequence(tmp_path: Path) -> None:
    error = 'failed to parse function arguments: invalid type: string "x", expected a sequence'

    answer = preview_spawn(fixture(tmp_path, GOOD).workspace, {"items": "x"})

    assert answer == {"result": None, "error": error}


def test_the_list_takes_other_arguments_than_the_spawn(tmp_path: Path) -> None:
    answer = list_agents(fixture(tmp_path, GOOD).workspace, {"agent_name": "x"})

    assert answer == {"result": None, "error": f"unknown argument `agent_name`; {LIST_TAKES}"}


def test_null_counts_as_absent(tmp_path: Path) -> None:
    workspace = fixture(tmp_path, GOOD).workspace
    argument = dict.fromkeys(("dialect", "uri", "parent", "format", "model", "items"))

    assert preview_spawn(workspace, argument) == preview_spawn(workspace, {})


def test_an_error_is_markdown_where_markdown_is_asked_for(tmp_path: Path) -> None:
    workspace = fixture(tmp_path, GOOD).workspace

    unknown = f"unknown argument `x`; {SPAWN_TAKES}"
    assert preview_spawn(workspace, {"format": "markdown", "x": 1}) == {
        "markdown": f"**`previewSpawn` fails**\n\n```text\n{unknown}\n```\n"
    }
    assert preview_spawn(workspace, {"format": "markdown", "agent_type": "nobody"}) == {
        "markdown": "**`spawn_agent` fails**\n\n```text\nmissing agent template: nobody\n```\n"
    }


def test_the_session_starts_where_the_caller_says(tmp_path: Path) -> None:
    source = f"//- .codex/.agents/top.md\n{GOOD}//- sub/.codex/.agents/low.md\n{GOOD}"
    made = fixture(tmp_path, source)

    def names(start: Path | None) -> set[str]:
        result = list_agents(made.workspace, {}, start)["result"]
        assert isinstance(result, dict)
        return {agent["agent_type"] for agent in result["agents"]} & {"top", "low"}

    assert names(None) == {"top"}
    assert names(made.root) == {"top"}
    assert names(made.root / "sub") == {"top", "low"}
    assert names(made.root / "sub/.codex/.agents/low.md") == {"top", "low"}
    assert names(made.root / "sub/deeper/than/there/is") == {"top"} | {"low"}


def test_the_session_root_of_the_settings_counts_without_a_start(tmp_path: Path) -> None:
    source = f"//- .codex/.agents/top.md\n{GOOD}//- sub/.codex/.agents/low.md\n{GOOD}"
    root = tmp_path / "workspace/sub"
    made = fixture(tmp_path, source, options=Options(session_root=root))

    answer = list_agents(made.workspace, {"agent_type": "low"})

    assert answer["error"] is None


def test_tools_that_the_user_vouches_for_are_the_runtimes_too(tmp_path: Path) -> None:
    extras = {"codex-templates": Extras(tools=("deploy", "mcp__x__*", "wait"))}
    made = fixture(tmp_path, GOOD, options=Options(extras=extras))

    result = preview_spawn(made.workspace, {"agent_type": "reviewer"})["result"]

    assert isinstance(result, dict)
    kept = [verdict["tool"] for verdict in result["tools"]["kept"]]
    assert len(kept) == 30
    assert kept[-1] == "deploy"


def test_a_preview_is_json_with_an_origin_for_every_value(tmp_path: Path) -> None:
    source = """
        ---
        model: gpt-5
        allow_list:
          - wait
        ---
        Review.
        """
    made = fixture(tmp_path, source)
    file = str(made.path)
    caller = {"label": "the agent that spawns", "file": None, "line": None}
    call = {"label": "the `spawn_agent` call", "file": None, "line": None}
    note = {"label": "composed by the runtime", "file": None, "line": None}

    answer = preview_spawn(
        made.workspace,
        {"agent_type": "reviewer", "message": "go", "parent": {"tools": ["wait"], "effort": "low"}},
    )

    assert answer == {
        "result": {
            "name": "reviewer",
            "persona": None,
            "template": {"file": file, "line": 1, "label": "project"},
            "model": {
                "value": "gpt-5",
                "origin": {"label": "the template", "file": file, "line": 2},
                "chain": [
                    {**call, "value": None, "wins": False},
                    {
                        "label": "the template",
                        "file": file,
                        "line": 2,
                        "value": "gpt-5",
                        "wins": True,
                    },
                    {**caller, "value": None, "wins": False},
                ],
            },
            "reasoning_effort": {
                "value": "low",
                "origin": caller,
                "chain": [
                    {**call, "value": None, "wins": False},
                    {
                        "label": "the template",
                        "file": file,
                        "line": None,
                        "value": None,
                        "wins": False,
                    },
                    {**caller, "value": "low", "wins": True},
                ],
            },
            "sandbox": {
                "value": None,
                "origin": caller,
                "chain": [
                    {
                        "label": "`read_only` of the template",
                        "file": file,
                        "line": None,
                        "value": None,
                        "wins": False,
                    },
                    {**caller, "value": None, "wins": True},
                ],
            },
            "thread_note": {
                "value": "agent_type=reviewer",
                "origin": note,
                "chain": [
                    {**call, "value": None, "wins": False},
                    {**note, "value": "agent_type=reviewer", "wins": True},
                ],
            },
            "depth": 1,
            "tools": {
                "restricted": True,
                "kept": [{"tool": "wait", "reason": "allowed by `wait`", "file": file, "line": 4}],
                "removed": [],
                "open_patterns": [],
            },
            "prompt": [
                {
                    "title": "base instructions",
                    "text": "Review.",
                    "verbatim": True,
                    "origin": {"label": "default block", "file": file, "line": 6},
                }
            ],
            "lost": [],
            "notes": [LIMIT],
        },
        "error": None,
    }
