"""What tests of a server inside their own process share."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio

from tests.server.editor import environment
from tests.server.sharing import Servers


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The workspace of a repository, in the environment of a new user."""
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    (tmp_path / "home").mkdir()
    (tmp_path / "workspace/.git").mkdir(parents=True)
    return tmp_path / "workspace"


@pytest_asyncio.fixture(scope="module")
async def servers(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Servers]:
    """The servers of all tests of a module."""
    async with AsyncExitStack() as stack:
        yield Servers(tmp_path_factory.mktemp("servers"), stack)
