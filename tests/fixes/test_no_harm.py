"""What a safe fix never does: take away what counts elsewhere, or call half of a mistake fixed."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import Diagnostic, diagnostics
from agent_lsp.analysis.fixes import Fix, fixes, repair, repaired, verify
from agent_lsp.model.schema import Severity
from agent_lsp.text import apply
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture

CLAUDE = ".claude/agents/reviewer.md"
TEMPLATE = ".codex/.agents/reviewer.md"
SUB_AGENT = ".codex/agents/reviewer.md"
KODACODE = ".kodacode/agents/reviewer.md"
MOLTIS = ".moltis/agents/reviewer.md"
TABLES = "moltis.toml"
PRESET = "[agents.presets.scout]\n"


def made(folder: Path, path: str, text: str) -> Fixture:
    return fixture(folder, f"//- {path}\n{text}")


def offered(folder: Path, path: str, text: str) -> tuple[Fix, ...]:
    there = made(folder, path, text)
    return fixes(there.workspace, there.path)


def header(*lines: str) -> str:
    return "".join(f"{line}\n" for line in ("---", *lines, "---", "You review."))


# What does nothing for a spawned agent, and a word of the title that says what it does elsewhere.
KEPT = (
    (CLAUDE, header("name: a", "description: A.", "tools: Read, AskUserQuestion"), "`claude --a"),
    (CLAUDE, header("name: a", "description: A.", "tools: [Read, ExitPlanMode]"), "`claude --a"),
    (TABLES, f"{PRESET}tools.allow = ['exec']\ntools.deny = ['cron']\n", "no longer denied"),
    (MOLTIS, header("name: a", "tools: exec", "deny_tools: cron, browser"), "no longer denied"),
    # The name of a tool where others read the file, or whose keys are another system's.
    (CLAUDE, header("name: a", "description: A.", "tools: Read, gerp"), "Cursor"),
    (CLAUDE, header("name: a", "description: A.", "tools: [Read, grep]"), "VS Code"),
    (CLAUDE, header("name: a", "description: A.", "tools: [Read, Grpe]"), "Copilot CLI"),
    (SUB_AGENT, header("description: A.", "tools: [shell, shel]"), "Cursor"),
    # The name of a model that is another one's, and no slip.
    (CLAUDE, header("name: a", "description: A.", "model: gpt-5.2"), "Cursor"),
    (CLAUDE, header("name: a", "description: A.", "tools: [Read, 'Grep;Glob']"), "VS Code"),
    (KODACODE, header("permissionMode: plan", "AllowTools: [Read]"), "`permissionMode`"),
    (TEMPLATE, header("description: A.", "tools: []", "allow_list: [exec_comand]"), "`tools`"),
)


@pytest.mark.parametrize(("path", "text", "said"), KEPT)
def test_what_may_count_elsewhere_stays_unless_its_author_takes_it_away(
    path: str, text: str, said: str, tmp_path: Path
) -> None:
    there = made(tmp_path, path, text)
    about = [fix for fix in fixes(there.workspace, there.path) if said in fix.title]
    assert about
    assert not any(fix.safe for fix in about)
    assert repaired(there.workspace, there.path) == text


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        ("tools: [mcp__*, mcp__a__*, Read]", "tools: [mcp__*, mcp__a__*, Read]"),
        ("tools: mcp__*, mcp__a__b", "tools: mcp__*, mcp__a__b"),
        ("disallowedTools: ['*', Bash]", "disallowedTools: ['*', Bash]"),
        ("disallowedTools: [mcp__*, mcp__a__*]", "disallowedTools: [mcp__*]"),
        ("tools: [mcp__a__*, mcp__a__b]", "tools: [mcp__a__*]"),
        ("tools: ['*', Read]", "tools: ['*']"),
    ],
)
def test_a_pattern_that_may_cover_nothing_makes_no_entry_superfluous(
    lines: str, left: str, tmp_path: Path
) -> None:
    text = header("name: a", "description: A.", lines)
    there = made(tmp_path, CLAUDE, text)
    assert repaired(there.workspace, there.path) == text.replace(lines, left)
    said = [one.code for one in diagnostics(there.workspace, there.path)]
    assert ("redundant-entry" in said) == (lines != left)


# A value that goes on, and what it becomes as a whole.
GOES_ON = (
    ("description: Use this: for\n  reviews", 'description: "Use this: for\n  reviews"'),
    ("description: @a\n  and b", 'description: "@a\n  and b"'),
    ("description: `a` and\n\n  b", 'description: "`a` and\n\n  b"'),
    ("description: 'It's: a\n  review'", 'description: "It\'s: a\n  review"'),
    ('description: "A\n  review', 'description: "A\n  review"'),
    ("description: A\n{}: [a,\n  b", "description: A\n{}: [a,\n  b]"),
)


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(
    ("path", "names"), [(CLAUDE, "disallowedTools"), (TEMPLATE, "deny_list"), (SUB_AGENT, "tools")]
)
@pytest.mark.parametrize(("before", "after"), GOES_ON)
def test_a_value_that_goes_on_is_put_right_as_a_whole(
    before: str, after: str, path: str, names: str, end: str, tmp_path: Path
) -> None:
    lines = [line.format(names).replace("\n", end) for line in (before, after)]
    texts = [header("name: reviewer", line).replace("\r", "").replace("\n", end) for line in lines]
    there = made(tmp_path, path, texts[0])
    assert repaired(there.workspace, there.path) == texts[1]


# What the message names is what the fix writes, in each system.
QWEN, GEMINI = ".qwen/agents/reviewer.md", ".gemini/agents/reviewer.md"
OPENCODE, JSON = ".opencode/agent/reviewer.md", "opencode.json"
AGENT = '{{"agent": {{"a": {{"description": "A.", {}}}}}}}\n'
WRITTEN = (
    (OPENCODE, header("description: A.", "{}"), "top_p: '0.1'", "top_p: 0.1"),
    (JSON, AGENT, '"temperature": "0.1"', '"temperature": 0.1'),
    (KODACODE, header("{}"), "AllowTools: [mcp_a_b]", "AllowTools: [mcp_a__b]"),
    (QWEN, header("name: a", "description: A.", "{}"), "tools: [mcp_a_b]", "tools: [mcp__a__b]"),
    (TABLES, f"{PRESET}{{}}\n", "model = “opus”", 'model = "opus"'),
    (MOLTIS, header("name: a", "{}"), "tools: cron, exec; Read", "tools: cron, exec, Read"),
    (MOLTIS, header("name: a", "{}"), "tools: exec Read", "tools: exec, Read"),
    (
        TEMPLATE,
        header("description: A.", "{}"),
        "deny_list: [wait;shell]",
        "deny_list: [wait, shell]",
    ),
)


@pytest.mark.parametrize(("path", "text", "before", "after"), WRITTEN)
def test_a_fix_writes_what_the_message_names(
    path: str, text: str, before: str, after: str, tmp_path: Path
) -> None:
    there = made(tmp_path, path, text.format(before))
    assert repaired(there.workspace, there.path) == text.format(after)


@pytest.mark.parametrize("tools", ["[Read, 'Agent(a{}']", "Read, Agent(a{}", '["Bash(git *{}"]'])
def test_a_parenthesis_of_an_entry_is_closed_in_it(tools: str, tmp_path: Path) -> None:
    text = header("name: a", "description: A.", "tools: " + tools.format(""))
    there = made(tmp_path, CLAUDE, text)
    assert [one.code for one in diagnostics(there.workspace, there.path)] == ["unknown-tool"]
    assert repaired(there.workspace, there.path) == text
    fixed = repaired(there.workspace, there.path, unsafe=True)
    assert fixed == text.replace(tools.format(""), tools.format(")"))


# Each of two keys has its own list in the end, though one of them is written with an alias.
@pytest.mark.parametrize(
    ("path", "names", "before", "after"),
    [
        (TEMPLATE, ("allow_list", "deny_list"), "apply_patch", "[apply_patch]"),
        (KODACODE, ("AllowTools", "DisallowedTools"), "bash", "[bash]"),
        (MOLTIS, ("tools", "deny_tools"), "[cron]", "cron"),
    ],
)
def test_an_anchor_stays_while_an_alias_needs_it(
    path: str, names: tuple[str, str], before: str, after: str, tmp_path: Path
) -> None:
    first, second = names
    text = header("name: reviewer", f"{first}: &a {before}", f"{second}: *a")
    there = made(tmp_path, path, text)
    right = header("name: reviewer", f"{first}: {after}", f"{second}: {after}")
    assert repaired(there.workspace, there.path) == right


@pytest.mark.parametrize(
    ("lists", "said"),
    [
        (
            ("AllowTools: &t [read, raed]", "DisallowedTools: *t"),
            "`AllowTools` and `DisallowedTools`",
        ),
        (
            ("DisallowedTools: &t [read, raed]", "AllowTools: *t"),
            "`DisallowedTools` and `AllowTools`",
        ),
    ],
)
def test_a_title_says_that_two_lists_are_one(
    lists: tuple[str, str], said: str, tmp_path: Path
) -> None:
    titles = [one.title for one in offered(tmp_path, KODACODE, header("description: A.", *lists))]

    assert titles == [f"Remove `read` from the allowed tools (unsafe: {said} share the list)"]


OPENCODE = ".opencode/agent/reviewer.md"
LOADED = (
    (
        OPENCODE,
        "tools:",
        r"Remove `tools` \(unsafe: loads the file; without `tools` its agent gets 1\d tools\)",
    ),
    (OPENCODE, "color:", r"Remove `color` \(unsafe: loads the file\)"),
)


@pytest.mark.parametrize(("path", "line", "said"), LOADED)
def test_a_title_says_what_an_agent_may_do_that_loads_without_its_limits(
    path: str, line: str, said: str, tmp_path: Path
) -> None:
    titles = [one.title for one in offered(tmp_path, path, header("description: A.", line))]

    assert len(titles) == 1
    assert re.fullmatch(said, titles[0])


def test_an_escape_of_json_becomes_its_sign(tmp_path: Path) -> None:
    there = made(tmp_path, KODACODE, header('description: "A\\/b."'))
    assert repaired(there.workspace, there.path) == header('description: "A/b."')


# Claude Code itself takes what is on the line for the value, and puts quotes around it.
@pytest.mark.parametrize("path", [TEMPLATE, SUB_AGENT, KODACODE, MOLTIS])
@pytest.mark.parametrize(
    "lines",
    [
        "{}: @a\n  - b",
        "{}: @a\n  # b",
        "{}: @a # b\n  c",
        "{}: @a\nand b",
        "{}: @a\nand more: of b.\nC",
        "{}: @a\nContext: foo bar\nuser: hello there",
        "{}: @a\n- b\n- c",
    ],
)
def test_a_value_of_which_nobody_knows_where_it_ends_is_not_cut_by_quotes(
    path: str, lines: str, tmp_path: Path
) -> None:
    lines = lines.format("display_name" if path == MOLTIS else "description")
    for fix in offered(tmp_path, path, header("name: reviewer", lines)):
        assert '"@a"' not in apply(header("name: reviewer", lines), fix.edits)


@pytest.mark.parametrize(("path", "name"), [(CLAUDE, "name: a\n"), (TEMPLATE, "")])
@pytest.mark.parametrize(
    "text",
    [
        "---\n{}description: A.\n\nNote: look\n\n***\n\nGo.\n",
        "---\n{}description: A.\n\n- one\n- two\n===\nGo.\n",
        "---\n{}description: A.\nRule: x\nYou review.\nIt: is.\n\n----\nGo.\n",
        "{}description: A.\n\nYou review.\n\n---\n\nGo.\n",
        "---\n{}description: A.\nYou review.\nAll of it.\n\n---\n\nGo.\n",
    ],
)
def test_no_line_of_the_prompt_goes_into_a_header_unasked(
    path: str, name: str, text: str, tmp_path: Path
) -> None:
    there = made(tmp_path, path, text.format(name))
    assert repaired(there.workspace, there.path) == text.format(name)


@pytest.mark.parametrize("key", ["tools", "deny_tools"])
def test_a_bracket_does_not_become_a_part_of_a_tools_name(key: str, tmp_path: Path) -> None:
    """The runtime takes a text with commas there: in quotes the first tool is another one."""
    text = header("name: a", f"{key}: [exec, cron")
    there = made(tmp_path, MOLTIS, text)
    assert repaired(there.workspace, there.path) == text
    [fix] = [
        one for one in fixes(there.workspace, there.path) if one.title.startswith("Remove `[`")
    ]
    assert apply(text, fix.edits) == header("name: a", f"{key}: exec, cron")


# A header that begins with a bracket, a brace or a quote.
AT_TOP = ("[name: a", "{name: a", '"name: a', "'name: a")


@pytest.mark.parametrize("path", [CLAUDE, TEMPLATE, SUB_AGENT, KODACODE, MOLTIS])
@pytest.mark.parametrize("first", AT_TOP)
@pytest.mark.parametrize("more", [(), ("model: x",)], ids=["alone", "with more"])
def test_what_would_make_a_list_of_the_header_is_not_closed(
    first: str, path: str, more: tuple[str, ...], tmp_path: Path
) -> None:
    text = header(first, *more)
    there = made(tmp_path, path, text)
    assert repaired(there.workspace, there.path) == text
    for fix in fixes(there.workspace, there.path):
        assert fix.title.startswith("Remove the line") or f"\n{first[1:]}\n" in apply(
            text, fix.edits
        )


COLONS = (
    ('model: "x"', 'model = "x"'),
    ("model: x", 'model = "x"'),
    ("system_prompt_suffix: be brief  # why", 'system_prompt_suffix = "be brief"  # why'),
    ("max_iterations: 5", "max_iterations = 5"),
    ("delegate_only: true", "delegate_only = true"),
    ('tools.deny: ["exec"]', 'tools.deny = ["exec"]'),
    ('"model": "x"', '"model" = "x"'),
)


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("before", "after"), COLONS)
def test_a_colon_in_toml_becomes_an_equals_sign(
    before: str, after: str, end: str, tmp_path: Path
) -> None:
    text = f"{PRESET}{before}\n".replace("\n", end)
    there = made(tmp_path, TABLES, text)
    assert repaired(there.workspace, there.path) == text.replace(before, after)


@pytest.mark.parametrize(
    "text",
    [
        '[agents.a: b]\nmodel = "x"\n',
        'agents:\n  presets:\n    scout:\n      model: "x"\n',
        f'{PRESET}model: "x" y\n',
        f"{PRESET}model:\n",
        f'{PRESET}identity = {{ name: "a", theme: "b" }}\n',
        f'{PRESET}tools.deny = [---\nexec"]\n',
    ],
)
def test_half_of_a_mistake_in_toml_is_not_called_fixed(text: str, tmp_path: Path) -> None:
    there = made(tmp_path, TABLES, text)
    done = repair(there.workspace, there.path)
    assert done is not None
    assert (done.text, done.fixed) == (text, ())


MANY = 40
LONG = (
    (TABLES, PRESET, 'k{}: "x"\n', ""),
    (TABLES, PRESET, 'k{} "x"\n', ""),
    (TABLES, PRESET, 'k{} = "x\n', ""),
    (TABLES, PRESET, "[agents.a{}: b]\n", ""),
    (TABLES, PRESET, 'k{} = ["x"@]\n', ""),
    (TABLES, "", '[agents.presets.a{}]\ntools.deny = "exec"\n', ""),
    (TEMPLATE, "---\ndescription: A.\n", "k{}: a: b\n", "---\nGo.\n"),
    (TEMPLATE, "---\ndescription: A.\n", "k{}: [a\n", "---\nGo.\n"),
    (TEMPLATE, "---\ndescription: A.\nallow_list:\n", "  - exec_comand{}\n", "---\nGo.\n"),
    (CLAUDE, "---\nname: a\ndescription: A.\n", "k{}: a: b\n", "---\nGo.\n"),
    (CLAUDE, "---\nname: a\ndescription: A.\ntools:\n", "  - Raed\n", "---\nGo.\n"),
    (KODACODE, "---\n", "Mode{}: x: y\n", "---\nGo.\n"),
    (MOLTIS, "---\nname: a\n", "k{}: @a\n", "---\nGo.\n"),
)


@pytest.mark.hostile
@pytest.mark.parametrize(("path", "above", "line", "below"), LONG)
def test_what_is_tried_grows_with_the_findings_and_not_with_their_square(
    path: str,
    above: str,
    line: str,
    below: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At most a few tries for each line, whether a fix is found or not."""
    tries, tried = [0], verify.is_fixed

    def counted(*arguments: object) -> bool:
        tries[0] += 1
        return tried(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(verify, "is_fixed", counted)
    counts = []
    for many in (MANY // 2, MANY):
        lines = "".join(line.format(number) for number in range(many))
        there = made(tmp_path / str(many), path, above + lines + below)
        tries[0] = 0
        repair(there.workspace, there.path)
        counts.append(tries[0])
    half, whole = counts
    assert whole <= 8 * MANY
    assert whole <= 2.5 * half + 8


@pytest.mark.parametrize("fence", ["---", "----"])
def test_a_file_that_is_an_agent_stays_one(fence: str, tmp_path: Path) -> None:
    text = f"---\nname: a\ndescription: A.\nhooks: []\n{fence}\nGo.\n"
    there = made(tmp_path, CLAUDE, text)
    before = template_file(there.workspace, there.path)
    done = repaired(there.workspace, there.path)
    assert before is not None
    assert done is not None
    after = template_file(verify.supposing(there.workspace, there.path, done), there.path)
    assert after is not None
    assert after.name == before.name
    assert [
        one for one in diagnostics(after.workspace, after.path) if one.severity is Severity.ERROR
    ] == []


@pytest.mark.parametrize(
    "line",
    [
        "model: 4",
        "model: {{model}}",
        'background: "yes"',
        "initialPrompt: {a: b}",
        "tools: Web Search, Web Fetch",
        "mcpServers:\n  - name: github\n    command: npx",
    ],
)
def test_what_works_is_not_made_to_work_otherwise(line: str, tmp_path: Path) -> None:
    """Claude Code 2.1.332 ignores these values, and the agent runs without them."""
    there = made(tmp_path, CLAUDE, f"---\nname: a\ndescription: A.\n{line}\n---\nGo.\n")
    done = repair(there.workspace, there.path)
    assert done is None or done.fixed == ()


def test_a_merge_conflict_is_left_to_its_author(tmp_path: Path) -> None:
    text = (
        "---\nname: a\ndescription: x\n<<<<<<< HEAD\ntools: Read\n=======\ntools: Raed\n"
        ">>>>>>> other\n---\nGo.\n"
    )
    there = made(tmp_path, CLAUDE, text)
    assert diagnostics(there.workspace, there.path)
    assert fixes(there.workspace, there.path) == ()


# Words on the line of a fence may be a setting, or a sentence of the prompt.
@pytest.mark.parametrize(
    ("path", "text"),
    [
        (TEMPLATE, "---\ndescription: A.\n---allow_list: [wait]\nYou review.\n"),
        (SUB_AGENT, "---\ndescription: A.\n--- tools: [read]\nYou review.\n"),
        (KODACODE, "---\nmode: all\n--- The reviewer\nYou review.\n"),
        (TEMPLATE, "--- allow_list: [wait]\ndescription: A.\n---\nYou review.\n"),
        (TEMPLATE, "--- # why\r\ndescription: A.\r\n---\r\nYou review.\r\n"),
    ],
)
def test_words_on_the_line_of_a_fence_stay(path: str, text: str, tmp_path: Path) -> None:
    there = made(tmp_path, path, text)
    offers = fixes(there.workspace, there.path)
    assert offers
    for fix in offers:
        assert apply(text, fix.edits).split() == text.replace("---", "--- ").split(), fix.title


def test_a_word_that_says_the_header_is_yaml_goes_away_where_it_opens_one(tmp_path: Path) -> None:
    there = made(tmp_path, TEMPLATE, "--- yaml\ndescription: A.\n---\nYou review.\n")
    assert repaired(there.workspace, there.path) == header("description: A.")


def test_a_header_below_an_empty_line_is_not_replaced_by_an_empty_one(tmp_path: Path) -> None:
    text = "\n" + header("description: A.", "allow_list: []", "- wait")
    there = made(tmp_path, TEMPLATE, text)
    assert repaired(there.workspace, there.path) == text
    assert not [fix for fix in fixes(there.workspace, there.path) if "Write" in fix.title]


def _symbolic(link: Path, target: Path) -> None:
    link.symlink_to(target)


def _hard(link: Path, target: Path) -> None:
    link.hardlink_to(target)


def _folder(link: Path, target: Path) -> None:
    link.parent.rmdir()
    link.parent.symlink_to(target.parent, target_is_directory=True)


@pytest.mark.parametrize("made_as", [_symbolic, _hard, _folder])
def test_a_fix_under_one_path_of_a_file_says_what_it_does_under_the_others(
    made_as: Callable[[Path, Path], None], tmp_path: Path
) -> None:
    text = header("name: reviewer", "description: A.", "tools: Read")
    there = made(tmp_path, CLAUDE, f"{text}//- .cursor/agents/x.md\n")
    link = there.root / ".cursor/agents/reviewer.md"
    (link.parent / "x.md").unlink()
    made_as(link, there.path)
    there.workspace.files.refresh()
    (fix,) = fixes(there.workspace, link)
    assert re.fullmatch(r"Remove `tools` \(unsafe: for Claude Code: gains \d+ tools\)", fix.title)
    assert repaired(there.workspace, link) == text


@pytest.mark.parametrize(
    ("path", "text"),
    [
        # Behind marks the runtime sees no header, and without them it sees a broken one.
        (KODACODE, "k: v\n\ufeff\ufeff---\ndescription: A change: reviewed.\n---\nb\n"),
        (".opencode/agents/a.md", "name: Customs\n-"),
    ],
)
def test_a_file_without_errors_gets_none(path: str, text: str, tmp_path: Path) -> None:
    there = made(tmp_path, path, text)
    assert not errors(there, text)
    for fix in fixes(there.workspace, there.path):
        assert not errors(there, apply(text, fix.edits)), fix.title
    assert not errors(there, repaired(there.workspace, there.path) or "")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        # Two findings of one place, of which one is about what cannot be written there.
        (".qwen/agents/a.md", "---\nmode: subagent\nd: a stock:he old way.\n---\nb\n"),
    ],
)
def test_after_a_fix_fewer_findings_say_the_same(path: str, text: str, tmp_path: Path) -> None:
    there = made(tmp_path, path, text)
    before = diagnostics(there.workspace, there.path)
    assert before
    for fix in fixes(there.workspace, there.path):
        after = found(there, apply(text, fix.edits))
        assert said(after, fix.diagnostic) < said(before, fix.diagnostic), fix.title


@pytest.mark.parametrize("path", [CLAUDE, TEMPLATE, KODACODE, MOLTIS])
def test_all_tabs_go_where_one_alone_helps_nothing(path: str, tmp_path: Path) -> None:
    rows = [f"k{number}: x" for number in range(30)]
    there = made(
        tmp_path, path, header("name: a", "description: A.", *(f"\t{row}" for row in rows))
    )
    done = repair(there.workspace, there.path, wanted=lambda one, _: one.code == "header-invalid")
    assert done is not None
    assert done.text == header("name: a", "description: A.", *rows)


def found(there: Fixture, text: str) -> tuple[Diagnostic, ...]:
    return diagnostics(verify.supposing(there.workspace, there.path, text), there.path)


def errors(there: Fixture, text: str) -> list[Diagnostic]:
    return [one for one in found(there, text) if one.severity is Severity.ERROR]


def said(findings: tuple[Diagnostic, ...], fixed: Diagnostic) -> int:
    return sum((one.code, one.message) == (fixed.code, fixed.message) for one in findings)
