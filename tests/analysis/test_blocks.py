"""The prompts that are cut out of a body are the runtime's, to the last line end.

The runtime cuts a file with a header into lines, joins those below it, and cuts the result once
more; `expected` does the same. A file without a header is cut once.
"""

from itertools import product

import pytest

from agent_lsp.dialects.codex_templates.dialect import DIALECT
from agent_lsp.syntax import document

HEADER = "---\ndescription: d\n---\n"
MARKER = "<!-- agent_name: a -->"
TEXTS = ("b", "", MARKER, "\r")
ENDS = ("\n", "\r\n", "\r\r\n", "\n\n")


def blocks(text: str) -> tuple[str, str | None]:
    """The default prompt and that of persona `a`."""
    held = DIALECT.format.read(document.parse(text, DIALECT.format.split), "a").effective
    named = held.block("a")
    return held.default.text, None if named is None else named.text


def cut(text: str) -> list[str]:
    """The lines of Rust's `str::lines`."""
    *rows, last = text.split("\n")
    return [row.removesuffix("\r") for row in rows] + ([last] if last else [])


def expected(body: str, *, has_header: bool) -> tuple[str, str | None]:
    rows = cut("\n".join(cut(body))) if has_header else cut(body)
    found: dict[str | None, list[str]] = {None: []}
    name = None
    for row in rows:
        if row.strip() == MARKER:
            name = "a"
            found.setdefault(name, [])
        else:
            found[name].append(row)
    named = "\n".join(found["a"]) if "a" in found else None
    return "\n".join(found[None]), named


@pytest.mark.parametrize(
    ("body", "prompts"),
    [
        ("b\n", ("b", None)),
        ("b\n\n", ("b", None)),
        ("b\n\n\n", ("b\n", None)),
        ("b\r\r\n", ("b\r", None)),
        ("b\r\r\nc\n", ("b\nc", None)),
        ("\n", ("", None)),
        (f"b\n{MARKER}\nA\n\n", ("b", "A")),
        (f"b\n\n{MARKER}\r\r\nA\n", ("b\n", "A")),
    ],
)
def test_below_a_header_a_blank_line_at_the_end_is_no_part_of_the_prompt(
    body: str, prompts: tuple[str, str | None]
) -> None:
    assert blocks(HEADER + body) == prompts
    assert expected(body, has_header=True) == prompts


def test_without_a_header_it_is() -> None:
    assert blocks("b\n\n") == ("b\n", None)
    assert blocks("b\r\r\n") == ("b\r", None)
    reading = DIALECT.format.read(document.parse("b\n\n", DIALECT.format.split), "a")
    assert reading.declared.blocks == reading.effective.blocks


@pytest.mark.parametrize("has_header", [True, False])
def test_every_mixture_of_lines_and_line_ends_is_cut_as_the_runtime_cuts_it(
    has_header: bool,
) -> None:
    lines = [text + end for text, end in product(TEXTS, ENDS)]
    for parts in product(lines, lines, (*lines, *TEXTS)):
        body = "".join(parts)
        text = HEADER + body if has_header else body
        assert blocks(text) == expected(body, has_header=has_header), repr(text)


def test_a_block_begins_in_the_line_below_its_marker_whatever_ends_the_marker() -> None:
    for end in ("\n", "\r\n", "\r\r\n"):
        text = f"{HEADER}b\n{MARKER}{end}A\n"
        block = DIALECT.format.read(
            document.parse(text, DIALECT.format.split), "a"
        ).effective.block("a")

        assert block is not None
        assert block.span.of(text) == "A\n"
        assert block.markers[0].of(text) == "a"
