"""What all tests share: how much chance there is in them, and servers that are ready to start."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.effort import EFFORT, examples
from tests.server import ready

# The same data at each run, unless somebody looks for faults. How long an example takes depends on
# the machine.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("fuzz", max_examples=examples(100), deadline=None, print_blob=True)
settings.load_profile("fuzz" if EFFORT > 1 else "fixed")


@pytest.fixture(scope="session", autouse=True)
def _ready() -> Iterator[None]:
    yield
    ready.stop()
