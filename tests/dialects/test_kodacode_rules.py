"""What is said about KodaCode's agents: findings, hovers, completions, lists and previews."""

from pathlib import Path
from typing import Any

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.decorations import code_lenses
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.navigation.definition import document_links
from agent_lsp.analysis.preview.commands import list_agents, preview_spawn
from agent_lsp.dialects.kodacode import policy
from agent_lsp.dialects.kodacode.dialect import DIALECT
from agent_lsp.syntax.document import parse
from agent_lsp.text import apply
from agent_lsp.workspace.snapshot import template_file
from tests.checks.pages import reported
from tests.dialects.kodacode import read
from tests.fixture import Fixture, fixture
from tests.recorded import each
from tests.test_conformance import cases

FOLDER = ".kodacode/agents"
MINE = "~/.config/kodacode/agents"
SOUND = "---\ndescription: Delivers.\nmode: all\n---\nYou deliver.\n"
FAILS = "the whole catalog fails, and no agent loads"
LOST = "the whole file becomes the prompt, and its model, its mode and its tool lists are lost"
ROOT = Path(__file__).parents[2]


def agent(text: str, name: str = "a.md", folder: str = FOLDER) -> str:
    """One file of a fixture."""
    return f"//- {folder}/{name}\n{text}"


def headed(lines: str, body: str = "You work.\n") -> str:
    return agent(f"---\n{lines}\n---\n{body}")


def said(made: Fixture, path: Path | None = None) -> list[str]:
    """The findings, as `severity[code] message`."""
    return [
        f"{found.severity.name.lower()}[{found.code}] {found.message}"
        for found in diagnostics(made.workspace, path or made.path)
    ]


def hovered(made: Fixture, word: str, path: Path | None = None) -> str:
    """The hover on the first `word` of a file."""
    where = path or made.path
    file = made.workspace.files.read(where)
    assert file is not None
    found = hover(made.workspace, where, file.text.index(word) + 1)
    return found.markdown if found is not None else ""


@pytest.mark.parametrize(
    "text",
    [
        "You work.\n",
        "",
        "----\nYou work, and: such.\n---\nMore.\n",
        "# Title\n---\nSome: text\n---\nbody\n",
        "mode: do as you are told\n\nand more\n",
        "---\nAllowTools: [read, 'mcp:*']\nx: 1\n---\n",
        "---\nx: &x\n  AllowTools: [read]\n<<: *x\n---\nbody\n",
        "---\nhandoff:\n  provides:\n    - kind: a\n      description: b\n---\nbody\n",
        "---\nhidden: on\nmode: ' All '\nmodel: a/b/c\nAllowTools: []\n---\nbody\n",
    ],
)
def test_what_the_runtime_takes_as_it_is_meant_has_no_warning(text: str, tmp_path: Path) -> None:
    assert [one for one in said(fixture(tmp_path, agent(text))) if "[unknown-key]" not in one] == []


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("--- \nmode: all\n---\nx\n", "header-missing", LOST),
        ("----\nmode: all\n---\nx\n", "header-missing", LOST),
        ("# T\n---\nmode: all\n---\nx\n", "header-missing", LOST),
        ("mode: all\n---\nx\n", "header-missing", LOST),
        ("---\rmode: all\r---\rx\r", "header-missing", LOST),
        ("\ufeff---\nmode: all\n---\nx\n", "header-bom", LOST),
        ("---\n---\nx\n", "header-unclosed", "the header is empty"),
        ("---\nmode: all\nx\n", "header-unclosed", FAILS),
        ("---\nmode: all\n----\nx\n", "header-unclosed", FAILS),
        ("---\ndescription: Use: this\n---\nx\n", "header-invalid", FAILS),
        ("---\nmode: all\nmode: all\n---\nx\n", "duplicate-key", FAILS),
        ("---\nAllowTools: read\n---\nx\n", "wrong-type", FAILS),
        ("---\nhidden: 1\n---\nx\n", "wrong-type", FAILS),
        ("---\nhandoff: x\n---\nx\n", "wrong-type", "`handoff` must be a mapping"),
        (
            "---\nhandoff:\n  consumes:\n    - max_sources: many\n---\nx\n",
            "wrong-type",
            "`max_sources` must be a whole number",
        ),
        ("---\nmode: boss\n---\nx\n", "invalid-value", "write `primary`, `subagent` or `all`"),
        ("---\nmodel: gpt-5\n---\nx\n", "invalid-value", "write `provider/model`"),
        ("---\nfallback_models:\n---\nx\n", "forbidden-key", FAILS),
        ("---\nmode: all\n---\nAllowTools: [read]\n---\nx\n", "header-cut-short", "no effect"),
    ],
)
def test_what_the_runtime_refuses_or_loses_is_one_error(
    text: str, code: str, message: str, tmp_path: Path
) -> None:
    [found] = said(fixture(tmp_path, agent(text)))
    assert found.startswith(f"error[{code}] ")
    assert message in found


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("tools: [read]", "so the agent gets every tool; its name here is `AllowTools`"),
        ("allowTools: [read]", "so the agent gets every tool; its name here is `AllowTools`"),
        ("deny_tools: [bash]", "so no tool is denied; its name here is `DisallowedTools`"),
        ("permission: ask", "all of its restrictions are lost"),
        ("permissionMode: plan", "all of its restrictions are lost"),
    ],
)
def test_a_policy_under_another_name_is_a_warning_that_names_the_loss(
    lines: str, expected: str, tmp_path: Path
) -> None:
    [found] = said(fixture(tmp_path, headed(lines)))
    assert found.startswith("warning[unknown-key] ")
    assert expected in found


