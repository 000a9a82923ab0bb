"""Git repositories for tests, without the configuration of the machine."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

_IDENTITY = ("-c", "user.name=Test", "-c", "user.email=test@example.org")
_OWN = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def git(folder: Path, *words: str) -> str:
    """Runs Git in `folder`, and returns its output."""
    program = shutil.which("git")
    if program is None:
        pytest.skip("no Git, which reads the revisions")
    ran = subprocess.run(
        [program, *_IDENTITY, *words],
        cwd=folder,
        env={**os.environ, **_OWN},
        check=True,
        capture_output=True,
        text=True,
    )
    return ran.stdout.strip()


def commit(folder: Path, message: str = "change") -> str:
    """Commits all files in `folder`, which becomes a repository, and returns the commit's name."""
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD")
