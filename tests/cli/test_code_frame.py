"""The code frame puts its carets under the span, whatever characters the line contains."""

import re
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_lsp.analysis.diagnostics import Diagnostic, Related
from agent_lsp.cli.formats.text import block
from agent_lsp.cli.terminal import Look, columns
from agent_lsp.model.schema import Severity
from agent_lsp.text import LineIndex, Span
from tests.effort import examples

PATH = Path("agents/reviewer.md")
# A few of each kind that matters: wide, combining, invisible, control, line ends.
ALPHABET = "ab \t你🦀e\u0301\u200d\u202e\u2028\x1b\x00\r\n"


def framed(
    text: str,
    marked: str | Span,
    look: Look | None = None,
    *related: Related,
    message: str = "oh no",
) -> str:
    """The block for the first `marked` text, or the span itself."""
    if isinstance(marked, str):
        start = text.index(marked)
        marked = Span(start, start + len(marked))
    found = Diagnostic("some-code", marked, message, Severity.WARNING, (), related)
    return block(found, PATH, lambda _: LineIndex(text), str, look or Look())


CASES: dict[str, tuple[str, str | Span, str]] = {
    "a word": (
        "---\nmodel: gpt\n---\n",
        "gpt",
        """
          |
        2 | model: gpt
          |        ^^^""",
    ),
    "a wide number": (
        "\n" * 99 + "tools\n",
        "tools",
        """
            |
        100 | tools
            | ^^^^^""",
    ),
    "behind tabs": (
        "\ta\tbad\n",
        "bad",
        """
          |
        1 |     a   bad
          |         ^^^""",
    ),
    "behind and of wide characters": (
        "你好: 世界 x\n",
        "世界",
        """
          |
        1 | 你好: 世界 x
          |       ^^^^""",
    ),
    "behind combining characters": (
        "e\u0301e\u0301 bad\n",
        "bad",
        """
          |
        1 | e\u0301e\u0301 bad
          |    ^^^""",
    ),
    "behind control characters": (
        "\x1b[31m\x00bad\n",
        "bad",
        """
          |
        1 | ␛[31m␀bad
          |       ^^^""",
    ),
    "nothing, at the end of a line": (
        "model:\n",
        Span(6, 6),
        """
          |
        1 | model:
          |       ^""",
    ),
    "nothing, at the end of the file": (
        "a\n",
        Span(2, 2),
        """
          |
        2 |
          | ^""",
    ),
    "a line end of two characters": (
        "ab\r\ncd\r\n",
        Span(2, 4),
        """
          |
        1 | ab
          |   ^""",
    ),
    "several lines": (
        "- a\n  b\n  c\nd\n",
        "a\n  b\n  c",
        """
          |
        1 | - a
          |   ^ to line 3""",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_carets_are_under_the_span(case: str) -> None:
    text, marked, expected = CASES[case]
    _, frame = framed(text, marked).split("\n", 1)
    assert frame == textwrap.dedent(expected).removeprefix("\n")


def test_the_first_line_has_place_severity_code_and_message() -> None:
    head, *_ = framed("a\n  b\n", "b", message="no `x`\nhere \x1b[0m").splitlines()
    assert head == f"{PATH}:2:3: warning[some-code]: no `x`␊here ␛[0m"


def test_a_related_place_follows_the_frame() -> None:
    text = "one\ntwo\n"
    related = Related(Path("other.md"), Span(4, 7), "defined here")
    assert framed(text, "one", None, related).splitlines()[-1] == "  = other.md:2:1: defined here"


def test_a_long_line_is_cut_around_the_span() -> None:
    text = "x" * 500 + " bad " + "y" * 500 + "\n"
    _, _, source, carets = framed(text, "bad", Look(width=60)).splitlines()
    assert source.startswith("1 | ...xx")
    assert source.endswith("yy...")
    assert len(source) <= 60
    assert source[carets.index("^") :].startswith("bad ")
    assert carets.endswith(" ^^^")


def test_a_long_line_with_a_span_at_its_start_is_cut_at_the_end() -> None:
    _, _, source, carets = framed("bad " + "y" * 500, "bad", Look(width=60)).splitlines()
    assert source == f"1 | bad {'y' * 49}..."
    assert carets == "  | ^^^"


def test_an_empty_file_has_no_frame() -> None:
    assert framed("", Span(0, 0)) == f"{PATH}:1:1: warning[some-code]: oh no"


def test_a_line_of_a_megabyte_is_cut_in_constant_time() -> None:
    text = "é" * 1_000_000
    lines = LineIndex(text)
    found = Diagnostic("some-code", Span(999_999, 1_000_000), "", Severity.ERROR)
    blocks = [block(found, PATH, lambda _: lines, str, Look()) for _ in range(100)]
    assert all(len(one) < 500 for one in blocks)


def test_colours_change_nothing_but_colours() -> None:
    plain = framed("model: gpt\n", "gpt")
    coloured = framed("model: gpt\n", "gpt", Look(colour=True))
    assert coloured != plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


@settings(max_examples=examples(300), deadline=None)
@given(st.text(ALPHABET, max_size=120), st.data())
def test_a_frame_fits_and_its_carets_begin_at_the_character(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    span = Span(start, data.draw(st.integers(start, len(text))))
    _, *rows = framed(text, span, Look(width=40)).split("\n")
    assert bool(rows) == bool(text)
    if not rows:
        return
    _, source, carets = rows
    assert sum(map(columns, source)) <= 40
    assert source.isprintable() or "\u200d" in source
    lead = sum(map(columns, carets[: carets.index("^")]))
    if span and text[span.start : span.start + 1] in ("你", "🦀", "a", "b"):
        shown = ""
        while sum(map(columns, shown)) < lead:
            shown = source[: len(shown) + 1]
        rest = source[len(shown) :].lstrip("\u200d\u0301")
        assert rest.startswith(text[span.start])
