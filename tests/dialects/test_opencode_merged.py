"""What OpenCode makes of the rules and options of an agent in several files, and of its skills."""

from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.navigation import skills
from agent_lsp.analysis.navigation.rename import Renaming, rename
from agent_lsp.model.runtime import RuntimeRefusal, Spawn
from agent_lsp.text import apply
from agent_lsp.workspace.snapshot import template_file
from tests.dialects.test_opencode import CONFIG, PATH, agent, found, said, spawned
from tests.fixture import fixture


def _merged(folder: Path, lines: str, table: str, *, of_table: bool = False) -> list[str]:
    """The findings on a header with `lines` beside a JSON file with a table of its agent, or on
    that file.
    """
    header, config = PATH + agent(lines), f'{CONFIG}{{"agent": {{"a": {table}}}}}\n'
    made = fixture(folder, config + header if of_table else header + config)
    return [
        f"{one.severity.name.lower()}[{one.code}] {one.message}"
        for one in diagnostics(made.workspace, made.path)
        if one.code in ("no-tools", "overridden-rule", "unknown-model")
    ]


@pytest.mark.parametrize(
    ("lines", "table", "kept"),
    [
        # An earlier file has given the name its place, before those that allow.
        ("permission: {read: allow, '*': deny}", '{"permission": {"*": "allow"}}', ["read"]),
        ("permission: {'*': deny}", '{"permission": {"*": "deny", "read": "allow"}}', ["read"]),
        ("permission: {bash: allow}", '{"permission": "deny"}', ["bash"]),
        ("permission: deny", '{"permission": {"bash": "allow"}}', []),
        ("tools: {'*': false}", '{"tools": {"*": true, "grep": true}}', ["grep"]),
    ],
)
def test_rules_of_several_files_are_looked_at_together(
    lines: str, table: str, kept: list[str], tmp_path: Path
) -> None:
    text = f'{PATH}{agent(lines)}{CONFIG}{{"agent": {{"a": {table}}}}}\n'
    answer = spawned(fixture(tmp_path / "s", text))
    assert isinstance(answer, Spawn)
    assert [one.tool for one in answer.toolset.kept] == kept
    of_header = _merged(tmp_path / "h", lines, table)
    of_table = _merged(tmp_path / "t", lines, table, of_table=True)
    assert any("no-tools" in one for one in (*of_header, *of_table)) is (not kept)
    never = "warning[overridden-rule] `bash: allow` never applies: `*: deny` of `.opencode/agents/a"
    assert kept or of_table[0].startswith(never)


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (
            "tools: {bash: false}\npermission: {bash: allow}",
            (
                "`bash: deny` of `tools` never applies: `permission` has `bash`, too, which "
                "takes its place"
            ),
        ),
        (
            "tools: {bash: false}\npermission: {bash: {'git *': allow}}",
            (
                "`bash: deny` of `tools` never applies: `permission` has `bash`, too, which "
                "takes its place"
            ),
        ),
        (
            "tools: {bash: false}\npermission: {'*': allow}",
            (
                "`bash: deny` of `tools` never applies: `*: allow` comes later, and the last rule "
                "that matches decides"
            ),
        ),
        (
            "tools: {bash: true}\npermission: {bash: deny}",
            (
                "`bash: allow` of `tools` never applies: `permission` has `bash`, too, which "
                "takes its place"
            ),
        ),
        ("tools: {bash: false}\npermission: {bash: deny}", ""),
        ("tools: {'*': false}\npermission: {bash: allow}", ""),
    ],
)
def test_a_rule_of_tools_that_permission_undoes_is_said(
    lines: str, found: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, PATH + agent(lines))
    messages = [
        one.message
        for one in diagnostics(made.workspace, made.path)
        if one.code == "overridden-rule"
    ]
    assert messages == ([found] if found else [])


