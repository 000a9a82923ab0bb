"""A URI names the same file in each spelling of editors, with the paths of each system."""

import os
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from lsprotocol import types

from agent_lsp.server.convert import path_of, to_path
from tests.server.sharing import Servers


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c%3A/Users/Ann/.codex/.agents/a.md", "c:/Users/Ann/.codex/.agents/a.md"),
        ("file:///C:/Users/Ann/a.md", "c:/Users/Ann/a.md"),
        ("file:///c:/a/../b%20c/./%C3%A9.md", "c:/b c/\u00e9.md"),
        ("file://server/share/a.md", "//server/share/a.md"),
        ("file:///c:", None),
        ("file:///a.md", None),
        ("file:///c%3A/%00", None),
        ("file:", None),
        ("untitled:c:/a.md", None),
        ("vscode-remote://wsl/c:/a.md", None),
    ],
)
def test_a_uri_leads_to_its_path_on_windows(uri: str, path: str | None) -> None:
    found = path_of(uri, PureWindowsPath)
    assert found == (PureWindowsPath(path) if path is not None else None)


@pytest.mark.parametrize("start", ["file:///a%20b", "file:///a/..", "file:////a", "file:///c:"])
@pytest.mark.parametrize("end", ["/b.md", "//b.md", "?/b.md", "#/b.md", "/../b.md", "/x%2F../b.md"])
def test_a_plain_name_in_a_folder_is_that_of_the_whole_uri(start: str, end: str) -> None:
    uri = f"{start}{end}"
    is_windows = os.name == "nt"
    path = path_of(uri, PureWindowsPath) if is_windows else path_of(uri, PurePosixPath)
    assert to_path(uri) == (Path(path) if path is not None else None)
    assert to_path(f"{start}/{'b' * 5000}.md") is None


@pytest.mark.parametrize(
    ("uri", "other"),
    [
        ("file:///c%3A/W/A.md", "file:///C:/w/a.MD"),
        ("file://Server/share/a.md", "file://server/SHARE/A.md"),
    ],
)
def test_paths_on_windows_ignore_case(uri: str, other: str) -> None:
    one, two = path_of(uri, PureWindowsPath), path_of(other, PureWindowsPath)
    assert one is not None
    assert (one, hash(one)) == (two, hash(two))


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b%20c/%C3%A9.md", "/a/b c/\u00e9.md"),
        ("file:///a/../b/./c.md", "/b/c.md"),
        ("file:///a/%FF.md", "/a/\udcff.md"),
        ("file:///c%3A/a.md", "/c:/a.md"),
        ("file:///a%3Bb.md?query#L1", "/a;b.md"),
        ("file://host/a.md", "//host/a.md"),
        ("file:///a%00", None),
        ("file:///" + "a" * 5000, None),
        ("", None),
        ("http://x/a.md", None),
        ("file://[/a.md", None),
        ("file:///a\ud800.md", None),
    ],
)
def test_a_uri_leads_to_its_path_on_other_systems(uri: str, path: str | None) -> None:
    found = path_of(uri, PurePosixPath)
    assert found == (PurePosixPath(path) if path is not None else None)


def test_a_uri_has_a_path_of_the_current_system() -> None:
    assert to_path("untitled:a") is None


async def test_a_link_out_of_the_workspace_has_a_note(servers: Servers, tmp_path: Path) -> None:
    prompt = "---\ndescription: x\n---\nRead ../secret.md and docs/a.md.\n"
    files = {".codex/.agents/a.md": prompt, "docs/a.md": "x"}
    async with servers.editing(tmp_path, "visual-studio-code", files) as editor:
        (editor.path(".").parent / "secret.md").write_text("s", encoding="utf-8")
        path = editor.open(".codex/.agents/a.md")
        document = types.TextDocumentIdentifier(path.as_uri())
        params = types.DocumentLinkParams(document)
        found = await editor.client.text_document_document_link_async(params)
        assert found is not None
        said = [(one.tooltip or "").rpartition("/")[2] for one in found]
        assert said == ["secret.md", ""]
