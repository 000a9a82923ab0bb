"""A system that the core does not know is checked, explained and completed as all others are."""

import json
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest
from lsprotocol import types

from agent_lsp.analysis.agents_tree import systems
from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.preview.commands import list_agents, preview_spawn
from agent_lsp.dialects import SYSTEMS
from agent_lsp.model.dialect import Schema
from agent_lsp.model.schema import IfWrong, Key
from agent_lsp.workspace.snapshot import template_file
from tests import planted
from tests.fixture import Fixture, fixture
from tests.server.editor import editing, environment

WRAPPER = (sys.executable, "-m", "tests.planted")
AGENT = ".planted/agents/scout.md"
BOTH = """\
//- .planted/agents/scout.md
---
kind: local
model: small
---
You scout.
//- planted.json
{
  // What the Markdown file leaves out.
  "agents": {
    "scout": {"description": "Looks around.", "limits": {"steps": 5}, "model": "large",},
  },
}
"""


def written(folder: Path, source: str) -> Fixture:
    return fixture(folder, source, systems=(*SYSTEMS, *planted.SYSTEMS))


def said(folder: Path, header: str) -> list[str]:
    """The findings on a Markdown file with this header, besides those on its description."""
    made = written(folder, f"//- {AGENT}\n---\ndescription: x\n{header}\n---\nYou scout.\n")
    return [f"{one.code}: {one.message}" for one in diagnostics(made.workspace, made.path)]


def offered(folder: Path, source: str) -> set[str]:
    made = written(folder, source)
    return {one.label for one in complete(made.workspace, made.path, made.offset)}


def header(text: str) -> str:
    return f"//- {AGENT}\n---\n{text}\n---\nYou scout.\n"


def named(schema: Schema, name: str) -> Key:
    """The setting whose last name is `name`."""
    return next(key for key in schema.keys if key.name.endswith(f".{name}"))


def toml(text: str) -> str:
    return f"//- planted.toml\n[agents.scout]\n{text}\n"


def table(text: str) -> str:
    return f'//- planted.json\n{{"agents": {{"scout": {text}}}}}\n'


@pytest.mark.parametrize(
    ("source", "expected", "without"),
    [
        (header("$0"), {"kind", "model", "tools"}, {"url"}),
        (header("kind: remote\n$0"), {"url"}, {"model", "tools", "kind"}),
        (header("kind: remte\n$0"), {"url", "model"}, {"kind"}),
        (header("limits:\n  $0"), {"steps", "seconds"}, {"kind"}),
        (header("hooks:\n  - on: start\n    $0"), {"do"}, {"on", "kind"}),
        (
            header("hooks:\n  - do:\n      - type: ask\n        $0"),
            {"question"},
            {"command", "type"},
        ),
        (header("hooks:\n  - do:\n      - type: $0"), {"run", "ask"}, set()),
        (header("tools:\n  - $0"), {"read", "write"}, set()),
        (table('{"kind": "remote", "$0": 1}'), {"url"}, {"model", "kind"}),
        (table('{"limits": {"$0": 1}}'), {"steps", "seconds"}, set()),
        (table('{"hooks": [{"do": [{"type": "ask", "$0": 1}]}]}'), {"question"}, {"command"}),
        (table('{"kind": "$0"}'), {"local", "remote"}, set()),
        (table('{"tools": ["read", "$0"]}'), {"write"}, {"read"}),
        ('//- planted.json\n{"$0": {}}\n', {"agents"}, {"kind"}),
        (toml("$0"), {"kind", "limits"}, {"url"}),
        (toml('kind = "remote"\n$0'), {"url"}, {"model", "kind"}),
        (toml("limits.$0"), {"steps", "seconds"}, {"kind"}),
        (toml("[[agents.scout.hooks]]\n$0"), {"on", "do"}, {"kind"}),
        (toml('[[agents.scout.hooks]]\non = "start"\n$0'), {"do"}, {"on"}),
        (toml('hooks = [{ do = [{ type = "ask", $0 }] }]'), {"question"}, {"kind"}),
        (toml('kind = "$0"'), {"local", "remote"}, set()),
        (toml('tools = ["read", "$0"]'), {"write"}, {"read"}),
        (toml("[agents.scout.$0]"), {"limits", "hooks"}, {"kind"}),
    ],
)
def test_the_keys_of_a_place_are_offered_in_yaml_json_and_toml_at_every_depth(
    tmp_path: Path, source: str, expected: set[str], without: set[str]
) -> None:
    found = offered(tmp_path, source)
    assert expected <= found
    assert not found & without


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind: remote\nmodel: small", "unknown-key: {here} `model` here: it needs `kind: local`"),
        ("url: x", "unknown-key: {here} `url` here: it needs `kind: remote`"),
        (
            "tools: true",
            "wrong-type: `tools` must be a list, not `true`: remove the key, or {everything}",
        ),
        ("limits:\n  steps: many", "wrong-type: {steps}, or {ignored}"),
        ("limits:\n  seconds: many", "wrong-type: {seconds}, or {fails}"),
        ("badge: x", "no-effect: `badge` has no effect: no version shows it"),
        ("limits:\n  stps: 3", "unknown-key: unknown key `stps`: {ignored}; did you mean `steps`?"),
    ],
)
def test_a_finding_says_what_follows(tmp_path: Path, text: str, message: str) -> None:
    number = "`{}` must be a whole number, not `many`: write a whole number"
    words = {
        "everything": "the terminal and the window ignore it, so it restricts nothing",
        "fails": "the template loads, and every call of it fails",
        "ignored": "the terminal and the window ignore it",
        "here": "the terminal and the window ignore",
        "steps": number.format("steps"),
        "seconds": number.format("seconds"),
    }
    assert said(tmp_path, text) == [message.format(**words)]


