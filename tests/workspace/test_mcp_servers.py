"""MCP servers are read from the runtime's configuration; their tools are not known."""

import json
from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.status_report import report
from agent_lsp.workspace.mcp_servers import mcp_servers
from tests.fixture import Fixture, fixture
from tests.systems import DIALECTS, dialect_by_id

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


def test_a_configured_server_has_the_prefix_of_its_tools(tmp_path: Path) -> None:
    made = fixture(tmp_path, CONFIG)
    found = {
        dialect.id: [
            (one.name, one.prefix, one.path.name)
            for one in mcp_servers(
                dialect, made.root, made.workspace.host_paths, made.workspace.files
            )
        ]
        for dialect in DIALECTS
        if dialect.id.startswith("codex-")
    }
    assert found == {
        "codex-templates": [("github", "mcp__github__", "config.toml")],
        "codex-subagents": [("github", "github__", "config.toml")],
        # Which names this one refuses is not known.
        "codex-agents": [
            ("github", "mcp__github__", "config.toml"),
            ("no good", "mcp__no good__", "config.toml"),
        ],
        "codex-config": [
            ("github", "mcp__github__", "config.toml"),
            ("no good", "mcp__no good__", "config.toml"),
        ],
    }


def test_an_environment_variable_decides_which_configuration_is_read(tmp_path: Path) -> None:
    variables = {"CODEX_HOME": str(tmp_path / "elsewhere")}
    made = fixture(tmp_path, CONFIG, variables=variables)
    dialect = dialect_by_id("codex-templates")
    assert dialect is not None
    assert mcp_servers(dialect, made.root, made.workspace.host_paths, made.workspace.files) == ()