@pytest.mark.parametrize(
    ("later", "earlier", "found"),
    [
        ("$HOME/x", "~/x", True),
        ("~/*", "$HOME/x", True),
        ("git *", "git push *", True),
        ("git *", "git", True),
        ("git push *", "git *", False),
        ("a?", "a*", False),
        ("~x", "$HOMEx", False),
    ],
)
def test_a_pattern_covers_the_narrower_one_above_it(
    later: str, earlier: str, found: bool, tmp_path: Path
) -> None:
    lines = f'permission: {{bash: {{"{earlier}": deny, "{later}": allow}}}}'
    messages = said(tmp_path, agent(lines))
    assert messages == ([f'warning[overridden-rule] "{later}"'] if found else [])


@pytest.mark.parametrize(
    ("pattern", "found"), [("~/a/*", True), ("$HOME/a/b", True), ("~x/a/b", False), ("~", False)]
)
def test_a_pattern_of_the_home_folder_is_compared_with_its_path(
    pattern: str, found: bool, tmp_path: Path
) -> None:
    later = f"{(tmp_path / 'home').as_posix()}/a/*"
    lines = f'permission: {{external_directory: {{"{pattern}": deny, "{later}": allow}}}}'
    messages = said(tmp_path, agent(lines))
    assert messages == ([f'warning[overridden-rule] "{later}"'] if found else [])


def test_a_use_that_a_later_pattern_allows_is_not_said_to_be_refused(tmp_path: Path) -> None:
    rules = "read: {'~/a/*': deny, '$HOME/a/*': ask, '~/.ssh/*': deny}"
    answer = spawned(fixture(tmp_path, PATH + agent(f"permission: {{{rules}}}")))
    assert isinstance(answer, Spawn)
    [read] = [one for one in answer.toolset.kept if one.tool == "read"]
    assert (
        read.reason == "allowed, but asks first for `$HOME/a/*` and refused at use for `~/.ssh/*`"
    )


@pytest.mark.parametrize(
    ("pattern", "sign"),
    [("~$0/.ssh/*", "~"), ("$HOME$0x", "$HOME"), ("~$0x", ""), ("a$0~/", "")],
)
def test_the_hover_of_a_pattern_says_that_it_begins_at_the_home_folder(
    pattern: str, sign: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, PATH + agent(f"permission:\n  read:\n    '{pattern}': deny"))
    answer = hover(made.workspace, made.path, made.offset)
    shown = answer.markdown if answer is not None else ""
    assert (f"the home folder in the place of `{sign}`" in shown) is bool(sign)


def test_a_denial_that_another_file_undoes_is_said(tmp_path: Path) -> None:
    lines, table = "tools: {bash: true}", '{"permission": {"bash": "deny"}}'
    assert _merged(tmp_path / "h", lines, table) == []
    [one] = _merged(tmp_path / "t", lines, table, of_table=True)
    assert one.startswith("information[overridden-rule] `bash: deny` has no effect: `bash: allow`")


def test_a_model_that_another_file_overrides_fails_nowhere(tmp_path: Path) -> None:
    lines, table = "model: p/m", '{"model": "sonnet"}'
    assert _merged(tmp_path / "t", lines, table, of_table=True) == []
    [one] = _merged(tmp_path / "a", "", table, of_table=True)
    assert one.startswith("error[unknown-model] `sonnet` does not name a provider")


def test_the_two_tables_of_a_file_stand_on_both_sides_of_a_markdown_file(tmp_path: Path) -> None:
    tables = (
        '{"mode": {"a": {"temperature": 0.1, "prompt": "MODE"}}, "agent": {"a": {"temperature": '
        '0.2, "top_p": 0.3, "prompt": "AGENT", "permission": {"bash": "allow"}}}}'
    )
    lines = "top_p: 0.9\ntemperature: 0.8\npermission: {bash: ask}"
    answer = spawned(fixture(tmp_path, f"{PATH}{agent(lines)}{CONFIG}{tables}\n"))
    assert isinstance(answer, Spawn)
    held = {one.name: one.value for one in answer.settings}
    assert (held["temperature"], held["top_p"]) == ("0.1", "0.9")
    assert answer.prompt[0].text == "MODE"
    [bash] = [one for one in answer.toolset.verdicts if one.tool == "bash"]
    assert bash.reason == "asks first by `bash: ask` of `a.md`"


