"""`check` finds the templates, reports each finding once, and has an exit code for builds."""

import io
import json
import os
import re
import sys
from pathlib import Path
from types import FrameType

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.cli.terminal import look
from agent_lsp.environment import host_paths_from_environment, workspace_for
from agent_lsp.syntax import document
from agent_lsp.workspace.files import MAX_BYTES, Files
from tests.cli.shell import BROKEN, REDUNDANT, SLIP, SOUND, Shell
from tests.systems import dialect_of

AGENT = ".codex/.agents/a.md"


@pytest.mark.parametrize(
    ("text", "code", "summary"),
    [
        (SOUND, 0, "checked 1 template: nothing to report"),
        (REDUNDANT, 0, "checked 1 template: 1 hint"),
        (SLIP, 1, "checked 1 template: 1 warning"),
        (BROKEN, 1, "checked 1 template: 1 error"),
    ],
)
def test_only_errors_and_warnings_give_exit_code_1(
    text: str, code: int, summary: str, shell: Shell
) -> None:
    shell.write(AGENT, text)
    ran = shell.run("check")
    assert (ran.code, ran.summary, ran.err) == (code, summary, "")


def test_suppressed_findings_are_counted_and_do_not_fail(shell: Shell) -> None:
    comment = "---\n# agent-template-lsp: ignore[unknown-tool]\n"
    shell.write(AGENT, SLIP.replace("---\n", comment, 1))
    ran = shell.run("check")
    left_out = shell.run("check", "--ignore", "unknown-tool")
    summary = "checked 1 template: nothing to report"

    assert (ran.code, ran.summary) == (0, f"{summary} (1 suppressed)")
    assert left_out.summary == summary


def test_information_does_not_fail(shell: Shell) -> None:
    shell.write(AGENT, SOUND)
    shell.write("sub/.codex/.agents/a.md", SOUND)
    ran = shell.run("check")
    assert ran.heads == [f"{AGENT}:1:1: information[shadowed]"]
    assert (ran.code, ran.summary) == (0, "checked 2 templates: 1 information")


def test_the_output_is_sorted_by_path_however_the_paths_are_given(shell: Shell) -> None:
    for name in ("b", "a", "c"):
        shell.write(f"{name}/.codex/.agents/x.md", SLIP)
    everything = shell.run("check")
    assert everything.heads == [
        f"{name}/.codex/.agents/x.md:2:14: warning[unknown-tool]" for name in "abc"
    ]
    assert shell.run("check", "c", "a", "b", "a/../a", shell.root / "b") == everything


def test_findings_do_not_depend_on_how_a_file_is_named(shell: Shell) -> None:
    shell.write(AGENT, SLIP)
    shell.write("sub/.codex/.agents/a.md", SOUND)
    heads = [f"{AGENT}:1:1: information[shadowed]", f"{AGENT}:2:14: warning[unknown-tool]"]
    for path in (".", ".codex", ".codex/.agents", AGENT):
        assert shell.run("check", path).heads == heads


def test_check_and_an_editor_report_the_same_diagnostics(shell: Shell) -> None:
    shell.write("agent-template-lsp.toml", '[severity]\nshadowed = "warning"\n')
    paths = [shell.write(AGENT, SLIP), shell.write("sub/.codex/.agents/a.md", BROKEN)]
    workspace, _ = workspace_for((shell.root,), Files(), host_paths_from_environment())
    said = [found.message for path in paths for found in diagnostics(workspace, path)]
    assert len(said) == 3
    printed = shell.run("check").out
    assert [message for message in said if message in printed] == said


