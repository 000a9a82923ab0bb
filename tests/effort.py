"""How much tests with random data try, and how much work a test may cause."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time

# `make fuzz` sets it.
EFFORT = int(os.environ.get("AGENT_TEMPLATE_FUZZ", "1"))


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Asserts that this process computes for less than `seconds`, however long it has to wait.

    Ten times what is needed is a good bound: what grows with the square takes a hundred times.
    """
    begun = process_time()
    yield
    assert process_time() - begun < seconds
