"""`diff` and `check --since` say what a change does to the agents."""

import json
import os
import re
import stat
from pathlib import Path

import pytest

from agent_lsp.cli.comparing import git as asked
from agent_lsp.cli.comparing.revision import RevisionDisk, files_at
from agent_lsp.workspace.files import Files
from tests.cli.repository import commit, git
from tests.cli.shell import Shell
from tests.workspace.disk import windows

REVIEWER = ".claude/agents/reviewer.md"
BEFORE = (
    "---\nname: reviewer\ndescription: Reviews.\ntools: Read, Bash\nmodel: opus\n---\nBe kind.\n"
)
AFTER = (
    "---\nname: reviewer\ndescription: Reviews.\ntools: Read, WebFetch\nmodel: haiku\n"
    "permissionMode: acceptEdits\n---\nBe strict.\n"
)


def agent(name: str, **more: str) -> str:
    lines = "".join(f"{key}: {value}\n" for key, value in more.items())
    return f"---\nname: {name}\ndescription: Works.\n{lines}---\nWork.\n"


@pytest.fixture
def changed(shell: Shell) -> Shell:
    """A repository with a commit, and changes of each kind since then."""
    shell.write(REVIEWER, BEFORE)
    shell.write(".claude/agents/scout.md", agent("scout"))
    shell.write(".claude/agents/same.md", agent("same"))
    shell.write("~/.claude/agents/mine.md", agent("mine"))
    commit(shell.root)
    shell.write(REVIEWER, AFTER)
    (shell.root / ".claude/agents/scout.md").unlink()
    shell.write(".claude/agents/new.md", agent("new", tools="Read"))
    shell.write(".claude/agents/mine.md", agent("mine"))
    # A comment in a header changes no agent.
    shell.write(".claude/agents/same.md", agent("same").replace("name:", "# Note.\nname:"))
    return shell


def test_it_names_who_appears_vanishes_and_is_shadowed_and_what_is_different(
    changed: Shell,
) -> None:
    ran = changed.run("diff", "HEAD")
    assert (ran.code, ran.err) == (0, "")
    mine, own = f"{changed.home}/.claude/agents/mine.md", ".claude/agents/mine.md"
    counts = "agents: 1 appears, 1 vanishes, 2 change, 1 shadowed"
    assert ran.out.splitlines() == [
        f"{counts}, from HEAD to the files as they are now",
        "",
        "claude, for a session in this folder",
        f"  ~ mine changes  {own} (project), not {mine} (user)",
        "  + new appears  .claude/agents/new.md (project)",
        "      description: Works.",
        "      tools: Read",
        "  ~ reviewer changes  .claude/agents/reviewer.md (project)",
        "      model: opus -> haiku",
        "      permissionMode: inherited -> acceptEdits",
        "      tools gained: WebFetch",
        "      tools lost: Bash",
        "      prompt: 1 line added, 1 line removed",
        "      | @@ -1,2 +1,2 @@",
        "      | -Be kind.",
        "      | +Be strict.",
        "      |  [environment]",
        "  - scout vanishes  .claude/agents/scout.md (project), its file no longer exists",
        f"  ! {mine} defines mine, which is shadowed by {own}",
    ]


def test_json_and_markdown_say_the_same(changed: Shell) -> None:
    made = json.loads(changed.run("diff", "HEAD", "--format", "json").out)
    assert (made["from"], made["to"]) == (git(changed.root, "rev-parse", "HEAD"), None)
    kinds = {one["agent"]: one["change"] for one in made["agents"]}
    assert kinds == {
        "mine": "changes",
        "new": "appears",
        "reviewer": "changes",
        "scout": "vanishes",
    }
    [reviewer] = [one for one in made["agents"] if one["agent"] == "reviewer"]
    assert reviewer["tools"] == {"gained": ["WebFetch"], "lost": ["Bash"]}
    assert reviewer["settings"][0] == {"name": "model", "before": "opus", "after": "haiku"}
    assert (reviewer["before"]["file"], reviewer["session"]) == (REVIEWER, ".")
    [shadowed] = made["files"]
    assert shadowed["shadowed_by"] == ".claude/agents/mine.md"
    said = changed.run("diff", "HEAD", "--format", "markdown").out
    for line in (
        "### What this change does to the agents",
        "- **`new` appears**: `.claude/agents/new.md (project)`",
        "  - `model`: `opus` → `haiku`",
        "  - tools lost: `Bash`",
        "```diff\n@@ -1,2 +1,2 @@\n-Be kind.\n+Be strict.\n",
        "- **`scout` vanishes**: `.claude/agents/scout.md (project)`, its file no longer exists",
        "defines `mine`, which is shadowed by `.claude/agents/mine.md`",
    ):
        assert line in said


