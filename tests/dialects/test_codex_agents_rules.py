"""What is reported about agents of the Codex CLI, where it stands and how grave it is."""

import tomllib
from pathlib import Path

import jsonschema
import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.conversion import convert
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.schema import schema
from agent_lsp.dialects.claude.dialect import DIALECT as CLAUDE
from agent_lsp.dialects.codex_agents.dialect import DIALECT
from agent_lsp.model.runtime import RuntimeRefusal
from agent_lsp.text import apply
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.placement import placement_at
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture

PATH = "//- .codex/agents/a.toml\n"
GOOD = 'name = "a"\ndescription = "d"\ndeveloper_instructions = "x"\n'
REFUSED = "Codex ignores the whole file and there is no `a`"


def made(folder: Path, text: str, *others: str) -> Fixture:
    return fixture(folder, "".join((PATH, text, *others)))


def said(one: Fixture) -> list[str]:
    """The findings on the file under test, as `severity[code] words: message`."""
    return [
        f"{found.severity.name.lower()}[{found.code}] {found.span.of(one.text)}: {found.message}"
        for found in diagnostics(one.workspace, one.path)
    ]


def codes(one: Fixture) -> list[str]:
    return [line.partition("] ")[0] + "]" for line in said(one)]


def test_all_mistakes_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    text = (
        'name = "a"\ndescripton = "d"\nsandbox_mode = "readonly"\n'
        'nickname_candidates = ["b", "b"]\n[tools]\ndeveloper_instructions = "x"\n'
    )
    assert codes(made(tmp_path / "1", text)) == [
        "error[unknown-key]",
        "error[invalid-value]",
        "error[invalid-value]",
        "information[no-effect]",
        "error[swallowed-key]",
    ]
    assert codes(made(tmp_path / "2", f"{GOOD.replace('x', ' ')}color = 1\n")) == [
        "error[missing-default-prompt]",
        "error[unknown-key]",
    ]
    assert sorted(codes(made(tmp_path / "3", "# to do\n"))) == [
        "error[missing-default-prompt]",
        "error[missing-description]",
        "error[missing-key]",
    ]


def test_a_list_of_tools_is_told_to_be_none_and_can_be_removed(tmp_path: Path) -> None:
    one = made(tmp_path, f'{GOOD}tools = ["Read"]\n')
    [message] = said(one)
    assert message == (
        'error[wrong-type] ["Read"]: Codex has no list of tools for an agent, and `tools` is a '
        f"table: remove it, or {REFUSED}"
    )
    [fix] = [fix for fix in fixes(one.workspace, one.path) if fix.title.startswith("Remove")]
    assert apply(one.text, fix.edits) == GOOD


def test_a_word_without_quotes_is_told_the_words_that_there_are(tmp_path: Path) -> None:
    [message] = said(made(tmp_path, f"{GOOD}web_search = true\n"))
    assert message == (
        "error[wrong-type] true: `web_search` must be one of disabled, cached, indexed, "
        f"live: {REFUSED}"
    )