LOST = "the runtime skips the file"
STOPS, REFUSED = "Planted does not start", "no agent of the file has settings"


@pytest.mark.parametrize(
    ("source", "key", "consequence", "loss", "found"),
    [
        (header("kind: near"), "kind", IfWrong.LOST, LOST, "error invalid-value"),
        (header("after: [x]"), "after", IfWrong.LOST, LOST, "error wrong-type"),
        (table('{"kind": "near"}'), "kind", IfWrong.STOPS, STOPS, "error invalid-value"),
        (table('{"after": ["x"]}'), "after", IfWrong.STOPS, STOPS, "error wrong-type"),
        (toml('kind = "near"'), "kind", IfWrong.REFUSED, REFUSED, "error invalid-value"),
        (toml('after = ["x"]'), "after", IfWrong.REFUSED, REFUSED, "error wrong-type"),
        *(
            (made, key, consequence, consequence.value, found)
            for key, value, consequence, found in (
                ("steps", '"many"', IfWrong.IGNORED, "warning wrong-type"),
                ("seconds", '"many"', IfWrong.CALL_FAILS, "error wrong-type"),
                ("tools", "true", IfWrong.EVERYTHING, "warning wrong-type"),
            )
            for made in (
                header(f"{key}: {value}" if key == "tools" else f"limits: {{{key}: {value}}}"),
                table(
                    f'{{"{key}": {value}}}'
                    if key == "tools"
                    else f'{{"limits": {{"{key}": {value}}}}}'
                ),
                toml(f"{'' if key == 'tools' else 'limits.'}{key} = {value}"),
            )
        ),
    ],
)
def test_what_follows_from_a_wrong_value_is_said_in_a_finding_and_in_a_hover(
    tmp_path: Path, source: str, key: str, consequence: IfWrong, loss: str, found: str
) -> None:
    made = written(tmp_path, source)
    file = template_file(made.workspace, made.path)
    assert file is not None
    schema = file.dialect.schema
    assert schema.consequence(schema.by_name().get(key) or named(schema, key)) is consequence

    said = {
        f"{one.severity.name.lower()} {one.code}": one.message
        for one in diagnostics(made.workspace, made.path)
    }
    shown = hover(made.workspace, made.path, made.text.index(key))
    assert loss.removeprefix("the runtime ").split(" ", 1)[1] in said[found]
    assert shown is not None
    what = "a value" if key == "kind" else "a type of value"
    assert f"- with {what} that it does not take: {loss}" in shown.markdown


