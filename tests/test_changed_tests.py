"""`make quick` finds the tests of whatever has changed."""

import re
import subprocess
from pathlib import Path

import pytest

from scripts.changed_tests import AREAS, ROOT, covering
from scripts.platform_modules import chosen


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


def test_the_target_for_hostile_files_finds_whatever_can_have_some() -> None:
    made = (ROOT / "Makefile").read_text(encoding="utf-8")
    [pattern] = re.findall(r"^HOSTILE = .*grep -rlE '(.+?)'", made, re.MULTILINE)
    texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")}
    shared = [path for path, text in texts.items() if "mark.hostile" in text]
    shared = [path for path in shared if not path.name.startswith("test_")]
    assert sorted(path.stem for path in shared) == ["effort", "recorded"]
    for line in (
        "@pytest.mark.hostile",
        "from hypothesis import given",
        "from tests.fixes.test_every_fix import IN_EACH_KIND",
        *(f"from tests.{path.stem} import x" for path in shared),
    ):
        assert re.search(pattern, line)
    # The folder's `conftest.py` marks the tests of these.
    inside = [path for path in texts if path.match("hostile/test_*.py")]
    assert inside
    assert all(re.search(pattern, texts[path]) for path in inside)


@pytest.mark.parametrize(
    "text",
    [
        "import os\n",
        "def f() -> None:\n    import fcntl\n",
        "from signal import SIGKILL\n",
        "from asyncio.windows_events import ProactorEventLoop\n",
        "import platformdirs\n",
        "def f(path: Path) -> int:\n    return path.stat().st_birthtime\n",
        "def f(path: Path) -> bool:\n    return path.is_mount()\n",
        "try:\n    pass\nexcept WindowsError:\n    pass\n",
    ],
)
def test_what_differs_between_platforms_is_typed_for_each(text: str, tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "same.py").write_text(
        "import re\nfrom pathlib import Path\nfrom json import loads\n"
    )
    (tmp_path / "one.py").write_text(text)
    assert chosen(tmp_path) == [tmp_path / "one.py"]


def test_if_a_module_defines_something_for_one_platform_each_is_typed(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "user.py").write_text("from agent_lsp.one import f\n")
    (tmp_path / "one.py").write_text('import sys\nif sys.platform == "win32":\n    f = 1\n')
    assert chosen(tmp_path) == [tmp_path]


def test_most_modules_are_the_same_on_each_platform() -> None:
    pytest.importorskip("mypy")
    names = [path.name for path in chosen(ROOT / "agent_lsp")]
    assert {"disk.py", "workers.py", "terminal.py", "environment.py"} <= set(names)
    assert "hover.py" not in names
