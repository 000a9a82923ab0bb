"""What OpenCode makes of an agent file, and what is said about it."""

import json
from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.conversion import convert
from agent_lsp.analysis.decorations import semantic_tokens
from agent_lsp.analysis.diagnostics import Diagnostic, diagnostics
from agent_lsp.analysis.fixes import fixes, repaired
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.navigation.call_hierarchy import outgoing
from agent_lsp.analysis.navigation.references import Target
from agent_lsp.analysis.preview import as_written
from agent_lsp.analysis.status_report import report
from agent_lsp.data_classes import replace
from agent_lsp.dialects.opencode.dialect import DIALECT
from agent_lsp.dialects.opencode.policy import own_rules
from agent_lsp.model.runtime import Call, Parent, RuntimeRefusal, Spawn
from agent_lsp.model.schema import Severity
from agent_lsp.options import Extras, Options
from agent_lsp.text import apply
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture
from tests.systems import dialect_by_id

PATH = "//- .opencode/agents/a.md\n"
CONFIG = "//- opencode.json\n"
TOOLS = tuple(tool.name for tool in DIALECT.tools.listed)


def agent(lines: str = "", body: str = "You help.\n") -> str:
    own = f"{lines}\n" if lines else ""
    return f"---\ndescription: d\nmode: subagent\n{own}---\n{body}"


def found(folder: Path, text: str, path: str = PATH) -> list[Diagnostic]:
    made = fixture(folder, path + text)
    return list(diagnostics(made.workspace, made.path))


def said(folder: Path, text: str, path: str = PATH) -> list[str]:
    """The findings on the file under test, as `severity[code] span`."""
    made = fixture(folder, path + text)
    return [
        f"{one.severity.name.lower()}[{one.code}] {one.span.of(made.text).strip()}"
        for one in diagnostics(made.workspace, made.path)
    ]


def mended(folder: Path, text: str, path: str = PATH) -> str:
    """The text after all safe fixes."""
    made = fixture(folder, path + text)
    return repaired(made.workspace, made.path) or ""


def fixed(folder: Path, text: str, code: str) -> list[str]:
    """The text after each fix of the findings with a code."""
    made = fixture(folder, PATH + text)
    ways = (way for way in fixes(made.workspace, made.path) if way.diagnostic.code == code)
    return [apply(made.text, way.edits) for way in ways]


def spawned(made: Fixture, name: str = "a") -> Spawn | RuntimeRefusal:
    known = catalog(made.workspace, DIALECT, made.root)
    call = Call({"subagent_type": name, "prompt": "Go."}, Parent(model="p/m"), TOOLS)
    return DIALECT.calls.spawn(known, call)


@pytest.mark.parametrize(
    "lines",
    [
        "model: anthropic/claude-sonnet-4-5",
        "temperature: 0.1\ntop_p: 1",
        "steps: 5",
        "hidden: true",
        "color: '#FF8800'",
        "color: accent",
        "permission: ask",
        "permission:\n  '*': deny\n  read: allow\n  github_*: allow",
        "permission:\n  bash:\n    '*': ask\n    'git *': allow\n  external_directory: deny",
        "permission:\n  edit:\n    '*': deny\n    'docs/**': allow\n  skill: deny",
        "options:\n  reasoningEffort: high",
        "reasoningEffort: high\ntextVerbosity: low",
        "name: other",
        "disable: true",
    ],
)
def test_nothing_is_said_of_what_the_program_uses(lines: str, tmp_path: Path) -> None:
    assert said(tmp_path, agent(lines)) == []


@pytest.mark.parametrize(
    ("lines", "finding"),
    [
        ("color: red", "error[invalid-value] red"),
        ("color: '#fff'", "error[invalid-value] '#fff'"),
        ("color: #ff0000", "error[wrong-type] color"),
        ("tools: [Read, Grep]", "error[wrong-type] [Read, Grep]"),
        ("tools: {bash: off}", "error[wrong-type] off"),
        ("hidden: yes", "error[wrong-type] yes"),
        ("steps: 0", "error[invalid-value] 0"),
        ("temperature: '0.1'", "error[wrong-type] '0.1'"),
        ("variant:", "error[wrong-type] variant"),
        ("permission: none", "error[invalid-value] none"),
        ("permission:\n  bash: Deny", "error[invalid-value] Deny"),
        ("permission:\n  webfetch:\n    '*': allow", "error[wrong-type] '*': allow"),
        ("name: 5", "error[wrong-type] 5"),
    ],
)
def test_a_value_that_stops_the_program_is_one_error_at_its_place(
    lines: str, finding: str, tmp_path: Path
) -> None:
    assert said(tmp_path, agent(lines)) == [finding]


def test_the_message_of_such_a_value_says_that_nothing_starts(tmp_path: Path) -> None:
    [one] = found(tmp_path, agent("color: red"))
    assert one.message == (
        "`color` cannot be `red`: write `#rrggbb` in quotes, or `primary`, `secondary`, `accent`, "
        "`success`, `warning`, `error` or `info`, or OpenCode does not start in this project"
    )


@pytest.mark.parametrize(
    ("lines", "after"),
    [
        ("color: red", 'color: "#ff0000"'),
        ("color: '#fff'", 'color: "#ffffff"'),
        ("hidden: yes", "hidden: true"),
        ("tools: {bash: 'false'}", "tools: {bash: false}"),
        ("mode2: x", "mode2: x"),
        ("permission:\n  bash: Deny", "permission:\n  bash: deny"),
        ("tempurature: 0.1", "temperature: 0.1"),
        ("modle: anthropic/x", "model: anthropic/x"),
    ],
)
def test_a_plain_slip_is_put_right_safely(lines: str, after: str, tmp_path: Path) -> None:
    assert mended(tmp_path, agent(lines)) == agent(after)


def test_a_list_of_tools_becomes_rules_that_allow_these_alone(tmp_path: Path) -> None:
    first, *_ = fixed(tmp_path, agent("tools: [Read, Grep]"), "wrong-type")
    assert first == agent("permission:\n  '*': deny\n  read: allow\n  grep: allow")


def test_the_older_tools_become_rules(tmp_path: Path) -> None:
    text = agent("tools:\n  write: false\n  bash: false\n  patch: true")
    first, *_ = fixed(tmp_path, text, "deprecated-key")
    assert first == agent("permission:\n  edit: allow\n  bash: deny")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "tools:\n  write: false\npermission:\n  # ours\n  bash: ask # always",
            "permission:\n  edit: deny\n  # ours\n  bash: ask # always",
        ),
        (
            "permission:\n  edit:\n    '*': ask\ntools: {edit: false, bash: false}",
            "permission:\n  edit: ask\n  bash: deny",
        ),
        (
            "permission: {bash: {'git *': allow}, read: deny}\ntools: {bash: false, read: true}",
            "permission:\n  bash:\n    git *: allow\n  read: deny",
        ),
    ],
)
def test_the_older_tools_go_before_the_rules_that_are_there(
    before: str, after: str, tmp_path: Path
) -> None:
    first, *_ = fixed(tmp_path, agent(before), "deprecated-key")
    assert first == agent(after)


def test_the_older_tools_become_rules_between_braces_as_well(tmp_path: Path) -> None:
    flow = "---\n{description: d, mode: subagent, tools: {bash: false}}\n---\nB\n"
    first, *_ = fixed(tmp_path / "a", flow, "deprecated-key")
    assert first == flow.replace("tools", "permission").replace("false", "deny")
    text = (
        '{"agent": {"a": {"description": "d", // ours\n'
        '  "tools": {"bash": false, "mcp_*": true},\n'
        '  "permission": {"bash": {"git *": "ask"}}}}}\n'
    )
    made = fixture(tmp_path / "b", CONFIG + text)
    [way] = [one for one in fixes(made.workspace, made.path) if one.title.startswith("Write it as")]
    assert apply(made.text, way.edits) == (
        '{"agent": {"a": {"description": "d", // ours\n'
        '  "permission": {"bash": {"git *": "ask"}, "mcp_*": "allow"}}}}\n'
    )


def test_every_listing_and_preview_of_the_project_answers_with_the_refusal(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"{PATH}{agent()}//- .opencode/agents/b.md\n{agent('color: red')}")
    answer = spawned(made)
    assert isinstance(answer, RuntimeRefusal)
    first, *lines = answer.message.split("\n")
    assert first == f"Configuration is invalid at {made.root / '.opencode/agents/b.md'}"
    assert lines[1].endswith('"info", got "red" color')
    listed = DIALECT.calls.list_agents(catalog(made.workspace, DIALECT, made.root), Call({}))
    assert listed == answer
    shown = hover(made.workspace, made.path, 0)
    assert shown is not None
    assert "No agent loads" in shown.markdown


def test_a_bad_value_of_an_older_mode_only_loses_its_file(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"{PATH}{agent()}//- .opencode/modes/b.md\n{agent('color: red')}")
    assert isinstance(spawned(made), Spawn)
    assert spawned(made, "b") == RuntimeRefusal("Unknown agent type: b is not a valid agent type")


def test_a_header_that_is_no_yaml_becomes_the_prompt_of_an_agent_with_every_tool(
    tmp_path: Path,
) -> None:
    text = '---\ndescription: "x\npermission: deny\n---\nBody.\n'
    made = fixture(tmp_path, PATH + text)
    [one] = diagnostics(made.workspace, made.path)
    assert (one.code, one.severity.name) == ("header-invalid", "ERROR")
    assert one.message.endswith(
        "the whole file becomes the prompt, the agent gets every tool, and all of its settings are "
        "lost, `permission` too"
    )
    answer = spawned(made)
    assert isinstance(answer, Spawn)
    assert answer.prompt[0].text == text.strip()
    assert not answer.toolset.restricted


