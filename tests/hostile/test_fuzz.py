"""Short rounds of `make fuzz`, the same each time, and that it notices what does not hold."""

import sys
from pathlib import Path

import pytest

from tests.hostile.answers import KINDS
from tests.hostile.fuzz import client, faulty
from tests.hostile.fuzz.play import play
from tests.server import ready

# Of rounds that together take what is worth it before a change lands.
_SEEDS, _STEPS = (1, 2, 3), 40
_SERVE = ("serve", "--stdio")


@pytest.mark.hostile
@pytest.mark.parametrize("seed", _SEEDS)
def test_whatever_is_asked_typed_and_written_the_server_keeps_its_promises(
    seed: int, tmp_path: Path
) -> None:
    server = (*ready.program(), *_SERVE)
    report = play(seed, tmp_path / "round", server, server, steps=_STEPS)
    assert [f"{one.kind}: {one.what} ({step})" for one, step in report.wrong.values()] == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_server_that_does_one_thing_wrong_is_noticed(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "LIMIT", 0.5)
    server = (sys.executable, "-S", faulty.__file__, kind)
    only = ("fix", "type") if kind in ("fix", "edit") else ("type", "ask")
    report = play(1, tmp_path / "round", server, server, steps=15, only=only)
    assert kind in report.counts, report.counts
