"""A suggestion is what was meant, or there is none."""

import pytest

from agent_lsp.analysis.suggest import distance, nearest
from agent_lsp.dialects.codex_templates.dialect import DIALECT

TOOLS = tuple(tool.name for tool in DIALECT.tools.listed)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("aply_patch", "apply_patch"),
        ("exce_command", "exec_command"),
        ("exec_commands", "exec_command"),
        ("web_serach", "web_search"),
        ("WebSearch", "web_search"),
        ("ApplyPatch", "apply_patch"),
        ("spawn-agent", "spawn_agent"),
        ("EXEC_COMMAND", "exec_command"),
        ("wiat", "wait"),
        ("container_exec", "container.exec"),
        ("list_agent", "list_agents"),
        ("updte_plna", "update_plan"),
    ],
)
def test_a_slip_or_another_spelling_is_recognised(word: str, meant: str) -> None:
    assert nearest(word, TOOLS) == meant


OF_OTHERS = (
    "Bash Read Write Edit Grep Glob Task LS WebFetch web_fetch write_file edit_file list_files "
    "send_message wait_agent kill_agent create_agent py_repl get_input fetch python think ask "
    "read_resource delete_file search_files git sh ls x"
)


@pytest.mark.parametrize("word", OF_OTHERS.split())
def test_a_tool_of_another_system_is_no_misspelling(word: str) -> None:
    assert nearest(word, TOOLS) is None


def test_another_spelling_goes_before_a_nearer_word() -> None:
    assert nearest("Read", ("reads", "READ")) == "READ"


def test_the_nearest_is_taken_and_of_equals_the_first() -> None:
    assert nearest("medium", ("mediums", "medina")) == "mediums"
    assert nearest("loww", ("lowa", "lowb")) == "lowa"


@pytest.mark.parametrize("word", ["", "-", "__"])
def test_nothing_is_near_to_nothing(word: str) -> None:
    assert nearest(word, ("", "--", "a", "wait")) is None


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [
        ("", "", 0),
        ("abc", "abc", 0),
        ("abc", "acb", 1),
        ("abc", "abcd", 1),
        ("abc", "bc", 1),
        ("abc", "xbc", 1),
        ("abcd", "badc", 2),
        ("kitten", "sitting", 3),
        ("ca", "abc", 3),
    ],
)
def test_slips_are_counted(one: str, other: str, slips: int) -> None:
    assert distance(one, other, 9) == slips
    assert distance(other, one, 9) == slips


def test_counting_stops_beyond_the_limit() -> None:
    assert distance("kitten", "sitting", 2) == 3
    assert distance("a" * 50, "b" * 50, 2) == 3
