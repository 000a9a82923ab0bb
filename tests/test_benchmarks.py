"""The benchmark runs, and measures what its page promises."""

import subprocess
import sys
from pathlib import Path

LATENCY = Path(__file__).parents[1] / "benchmarks/latency.py"
ROWS = (
    "start to `initialize`",
    "start to first diagnostics",
    "edit of a header's value",
    "edit that breaks the header",
    "edit of the body",
    "hover",
    "completion",
)


def test_each_row_has_both_servers_and_their_ratio() -> None:
    command = [sys.executable, str(LATENCY), "--starts", "1", "--times", "2", "--templates", "5"]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for table in out.split("\n## ")[1:]:
        cells = [line.split("|")[1:-1] for line in table.splitlines() if line.startswith("| ")]
        measured = {row[0].strip(): [cell.strip() for cell in row[1:]] for row in cells}
        for row in ROWS:
            for label in ("median", "p95"):
                bare, ours, ratio, _ = measured[f"{row}, {label}"]
                quotient = float(ours.removesuffix(" ms")) / float(bare.removesuffix(" ms"))
                # The figures are rounded to two places, and a bare answer takes 0.3 ms.
                assert abs(float(ratio) - quotient) < 0.02 * quotient + 0.1
    assert out.count("\n## ") == 2
