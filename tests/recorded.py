"""Many small cases as few tests: what a test costs beside its work is more than these take."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

# So many cases are one test.
_MANY = 50


def each(cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Hands each of `cases` to a test as its first argument; all that fail are told.

    A case is what `json.loads` makes of a recorded line, with an `id`. The other arguments are
    fixtures, which the cases share.
    """
    every = tuple(cases)
    batches = [every[start : start + _MANY] for start in range(0, len(every), _MANY)]

    def decorated(function: Callable[..., None]) -> Callable[..., None]:
        first, *others = inspect.signature(function).parameters.values()

        @wraps(function)
        def test(batch: tuple[Any, ...], **fixtures: object) -> None:
            failed = []
            for case in batch:
                try:
                    function(case, **fixtures)
                except AssertionError as error:
                    failed.append(f"{case['id']}: {error}")
            assert not failed, "\n".join(failed)

        parameters = [first.replace(name="batch"), *others]
        test.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        ids = [f"from {batch[0]['id']}" for batch in batches]
        marked: Callable[..., None] = pytest.mark.parametrize("batch", batches, ids=ids)(test)
        return marked

    return decorated
