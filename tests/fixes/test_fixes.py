"""What each kind of fix makes of a mistake; the rest of the file stays as it is."""

from pathlib import Path

import pytest

from agent_lsp.analysis.fixes import Fix, fixes, repair, repaired
from agent_lsp.analysis.fixes import offered as offered_at
from agent_lsp.text import Span, apply
from tests.effort import work
from tests.fixture import fixture

BODY = "---\nYou review changes.\n"
SUB_AGENT = "//- .codex/agents/reviewer.md\n"
MOLTIS = "//- .moltis/agents/reviewer.md\n"
KODACODE = "//- .kodacode/agents/reviewer.md\n"

# A header below its description, and what the only safe fix makes of it.
HEADERS = (
    ("modle: gpt-5  # why", "model: gpt-5  # why"),
    ("Read-Only: true", "read_only: true"),
    ("allow_list: ['exec_comand', wait]", "allow_list: ['exec_command', wait]"),
    ("allow_list: exec_command, wait", "allow_list: [exec_command, wait]"),
    ("allow_list: exec_command # one", "allow_list: [exec_command] # one"),
    ("deny_list: *_agent, wait", 'deny_list: ["*_agent", wait]'),
    ("deny_list: [*_agent, wait]", 'deny_list: ["*_agent", wait]'),
    ("deny_list: [web_search, wait", "deny_list: [web_search, wait]"),
    ("deny_list:\n  -wait", "deny_list:\n  - wait"),
    ("deny_list:\n  - wait\n  - wait # again", "deny_list:\n  - wait"),
    ("deny_list:\n  - wait, web_search", "deny_list:\n  - wait\n  - web_search"),
    ("read_only:true", "read_only: true"),
    ("read_only: yes", "read_only: true"),
    ("read_only: Off", "read_only: false"),
    ("read_only true", "read_only: true"),
    ("read_only: [true]", "read_only: true"),
    ("model: [gpt-5]", "model: gpt-5"),
    ("reasoning_effort: High", "reasoning_effort: high"),
    ('model: "gpt-5', 'model: "gpt-5"'),
    ("read_only: true\nread_only: true", "read_only: true"),
    ("model: !!null gpt-5", "model: gpt-5"),
    ("model:\u00a0gpt-5", "model: gpt-5"),
    ("deny_list: [[wait]]", "deny_list: [wait]"),
    ("deny_list:\n\t- wait", "deny_list:\n  - wait"),
)


def offered(folder: Path, source: str) -> tuple[str, tuple[Fix, ...]]:
    made = fixture(folder, source)
    return made.text, fixes(made.workspace, made.path)


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("before", "after"), HEADERS)
def test_a_mistake_with_one_right_answer_has_one_safe_fix(
    before: str, after: str, end: str, tmp_path: Path
) -> None:
    around = "---\ndescription: Reviews a change.\n{}\n" + BODY
    text, found = offered(tmp_path, around.format(before).replace("\n", end))
    safe = [fix for fix in found if fix.safe]

    assert len(safe) == 1
    assert apply(text, safe[0].edits) == around.format(after).replace("\n", end)


# The same in other systems, each with its own keys and its own parser.
OTHERS = (
    (KODACODE, "allowTools: [read]", "AllowTools: [read]"),
    (KODACODE, "AllowTools: read, search", "AllowTools: [read, search]"),
    (KODACODE, "AllowTools: [Read]", "AllowTools: [read]"),
    (KODACODE, "mode: Subagnet", "mode: subagent"),
    (KODACODE, "model: openai/gpt-5-mini\nfallback_models: [x]", "model: openai/gpt-5-mini"),
    (SUB_AGENT, 'tools: [shell, ""]', "tools: [shell]"),
    (SUB_AGENT, "tools: shell", "tools: [shell]"),
    (MOLTIS, 'name: x\nmax_iterations: "5"', "name: x\nmax_iterations: 5"),
    (MOLTIS, "name: x\ntools: exec, web_search, exec", "name: x\ntools: exec, web_search"),
    (MOLTIS, 'name: x\ntools: "exec, exec , wait"', 'name: x\ntools: "exec, wait"'),
)


@pytest.mark.parametrize(("place", "before", "after"), OTHERS)
def test_other_systems_are_repaired_by_their_own_rules(
    place: str, before: str, after: str, tmp_path: Path
) -> None:
    around = "---\ndescription: Reviews a change.\n{}\n" + BODY
    made = fixture(tmp_path, place + around.format(before))

    assert repaired(made.workspace, made.path) == around.format(after)


