"""`list_agents` answers as the runtime's tool does, down to the text of its errors."""

from pathlib import Path

import pytest

from agent_lsp.analysis.preview.commands import list_agents
from agent_lsp.dialects.codex_templates.dialect import DIALECT
from agent_lsp.model.runtime import culprit
from agent_lsp.workspace.catalogs import catalog
from tests.fixture import fixture

GOOD = "---\ndescription: d\n---\nbody\n"


def listed(folder: Path, source: str, **arguments: object) -> dict[str, object]:
    made = fixture(folder, source)
    return list_agents(made.workspace, arguments)


def test_a_role_without_personas_has_four_members(tmp_path: Path) -> None:
    source = """
        ---
        description: "  Reviews. "
        model: gpt-5
        allow_list: [wait, " exec_command ", wait, ""]
        ---
        Review.
        """

    assert listed(tmp_path, source, agent_type="reviewer") == {
        "result": {
            "agents": [
                {
                    "agent_type": "reviewer",
                    "description": "Reviews.",
                    "allow_list": ["exec_command", "wait"],
                    "deny_list": None,
                }
            ]
        },
        "error": None,
    }


PERSONAS = """
    ---
    description: Reviews.
    model: " gpt-5-codex "
    reasoning_effort: medium
    deny_list: [apply_patch]
    agent_names:
      - name: Strict
        description: Slow.
        reasoning_effort: high
      - name: fast
        description: Quick.
        model: gpt-5
    ---

    Review.

    <!-- agent_name: strict -->
    Be strict.
    <!-- agent_name: fast -->
    """


def test_personas_are_listed_by_name(tmp_path: Path) -> None:
    answer = listed(tmp_path, PERSONAS, agent_type="reviewer")

    assert answer["result"] == {
        "agents": [
            {
                "agent_type": "reviewer",
                "description": "Reviews.",
                "allow_list": None,
                "deny_list": ["apply_patch"],
                "agent_names": [
                    {"name": "fast", "description": "Quick."},
                    {"name": "strict", "description": "Slow."},
                ],
            }
        ]
    }


def test_expanded_adds_what_is_set_and_the_prompts_in_the_runtimes_order(tmp_path: Path) -> None:
    answer = listed(tmp_path, PERSONAS, agent_type="reviewer", expanded=True)

    assert repr(answer["result"]) == repr(
        {
            "agents": [
                {
                    "agent_type": "reviewer",
                    "description": "Reviews.",
                    "allow_list": None,
                    "deny_list": ["apply_patch"],
                    "model": "gpt-5-codex",
                    "reasoning_effort": "medium",
                    "default_prompt": "Review.",
                    "agent_names": [
                        {"name": "fast", "description": "Quick.", "model": "gpt-5", "prompt": ""},
                        {
                            "name": "strict",
                            "description": "Slow.",
                            "reasoning_effort": "high",
                            "prompt": "Be strict.",
                        },
                    ],
                }
            ]
        }
    )


def names(answer: dict[str, object]) -> list[str]:
    result = answer["result"]
    assert isinstance(result, dict)
    return [agent["agent_type"] for agent in result["agents"]]


def test_without_a_filter_every_name_is_listed_once_in_order(tmp_path: Path) -> None:
    source = f"//- .codex/.agents/b_x.md\n{GOOD}//- .codex/.agents/b-x.md\n{GOOD}"
    source += f"//- .codex/.agents/worker.md\n{GOOD}//- ~/.codex/.agents/a.md\n{GOOD}"

    expected = ["a", "architect", "b-x", "b_x", "explorer", "orchestrator", "worker"]
    assert names(listed(tmp_path, source)) == expected


def test_null_arguments_count_as_absent(tmp_path: Path) -> None:
    assert "reviewer" in names(listed(tmp_path, GOOD, agent_type=None))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [("my-role", "my_role"), (" MY_role ", "my_role"), ("other-role", "other-role")],
)
def test_a_dash_also_finds_an_underscore_unless_the_exact_name_is_there(
    asked: str, expected: str, tmp_path: Path
) -> None:
    source = f"//- .codex/.agents/my_role.md\n{GOOD}//- .codex/.agents/other-role.md\n{GOOD}"
    source += f"//- .codex/.agents/other_role.md\n{GOOD}"

    assert names(listed(tmp_path, source, agent_type=asked)) == [expected]


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        (
            "My Role",
            (
                'invalid agent_type "my role"; expected snake_case or kebab-case like "worker", '
                '"my_custom_role", or "my-custom-role"'
            ),
        ),
        (
            'a"b\n',
            (
                'invalid agent_type "a\\"b"; expected snake_case or kebab-case like "worker", '
                '"my_custom_role", or "my-custom-role"'
            ),
        ),
        (
            " ",
            (
                'invalid agent_type ""; expected snake_case or kebab-case like "worker", '
                '"my_custom_role", or "my-custom-role"'
            ),
        ),
        ("nobody", "missing agent template: nobody"),
        ("default", "missing agent template: default"),
        (
            "a-b-c",
            (
                'ambiguous agent_type "a-b-c"; matched multiple templates: a-b_c, a_b-c. '
                "Use exact agent_type."
            ),
        ),
    ],
)
def test_a_name_that_means_no_template_is_an_error(asked: str, error: str, tmp_path: Path) -> None:
    source = f"//- .codex/.agents/a-b_c.md\n{GOOD}//- .codex/.agents/a_b-c.md\n{GOOD}"

    assert listed(tmp_path, source, agent_type=asked) == {"result": None, "error": error}


