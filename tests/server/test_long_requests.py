"""A long request is answered in slices, ends when nobody waits for it, and has a limit."""

import asyncio
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from agent_lsp.server.requests.structure import workspace_symbol
from tests.effort import work
from tests.server.inside import Inside

_CANCELLED, _OUTDATED, _REFUSED = -32800, -32801, -32803
_CAPABILITIES = {
    "textDocument": {
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source"]}}
        }
    }
}


def _keys(count: int) -> str:
    keys = "".join(f"colo{number}: x\n" for number in range(count))
    return f"---\nname: a\ndescription: d\n{keys}---\nb\n"


class _Editor:
    """An editor that asks for the code actions of one file, of which all is selected."""

    def __init__(self, root: Path, text: str) -> None:
        self.server = Inside(root, _CAPABILITIES)
        self.uri = (root / ".claude/agents/a.md").as_uri()
        item = {"uri": self.uri, "languageId": "markdown", "version": 1, "text": text}
        self.server.tell("textDocument/didOpen", {"textDocument": item})

    def type(self, text: str, version: int = 2) -> None:
        document = {"uri": self.uri, "version": version}
        changes = [{"text": text}]
        self.server.tell(
            "textDocument/didChange", {"textDocument": document, "contentChanges": changes}
        )

    def begin(self, trigger: int = 1) -> int:
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 0}}
        params = {
            "textDocument": {"uri": self.uri},
            "range": everything,
            "context": {"diagnostics": [], "triggerKind": trigger},
        }
        return self.server.begin("textDocument/codeAction", params)

    async def answer(self, number: int) -> Any:
        for _ in iter(lambda: number in self.server.answers, True):
            await asyncio.sleep(0)
        return self.server.answers[number]


async def test_a_request_in_slices_has_the_answer_of_one_at_once(tmp_path: Path) -> None:
    it = _Editor(tmp_path, _keys(3))
    at_once = await it.answer(it.begin())
    assert len(at_once) > 3
    it.server.server.protocol.slice = 0
    number = it.begin()
    assert number not in it.server.answers
    assert await it.answer(number) == at_once


async def test_an_edit_ends_a_request_about_the_text_before(tmp_path: Path) -> None:
    it = _Editor(tmp_path, _keys(3))
    it.server.server.protocol.slice = 0
    number = it.begin()
    await asyncio.sleep(0)
    it.type(_keys(2))
    # The edit has not waited for the request.
    assert number not in it.server.answers
    assert it.server.published[it.uri]["version"] == 2
    assert (await it.answer(number))["code"] == _OUTDATED
    assert len(await it.answer(it.begin())) > 2
    assert it.server.logged == []


async def test_a_request_can_be_cancelled(tmp_path: Path) -> None:
    it = _Editor(tmp_path, _keys(3))
    it.server.server.protocol.slice = 0
    number = it.begin()
    await asyncio.sleep(0)
    it.server.tell("$/cancelRequest", {"id": number})
    assert (await it.answer(number))["code"] == _CANCELLED
    assert it.server.logged == []


@pytest.mark.parametrize(("trigger", "is_shown"), [(1, True), (2, False)])
async def test_a_request_that_reaches_its_limit_says_so_once(
    trigger: int, is_shown: bool, tmp_path: Path
) -> None:
    it = _Editor(tmp_path, _keys(400))
    await it.server.rest()
    for _ in range(2):
        await it.answer(it.begin(trigger))
    said = [text for text in (*it.server.shown, *it.server.logged) if "a.md: trying all" in text]
    assert len(said) == 1
    assert (said == it.server.shown) is is_shown
    it.type(_keys(2))
    await it.answer(it.begin(trigger))
    assert len(it.server.shown) == is_shown


async def test_a_file_is_divided_into_lines_once_for_all_its_symbols(tmp_path: Path) -> None:
    agent = tmp_path / ".codex/.agents/a.md"
    agent.parent.mkdir(parents=True)
    named = "".join(f"  - name: p{one}\n    description: x\n" for one in range(50))
    header = f"---\ndescription: d\nagent_names:\n{named}---\n"
    agent.write_text(header)
    server = Inside(tmp_path)
    await server.rest()

    def ask() -> Any:
        return server.ask("workspace/symbol", {"query": "p"})

    few, lines = _work_again(ask), 1000
    agent.write_text(header + "b\n" * lines)
    event = {"uri": agent.as_uri(), "type": 2}
    server.tell("workspace/didChangeWatchedFiles", {"changes": [event]})
    assert _work_again(ask) - few < 10 * lines


class _Search:
    """An editor that searches the names of all files, while a letter is typed in one of them."""

    def __init__(self, root: Path) -> None:
        self.folder = root / ".claude/agents"
        self.folder.mkdir(parents=True)
        for number in range(20):
            text = f"---\nname: one-{number}\ndescription: d\n---\nb\n"
            (self.folder / f"one-{number}.md").write_text(text)
        self.server = Inside(root)

    def begin(self) -> int:
        return self.server.begin("workspace/symbol", {"query": "one"})

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.write_text(text)
        event = {"uri": path.as_uri(), "type": 2}
        self.server.tell("workspace/didChangeWatchedFiles", {"changes": [event]})

    async def answer(self, number: int) -> Any:
        for _ in iter(lambda: number in self.server.answers, True):
            await asyncio.sleep(0)
        return self.server.answers[number]


