"""The commands of the Agents view, and when a client is notified to call them again."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types

from tests.server.editor import Editor, editing, until
from tests.server.sharing import Servers

AGENTS = "agentTemplates.agents"
BEGIN = "agentTemplates.beginAgent"
COPY = "agentTemplates.copyAgent"
REVIEWER, MINE = ".codex/.agents/reviewer.md", "~/.codex/.agents/mine.md"
GOOD = "---\ndescription: Reviews.\n---\nReview.\n"
FAULT = "---\ndescription: Reviews.\nallow_list: [aply_patch]\n---\nReview.\n"


async def rows(editor: Editor) -> dict[str, Any]:
    """The agents that are not built in, by name."""
    answer = await editor.command(AGENTS, {})
    assert answer["error"] is None
    return {
        agent["name"]: agent
        for system in answer["result"]["systems"]
        for session in system["sessions"]
        for agent in session["agents"]
        if not agent["scope"]["builtin"]
    }


async def test_the_agents_view_shows_findings_of_the_text_in_the_editor(
    servers: Servers, tmp_path: Path
) -> None:
    """Findings in closed files count as well, also in the user's own folder."""
    async with servers.editing(
        tmp_path, "visual-studio-code", {REVIEWER: GOOD, MINE: FAULT}
    ) as editor:
        path = editor.open(REVIEWER)
        await editor.sees(path)
        before = await rows(editor)
        editor.change(path, FAULT)
        after = await rows(editor)

        assert before["reviewer"]["warnings"] == 0
        assert after["reviewer"]["warnings"] == 1
        assert before["mine"]["warnings"] == 1


async def test_a_client_that_asks_is_notified_of_new_and_deleted_agents(
    servers: Servers, tmp_path: Path
) -> None:
    files, asks = {REVIEWER: GOOD}, {"agentsChanged": True}
    async with servers.editing(tmp_path, "visual-studio-code", files, asks=asks) as editor:
        told = editor.agents_changed
        await until(lambda: told != [])
        told.clear()
        other = editor.write(".codex/.agents/other.md", GOOD)
        editor.changed_on_disk(other, types.FileChangeType.Created)
        await until(lambda: told != [])
        assert set(await rows(editor)) == {"reviewer", "other"}
        told.clear()
        other.unlink()
        editor.changed_on_disk(other, types.FileChangeType.Deleted)
        await until(lambda: told != [])
        assert set(await rows(editor)) == {"reviewer"}


async def test_the_agents_of_one_file_come_from_the_text_in_the_editor(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "neovim@v0.11", {REVIEWER: GOOD}) as editor:
        path = editor.open(REVIEWER, GOOD.replace("Reviews", "Judges"))
        answer = await editor.command(AGENTS, {"uri": path.as_uri()})
        nothing = await editor.command(AGENTS, {"uri": editor.path("README.md").as_uri()})

    [agent] = answer["result"]["agents"]
    assert (agent["name"], agent["description"]) == ("reviewer", "Judges.")
    assert agent["call"] == {"agent_type": "reviewer"}
    assert nothing == {"result": {"agents": []}, "error": None}


async def test_a_new_agent_is_returned_and_not_written(servers: Servers, tmp_path: Path) -> None:
    plan = {"dialect": "codex-templates", "scope": "project", "starter": "role", "name": "fresh"}
    async with servers.editing(tmp_path, "visual-studio-code", {REVIEWER: GOOD}) as editor:
        place = {"uri": editor.root.as_uri()}
        offered = await editor.command(BEGIN, place)
        made = await editor.command(BEGIN, {**place, **plan})
        copied = await editor.command(
            COPY, {"uri": editor.path(REVIEWER).as_uri(), "scope": "user"}
        )
        path = editor.path(".codex/.agents/fresh.md")

        assert offered["result"]["systems"][0]["dialect"] == "codex-templates"
        assert made["result"]["file"] == str(path)
        assert copied["result"]["file"] == str(editor.path("~/.codex/.agents/reviewer.md"))
        assert not path.exists()


@pytest_asyncio.fixture(scope="module")
async def asked(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    """One editor for tests that only ask."""
    folder = tmp_path_factory.mktemp("editor")
    async with editing(folder, "visual-studio-code", {REVIEWER: GOOD}) as editor:
        yield editor


@pytest.mark.parametrize("command", [AGENTS, BEGIN, COPY])
@pytest.mark.parametrize("arguments", [("reviewer",), ({}, {}), ({"uri": 3},), ({"scope": 1},)])
async def test_invalid_arguments_of_the_agents_view_are_no_internal_error(
    command: str, arguments: tuple[object, ...], asked: Editor
) -> None:
    answer = await asked.command(command, *arguments)

    assert (answer["result"] is None) == bool(answer["error"])
