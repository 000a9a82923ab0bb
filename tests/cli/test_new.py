"""`new` writes a valid template where the runtime finds it; `graph` draws all agents."""

import json

import pytest

from agent_lsp.installed import installed
from tests.cli.shell import SOUND, Shell
from tests.systems import DIALECTS

STARTERS = [
    (dialect.id, path.stem, scope)
    for dialect in DIALECTS
    for path in sorted(installed(f"templates/{dialect.id}/starters").glob("*.md"))
    for scope in dict.fromkeys(
        rule.kind for rule in dialect.system.scopes if not rule.builtin and rule.kind != "managed"
    )
]


@pytest.mark.parametrize(("dialect", "starter", "scope"), STARTERS)
def test_a_new_template_is_found_and_has_no_findings(
    dialect: str, starter: str, scope: str, shell: Shell
) -> None:
    asked = ("--dialect", dialect, "--starter", starter, "--scope", scope)
    ran = shell.run("new", "checker", *asked)
    assert (ran.code, ran.err) == (0, "")
    path = ran.out.removeprefix("wrote ").rpartition(" (")[0]
    assert path.startswith(str(shell.home)) == (scope == "user")
    assert shell.run("check", path).summary == "checked 1 template: nothing to report"
    assert "\nchecker  " in shell.run("list", "--dialect", dialect).out


def test_two_new_templates_have_different_names(shell: Shell) -> None:
    """Claude Code names an agent by its text."""
    for name in ("checker", "reader"):
        shell.run("new", name, "--dialect", "claude")
    assert shell.run("check").summary == "checked 2 templates: nothing to report"


def test_a_name_that_the_text_cannot_contain_is_an_error(shell: Shell) -> None:
    ran = shell.run("new", "a:b", "--dialect", "claude")
    assert (ran.code, ran.err) == (2, "error: `a:b` cannot be the name of an agent of claude\n")


def test_the_plainest_starter_is_the_default_and_all_are_listed(shell: Shell) -> None:
    assert shell.run("new", "--dialect", "codex-templates").out == (
        "starters of codex-templates:\n  role\n  role-with-personas\n"
    )
    shell.run("new", "reviewer", "--dialect", "codex-templates")
    made = shell.root / ".codex/.agents/reviewer.md"
    starter = installed("templates/codex-templates/starters/role.md")
    assert made.read_bytes() == starter.read_bytes()


def test_without_a_name_the_starters_of_each_system_here_are_listed(shell: Shell) -> None:
    shell.write(".claude/agents/a.md", "---\nname: a\ndescription: d\n---\nWork.\n")
    shell.write(".kodacode/agents/b.md", "---\ndescription: d\n---\nWork.\n")
    ran = shell.run("new")
    assert ran.code == 0
    assert "starters of claude:\n  sub-agent\n" in ran.out
    assert "starters of kodacode:\n  " in ran.out


def test_where_no_system_is_used_the_starters_of_all_are_listed(shell: Shell) -> None:
    listed = shell.run("new").out
    assert all(f"starters of {one}:\n" in listed for one in ("claude", "moltis", "gemini"))


def test_new_never_overwrites_a_file(shell: Shell) -> None:
    path = shell.write(".codex/.agents/reviewer.md", SOUND)
    ran = shell.run("new", "reviewer.md", "--dialect", "codex-templates")
    said = "error: .codex/.agents/reviewer.md already exists and is not changed\n"
    assert (ran.code, ran.err) == (2, said)
    assert path.read_text("utf-8") == SOUND


@pytest.mark.parametrize("name", ["Code Review", "../up", "a/b", "", "."])
def test_an_invalid_name_is_an_error(name: str, shell: Shell) -> None:
    ran = shell.run("new", name, "--dialect", "codex-templates")
    assert ran.code == 2
    assert ran.err == f"error: `{name}` cannot be the name of an agent of codex-templates\n"
    assert not (shell.root / ".codex").exists()


def test_a_starter_that_does_not_exist_is_an_error(shell: Shell) -> None:
    ran = shell.run("new", "a", "--dialect", "codex-templates", "--starter", "rolle")
    assert (ran.code, ran.err) == (2, "error: there is no starter `rolle`; did you mean `role`?\n")


def test_new_says_which_file_has_precedence(shell: Shell) -> None:
    shell.write("sub/.codex/.agents/reviewer.md", SOUND)
    new = ("new", "--dialect", "codex-templates")
    assert shell.run(*new, "reviewer").out == "wrote .codex/.agents/reviewer.md (codex-templates)\n"
    assert shell.run(*new, "worker").out == (
        "wrote .codex/.agents/worker.md (codex-templates)\n"
        "  a session that starts here uses it instead of the one that is built into the runtime\n"
    )
    ran = shell.run(*new, "reviewer", "--scope", "user")
    assert ran.out.endswith(
        "\n  a session that starts here uses .codex/.agents/reviewer.md (project) instead of it\n"
    )


def test_the_graph_shows_overrides_and_mentions(shell: Shell) -> None:
    shell.write(".codex/.agents/lead.md", SOUND + "Ask `reviewer`, and the worker.\n")
    shell.write(".codex/.agents/reviewer.md", SOUND + "Never ask `lead`.\n")
    shell.write("~/.codex/.agents/reviewer.md", SOUND)
    lines = shell.run("graph", "--dialect", "codex-templates").out.splitlines()
    assert lines[0] == "flowchart LR"
    ids = [line.strip().partition("[")[0] for line in lines if '["' in line and "sub" not in line]
    assert len(set(ids)) == len(ids) == 7
    assert lines[1:5] == [
        '  subgraph s0["project: .codex/.agents"]',
        '    n0["lead"]',
        '    n1["reviewer"]',
        "  end",
    ]
    assert [line for line in lines if ">" in line] == [
        "  n1 -. instead of .-> n2",
        "  n0 == may start ==> n1",
        "  n1 -- mentions --> n0",
    ]
    assert lines[-1] == "  class n2 hidden"


