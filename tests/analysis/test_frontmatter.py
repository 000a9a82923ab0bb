"""Where a header begins and ends, and what is left of a file whose header is not used."""

from pathlib import Path

import pytest

from agent_lsp.analysis.preview.commands import preview_spawn
from agent_lsp.dialects.codex_templates.dialect import DIALECT
from agent_lsp.syntax import document
from agent_lsp.syntax.frontmatter import FenceKind
from tests.fixture import fixture


def cut(text: str) -> tuple[FenceKind, str, str]:
    """What became of the fences, the header between them, and the body."""
    parsed = document.parse(text, DIALECT.format.split)
    return (
        parsed.frontmatter.fence,
        parsed.frontmatter.inner.of(text),
        parsed.frontmatter.body.of(text),
    )


@pytest.mark.parametrize(
    "text",
    [
        "---\nmodel: x\n---\nb\n",
        "---\r\nmodel: x\r\n---\r\nb\n",
        "  ---\t\nmodel: x\n\u00a0--- \nb\n",
    ],
)
def test_a_line_that_trims_to_three_hyphens_is_a_fence(text: str) -> None:
    assert cut(text) == (FenceKind.CLOSED, "model: x", "b\n")


@pytest.mark.parametrize("fence", ["----", "--", "--- #", "-- -", "\n---", "\u200b---"])
def test_no_other_line_is_one(fence: str) -> None:
    assert cut(f"{fence}\nmodel: x\n---\nb\n")[0] is FenceKind.ABSENT
    assert cut(f"---\nmodel: x\n{fence.lstrip()}x\nb\n")[0] is FenceKind.UNCLOSED


def test_a_fence_in_a_text_block_closes_the_header() -> None:
    text = "---\ndescription: |\n  one\n  ---\n  two\n---\nb\n"
    assert cut(text) == (FenceKind.CLOSED, "description: |\n  one", "  two\n---\nb\n")


def test_a_lone_cr_ends_no_line() -> None:
    assert cut("---\rmodel: x\r---\rb\n")[0] is FenceKind.ABSENT
    assert cut("---\nmodel: x\r---\nb\n")[0] is FenceKind.UNCLOSED


def test_a_byte_order_mark_is_no_blank() -> None:
    assert cut("\ufeff---\nmodel: x\n---\nb\n")[0] is FenceKind.HIDDEN


def test_after_a_header_that_does_not_parse_the_personas_are_gone(tmp_path: Path) -> None:
    source = """
        ---
        description: d
        read_only: yes
        agent_names:
          - name: strict
            description: d
        ---
        Review.
        <!-- agent_name: strict -->
        Report every risk.
        """
    made = fixture(tmp_path, source)
    argument = {"agent_type": "reviewer", "agent_name": "strict"}

    assert preview_spawn(made.workspace, argument) == {
        "result": None,
        "error": 'unknown agent_name "strict" for agent_type "reviewer"',
    }
