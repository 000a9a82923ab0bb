"""Files that an agent names, in its prompt and in its hooks: findings follow the disk."""

from pathlib import Path

from lsprotocol import types

from tests.server.sharing import Servers

AGENT = ".claude/agents/lead.md"
HEAD = "---\nname: lead\ndescription: Leads.\n"
LINKED = f"{HEAD}---\nKeep to [the guide](../../docs/guide.md).\n"
HOOKED = (
    f"{HEAD}tools: Bash\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n"
    "        - type: command\n          command: ./tools/guard.sh\n---\nYou lead.\n"
)
KIND = types.FileChangeType


async def test_a_finding_follows_the_file_that_a_link_names(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {AGENT: LINKED}) as editor:
        agent = editor.open(AGENT)
        await editor.sees(agent, "missing-file")

        guide = editor.write("docs/guide.md", "x")
        editor.changed_on_disk(guide, KIND.Created)
        await editor.sees(agent)

        document = types.TextDocumentIdentifier(agent.as_uri())
        links = await editor.client.text_document_document_link_async(
            types.DocumentLinkParams(document)
        )
        assert [link.target for link in links or ()] == [guide.as_uri()]
        found = await editor.client.text_document_definition_async(
            types.DefinitionParams(document, types.Position(4, 30))
        )
        start = types.Position(0, 0)
        assert found == [types.Location(guide.as_uri(), types.Range(start, start))]

        guide.unlink()
        guide.parent.rmdir()
        editor.changed_on_disk(guide.parent, KIND.Deleted)
        await editor.sees(agent, "missing-file")


async def test_a_finding_follows_the_script_of_a_hook(servers: Servers, tmp_path: Path) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {AGENT: HOOKED}) as editor:
        agent = editor.open(AGENT)
        await editor.sees(agent, "futile-hook")

        script = editor.write("tools/guard.sh", "exit 2\n")
        script.chmod(0o755)
        editor.changed_on_disk(script, KIND.Created)
        await editor.sees(agent)

        script.chmod(0o644)
        editor.changed_on_disk(script, KIND.Changed)
        await editor.sees(agent, "futile-hook")


async def test_the_named_files_are_watched(servers: Servers, tmp_path: Path) -> None:
    files = {AGENT: HOOKED, AGENT.replace("lead", "other"): LINKED.replace("lead", "other")}
    async with servers.editing(tmp_path, "visual-studio-code", files) as editor:
        await editor.watches("**/docs/guide.md", "**/tools", "**/tools/guard.sh")
