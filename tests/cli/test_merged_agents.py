"""What the command line says of an agent that several files make together."""

import json

import pytest

from tests.cli.shell import Shell

CONFIG = '{"agent": {"a": {"temperature": 0.3, "permission": {"read": "deny"}}}}\n'
OWN = "---\ndescription: d\nmode: subagent\npermission:\n  bash: ask\n---\nYou help.\n"
USER = "---\ntop_p: 0.5\nmode: primary\n---\nYou helped.\n"


@pytest.fixture
def three(shell: Shell) -> Shell:
    """A session with three files of one agent of OpenCode."""
    shell.write(".opencode/agent/a.md", OWN)
    shell.write("opencode.json", CONFIG)
    shell.write("~/.config/opencode/agent/a.md", USER)
    return shell


def test_a_preview_names_the_file_that_gives_each_key(three: Shell) -> None:
    whole = json.loads(three.run("preview", "a", "--json").out)["definition"]
    own, table = str(three.root / ".opencode/agent/a.md"), str(three.root / "opencode.json")
    user = str(three.home / ".config/opencode/agent/a.md")
    assert whole["files"] == [own, user, table]
    assert {key: (one["file"], one["line"]) for key, one in whole["keys"].items()} == {
        "description": (own, 2),
        "mode": (own, 3),
        "permission": (own, 4),
        "permission.bash": (own, 5),
        "permission.read": (table, 1),
        "temperature": (table, 1),
        "top_p": (user, 2),
    }


def test_a_listing_says_which_files_are_merged(three: Shell) -> None:
    out = three.run("list", "--agent-type", "a").out
    user = three.home / ".config/opencode/agent/a.md"
    assert "a  .opencode/agent/a.md (project)\n" in out
    assert f"  merged with {user} (user), opencode.json (project)\n" in out
    assert "instead of" not in out
    assert "not used" not in three.run("status").out


def test_the_hidden_agents_of_the_program_are_listed_as_hidden(three: Shell) -> None:
    listed = json.loads(three.run("list", "--json").out)["agents"]
    assert {one["name"] for one in listed if one["hidden"]} == {"compaction", "summary", "title"}


def test_servers_are_found_in_a_file_with_comments(shell: Shell) -> None:
    shell.write(".opencode/agent/a.md", OWN)
    config = '// ours\n{"mcp": {"github": {"type": "local"}, /* off */ "x": {"enabled": false}},}\n'
    shell.write("opencode.jsonc", config)
    out = shell.run("status").out
    assert "MCP server github, configured in " in out
    assert "names no MCP servers" not in out
