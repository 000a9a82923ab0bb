"""Files that become unreadable are reported once until they can be read, also while open."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types

from tests.server.editor import editing, put
from tests.server.sharing import Servers

PATH = ".codex/.agents/reviewer.md"
TYPO = "---\ndescription: Reviews changes.\nmodle: gpt-5\n---\nReview.\n"
CREATED, CHANGED, DELETED = types.FileChangeType


def _bytes(path: Path) -> None:
    put(path, b"---\ndescription: \xff\n---\nReview.\n")


def _link(path: Path) -> None:
    # In one step: the server may look at any time, and a file that is gone has no findings.
    link = path.with_suffix(".new")
    link.symlink_to(path.with_name("nothing"))
    link.replace(path)


def _mode(path: Path) -> None:
    path.chmod(0)


# The superuser can read files of any mode, unless the process lacks that capability.
POWERLESS = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search")
IS_ROOT = os.geteuid() == 0
WAYS = [
    pytest.param(_bytes, id="no text"),
    pytest.param(_link, id="a link to nothing"),
    pytest.param(
        _mode,
        id="not allowed",
        marks=pytest.mark.skipif(
            IS_ROOT and shutil.which("setpriv") is None, reason="needs `setpriv`"
        ),
    ),
]
# It needs a server that begins without imports.
RARER = pytest.param(_mode, id="not allowed", marks=(*WAYS[2].marks, pytest.mark.hostile))


def _again(path: Path) -> None:
    whole = path.with_suffix(".new")
    whole.write_text(TYPO, encoding="utf-8")
    whole.replace(path)


@pytest.mark.parametrize("spoil", WAYS)
async def test_a_file_that_becomes_unreadable_is_reported_once(
    spoil: Callable[[Path], None], tmp_path: Path
) -> None:
    wrapper = POWERLESS if spoil is _mode and IS_ROOT else None
    files = {PATH: TYPO}
    async with editing(tmp_path, "visual-studio-code", files, wrapper=wrapper) as editor:
        path = editor.path(PATH)
        await editor.sees(path, "unknown-key")
        spoil(path)
        editor.changed_on_disk(path, CHANGED)
        await editor.sees(path, "unreadable")
        for _ in range(3):
            editor.changed_on_disk(path, CHANGED)
            await editor.settled()
        _again(path)
        editor.changed_on_disk(path, CHANGED)
        await editor.sees(path, "unknown-key")
        # Also after all that the events have put off.
        assert editor.told(path) == [["unknown-key"], ["unreadable"], ["unknown-key"]]


@pytest.mark.parametrize("spoil", [*WAYS[:2], RARER])
async def test_an_open_text_counts_until_it_is_closed_even_if_the_file_is_unreadable(
    spoil: Callable[[Path], None], tmp_path: Path
) -> None:
    wrapper = POWERLESS if spoil is _mode and IS_ROOT else None
    async with editing(tmp_path, "emacs", {PATH: TYPO}, wrapper=wrapper) as editor:
        path = editor.open(PATH)
        await editor.sees(path, "unknown-key")
        spoil(path)
        editor.changed_on_disk(path, CHANGED)
        await editor.settled()
        assert editor.codes(path) == ["unknown-key"]
        editor.close(path)
        await editor.sees(path, "unreadable")
        path.unlink()
        editor.changed_on_disk(path, DELETED)
        await editor.sees(path)


async def test_a_folder_with_the_name_of_a_template_has_no_findings(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {PATH: TYPO}) as editor:
        path = editor.path(PATH)
        await editor.sees(path, "unknown-key")
        path.unlink()
        path.mkdir()
        editor.changed_on_disk(path, CHANGED)
        await editor.sees(path)


async def test_after_closing_the_text_on_disk_counts(servers: Servers, tmp_path: Path) -> None:
    async with servers.editing(tmp_path, "neovim@v0.11", {PATH: TYPO}) as editor:
        path = editor.open(PATH, TYPO.replace("modle", "model"))
        await editor.sees(path)
        editor.close(path)
        await editor.sees(path, "unknown-key")
        editor.open(PATH, "")
        await editor.sees(path, "header-missing")
        path.unlink()
        editor.close(path)
        await editor.sees(path)


async def test_a_file_renamed_on_disk_is_reported_under_its_new_name(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {PATH: TYPO}) as editor:
        path, new = editor.path(PATH), editor.path(".codex/.agents/critic.md")
        await editor.sees(path, "unknown-key")
        path.rename(new)
        editor.changed_on_disk(path, DELETED)
        editor.changed_on_disk(new, CREATED)
        await editor.sees(path)
        await editor.sees(new, "unknown-key")
