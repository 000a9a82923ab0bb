"""Ctrl-C in tests: a background job of a shell ignores it, and so would all that tests start."""

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def takes_ctrl_c() -> Iterator[None]:
    """Ctrl-C interrupts each test of a module that imports this, and the processes it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
