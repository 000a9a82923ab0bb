"""Headers that are made to be slow are answered in bounded time."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.workspace.files import MAX_HEADER
from tests.effort import within
from tests.fixture import fixture

pytestmark = pytest.mark.hostile
# However much is wrong, an editor can draw what is said about it.
_MOST = 2000
_LONGEST = MAX_HEADER - 1000


def _lists(entry: str) -> Callable[[], str]:
    def write() -> str:
        many = _LONGEST // (2 * len(entry.format(10_000)) + 4)
        row = ", ".join(entry.format(number) for number in range(many))
        return f"---\ndescription: x\nallow_list: [{row}]\ndeny_list: [{row}]\n---\nb\n"

    return write


def _personas() -> str:
    rows = [f"- {{name: p{number}, description: d}}\n" for number in range(2500)]
    return f"---\ndescription: x\nagent_names:\n{''.join(rows)}---\nb\n"


def _blocks() -> str:
    rows = [f"<!-- agent_name: b{number} -->\nx\n" for number in range(15_000)]
    return _personas() + "".join(rows)


def _comments() -> str:
    rows = [f"- {{name: p{number}, #x\n  description: d}}\n" for number in range(2500)]
    blocks = [f"<!-- agent_name: b{number} -->\nx\n" for number in range(15_000)]
    return f"---\ndescription: x\nagent_names:\n{''.join(rows)}---\nb\n" + "".join(blocks)


def _keys() -> str:
    rows = [f"modl{number}: 1\n" for number in range(8000)]
    return f"---\ndescription: x\n{''.join(rows)}---\nb\n"


@pytest.mark.parametrize(
    "write",
    [
        _lists("t{}"),
        _lists('"t{}*"'),
        _lists('"a*b*c*{}*"'),
        _lists("serch{}"),
        _lists("!x{}"),
        _personas,
        _blocks,
        _comments,
        _keys,
    ],
    ids=["names", "patterns", "stars", "slips", "signs", "personas", "blocks", "comments", "keys"],
)
def test_the_longest_header_that_is_looked_into_is_answered_in_time(
    write: Callable[[], str], tmp_path: Path
) -> None:
    found = fixture(tmp_path, write())
    with within(30):
        assert 0 < len(diagnostics(found.workspace, found.path)) < _MOST


def test_a_longer_header_is_reported_once_and_left_alone(tmp_path: Path) -> None:
    rows = "".join(f"k{number}: 1\n" for number in range(MAX_HEADER // 5))
    found = fixture(tmp_path, f"---\n{rows}---\nb\n")
    [said] = diagnostics(found.workspace, found.path)
    assert (said.code, said.severity.name) == ("unreadable", "INFORMATION")
    assert said.message == "no end of its header within 100 kB: not checked"


def test_a_long_prompt_is_none_of_that(tmp_path: Path) -> None:
    found = fixture(tmp_path, f"---\ndescription: x\n---\n{'word ' * MAX_HEADER}\n")
    assert diagnostics(found.workspace, found.path) == ()
