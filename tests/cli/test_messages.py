"""Messages say what is there, where it is, and which thing they mean."""

from tests.cli.shell import Shell


def test_a_blank_description_is_not_missing_and_has_its_place(shell: Shell) -> None:
    for folder, code in ((".claude/agents", "missing-key"), (".opencode/agents", "missing-")):
        for value, said in (('""', "`description` is blank"), ("# D.", "`description` ")):
            path = shell.write(f"{folder}/a.md", f"---\nname: a\ndescription: {value}\n---\nAct.\n")
            ran = shell.run("check", "--format", "concise", path)
            [line] = [one for one in ran.out.splitlines() if "description" in one]
            assert line.startswith(f"{folder}/a.md:3:1: ")
            assert said in line
            assert code in line or value == "# D."
            assert "has no `description`" not in line
    path = shell.write(".claude/agents/a.md", '---\nname: a\ndescription: ""\n---\nAct.\n')
    shell.run("check", "--fix", "--unsafe-fixes", path)
    assert path.read_text("utf-8").count("description:") == 1
    assert shell.run("check", path).code == 0


def test_a_duplicate_name_is_reported_at_the_name(shell: Shell) -> None:
    text = "---\ndescription: D.\nname: a\n---\nAct.\n"
    for folder in (".claude/agents", ".moltis/agents"):
        for name in ("a", "b"):
            shell.write(f"{folder}/{name}.md", text)
    ran = shell.run("check", "--select", "shadowed")
    assert ran.heads == [
        ".claude/agents/a.md:3:7: warning[shadowed]",
        ".moltis/agents/a.md:3:7: warning[shadowed]",
        ".moltis/agents/b.md:3:7: warning[shadowed]",
    ]
    assert "the order in which the operating system lists the folder decides" in ran.out


def test_a_long_list_of_names_has_lines_of_its_own(shell: Shell) -> None:
    for words in (("check", "--select", "zzz"), ("explain", "zzz"), ("check", "--dialect", "zzz")):
        ran = shell.run(*words)
        first, *rest = ran.err.splitlines()
        assert first.endswith("`zzz`; there are:")
        assert len(rest) > 1
        assert all(line.startswith("  ") and len(line) <= 80 for line in rest)


def test_a_surplus_argument_names_the_help_of_its_command(shell: Shell) -> None:
    ran = shell.run("new", "claude", "tester")
    assert ran.code == 2
    assert ran.err.splitlines()[-2:] == [
        "error: unexpected argument `tester`",
        "  see `agent-template-lsp new --help`",
    ]


def test_a_preview_names_the_key_that_the_runtime_ignores(shell: Shell) -> None:
    header = "---\nname: a\ndescription: D.\nmaxTurns: many\n---\n"
    shell.write(".claude/agents/a.md", f"{header}Act.\n")
    assert "- `maxTurns`: the runtime ignores it\n" in shell.run("preview", "a").out
