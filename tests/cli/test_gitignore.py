"""A search leaves out what Git ignores, mentions it, and checks the others as if it did not."""

import pytest

from tests.cli.shell import SLIP, SOUND, Shell

AGENT = ".codex/.agents/a.md"
MANY = ("a", "build", "build/deep", "sub", "sub/out")


@pytest.fixture
def many(shell: Shell) -> Shell:
    for folder in MANY:
        shell.write(f"{folder}/{AGENT}", SLIP)
    return shell


def checked(shell: Shell, *arguments: str) -> list[str]:
    ran = shell.run("check", "--select", "unknown-tool", *arguments)
    return [head.removesuffix(f"/{AGENT}:2:14: warning[unknown-tool]") for head in ran.heads]


@pytest.mark.parametrize(
    ("name", "rules", "left"),
    [
        (".gitignore", "", MANY),
        (".gitignore", "build/\n", ("a", "sub", "sub/out")),
        (".gitignore", "\ufeffbuild/\r\nout\r\n", ("a", "sub")),
        (".gitignore", "/out\n", MANY),
        (".gitignore", "sub/*\n", ("a", "build", "build/deep")),
        (".gitignore", "*.md\n!sub/.codex/.agents/a.md\n", ("sub",)),
        (".gitignore", "build/\n!build/deep/\n", ("a", "sub", "sub/out")),
        (".gitignore", "build/*\n!build/deep/\n", ("a", "build/deep", "sub", "sub/out")),
        ("sub/.gitignore", "/out\n", ("a", "build", "build/deep", "sub")),
        ("sub/.gitignore", "/build\n", MANY),
        (".gitignore", "!\nbuild\n", ("a", "sub", "sub/out")),
    ],
)
def test_patterns_are_applied_as_git_applies_them(
    name: str, rules: str, left: tuple[str, ...], many: Shell
) -> None:
    many.write(name, rules.encode())
    assert checked(many) == list(left)
    assert checked(many, "--no-gitignore") == list(MANY)


def test_a_nearer_gitignore_overrides_one_further_up(many: Shell) -> None:
    many.write(".gitignore", "a.md\n")
    many.write("sub/.gitignore", "!a.md\n")
    assert checked(many) == ["sub", "sub/out"]


def test_named_files_and_folders_are_checked_even_if_ignored(many: Shell) -> None:
    many.write(".gitignore", "build/\n")
    assert checked(many, "build") == ["build", "build/deep"]
    assert checked(many, f"build/{AGENT}", "a") == ["a", "build"]


def test_ignored_templates_are_mentioned(many: Shell) -> None:
    many.write(".gitignore", "build/\n")
    said = f"skipped because of `.gitignore`: build/{AGENT}, build/deep/{AGENT}; "
    said += "`--no-gitignore` checks them\n"
    assert many.run("check").err == f"note: {said}"
    many.write(".gitignore", "*\n")
    ran = many.run("check")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: no templates found in .\n  skipped because of `.gitignore`: ")
    assert " and 2 more; " in ran.err


def test_an_ignored_file_still_counts_for_others(shell: Shell) -> None:
    """The runtime does not use Git's patterns."""
    shell.write(AGENT, SOUND)
    shell.write(f"sub/{AGENT}", SOUND)
    shell.write(".gitignore", "sub/\n")
    assert shell.run("check").heads == [f"{AGENT}:1:1: information[shadowed]"]


def test_patterns_outside_of_the_repository_do_not_apply(shell: Shell) -> None:
    shell.write("../.gitignore", "*\n")
    shell.write("inner/.git/HEAD", "")
    shell.write(f"inner/{AGENT}", SLIP)
    shell.write(".gitignore", "*.md\n")
    assert checked(shell) == ["inner"]


@pytest.mark.parametrize("pattern", ["a*" * 30 + "b", "*a" * 40, "[a-z]*" * 25 + "Q"])
def test_a_pattern_that_would_take_for_ever_ignores_nothing(pattern: str, shell: Shell) -> None:
    shell.write(".gitignore", f"{pattern}\nsub/\n")
    shell.write(f".codex/.agents/{'a' * 60}.md", SLIP)
    shell.write(f"sub/{AGENT}", SLIP)
    ran = shell.run("check", "--select", "unknown-tool")
    assert len(ran.heads) == 1
