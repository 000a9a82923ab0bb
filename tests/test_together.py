"""Cases that run together are those that run alone, and each that fails is told."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.batches import run
from tests.together import joined


@pytest.mark.parametrize("end", ["", "\n"], ids=["none", "LF"])
@pytest.mark.parametrize(
    ("text", "size"), [("a", 1), ("bc", 3), pytest.param("d", 2, id="named"), ("e", 1)]
)
def sizes(text: str, size: int, end: str, tmp_path: Path) -> None:
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "seen").touch()
    assert len(text) == size, f"{text}{end!r}"


@pytest.mark.parametrize("number", range(51))
def numbers(number: int) -> None:
    raise KeyError(number)


@pytest.mark.parametrize("kind", [Path, str])
def kinds(kind: type) -> None:
    raise TypeError(kind)


def batches_of(function: Callable[..., None]) -> list[tuple[Any, ...]]:
    [mark] = function.pytestmark  # type: ignore[attr-defined]
    return [batch.values[0] for batch in mark.args[1]]


def together(function: Callable[..., None]) -> Callable[..., None]:
    made = joined(function)
    assert made is not None
    return made


def test_each_case_that_fails_is_told_by_the_name_that_it_has_alone(tmp_path: Path) -> None:
    made = together(sizes)
    [batch] = batches_of(made)
    with pytest.raises(AssertionError) as failed:
        made(batch=batch, tmp_path=tmp_path)
    said = str(failed.value).splitlines()
    assert said[0] == "4 of 8 cases failed"
    names = [line.split(": AssertionError")[0] for line in said if ": AssertionError" in line]
    assert sorted(names) == ["bc-3-LF", "bc-3-none", "named-LF", "named-none"]


def test_every_case_is_in_one_of_the_batches() -> None:
    made = together(numbers)
    batches = batches_of(made)
    assert [len(batch) for batch in batches] == [50, 1]
    for batch in batches:
        with pytest.raises(AssertionError) as failed:
            made(batch=batch)
        assert str(failed.value).count("KeyError") == len(batch)


def test_a_name_has_no_address_of_this_process() -> None:
    [batch] = batches_of(together(kinds))
    assert [case.name for case in batch] == ["Path", "str"]


def plain(word: str) -> None:
    assert word


def patched(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORD", word)


async def waiting(word: str) -> None:
    assert word


words = pytest.mark.parametrize("word", ["a", "b"])


@pytest.mark.parametrize(
    "function",
    [
        words(patched),
        words(waiting),
        pytest.mark.xfail(words(lambda word: plain(word))),  # noqa: PLW0108 # a function to mark
        pytest.mark.parametrize("word", [pytest.param("a", marks=pytest.mark.hostile)])(plain),
        pytest.mark.parametrize("word", ["a"], indirect=True)(lambda word: plain(word)),  # noqa: PLW0108
        lambda: None,
    ],
    ids=["a fixture", "a loop", "a mark", "a mark of a case", "an indirect one", "no cases"],
)
def test_other_tests_stay_as_they_are(function: Callable[..., None]) -> None:
    assert joined(function) is None


def test_what_is_skipped_hides_nothing() -> None:
    def skipped() -> None:
        pytest.skip("not here")

    def failed() -> None:
        pytest.fail("here")

    with pytest.raises(pytest.skip.Exception):
        run([("one", skipped), ("two", skipped)])
    run([("one", skipped), ("two", lambda: None)])
    with pytest.raises(AssertionError, match="two: Failed: here"):
        run([("one", skipped), ("two", failed), ("three", skipped)])