@pytest.mark.parametrize("made", [header("badge: x"), table('{"badge": "x"}'), toml('badge = "x"')])
def test_what_follows_from_a_right_value_of_a_key_without_an_effect_is_nothing(
    tmp_path: Path, made: str
) -> None:
    found = written(tmp_path, made)
    shown = hover(found.workspace, found.path, found.text.index("badge"))

    messages = [one.message for one in diagnostics(found.workspace, found.path)]
    assert "`badge` has no effect: no version shows it" in messages
    assert shown is not None
    assert "- no effect: no version shows it" in shown.markdown
    # A wrong value is another question.
    assert "- with a type of value that it does not take: " in shown.markdown


@pytest.mark.parametrize(
    ("source", "key", "loss"),
    [
        (header("$0"), "after", LOST),
        (table('{"$0": 1}'), "after", STOPS),
        (toml("$0"), "after", REFUSED),
        (header("$0"), "tools", "the runtime ignores it, so it restricts nothing"),
        (header("limits:\n  $0"), "seconds", "the template loads, and every call of it fails"),
        (header("limits:\n  $0"), "steps", ""),
    ],
)
def test_a_completed_key_says_what_follows_unless_the_value_is_ignored(
    tmp_path: Path, source: str, key: str, loss: str
) -> None:
    made = written(tmp_path, source)
    [item] = [one for one in complete(made.workspace, made.path, made.offset) if one.label == key]
    sentence = "With a type of value that it does not take: "
    assert (f"{sentence}{loss}" in item.documentation) if loss else sentence not in str(item)


def test_a_finding_names_the_program_that_it_is_about(tmp_path: Path) -> None:
    found = said(tmp_path, "hooks: []\nmodle: small")
    assert found == [
        "unknown-key: for the window: unknown key `hooks`: the window ignores it",
        (
            "unknown-key: unknown key `modle`: the terminal and the window ignore it; did you mean "
            "`model`?"
        ),
    ]


def test_a_key_deep_inside_needs_the_value_beside_it(tmp_path: Path) -> None:
    found = said(tmp_path, "hooks:\n  - do:\n      - type: ask\n        command: ls")
    assert found[1:] == [
        "unknown-key: for the terminal: the terminal ignores `command` here: it needs `type: run`"
    ]


def test_a_key_that_another_file_gives_is_not_missing(tmp_path: Path) -> None:
    made = written(tmp_path / "both", BOTH)
    alone = written(tmp_path / "alone", BOTH.partition("//- planted.json")[0])

    assert diagnostics(made.workspace, made.path) == ()
    assert [one.code for one in diagnostics(alone.workspace, alone.path)] == ["missing-description"]


def test_the_list_and_the_preview_are_of_the_merged_agent(tmp_path: Path) -> None:
    made = written(tmp_path, BOTH)
    call = {"dialect": planted.FILES}

    listed = list_agents(made.workspace, call, made.root)
    assert listed["result"] == {"agents": [{"name": "scout", "description": "Looks around."}]}
    answer = preview_spawn(made.workspace, call | {"agent": "scout"}, made.root)["result"]
    assert isinstance(answer, dict)
    config = str(made.root / planted.CONFIG)
    assert answer["model"]["value"] == "large"
    assert answer["prompt"][0]["text"] == "You scout."
    assert answer["prompt"][0]["origin"]["file"] == str(made.path)
    assert answer["definition"]["files"] == [config, str(made.path)]
    assert answer["definition"]["keys"]["description"] == {"file": config, "line": 4}
    assert answer["definition"]["keys"]["kind"] == {"file": str(made.path), "line": 2}


def test_no_part_of_a_merged_agent_is_said_to_be_shadowed(tmp_path: Path) -> None:
    made = written(tmp_path, BOTH)
    rows = [row for system in systems(made.workspace, lambda _: ()) for row in agents_of(system)]

    assert [row["name"] for row in rows] == ["scout", "scout"]
    assert {row["shadowed_by"] for row in rows} == {None}


def agents_of(system: dict[str, object]) -> list[dict[str, object]]:
    sessions = cast("list[dict[str, list[dict[str, object]]]]", system["sessions"])
    return [row for session in sessions for row in session["agents"]]