def test_options_are_previewed_as_a_request_has_them(tmp_path: Path) -> None:
    lines = (
        "temperature: 0.5\nreasoningEffort: high\nverbosity: low\nfoo: [1, x]\nsince: 2020-01-01\n"
        "options: {temperature: 0.3, foo: 2, b: {c: true}}"
    )
    table = '{"agent": {"a": {"options": {"b": {"d": 1}, "z": 3}}}}'
    made = fixture(tmp_path, f"{PATH}{agent(lines)}{CONFIG}{table}\n")
    answer = spawned(made)
    assert isinstance(answer, Spawn)
    held = {one.name: one.value for one in answer.settings if one.name != "model"}
    assert held == {
        "temperature": "0.3",
        "options.b": '{"d": 1, "c": true}',
        "options.z": "3",
        "options.foo": '[1, "x"]',
        "options.reasoning_effort": '"high"',
        "options.since": '"2020-01-01T00:00:00.000Z"',
    }
    places = {one.name: one.origin.path for one in answer.settings}
    assert places["options.z"] == made.root / "opencode.json"
    assert any("in OpenAI's form" in one for one in answer.notes)


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        ("1e999", "Expected JSON value, got Infinity"),
        ("-1e999", "Expected JSON value, got -Infinity"),
    ],
)
def test_an_option_of_a_table_that_json_has_no_word_for_spoils_the_list(
    number: str, sentence: str, tmp_path: Path
) -> None:
    text = f'{{"agent": {{"x": {{"description": "d", "foo": {number}}}}}}}'
    assert said(tmp_path / "a", text, CONFIG) == [f"error[wrong-type] {number}"]
    answer = spawned(fixture(tmp_path / "b", f"{PATH}{agent()}{CONFIG}{text}\n"), "x")
    assert isinstance(answer, RuntimeRefusal)
    assert answer.message == f'{sentence}\n  at [8]["options"]["foo"]'


def test_a_file_of_which_the_name_is_blank_is_an_agent_without_a_name(tmp_path: Path) -> None:
    [one] = found(tmp_path, agent("name: ''"))
    assert (one.code, one.severity.name) == ("file-name", "WARNING")
    assert "does not start" not in one.message


def test_a_table_without_a_name_has_no_false_finding(tmp_path: Path) -> None:
    assert said(tmp_path, '{"agent": {"": {"description": "e"}}}', CONFIG) == []


_SKILL = "//- .opencode/skills/{}/SKILL.md\n---\nname: {}\ndescription: {}\n---\nText.\n"
_TWO_SKILLS = _SKILL.format("lint", "lint", "Lints.") + _SKILL.format("folder", "other", "Does.")


def test_skills_in_rules_are_offered_explained_and_renamed(tmp_path: Path) -> None:
    config = '//- opencode.json\n{"agent": {"x": {"permission": {"skill": {"lint": "ask"}}}}}\n'
    lines = "permission:\n  skill:\n    '*': deny\n    li$0nt: allow"
    made = fixture(tmp_path, PATH + agent(lines) + _TWO_SKILLS + config)
    labels = {one.label for one in complete(made.workspace, made.path, made.offset)}
    assert {"lint", "other", "customize-opencode"} <= labels
    shown = hover(made.workspace, made.path, made.offset)
    assert shown is not None
    assert "Lints." in shown.markdown
    file = template_file(made.workspace, made.path)
    assert file is not None
    places = {path.name for path, _ in skills.uses_at(file, made.offset)}
    assert places == {"a.md", "opencode.json"}
    changed = skills.rename(file, made.offset, "check")
    assert isinstance(changed, Renaming)
    assert {path.name for path in changed.edits} == {"a.md", "opencode.json", "SKILL.md"}