def test_a_sound_file_has_no_findings(tmp_path: Path) -> None:
    assert said(made(tmp_path, GOOD)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "color = 'x'\n",
            [f"error[unknown-key] color: unknown field `color`: remove it, or {REFUSED}"],
        ),
        (
            "prompt = 'x'\n",
            [
                (
                    "error[unknown-key] prompt: unknown field `prompt`: write "
                    "`developer_instructions`, "
                    f"or {REFUSED}"
                )
            ],
        ),
        (
            "reasoning_effort = 'low'\n",
            [
                (
                    "error[unknown-key] reasoning_effort: unknown field `reasoning_effort`: write "
                    f"`model_reasoning_effort`, or {REFUSED}"
                )
            ],
        ),
        (
            "model = 5\n",
            [
                (
                    "error[wrong-type] 5: `model` must be a string in quotes; the "
                    "runtime says `` invalid "
                    f"type: integer `5`, expected a string ``: {REFUSED}"
                )
            ],
        ),
        (
            "model_verbosity = 'hihg'\n",
            [
                (
                    "error[invalid-value] 'hihg': `model_verbosity` cannot be "
                    "`hihg`; the accepted values are "
                    f"low, medium, high: {REFUSED}; did you mean `high`?"
                )
            ],
        ),
        (
            "model = 'gpt-5.5'\nmodel = 'y'\n",
            [
                (
                    f"error[duplicate-key] model: `model` is set twice: remove "
                    f"one of the two, or {REFUSED}"
                )
            ],
        ),
        (
            'model = "C:\\path"\n',
            [
                (
                    "error[header-invalid] \\: the file is not TOML, missing "
                    "escaped value, expected "
                    '`b`, `e`, `f`, `n`, `r`, `\\`, `"`, `x`, `u`, `U`: double '
                    "the backslash, or put the "
                    f"text between `'''`, or {REFUSED}"
                )
            ],
        ),
        (
            "nickname_candidates = ['Zoë']\n",
            [
                (
                    "error[invalid-value] 'Zoë': `nickname_candidates` may only "
                    "contain ASCII letters, "
                    f"digits, spaces, hyphens, and underscores: {REFUSED}"
                )
            ],
        ),
        (
            "[mcp_servers.x]\nenabled = false\n",
            [
                (
                    "error[invalid-value] x: a server needs `command` or `url`, and no key of the "
                    f"other kind of server; the runtime says `invalid transport`: {REFUSED}"
                )
            ],
        ),
        (
            "[[skills.config]]\nname = 'x'\n",
            [
                (
                    "error[missing-key] [[skills.config]]\nname = 'x': `skills.config` has no "
                    f"`enabled`; the runtime says `` missing field `enabled` ``: {REFUSED}"
                )
            ],
        ),
    ],
)
def test_what_refuses_a_file_is_told_where_it_stands(
    tmp_path: Path, text: str, expected: list[str]
) -> None:
    assert said(made(tmp_path, GOOD + text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('name = "a"\ndescription = "d"\n', ["error[missing-default-prompt]"]),
        (
            'name = "a"\ndescription = "d"\ndeveloper_instructions = " "\n',
            ["error[missing-default-prompt]"],
        ),
        ('description = "d"\ndeveloper_instructions = "x"\n', ["error[missing-key]"]),
        ('name = "a"\ndeveloper_instructions = "x"\n', ["error[missing-description]"]),
        (
            'name = "a"\ndescription = " "\ndeveloper_instructions = "x"\n',
            ["error[missing-description]"],
        ),
        (
            'name = "a"\ndescription = "d"\n[tools]\ndeveloper_instructions = "x"\n',
            ["information[no-effect]", "error[swallowed-key]"],
        ),
        (
            'name = "a"\ncolor = "x"\n',
            ["error[missing-default-prompt]", "error[missing-description]", "error[unknown-key]"],
        ),
        # An unknown key is not the one that is missing, unless it means that one.
        (
            'name = "a"\nprompt = "x"\ndescription = "d"\n',
            ["error[unknown-key]"],
        ),
        ('name = "a"\ndescription = 5\n', ["error[missing-default-prompt]", "error[wrong-type]"]),
    ],
)
def test_a_required_key_that_is_not_there_is_an_error(
    tmp_path: Path, text: str, expected: list[str]
) -> None:
    assert codes(made(tmp_path, text)) == expected


def test_a_lower_layer_supplies_the_description(tmp_path: Path) -> None:
    text = 'name = "a"\ndeveloper_instructions = "x"\n'
    assert said(made(tmp_path, text, f"//- ~/.codex/agents/u.toml\n{GOOD}")) == []


def test_a_file_that_a_table_names_needs_no_name_and_no_prompt(tmp_path: Path) -> None:
    config = (
        '//- .codex/config.toml\n[agents.a]\ndescription = "d"\nconfig_file = "agents/a.toml"\n'
    )
    one = made(tmp_path, 'model = "gpt-5.5"\n', config)
    assert said(one) == []
    found = catalog(one.workspace, DIALECT, one.root)
    assert [one.path for one in found.candidates("a")] == [one.path]
    said_of_model = hover(one.workspace, one.path, 2)
    assert said_of_model is not None
    lines = said_of_model.markdown.splitlines()
    assert [line for line in lines if "ignores" in line] == [
        "- with a type of value that it does not take: Codex ignores the whole file"
    ]


def test_a_sandbox_that_an_agent_does_not_have_is_a_warning(tmp_path: Path) -> None:
    [line] = said(made(tmp_path, f'{GOOD}sandbox_mode = "read-only"\n'))
    assert line.startswith("warning[no-effect] sandbox_mode: `sandbox_mode` has no effect here")
    assert "`--sandbox read-only`" in line


@pytest.mark.parametrize(
    "text",
    [
        'approval_policy = "untrusted"\n',
        '[mcp_servers.x]\ncommand = "a"\nenabled_tools = ["b"]\n',
        '[mcp_servers.x]\ncommand = "a"\nenabled = false\n',
    ],
)
def test_what_seems_to_narrow_an_agent_is_a_warning(tmp_path: Path, text: str) -> None:
    assert codes(made(tmp_path, GOOD + text)) == ["warning[no-effect]"]


def test_all_other_keys_without_an_effect_are_one_information(tmp_path: Path) -> None:
    text = (
        'sandbox_mode = "workspace-write"\nweb_search = "live"\nservice_tier = "fast"\n'
        "[features]\nweb_search_request = true\n"
    )
    [line] = said(made(tmp_path, GOOD + text))
    assert line == (
        "information[no-effect] sandbox_mode: `sandbox_mode`, `web_search`, `service_tier` and "
        "`features.web_search_request` have no effect: Codex checks them, and does not use them "
        "for an agent"
    )


