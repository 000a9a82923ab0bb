"""Everything that is wrong is told at once: no fault hides another one.

Each system has a good file and small faults, each of which breaks one rule. Any two of them in one
file are told as each is alone, so that mending one never reveals the other.
"""

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


def test_every_system_has_faults_to_plant() -> None:
    assert {one.system for one in PLANTED} == {dialect.id for dialect in DIALECTS}
