"""A test of many cases tells each that fails, by its name."""

from pathlib import Path
from typing import Any

import pytest

from tests.recorded import each


@each([{"id": "good"}, {"id": "wrong"}, {"id": "broken"}, {"id": "silent"}])
def check(case: dict[str, Any], tmp_path: Path) -> None:
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "seen").touch()
    assert case["id"] != "wrong"
    if case["id"] == "broken":
        raise KeyError(case["id"])
    if case["id"] == "silent":
        pytest.fail("nothing was said")


def test_each_case_that_fails_is_named_with_its_reason(tmp_path: Path) -> None:
    every = tuple({"id": name} for name in ("good", "wrong", "broken", "silent"))
    with pytest.raises(AssertionError) as failed:
        check(every, tmp_path=tmp_path)
    said = str(failed.value)
    assert "wrong: AssertionError" in said
    assert "broken: KeyError" in said
    assert "silent: Failed: nothing was said" in said
    assert "good: " not in said
    assert failed.value.__cause__ is not None


def test_cases_that_hold_are_one_test_that_passes(tmp_path: Path) -> None:
    check(({"id": "good"}, {"id": "fine"}), tmp_path=tmp_path)
