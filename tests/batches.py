"""Runs many small cases as one test: a test costs more beside its work than most cases take.

Each process collects it, and it has reports, fixtures and a folder of its own.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest

# So many cases are one test.
_MANY = 50

Case = TypeVar("Case")


def batches(cases: Iterable[Case]) -> list[tuple[Case, ...]]:
    """`cases` in the same order, as many together as are one test."""
    every = tuple(cases)
    return [every[start : start + _MANY] for start in range(0, len(every), _MANY)]


def run(cases: Iterable[tuple[str, Callable[[], None]]]) -> None:
    """Runs each of the named `cases`, and raises an error that tells all that failed.

    If each of them is skipped, so is the test.
    """
    failed: list[tuple[str, BaseException]] = []
    skipped: list[BaseException] = []
    count = 0
    for name, case in cases:
        count += 1
        try:
            case()
        except pytest.skip.Exception as error:
            skipped.append(error)
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 # it is told
            failed.append((name, error))
    if failed:
        said = [f"{name}: {type(one).__name__}: {one}" for name, one in failed]
        message = "\n".join([f"{len(failed)} of {count} cases failed", *said])
        raise AssertionError(message) from failed[0][1]
    if skipped and len(skipped) == count:
        raise skipped[0]


def own(fixtures: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The fixtures of the case `name`: its folder is an empty one below the others'."""
    if "tmp_path" not in fixtures:
        return fixtures
    folder: Path = fixtures["tmp_path"] / name
    folder.mkdir()
    return {**fixtures, "tmp_path": folder}
