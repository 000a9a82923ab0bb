"""A link to a folder where a runtime looks counts as the folder, as it does for the runtime."""

import os
import sys
from itertools import product
from pathlib import Path

import pytest

from tests.cli.repository import commit
from tests.cli.shell import Shell
from tests.effort import usually

CLAUDE = "---\nname: a\ndescription: Reviews.\nmodle: x\n---\nReview.\n"
HEADER = "---\ndescription: Reviews.\nmodle: x\n---\nReview.\n"
SOUND_CLAUDE = CLAUDE.replace("modle: x\n", "")
SLIP_CLAUDE = "---\nname: b\ndescription: Reviews.\ntoosl: Read\n---\nReview.\n"
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


_SOURCE = ".claude/agents/a.md"
# Every command that writes to a place in a repository, and the file that it writes.
_WRITES = {
    "baseline": (("check", "--write-baseline", "ci/known.json"), "ci/known.json"),
    "report": (("check", "--output-file", "ci/report.txt"), "ci/report.txt"),
    "new": (("new", "scout", "--dialect", "gemini"), ".gemini/agents/scout.md"),
    "table": (("new", "scout", "--dialect", "moltis"), "moltis.toml"),
    "convert": (
        ("convert", _SOURCE, "--to", "gemini", "--scope", "project"),
        ".gemini/agents/a.md",
    ),
    "output": (("convert", _SOURCE, "--to", "gemini", "--output", "ci/a.md"), "ci/a.md"),
    "copies": (("convert", _SOURCE, "--write", "gemini"), ".gemini/agents/a.md"),
    "lock": (("convert", _SOURCE, "--write", "gemini"), "agent-template-lsp.lock.json"),
    "prompts": (
        ("preview", "p", "--dialect", "vuhlp", "--artifacts", "ci"),
        "ci/delta.md",
    ),
    "fix": (("check", "--fix"), ".claude/agents/b.md"),
}
_LINKS = ("file", "new file", "folder", "hook", "new hook")


# Each command meets another link in `make test`.
_MET = {(write, _LINKS[at % len(_LINKS)]) for at, write in enumerate(_WRITES)}


@pytest.mark.parametrize(("write", "link"), usually(product(_WRITES, _LINKS), _MET.__contains__))
def test_no_command_writes_through_a_link_of_a_repository(
    write: str, link: str, shell: Shell
) -> None:
    """Whoever made the repository would choose which file of yours is overwritten."""
    (arguments, name), away = _WRITES[write], shell.home / "away"
    shell.write(_SOURCE, SOUND_CLAUDE)
    shell.write("docs/templates/p.md", VUHLP.replace('"a"', '"p"'))
    shell.write(".git/config", "[core]\n")
    path = shell.root / name
    content = SLIP_CLAUDE if write == "fix" else ""
    target = (shell.root / ".git/hooks" if "hook" in link else away) / path.name
    target.parent.mkdir(parents=True)
    if not link.startswith("new"):
        target.write_text(content, encoding="utf-8")
    if link == "folder" and path.parent != shell.root:
        path.parent.parent.mkdir(parents=True, exist_ok=True)
        if path.parent.exists():
            for one in path.parent.iterdir():
                one.rename(target.parent / one.name)
            path.parent.rmdir()
        path.parent.symlink_to(target.parent)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)
    before = {one: one.read_bytes() for one in target.parent.rglob("*")}
    ran = shell.run(*arguments)
    assert {one: one.read_bytes() for one in target.parent.rglob("*")} == before, ran
    # A file that is there is another reason to refuse, and a link into nowhere is no template.
    assert ran.code == 2 or (write, link[:3]) == ("fix", "new"), ran
    assert path.is_symlink() or path.parent.is_symlink()


@pytest.mark.parametrize("write", ["baseline", "report", "output", "prompts"])
def test_a_path_outside_that_the_user_names_is_written(write: str, shell: Shell) -> None:
    (arguments, name), away = _WRITES[write], shell.root.parent / "away"
    away.mkdir()
    shell.write(_SOURCE, SOUND_CLAUDE)
    shell.write("docs/templates/p.md", VUHLP.replace('"a"', '"p"'))
    # A link that is not in the repository is the user's own.
    (shell.root.parent / "mine").symlink_to(away)
    for folder in ("../away/", "../mine/"):
        named = [word.replace("ci", f"{folder}", 1).replace("//", "/") for word in arguments[1:]]
        ran = shell.run(arguments[0], *named, *(("--force",) if write == "output" else ()))
        assert ran.code in (0, 1), ran
        written = away / Path(name).name
        assert written.read_bytes()
        written.unlink()


@pytest.mark.parametrize("name", [".GIT", ".Git ", ".git.", "git~1", ".g\u200cit"])
def test_a_link_into_git_in_another_spelling_is_not_written_through(
    name: str, shell: Shell
) -> None:
    """A disk of macOS or Windows finds `.git` by it, and Git runs the hooks there."""
    shell.write(_SOURCE, SOUND_CLAUDE)
    hooks = shell.root / name / "hooks"
    hooks.mkdir(parents=True)
    (shell.root / "ci").symlink_to(hooks)
    ran = shell.run("check", "--output-file", "ci/pre-commit")
    assert (ran.code, "a link points into `.git`" in ran.err) == (2, True)
    assert list(hooks.iterdir()) == []


