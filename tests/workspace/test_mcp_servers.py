"""MCP servers are read from the runtime's configuration; their tools are not known."""

import json
from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.status_report import report
from agent_lsp.workspace.mcp_servers import mcp_servers, place_of
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


# As a session of Claude Code 2.1.332 had their tools, 2026-11-30.
@pytest.mark.parametrize(
    ("place", "key", "left"),
    [
        ("own", "disabledMcpServers", {"two"}),
        ("own", "disabledMcpjsonServers", {"two", "three", "four"}),
        (".claude/settings.local.json", "disabledMcpjsonServers", {"two", "three", "four"}),
        (".claude/settings.json", "disabledMcpjsonServers", {"two", "three", "four"}),
        ("~/.claude/settings.json", "disabledMcpjsonServers", {"two", "three", "four"}),
        (".claude/settings.local.json", "disabledMcpServers", {"one", "two", "three", "four"}),
    ],
)
def test_a_server_that_a_list_switches_off_has_no_tools(
    place: str, key: str, left: set[str], tmp_path: Path
) -> None:
    off = {key: ["one", "three", "four", ["one"], None]}
    made = fixture(tmp_path, f"//- {place if place != 'own' else 'x.json'}\n{json.dumps(off)}\n")
    project = {"mcpServers": {"four": {}}, **(off if place == "own" else {})}
    own = {"mcpServers": {"three": {}}, "projects": {str(made.root): project}}
    home = made.workspace.host_paths.home
    assert home is not None
    home.mkdir(exist_ok=True)
    (home / ".claude.json").write_text(json.dumps(own))
    (made.root / ".mcp.json").write_text(json.dumps({"mcpServers": {"one": {}, "two": {}}}))
    dialect = dialect_by_id("claude")
    assert dialect is not None

    found = mcp_servers(dialect, made.root, made.workspace.host_paths, made.workspace.files)

    assert {one.name for one in found} == left


_SHARED, _LOCAL, _USER = (
    ".claude/settings.json",
    ".claude/settings.local.json",
    "~/.claude/settings.json",
)
_MANAGED, _MANAGED_SERVERS = "m/managed-settings.json", "m/managed-mcp.json"


def _names(*names: str) -> list[dict[str, str]]:
    return [{"serverName": name} for name in names]


