"""Fixtures for tests of the command line: a shell with its own repository and home."""

from pathlib import Path

import pytest

from tests.cli.shell import Shell, shell_in


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """A shell in an empty repository, with an empty home beside it."""
    return shell_in(tmp_path, monkeypatch, capsys)
