"""On a real disk that ignores case, two spellings are one file, for the editor and for `check`.

If the disk of the tests does not ignore case, `CASELESS_FOLDER` may name an empty folder on one
that does.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree

import pytest
from lsprotocol import types

from agent_lsp.workspace.files import Files
from tests.cli.shell import Shell, shell_in
from tests.server.editor import Editor, until
from tests.server.sharing import Servers

SOUND = "---\ndescription: Reviews changes.\n---\nReview.\n"
TYPO = "---\ndescription: Reviews changes.\nmodle: gpt-5\n---\nReview.\n"
CREATED, CHANGED, DELETED = types.FileChangeType


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """An empty folder on a disk that ignores case."""
    given = os.environ.get("CASELESS_FOLDER")
    folder = Path(given, "test") if given else tmp_path / "test"
    folder.mkdir()
    if not folder.with_name("TEST").exists():
        pytest.skip("the disk at hand does not ignore case")
    yield folder
    rmtree(folder)


@pytest.fixture
def shell(disk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """A shell in a repository on that disk."""
    return shell_in(disk, monkeypatch, capsys)


def told(editor: Editor) -> dict[str, list[str]]:
    """The codes that the client has for each file, by the last parts of its URI."""
    return {
        uri.rpartition("workspace/")[2]: [str(one.code) for one in found]
        for uri, found in editor.client.diagnostics.items()
        if found
    }


@pytest.mark.parametrize("client", ["visual-studio-code", "neovim@v0.11", "emacs"])
async def test_an_open_file_is_reported_once_in_the_editors_spelling(
    servers: Servers, client: str, disk: Path
) -> None:
    files = {".Codex/.Agents/Reviewer.md": TYPO, ".Codex/.Agents/other.md": TYPO}
    async with servers.editing(disk, client, files) as editor:
        await editor.sees(editor.path(".Codex/.Agents/Reviewer.md"), "unknown-key")
        opened = editor.open(".codex/.agents/reviewer.md")
        await editor.sees(opened, "unknown-key")
        await editor.sees(editor.path(".Codex/.Agents/Reviewer.md"))
        editor.change(opened, SOUND)
        await editor.sees(opened)
        await editor.settled()
        assert told(editor) == {".Codex/.Agents/other.md": ["unknown-key"]}
        editor.close(opened)
        await editor.sees(editor.path(".Codex/.Agents/Reviewer.md"), "unknown-key")


async def test_the_editors_text_has_precedence_under_another_spelling(
    servers: Servers, disk: Path
) -> None:
    """After a save, a session would find the agent that is being typed."""
    files = {".Codex/.Agents/Reviewer.md": SOUND}
    async with servers.editing(
        disk, "visual-studio-code", files, roots=("../WORKSPACE",)
    ) as editor:
        editor.open(".codex/.agents/REVIEWER.MD", SOUND.replace("Reviews changes", "Typed"))
        answer = await editor.command(
            "agentTemplates.listAgents",
            {"dialect": "codex-templates", "uri": editor.root.as_uri(), "agent_type": "reviewer"},
        )
        [agent] = answer["result"]["agents"]
        assert agent["description"] == "Typed."


async def test_a_file_renamed_in_case_is_reported_by_its_new_name(
    servers: Servers, disk: Path
) -> None:
    async with servers.editing(disk, "visual-studio-code", {".codex/.agents/a.md": TYPO}) as editor:
        old = editor.path(".codex/.agents/a.md")
        await editor.sees(old, "unknown-key")
        new = old.rename(old.with_name("A.md"))
        editor.client.workspace_did_change_watched_files(
            types.DidChangeWatchedFilesParams(
                [types.FileEvent(old.as_uri(), DELETED), types.FileEvent(new.as_uri(), CREATED)]
            )
        )
        await editor.sees(new, "unknown-key")
        await editor.sees(old)


async def test_an_agent_can_be_renamed_in_case_only(servers: Servers, disk: Path) -> None:
    """The disk has a file of the new name, but it is the same file."""
    text = SOUND.replace("---\n", "---\nname: reviewer\n", 1)
    async with servers.editing(
        disk, "visual-studio-code", {".codex/agents/reviewer.md": text}
    ) as editor:
        path = editor.open(".codex/agents/reviewer.md")
        await editor.sees(path)
        document = types.TextDocumentIdentifier(path.as_uri())
        place = types.Position(1, text.splitlines()[1].index("reviewer"))
        params = types.RenameParams(document, place, "Reviewer")
        found = await editor.client.text_document_rename_async(params)
        assert found is not None
        assert found.document_changes is not None
        [moved] = [one for one in found.document_changes if isinstance(one, types.RenameFile)]
        assert moved.new_uri == path.with_name("Reviewer.md").as_uri()


async def test_a_folder_in_another_spelling_is_watched_and_attached_to(
    servers: Servers, disk: Path
) -> None:
    """Editors compare patterns exactly."""
    files = {".Codex/.Agents/a.md": SOUND, ".claude/agents/b.md": SOUND}
    asks = {"attachFolders": True}
    async with servers.editing(disk, "visual-studio-code", files, asks=asks) as editor:
        wanted = f"{editor.root.as_posix()}/.Codex/.Agents/*.[mM][dD]"
        await until(lambda: wanted in str(editor.registered))
        assert "/.claude/agents/" not in str(
            [one for one in editor.registered if "folders" in one.id]
        )
        await editor.watches("**/.Codex/.Agents/*.{md,MD}")


def test_check_names_each_file_once_as_the_disk_spells_it(shell: Shell) -> None:
    shell.write(".Codex/.Agents/A.md", TYPO)
    said = shell.run("check", ".", ".codex/.agents/a.md", ".CODEX/.AGENTS")
    assert said.heads == [".Codex/.Agents/A.md:3:1: warning[unknown-key]"]


def test_the_current_folder_has_the_spelling_of_the_disk(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.write("Sub/.Codex/.Agents/A.md", TYPO)
    monkeypatch.chdir(shell.root.with_name("WORKSPACE") / "sub")
    assert shell.run("check").heads == [".Codex/.Agents/A.md:3:1: warning[unknown-key]"]


def test_a_setting_applies_to_a_folder_in_another_spelling(shell: Shell) -> None:
    shell.write("agent-template-lsp.toml", '[folders]\n"docs/AGENTS" = "codex-templates"\n')
    shell.write("Docs/Agents/a.md", TYPO)
    assert shell.run("check").heads == ["Docs/Agents/a.md:3:1: warning[unknown-key]"]


def test_the_users_folder_is_found_in_another_spelling(shell: Shell) -> None:
    shell.write("~/.Codex/.Agents/mine.md", SOUND)
    assert "mine" in shell.run("list", "--dialect", "codex-templates").out


def test_the_real_path_has_the_spelling_of_the_disk(disk: Path) -> None:
    (disk / "Caf\u00c9/.Codex").mkdir(parents=True)
    (disk / "link").symlink_to("CAF\u00c9/.codex")
    files = Files()
    there = disk / "Caf\u00c9/.Codex"
    for name in ("caf\u00e9/.codex", "cafe\u0301/.CODEX", "LINK", "Caf\u00c9/.Codex"):
        assert str(files.real(disk / name)) == str(there)
    assert str(files.spelt(disk / "LINK/x.md")) == str(disk / "link/x.md")
