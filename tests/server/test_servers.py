"""MCP servers that an agent names: findings follow the configuration on the disk."""

from pathlib import Path

from lsprotocol import types

from tests.server.editor import editing

AGENT = ".claude/agents/triager.md"
TEXT = "---\nname: triager\ndescription: Sorts.\ntools: Read, mcp__githb__list\n---\nYou sort.\n"
OTHER = '{"mcpServers": {"linear": {"command": "x"}}}'
KIND = types.FileChangeType


async def test_a_finding_follows_the_configuration_and_leads_to_it(tmp_path: Path) -> None:
    async with editing(tmp_path, "visual-studio-code", {AGENT: TEXT}) as editor:
        agent = editor.open(AGENT)
        await editor.sees(agent)

        project = editor.write(".mcp.json", OTHER)
        editor.changed_on_disk(project, KIND.Created)
        await editor.sees(agent, "unknown-server")

        of_user = editor.write("~/.claude.json", OTHER.replace("linear", "githb"))
        editor.changed_on_disk(of_user, KIND.Created)
        await editor.sees(agent)

        found = await editor.client.text_document_definition_async(
            types.DefinitionParams(
                types.TextDocumentIdentifier(agent.as_uri()), types.Position(3, 20)
            )
        )
        start = len('{"mcpServers": {')
        place = types.Range(types.Position(0, start), types.Position(0, start + len('"githb"')))
        assert found == [types.Location(of_user.as_uri(), place)]

        of_user.unlink()
        editor.changed_on_disk(of_user, KIND.Deleted)
        await editor.sees(agent, "unknown-server")
