"""Which MCP servers a template may name, and what is said of others."""

import json
from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.navigation.definition import configured_at
from agent_lsp.options import Extras, Options
from agent_lsp.text import apply
from agent_lsp.workspace.snapshot import template_file
from tests.checks.conftest import Check, Said
from tests.fixture import Fixture, fixture
from tests.recorded import each

GITHUB = '{"mcpServers": {"github": {"command": "x"}}}'
CLAUDE = "//- .claude/agents/a.md\n---\nname: a\ndescription: A.\n{}\n---\nB.\n"
JSON = "//- .mcp.json\n" + GITHUB + "\n"
# A header with one misspelt and one right entry, its configuration, and the entry that is meant.
SYSTEMS = {
    "claude": (CLAUDE.format("tools: mcp__githb__x, mcp__github"), JSON),
    "codex-templates": (
        (
            "//- .codex/.agents/a.md\n---\ndescription: A.\nallow_list: [mcp__githb__x, "
            "mcp__github__y]\n---\nB.\n"
        ),
        '//- ~/.codex/config.toml\n[mcp_servers.github]\ncommand = "x"\n',
    ),
    "codex-subagents": (
        (
            "//- .codex/agents/a.md\n---\nname: a\ndescription: A.\ntools: [githb__x, github__y]\n"
            "---\nB.\n"
        ),
        '//- ~/.codex/config.toml\n[mcp_servers.github]\ncommand = "x"\n',
    ),
    "kodacode": (
        (
            "//- .kodacode/agents/a.md\n---\ndescription: A.\nAllowTools: [mcp_githb__x, "
            "mcp_github__y]\n---\nB.\n"
        ),
        "//- ~/.config/kodacode/config.yaml\nmcp:\n  servers:\n    - name: github\n",
    ),
    "moltis-agents": (
        (
            "//- .moltis/agents/a.md\n---\nname: a\ndescription: A.\ntools: mcp__githb__x, "
            "mcp__github__y\n---\nB.\n"
        ),
        '//- moltis.toml\n[mcp.servers.github]\ncommand = "x"\n',
    ),
    "gemini": (
        (
            "//- .gemini/agents/a.md\n---\nname: a\ndescription: A.\ntools: [mcp_githb_x, "
            "mcp_github_*]\n---\nB.\n"
        ),
        "//- .gemini/settings.json\n" + GITHUB + "\n",
    ),
    "qwen": (
        (
            "//- .qwen/agents/reviewer.md\n---\nname: reviewer\ndescription: Reviews a change.\n"
            "tools: [mcp__githb__x, mcp__github__y]\n---\nReview the change.\n"
        ),
        "//- .qwen/settings.json\n" + GITHUB + "\n",
    ),
    "opencode": (
        (
            "//- .opencode/agents/a.md\n---\ndescription: A.\nmode: subagent\npermission:\n"
            "  githb_*: allow\n  github_y: allow\n---\nB.\n"
        ),
        '//- opencode.json\n{"mcp": {"github": {"type": "local", "command": ["x"]}}}\n',
    ),
    "copilot": (
        (
            "//- .github/agents/a.agent.md\n---\nname: a\ndescription: A.\ntools: [githb/x, "
            "github/*]\n---\nB.\n"
        ),
        '//- .vscode/mcp.json\n{"servers": {"github": {"command": "x"}}}\n',
    ),
}


def _told(said: list[Said]) -> list[tuple[str, str]]:
    return [(one.at, one.severity) for one in said if one.code == "unknown-server"]


@each(SYSTEMS, called=str)
def test_a_misspelt_server_is_a_warning_in_every_system_and_its_fix_is_the_server(
    system: str, tmp_path: Path
) -> None:
    header, configuration = SYSTEMS[system]
    made = fixture(tmp_path, header + configuration)
    found = [one for one in diagnostics(made.workspace, made.path) if one.code == "unknown-server"]
    assert [(one.span.of(made.text), one.severity.name) for one in found] == [("githb", "WARNING")]
    at = made.text.index("githb")
    [fix] = [
        one for one in fixes(made.workspace, made.path) if one.diagnostic.code == "unknown-server"
    ]
    assert apply(made.text, fix.edits) == made.text.replace("githb", "github")
    assert _configured_at(made, at) is None
    assert _configured_at(made, made.text.index("github")) == "github"


def _configured_at(made: Fixture, offset: int) -> str | None:
    """The text to which the definition of a server leads."""
    file = template_file(made.workspace, made.path)
    found = configured_at(file, offset) if file is not None else None
    text = made.workspace.files.read(found[0]) if found is not None else None
    return found[1].of(text.text).strip('"') if found is not None and text is not None else None


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("tools: mcp__linear__a, mcp__sentry, mcp__linear__b", [("linear", "information")]),
        ("tools: mcp__GitHub__x", [("GitHub", "warning")]),
        ("disallowedTools: mcp__githb__x", [("githb", "warning")]),
        ("tools: mcp__github2__x", [("github2", "information")]),
        ("mcpServers: [githb, github]", [("githb", "warning")]),
        ("mcpServers:\n  - linear:\n      command: x\ntools: mcp__linear__a", []),
        ("tools: mcp__ide__x, mcp__claude_ai_Gmail__y, mcp__plugin_a_b__c, mcp__*", []),
        ("tools: mcp__Claude_Browser__x, mcp__remote-devices__y, mcp__computer-use__z", []),
        ("mcpServers: ['plugin:a:b']", []),
    ],
)
def test_what_is_said_of_servers(
    header: str, expected: list[tuple[str, str]], check: Check
) -> None:
    assert _told(check(CLAUDE.format(header) + JSON)) == expected


