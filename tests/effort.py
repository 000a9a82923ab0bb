"""How much tests try: a fifth at each change, more before one lands, and everything by hand.

`make test` tries a fifth of what takes long, always the same, and `make test-hostile` one more
fifth and ten times as many examples. `make test-hostile EFFORT=20` tries all, that fifth at
length as well, draws at random, and many times as much.
"""

import os
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from types import FrameType
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

import agent_lsp

T = TypeVar("T")
# 0 in `make test`, 1 in `make test-hostile`, and more by hand.
EFFORT = int(os.environ.get("AGENT_TEMPLATE_FUZZ", "0"))
_PART = 5
_FEWER = 10


def examples(count: int) -> int:
    """How many examples to draw, where `count` are enough before a change lands."""
    return count * EFFORT or max(1, count // _FEWER)


def usually(cases: Iterable[T], is_usual: Callable[[T], bool]) -> list[ParameterSet]:
    """`cases`, of which `make test` tries those that are usual and `make test-hostile` the others.

    For attacks of many kinds on one claim, each of which takes long.
    """
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if is_usual(case) else pytest.mark.hostile,
        )
        for case in cases
    ]


def fifth(cases: Iterable[object]) -> list[ParameterSet]:
    """Every fifth of `cases` for `make test`, one more for `make test-hostile`, all by hand.

    Of the rows of a table each has another column, so each row and column has its turn. What is not
    going to run is left out: to collect it takes a part of the time, too.
    """
    turns = 1 if EFFORT == 0 else 2 if EFFORT == 1 else _PART
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if turn == 0 and EFFORT <= 1 else pytest.mark.hostile,
        )
        for at, case in enumerate(cases)
        if (turn := (at + at // _PART) % _PART) < turns
    ]


def share(every: Sequence[T], turn: int) -> Sequence[T]:
    """A fifth of `every`, of which each turn has another one; by hand all.

    For what each of many cases is tried with.
    """
    return every if EFFORT > 1 else every[turn % _PART :: _PART]


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Asserts that this process computes for less than `seconds`, however long it has to wait.

    Ten times what is needed is a good bound: what grows with the square takes a hundred times.
    """
    begun = process_time()
    yield
    assert process_time() - begun < seconds


def work(do: Callable[[], object]) -> int:
    """How many functions `do` calls, and steps of generators it takes: the same on each machine."""
    with _counted() as calls:
        do()
    return calls[0]


async def work_of(do: Callable[[], Awaitable[object]]) -> int:
    """As `work`, for all that the event loop does until `do` has ended."""
    with _counted() as calls:
        await do()
    return calls[0]


@contextmanager
def _counted() -> Iterator[list[int]]:
    """A list with the number of calls so far."""
    calls = [0]

    def count(_frame: FrameType, event: str, _: object) -> None:
        calls[0] += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(before)


@dataclass(frozen=True)
class Journey:
    """The functions of the package that something calls, and how often it changes the module.

    `changes` counts the calls from one module into another one, and `modules` has how many go into
    each.
    """

    calls: Counter[str]
    modules: Counter[str]

    @property
    def changes(self) -> int:
        """The number of calls from one module into another one."""
        return self.modules.total()


def journey(do: Callable[[], object]) -> Journey:
    """The way of `do` through the package, the same on each machine."""
    calls, modules, stack = Counter[str](), Counter[str](), list[str]()
    start = len(f"{Path(agent_lsp.__file__).parent}{os.sep}")
    package = agent_lsp.__file__[:start]

    def follow(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event not in ("call", "return") or not code.co_filename.startswith(package):
            return
        if event == "return":
            stack.pop()
            return
        module = code.co_filename[start:]
        calls[code.co_name] += 1
        modules[module] += not stack or stack[-1] != module
        stack.append(module)

    before = sys.getprofile()
    sys.setprofile(follow)
    try:
        do()
    finally:
        sys.setprofile(before)
    return Journey(calls, +modules)
