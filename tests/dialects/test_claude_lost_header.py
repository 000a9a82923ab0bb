"""Headers that were meant for Claude Code and are none, which it passes over without a word."""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes
from agent_lsp.dialects.claude.dialect import DIALECT
from agent_lsp.model.runtime import Call
from agent_lsp.text import apply
from agent_lsp.workspace.catalogs import catalog
from tests.fixture import Fixture, fixture

KEYS = "name: a\ndescription: Does things.\nmodel: haiku\n"


def agent(folder: Path, text: str) -> Fixture:
    return fixture(folder, f"//- .claude/agents/a.md\n{text}")


def names(made: Fixture) -> list[str]:
    listing = DIALECT.calls.list_agents(catalog(made.workspace, DIALECT, made.root), Call({}))
    assert isinstance(listing, dict)
    return [row["name"] for row in listing["agents"] if row["path"]]


@pytest.mark.parametrize(
    "text",
    [
        "  ---\n  name: a\n  description: Does things.\n  model: haiku\n  ---\n  Go.\n",
        f" ---\n{KEYS}---\nGo.\n",
        f"--- # x\n{KEYS}---\nGo.\n",
        f"Some text.\n---\n{KEYS}---\nGo.\n",
        f"# Title\n\nSome text.\n\n---\n{KEYS}---\nGo.\n",
        f"---\n---\n{KEYS}---\nGo.\n",
        f"---\n\n---\n\n{KEYS}---\nGo.\n",
        f"+++\n{KEYS}+++\nGo.\n",
        f"{KEYS}\nGo.\n",
        f"{KEYS}---\nGo.\n",
        f"```yaml\n{KEYS}```\n\nGo.\n",
        f"```\n---\n{KEYS}---\n```\nGo.\n",
        "You are a reviewer.\n\nGo.\n",
        "# Reviewer\n\nYou are a reviewer.\n",
        "Act as a reviewer of changes.\n",
        "**You are Winston**, who reviews changes.\n",
        "---\nname = a\ndescription = Does things.\n---\nGo.\n",
        "---\nname:a\ndescription:Does things.\n---\nGo.\n",
        "---\nname\uff1aa\ndescription\uff1aDoes things.\n---\nGo.\n",
        "---\nname:\u00a0a\ndescription:\u00a0Does things.\n---\nGo.\n",
        "---\nagent:\n  name: a\n  description: Does things.\n  tools:\n    - Read\n---\nGo.\n",
        "---\nmetadata:\n  name: a\n  description: Does things.\nmodel: haiku\n---\nGo.\n",
        "---\n**name**: a\n**description:** Does things.\n---\nGo.\n",
        "---\n## name: a\n## description: Does things.\n---\nGo.\n",
        "---\nid: a\nsummary: Does things.\n---\nGo.\n",
        "---\nagent_name: a\nagent_description: Does things.\n---\nGo.\n",
        "> ---\n> name: a\n> description: Does things.\n> ---\nGo.\n",
        f"<!--\n{KEYS}-->\nGo.\n",
        f"<!-- {KEYS.rstrip()} -->\nGo.\n",
        f"===\n{KEYS}===\nGo.\n",
        f"--- {KEYS}---\nGo.\n",
        f"---{KEYS}---\nGo.\n",
        "**Name:** a\n**Description:** Does things.\n\nGo.\n",
        '+++\nname = "a"\ndescription = "Does things."\ntools = ["Read", "Grep"]\n+++\nGo.\n',
        "---\r\nname = a\r\ndescription = Does things.\r\n---\r\nGo.\r\n",
        f"--\n{KEYS}--\nGo.\n",
        f"- - -\n{KEYS}- - -\nGo.\n",
        f"___\n{KEYS}___\nGo.\n",
        f"—\n{KEYS}—\nGo.\n",
        f"---;\n{KEYS}---\nGo.\n",
    ],
)
def test_a_header_that_was_meant_and_is_none_is_told_and_put_right(
    tmp_path: Path, text: str
) -> None:
    made = agent(tmp_path / "before", text)

    assert names(made) == []
    [said] = diagnostics(made.workspace, made.path)
    assert said.severity.name == "ERROR"
    assert said.code in ("header-missing", "header-cut-short", "header-invalid", "agent-name")
    fix, *_ = fixes(made.workspace, made.path)
    assert names(agent(tmp_path / "after", apply(made.text, fix.edits))) == ["a"]


