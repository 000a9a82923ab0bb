"""What ships beside the code is found in a checkout and in an installed wheel."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from agent_lsp.installed import installed

ROOT = Path(__file__).parents[1]
SHIPPED = (
    "templates/codex-templates/builtin/explorer.md",
    "templates/codex-templates/starters/role.md",
    "templates/moltis/starters/moltis.toml",
    "docs/rules/README.md",
    "docs/rules/unknown-tool.md",
    "docs/settings.schema.json",
    "templates/kodacode/builtin/planner.md",
    "templates/kodacode/starters/helper.md",
    "docs/dialects/codex-templates.md",
    "docs/dialects/kodacode.md",
    "templates/claude/starters/sub-agent.md",
    "templates/claude/builtin/explore.md",
    "docs/dialects/claude.md",
    "templates/qwen/starters/sub-agent.md",
    "templates/qwen/builtin/explore.md",
    "docs/dialects/qwen.md",
    "templates/cursor/starters/sub-agent.md",
    "docs/dialects/cursor.md",
    "lsp/agent_template_lsp.lua",
)
ABSENT = "docs/rules/no-such-rule.md"


@pytest.mark.parametrize("relative", SHIPPED)
def test_a_checkout_serves_its_own_files(relative: str) -> None:
    assert installed(relative) == ROOT / relative
    assert installed(relative).is_file()


def test_an_absent_file_has_a_place_but_does_not_exist() -> None:
    assert installed(ABSENT) == ROOT / ABSENT
    assert not installed(ABSENT).exists()


@pytest.fixture(scope="module")
def wheel_answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Where a wheel, built from this checkout and unpacked elsewhere, places each path."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    # What an installation makes of it; `.ci/run` lets pip install it.
    with ZipFile(wheel) as packed:
        packed.extractall(folder / "packages")
    script = (
        "import json, sys; sys.path.insert(0, sys.argv[1]);"
        "from agent_lsp.installed import installed;"
        "print(json.dumps({path: str(installed(path)) for path in sys.argv[2:]}))"
    )
    # -I keeps the checkout, in the current folder or in PYTHONPATH, out of the way.
    asked = subprocess.run(
        [sys.executable, "-I", "-c", script, str(folder / "packages"), *SHIPPED, ABSENT],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    return {relative: Path(place) for relative, place in json.loads(asked.stdout).items()}


@pytest.mark.parametrize("relative", SHIPPED)
def test_a_wheel_carries_the_same_files(relative: str, wheel_answers: dict[str, Path]) -> None:
    assert ROOT not in wheel_answers[relative].parents
    assert wheel_answers[relative].read_bytes() == (ROOT / relative).read_bytes()


def test_a_file_absent_from_a_wheel_is_not_looked_for_outside_of_it(
    wheel_answers: dict[str, Path],
) -> None:
    assert wheel_answers[ABSENT].parent == wheel_answers["docs/rules/README.md"].parent
    assert not wheel_answers[ABSENT].exists()


def test_all_that_the_wheel_copies_stands_in_the_checkout_and_not_in_the_package() -> None:
    """Something of that name inside the package would hide the checkout's own."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    copied = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    for source, target in copied.items():
        assert target == f"agent_lsp/{source}"
        assert (ROOT / source).exists()
        assert not (ROOT / target).exists()
