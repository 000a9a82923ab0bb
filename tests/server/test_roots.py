"""Whatever a client calls its folders and documents, a file is one file and is reported once."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.server.inside import Inside

_AGENT = "---\nname: a\ndescription: d\ntools: Grap\n---\nb\n"
_OPEN, _CLOSE = "textDocument/didOpen", "textDocument/didClose"


@pytest.fixture
def root(root: Path) -> Path:
    agents = root / ".claude/agents"
    agents.mkdir(parents=True)
    (agents / "a.md").write_text(_AGENT)
    # Loops, and a link to itself.
    (root / "loop").symlink_to(".")
    (root / ".up").symlink_to("..")
    (root / "self").symlink_to("self")
    return root


_ONCE = [
    pytest.param(["ROOT", "ROOT", "ROOT/"], id="twice"),
    pytest.param(["ROOT", "ROOT/.claude", "ROOT/.claude/agents"], id="nested"),
    pytest.param(["ROOT/.claude/agents", "ROOT"], id="nested, the inner one first"),
    pytest.param(["ROOT/.claude/../loop/../"], id="with dots"),
    pytest.param(["ROOT?query#fragment"], id="with a query"),
    pytest.param(["PERCENT"], id="with escaped letters and slashes"),
    pytest.param(["file:///%00", "untitled:x", "x", "", "file://[x/y", "ROOT"], id="beside others"),
]


@pytest.mark.parametrize("folders", _ONCE)
async def test_however_the_folders_are_named_a_file_is_reported_once(
    folders: Sequence[str], root: Path
) -> None:
    escaped = root.as_uri().replace("workspace", "%77orkspac%65").replace("/%77", "%2F%77")
    uris = [one.replace("ROOT", root.as_uri()).replace("PERCENT", escaped) for one in folders]
    named = [{"uri": uri, "name": "x"} for uri in uris]
    server = Inside(root, roots={"workspaceFolders": named})
    await server.rest()
    assert server.order == [(root / ".claude/agents/a.md").as_uri()]
    assert server.logged == []


@pytest.mark.parametrize("also", [{}, {"rootUri": None}, {"rootUri": None, "workspaceFolders": []}])
async def test_a_client_that_names_only_the_path_of_its_root_has_a_folder(
    also: dict[str, object], root: Path
) -> None:
    server = Inside(root, roots={"rootPath": str(root), **also})
    await server.rest()
    assert server.order == [(root / ".claude/agents/a.md").as_uri()]


async def test_the_uri_of_a_root_has_precedence_over_its_path(root: Path) -> None:
    other = root.parent / "other"
    roots = {"rootUri": root.as_uri(), "rootPath": str(other)}
    server = Inside(root, roots=roots)
    await server.rest()
    assert server.server.session.workspace.roots == (root,)


@pytest.mark.parametrize(
    "roots",
    [
        {"workspaceFolders": None},
        {"workspaceFolders": []},
        {"workspaceFolders": None, "rootUri": None, "rootPath": None},
        {"rootUri": None, "rootPath": "relative"},
        {"rootUri": None, "rootPath": ""},
        {"rootUri": None, "rootPath": "/\ud800"},
        {"rootUri": None, "rootPath": "/\0"},
        {"rootUri": "relative"},
        {"rootUri": "file://[x/y"},
        {"rootUri": "untitled:a"},
        {"rootUri": "ROOT/no/such/folder"},
        {"rootUri": "ROOT/.claude/agents/a.md"},
        {"rootUri": "ROOT/self"},
    ],
    ids=str,
)
async def test_without_a_folder_only_open_files_are_reported(
    roots: dict[str, str | None], root: Path
) -> None:
    named = {
        name: one.replace("ROOT", root.as_uri()) if isinstance(one, str) else one
        for name, one in roots.items()
    }
    server, agent = Inside(root, roots=named), (root / ".claude/agents/a.md").as_uri()
    await server.rest()
    assert server.order == []
    document = {"uri": agent, "languageId": "markdown", "version": 1, "text": _AGENT}
    server.tell(_OPEN, {"textDocument": document})
    await server.rest()
    assert [one[0] for one in server.found()[agent]] == ["unknown-tool"]
    assert server.logged == []


@pytest.mark.skipif(os.name == "nt", reason="a name with a colon is none there")
async def test_a_document_that_is_no_file_is_no_template_and_two_names_of_a_file_are_one(
    root: Path,
) -> None:
    server, folder = Inside(root), f"{root.as_uri()}/.claude/agents"
    await server.rest()
    server.order.clear()

    def opened(uri: str) -> None:
        item = {"uri": uri, "languageId": "markdown", "version": 1, "text": _AGENT}
        server.tell(_OPEN, {"textDocument": item})

    for uri in ("untitled:a", "untitled:/.claude/agents/u.md", "a.md", "git:/a.md?{}", ""):
        opened(uri)
        place = {"textDocument": {"uri": uri}, "position": {"line": 3, "character": 8}}
        assert server.ask("textDocument/hover", place) is None
    await server.rest()
    assert server.order == []
    spellings = [f"{folder}/%61.md", f"{folder}/../agents//a.md", f"{folder}/a.md"]
    for uri in spellings:
        opened(uri)
        await server.rest()
        # The last name counts, and the others are empty.
        assert list(server.found()) == [uri]
    for uri, left in zip(reversed(spellings), (*spellings[1::-1], None), strict=True):
        server.tell(_CLOSE, {"textDocument": {"uri": uri}})
        await server.rest()
        assert list(server.found()) == [left or f"{folder}/a.md"]
    opened(f"{folder}/A.md")
    await server.rest()
    is_exact = server.server.session.files.is_exact
    assert len(server.found()) == (2 if is_exact else 1)
    assert server.logged == []
