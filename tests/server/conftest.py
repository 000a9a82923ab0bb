"""What tests of a server inside their own process share."""

from pathlib import Path

import pytest

from tests.server.editor import environment


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The workspace of a repository, in the environment of a new user."""
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    (tmp_path / "home").mkdir()
    (tmp_path / "workspace/.git").mkdir(parents=True)
    return tmp_path / "workspace"