@pytest.mark.parametrize(
    "text",
    [
        "[features]\nshell_tool = false\n",
        '[[skills.config]]\nname = "imagegen"\nenabled = false\n',
        "[skills]\ninclude_instructions = false\n",
        'model_reasoning_summary = "auto"\nmodel_verbosity = "low"\n',
    ],
)
def test_what_has_an_effect_is_not_reported(tmp_path: Path, text: str) -> None:
    assert said(made(tmp_path, GOOD + text)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('model = "gpt-5.5"\nmodel_reasoning_effort = "max"\n', ["warning[unsupported-effort]"]),
        ('model_reasoning_effort = "minimal"\n', ["warning[unsupported-effort]"]),
        ('model_reasoning_effort = "max"\n', []),
        ('model = "sonnet"\nmodel_reasoning_effort = "none"\n', ["information[unknown-model]"]),
        ('model = "inherit"\n', ["warning[unknown-model]"]),
        ('model = " "\n', ["error[unknown-model]"]),
        ('model = "codex-auto-review"\n', []),
    ],
)
def test_a_model_and_an_effort_that_do_not_fit_are_reported(
    tmp_path: Path, text: str, expected: list[str]
) -> None:
    assert codes(made(tmp_path, GOOD + text)) == expected


def test_two_files_of_one_name_in_a_layer_are_a_warning(tmp_path: Path) -> None:
    first = f"//- .codex/agents/0/z.toml\n{GOOD}"
    [line] = said(made(tmp_path, GOOD, first))
    assert line.startswith(
        'warning[shadowed] "a": never used: `.codex/agents/0/z.toml` of the same'
    )


def test_a_file_of_the_user_behind_that_of_a_project_is_an_information(tmp_path: Path) -> None:
    one = fixture(tmp_path, f"//- ~/.codex/agents/u.toml\n{GOOD}{PATH}{GOOD}")
    assert codes(one) == ["information[shadowed]"]


def test_a_linked_file_is_an_error_and_a_linked_folder_is_not(tmp_path: Path) -> None:
    one = fixture(tmp_path, f"//- there/b.toml\n{GOOD}{PATH}{GOOD.replace('a', 'z', 1)}")
    link = one.root / ".codex/agents/b.toml"
    link.symlink_to(one.path)
    folder = one.root / ".codex/agents/more"
    folder.symlink_to(one.path.parent)
    one.workspace.files.refresh()
    assert [found.code for found in diagnostics(one.workspace, link)] == ["never-spawned"]


def test_an_agent_default_is_told_to_take_all_calls_without_a_name(tmp_path: Path) -> None:
    assert codes(made(tmp_path, GOOD.replace('"a"', '"default"'))) == ["information[hides-builtin]"]
    assert codes(made(tmp_path / "w", GOOD.replace('"a"', '"worker"'))) == []


def test_each_file_of_the_three_systems_below_codex_is_its_own(tmp_path: Path) -> None:
    markdown = "---\ndescription: d\n---\nx\n"
    one = made(
        tmp_path,
        GOOD,
        f"//- .codex/agents/a.md\n{markdown}",
        f"//- .codex/.agents/a.md\n{markdown}",
    )
    found = {
        name: placement_at(one.workspace, one.root / name)
        for name in (".codex/agents/a.toml", ".codex/agents/a.md", ".codex/.agents/a.md")
    }
    systems = [place.system.id if place is not None else None for place in found.values()]
    assert systems == ["codex-agents", "codex-subagents", "codex-templates"]
    for name in found:
        assert diagnostics(one.workspace, one.root / name) == ()


@pytest.mark.parametrize(
    "name",
    [".codex/agents/x.TOML", ".codex/agents/x.toml.bak", "agents/x.toml", ".codex/agent/x.toml"],
)
def test_a_file_that_the_program_does_not_read_is_no_agent(tmp_path: Path, name: str) -> None:
    one = made(tmp_path, GOOD)
    assert placement_at(one.workspace, one.root / name) is None


def test_keys_and_values_are_completed(tmp_path: Path) -> None:
    one = made(tmp_path, f'{GOOD}model_verbosity = "$0"\n')
    assert [item.label for item in complete(one.workspace, one.path, one.offset)] == [
        "low",
        "medium",
        "high",
    ]
    other = made(tmp_path / "b", f"{GOOD}model$0")
    labels = [item.label for item in complete(other.workspace, other.path, other.offset)]
    assert {"model", "model_reasoning_effort", "model_verbosity"} <= set(labels)


