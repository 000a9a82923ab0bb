"""The work for a change and for a request grows with the size of a text, not with its square.

Each is tried in three sizes, each twice the one before. From the second to the third, the work
grows twice as much as from the first to the second; with the square, it would be four times. Work
is the number of function calls, so that the machine and its load do not matter; what a function of
C does within one call is not seen. `make test-hostile EFFORT=20` tries each unit in each system,
otherwise some of the units have one system each.

A request for actions tries its fixes, each of which reads the whole text again. So its work grows
with the square at most, until the budget for tries ends it.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from agent_lsp.decoders.rust import position
from agent_lsp.server.requests.code_actions import code_action
from agent_lsp.server.server import (
    AGENTS,
    BEGIN_AGENT,
    CONVERT,
    COPY_AGENT,
    DESCRIBE_SPAWN,
    DRAW_GRAPH,
    LIST_AGENTS,
    STATUS,
)
from agent_lsp.server.stepwise import Stepwise
from agent_lsp.server.transport import converter
from tests.effort import EFFORT, work
from tests.hostile.ask import PLACES
from tests.hostile.strict import CAPABILITIES
from tests.server.inside import Inside
from tests.server.test_any_message import REQUESTS

pytestmark = pytest.mark.hostile

_SIZES = (16, 32, 64)
_FEW = (5, 10, 20)
_MANY = (100, 200, 400)
# So many steps of an answer are looked at, which is more than those of several tries.
_STEPS = 1_000
# How long a step may be, in changes: half of one, more where a header is compared with itself after
# an edit of each line, and two where a step compares calls of an agent in both generations of
# OpenCode, or converts a file that is checked quickly.
_PART_OF_CHANGE = 0.5
_LONGEST = {"claude": 1, "kodacode": 0.8, "opencode": 2, "cursor": 2, "codex-subagents": 2}
_LONGEST |= {"opencode-config": 1}
# Nobody notices so many calls, some ten milliseconds, such as a conversion of a short file.
_SHORT = 50_000
# What is used for the first time is loaded, so these come before, and do not count.
_BEFORE = (4, 16)
_CHANGE, _ACTIONS = "a change", "textDocument/codeAction"
_OTHERS = tuple(method for method in REQUESTS if method != _ACTIONS)
# How many times the growth from the second to the third size is that from the first to the second.
_GROWTH = 2.6
# How many times the work for actions in one size is that in half of it.
_GROWTH_OF_ACTIONS = 4
# How many times the work for a command is that for a quarter of the text; with the square, it would
# be 16.
_GROWTH_OF_COMMANDS = 8
# What a request may do besides, such as to make a list longer than it was.
_SLACK = 300
_BY_DIALECT = {place.dialect: place for place in PLACES}
_HEADED = tuple(place.dialect for place in PLACES if place.name.endswith(".md"))
# What a prompt repeats: names, mentions, links, headings, markers, signs.
_PROMPTS = (
    *(
        "`reviewer` ",
        "Ask the `reviewer` agent.\n",
        "@agent-reviewer ",
        "@docs/a.md\n",
        "[a](b.md) ",
    ),
    *("# a\n", "a\n", "<!-- agent_name: a -->\n", 'spawn_agent(agent_type="a")\n', "{{a}} ", "$1 "),
    *("#tool:a ", "!`x` ", "\u202ea", "a\u0430 ", "```\n", "](", "<a>", "http://a.b "),
)
# What a header repeats, with a number in it: keys, sound and broken lines, and members of lists.
_ROWS = (
    *(("", row, "") for row in ("k{0}: x\n", "toolz{0}: x\n", "k{0}: 'x\n", "k{0}: a: b\n")),
    *(("", row, "") for row in ("k{0}: &a{0} [x, *a{0}]\n", "\tk{0}: x\n", "# k{0}\n", "k{0}\n")),
    ("tools: [", "Raed{0}, ", "x]\n"),
    ("tools: [", "mcp__a__b{0}, ", "x]\n"),
    ("tools:\n", "  t{0}: true\n", ""),
    ("allow_list: [", "exec{0}, ", "x]\n"),
    ("AllowTools: [", "raed{0}, ", "x]\n"),
    ("agent_names:\n", "  - {{name: p{0}, description: d}}\n", ""),
    ("handoffs:\n", "  - {{label: a, agent: b{0}, prompt: c}}\n", ""),
    ("hooks:\n  Stop:\n", "  - matcher: a{0}\n", ""),
    ("permission:\n  bash:\n", "    'git {0}*': ask\n", ""),
    ("skills: [", "a{0}, ", "x]\n"),
    ("mcpServers:\n", "  s{0}: {{command: x}}\n", ""),
    *(("", row, "") for row in ("k{0}: |\n  a\n\t\n", "k{0}: |\n  \ta\n")),
)
_TABLES = (
    ("moltis", "[agents.presets.a]\n", "k{0}: x\n", ""),
    ("moltis", "", "[agents.presets.p{0}]\nmodell = 'x'\n", ""),
    ("moltis", "[agents.presets.a]\ntools.allow = [", "'exce{0}', ", "'x']\n"),
    ("codex-agents", 'name = "a"\n', "k{0} = 1\n", ""),
    ("codex-config", "", "[agents.p{0}]\ndescription = 'x'\n", ""),
    ("codex-config", "", "[mcp_servers.p{0}]\ncommand = 'x'\n", ""),
    ("opencode-config", '{"agent": {', '"a{0}": {{"tools": {{"reed": true}}}}, ', '"z": {}}}'),
    ("vuhlp", "[template]\nconstraints = [", '"k{0}", ', "]\n\nx\n"),
)
# Faults that are alike, of which a header may have thousands, each with a system that finds them.
_FAULTS = (
    ("gemini", "tools:\n", "  - read_fil{0}\n", ""),
    ("claude", "", "k{0}: x\n", ""),
    ("claude", "", "name: k{0}\n", ""),
    ("claude", "", "# agent-template-lsp: ignore[unknown-key]\nnmae{0}: x\n", ""),
    ("qwen", "", "k{0}: x\n", ""),
    ("qwen", "hooks:\n", "  Stopp{0}: []\n", ""),
    ("claude", "hooks:\n  Stop:\n", "  - hooks:\n    - {{typ: command, b{0}: x}}\n", ""),
    ("gemini", "", "k{0}: x\n", ""),
    ("copilot", "", "k{0}: x\n", ""),
    ("copilot", "mcp-servers:\n", "  s{0}:\n    comand: x\n", ""),
    ("copilot", "handoffs:\n", "  - {{label: a, agentt: b{0}, prompt: c}}\n", ""),
    ("opencode", "tools:\n", "  raed{0}: true\n", ""),
    ("kodacode", "", "description: d{0}\n", ""),
    ("cursor", "skills:\n", "  - a{0}\n", ""),
    ("codex-templates", "agent_names:\n", "  - {{nmae: p{0}, description: d}}\n", ""),
    ("codex-subagents", "mcp_servers:\n", "  s{0}: {{commandd: x}}\n", ""),
    ("moltis-agents", "tools: [", "'exce', ", "x]\n"),
)
_FAULTY_TABLES = (("opencode-config", '{"agent": {', '"a{0}": {{"tols": {{}}}},\n', '"z": {}}}'),)
_Write = Callable[[int], str]


def _repeated(before: str, row: str, after: str) -> _Write:
    return lambda size: before + "".join(row.format(100 + one) for one in range(size)) + after


def _headed(before: str, row: str, after: str) -> _Write:
    return _repeated(f"---\nname: reviewer\ndescription: d\n{before}", row, f"{after}---\nb\n")


def _prompted(unit: str) -> _Write:
    return lambda size: "---\nname: reviewer\ndescription: d\n---\n" + unit * size


def _cases() -> Iterator[Any]:
    units = [(unit, _prompted(unit)) for unit in _PROMPTS]
    units += [(row[1], _headed(*row)) for row in _ROWS]
    for at, (what, write) in enumerate(units):
        chosen = _HEADED if EFFORT > 1 else (_HEADED[at % len(_HEADED)],)
        yield from (pytest.param(one, write, id=f"{one}-{what!r}") for one in chosen)
    for dialect, *row in _TABLES:
        yield pytest.param(dialect, _repeated(*row), id=f"{dialect}-{row[1]!r}")


def _some(every: int) -> list[Any]:
    """Each case, or with little effort one of `every`."""
    cases = list(_cases())
    # From here on, they include a list of agents in a table and hidden characters.
    return cases if EFFORT > 1 else cases[2::every]


def _faulty() -> list[Any]:
    """Each kind of faults, in its system or with much effort in each system."""
    rows = [(one, row) for row in _FAULTS for one in (_HEADED if EFFORT > 1 else row[:1])]
    faults = [pytest.param(one, _headed(*row[1:]), id=f"{one}-{row[2]!r}") for one, row in rows]
    for dialect, *row in _FAULTY_TABLES:
        faults.append(pytest.param(dialect, _repeated(*row), id=f"{dialect}-{row[1]!r}"))
    return [*faults, *_cases()] if EFFORT > 1 else faults


def _params(method: str, uri: str, line: int) -> dict[str, Any]:
    at = {"line": line, "character": 3}
    here = {"start": at, "end": at}
    context = {"diagnostics": [], "includeDeclaration": True}
    about: dict[str, Any] = {"textDocument": {"uri": uri}, "position": at, "positions": [at]}
    about |= {"context": context, "range": here}
    about["item"] = {"name": "a", "kind": 5, "uri": uri, "range": here, "selectionRange": here}
    about["files"] = [{"oldUri": uri, "newUri": uri.replace("reviewer", "other")}]
    return {key: about.get(key, value) for key, value in REQUESTS[method].items()}


async def _typed(dialect: str, text: str, root: Path) -> tuple[Inside, str, int]:
    """A server with `text` in a file, the URI of that, and the work for the change to it."""
    path = root / _BY_DIALECT[dialect].name
    path.parent.mkdir(parents=True)
    path.write_text("x\n", encoding="utf-8")
    server, uri = Inside(root, CAPABILITIES), path.as_uri()
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": "x\n"}
    server.tell("textDocument/didOpen", {"textDocument": item})
    await server.rest()
    # Otherwise, what nobody reports is looked at again whenever two seconds have passed.
    server.server.session.fresh_until = inf
    changed = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text}]}
    return server, uri, work(lambda: server.tell("textDocument/didChange", changed))


async def _work(
    dialect: str, text: str, root: Path, methods: Iterable[str] = _OTHERS
) -> dict[str, int]:
    """The work for the change that brings `text`, and for each request about it."""
    server, uri, change = await _typed(dialect, text, root)
    found = {_CHANGE: change}
    for method in methods:
        params = _params(method, uri, text.count("\n") // 2)
        found[method] = work(partial(server.begin, method, params))
    await server.rest()
    return found


async def _work_of_commands(dialect: str, text: str, root: Path) -> dict[str, int]:
    """The work for each command about a file with `text`, and for that about all agents."""
    server, uri, _ = await _typed(dialect, text, root)
    await server.rest()
    here: dict[str, object] = {"uri": uri}
    asked: dict[str, tuple[str, dict[str, object]]] = {
        "all agents": (AGENTS, {}),
        AGENTS: (AGENTS, here),
        BEGIN_AGENT: (BEGIN_AGENT, here),
        COPY_AGENT: (COPY_AGENT, {**here, "scope": "user"}),
        CONVERT: (CONVERT, {**here, "to": "copilot" if dialect == "claude" else "claude"}),
        DESCRIBE_SPAWN: (DESCRIBE_SPAWN, {**here, "call": {}}),
        DRAW_GRAPH: (DRAW_GRAPH, {**here, "dialect": dialect}),
        LIST_AGENTS: (LIST_AGENTS, {**here, "dialect": dialect, "format": "markdown"}),
        STATUS: (STATUS, here),
    }
    found = dict[str, int]()
    for name, (command, argument) in asked.items():
        params = {"command": command, "arguments": [argument]}
        # What the first one loads does not count.
        server.ask("workspace/executeCommand", params)
        found[name] = work(partial(server.ask, "workspace/executeCommand", params))
    return found


@pytest.mark.parametrize(("dialect", "write"), _some(5))
async def test_the_work_for_a_text_grows_with_its_size(
    dialect: str, write: _Write, tmp_path: Path
) -> None:
    _, _, small, middle, large = [
        await _work(dialect, write(size), tmp_path / str(at))
        for at, size in enumerate((*_BEFORE, *_SIZES))
    ]
    more = {
        method: (small[method], middle[method], large[method])
        for method in small
        # Many places of one kind are one finding, so the largest text may be the cheapest.
        if large[method] > small[method]
        and large[method] - middle[method]
        > _GROWTH * max(middle[method] - small[method], 0) + _SLACK
    }
    assert more == {}


@pytest.mark.parametrize(("dialect", "write"), _some(10))
async def test_the_work_for_actions_grows_with_the_square_at_most(
    dialect: str, write: _Write, tmp_path: Path
) -> None:
    _, _, *found = [
        (await _work(dialect, write(size), tmp_path / str(at), (_ACTIONS,)))[_ACTIONS]
        for at, size in enumerate((*_BEFORE, *_FEW))
    ]
    assert all(large < _GROWTH_OF_ACTIONS * small for small, large in pairwise(found)), found


@pytest.mark.parametrize(("dialect", "write"), _faulty())
async def test_the_work_for_a_command_grows_with_the_size_of_its_file(
    dialect: str, write: _Write, tmp_path: Path
) -> None:
    _, small, large = [
        await _work_of_commands(dialect, write(size), tmp_path / str(at))
        for at, size in enumerate((_BEFORE[0], _MANY[0], _MANY[-1]))
    ]
    # Above some size, what is read of a header is not kept, which is no growth.
    more = {
        command: (small[command], large[command])
        for command in small
        if large[command] > _GROWTH_OF_COMMANDS * small[command]
    }
    assert more == {}


def test_the_places_of_many_mistakes_are_found_in_one_reading_of_the_text() -> None:
    header, ends = "a\r\nb\nc\rd\u2028" * 500, ("\r\n", "\n", "\r", "\u2028")
    every = [0, *(one + 1 for one in range(len(header)) if header[: one + 1].endswith(ends))]
    found = list[tuple[int, int]]()
    calls = work(lambda: found.extend(position(header, at) for at in every))
    assert found[:7] == [(1, 1), (2, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1)]
    assert calls < 20 * len(every)


# What a check compares with all entries of a list makes a difference only in a long one.
@pytest.mark.parametrize(("dialect", "write"), _faulty())
async def test_a_change_of_a_long_text_takes_as_long_as_the_text_is(
    dialect: str, write: _Write, tmp_path: Path
) -> None:
    _, small, middle, large = [
        (await _work(dialect, write(size), tmp_path / str(at), ()))[_CHANGE]
        for at, size in enumerate((_BEFORE[0], *_MANY))
    ]
    assert large - middle <= _GROWTH * max(middle - small, 0) + _SLACK


@pytest.mark.parametrize(("dialect", "write"), _faulty())
async def test_an_edit_waits_for_a_part_of_a_check_and_not_for_the_actions(
    dialect: str, write: _Write, tmp_path: Path
) -> None:
    await _work(dialect, write(_BEFORE[0]), tmp_path / "before", (_ACTIONS,))
    server, uri, change = await _typed(dialect, write(_MANY[1]), tmp_path / "now")
    await server.rest()
    params = _params(_ACTIONS, uri, 0)
    params["range"] = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
    answer = code_action(server.server, converter().structure(params, types.CodeActionParams))
    assert isinstance(answer, Stepwise)
    steps = [work(partial(answer.is_done, 0)) for _ in range(_STEPS) if answer.answer is None]
    assert max(steps) < max(_SHORT, change * _LONGEST.get(dialect, _PART_OF_CHANGE))
