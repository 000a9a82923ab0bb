"""What the tests of the rules share: a template as text in, what is said about it out."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import Diagnostic, diagnostics
from agent_lsp.options import Options
from tests.fixture import fixture

BODY = "---\nYou review changes.\n"


@dataclass(frozen=True, slots=True)
class Said:
    """A diagnostic with the text under it and under its related places."""

    code: str
    at: str
    message: str
    severity: str
    related: tuple[str, ...]
    diagnostic: Diagnostic


Check = Callable[..., list[Said]]


@pytest.fixture
def check(tmp_path: Path) -> Check:
    """The diagnostics of the file under test of a fixture's source."""
    runs = 0

    def checked(source: str, options: Options | None = None) -> list[Said]:
        nonlocal runs
        runs += 1
        written = fixture(tmp_path / str(runs), source, options=options)
        read = written.workspace.files.read

        def under(path: Path, start: int, end: int) -> str:
            file = read(path)
            return file.text[start:end] if file else ""

        return [
            Said(
                found.code,
                written.text[found.span.start : found.span.end],
                found.message,
                found.severity.name.lower(),
                tuple(under(link.path, link.span.start, link.span.end) for link in found.related),
                found,
            )
            for found in diagnostics(written.workspace, written.path)
        ]

    return checked


@pytest.fixture
def header(check: Check) -> Check:
    """As `check`, for a header without its fences, with a description and a prompt added."""

    def checked(lines: str, options: Options | None = None) -> list[Said]:
        return check(f"---\ndescription: Reviews a change.\n{lines}\n{BODY}", options)

    return checked
