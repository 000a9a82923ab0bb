"""Many changes in a short time: those that wait are taken in together, so the work is bounded."""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from inspect import GEN_CLOSED, getgeneratorstate
from math import inf
from pathlib import Path
from typing import Any

import pytest

from agent_lsp.server.session import Placed, Session
from agent_lsp.server.sync import publish
from agent_lsp.server.sync.scan import rescan
from tests.effort import work
from tests.server.inside import Inside

_WATCHED, _OPEN = "workspace/didChangeWatchedFiles", "textDocument/didOpen"
_CHANGE, _SYMBOLS = "textDocument/didChange", "workspace/symbol"
_PULL = "workspace/diagnostic"
_WRITTEN = 2
# The line of the tools of an agent.
_TOOLS = 3


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Counter[Path]:
    """How often each file was checked."""
    counts, current = Counter[Path](), publish.current

    def counted(session: Session, path: Path, placed: Placed | None = None) -> object:
        counts[path] += 1
        return current(session, path, placed)

    monkeypatch.setattr(publish, "current", counted)
    return counts


class _Workspace:
    """A server with `many` closed agents, and an open one that two closed ones name."""

    def __init__(self, root: Path, many: int, able: Mapping[str, object] | None = None) -> None:
        folder = root / ".claude/agents"
        folder.mkdir(parents=True)
        self.closed = [folder / f"a-{number}.md" for number in range(100, 100 + many)]
        self.opened = folder / "lead.md"
        self.version = 1
        self.check_out("Look.")
        self.server = Inside(root, able)
        self.session.fresh_until = inf
        text = _agent("lead", "Look.")
        item = {"uri": self.opened.as_uri(), "languageId": "markdown", "version": 1, "text": text}
        self.server.tell(_OPEN, {"textDocument": item})

    @property
    def session(self) -> Session:
        return self.server.server.session

    def check_out(self, line: str) -> None:
        for path in self.closed:
            path.write_text(_agent(path.stem, line, "Agent(boss)"))

    def report(self, paths: Iterable[Path]) -> None:
        changes = [{"uri": path.as_uri(), "type": _WRITTEN} for path in paths]
        self.server.tell(_WATCHED, {"changes": changes})

    def pulled(self) -> list[Any]:
        """The diagnostics of all files, as a client requests them."""
        items: list[Any] = self.server.ask(_PULL, {"previousResultIds": []})["items"]
        return items

    def rename(self, name: str) -> None:
        """Edits the name in the open file."""
        self.version += 1
        document = {"uri": self.opened.as_uri(), "version": self.version}
        changes = [{"text": _agent(name, "Look.")}]
        self.server.tell(_CHANGE, {"textDocument": document, "contentChanges": changes})

    def steps(self) -> Iterator[int]:
        """Runs the background work; after each step, how many jobs are in the queue."""
        jobs = self.session.jobs
        while jobs:
            next(jobs[0], None)
            if isinstance(jobs[0], Generator) and getgeneratorstate(jobs[0]) is GEN_CLOSED:
                jobs.popleft()
            yield len(jobs)


def _agent(name: str, line: str, tools: str = "Read") -> str:
    return f"---\nname: {name}\ndescription: d\ntools: {tools}\n---\n{line}\n"


async def test_edits_of_a_name_during_a_checkout_are_one_recheck(
    root: Path, checked: Counter[Path]
) -> None:
    many, steps = 40, []
    for edits in (1, 20):
        it = _Workspace(root / str(edits), many)
        await it.server.rest()
        it.check_out("Go.")
        it.report(it.closed[:1])
        checked.clear()
        for number in range(edits):
            it.rename(f"name-{number}")
        steps.append(sum(1 for _ in it.steps()))
        # Once because it could have one of the names, and once as all files of its system.
        assert max(checked[path] for path in it.closed) <= 2
        await it.server.rest()
    assert steps[1] == steps[0]


@pytest.mark.parametrize("every", [1, 7, 50])
async def test_however_fast_edits_come_the_queue_stays_short_and_the_last_name_counts(
    root: Path, every: int, checked: Counter[Path]
) -> None:
    it = _Workspace(root, 120)
    await it.server.rest()
    assert {one[0] for one in it.server.found()[it.closed[0].as_uri()]} == {"unknown-agent"}
    it.check_out("Go.")
    it.report(it.closed)
    most, edits = 0, 0
    for number, waiting in enumerate(it.steps()):
        most = max(most, waiting)
        if number % every == 0 and edits < 20:
            edits += 1
            it.rename("boss" if edits == 20 else f"name-{edits}")
            checked.clear()
    # The scan; the check of the files with a name that is running, and the next one; the same for
    # all files of a system.
    assert most <= 5
    # After the last edit, each file is checked for each of these reasons at most.
    assert max(checked[path] for path in it.closed) <= 3
    assert it.server.found() == {}
    await it.server.rest()


