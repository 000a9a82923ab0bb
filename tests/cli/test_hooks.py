"""The pre-commit hook and the GitHub action work in a repository."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.repository import commit, git
from tests.cli.shell import SLIP, SOUND, Shell

ROOT = Path(__file__).parents[2]
AGENT = ".codex/.agents/a.md"


def load(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


@pytest.mark.parametrize(
    ("text", "names", "code"),
    [
        (SOUND, [AGENT], 0),
        (SLIP, [AGENT], 1),
        (SLIP, ["README.md", AGENT], 1),
        (SLIP, ["README.md", "pyproject.toml"], 0),
    ],
)
def test_the_hook_fails_for_findings_in_the_files_that_it_is_given(
    text: str, names: list[str], code: int, shell: Shell
) -> None:
    shell.write("README.md", "Read me.")
    shell.write("pyproject.toml", "[project]")
    shell.write(AGENT, text)
    [hook, _] = load(".pre-commit-hooks.yaml")
    program, *arguments = shlex.split(hook["entry"])
    assert program == "agent-template-lsp"
    ran = shell.run(*arguments, *names)
    assert (ran.code, ran.err) == (code, "")


def test_the_hook_for_copies_fails_if_one_is_stale(shell: Shell) -> None:
    [_, hook] = load(".pre-commit-hooks.yaml")
    # A commit that only deletes a source changes no file that a hook could be given.
    assert (hook["pass_filenames"], hook["always_run"]) == (False, True)
    _, *arguments = shlex.split(hook["entry"])
    source = ".claude/agents/a.md"
    shell.write(source, "---\nname: a\ndescription: Reads.\ntools: Read\n---\nRead it.\n")
    assert shell.run("convert", source, "--write", "opencode").code == 0
    assert shell.run(*arguments).code == 0
    shell.write(source, "---\nname: a\ndescription: Reads.\ntools: Read\n---\nRead all.\n")
    assert shell.run(*arguments).code == 1
    (shell.root / source).unlink()
    assert shell.run(*arguments).code == 1


def steps() -> list[dict[str, Any]]:
    action = load("action.yml")
    assert action["runs"]["using"] == "composite"
    return [step for step in action["runs"]["steps"] if "run" in step]


def check(
    folder: Path, temp: Path, step: int = -1, **inputs: str
) -> subprocess.CompletedProcess[str]:
    """Runs a step of the action like a runner, the last by default.

    The checkout is what it installs. A name in capitals is a variable of the runner.
    """
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash, which runners of every system have")
    (temp / "agent-template-lsp").symlink_to(ROOT)
    variables = {n if n.isupper() else f"INPUT_{n.upper()}": v for n, v in inputs.items()}
    environment = {**os.environ, **variables, "RUNNER_TEMP": str(temp), "PYTHON": sys.executable}
    return subprocess.run(
        [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", steps()[step]["run"]],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_action_annotates_the_lines_and_fails(shell: Shell, tmp_path: Path) -> None:
    shell.write(AGENT, SLIP)
    # A repository must not decide which program checks it.
    shell.write("yaml.py", "raise SystemExit(3)")
    ran = check(shell.root, tmp_path, paths=".\n", arguments="")
    assert ran.stdout.startswith(f"::warning file={AGENT},line=2,")
    assert ran.returncode == 1


def test_the_inputs_of_the_action_are_arguments_and_not_script(
    shell: Shell, tmp_path: Path
) -> None:
    odd = '$(touch x) "; touch x; #'
    shell.write(f"{odd}/{AGENT}", SLIP)
    shell.write(f"b/{AGENT}", SLIP)
    arguments = "--severity=error\r\n\r\n--select=unknown"
    ran = check(shell.root, tmp_path, paths=f"{odd}\r\nb", arguments=arguments)
    assert (ran.returncode, ran.stderr) == (0, "")
    checked = "checked 2 templates of Codex (fork NeoGrAIph/codex): nothing to report\n"
    assert ran.stdout == checked
    assert not (shell.root / "x").exists()


def test_the_action_says_in_the_summary_of_a_pull_request_what_happens_to_the_agents(
    shell: Shell, tmp_path: Path
) -> None:
    shell.write("../origin/.claude/agents/old.md", "---\nname: old\ndescription: D.\n---\nP.\n")
    origin = tmp_path / "origin"
    base = commit(origin)
    git(origin, "checkout", "--quiet", "-b", "side")
    (origin / ".claude/agents/old.md").rename(origin / ".claude/agents/new.md")
    (origin / ".claude/agents/new.md").write_text("---\nname: new\ndescription: D.\n---\nP.\n")
    commit(origin)
    git(origin, "checkout", "--quiet", "--detach", base)
    git(origin, "merge", "--quiet", "--no-ff", "-m", "Merge", "side")
    merged = git(origin, "rev-parse", "HEAD")
    git(origin, "config", "uploadpack.allowAnySHA1InWant", "true")
    git(tmp_path, "clone", "--quiet", "--depth", "1", origin.as_uri(), "clone")
    summary = tmp_path / "summary.md"
    runner = {"GITHUB_STEP_SUMMARY": str(summary), "GITHUB_SHA": merged, "BASE": base}
    ran = check(tmp_path / "clone", tmp_path, -2, since="", **runner)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert "- **`new` appears**" in summary.read_text("utf-8")
    assert "- **`old` vanishes**" in summary.read_text("utf-8")
    (tmp_path / "agent-template-lsp").unlink()
    ran = check(tmp_path / "clone", tmp_path, -2, since="gone", **runner)
    assert (ran.returncode, ran.stdout[:10]) == (0, "::notice::")
    (tmp_path / "agent-template-lsp").unlink()
    ran = check(tmp_path / "clone", tmp_path, -2, since="", **{**runner, "BASE": ""})
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_each_step_of_a_job_uses_the_version_that_it_names() -> None:
    # Without this, pip keeps the version that an earlier step has installed.
    [install] = [step["run"] for step in steps() if "pip install" in step["run"]]
    assert {"--upgrade", "--target"} <= set(shlex.split(install.replace("\\\n", " ")))


def test_no_input_is_written_into_a_script() -> None:
    for step in steps():
        assert "${{" not in step["run"]
    used = set(re.findall(r"inputs\.(\w+)", (ROOT / "action.yml").read_text("utf-8")))
    assert used == set(load("action.yml")["inputs"])
