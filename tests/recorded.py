"""Recorded cases, of which there are thousands, as few tests."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import partial, wraps
from typing import Any

import pytest

from tests.batches import batches, own, run
from tests.effort import EFFORT


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
    parameters = [
        *(pytest.param(batch, id=_from(called, batch)) for batch in batches(cases)),
        *(
            pytest.param(batch, id=f"more {_from(called, batch)}", marks=pytest.mark.hostile)
            for batch in (batches(more) if EFFORT else ())
        ),
    ]

    def decorated(function: Callable[..., None]) -> Callable[..., None]:
        first, *others = inspect.signature(function).parameters.values()

        @wraps(function)
        def test(batch: tuple[Any, ...], **fixtures: Any) -> None:
            def case(at: int, value: Any) -> None:
                function(value, **own(fixtures, str(at)))

            run((called(value), partial(case, at, value)) for at, value in enumerate(batch))

        signature = inspect.Signature([first.replace(name="batch"), *others])
        test.__signature__ = signature  # type: ignore[attr-defined]
        marked: Callable[..., None] = pytest.mark.parametrize("batch", parameters)(test)
        return marked

    return decorated


def _from(called: Callable[[Any], str], batch: tuple[Any, ...]) -> str:
    return f"from {called(batch[0])}"
