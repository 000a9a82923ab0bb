"""Many small cases as few tests: what a test costs beside its work is more than these take."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from tests.effort import EFFORT

# So many cases are one test.
_MANY = 50


def _id(case: Mapping[str, Any]) -> str:
    return str(case["id"])


def each(
    cases: Iterable[Any],
    *,
    more: Iterable[Any] = (),
    called: Callable[[Any], str] = _id,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Hands each of `cases` to a test as its first argument; all that fail are told.

    A case is what `json.loads` makes of a recorded line, with an `id`, or is `called` otherwise.
    The other arguments are fixtures, which the cases share; only of `tmp_path` each has its own.
    `make test-hostile` tries `more`.
    """
    batches = [
        *(pytest.param(batch, id=_from(called, batch)) for batch in _batches(cases)),
        *(
            pytest.param(batch, id=f"more {_from(called, batch)}", marks=pytest.mark.hostile)
            for batch in (_batches(more) if EFFORT else ())
        ),
    ]

    def decorated(function: Callable[..., None]) -> Callable[..., None]:
        first, *others = inspect.signature(function).parameters.values()

        @wraps(function)
        def test(batch: tuple[Any, ...], **fixtures: Any) -> None:
            failed: list[tuple[str, BaseException]] = []
            for at, case in enumerate(batch):
                try:
                    function(case, **_own(fixtures, str(at)))
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 # it is told
                    failed.append((called(case), error))
            if failed:
                said = [f"{name}: {type(one).__name__}: {one}" for name, one in failed]
                raise AssertionError("\n".join(said)) from failed[0][1]

        parameters = [first.replace(name="batch"), *others]
        test.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        marked: Callable[..., None] = pytest.mark.parametrize("batch", batches)(test)
        return marked

    return decorated


def _batches(cases: Iterable[Any]) -> list[tuple[Any, ...]]:
    every = tuple(cases)
    return [every[start : start + _MANY] for start in range(0, len(every), _MANY)]


def _from(called: Callable[[Any], str], batch: tuple[Any, ...]) -> str:
    return f"from {called(batch[0])}"


def _own(fixtures: dict[str, Any], name: str) -> dict[str, Any]:
    """The fixtures of one case: its folder is an empty one."""
    if "tmp_path" not in fixtures:
        return fixtures
    folder: Path = fixtures["tmp_path"] / name
    folder.mkdir()
    return {**fixtures, "tmp_path": folder}