PREFIX = 'invalid agent template "reviewer": '


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("body\n", "missing required frontmatter description"),
        ("---\ndescription: d\nbody\n", "missing required frontmatter description"),
        ("---\ndescription: ' '\n---\n", "missing required frontmatter description"),
        ("---\ndescription: d\n---\n \n", "missing required default prompt block"),
        (
            "---\ndescription: d\n---\nb\n<!-- agent_name: x -->\n",
            "found agent_name blocks but frontmatter agent_names is missing",
        ),
        (
            "---\ndescription: d\nagent_names: [{name: X}]\n---\nb\n<!-- agent_name: x -->\n",
            'missing description for agent_name "x"',
        ),
        (
            "---\nagent_names: [{name: x}]\n---\nb\n",
            'invalid agent_names: missing agent_name block for "x"',
        ),
        (
            "---\nagent_names: [{name: x}]\n---\n<!-- agent_name: y -->\n<!-- agent_name: x -->\n",
            'invalid agent_names: missing agent_names entry for "y"',
        ),
        (
            "---\nallow_list: exec_command, wait\n---\nb\n",
            (
                'invalid YAML: allow_list: invalid type: string "exec_command, wait", '
                "expected a sequence at line 1 column 13"
            ),
        ),
        (
            "---\nread_only: yes\n---\nb\n",
            (
                'invalid YAML: read_only: invalid type: string "yes", expected a boolean '
                "at line 1 column 12"
            ),
        ),
        (
            "---\nreasoning_effort: High\n---\nb\n",
            (
                "invalid YAML: reasoning_effort: unknown variant `High`, expected one of `none`, "
                "`minimal`, `low`, `medium`, `high`, `xhigh` at line 1 column 19"
            ),
        ),
        (
            "---\ndescription: a\ndescription: b\n---\nb\n",
            "invalid YAML: duplicate field `description`",
        ),
        (
            "---\ndescription: a: b\n---\nb\n",
            "invalid YAML: mapping values are not allowed in this context at line 1 column 15",
        ),
    ],
)
def test_a_template_that_breaks_the_contract_is_refused_with_the_first_reason(
    text: str, error: str, tmp_path: Path
) -> None:
    source = f"//- .codex/.agents/reviewer.md\n{text}"

    answer = listed(tmp_path, source, agent_type="reviewer")

    assert answer == {"result": None, "error": PREFIX + error}


BAD = "---\nx: y\n---\nbody\n"


def test_the_first_bad_template_fails_a_listing_without_filter(tmp_path: Path) -> None:
    source = f"//- .codex/.agents/zz.md\n{BAD}//- .codex/.agents/bad.md\n{BAD}"
    source += f"//- .codex/.agents/good.md\n{GOOD}"
    made = fixture(tmp_path, source)
    error = 'invalid agent template "bad": missing required frontmatter description'

    assert list_agents(made.workspace, {}) == {"result": None, "error": error}
    assert names(list_agents(made.workspace, {"agent_type": "good"})) == ["good"]
    found = culprit(DIALECT, catalog(made.workspace, DIALECT, made.root))
    assert found is not None
    assert found.name == "bad"


def test_a_bad_template_that_is_shadowed_harms_nobody(tmp_path: Path) -> None:
    source = f"//- .codex/.agents/a.md\n{GOOD}//- ~/.codex/.agents/a.md\n{BAD}"
    made = fixture(tmp_path, source)

    assert "a" in names(list_agents(made.workspace, {}))
    assert culprit(DIALECT, catalog(made.workspace, DIALECT, made.root)) is None


def test_a_template_beyond_our_limit_is_left_out_of_a_listing_and_says_so(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- .codex/.agents/big.md\nx\n//- .codex/.agents/z.md\n{GOOD}")
    made.path.write_bytes(b"x" * 1_000_001)
    unread = "big.md is not read here: it is larger than 1 MB"

    whole = list_agents(made.workspace, {})

    assert names(whole) == ["architect", "explorer", "orchestrator", "worker", "z"]
    assert (whole["error"], whole["notes"]) == (None, [unread])
    assert list_agents(made.workspace, {"agent_type": "big"}) == {"result": None, "error": unread}
    assert list_agents(made.workspace, {"agent_type": "z"})["error"] is None
    assert culprit(DIALECT, catalog(made.workspace, DIALECT, made.root)) is None


def test_a_template_beyond_our_limit_still_comes_first(tmp_path: Path) -> None:
    """The runtime has no such limit, so the file wins over those of lower scopes."""
    made = fixture(tmp_path, f"//- .codex/.agents/a.md\nx\n//- ~/.codex/.agents/a.md\n{GOOD}")
    made.path.write_bytes(b"x" * 1_000_001)

    assert "a" not in names(list_agents(made.workspace, {}))
