"""Folders that only the server knows are registered, for clients that attach to the others."""

from pathlib import Path
from typing import Any

from lsprotocol import types

from tests.server.editor import Editor, until
from tests.server.sharing import Servers

TEXT = "---\ndescription: Reviews.\n---\nReview.\n"
SHARED = "agent-template-lsp.toml"
CLAIM = '[folders]\n"roles" = "codex-templates"\n'
ASKS = {"attachFolders": True}
FILES = {
    SHARED: CLAIM,
    "roles/a.md": TEXT,
    ".codex/.agents/b.md": TEXT,
    "plug/.claude-plugin/plugin.json": '{"name": "p"}',
    "plug/agents/deep/c.md": "---\nname: c\ndescription: Checks.\n---\nCheck.\n",
}


def registered(editor: Editor) -> dict[str, dict[str, Any]]:
    """The registered options for folders, by method."""
    found = {}
    for one in editor.registered:
        if one.id.startswith("agent-templates-folders"):
            assert isinstance(one.register_options, dict)
            found[one.method] = one.register_options
    return found


def patterns(editor: Editor) -> set[str]:
    """The registered patterns, which are the same for each method."""
    [found] = {
        tuple(one["pattern"] for one in options["documentSelector"])
        for options in registered(editor).values()
    } or {()}
    return set(found)


async def test_claimed_and_plugin_folders_are_registered_for_all_text_requests(
    servers: Servers,
    tmp_path: Path,
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", FILES, asks=ASKS) as editor:
        await until(lambda: bool(registered(editor)))
        root = editor.root.as_posix()
        assert patterns(editor) == {
            f"{root}/roles/*.[mM][dD]",
            f"{root}/plug/agents/**/*.[mM][dD]",
        }
        found = registered(editor)
        assert {
            "textDocument/didOpen",
            "textDocument/didChange",
            "textDocument/didClose",
            "textDocument/hover",
            "textDocument/semanticTokens",
            "textDocument/rename",
        } <= found.keys()
        assert found["textDocument/didChange"]["syncKind"] == types.TextDocumentSyncKind.Full
        assert found["textDocument/rename"]["prepareProvider"] is True
        assert '"' in found["textDocument/completion"]["triggerCharacters"]
        assert "source.fixAll" in found["textDocument/codeAction"]["codeActionKinds"]
        tokens = found["textDocument/semanticTokens"]
        assert tokens["full"] is True
        assert "macro" in tokens["legend"]["tokenTypes"]


async def test_folders_are_registered_again_when_the_claims_change(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", FILES, asks=ASKS) as editor:
        await until(lambda: len(patterns(editor)) == 2)
        editor.write("more/d.md", TEXT)
        shared = editor.write(SHARED, CLAIM + '"more" = "codex-templates"\n')
        editor.changed_on_disk(shared, types.FileChangeType.Changed)
        await until(lambda: f"{editor.root.as_posix()}/more/*.[mM][dD]" in patterns(editor))
        editor.write(SHARED, "")
        editor.changed_on_disk(shared, types.FileChangeType.Changed)
        plug = f"{editor.root.as_posix()}/plug/agents/**/*.[mM][dD]"
        await until(lambda: patterns(editor) == {plug})
        (editor.root / "plug/.claude-plugin/plugin.json").unlink()
        manifest = editor.root / "plug/.claude-plugin/plugin.json"
        editor.changed_on_disk(manifest, types.FileChangeType.Deleted)
        await until(lambda: registered(editor) == {})


async def test_folders_that_the_editor_claims_are_not_registered(
    servers: Servers, tmp_path: Path
) -> None:
    files = {"roles/a.md": TEXT, "other/b.md": TEXT, SHARED: '[folders]\n"other" = "kodacode"\n'}
    settings = {"folders": {"roles": "codex-templates"}}
    async with servers.editing(
        tmp_path, "visual-studio-code", files, settings=settings, asks=ASKS
    ) as editor:
        await until(lambda: patterns(editor) == {f"{editor.root.as_posix()}/other/*.[mM][dD]"})


async def test_a_registered_pattern_matches_only_its_folder(
    servers: Servers, tmp_path: Path
) -> None:
    files = {"a[b]{c}/x.md": TEXT, SHARED: '[folders]\n"a[b]{c}" = "codex-templates"\n'}
    async with servers.editing(tmp_path, "visual-studio-code", files, asks=ASKS) as editor:
        root = editor.root.as_posix()
        await until(lambda: patterns(editor) == {f"{root}/a[[]b[]][{{]c[}}]/*.[mM][dD]"})


async def test_a_client_that_takes_relative_patterns_gets_them(
    servers: Servers, tmp_path: Path
) -> None:
    def able(capabilities: types.ClientCapabilities) -> None:
        assert capabilities.text_document is not None
        capabilities.text_document.filters = types.TextDocumentFilterClientCapabilities(
            relative_pattern_support=True
        )

    async with servers.editing(
        tmp_path, "visual-studio-code", FILES, asks=ASKS, able=able
    ) as editor:
        await until(lambda: bool(registered(editor)))
        selector = registered(editor)["textDocument/hover"]["documentSelector"]
        base = (editor.root / "roles").as_uri()
        assert {"baseUri": base, "pattern": "*.[mM][dD]"} in [one["pattern"] for one in selector]


async def test_other_clients_are_not_asked_to_attach(servers: Servers, tmp_path: Path) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", FILES) as editor:
        await until(lambda: bool(editor.registered))
        await editor.sees(editor.open("roles/a.md"))
        assert registered(editor) == {}
