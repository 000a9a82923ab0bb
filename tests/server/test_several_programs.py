"""An editor shows what every program that reads a file makes of it."""

from pathlib import Path

from lsprotocol import types

from tests.server.editor import editing

AGENT = "agents/scout.md"
TEXT = "---\nname: scout\ndescription: Looks around. Use it first.\n{}---\nYou look around.\n"
FILES = {
    AGENT: TEXT.format(""),
    ".claude-plugin/plugin.json": '{"name": "kit"}',
    "gemini-extension.json": "{}",
}


async def test_a_finding_of_one_program_names_it_while_somebody_types(tmp_path: Path) -> None:
    async with editing(tmp_path, "visual-studio-code", FILES) as editor:
        agent = editor.open(AGENT)
        await editor.sees(agent)
        editor.change(agent, TEXT.format("color: red\n"))
        [found] = await editor.sees(agent, "unknown-key")
        assert found.message.startswith("for Gemini CLI: unknown key `color`")
        editor.change(agent, TEXT.format("model: sonnet\n"))
        await editor.sees(agent, "unknown-model")


async def test_a_program_speaks_from_the_moment_its_manifest_is_there(tmp_path: Path) -> None:
    files = {AGENT: TEXT.format("color: red\n"), ".claude-plugin/plugin.json": '{"name": "kit"}'}
    async with editing(tmp_path, "visual-studio-code", files) as editor:
        agent = editor.open(AGENT)
        await editor.sees(agent)
        manifest = editor.write("gemini-extension.json", "{}")
        editor.changed_on_disk(manifest, types.FileChangeType.Created)
        await editor.sees(agent, "unknown-key")
