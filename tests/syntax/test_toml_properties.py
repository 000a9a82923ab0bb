"""Properties that hold for every TOML text."""

import datetime as dt
import math
import re
import tomllib
from typing import Any

import pytest
from hypothesis import assume, given, settings

from agent_lsp.syntax import toml
from agent_lsp.syntax.nodes import Broken, Mapping, Pair, Scalar, Section
from agent_lsp.text import Span
from tests.effort import examples
from tests.syntax.outline import outline, walk
from tests.syntax.test_toml import value_of
from tests.syntax.tomls import FILES, damaged, written


def check(text: str, start: int = 0) -> None:
    """Asserts the properties of every parse of `text`."""
    whole = Span(start, start + len(text))
    tree = toml.parse(text, start)
    for node in walk(tree.root):
        _inside(node.span, whole)
        if isinstance(node, Broken) and node.text:
            assert node.text == node.span.shift(-start).of(text)
    for problem in tree.damage:
        _inside(problem.span, whole)
        if problem.context_span is not None:
            _inside(problem.context_span, whole)
    assert (tree.problem is None) == (not tree.damage)
    at = start
    for section in tree.sections:
        assert section.span.start == at
        at = section.span.end
        _check_section(section)
    assert at == whole.end


def _check_section(section: Section) -> None:
    """Asserts that statements are in source order, do not overlap, and nest."""
    at = section.span.start
    for statement in (section.header, *section.pairs):
        if statement is None:
            continue
        assert at <= statement.span.start
        at = statement.span.end
        for key in statement.keys:
            _inside(key.span, statement.span)
        if isinstance(statement, Pair) and statement.value is not None:
            for node in walk(statement.value):
                _inside(node.span, statement.span)
    assert at <= section.span.end


def _inside(span: Span, outer: Span) -> None:
    assert outer.start <= span.start <= span.end <= outer.end


@pytest.mark.parametrize("text", FILES)
def test_every_prefix_of_a_file_is_read(text: str) -> None:
    """While a file is typed, nothing raises and every span is in bounds."""
    for end in range(len(text) + 1):
        check(text[:end], start=7)


@given(damaged())
def test_every_text_is_read(text: str) -> None:
    """The same as for prefixes, after any edits."""
    check(text)
    toml.parse_open(text)


@given(damaged())
def test_verdict_on_edited_files_is_that_of_tomllib(text: str) -> None:
    """Except where toml_edit is known to differ from tomllib."""
    assume(not any(known in text for known in ("\ufeff", "\ud800", "99999", "0000-")))
    agrees(text)


@given(written())
def test_verdict_on_conflicts_is_that_of_tomllib(text: str) -> None:
    """Which keys and tables are in conflict, and the values of the others.

    toml_edit differs for dotted keys into a table that only a header above has named.
    """
    headers = [line.strip("[]").replace(" ", "") for line in text.split("\n") if line[:1] == "["]
    names = [re.sub("[\"']", "", header) + "." for header in headers]
    assume(not any(b != a and a.startswith(b) for at, b in enumerate(names) for a in names[:at]))
    agrees(text)


def agrees(text: str) -> None:
    """Asserts tomllib's verdict and values."""
    try:
        expected: Any = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, ValueError):
        expected = None
    tree = toml.parse(text)
    assert (tree.problem is None) == (expected is not None), (tree.problem, text)
    if expected is not None:
        assert same(value_of(tree.root), expected)


def same(read: Any, expected: Any) -> bool:
    """Whether both have the same values; dates are compared as text."""
    if isinstance(expected, dict):
        return read.keys() == expected.keys() and all(same(read[k], expected[k]) for k in read)
    if isinstance(expected, list):
        return len(read) == len(expected) and all(map(same, read, expected))
    if isinstance(expected, float) and math.isnan(expected):
        return isinstance(read, float) and math.isnan(read)
    if isinstance(expected, dt.date | dt.time):
        return type(read) is str
    return type(read) is type(expected) and read == expected


@settings(max_examples=examples(30))
@given(written(), written())
def test_an_unclosed_string_does_not_affect_later_tables(before: str, behind: str) -> None:
    """Whatever an unclosed statement contains, the next table is as before."""
    assume(toml.parse(before).problem is None)
    alone = f"[last.one]\nx = 1\n{_nested(behind)}"
    assume(toml.parse(alone).problem is None)
    lines = ('k = """half\n', "k = '''half\nmore", "k = [\n  1,\n  2", "k = {", "k = {m = [1,")
    for half in (*lines, 'k = "half', "k = 'half", 'k = ["a", "b', "k = {m = 1, n", "k", "k ="):
        opens = half[4:7]
        if opens in ('"""', "'''") and "{" in behind and opens in behind:
            # Inside of braces, the start of a multi-line string looks like the end of the open one.
            continue
        tree = toml.parse(f"{before}\n[half.typed]\n{half}\n{alone}\n")
        root = tree.root
        assert isinstance(root, Mapping)
        entry = root.get("last")
        whole = toml.parse(alone).root
        assert isinstance(whole, Mapping)
        assert entry is not None
        assert outline(entry.value) == outline(whole.entries[0].value), half


def _nested(text: str) -> str:
    """`text` with its tables below `last.one`."""
    lines = text.split("\n")
    return "\n".join(
        line.replace("[[", "[[last.one.", 1)
        if line.startswith("[[")
        else line.replace("[", "[last.one.", 1)
        if line.startswith("[") and line.endswith("]") and "=" not in line
        else line
        for line in lines
    )


@pytest.mark.parametrize(
    ("text", "is_sound"),
    [
        ("\ufeffa = 1", True),
        ("a = 9223372036854775807", True),
        ("a = 9223372036854775808", False),
        ("a = -9223372036854775808", True),
        ("a = " + "9" * 5000, False),
        ("a = 10:20:60", True),
        ("a = 0000-01-01", True),
        ("a = 1e400", False),
        ("a = -1e400", True),
        ("a = " + "[" * 79 + "]" * 79, True),
        ("a = " + "[" * 80 + "]" * 80, False),
        ("a = " + "[" * 100_000, False),
        (".".join(["a"] * 79) + " = 1", True),
        (".".join(["a"] * 80) + " = 1", False),
        ("[a.b.c]\n[a]\nb.d = 1", False),
        ("[a.b.c]\n[a]\nb.d.e = 1\n[a.b]\n", True),
        ("[[a.b]]\n[a]\nb.c.d = 1", True),
    ],
    ids=lambda value: str(value)[:30],
)
def test_runtime_parser_wins_over_tomllib(text: str, *, is_sound: bool) -> None:
    """The behaviour in toml_edit's source code, where tomllib differs or is silent."""
    assert (toml.parse(text).problem is None) is is_sound
    check(text)


def test_a_deep_tree_can_be_walked_by_recursion() -> None:
    """Functions that read a tree may recurse, because deeper nodes are `Broken`."""
    text = "[" + ".".join(["a"] * 70) + "]\n" + ".".join("b" * 70) + " = {" + "c={" * 70 + "}" * 71
    tree = toml.parse(text)
    deepest = [node for node in walk(tree.root) if isinstance(node, Scalar)]
    assert tree.problem is None
    assert deepest