@pytest.mark.parametrize("write", ["baseline", "report", "output", "prompts"])
def test_a_link_before_two_dots_does_not_choose_the_folder(write: str, shell: Shell) -> None:
    """In `docs/../report.txt`, the two dots are the folder above the target of the link."""
    (arguments, _), away = _WRITES[write], shell.home / "away"
    shell.write(_SOURCE, SOUND_CLAUDE)
    shell.write("docs/templates/p.md", VUHLP.replace('"a"', '"p"'))
    shell.write("sub/x", "")
    (away / "deep/er").mkdir(parents=True)
    (shell.root / "out").symlink_to(away / "deep")
    for before in ("out/", "sub/../out/er/"):
        ran = shell.run(*(word.replace("ci", f"{before}../ci", 1) for word in arguments))
        assert (ran.code, "a link points outside the repository" in ran.err) == (2, True), ran
    assert [one for one in away.rglob("*") if one.is_file()] == []


def test_the_message_says_where_a_link_leads(shell: Shell) -> None:
    shell.write(_SOURCE, SOUND_CLAUDE)
    target = shell.write("~/.bashrc", "mine\n")
    (shell.root / "known.json").symlink_to(target)
    ran = shell.run("check", "--write-baseline", "known.json")
    said = f"error: cannot write known.json: a link points outside the repository, to {target}\n"
    assert (ran.code, ran.err) == (2, said)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
def test_a_device_or_a_pipe_that_the_user_names_stays_one(shell: Shell) -> None:
    shell.write(_SOURCE, SOUND_CLAUDE)
    null = Path("/dev/null").stat().st_mode
    ran = shell.run("check", "--output-file", "/dev/null")
    assert (ran.code, ran.err) == (0, "")
    assert Path("/dev/null").stat().st_mode == null
    os.mkfifo(shell.root / "pipe")
    # Nobody reads from it, and to wait would be a trap.
    ran = shell.run("check", "--output-file", "pipe")
    assert (ran.code, ran.err.startswith("error: cannot write pipe: ")) == (2, True)


_HEADER = "---\nname: abc\ndescription: A.\ntools: hunter2\nmodel: hunter2\ncolor: hunter2\n---\n"
# Files that are private, each where a runtime takes it for a template; most are none.
PRIVATE = (
    (".codex/.agents/a.md", "//a.b/:_token=hunter2\n"),
    *(
        (f"{place}/a.md", _HEADER)
        for place in (
            ".claude/agents",
            ".gemini/agents",
            ".qwen/agents",
            ".opencode/agents",
            ".kodacode/agents",
            ".moltis/agents",
        )
    ),
    (".codex/agents/a.toml", "//a.b/:_token=hunter2\n"),
    ("moltis.toml", '[agents.presets.a]\ntools.allow = ["hunter2"]\ntools.deny = "hunter2"\n'),
    ("opencode.json", '{"agent": {"a": {"mode": "hunter2"}}}\n'),
)
FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit")


def test_no_text_of_a_file_outside_of_the_repository_is_shown(shell: Shell) -> None:
    """The author of a pull request makes the link, and reads the log of its check."""
    commit(shell.root)
    paths = {shell.write(name, text): text for name, text in PRIVATE}
    blocks = shell.run("check").out.split("\n\n")
    told = {block.partition(":")[0] for block in blocks if "hunter2" in block}
    assert told == {name for name, _ in PRIVATE}
    found = shell.run("check", "--format", "concise").heads
    for path, text in paths.items():
        path.unlink()
        path.symlink_to(shell.write(f"~/private/{path.relative_to(shell.root)}", text))
    calls = [
        *(("check", "--format", one) for one in FORMATS),
        ("check", "--diff", "--unsafe-fixes"),
        ("check", "--since", "HEAD"),
        *(("diff", "HEAD", "--format", one) for one in ("text", "json", "markdown")),
    ]
    for call in calls:
        ran = shell.run(*call)
        assert ran.out + ran.err
        assert "hunter2" not in ran.out + ran.err, call
    concise = shell.run("check", "--format", "concise")
    assert set(found) <= set(concise.heads)
    note = "note: no text of these files is shown, because the output of a check may be public\n"
    assert note in concise.err


def test_the_lines_of_linked_files_of_the_user_are_shown(shell: Shell) -> None:
    away = shell.write("~/dotfiles/agents/a.md", CLAUDE)
    (shell.home / ".claude").mkdir(exist_ok=True)
    (shell.home / ".claude/agents").symlink_to(away.parent)
    for named in (shell.home / ".claude/agents", away):
        ran = shell.run("check", "--dialect", "claude", named)
        assert "unknown key `modle`" in ran.out
        assert "4 | modle: x" in ran.out
        assert ran.err == ""
