"""The log says what a repository's settings hide; without trust they hide nothing."""

from pathlib import Path

import pytest

from tests.server.editor import until
from tests.server.sharing import Servers

SETTINGS = "agent-template-lsp.toml"
AGENT = ".codex/.agents/a.md"
COMMENT = "# agent-template-lsp: ignore-file[hidden-text]\n"
TEXT = f"---\n{COMMENT}description: Reviews.\nallow_list: [aply_patch]\n---\nReview.\U000e0041\n"
OFF = '[severity]\nunknown-tool = "off"\n[folders]\n"vendor" = false\n'
FILES = {AGENT: TEXT, "vendor/.codex/.agents/b.md": TEXT, SETTINGS: OFF}


async def test_the_log_says_what_a_repository_hides(servers: Servers, tmp_path: Path) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", FILES) as editor:
        told = f"{SETTINGS} switches off `unknown-tool` and excludes vendor: "
        await until(lambda: any(told in one.message for one in editor.client.log_messages))
        [said] = [one.message for one in editor.client.log_messages if told in one.message]
        assert said == f"{told}2 findings are hidden"
        answer = await editor.command("agentTemplates.status")
        [hidden] = answer["result"]["hidden_by_settings"]
        assert hidden["text"] == said
        assert answer["result"]["settings"][0]["isolated"] is False


async def test_an_untrusted_workspace_hides_no_findings(servers: Servers, tmp_path: Path) -> None:
    asks = {"isolated": True}
    async with servers.editing(tmp_path, "visual-studio-code", FILES, asks=asks) as editor:
        await editor.sees(editor.path(AGENT), "unknown-tool", "hidden-text")
        await editor.sees(editor.path("vendor/.codex/.agents/b.md"), "unknown-tool", "hidden-text")
        answer = await editor.command("agentTemplates.status")
        assert answer["result"]["settings"][0]["isolated"] is True
        assert answer["result"]["hidden_by_settings"] == []


@pytest.mark.parametrize("client", ["neovim@v0.11", "visual-studio-code"])
async def test_the_editors_own_settings_apply_in_isolation(
    servers: Servers, client: str, tmp_path: Path
) -> None:
    settings = {"severity": {"unknown-tool": "off"}}
    asks = {"isolated": True}
    async with servers.editing(tmp_path, client, FILES, settings=settings, asks=asks) as editor:
        editor.open(AGENT)
        await editor.sees(editor.path(AGENT), "hidden-text")