# As a session of Claude Code 2.1.332 had their tools, 2026-11-30: `usr` is a server of the person,
# `api` one of a plugin, and the others are shared.
@pytest.mark.parametrize(
    ("files", "left"),
    [
        ({_SHARED: {"enabledMcpjsonServers": ["two"]}}, "usr one two rem api"),
        ({_LOCAL: {"enableAllProjectMcpServers": False}}, "usr one two rem api"),
        (
            {_SHARED: {"disabledMcpjsonServers": ["one"], "enabledMcpjsonServers": ["one"]}},
            "usr two rem api",
        ),
        ({_MANAGED: {"disabledMcpjsonServers": ["one"]}}, "usr two rem api"),
        *(
            ({place: {"deniedMcpServers": _names("one", "usr")}}, "two rem api")
            for place in (_SHARED, _LOCAL, _USER, _MANAGED)
        ),
        *(
            ({place: {"allowedMcpServers": _names("two")}}, "two")
            for place in (_SHARED, _LOCAL, _USER, _MANAGED)
        ),
        ({_USER: {"deniedMcpServers": _names("ONE", "*")}}, "usr one two rem api"),
        ({_USER: {"deniedMcpServers": ["one", {"x": 1}, *_names("two")]}}, "usr one rem api"),
        ({_USER: {"deniedMcpServers": _names("one")[0]}}, "usr one two rem api"),
        (
            {_USER: {"deniedMcpServers": [{"serverName": "one", "serverCommand": ["x"]}]}},
            "usr one two rem api",
        ),
        ({_USER: {"deniedMcpServers": [{"serverCommand": ["x", "one"]}]}}, "usr two rem api"),
        ({_USER: {"deniedMcpServers": [{"serverCommand": ["x"]}]}}, "usr one two rem api"),
        ({_USER: {"deniedMcpServers": [{"serverUrl": "http://*:9/*"}]}}, "usr one two api"),
        ({_USER: {"deniedMcpServers": _names("plugin:kit:api")}}, "usr one two rem"),
        ({_USER: {"deniedMcpServers": _names("api")}}, "usr one two rem api"),
        ({_USER: {"allowedMcpServers": []}}, ""),
        ({_USER: {"allowedMcpServers": ["one"]}}, ""),
        ({_USER: {"allowedMcpServers": None}}, "usr one two rem api"),
        ({_USER: {"allowedMcpServers": _names("plugin:kit:api")}}, ""),
        ({_USER: {"allowedMcpServers": [{"serverCommand": ["x", "a"]}]}}, "api"),
        (
            {_USER: {"allowedMcpServers": [{"serverCommand": ["x", "one"]}, *_names("two")]}},
            "one",
        ),
        (
            {_USER: {"allowedMcpServers": [{"serverUrl": "http://h:9/*"}, *_names("two")]}},
            "two rem",
        ),
        (
            {_USER: {"allowedMcpServers": _names("two")}, _SHARED: {"allowedMcpServers": []}},
            "two",
        ),
        (
            {
                _USER: {"allowedMcpServers": _names("two", "one")},
                _SHARED: {"deniedMcpServers": _names("one")},
            },
            "two",
        ),
        (
            {
                _USER: {"allowedMcpServers": _names("two")},
                _MANAGED: {
                    "allowedMcpServers": _names("one", "usr"),
                    "allowManagedMcpServersOnly": True,
                },
            },
            "one usr",
        ),
        (
            {
                _USER: {"allowedMcpServers": _names("two")},
                _MANAGED: {"allowManagedMcpServersOnly": True},
            },
            "usr one two rem api",
        ),
        (
            {
                _USER: {"allowedMcpServers": _names("two")},
                _SHARED: {"allowManagedMcpServersOnly": True},
            },
            "two",
        ),
        ({_MANAGED_SERVERS: {"mcpServers": {"adm": {"command": "y"}}}}, "adm"),
        ({_MANAGED_SERVERS: {"mcpServers": {}}}, ""),
        (
            {
                _MANAGED_SERVERS: {"mcpServers": {"adm": {}, "adb": {}}},
                _MANAGED: {"deniedMcpServers": _names("adm")},
                _USER: {"deniedMcpServers": _names("adb")},
            },
            "adb",
        ),
    ],
)
def test_a_server_that_the_settings_deny_or_do_not_allow_has_no_tools(
    files: dict[str, dict[str, object]], left: str, tmp_path: Path
) -> None:
    shared = {name: {"command": "x", "args": [name]} for name in ("one", "two")}
    plugin = {"name": "kit", "mcpServers": {"api": {"command": "x", "args": ["a"]}}}
    folder = "~/.claude/plugins"
    places = {"kit@m": [{"installPath": str(tmp_path / "home/.claude/plugins/kit")}]}
    every = {
        f"{folder}/kit/.claude-plugin/plugin.json": plugin,
        f"{folder}/installed_plugins.json": {"version": 2, "plugins": places},
        ".mcp.json": {"mcpServers": {**shared, "rem": {"type": "http", "url": "HTTP://h:9"}}},
        "~/.claude.json": {"mcpServers": {"usr": {"command": "x", "args": ["usr"]}}},
        **files,
        _USER: {"enabledPlugins": {"kit@m": True}, **files.get(_USER, {})},
    }
    text = "".join(f"//- {name}\n{json.dumps(values)}\n" for name, values in every.items())
    made = fixture(tmp_path, text, variables={"managed-settings": str(tmp_path / "workspace/m")})
    found = {name.removeprefix("plugin_kit_") for name, *_ in _found(made, "claude")}
    assert found == set(left.split())


_SWITCHES = "~/.gemini/mcp-server-enablement.json"


# As agents of Gemini CLI 0.61.0 had their tools, 2026-11-30.
@pytest.mark.parametrize(
    ("enablement", "user", "project", "left"),
    [
        ("", {}, {}, {"one", "Two", "three"}),
        ('{"two": {"enabled": false}, "ONE": {"enabled": false}}', {}, {}, {"one", "three"}),
        ('{"three": {"enabled": 0}}', {}, {}, {"one", "Two"}),
        (
            '{"two": {"enabled": null}, "one": {"enabled": "false"}, "three": false}',
            *({}, {}),
            {"one", "Two", "three"},
        ),
        ('{"one": {"enabled": false}} // x', {}, {}, {"one", "Two", "three"}),
        ("", {"excluded": ["one", "two"]}, {"excluded": ["Two", "THREE", " three"]}, {"three"}),
        ("", {"excluded": "one"}, {}, {"one", "Two", "three"}),
        ("", {"excluded": ["*"]}, {}, set()),
        ("", {"excluded": ["t*"]}, {}, {"one", "Two", "three"}),
        ("", {"allowed": ["*"]}, {}, set()),
        ("", {"allowed": ["one", "Two"]}, {}, {"one", "Two"}),
        ("", {"allowed": ["one", "Two"]}, {"allowed": ["two", "three"]}, {"Two"}),
        ("", {"allowed": ["ONE", "two"]}, {}, set()),
        ("", {"allowed": ["one"]}, {"allowed": ["three"]}, {"one", "Two", "three"}),
        ("", {"allowed": []}, {}, {"one", "Two", "three"}),
    ],
)
def test_a_server_that_gemini_cli_switches_off_has_no_tools(
    enablement: str,
    user: dict[str, object],
    project: dict[str, object],
    left: set[str],
    tmp_path: Path,
) -> None:
    own = {"mcpServers": {"one": {}, "Two": {}}, "mcp": user}
    shared = {"mcpServers": {"three": {}}, "mcp": project}
    files = {"~/.gemini/settings.json": own, ".gemini/settings.json": shared}
    text = "".join(f"//- {name}\n{json.dumps(values)}\n" for name, values in files.items())
    made = fixture(tmp_path, f"{text}//- {_SWITCHES}\n{enablement}\n")
    dialect = dialect_by_id("gemini")
    assert dialect is not None

    found = mcp_servers(dialect, made.root, made.workspace.host_paths, made.workspace.files)

    assert {one.name for one in found} == left


