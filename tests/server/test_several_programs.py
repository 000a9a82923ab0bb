"""An editor shows what every program that reads a file makes of it."""

from pathlib import Path

from lsprotocol import types

from tests.server.sharing import Servers

AGENT = "agents/scout.md"
TEXT = "---\nname: scout\ndescription: Looks around. Use it first.\n{}---\nYou look around.\n"
FILES = {
    AGENT: TEXT.format(""),
    ".claude-plugin/plugin.json": '{"name": "kit"}',
    "gemini-extension.json": "{}",
}


async def test_a_finding_of_one_program_names_it_while_somebody_types(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", FILES) as editor:
        agent = editor.open(AGENT)
        await editor.sees(agent)
        editor.change(agent, TEXT.format("color: red\n"))
        [found] = await editor.sees(agent, "unknown-key")
        assert found.message.startswith("for Gemini CLI: unknown key `color`")
        editor.change(agent, TEXT.format("model: sonnet\n"))
        await editor.sees(agent, "unknown-model")


async def test_a_program_speaks_from_the_moment_its_manifest_is_there(
    servers: Servers, tmp_path: Path
) -> None:
    files = {AGENT: TEXT.format("color: red\n"), ".claude-plugin/plugin.json": '{"name": "kit"}'}
    async with servers.editing(tmp_path, "visual-studio-code", files) as editor:
        agent = editor.open(AGENT)
        await editor.sees(agent)
        manifest = editor.write("gemini-extension.json", "{}")
        editor.changed_on_disk(manifest, types.FileChangeType.Created)
        await editor.sees(agent, "unknown-key")


async def test_a_program_speaks_from_the_moment_the_project_shows_that_it_is_used(
    servers: Servers,
    tmp_path: Path,
) -> None:
    agent = ".claude/agents/scout.md"
    closed = ".claude/agents/painter.md"
    limited = TEXT.format("tools: Read\n")
    files = {agent: limited, closed: limited.replace("name: scout", "name: ")}
    async with servers.editing(tmp_path, "visual-studio-code", files) as editor:
        shared = editor.open(agent)
        await editor.sees(shared)
        await editor.sees(editor.path(closed), "agent-name")
        editor.write(".cursor/rules/a.mdc", "x")
        editor.changed_on_disk(editor.path(".cursor"), types.FileChangeType.Created)
        await editor.sees(shared, "unknown-key")
        await editor.sees(editor.path(closed), "agent-name", "unknown-key")
        editor.path(".cursor/rules/a.mdc").unlink()
        editor.path(".cursor/rules").rmdir()
        editor.path(".cursor").rmdir()
        editor.changed_on_disk(editor.path(".cursor"), types.FileChangeType.Deleted)
        await editor.sees(shared)
        await editor.sees(editor.path(closed), "agent-name")
        rules = editor.write(".cursorrules", "x")
        editor.changed_on_disk(rules, types.FileChangeType.Created)
        await editor.sees(editor.path(closed), "agent-name", "unknown-key")
