"""A shell in a workspace of its own, for tests of the command line."""

from pathlib import Path

import pytest

from tests.cli.shell import Shell


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """A shell in an empty repository, with an empty home beside it."""
    root, home = tmp_path / "workspace", tmp_path / "home"
    (root / ".git").mkdir(parents=True)
    home.mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    for name in ("CODEX_HOME", "XDG_CONFIG_HOME", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(root)
    return Shell(root, home, capsys)
