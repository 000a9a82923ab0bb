"""What the current runtime refuses about a preset as a whole, and which fixes follow."""

from pathlib import Path

import pytest

from agent_lsp.analysis.fixes import fixes
from agent_lsp.dialects.moltis.keys import Generation
from agent_lsp.dialects.moltis.reading import config
from agent_lsp.text import apply
from tests.checks.pages import reported
from tests.dialects.moltis import codes, configured, parsed, said
from tests.dialects.test_moltis_calls import spawned
from tests.fixture import fixture

PRESET = "[agents.presets.scout]\n"
TODAY = f'{PRESET}identity.theme = "calm"\n'
CHOICE = "tool_controls.tool_choice"


def fixed(folder: Path, text: str) -> list[str]:
    """The texts after each fix that is offered for a configuration."""
    made = fixture(folder, f"//- moltis.toml\n{text}")
    return [apply(made.text, fix.edits) for fix in fixes(made.workspace, made.path)]


def test_both_lists_of_servers_drop_the_whole_configuration(tmp_path: Path) -> None:
    text = f"{PRESET}mcp = {{ allow_servers = [], deny_servers = [] }}\nmodle = 'x'\n"

    only, unknown = said(tmp_path / "said", text)
    assert "warning[unknown-key] unknown key `modle`" in unknown
    assert only.startswith("2:29 error[preset-conflict] mcp: allow_servers and deny_servers")
    assert "drops the whole configuration" in only
    notes = spawned(tmp_path / "call", text, preset="research", task="x")["notes"]
    assert any("drops all of it" in note for note in notes)


@pytest.mark.parametrize(
    ("value", "missing"),
    [
        ("{}", "type"),
        ("{ name = 'Read' }", "type"),
        ("{ type = 'tool' }", "name"),
        ("{ type = 'auto' }", None),
        ("{ type = 'tool', name = ${TOOL} }", None),
        ("{ type = ${TYPE} }", None),
        ("${CHOICE}", None),
    ],
)
def test_a_choice_of_tools_without_its_keys_drops_the_configuration(
    value: str, missing: str | None, tmp_path: Path
) -> None:
    found = said(tmp_path, f"{TODAY}{CHOICE} = {value}\n")

    said_missing = [f"has no `{missing}`" in line for line in found]
    assert said_missing == ([True] if missing else [])


def test_a_choice_of_tools_is_refused_in_a_file_that_has_no_other_key_of_today(
    tmp_path: Path,
) -> None:
    """Only the current runtime has such a table, so an empty one tells the generation as well."""
    for at, written in enumerate((f"{CHOICE} = {{}}", "tool_controls = { tool_choice = {} }")):
        [line] = said(tmp_path / str(at), f"{PRESET}{written}\n")
        assert "has no `type`" in line
    [line] = said(tmp_path / "table", f"{PRESET}[agents.presets.scout.{CHOICE}]\n")
    assert "has no `type`" in line


@pytest.mark.parametrize("table", ["mcp", "skills", "memory", "tool_controls"])
def test_a_table_with_nothing_in_it_tells_the_generation(table: str) -> None:
    assert configured(f"{PRESET}{table} = {{}}\n").generation is Generation.TODAY
    assert configured(f"[agents.presets.scout.{table}]\n").generation is Generation.TODAY
    assert configured(f"{PRESET}sandbox = {{}}\ntools = {{}}\n").generation is None


def test_an_empty_list_of_active_tools_has_no_forced_one(tmp_path: Path) -> None:
    forced = f"{CHOICE} = {{ type = 'tool', name = 'Read' }}\n"

    assert codes(tmp_path / "none", f"{TODAY}tool_controls.active_tools = []\n{forced}") == [
        "preset-conflict"
    ]
    assert codes(tmp_path / "all", f"{TODAY}{forced}") == []


def test_rounds_that_today_s_runtime_can_count_are_no_fault() -> None:
    text = f"{PRESET}identity.theme = 'calm'\nmax_iterations = 5000000000\n"
    assert configured(text).errors == ()


@pytest.mark.parametrize("told", ["", "identity.vibe = 'x'\n"])
def test_rounds_that_the_document_s_runtime_cannot_count_are_a_fault(told: str) -> None:
    """Where nothing tells the generation, the document decides."""
    found = configured(f"{PRESET}{told}max_iterations = 5000000000\n")

    assert found.generation is (Generation.SEED if told else None)
    assert [fault.key for fault in found.errors] == ["max_iterations"]


def test_a_definition_tells_which_runtime_reads_a_configuration_that_tells_nothing(
    tmp_path: Path,
) -> None:
    text = f"{PRESET}max_iterations = 5000000000\n"
    agent = "---\nname: other\n---\nHelp.\n"
    alone = {"moltis.toml": text}

    assert len(reported(tmp_path / "alone", alone)) == 1
    assert reported(tmp_path / "told", alone | {".moltis/agents/other.md": agent}) == []


