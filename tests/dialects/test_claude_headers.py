"""A header that is no YAML is one finding, also where nobody can tell what the agent is called."""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes
from agent_lsp.text import apply
from tests.fixture import Fixture, fixture

AGENT = "//- .claude/agents/a.md\n"
PROSE = "Use this agent: when it is needed"


def told(made: Fixture) -> list[str]:
    """The findings on the file under test: severity, code, the text that is marked."""
    found = diagnostics(made.workspace, made.path)
    return [f"{one.severity.name.lower()}[{one.code}] {one.span.of(made.text)}" for one in found]


@pytest.mark.parametrize("description", ["Use this agent", PROSE])
@pytest.mark.parametrize(
    ("first", "expected"),
    [
        ("name: [release-00001", "information[unquoted-text] [release-00001"),
        ("name: {release", "information[unquoted-text] {release"),
        ("name:release", "error[header-invalid] name:release"),
        ("name release", "error[header-invalid] name release"),
        ("name: - release", "error[header-invalid] - release"),
        ("name: ? release", "error[header-invalid] ? release"),
        ('name: "\\q"', "error[header-invalid] \\q"),
        ("- name: release", "error[header-invalid] - name: release"),
        ("%YAML 1.2\nname: release", "error[header-invalid] %YAML 1.2"),
        ("name: release\n  more: x", "error[header-invalid] more: x"),
        ('name: "release', 'error[header-invalid] "release'),
        ("name: 'it's'", "error[header-invalid] 'it's'"),
        ('name: "release" x', 'error[header-invalid] "release" x'),
        ("name: @release", "information[unquoted-text] @release"),
        ("name: *release", "information[unquoted-text] *release"),
        ("name: `release`", "information[unquoted-text] `release`"),
        ("name: ]", "information[unquoted-text] ]"),
        ("name: rel\x07ease", "warning[hidden-text] \x07"),
    ],
)
def test_a_broken_header_is_told_of_although_it_has_no_name_to_tell(
    tmp_path: Path, first: str, expected: str, description: str
) -> None:
    source = f"{AGENT}---\n{first}\ndescription: {description}\nmodel: opus\n---\nYou help.\n"

    assert told(fixture(tmp_path, source)) == [expected]


@pytest.mark.parametrize(
    "lines",
    [
        "description: d\nmodel:opus",
        "description: d\ntools:\n  - Read\n - Grep",
        "name a\nversion: 1\ndescription: d",
        "name:a\nversion: 1\ndescription: d",
    ],
)
def test_a_broken_header_without_a_name_is_a_broken_header(tmp_path: Path, lines: str) -> None:
    made = fixture(tmp_path, f"{AGENT}---\n{lines}\n---\nYou help.\n")

    assert [one.split()[0] for one in told(made)] == ["error[header-invalid]"]


def test_a_header_is_closed_before_its_name_is_asked_for(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"{AGENT}---\nname: [release\ndescription: d\n\nYou help.\n")

    assert told(made) == ["error[header-unclosed] ---"]


def test_a_key_that_is_less_indented_than_the_first_ends_the_header(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"{AGENT}---\n name: a\ndescription: d\n---\nYou help.\n")

    assert told(made) == ["error[header-invalid] description: d"]


@pytest.mark.parametrize(
    ("line", "at"),
    [
        ("model:opus", "model:opus"),
    ],
)
def test_a_colon_that_is_mended_is_not_the_mistake(tmp_path: Path, line: str, at: str) -> None:
    made = fixture(tmp_path, f"{AGENT}---\nname: a\ndescription: {PROSE}\n{line}\n---\nx\n")

    (found,) = told(made)
    assert "[header-invalid]" in found
    assert found.endswith(at)


@pytest.mark.parametrize(
    ("line", "expected", "fixed"),
    [
        ("description: [WIP] Use", "information[unquoted-text]", 'description: "[WIP] Use"'),
        ("description: {{x}} y", "information[unquoted-text]", 'description: "{{x}} y"'),
        ("description: @x", "information[unquoted-text]", 'description: "@x"'),
        ("description: `x` y", "information[unquoted-text]", 'description: "`x` y"'),
        ("description: > text", "information[unquoted-text]", 'description: "> text"'),
        ("description: d\ntools: [Read, Edit", "warning[unknown-tool]", None),
        ('description: d\ntools: ["Read" "Edit"]', "error[unknown-tool]", None),
        ("description: d\ntools: [Read, Bash(git: *)]", "error[unknown-tool]", None),
    ],
)
def test_what_only_the_second_try_reads_is_read_by_nobody_else(
    tmp_path: Path, line: str, expected: str, fixed: str | None
) -> None:
    made = fixture(tmp_path, f"{AGENT}---\nname: a\n{line}\n---\nYou help.\n")

    assert [one.split()[0] for one in told(made)] == [expected]
    if fixed is not None:
        [fix] = fixes(made.workspace, made.path)
        assert apply(made.text, fix.edits) == made.text.replace(line, fixed)


