"""What all tests share: how much chance there is in them, and what makes them cheap."""

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from hypothesis import settings

from agent_lsp.cli.checking.result_cache import SWITCH
from tests.effort import EFFORT, examples
from tests.together import pytest_pycollect_makeitem

__all__ = ["pytest_pycollect_makeitem"]

# The same data at each run, unless somebody looks for faults. How long an example takes depends on
# the machine.
settings.register_profile("fixed", max_examples=examples(100), derandomize=True, deadline=None)
settings.register_profile("fuzz", max_examples=examples(100), deadline=None, print_blob=True)
settings.load_profile("fuzz" if EFFORT > 1 else "fixed")

# A disk takes longer to make and remove the folders of a test than the test to use them. Linux has
# a folder in memory, which containers may keep too small.
_MEMORY, _ENOUGH = Path("/dev/shm"), 2**30  # noqa: S108 # pytest makes a folder of its own there
if os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ENOUGH:
    # Also of processes that a test starts. pytest has asked for the place before it came here.
    tempfile.tempdir = os.environ.setdefault("TMPDIR", str(_MEMORY))

# Nothing that a test writes outlasts it, and a result that is kept would hide what the code does.
os.environ.setdefault(SWITCH, "1")

# The checker of schemas compiles a grammar for a second when it is imported, for a format that no
# schema here has.
cast("dict[str, object]", sys.modules)["rfc3987_syntax"] = None

# A background job of a shell ignores Ctrl-C, and so would the processes that a test interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Nothing that is collected becomes garbage, so the collector need not look at it again and again.
gc.disable()
# The rate of the command line and of the server: what a test makes is in use, or soon gone.
_GARBAGE = 50_000


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(_GARBAGE)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _ready() -> Iterator[None]:
    yield
    # Only tests of the server import it, which takes a second.
    ready = sys.modules.get("tests.server.ready")
    if ready is not None:
        ready.stop()
