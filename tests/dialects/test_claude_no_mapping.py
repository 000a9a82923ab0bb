"""A header that is no mapping defines no agent: that is said where it has the keys of one.

Facts: each of the headers here was given to Claude Code 2.1.332, which listed none of them,
2026-11-28.
"""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.model.schema import Severity
from tests.fixture import fixture

AGENTS = (
    "[name: a]\ndescription: R.\ntools: [Read]",
    "[name: a\ndescription: R.\ntools: Read",
    "[name: a]\nname: a\ndescription: R.",
    "[x, y]\nname: a\ndescription: R.",
    "- name: a\n- description: R.",
    "- name: a\n  description: R.\n  tools: Read",
    "[name: a, description: R.]",
    '"name: a"\ndescription: R.',
    "'name: a\ndescription: R.'",
    '"name: a\ndescription: R.',
    "|\n  name: a\n  description: R.",
    "{name: a}\ndescription: R.",
    "{name: a, description: R.}\ntools: Read",
    "~\nname: a\ndescription: R.",
)
NOTES = (
    "A note about this folder.",
    "name",
    "na",
    "[",
    "[]",
    "- a\n- b",
    "- name",
    "[reviewer, writer]",
    "- [a](b)\n- [c](d)",
    "- see: x",
    "[Note: a]\nmore: b",
    "'note: a'",
    "> name",
)


def said(folder: Path, header: str) -> list[tuple[str, Severity]]:
    made = fixture(folder, f"//- .claude/agents/a.md\n---\n{header}\n---\nYou review.\n")
    return [(one.code, one.severity) for one in diagnostics(made.workspace, made.path)]


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("header", AGENTS)
def test_a_header_with_an_agents_keys_that_is_no_mapping_is_an_error(
    header: str, end: str, tmp_path: Path
) -> None:
    assert said(tmp_path, header.replace("\n", end)) == [("header-invalid", Severity.ERROR)]


@pytest.mark.parametrize("header", NOTES)
def test_a_note_is_none(header: str, tmp_path: Path) -> None:
    assert said(tmp_path, header) == []


@pytest.mark.parametrize(
    ("header", "lost"),
    [
        ("{description: R.}\nAllowTools: [read]", "`AllowTools`"),
        ("{description: R.}\n", ""),
        ("{description: R.}\n...\nAllowTools: [read]", "`AllowTools`"),
    ],
)
def test_what_stands_behind_braces_is_lost_where_one_document_is_read(
    header: str, lost: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, f"//- .kodacode/agents/a.md\n---\n{header}\n---\nGo.\n")
    found = [one for one in diagnostics(made.workspace, made.path) if one.code == "lost-text"]
    assert len(found) == bool(lost)
    assert all(lost in one.message for one in found)
