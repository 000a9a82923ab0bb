"""Prints how many recorded answers of each runtime the product gives, case by case.

`python -m tests.agreement` runs the tests that compare the product with `tests/conformance`, and
counts their cases. It exits with 1 if one of them differs. Tests with fixtures of their own, which
only pytest can make, are left out.
"""

import inspect
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

_MODULES = (
    "test_conformance",
    "dialects.test_kodacode_reading",
    "dialects.test_claude_plugins",
    "dialects.test_claude_runtime",
    "dialects.test_claude_skills",
    "dialects.test_claude_tools",
    "dialects.test_codex_agents_recorded",
    "dialects.test_copilot_headers",
    "dialects.test_gemini_runtime",
    "dialects.test_opencode_recorded",
    "dialects.test_qwen",
)


def _recorded(module: str) -> Iterator[tuple[str, Callable[..., None], list[Any]]]:
    """The tests of a module that take recorded cases, each with its cases."""
    for name, test in vars(import_module(f"tests.{module}")).items():
        marks = [one for one in getattr(test, "pytestmark", ()) if one.name == "parametrize"]
        fixtures = {*inspect.signature(test).parameters} - {"batch", "tmp_path"} if marks else {""}
        if name.startswith("test_") and not fixtures and marks[0].args[0] == "batch":
            batches = [one.values[0] for one in marks[0].args[1] if not one.marks]
            yield name, test, [case for batch in batches for case in batch]


def _agrees(test: Callable[..., None], case: object) -> bool:
    takes_folder = "tmp_path" in inspect.signature(test).parameters
    with TemporaryDirectory() as folder:
        try:
            test((case,), **({"tmp_path": Path(folder)} if takes_folder else {}))
        except (AssertionError, pytest.fail.Exception):
            return False
    return True


def main() -> int:
    """Prints a line for each test; returns the exit code."""
    total = agreeing = 0
    for module in _MODULES:
        for name, test, cases in _recorded(module):
            same = sum(_agrees(test, case) for case in cases)
            total, agreeing = total + len(cases), agreeing + same
            sys.stdout.write(f"{same:5} of {len(cases):5}  {module}: {name}\n")
    sys.stdout.write(f"{agreeing:5} of {total:5}\n")
    return int(agreeing < total)


if __name__ == "__main__":
    sys.exit(main())
