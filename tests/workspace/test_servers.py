"""MCP servers are read from the runtime's configuration, and their tools cannot be told."""

from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from agent_lsp.dialects.known import DIALECTS, dialect
from agent_lsp.workspace.servers import servers
from tests.fixture import fixture

CONFIG = """
    //- ~/.codex/config.toml
    [mcp_servers.github]
    command = "github-mcp"
    [mcp_servers.off]
    command = "x"
    enabled = false
    [mcp_servers."no good"]
    command = "x"
    """
LIST = """\
    //- .codex/.agents/reviewer.md
    ---
    description: Reviews.
    allow_list:
      - mcp__github__$0
    ---
    Review.
    """


def test_a_configured_server_is_named_with_what_its_tools_begin_with(tmp_path: Path) -> None:
    made = fixture(tmp_path, CONFIG)
    found = {
        known.id: [
            (one.name, one.prefix, one.path.name)
            for one in servers(known, made.root, made.workspace.places, made.workspace.files)
        ]
        for known in DIALECTS
        if known.id.startswith("codex-")
    }
    assert found == {
        "codex-templates": [("github", "mcp__github__", "config.toml")],
        "codex-subagents": [("github", "github__", "config.toml")],
    }


def test_the_variable_decides_which_configuration_counts(tmp_path: Path) -> None:
    variables = {"CODEX_HOME": str(tmp_path / "elsewhere")}
    made = fixture(tmp_path, CONFIG, variables=variables)
    known = dialect("codex-templates")
    assert known is not None
    assert servers(known, made.root, made.workspace.places, made.workspace.files) == ()


@pytest.mark.parametrize("text", ["", "[mcp_servers", "mcp_servers = 3", "[mcp_servers]\na = 1"])
def test_a_configuration_that_makes_no_sense_names_no_more_than_it_can(
    text: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, f"//- ~/.codex/config.toml\n{text}\n")
    known = dialect("codex-templates")
    assert known is not None
    found = servers(known, made.root, made.workspace.places, made.workspace.files)
    assert [one.name for one in found] == (["a"] if "a = 1" in text else [])


def test_a_server_s_tools_complete_and_hover_says_where_it_is_configured(tmp_path: Path) -> None:
    made = fixture(tmp_path, LIST + CONFIG)
    labels = [one.label for one in complete(made.workspace, made.path, made.offset)]
    assert "mcp__github__*" in labels
    assert "mcp__off__*" not in labels
    said = hover(made.workspace, made.path, made.offset - 2)
    assert said is not None
    assert "The server `github` is configured in [~/.codex/config.toml]" in said.markdown
    assert "unknown-tool" not in {one.code for one in diagnostics(made.workspace, made.path)}


def test_a_sub_agent_s_list_knows_no_patterns_so_the_tool_is_left_to_type(tmp_path: Path) -> None:
    text = LIST.replace(".codex/.agents", ".codex/agents").replace("allow_list", "tools")
    text = text.replace("description: Reviews.", "name: reviewer\n    description: Reviews.")
    made = fixture(tmp_path, text.replace("mcp__github__$0", "g$0") + CONFIG)
    items = {one.label: one for one in complete(made.workspace, made.path, made.offset)}
    assert items["github__"].edit.text.endswith("github__")
