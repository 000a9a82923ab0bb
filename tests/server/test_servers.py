"""MCP servers that an agent names: findings follow the configuration on the disk."""

import json
from pathlib import Path

from lsprotocol import types

from tests.server.sharing import Servers

AGENT = ".claude/agents/triager.md"
TEXT = "---\nname: triager\ndescription: Sorts.\ntools: Read, mcp__githb__list\n---\nYou sort.\n"
OTHER = '{"mcpServers": {"linear": {"command": "x"}}}'
KIND = types.FileChangeType


def watches_outside(capabilities: types.ClientCapabilities) -> None:
    """The client watches files out of the workspace, so that the server does not look itself."""
    if capabilities.workspace is not None:
        capabilities.workspace.did_change_watched_files = (
            types.DidChangeWatchedFilesClientCapabilities(
                dynamic_registration=True, relative_pattern_support=True
            )
        )


async def test_a_finding_follows_the_configuration_and_leads_to_it(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {AGENT: TEXT}) as editor:
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


async def test_what_says_which_plugins_and_extensions_there_are_is_watched(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {}, able=watches_outside) as editor:
        await editor.watches("**/.claude/settings.json")
        for folder, pattern in (
            (".claude/plugins", "installed_plugins.json"),
            (".qwen/extensions", "*/qwen-extension.json"),
            (".qwen/extension-store", "state.json"),
            (".gemini/extensions", "extension-enablement.json"),
            (".gemini", "mcp-server-enablement.json"),
        ):
            base = (editor.home / folder).as_uri()
            await editor.watches({"baseUri": base, "pattern": pattern})


async def test_a_finding_follows_the_installed_plugins(servers: Servers, tmp_path: Path) -> None:
    text = TEXT.replace("githb", "plugin_kit_gihub")
    async with servers.editing(
        tmp_path, "visual-studio-code", {AGENT: text}, able=watches_outside
    ) as editor:
        agent = editor.open(AGENT)
        await editor.sees(agent)

        server = {"mcpServers": {"github": {"command": "x"}}}
        mcp = editor.write("~/.claude/plugins/cache/kit/.mcp.json", json.dumps(server))
        place = {"kit@m": [{"installPath": str(mcp.parent)}]}
        record = editor.write(
            "~/.claude/plugins/installed_plugins.json", json.dumps({"plugins": place})
        )
        editor.changed_on_disk(record, KIND.Created)
        await editor.sees(agent)

        is_on = json.dumps({"enabledPlugins": {"kit@m": True}})
        settings = editor.write(".claude/settings.json", is_on)
        editor.changed_on_disk(settings, KIND.Created)
        await editor.sees(agent, "unknown-server")

        settings.write_text(is_on.replace("true", "false"), encoding="utf-8")
        editor.changed_on_disk(settings, KIND.Changed)
        await editor.sees(agent)


async def test_a_finding_follows_the_installed_extensions(servers: Servers, tmp_path: Path) -> None:
    name = ".qwen/agents/reviewer.md"
    text = "---\nname: reviewer\ndescription: Reviews.\ntools: [mcp__githb__x]\n---\nReview it.\n"
    settings = '{"mcpServers": {"github": {"command": "x"}}}'
    files = {name: text, ".qwen/settings.json": settings}
    async with servers.editing(
        tmp_path, "visual-studio-code", files, able=watches_outside
    ) as editor:
        agent = editor.open(name)
        await editor.sees(agent, "unknown-server")

        manifest = editor.write(
            "~/.qwen/extensions/kit/qwen-extension.json",
            json.dumps({"name": "kit", "mcpServers": {"githb": {"command": "x"}}}),
        )
        editor.changed_on_disk(manifest, KIND.Created)
        await editor.sees(agent)

        record = editor.write(
            "~/.qwen/extensions/extension-enablement.json",
            json.dumps({"kit": {"overrides": ["!/*"]}}),
        )
        editor.changed_on_disk(record, KIND.Created)
        await editor.sees(agent, "unknown-server")


