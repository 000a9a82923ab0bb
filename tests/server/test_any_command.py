"""Each command answers any argument with an object, and logs no internal error."""

import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from agent_lsp.server.app import _COMMANDS
from tests.effort import EFFORT, fifth
from tests.server.test_any_message import SOUND, TEXT, WRONG, Talk, talking

COMMANDS = tuple(name for name, _ in _COMMANDS)
DIALECTS = (
    *("codex-templates", "codex-subagents", "codex-agents", "codex-config"),
    *("kodacode", "moltis", "vuhlp", "claude", "copilot", "cursor", "gemini", "qwen"),
    *("opencode", "opencode-config"),
)
# All arguments of all commands.
NAMES = (
    *("agent_type", "agent_name", "agent_id", "call", "dialect", "format", "line", "name"),
    *("parent", "persona", "preset", "scope", "show", "subagent_type", "system", "to", "uri"),
)
_OTHERS = (None, 7, "\ud800", [1], {"uri": 1})
URIS = ("untitled:a", "", "%", "file://[/a", "file:///", "file:///no/such.md", "file:///dev/zero")


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    folder = tmp_path_factory.mktemp("talk")
    with talking(folder) as one:
        yield one


def arguments(dialect: str, uri: str) -> Iterator[list[Any]]:
    sound = {"uri": uri, "dialect": dialect}
    yield from ([wrong] for wrong in WRONG)
    yield from ([sound] * 2, [], [{**sound, "no": "such"}])
    yield from ([{"dialect": dialect, "uri": other}] for other in URIS)
    # In a quick run, each name is tried with a sixth of the systems, and with a third before a
    # change lands.
    turn, part = DIALECTS.index(dialect), 3 if EFFORT else 6
    names = NAMES if EFFORT > 1 else NAMES[turn % part :: part]
    for name in names:
        yield from ([{**sound, name: wrong}] for wrong in _OTHERS)
        yield from ([{**sound, "call": {name: wrong}}] for wrong in _OTHERS)


def _usual() -> Iterator[ParameterSet]:
    """Of the fifth of `make test`, one case for each command."""
    met = set[object]()
    for one in fifth(product(COMMANDS, DIALECTS)):
        is_next = not one.marks and one.values[0] not in met
        met |= {one.values[0]} if is_next else set()
        yield pytest.param(*one.values, marks=() if is_next else pytest.mark.hostile)


@pytest.mark.parametrize(("command", "dialect"), list(_usual()))
def test_each_command_is_answered_with_any_arguments(
    command: str, dialect: str, talk: Talk, tmp_path: Path
) -> None:
    path = tmp_path / TEXT["uri"].rpartition("file:///w/")[2]
    path.parent.mkdir(parents=True)
    path.write_text(SOUND, encoding="utf-8")
    for given in arguments(dialect, path.as_uri()):
        said = {"command": command, "arguments": given}
        answer = talk.ask("workspace/executeCommand", said)
        assert isinstance(answer["result"], dict) or command.endswith("openFile"), given
        json.dumps(answer)
    assert talk.popups() == []
    talk.log.seek(0)
    assert not re.search(rb"Traceback", talk.log.read())