PRESET = "[agents.presets.scout]\n{}\nmodel = 'x'\n"
TABLES = (
    ('tools.deny = "exec"', 'tools.deny = ["exec"]'),
    ('tools.deny = ["exec"  # why', 'tools.deny = ["exec"]  # why'),
    ('tools.deny = ["exec', 'tools.deny = ["exec"]'),
    ('max_iterations = "5"', "max_iterations = 5"),
    ("system_prompt_suffix = 5", 'system_prompt_suffix = "5"'),
    ('tools.deny = ["exce"]', 'tools.deny = ["exec"]'),
    ("tools.dney = ['exec']", "tools.deny = ['exec']"),
    ("system_prompt_suffix = brief  # why", 'system_prompt_suffix = "brief"  # why'),
    ("tools.deny = [exec]", 'tools.deny = ["exec"]'),
)


@pytest.mark.parametrize(("before", "after"), TABLES)
def test_values_of_tables_get_the_type_that_is_wanted(
    before: str, after: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, "//- moltis.toml\n" + PRESET.format(before))

    assert repaired(made.workspace, made.path) == PRESET.format(after)


CUT_OFF = (
    (
        "description: Fix issue #12 and\n  more of it",
        'description: "Fix issue #12 and\n  more of it"',
        True,
    ),
    (
        "description: Fix\n  issue #12\n  and #13",
        'description: "Fix\n  issue #12\n  and #13"',
        True,
    ),
    # A comment as people write it may be one.
    ("description: Reviews # TODO\n  a change", 'description: "Reviews # TODO\n  a change"', False),
    ("description: A.\ntools: Read, # why\n  Grep", "description: A.\ntools: Read,\n  Grep", False),
)


@pytest.mark.parametrize(("before", "after", "safe"), CUT_OFF)
def test_a_value_that_a_comment_ends_goes_on_below_it(
    before: str, after: str, safe: bool, tmp_path: Path
) -> None:
    around = "---\nname: reviewer\n{}\n---\nYou review.\n"
    made = fixture(tmp_path, "//- .claude/agents/reviewer.md\n" + around.format(before))

    assert repaired(made.workspace, made.path) == around.format(after if safe else before)
    assert repaired(made.workspace, made.path, unsafe=True) == around.format(after)


TABS = (
    ("permission:\n\tedit: deny", "permission:\n  edit: deny"),
    (
        "permission:\n\tedit: deny\n\n\tbash:\n\t\t'*': ask\nmode: all",
        "permission:\n  edit: deny\n\n  bash:\n    '*': ask\nmode: all",
    ),
    # Nothing is missing above it: only somebody who wrote it knows where it belongs.
    ("mode: all\n\tedit: deny", "mode: all\n\tedit: deny"),
)


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("before", "after"), TABS)
def test_tabs_below_a_key_of_opencode_become_spaces(
    before: str, after: str, end: str, tmp_path: Path
) -> None:
    around = "---\ndescription: Reviews.\n{}\n---\nYou review.\n"
    made = fixture(tmp_path, "//- .opencode/agent/a.md\n")
    made.path.write_bytes(around.format(before).replace("\n", end).encode())
    made.workspace.files.changed(made.path)

    assert repaired(made.workspace, made.path) == around.format(after).replace("\n", end)


CODEX_AGENT = "//- .codex/agents/reviewer.toml\n"
VUHLP = "//- docs/templates/implementer.md\n"
_PROMPT = 'developer_instructions = """You\nb: c"""\n'
TOML_SYNTAX = (
    (
        CODEX_AGENT,
        'name = reviewer\ndescription = "R."\n',
        'name = "reviewer"\ndescription = "R."\n',
    ),
    (
        CODEX_AGENT,
        "name = 'reviewer'\ndescription: R. it\n",
        "name = 'reviewer'\ndescription = \"R. it\"\n",
    ),
    # The parser names the second line alone, though it takes neither.
    (
        CODEX_AGENT,
        'name = reviewer\ndescription: "R."\n',
        'name = "reviewer"\ndescription = "R."\n',
    ),
    (
        CODEX_AGENT,
        'name = "reviewer\ndescription = "R."\n',
        'name = "reviewer"\ndescription = "R."\n',
    ),
    (VUHLP, "[template]\nname = implementer\n", '[template]\nname = "implementer"\n'),
    # The name of another file would be the next finding.
    (VUHLP, "[template]\nname = x\n", '[template]\nname = "implementer"\n'),
    (VUHLP, "[template]\nname: 'implementer'\n", "[template]\nname = 'implementer'\n"),
)


