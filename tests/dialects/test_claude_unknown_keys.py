"""What is said of keys that Claude Code 2.1.332 ignores."""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes
from tests.fixture import Fixture, fixture


def agent(folder: Path, lines: str, more: str = "") -> Fixture:
    header = f"---\nname: a\ndescription: d\n{lines}\n---\nGo.\n"
    return fixture(folder, f"//- .claude/agents/a.md\n{header}{more}")


def told(made: Fixture) -> list[str]:
    found = diagnostics(made.workspace, made.path)
    return [f"{one.severity.name.lower()}[{one.code}] {one.span.of(made.text)}" for one in found]


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        ("modelOverride: haiku", "Rename `modelOverride` to `model`"),
        ("steps: 5", "Rename `steps` to `maxTurns`"),
        ("mode: subagent", "Remove `mode`"),
        ("disabled: true", "Remove `disabled`"),
        ("context: fork", "Remove `context`"),
        ("temperature: 0.1", "Remove `temperature`"),
        ("allowed-tools: Read", "Rename `allowed-tools` to `tools`"),
        ("Model: haiku", "Rename `Model` to `model`"),
    ],
)
def test_a_key_of_another_system_is_a_warning(tmp_path: Path, lines: str, title: str) -> None:
    made = agent(tmp_path, lines)

    assert told(made) == [f"warning[unknown-key] {lines.partition(':')[0]}"]
    assert any(fix.title.startswith(title) for fix in fixes(made.workspace, made.path))


def test_keys_of_people_s_own_are_one_hint(tmp_path: Path) -> None:
    made = agent(tmp_path, "version: 1\nauthor: me\ntags: [a]\nx-own: 1")
    [said] = diagnostics(made.workspace, made.path)

    assert told(made) == ["hint[unknown-key] version"]
    names = "`version`, `author` and `tags`"
    assert said.message == f"the runtime ignores {names}: it does not know these keys"
    assert [one.span.of(made.text) for one in said.related] == ["author", "tags"]


def test_a_key_that_three_files_of_the_folder_share_is_their_own_business(tmp_path: Path) -> None:
    def other(name: str) -> str:
        text = f"---\nname: {name}\ndescription: d\nversion: 1\n---\nGo.\n"
        return f"//- .claude/agents/{name}.md\n{text}"

    two = agent(tmp_path / "two", "version: 1", other("b"))
    three = agent(tmp_path / "three", "version: 1", other("b") + other("c"))

    assert told(two) == ["hint[unknown-key] version"]
    assert told(three) == []


@pytest.mark.parametrize("key", ["autoCompactWindow", "observer", "observeToolResults"])
def test_nothing_is_said_of_keys_that_the_runtime_reads(tmp_path: Path, key: str) -> None:
    assert told(agent(tmp_path, f"{key}: 200000")) == []


def test_a_key_of_several_times_is_named_once(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: d: e\nmood: one\nmood: two\n---\nGo.\n"
    made = fixture(tmp_path, f"//- .claude/agents/a.md\n{text}")

    [said] = [one for one in diagnostics(made.workspace, made.path) if one.code == "unknown-key"]
    assert said.message == "the runtime ignores `mood`: it does not know this key"


@pytest.mark.parametrize(
    "below",
    [
        'user: "go"\nassistant: "ok: yes"',
        'user: "go"\nuser: "again"\nuser: "more"',
        'Context: one\nuser: "go"',
    ],
)
def test_lines_of_a_description_that_are_keys_to_the_runtime_are_told_once(
    tmp_path: Path, below: str
) -> None:
    text = f"---\nname: a\ndescription: Use this. Such as\n{below}\ntools: Read\n---\nGo.\n"
    made = fixture(tmp_path, f"//- .claude/agents/a.md\n{text}")
    [said] = [one for one in diagnostics(made.workspace, made.path) if one.code == "unknown-key"]

    assert said.severity.name == "WARNING"
    assert said.span.of(made.text) == below.partition(":")[0]
    assert said.message.startswith("`description` ends above this line: the runtime reads ")
    assert made.text.count("\n", 0, said.span.start) == 3
