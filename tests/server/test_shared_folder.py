"""In a shared folder, the text of one file decides to which system others belong."""

from pathlib import Path

from lsprotocol import types

from tests.server.sharing import Servers

SOUND = "---\ndescription: Reviews changes.\n---\nReview.\n"
OPEN = "---\ndescription: Reviews changes.\nReview.\n"
AGENT = ".codex/agents/reviewer.md"
MINE = "~/.codex/agents/reviewer.md"
BESIDE = ".codex/agents/planner.md"


async def test_the_users_file_is_shadowed_while_the_projects_loads(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(
        tmp_path, "visual-studio-code", {AGENT: SOUND, MINE: SOUND}
    ) as editor:
        mine = editor.open(MINE)
        await editor.sees(mine, "shadowed")
        agent = editor.open(AGENT)
        editor.change(agent, OPEN)
        [found] = await editor.sees(agent, "header-unclosed")
        assert found.message.endswith("`~/.codex/agents/reviewer.md` is still used")
        await editor.sees(mine)
        editor.change(agent, SOUND)
        await editor.sees(agent)
        await editor.sees(mine, "shadowed")


async def test_the_system_of_a_file_follows_the_files_beside_it(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {BESIDE: "You plan.\n"}) as editor:
        await editor.sees(editor.path(BESIDE), "other-system")
        agent = editor.write(AGENT, SOUND)
        editor.changed_on_disk(agent, types.FileChangeType.Created)
        await editor.sees(editor.path(BESIDE), "header-missing")
        editor.open(AGENT)
        editor.change(agent, OPEN)
        await editor.sees(editor.path(BESIDE), "other-system")


async def test_the_commands_take_the_arguments_of_the_runtimes_call(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(
        tmp_path, "neovim@v0.11", {AGENT: SOUND, BESIDE: "You plan.\n"}
    ) as editor:
        uri = editor.path(AGENT).as_uri()
        listed = await editor.command("agentTemplates.listAgents", {"uri": uri})
        asked = {"uri": uri, "name": "reviewer", "task": "Look."}
        run = await editor.command("agentTemplates.previewSpawn", asked)

        assert listed["result"] == {"agents": ["reviewer"]}
        assert [skipped["file"] for skipped in listed["skipped"]] == [str(editor.path(BESIDE))]
        assert run["result"]["prompt"][-1]["text"] == "\n\nTask: Look."