@pytest.mark.parametrize(("place", "before", "after"), TOML_SYNTAX)
def test_every_system_repairs_lines_that_are_not_toml(
    place: str, before: str, after: str, tmp_path: Path
) -> None:
    rest = _PROMPT if place is CODEX_AGENT else "\nYou review.\n"
    made = fixture(tmp_path, f"{place}{before}{rest}")

    assert repaired(made.workspace, made.path, unsafe=place is VUHLP) == after + rest


# Comments and what stands in straight quotes keep theirs.
_STRAIGHT = """{ // a “comment”
  "agent": { "reviewer": { "description": "Say “hi”, it's \\"x\\".", "mode": "subagent" } }
}
"""


@pytest.mark.parametrize(
    ("key", "value"),
    [("“reviewer”", '"subagent"'), ("„reviewer”", "“subagent”"), ("'reviewer'", "'subagent'")],
)
def test_other_quotes_in_json_become_straight_ones(key: str, value: str, tmp_path: Path) -> None:
    text = _STRAIGHT.replace('"reviewer"', key).replace('"subagent"', value)
    made = fixture(tmp_path, f"//- opencode.json\n{text}")

    assert repaired(made.workspace, made.path) == _STRAIGHT


DESCRIPTIONS = (
    ("Use this: a review", '"Use this: a review"'),
    ("Use this: a review  # why", '"Use this: a review"  # why'),
    ('Use "this": a review', "'Use \"this\": a review'"),
    ("'It's: a review'", '"It\'s: a review"'),
    ("@reviewer", '"@reviewer"'),
    ("`review`", '"`review`"'),
    ("{{summary}}", '"{{summary}}"'),
    ("“Use this: a review”", '"Use this: a review"'),
    ("Reviews fixes for #12", '"Reviews fixes for #12"'),
    ('"It reads \\d"', '"It reads \\\\d"'),
    ("[Reviews a change]", "Reviews a change"),
    ("%review", '"%review"'),
    ("\u201cUse\u201d: a review", '"\u201cUse\u201d: a review"'),
    ("- review", '"- review"'),
)


@pytest.mark.parametrize(("before", "after"), DESCRIPTIONS)
def test_a_text_that_needs_quotes_gets_them(before: str, after: str, tmp_path: Path) -> None:
    text, found = offered(tmp_path, f"---\ndescription: {before}\n{BODY}")
    safe = [fix for fix in found if fix.safe]

    assert len(safe) == 1
    assert apply(text, safe[0].edits) == f"---\ndescription: {after}\n{BODY}"


FENCES = (
    # What is there, and what becomes of it.
    ("---\ndescription: A.\n\nReview.\n", "---\ndescription: A.\n---\n\nReview.\n"),
    ("---\ndescription: A.\n----\nReview.\n", "---\ndescription: A.\n---\nReview.\n"),
    ("\n\n---\ndescription: A.\n---\nReview.\n", "---\ndescription: A.\n---\nReview.\n"),
    ("--- yaml\ndescription: A.\n---\nReview.\n", "---\ndescription: A.\n---\nReview.\n"),
    ("description: A.\n---\nReview.\n", "---\ndescription: A.\n---\nReview.\n"),
    ("# R\n---\ndescription: A.\n---\nReview.\n", "---\ndescription: A.\n---\n# R\nReview.\n"),
    ("```\ndescription: A.\n```\nReview.\n", "---\ndescription: A.\n---\nReview.\n"),
    ("\ufeff---\ndescription: A.\n---\nReview.\n", "---\ndescription: A.\n---\nReview.\n"),
    (
        "---\ndescription: A.\n---\nread_only: true\n---\nReview.\n",
        "---\ndescription: A.\nread_only: true\n---\nReview.\n",
    ),
    (
        "---\ndescription: |\n  A.\n  read_only: true\n---\nReview.\n",
        "---\ndescription: |\n  A.\nread_only: true\n---\nReview.\n",
    ),
)


@pytest.mark.parametrize(("before", "after"), FENCES)
def test_a_header_that_is_not_found_as_a_whole_is_put_between_its_lines(
    before: str, after: str, tmp_path: Path
) -> None:
    text, found = offered(tmp_path, before)
    safe = [fix for fix in found if fix.safe]

    assert len(safe) == 1
    assert apply(text, safe[0].edits) == after