@pytest.mark.parametrize(
    "description",
    ["Reads code\nand more", "Reads code\n: and more", "Reads code\n  - and: more: of it"],
)
def test_a_text_that_goes_on_below_loses_the_header(description: str, tmp_path: Path) -> None:
    # Measured with gray-matter 4.0.3 and js-yaml 3.15.2: they refuse all three.
    text = f"---\ndescription: {description}\nmode: subagent\n---\nBody.\n"
    [one] = found(tmp_path / "a", text)
    assert (one.code, one.severity.name) == ("unquoted-text", "ERROR")
    assert "the whole file becomes the prompt" in one.message
    made = fixture(tmp_path / "b", PATH + text)
    after = repaired(made.workspace, made.path, unsafe=True)
    assert after is not None
    assert said(tmp_path / "c", after) == []


def test_a_mistake_without_a_proposal_is_followed_by_what_it_does(tmp_path: Path) -> None:
    [one] = found(tmp_path, "---\ndescription: |0\n  x\n---\nBody.\n")
    assert ": the whole file becomes the prompt" in one.message
    assert ", or the whole" not in one.message


def test_a_key_that_stands_twice_loses_the_header(tmp_path: Path) -> None:
    lines = "permission:\n  bash: deny\n  bash: allow"
    assert said(tmp_path, agent(lines)) == ["error[duplicate-key] bash"]


def test_a_header_that_the_second_try_cannot_read_either_skips_the_file(tmp_path: Path) -> None:
    text = "---\ndescription: a: b\n- x\nmode: subagent\n---\nB\n"
    [one] = found(tmp_path, text)
    assert one.code == "header-invalid"
    assert one.message.endswith("OpenCode silently skips the file")


def test_a_value_that_only_the_second_try_reads_is_a_warning_with_a_fix(tmp_path: Path) -> None:
    text = "---\ndescription: Use: often\nmode: subagent\n---\nB\n"
    assert said(tmp_path / "a", text) == ["warning[unquoted-text] Use: often"]
    after = text.replace("Use: often", "'Use: often'")
    assert mended(tmp_path / "b", text) in (after, after.replace("'", '"'))


SCRIPT = "{mode: 'subagent'}\n---\nB\n"
# A page of text, and a header, that are too large to be checked.
PAGE, COMMENT = "x" * 1_000_001, f"/*{'x' * 100_001}*/"


@pytest.mark.parametrize("word", ["js", "javascript", " JS ", "js\r", "\rjs", "\xa0js", "\u2028js"])
def test_a_header_in_javascript_is_an_error_that_says_that_it_is_run(
    word: str, tmp_path: Path
) -> None:
    one, *_ = found(tmp_path, f"---{word}\n{SCRIPT}")
    assert (one.code, one.severity.name) == ("executed-header", "ERROR")
    assert one.message.startswith("THIS HEADER IS A PROGRAM: OpenCode runs it")


@pytest.mark.parametrize(
    ("text", "others"),
    [
        (f"\ufeff---js\n{SCRIPT}", []),
        (f"---js\r\n{SCRIPT}", []),
        ("---js\n{mode: 'subagent'}", []),
        # Bytes that are not UTF-8, also beside a NUL byte.
        (f"---js\n{SCRIPT}caf\ud800\n", ["unreadable"]),
        (f"---js\n{SCRIPT}\0\ud800\n", ["hidden-text", "unreadable"]),
        (f"---js\n// caf\ud800\n{SCRIPT}", ["unreadable"]),
        # Files that are too large to be checked otherwise.
        (f"---js\n{SCRIPT}{PAGE}", ["unreadable"]),
        (f"---{' ' * 5000}js\n{SCRIPT}{PAGE}", ["unreadable"]),
        (f"---js\n{SCRIPT}{PAGE}\ud800", ["unreadable"]),
        (f"---js\n{COMMENT}{SCRIPT}", ["unreadable"]),
        (f"---js\n{COMMENT}\ud800{SCRIPT}", ["unreadable"]),
        # No comment of the author hides the finding.
        (f"---js\n# agent-template-lsp: ignore-file[executed-header]\n{SCRIPT}", []),
        (f"---js\n# agent-template-lsp: ignore[executed-header]\n{SCRIPT}", []),
    ],
    ids=range(13),
)
def test_nothing_in_a_file_hides_that_its_header_is_run(
    text: str, others: list[str], tmp_path: Path
) -> None:
    assert sorted(one.code for one in found(tmp_path, text)) == sorted(["executed-header", *others])


@pytest.mark.parametrize(
    "path", ["a/b.md", "a/.b/c.md", "node_modules/a.md", ".git/a.md", ".md", "a/.md"]
)
def test_a_header_that_is_run_is_found_wherever_the_program_looks(
    path: str, tmp_path: Path
) -> None:
    assert said(tmp_path, f"---js\n{SCRIPT}", f"//- .opencode/agents/{path}\n") == [
        "error[executed-header] ---js"
    ]


def test_a_large_file_in_yaml_is_only_left_unchecked(tmp_path: Path) -> None:
    assert said(tmp_path, f"---\nmode: subagent\n---\n---js\n{PAGE}") == [
        "information[unreadable] "
    ]


def test_a_file_that_is_called_md_alone_has_this_name(tmp_path: Path) -> None:
    made = fixture(
        tmp_path, f"//- .opencode/agents/.md\n{agent()}//- .opencode/agents/a/.md\n{agent()}"
    )
    assert set(catalog(made.workspace, DIALECT, made.root).names) == {".md", "a/.md"}


@pytest.mark.parametrize(
    ("text", "path", "codes"),
    [
        (
            agent("tempurature: 1\ncolor: red", "Caf\ud800.\n"),
            PATH,
            ["unknown-key", "invalid-value", "unreadable"],
        ),
        (
            '{"agent": {"a": {"description": "Caf\ud800", "color": "red"}}}\n',
            CONFIG,
            ["unreadable", "invalid-value"],
        ),
    ],
    ids=["header", "table"],
)
def test_a_file_that_is_not_utf_8_is_checked_and_left_as_it_is(
    text: str, path: str, codes: list[str], tmp_path: Path
) -> None:
    assert [one.code for one in found(tmp_path / "a", text, path)] == codes
    assert mended(tmp_path / "b", text.replace("\ud800", "e"), path) != ""
    assert mended(tmp_path / "c", text, path) == ""


def test_a_file_in_utf_16_is_an_agent_without_a_header(tmp_path: Path) -> None:
    made = fixture(tmp_path, PATH + agent())
    made.path.write_bytes(agent().encode("utf-16"))
    made.workspace.files.refresh()
    [one] = diagnostics(made.workspace, made.path)
    assert (one.code, one.severity.name) == ("unreadable", "ERROR")
    assert one.message.startswith(
        "the file is UTF-16: save it as UTF-8, or the whole file becomes the prompt"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\ndescription: D.\nmode: subagent\n\nYou help.\n", "error[header-unclosed] ---"),
        (
            "---\ndescription: D.\npermission:\n  edit: deny\n\nYou help.\n\n---\n\nMore.\n",
            "error[header-unclosed] You help.",
        ),
    ],
)
def test_a_header_that_continues_into_the_prompt_is_lost(
    text: str, expected: str, tmp_path: Path
) -> None:
    assert said(tmp_path, text) == [expected]
    [one] = found(tmp_path / "again", text)
    assert one.message.endswith("and all of its settings are lost, `permission` too")
    made = fixture(tmp_path / "fixed", PATH + text)
    fixed = repaired(made.workspace, made.path) or ""
    assert "\n---\nYou help." in fixed.replace("---\n\n", "---\n")
    assert said(tmp_path / "after", fixed) == []


def test_a_header_without_an_end_and_without_a_prompt_is_read(tmp_path: Path) -> None:
    assert said(tmp_path, "---\ndescription: D.\npermission:\n  edit: deny\n") == []


def test_a_header_in_another_language_is_lost(tmp_path: Path) -> None:
    assert said(tmp_path, "---toml\nmode = 'subagent'\n---\nB\n") == [
        "error[header-invalid] ---toml"
    ]


def test_a_file_without_a_header_is_an_agent_with_every_tool(tmp_path: Path) -> None:
    assert said(tmp_path, "# Notes\n", "//- .opencode/agents/README.md\n") == [
        "information[header-missing] # Notes"
    ]


def test_a_header_below_other_text_is_lost(tmp_path: Path) -> None:
    text = f"<!-- c -->\n{agent('permission: deny')}"
    assert said(tmp_path, text) == ["error[header-missing] <!-- c -->"]


@pytest.mark.parametrize(
    ("lines", "finding", "words"),
    [
        ("enabled: false", "warning[ignored-key] enabled", "write `disable: true`"),
        ("reasoning_effort: high", "warning[ignored-key] reasoning_effort", "reasoningEffort"),
        ("model: p/m#high", "warning[unknown-model] p/m#high", "write `variant: high`"),
        (
            "model: ' p/m'",
            "error[unknown-model] ' p/m'",
            "the spaces around `p/m` are part of the name",
        ),
        (
            "options: {topK: 1}\ntopK: 2",
            "warning[no-effect] topK",
            "the key `topK` of the agent overrides it",
        ),
        (
            "permission:\n  read_mcp_resource: deny",
            "warning[unknown-tool] read_mcp_resource",
            "the permission of that tool is `read`",
        ),
    ],
)
def test_what_seems_to_have_an_effect_and_has_none_is_a_warning(
    lines: str, finding: str, words: str, tmp_path: Path
) -> None:
    assert said(tmp_path / "a", agent(lines)) == [finding]
    assert words in found(tmp_path / "b", agent(lines))[0].message