@pytest.mark.parametrize("text", ["", "{", "[]", '{"mcpServers": []}', '{"mcpServers": {}}'])
def test_without_a_configured_server_nothing_is_said(text: str, check: Check) -> None:
    source = CLAUDE.format("tools: mcp__linear__a") + f"//- .mcp.json\n{text}\n"
    assert _told(check(source)) == []


def test_a_users_own_configuration_and_names_in_settings_count(check: Check) -> None:
    header = CLAUDE.format("tools: mcp__linear__a, mcp__sentry__b")
    of_user = '//- ~/.claude.json\n{"mcpServers": {"linear": {"command": "x"}}}\n'
    options = Options(extras={"claude": Extras(tools=("mcp__sentry__*",))})
    assert _told(check(header + JSON + of_user)) == [("sentry", "information")]
    assert _told(check(header + JSON + of_user, options)) == []


def test_a_server_that_is_switched_off_is_configured(check: Check) -> None:
    header, _ = SYSTEMS["codex-templates"]
    off = '//- ~/.codex/config.toml\n[mcp_servers.githb]\nenabled = false\ncommand = "x"\n'
    assert _told(check(header + off))[:1] == [("github", "warning")]


def _installed(tmp_path: Path, *names: str) -> str:
    """The files of an installed plugin with the servers of these names."""
    folder = tmp_path / "home/.claude/plugins/cache/kit"
    files = {
        "plugins/cache/kit/.claude-plugin/plugin.json": {"name": "kit-one"},
        "plugins/cache/kit/.mcp.json": {"mcpServers": {name: {"command": "x"} for name in names}},
        "plugins/installed_plugins.json": {"plugins": {"kit@m": [{"installPath": str(folder)}]}},
        "settings.json": {"enabledPlugins": {"kit@m": True}},
    }
    return "".join(f"//- ~/.claude/{name}\n{json.dumps(one)}\n" for name, one in files.items())


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("mcp__plugin_kit-one_github__x", []),
        ("mcp__plugin_kit-one_gihub__x", [("plugin_kit-one_gihub", "plugin_kit-one_github")]),
        ("mcp__plugin_kitone_github", [("plugin_kitone_github", "plugin_kit-one_github")]),
        ("mcp__plugin_kit-one_GitHub__x", [("plugin_kit-one_GitHub", "plugin_kit-one_github")]),
        # These may be names of another plugin, or of another server.
        ("mcp__plugin_kit-one_github2__x", []),
        ("mcp__plugin_kit-two_github__x", []),
        ("mcp__plugin_kit-one_db__x", []),
        ("mcp__plugin_kit-uno_gitlab__x", []),
    ],
)
def test_a_server_of_an_installed_plugin_may_be_misspelt(
    entry: str, expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    made = fixture(
        tmp_path, CLAUDE.format(f"tools: Read, {entry}") + _installed(tmp_path, "github")
    )
    found = [one for one in diagnostics(made.workspace, made.path) if one.code == "unknown-server"]
    assert [(one.span.of(made.text), *one.meant) for one in found] == expected
    fixed = [apply(made.text, one.edits) for one in fixes(made.workspace, made.path)]
    assert fixed == [made.text.replace(wrong, right) for wrong, right in expected]


def test_a_server_of_a_plugin_completes_and_hover_and_definition_lead_to_it(
    tmp_path: Path,
) -> None:
    text = CLAUDE.format("tools: Read, mcp__plugin_kit-one_git$0hub__x")
    made = fixture(tmp_path, text + _installed(tmp_path, "github"))
    labels = [one.label for one in complete(made.workspace, made.path, made.offset)]
    assert "mcp__plugin_kit-one_github__*" in labels
    said = hover(made.workspace, made.path, made.offset)
    assert said is not None
    assert "is configured in [~/.claude/plugins/cache/kit/.mcp.json:1]" in said.markdown
    assert _configured_at(made, made.offset) == "github"


@pytest.mark.parametrize("system", ["gemini", "qwen"])
def test_a_server_of_an_installed_extension_is_configured(system: str, check: Check) -> None:
    header, configuration = SYSTEMS[system]
    manifest = {"name": "kit", "version": "1.0.0", "mcpServers": {"githb": {"command": "x"}}}
    place = f"~/.{system}/extensions/kit/{system}-extension.json"
    extension = f"//- {place}\n{json.dumps(manifest)}\n"
    rules = {"kit": {"overrides": ["!/*"]}}
    off = f"//- ~/.{system}/extensions/extension-enablement.json\n{json.dumps(rules)}\n"
    assert _told(check(header + configuration + extension)) == []
    assert _told(check(header + configuration + extension + off)) == [("githb", "warning")]


def test_an_agent_of_the_user_may_run_where_other_servers_are(check: Check) -> None:
    source = CLAUDE.format("tools: mcp__linear__a").replace(".claude/", "~/.claude/")
    assert _told(check(source + JSON)) == []


def test_a_list_of_servers_completes_them_and_hover_says_where_they_are(tmp_path: Path) -> None:
    made = fixture(tmp_path, CLAUDE.format("mcpServers:\n  - gi$0thub") + JSON)
    labels = [one.label for one in complete(made.workspace, made.path, made.offset)]
    said = hover(made.workspace, made.path, made.offset)
    assert labels == ["github"]
    assert said is not None
    assert "The server `github` is configured in [.mcp.json:1]" in said.markdown


def test_hover_on_a_tool_of_no_server_says_so(tmp_path: Path) -> None:
    made = fixture(tmp_path, CLAUDE.format("tools: mcp__lin$0ear__a") + JSON)
    said = hover(made.workspace, made.path, made.offset)
    assert said is not None
    assert "No configuration has the server `linear`" in said.markdown