@pytest.mark.parametrize(
    ("name", "finding"),
    [
        ("lint", ""),
        ("int-*", ""),
        ("customize-opencode", ""),
        (
            "lnit",
            "warning no skill is called `lnit`, so the rule does nothing; did you mean `lint`?",
        ),
        (
            "Lint",
            "warning no skill is called `Lint`, so the rule does nothing; did you mean `lint`?",
        ),
        (
            "folder",
            (
                "information no skill is called `folder`, so the rule does nothing, unless a "
                "folder of `skills` in opencode.json, or a plugin, has it"
            ),
        ),
    ],
)
def test_a_rule_about_a_skill_has_the_name_in_its_header(
    name: str, finding: str, tmp_path: Path
) -> None:
    lines = f"permission:\n  skill:\n    {name}: deny"
    made = fixture(tmp_path, PATH + agent(lines) + _TWO_SKILLS)
    messages = [
        f"{one.severity.name.lower()} {one.message}"
        for one in diagnostics(made.workspace, made.path)
    ]
    assert messages == ([finding] if finding else [])
    ways = [apply(made.text, way.edits) for way in fixes(made.workspace, made.path)]
    assert all("    lint: deny" in way for way in ways)
    assert len(ways) == ("did you mean" in finding)


_REVIEWER = "//- .opencode/agent/reviewer.md\n---\ndescription: Reviews.\n---\nYou review.\n"


@pytest.mark.parametrize("action", ["allow", "deny"])
def test_an_agent_is_renamed_in_the_rules_that_allow_or_deny_it(
    action: str, tmp_path: Path
) -> None:
    rule = f'{{"permission": {{"task": {{"reviewer": "{action}", "review*": "ask"}}}}'
    config = f'{CONFIG}{rule}, "agent": {{"x": {rule}}}}}}}\n'
    lines = f"permission:\n  task:\n    '*': ask\n    review$0er: {action}"
    made = fixture(tmp_path, PATH + agent(lines) + _REVIEWER + config)
    file = template_file(made.workspace, made.path)
    assert file is not None
    changed = rename(file, made.offset, "judge")
    assert isinstance(changed, Renaming)
    texts = {
        path.name: apply(path.read_text(encoding="utf-8"), edits)
        for path, edits in changed.edits.items()
    }
    assert f"    judge: {action}" in texts["a.md"]
    assert texts["opencode.json"].count(f'"judge": "{action}", "review*"') == 2


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("reviewer", ""),
        ("explore", ""),
        ("title", ""),
        ("rev*", ""),
        ("of-a-plugin", ""),
        ("reviwer", "reviewer"),
        ("Reviewer", "reviewer"),
        ("'exlore'", "explore"),
    ],
)
@pytest.mark.parametrize("of_table", [False, True])
def test_a_rule_about_an_agent_has_its_name(
    name: str, meant: str, of_table: bool, tmp_path: Path
) -> None:
    plain = name.strip("'")
    header = PATH + agent(f"permission:\n  task:\n    '*': ask\n    {name}: deny")
    rule = f'"permission": {{"task": {{"*": "ask", "{plain}": "deny"}}}}'
    table = f'{CONFIG}{{{rule}, "agent": {{"build": {{"prompt": "You build."}}}}}}\n'
    made = fixture(tmp_path, (table if of_table else header) + _REVIEWER)
    messages = [
        f"{one.severity.name.lower()} {one.message}"
        for one in diagnostics(made.workspace, made.path)
        if one.code == "unknown-agent"
    ]
    thing = f"warning no agent is called `{plain}`, so the rule does nothing"
    assert messages == ([f"{thing}; did you mean `{meant}`?"] if meant else [])
    ways = [apply(made.text, way.edits) for way in fixes(made.workspace, made.path)]
    assert (made.text.replace(plain, meant) in ways) == bool(meant)