@pytest.mark.parametrize(
    "text",
    [
        "| name | a |\n|---|---|\n| description | Does things. |\n\nGo.\n",
        "| Key | Value |\n|---|---|\n| **Name** | `a` |\n| Description | Does things. |\n\nGo.\n",
        "| name | description |\n|---|---|\n| a | Does things. |\n\nGo.\n",
        '{"name": "a", "description": "Does things.", "tools": ["Read"]}\n\nGo.\n',
        '{\n  "name": "a",\n  "description": "Does things."\n}\n\nGo.\n',
        '```json\n{"name": "a", "description": "Does things."}\n```\n\nGo.\n',
        "- name: a\n- description: Does things.\n\nGo.\n",
        "* **name**: a\n* **description**: Does things.\n\nGo.\n",
        "1. name: a\n2. description: Does things.\n\nGo.\n",
        "# A\n\n**Description:** Does things.\n**Tools:** Read\n\nYou are a reviewer.\n",
        "<agent>\n<name>a</name>\n</agent>\nYou are a reviewer.\n",
    ],
)
def test_settings_in_a_notation_of_documents_are_a_lost_agent(tmp_path: Path, text: str) -> None:
    made = agent(tmp_path, text)

    [found] = diagnostics(made.workspace, made.path)

    assert (found.code, found.severity.name) == ("header-missing", "ERROR")


@pytest.mark.parametrize(
    "text",
    [
        "| name | description |\n|---|---|\n| a | Does things. |\n| b | Does more. |\n",
        "# Agents\n\n- name: what it is called\n- description: what it does\n",
        "| Agent | Purpose |\n|---|---|\n| a | Reviews. |\n",
        '{"version": 1, "agents": []}\n',
        "- name: a\n- name: b\n- description: both\n",
        "# Notes\n\nThese agents help you.\n",
        f"An example:\n\n---\n{KEYS}---\nGo.\n",
        f"# Title\n\nSome text.\n\nMore text.\n\n---\n{KEYS}---\nGo.\n",
        f"# How to\n\n```\n---\n{KEYS}---\n```\n",
        "Name: reviewer\n\nThe reviewer agent.\n",
        "The agent: You are a reviewer.\n",
        "You are looking at the agents of a project.\n",
        "---\ntitle: x\n---\nAgents that help.\n",
        "---\nid: x\n---\nAgents that help.\n",
        "---\n**Name** of the project = x\n---\nAgents that help.\n",
        "<!-- name: x -->\nAgents that help.\n",
        "> Note: description = x\n\nAgents that help.\n",
    ],
)
def test_notes_are_silent(tmp_path: Path, text: str) -> None:
    made = agent(tmp_path, text)

    assert diagnostics(made.workspace, made.path) == ()


def test_a_note_by_its_name_may_speak_to_anybody(tmp_path: Path) -> None:
    made = fixture(tmp_path, "//- .claude/agents/README.md\nYou are the owner of these agents.\n")

    assert diagnostics(made.workspace, made.path) == ()


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("description: d\nmodel: haiku", "ERROR"),
        ("name:\ndescription: d\ntools: Read", "ERROR"),
        ("name: 123\ndescription: d", "ERROR"),
        ("description: d", "INFORMATION"),
    ],
)
def test_a_file_with_all_but_a_name_is_a_lost_agent(
    tmp_path: Path, lines: str, expected: str
) -> None:
    made = agent(tmp_path, f"---\n{lines}\n---\nGo.\n")

    assert names(made) == []
    [said] = diagnostics(made.workspace, made.path)
    assert (said.code, said.severity.name) == ("agent-name", expected)
    assert fixes(made.workspace, made.path)


@pytest.mark.parametrize(
    ("lines", "thing"),
    [
        ("name = a\ndescription = d", "`name = …` is not YAML: write `name: …`"),
        ("name\uff1aa\ndescription\uff1ad", "U+FF1A after `name` only looks like `:`"),
        ("name:\u00a0a\ndescription:\u00a0d", "U+00A0 after `name:` is not a space"),
        ("agent:\n  name: a\n  description: d", "`name` is below another key"),
        ("**name**: a\n**description**: d", "`**` turns the key `name` into text"),
        ("# name: a\n# description: d", "`#` hides the key `name`"),
        ("id: a\nsummary: d", "the header has `id` for the name of the agent: write `name`"),
    ],
)
def test_a_header_in_another_notation_is_told_at_its_first_slip(
    tmp_path: Path, lines: str, thing: str
) -> None:
    made = agent(tmp_path, f"---\n{lines}\n---\nGo.\n")

    [said] = diagnostics(made.workspace, made.path)
    assert said.message.startswith(thing)


@pytest.mark.parametrize(
    "lines", ["description: d", "title: x", "role: reviewer\ngoal: review", "# to do", "just text"]
)
def test_a_header_without_a_name_above_a_prompt_is_a_lost_agent(tmp_path: Path, lines: str) -> None:
    made = agent(tmp_path, f"---\n{lines}\n---\n# Reviewer\n\nYou are a reviewer.\n")

    assert names(made) == []
    said, *_ = diagnostics(made.workspace, made.path)
    assert said.severity.name == "ERROR"