@pytest.mark.parametrize(
    "lines",
    [
        "tools: []",
        "tools:",
        "tools: ''",
        "tools: '*'",
        "allowTools: ['*']",
        "deny_tools: []",
        "disallowedTools:",
        "tools: [read]\nAllowTools: [read]",
        "name: x",
    ],
)
def test_what_loses_nothing_is_information(lines: str, tmp_path: Path) -> None:
    [found] = said(fixture(tmp_path, headed(lines)))
    assert found.startswith("information[unknown-key] ")


def test_a_policy_without_a_value_is_a_warning(tmp_path: Path) -> None:
    [found] = said(fixture(tmp_path, headed("AllowTools:\nDisallowedTools: [bash]")))
    assert found == (
        "warning[unset-allow-list] `AllowTools` has no value, so it is not set: the agent "
        "gets every tool that is not denied; write `[]` for none"
    )


@pytest.mark.parametrize("entry", ["mcp_*", "git_*", "mcp_github__*", "'*'"])
def test_a_wildcard_that_the_runtime_does_not_know_is_a_warning(entry: str, tmp_path: Path) -> None:
    [found] = said(fixture(tmp_path, headed(f"AllowTools: [read, {entry}]")))
    assert "[unknown-tool]" in found
    assert "`*` is not a wildcard here, only `mcp:*` is" in found


def test_an_agent_that_nobody_can_come_to_is_information(tmp_path: Path) -> None:
    [found] = said(fixture(tmp_path, headed("hidden: true")))
    assert found.startswith("information[out-of-reach] ")
    assert said(fixture(tmp_path / "2", headed("hidden: true\nmode: subagent"))) == []


@pytest.mark.parametrize(
    "body",
    [
        "Delegate to `planner`.",
        "Do not delegate to `builder`.",
        "Never delegate to `nobody`.",
        "Run `builder` and delegate to it.",
        "Delegate to builder.",
        "Delegate to `<agent>`, or to `{{name}}`.",
        "Delegate to the `delegate` tool.",
    ],
)
def test_a_prompt_that_asks_for_nothing_impossible_is_left_alone(body: str, tmp_path: Path) -> None:
    assert said(fixture(tmp_path, agent(f"{body}\n"))) == []


@pytest.mark.parametrize(
    ("lines", "body", "expected"),
    [
        ("mode: all", "Delegate to `builder`.", "its mode is `primary`"),
        ("mode: all", "Delegate\nreviews to the `Reviewer`.", "there is no agent `Reviewer`"),
        ("DisallowedTools: [delegate]", "Delegate to `planner`.", "denied by `delegate`"),
        ("AllowTools: [read]", "Delegate to `x` or delegate to `y`.", "not in `AllowTools`"),
        ("mode: all", "Delegate to `planner` or `builder`.", "delegate to `builder`"),
        ("mode: all", "Delegate to `planner`, `nobody`, or the `reviewer`.", "no agent `nobody`"),
    ],
)
def test_a_delegation_that_the_runtime_refuses_is_a_warning_with_the_reason(
    lines: str, body: str, expected: str, tmp_path: Path
) -> None:
    [found] = said(fixture(tmp_path, headed(lines, f"{body}\n")))
    assert found.startswith("warning[futile-delegation] ")
    assert expected in found


