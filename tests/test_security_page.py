"""Each guarantee names tests, and these exist."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/security.md").read_text(encoding="utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and "guarantee |" not in line]
IN_VSCODE = re.compile(r'`(tests/vscode/[\w.]+\.ts)::"([^"`]+)"`')
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def test_each_line_names_tests_that_exist() -> None:
    assert len(ROWS) > 10
    for row in ROWS:
        in_vscode = IN_VSCODE.findall(row)
        for path, title in in_vscode:
            assert f'test("{title}"' in (ROOT / path).read_text(encoding="utf-8"), title
        named = TEST.findall(row)
        if in_vscode and not named:
            continue
        assert named, row
        for path, name in named:
            tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
            kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
            names = {node.name for node in ast.walk(tree) if isinstance(node, kinds)}
            assert name in names, f"{path} has no {name}"


def test_how_to_report_is_said_without_an_address() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "Report a vulnerability" in text
    assert "@" not in text