def test_a_reference_on_a_line_of_a_prompt_stays_as_it_is(tmp_path: Path) -> None:
    body = "See `{file:a.md}`.\n\n{file:a.md}\n\n```\n{env:X}\n```\n"
    assert said(tmp_path / "a", agent(body=body)) == ["warning[no-effect] {file:a.md}"]
    # In a JSON file something takes its place.
    table = '{"agent": {"a": {"description": "d", "prompt": "{env:X}"}}}\n'
    assert said(tmp_path / "b", table, CONFIG) == []


def test_a_header_without_keys_sets_nothing(tmp_path: Path) -> None:
    for number, header in enumerate(("- a\n- b", "You help.")):
        text = f"---\n{header}\n---\nB\n"
        codes = said(tmp_path / str(number), text)
        assert f"warning[header-invalid] {header}" in codes


def test_permissions_with_an_s_limits_nothing(tmp_path: Path) -> None:
    text = agent("permissions:\n  bash: deny")
    assert said(tmp_path / "a", text) == ["warning[ignored-key] permissions"]
    [after, *_] = fixed(tmp_path / "b", text, "ignored-key")
    assert after == agent("permission:\n  bash: deny")


def test_all_other_unknown_keys_are_one_information(tmp_path: Path) -> None:
    assert said(tmp_path, agent("category: x\nversion: 1\nauthor: me")) == [
        "information[unknown-key] category"
    ]


def test_a_model_without_a_provider_fails_at_each_use(tmp_path: Path) -> None:
    made = fixture(tmp_path, PATH + agent("model: sonnet"))
    assert [one.code for one in diagnostics(made.workspace, made.path)] == ["unknown-model"]
    assert spawned(made) == RuntimeRefusal("Model not found: sonnet/.")


@pytest.mark.parametrize(
    ("rules", "kept"),
    [
        ("bash: deny", "read glob grep edit write webfetch skill"),
        ("'*': deny\n  read: allow", "read"),
        ("read: allow\n  '*': deny", ""),
        ("bash:\n    'git *': allow\n    '*': deny", "read glob grep edit write webfetch skill"),
        (
            "bash:\n    '*': deny\n    'git *': allow\n  edit: deny",
            "bash read glob grep webfetch skill",
        ),
        ("todowrite: allow\n  edit: deny", "bash read glob grep webfetch skill todowrite"),
    ],
)
def test_a_tool_is_offered_unless_its_last_rule_denies_everything(
    rules: str, kept: str, tmp_path: Path
) -> None:
    answer = spawned(fixture(tmp_path, PATH + agent(f"permission:\n  {rules}")))
    assert isinstance(answer, Spawn)
    plain = {one.tool for one in answer.toolset.kept if not one.condition}
    files = {"edit", "write"} & {one.tool for one in answer.toolset.kept}
    assert plain | files == set(kept.split())


def test_what_is_allowed_at_use_is_said_beside_what_is_offered(tmp_path: Path) -> None:
    rules = "permission:\n  bash:\n    '*': deny\n    'git *': allow"
    answer = spawned(fixture(tmp_path, PATH + agent(rules)))
    assert isinstance(answer, Spawn)
    [bash] = [one for one in answer.toolset.kept if one.tool == "bash"]
    assert bash.reason == "refused at use by `bash: deny`, but allowed for `git *`"


def test_a_rule_above_a_general_one_never_counts(tmp_path: Path) -> None:
    rules = "permission:\n  read: allow\n  bash:\n    'git *': allow\n    '*': deny\n"
    assert said(tmp_path, agent(f"{rules}  '*': deny")) == [
        "warning[no-tools] permission",
        "warning[overridden-rule] '*'",
        "warning[overridden-rule] '*'",
    ]


def test_a_rule_that_is_allowed_in_vain_is_a_hint(tmp_path: Path) -> None:
    assert said(tmp_path, agent("permission:\n  list: allow\n  write: allow")) == [
        "hint[unknown-tool] list",
        "hint[unknown-tool] write",
    ]


@pytest.mark.parametrize(
    ("rule", "said_of_it"),
    [
        ("write: deny", "the permission of that tool is `edit`"),
        ("Bash: deny", "did you mean `bash`?"),
        ("list: deny", "OpenCode no longer has a tool `list`"),
        ("shell: deny", "did you mean `bash`?"),
    ],
)
def test_a_name_that_is_no_tool_does_nothing(rule: str, said_of_it: str, tmp_path: Path) -> None:
    [one] = found(tmp_path, agent(f"permission:\n  {rule}"))
    assert (one.code, one.severity.name) == ("unknown-tool", "WARNING")
    assert one.message.endswith(said_of_it)


def test_a_script_of_the_project_is_a_tool(tmp_path: Path) -> None:
    text = agent("permission:\n  observe: deny\n  memory: deny\n  query_all: ask\n  other: deny")
    scripts = "//- .opencode/tool/observe.ts\nx\n//- ~/.config/opencode/tools/query.js\nx\n"
    assert said(tmp_path, f"{text}{scripts}") == [
        "information[unknown-tool] memory",
        "information[unknown-tool] other",
    ]


def test_a_rule_that_is_half_typed_is_coloured_and_decides_nothing(tmp_path: Path) -> None:
    made = fixture(tmp_path, PATH + agent())
    for value in ("", " ", " a", " as", " 5", " {'x': }"):
        text = agent(f"permission:\n  '*': deny\n  read:{value}")
        made.workspace.files.open(made.path, text, 1)
        file = template_file(made.workspace, made.path)
        assert file is not None
        words = [token.span.of(text) for token in semantic_tokens(file)]
        assert "{" in value or "read" in words
        [verdict] = as_written.toolset(file, ("read",)).verdicts
        assert not verdict.kept


def test_a_sub_agent_that_is_offered_task_cannot_use_it(tmp_path: Path) -> None:
    text = agent("permission:\n  task: allow")
    assert said(tmp_path / "a", text) == ["warning[futile-delegation] task"]
    deeper = f'{PATH}{text}{CONFIG}{{"subagent_depth": 2}}\n'
    made = fixture(tmp_path / "b", deeper)
    assert not diagnostics(made.workspace, made.path)
    answer = spawned(made)
    assert isinstance(answer, Spawn)
    assert all("subagent_depth" not in note for note in answer.notes)


@pytest.mark.parametrize(
    ("mode", "rules", "wanted"),
    [
        ("primary", "", "this prompt and also has `task` and `todowrite`"),
        ("all", "permission:\n  task: deny", "this prompt and also has `todowrite`"),
        ("primary", "permission:\n  '*': deny\n  read: allow", "and has the same tools"),
        ("subagent", "", 'agent "a" is a subagent, not a primary agent. Falling back to default'),
    ],
)
def test_a_preview_says_what_a_person_gets_who_chooses_the_agent(
    mode: str, rules: str, wanted: str, tmp_path: Path
) -> None:
    text = agent(rules).replace("mode: subagent", f"mode: {mode}")
    answer = spawned(fixture(tmp_path, PATH + text))
    assert isinstance(answer, Spawn)
    assert wanted in " ".join(answer.notes)


def test_rules_and_depth_decide_which_agents_an_agent_starts(tmp_path: Path) -> None:
    def started(number: int, caller: str, config: str = "{}") -> list[str]:
        others = "".join(f"//- .opencode/agents/{name}.md\n{agent()}" for name in ("b", "c"))
        text = f"{PATH}{caller}Ask @b, or use `c`.\n{others}{CONFIG}{config}\n"
        made = fixture(tmp_path / str(number), text)
        target = Target(DIALECT, made.path, "a")
        return sorted(edge.called.agent for edge in outgoing(made.workspace, target))

    rules = "permission:\n  task:\n    '*': deny\n    b: allow\n"
    lead = f"---\ndescription: d\nmode: primary\n{rules}---\n"
    assert started(1, lead) == ["b"]
    assert started(2, lead.replace("    b: allow", "    '?': allow")) == ["b", "c"]
    assert started(3, lead.replace("primary", "subagent")) == []
    assert started(4, lead.replace("primary", "subagent"), '{"subagent_depth": 2}') == ["b"]
    assert started(5, "---\ndescription: d\nmode: primary\n---\n") == ["b", "c"]


@pytest.mark.parametrize(
    ("path", "header", "loss"),
    [
        (PATH, "col$0or: red", "OpenCode does not start in this project"),
        ("//- .opencode/modes/a.md\n", "col$0or: red", "OpenCode silently skips the file"),
        (PATH, "na$0me: x", "every request for the list of agents fails in this project"),
        (PATH, "pro$0mpt: x", "the runtime ignores it"),
    ],
)
def test_hover_says_what_a_wrong_value_costs(
    path: str, header: str, loss: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, f"{path}{agent(header)}")
    shown = hover(made.workspace, made.path, made.offset)
    assert shown is not None
    assert f"- with a type of value that it does not take: {loss}\n" in shown.markdown