def test_a_hover_says_that_a_key_has_no_effect(tmp_path: Path) -> None:
    one = made(tmp_path, f'{GOOD}sandbox_$0mode = "read-only"\n')
    found = hover(one.workspace, one.path, one.offset)
    assert found is not None
    assert found.markdown.startswith("**No effect here**")


def test_an_agent_of_claude_code_is_converted_with_what_it_may_do_more(tmp_path: Path) -> None:
    source = (
        "//- .claude/agents/a.md\n---\nname: a\ndescription: d\ntools: Read\nmodel: sonnet\n"
        "---\nUse C:\\dir.\n"
    )
    one = fixture(tmp_path, source)
    file = template_file(one.workspace, one.path)
    assert file is not None
    answer = convert(file, DIALECT, None, None, None)
    assert not isinstance(answer, RuntimeRefusal)
    assert answer[0].text == (
        "name = \"a\"\ndescription = \"d\"\ndeveloper_instructions = '''\nUse C:\\dir.\n'''\n"
    )
    assert [loss.weight.name for loss in answer[0].losses] == ["WIDER", "LOST"]


@pytest.mark.parametrize(
    ("path", "header", "kept"),
    [
        ("claude/agents", "effort: high", 'model_reasoning_effort = "high"\n'),
        ("claude/agents", "effort: max", 'model_reasoning_effort = "xhigh"\n'),
        ("codex/.agents", "reasoning_effort: low", 'model_reasoning_effort = "low"\n'),
        ("codex/.agents", "reasoning_effort: minimal", ""),
        ("codex/.agents", "model: gpt-5.5", 'model = "gpt-5.5"\n'),
    ],
)
def test_an_effort_that_every_model_has_and_a_model_that_is_listed_are_kept(
    path: str, header: str, kept: str, tmp_path: Path
) -> None:
    one = fixture(tmp_path, f"//- .{path}/a.md\n---\nname: a\ndescription: d\n{header}\n---\nx\n")
    file = template_file(one.workspace, one.path)
    assert file is not None
    answer = convert(file, DIALECT, None, None, None)
    assert not isinstance(answer, RuntimeRefusal)
    prompt = "developer_instructions = '''\nx\n'''\n"
    assert answer[0].text == f'name = "a"\ndescription = "d"\n{kept}{prompt}'
    is_said = any(header in loss.message for loss in answer[0].losses)
    assert is_said is (header.partition(": ")[2] not in kept)


def test_an_agent_is_converted_to_claude_code_without_what_did_nothing(tmp_path: Path) -> None:
    one = made(tmp_path, f'{GOOD}sandbox_mode = "read-only"\n')
    file = template_file(one.workspace, one.path)
    assert file is not None
    answer = convert(file, CLAUDE, None, None, None)
    assert not isinstance(answer, RuntimeRefusal)
    assert answer[0].text == "---\nname: a\ndescription: d\n---\n\nx\n"
    assert "does nothing here" in answer[0].losses[-1].message


@pytest.mark.parametrize(
    ("text", "is_fine"),
    [
        (GOOD, True),
        ("[features]\nshell_tool = false\n", True),
        ('[mcp_servers.x]\ncommand = "y"\n', True),
        ("model = 5\n", False),
        ('model_verbosity = "x"\n', False),
    ],
)
def test_a_schema_takes_what_the_program_takes(text: str, is_fine: bool) -> None:
    made = schema(DIALECT)
    assert made is not None
    jsonschema.Draft7Validator.check_schema(made)
    assert jsonschema.Draft7Validator(made).is_valid(tomllib.loads(text)) is is_fine


@pytest.mark.parametrize(
    ("text", "title", "after"),
    [
        (
            'description = "d"\ndeveloper_instructions = "x"\n',
            "Add `name`",
            'description = "d"\ndeveloper_instructions = "x"\nname = "a"\n',
        ),
        (
            'name = "a"\ndescription = "d"\n[tools]\ndeveloper_instructions = """\nx\n"""\n',
            "Move `developer_instructions` above all tables",
            'name = "a"\ndescription = "d"\ndeveloper_instructions = """\nx\n"""\n[tools]\n',
        ),
        (GOOD + 'sandbox_mode = "read-only"\n', "Remove `sandbox_mode`", GOOD),
        (GOOD + 'reasoning_effort = "low"\n', "Rename", GOOD + 'model_reasoning_effort = "low"\n'),
        (GOOD.replace('"x"', '"\\d"'), "Write", GOOD.replace('"x"', '"\\\\d"')),
    ],
)
def test_a_fix_writes_toml(tmp_path: Path, text: str, title: str, after: str) -> None:
    one = made(tmp_path, text)
    found = {
        apply(text, fix.edits)
        for fix in fixes(one.workspace, one.path)
        if fix.title.startswith(title)
    }
    assert after in found
