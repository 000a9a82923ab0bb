"""Files in a linked folder where a runtime looks are checked, and their changes are seen."""

from pathlib import Path

from lsprotocol import types

from tests.server.sharing import Servers

SLIP = "---\nname: a\ndescription: Reviews.\nmodle: x\n---\nReview.\n"
SOUND = SLIP.replace("modle: x\n", "")


async def test_closed_files_behind_a_link_are_reported_and_watched(
    servers: Servers, tmp_path: Path
) -> None:
    files = {"roles/a.md": SLIP, ".claude/settings.json": "{}"}
    (tmp_path / "workspace/.claude").mkdir(parents=True)
    (tmp_path / "workspace/.claude/agents").symlink_to("../roles")
    async with servers.editing(tmp_path, "visual-studio-code", files) as editor:
        path = editor.path(".claude/agents/a.md")
        await editor.sees(path, "unknown-key")
        await editor.watches("**/roles/*.{md,MD}")
        real = editor.write("roles/a.md", SOUND)
        editor.changed_on_disk(real, types.FileChangeType.Changed)
        await editor.sees(path)
        new = editor.write("roles/b.md", SLIP.replace("name: a", "name: b"))
        editor.changed_on_disk(new, types.FileChangeType.Created)
        await editor.sees(editor.path(".claude/agents/b.md"), "unknown-key")


async def test_an_open_file_behind_a_link_is_answered(servers: Servers, tmp_path: Path) -> None:
    (tmp_path / "workspace/.claude").mkdir(parents=True)
    (tmp_path / "workspace/.claude/agents").symlink_to("../../away")
    files = {"../away/a.md": SLIP}
    async with servers.editing(tmp_path, "neovim@v0.11", files) as editor:
        path = editor.open(".claude/agents/a.md")
        await editor.sees(path, "unknown-key")
        editor.change(path, SOUND)
        await editor.sees(path)
