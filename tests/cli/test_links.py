"""A link to a folder where a runtime looks counts as the folder, as it does for the runtime."""

from pathlib import Path

import pytest

from tests.cli.shell import Shell

CLAUDE = "---\nname: a\ndescription: Reviews.\nmodle: x\n---\nReview.\n"
HEADER = "---\ndescription: Reviews.\nmodle: x\n---\nReview.\n"
VUHLP = '[template]\nname = "a"\n\nHello.\n'
# The place, and the text of a template there.
PLACES = {
    ".claude/agents": CLAUDE,
    ".codex/.agents": HEADER,
    ".codex/agents": HEADER,
    ".kodacode/agents": HEADER,
    ".moltis/agents": CLAUDE,
    "docs/templates": VUHLP,
    "plugin/agents": CLAUDE,
}


def _linked(shell: Shell, place: str, at: str, target: Path) -> Path:
    """Makes a link at `at`, a part of `place`, to `target`, which has a template."""
    rest = place.removeprefix(at).strip("/")
    (target / rest).mkdir(parents=True, exist_ok=True)
    (target / rest / "a.md").write_text(PLACES[place], encoding="utf-8")
    if place == "plugin/agents":
        shell.write("plugin/.claude-plugin/plugin.json", '{"name": "p"}')
    link = shell.root / at
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(target)
    return link


@pytest.mark.parametrize("place", PLACES)
def test_a_linked_folder_is_found_by_each_of_its_names(place: str, shell: Shell) -> None:
    """As an argument with and without a slash, in the folder above and in the repository."""
    (shell.root / ".git").mkdir(exist_ok=True)
    _linked(shell, place, place, shell.root / "shared/roles")
    for named in (place, f"{place}/", place.partition("/")[0], "."):
        ran = shell.run("check", named)
        assert "checked 1 template" in ran.summary, named
        assert all(head.startswith(f"{place}/a.md:") for head in ran.heads)


@pytest.mark.parametrize("place", [place for place in PLACES if "plugin" not in place])
def test_a_link_on_the_way_to_the_folder_is_found(place: str, shell: Shell) -> None:
    top = place.partition("/")[0]
    _linked(shell, place, top, shell.root / "shared")
    assert "checked 1 template" in shell.run("check").out


def test_one_target_is_found_for_each_system(shell: Shell) -> None:
    for place in (".codex/.agents", ".codex/agents", ".kodacode/agents"):
        _linked(shell, place, place, shell.root / "roles")
    assert "checked 3 templates" in shell.run("check").summary


def test_a_folder_linked_from_many_projects_is_reported_once(shell: Shell) -> None:
    for project in ("one", "two", "three"):
        link = shell.root / project / ".claude/agents"
        link.parent.mkdir(parents=True)
        link.symlink_to("../../roles")
    shell.write("roles/a.md", CLAUDE)
    ran = shell.run("check")
    assert ran.heads == ["one/.claude/agents/a.md:4:1: warning[unknown-key]"]
    shell.write(".claude/agents/a.md", CLAUDE)
    assert "checked 2 templates" in shell.run("check").summary
    (shell.root / "one/.claude/agents").unlink()
    (shell.root / "one/.claude/agents").symlink_to("../../.claude/agents")
    (shell.root / "two/.claude/agents").unlink()
    (shell.root / "three/.claude/agents").unlink()
    assert shell.run("check").heads == [".claude/agents/a.md:4:1: warning[unknown-key]"]


def test_subfolders_of_a_linked_folder_are_searched_if_the_runtime_does(shell: Shell) -> None:
    shell.write("roles/team/a.md", CLAUDE)
    (shell.root / ".claude").mkdir()
    (shell.root / ".claude/agents").symlink_to("../roles")
    assert shell.run("check").heads == [".claude/agents/team/a.md:4:1: warning[unknown-key]"]


def test_a_linked_file_is_found(shell: Shell) -> None:
    shell.write("roles/a.md", CLAUDE)
    link = shell.write(".claude/agents/b.md", "").parent / "a.md"
    link.with_name("b.md").unlink()
    link.symlink_to("../../roles/a.md")
    for named in (".", ".claude/agents", ".claude/agents/a.md"):
        assert shell.run("check", named).heads == [".claude/agents/a.md:4:1: warning[unknown-key]"]


@pytest.mark.parametrize("target", ["..", ".", "agents", "../.claude", "/"])
def test_cycles_of_links_end(target: str, shell: Shell) -> None:
    shell.write("team/.claude/agents/a.md", CLAUDE)
    (shell.root / ".codex").mkdir()
    (shell.root / ".codex/agents").symlink_to(target)
    (shell.root / "docs").symlink_to(target)
    again = shell.root / "team/.claude/agents/again"
    again.symlink_to("../../..")
    assert "team/.claude/agents/a.md:4:1: warning[unknown-key]" in shell.run("check").heads


def test_a_linked_folder_outside_of_the_repository_is_reported_and_not_fixed(shell: Shell) -> None:
    (shell.root / ".git").mkdir(exist_ok=True)
    away = shell.home / "private"
    _linked(shell, ".claude/agents", ".claude/agents", away)
    ran = shell.run("check")
    assert ran.heads == [".claude/agents/a.md:4:1: warning[unknown-key]"]
    assert f"note: links point elsewhere: .claude/agents/a.md to {away / 'a.md'}\n" in ran.err
    fixed = shell.run("check", "--fix", "--unsafe-fixes")
    assert "error: cannot fix .claude/agents/a.md: its link points elsewhere\n" in fixed.err
    assert (away / "a.md").read_text("utf-8") == CLAUDE


def test_the_users_own_linked_folder_is_found_from_the_folder_above(shell: Shell) -> None:
    shell.write("~/dotfiles/roles/a.md", CLAUDE)
    (shell.home / ".claude").mkdir()
    (shell.home / ".claude/agents").symlink_to("../dotfiles/roles")
    for named in (".claude/agents", ".claude/agents/", ".claude"):
        ran = shell.run("check", shell.home / named)
        assert [head.rpartition("/")[2] for head in ran.heads] == ["a.md:4:1: warning[unknown-key]"]