def test_keys_of_no_effect_are_reported(tmp_path: Path) -> None:
    assert said(tmp_path, agent("prompt: P\nvariant: max\nsteps: 3\nmaxSteps: 4")) == [
        "warning[no-effect] prompt",
        "warning[no-effect] variant",
        "warning[no-effect] maxSteps",
    ]


def test_an_agent_without_a_description_is_for_people_alone(tmp_path: Path) -> None:
    assert said(tmp_path, "---\nmode: subagent\n---\nB\n") == [
        "information[missing-description] ---"
    ]


def test_a_file_of_a_built_in_name_without_a_text_takes_the_prompt_away(tmp_path: Path) -> None:
    text = "---\npermission:\n  edit: allow\n---\n"
    assert said(tmp_path, text, "//- .opencode/agents/explore.md\n") == [
        "warning[hides-builtin] ---"
    ]


def test_the_outer_folder_goes_before_the_inner_one_and_the_home_before_both(
    tmp_path: Path,
) -> None:
    inner = "//- pkg/.opencode/agents/a.md\n---\ndescription: inner\nsteps: 1\n---\nI\n"
    outer = "//- .opencode/agents/a.md\n---\ndescription: outer\ntop_p: 1\n---\nO\n"
    home = "//- ~/.opencode/agents/a.md\n---\nmode: subagent\n---\n"
    made = fixture(tmp_path, inner + outer + home)
    known = catalog(made.workspace, DIALECT, made.root / "pkg")
    winner = known.winner("a")
    assert winner is not None
    held = known.read(winner).effective
    assert {key: value.text for key, value in held.settings.items()} == {
        "description": "outer",
        "steps": "1",
        "top_p": "1",
        "mode": "subagent",
    }
    assert held.default.text == ""


def test_rules_of_the_second_generation_hide_no_other_fault_of_a_table(tmp_path: Path) -> None:
    one, other = '"description": "d", "permissions": []', '"description": "d", "mode": "z"'
    text = f'{{"agent": {{"x": {{{one}}}, "y": {{{other}}}}}}}'
    assert said(tmp_path / "a", text, CONFIG) == [
        'error[wrong-type] "permissions"',
        'error[invalid-value] "z"',
    ]
    answer = spawned(fixture(tmp_path / "b", f"{PATH}{agent()}{CONFIG}{text}\n"))
    # The program prints its sentence about the rules alone.
    assert isinstance(answer, RuntimeRefusal)
    assert "agent.y" not in answer.message


def test_variables_add_a_folder_and_take_the_project_away(tmp_path: Path) -> None:
    text = f"{PATH}{agent()}//- ~/more/agents/b.md\n{agent()}//- ~/.opencode/agent/c.md\n{agent()}"
    variables = {"OPENCODE_CONFIG_DIR": str(tmp_path / "home" / "more")}
    made = fixture(tmp_path, text, variables=variables)
    assert catalog(made.workspace, DIALECT, made.root).names == ("a", "b", "c")
    variables["OPENCODE_DISABLE_PROJECT_CONFIG"] = "true"
    places = replace(made.workspace.host_paths, variables=variables)
    without = replace(made.workspace, host_paths=places)
    assert catalog(without, DIALECT, made.root).names == ("b", "c")


def test_a_variable_names_a_file_of_any_name(tmp_path: Path) -> None:
    def table(lines: str) -> str:
        return f'{{"agent": {{"a": {{{lines}}}, "b": {{"description": "own"}}}}}}\n'

    named = table('"description": "named", "temperature": 0.3, "top_p": 0.2, "category": "x"')
    for number, name in enumerate(("x/work.txt", "x/opencode.json", ".config/opencode/work.json")):
        text = (
            f'{CONFIG}{{"agent": {{"a": {{"description": "project", "top_p": 0.1}}}}}}\n'
            f"//- ~/{name}\n{named}"
            '//- ~/.config/opencode/opencode.json\n{"agent": {"a": {"steps": 3, "top_p": 1}}}\n'
        )
        home = tmp_path / str(number) / "home"
        variables = {"OPENCODE_CONFIG": str(home / name)}
        made = fixture(tmp_path / str(number), text, variables=variables)
        known = catalog(made.workspace, DIALECT, made.root)
        assert known.names == ("a", "b")
        definition = known.definition("a")
        assert definition is not None
        held = {key: one.text for key, one in definition.reading.effective.settings.items()}
        assert held == {
            "description": "project",
            "top_p": "0.1",
            "temperature": "0.3",
            "steps": "3",
            "options.category": '"x"',
        }
        assert definition.origins["temperature"].path == home / name
        assert isinstance(spawned(made, "b"), Spawn)
        # Its own findings are shown in an editor, as for every other file.
        assert [one.code for one in diagnostics(made.workspace, home / name)] == ["unknown-key"]
        # A fault in it keeps the program from starting.
        (home / name).write_text(table('"mode": "x"'), "utf-8")
        broken = replace(made.workspace, files=Files())
        answer = DIALECT.calls.list_agents(catalog(broken, DIALECT, made.root), Call({}))
        assert isinstance(answer, RuntimeRefusal)
        assert answer.message.startswith(f"Configuration is invalid at {home / name}")


def test_an_older_name_of_the_user_s_file_goes_behind_all_others(tmp_path: Path) -> None:
    table = '{{"agent": {{"a": {{"description": "{}", "top_p": {}}}}}, "permission": "ask"}}'
    text = (
        f"{CONFIG}{{}}\n//- ~/.config/opencode/config.json\n{table.format('old', 0.1)}\n"
        '//- ~/.config/opencode/opencode.json\n{"agent": {"a": {"description": "new"}}}\n'
        f"//- .opencode/config.json\n{table.format('nothing', 1).replace('a', 'b')}\n"
    )
    made = fixture(tmp_path, text)
    known = catalog(made.workspace, DIALECT, made.root)
    assert known.names == ("a",)
    found = known.definition("a")
    assert found is not None
    held = {key: one.text for key, one in found.reading.effective.settings.items() if one.text}
    assert held == {"description": "new", "top_p": "0.1"}
    assert [rule.text for rule in own_rules(found.reading)] == ["*: ask"]
    assert found.origins["top_p"].path.name == "config.json"


def test_variables_have_agents_and_rules_that_go_before_those_of_files(tmp_path: Path) -> None:
    content = (
        '{"agent": {"a": {"description": "content", "prompt": "{file:p.txt}"},'
        ' "y": {"description": "y"}}, "permission": {"bash": "ask", "edit": "deny"}} // ours'
    )
    variables = {
        "OPENCODE_CONFIG_CONTENT": content,
        "OPENCODE_PERMISSION": '{"bash": {"rm *": "deny"}, "webfetch": "ask"}',
    }
    text = f"{PATH}{agent('permission: {read: ask}')}//- p.txt\nP\n"
    made = fixture(tmp_path / "a", text, variables=variables)
    known = catalog(made.workspace, DIALECT, made.root)
    assert known.names == ("a", "y")
    found = known.definition("a")
    assert found is not None
    assert found.reading.effective.settings["description"].text == "content"
    assert [rule.text for rule in own_rules(found.reading)] == [
        *("bash: {rm *: deny}", "edit: deny", "webfetch: ask", "read: ask"),
    ]
    answer = spawned(made)
    assert isinstance(answer, Spawn)
    assert answer.prompt[0].text == "P"
    assert {one.tool: one.reason for one in answer.toolset.removed}["edit"] == (
        "denied by `edit: deny` of `$OPENCODE_CONFIG_CONTENT`"
    )
    for number, (name, value, sentence) in enumerate(
        (
            ("OPENCODE_CONFIG_CONTENT", "{", "Config file at OPENCODE_CONFIG_CONTENT is not valid"),
            (
                "OPENCODE_CONFIG_CONTENT",
                '{"agent": {"z": {"steps": 0}}}',
                "Configuration is invalid at OPENCODE_CONFIG_CONTENT\n",
            ),
            ("OPENCODE_PERMISSION", "no JSON", ""),
            ("OPENCODE_PERMISSION", '{"bash": "no"}', 'Expected PermissionAction, got "no"'),
            ("OPENCODE_PERMISSION", '{"bash": {"x": 1}}', "Expected PermissionAction, got 1"),
            ("OPENCODE_PERMISSION", '{"bash": 5, "webfetch": {"*": "allow"}}', ""),
        )
    ):
        broken = fixture(tmp_path / str(number), text, variables={name: value})
        why = spawned(broken)
        assert isinstance(why, RuntimeRefusal) is bool(sentence)
        assert not sentence or str(getattr(why, "message", "")).startswith(sentence)


MANAGED_PROMPT = ', "prompt": "Managed."'


def test_what_an_administrator_sets_goes_before_everything(tmp_path: Path) -> None:
    def table(description: str, more: str = "") -> str:
        return f'{{"agent": {{"a": {{"description": "{description}"{more}}}}}}}\n'

    text = (
        f"{PATH}{agent('top_p: 0.4')}"
        f"//- ~/etc/opencode.json\n{table('json')}//- ~/etc/opencode.jsonc\n"
        f"{table('managed', MANAGED_PROMPT)}//- ~/etc/agents/b.md\n{agent()}"
    )
    variables = {"opencode-managed": str(tmp_path / "home" / "etc")}
    made = fixture(tmp_path, text, variables=variables)
    known = catalog(made.workspace, DIALECT, made.root)
    assert known.names == ("a",)
    definition = known.definition("a")
    assert definition is not None
    held = definition.reading.effective
    assert held.settings["description"].text == "managed"
    assert held.settings["top_p"].text == "0.4"
    assert held.default.text == "Managed."


