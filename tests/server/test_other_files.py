"""Findings that depend on other files follow them: an old server has the findings of a new one."""

import asyncio
import shutil
from collections.abc import Generator, Iterator
from functools import partial
from inspect import GEN_CLOSED, getgeneratorstate
from itertools import count
from math import inf
from pathlib import Path

import pytest

from agent_lsp.server.sync.jobs import later
from tests.checks.pages import Example, examples
from tests.effort import EFFORT, fifth, work, work_of
from tests.server.inside import Inside
from tests.systems import CODES

_WATCHED, _OPEN = "workspace/didChangeWatchedFiles", "textDocument/didOpen"
_CHANGE, _CLOSE = "textDocument/didChange", "textDocument/didClose"
_WRITTEN, _DELETED = 2, 3
_SHIPPED = Path(__file__).parents[2] / "examples"


def _of_several() -> Iterator[Example]:
    """The examples of the rules with more than one file in the workspace."""
    for code in CODES:
        for one in examples(code):
            if len(one.files) > 1 and not any(name.startswith("~") for name in one.files):
                yield one


def _shipped() -> Iterator[Example]:
    """The examples that the product ships, which have many files."""
    for folder in sorted(path for path in _SHIPPED.iterdir() if path.name != "faults"):
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        texts = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files}
        yield Example(folder.name, 0, texts, [])


def _others(text: str) -> Iterator[str]:
    """Texts that define nothing, another name, or another header than `text`."""
    yield ""
    if EFFORT == 0:
        return
    yield text.replace("name", "nome", 1).replace("generation", "x")
    yield text.replace("---", "--", 1).replace("mode", "mod")


class _Compared:
    """A server that has seen every change, beside new ones."""

    def __init__(self, root: Path) -> None:
        self.root, self.server = root, Inside(root)
        self.wrong: list[str] = []
        # What a new server says about files on the disk, by these and by what is open.
        self.expected: dict[object, dict[str, list[tuple[object, ...]]]] = {}

    async def compare(self, what: str, path: Path, text: str | None = None) -> None:
        """Compares the findings; `text` is what the editor has for `path`."""
        await self.server.rest()
        old, expected = self.server.found(), await self._expected(path, text)
        for uri in sorted({*old, *expected}):
            if sorted(old.get(uri, [])) != sorted(expected.get(uri, [])):
                place = f"{path.relative_to(self.root)} {what}"
                self.wrong.append(f"{place}: {uri}: {old.get(uri)}, and not {expected.get(uri)}")

    async def _expected(self, path: Path, text: str | None) -> dict[str, list[tuple[object, ...]]]:
        state = (path if text is not None else None, text, *_texts(self.root))
        if state not in self.expected:
            new = Inside(self.root)
            if text is not None:
                _open(new, path, text)
            await new.rest()
            self.expected[state] = new.found()
        return self.expected[state]

    async def on_disk(self, what: str, path: Path, text: str | None) -> None:
        _put(path, text)
        kind = _DELETED if text is None else _WRITTEN
        self.server.tell(_WATCHED, {"changes": [{"uri": path.as_uri(), "type": kind}]})
        await self.compare(what, path)


