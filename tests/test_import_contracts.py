"""Who may import whom: the contracts in pyproject.toml hold, and find what breaks them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "agent_lsp"

# A module of the package, what is put at its end, and the import that is to be found.
PLANTED = (
    ("text.py", "from agent_lsp.syntax import nodes", "text -> syntax.nodes"),
    ("text.py", "from agent_lsp import analysis", "text -> analysis"),
    ("text.py", "import agent_lsp.settings", "text -> settings"),
    ("text.py", "def late():\n    from .cli import main", "text -> cli"),
    ("installed.py", "from agent_lsp import options", "installed -> options"),
    ("syntax/nodes.py", "from ..model import dialect", "syntax.nodes -> model.dialect"),
    ("model/reach.py", "from agent_lsp.decoders import rust", "model.reach -> decoders.rust"),
    ("options.py", "from agent_lsp.workspace import disk", "options -> workspace.disk"),
    ("workspace/paths.py", "from agent_lsp.dialects import SYSTEMS", "workspace.paths -> dialects"),
    (
        "analysis/suggest.py",
        "from agent_lsp.dialects.claude import facts",
        "analysis.suggest -> dialects.claude.facts",
    ),
    ("settings/forms.py", "import agent_lsp.environment", "settings.forms -> environment"),
    ("environment.py", "from agent_lsp.server import app", "environment -> server.app"),
    ("server/quiet.py", "from agent_lsp.cli import terminal", "server.quiet -> cli.terminal"),
    (
        "dialects/vuhlp/words.py",
        "from agent_lsp.dialects.claude import tools",
        "dialects.vuhlp.words -> dialects.claude.tools",
    ),
    (
        "analysis/render.py",
        "from agent_lsp.analysis.preview import panel",
        "analysis.render -> analysis.preview.panel",
    ),
    (
        "analysis/completion/prompt.py",
        "from agent_lsp.analysis.navigation import structure",
        "analysis.completion.prompt -> analysis.navigation.structure",
    ),
    (
        "analysis/hover/keys.py",
        "from agent_lsp.analysis.conversion import pair",
        "analysis.hover.keys -> analysis.conversion.pair",
    ),
    (
        "analysis/diagnostics.py",
        "from agent_lsp.analysis import fixes",
        "analysis.diagnostics -> analysis.fixes",
    ),
)
# A module that no layer has.
HOMELESS = ("helpers.py", "analysis/helpers.py")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What is said of a copy of the package with all that is planted."""
    copy = tmp_path_factory.mktemp("planted")
    shutil.copytree(PACKAGE, copy / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    for file, code, _ in PLANTED:
        with (copy / PACKAGE.name / file).open("a", encoding="utf-8") as stream:
            stream.write(f"\n{code}\n")
    for file in HOMELESS:
        (copy / PACKAGE.name / file).write_text('"""Helps."""\n', encoding="utf-8")
    done = _contracts(copy)
    assert done.returncode == 1
    return done.stdout


def test_the_package_keeps_its_contracts() -> None:
    done = _contracts(ROOT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("arrow", [arrow for _, _, arrow in PLANTED])
def test_a_planted_import_is_found(arrow: str, found: str) -> None:
    importer, _, imported = arrow.partition(" -> ")
    assert f"agent_lsp.{importer} -> agent_lsp.{imported} (l." in found


@pytest.mark.parametrize("file", HOMELESS)
def test_a_module_that_belongs_to_no_layer_is_found(file: str, found: str) -> None:
    name = file.removesuffix(".py").replace("/", ".")
    _, _, unlisted = found.partition("The following modules are not listed as layers")
    assert f"- agent_lsp.{name}\n" in unlisted


def test_the_package_itself_may_import_nobody(tmp_path: Path) -> None:
    """It is loaded before all others, and a layer that imports its version would get the rest."""
    shutil.copytree(PACKAGE, tmp_path / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / PACKAGE.name / "__init__.py").open("a", encoding="utf-8") as stream:
        stream.write("\nfrom agent_lsp import text\n")
    done = _contracts(tmp_path)
    assert done.returncode == 1
    assert "agent_lsp -> agent_lsp.text (l." in done.stdout


def _contracts(folder: Path) -> subprocess.CompletedProcess[str]:
    """What the linter says of the package in `folder`, by the contracts that lie beside it."""
    script = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run(
        [sys.executable, "-c", script, "--no-cache", "--no-logo"],
        cwd=folder,
        # A line is as long as it is, and no other copy of the package comes first.
        env={**os.environ, "COLUMNS": "1000", "PYTHONPATH": "", "PYTHONUTF8": "1"},
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
