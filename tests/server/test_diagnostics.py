"""When an editor gets which diagnostics: of open and closed files, after changes, and not twice."""

import asyncio
import os
from pathlib import Path

import pytest
from lsprotocol import types

from agent_lsp.installed import installed
from tests.server.editor import CLIENTS, until
from tests.server.inside import Inside
from tests.server.sharing import Servers

SOUND = "---\ndescription: Reviews changes.\n---\nReview.\n"
TYPO = "---\ndescription: Reviews changes.\nmodle: gpt-5\n---\nReview.\n"
BARE = "---\nmodel: gpt-5\n---\nReview.\n"
REVIEWER = ".codex/.agents/reviewer.md"


@pytest.fixture(params=CLIENTS)
def client(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def test_a_finding_is_reported_at_its_span_when_the_file_is_opened(
    servers: Servers, client: str, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, client, {}) as editor:
        path = editor.open(REVIEWER, TYPO)
        [found] = await editor.sees(path, "unknown-key")

        assert found.range == types.Range(types.Position(2, 0), types.Position(2, 5))
        assert found.severity is types.DiagnosticSeverity.Warning
        assert found.source == "agent-template-lsp"
        assert "did you mean `model`?" in found.message
        # The code leads to the page of its rule.
        assert found.code_description is not None
        page = installed("docs/rules/unknown-key.md")
        assert found.code_description.href == page.as_uri()
        assert page.is_file()


@pytest.mark.parametrize(
    ("line", "token"),
    [
        ('allow_list: ["😀_tool_of_mine", exec_comand]', "exec_comand"),
        ("allow_list: [ünï_tool_of_mine, exec_comand]  # 🦊", "exec_comand"),
    ],
)
async def test_columns_are_counted_as_the_editor_counts_them(
    servers: Servers, client: str, tmp_path: Path, line: str, token: str
) -> None:
    text = f"---\ndescription: Reviews changes.\n{line}\n---\nReview.\n"
    _, encoding = CLIENTS[client]
    unit = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    codec = encoding if unit == 1 else f"{encoding}-le"
    async with servers.editing(tmp_path, client, {}) as editor:
        path = editor.open(REVIEWER, text)
        await until(lambda: len(editor.found(path)) > 1)
        [found] = [found for found in editor.found(path) if f"`{token}`" in found.message]

        assert (found.range.start.line, found.range.end.line) == (2, 2)
        columns = slice(found.range.start.character * unit, found.range.end.character * unit)
        assert line.encode(codec)[columns].decode(codec) == token


async def test_findings_follow_the_text_while_it_is_typed(servers: Servers, tmp_path: Path) -> None:
    async with servers.editing(tmp_path, "emacs", {}) as editor:
        path = editor.open(REVIEWER, SOUND)
        await editor.sees(path)
        editor.change(path, TYPO)
        await editor.sees(path, "unknown-key")
        editor.change(path, f"{TYPO[:4]}# one line more\n{TYPO[4:]}")
        await until(lambda: editor.found(path)[0].range.start.line == 3)
        editor.change(path, SOUND)
        await editor.sees(path)

        assert [sent.version for sent in editor.published] == [1, 2, 3, 4]


async def test_a_closed_file_of_the_workspace_is_reported_as_it_is_on_disk(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "neovim@v0.11", {REVIEWER: BARE}) as editor:
        path = editor.path(REVIEWER)
        await editor.sees(path, "missing-description")
        editor.open(REVIEWER)
        editor.change(path, TYPO)
        await editor.sees(path, "unknown-key")
        editor.close(path)
        await editor.sees(path, "missing-description")

        assert editor.published[-1].version is None


async def test_a_file_of_the_user_scope_is_reported_only_while_it_is_open(
    servers: Servers,
    tmp_path: Path,
) -> None:
    mine = "~/.codex/.agents/mine.md"
    files = {mine: TYPO, REVIEWER: TYPO}
    async with servers.editing(tmp_path, "neovim@v0.11", files) as editor:
        await editor.sees(editor.path(REVIEWER), "unknown-key")
        assert editor.path(mine).as_uri() not in editor.client.diagnostics
        path = editor.open(mine)
        await editor.sees(path, "unknown-key")
        editor.close(path)
        await editor.sees(path)


async def test_a_misplaced_template_is_reported_while_its_header_is_that_of_one(
    servers: Servers,
    tmp_path: Path,
) -> None:
    stray = SOUND.replace("---\nR", "deny_list: [apply_patch]\n---\nR")
    async with servers.editing(tmp_path, "neovim@v0.11", {".agents/a.md": stray}) as editor:
        path = editor.open(".agents/a.md")
        await editor.sees(path, "misplaced")
        editor.change(path, "Notes.\n")
        await editor.sees(path)
        editor.change(path, stray)
        await editor.sees(path, "misplaced")


async def test_a_linked_workspace_is_reported_with_the_editors_paths(
    servers: Servers, tmp_path: Path
) -> None:
    """The session of the runtime starts in the target of the link, and looks upwards from there."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other/link").symlink_to("../workspace/sub")
    files = {
        f"sub/{REVIEWER}": TYPO,
        "sub/.codex/.agents/b.md": TYPO,
        ".codex/.agents/upper.md": SOUND,
        "../other/.codex/.agents/wrong.md": SOUND,
    }
    async with servers.editing(
        tmp_path, "visual-studio-code", files, roots=("../other/link",)
    ) as editor:
        link = tmp_path / "other/link"
        await editor.sees(link / ".codex/.agents/b.md", "unknown-key")
        path = editor.open(str(link / REVIEWER))
        await editor.sees(link / REVIEWER, "unknown-key")
        editor.change(path, SOUND)
        await editor.sees(link / REVIEWER)
        answer = await editor.command("agentTemplates.listAgents", {"uri": path.as_uri()})
        names = {agent["agent_type"] for agent in answer["result"]["agents"]}

        assert {"reviewer", "b", "upper"} < names
        assert "wrong" not in names
        inside = link.as_uri() + "/"
        assert all(sent.uri.startswith(inside) for sent in editor.published)


async def test_a_broken_link_is_reported_until_its_target_exists(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {".codex/.agents/x": ""}) as editor:
        path = editor.path(REVIEWER)
        path.symlink_to("../../target.md")
        editor.changed_on_disk(path, types.FileChangeType.Created)
        await editor.sees(path, "unreadable")
        editor.write("target.md", SOUND)
        editor.changed_on_disk(path, types.FileChangeType.Changed)
        await editor.sees(path)


async def test_a_file_name_that_is_not_utf_8_names_one_file_open_or_closed(
    servers: Servers, tmp_path: Path
) -> None:
    name = os.fsdecode(b"caf\xff/") + REVIEWER
    async with servers.editing(tmp_path, "neovim@v0.11", {name: TYPO, REVIEWER: SOUND}) as editor:
        path = editor.path(name)
        await editor.sees(path, "unknown-key")
        editor.open(name)
        editor.change(path, SOUND)
        await editor.sees(path)
        call = {"agent_type": "reviewer", "uri": path.as_uri()}
        answer = await editor.command("agentTemplates.previewSpawn", call)

        assert answer["error"] is None
        assert answer["result"]["template"]["file"].endswith(f"/caf?/{REVIEWER}")


async def test_files_that_are_not_templates_have_no_diagnostics(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {"README.md": BARE}) as editor:
        editor.open("README.md")
        editor.open("docs/.agents/notes.md", BARE)
        item = types.TextDocumentItem("untitled:Untitled-1", types.LanguageKind.Markdown, 1, BARE)
        editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        await editor.sees(editor.open(REVIEWER, TYPO), "unknown-key")
        await editor.settled()

        assert {sent.uri for sent in editor.published} == {editor.path(REVIEWER).as_uri()}


async def test_a_built_in_template_is_not_reported(servers: Servers, tmp_path: Path) -> None:
    """A user cannot change it."""
    shipped = installed("templates/codex-templates/builtin/worker.md")
    async with servers.editing(tmp_path, "visual-studio-code", {}) as editor:
        editor.open(str(shipped), TYPO)
        await editor.sees(editor.open(REVIEWER, TYPO), "unknown-key")

        assert shipped.as_uri() not in editor.client.diagnostics


async def test_unchanged_diagnostics_are_not_sent_again(servers: Servers, tmp_path: Path) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {REVIEWER: TYPO}) as editor:
        path = editor.path(REVIEWER)
        await editor.sees(path, "unknown-key")
        editor.open(REVIEWER)
        editor.save(path)
        editor.changed_on_disk(path, types.FileChangeType.Changed)
        # What follows from the event about another file comes after what follows from this one.
        other = editor.write(".codex/.agents/other.md", TYPO)
        editor.changed_on_disk(other, types.FileChangeType.Created)
        await editor.sees(other, "unknown-key")

        # Once for the file on disk, once for the version that was opened.
        sent = [one.version for one in editor.published if one.uri == path.as_uri()]
        assert sent == [None, 1]


async def test_a_created_or_deleted_file_changes_the_findings_in_others(
    servers: Servers, client: str, tmp_path: Path
) -> None:
    """A file that exists only in the editor already counts: it will exist after the next save."""
    deeper = "services/.codex/.agents/reviewer.md"
    async with servers.editing(tmp_path, client, {REVIEWER: TYPO}) as editor:
        path = editor.path(REVIEWER)
        await editor.sees(path, "unknown-key")
        nearer = editor.open(deeper, SOUND)
        [shadowed, _] = await editor.sees(path, "shadowed", "unknown-key")

        related = shadowed.related_information
        if client == "emacs":
            assert related is None
        else:
            assert related is not None
            assert [place.location.uri for place in related] == [nearer.as_uri()]
        editor.close(nearer)
        await editor.sees(path, "unknown-key")


async def test_opened_files_do_not_wait_for_the_first_scan(tmp_path: Path) -> None:
    folder = tmp_path / ".codex/.agents"
    folder.mkdir(parents=True)
    for number in range(600):
        (folder / f"role-{number}.md").write_text(TYPO, encoding="utf-8")
    it, uri = Inside(tmp_path), (tmp_path / REVIEWER).as_uri()
    for _ in iter(lambda: bool(it.order), True):
        await asyncio.sleep(0)
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": TYPO}
    it.tell("textDocument/didOpen", {"textDocument": item})
    assert it.order[-1] == uri
    assert len(it.order) < 600
    await it.rest()
    assert len(it.published) == 601


async def test_each_root_is_scanned_and_removing_one_clears_its_findings(
    servers: Servers,
    tmp_path: Path,
) -> None:
    names = ("one", "two", "three")
    files = {f"{name}/{REVIEWER}": TYPO for name in names}
    roots = ("one", "two")
    async with servers.editing(tmp_path, "visual-studio-code", files, roots=roots) as editor:
        one, two, three = (editor.path(f"{name}/{REVIEWER}") for name in names)
        await editor.sees(one, "unknown-key")
        await editor.sees(two, "unknown-key")
        assert three.as_uri() not in editor.client.diagnostics
        folders = [
            types.WorkspaceFolder((editor.root / name).as_uri(), name) for name in ("three", "one")
        ]
        event = types.WorkspaceFoldersChangeEvent([folders[0]], [folders[1]])
        params = types.DidChangeWorkspaceFoldersParams(event)
        editor.client.workspace_did_change_workspace_folders(params)
        await editor.sees(three, "unknown-key")
        await editor.sees(one)
        await editor.sees(two, "unknown-key")


SPELT = "---\ndescription: Reviews.\n---\nReview.\n"


async def test_a_name_that_calls_mistake_for_another_is_reported_in_all_files(
    servers: Servers,
    tmp_path: Path,
) -> None:
    one, other = ".codex/.agents/api-code_review.md", ".codex/.agents/api_code-review.md"
    async with servers.editing(tmp_path, "visual-studio-code", {one: SPELT}) as editor:
        opened = editor.open(".codex/.agents/b-a_c.md", SPELT)
        await editor.sees(opened)
        twins = editor.write(other, SPELT), editor.write(".codex/.agents/b_a-c.md", SPELT)
        for path in twins:
            editor.changed_on_disk(path, types.FileChangeType.Created)
        await editor.sees(editor.path(one), "ambiguous-name")
        await editor.sees(opened, "ambiguous-name")
        for path in twins:
            path.unlink()
            editor.changed_on_disk(path, types.FileChangeType.Deleted)
        await editor.sees(editor.path(one))
        await editor.sees(opened)


async def test_the_right_folder_of_a_misplaced_file_follows_the_disk(
    servers: Servers, tmp_path: Path
) -> None:
    stray, target = ".codex/.agents/deep/security.md", ".codex/.agents/security.md"
    async with servers.editing(tmp_path, "visual-studio-code", {stray: SPELT}) as editor:
        [found] = await editor.sees(editor.path(stray), "misplaced")
        assert "move it to" in found.message
        path = editor.write(target, SPELT)
        editor.changed_on_disk(path, types.FileChangeType.Created)
        await until(lambda: "already exists" in editor.found(editor.path(stray))[0].message)
        path.unlink()
        editor.changed_on_disk(path, types.FileChangeType.Deleted)
        await until(lambda: "move it to" in editor.found(editor.path(stray))[0].message)


async def test_two_uris_of_one_file_have_one_set_of_findings(
    servers: Servers, tmp_path: Path
) -> None:
    text = "---\nmodel: gpt-5\n---\nBe.\n"
    async with servers.editing(tmp_path, "visual-studio-code", {}) as editor:
        plain = (editor.root / ".codex/.agents/a.md").as_uri()
        spelt = plain.replace("/a.md", "/%61.md")
        for uri in (plain, spelt):
            item = types.TextDocumentItem(uri, types.LanguageKind.Markdown, 1, text)
            editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        found = editor.client.diagnostics
        await until(lambda: len(found.get(spelt, ())) == 1 and not found[plain])
        closed = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(spelt))
        editor.client.text_document_did_close(closed)
        await until(lambda: len(found[plain]) == 1 and not found[spelt])
        again = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(plain))
        editor.client.text_document_did_close(again)
        await until(lambda: not found[plain] and not found[spelt])


async def test_a_file_that_is_open_under_another_name_is_reported_once(
    servers: Servers,
    tmp_path: Path,
) -> None:
    text = "---\nmodel: gpt-5\n---\nBe.\n"
    name = ".codex/.agents/a.md"
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to("workspace")
    async with servers.editing(tmp_path, "emacs", {name: text}, roots=("../link",)) as editor:
        linked = tmp_path / "link" / name
        await editor.sees(linked, "missing-description")
        real = editor.open(name)
        await editor.sees(real, "missing-description")
        await editor.sees(linked)
        editor.close(real)
        await editor.sees(linked, "missing-description")


CUSTOM_AGENT = """\
---
name: Lead
description: Leads.
tools: [codebase, serach]
agents: [Nobody-Is-Called-So]
---
Lead.
"""


@pytest.mark.parametrize(
    ("asks", "codes"),
    [
        ({"besideVSCode": True}, ["unknown-tool"]),
        ({}, ["renamed-tool", "unknown-tool", "futile-delegation", "unknown-agent"]),
    ],
)
async def test_what_vs_code_reports_itself_is_left_to_it_beside_it(
    servers: Servers, asks: dict[str, bool], codes: list[str], tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", {}, asks=asks) as editor:
        path = editor.open(".github/agents/lead.agent.md", CUSTOM_AGENT)
        await editor.sees(path, *codes)


KEYS = """\
---
name: Lead
description: Leads.
userInvocable: false
hooks: {Stopp: []}
github: {permision: {}}
handoffs: [{label: Go, agent: ask, prompt: p, sendd: true}]
---
Lead.
"""


async def test_what_vs_code_reports_with_another_severity_in_some_keys_is_left_to_it_there(
    servers: Servers,
    tmp_path: Path,
) -> None:
    async with servers.editing(
        tmp_path, "visual-studio-code", {}, asks={"besideVSCode": True}
    ) as editor:
        agent = editor.open(".github/agents/lead.agent.md", KEYS)
        [found] = await editor.sees(agent, "unknown-key")
        assert "`userInvocable`" in found.message
        # VS Code says of a chat mode that it is to be moved, and nothing of another file.
        lines = "---\ndescription: Plans.\ntools: [read]\n---\nPlan.\n"
        await editor.sees(editor.open(".github/chatmodes/plan.chatmode.md", lines))
        await editor.sees(editor.open(".github/chatmodes/plan.agent.md", lines), "misplaced")


async def test_what_vs_code_does_not_report_is_said_beside_it(
    servers: Servers, tmp_path: Path
) -> None:
    asks = {"besideVSCode": True}
    async with servers.editing(tmp_path, "visual-studio-code", {}, asks=asks) as editor:
        text = "---\nname: Lead\ndescription: Leads.\nand more\ntools: [read]\n---\nLead.\n"
        path = editor.open(".github/agents/lead.agent.md", text)
        await editor.sees(path, "unquoted-text", "header-invalid")


async def test_a_finding_that_is_left_to_vs_code_keeps_its_fix(
    servers: Servers, tmp_path: Path
) -> None:
    """VS Code marks `infer` as an error, and has no fix for it."""
    asks = {"besideVSCode": True}
    async with servers.editing(tmp_path, "visual-studio-code", {}, asks=asks) as editor:
        text = "---\nname: Lead\ndescription: Leads.\ninfer: false\n---\nLead.\n"
        path = editor.open(".github/agents/lead.agent.md", text)
        assert await editor.sees(path) == []
        place = types.Range(types.Position(3, 0), types.Position(3, 0))
        found = await editor.client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(path.as_uri()), place, types.CodeActionContext([])
            )
        )
        titles = [one.title for one in found or ()]
        assert any(one.startswith("Write `disable-model-invocation: true`") for one in titles)
