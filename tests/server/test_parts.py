"""What the server is made of, where no editor is needed to see it."""

import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types

from agent_lsp.analysis.hover import Hover
from agent_lsp.dialects.model import Severity
from agent_lsp.server import convert, handlers
from agent_lsp.server.app import create
from agent_lsp.server.client import Client
from agent_lsp.server.jobs import later
from agent_lsp.server.server import Server
from agent_lsp.server.session import Session
from agent_lsp.text import LineIndex, Span
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.index import Workspace, options_at
from agent_lsp.workspace.scopes import Places


@pytest.fixture
def server(tmp_path: Path) -> Server:
    server = create()
    server.session = Session(Workspace(Files(), Places(None, tmp_path)), Client())
    return server


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///repo/a%20b.md", "/repo/a b.md"),
        ("file:///repo/%F0%9F%98%80.md", "/repo/😀.md"),
        ("file:///repo/sub/../a.md", "/repo/a.md"),
        ("file:///repo/a%23b%3Fc.md", "/repo/a#b?c.md"),
        ("file:///repo/caf%FF%C3%A9%23.md", os.fsdecode(b"/repo/caf\xff\xc3\xa9#.md")),
        ("file:///repo/%EF%BF%BD.md", "/repo/\ufffd.md"),
        ("untitled:Untitled-1", None),
        ("vscode-remote://host/repo/a.md", None),
        ("git:/repo/a.md?ref", None),
        ("file:a.md", None),
        ("file://[::1/a.md", None),
        ("file:", None),
        ("", None),
    ],
)
def test_a_uri_names_a_file_or_nothing(uri: str, path: str | None) -> None:
    assert convert.to_path(uri) == (Path(path) if path is not None else None)


def test_plain_text_is_what_a_person_would_read_in_the_markdown() -> None:
    markdown = "**`model`** is [`gpt-5`](file:///a.md#L2)\n\n```text\na * b_c_d\n```\n"
    hover = convert.to_hover(Hover(Span(0, 1), markdown), LineIndex("x"), Client())

    assert hover.contents == types.MarkupContent(
        types.MarkupKind.PlainText, "model is gpt-5\n\na * b_c_d\n"
    )


async def test_settings_count_from_an_editor_that_sends_them_unasked(server: Server) -> None:
    settings = {"agentTemplates": {"severity": {"unknown-key": "hint"}}}
    handlers.did_change_configuration(server, types.DidChangeConfigurationParams(settings))

    options = options_at(
        server.session.workspace, server.session.workspace.places.templates / "a.md"
    )
    assert options.severity == {"unknown-key": Severity.HINT}


async def test_a_job_that_fails_does_not_stop_the_next(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    done = []

    def failing() -> Iterator[None]:
        yield
        raise ValueError("our fault")

    def working() -> Iterator[None]:
        yield
        done.append(True)

    later(server, failing())
    later(server, working())
    assert server.worker is not None
    await server.worker

    assert done
    assert "our fault" in caplog.text


async def test_a_long_job_leaves_time_for_messages_in_between(server: Server) -> None:
    def long() -> Iterator[None]:
        for _ in range(100):
            time.sleep(0.001)
            yield

    later(server, long())
    turns = 0
    while server.session.jobs:
        await asyncio.sleep(0)
        turns += 1

    assert turns > 10
