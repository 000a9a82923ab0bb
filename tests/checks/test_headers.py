"""A header that the runtime does not see or cannot read makes one finding, where the mistake is."""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from tests.checks.conftest import Check
from tests.fixture import fixture

ABSENT = "the whole file becomes the prompt, without model, sandbox or tool policy"
REFUSED = "the whole file becomes the prompt and `model`, `read_only`, `allow_list`"


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("You review changes.\n", "You review changes.", "no header: start the file with"),
        ("\n\n---\ndescription: x\n---\nYou.\n", "", "the header is not on the first line"),
        ("----\ndescription: x\n---\nYou.\n", "----", "`----` does not open a header"),
        ("+++\ndescription = 1\n+++\n", "+++", "`+++` does not open a header"),
        ("description: x\n---\nYou.\n", "description: x", "no `---` above `description`"),
        ("Note: a sentence\n\nmore\n", "Note: a sentence", "no header: start the file"),
        ("--- yaml\na: b\n---\n", "--- yaml", "no header: start the file"),
    ],
)
def test_a_missing_header_is_reported_on_the_first_line(
    check: Check, text: str, at: str, words: str
) -> None:
    [said] = check(text)
    assert (said.code, said.at, said.severity) == ("header-missing", at, "error")
    assert words in said.message
    assert ABSENT in said.message


HEADER = "---\ndescription: x\nallow_list: [wait]\n---\n"