def test_a_second_file_of_one_name_in_a_folder_is_never_used(tmp_path: Path) -> None:
    second = f"//- .opencode/agents/z.md\n{agent('name: a')}"
    assert said(tmp_path, f"{agent()}{second}") == ["warning[shadowed] "]


def test_what_is_behind_a_number_sign_is_lost(tmp_path: Path) -> None:
    text = "---\ndescription: Uses C and #5\nmode: subagent\n---\nB\n"
    assert said(tmp_path, text) == ["warning[lost-text] #5"]


def test_a_file_in_a_wrong_place_is_reported(tmp_path: Path) -> None:
    path = "//- .opencode/subagents/a.md\n"
    assert said(tmp_path, agent("permission: ask"), path)[0].startswith("warning[misplaced]")


def test_a_table_is_checked_like_a_header_and_put_right_with_its_comments(tmp_path: Path) -> None:
    text = (
        '{\n  // ours\n  "agent": {\n    "a": {"mode": "subagnet", "color": "red", // red\n'
        '      "description": "d", "tempurature": 1,},\n  },\n}\n'
    )
    assert said(tmp_path / "a", text, CONFIG) == [
        'error[invalid-value] "subagnet"',
        'error[invalid-value] "red"',
        'warning[unknown-key] "tempurature"',
    ]
    after = mended(tmp_path / "b", text, CONFIG)
    wanted = text.replace("subagnet", "subagent").replace('"red"', '"#ff0000"')
    assert after == wanted.replace("tempurature", "temperature")


def test_a_table_that_is_no_json_stops_the_program(tmp_path: Path) -> None:
    for number, text in enumerate(('{"agent": {"a": {}}\n', '{"theme": "x"\n', "// ours\n")):
        folder = tmp_path / str(number)
        assert said(folder / "a", text, CONFIG)[0].startswith("error[header-invalid]")
        made = fixture(folder / "b", f"{PATH}{agent()}{CONFIG}{text}")
        answer = spawned(made)
        assert isinstance(answer, RuntimeRefusal)
        config = made.root / "opencode.json"
        assert answer.message == f"Config file at {config} is not valid JSON(C)"


def test_an_empty_table_file_says_nothing(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"{PATH}{agent()}{CONFIG}")
    assert isinstance(spawned(made), Spawn)


def test_rules_for_all_agents_come_before_those_of_an_agent(tmp_path: Path) -> None:
    config = f'{CONFIG}{{"permission": {{"bash": "deny", "edit": "deny"}}}}\n'
    made = fixture(tmp_path, PATH + agent("permission:\n  bash: allow") + config)
    answer = spawned(made)
    assert isinstance(answer, Spawn)
    reasons = {one.tool: one.reason for one in answer.toolset.verdicts}
    assert reasons["bash"] == "allowed by `bash: allow`"
    assert reasons["edit"] == "denied by `edit: deny` of `opencode.json`"


def test_keys_values_and_names_of_rules_are_completed(tmp_path: Path) -> None:
    def labels(number: int, text: str, path: str = PATH) -> set[str]:
        made = fixture(tmp_path / str(number), path + text)
        return {one.label for one in complete(made.workspace, made.path, made.offset)}

    assert {"permission", "steps"} <= labels(1, "---\ndescription: d\n$0\n---\nB\n")
    assert {"subagent", "primary", "all"} <= labels(2, "---\nmode: $0\n---\nB\n")
    assert {"bash", "edit", "external_directory"} <= labels(3, "---\npermission:\n  $0\n---\nB\n")
    assert {"allow", "ask", "deny"} <= labels(4, "---\npermission:\n  bash: $0\n---\nB\n")
    shell = "---\npermission:\n  bash:\n    $0\n---\nB\n"
    assert {"*", "git *"} <= labels(7, shell)
    assert labels(8, shell.replace("$0", "'x *': $0")) == {"allow", "ask", "deny"}
    assert labels(9, "---\npermission:\n  gh_*: $0\n---\nB\n") == {"allow", "ask", "deny"}
    assert labels(10, shell.replace("bash", "task")) == {"*", "a", "explore", "general"}
    assert labels(11, "---\npermission:\n  task: $0\n---\nB\n") == {"allow", "ask", "deny"}
    server = '//- opencode.json\n{"mcp": {"git hub": {"type": "local", "command": ["x"]}}}\n'
    rules = "---\npermission:\n  $0\n---\nB\n"
    assert "git_hub_*" in labels(13, f"{rules}{server}")
    assert "git_hub_*" not in labels(14, f"{shell}{server}")
    both = '{"mcp": {"x": {"type": "remote"}}, "permission": {"$0": "ask"}}\n'
    assert "x_*" in labels(15, both, CONFIG)
    table = '{"agent": {"a": {"permission": {"bash": {"$0"}}}}}\n'
    assert {"*", "git *"} <= labels(12, table, CONFIG)
    assert {"subagent"} <= labels(5, '{"agent": {"a": {"mode": "$0"}}}\n', CONFIG)
    assert {"permission"} <= labels(6, '{"agent": {"a": {\n  $0\n}}}\n', CONFIG)


def test_older_and_newer_tables_are_checked_completed_and_explained(tmp_path: Path) -> None:
    tables = (
        '{"agent": {"first": {"description": "d", "permission": {"read": "deny"}}},\n'
        ' "mode": {"m": {"model": "sonnet", "tempurature": 1,\n'
        '   "permission": {"bash": "deny"}, "tools": {"write": true}}},\n'
        ' "agents": {"n": {"mode": "worker"}}}\n'
    )
    assert said(tmp_path / "a", tables, CONFIG) == [
        'error[unknown-model] "sonnet"',
        'warning[unknown-key] "tempurature"',
        'hint[deprecated-key] "tools"',
        'error[wrong-type] "worker"',
    ]

    def labels(number: int, text: str) -> set[str]:
        made = fixture(tmp_path / str(number), CONFIG + text)
        return {one.label for one in complete(made.workspace, made.path, made.offset)}

    keys = labels(1, '{"mode": {"m": {\n  $0\n}}}\n')
    assert {"permission", "prompt"} <= keys
    assert "mode" not in keys
    newer = labels(2, '{"agents": {"m": {\n  $0\n}}}\n')
    assert {"system", "disabled", "mode"} <= newer
    assert "permission" not in newer
    rule = '{"mode": {"m": {"permission": {"bash": "$0"}}}}\n'
    assert labels(3, rule) == {"allow", "ask", "deny"}
    for number, (word, shown) in enumerate(
        (('"m": {', "**`m`**"), ('model": "p', "each use fails"), ('"n": {', "**`n`**"))
    ):
        sound = tables.replace("sonnet", "p/m").replace("worker", "all")
        made = fixture(
            tmp_path / f"h{number}", CONFIG + sound.replace(word, f"{word[:2]}$0{word[2:]}")
        )
        answer = hover(made.workspace, made.path, made.offset)
        assert answer is not None
        assert shown in answer.markdown


def test_a_setting_tells_the_second_generation(tmp_path: Path) -> None:
    options = Options(extras={"opencode": Extras(generation="2")})
    made = fixture(tmp_path, PATH + agent("color: red"), options=options)
    [one] = diagnostics(made.workspace, made.path)
    assert one.message == "`red` has a wrong type or value: OpenCode 2 silently drops the file"


def test_one_bad_value_has_the_second_generation_drop_a_json_file(tmp_path: Path) -> None:
    options = Options(extras={"opencode": Extras(generation="2")})
    texts = (
        '{"agent": {"a": {"description": "d", "color": "red"}, "b": {"description": "d"}}}',
        '{"agents": {"a": {"description": "d", "mode": "x"}, "b": {"description": "d"}}}',
        '{"agent": {"b": {"description": "d"}}, "share": "never"}',
    )
    for number, text in enumerate(texts):
        made = fixture(tmp_path / str(number), f"{CONFIG}{text}\n", options=options)
        [one] = diagnostics(made.workspace, made.path)
        assert one.message.endswith("has a wrong type or value: OpenCode 2 silently drops the file")
        second = DIALECT.variants.in_generation
        assert second is not None
        assert catalog(made.workspace, second("2"), made.root).names == ()


def test_what_the_other_generation_makes_of_a_table_is_said(tmp_path: Path) -> None:
    rules = '[{"action": "edit", "resource": "*", "effect": "deny"}]'
    cases = (
        (
            "1",
            '{"agent": {"a": {"prompt": "{file:p.txt}"}}}',
            "leaves `{file:…}` as it is, and asks",
        ),
        ("1", '{"agents": {"a": {}}}', "written for OpenCode 2; OpenCode 1 reads some of its keys"),
        (
            "1",
            '{"agents": {"a": {}, "b": {"mode": "x"}}}',
            "silently drops the file, and all",
        ),
        ("2", '{"agent": {"a": {}}}', "written for OpenCode 1; OpenCode 2 translates it"),
        ("2", f'{{"agents": {{"a": {{"permissions": {rules}}}}}}}', "OpenCode 1 does not start"),
    )
    for number, (generation, text, wanted) in enumerate(cases):
        options = Options(extras={"opencode": Extras(generation=generation)})
        source = f"{CONFIG}{text}\n//- p.txt\nP\n"
        made = fixture(tmp_path / str(number), source, options=options)
        dialect = DIALECT.variants.in_generation
        assert dialect is not None
        known = catalog(made.workspace, dialect(generation), made.root)
        answer = DIALECT.calls.spawn(known, Call({"subagent_type": "a"}, tools=TOOLS))
        assert isinstance(answer, Spawn)
        assert wanted in " ".join(answer.notes)
        removed = {one.tool for one in answer.toolset.removed}
        assert ("edit" in removed) is ("permissions" in text)