def test_a_range_compares_revisions_as_git_does(changed: Shell) -> None:
    start = git(changed.root, "rev-parse", "HEAD")
    commit(changed.root)
    git(changed.root, "checkout", "--quiet", "-b", "side", start)
    changed.write(".claude/agents/aside.md", agent("aside"))
    end = commit(changed.root)
    (changed.root / REVIEWER).unlink()

    def agents(*revisions: str) -> list[str]:
        ran = changed.run("diff", *revisions, "--format", "json")
        return [f"{one['change']} {one['agent']}" for one in json.loads(ran.out)["agents"]]

    assert agents(start, end) == agents(f"{start}..") == ["appears aside"]
    assert agents(f"{start}..{end}") == ["appears aside"]
    assert agents("@{-1}...side") == ["appears aside"]
    assert agents("HEAD", "HEAD") == []
    assert agents("HEAD") == ["vanishes reviewer"]


def test_a_file_that_no_longer_loads_is_the_reason(shell: Shell) -> None:
    shell.write(REVIEWER, BEFORE)
    shell.write(".claude/agents/old.md", agent("old"))
    commit(shell.root)
    shell.write(REVIEWER, BEFORE.replace("description: Reviews.\n", ""))
    shell.write(".claude/agents/old.md", agent("renamed"))
    out = shell.run("diff", "HEAD").out
    assert "- reviewer vanishes  .claude/agents/reviewer.md (project), its file no longer l" in out
    assert "- old vanishes  .claude/agents/old.md (project), its file now defines `renamed`" in out


def test_a_persona_counts_where_it_differs_from_its_agent(shell: Shell) -> None:
    text = (
        "---\ndescription: D.\nmodel: gpt-5.2-codex\nagent_names:\n  - name: quick\n"
        "    description: Q.\n    reasoning_effort: low\n---\nReview.\n"
        "<!-- agent_name: quick -->\nQuick.\n"
    )
    shell.write(".codex/.agents/a.md", text)
    commit(shell.root)
    shell.write(".codex/.agents/a.md", text.replace("effort: low", "effort: high"))
    out = shell.run("diff", "HEAD").out
    assert "agents: 1 changes" in out
    assert "~ a, persona quick changes" in out
    assert "reasoning_effort: low -> high" in out
    shell.write(".codex/.agents/a.md", text.replace("5.2-codex", "5.1-codex"))
    assert "persona" not in shell.run("diff", "HEAD").out


