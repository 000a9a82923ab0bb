"""Notifications during changes: previews that are out of date, and progress."""

import time
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp import LanguageClient

from agent_lsp.server.sync import jobs
from tests.server.editor import Editor, until
from tests.server.inside import Inside
from tests.server.sharing import Servers

PATH, LEAD = ".codex/.agents/reviewer.md", ".codex/.agents/lead.md"
TEXT = "---\ndescription: Reviews.\n---\nReview.\n"
CHANGED = "agentTemplates/previewChanged"


def listen(editor: Editor) -> list[str]:
    """The URIs whose previews the client was notified about."""
    told: list[str] = []

    def changed(_: LanguageClient, params: Any) -> None:
        told.append(params.uri)

    editor.client.feature(CHANGED)(changed)
    return told


async def test_a_client_that_asks_is_notified_of_each_change(
    servers: Servers, tmp_path: Path
) -> None:
    slip = TEXT.replace("---\nReview.", "modle: m\n---\nReview.")
    files = {PATH: TEXT, LEAD: slip, "README.md": "# Shop\n"}
    asks = {"previewChanged": True}
    async with servers.editing(tmp_path, "visual-studio-code", files, asks=asks) as editor:
        told = listen(editor)
        path = editor.open(PATH)
        await editor.sees(path)
        # Only of what the server has read does it know that it changes.
        await editor.sees(editor.path(LEAD), "unknown-key")
        editor.change(path, TEXT.replace("Reviews", "Judges"))
        await until(lambda: told == [path.as_uri()])
        told.clear()
        readme = editor.open("README.md")
        editor.change(readme, "# Our shop\n")
        lead = editor.write(LEAD, TEXT.replace("Reviews", "Leads"))
        editor.changed_on_disk(lead, types.FileChangeType.Changed)
        await until(lambda: lead.as_uri() in told)
        editor.close(path)
        await until(lambda: path.as_uri() in told)
        # A scan in progress may find the change as well, and notify once more.
        assert set(told) == {lead.as_uri(), path.as_uri()}


async def test_other_clients_are_not_notified(servers: Servers, tmp_path: Path) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {PATH: TEXT}) as editor:
        told = listen(editor)
        path = editor.open(PATH)
        await editor.sees(path)
        editor.change(path, TEXT.replace("Reviews", "Judges"))
        await editor.settled()
        assert told == []


async def test_a_long_search_shows_its_progress_until_it_ends(tmp_path: Path) -> None:
    for number in range(300):
        path = tmp_path / f".codex/.agents/role-{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TEXT, encoding="utf-8")
    it = Inside(tmp_path, {"window": {"workDoneProgress": True}})
    _takes_a_moment(it)
    assert it.progress == []
    await it.rest()
    assert it.progress == ["begin", "end"]


def _takes_a_moment(it: Inside) -> None:
    """Begins the first search, so that it will have taken long however fast the machine is."""
    assert it.server.session.scan is not None
    next(it.server.session.scan)
    time.sleep(jobs.MOMENT)