RULES_OF_SECOND = """permissions:
  - action: "*"
    resource: "*"
    effect: deny
  - action: shell
    resource: git *
    effect: allow"""
RULES_OF_FIRST = """permission:
  "*": deny
  bash:
    git *: allow"""


def test_rules_of_the_second_generation_become_rules_of_the_first(tmp_path: Path) -> None:
    [one] = found(tmp_path / "a", agent(RULES_OF_SECOND))
    assert one.message.startswith("`permissions` limits nothing in OpenCode 1")
    assert "set `generation` in the settings" in one.message
    assert agent(RULES_OF_FIRST) in fixed(tmp_path / "b", agent(RULES_OF_SECOND), "ignored-key")
    # A mapping keeps a name in one place.
    split = f"{RULES_OF_SECOND}\n  - action: '*'\n    resource: a\n    effect: ask"
    ways = fixed(tmp_path / "c", agent(split), "ignored-key")
    assert not any("\npermission:" in way for way in ways)


def test_a_header_of_the_first_generation_becomes_one_of_the_second(tmp_path: Path) -> None:
    options = Options(extras={"opencode": Extras(generation="2")})
    lines = "name: b\ntemperature: 0.1 # low\n# rules\ndisable: false\noptions: {top_k: 3}"
    made = fixture(tmp_path / "a", PATH + agent(f"{lines}\n{RULES_OF_FIRST}"), options=options)
    [one] = diagnostics(made.workspace, made.path)
    assert (one.code, one.severity.name) == ("other-generation", "HINT")
    assert "so it reads the whole header like OpenCode 1 and ignores `name`" in one.message
    [way] = fixes(made.workspace, made.path)
    assert way.title.startswith("Write the header for OpenCode 2, without `name` and some comments")
    body = "request:\n  body:\n    top_k: 3\n    temperature: 0.1"
    assert apply(made.text, way.edits) == agent(f"disabled: false\n{RULES_OF_SECOND}\n{body}")
    mixed = fixture(tmp_path / "b", PATH + agent(f"type: x\n{RULES_OF_SECOND}"), options=options)
    [one] = diagnostics(mixed.workspace, mixed.path)
    assert one.severity.name == "WARNING"
    assert one.message.startswith("`permissions` limits nothing: `type` is not a key of OpenCode 2")
    [way] = fixes(mixed.workspace, mixed.path)
    after = agent(f"{RULES_OF_SECOND}\nrequest:\n  body:\n    type: x")
    assert apply(mixed.text, way.edits) == after


@pytest.mark.parametrize(
    ("generation", "lines", "wanted"),
    [
        ("1", "permission:\n  bash: deny\nname: b", "OpenCode 2 translates it, without `name`,"),
        ("1", RULES_OF_SECOND, "written for OpenCode 2; OpenCode 1 sends `permissions` to"),
        ("1", "permissions:\n  bash: deny", "OpenCode 2 silently drops the file"),
        ("1", "steps: 3", "both generations read it; OpenCode 2 asks a person"),
        ("2", "color: red", "OpenCode 1 does not start in a project with this file"),
        ("2", RULES_OF_SECOND, "written for OpenCode 2; OpenCode 1 sends `permissions` to"),
        ("2", "temperature: 0.2", "written for OpenCode 1; OpenCode 2 translates it"),
        ("2", "steps: 3", "both generations read it; OpenCode 1 allows"),
    ],
)
def test_hover_preview_and_status_say_what_the_other_generation_makes_of_a_file(
    generation: str, lines: str, wanted: str, tmp_path: Path
) -> None:
    options = Options(extras={"opencode": Extras(generation=generation)})
    made = fixture(tmp_path, PATH + agent(lines), options=options)
    shown = hover(made.workspace, made.path, 0)
    assert shown is not None
    assert wanted in shown.markdown
    assert wanted in json.dumps(report(made.workspace, {}))
    if generation == "1":
        answer = spawned(made, "b" if "name: b" in lines else "a")
        assert isinstance(answer, Spawn)
        assert wanted in " ".join(answer.notes)


def test_a_tool_of_which_some_uses_are_allowed_is_left_out_of_a_conversion(tmp_path: Path) -> None:
    rules = "permission:\n  '*': deny\n  read: allow\n  bash:\n    'git *': allow"
    made = fixture(tmp_path, PATH + agent(rules))
    file = template_file(made.workspace, made.path)
    target = dialect_by_id("claude")
    assert file is not None
    assert target is not None
    answer = convert(file, target)
    assert not isinstance(answer, RuntimeRefusal)
    [converted] = answer
    assert "tools: Read\n" in converted.text
    assert any("only some uses of `bash`" in one.message for one in converted.losses)


@pytest.mark.parametrize(
    ("lists", "rules"),
    [
        (
            "tools: Read, Bash",
            ["'*': deny", "bash: allow", "read: allow", "glob: allow", "grep: allow"],
        ),
        ("tools: Read, mcp__git-hub__get", ["'*': deny", "read: allow", "git-hub_get: allow"]),
        ("tools: mcp__git__*, Edit, Write", ["'*': deny", "edit: allow", "git_*: allow"]),
        # One permission is that of both tools.
        ("tools: Read, Edit", ["'*': deny", "read: allow"]),
        ("tools: []", ["'*': deny"]),
        ("disallowedTools: Bash, Write", ["edit: deny", "bash: deny"]),
    ],
)
def test_lists_of_tools_become_rules(lists: str, rules: list[str], tmp_path: Path) -> None:
    text = f"//- .claude/agents/a.md\n---\nname: a\ndescription: d\n{lists}\n---\nYou help.\n"
    made = fixture(tmp_path, text)
    file = template_file(made.workspace, made.path)
    assert file is not None
    answer = convert(file, DIALECT)
    assert not isinstance(answer, RuntimeRefusal)
    [converted] = answer
    lines = converted.text.replace('"*"', "'*'").splitlines()
    at = lines.index("permission:") + 1
    assert sorted(line.strip() for line in lines[at : lines.index("---", 1)]) == sorted(rules)
    assert lines[at].strip() == "'*': deny" or "'*': deny" not in rules


def test_a_reference_to_no_file_stops_the_program(tmp_path: Path) -> None:
    text = '{"agent": {"a": {"description": "d", "prompt": "{file:./p.txt}"}}}\n'
    assert said(tmp_path / "a", text, CONFIG) == ["error[missing-file] {file:./p.txt}"]
    assert said(tmp_path / "b", f"{text}//- p.txt\nYou help.\n", CONFIG) == []
    blank = text.replace("./p.txt", "./p.txt ")
    [one] = found(tmp_path / "c", f"{blank}//- p.txt\nYou help.\n", CONFIG)
    assert "does not exist, because the spaces are part of the path" in one.message
    inner = f"{text}//- p.txt\nYou help.\n"
    [one] = found(tmp_path / "e", inner, "//- .opencode/opencode.json\n")
    assert "does not exist, because its path begins at `.opencode`: write" in one.message
    # It counts before the values of the file, and in a comment at the end of a line.
    made = fixture(
        tmp_path / "d", f'{CONFIG}{{"agent": {{"a": {{"mode": "x"}}}}}} // {{file:no}}\n'
    )
    answer = spawned(made)
    assert isinstance(answer, RuntimeRefusal)
    assert answer.message == (
        f'Configuration is invalid at {made.path}: bad file reference: "{{file:no}}" '
        f"{made.path.parent / 'no'} does not exist"
    )


@pytest.mark.parametrize("path", ["~/.secrets/key", "../../home/.secrets/key", "/no/such/key"])
def test_a_reference_out_of_the_repository_may_be_right_elsewhere(
    path: str, tmp_path: Path
) -> None:
    """The program stops without the file, and one machine of many may have no use for it."""
    text = f'{{"agent": {{"a": {{"description": "d", "prompt": "{{file:{path}}}"}}}}}}\n'
    [one] = found(tmp_path / "a", f"{text}", CONFIG)
    assert (one.code, one.severity) == ("missing-file", Severity.INFORMATION)
    assert one.message.startswith(f"`{{file:{path}}}` does not exist on this machine: ")
    assert said(tmp_path / "b", f"{text}//- ~/.secrets/key\nx\n", CONFIG) == (
        [] if path.startswith("~") else [f"information[missing-file] {{file:{path}}}"]
    )
    # The user's own configuration is on one machine.
    [own] = found(tmp_path / "c", text, "//- ~/.config/opencode/opencode.json\n")
    assert own.severity is Severity.ERROR


def test_the_texts_of_files_stand_in_the_place_of_their_references(tmp_path: Path) -> None:
    table = '"description": "{file:~/d.txt}", "prompt": "{file:a.txt} and {file:sub/b.txt}"'
    files = "//- ~/d.txt\nHelps.\n//- a.txt\n\n A {file:no} \n//- sub/b.txt\nB\n"
    made = fixture(tmp_path, f'{CONFIG}// {{file:no}}\n{{"agent": {{"a": {{{table}}}}}}}\n{files}')
    answer = spawned(made)
    assert isinstance(answer, Spawn)
    assert answer.prompt[0].text == "A {file:no} and B"
    held = catalog(made.workspace, DIALECT, made.root).definition("a")
    assert held is not None
    assert held.reading.effective.settings["description"].text == "Helps."