async def test_a_search_in_slices_has_the_answer_of_one_at_once(tmp_path: Path) -> None:
    it = _Search(tmp_path)
    await it.server.rest()
    at_once = await it.answer(it.begin())
    assert len(at_once) == 20
    it.server.server.protocol.slice = 0
    number = it.begin()
    assert number not in it.server.answers
    assert await it.answer(number) == at_once
    # Also if nothing is read any more.
    it.server.tell("workspace/didChangeWatchedFiles", {"changes": []})
    assert await it.answer(it.begin()) == at_once


async def test_a_search_can_be_cancelled(tmp_path: Path) -> None:
    it = _Search(tmp_path)
    await it.server.rest()
    it.server.server.protocol.slice = 0
    number = it.begin()
    await asyncio.sleep(0)
    it.server.tell("$/cancelRequest", {"id": number})
    assert (await it.answer(number))["code"] == _CANCELLED
    assert it.server.logged == []


@pytest.mark.parametrize("steps", [1, 10, 30, 50])
async def test_a_change_in_the_middle_of_a_search_counts(steps: int, tmp_path: Path) -> None:
    it = _Search(tmp_path)
    await it.server.rest()
    search = workspace_symbol(it.server.server, types.WorkspaceSymbolParams("one"))
    for _ in range(steps):
        assert not search.is_done(0)
    it.write("one-3.md", "---\ndescription: d\nmodel: inherit\nname: one-longer\n---\nb\n")
    it.write("one-4.md", "---\n")
    assert search.is_done(inf)
    found = _places(search.answer)
    again = workspace_symbol(it.server.server, types.WorkspaceSymbolParams("one"))
    assert again.is_done(inf)
    assert found == _places(again.answer)
    assert found["one-longer"].start.line == 3
    assert not {"one-3", "one-4"} & found.keys()


def _places(answer: object) -> dict[str, types.Range]:
    assert isinstance(answer, list)
    return {one.name: one.location.range for one in answer}


def _work_again(ask: Callable[[], Any]) -> int:
    """The work for a request whose files are read already."""
    assert len(ask()) > 50
    return work(ask)


class _Started:
    """An editor that opens a file and asks about a name before the workspace is searched."""

    def __init__(self, root: Path, place: str = ".claude/agents") -> None:
        folder = root / place
        folder.mkdir(parents=True)
        head = "---\nname: {}\ndescription: d\n---\n"
        for name, text in (("lead", "Delegate to `other`.\n"), ("other", "Work.\n")):
            (folder / f"{name}.md").write_text(head.format(name) + text)
        self.lead, self.other = ((folder / f"{name}.md").as_uri() for name in ("lead", "other"))
        self.server = Inside(root)
        text = (folder / "lead.md").read_text()
        item = {"uri": self.lead, "languageId": "markdown", "version": 1, "text": text}
        self.server.tell("textDocument/didOpen", {"textDocument": item})
        mention = {"line": 4, "character": len("Delegate to `o")}
        self.params: dict[str, dict[str, Any]] = {
            "textDocument/references": {
                "textDocument": {"uri": self.lead},
                "position": mention,
                "context": {"includeDeclaration": True},
            },
            "textDocument/rename": {
                "textDocument": {"uri": self.lead},
                "position": mention,
                "newName": "fresh",
            },
            "callHierarchy/incomingCalls": {
                "item": {
                    "name": "other",
                    "kind": 5,
                    "uri": self.other,
                    "range": {"start": mention, "end": mention},
                    "selectionRange": {"start": mention, "end": mention},
                }
            },
            "workspace/symbol": {"query": "lead"},
            "workspace/willRenameFiles": {
                "files": [
                    {"oldUri": self.other, "newUri": self.other.replace("other.md", "fresh.md")}
                ]
            },
        }


@pytest.mark.parametrize("pace", [0, 1])
@pytest.mark.parametrize(
    ("method", "place"),
    [
        ("textDocument/references", ".claude/agents"),
        ("textDocument/rename", ".claude/agents"),
        ("callHierarchy/incomingCalls", ".claude/agents"),
        ("workspace/symbol", ".claude/agents"),
        # There the file's name is the agent's.
        ("workspace/willRenameFiles", ".codex/.agents"),
    ],
)
async def test_an_answer_about_all_files_waits_for_their_search(
    method: str, place: str, pace: float, tmp_path: Path
) -> None:
    it = _Started(tmp_path, place)
    it.server.server.protocol.slice = pace
    number = it.server.begin(method, it.params[method])
    for _ in iter(lambda: number in it.server.answers, True):
        await asyncio.sleep(0)
    await it.server.rest()
    it.server.server.protocol.slice = inf
    assert it.lead in str(it.server.answers[number])
    assert it.server.answers[number] == it.server.ask(method, it.params[method])
    assert it.server.logged == []


async def test_a_refusal_after_the_search_is_an_answer(tmp_path: Path) -> None:
    it = _Started(tmp_path)
    params = {**it.params["textDocument/rename"], "newName": "lead"}
    answer = it.server.ask("textDocument/rename", params)
    assert answer["code"] == _REFUSED
    assert it.server.logged == []