async def test_a_checkout_that_is_reported_file_by_file_is_taken_in_together(
    root: Path, checked: Counter[Path]
) -> None:
    found = list[int]()
    for many in (110, 220):
        it = _Workspace(root / str(many), many)
        await it.server.rest()
        it.check_out("Go.")
        checked.clear()

        def all_of_it(it: _Workspace = it) -> None:
            for path in it.closed:
                it.report([path])
            for _ in it.steps():
                pass

        found.append(work(all_of_it))
        # The first ones are taken in at once, and again with their folder.
        assert max(checked.values()) <= 2
        await it.server.rest()
    assert found[1] < 2.2 * found[0]


async def test_a_request_has_what_was_reported_before_it(root: Path) -> None:
    it = _Workspace(root, 20)
    await it.server.rest()

    def named(word: str) -> list[str]:
        return [one["name"] for one in it.server.ask(_SYMBOLS, {"query": word})]

    assert named("other") == []
    for number, path in enumerate(it.closed):
        path.write_text(_agent(f"other-{number}", "Look."))
        it.report([path])
    assert it.session.disk_changes
    assert len(named("other")) == len(it.closed)
    await it.server.rest()


async def test_a_request_has_what_the_server_has_begun_to_take_in(root: Path) -> None:
    it = _Workspace(root, 40)
    await it.server.rest()
    for number, path in enumerate(it.closed):
        path.write_text(_agent(f"other-{number}", "Look."))
        it.report([path])
    steps = it.steps()
    while it.session.disk_changes:
        next(steps)
    found = it.server.ask(_SYMBOLS, {"query": "other"})
    assert len(found) == len(it.closed)
    await it.server.rest()
    assert it.session.in_hand == {}


async def test_the_diagnostics_of_a_closed_file_are_about_what_was_reported(root: Path) -> None:
    able = {
        "textDocument": {"diagnostic": {}},
        "workspace": {
            "diagnostics": {"refreshSupport": True},
            "didChangeWatchedFiles": {"dynamicRegistration": True},
        },
    }
    it = _Workspace(root, 120, able)
    await it.server.rest()
    path = it.closed[0]

    def told() -> list[int]:
        (one,) = (each for each in it.pulled() if each["uri"] == path.as_uri())
        return [each["range"]["start"]["line"] for each in one["items"]]

    assert told() == [_TOOLS]
    # A change of few files is taken in at once, and that of many by a scan.
    for lines, reported in enumerate((it.closed[:1], it.closed), 1):
        path.write_text("---\n" + "\n" * lines + _agent(path.stem, "Go.", "Agent(boss)")[4:])
        it.report(reported)
        for _ in it.steps():
            if not it.session.disk_changes and not it.session.in_hand:
                break
        assert told() == [_TOOLS + lines]
    await it.server.rest()
    assert it.session.outdated == set()


async def test_a_file_that_changes_twice_before_it_is_looked_at_leaves_no_finding(
    root: Path,
) -> None:
    """An open file sees what is on the disk in between, because its text is read anew."""
    it = _Workspace(root, 20)
    await it.server.rest()
    boss = it.closed[0].with_name("boss.md")
    boss.write_text(_agent("boss", "Look."))
    it.report([boss])
    await it.server.rest()
    assert it.server.found() == {}
    boss.write_text(_agent("chief", "Look."))
    for path in it.closed[1:]:
        it.report([path])
    it.report([boss])
    assert it.session.disk_changes
    it.session.files.refresh()
    publish.publish(it.server.server, it.closed[2])
    assert it.server.found()
    boss.write_text(_agent("boss", "Look."))
    it.report([boss])
    await it.server.rest()
    assert it.server.found() == {}


async def test_a_search_that_is_asked_for_while_a_scan_waits_is_made(root: Path) -> None:
    it = _Workspace(root, 5)
    await it.server.rest()
    added = root / "sub/.claude/agents/new.md"
    added.parent.mkdir(parents=True)
    added.write_text(_agent("new", "Look.", "Agent(boss)"))
    rescan(it.server.server, is_search=False)
    rescan(it.server.server)
    await it.server.rest()
    assert added.as_uri() in it.server.found()