def test_what_stands_for_a_variable_or_a_file_may_be_any_value(tmp_path: Path) -> None:
    table = (
        '"steps": {env:STEPS}, "top_p": {file:n.txt}, "mode": "{env:MODE}", "model": "{env:MODEL}",'
        ' "description": "For {env:TEAM}.", "prompt": "{env:ROLE} {file:p.txt} {file:{env:X}}",'
        ' "permission": {"bash": "{file:n.txt}"}, "temperature": "{env:T}"'
    )
    files = "//- n.txt\n 0.5\n//- p.txt\nHelp {env:NOBODY}.\n"
    text = f'{{"agent": {{"a": {{{table}}}}}}} // {{env:X}}\n'
    # In quotes it is a text, which is no number.
    assert said(tmp_path / "a", f"{text}{files}", CONFIG) == ['error[wrong-type] "{env:T}"']
    sound = text.replace('"{env:T}"', "0")
    made = fixture(tmp_path / "b", f"{CONFIG}{sound}{files}")
    answer = spawned(made)
    assert isinstance(answer, Spawn)
    value = "(the value of the environment variable {})".format
    assert answer.prompt[0].text == f"{value('ROLE')} Help {{env:NOBODY}}. {{file:{value('X')}}}"
    assert not answer.prompt[0].verbatim
    settings = {one.name: one.value for one in answer.settings}
    assert settings["steps"] == value("STEPS")
    assert settings["top_p"] == "0.5"
    assert settings["model"] == value("MODEL")
    assert any("not shown here" in note for note in answer.notes)


@pytest.mark.parametrize(
    ("text", "finding", "sentence"),
    [
        (
            '{"permission": {"bash": "maybe"}}',
            'error[invalid-value] "maybe"',
            'Expected PermissionActionConfig, got "maybe" permission.bash',
        ),
        (
            '{"permission": null}',
            "error[wrong-type] null",
            "Expected PermissionActionConfig | object | undefined, got null permission",
        ),
        (
            '{"tools": {"bash": "no"}}',
            'error[wrong-type] "no"',
            'Expected boolean, got "no" tools.bash',
        ),
        (
            '{"subagent_depth": "2"}',
            'error[wrong-type] "2"',
            'Expected number | undefined, got "2" subagent_depth',
        ),
        (
            '{"mode": {"x": {"hidden": "on"}}}',
            'error[wrong-type] "on"',
            'Expected boolean | undefined, got "on" mode.x.hidden',
        ),
        (
            '{"agents": {"x": {"permissions": []}}}',
            'error[wrong-type] "permissions"',
            'Use V1 "permission" rules or run opencode2. agents.x.permissions',
        ),
        ('{"agent": []}', "error[wrong-type] []", "Expected object | undefined, got [] agent"),
        (
            '{"agent": {"x": {"description": "d", "permissions": []}}}',
            'error[wrong-type] "permissions"',
            "or run opencode2. agent.x.permissions",
        ),
        (
            '{"agent": {"x": {"prompt": ["P"], "mode": "primary"}}}',
            'error[wrong-type] ["P"]',
            'Expected string | undefined, got ["P"] agent.x.prompt',
        ),
        (
            '{"instructions": "AGENTS.md"}',
            'error[wrong-type] "AGENTS.md"',
            'Expected array | undefined, got "AGENTS.md" instructions',
        ),
        (
            '{"share": "never"}',
            'error[invalid-value] "never"',
            'Expected "manual" | "auto" | "disabled", got "never" share',
        ),
        ("[]", "error[wrong-type] []", "Expected Config, got [] "),
    ],
)
def test_a_bad_value_for_all_agents_stops_the_program(
    text: str, finding: str, sentence: str, tmp_path: Path
) -> None:
    assert said(tmp_path / "a", text, CONFIG) == [finding]
    answer = spawned(fixture(tmp_path / "b", f"{PATH}{agent()}{CONFIG}{text}\n"))
    assert isinstance(answer, RuntimeRefusal)
    assert sentence in answer.message


def test_a_bad_value_about_no_agent_is_one_error_at_its_place(tmp_path: Path) -> None:
    local = '"type": "local", "command": ["c"]'
    cases: tuple[tuple[str, list[str]], ...] = (
        ('{"mcp": {"s": {"type": "stdio"}}}', ['"stdio"']),
        ('{"mcp": {"s": {"command": ["c"]}}}', ['"s"']),
        ('{"mcp": {"s": {"type": "local"}}}', ['"s"']),
        (f'{{"mcp": {{"s": {{{local}, "timeout": 0}}}}}}', ["0"]),
        (f'{{"mcp": {{"s": {{{local}, "enabled": "yes"}}}}}}', ['"yes"']),
        # With it a server is taken, whatever else it has.
        ('{"mcp": {"s": {"type": "stdio", "enabled": true}}}', []),
        ('{"mcp": {"s": {"command": "c", "enabled": {env:ON}}}}', []),
        ('{"mcp": {"s": {"type": "{env:TYPE}"}}}', []),
        ('{"mcp": {"servers": {"s": {}}}}', []),
        ('{"command": {"c": {"description": 1}}}', ['"c"', "1"]),
        ('{"lsp": {"gopls": {"command": "gopls"}}}', ['"gopls"']),
        ('{"lsp": {"gopls": {"disabled": true, "command": 1}}, "formatter": false}', []),
        ('{"formatter": {"p": null}}', ["null"]),
        ('{"experimental": {"batch_tool": "yes", "unknown": 1}}', ['"yes"']),
        ('{"layout": "wide", "logLevel": "info"}', ['"wide"', '"info"']),
        ('{"share": null, "autoupdate": "yes"}', ["null", '"yes"']),
        ('{"references": {"r": {"path": 1}}, "skills": ["s"]}', ["1"]),
        ('{"plugin": [["a", {}, 1], ["b"]]}', ["1", '["b"]']),
    )
    for number, (text, places) in enumerate(cases):
        assert [
            one.partition(" ")[2] for one in said(tmp_path / str(number), text, CONFIG)
        ] == places, text
        made = fixture(tmp_path / f"of{number}", f"{PATH}{agent()}{CONFIG}{text}\n")
        assert isinstance(spawned(made), RuntimeRefusal) is bool(places)
    text = '{"mcp": {"s": {"type": "local"}, "t": {}}, "plugin": [["a", {}, 1], ["b"]]}'
    messages = [one.message.partition(", or ")[0] for one in found(tmp_path, text, CONFIG)]
    assert messages == [
        "`mcp.s` has no `command`: write it",
        "`mcp.t` must have `type`, `local` or `remote`: write one",
        "`plugin.0.2` is an item too many: remove it",
        "`plugin.1` has no second item, a mapping of options: write it",
    ]


def test_no_list_is_answered_with_an_option_that_json_has_no_word_for(tmp_path: Path) -> None:
    cases: tuple[tuple[str, list[str], str], ...] = (
        ("top_k: .inf", [".inf"], 'got Infinity\n  at [1]["options"]["top_k"]'),
        ("thinking: {budget: .nan}", ["{budget: .nan}"], 'got {"budget":NaN}'),
        ("options: {a: -.inf}", ["-.inf"], 'got -Infinity\n  at [1]["options"]["a"]'),
        # The key beats the option, and an agent that is not there sends nothing.
        ("options: {a: .inf}\na: 1", [], ""),
        ("top_k: .inf\ndisable: true", [], ""),
    )
    for number, (lines, places, sentence) in enumerate(cases):
        made = fixture(tmp_path / str(number), PATH + agent(lines))
        errors = [one for one in diagnostics(made.workspace, made.path) if one.code == "wrong-type"]
        assert [one.span.of(made.text) for one in errors] == places
        answer = spawned(made)
        refused = answer.message if isinstance(answer, RuntimeRefusal) else ""
        assert sentence in refused
        assert all(
            one.message.endswith("or every request for the list of agents fails in this project")
            for one in errors
        )


def test_an_agent_that_cannot_be_the_default_one_fails_each_message_without_one(
    tmp_path: Path,
) -> None:
    agents = (
        f"//- .opencode/agents/sub.md\n{agent()}//- .opencode/agents/other.md\n{agent('name: m')}"
    )
    hidden = '"agent": {"h": {"description": "d", "mode": "primary", "hidden": true}}'
    for number, (name, why) in enumerate(
        (
            ("sub", 'default agent "sub" is a subagent'),
            ("general", 'default agent "general" is a subagent'),
            ("h", 'default agent "h" is hidden'),
            ("title", 'default agent "title" is hidden'),
            ("plam", 'default agent "plam" not found`; did you mean `plan`?'),
            ("plan", ""),
            ("{env:AGENT}", ""),
        )
    ):
        text = f'{{"default_agent": "{name}", {hidden}}}\n{agents}'
        all_found = found(tmp_path / str(number), text, CONFIG)
        assert [one.code for one in all_found] == (["unknown-default"] if why else [])
        assert not why or why in all_found[0].message
    other = found(tmp_path / "other", '{"default_agent": 5}\n', CONFIG)
    assert [one.code for one in other] == ["wrong-type"]


