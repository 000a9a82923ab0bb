"""The files for the host of the repository are what the host takes."""

import importlib
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("schema", "file"),
    [
        ("vendor.github-workflows", ".github/workflows/ci.yml"),
        ("vendor.github-actions", "action.yml"),
    ],
)
def test_a_file_obeys_the_schema_of_its_host(schema: str, file: str, tmp_path: Path) -> None:
    assert _faults(schema, ROOT / file) == ""

    # So that a schema which takes anything is found out.
    wrong = tmp_path / "wrong.yml"
    wrong.write_text((ROOT / file).read_text(encoding="utf-8") + "\nnonsense: 1\n", "utf-8")
    assert "nonsense" in _faults(schema, wrong)


def test_the_host_runs_the_script_that_everybody_runs() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    [job] = workflow["jobs"].values()
    assert job["steps"][-1] == {"run": "bash .ci/run"}


def test_the_hooks_of_this_repository_call_what_is_there() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    entries = [hook["entry"] for repo in config["repos"] for hook in repo["hooks"]]
    targets = [line.split(":")[0] for line in (ROOT / "Makefile").read_text("utf-8").splitlines()]
    assert entries == ["make lint", ".venv/bin/agent-template-lsp check --if-any"]
    assert "lint" in targets


def _faults(schema: str, file: Path) -> str:
    """What is wrong with `file`; nothing if it obeys the schema that comes with the checker."""
    # In this process, because a new one takes longer to import the checker than to check.
    checker = importlib.import_module("check_jsonschema")
    ran = CliRunner().invoke(checker.main, ["--builtin-schema", schema, str(file)])
    return "" if ran.exit_code == 0 else ran.output


@pytest.mark.skipif(shutil.which("make") is None, reason="the targets need make")
def test_a_folder_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    call = ["make", "--no-print-directory", "--old-file", ".venv/.installed", "VENV=.venv"]
    call += ["run", f"DIR={tmp_path}/gone"]
    done = subprocess.run(call, capture_output=True, check=False, text=True, cwd=ROOT)
    assert done.stderr.splitlines()[0] == f"make run: there is no folder {tmp_path}/gone"
    assert done.stdout == ""
