"""A search leaves out what Git ignores, mentions it, and checks the others as if it did not."""

import subprocess

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
        (".gitignore", "sub/*\n", ("a", "build", "build/deep", "sub")),
        (".gitignore", "build/\n!build/deep/\n", ("a", "sub", "sub/out")),
        (".gitignore", "build/*\n!build/deep/\n", MANY),
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
    many.write(".gitignore", "deep\nout\n")
    many.write("sub/.gitignore", "!out\n")
    assert checked(many) == ["a", "build", "sub", "sub/out"]


@pytest.mark.parametrize(
    "rules", ["*.md", "/a/.codex/", ".codex/", ".codex/.agents/*", "a/.codex/.agents/a.md", "a.md"]
)
@pytest.mark.parametrize("options", [(), ("--isolated",)], ids=["", "isolated"])
def test_patterns_hide_no_agent_of_a_project_that_they_do_not_hide(
    rules: str, options: tuple[str, ...], shell: Shell
) -> None:
    """The runtime reads it all the same."""
    shell.write(f"a/{AGENT}", SLIP)
    shell.write(".gitignore", f"{rules}\n")
    assert checked(shell, *options) == ["a"]


def _git(shell: Shell, *arguments: str) -> None:
    ran = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
    subprocess.run(ran, cwd=shell.root, check=True, capture_output=True)


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("-c", "index.version=3"),
        ("-c", "index.version=4"),
        ("-c", "core.splitIndex=true"),
        ("--object-format=sha256",),
    ],
    ids=["2", "3", "4", "divided", "sha256"],
)
def test_a_tracked_file_is_checked_whatever_the_patterns_say(
    options: tuple[str, ...], many: Shell
) -> None:
    (many.root / ".git").rmdir()
    of_init = tuple(one for one in options if one.startswith("--"))
    of_add = options if not of_init else ()
    _git(many, "init", "--quiet", *of_init)
    many.write(".gitignore", "build\nsub\n")
    many.write("build/a", "")
    many.write("build/abc/long-" + "n" * 200, "")
    _git(many, *of_add, "add", "--force", f"build/deep/{AGENT}", "build/abc", "a")
    if "index.version=3" in options:
        many.write("new", "")
        _git(many, *of_add, "add", "--intent-to-add", "new")
    # What cannot be told from an index that is divided counts as tracked.
    also = ("build", "sub", "sub/out") if "core.splitIndex=true" in options else ()
    assert checked(many) == sorted(["a", "build/deep", *also])


def test_an_index_that_is_damaged_hides_nothing(many: Shell) -> None:
    many.write(".gitignore", "build\nsub\n")
    for data in (b"DIRC", b"DIRC\0\0\0\2\0\0\0\5" + b"x" * 100, b"noise", b"DIRC\0\0\0\4\0\0\0\1"):
        many.write(".git/index", data)
        assert checked(many) == list(MANY)


def test_the_index_of_a_worktree_is_that_of_its_own(shell: Shell) -> None:
    (shell.root / ".git").rmdir()
    _git(shell, "init", "--quiet", "main")
    shell.write("main/.gitignore", "sub\n")
    shell.write(f"main/sub/{AGENT}", SLIP)
    _git(shell, "-C", "main", "add", "--force", ".")
    _git(shell, "-C", "main", "commit", "--quiet", "-m", "a")
    _git(shell, "-C", "main", "worktree", "add", "--quiet", "../other")
    shell.write(f"other/sub/out/{AGENT}", SLIP)
    assert checked(shell, "other") == ["other/sub"]


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
