"""Parts of the server that can be tested without an editor."""

import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types

from agent_lsp.analysis.hover import Hover
from agent_lsp.data_classes import replace
from agent_lsp.dialects import SYSTEMS
from agent_lsp.model.schema import Severity
from agent_lsp.server import convert, handlers
from agent_lsp.server.app import create, guarded
from agent_lsp.server.convert import Client
from agent_lsp.server.requests.at_cursor import to_hover
from agent_lsp.server.server import Server
from agent_lsp.server.session import Session
from agent_lsp.server.sync.jobs import later
from agent_lsp.server.sync.scan import is_scanning, rescan
from agent_lsp.text import LineIndex, Span
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import HostPaths
from agent_lsp.workspace.snapshot import Workspace, options_at
from tests.server.editor import until


@pytest.fixture
def server(tmp_path: Path) -> Server:
    server = create()
    server.session = Session(Workspace(Files(), SYSTEMS, HostPaths(None, tmp_path)), Client())
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


def test_plain_text_is_the_markdown_without_emphasis_and_links() -> None:
    markdown = "**`model`** is [`gpt-5`](file:///a.md#L2)\n\n```text\na * b_c_d\n```\n"
    hover = to_hover(Hover(Span(0, 1), markdown), LineIndex("x"), Client())

    assert hover.contents == types.MarkupContent(
        types.MarkupKind.PlainText, "`model` is `gpt-5`\n\n```\na * b_c_d\n```\n"
    )


async def test_settings_that_an_editor_sends_unasked_apply(server: Server) -> None:
    settings = {"agentTemplates": {"severity": {"unknown-key": "hint"}}}
    handlers.did_change_configuration(server, types.DidChangeConfigurationParams(settings))

    options = options_at(
        server.session.workspace, server.session.workspace.host_paths.templates / "a.md"
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


def test_a_handler_that_fails_logs_the_exception_and_answers_nothing(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    assert guarded("no_such_handler")(server) is None
    assert "Traceback" in caplog.text


async def test_no_future_is_kept_for_a_handled_message() -> None:
    """One future for each keystroke would leak kilobytes at each keystroke."""
    server = create()
    document = {"uri": "file:///none.txt", "languageId": "text", "version": 1, "text": "a"}
    change = {"textDocument": {"uri": "file:///none.txt", "version": 2}}

    def send(method: str, **said: object) -> None:
        data = {"jsonrpc": "2.0", "method": method, **said}
        server.protocol.handle_message(server.protocol.structure_message(data))

    send("initialize", id=1, params={"capabilities": {}, "processId": None, "rootUri": None})
    send("textDocument/didOpen", params={"textDocument": document})
    for _ in range(10):
        send("textDocument/didChange", params={**change, "contentChanges": [{"text": "b"}]})
    # pygls provides no other way to see them.
    assert server.protocol._request_futures == {}  # noqa: SLF001


async def test_repeated_scans_do_not_restart_the_first(server: Server, tmp_path: Path) -> None:
    for number in range(100):
        (tmp_path / f"{number}/.codex/.agents").mkdir(parents=True)
    server.session.workspace = replace(server.session.workspace, roots=(tmp_path,))
    rescan(server)
    first, most = server.session.scan, 0
    while first in server.session.jobs:
        await asyncio.sleep(0.001)
        rescan(server)
        most = max(most, len(server.session.jobs))
    assert most == 1
    # One more scan follows, for changes since then.
    assert server.session.scan is not first
    await until(lambda: not is_scanning(server.session))
    assert len(server.session.folders) == 100
    assert server.session.next_scan is None
