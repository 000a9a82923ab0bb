"""Fixtures for tests of the command line: a shell with its own repository and home, and Ctrl-C."""

from pathlib import Path

import pytest

from tests.cli.shell import Shell, shell_in
from tests.interrupts import takes_ctrl_c

__all__ = ["takes_ctrl_c"]


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """A shell in an empty repository, with an empty home beside it."""
    return shell_in(tmp_path, monkeypatch, capsys)
