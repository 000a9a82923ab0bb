"""A completion replaces a part of one line, wherever editors end it."""

from pathlib import Path

import pytest

from agent_lsp.text import Encoding, LineIndex
from tests.server.inside import Inside


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("agent-template-lsp.toml", "H6 'ab\rcd"),
        ("agent-template-lsp.toml", "[sev\rer"),
        (".claude/agents/a.md", "---\rname: 'a\rb"),
        (".claude/agents/a.md", "---\nname: a\ntools: [Re\rad, Gr"),
        ("moltis.toml", "[agents.pre\rsets.x]\nmodel = 'a\rb"),
    ],
)
async def test_a_completion_is_in_the_line_of_the_cursor(
    name: str, text: str, tmp_path: Path
) -> None:
    server = Inside(tmp_path)
    uri, index = (tmp_path / name).as_uri(), LineIndex(text)
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
    server.tell("textDocument/didOpen", {"textDocument": item})
    for at in range(len(text) + 1):
        line, column = index.position(at, Encoding.UTF16)
        place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}
        for one in server.ask("textDocument/completion", place)["items"]:
            where = one["textEdit"]["range"]
            assert where["start"]["line"] == where["end"]["line"] == line


@pytest.mark.parametrize(
    "name", ["agent-template-lsp.toml", ".claude/agents/a.md", "moltis.toml", "opencode.json"]
)
async def test_a_file_that_is_too_large_to_be_read_has_no_completion(
    name: str, tmp_path: Path
) -> None:
    server = Inside(tmp_path)
    uri = (tmp_path / name).as_uri()
    text = "---\nname: a\ntools: \n---\n" + "x" * 1_100_000 + "\n"
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
    server.tell("textDocument/didOpen", {"textDocument": item})
    for line, column in ((2, 7), (4, 90)):
        place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}
        assert server.ask("textDocument/completion", place)["items"] == []
        assert server.ask("textDocument/hover", place) is None
