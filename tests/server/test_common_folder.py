"""In a common folder, the text of one file decides whether the others are templates."""

from pathlib import Path

from lsprotocol import types

from tests.server.sharing import Servers

BODY = "You are a helper. Always report what you did, and never hide an error.\n"
BLOCK = f"[template]\nversion = '1'\n\n{BODY}"
# One hint, if the file counts as a template.
BARE = "You are a helper. Always report what you did.\n"
SPEAKER, OTHER = "docs/templates/a.md", "docs/templates/letter.md"
PLANNER = "services/billing/docs/templates/planner.md"


async def test_a_typed_block_makes_the_files_beside_it_templates(
    servers: Servers,
    tmp_path: Path,
) -> None:
    files = {SPEAKER: BODY, OTHER: BARE}
    async with servers.editing(tmp_path, "visual-studio-code", files) as editor:
        other, speaker = editor.path(OTHER), editor.open(SPEAKER)
        editor.change(speaker, BLOCK)
        await editor.sees(other, "missing-part")
        editor.change(speaker, BODY)
        await editor.sees(other)
        editor.change(speaker, BLOCK)
        await editor.sees(other, "missing-part")
        editor.close(speaker)
        await editor.sees(other)


async def test_a_file_on_disk_makes_the_files_beside_it_templates(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {OTHER: BARE}) as editor:
        other = editor.open(OTHER)
        speaker = editor.write(SPEAKER, BLOCK)
        editor.changed_on_disk(speaker, types.FileChangeType.Created)
        await editor.sees(other, "missing-part")
        speaker.unlink()
        editor.changed_on_disk(speaker, types.FileChangeType.Deleted)
        await editor.sees(other)


async def test_a_shipped_name_is_a_template_if_the_repository_has_another(
    servers: Servers, tmp_path: Path
) -> None:
    files = {SPEAKER: BODY, PLANNER: BARE}
    async with servers.editing(tmp_path, "visual-studio-code", files) as editor:
        planner, speaker = editor.path(PLANNER), editor.open(SPEAKER)
        editor.change(speaker, BLOCK)
        await editor.sees(planner, "missing-part")
        editor.change(speaker, BODY)
        await editor.sees(planner)


async def test_a_shipped_name_is_a_template_beside_the_daemon(
    servers: Servers, tmp_path: Path
) -> None:
    files = {"docs/templates/planner.md": BARE, OTHER: BARE}
    async with servers.editing(tmp_path, "visual-studio-code", files) as editor:
        planner = editor.open("docs/templates/planner.md")
        package = editor.write("packages/daemon/docs/templates/poet.txt", "{}")
        editor.changed_on_disk(package.parent, types.FileChangeType.Created)
        await editor.sees(planner, "missing-part")
        assert editor.path(OTHER).as_uri() not in editor.client.diagnostics


async def test_a_client_without_watchers_gets_changes_on_save_or_open(
    servers: Servers, tmp_path: Path
) -> None:
    """Changes by other programs count once the editor saves or opens a file."""
    async with servers.editing(tmp_path, "emacs", {OTHER: BARE, SPEAKER: BODY}) as editor:
        other = editor.open(OTHER)
        editor.write(SPEAKER, BLOCK)
        await editor.saves(other, lambda: editor.codes(other) == ["missing-part"])


async def test_the_commands_answer_for_roles_of_a_common_folder(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "neovim@v0.11", {SPEAKER: BLOCK}) as editor:
        uri = editor.path(SPEAKER).as_uri()
        listed = await editor.command("agentTemplates.listAgents", {"uri": uri})
        asked = {"uri": uri, "roleTemplate": "a", "mode": "IMPLEMENTATION", "task": "Look."}
        run = await editor.command("agentTemplates.previewSpawn", asked)

        names = [entry["name"] for entry in listed["result"]["templates"]]
        assert names[0] == "a"
        assert run["result"]["blocks"]["role"]["text"] == BLOCK
