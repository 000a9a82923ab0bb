"""Mistakes that people make with the tables of a configuration, each said once and where it is."""

from pathlib import Path

import pytest

from agent_lsp.analysis.fixes import fixes
from agent_lsp.text import apply
from tests.dialects.moltis import codes, said
from tests.dialects.test_moltis_calls import spawned
from tests.fixture import fixture

PRESET = "[agents.presets.scout]\n"
TODAY = f'{PRESET}identity.theme = "calm"\n'
VARIABLE = "[agents.presets.${NAME}]\n"


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        (f'{PRESET}allow = ["exec"]\n', "restricts no tools; of a preset it is `tools.allow`"),
        (f'{PRESET}disallowed_tools = ["exec"]\n', "of a preset it is `tools.deny`"),
        (f'{PRESET}name = "a"\n', "of a preset it is `identity.name`"),
        (f'{PRESET}system_prompt = "a"\n', "its name here is `system_prompt_suffix`"),
        (f'{PRESET}tools.denied = ["exec"]\n', "restricts no tools; its name here is `deny`"),
        (f'{PRESET}tools.Deny = ["exec"]\n', "restricts no tools; did you mean `deny`?"),
        (
            '[agents.presets.scout.tools]\nmodel = "o3"\n',
            "the runtime ignores it; `model` is a key of the preset itself, not of `tools`",
        ),
        (
            '[agents]\nmodel = "o3"\n',
            "`model` is a key of a preset, `[agents.presets.<name>]`",
        ),
        (
            '[agents.scout]\nmodel = "o3"\n',
            "a preset of this name is `[agents.presets.scout]`",
        ),
    ],
)
def test_a_key_in_the_wrong_place_is_sent_to_the_right_one(
    text: str, ending: str, tmp_path: Path
) -> None:
    [only] = said(tmp_path, text)

    assert "warning[unknown-key]" in only
    assert only.endswith(ending)


def test_a_key_is_sent_only_where_the_generation_of_the_file_has_it(tmp_path: Path) -> None:
    [only] = said(tmp_path, f'{TODAY}[agents.presets.b]\nvibes = "x"\nidentity.emoji = "x"\n')

    assert only.endswith("the runtime ignores it")


@pytest.mark.parametrize(
    "text",
    [
        f'[agents]\ndefault = "scout"\n{VARIABLE}',
        "[agents]\ndefault = 'scout'\n${ALL}\n",
        f'{PRESET}${{LINE}}\n"${{KEY}}" = 3\n',
        f'{PRESET}tools.allow = ["exec"]\ntools.deny = ["${{TOOL}}"]\n',
        f'{PRESET}tools.allow = ["${{TOOL}}"]\ntools.deny = ["exec"]\n',
        f'{PRESET}tools.allow = ["sessions_send", "${{TOOL}}"]\n',
    ],
)
def test_what_a_variable_may_bring_is_not_missed(text: str, tmp_path: Path) -> None:
    assert codes(tmp_path, text) == []


def test_a_name_that_is_no_tool_is_not_called_superfluous_as_well(tmp_path: Path) -> None:
    text = f'{PRESET}identity.vibe = "a"\ntools.allow = ["exec"]\ntools.deny = ["web_*", "corn"]\n'

    assert codes(tmp_path, text) == ["no-effect", "unknown-tool"]


def test_a_pattern_of_today_may_allow_what_is_denied(tmp_path: Path) -> None:
    text = f'{TODAY}tools.allow = ["web_*"]\ntools.deny = ["web_fetch"]\n'

    assert "redundant-entry" not in codes(tmp_path, text)


def test_a_list_of_tables_is_not_passed_over(tmp_path: Path) -> None:
    loaded = '[[agents.presets.scout]]\ntools.deny = ["exec"]\n'
    [only] = said(tmp_path / "loaded", loaded)
    [dropped] = said(tmp_path / "dropped", f'{loaded}[[agents.presets.scout]]\nmodel = "o3"\n')

    assert only.startswith("1:18 warning[no-effect] `scout` is a list, but the runtime expects")
    assert dropped.startswith(
        "1:18 error[config-dropped] `scout` is a list, but the runtime expects"
    )


def test_a_list_in_the_place_of_the_policy_is_called_so(tmp_path: Path) -> None:
    [only] = said(tmp_path, f'{PRESET}tools = ["exec", "cron"]\n')

    assert only.startswith("2:1 error[config-dropped] `tools` is a list, but the runtime expects a")


def test_a_table_that_is_there_twice_is_one_mistake(tmp_path: Path) -> None:
    assert codes(tmp_path, f'{PRESET}model = "o3"\n{PRESET}model = "o3"\n') == ["config-dropped"]


