"""A keystroke finds out each thing about its file once, and takes a short way through the code."""

from itertools import count
from pathlib import Path

import pytest

from tests.effort import Journey, journey
from tests.server.inside import Inside

TEXT = "---\nname: x\ndescription: Reviews a change.\ntools: Read, Grep\nmodel: sonnet\n---\nGo.\n"
# A process keeps the last headers that it has read, so each call has texts of its own.
NUMBERS = count()
# The modules that a keystroke may pass, and its calls from one module into another one.
MOST = {
    ".claude/agents/x.md": (44, 203),
    ".codex/agents/x.md": (41, 193),
    # Where two of the keys are mistakes.
    ".codex/.agents/x.md": (44, 203),
}


async def typed(root: Path, path: str) -> Journey:
    """The way of the third keystroke in a template."""
    file, text = root / path, TEXT.replace("a change", f"change {next(NUMBERS)} of many")
    file.parent.mkdir(parents=True)
    file.write_text(text)
    (root / ".git").mkdir()
    server, uri = Inside(root), file.as_uri()
    await server.rest()
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
    server.tell("textDocument/didOpen", {"textDocument": item})
    await server.rest()

    def change(version: int, text: str) -> None:
        document = {"uri": uri, "version": version}
        changes = [{"text": text}]
        server.tell("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    for version in (2, 3):
        change(version, text.replace("many", "many" + "y" * version))
        await server.rest()
    return journey(lambda: change(4, text.replace("Reviews", "Reviewed")))


@pytest.mark.parametrize("path", MOST)
async def test_a_keystroke_finds_its_file_once(path: str, tmp_path: Path) -> None:
    calls = (await typed(tmp_path, path)).calls

    assert calls["system_placements"] == calls["placements"] == calls["template_file"] == 1
    assert calls["exports"] == 1


@pytest.mark.parametrize(("path", "most"), MOST.items())
async def test_a_keystroke_takes_a_short_way(
    path: str, most: tuple[int, int], tmp_path: Path
) -> None:
    way = await typed(tmp_path, path)

    assert len(way.modules) <= most[0], way.modules.most_common()
    assert way.changes <= most[1], way.modules.most_common()