def _put(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink()
    else:
        path.write_bytes(text.encode("utf-8", "surrogateescape"))


def _texts(root: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(root.rglob("*")):
        if path.is_file():
            yield str(path), path.read_bytes()


def _open(server: Inside, path: Path, text: str) -> None:
    item = {"uri": path.as_uri(), "languageId": "markdown", "version": 1, "text": text}
    server.tell(_OPEN, {"textDocument": item})


_MORE = [pytest.param(*one.values, marks=pytest.mark.hostile) for one in fifth(_shipped())]


@pytest.mark.parametrize("one", [*fifth(_of_several()), *(_MORE if EFFORT else ())])
async def test_a_file_that_changes_leaves_no_outdated_finding(one: Example, root: Path) -> None:
    for name, text in one.files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        _put(root / name, text)
    it = _Compared(root)
    await it.server.rest()
    for name, text in one.files.items():
        path = root / name
        await it.on_disk("is deleted", path, None)
        await it.on_disk("comes back", path, text)
        for other in _others(text):
            await it.on_disk("is rewritten", path, other)
        await it.on_disk("is as before", path, text)
        read = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        _open(it.server, path, read)
        document: dict[str, object] = {"uri": path.as_uri()}
        for version, other in enumerate((*_others(read), read), start=2):
            changed = {**document, "version": version}
            changes = [{"text": other}]
            it.server.tell(_CHANGE, {"textDocument": changed, "contentChanges": changes})
            await it.compare("is edited", path, other)
        it.server.tell(_CLOSE, {"textDocument": document})
        await it.compare("is closed", path)
    assert it.wrong == []
    assert it.server.logged == []


async def test_a_value_in_one_file_of_an_agent_counts_for_its_other_files(root: Path) -> None:
    tables, agent = root / "opencode.json", root / ".opencode/agents/main.md"
    agent.parent.mkdir(parents=True)
    _put(tables, '{"agent": {"main": {"mode": "all", "permission": {"task": "allow"}}}}\n')
    _put(agent, "---\ndescription: Leads all the others.\nmode: all\n---\nLead.\n")
    it = _Compared(root)
    await it.server.rest()
    _open(it.server, agent, agent.read_text(encoding="utf-8"))
    changed: dict[str, object] = {"uri": agent.as_uri()}
    for version, mode in enumerate(("subagent", "primary", "subagent"), start=2):
        text = f"---\ndescription: Leads all the others.\nmode: {mode}\n---\nLead.\n"
        changes = [{"text": text}]
        changed["version"] = version
        it.server.tell(_CHANGE, {"textDocument": changed, "contentChanges": changes})
        await it.compare(f"has the mode {mode}", agent, text)
        codes = [one[0] for one in it.server.found().get(tables.as_uri(), [])]
        assert ("futile-delegation" in codes) is (mode == "subagent")
    assert it.wrong == []


async def test_a_program_whose_only_folder_is_in_the_editor_counts_while_it_is_open(
    root: Path,
) -> None:
    shared, only = root / ".codex/agents/a.md", root / ".cursor/agents/b.md"
    shared.parent.mkdir(parents=True)
    _put(shared, "---\ndescription: Reviews.\nhidden: true\n---\nReview.\n")
    it = _Compared(root)
    await it.server.rest()
    alone = it.server.found()
    _open(it.server, only, "---\nname: b\n---\nReview.\n")
    await it.compare("is opened", only, "---\nname: b\n---\nReview.\n")
    assert it.server.found()[shared.as_uri()] != alone[shared.as_uri()]
    it.server.tell(_CLOSE, {"textDocument": {"uri": only.as_uri()}})
    await it.compare("is closed", only)
    assert it.wrong == []


async def test_a_folder_of_agents_that_goes_takes_its_findings_along(root: Path) -> None:
    shutil.copytree(_SHIPPED / "library", root, dirs_exist_ok=True)
    it = _Compared(root)
    await it.server.rest()
    folder = root / ".moltis"
    shutil.rmtree(folder)
    it.server.tell(_WATCHED, {"changes": [{"uri": folder.as_uri(), "type": _DELETED}]})
    await it.compare("goes", folder)
    assert it.wrong == []


async def test_a_configuration_that_goes_takes_its_findings_along_from_beside_another_one(
    root: Path,
) -> None:
    """Without it, its folder is one of the other system alone."""
    presets, agent = root / "moltis.toml", root / ".moltis/agents/a.md"
    agent.parent.mkdir(parents=True)
    older = '[agents]\ndefault = "a"\n\n[agents.presets.a]\nmodel = "x"\n'
    _put(presets, older)
    _put(agent, "---\nname: b\n---\nReview.\n")
    _put(root / "opencode.json", '{"agent": {"a": {"description": "d"}}}\n')
    it = _Compared(root)
    await it.server.rest()
    assert "other-generation" in {one[0] for one in it.server.found()[agent.as_uri()]}
    await it.on_disk("is deleted", presets, None)
    await it.on_disk("comes back", presets, older)
    # Both before anything is checked again.
    _put(presets, older.replace('"x"', '"y"'))
    it.server.tell(_WATCHED, {"changes": [{"uri": presets.as_uri(), "type": _WRITTEN}]})
    await it.on_disk("is deleted", presets, None)
    assert it.wrong == []


async def test_files_that_went_with_their_folder_are_noticed_beside_those_that_came_back(
    root: Path,
) -> None:
    folder = root / ".codex/.agents"
    folder.mkdir(parents=True)
    text = "---\ndescription: d\ntools: [a]\n---\nb\n"
    names = ("a.md", "b.md")
    for name in names:
        _put(folder / name, text)
    it = _Compared(root)
    await it.server.rest()
    assert len(it.server.found()) == len(names)
    shutil.rmtree(folder)
    folder.mkdir()
    # The client tells of this file alone.
    await it.on_disk("comes back", folder / "b.md", text)
    assert it.wrong == []


async def test_a_change_of_branch_checks_each_file_once_and_open_ones_first(root: Path) -> None:
    many = 50
    folder = root / ".claude/agents"
    folder.mkdir(parents=True)

    def checked_out(tool: str) -> None:
        for number in range(many):
            text = f"---\nname: a-{number}\ndescription: d\ntools: {tool}\n---\nAsk a-1.\n"
            (folder / f"a-{number}.md").write_text(text)

    checked_out("Read")
    it = Inside(root)
    await it.rest()
    opened = folder / f"a-{many - 1}.md"
    _open(it, opened, opened.read_text().replace(f"a-{many - 1}", "b"))
    await it.rest()
    it.order.clear()
    checked_out("Grap")
    names = [path.as_uri() for path in folder.iterdir()]
    it.tell(_WATCHED, {"changes": [{"uri": uri, "type": _WRITTEN} for uri in names]})
    await it.rest()
    assert sorted(it.order) == sorted({*names} - {opened.as_uri()})
    assert not it.logged


async def _work_for_a_checkout(root: Path, many: int, *, in_one: bool) -> tuple[int, int]:
    """The work for a checkout that changes `many` files, and for a fresh start with these files."""
    folders = [root / ("." if in_one else f"sub{number}") for number in range(many)]
    paths = [
        folder / f".claude/agents/a-{number}.md" for number, folder in enumerate(folders, start=100)
    ]

    def checked_out(text: str) -> None:
        for number, path in enumerate(paths, start=100):
            _put(
                path, f"---\nname: a-{number}\ndescription: d\ntools: Read\n---\nAsk a-100.\n{text}"
            )

    async def started() -> Inside:
        server = Inside(root)
        server.server.session.fresh_until = inf
        await server.rest()
        return server

    async def change() -> None:
        changes = [{"uri": path.as_uri(), "type": _WRITTEN} for path in paths]
        server.tell(_WATCHED, {"changes": changes})
        await server.rest()

    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
    checked_out("")
    server = await started()
    checked_out("Go.\n")
    return await work_of(change), await work_of(started)


@pytest.mark.hostile
async def test_a_checkout_takes_as_long_as_a_fresh_start_and_is_linear(root: Path) -> None:
    """Both without what loads the program; a checkout also has to read what the client reports."""
    await _work_for_a_checkout(root / "before", 101, in_one=True)
    checkout, fresh = await _work_for_a_checkout(root / "one", 120, in_one=True)
    assert checkout < 1.1 * fresh
    few, _ = await _work_for_a_checkout(root / "few", 110, in_one=False)
    more, _ = await _work_for_a_checkout(root / "more", 220, in_one=False)
    assert more < 2.1 * few


async def _work_during_a_checkout(root: Path, many: int) -> tuple[int, int, int]:
    """The most work during a checkout of `many` files: for an edit, for nine of ten, for a step.

    The message that reports the files is a step as well.
    """
    paths = [root / f".claude/agents/a-{number}.md" for number in range(100, 100 + many)]
    paths[0].parent.mkdir(parents=True)
    opened, edits, steps = paths[0].with_name("a-open.md"), list[int](), list[int]()

    def checked_out(line: str) -> None:
        for path in paths:
            _put(path, f"---\nname: {path.stem}\ndescription: d\n---\n{line}\n")

    def edit(version: int) -> None:
        document = {"uri": opened.as_uri(), "version": version}
        text = f"---\nname: a-open\ndescription: d\n---\nLook at {version}.\n"
        server.tell(_CHANGE, {"textDocument": document, "contentChanges": [{"text": text}]})

    checked_out("Look.")
    server = Inside(root)
    server.server.session.fresh_until = inf
    _open(server, opened, "---\nname: a-open\ndescription: d\n---\nLook.\n")
    await server.rest()
    checked_out("Go.")
    changes = [{"uri": path.as_uri(), "type": _WRITTEN} for path in paths]
    steps.append(work(partial(server.tell, _WATCHED, {"changes": changes})))
    jobs = server.server.session.jobs
    for number in count(2):
        if not jobs:
            break
        job = jobs[0]
        steps.append(work(partial(next, job, None)))
        if isinstance(job, Generator) and getgeneratorstate(job) is GEN_CLOSED:
            jobs.popleft()
        if number % 5 == 0:
            edits.append(work(partial(edit, number)))
    await server.rest()
    in_order = sorted(edits)
    return in_order[-1], in_order[-(len(edits) // 10)], max(steps)


@pytest.mark.hostile
async def test_an_edit_during_a_checkout_hardly_waits_for_the_other_files(root: Path) -> None:
    """One edit lists the folder anew, with some calls for each file; a look at each takes many."""
    await _work_during_a_checkout(root / "before", 110)
    few = await _work_during_a_checkout(root / "few", 110)
    more = await _work_during_a_checkout(root / "more", 220)
    edit, usual, step = (later - now for now, later in zip(few, more, strict=True))
    assert edit < 8 * 110
    # Behind other tests, which load other systems, it is some calls more for each file.
    assert usual < 3 * 110
    assert step < 3 * 110


async def test_a_message_is_handled_before_the_next_step_in_the_background(root: Path) -> None:
    server, done = Inside(root), list[int]()
    await server.rest()

    def job() -> Iterator[None]:
        for number in range(3):
            done.append(number)
            # As the thread that reads messages does.
            server.server.has_message = True
            yield

    later(server.server, job())
    for number in range(3):
        await asyncio.sleep(0.02)
        assert done == list(range(number + 1))
        server.server.has_message = False
    await server.rest()


async def test_changes_that_cancel_each_other_leave_no_finding(root: Path) -> None:
    agent, lead = root / ".claude/agents/reviewer.md", root / ".claude/agents/lead.md"
    agent.parent.mkdir(parents=True)
    there = "---\nname: reviewer\ndescription: d\n---\nb\n"
    text = "---\nname: lead\ndescription: d\ntools: Agent(reviewer)\n---\nb\n"
    _put(agent, there)
    it = _Compared(root)
    await it.server.rest()
    _open(it.server, lead, text)
    await it.server.rest()

    def changed(text: str) -> None:
        _put(agent, text)
        change = {"uri": agent.as_uri(), "type": _WRITTEN}
        it.server.tell(_WATCHED, {"changes": [change]})

    changed(there.replace("reviewer", "other"))
    document = {"uri": lead.as_uri(), "version": 2}
    it.server.tell(_CHANGE, {"textDocument": document, "contentChanges": [{"text": text + "c\n"}]})
    assert it.server.found()
    changed(there)
    await it.compare("is as before", lead, text + "c\n")
    assert it.wrong == []


@pytest.mark.parametrize("begun", [20, 170])
def test_the_scan_of_a_folder_that_was_removed_stops(begun: int, root: Path) -> None:
    for number in range(50):
        folder = root / f"sub{number}/.claude/agents"
        folder.mkdir(parents=True)
        _put(folder / "a.md", "---\nname: a\n---\n")

    async def steps_after(*, is_removed: bool) -> int:
        server = Inside(root)
        scan = server.server.session.scan
        assert scan is not None
        for _ in range(begun):
            next(scan)
        if is_removed:
            gone = {"uri": root.as_uri(), "name": "workspace"}
            event = {"added": [], "removed": [gone]}
            server.tell("workspace/didChangeWorkspaceFolders", {"event": event})
        count = sum(1 for _ in scan)
        await server.rest()
        assert server.found() == {} or not is_removed
        return count

    whole = asyncio.run(steps_after(is_removed=False))
    assert asyncio.run(steps_after(is_removed=True)) < whole / 4


async def test_a_manifest_that_only_the_editor_has_counts(root: Path) -> None:
    agent, manifest = root / "kit/agents/a.md", root / "kit/.claude-plugin/plugin.json"
    agent.parent.mkdir(parents=True)
    _put(agent, "---\nname: a\ndescription: d\ntools: Grap\n---\nb\n")
    it = _Compared(root)
    await it.server.rest()
    _open(it.server, manifest, '{"name": "kit"}')
    await it.compare("is opened", manifest, '{"name": "kit"}')
    assert agent.as_uri() in it.server.found()
    document = {"uri": manifest.as_uri(), "version": 2}
    it.server.tell(_CHANGE, {"textDocument": document, "contentChanges": [{"text": "{"}]})
    await it.compare("is edited", manifest, "{")
    assert it.wrong == []
