"""Where Gemini CLI looks for agents, which one counts, and which ones a person has confirmed."""

import hashlib
import json
from pathlib import Path

import pytest

from agent_lsp.analysis.decorations import code_lenses
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.status_report import report
from agent_lsp.dialects.gemini.dialect import DIALECT
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture

RECORD = "~/.gemini/acknowledgments/agents.json"
BESIDE: dict[str, object] = {"versions": {}, "settings": [], "timings": {}}


def agent(name: str, more: str = "") -> str:
    return f"---\nname: {name}\ndescription: d\n{more}---\nYou help.\n"


def files(**texts: str) -> str:
    return "".join(f"//- {path}\n{text}" for path, text in texts.items())


def winner(made: Fixture, name: str) -> Path | None:
    found = catalog(made.workspace, DIALECT, made.root).winner(name)
    return found.path if found is not None else None


def codes(made: Fixture, path: str = "") -> list[str]:
    place = made.root / path if path else made.path
    return [f"{d.severity.name.lower()}[{d.code}]" for d in diagnostics(made.workspace, place)]


@pytest.mark.parametrize("name", ["x.md", ".x.md", "x.agent.md", "x y.md"])
def test_a_file_that_ends_in_md_is_an_agent(name: str, tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- .gemini/agents/{name}\n{agent('one')}")
    assert winner(made, "one") == made.path


@pytest.mark.parametrize("name", ["_x.md", "x.MD", "x.markdown", "x.md.bak", "sub/x.md"])
def test_other_files_are_none(name: str, tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- .gemini/agents/{name}\n{agent('one')}")
    assert winner(made, "one") is None


@pytest.mark.parametrize("path", ["agents/x.MD", "agents/sub/x.md", "agent/x.md"])
def test_a_file_in_a_wrong_place_is_reported(path: str, tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- .gemini/{path}\n{agent('one', 'max_turns: 3')}")
    assert codes(made) == ["warning[misplaced]"]


def test_a_link_to_a_file_is_no_agent(tmp_path: Path) -> None:
    made = fixture(
        tmp_path, f"//- shared/x.md\n{agent('one')}//- .gemini/agents/y.md\n{agent('y')}"
    )
    link = made.root / ".gemini/agents/x.md"
    link.symlink_to(made.path)
    assert winner(made, "one") is None
    assert codes(made, ".gemini/agents/x.md") == ["warning[misplaced]"]


def test_a_link_to_the_folder_counts(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- shared/x.md\n{agent('one')}")
    (made.root / ".gemini").mkdir()
    (made.root / ".gemini/agents").symlink_to(made.path.parent)
    assert winner(made, "one") is not None


def test_nothing_is_said_of_a_file_that_begins_with_an_underscore(tmp_path: Path) -> None:
    made = fixture(tmp_path, "//- .gemini/agents/_draft.md\nNothing yet.\n")
    assert codes(made) == []


def test_a_readme_costs_an_error_at_each_start(tmp_path: Path) -> None:
    made = fixture(tmp_path, "//- .gemini/agents/README.md\n# Our agents\n")
    assert codes(made) == ["information[header-missing]"]


def test_only_the_folder_of_the_session_counts(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- sub/.gemini/agents/x.md\n{agent('one')}")
    assert winner(made, "one") is None
    found = catalog(made.workspace, DIALECT, made.root / "sub")
    assert found.winner("one") is not None


def test_built_in_agents_come_before_all_others(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- .gemini/agents/x.md\n{agent('generalist')}")
    found = winner(made, "generalist")
    assert found is not None
    assert found.name == "generalist.md"
    assert codes(made) == ["warning[shadowed]"]


def test_the_project_comes_before_the_user_and_the_user_before_extensions(tmp_path: Path) -> None:
    extension = "~/.gemini/extensions/kit"
    source = {
        ".gemini/agents/p.md": agent("one"),
        "~/.gemini/agents/u.md": agent("one"),
        "~/.gemini/agents/v.md": agent("two"),
        f"{extension}/gemini-extension.json": "{}\n",
        f"{extension}/agents/e.md": agent("two"),
        f"{extension}/agents/f.md": agent("three"),
        "~/.gemini/extensions/none/agents/g.md": agent("four"),
    }
    made = fixture(tmp_path, files(**source))
    names = {
        name: path and path.name
        for name in ("one", "two", "three", "four")
        for path in (winner(made, name),)
    }
    assert names == {"one": "p.md", "two": "v.md", "three": "f.md", "four": None}


def test_of_two_files_in_a_folder_the_first_counts(tmp_path: Path) -> None:
    source = {f".gemini/agents/{name}.md": agent("one") for name in ("a", "B", "a-1")}
    made = fixture(tmp_path, files(**source))
    found = winner(made, "one")
    assert found is not None
    assert found.name == "B.md"
    assert codes(made, ".gemini/agents/a.md") == ["warning[shadowed]"]


def test_a_variable_names_another_home(tmp_path: Path) -> None:
    text = f"//- ~/other/.gemini/agents/x.md\n{agent('one')}"
    made = fixture(tmp_path, text, variables={"GEMINI_CLI_HOME": str(tmp_path / "home/other")})
    assert winner(made, "one") == made.path


def test_an_extension_in_its_own_folder_is_checked(tmp_path: Path) -> None:
    source = {"kit/agents/x.md": agent("one", "color: red\n"), "kit/gemini-extension.json": "{}\n"}
    made = fixture(tmp_path, files(**source))
    assert codes(made) == ["error[unknown-key]"]


def test_an_extension_has_variables_of_its_own(tmp_path: Path) -> None:
    text = agent("one") + "Look into ${extensionPath}/x and ${workspacePath}.\n"
    source = {"kit/agents/x.md": text, "kit/gemini-extension.json": "{}\n"}
    assert codes(fixture(tmp_path, files(**source))) == []
    made = fixture(tmp_path / "x", files(**{".gemini/agents/x.md": text}))
    assert codes(made) == ["error[unknown-variable]", "error[unknown-variable]"]


def confirmed(folder: Path, kept: str | None) -> Fixture:
    text = agent("one")
    record = {str(folder / "workspace"): {"one": kept}} if kept is not None else {}
    source = files(**{".gemini/agents/x.md": text, RECORD: json.dumps(record) + "\n"})
    return fixture(folder, source)


OWN = hashlib.sha256(agent("one").encode()).hexdigest()


@pytest.mark.parametrize(
    ("kept", "lens", "words"),
    [
        (OWN, "Confirmed", "confirmed: yes"),
        ("0" * 64, "Not confirmed", "a different text was confirmed"),
        (None, "Not confirmed", "nobody has confirmed it on this machine"),
    ],
)
def test_lens_hover_and_status_say_whether_an_agent_is_confirmed_as_it_stands(
    kept: str | None, lens: str, words: str, tmp_path: Path
) -> None:
    made = confirmed(tmp_path, kept)
    file = template_file(made.workspace, made.path)
    assert file is not None
    assert lens in [one.title for one in code_lenses(file)]
    shown = hover(made.workspace, made.path, 1)
    assert shown is not None
    assert words in shown.markdown
    assert ("not confirmed" in json.dumps(report(made.workspace, BESIDE))) is (kept != OWN)


def test_a_check_says_nothing_of_it(tmp_path: Path) -> None:
    assert codes(confirmed(tmp_path, None)) == []


def test_an_edit_needs_a_new_confirmation(tmp_path: Path) -> None:
    made = confirmed(tmp_path, OWN)
    made.workspace.files.open(made.path, agent("one") + "More.\n")
    file = template_file(made.workspace, made.path)
    assert file is not None
    assert "Not confirmed" in [one.title for one in code_lenses(file)]


def test_an_agent_of_the_user_needs_no_confirmation(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- ~/.gemini/agents/x.md\n{agent('one')}")
    file = template_file(made.workspace, made.path)
    assert file is not None
    assert not [one for one in code_lenses(file) if "onfirmed" in one.title]


def test_a_remote_agent_is_confirmed_by_the_address_of_its_card(tmp_path: Path) -> None:
    url = "https://x.example/card"
    text = f"---\nkind: remote\nname: one\nagent_card_url: {url}\n---\n"
    record = json.dumps({str(tmp_path / "workspace"): {"one": url}}) + "\n"
    made = fixture(tmp_path, files(**{".gemini/agents/x.md": text, RECORD: record}))
    file = template_file(made.workspace, made.path)
    assert file is not None
    assert "Confirmed" in [one.title for one in code_lenses(file)]
