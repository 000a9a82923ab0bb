"""How much tests try: a fifth at each change, everything before one lands, and more by hand.

`make test` tries a fifth of what takes long, always the same; `make test-hostile` tries all of it,
and `make fuzz` draws at random, and many times as much.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import process_time

import pytest
from _pytest.mark import ParameterSet

# 0 in `make test`, 1 in `make test-hostile`, and more in `make fuzz`.
EFFORT = int(os.environ.get("AGENT_TEMPLATE_FUZZ", "0"))
_PART = 5


def examples(count: int) -> int:
    """How many examples to draw, where `count` are enough before a change lands."""
    return count * EFFORT or max(1, count // _PART)


def fifth(cases: Iterable[object]) -> list[ParameterSet]:
    """Every fifth of `cases` for `make test`, and the others for `make test-hostile`.

    What is not going to run is left out: to collect it takes a part of the time, too.
    """
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if at % _PART == 0 else pytest.mark.hostile,
        )
        for at, case in enumerate(cases)
        if EFFORT or at % _PART == 0
    ]


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Asserts that this process computes for less than `seconds`, however long it has to wait.

    Ten times what is needed is a good bound: what grows with the square takes a hundred times.
    """
    begun = process_time()
    yield
    assert process_time() - begun < seconds