def test_the_users_templates_are_checked_from_the_current_folder(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor reports the same for this folder, and so does `list`; all follow the settings."""
    own = shell.write("~/.codex/.agents/own.md", SOUND)
    shell.write("app/.codex/.agents/own.md", SOUND)
    for settings, where in (("", "`app` or below: "), ('session-root = "app"', "`app`: ")):
        shell.write("agent-template-lsp.toml", settings)
        workspace, _ = workspace_for((shell.root,), Files(), host_paths_from_environment())
        [said] = diagnostics(workspace, own)
        assert said.message.startswith(f"not used in sessions started in {where}")
        for paths in ((own,), (own.parent,), (".", own)):
            ran = shell.run("check", *paths)
            assert ran.heads == [f"{own}:1:1: information[shadowed]"]
            assert said.message in ran.out
    assert f"instead of {own} (user)" in shell.run("list").out
    monkeypatch.chdir(shell.home)
    assert shell.run("check", own).heads == []


UNSAFE = "---\ndescription: Reviews a change.\ncolor: red\n---\nReview the change.\n"


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ((SLIP,), "fixable: 1 with `--fix`"),
        ((UNSAFE,), "fixable: 1 with `--fix --unsafe-fixes`"),
        ((SLIP, BROKEN, UNSAFE), "fixable: 2 with `--fix`, 1 more with `--fix --unsafe-fixes`"),
        ((SOUND,), "checked 1 template of Codex (fork NeoGrAIph/codex): nothing to report"),
    ],
)
def test_the_last_line_counts_the_findings_that_have_a_fix(
    texts: tuple[str, ...], said: str, shell: Shell
) -> None:
    for number, text in enumerate(texts):
        shell.write(f".codex/.agents/a{number}.md", text)
    assert shell.run("check").last == said


# The first fix lets the file load, which brings a finding about `raed`, with a fix of its own.
_BRINGS_ANOTHER = '---\ndescription: "a\\/b"\nallowTools: [raed]\n---\nReview the change.\n'
_GRPE = "---\nname: b\ndescription: Reviews.\ntools: Grpe\neffort: hihg\n---\nReview it.\n"


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({".kodacode/agents/a.md": _BRINGS_ANOTHER}, "fixable: 2 with `--fix`"),
        (
            {".kodacode/agents/a.md": _BRINGS_ANOTHER, ".claude/agents/b.md": _GRPE},
            "fixable: 3 with `--fix`, 1 more with `--fix --unsafe-fixes`",
        ),
    ],
)
def test_no_more_findings_are_counted_as_fixable_than_are_shown(
    texts: dict[str, str], said: str, shell: Shell
) -> None:
    for path, text in texts.items():
        shell.write(path, text)
    assert shell.run("check").last == said


IN_LATIN_1 = b"---\nname: a\ndescription: Reviews.\nmaxTruns: 5\n---\nReview the caf\xe9.\n"


def test_a_finding_of_a_file_that_no_fix_writes_is_not_counted_as_fixable(shell: Shell) -> None:
    shell.write(".claude/agents/a.md", IN_LATIN_1)
    outside = shell.write("~/elsewhere.md", UNSAFE)
    link = shell.root / ".codex/.agents/link.md"
    link.parent.mkdir(parents=True)
    link.symlink_to(outside)
    ran = shell.run("check")
    assert {head.partition(":")[0] for head in ran.heads} == {
        ".claude/agents/a.md",
        ".codex/.agents/link.md",
    }
    assert ran.last.startswith("checked 2 templates of ")
    found = json.loads(shell.run("check", "--format", "json").out)["findings"]
    assert [one["fix"] for one in found] == [None] * len(found)
    shell.run("check", "--fix", "--unsafe-fixes")
    assert outside.read_text("utf-8") == UNSAFE
    assert (shell.root / ".claude/agents/a.md").read_bytes() == IN_LATIN_1


def test_a_path_that_does_not_exist_is_an_error_and_the_others_are_checked(shell: Shell) -> None:
    shell.write(AGENT, SLIP)
    ran = shell.run("check", "nowhere", ".")
    assert (ran.code, ran.summary) == (2, "checked 1 template: 1 warning")
    assert ran.err == "error: there is no file or folder nowhere\n"


def test_without_templates_the_error_names_patterns_and_folders(shell: Shell) -> None:
    shell.write("empty/README.md", "Read me.")
    ran = shell.run("check", "empty")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: no templates found in empty\n  looked there and in the ")
    assert "\n    Claude Code (claude): `.claude/agents/*.md`, `agents/*.md` beside " in ran.err
    assert "\n    vuhlp (vuhlp): `docs/templates/*.md` with a `[template]` block\n" in ran.err
    assert ran.err.endswith(": agent-template-lsp new reviewer --dialect claude\n")


def test_the_summary_names_the_programs_the_most_widely_used_first(shell: Shell) -> None:
    shell.write(".github/agents/a.agent.md", SOUND)
    assert shell.run("check").last == "checked 1 template of Copilot: nothing to report"
    shell.write(AGENT, SOUND)
    shell.write(".codex/agents/a.toml", 'name = "a"\n')
    shell.write(".claude/agents/a.md", SOUND.replace("---\nR", "name: a\n---\nR"))
    shell.write("opencode.json", '{"agent": {"a": {"description": "D."}}}')
    named = "Claude Code, Copilot, OpenCode, Codex CLI and Codex (fork NeoGrAIph/codex)"
    (summary,) = re.findall("(?m)^checked .*?:", shell.run("check", "--format", "concise").out)
    assert summary == f"checked 5 templates of {named}:"


def test_a_file_outside_of_template_folders_is_not_checked(shell: Shell) -> None:
    shell.write("README.md", "Read me.")
    shell.write(AGENT, SOUND)
    assert shell.run("check", "README.md").code == 2
    ran = shell.run("check", "README.md", AGENT)
    assert (ran.code, ran.summary) == (0, "checked 1 template: nothing to report")
    assert ran.err == "note: not in a folder of an agent system, so not checked: README.md\n"


def test_a_misplaced_template_is_found_and_can_be_named(shell: Shell) -> None:
    stray = "---\ndescription: Plans.\ndeny_list: [apply_patch]\n---\nPlan.\n"
    shell.write(".agents/planner.md", stray)
    shell.write(".agents/notes.md", "Notes.")
    for named in (".", ".agents", ".agents/planner.md"):
        ran = shell.run("check", named)
        assert ran.heads == [".agents/planner.md:1:1: information[misplaced]"]
        assert (ran.code, ran.summary) == (0, "checked 1 template: 1 information")


@pytest.mark.parametrize("path", ["prompts", "prompts/a.md", "prompts/."])
def test_a_dialect_claims_the_folder_of_each_path(path: str, shell: Shell) -> None:
    shell.write("prompts/a.md", SLIP)
    shell.write("prompts/deeper/b.md", SLIP)
    ran = shell.run("check", "--dialect", "codex-templates", path)
    assert ran.heads == ["prompts/a.md:2:14: warning[unknown-tool]"]


def test_an_unknown_dialect_is_an_error_with_a_suggestion(shell: Shell) -> None:
    ran = shell.run("check", "--dialect", "codex-template")
    assert ran.code == 2
    assert ran.err == (
        "error: there is no dialect `codex-template`; did you mean `codex-templates`?\n"
    )


def test_an_unreadable_file_is_an_error_and_others_are_checked(shell: Shell) -> None:
    shell.write(".codex/.agents/a.md", b"\xff\xfe\x00")
    shell.write(".codex/.agents/b.md", b"-" * (MAX_BYTES + 1))
    shell.write(".codex/.agents/c.md", SLIP)
    ran = shell.run("check")
    assert ran.heads == [
        ".codex/.agents/a.md:1:1: error[unreadable]",
        ".codex/.agents/b.md:1:1: information[unreadable]",
        ".codex/.agents/c.md:2:14: warning[unknown-tool]",
    ]
    assert "not UTF-8: byte 0 does not decode" in ran.out
    assert (ran.code, ran.summary) == (1, "checked 3 templates: 1 error, 1 warning, 1 information")


def test_the_users_own_templates_are_checked_only_if_they_are_named(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = shell.write("~/.codex/.agents/own.md", SLIP)
    shell.write("~/project/.git/HEAD", "")
    shell.write("~/project/.codex/.agents/a.md", SOUND)
    monkeypatch.chdir(shell.home)
    assert shell.run("check").summary == "checked 1 template: nothing to report"
    assert shell.run("check", "project").summary == "checked 1 template: nothing to report"
    for path in (".codex", ".codex/.agents", own):
        assert shell.run("check", path).heads == [
            ".codex/.agents/own.md:2:14: warning[unknown-tool]"
        ]


def test_the_users_own_templates_are_mentioned_if_they_are_left_out(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = shell.write("~/.codex/.agents/own.md", SLIP)
    monkeypatch.chdir(shell.home)
    said = "your own templates in .codex/.agents are skipped; to check them: "
    said += "agent-template-lsp check .codex/.agents\n"
    ran = shell.run("check")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"error: no templates found in .\n  {said}"
    shell.write("~/project/.codex/.agents/a.md", SOUND)
    ran = shell.run("check")
    assert (ran.code, ran.summary) == (0, "checked 1 template: nothing to report")
    assert ran.err == f"note: {said}"
    for paths in ((".", ".codex"), ("project", own), ("project",)):
        assert shell.run("check", *paths).err == ""


def test_codex_home_inside_a_project_is_checked_with_the_project(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shell.root / ".git").rmdir()
    monkeypatch.setenv("CODEX_HOME", str(shell.root / ".codex"))
    shell.write(AGENT, SLIP)
    shell.write("sub/.codex/.agents/b.md", SOUND)
    for paths in ((), (".",), (shell.root,), (".codex",)):
        assert shell.run("check", *paths).heads == [f"{AGENT}:2:14: warning[unknown-tool]"]
    ran = shell.run("check", "..")
    assert (ran.heads, ran.code) == ([], 0)
    assert ran.err.startswith("note: your own templates in .codex/.agents are skipped; ")


@pytest.mark.parametrize("written", ["../../ch", "{top}/link"])
def test_the_users_folder_is_recognised_in_every_spelling_of_codex_home(
    written: str, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = shell.root.parent
    shell.write("../ch/.agents/r.md", SLIP)
    shell.write("a/b/x", "")
    (top / "link").symlink_to("ch")
    monkeypatch.chdir(shell.root / "a")
    monkeypatch.setenv("CODEX_HOME", written.format(top=top))
    for path in ("../../ch/.agents", "../../ch", "../../link/.agents/r.md", top / "link"):
        ran = shell.run("check", path)
        assert (ran.code, ran.summary) == (1, "checked 1 template: 1 warning")


def test_a_linked_project_is_checked_under_the_name_of_the_link(shell: Shell) -> None:
    shell.write("../real/.git/HEAD", "")
    shell.write("../real/.codex/.agents/a.md", SOUND)
    shell.write("../real/deep/.codex/.agents/a.md", SLIP)
    shell.write(AGENT, SOUND)
    (shell.root / "link").symlink_to("../real/deep")
    heads = ["link/.codex/.agents/a.md:2:14: warning[unknown-tool]"]
    for path in ("link", "link/.codex/.agents", "link/.codex/.agents/a.md", "./x/../link"):
        assert shell.run("check", path).heads == heads
    assert shell.run("check", "link/..").summary == "checked 2 templates: 1 warning, 1 information"


def test_pipes_and_devices_are_errors_and_are_never_opened(shell: Shell) -> None:
    shell.write(".codex/.agents/folder.md/x", "")
    agents = shell.root / ".codex/.agents"
    (agents / "broken.md").symlink_to("/nonexistent")
    os.mkfifo(agents / "pipe.md")
    ran = shell.run("check")
    assert ran.heads == [
        ".codex/.agents/broken.md:1:1: error[unreadable]",
        ".codex/.agents/pipe.md:1:1: error[unreadable]",
    ]
    assert "a link to a file that does not exist: the runtime ignores the file" in ran.out
    assert ran.summary == "checked 2 templates: 2 errors"
    for name in ("broken", "pipe"):
        assert shell.run("check", agents / f"{name}.md").summary == "checked 1 template: 1 error"
        assert shell.run("list", "--agent-type", name).code == 1
    assert "broken" not in shell.run("list").out


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may look everywhere")
def test_a_folder_without_read_permission_is_reported(shell: Shell) -> None:
    locked = shell.write("locked/.codex/.agents/a.md", SLIP).parent
    locked.chmod(0)
    try:
        ran = shell.run("check", "locked")
    finally:
        locked.chmod(0o700)
    assert ran.code == 2
    assert "note: cannot read locked/.codex/.agents: Permission denied\n" in ran.err


def test_file_names_that_are_not_utf_8_can_be_printed(shell: Shell) -> None:
    name = os.fsdecode(b"caf\xff")
    shell.write(f"{name}/.codex/.agents/a.md", SLIP)
    shell.write(f".codex/.agents/{name}.md", SOUND)
    ran = shell.run("check")
    assert ran.summary == "checked 2 templates: 1 error, 1 warning"
    assert shell.run("check", name).summary == "checked 1 template: 1 warning"
    assert shell.run("list", "--root", name).code == 0
    assert json.loads(shell.run("preview", "a", "--root", name, "--json").out)["name"] == "a"


def test_the_users_misplaced_templates_are_left_out_as_well(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.write("~/.codex/.agents/deeper/a.md", SLIP)
    shell.write("~/.agents/b.md", SLIP)
    shell.write("~/project/.codex/.agents/c.md", SOUND)
    monkeypatch.chdir(shell.home)
    assert shell.run("check").summary == "checked 1 template: nothing to report"
    heads = [".codex/.agents/deeper/a.md:1:1: information[misplaced]"]
    assert shell.run("check", ".codex").heads == heads


def test_a_user_folder_inside_of_a_repository_belongs_to_the_repository(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEX_HOME", str(shell.root / ".codex"))
    shell.write(AGENT, SLIP)
    assert shell.run("check").summary == "checked 1 template: 1 warning"


def test_the_settings_file_applies_in_every_folder_below_it(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.write(
        "agent-template-lsp.toml",
        """
        [severity]
        unknown-tool = "off"
        [folders]
        "prompts" = "codex-templates"
        "vendor" = false
        [dialects.codex-templates]
        tools = ["acme_search"]
        """,
    )
    shell.write(AGENT, SLIP)
    shell.write("prompts/planner.md", BROKEN)
    shell.write("vendor/.codex/.agents/b.md", BROKEN)
    heads = ["prompts/planner.md:3:12: error[wrong-type]"]
    ran = shell.run("check")
    assert (ran.heads, ran.summary) == (heads, "checked 2 templates: 1 error")
    assert shell.run("check", "prompts").heads == heads
    assert shell.run("check", "prompts/planner.md").heads == heads
    assert shell.run("check", AGENT).code == 0
    monkeypatch.chdir(shell.root / "prompts")
    assert shell.run("check").heads == ["planner.md:3:12: error[wrong-type]"]


def test_an_invalid_setting_is_a_warning_and_the_others_apply(shell: Shell) -> None:
    shell.write(AGENT, SLIP)
    shell.write("agent-template-lsp.toml", '[severity]\nunknown-tool = "off"\nunknown-key = 1\n')
    ran = shell.run("check")
    assert (ran.code, ran.summary) == (0, "checked 1 template: nothing to report")
    assert ran.err == (
        "warning: agent-template-lsp.toml: `severity.unknown-key`: "
        "expected `error`, `warning`, `information`, `hint` or `off`, got 1\n"
        "note: agent-template-lsp.toml switches off `unknown-tool`: 1 finding is hidden; "
        "`--isolated` shows them\n"
    )


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("variables", "on_terminal", "elsewhere"),
    [
        ({}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"NO_COLOR": "0"}, False, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        ({"CLICOLOR": "0"}, False, False),
        ({"CLICOLOR": "1"}, True, False),
        ({"CLICOLOR": "0", "FORCE_COLOR": "1"}, True, True),
        ({"CLICOLOR": "0", "CLICOLOR_FORCE": "1"}, True, True),
        ({"CLICOLOR_FORCE": "0"}, True, False),
        ({"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False, False),
    ],
)
def test_colours_are_shown_on_terminals_and_as_variables_say(
    variables: dict[str, str],
    *,
    on_terminal: bool,
    elsewhere: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm", **variables}.items():
        monkeypatch.setenv(name, value)
    assert look(Terminal()).colour is on_terminal
    assert look(io.StringIO()).colour is elsewhere


def test_output_into_a_pipe_has_the_same_width_on_every_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "57")
    assert look(io.StringIO()).width == 100
    assert look(Terminal()).width == 57


def test_the_shipped_examples_show_their_findings(shell: Shell) -> None:
    examples = Path(__file__).parents[2] / "examples"
    ran = shell.run("check", examples / "shop", examples / "handbook")
    assert ran.code == 1
    assert ran.summary.startswith("checked 14 templates: 4 errors, 3 warnings")
    ran = shell.run("check", examples / "newsroom")
    assert ran.code == 1
    assert ran.summary.startswith("checked 6 templates: 2 warnings, 1 information")
    ran = shell.run("check", examples / "observatory")
    assert ran.code == 1
    assert ran.summary.startswith("checked 5 templates: 5 errors")
    ran = shell.run("check", examples / "greenhouse")
    assert ran.code == 1
    assert ran.summary.startswith("checked 5 templates: 5 warnings, 1 hint")
    ran = shell.run("check", examples / "bakery")
    assert ran.code == 1
    assert ran.summary.startswith("checked 6 templates: 3 errors, 4 warnings")


SHOWN = (
    *dialect_of("codex-templates").findings.severities,
    *dialect_of("kodacode").findings.severities,
    *dialect_of("claude").findings.severities,
    *("unread-prompt", "unknown-variable", "conditional-tool"),
    *dialect_of("qwen").findings.severities,
    *("executed-header", "deprecated-key", "overridden-rule"),
    "unused-suppression",
)


@pytest.mark.parametrize("code", dict.fromkeys(SHOWN))
def test_the_shipped_examples_have_a_finding_of_each_code(code: str, shell: Shell) -> None:
    folder = Path(__file__).parents[2] / "examples" / "faults" / code
    ran = shell.run("check", folder)
    assert {head.partition("[")[2].partition("]")[0] for head in ran.heads} == {code}


def test_findings_in_a_file_that_is_not_utf_8_have_the_right_places(shell: Shell) -> None:
    text = b"---\nname: a\ndescription: caf\xe9\ntools: Read, Grap\n---\nGo.\n"
    shell.write(".claude/agents/a.md", text)
    starts = [
        line.partition(": ")[0] for line in shell.run("check").out.splitlines() if ".md:" in line
    ]
    assert starts == [".claude/agents/a.md:3:17", ".claude/agents/a.md:4:14"]


# From 200 templates on, `check` looks for more cores.
@pytest.mark.parametrize("many", [40, 210])
def test_one_core_parses_each_file_once(
    many: int, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0}, raising=False)
    for at in range(many):
        shell.write(f".claude/agents/a{at}.md", f"---\nname: a{at}\ndescription: d\n---\nWork.\n")
    parsed = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal parsed
        parsed += event == "call" and frame.f_code is document._made.__code__  # noqa: SLF001

    sys.setprofile(count)
    try:
        ran = shell.run("check", "--no-cache")
    finally:
        sys.setprofile(None)
    assert ran.code == 0
    # The program has a few agents of its own.
    assert many <= parsed < 1.5 * many
