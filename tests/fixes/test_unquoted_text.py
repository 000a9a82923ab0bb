"""Fixes for texts that YAML takes for something else: what is read is what was written."""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes, repaired
from agent_lsp.text import apply
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import fixture

TEXTS = (
    "Use this: for reviews",
    r"Use it. Such as:\n<example>\nuser: \"go\"\n</example>",
    "It's for reviews: the user's own",
    'Use it. Examples:\n<example>\nContext: a branch\nuser: "go"\n</example>',
    "Use it. Such as:\n\n<example>\n  user: go\n</example>\n\n- or: that",
    "Use it\nwhen it is needed",
)


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("text", TEXTS)
def test_the_file_loads_with_the_very_same_text(text: str, end: str, tmp_path: Path) -> None:
    source = f"---\nname: a\ndescription: {text}\nmodel: opus\n---\nYou help.\n"
    made = fixture(tmp_path, "//- .claude/agents/a.md\n" + source.replace("\n", end))
    (fix,) = fixes(made.workspace, made.path)
    assert fix.safe
    fixed = fixture(tmp_path / "fixed", "//- .claude/agents/a.md\n" + apply(made.text, fix.edits))
    assert diagnostics(fixed.workspace, fixed.path) == ()
    file = template_file(fixed.workspace, fixed.path)
    assert file is not None
    held = file.reading.effective.settings
    # A block ends with its line, and the runtime takes `\\n` for a line break in any text.
    assert held["description"].text.removesuffix("\n") == text.replace("\\n", "\n")
    assert held["model"].text == "opus"
    assert ("\r" in fixed.text) == (end == "\r\n")


def test_two_texts_are_put_in_quotes_one_by_one(tmp_path: Path) -> None:
    source = "//- .claude/agents/a.md\n---\nname: a\ndescription: b: c\nx: d: e\n---\nYou help.\n"
    made = fixture(tmp_path, source)
    done = repaired(made.workspace, made.path)
    assert done is not None
    assert 'description: "b: c"\nx: "d: e"\n' in done


def test_a_last_line_that_may_be_a_key_is_for_the_author_to_decide(tmp_path: Path) -> None:
    source = "---\nname: a\ndescription: Do it\n<e>\nversion: 1\n---\nYou help.\n"
    made = fixture(tmp_path, "//- .claude/agents/a.md\n" + source)
    (fix,) = fixes(made.workspace, made.path)
    assert not fix.safe
