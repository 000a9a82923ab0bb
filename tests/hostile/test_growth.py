"""The work for a change and for a request grows with the size of a text, not with its square.

A text is tried in three sizes, each twice the one before. From the second to the third, the work
grows twice as much as from the first to the second; with the square, it would be four times.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.effort import fifth, work
from tests.hostile.ask import PLACES
from tests.hostile.strict import CAPABILITIES
from tests.server.inside import Inside
from tests.server.test_any_message import REQUESTS

_BY_DIALECT = {place.dialect: place for place in PLACES}
_PROMPTS = (
    *("[", "](", "@a", "@a ", "{{", "{{a}} ", "#tool:", "#tool:a ", "`a` ", "$1 ", "!`x` "),
    *("\u202ea", "a\u0430 ", "[a](b.md) ", "@docs/a.md\n", "# a\n", "<!-- agent_name: a -->\n"),
    *("Use the `tests` skill. ", "http://a.b ", "a ", "<a>", "```\n"),
)
# What a header repeats, with a number in it.
_ROWS = (
    *("k{0}: x\n", "colo{0}: x\n", "k{0}: &a{0} [x, *a{0}]\n", "k{0}: 'x\n", "k{0}: a: b\n"),
    *("\u202ek{0}: x\n", "k{0}:x\n", "\tk{0}: x\n", "k{0}\n", "# k{0}\n"),
)
_LISTS = (
    ("claude", "tools: [", "Raed{0}, ", "x]"),
    ("claude", "tools: [", "mcp__a__b{0}, ", "x]"),
    ("claude", "hooks:\n  Stop:\n", "  - matcher: a{0}\n", ""),
    ("copilot", "handoffs:\n", "- {{label: a, agent: b{0}, prompt: c}}\n", ""),
    ("copilot", "tools: [", "'edit{0}', ", "x]"),
    ("codex-templates", "allow_list: [", "exec{0}, ", "x]"),
    ("codex-templates", "agent_names:\n", "- {{name: p{0}, description: d}}\n", ""),
    ("opencode", "tools:\n", "  t{0}: true\n", ""),
    ("opencode", "permission:\n  bash:\n", "    'git {0}*': ask\n", ""),
)
_TABLES = (
    ("moltis", "[agents.presets.a]\n", "k{0}: x\n", ""),
    ("moltis", "[agents.presets.a]\n", "k{0} = word\n", ""),
    ("moltis", "", "[agents.presets.p{0}]\nmodell = 'x'\n", ""),
    ("opencode-config", '{"agent": {', '"a{0}": {{"tools": {{"reed": true}}}}, ', '"z": {}}}'),
    ("opencode-config", '{"a": ', "[", ""),
)
_EVERYTHING = {"start": {"line": 0, "character": 0}, "end": {"line": 99999, "character": 0}}
# What a request may do besides, such as to say in the log that it is refused.
_SLACK = 20_000

_Write = Callable[[int], str]


def _header(inner: str, prompt: str = "b\n") -> str:
    return f"---\nname: reviewer\ndescription: d\n{inner}---\n{prompt}"


def _cases() -> list[tuple[str, str, _Write]]:
    def prompt(unit: str) -> _Write:
        return lambda size: _header("", unit * size)

    def rows(before: str, row: str, after: str) -> _Write:
        return lambda size: before + "".join(row.format(one) for one in range(size)) + after

    def header(before: str, row: str, after: str) -> _Write:
        inner = rows(before, row, after)
        return lambda size: _header(f"{inner(size)}\n")

    found: list[tuple[str, str, _Write]] = []
    for at, unit in enumerate(_PROMPTS):
        dialect = ("claude", "copilot", "opencode", "codex-templates")[at % 4]
        found.append((dialect, f"a prompt of {unit!r}", prompt(unit)))
    for at, row in enumerate(_ROWS):
        dialect = ("claude", "codex-templates")[at % 2]
        found.append((dialect, f"a header of {row!r}", header("", row, "")))
    found += [(one[0], f"a list of {one[2]!r}", header(*one[1:])) for one in _LISTS]
    found += [(one[0], f"a table of {one[2]!r}", rows(*one[1:])) for one in _TABLES]
    return found


def _requests(uri: str, line: int) -> dict[str, dict[str, Any]]:
    document = {"textDocument": {"uri": uri}}
    at = {"line": line, "character": 3}
    found: dict[str, dict[str, Any]] = {}
    for method, params in REQUESTS.items():
        if "textDocument" in params:
            # As at a move of the cursor: to repair all of a file is tried elsewhere.
            context = {"diagnostics": [], "triggerKind": 2, "includeDeclaration": True}
            here = {
                "position": at,
                "range": _EVERYTHING,
                "positions": [at],
                "context": context,
            }
            found[method] = params | document | {k: v for k, v in here.items() if k in params}
    return found


async def _works(root: Path, dialect: str, text: str) -> dict[str, int]:
    """The work for each request about `text`, and for the change that brings it."""
    place = _BY_DIALECT[dialect]
    path = root / place.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x\n", encoding="utf-8")
    server, uri = Inside(root, CAPABILITIES), path.as_uri()
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": "x\n"}
    server.tell("textDocument/didOpen", {"textDocument": item})
    await server.rest()
    changed = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text}]}
    found = {"change": work(lambda: server.tell("textDocument/didChange", changed))}
    for method, params in _requests(uri, text.count("\n") // 2).items():
        found[method] = work(partial(server.begin, method, params))
    await server.rest()
    assert [one for one in server.logged if "Traceback" in one] == []
    return found


@pytest.mark.parametrize(("dialect", "what", "write"), fifth(_cases()))
async def test_the_work_for_a_text_grows_with_its_size(
    dialect: str, what: str, write: _Write, tmp_path: Path
) -> None:
    first = 100
    # Once before, since the first use of a system loads it.
    await _works(tmp_path / "before", dialect, write(first))
    small, middle, large = [
        await _works(tmp_path / str(size), dialect, write(size))
        for size in (first, 2 * first, 4 * first)
    ]
    worse = {
        method: (small[method], middle[method], large[method])
        for method in small
        if large[method] - middle[method] > 2.6 * max(middle[method] - small[method], 0) + _SLACK
    }
    assert worse == {}, what