def test_completion_and_hover_follow_the_switches_of_gemini_cli(tmp_path: Path) -> None:
    config = '//- ~/.gemini/settings.json\n{"mcpServers": {"one": {}, "Two": {}}}\n'
    off = f'//- {_SWITCHES}\n{{"two": {{"enabled": false}}}}\n'
    agent = "//- .gemini/agents/a.md\n---\nname: a\ndescription: d\ntools: [mcp_{}]\n---\nB\n"
    made = fixture(tmp_path / "c", f"{agent.format('$0')}{config}{off}")
    offered = {one.label for one in complete(made.workspace, made.path, made.offset)}
    assert {one for one in offered if one.startswith(("mcp_o", "mcp_T"))} == {"mcp_one_*"}

    made = fixture(tmp_path / "h", f"{agent.format('Two$0_x')}{config}{off}")
    shown = hover(made.workspace, made.path, made.offset)
    assert shown is not None
    assert ", and switched off" in shown.markdown


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
        ("plugin_tools_api", "mcp__plugin_tools_api__", "plugin.json"),
        ("plugin_tools_db", "mcp__plugin_tools_db__", ".mcp.json"),
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


SERVER = {"command": "x"}


def plugins(tmp_path: Path) -> dict[str, object]:
    """Installed plugins, as they were run with Claude Code 2.1.332, 2026-11-29."""
    cache = tmp_path / "home/.claude/plugins/cache"
    manifests: dict[str, object] = {
        "inline": {"name": "inline", "mcpServers": {"api": SERVER, "same": SERVER}},
        "path": {"name": "path", "mcpServers": "./my-mcp.json"},
        "list": {"name": "list", "mcpServers": ["./my-mcp.json", {"inl": SERVER}]},
        "key": {"name": "real"},
        "fault": {"name": "fault", "mcpServers": "my-mcp.json"},
        "off": {"name": "off"},
    }
    files: dict[str, object] = {
        f"~/.claude/plugins/cache/{name}/.claude-plugin/plugin.json": manifest
        for name, manifest in manifests.items()
    }
    for name in ("inline", "key", "fault", "off", "bare"):
        servers = {"other": SERVER, "same": {**SERVER, "enabled": False}}
        text = servers if name == "bare" else {"mcpServers": servers}
        files[f"~/.claude/plugins/cache/{name}/.mcp.json"] = text
    for name in ("path", "list"):
        files[f"~/.claude/plugins/cache/{name}/my-mcp.json"] = {"mcpServers": {"named": SERVER}}
    places = {
        f"{name}@m": [{"installPath": str(cache / name)}] for name in (*manifests, "bare", "gone")
    }
    files["~/.claude/plugins/installed_plugins.json"] = {"version": 2, "plugins": places}
    is_on = {name: name != "off@m" for name in places}
    files["~/.claude/settings.json"] = {"enabledPlugins": is_on}
    return files


