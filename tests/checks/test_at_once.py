"""Everything that is wrong is told at once: no fault hides another one.

Each system has a good file and small faults, each of which breaks one rule. Any two of them in one
file are told as each is alone, so that mending one never reveals the other. So is each of them
beside a line that cannot be read.
"""

import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from tests.checks.faults import PLANTED, Fault, Planted
from tests.fixture import Fixture, fixture
from tests.systems import DIALECTS

Told = Counter[tuple[str, str]]
# The second fault is not told beside the first: what it means depends on that.
_DEPENDENT = {
    # Whether a block has no persona is not known while one of the personas has no name.
    ("missing-key", "block-without-persona"),
}


def put(text: str, fault: Fault) -> str:
    assert text.count(fault.old) == 1
    return text.replace(fault.old, fault.new)


def told(written: Fixture, text: str) -> Told:
    """The rules that are broken, each with the text that it is told of."""
    written.path.write_bytes(text.encode())
    written.workspace.files.changed(written.path)
    found = diagnostics(written.workspace, written.path)
    return Counter((one.code, one.span.of(text)) for one in found)


@pytest.mark.parametrize("planted", PLANTED, ids=lambda one: one.system)
def test_two_faults_are_told_as_each_of_them_is_alone(planted: Planted, tmp_path: Path) -> None:
    written = fixture(tmp_path, f"//- {planted.path}\nnothing yet\n")
    good = told(written, planted.good)
    alone = {fault: told(written, put(planted.good, fault)) - good for fault in planted.faults}
    for fault, found in alone.items():
        assert fault.rule in {code for code, _ in found}, fault

    for first, second in combinations(planted.faults, 2):
        both = told(written, put(put(planted.good, first), second))
        if (first.rule, second.rule) in _DEPENDENT:
            continue
        where = f"{first} and {second}"
        assert (alone[first] | alone[second]) - both == Counter(), f"hidden: {where}"
        assert both - (alone[first] + alone[second]) - good == Counter(), f"new: {where}"


@pytest.mark.parametrize("planted", PLANTED, ids=lambda one: one.system)
def test_all_faults_of_a_file_are_told_at_once(planted: Planted, tmp_path: Path) -> None:
    written = fixture(tmp_path, f"//- {planted.path}\nnothing yet\n")
    text = planted.good
    for fault in planted.faults:
        text = put(text, fault)
    found = told(written, text)

    dependent = {second for _, second in _DEPENDENT}
    wanted = Counter(fault.rule for fault in planted.faults if fault.rule not in dependent)
    assert wanted - Counter(code for code, _ in found.elements()) == Counter()


@pytest.mark.parametrize("planted", PLANTED, ids=lambda one: one.system)
def test_a_fault_beside_a_line_that_cannot_be_read_is_told_as_alone(
    planted: Planted, tmp_path: Path
) -> None:
    written = fixture(tmp_path, f"//- {planted.path}\nnothing yet\n")
    good = told(written, planted.good)
    broken = _with_broken_line(planted)
    syntax = told(written, broken)
    assert syntax - good, "the line is read"
    for fault in planted.faults:
        alone = told(written, put(planted.good, fault)) - good
        both = told(written, put(broken, fault))
        assert alone - both == Counter(), f"hidden: {fault}"
        assert both - alone - syntax == Counter(), f"new: {fault}"


def _with_broken_line(planted: Planted) -> str:
    """The good file with a line that is broken."""
    if planted.path.endswith(".json"):
        return re.sub(r"(\n *)(?=\"mode\")", r'\1"x-mark": a b,\1', planted.good)
    if planted.path.endswith(".toml"):
        return f"{planted.good}\nx-mark = \n"
    if planted.good.startswith("---"):
        return planted.good.replace("\n---\n", '\nx-mark: "a" b\n---\n', 1)
    return planted.good.replace("version =", "mark = \nversion =", 1)


# What the lines around a broken one say is not known.
_UNCERTAIN = (
    # The text of a description that has lost its indent.
    "---\ndescription: Use it as follows.\n  broken: here: x\nNote: never\n---\nx\n",
    # A key may be meant by the broken line.
    "---\ndescripton: 'Reviews'changes\n---\nReview.\n",
    "---\nmodel: gpt-5-codex\ndescription 'Reviews\n---\nReview.\n",
    # A list may be meant by the broken line.
    "---\ndescription: x\nagent_names: [{name: a}\n---\nReview.\n\n<!-- agent_name: a -->\nx\n",
)


@pytest.mark.parametrize("text", _UNCERTAIN)
def test_what_the_mending_of_a_broken_line_decides_is_not_told(text: str, tmp_path: Path) -> None:
    written = fixture(tmp_path, "//- .codex/.agents/a.md\nnothing yet\n")
    assert {code for code, _ in told(written, text)} == {"header-invalid"}


def test_a_broken_table_of_toml_takes_its_keys_with_it(tmp_path: Path) -> None:
    written = fixture(tmp_path, "//- moltis.toml\nnothing yet\n")
    text = "[agents.presets.a]\nmodel = 'x'\n[agents.presets.b\nmodel = 5\n"
    assert {word for _, word in told(written, text)}.isdisjoint({"model", "5"})


def test_what_is_beside_a_missing_comma_of_json_is_told(tmp_path: Path) -> None:
    written = fixture(tmp_path, "//- opencode.json\nnothing yet\n")
    text = '{\n "agent": {"a": {\n  "mode": "worker"\n  "color": "grn",\n  "stps": 1\n }}\n}\n'
    words = [word for _, word in told(written, text)]
    assert sorted(words) == ['"', '"grn"', '"stps"', '"worker"']


def test_every_system_has_faults_to_plant() -> None:
    assert {one.system for one in PLANTED} == {dialect.id for dialect in DIALECTS}
