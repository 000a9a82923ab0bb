"""The tests of a module share servers, and leave nothing behind in them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.sharing import Servers

AGENT, HOME = ".claude/agents/a.md", "~/.claude/agents/mine.md"
FAULT = "---\nname: a\ndescription: A.\nmodle: opus\n---\nGo.\n"
HERE = Path(__file__).parent


def own_servers(module: str) -> Iterator[tuple[str, bool]]:
    """The tests of a `module` that start a server alone, and whether they do so for each case.

    The ones with a `wrapper` are left out: that is another way to start a server.
    """
    for function in ast.parse(module).body:
        if not isinstance(function, ast.AsyncFunctionDef) or not function.name.startswith("test_"):
            continue
        cases = any("parametrize" in ast.unparse(one) for one in function.decorator_list)
        calls = (one for one in ast.walk(function) if isinstance(one, ast.Call))
        for call in (one for one in calls if ast.unparse(one.func) == "editing"):
            if not any(one.arg == "wrapper" for one in call.keywords):
                yield function.name, cases


@pytest.mark.parametrize("path", sorted(HERE.glob("test_*.py")), ids=lambda path: path.stem)
def test_a_module_has_one_server_of_its_own_at_most(path: Path) -> None:
    starts = list(own_servers(path.read_text(encoding="utf-8")))
    assert len(starts) <= 1, starts
    assert not any(for_each_case for _, for_each_case in starts), starts


def test_a_server_for_each_case_is_found() -> None:
    test = "async def test_a():\n    async with editing(folder, name, {}) as editor: ...\n"
    each = f"@pytest.mark.parametrize('name', [])\n{test}"
    assert list(own_servers(test)) == [("test_a", False)]
    assert list(own_servers(each)) == [("test_a", True)]
    assert list(own_servers(test.replace("editing(", "servers.editing("))) == []


async def test_a_test_finds_nothing_of_the_one_before(servers: Servers, tmp_path: Path) -> None:
    name = "visual-studio-code"
    settings = {"severity": {"unknown-key": "off"}}
    files = {AGENT: FAULT, HOME: FAULT.replace("a\n", "mine\n", 1)}
    async with servers.editing(tmp_path / "one", name, files, settings=settings) as editor:
        await editor.sees(editor.open(AGENT))
        before, home = editor.client, editor.home
    async with servers.editing(tmp_path / "two", name, {AGENT: FAULT}) as editor:
        assert editor.client is before
        await editor.sees(editor.path(AGENT), "unknown-key")
        asked = {"uri": editor.path(AGENT).as_uri(), "dialect": "claude"}
        answer = await editor.command("agentTemplates.listAgents", asked)
        assert "mine" not in str(answer["result"])
        assert not list(home.rglob("*.md"))
        assert {one.uri for one in editor.published} == {editor.path(AGENT).as_uri()}
