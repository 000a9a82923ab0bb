"""What workers run is reported as if one process ran it."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="without fork there is one process")
ROOT = Path(__file__).parents[1]
FILES = {
    "test_some.py": """
import os, sys
def test_which_passes(tmp_path): (tmp_path / "a").touch()
def test_which_fails():
    print("said before")
    assert os.getpid() == 0
def test_after_it(tmp_path): assert list(tmp_path.iterdir()) == []
""",
    "test_other.py": """
import pytest
def test_which_is_skipped(): pytest.skip("not today")
def test_whose_process_is_not_that_of_others(tmp_path): assert "worker" in str(tmp_path)
""",
}
ENDS = "import os\ndef test_which_ends_its_process(): os._exit(0)\n"


def ran(folder: Path, files: Mapping[str, str], *arguments: str) -> tuple[int, str]:
    """The exit code and the output of pytest with two workers for `files`."""
    for name, text in files.items():
        (folder / name).write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.workers", "--workers", "2", "-q", "-rs",
         "-p", "no:cacheprovider", "-p", "no:asyncio", "-p", "no:hypothesispytest",
         "-c", os.devnull, "--rootdir", str(folder), *arguments],
        cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_each_test_is_reported_once_with_its_output(tmp_path: Path) -> None:
    code, said = ran(tmp_path, FILES)
    assert code == pytest.ExitCode.TESTS_FAILED
    assert "1 failed, 3 passed, 1 skipped" in said
    assert "said before" in said
    assert "not today" in said


def test_nothing_runs_after_the_failure_that_ends_a_run(tmp_path: Path) -> None:
    code, said = ran(tmp_path, FILES, "-x")
    assert code == pytest.ExitCode.TESTS_FAILED
    assert "stopping after 1 failures" in said
    [passed] = re.findall(r"(\d) passed", said)
    assert int(passed) < 3  # the one after it is in the same file


def test_a_run_fails_if_the_process_of_a_test_ends(tmp_path: Path) -> None:
    code, said = ran(tmp_path, {**FILES, "test_ends.py": ENDS})
    assert code == pytest.ExitCode.INTERRUPTED
    assert "worker ended" in said