def test_a_misspelt_delegate_is_not_told_twice(tmp_path: Path) -> None:
    [found] = said(fixture(tmp_path, headed("AllowTools: [delegat]", "Delegate to `planner`.\n")))
    assert found.startswith("warning[unknown-tool] ")


@pytest.mark.parametrize(
    ("entry", "hint"),
    [
        ("mcp__github__list_issues", "did you mean `mcp_github__list_issues`?"),
        ("mcp_GitHub__list-issues", "did you mean `mcp_github__list_issues`?"),
        ("github__list_issues", "did you mean `mcp_github__list_issues`?"),
        ("mcp:github", "`mcp:*` is every tool of every server"),
        ("mcp__github", "`mcp:*` is every tool of every server"),
        ("mcp_github_list", "is called `mcp_<server>__<tool>` here"),
        ("MCP:*", "case matters; did you mean `mcp:*`?"),
    ],
)
def test_a_name_that_no_tool_of_a_server_can_have_is_a_warning(
    entry: str, hint: str, tmp_path: Path
) -> None:
    for number, key in enumerate(("AllowTools", "DisallowedTools")):
        made = fixture(tmp_path / str(number), headed(f"{key}: ['read', '{entry}']"))
        [found] = said(made)
        assert found.startswith(f"warning[unknown-tool] unknown tool `{entry}`: it ")
        assert hint in found


@pytest.mark.parametrize("entry", ["mcp_github__list_issues", "mcp_a_1__b", "mcp:*"])
def test_a_name_that_a_tool_of_a_server_may_have_is_left_alone(entry: str, tmp_path: Path) -> None:
    assert said(fixture(tmp_path, headed(f"AllowTools: ['{entry}']"))) == []


def test_tools_of_servers_are_respelt_as_a_policy_moves(tmp_path: Path) -> None:
    made = fixture(tmp_path, headed("tools: Read, mcp__github__list-issues"))
    [fix] = fixes(made.workspace, made.path)
    assert "AllowTools: [read, mcp_github__list_issues]" in apply(made.text, fix.edits)


@pytest.mark.parametrize("value", [" ['']", " [~]", "\n  -"])
def test_a_list_of_blank_entries_is_no_tools_and_a_warning(value: str, tmp_path: Path) -> None:
    [found] = said(fixture(tmp_path, headed(f"AllowTools:{value}")))
    assert found == (
        "warning[no-tools] `AllowTools` has blank entries only, which are dropped: the agent has "
        "no tools; write `[]` if that is intended, or remove the key for all tools"
    )


@pytest.mark.parametrize("end", ["...", "--- # more"])
def test_what_stands_below_the_end_of_the_document_is_lost(end: str, tmp_path: Path) -> None:
    [found] = said(fixture(tmp_path, headed(f"mode: all\n{end}\nAllowTools: [read]")))
    assert found == (
        f"warning[lost-text] `{end}` ends the header for the runtime: `AllowTools` below it has no "
        "effect; remove the line"
    )
    assert said(fixture(tmp_path / "2", headed(f"mode: all\n{end}\n# a comment"))) == []


@pytest.mark.parametrize(
    "lines",
    [
        "AllowTools: [mcp: *]",
        "- a",
        "tools: Read, Grep\nmodel: sonnet",
        "AllowTools: ~",
        "tools:\n  read: true\nmodel: sonnet",
    ],
)
def test_no_fix_brings_another_error(lines: str, tmp_path: Path) -> None:
    made = fixture(tmp_path, headed(lines))
    errors = {one for one in said(made) if one.startswith("error[")}
    for number, fix in enumerate(fixes(made.workspace, made.path)):
        after = fixture(tmp_path / str(number), agent(apply(made.text, fix.edits)))
        left = {one for one in said(after) if one.startswith("error[")}
        assert left <= errors, fix.title


def test_a_header_between_wrong_fences_becomes_one(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent("----\nmode: all\n----\nYou work.\n"))
    [fix] = fixes(made.workspace, made.path)
    assert apply(made.text, fix.edits) == "---\nmode: all\n---\nYou work.\n"