def test_hover_says_which_file_gives_a_key(tmp_path: Path) -> None:
    made = written(tmp_path, BOTH)

    def shown(mark: str) -> str:
        found = hover(made.workspace, made.path, made.text.index(mark))
        return found.markdown if found is not None else ""

    assert "This file gives `kind`" in shown("kind")
    assert "planted.json" in shown("model").splitlines()[0]
    assert "gives `model`**, and not this file" in shown("model").splitlines()[0]
    assert "This file is a part of `scout`" in shown("---")


def test_what_the_runtime_itself_says_of_an_agent_counts_where_no_file_does(tmp_path: Path) -> None:
    made = written(tmp_path, "//- .planted/agents/guide.md\n---\nmodel: large\n---\n")
    call = {"dialect": planted.FILES, "agent": "guide"}
    answer = preview_spawn(made.workspace, call, made.root)["result"]

    assert diagnostics(made.workspace, made.path) == ()
    assert isinstance(answer, dict)
    assert answer["prompt"][0]["text"] == "Guide."
    assert answer["definition"]["keys"]["description"]["file"] is None
    assert answer["definition"]["keys"]["model"]["file"] == str(made.path)


@pytest.mark.parametrize(
    ("text", "mark", "answer"),
    [
        (
            "limits:\n  steps: 5",
            "steps",
            "with a type of value that it does not take: the runtime ignores it",
        ),
        ("url: x\nkind: remote", "url", "only where `kind` is `remote`"),
        ("badge: x", "badge", "no effect: no version shows it"),
        ("hooks: []", "hooks", "**No effect in the window**, which reads this file, too"),
        ("hooks:\n  - do:\n      - type: ask", "ask", "`ask`: asks a person"),
        ("hooks:\n  - do:\n      - command: x", "command", "what is run"),
    ],
)
def test_hover_explains_a_key_at_its_depth(
    tmp_path: Path, text: str, mark: str, answer: str
) -> None:
    made = written(tmp_path, header(text))
    found = hover(made.workspace, made.path, made.text.index(mark))
    assert found is not None
    assert answer in found.markdown


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = (*WRAPPER, sys.executable, "-m", "agent_lsp", *arguments)
    return subprocess.run(
        command,
        cwd=folder / "workspace",
        env=environment(folder),
        check=False,
        capture_output=True,
        text=True,
    )


def test_the_commands_know_the_system(tmp_path: Path) -> None:
    written(tmp_path, BOTH)

    checked = run(tmp_path, "check", ".")
    assert "nothing to report" in checked.stdout + checked.stderr
    assert "Looks around." in run(tmp_path, "list", "--dialect", planted.FILES).stdout
    shown = run(tmp_path, "preview", "scout", "--dialect", planted.FILES, "--json")
    assert json.loads(shown.stdout)["definition"]["keys"]["model"]["line"] == 4


async def test_the_server_follows_both_files_of_an_agent(tmp_path: Path) -> None:
    files = {AGENT: "---\nmodel: small\n---\nYou scout.\n", "planted.json": '{"agents": {}}\n'}
    async with editing(tmp_path, "visual-studio-code", files, wrapper=WRAPPER) as editor:
        path = editor.open(AGENT)
        await editor.sees(path, "missing-description")
        config = editor.open("planted.json")
        # The first answer may come from the scan at the start, and the others only from a change.
        for _ in range(2):
            editor.change(config, '{"agents": {"scout": {"description": "Looks around."}}}\n')
            await editor.sees(path)
            editor.change(config, '{"agents": {"scout": {"model": "large"}}}\n')
            await editor.sees(path, "missing-description")
        editor.change(config, '{"agents": {"scout": {"description": "Looks around."}}}\n')
        await editor.sees(path)
        document = types.TextDocumentIdentifier(path.as_uri())
        place = types.HoverParams(document, types.Position(1, 1))
        found = await editor.client.text_document_hover_async(place)
        assert found is not None
        assert "This file gives `model`" in str(found.contents)


def test_the_package_does_not_name_it() -> None:
    package = Path(__file__).parents[2] / "agent_lsp"
    lines = [
        line
        for path in package.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert [line for line in lines if "planted" in line.lower()] == []