@pytest.mark.parametrize(
    ("above", "words"),
    [
        ("# Reviewer\n", "move the text above `---` into the prompt"),
        ("# Reviewer\n\nReviews.\n\n", "move the text above `---` into the prompt"),
        ("<!-- (c) somebody -->\n", "move the text above `---` into the prompt"),
        ("<!--\n(c) somebody\n-->\n\n", "move the text above `---` into the prompt"),
        ("\n# Reviewer\n", "move the text above `---` into the prompt"),
        ("Some text\n\n---\n\nmore\n\n", "move the text above `---` into the prompt"),
        ("----\n", "remove `----`"),
        ("~~~\n", "remove `~~~` and the line that closes it"),
        ("```yaml\n", "remove `` ```yaml `` and the line that closes it"),
        ("```\n\n", "remove `` ``` `` and the line that closes it"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_header_below_something_else_is_told_of(
    check: Check, above: str, words: str, end: str
) -> None:
    [said] = check(f"{above}{HEADER}You.\n".replace("\n", end))
    assert (said.code, said.related) == ("header-missing", ("---",))
    assert f": {words}, or" in said.message
    assert ABSENT in said.message


def test_a_header_that_other_systems_share_is_told_of_below_a_title(check: Check) -> None:
    [said] = check("# Reviewer\n---\nname: reviewer\ndescription: x\n---\nYou.\n")
    assert "the header is not on the first line: move the text above `---`" in said.message


@pytest.mark.parametrize(
    ("opening", "words"),
    [
        ("--- yaml", "`--- yaml` does not open a header: write `---`, or"),
        ("---yaml", "`---yaml` does not open a header: write `---`, or"),
        ("--- # settings", "`--- # settings` does not open a header: write `---`, or"),
        ("–––", "`–––` does not open a header: write `---`, or"),
        (
            "```yaml",
            "does not open a header: write `---` instead, and instead of the line that closes it",
        ),
        (
            "# Reviewer",
            "no `---` above `description`: write it on the first line, and move the text",
        ),
        (
            "<!-- (c) -->\n",
            "no `---` above `description`: write it on the first line, and move the text",
        ),
    ],
)
def test_an_odd_opening_line_is_named(check: Check, opening: str, words: str) -> None:
    [said] = check(f"{opening}\n{HEADER.removeprefix('---')[1:]}You.\n")
    assert (said.code, said.at) == ("header-missing", opening.rstrip())
    assert words in said.message


@pytest.mark.parametrize(
    "text",
    [
        "You write templates:\n\n---\n\nmore\n\n---\n",
        f"# How\n\n```md\n{HEADER}```\n",
        "# How\n\n---\nallow_list: the tools that stay\n---\n",
        "# How\n\n---\nowner: x\n---\n",
        "```yaml\nowner: x\n```\n",
        "Reviewer\n---\nYou review.\n",
        "--- see below\nYou review.\n",
        "a\rb\r",
    ],
)
def test_what_is_no_header_is_not_taken_for_one(check: Check, text: str) -> None:
    [said] = check(text)
    assert said.message.startswith("no header: start the file with `---`")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (HEADER.replace("\n", "\r") + "You.\r", "header-missing"),
        (HEADER.replace("\n", "\r") + "You.\n", "header-missing"),
        (HEADER.replace("\n", "\r").replace("\r", "\n", 1) + "You.\n", "header-unclosed"),
        (HEADER.replace("\n", "\r").replace("\r", "\r\n", 1) + "You.\r\n", "header-unclosed"),
    ],
)
def test_lines_that_end_in_cr_are_told_of(check: Check, text: str, code: str) -> None:
    [said] = check(text)
    assert (said.code, said.at) == (code, "---")
    assert "the lines end in CR, and the runtime ends them at LF only: save" in said.message
    assert ABSENT in said.message


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n", "\ufeff", "\ufeff\n\n"])
def test_an_empty_file_makes_one_finding(check: Check, text: str) -> None:
    [said] = check(f"//- .codex/.agents/reviewer.md\n{text}")
    assert said.code == "header-missing"
    assert said.message.startswith("empty file: `list_agents` finds no description")


def test_a_readme_is_told_that_it_is_an_agent(check: Check) -> None:
    [said] = check("//- .codex/.agents/README.md\n# About these agents\n")
    assert "to the runtime this file is the agent `readme`: move it" in said.message


@pytest.mark.parametrize("fence", ["----", "–––", "...", "--- #", "--", "___", "+++"])
def test_a_line_that_was_meant_to_close_the_header_is_shown(check: Check, fence: str) -> None:
    [said] = check(f"---\ndescription: x\n{fence}\nYou review.\n")
    assert (said.code, said.at, said.related) == ("header-unclosed", "---", (fence,))
    assert ABSENT in said.message


def test_the_last_line_that_can_be_header_is_shown(check: Check) -> None:
    [said] = check("---\ndescription: x\nread_only: true\n\nYou review.\n")
    assert (said.code, said.related) == ("header-unclosed", ("read_only: true",))


@pytest.mark.parametrize("text", ["---", "---\n", "---\n\n\n"])
def test_a_lonely_fence_is_unclosed(check: Check, text: str) -> None:
    [said] = check(text)
    assert (said.code, said.at, said.related) == ("header-unclosed", "---", ())


def test_a_byte_order_mark_is_reported_on_the_fence(check: Check) -> None:
    [said] = check("\ufeff---\ndescription: x\n---\nYou review.\n")
    assert (said.code, said.at) == ("header-bom", "\ufeff---")
    assert ABSENT in said.message


def test_a_byte_order_mark_that_the_editor_hides_is_reported(tmp_path: Path) -> None:
    written = fixture(tmp_path, "\ufeff---\ndescription: x\n---\nYou review.\n")
    text = written.text.removeprefix("\ufeff")
    written.workspace.files.open(written.path, text)
    [said] = diagnostics(written.workspace, written.path)
    assert (said.code, said.span.of(text)) == ("header-bom", "---")


MISTAKES = [
    ("model: a: b", "a: b", "unquoted `: ` in the value of `model`"),
    ("model: see: # why", "see:", "unquoted `: ` in the value of `model`"),
    ("agent_names:\n  - name: a: b", "a: b", "unquoted `: ` in the value of `name`"),
    ("  model: x", "model: x", "`model` is indented deeper than the line above"),
    ("model: x\n  - a: b", "- a: b", "`- a` is indented deeper than the line above"),
    ("model x", "model x", "`model x` is not `key: value`"),
    ("model", "model", "`model` has no colon"),
    ("model:x", "model:x", "no space after the colon of `model`"),
    ("model:\u00a0x", "model:\u00a0x", "U+00A0 instead of a space after the colon of `model`"),
    ("model: x\u2028y", "\u2028y", "U+2028 ends a line in YAML"),
    ("\tmodel: x", "\t", "a tab where YAML accepts only spaces"),
    ("allow_list:\n\t- wait", "\t", "a tab where YAML accepts only spaces"),
    ("model: @x", "@x", "unquoted text may not start with `@`"),
    ("model: `x` y", "`x` y", "unquoted text may not start with `` ` ``"),
    ("model: %x", "%x", "unquoted text may not start with `%`"),
    ("model: ,x", ",x", "unquoted text may not start with `,`"),
    ("allow_list: [a,,b]", ",", "there is no item before this `,`"),
    ("allow_list:\n  - *", "*", "an unquoted `*` starts an alias"),
    ("allow_list: [*.md, wait]", "*.md", "an unquoted `*` starts an alias"),
    ("allow_list:\n  - *_agent", "*_agent", 'write `"*_agent"`'),
    ("model: **x** y", "**x** y", "an unquoted `*` starts an alias"),
    ("model: & y # note", "& y", "an unquoted `&` starts an anchor"),
    ("model: !x!y z", "!x!y z", "an unquoted `!` starts a tag"),
    ("model: 'x", "'x", "a quote is opened here and never closed: close it with `'`"),
    ('model: "x\nread_only: true', '"x', 'never closed: close it with `"`'),
    ('model: "x\nsummary: "y"', '"x', 'never closed: close it with `"`'),
    ("allow_list: [a, b\nmodel: x", "[a, b", "`[` is never closed: close it with `]`"),
    ("tags: {a: b\nmodel: x", "{a: b", "`{` is never closed: close it with `}`"),
    ("allow_list: [a: b: c]", "a: b: c", "`a: b: c` is not an item: put the text in quotes"),
    ("model: 'don't'", "'don't'", "the value ends at `'`, and `t'` follows: write `''`"),
    ('model: "a "b" c"', '"a "b" c"', 'the value ends at `"`, and `b" c"` follows'),
    ("model: [WIP] x", "[WIP] x", "the value ends at `]`, and `x` follows"),
    ("allow_list: [a]]", "[a]]", "`]` follows: remove it"),
    ("allow_list:\n  - a\n - b", "- b", "`- b` does not belong to a list"),
    ("- a", "- a", "`- a` does not belong to a list"),
    ("allow_list:\n  - a\n  -b", "-b", "no space after the dash of `-b`: write `- b`"),
    ("allow_list:\n- a\n-b\nmodel: x", "-b", "no space after the dash of `-b`: write `- b`"),
    ("tags:\n    a: b\n  c: d", "c: d", "`c: d` is not aligned with any key above"),
    (": x", ": x", "there is no key before this colon"),
    ("agent_names:\n  - name: a\n   model: b", "model: b", "`model: b` is between list items"),
    ("model: - x", "- x", "a value may not start with `- `"),
    ("model: ? x", "? x", "a value may not start with `? `"),
    ("model: > x", "> x", "text follows `>` on its line"),
    ('model: "C:\\p"', "\\p", "`\\p` is not an escape in double quotes"),
    ('model: "C:\\xp"', "\\x", "`\\x` is not followed by 2 hexadecimal digits"),
    ('model: "a \\U00110000"', "\\U00110000", "`\\U00110000` is not a character: use single"),
    ("model: a\x00b", "\x00", "U+0000 is not allowed in YAML"),
    ("...\nmodel: x", "...", "`...` ends the YAML of the header, and more follows"),
    ("--- x", "--- x", "`--- x` ends the YAML of the header, and more follows"),
]


@pytest.mark.parametrize(("lines", "at", "words"), MISTAKES)
def test_a_mistake_in_yaml_is_named_where_it_was_made(
    header: Check, lines: str, at: str, words: str
) -> None:
    [said] = header(lines)
    assert (said.code, said.at, said.severity) == ("header-invalid", at, "error")
    assert words in said.message
    assert REFUSED in said.message


@pytest.mark.parametrize(("lines", "at", "words"), MISTAKES)
def test_line_ends_change_nothing(header: Check, lines: str, at: str, words: str) -> None:
    [said] = header(lines.replace("\n", "\r\n"))
    assert (said.code, said.at) == ("header-invalid", at)
    assert words in said.message


def test_each_broken_part_of_a_header_is_reported(header: Check) -> None:
    said = header("model: a: b\nallow_list: [x\nread_only: true\ndescription: @team")
    assert [one.at for one in said] == ["a: b", "[x", "@team"]
    assert {one.code for one in said} == {"header-invalid"}


def test_a_directive_and_a_lower_first_key_are_named(check: Check) -> None:
    [directive] = check("---\n%YAML 1.2\ndescription: x\n---\nYou.\n")
    assert (directive.at, directive.code) == ("%YAML 1.2", "header-invalid")
    [lower] = check("---\n  description: x\nmodel: y\n---\nYou.\n")
    assert lower.at == "model: y"
    assert "indented less than the first key" in lower.message


def test_what_nobody_foresaw_is_told_in_the_words_of_the_parser(header: Check) -> None:
    [said] = header("model: !<x y")
    assert said.code == "header-invalid"
    assert REFUSED in said.message