def test_tools_are_offered_below_the_older_key(tmp_path: Path) -> None:
    made = fixture(tmp_path, PATH + agent("tools:\n  $0"))
    labels = {one.label for one in complete(made.workspace, made.path, made.offset)}
    assert {"bash", "write", "*"} <= labels
    assert "apply_patch" not in labels


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "tools: # older\n  # no shell\n  bash: false # never\n  write: true",
            "permission: # older\n  # no shell\n  bash: deny # never\n  edit: allow",
        ),
        (
            (
                "tools: # older\n  # no shell\n  bash: false # never\npermission:\n  # web\n"
                "  webfetch: ask # yes"
            ),
            (
                "permission:\n  # older\n  # no shell\n  bash: deny # never\n  # web\n"
                "  webfetch: ask # yes"
            ),
        ),
        (
            (
                "tools:\n  # no shell\n  bash: false # never\npermission:\n  webfetch: ask\n"
                "  bash: ask # yes"
            ),
            "permission:\n  # no shell\n  # never\n  bash: ask\n  webfetch: ask # yes",
        ),
        (
            "tools: [Read, # look\n  Grep]",
            "permission:\n  # look\n  '*': deny\n  read: allow\n  grep: allow",
        ),
    ],
)
def test_comments_are_kept_where_tools_become_rules(
    before: str, after: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, PATH + agent(before))
    ways = [apply(made.text, way.edits) for way in fixes(made.workspace, made.path)]
    assert agent(after) in ways


def test_comments_are_kept_where_tools_become_rules_in_json(tmp_path: Path) -> None:
    head = '//- opencode.jsonc\n{"agent": {"x": {"description": "d",\n'
    tools = '  "tools": {\n    // no shell\n    "bash": false // never\n  }'
    rules_there = ',\n  "permission": {\n    // web\n    "webfetch": "ask" // yes\n  }'
    for number, more in enumerate(("", rules_there)):
        made = fixture(tmp_path / str(number), f"{head}{tools}{more}\n}}}}}}\n")
        [way] = fixes(made.workspace, made.path)
        text = apply(made.text, way.edits)
        end = ", // never" if more else " // never"
        assert f'    // no shell\n    "bash": "deny"{end}\n' in text
        assert not more or '    // web\n    "webfetch": "ask" // yes\n' in text


def test_a_key_that_another_file_overrides_is_explained_by_that_file(tmp_path: Path) -> None:
    header = f"{PATH}{agent('model: p/m')}"
    made = fixture(
        tmp_path, f'//- opencode.json\n{{"agent": {{"a": {{"mo$0del": "p/j"}}}}}}\n{header}'
    )
    shown = hover(made.workspace, made.path, made.offset)
    assert shown is not None
    assert "gives `model`**, and not this file: `p/m`" in shown.markdown
    assert "`model` is `p/j`" not in shown.markdown


def test_a_permission_of_several_files_is_explained_rule_by_rule(tmp_path: Path) -> None:
    header = f"{PATH}{agent('per$0mission: {read: allow}')}"
    table = '{"agent": {"a": {"permission": {"bash": {"git *": "ask"}}}}}'
    made = fixture(tmp_path, f"{header}{CONFIG}{table}\n")
    shown = hover(made.workspace, made.path, made.offset)
    assert shown is not None
    rows = [line.partition(" (")[0] for line in shown.markdown.splitlines() if line[:1] == "-"]
    assert rows[:2] == ["- `bash.git *`: `ask`", "- `read`: `allow`"]


@pytest.mark.parametrize(
    ("folder", "is_there"),
    [
        (".opencode/skills", True),
        (".claude/skills", True),
        ("~/.config/opencode/skill", True),
        ("~/.agents/skills", True),
        (".claude/skill", False),
    ],
)
def test_a_skill_may_lie_directly_in_a_folder_of_skills(
    folder: str, is_there: bool, tmp_path: Path
) -> None:
    skill = f"//- {folder}/SKILL.md\n---\nname: direct\ndescription: D.\n---\nB\n"
    lines = "permission: {skill: {direct: allow}}"
    codes = [one.code for one in found(tmp_path, f"{agent(lines)}{skill}")]
    assert ("unknown-skill" not in codes) is is_there