def test_a_note_on_spawning_agrees_with_the_tools(tmp_path: Path) -> None:
    text = f"{TODAY}[agents.presets.lead]\ndelegate_only = true\n"
    lead, scout = (spawned(tmp_path / name, text, preset=name) for name in ("lead", "scout"))

    assert "`spawn_agent` stays with a sub-agent that only delegates" in lead["notes"][-1]
    assert "`spawn_agent` is not among the tools of a sub-agent" in scout["notes"][-1]


def test_a_preset_between_two_tables_of_another_one_gets_its_fixes(tmp_path: Path) -> None:
    between = '[agents.presets.b]\n"modle" = "o3"\ntools.allow = ["web_serach", "exec"]\n'
    last = "[agents.presets.scout.identity]\nname = 'a'\n"
    made = fixture(tmp_path, f"//- moltis.toml\n{PRESET}{between}{last}")
    texts = [apply(made.text, fix.edits) for fix in fixes(made.workspace, made.path)]

    assert texts == [
        made.text.replace('"modle"', "model"),
        made.text.replace("serach", "search"),
    ]


def test_a_built_in_preset_has_the_tools_of_today_and_a_prompt_that_is_not_ours(
    tmp_path: Path,
) -> None:
    answer = spawned(tmp_path, TODAY, preset="research", task="Find it")
    kept = [one["tool"] for one in answer["tools"]["kept"]]
    identity, suffix = answer["prompt"][0], answer["prompt"][-1]

    assert "Read" in kept
    assert "read_file" not in kept
    assert (identity["verbatim"], suffix["verbatim"]) == (False, False)


@pytest.mark.parametrize(
    ("line", "place", "mark"),
    [
        ('system_prompt_suffix = """\nLook.', "2:24", '"""'),
        ("system_prompt_suffix = '''\nLook.", "2:24", "'''"),
        ('model = "gpt-4o', "2:9", '"'),
        ('tools.allow = [\n  "exec",', "2:15", "["),
        ('tools = { allow = ["exec"]', "2:9", "{"),
    ],
)
@pytest.mark.parametrize("behind", ["", "\n[agents.presets.coder]\nmodel = 'gpt-4o'\n"])
def test_what_is_not_closed_is_marked_where_it_opens(
    line: str, place: str, mark: str, behind: str, tmp_path: Path
) -> None:
    found = said(tmp_path, f"[agents.presets.scout]\n{line}\n{behind}")

    assert [one.partition(": ")[0] for one in found] == [
        f"{place} error[config-dropped] `{mark}` is not closed"
    ]


def test_one_place_has_one_fault(tmp_path: Path) -> None:
    found = said(tmp_path, "[agents.presets.scout]\nmodel = [1, 2\nmodel = 3\ntools = 3\n")

    assert len({one.partition(" ")[0] for one in found}) == len(found)


@pytest.mark.parametrize("today", ["", "delegate_only = false\n"])
def test_what_leaves_no_tool_is_said_once(today: str, tmp_path: Path) -> None:
    text = f'[agents.presets.scout]\n{today}tools.allow = ["spawn_agent"]\n'

    assert codes(tmp_path, f'{text}[tools.policy]\nallow = ["a"]\n') == ["no-tools"]


@pytest.mark.parametrize(
    ("line", "fixed"),
    [
        ('tools.alow = ["exce"]', 'tools.allow = ["exce"]'),
        ('tools.alow = ["spawn_agent"]', 'tools.allow = ["spawn_agent"]'),
        ("tools.alow = 3", None),
    ],
)
def test_what_a_slip_in_a_key_has_hidden_does_not_keep_it_from_being_put_right(
    line: str, fixed: str | None, tmp_path: Path
) -> None:
    made = fixture(tmp_path, f"//- moltis.toml\n{PRESET}{line}\n")

    found = [one for one in fixes(made.workspace, made.path) if one.title.startswith("Rename")]
    assert [apply(made.text, one.edits) for one in found] == (
        [f"{PRESET}{fixed}\n"] if fixed is not None else []
    )


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        (f'{PRESET}deny = ["exec"]\n', 'tools.deny = ["exec"]'),
        (f'{PRESET}tools.deny_list = ["exec"]\n', 'tools.deny = ["exec"]'),
        (f'{PRESET}name = "Scout"\n', 'identity.name = "Scout"'),
        (f'[agents]\ndefault_preset = "scout"\n{PRESET}identity.vibe = "a"\n', "identity.theme = "),
        (f'[agents]\ndefault = "scout"\n{TODAY}', 'default_preset = "scout"'),
        (f'{TODAY}tools.allow = ["grep"]\n[tools.policy]\nallow = ["a"]\n', '["Grep"]'),
    ],
)
def test_what_has_one_right_answer_is_offered(text: str, fixed: str, tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- moltis.toml\n{text}")

    [found] = fixes(made.workspace, made.path)
    assert fixed in apply(text, found.edits)
