"""A new agent and a copy of one: what is offered, what is made, and what is refused beforehand."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent_lsp.analysis.agents_tree import in_file
from agent_lsp.analysis.conversion import offers
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.new_agent import begin, choices, copy
from agent_lsp.installed import installed
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture

GOOD = "---\ndescription: Reviews.\n---\nReview.\n"
ROLE = {"dialect": "codex-templates", "scope": "project", "starter": "role"}


def made(folder: Path) -> Fixture:
    return fixture(
        folder, f"//- .codex/.agents/reviewer.md\n{GOOD}//- ~/.codex/.agents/mine.md\n{GOOD}"
    )


def offered(at: Fixture) -> list[Any]:
    return list(choices(at.workspace, at.root))


def begun(at: Fixture, name: str, **other: str) -> Any:
    return begin(at.workspace, {**ROLE, "name": name, **other}, at.root)


def test_what_is_in_use_is_offered_first(tmp_path: Path) -> None:
    first, *others = offered(made(tmp_path))

    assert (first["dialect"], first["in_use"]) == ("codex-templates", True)
    assert not any(other["in_use"] for other in others)
    assert [scope["folder"] for scope in first["scopes"]] == [".codex/.agents", "~/.codex/.agents"]
    assert [one["name"] for one in first["starters"]] == ["role", "role-with-personas"]
    assert first["starters"][1]["description"].startswith("Reviews a change as one of")
    # The others in the order of how widely they are written, and each starter with its purpose.
    order = [other["dialect"] for other in others]
    assert order[:4] == ["claude", "copilot", "opencode", "codex-agents"]
    unsaid = [
        f"{system['dialect']}: {starter['name']}"
        for system in (first, *others)
        for starter in system["starters"]
        if not starter["description"]
    ]
    assert unsaid == []
    shipped = json.loads(installed("templates/starters.json").read_text(encoding="utf-8"))
    assert {one: list(starters) for one, starters in shipped.items()} == {
        system["dialect"]: [starter["name"] for starter in system["starters"]]
        for system in sorted((first, *others), key=lambda one: str(one["dialect"]))
    }


def test_everything_that_is_offered_can_be_begun_without_a_finding(tmp_path: Path) -> None:
    at = made(tmp_path)
    # Cursor reads the files of others as soon as it has one of its own.
    for system in sorted(offered(at), key=lambda one: str(one["dialect"])):
        for scope in system["scopes"]:
            for starter in system["starters"]:
                place = {
                    "dialect": system["dialect"],
                    "scope": scope["scope"],
                    "starter": starter["name"],
                }
                answer = begin(at.workspace, {**place, "name": "checker"}, at.root)
                result: Any = answer["result"]
                assert answer["error"] is None, place
                path = Path(result["file"])
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(result["text"], encoding="utf-8")
                at.workspace.files.refresh()
                assert diagnostics(at.workspace, path) == (), place
                [row] = in_file(at.workspace, path)
                assert result["appended"] is False
                assert (row["name"], row["dialect"]) == ("checker", system["dialect"])
                path.unlink()
                at.workspace.files.refresh()


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("reviewer", ".codex/.agents/reviewer.md already exists"),
        (
            "Code Review",
            "`Code Review` cannot be the name of an agent of codex-templates; try `code-review`",
        ),
        ("a/b", "`a/b` cannot be the name of an agent of codex-templates"),
        ("", "`` cannot be the name of an agent of codex-templates"),
    ],
)
def test_a_name_that_will_not_do_is_refused_with_the_reason(
    name: str, error: str, tmp_path: Path
) -> None:
    assert begun(made(tmp_path), name) == {"result": None, "error": error}


def test_a_name_that_is_taken_elsewhere_is_no_error(tmp_path: Path) -> None:
    at = made(tmp_path)
    notes = {name: begun(at, name)["result"]["note"] for name in ("mine", "worker", "fresh")}

    assert notes == {
        "mine": "there is an agent of this name: ~/.codex/.agents/mine.md",
        "worker": "there is an agent of this name: built in",
        "fresh": None,
    }


def test_a_name_that_stands_in_another_file_s_text_is_taken(tmp_path: Path) -> None:
    at = fixture(
        tmp_path, "//- .claude/agents/a.md\n---\nname: checker\ndescription: A.\n---\nCheck.\n"
    )
    answer = begun(at, "checker", dialect="claude", starter="sub-agent")

    assert answer["error"] == ".claude/agents/a.md defines `checker` already"


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"dialect": "no-such"}, "`no-such`"),
        ({"starter": "no-such"}, "no starter `no-such`"),
        ({"scope": "no-such"}, "`no-such`"),
        ({"more": "x"}, "unknown member `more`"),
    ],
)
def test_what_is_wrong_with_the_object_is_said(
    other: dict[str, str], words: str, tmp_path: Path
) -> None:
    answer = begun(made(tmp_path), "fresh", **other)

    assert answer["result"] is None
    assert words in answer["error"]


def test_a_preset_is_added_to_the_file_of_all(tmp_path: Path) -> None:
    at = fixture(tmp_path, '//- moltis.toml\n[agents.presets.first]\nmodel = "a"\n')
    preset = {"dialect": "moltis", "starter": "coder"}
    result = begun(at, "my one", **preset)["result"]
    text = at.text + result["text"]
    at.workspace.files.open(at.path, text, 2)

    assert (result["file"], result["appended"]) == (str(at.path), True)
    assert [row["name"] for row in in_file(at.workspace, at.path)] == ["first", "my one"]
    assert diagnostics(at.workspace, at.path) == ()
    for name in ("first", "my one", ""):
        error = f"moltis.toml cannot have another agent `{name}`"
        assert begun(at, name, **preset)["error"] == error
    at.workspace.files.open(at.path, "[agents\n", 3)
    error = "the runtime refuses moltis.toml; fix that first"
    assert begun(at, "fresh", **preset)["error"] == error


def test_a_copy_goes_where_the_other_scope_is_and_over_nothing(tmp_path: Path) -> None:
    at = made(tmp_path)
    mine = tmp_path / "home/.codex/.agents/mine.md"
    answer: Any = copy(at.workspace, {"scope": "project"}, mine)

    assert answer["result"]["file"] == str(at.root / ".codex/.agents/mine.md")
    assert answer["result"]["text"] == GOOD
    again: Any = copy(at.workspace, {"scope": "project"}, at.path)
    assert again["error"] == ".codex/.agents/reviewer.md already exists and is not changed"
    own: Any = copy(at.workspace, {"scope": "user"}, at.path)
    assert own["result"]["file"] == str(tmp_path / "home/.codex/.agents/reviewer.md")


def test_what_comes_with_the_runtime_can_be_copied(tmp_path: Path) -> None:
    at = made(tmp_path)
    shipped = at.workspace.host_paths.templates / "codex-templates/builtin/worker.md"
    answer: Any = copy(at.workspace, {"scope": "project"}, shipped)

    assert answer["result"]["file"] == str(at.root / ".codex/.agents/worker.md")


def test_an_agent_says_how_many_tools_it_is_left_with(tmp_path: Path) -> None:
    at = fixture(tmp_path, "---\ndescription: A.\nallow_list: [exec_command]\n---\nR.\n")
    [row] = in_file(at.workspace, at.path)
    tools: Any = row["tools"]

    assert (row["description"], tools["kept"], tools["restricted"]) == ("A.", 1, True)
    assert in_file(at.workspace, at.root / "README.md") == []


@pytest.mark.parametrize("link", ["folder", "file", "hook"])
def test_no_link_leads_a_new_agent_out_of_the_repository(link: str, tmp_path: Path) -> None:
    """An editor creates the file, and would follow the link."""
    at = made(tmp_path)
    (at.root / ".git").mkdir(exist_ok=True)
    away = at.root / ".git/hooks" if link == "hook" else tmp_path / "away"
    away.mkdir()
    if link == "folder":
        (at.root / ".gemini").symlink_to(away)
    else:
        (at.root / ".gemini/agents").mkdir(parents=True)
        (at.root / ".gemini/agents/fresh.md").symlink_to(away / "fresh.md")
    (at.root / "moltis.toml").unlink(missing_ok=True)
    (at.root / "moltis.toml").symlink_to(away / "moltis.toml")
    at.workspace.files.refresh()
    for dialect, name in (("gemini", ".gemini/agents/fresh.md"), ("moltis", "moltis.toml")):
        [system] = [one for one in offered(at) if one["dialect"] == dialect]
        starter = system["starters"][0]["name"]
        answer = begun(at, "fresh", dialect=dialect, starter=starter)
        assert str(answer["error"]).startswith(
            f"{name} is not in the repository: a link points to "
        )
    file = template_file(at.workspace, at.path)
    assert file is not None
    targets = {one.target for one in offers(file)}
    assert "claude" in targets
    # The name of the file that a link leads away is another one.
    assert ("gemini" in targets) is (link != "folder")