def test_a_comma_in_parentheses_that_cuts_an_item_is_one_mistake(tmp_path: Path) -> None:
    lines = "name: a\ndescription: d\ntools: [Bash(a, b), Read]"
    made = fixture(tmp_path, f"{AGENT}---\n{lines}\n---\nYou help.\n")

    assert told(made) == ["warning[unknown-tool] Bash(a, b)"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("name: [a]", "error[agent-name] [a]"),
        ("name: {{name}}", "error[agent-name] {{name}}"),
        ("Name: a", "error[agent-name] Name"),
        ("nmae: a", "error[agent-name] nmae"),
        ("nmae: a\nversion: 1", "error[agent-name] nmae"),
    ],
)
def test_a_name_that_was_meant_to_be_one_is_told_apart(
    tmp_path: Path, line: str, expected: str
) -> None:
    source = f"{AGENT}---\n{line}\ndescription: d\n---\nYou help.\n"

    assert told(fixture(tmp_path, source)) == [expected]


def test_a_misspelt_name_is_renamed(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"{AGENT}---\nName: a\ndescription: d\n---\nYou help.\n")

    (fix,) = fixes(made.workspace, made.path)
    assert apply(made.text, fix.edits) == made.text.replace("Name", "name")


def test_the_text_of_a_block_that_is_not_indented_is_indented(tmp_path: Path) -> None:
    text = "description: |\nUse this when\nthere is more.\nmodel: haiku\n---\nYou help.\n"
    made = fixture(tmp_path, f"{AGENT}---\nname: a\n{text}")

    found = fixes(made.workspace, made.path)
    fix = next(one for one in found if one.title.startswith("Indent the text"))
    fixed = made.text.replace("Use", "  Use").replace("there", "  there")
    assert apply(made.text, fix.edits) == fixed


@pytest.mark.parametrize(
    ("opening", "closing", "words"),
    [
        ("", "---\n", "no `---` above `name`"),
        ("----\n", "----\n", "`----` does not open a header"),
        (" ---\n", "---\n", "with a space before it"),
        ("--- yaml\n", "---\n", "`--- yaml` does not open a header"),
        ("———\n", "———\n", "`———` does not open a header"),
        ("-- -\n", "---\n", "`-- -` does not open a header"),
        ("///\n", "///\n", "`///` does not open a header"),
    ],
)
def test_a_header_that_does_not_begin_with_its_line_is_none(
    tmp_path: Path, opening: str, closing: str, words: str
) -> None:
    text = f"{opening}name: a\ndescription: d\n{closing}You help.\n"
    made = fixture(tmp_path, AGENT + text)

    assert [one.split()[0] for one in told(made)] == ["error[header-missing]"]
    assert words in diagnostics(made.workspace, made.path)[0].message


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("description: |\n  a\n---\n  b\nmodel: opus\n---\nYou help.\n", "warning"),
        ("description: d\n---\n\n---\ntools: Read\nmodel: opus\n---\nYou help.\n", "warning"),
        ("description: d\n---\ntools: Read, Grep\n---\nYou help.\n", "warning"),
        ("model: opus\n---\ndescription: d\n---\nYou help.\n", "error"),
    ],
)
def test_what_stands_below_the_end_of_the_header_has_no_effect(
    tmp_path: Path, text: str, severity: str
) -> None:
    made = fixture(tmp_path, f"{AGENT}---\nname: a\n{text}")

    assert told(made) == [f"{severity}[header-cut-short] ---"]


@pytest.mark.parametrize(
    "body",
    [
        "tools: Read the file, then write it.\n\n---\n",
        "name: the name\n\n---\n",
        "You write agents:\n\n---\nname: b\ndescription: d\ntools: Read\n---\n",
        "---\n\n# Reviewer\n\n---\n\nYou help.\n",
        "```\n---\nname: b\ntools: Read\n---\n```\n",
    ],
)
def test_a_prompt_may_speak_of_keys(tmp_path: Path, body: str) -> None:
    header = "---\nname: a\ndescription: d\nmodel: opus\n---\n"

    assert told(fixture(tmp_path, f"{AGENT}{header}{body}")) == []


