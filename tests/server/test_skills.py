"""Skills in the header of an agent: findings, definition and links in an editor."""

from pathlib import Path

import pytest
from lsprotocol import types

from tests.server.sharing import Servers

AGENT, SKILL = ".claude/agents/releaser.md", ".claude/skills/deploy/SKILL.md"
USERS = "~/.claude/skills/deploy/SKILL.md"
HEAD = "---\nname: releaser\ndescription: Releases.\n"
TEXT = f"{HEAD}skills: deploy\n---\nYou release.\n"
STEPS = "---\nname: deploy\ndescription: How to deploy.\n---\nSteps.\n"
OFF = STEPS.replace("---\nSteps", "disable-model-invocation: true\n---\nSteps")
KIND = types.FileChangeType


@pytest.mark.parametrize("place", [SKILL, USERS])
async def test_a_finding_follows_the_skill_on_the_disk(
    servers: Servers, tmp_path: Path, place: str
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {AGENT: TEXT}) as editor:
        agent = editor.open(AGENT)
        await editor.sees(agent, "unknown-skill")

        skill = editor.write(place, STEPS)
        editor.changed_on_disk(skill, KIND.Created)
        await editor.sees(agent)

        editor.write(place, OFF)
        editor.changed_on_disk(skill, KIND.Changed)
        await editor.sees(agent, "unknown-skill")

        skill.unlink()
        editor.changed_on_disk(skill, KIND.Deleted)
        await editor.sees(agent, "unknown-skill")


async def test_a_finding_follows_the_skill_that_a_codex_agent_switches_off(
    servers: Servers, tmp_path: Path
) -> None:
    text = (
        'name = "a"\ndescription = "D."\ndeveloper_instructions = "B."\n'
        '[[skills.config]]\nname = "deploy"\nenabled = false\n'
        '[[skills.config]]\npath = "../../tools/SKILL.md"\nenabled = false\n'
    )
    async with servers.editing(
        tmp_path, "visual-studio-code", {".codex/agents/a.toml": text}
    ) as editor:
        agent = editor.open(".codex/agents/a.toml")
        await editor.sees(agent, "unknown-skill", "missing-file")

        skill = editor.write(".agents/skills/deploy/SKILL.md", STEPS)
        editor.changed_on_disk(skill, KIND.Created)
        await editor.sees(agent, "missing-file")

        path = editor.write("tools/SKILL.md", STEPS)
        editor.changed_on_disk(path, KIND.Created)
        await editor.sees(agent)


async def test_a_skill_leads_to_its_file(servers: Servers, tmp_path: Path) -> None:
    files = {AGENT: TEXT, SKILL: STEPS}
    async with servers.editing(tmp_path, "neovim@v0.11", files) as editor:
        agent = editor.open(AGENT)
        document = types.TextDocumentIdentifier(agent.as_uri())
        place = types.Position(3, len("skills: de"))

        found = await editor.client.text_document_definition_async(
            types.DefinitionParams(document, place)
        )
        links = await editor.client.text_document_document_link_async(
            types.DocumentLinkParams(document)
        )

        target = editor.path(SKILL).as_uri()
        start = types.Position(0, 0)
        assert found == [types.Location(target, types.Range(start, start))]
        assert [link.target for link in links or ()] == [target]


async def test_skills_are_watched(servers: Servers, tmp_path: Path) -> None:
    async with servers.editing(
        tmp_path, "visual-studio-code", {AGENT: TEXT, USERS: STEPS}
    ) as editor:
        await editor.sees(editor.open(AGENT))

        await editor.watches("**/.claude/skills/*/SKILL.md", "**/.claude/commands/**/*.md")


async def test_a_skill_is_found_and_renamed_in_all_agents(servers: Servers, tmp_path: Path) -> None:
    other = AGENT.replace("releaser", "other")
    # The finding shows that the folder was searched.
    text = TEXT.replace("releaser", "other").replace("deploy", "deploy, gone")
    files = {AGENT: TEXT, other: text, SKILL: STEPS}
    async with servers.editing(tmp_path, "visual-studio-code", files) as editor:
        agent = editor.open(AGENT)
        await editor.sees(agent)
        await editor.sees(editor.path(other), "unknown-skill")
        document = types.TextDocumentIdentifier(agent.as_uri())
        place = types.Position(3, len("skills: de"))

        found = await editor.client.text_document_references_async(
            types.ReferenceParams(types.ReferenceContext(True), document, place)
        )
        uris = [editor.path(one).as_uri() for one in (SKILL, other, AGENT)]
        assert [one.uri for one in found or ()] == uris

        changed = await editor.client.text_document_rename_async(
            types.RenameParams(document, place, "ship")
        )
        assert changed is not None
        [*edits, moved] = changed.document_changes or ()
        old, new = editor.path(SKILL).parent, editor.path(SKILL).parent.with_name("ship")
        assert isinstance(moved, types.RenameFile)
        assert (moved.old_uri, moved.new_uri) == (old.as_uri(), new.as_uri())
        assert len(edits) == len(files)
