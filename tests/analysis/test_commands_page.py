"""The page about the commands is true, and says everything that they take and answer.

A block ```` ```json COMMAND ```` is the argument of a command, and the block behind it what the
command answers; `…` stands for the rest of a list or an object.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlparse
from urllib.request import url2pathname

from agent_lsp.analysis.conversion.command import MEMBERS, conversion
from agent_lsp.analysis.preview import call_arguments, commands
from tests.fixture import Fixture, fixture
from tests.systems import DIALECTS

PAGE = Path(__file__).parents[2] / "docs/commands.md"
BLOCK = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = {
    "agentTemplates.listAgents": commands.list_agents,
    "agentTemplates.previewSpawn": commands.preview_spawn,
    "agentTemplates.convert": conversion,
}
REST = "…"


def test_every_example_is_answered_as_the_page_says(tmp_path: Path) -> None:
    made, asked = repository(tmp_path), list(examples())

    for command, argument, expected in asked:
        assert differences(expected, answer(made, command, argument)) == [], argument

    assert {command for command, _, _ in asked} == set(COMMANDS)


def test_a_wrong_example_is_noticed(tmp_path: Path) -> None:
    made = repository(tmp_path)
    for command, argument, expected in examples():
        found = answer(made, command, argument)
        assert differences(spoiled(expected), found) != []


def test_the_page_names_what_the_commands_take() -> None:
    text = PAGE.read_text(encoding="utf-8")
    calls = (*DIALECTS[0].calls.list_parameters, *DIALECTS[0].calls.spawn_parameters)
    names = (parameter.name for parameter in calls)
    # The server itself takes the first two.
    taken = ("show", "line", *MEMBERS, *call_arguments.OURS, *call_arguments.PARENT, *names)

    assert [name for name in taken if f"`{name}`" not in text] == []


def test_the_page_names_every_member_of_an_answer(tmp_path: Path) -> None:
    text, made = PAGE.read_text(encoding="utf-8"), repository(tmp_path)

    for command, argument, _ in examples():
        members = set(keys(answer(made, command, argument)))
        assert {name for name in members if f"`{name}`" not in text} <= SELF_EVIDENT


# What stands in the examples and needs no words, and the runtime's own members of a listing.
SELF_EVIDENT = {"agents", "description", "allow_list", "deny_list", "default_prompt"} | {
    "tool",
    "reason",
    "title",
    "text",
}


def repository(folder: Path) -> Fixture:
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    files = (f"//- {path}\n{text}" for language, path, text in blocks if language == "md")
    return fixture(folder, "".join(files))


def examples() -> Iterator[tuple[str, dict[str, Any], Any]]:
    blocks = [b for b in BLOCK.findall(PAGE.read_text(encoding="utf-8")) if b[0] == "json"]
    assert [title for _, title, _ in blocks[1::2]] == ["answer"] * (len(blocks) // 2)
    for (_, command, argument), (_, _, expected) in zip(blocks[::2], blocks[1::2], strict=True):
        yield command, json.loads(argument), json.loads(expected)


def answer(made: Fixture, command: str, argument: dict[str, Any]) -> Any:
    """What the server answers, for a repository that is in `/repository`."""
    given = dict(argument)
    uri = given.pop("uri", None)
    start = None
    if uri is not None:
        start = Path(url2pathname(urlparse(uri.replace("/repository", made.root.as_posix())).path))
    found = json.dumps(COMMANDS[command](made.workspace, given, start))
    return json.loads(found.replace(made.root.as_posix(), "/repository"))


def differences(expected: Any, found: Any, place: str = "") -> list[str]:
    """Where the answer is another than the page says."""
    return list(_differences(expected, found, place))


def _differences(expected: Any, found: Any, place: str) -> Iterator[str]:
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        named = expected.keys() - {REST}
        strange = named - found.keys() if REST in expected else named ^ found.keys()
        yield from (f"{place}.{key}" for key in strange)
        for key in named & found.keys():
            yield from _differences(expected[key], found[key], f"{place}.{key}")
    elif isinstance(expected, list) and isinstance(found, list):
        is_open = expected[-1:] == [REST]
        wanted = expected[:-1] if is_open else expected
        if len(found) < len(wanted) or (len(found) > len(wanted) and not is_open):
            yield f"{place}: {len(found)} items"
        for at, (one, other) in enumerate(zip(wanted, found, strict=False)):
            yield from _differences(one, other, f"{place}[{at}]")
    elif expected != found:
        yield f"{place}: {found!r}"


def spoiled(value: Any) -> Any:
    """`value` with another text in its first leaf."""
    if isinstance(value, Mapping):
        first, *others = value.items()
        return {first[0]: spoiled(first[1]), **dict(others)}
    if isinstance(value, list) and value:
        return [spoiled(value[0]), *value[1:]]
    return "something else"


def keys(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from value
    for inner in value.values() if isinstance(value, Mapping) else value:
        if isinstance(inner, Mapping | list):
            yield from keys(inner)
