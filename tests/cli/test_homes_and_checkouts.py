"""A worktree, a submodule and a home to which a link leads are read as Git and the runtimes do."""

from pathlib import Path

import pytest

from tests.cli.repository import commit, git
from tests.cli.shell import Shell

SLIP = "---\nname: {}\ndescription: Reviews.\ntools: Grap\n---\nReview.\n"
FIX = ("--fix", "--unsafe-fixes")


@pytest.fixture
def checkouts(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A worktree with a submodule, each with an agent, under the name of a link."""
    library = tmp_path / "library"
    for folder, name in ((library, "librarian"), (shell.root, "owner")):
        (folder / ".claude/agents").mkdir(parents=True)
        (folder / f".claude/agents/{name}.md").write_text(SLIP.format(name))
    commit(library)
    (shell.root / ".git").rmdir()
    git(shell.root, "init", "--quiet")
    allowed = ("-c", "protocol.file.allow=always", "submodule")
    git(shell.root, *allowed, "--quiet", "add", str(library), "sub")
    commit(shell.root)
    git(shell.root, "worktree", "add", "--quiet", str(tmp_path / "tree"))
    git(tmp_path / "tree", *allowed, "--quiet", "update", "--init")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "tree")
    monkeypatch.chdir(link)
    return link


def test_a_worktree_behind_a_link_and_its_submodule_are_checked_and_fixed(
    checkouts: Path, shell: Shell
) -> None:
    agents = [".claude/agents/owner.md", "sub/.claude/agents/librarian.md"]
    found = shell.run("check").heads
    assert [head.partition(":")[0] for head in found] == agents
    # Both are in HEAD, each in the one of its own repository.
    assert shell.run("check", "--since", "HEAD").heads == []
    assert shell.run("check", *FIX).code == 0
    assert [(checkouts / one).read_text().count("Grep") for one in agents] == [1, 1]
    assert git(checkouts / "sub", "status", "--short") == "M .claude/agents/librarian.md"
    assert (shell.root / agents[0]).read_text() == SLIP.format("owner")


def test_a_worktree_behind_a_link_has_revisions(checkouts: Path, shell: Shell) -> None:
    assert shell.run("diff", "HEAD").code == 0
    (checkouts / ".claude/agents/owner.md").write_text(SLIP.format("owner").replace("Grap", "Read"))
    assert "owner changes" in shell.run("diff", "HEAD").out


def test_a_submodule_is_a_repository_of_its_own(
    checkouts: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(checkouts / "sub")
    assert [head.partition(":")[0] for head in shell.run("check").heads] == [
        ".claude/agents/librarian.md"
    ]
    assert shell.run("check", "--since", "HEAD").heads == []
    names = shell.run("list").out
    assert "librarian" in names
    assert "owner" not in names


@pytest.fixture(params=["", "/", "/./", "/../linked"])
def home(
    request: pytest.FixtureRequest, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A home that is a link, and that `HOME` names in several ways."""
    linked = tmp_path / "linked"
    linked.symlink_to(shell.home)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, f"{linked}{request.param}")
    shell.write("~/.claude/agents/mine.md", SLIP.format("mine"))
    return linked


def test_agents_in_a_linked_home_are_those_of_the_user(home: Path, shell: Shell) -> None:
    assert "mine" in shell.run("list").out
    for folder in (home, shell.home, Path("~").expanduser()):
        ran = shell.run("check", *FIX, folder)
        assert ran.code == 2
        # As in a home that is none: they are no part of a project below it.
        assert "your own templates in " in ran.err
        assert ".claude/agents are skipped; to check them: " in ran.err
    assert (home / ".claude/agents/mine.md").read_text() == SLIP.format("mine")


@pytest.mark.parametrize("part", [".claude/agents", ".claude", ".claude/agents/mine.md"])
def test_agents_in_a_linked_home_are_fixed_if_the_call_names_them(
    part: str, home: Path, shell: Shell
) -> None:
    for folder in (shell.home, home):
        agent = folder / ".claude/agents/mine.md"
        agent.write_text(SLIP.format("mine"))
        assert shell.run("check", *FIX, folder / part).code == 0
        assert "Grep" in agent.read_text()
    assert home.is_symlink()
