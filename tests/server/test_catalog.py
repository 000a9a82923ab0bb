"""A file that keeps all agents from loading has the error, and the other files name it."""

from pathlib import Path

from lsprotocol import types

from tests.server.editor import Editor, until
from tests.server.sharing import Servers

SOUND = "---\ndescription: Delivers.\nmode: all\n---\nYou deliver.\n"
BROKEN = "---\ndescription: Reviews.\nAllowTools: read\n---\nYou review.\n"
DELEGATING = "---\nmode: all\n---\nDelegate to `checker`.\n"
AGENT, OTHER = ".kodacode/agents/delivery.md", ".kodacode/agents/checker.md"
_BUSY = 90


async def top(editor: Editor, path: Path) -> str:
    """The first line of the hover on the first line of a file."""
    document = types.TextDocumentIdentifier(path.as_uri())
    params = types.HoverParams(document, types.Position(0, 1))
    found = await editor.client.text_document_hover_async(params)
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value.partition("\n")[0]


async def test_a_file_that_breaks_all_agents_has_the_error_and_others_name_it(
    servers: Servers,
    tmp_path: Path,
) -> None:
    files = {AGENT: SOUND, OTHER: BROKEN}
    async with servers.editing(tmp_path, "visual-studio-code", files) as editor:
        agent, other = editor.open(AGENT), editor.open(OTHER)
        [found] = await editor.sees(other, "wrong-type")
        assert found.message.endswith("or the whole catalog fails, and no agent loads")
        await editor.settled()
        assert editor.codes(agent) == []
        said = await top(editor, agent)
        assert said.startswith("**No agent loads**")
        assert other.as_uri() in said
        asked = {"uri": agent.as_uri(), "agent_id": "delivery"}
        answer = await editor.command("agentTemplates.previewSpawn", asked)
        assert answer["file"] == str(other)

        editor.change(other, SOUND)
        await editor.sees(other)
        assert await top(editor, agent) == "**This file is `delivery`** (project)"
        answer = await editor.command("agentTemplates.previewSpawn", asked)
        assert answer["error"] is None


async def test_findings_in_a_prompt_follow_the_mode_of_the_mentioned_agent(
    servers: Servers,
    tmp_path: Path,
) -> None:
    files = {AGENT: DELEGATING, OTHER: SOUND}
    async with servers.editing(tmp_path, "visual-studio-code", files) as editor:
        agent, other = editor.open(AGENT), editor.open(OTHER)
        await editor.sees(agent)
        editor.change(other, SOUND.replace("all", "primary"))
        await editor.sees(agent, "futile-delegation")
        editor.change(other, SOUND)
        await editor.sees(agent)


async def test_a_finding_goes_if_the_mode_changes_back_while_the_server_is_busy(
    servers: Servers,
    tmp_path: Path,
) -> None:
    many = [f".qwen/agents/x{number:02}.md" for number in range(_BUSY)]
    texts = {name: f"---\nname: {Path(name).stem}\n---\nx\n" for name in many}
    files = {AGENT: DELEGATING, OTHER: SOUND} | texts
    async with servers.editing(tmp_path, "visual-studio-code", files) as editor:
        paths = [editor.path(name) for name in many]
        await until(lambda: all(editor.found(path) for path in paths))
        agent, other = editor.open(AGENT), editor.open(OTHER)
        await editor.sees(agent)
        # What the first change affects has to wait until these are looked at.
        events = [types.FileEvent(path.as_uri(), types.FileChangeType.Changed) for path in paths]
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))
        editor.change(other, SOUND.replace("all", "primary"))
        editor.change(agent, f"{DELEGATING}Deliver.\n")
        editor.change(other, SOUND)
        # The client may have got the end as well before the test looks.
        await until(lambda: editor.told(agent)[-2:] == [["futile-delegation"], []])