@pytest.mark.parametrize("text", ["", "[mcp_servers", "mcp_servers = 3", "[mcp_servers.a]"])
def test_an_invalid_configuration_names_only_valid_servers(text: str, tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- ~/.codex/config.toml\n{text}\n")
    dialect = dialect_by_id("codex-templates")
    assert dialect is not None
    found = mcp_servers(dialect, made.root, made.workspace.host_paths, made.workspace.files)
    assert [one.name for one in found] == (["a"] if "a]" in text else [])


def test_tools_of_a_server_complete_and_hover_names_its_configuration(tmp_path: Path) -> None:
    made = fixture(tmp_path, LIST + CONFIG)
    labels = [one.label for one in complete(made.workspace, made.path, made.offset)]
    assert "mcp__github__*" in labels
    assert "mcp__off__*" not in labels
    said = hover(made.workspace, made.path, made.offset - 2)
    assert said is not None
    assert "The server `github` is configured in [~/.codex/config.toml:1]" in said.markdown
    assert "unknown-tool" not in {one.code for one in diagnostics(made.workspace, made.path)}


def test_a_sub_agents_list_completes_only_the_prefix_of_a_server(tmp_path: Path) -> None:
    text = LIST.replace(".codex/.agents", ".codex/agents").replace("allow_list", "tools")
    text = text.replace("description: Reviews.", "name: reviewer\n    description: Reviews.")
    made = fixture(tmp_path, text.replace("mcp__github__$0", "g$0") + CONFIG)
    items = {one.label: one for one in complete(made.workspace, made.path, made.offset)}
    assert items["github__"].edit.text.endswith("github__")


def _found(made: Fixture, name: str, root: Path | None = None) -> list[tuple[str, str, str]]:
    dialect = dialect_by_id(name)
    assert dialect is not None
    found = mcp_servers(dialect, root or made.root, made.workspace.host_paths, made.workspace.files)
    return [(one.name, one.prefix, one.path.name) for one in found]


def test_the_scopes_of_mcp_servers_have_the_runtimes_precedence(
    tmp_path: Path,
) -> None:
    made = fixture(
        tmp_path,
        """
        //- .claude/agents/reviewer.md
        ---
        name: reviewer
        description: Reviews.
        tools: mcp__$0
        ---
        //- .mcp.json
        {"mcpServers": {"shared": {"command": "x"}, "both": {"type": "http", "url": "u"}}}
        """,
    )
    own = {
        "mcpServers": {"everywhere": {"command": "x"}, "both": {"command": "x"}},
        "projects": {str(made.root): {"mcpServers": {"of.mine": {"command": "x"}}}},
    }
    (tmp_path / "home/.claude.json").write_text(json.dumps(own))
    assert _found(made, "claude") == [
        ("of.mine", "mcp__of_mine__", ".claude.json"),
        ("shared", "mcp__shared__", ".mcp.json"),
        ("both", "mcp__both__", ".mcp.json"),
        ("everywhere", "mcp__everywhere__", ".claude.json"),
    ]
    labels = [one.label for one in complete(made.workspace, made.path, made.offset)]
    assert {"mcp__shared__*", "mcp__of_mine__*"} <= set(labels)


@pytest.mark.parametrize("text", ['{"mcpServers": {"db": {}}}', '{"db": {"command": "x"}}'])
def test_the_name_of_a_plugins_server_contains_the_plugins_name(text: str, tmp_path: Path) -> None:
    manifest = '{"name": "tools", "mcpServers": {"api": {"command": "x"}}}'
    source = f"//- p/.claude-plugin/plugin.json\n{manifest}\n//- p/.mcp.json\n{text}\n"
    made = fixture(tmp_path, source)
    found = _found(made, "claude", made.root / "p")
    assert found[-2:] == [
        ("plugin_tools_db", "mcp__plugin_tools_db__", ".mcp.json"),
        ("plugin_tools_api", "mcp__plugin_tools_api__", "plugin.json"),
    ]


def test_hover_on_a_server_without_tool_names_its_configuration(tmp_path: Path) -> None:
    made = fixture(
        tmp_path,
        """
        //- .claude/agents/reviewer.md
        ---
        name: reviewer
        description: Reviews.
        tools: mcp__sh$0ared
        ---
        //- .mcp.json
        {"mcpServers": {"shared": {"command": "x"}}}
        """,
    )
    said = hover(made.workspace, made.path, made.offset)
    assert said is not None
    assert "The server `shared` is configured in" in said.markdown


def test_moltis_reads_its_first_configuration_and_that_of_its_web_pages(
    tmp_path: Path,
) -> None:
    made = fixture(
        tmp_path,
        """
        //- moltis.toml
        [mcp.servers.github]
        command = "x"
        [mcp.servers.off]
        enabled = false
        //- ~/.config/moltis/moltis.toml
        [mcp.servers.unread]
        command = "x"
        //- ~/.moltis/mcp-servers.json
        {"docs": {"command": "x"}}
        """,
    )
    assert _found(made, "moltis") == [
        ("github", "mcp__github__", "moltis.toml"),
        ("docs", "mcp__docs__", "mcp-servers.json"),
    ]


def test_kodacode_servers_have_the_spelling_of_their_tools(tmp_path: Path) -> None:
    made = fixture(
        tmp_path,
        """
        //- .kodacode/agents/reviewer.md
        ---
        description: Reviews.
        AllowTools:
          - mcp_$0
        ---
        //- ~/.config/kodacode/config.yaml
        mcp:
          servers:
            - name: File System
              type: stdio
            - name: off
              enabled: false
            - type: stdio
        """,
    )
    assert _found(made, "kodacode") == [("File System", "mcp_file_system__", "config.yaml")]
    labels = [one.label for one in complete(made.workspace, made.path, made.offset)]
    assert "mcp_file_system__" in labels


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".mcp.json", "{"),
        (".mcp.json", '{"mcpServers": '),
        ("~/.config/kodacode/config.yaml", "mcp: ["),
        ("~/.codex/config.toml", "[mcp_servers"),
    ],
)
def test_an_invalid_configuration_is_reported_only_in_the_status(
    name: str, text: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, f"//- {name}\n{text}\n")
    skipped = report(made.workspace, {})["skipped"]
    assert isinstance(skipped, list)
    [said] = skipped
    assert said["path"].endswith(name.removeprefix("~/"))
    assert said["why"].startswith("names no MCP servers: ")


def test_aliases_of_aliases_in_a_configuration_take_no_time(
    tmp_path: Path,
) -> None:
    levels = "\n".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 20))
    text = f"l0: &l0 {{name: x}}\n{levels}\nmcp:\n  servers: *l1\n"
    made = fixture(tmp_path, f"//- ~/.config/kodacode/config.yaml\n{text}")
    assert [name for name, *_ in _found(made, "kodacode")] == ["x"]