def test_a_revision_that_cannot_be_read_is_an_error_that_says_what_to_do(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = commit(shell.root)
    commit(shell.root)
    git(tmp_path, "clone", "--quiet", "--depth", "1", shell.root.as_uri(), "shallow")
    (tmp_path / "elsewhere").mkdir()

    def said(folder: Path, *words: str) -> str:
        monkeypatch.chdir(folder)
        ran = shell.run(*words)
        assert (ran.code, ran.out) == (2, "")
        return ran.err

    for command in (("diff",), ("check", "--if-any", "--since")):
        assert "no revision `nix`" in said(shell.root, *command, "nix")
        assert "git log --oneline" in said(shell.root, *command, "nix")
        assert "is in no Git repository" in said(tmp_path / "elsewhere", *command, "HEAD")
        told = said(tmp_path / "shallow", *command, first)
        assert "shallow clone" in told
        assert "fetch-depth: 0" in told
    assert "--root: there is no folder gone" in said(shell.root, "diff", "HEAD", "--root", "gone")
    assert "REV: the name is empty" in said(shell.root, "diff", "")
    monkeypatch.setenv("PATH", str(tmp_path / "elsewhere"))
    assert "no program `git`" in said(shell.root, "diff", "HEAD")


@pytest.mark.skipif(os.name == "nt", reason="the programs are scripts")
def test_nothing_of_the_repository_is_run(shell: Shell, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\necho x >> '{ran}'\ncat\n", encoding="utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    shell.write(REVIEWER, BEFORE)
    commit(shell.root)
    shell.write(".gitattributes", "*.md filter=evil diff=evil\n")
    commit(shell.root)
    shell.write(REVIEWER, AFTER)
    for name in (
        *("core.fsmonitor", "core.pager", "core.sshCommand", "diff.external", "core.editor"),
        *("filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv"),
        *("diff.evil.command", "pager.diff", "core.askPass", "alias.cat-file"),
    ):
        git(shell.root, "config", name, str(script))
    hooks = shell.root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc"):
        (hooks / name).symlink_to(script)
    assert "model: opus -> haiku" in shell.run("diff", "HEAD").out
    assert shell.run("check", "--since", "HEAD").code == 0
    assert not ran.exists()


def test_the_disk_of_a_revision_is_that_of_its_checkout(shell: Shell, tmp_path: Path) -> None:
    shell.write("a/b/c.md", "c")
    shell.write("a/bin.md", b"\xff\xfe\x00")
    shell.write("a/ü.md", "ü\r\n")
    (shell.root / "to-folder").symlink_to("a/b")
    (shell.root / "a" / "up.md").symlink_to("../to-folder/c.md")
    (shell.root / "broken").symlink_to("nowhere")
    (shell.root / "loop").symlink_to("loop")
    shell.write(".gitignore", "kept/\n")
    first = commit(shell.root)
    git(shell.root, "worktree", "add", "--quiet", "--detach", str(tmp_path / "copy"), first)
    for name in ("a/b/c.md", "to-folder", "a/up.md"):
        (shell.root / name).unlink()
    shell.write("a/later.md", "later")
    shell.write("kept/d.md", "kept")
    (tmp_path / "copy" / "kept").mkdir()
    (tmp_path / "copy" / "kept" / "d.md").write_text("kept", encoding="utf-8")

    def everything(files: Files, root: Path) -> dict[str, object]:
        found: dict[str, object] = {}
        for folder in files.walk(root, is_whole=True):
            if ".git" in folder.parts[len(root.parts) :]:
                continue
            for name in files.entries(folder):
                path = folder / name
                file = files.read(path)
                real = files.real(path)
                key = path.relative_to(root).as_posix()
                told = (file.text, file.problem) if file is not None else None
                is_near = real.is_relative_to(root)
                found[key] = (told, real.relative_to(root).as_posix() if is_near else None)
        found.pop(".git", None)
        return found

    with files_at(asked.repository(shell.root), first) as files:
        made = everything(files, shell.root)
    assert made == everything(Files(), tmp_path / "copy")
    assert made["a/up.md"] == (("c", None), "a/b/c.md")


def test_check_since_reports_the_findings_that_a_change_brings(shell: Shell) -> None:
    shell.write(REVIEWER, BEFORE.replace("Bash", "Bsh"))
    shell.write(".claude/agents/other.md", agent("other", tools="Raed"))
    commit(shell.root)
    shell.write(REVIEWER, BEFORE.replace("Bash", "Bsh").replace("opus", "opsu"))
    ran = shell.run("check", "--since", "HEAD")
    assert ran.heads == [".claude/agents/reviewer.md:5:8: warning[unknown-model]"]
    assert ran.summary == "checked 2 templates: 1 warning (2 more in HEAD)"
    assert ran.err == (
        "note: agents: 1 changes since HEAD; to see them: agent-template-lsp diff HEAD\n"
    )
    assert ran.code == 1
    # The agents are those of the folder, whatever is checked.
    assert shell.run("check", "--since", "HEAD", REVIEWER).err == ran.err
    commit(shell.root)
    ran = shell.run("check", "--since", "HEAD", "--quiet")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    found = json.loads(shell.run("check", "--since", "HEAD~1", "--format", "json").out)
    assert [one["code"] for one in found["findings"]] == ["unknown-model"]
    # Findings stay the same when another program comes to count, and its own are new.
    shell.write(".cursorrules", "")
    ran = shell.run("check", "--since", "HEAD", "--quiet")
    assert {head.split(" ")[1] for head in ran.heads} == {"warning[unknown-key]"}


def test_markdown_of_a_pull_request_calls_nobody_and_has_no_address(shell: Shell) -> None:
    """GitHub makes links of `@name`, `#1` and an address in plain text, even of escaped ones."""
    folder = "@octocat/see#1/me@a.example"
    shell.write(f"{folder}/.opencode/agents/a.md", "---\ndescription: D.\n---\nGo.\n")
    commit(shell.root)
    git(shell.root, "branch", "<b>@octocat#1&me@a.example")
    shell.write(f"{folder}/.opencode/agents/@b#1.md", "---\nmode: [x]\n---\nGo.\n")
    ran = shell.run("diff", "<b>@octocat#1&me@a.example", "--format", "markdown")
    assert ran.out.count("@octocat") >= 2
    plain = re.sub(r"`[^`\n]*`", "", ran.out)
    assert not re.search(r"[@<&]|#\d", plain), plain


@pytest.mark.parametrize("target", ["//evil/share/a.md", "\\\\evil\\share\\a.md"])
def test_a_link_of_a_revision_to_a_share_of_windows_leads_nowhere(target: str) -> None:
    """To follow it would send the name of the user to the server."""
    top = windows("C:/w")
    disk = RevisionDisk(top, {"a.md": asked.Blob("120000", "1")}, (), lambda _: target.encode())
    link = top / "a.md"
    assert disk.real(link) == link
    with pytest.raises(FileNotFoundError):
        disk.read(link)
