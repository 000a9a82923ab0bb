"""Offsets and positions name the same places, in each encoding that an editor can choose."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_lsp.text import Encoding, LineIndex, Span, TextEdit, apply, differences, joined
from tests.effort import within, work

TEXTS = st.text(alphabet="ab\n\r é🚀\u2028\x0c\x85\ud800", max_size=30)
ENCODINGS = st.sampled_from(list(Encoding))


def test_a_span_is_half_open_but_a_cursor_at_its_end_touches_it() -> None:
    span = Span(2, 4)
    assert (len(span), span.of("abcdef")) == (2, "cd")
    assert [offset for offset in range(6) if span.covers(offset)] == [2, 3, 4]
    assert span.shift(3) == Span(5, 7)


def test_an_empty_span_is_a_place_and_is_true() -> None:
    assert Span(1, 1)
    assert Span(1, 1).covers(1)
    assert Span(1, 1).of("ab") == ""


def test_spans_are_ordered_by_their_start_then_their_end() -> None:
    assert sorted([Span(2, 3), Span(1, 5), Span(1, 2)]) == [Span(1, 2), Span(1, 5), Span(2, 3)]


def test_edits_apply_to_the_text_as_given_in_any_order() -> None:
    edits = [TextEdit(Span(4, 6), ""), TextEdit(Span(0, 1), "xyz"), TextEdit(Span(6, 6), "!")]
    assert apply("abcdef", edits) == "xyzbcd!"
    assert apply("abc", []) == "abc"


def test_two_inserts_at_one_place_keep_their_order() -> None:
    assert apply("ab", [TextEdit(Span(1, 1), "1"), TextEdit(Span(1, 1), "2")]) == "a12b"


def test_edits_that_touch_do_not_overlap() -> None:
    assert apply("abcd", [TextEdit(Span(0, 2), "x"), TextEdit(Span(2, 4), "y")]) == "xy"


def test_overlapping_edits_raise_an_error() -> None:
    with pytest.raises(ValueError, match="overlap at offset 1"):
        apply("abcd", [TextEdit(Span(0, 2), "x"), TextEdit(Span(1, 3), "y")])


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("", [0]),
        ("a", [0]),
        ("a\nb\n", [0, 2, 4]),
        ("a\r\nb\rc\n\nd", [0, 3, 5, 7, 8]),
        ("\r\r\n\n\r", [0, 1, 3, 4, 5]),
        ("a\u2028b\x0bc\x0cd\x85e\x1cf", [0]),
    ],
)
def test_lines_end_at_lf_crlf_and_cr_only(text: str, starts: list[int]) -> None:
    assert list(LineIndex(text).starts) == starts


def test_a_line_spans_its_text_without_its_end() -> None:
    index = LineIndex("ab\r\n\ncd")
    assert [index.line_span(line) for line in range(5)] == [
        Span(0, 2),
        Span(4, 4),
        Span(5, 7),
        Span(7, 7),
        Span(7, 7),
    ]


@pytest.mark.parametrize(
    ("encoding", "columns"),
    [
        (Encoding.UTF32, [0, 1, 2, 3, 4]),
        (Encoding.UTF16, [0, 1, 2, 4, 5]),
        (Encoding.UTF8, [0, 1, 3, 7, 8]),
    ],
)
def test_a_column_counts_units_of_the_encoding(encoding: Encoding, columns: list[int]) -> None:
    index = LineIndex("x\naé🚀b")
    assert [index.position(offset, encoding) for offset in range(2, 7)] == [
        (1, column) for column in columns
    ]


@pytest.mark.parametrize(("encoding", "width"), [(Encoding.UTF16, 2), (Encoding.UTF8, 4)])
def test_a_column_inside_a_character_is_its_start(encoding: Encoding, width: int) -> None:
    index = LineIndex("a🚀b")
    inside = [index.offset(0, 1 + unit, encoding) for unit in range(width)]
    assert inside == [1] * width
    assert index.offset(0, 1 + width, encoding) == 2


def test_positions_out_of_range_are_clamped() -> None:
    index = LineIndex("ab\r\ncd")
    assert [index.position(offset) for offset in (-5, 99)] == [(0, 0), (1, 2)]
    for encoding in Encoding:
        assert index.offset(0, 99, encoding) == 2
        assert index.offset(9, 0, encoding) == 6
        assert index.offset(-1, 3, encoding) == 0
        assert index.offset(0, -1, encoding) == 0


@given(TEXTS, ENCODINGS, st.data())
def test_a_position_leads_back_to_its_offset(
    text: str, encoding: Encoding, data: st.DataObject
) -> None:
    """Except between CR and LF, which counts as the end of the line."""
    offset = data.draw(st.integers(0, len(text)))
    index = LineIndex(text)
    found = index.offset(*index.position(offset, encoding), encoding)
    assert found == (offset - 1 if text[offset - 1 : offset + 1] == "\r\n" and offset else offset)


@given(TEXTS)
def test_lines_end_as_in_the_protocol(text: str) -> None:
    index = LineIndex(text)
    lines = [index.line_span(line).of(text) for line in range(len(index.starts))]
    assert lines == re.split(r"\r\n|\r|\n", text)
    assert [index.line_of(offset) for offset in index.starts] == list(range(len(lines)))


@given(st.text("a\r\n\U0001f600", max_size=12), st.sampled_from(Encoding))
def test_no_position_is_after_the_end_of_its_line(text: str, encoding: Encoding) -> None:
    """Not even between the two characters of one line end."""
    index = LineIndex(text)
    for offset in range(len(text) + 1):
        line, column = index.position(offset, encoding)
        end = index.line_span(line).end
        assert (line, column) <= index.position(end, encoding)
        assert index.offset(line, column, encoding) <= min(offset, end)


@pytest.mark.parametrize("lines", [3, 200_000])
def test_differences_of_equal_lines_take_no_time(lines: int) -> None:
    old = "a\n" + "\n" * lines + "b\n" + "\n" * lines + "c\n"
    for new in (old.replace("a", "x"), old.replace("a", "x").replace("c", "z"), old):
        with within(5):
            edits = differences(old, new)
        assert apply(old, edits) == new
        assert len(edits) <= 2


@pytest.mark.parametrize("encoding", Encoding)
def test_the_work_for_all_places_of_a_line_grows_with_their_number(encoding: Encoding) -> None:
    def all_places(count: int) -> None:
        index = LineIndex("a\u202e" * count)
        for at in range(2 * count):
            line, column = index.position(at, encoding)
            if at % 50 == 0:
                assert index.offset(line, column, encoding) == at

    assert work(lambda: all_places(1_600)) < 6 * work(lambda: all_places(400))


@pytest.mark.parametrize("inserted", ["", "cd"])
def test_edits_can_be_joined(inserted: str) -> None:
    edits = [TextEdit(Span(at, at + 2), inserted) for at in (10, 2, 6)]
    text = "abcdefghijklmnop"
    assert apply(text, [joined(text, edits)]) == apply(text, edits)
    assert joined(text, edits).span == Span(2, 12)
