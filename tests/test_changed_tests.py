"""`make quick` finds the tests of whatever has changed."""

import re
import subprocess

import pytest

from scripts.changed_tests import AREAS, ROOT, covering


@pytest.mark.parametrize(("start", "areas"), AREAS, ids=lambda text: text.split(" ")[0])
def test_each_area_is_there_and_so_are_its_tests(start: str, areas: str) -> None:
    assert list(ROOT.glob(f"{start}*"))
    assert all(list(ROOT.glob(area)) for area in areas.split())


def test_each_module_has_tests_besides_those_of_the_shape() -> None:
    modules = (ROOT / "agent_lsp").rglob("*.py")
    names = [path.relative_to(ROOT).as_posix() for path in modules]
    assert len(names) > 100
    assert [name for name in names if len(covering(name)) < 2] == []


@pytest.mark.parametrize(
    ("name", "tests"),
    [
        ("agent_lsp/analysis/hover.py", ["tests/analysis/test_hover.py"]),
        ("agent_lsp/analysis/completion/offer.py", ["tests/analysis/test_completion.py"]),
        ("agent_lsp/analysis/checks/tool_entries.py", ["tests/checks"]),
        ("agent_lsp/server/sync/publish.py", ["tests/server"]),
    ],
)
def test_the_tests_called_after_a_module_are_enough(name: str, tests: list[str]) -> None:
    assert covering(name) == [*tests, "tests/test_architecture.py"]


@pytest.mark.parametrize(
    ("name", "tests"),
    [
        ("tests/checks/test_tools.py", ["tests/checks/test_tools.py"]),
        ("tests/test_links.py", ["tests/test_links.py"]),
        ("tests/checks/pages.py", ["tests/checks"]),
        ("tests/checks/test_that_is_gone.py", []),
        ("tests/vscode/run", []),
    ],
)
def test_a_test_is_its_own_test_and_what_tests_share_is_tested_by_all_of_them(
    name: str, tests: list[str]
) -> None:
    assert covering(name) == tests


def test_no_single_file_has_all_tests_as_its_own() -> None:
    names = [path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").glob("*.py")]
    assert [name for name in names if "tests" in covering(name)] == ["tests/__init__.py"]


def test_what_git_knows_is_tested_somewhere_or_has_a_target_of_its_own() -> None:
    command = ["git", "ls-files"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    for name in listed.stdout.split():
        assert covering(name) or name.startswith("tests/vscode/"), name


@pytest.mark.parametrize(("mark", "variable"), [("editors", "EDITORS"), ("limits", "LIMITS")])
def test_a_target_looks_for_its_tests_where_they_are(mark: str, variable: str) -> None:
    made = (ROOT / "Makefile").read_text(encoding="utf-8")
    [places] = re.findall(rf"^{variable} := (.+)$", made, re.MULTILINE)
    marked = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tests").rglob("test_*.py")
        if f"pytest.mark.{mark}\n" in path.read_text(encoding="utf-8")
    ]
    assert marked
    assert [name for name in marked if not name.startswith(tuple(places.split()))] == []