def test_no_name_can_break_the_graph(shell: Shell) -> None:
    shell.write('.codex/.agents/a"]b.md', SOUND)
    shell.write(".codex/agents/x\"]; end%%'#.md", SOUND)
    for dialect in ("codex-templates", "codex-subagents"):
        for line in shell.run("graph", "--dialect", dialect).out.splitlines():
            assert line.count('"') in (0, 2)
    assert "#34;#93;#59; end#37;#37;#39;#35;" in shell.run("graph", "--dialect", dialect).out


def test_a_schema_is_printed_and_an_unknown_system_is_an_error(shell: Shell) -> None:
    for dialect in DIALECTS:
        ran = shell.run("schema", dialect.id)
        # One ignores the header, so every name is valid; the others are no header.
        if dialect.id in ("vuhlp", "opencode-config"):
            assert (ran.code, ran.out) == (2, "")
        else:
            assert json.loads(ran.out)["type"] == "object"
    assert shell.run("schema", "codex").code == 2


def test_every_system_has_a_starter(shell: Shell) -> None:
    for dialect in DIALECTS:
        ran = shell.run("new", "reviewer", "--dialect", dialect.id)
        if dialect.id == "opencode-config":
            assert ran.code == 2
            assert "there is no starter of opencode-config" in ran.err
        else:
            assert (ran.code, ran.err) == (0, "")


def test_a_starter_that_repeats_its_name_gets_the_name_of_the_new_file(shell: Shell) -> None:
    ran = shell.run("new", "poet", "--dialect", "vuhlp")
    written = (shell.root / "docs/templates/poet.md").read_text(encoding="utf-8")
    assert ran.code == 0
    assert written.startswith('[template]\nname = "poet"\n')
    assert shell.run("check").summary == "checked 1 template: nothing to report"


MOLTIS = ("--dialect", "moltis")


def test_a_new_agent_in_a_file_of_tables_is_an_appended_table(shell: Shell) -> None:
    """The bytes before it stay, and the new table is a copy of a starter's table."""
    first = shell.run("new", "scout", *MOLTIS)
    assert (first.code, first.err, first.out) == (0, "", "wrote moltis.toml (moltis)\n")
    path = shell.root / "moltis.toml"
    before = b"\xef\xbb\xbf# mine\r\n" + path.read_bytes()
    path.write_bytes(before)

    second = shell.run("new", "my coder", *MOLTIS, "--starter", "coder")
    assert (second.code, second.out) == (0, "added it to moltis.toml (moltis)\n")
    assert path.read_bytes().startswith(before)
    assert b'[agents.presets."my coder"]' in path.read_bytes()[len(before) :]
    assert shell.run("check").summary == "checked 1 template: nothing to report"
    listed = shell.run("list", *MOLTIS).out
    assert "\nscout" in listed
    assert "my coder" in listed


def test_a_table_that_cannot_be_added_is_an_error_and_changes_nothing(shell: Shell) -> None:
    shell.run("new", "scout", *MOLTIS)
    path = shell.root / "moltis.toml"
    sound = path.read_bytes()

    again = shell.run("new", "scout", *MOLTIS)
    said = "error: moltis.toml cannot have another agent `scout`\n"
    assert (again.code, again.err, path.read_bytes()) == (2, said, sound)
    path.write_bytes(sound + b"[agents\n")
    broken = shell.run("new", "other", *MOLTIS)
    assert broken.code == 2
    assert broken.err.startswith("error: the runtime refuses moltis.toml; fix that first: ")
    assert path.read_bytes() == sound + b"[agents\n"
    unknown = shell.run("new", "x", *MOLTIS, "--starter", "codr")
    assert unknown.err == "error: there is no starter `codr`; did you mean `coder`?\n"


def test_new_says_which_of_two_files_a_session_reads(shell: Shell) -> None:
    mine = shell.run("new", "scout", *MOLTIS, "--scope", "user").out
    ours = shell.run("new", "scout", *MOLTIS).out
    more = shell.run("new", "other", *MOLTIS, "--scope", "user").out

    home = shell.home / ".config/moltis/moltis.toml"
    assert mine == f"wrote {home} (moltis)\n"
    assert ours == (
        f"wrote moltis.toml (moltis)\n  a session that starts here no longer reads {home}\n"
    )
    assert more == (
        f"added it to {home} (moltis)\n  a session that starts here reads moltis.toml instead\n"
    )


def test_the_tables_of_the_starter_are_listed(shell: Shell) -> None:
    assert "\n  researcher\n" in shell.run("new", *MOLTIS).out


def test_a_link_out_of_the_repository_is_not_written_through(shell: Shell) -> None:
    elsewhere = shell.root.parent / "elsewhere"
    elsewhere.mkdir()
    (shell.root / ".claude").symlink_to(elsewhere)
    ran = shell.run("new", "scout", "--dialect", "claude")
    assert ran.code == 2
    assert ran.err == (
        f"error: cannot write .claude/agents/scout.md: a link points outside the repository, "
        f"to {elsewhere / 'agents/scout.md'}\n"
    )
    assert list(elsewhere.iterdir()) == []