UNSAFE = (
    "---\ndescription: A.\ndeny_list: [wait]\ndeny_list: [web_search]\n---\nReview.\n",
    "---\n---\nReview.\n",
    "Review.\n",
    "---\ndescription: A.\ncolor: red\n---\nReview.\n",
    "---\ndescription: A.\nallow_list: [wait]\ndeny_list: [wait, web_search]\n---\nReview.\n",
    "---\ndescription: A.\n---\nReview.\n<!-- agent_name: strict -->\nStrictly.\n",
    "---\ndescription: A.\nagent_names:\n- name: strict\n  description: S.\n---\nReview.\n",
    "---\ndescription: A.\ndeny_list: [exec_command(ls)]\n---\nReview.\n",
)


@pytest.mark.parametrize("source", UNSAFE)
def test_what_only_the_author_knows_is_offered_as_unsafe_and_not_done_unasked(
    source: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, source)
    found = fixes(made.workspace, made.path)

    assert found
    assert all(not fix.safe and " (unsafe" in fix.title for fix in found)
    assert repaired(made.workspace, made.path) == made.text


def test_of_several_unsafe_fixes_the_likeliest_is_used_unless_they_are_equal(
    tmp_path: Path,
) -> None:
    several, one = (fixture(tmp_path / str(at), UNSAFE[at]) for at in (0, 3))
    equal = fixture(tmp_path / "equal", "---\ndescription: A.\nreasoning_effort: 5\n---\nReview.\n")

    first = fixes(several.workspace, several.path)[0]
    fixed = repaired(several.workspace, several.path, unsafe=True)
    assert fixed == apply(several.text, first.edits)
    assert repaired(one.workspace, one.path, unsafe=True) == UNSAFE[3].replace("color: red\n", "")
    assert len(fixes(equal.workspace, equal.path)) > 1
    assert repaired(equal.workspace, equal.path, unsafe=True) == equal.text


@pytest.mark.parametrize(
    ("system", "line", "fixed"),
    [
        ("", 'reasoning_effort = "low"', 'reasoning_effort: "low"'),
        ("", "read_only=true", "read_only: true"),
        ("", "allow_list -> wait", "allow_list: [wait]"),
        (SUB_AGENT, "tools read_file", "tools: [read_file]"),
        (KODACODE, "mode => all", "mode: all"),
    ],
)
def test_a_colon_takes_the_place_of_another_sign_and_lists_get_brackets(
    system: str, line: str, fixed: str, tmp_path: Path
) -> None:
    text = f"---\ndescription: A.\n{line}\n{BODY}"
    there = fixture(tmp_path, f"{system}{text}")
    assert repaired(there.workspace, there.path) == text.replace(line, fixed)


@pytest.mark.parametrize(
    ("system", "lines", "fixed"),
    [
        (MOLTIS, "name: a\ndelegate_only: tRUE\ndelegate_only: tRUE", "delegate_only: true"),
        (SUB_AGENT, "description: A.\nname: a\nname: a", "name: reviewer"),
    ],
)
def test_of_two_equal_entries_one_goes_before_the_other_is_put_right(
    system: str, lines: str, fixed: str, tmp_path: Path
) -> None:
    first, *_ = lines.splitlines()
    there = fixture(tmp_path, f"{system}---\n{lines}\n{BODY}")
    assert repaired(there.workspace, there.path) == f"---\n{first}\n{fixed}\n{BODY}"


def test_a_chain_of_mistakes_is_repaired_to_the_end(tmp_path: Path) -> None:
    made = fixture(
        tmp_path,
        "---\ndescripton: Use: this\nread_only: yes\nallow_list: exec_comand, wait\n\nReview.\n",
    )

    assert repaired(made.workspace, made.path) == (
        '---\ndescription: "Use: this"\nread_only: true\nallow_list: [exec_command, wait]\n---\n'
        "\nReview.\n"
    )


@pytest.mark.parametrize(
    "line",
    [
        'tools.deny = ["exec"|]',
        'tools.deny = ["exec"@]',
        "tools.deny = exec\ntools.allow = exec",
        'allow = ["exec"- ]\nx = "a',
    ],
)
def test_what_a_bracket_does_not_help_gets_none(line: str, tmp_path: Path) -> None:
    """The same may be said of two places, or twice of one: it has to be gone all the same."""
    text = PRESET.format(line)
    made = fixture(tmp_path, f"//- moltis.toml\n{text}")
    after = repaired(made.workspace, made.path)

    assert after is not None
    assert len(after) <= len(text) + 4


