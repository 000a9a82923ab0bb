"""Joins the cases of a parametrized test, where several processes share the work.

With pytest-xdist, the cases of a test run in batches if they need nothing but a folder of their own
(`tests.batches` says what that saves). Without it, each is a test that can be selected.
"""

import inspect
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial, wraps
from itertools import product
from typing import Any, NamedTuple

import pytest
from _pytest.mark import ParameterSet

from tests.batches import batches, own, run

_ARE_SEVERAL = "PYTEST_XDIST_WORKER" in os.environ
# Each call of these fixtures of the rules' tests has a folder of its own, below that of the test.
_SHARED = frozenset({"check", "header", "tmp_path"})
_LONGEST_NAME = 80


class _Case(NamedTuple):
    name: str
    arguments: Mapping[str, Any]


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> Any:
    """The tests for the cases of `obj`, or None if each case is a test."""
    if not _ARE_SEVERAL or not name.startswith("test") or not inspect.isfunction(obj):
        return None
    together = joined(obj)
    if together is None:
        return None
    # When the test runs, pytest looks up the function again.
    setattr(collector.obj, name, together)
    return collector.ihook.pytest_pycollect_makeitem(collector=collector, name=name, obj=together)


def joined(function: Callable[..., None]) -> Callable[..., None] | None:
    """`function` with batches of its cases, or None if they cannot share a test."""
    marks: Sequence[pytest.Mark] = getattr(function, "pytestmark", ())
    is_plain = not inspect.iscoroutinefunction(function) and not hasattr(function, "hypothesis")
    cases = _product(marks) if is_plain and marks else []
    parameters = inspect.signature(function).parameters.values()
    fixtures = [one for one in parameters if not cases or one.name not in cases[0].arguments]
    if not cases or len(fixtures) > 1 or not _SHARED.issuperset(one.name for one in fixtures):
        return None

    @wraps(function)
    def test(batch: tuple[_Case, ...], **fixtures: Any) -> None:
        def alone(at: int, case: _Case) -> None:
            function(**case.arguments, **own(fixtures, str(at)))

        run((case.name, partial(alone, at, case)) for at, case in enumerate(batch))

    batch = inspect.Parameter("batch", inspect.Parameter.KEYWORD_ONLY)
    fixtures = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in fixtures]
    test.__signature__ = inspect.Signature([batch, *fixtures])  # type: ignore[attr-defined]
    test.pytestmark = []  # type: ignore[attr-defined]
    named = [pytest.param(some, id=f"from {some[0].name}") for some in batches(cases)]
    marked: Callable[..., None] = pytest.mark.parametrize("batch", named)(test)
    return marked


def _product(marks: Sequence[pytest.Mark]) -> list[_Case]:
    """The cases that `marks` make together; none if there is more to them than values."""
    if any(mark.name != "parametrize" or set(mark.kwargs) - {"ids"} for mark in marks):
        return []
    tables = [list(_cases(*mark.args, **mark.kwargs)) for mark in marks]
    rows = product(*(table if None not in table else () for table in tables))
    return [
        _Case(
            "-".join(case.name for case in row if case),
            {name: value for case in row if case for name, value in case.arguments.items()},
        )
        for row in rows
    ]


def _cases(
    names: str | Sequence[str],
    rows: Collection[object],
    ids: Collection[object] | Callable[[Any], object] | None = None,
) -> Iterator[_Case | None]:
    """The cases of one mark, and None for each that has marks of its own or is a batch."""
    split = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    given = list(ids) if ids is not None and not callable(ids) else [None] * len(rows)
    for at, (row, id_) in enumerate(zip(rows, given, strict=True)):
        one = row if isinstance(row, ParameterSet) else None
        values: Any = one.values if one is not None else (row,) if len(split) == 1 else row
        if split == ["batch"] or (one is not None and one.marks):
            yield None
            continue
        arguments = dict(zip(split, values, strict=True))
        called = one.id if one is not None and one.id is not None else id_
        if called is None:
            words = (ids(value) if callable(ids) else None for value in values)
            named = zip(arguments.items(), words, strict=True)
            called = "-".join(_word(value, f"{name}{at}", word) for (name, value), word in named)
        yield _Case(str(called)[:_LONGEST_NAME], arguments)


def _word(value: object, otherwise: str, given: object) -> str:
    """What pytest calls a case of `value`: each process must call it the same."""
    if given is not None:
        return str(given)
    if isinstance(value, str):
        return ascii(value)[1:-1]
    if value is None or isinstance(value, int | float | bytes):
        return str(value)
    return str(getattr(value, "__name__", otherwise))
