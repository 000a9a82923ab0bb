"""The benchmark runs, and measures what its page promises."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.limits

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
LATENCY = BENCHMARKS / "latency.py"
ROWS = (
    "start to `initialize`",
    "start to first diagnostics",
    "edit of a header's value",
    "edit that breaks the header",
    "edit of the body",
    "hover",
    "completion",
)


EDITS = ROWS[2:5]


def test_each_row_has_both_servers_and_their_ratio() -> None:
    command = [sys.executable, str(LATENCY), "--starts", "1", "--times", "2", "--templates", "5"]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    *beside_bare, of_systems = out.split("\n## ")[1:]
    assert len(beside_bare) == 2
    for table, rows in ((beside_bare[0], ROWS), (beside_bare[1], ROWS), (of_systems, EDITS)):
        cells = [line.split("|")[1:-1] for line in table.splitlines() if line.startswith("| ")]
        measured = {row[0].strip(): [cell.strip() for cell in row[1:]] for row in cells}
        for row in rows:
            for label in ("median", "p95"):
                bare, ours, ratio, *_ = measured[f"{row}, {label}"]
                quotient = float(ours.removesuffix(" ms")) / float(bare.removesuffix(" ms"))
                # The figures are rounded to two places, and a bare answer takes 0.3 ms.
                assert abs(float(ratio) - quotient) < 0.02 * quotient + 0.1


def test_edits_are_measured_while_a_branch_changes() -> None:
    command = [sys.executable, str(BENCHMARKS / "branch.py"), "--sizes", "120"]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [line.split("|")[1:-1] for line in out.splitlines() if line.startswith("| 120 |")]
    assert [row[1].strip() for row in rows] == ["Claude Code", "Codex sub-agents"]
    for row in rows:
        _, _, _, edits, middle, p95, bare, aim = (cell.split()[0] for cell in row)
        assert aim == "20"
        assert int(edits) > 0
        assert 0 < float(middle) <= float(p95)
        assert float(bare) > 0


def test_a_workspace_is_checked_in_each_size_beside_tools_that_see_the_fault_in_another(
    tmp_path: Path,
) -> None:
    """A linter that calls everything sound, or nothing, is not compared."""
    programs = tmp_path / "python/bin"
    programs.mkdir(parents=True)
    strict = "for agent in .claude/agents/*; do grep -q ^description: $agent || exit 1; done"
    for name, script in (("agnix", strict), ("skillsaw", "exit 0"), ("skilllint", "exit 1")):
        (programs / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    command = [sys.executable, str(BENCHMARKS / "batch.py"), "--others", str(tmp_path)]
    command += ["--turns", "1", "--sizes", "3", "4"]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "skillsaw is left out: it ends with 0 and 0" in out
    assert "skilllint is left out: it ends with 1 and 1" in out
    for table in out.split("\n## check, ")[1:]:
        rows = [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("| ")]
        ours = "agent-template-lsp check"
        assert rows[1:4] == [ours, f"{ours}, again", "agnix"]
    assert out.count("\n## check, ") == 2
    assert "agent-template-lsp --version" in out