def test_a_note_is_an_agent_and_says_so(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent("# Our agents\n", "README.md"))
    [found] = said(made)
    assert found.startswith("information[header-missing] to the runtime this file is the agent")
    assert "README" in str(list_agents(made.workspace, {"id": "README"})["result"])


def test_a_file_without_a_name_fails_the_catalog(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent("You work.\n", ".md"))
    assert said(made) == [
        f"error[file-name] `.md` cannot be the name of an agent: rename the file, or {FAILS}"
    ]
    assert list_agents(made.workspace, {})["error"] == 'agent "": agent id is required'


def test_the_last_of_two_files_of_one_name_counts(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent(SOUND, "a.MD") + agent("You work.\n"))
    [found] = said(made)
    assert found.startswith("warning[shadowed] never used: `a.md` in the same folder")
    assert "comes last, which is the one used" in found
    assert said(made, made.path.with_name("a.md")) == []


def test_the_error_is_on_the_culprit_only_and_the_others_name_it(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent(SOUND) + agent("---\nhidden: 1\n---\n", "b.md"))
    culprit = made.path.with_name("b.md")
    message = "decode front matter: yaml: unmarshal errors:\n  line 1: cannot unmarshal !!int `1`"

    assert said(made) == []
    [found] = said(made, culprit)
    assert found.startswith("error[wrong-type] ")
    first = hovered(made, "---").partition("\n")[0]
    assert first.startswith("**No agent loads** in sessions that start in `workspace/`, because of")
    assert culprit.as_uri() in first
    assert "**No agent loads**" not in hovered(made, "---", culprit)
    for answer in (
        list_agents(made.workspace, {}),
        list_agents(made.workspace, {"id": "a"}),
        preview_spawn(made.workspace, {"agent_id": "a"}),
    ):
        assert answer["result"] is None
        assert str(answer["error"]).startswith(message)
        assert answer["file"] == str(culprit)
    for command in (list_agents, preview_spawn):
        shown = command(made.workspace, {"format": "markdown", "dialect": "kodacode"})
        assert culprit.as_uri() in str(shown["markdown"]) or command is preview_spawn


def test_a_malformed_file_fails_the_catalog_also_where_another_replaces_it(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent("---\nx: [\n---\n", folder=MINE) + agent(SOUND))
    assert [one.partition("]")[0] for one in said(made)] == [
        "information[shadowed",
        "error[header-invalid",
    ]
    assert "decode front matter" in str(list_agents(made.workspace, {})["error"])


def test_an_invalid_mode_of_a_replaced_file_is_information(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent("---\nmode: boss\n---\n", folder=MINE) + agent(SOUND))
    assert [one.partition("]")[0] for one in said(made)] == [
        "information[shadowed",
        "information[invalid-value",
    ]
    assert list_agents(made.workspace, {})["error"] is None


def test_a_file_that_cannot_be_read_fails_the_catalog(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent(SOUND))
    lost = made.path.with_name("lost.md")
    lost.symlink_to("nowhere.md")
    garbled = made.path.with_name("garbled.md")
    garbled.write_bytes(b"You work \xff.\n")

    [found] = said(made, lost)
    assert found == f"error[unreadable] a link to a file that does not exist: {FAILS}"
    [found] = said(made, garbled)
    assert found.startswith("warning[unreadable] not UTF-8")
    answer = list_agents(made.workspace, {})
    assert answer["file"] == str(lost)
    lost.unlink()
    made.workspace.files.refresh()
    assert list_agents(made.workspace, {})["error"] is None


def test_hover_shows_for_whom_an_agent_is_there_and_the_other_modes(tmp_path: Path) -> None:
    made = fixture(tmp_path, headed("mode: subagent\nhidden: true"))
    shown = hovered(made, "mode")
    assert shown.startswith("**selectable: no**, **delegatable: yes**")
    assert "| `primary` | no | no |" in shown
    assert "| `all` | no | yes |" in shown
    assert "- delegatable: yes, the mode is `subagent`" in hovered(made, "---")
    assert "**selectable: no**" in hovered(made, "hidden")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("AllowTools", "`execution.permission_mode`"),
        ("question", "`.kodacode/plans/`"),
        ("task_review", "`workflow.review_model`"),
        ("task_workflow", "`engineer` owns the tasks"),
        ("search_skills", "`.kodacode/skills`"),
        ("mcp:", "any MCP tool"),
        ("handoff", "the document does not know this key"),
    ],
)
def test_hover_tells_what_goes_with_a_key_or_a_tool(
    word: str, expected: str, tmp_path: Path
) -> None:
    lines = (
        "AllowTools: [question, task_review, task_workflow, search_skills, 'mcp:*']\n"
        "handoff:\n  provides:\n    - kind: plan\n"
    )
    assert expected in hovered(fixture(tmp_path, headed(lines)), word)


