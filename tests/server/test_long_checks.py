"""A check that takes long goes on in steps after each edit, and ends when the text changes."""

import asyncio
from collections.abc import Generator
from inspect import GEN_CLOSED, getgeneratorstate
from math import inf
from pathlib import Path
from typing import Any

from tests.effort import work
from tests.server.inside import Inside

_OPEN, _CHANGE = "textDocument/didOpen", "textDocument/didChange"
_PULL, _WATCHED = "textDocument/diagnostic", "workspace/didChangeWatchedFiles"
_REFRESH = "workspace/diagnostic/refresh"
_DELETED = 3
# Keys, and the letters that are written at some of their places instead.
_KEYS = ("permissionMode", "disallowedTools")
_SLIPS = tuple((at, letter) for at in range(1, 13) for letter in "bcfghjkqvwxyz")
# The share of the work for a text that a step of its check may take.
_PART = 3
_SHOWN = 100
_OUTDATED = -32801


def _text(tool: str) -> str:
    """A header with many faults, the last of which names `tool`."""
    slips = ((word[:at], letter, word[at + 1 :]) for word in _KEYS for at, letter in _SLIPS)
    keys = "".join(f"{start}{letter}{end}: x\n" for start, letter, end in slips)
    return f"---\nname: a\ndescription: d\ntools: {tool}\n{keys}---\nReview.\n{'x ' * 3000}\n"


class _Edited:
    """A server that works for no time at all on a check before it handles other messages."""

    def __init__(self, root: Path, capabilities: dict[str, Any] | None = None) -> None:
        self.path = root / ".claude/agents/a.md"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.server, self.version = Inside(root, capabilities), 1
        self.server.server.protocol.slice = 0
        text = _text("Grep0")
        item = {"uri": self.uri, "languageId": "markdown", "version": 1, "text": text}
        self.server.tell(_OPEN, {"textDocument": item})

    @property
    def uri(self) -> str:
        return self.path.as_uri()

    def edit(self, text: str) -> None:
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        self.server.tell(_CHANGE, {"textDocument": document, "contentChanges": [{"text": text}]})

    def step(self) -> int:
        """The work for the next step in the background."""
        jobs = self.server.server.session.jobs
        spent = work(lambda: next(jobs[0], None))
        if isinstance(jobs[0], Generator) and getgeneratorstate(jobs[0]) is GEN_CLOSED:
            jobs.popleft()
        return spent

    async def answer(self, number: int) -> Any:
        """The answer to a request, once it is there."""
        for _ in iter(lambda: number in self.server.answers, True):
            await asyncio.sleep(0)
        return self.server.answers[number]

    @property
    def published(self) -> int | None:
        version: int | None = self.server.published[self.uri]["version"]
        return version


async def test_a_long_check_is_done_in_steps_and_finds_the_same(root: Path) -> None:
    it = _Edited(root)
    await it.server.rest()
    it.edit(_text("Grep1"))
    assert it.published == 1
    steps = list[int]()
    while it.published == 1:
        steps.append(it.step())
    it.server.server.protocol.slice = inf
    whole = work(lambda: it.edit(_text("Grep2")))
    # The last step sends what was found.
    assert max(steps[:-1]) < whole / _PART
    assert it.published == it.version
    in_steps = it.server.found()
    it.server.server.protocol.slice = 0
    it.edit(_text("Grep1"))
    await it.server.rest()
    assert len(it.server.found()[it.uri]) == len(in_steps[it.uri])
    other = Inside(root)
    item = {"uri": it.uri, "languageId": "markdown", "version": 1, "text": _text("Grep1")}
    other.tell(_OPEN, {"textDocument": item})
    await other.rest()
    assert it.server.found() == other.found()
    assert it.server.logged == []


async def test_a_newer_edit_takes_the_place_of_a_check_that_is_not_done(root: Path) -> None:
    it = _Edited(root)
    await it.server.rest()
    session = it.server.server.session
    for number in range(20):
        it.edit(_text(f"Grep{number + 1}"))
        it.step()
        assert len(session.jobs) == 1
    before = len(it.server.order)
    await it.server.rest()
    assert len(it.server.order) == before + 1
    assert it.published == it.version
    assert session.typed == {}


async def test_a_check_begins_again_if_another_file_changes_meanwhile(root: Path) -> None:
    it = _Edited(root)
    lead = it.path.with_name("lead.md")
    it.edit(_text("Agent(lead)"))
    await it.server.rest()
    assert any("`lead`" in str(one[1]) for one in it.server.found()[it.uri])
    it.edit(_text("Agent(lead)") + "\n")
    it.step()
    text = "---\nname: lead\ndescription: d\n---\nb\n"
    item = {"uri": lead.as_uri(), "languageId": "markdown", "version": 1, "text": text}
    it.server.tell(_OPEN, {"textDocument": item})
    await it.server.rest()
    assert not any("`lead`" in str(one[1]) for one in it.server.found()[it.uri])


async def test_diagnostics_that_the_client_requests_are_found_in_steps(root: Path) -> None:
    able = {
        "textDocument": {"diagnostic": {}},
        "workspace": {"diagnostics": {"refreshSupport": True}},
    }
    it = _Edited(root, able)
    await it.server.rest()
    key = it.server.begin(_PULL, {"textDocument": {"uri": it.uri}})
    assert key not in it.server.answers
    it.edit(_text("Grep1"))
    assert (await it.answer(key))["code"] == _OUTDATED
    key = it.server.begin(_PULL, {"textDocument": {"uri": it.uri}})
    in_steps = (await it.answer(key))["items"]
    it.server.server.protocol.slice = inf
    assert it.server.ask(_PULL, {"textDocument": {"uri": it.uri}})["items"] == in_steps
    assert len(in_steps) > _SHOWN


async def test_a_client_that_has_its_answer_is_told_of_a_change_before_the_check_ends(
    root: Path,
) -> None:
    able = {
        "textDocument": {"diagnostic": {}},
        "workspace": {
            "diagnostics": {"refreshSupport": True},
            "didChangeWatchedFiles": {"dynamicRegistration": True},
        },
    }
    it = _Edited(root, able)
    lead, about = it.path.with_name("lead.md"), {"textDocument": {"uri": it.uri}}
    lead.write_text("---\nname: lead\ndescription: d\n---\nb\n")
    await it.server.rest()
    it.server.requests.clear()
    it.edit(_text("Agent(lead)"))
    it.server.server.protocol.slice = inf
    first = it.server.ask(_PULL, about)["items"]
    assert it.server.server.session.typed
    lead.unlink()
    it.server.tell(_WATCHED, {"changes": [{"uri": lead.as_uri(), "type": _DELETED}]})
    assert _REFRESH not in it.server.requests
    await it.server.rest()
    assert _REFRESH in it.server.requests
    assert len(it.server.ask(_PULL, about)["items"]) == len(first) + 1
