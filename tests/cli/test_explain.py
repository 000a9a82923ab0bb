"""`explain` prints the pages of `docs/rules`; commands that show no page read none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.shell import SLIP, SOUND, Shell
from tests.forked import Call, answers
from tests.server.editor import environment
from tests.systems import CODES

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "rules"


def test_the_page_of_every_diagnostic_is_printed(shell: Shell) -> None:
    for code in CODES:
        ran = shell.run("explain", code)
        page = (PAGES / f"{code}.md").read_text(encoding="utf-8")
        assert (ran.code, ran.out) == (0, page)


def test_the_list_of_diagnostics_has_the_claim_of_each(shell: Shell) -> None:
    lines = shell.run("explain").out.splitlines()
    for known, line in zip(CODES, lines, strict=True):
        code, claim = line.split(maxsplit=1)
        assert code == known
        page = (PAGES / f"{code}.md").read_text(encoding="utf-8")
        assert page.startswith(f"# {code}: {claim}.\n")


def test_an_unknown_diagnostic_has_a_suggestion(shell: Shell) -> None:
    ran = shell.run("explain", "unknown-tol")
    said = "error: there is no rule `unknown-tol`; did you mean `unknown-tool`?\n"
    assert (ran.code, ran.out, ran.err) == (2, "", said)


@pytest.mark.parametrize("asked", ["README", "../rules/unknown-tool", ""])
def test_a_word_that_is_not_a_code_has_no_page(asked: str, shell: Shell) -> None:
    ran = shell.run("explain", asked)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: there is no rule `")


READ: tuple[tuple[str, tuple[str, ...], list[str]], ...] = (
    (SOUND, ("check",), []),
    (SOUND, ("check", "--format", "sarif"), []),
    (SOUND, ("list",), []),
    (SLIP, ("check",), []),
    (SLIP, ("check", "--format", "json"), []),
    (SLIP, ("check", "--format", "sarif"), ["unknown-tool.md"]),
    (SOUND, ("explain", "unknown-tool"), ["unknown-tool.md"]),
)


def test_only_commands_that_show_rule_pages_read_them(tmp_path: Path) -> None:
    calls = []
    for at, (text, command, _) in enumerate(READ):
        template = tmp_path / str(at) / "workspace/.codex/.agents/a.md"
        template.parent.mkdir(parents=True)
        template.write_text(text, encoding="utf-8")
        calls.append(Call(command, str(template.parents[2]), environment(tmp_path / str(at))))
    pages = [
        [path.name for path in answered.opened if path.parent.parts[-2:] == ("docs", "rules")]
        for answered in answers(calls)
    ]
    assert pages == [expected for _, _, expected in READ]


def test_missing_rule_pages_are_an_error(shell: Shell) -> None:
    alone = shell.home / "alone"
    shutil.copytree(ROOT / "agent_lsp", alone / "agent_lsp")
    ran = _python(alone, "-m", "agent_lsp", "explain", "unknown-tool")
    place = alone / "docs/rules/unknown-tool.md"
    said = f"error: cannot read {place}: No such file or directory\n"
    again = "  it is part of this tool: install the tool again\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", said + again)


def _python(source: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