@pytest.mark.parametrize(
    ("lines", "label"),
    [
        ("$0", "DisallowedTools"),
        ("mode: $0", "subagent"),
        ("hidden: $0", "true"),
        ("AllowTools: [$0]", "task_workflow"),
        ("DisallowedTools:\n  - $0", "mcp:*"),
        ("handoff:\n  $0", "provides"),
        ("handoff:\n  consumes:\n    - $0", "max_sources"),
        ("handoff:\n  consumes:\n    - from: $0", "latest"),
    ],
)
def test_every_place_of_a_header_has_completions_that_stay_sound(
    lines: str, label: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, headed(lines))
    offered = complete(made.workspace, made.path, made.offset)
    found = next(one for one in offered if one.label == label)
    after = apply(made.text, (found.edit,))
    assert label in after
    assert parse(after, DIALECT.format.split).tree.problem is None


def test_a_skill_in_a_prompt_leads_to_its_document(tmp_path: Path) -> None:
    made = fixture(
        tmp_path,
        agent("Use $review, ${Lint} and $mine too.\nNot $PATH, nor $mine.\n")
        + "//- .kodacode/skills/review/SKILL.md\nx\n"
        + "//- .kodacode/skills/lint.md\nx\n"
        + "//- ~/.config/kodacode/skills/mine/SKILL.md\nx\n",
    )
    file = template_file(made.workspace, made.path)
    assert file is not None
    found = [(link.span.of(made.text), link.target.parts[-2:]) for link in document_links(file)]
    assert found == [
        ("$review", ("review", "SKILL.md")),
        ("${Lint}", ("skills", "lint.md")),
        ("$mine", ("mine", "SKILL.md")),
    ]


def test_a_lens_leads_to_the_file_for_which_no_agent_loads(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent(SOUND) + agent("---\nhidden: 1\n---\n", "b.md"))
    file = template_file(made.workspace, made.path)
    culprit = template_file(made.workspace, made.path.with_name("b.md"))
    assert file is not None
    assert culprit is not None
    first = code_lenses(file)[0]
    assert first.title == "No agent loads because of .kodacode/agents/b.md"
    assert first.target == culprit.path
    assert not any(lens.title.startswith("No agent") for lens in code_lenses(culprit))


@pytest.mark.parametrize("path", sorted((ROOT / "templates/kodacode").glob("*/*.md")))
def test_the_shipped_templates_are_clean(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert said(fixture(tmp_path, agent(text, path.name))) == []


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Fixture:
    """A workspace for one text after the other."""
    return fixture(tmp_path_factory.mktemp("written"), agent("x\n"))


@each(cases("kodacode"))
def test_a_header_is_an_error_if_the_runtime_refuses_it(
    case: dict[str, Any], written: Fixture
) -> None:
    text = case["text"] if case["text"].endswith("\n") or not case["text"] else case["text"] + "\n"
    whole = f"---\n{text}---\nbody\n"
    written.path.write_bytes(whole.encode())
    written.workspace.files.rewritten(written.path)
    reading = DIALECT.format.read(parse(whole, DIALECT.format.split), "a")
    errors = [one for one in said(written) if one.startswith("error[")]
    assert bool(errors) is bool(reading.errors)


def test_a_tool_of_the_workflows_is_one_and_the_list_that_takes_one_away_is_named(
    tmp_path: Path,
) -> None:
    text = (
        "---\nAllowTools: [workflow_review_result, read]\nDisallowedTools: [bash]\n---\nReview.\n"
    )
    assert reported(tmp_path, {".kodacode/agents/a.md": text}) == []
    kept = policy.toolset(read(text), ("workflow_review_result", "bash"), 1).verdicts
    assert [one.kept for one in kept] == [True, False]
    assert kept[0].reason.endswith("if the runtime is newer than the document on agents")
    assert kept[1].reason == "denied by `bash` in `DisallowedTools`"