@pytest.mark.parametrize(
    "line",
    [
        "skills = nan",
        "delegate_only = 'yes'",
        "sandbox.mode = 5",
        "identity.theme = 2024-01-01 10:00:00",
        "mcp = 'x'",
        "memory.scope = 'here'",
    ],
)
def test_what_only_today_s_runtime_refuses_does_not_tell_that_it_is_meant(
    line: str, tmp_path: Path
) -> None:
    """Beside a key of the document's the runtime that reads the file ignores it."""
    alone = said(tmp_path / "alone", f"{PRESET}{line}\n")
    old = said(tmp_path / "old", f"{PRESET}identity.vibe = 'x'\n{line}\n")
    new = said(tmp_path / "new", f"{PRESET}identity.emoji = 'x'\nmemory.max_lines = 5\n{line}\n")

    assert [" warning[config-dropped] " in one for one in alone] == [True]
    assert "the current runtime" in alone[0]
    assert " information[other-generation] " in old[0]
    assert any(" error[config-dropped] " in one and "the current runtime" in one for one in new)


@pytest.mark.parametrize("text", ["[agents]\ndefault = 5\n", f"{PRESET}identity.vibe = +1.0\n"])
def test_a_wrong_value_of_a_key_of_the_document_drops_the_configuration(
    text: str, tmp_path: Path
) -> None:
    found = said(tmp_path, text)
    assert " error[config-dropped] " in found[0]
    assert "the older runtime expects a string in quotes" in found[0]


@pytest.mark.parametrize(
    ("text", "generations"),
    [
        ("[[agents.presets.a.sandbox]]\nmode = 'off'\n", ("SEED", "TODAY")),
        ("[[agents.presets.a.tools]]\nallow = ['x']\n", ("SEED", "TODAY")),
        ("[[agents.presets.a.memory]]\n", ("TODAY",)),
        ("[agents.presets.a]\nreasoning_effort = { high = {} }\n", ()),
        ("[agents.presets.a]\nreasoning_effort = { high = 1 }\n", ("TODAY",)),
        ("[agents.presets.a]\nreasoning_effort = {}\n", ("TODAY",)),
        ("[agents.presets.a]\ntool_controls = [[], { type = 'auto' }]\n", ()),
        ("[agents.presets.a]\ntool_controls.tool_choice = { type = 'auto', name = 5 }\n", ()),
        (
            "[agents.presets.a]\ntool_controls.tool_choice = { type = 'tool', name = 5 }\n",
            ("TODAY",),
        ),
        ("[agents.presets.a]\nsandbox = 2024-01-01 10:00:00\n", ()),
        ("[agents.presets.a]\nx = [2024-01-01 10:00:00Z, 10:00:00]\n", ()),
    ],
)
def test_each_generation_refuses_as_its_own_record_does(
    text: str, generations: tuple[str, ...]
) -> None:
    """Measured with toml 0.8.23 and the records of both generations, 2026-11-29."""
    document = parsed(text)
    assert document.tree.problem is None
    for one in Generation:
        errors = config(document.tree.root, text, one).errors
        assert bool(errors) is (one.name in generations)


def test_a_word_that_is_none_of_the_certain_ones_is_put_right(tmp_path: Path) -> None:
    text = f'{TODAY}reasoning_effort = "hgih"\n'

    assert said(tmp_path / "said", text)[0].endswith("did you mean `high`?")
    assert fixed(tmp_path / "fixed", text)[0] == text.replace("hgih", "high")


@pytest.mark.parametrize("policy", ["", "allow = []\ndeny = []\n"])
def test_a_policy_without_an_entry_protects_nobody(policy: str, tmp_path: Path) -> None:
    text = f'{TODAY}tools.deny = ["exec"]\n[tools.policy]\n{policy}'

    assert codes(tmp_path, text) == ["main-session-unprotected"]


@pytest.mark.parametrize(
    "text",
    [
        f'{PRESET}tools.allow = ["exec"]\ntools.deny = ["exec"]\n',
        f'{PRESET}identity.vibe = "x"\ntools.allow = ["web_*"]\n',
        f'[agents]\ndefault = "scout"\n{PRESET}tools = {{ allow = ["web_*"] }}\n',
    ],
)
def test_no_fix_empties_a_list_of_allowed_tools_which_would_allow_all(
    text: str, tmp_path: Path
) -> None:
    assert codes(tmp_path / "said", text)
    assert [one for one in fixed(tmp_path / "fixed", text) if "allow = []" in one] == []


def test_a_default_below_the_presets_takes_no_fix_away(tmp_path: Path) -> None:
    presets = "[agents.presets.a]\nmodle = 'x'\n[agents.presets.b]\ntools.allow = ['exce']\n"
    text = f"{presets}[agents]\ndefualt = 'a'\n"

    assert fixed(tmp_path, text) == [
        text.replace("modle", "model"),
        text.replace("'exce'", "'exec'"),
        text.replace("defualt", "default"),
    ]


def test_a_table_that_is_in_the_way_is_called_what_it_is(tmp_path: Path) -> None:
    [only] = said(tmp_path, f"agents = {{}}\n{PRESET}")

    assert "non-table type (inline table)" in only