def test_a_prompt_in_the_header_is_not_the_description(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: d\n\nYou help.\n\n---\n\nMore.\n"

    assert told(fixture(tmp_path, AGENT + text)) == ["error[header-unclosed] You help."]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("Examples:\n- <example>\n  user: x\n  </example>", "error[unquoted-text]"),
        ("- when a branch is ready", "error[unquoted-text]"),
        ("- Read\n- Grep", "error[header-invalid]"),
    ],
)
def test_items_below_a_description_belong_to_it_if_they_are_prose(
    tmp_path: Path, lines: str, expected: str
) -> None:
    made = fixture(tmp_path, f"{AGENT}---\nname: a\ndescription: Use it\n{lines}\n---\nx\n")

    assert [one.split()[0] for one in told(made)] == [expected]


def test_a_list_below_a_heading_of_its_own_is_one(tmp_path: Path) -> None:
    lines = "name: a\ndescription: Use it.\n\nExamples:\n- one\n- two of them: x"

    said = told(fixture(tmp_path, f"{AGENT}---\n{lines}\n---\nx\n"))
    assert said == ["hint[unknown-key] Examples"]


@pytest.mark.parametrize(
    ("lines", "fixed"),
    [
        ("name: [a\ndescription: d", 'name: "[a"\ndescription: d'),
        ("name: a\ndescription: [WIP use it", 'name: a\ndescription: "[WIP use it"'),
        ("name: a\ndescription: d\ntools: [Read", "name: a\ndescription: d\ntools: Read"),
        ("name: a\ndescription: d\nhooks: []", "name: a\ndescription: d\nhooks: {}"),
    ],
)
def test_a_fix_leaves_the_shape_that_the_key_takes(tmp_path: Path, lines: str, fixed: str) -> None:
    made = fixture(tmp_path, f"{AGENT}---\n{lines}\n---\nx\n")

    texts = [apply(made.text, fix.edits) for fix in fixes(made.workspace, made.path)]
    assert texts[0] == f"---\n{fixed}\n---\nx\n"
    assert all("[a]" not in text for text in texts)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("written", "block"),
    [
        (["Use it", "  <example>", "  user: x", "  </example>"], None),
        (["Use it when x,", "    y and z: w"], ["Use it when x,", "  y and z: w"]),
        (["Use it:", "", "  one", "    two: x"], None),
    ],
)
def test_a_text_that_goes_on_indented_becomes_a_block(
    tmp_path: Path, end: str, written: list[str], block: list[str] | None
) -> None:
    source = f"---{end}name: a{end}description: {end.join(written)}{end}model: opus{end}---{end}x"
    made = fixture(tmp_path, AGENT + source)
    (found,) = told(made)
    assert found.startswith("error[unquoted-text]")

    (fix,) = fixes(made.workspace, made.path)
    wanted = end.join(["|", f"  {written[0]}", *(block or written)[1:]])
    assert apply(made.text, fix.edits) == made.text.replace(end.join(written), wanted)


@pytest.mark.parametrize("lines", ["description: d\n  model: opus", "description: d\nx: y\n  z: w"])
def test_a_key_that_is_indented_is_no_text(tmp_path: Path, lines: str) -> None:
    made = fixture(tmp_path, f"{AGENT}---\nname: a\n{lines}\n---\nx\n")

    assert [one.split()[0] for one in told(made)] == ["error[header-invalid]"]


def test_lines_that_end_in_cr_alone_make_no_header(tmp_path: Path) -> None:
    lines = "---\nmodel: opus\nname: a\ndescription: d\ntools: Read\n---\nYou help.\n"
    path = tmp_path / "workspace/.claude/agents/a.md"
    made = fixture(tmp_path, f"{AGENT}{lines}".replace("\n", "\r").replace("\r", "\n", 1))

    assert path.read_bytes().count(b"\r") > 1
    assert told(made) == ["error[header-missing] ---"]
    [said] = diagnostics(made.workspace, made.path)
    assert "the lines end in CR, and the runtime ends them at LF only" in said.message
    [fix] = fixes(made.workspace, made.path)
    assert apply(made.text, fix.edits).rstrip() == lines.rstrip()


@pytest.mark.parametrize(
    "text", ["# Title\n\n---\nname: a\n---\n", "---\ntitle: a\n---\nx\n", "Text\n---\nMore\n"]
)
def test_documentation_whose_lines_end_in_cr_is_none_of_our_business(
    tmp_path: Path, text: str
) -> None:
    assert told(fixture(tmp_path, AGENT + text.replace("\n", "\r"))) == []


def test_the_end_of_a_description_that_is_a_comment_is_lost(tmp_path: Path) -> None:
    """The session sees `Fix`: Claude Code 2.1.332, measured 2026-11-29."""
    made = fixture(tmp_path, f"{AGENT}---\nname: a\ndescription: Fix #12 now\n---\nGo.\n")

    assert told(made) == ["warning[lost-text] #12 now"]