def test_a_file_is_renamed_to_a_name_that_an_agent_can_have(tmp_path: Path) -> None:
    sound = "---\ndescription: A.\n---\nReview.\n"
    _, [fix] = offered(tmp_path / "free", f"//- .codex/.agents/Code Review.md\n{sound}")
    both = f"//- .codex/.agents/Code Review.md\n{sound}//- .codex/.agents/code-review.md\n{sound}"
    _, taken = offered(tmp_path / "taken", both)

    assert fix.moved is not None
    assert fix.moved.name == "code-review.md"
    assert fix.safe
    assert taken == ()


def test_a_fix_that_does_not_help_is_not_offered(tmp_path: Path) -> None:
    """Here the words of another system's list would leave the agent without any tool."""
    _, found = offered(tmp_path, "---\ndescription: A.\ntools: Raed, Grepp\n---\nReview.\n")

    assert [fix.title for fix in found] == []


@pytest.mark.parametrize(
    ("source", "after"),
    [
        ("```yaml\n---\n{}---\n```\nReview.\n", "---\n{}---\nReview.\n"),
        (
            "```md\n---\n{}---\nRun:\n```sh\nx\n```\nReview.\n```\n",
            "---\n{}---\nRun:\n```sh\nx\n```\nReview.\n",
        ),
    ],
    ids=["only the header", "all of the file"],
)
@pytest.mark.parametrize(
    ("path", "keys"),
    [
        (".codex/.agents/x.md", "description: Reviews.\n"),
        (".claude/agents/x.md", "name: x\ndescription: Reviews.\n"),
        (".kodacode/agents/x.md", "description: Reviews.\n"),
    ],
)
def test_a_header_comes_out_of_its_code_block_and_nothing_of_the_block_stays(
    source: str, after: str, path: str, keys: str, tmp_path: Path
) -> None:
    text, found = offered(tmp_path, f"//- {path}\n{source.format(keys)}")
    safe = [apply(text, fix.edits) for fix in found if fix.safe]
    assert safe == [after.format(keys)]


@pytest.mark.parametrize("name", ["other", '"other"', "'other'"])
def test_a_file_is_renamed_to_what_its_header_says_and_not_to_its_quotes(
    name: str, tmp_path: Path
) -> None:
    source = f"{SUB_AGENT}---\nname: {name}\ndescription: Reviews.\n---\nReview.\n"
    moved = [fix.moved.name for fix in offered(tmp_path, source)[1] if fix.moved is not None]
    assert moved == ["other.md"]


@pytest.mark.parametrize("many", [10, 30])
def test_what_is_fixed_at_once_leaves_nothing_to_another_run(many: int, tmp_path: Path) -> None:
    """All of them fail together, so those that pass are fixed first."""
    text = "".join(f'[agents.a{i}]\nmodel = "x\nb: c\n' for i in range(many))
    runs = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        made = fixture(tmp_path / name, f"//- moltis.toml\n{text}")
        done = repair(made.workspace, made.path)
        assert done is not None
        runs.append(len(done.fixed))
        text = done.text
    assert runs == [2 * many, 0]


def test_hundreds_of_findings_of_one_rule_are_fixed_together(tmp_path: Path) -> None:
    names = ["Read", "Grep", "Glob", "Edit"]
    around = "---\nname: a\ndescription: A.\ntools: {}\n---\nB.\n"
    text = around.format(", ".join(names * 75))
    made = fixture(tmp_path, f"//- .claude/agents/a.md\n{text}")
    done = repair(made.workspace, made.path)
    assert done is not None
    assert done.text == around.format(", ".join(names))
    assert len(done.fixed) == 4 * 75 - 4


def test_what_does_not_pass_together_is_fixed_one_by_one(tmp_path: Path) -> None:
    # Of two equal keys only one can go.
    around = "---\nname: a\ndescription: A.\n{}---\nB.\n"
    text = around.format("color: red\n" * 20)
    made = fixture(tmp_path, f"//- .claude/agents/a.md\n{text}")
    assert repaired(made.workspace, made.path) == around.format("color: red\n")


def test_the_larger_a_text_is_the_fewer_fixes_are_tried(tmp_path: Path) -> None:
    def tried(count: int) -> int:
        entries = "  - Raed\n" * count
        text = f"---\nname: a\ndescription: d\ntools:\n{entries}---\nb\n"
        made = fixture(tmp_path / str(count), f"//- .claude/agents/a.md\n{text}")
        fixes = offered_at(made.workspace, made.path, Span(0, len(text)))
        return work(lambda: list(fixes))

    tried(4)
    # Each try costs as much as there are entries.
    assert tried(400) < 2 * tried(100)
