"""`status` shows what is in force, and why."""

import json
from pathlib import Path

from agent_lsp import __version__
from tests.cli.shell import Shell
from tests.server.editor import editing

REVIEWER = "---\ndescription: Reviews.\n---\nReview.\n"
SETTINGS = '[severity]\nshadowed = "off"\n[folders]\nold = false\n'


def test_scopes_files_settings_and_what_is_skipped_are_shown(shell: Shell) -> None:
    shell.write(".codex/.agents/worker.md", REVIEWER)
    shell.write(".codex/.agents/broken.md", b"\xff")
    shell.write("agent-template-lsp.toml", SETTINGS)
    shell.write("old/a.md", REVIEWER)
    said = shell.run("status").out
    assert f"\n  agent-template-lsp {__version__}\n" in f"\n{said}"
    assert "  severity.shadowed = off  (" in said
    assert "codex-templates, for a session in " in said
    assert "  project: 2 files in " in said
    assert "    worker  (not used: " in said
    assert "broken.md: not UTF-8" in said
    assert "old: excluded by a setting" in said
    assert "  search: " in said


def test_json_has_the_same_content_as_the_text(shell: Shell) -> None:
    shell.write(".codex/.agents/worker.md", REVIEWER)
    made = json.loads(shell.run("status", "--json").out)
    [session] = [one for one in made["sessions"] if one["dialect"] == "codex-templates"]
    project = session["scopes"][0]
    assert (project["label"], project["count"]) == ("project", 1)
    assert project["files"][0]["wins"] is True
    assert {"roots", "settings", "versions", "timings", "skipped", "folders"} <= made.keys()


def test_a_file_with_several_agents_is_one_file(shell: Shell) -> None:
    shell.write("moltis.toml", '[agents.presets.scout]\nmodel = "a"\n[agents.presets.judge]\n')
    lines = shell.run("status").out.splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("  project: 1 file in "))
    assert lines[at + 1 : at + 3] == ["    judge", "    scout"]


def test_the_real_path_of_a_file_behind_a_link_is_shown(shell: Shell) -> None:
    """A person who clones a repository should see which of its agents come from elsewhere."""
    inside = shell.write("shared/inside.md", REVIEWER)
    outside = shell.root.parent / "elsewhere/.codex/.agents"
    outside.mkdir(parents=True)
    for name in ("a", "b"):
        (outside / f"{name}.md").write_text(REVIEWER, encoding="utf-8")
    own = shell.write(".codex/.agents/own.md", REVIEWER).parent
    (own / "linked.md").symlink_to(outside / "a.md")
    (own / "near.md").symlink_to(inside)
    sub = shell.root / "sub"
    sub.mkdir()
    (sub / ".codex").symlink_to(outside.parent)
    lines = shell.run("status").out.splitlines()
    assert f"    linked  (links to {outside / 'a.md'})" in lines
    assert "    own" in lines
    assert "    near" in lines
    lines = shell.run("status", "--root", "sub").out.splitlines()
    assert f"    b  (links to {outside / 'b.md'})" in lines


def test_an_empty_workspace_has_an_explicit_status(shell: Shell) -> None:
    assert "no agents: no system has a folder here" in shell.run("status").out
    assert shell.run("status", "--root", "nowhere").code == 2


async def test_the_status_for_an_editor_contains_its_settings(tmp_path: Path) -> None:
    files = {".codex/.agents/reviewer.md": REVIEWER, "agent-template-lsp.toml": SETTINGS}
    settings = {"severity": {"shadowed": "hint"}}
    async with editing(tmp_path, "visual-studio-code", files, settings=settings) as editor:
        await editor.settled()
        answer = await editor.command("agentTemplates.status", {})
        [of_root] = answer["result"]["settings"]
        origins = {one["name"]: one["origin"] for one in of_root["values"]}
        assert origins["severity.shadowed"] == "the editor"
        text = await editor.command("agentTemplates.status", {"format": "text"})
        assert "codex-templates, for a session in " in text["text"]
        wrong = await editor.command("agentTemplates.status", {"fromat": 1})
        assert "takes at most one argument" in wrong["error"]


AGENT = "---\nname: a\ndescription: d\n---\nGo.\n"
PACKAGE = "node_modules/@anthropic-ai/claude-code/package.json"


def test_the_measured_version_is_shown_beside_the_installed_one(shell: Shell) -> None:
    shell.write(".claude/agents/a.md", AGENT)
    shell.write(f"~/.claude/local/{PACKAGE}", '{"version": "2.1.300"}')
    of_npm = shell.run("status").out
    program = shell.write("~/.local/share/claude/versions/2.1.340", "")
    link = shell.home / ".local/bin/claude"
    link.parent.mkdir(parents=True)
    link.symlink_to(program)
    of_installer = shell.run("status").out

    assert "  measured with 2.1.332; installed here is 2.1.300\n" in of_npm
    assert "  measured with 2.1.332; installed here is 2.1.340\n" in of_installer


def test_list_and_status_say_what_is_estimated_and_where_the_runtime_warns(shell: Shell) -> None:
    agent = "---\nname: a\ndescription: %s\n---\nYou help.\n"
    shell.write(".claude/agents/a.md", agent % ("d" * 37))
    said = "descriptions: about 10 tokens in each session (estimated); the runtime warns above"

    assert said in shell.run("list").out
    assert f"  {said}" in shell.run("status").out
    assert said not in shell.run("list", "a").out
    shell.write(".claude/agents/a.md", agent % ("d" * 70_000))
    assert "(estimated), above the limit of 15000: the runtime warns" in shell.run("status").out
