"""Texts that could make a parser backtrack take time proportional to their length.

A parser that tries each end of one part for each end of another would need minutes.
"""

from collections.abc import Callable

import pytest

from agent_lsp.syntax import toml
from agent_lsp.syntax.nodes import Scalar
from agent_lsp.syntax.toml.scan import complaint
from tests.effort import within

MANY = 200_000
SECONDS = 10
STATEMENTS = {
    "text": 'a = "' + "x" * MANY,
    "escapes": 'a = "' + '\\"' * (MANY // 2),
    "escapes that end": 'a = "' + "\\" * (MANY // 2 * 2 + 1),
    "text of lines": 'a = """' + "x" * MANY,
    "text of lines with quotes": 'a = """' + 'x"' * (MANY // 2),
    "text of lines with pairs of quotes": 'a = """' + '""x' * (MANY // 3),
    "text of lines with escapes": 'a = """' + '\\"' * (MANY // 2),
    "literal lines with quotes": "a = '''" + "x'" * (MANY // 2),
    "literal lines with pairs of quotes": "a = '''" + "''x" * (MANY // 3),
    "a key": "k" * MANY,
    "a key of blanks": "k" + " " * MANY + "x",
    "a key of parts": "k." * (MANY // 2) + "k !",
    "a key of parts and blanks": "k  .\t" * (MANY // 5) + "k   !",
    "a key of quotes": '"k".' * (MANY // 4) + '"k',
    "blanks behind a header": "[k" + " " * MANY + "x",
    "blanks behind a header's dot": "[k ." + " " * MANY + "x",
    "blanks behind a header's bracket": "[k . ]" + " " * MANY + "x",
    "blanks in a header": "[" + " " * MANY + "=",
    "a header of parts": "[" + "k . " * (MANY // 4) + "= x",
    "blanks before a text": "k = " + " " * MANY + 'x"""',
    "blanks before and behind a bracket": f"k ={' ' * (MANY // 2)}[{' ' * (MANY // 2)}x",
}
WORDS = {
    "digits": "1" * MANY,
    "digits and underscores": "1_" * (MANY // 2),
    "a fraction": "0." + "1_1" * (MANY // 3) + "_",
    "an exponent": "1e" + "1_1" * (MANY // 3) + "_",
    "a fraction and an exponent": f"1_{'1' * (MANY // 2)}.{'1_1' * (MANY // 6)}e",
    "hexadecimal digits": "0x" + "f_" * (MANY // 2),
    "octal digits": "0o" + "7_7" * (MANY // 3) + "_8",
    "binary digits": "0b" + "1_1" * (MANY // 3) + "_2",
}


@pytest.mark.hostile
@pytest.mark.parametrize("name", STATEMENTS)
@pytest.mark.parametrize("read", [toml.parse, toml.parse_open])
def test_the_time_for_a_statement_is_linear_in_its_length(
    name: str, read: Callable[[str], object]
) -> None:
    """By itself, after an invalid statement, and before one."""
    with within(SECONDS):
        for text in ("{}\n", "= x\n{}\n", "{}\n[agents]\nx = 1\n", "a = '''\n{}\n"):
            read(text.replace("{}", STATEMENTS[name]))


@pytest.mark.parametrize("name", WORDS)
def test_the_time_for_a_word_is_linear_in_its_length(name: str) -> None:
    with within(SECONDS):
        for ending in ("", "x", "_"):
            complaint(WORDS[name] + ending)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('a = """\nx\n"""', "x\n"),
        ('a = """x"y""z"""', 'x"y""z'),
        ('a = """x"""""', 'x""'),
        ('a = """\\"""x"""', '"""x'),
        ("a = '''x'y''z'''", "x'y''z"),
        ("a = '''x'''''", "x''"),
    ],
)
def test_a_multi_line_string_ends_at_its_quotes(text: str, value: str) -> None:
    """Some Python 3.11 match possessive patterns wrongly, and found no end of any string."""
    tree = toml.parse(text)
    assert tree.problem is None
    [pair] = tree.sections[0].pairs
    assert isinstance(pair.value, Scalar)
    assert pair.value.value == value


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("1_000_", ("expected digit", "invalid integer")),
        ("1__0", ("expected digit", "invalid integer")),
        ("1_0x", ("expected newline, `#`", None)),
        ("1.5_", ("expected digit", "invalid floating-point number")),
        ("1.5_5x", ("expected newline, `#`", None)),
        ("1e5_", ("expected digit", "invalid floating-point number")),
        ("0xf_", ("expected digit", "invalid hexadecimal integer")),
        ("0xf_fg", ("expected newline, `#`", None)),
        ("0o7_", ("expected digit", "invalid octal integer")),
        ("0b1_", ("expected digit", "invalid binary integer")),
    ],
)
def test_an_incomplete_number_is_reported(word: str, said: tuple[str, str | None]) -> None:
    assert complaint(word) == said
