"""The answers for an editor's panels, in the columns of the editor."""

from pathlib import Path

import pytest

from tests.server.editor import CLIENTS
from tests.server.sharing import Servers

LEAD, REVIEWER = ".codex/.agents/lead.md", ".codex/.agents/reviewer.md"
FILES = {
    LEAD: "---\ndescription: Leads.\n---\nAsk `reviewer`.\n",
    REVIEWER: "---\ndescription: Reviews.\nallow_list: ['😀', exec_command]\n---\nReview.\n",
    "~/.codex/.agents/reviewer.md": "---\ndescription: Mine.\n---\n",
}
DESCRIBE, DRAW = "agentTemplates.describeSpawn", "agentTemplates.drawGraph"


@pytest.mark.parametrize(("client", "column"), list(zip(CLIENTS, (19, 21, 18), strict=True)))
async def test_places_are_in_the_columns_of_the_client(
    servers: Servers, client: str, column: int, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, client, FILES) as editor:
        path = editor.open(REVIEWER)
        answer = await editor.command(DESCRIBE, {"uri": path.as_uri(), "call": {}})
        assert answer["error"] is None
        kept = {one["tool"]: one["place"] for one in answer["spawn"]["kept"]}
        place = kept["exec_command"]
        assert (place["uri"], place["label"]) == (path.as_uri(), f"{REVIEWER}:3")
        assert place["range"]["start"] == {"line": 2, "character": column}
        files = [[file["wins"] for file in one["files"]] for one in answer["scopes"]]
        assert files == [[True], [False], []]


async def test_a_panel_shows_the_unsaved_text(servers: Servers, tmp_path: Path) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", FILES) as editor:
        path = editor.open(REVIEWER)
        editor.change(path, "---\ndescription: d\nmodel: gpt-5\n---\nGo.\n")
        answer = await editor.command(DESCRIBE, {"uri": path.as_uri(), "call": {}})
        assert answer["spawn"]["settings"][0]["value"] == "gpt-5"


async def test_errors_in_the_argument_of_a_panel_are_part_of_the_answer(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", FILES) as editor:
        nowhere = editor.path("README.md").as_uri()
        wrong: tuple[object, ...] = ({}, {"uri": 1}, {"uri": nowhere, "call": []}, [])
        for argument in wrong:
            assert (await editor.command(DESCRIBE, argument))["error"].startswith("it takes one")
        assert "no template" in (await editor.command(DESCRIBE, {"uri": nowhere}))["error"]
        uri = editor.path(REVIEWER).as_uri()
        misspelt = await editor.command(DESCRIBE, {"uri": uri, "call": {"modl": "x"}})
        assert misspelt["refusal"]["message"].startswith("unknown argument `modl`")
        assert (await editor.command(DRAW, {"x": 1}))["error"].startswith("it takes one")
        assert (await editor.command(DRAW, {"dialect": "x"}))["error"].startswith("unknown dialect")


async def test_the_graph_has_all_agents_and_their_relations(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", FILES) as editor:
        answer = await editor.command(DRAW, {"uri": editor.path(LEAD).as_uri()})
        nodes = answer["nodes"][:3]
        assert [(one["name"], one["scope"], one["hidden"]) for one in nodes] == [
            ("lead", "project", False),
            ("reviewer", "project", False),
            ("reviewer", "user", True),
        ]
        assert answer["edges"] == [
            {"kind": "hides", "from": 1, "to": 2},
            {"kind": "starts", "from": 0, "to": 1},
        ]
        assert [one["id"] for one in answer["dialects"]] == ["codex-templates"]