def test_a_session_has_the_servers_of_the_plugins_that_are_on(tmp_path: Path) -> None:
    files = plugins(tmp_path)
    made = fixture(tmp_path, "".join(f"//- {n}\n{json.dumps(v)}\n" for n, v in files.items()))
    assert _found(made, "claude") == [
        ("plugin_inline_api", "mcp__plugin_inline_api__", "plugin.json"),
        ("plugin_inline_same", "mcp__plugin_inline_same__", "plugin.json"),
        ("plugin_inline_other", "mcp__plugin_inline_other__", ".mcp.json"),
        ("plugin_path_named", "mcp__plugin_path_named__", "my-mcp.json"),
        ("plugin_list_inl", "mcp__plugin_list_inl__", "plugin.json"),
        ("plugin_list_named", "mcp__plugin_list_named__", "my-mcp.json"),
        ("plugin_real_other", "mcp__plugin_real_other__", ".mcp.json"),
        ("plugin_real_same", "mcp__plugin_real_same__", ".mcp.json"),
        ("plugin_bare_other", "mcp__plugin_bare_other__", ".mcp.json"),
        ("plugin_bare_same", "mcp__plugin_bare_same__", ".mcp.json"),
    ]
    dialect = dialect_by_id("claude")
    assert dialect is not None
    host_paths, disk = made.workspace.host_paths, made.workspace.files
    texts = {
        one.name: place_of(one, disk).of((disk.read(one.path) or disk.lines(one.path)).text)
        for one in mcp_servers(dialect, made.root, host_paths, disk)
    }
    assert texts == {name: f'"{name.rpartition("_")[2]}"' for name in texts}


def test_a_marketplace_configures_servers_of_a_plugin_without_manifest(tmp_path: Path) -> None:
    entries = [
        {"name": "only", "source": "./only", "mcpServers": {"api": SERVER}},
        {"name": "both", "source": "./both", "mcpServers": {"api": SERVER}},
    ]
    market = {"name": "m", "owner": {"name": "o"}, "plugins": [5, *entries]}
    made = fixture(
        tmp_path,
        f"//- .claude-plugin/marketplace.json\n{json.dumps(market)}\n"
        "//- only/agents/a.md\nA.\n"
        '//- both/.claude-plugin/plugin.json\n{"name": "both"}\n',
    )
    assert _found(made, "claude", made.root / "only") == [
        ("plugin_only_api", "mcp__plugin_only_api__", "marketplace.json")
    ]
    assert _found(made, "claude", made.root / "both") == []
    dialect = dialect_by_id("claude")
    assert dialect is not None
    [one] = mcp_servers(
        dialect, made.root / "only", made.workspace.host_paths, made.workspace.files
    )
    assert one.path == made.root / ".claude-plugin/marketplace.json"
    text = json.dumps(market)
    assert place_of(one, made.workspace.files).start == text.index('"api"')


# The scenes were run with Gemini CLI 0.61.0 and Qwen Code 0.24.4, 2026-11-29.
@pytest.mark.parametrize(
    ("system", "folder", "manifest", "without_version"),
    [
        ("gemini", ".gemini", "gemini-extension.json", []),
        ("qwen", ".qwen", "qwen-extension.json", ["nover"]),
    ],
)
def test_a_session_has_the_servers_of_the_extensions_that_are_on(
    system: str, folder: str, manifest: str, without_version: list[str], tmp_path: Path
) -> None:
    root = tmp_path / "workspace"
    off = {"off": {"overrides": ["!/*"]}, "here": {"overrides": [f"!{root}/*"]}}
    files: dict[str, object] = {
        f"{folder}/settings.json": {"mcpServers": {"own": {**SERVER, "enabled": False}}},
        f"~/{folder}/settings.json": {"mcpServers": {"user": SERVER}},
        f"~/{folder}/extensions/extension-enablement.json": off,
    }
    for name in ("off", "here", "one", "other"):
        called = {"other": "renamed"}.get(name, name)
        said = {"name": called, "version": "1.0.0", "mcpServers": {f"of_{name}": SERVER}}
        files[f"~/{folder}/extensions/{name}/{manifest}"] = said
    files[f"~/{folder}/extensions/nover/{manifest}"] = {"mcpServers": {"nover": SERVER}}
    files[f"~/{folder}/extensions/broken/{manifest}"] = "{"
    texts = {name: one if isinstance(one, str) else json.dumps(one) for name, one in files.items()}
    texts[f"~/{folder}/settings.json"] = f"// mine\n{texts[f'~/{folder}/settings.json']}"
    made = fixture(tmp_path, "".join(f"//- {n}\n{text}\n" for n, text in texts.items()))
    found = [name for name, _, _ in _found(made, system)]
    assert found == ["own", "user", *without_version, "of_one", "of_other"]


def test_qwen_reads_the_shared_servers_of_a_project_between_its_own_settings(
    tmp_path: Path,
) -> None:
    made = fixture(
        tmp_path,
        """
        //- .qwen/settings.json
        {"mcpServers": {"a": {}}}
        //- .mcp.json
        // shared
        {"mcpServers": {"a": {}, "b": {}}}
        //- ~/.qwen/settings.json
        {"mcpServers": {"b": {}, "c": {}}}
        """,
    )
    assert _found(made, "qwen") == [
        ("a", "mcp__a__", "settings.json"),
        ("b", "mcp__b__", ".mcp.json"),
        ("c", "mcp__c__", "settings.json"),
    ]
