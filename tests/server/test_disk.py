"""Changes on disk: reported by clients that watch files, otherwise found by looking."""

import shutil
from pathlib import Path

import pytest
from lsprotocol import types

from tests.server.editor import until
from tests.server.sharing import Servers

SOUND = "---\ndescription: Reviews changes.\n---\nReview.\n"
TYPO = "---\ndescription: Reviews changes.\nmodle: gpt-5\n---\nReview.\n"
REVIEWER = ".codex/.agents/reviewer.md"
TRIAGE = ".codex/.agents/triage.md"
CREATED, CHANGED, DELETED = types.FileChangeType

watching = pytest.mark.parametrize("client", ["visual-studio-code", "emacs"])


@watching
async def test_a_client_that_can_watch_files_watches_templates_and_settings(
    servers: Servers, client: str, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, client, {}) as editor:
        templates = (f"**/.codex/{folder}/*.{{md,MD}}" for folder in (".agents", "agents"))
        await editor.watches(*templates, "**/agent-template-lsp.toml")


async def test_a_client_that_cannot_watch_is_not_asked(servers: Servers, tmp_path: Path) -> None:
    async with servers.editing(tmp_path, "neovim@v0.11", {REVIEWER: TYPO}) as editor:
        await editor.sees(editor.path(REVIEWER), "unknown-key")

        assert editor.registered == []


@watching
async def test_a_file_is_reported_when_it_is_created_changed_and_deleted(
    servers: Servers, client: str, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, client, {TRIAGE: TYPO}) as editor:
        await editor.sees(editor.path(TRIAGE), "unknown-key")
        path = editor.write(REVIEWER, TYPO)
        editor.changed_on_disk(path, CREATED)
        await editor.sees(path, "unknown-key")
        editor.write(REVIEWER, SOUND)
        editor.changed_on_disk(path, CHANGED)
        await editor.sees(path)
        editor.write(REVIEWER, TYPO)
        editor.changed_on_disk(path, CHANGED)
        await editor.sees(path, "unknown-key")
        path.unlink()
        editor.changed_on_disk(path, DELETED)
        await editor.sees(path)


async def test_a_renamed_file_keeps_its_findings_under_the_new_name(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {TRIAGE: TYPO}) as editor:
        await editor.sees(editor.path(TRIAGE), "unknown-key")
        path = editor.write(REVIEWER, TYPO)
        editor.changed_on_disk(path, CREATED)
        await editor.sees(path, "unknown-key")
        other = path.rename(path.with_suffix(".txt"))
        # In one message, as a client sends a rename.
        editor.client.workspace_did_change_watched_files(
            types.DidChangeWatchedFilesParams(
                [types.FileEvent(path.as_uri(), DELETED), types.FileEvent(other.as_uri(), CREATED)]
            )
        )
        await editor.sees(path)


async def test_a_misplaced_template_is_reported_until_it_is_moved(
    servers: Servers, tmp_path: Path
) -> None:
    wrong = ".agents/planner.md"
    stray = SOUND.replace("---\nR", "deny_list: [apply_patch]\n---\nR")
    async with servers.editing(tmp_path, "emacs", {wrong: stray, TRIAGE: SOUND}) as editor:
        await editor.sees(editor.path(wrong), "misplaced")
        place = editor.write(".codex/.agents/planner.md", stray)
        editor.path(wrong).unlink()
        editor.changed_on_disk(place, CREATED)
        editor.changed_on_disk(editor.path(wrong), DELETED)
        await editor.sees(editor.path(wrong))
        # The server may have looked when the file was in both places.
        await until(lambda: editor.codes(place) == [], lambda: str(editor.codes(place)))


async def test_the_first_misplaced_template_is_found(servers: Servers, tmp_path: Path) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {TRIAGE: TYPO}) as editor:
        await editor.sees(editor.path(TRIAGE), "unknown-key")
        await editor.watches("**/.codex/.agents/*/**/*.{md,MD}")
        for name in (".codex/.agents/more/a.md", ".codex/.agents/b.markdown"):
            path = editor.write(name, SOUND)
            editor.changed_on_disk(path, CREATED)
            await editor.sees(path, "misplaced")


async def test_the_first_template_of_a_folder_is_found(servers: Servers, tmp_path: Path) -> None:
    async with servers.editing(tmp_path, "emacs", {}) as editor:
        await editor.settled()
        path = editor.write(f"services/{REVIEWER}", TYPO)
        editor.changed_on_disk(path, CREATED)
        await editor.sees(path, "unknown-key")


async def test_deleting_a_folder_clears_its_findings(servers: Servers, tmp_path: Path) -> None:
    """Some editors then report only the folder."""
    async with servers.editing(tmp_path, "visual-studio-code", {REVIEWER: TYPO}) as editor:
        path = editor.path(REVIEWER)
        await editor.sees(path, "unknown-key")
        shutil.rmtree(editor.root / ".codex")
        editor.changed_on_disk(editor.root / ".codex", DELETED)
        await editor.sees(path)


async def test_without_watchers_a_save_refreshes_the_disk_state(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "neovim@v0.11", {TRIAGE: TYPO}) as editor:
        triage = editor.path(TRIAGE)
        await editor.sees(triage, "unknown-key")
        editor.open(TRIAGE)
        created, elsewhere = editor.write(REVIEWER, TYPO), editor.write(f"web/{REVIEWER}", TYPO)
        await editor.saves(triage, lambda: editor.codes(elsewhere) == ["unknown-key"])
        await editor.sees(created, "shadowed", "unknown-key")
        elsewhere.unlink()
        await editor.saves(triage, lambda: editor.codes(elsewhere) == [])
        await editor.sees(created, "unknown-key")


async def test_a_newly_configured_mcp_server_is_completed_at_once(
    servers: Servers, tmp_path: Path
) -> None:
    header = "---\nname: a\ndescription: Reviews.\ntools: m\n---\n"
    files = {".claude/agents/a.md": header, ".mcp.json": "{}"}
    async with servers.editing(tmp_path, "emacs", files) as editor:
        await editor.watches("**/.mcp.json")
        path = editor.open(".claude/agents/a.md")
        document = types.TextDocumentIdentifier(path.as_uri())
        at = types.CompletionParams(document, types.Position(3, 8))

        async def offered() -> set[str]:
            answer = await editor.client.text_document_completion_async(at)
            assert isinstance(answer, types.CompletionList)
            return {item.label for item in answer.items}

        assert "mcp__db__*" not in await offered()
        changed = editor.write(".mcp.json", '{"mcpServers": {"db": {"command": "x"}}}')
        editor.changed_on_disk(changed, CHANGED)
        assert "mcp__db__*" in await offered()