def test_a_name_in_a_table_is_told_to_models_and_no_call_starts_the_agent(tmp_path: Path) -> None:
    text = '{"agent": {"a": {"description": "d", "mode": "subagent", "name": "b"}}}\n'
    made = fixture(tmp_path / "a", CONFIG + text)
    [one] = diagnostics(made.workspace, made.path)
    assert (one.code, one.severity.name) == ("no-effect", "WARNING")
    known = catalog(made.workspace, DIALECT, made.root)
    listed = DIALECT.calls.list_agents(known, Call({"name": "a"}))
    assert isinstance(listed, dict)
    assert listed["agents"][0]["listed"] == "- b: d"
    assert spawned(made) == RuntimeRefusal("UnknownError")
    assert spawned(made, "b") == RuntimeRefusal("Unknown agent type: b is not a valid agent type")
    # The name of another agent starts that one.
    other = fixture(tmp_path / "o", CONFIG + text.replace('"b"', '"plan"'))
    started = spawned(other)
    assert isinstance(started, RuntimeRefusal)
    assert started.ours
    assert "a call of `a` starts `plan`" in started.message
    # A Markdown file gives the agent its own name again.
    both = fixture(tmp_path / "b", f"{PATH}{agent()}{CONFIG}{text}")
    listed = DIALECT.calls.list_agents(catalog(both.workspace, DIALECT, both.root), Call({}))
    assert isinstance(listed, dict)
    assert "- a: d" in [row["listed"] for row in listed["agents"]]


def test_older_and_newer_tables_define_agents_as_well(tmp_path: Path) -> None:
    text = """{
  "agent": {"a": {"description": "by agent", "top_p": 0.2, "mode": "subagent"}, "z": {"top_p": 1}},
  "mode": {"a": {"description": "by mode"}, "m": {"prompt": "M"}},
  "agents": {
    "n": {"description": "new", "system": "N", "hidden": true, "permission": {"bash": "deny"}},
    "z": {"description": "replaced"}, "off": {"disabled": true}, "bad": {"description": 5},
  },
}
"""
    made = fixture(tmp_path, CONFIG + text)
    held = catalog(made.workspace, DIALECT, made.root)
    assert held.names == ("a", "m", "n", "z")

    def settings(name: str) -> tuple[dict[str, object], str]:
        found = held.definition(name)
        assert found is not None
        own = found.reading.effective
        return {key: one.value for key, one in own.settings.items()}, own.default.text

    assert settings("a") == ({"description": "by mode", "top_p": "0.2", "mode": "primary"}, "")
    assert settings("m") == ({"mode": "primary"}, "M")
    assert settings("n") == ({"description": "new", "hidden": True}, "N")
    assert settings("z") == ({"top_p": "1"}, "")
    [one] = [one for one in diagnostics(made.workspace, made.path) if one.code == "ignored-key"]
    assert one.message == (
        "`permission` limits nothing in `agents`, the table of OpenCode 2, of which OpenCode 1 "
        "reads other keys; move `n` to `agent`"
    )


def test_nothing_is_said_of_a_file_without_agents(tmp_path: Path) -> None:
    text = """// ours
{
  "$schema": "https://opencode.ai/config.json",
  "theme": "x", "model": "p/m", "subagent_depth": 0, "permission": "ask",
  "tools": {"bash": false}, "mode": {}, "agent": {}, "mcp": {"s": {"type": "local", "command": []}},
}
"""
    assert said(tmp_path, text, "//- opencode.jsonc\n") == []


THREE = (
    f"{PATH}---\ndescription: $0d\nmode: subagent\npermission:\n  bash: ask\n---\nYou help.\n"
    '//- opencode.json\n{"agent": {"a": {"temperature": 0.3, "permission": {"read": "deny"}}}}\n'
    "//- ~/.config/opencode/agent/a.md\n---\ntop_p: 0.5\nmode: primary\n---\nYou helped.\n"
)


def test_the_hover_of_a_key_names_the_file_that_gives_it(tmp_path: Path) -> None:
    def shown(number: int, text: str) -> str:
        made = fixture(tmp_path / str(number), text)
        answer = hover(made.workspace, made.path, made.offset)
        assert answer is not None
        return answer.markdown

    own = shown(1, THREE.replace("$0", "").replace("mode: sub", "mo$0de: sub"))
    assert "This file gives `mode`; the agent is merged with " in own
    user = THREE.replace("$0", "").replace("\nmode: primary", "\nmo$0de: primary")
    assert "gives `mode`**, and not this file" in shown(2, user)
    table = THREE.replace("$0", "").replace('"temp', '"te$0mp')
    assert "This file gives `temperature`; the agent is merged with " in shown(3, table)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f"{PATH}---\ntemp$0rature: 1\n---\nB\n", "it is sent to the model as an option"),
        (f"{PATH}---\npermission:\n  'mcp$0_*': ask\n---\nB\n", "a rule for each tool"),
        (f'{CONFIG}{{"agent": {{"a": {{"temp$0rature": 1}}}}}}\n', "it is sent to the model"),
        (f'{CONFIG}{{"permission": {{"mcp$0_*": "ask"}}}}\n', "a rule for each tool"),
        (f'{CONFIG}{{"m$0cp": {{}}}}\n', ""),
        (f'{CONFIG}{{"agent": {{"a$0": {{}}}}}}\n', ""),
    ],
)
def test_no_hover_says_that_a_key_is_ignored(text: str, wanted: str, tmp_path: Path) -> None:
    made = fixture(tmp_path, text)
    answer = hover(made.workspace, made.path, made.offset)
    shown = answer.markdown if answer is not None else ""
    assert wanted in shown
    assert "ignores it" not in shown


def test_a_built_in_agent_that_a_file_changes_keeps_the_rules_of_the_program(
    tmp_path: Path,
) -> None:
    text = "---\ntemperature: 0.1\n---\n"
    plan = spawned(fixture(tmp_path / "p", f"//- .opencode/agents/plan.md\n{text}"), "plan")
    assert isinstance(plan, Spawn)
    kept = {one.tool for one in plan.toolset.kept}
    # It may edit its plans, and a rule has the name `task`.
    assert {"edit", "write", "task", "question"} <= kept
    assert "todowrite" not in kept
    explore = spawned(
        fixture(tmp_path / "e", f"//- .opencode/agents/explore.md\n{text}"), "explore"
    )
    assert isinstance(explore, Spawn)
    [edit] = [one for one in explore.toolset.removed if one.tool == "edit"]
    assert (edit.reason, edit.entry) == ("denied by `*: deny` of the built-in agent", None)


def test_a_built_in_agent_that_a_file_disables_is_gone(tmp_path: Path) -> None:
    config = '{"agent": {"general": {"disable": true}}, "default_agent": "plan"}\n'
    header = "//- .opencode/agents/plan.md\n---\ndisable: true\n---\n"
    made = fixture(tmp_path, f"{CONFIG}{config}{header}")
    listed = DIALECT.calls.list_agents(catalog(made.workspace, DIALECT, made.root), Call({}))
    assert isinstance(listed, dict)
    names = [row["name"] for row in listed["agents"]]
    assert names == ["build", "compaction", "explore", "summary", "title"]
    said = "Unknown agent type: general is not a valid agent type"
    assert spawned(made, "general") == RuntimeRefusal(said)
    [one] = [one for one in diagnostics(made.workspace, made.path) if one.code == "unknown-default"]
    assert 'default agent "plan" not found' in one.message


def test_the_hovers_of_a_mode_say_that_it_is_always_a_primary_agent(tmp_path: Path) -> None:
    """As case c528 of the recorded answers."""
    text = "---\ndescription: d\nmode: subagent\n---\nGo.\n"
    made = fixture(tmp_path, f"//- .opencode/modes/m.md\n{text}")
    top = hover(made.workspace, made.path, 0)
    key = hover(made.workspace, made.path, text.index("mode"))
    [found] = [one for one in diagnostics(made.workspace, made.path) if one.code == "no-effect"]
    always = "a file in a folder of modes is always a primary agent"

    assert top is not None
    assert "- a person can choose it: yes, the mode is `primary`" in top.markdown
    assert "- models see it: no, the mode is `primary`" in top.markdown
    assert key is not None
    assert key.markdown.startswith(f"**No effect here**: {always}")
    assert "- without it: `primary`" in key.markdown
    assert found.message == f"`mode` has no effect here: {always}"


def test_a_mode_that_is_refused_does_not_keep_the_program_from_starting(tmp_path: Path) -> None:
    text = "---\ndescription: d\ntemperature: x\n---\nGo.\n"
    made = fixture(tmp_path, f"//- .opencode/modes/m.md\n{text}")
    for offset in (0, text.index("temperature")):
        found = hover(made.workspace, made.path, offset)

        assert found is not None
        assert found.markdown.startswith("**OpenCode silently skips the file**")
        assert "does not start" not in found.markdown


@pytest.mark.parametrize("folder", ["agents", "modes"])
def test_a_hover_says_that_no_list_is_answered_as_the_finding_does(
    tmp_path: Path, folder: str
) -> None:
    """As cases c292 and f-inf11 of the recorded answers."""
    made = fixture(tmp_path, f"//- .opencode/{folder}/m.md\n{agent('foo: .inf')}")
    found, fails = hover(made.workspace, made.path, 0), "very request for the list of agents fails"
    [said] = [one for one in diagnostics(made.workspace, made.path) if one.code == "wrong-type"]

    assert found is not None
    assert found.markdown.startswith(f"**E{fails} in this project**")
    assert f"e{fails} in this project" in said.message