async def test_a_hover_follows_the_servers_that_gemini_cli_switches_off(
    servers: Servers, tmp_path: Path
) -> None:
    name = ".gemini/agents/reviewer.md"
    text = "---\nname: reviewer\ndescription: Reviews.\ntools: [mcp_git_x]\n---\nReview it.\n"
    files = {name: text, ".gemini/settings.json": '{"mcpServers": {"git": {"command": "x"}}}'}
    async with servers.editing(
        tmp_path, "visual-studio-code", files, able=watches_outside
    ) as editor:
        agent = editor.open(name)
        await editor.sees(agent)
        place = types.TextDocumentIdentifier(agent.as_uri()), types.Position(3, 12)

        async def is_off() -> bool:
            await editor.settled()
            found = await editor.client.text_document_hover_async(types.HoverParams(*place))
            return "and switched off" in str(found)

        assert not await is_off()
        record = editor.write("~/.gemini/mcp-server-enablement.json", '{"git": {"enabled": false}}')
        editor.changed_on_disk(record, KIND.Created)
        assert await is_off()
        record.unlink()
        editor.changed_on_disk(record, KIND.Deleted)
        assert not await is_off()


async def test_a_finding_follows_the_settings_that_deny_a_server(
    servers: Servers, tmp_path: Path
) -> None:
    text = TEXT.replace("Read, mcp__githb__list", "mcp__linear__list")
    files = {AGENT: text, ".mcp.json": OTHER}
    async with servers.editing(
        tmp_path, "visual-studio-code", files, able=watches_outside
    ) as editor:
        agent = editor.open(AGENT)
        await editor.sees(agent)

        name, project = ["linear"], str(editor.root)
        own = {"projects": {project: {"disabledMcpServers": name}}}
        denied = {"deniedMcpServers": [{"serverName": "linear"}]}
        for place, values in (
            (".claude/settings.json", {"disabledMcpjsonServers": name}),
            (".claude/settings.local.json", denied),
            ("~/.claude/settings.json", {"allowedMcpServers": []}),
            ("~/.claude.json", own),
        ):
            settings = editor.write(place, json.dumps(values))
            editor.changed_on_disk(settings, KIND.Created)
            await editor.sees(agent, "no-tools")
            settings.write_text("{}", encoding="utf-8")
            editor.changed_on_disk(settings, KIND.Changed)
            await editor.sees(agent)


async def test_a_finding_follows_a_record_of_extensions_that_is_edited_or_saved(
    servers: Servers,
    tmp_path: Path,
) -> None:
    name, folder = ".qwen/agents/reviewer.md", "~/.qwen/extensions"
    text = "---\nname: reviewer\ndescription: Reviews.\ntools: [mcp__githb__x]\n---\nReview it.\n"
    extension = {"name": "kit", "mcpServers": {"githb": {"command": "x"}}}
    files = {
        name: text,
        ".qwen/settings.json": '{"mcpServers": {"github": {"command": "x"}}}',
        f"{folder}/kit/qwen-extension.json": json.dumps(extension),
        f"{folder}/extension-enablement.json": "{}",
    }
    async with servers.editing(
        tmp_path, "visual-studio-code", files, able=watches_outside
    ) as editor:
        agent = editor.open(name)
        await editor.sees(agent)

        # No event of the disk tells about it, so that only the name of the file does.
        off, on = json.dumps({"kit": {"overrides": ["!/*"]}}), "{}"
        record = editor.open(f"{folder}/extension-enablement.json")
        editor.change(record, off)
        await editor.sees(agent, "unknown-server")
        editor.change(record, on)
        await editor.sees(agent)

        # A client that has not opened the file may tell that it was saved.
        editor.close(record)
        await editor.settled()
        editor.write(f"{folder}/{record.name}", off)
        editor.save(record)
        await editor.sees(agent, "unknown-server")
