"""TOML 1.1 is read as the toml crate 1.x reads it, and refused in its words."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent_lsp.syntax import toml
from agent_lsp.syntax.nodes import Mapping, Scalar
from agent_lsp.syntax.toml.verdict import rendered
from tests.recorded import each

DATA = Path(__file__).parent.parent / "conformance"


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]


@each(cases("codex-agents"))
def test_a_text_is_refused_with_what_the_runtime_prints(case: dict[str, Any]) -> None:
    """The same line, column, excerpt, underlining and reason; else the text is sound."""
    tree = toml.parse_newer(case["text"])
    _, is_syntax, said = (case["error"] or "").partition(": TOML parse error ")
    assert bool(tree.damage) is bool(tree.problem) is bool(is_syntax)
    if tree.problem is not None:
        shown = rendered(tree.problem, case["text"].removeprefix("\ufeff"))
        assert shown == f"TOML parse error {said}"


NEWER_ALONE = ("\\e", "\\x", ",}", "10:20", "-9223372036854775809")


@each(cases("moltis-toml"))
def test_a_text_is_sound_in_both_versions_or_has_what_only_one_allows(
    case: dict[str, Any],
) -> None:
    older, newer = toml.parse(case["text"]), toml.parse_newer(case["text"])
    assert bool(newer.damage) is bool(newer.problem)
    differs = bool(older.problem) is not bool(newer.problem)
    assert not differs or any(sign in case["text"] for sign in NEWER_ALONE)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'a = "\e"', "\x1b"),
        (r'a = "\x41"', "A"),
        ('a = """\n\\x41\\\n  b"""', "Ab"),
        (r'a = "A\U0001F680"', "A\U0001f680"),
    ],
)
def test_an_escape_of_the_newer_version_is_read(text: str, value: str) -> None:
    root = toml.parse_newer(text).root
    assert isinstance(root, Mapping)
    node = root.entries[0].value
    assert isinstance(node, Scalar)
    assert node.value == value
    assert toml.parse_newer(text).problem is None


@pytest.mark.parametrize(
    "text",
    [
        "a = {\n  b = 1, # one\n  c = [{ d = 1, }],\n}\n",
        "a = {}",
        "a = 10:20",
        "a = 2026-01-01 10:20Z",
    ],
)
def test_what_the_newer_version_allows_is_sound(text: str) -> None:
    tree = toml.parse_newer(text)
    assert (tree.problem, tree.damage) == (None, ())
    assert isinstance(tree.root, Mapping)
    assert [entry.name for entry in tree.root.entries] == ["a"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = True", "invalid boolean, expected `true`"),
        ("a = 01", "unexpected leading zero, expected nothing"),
        ("a = 1__0", "`_` may only go between digits, expected nothing"),
        ("a =", "string values must be quoted, expected literal string"),
        ("a = 'b", "invalid literal string, expected `'`"),
        ('a = "\\x4"', "too few unicode value digits, expected unicode hexadecimal value"),
        ('a = b"', 'missing opening quote, expected `"`'),
        ("a = [1 2]", "string values must be quoted, expected literal string"),
        ("a = [1, 'x' 'y']", "missing comma between array elements, expected `,`"),
        ("a = {b}", "invalid literal string, expected `'`"),
        ("a = {b = 1 c = 2}", "extra assignment between key-value pairs, expected `,`"),
        ("a = {,}", "extra comma in inline table, expected key"),
        ("a = {b = 1, b = 2}", "duplicate key"),
        ("a = 1\na.b = 2", "cannot extend value of type integer with a dotted key"),
        ("[a\nb = 1", "unclosed table, expected `]`"),
        ("]", "missing table open, expected `[`"),
        ("a. = 1", "unquoted keys cannot be empty, expected letters, numbers, `-`, `_`"),
        (
            "'''a''' = 1",
            "keys cannot be multi-line literal strings, expected basic string, literal string",
        ),
        ("# \x01\na = 1", "invalid comment character, expected printable characters"),
        (f"a = {'[' * 81}{']' * 81}", "cannot recurse further; max recursion depth met"),
        # What breaks the structure is told before what is wrong in a value above.
        ('a = "\\d"\nb', "key with no value, expected `=`"),
    ],
)
def test_a_mistake_has_the_words_of_the_crate(text: str, message: str) -> None:
    problem = toml.parse_newer(text).problem
    assert problem is not None
    assert problem.message == message


def test_what_recovery_makes_of_a_broken_text_is_no_key() -> None:
    text = 'a = """\n\\d\n- one\n- two\nb = """x"""\n"""\n'
    problem = toml.parse_newer(text).problem
    assert problem is not None
    assert problem.message != "duplicate key"
