"""What Claude Code makes of plugins: which folders are some, which files count, what they do.

`tests/conformance/claude-plugins.jsonl` has the answers of the runtime, 2.1.332: `files`, and the
`agents` that a session was told of, with `--plugin-dir` or a marketplace in the folder `bundle`.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from agent_lsp.dialects import SYSTEMS
from agent_lsp.dialects.claude.dialect import DIALECT
from agent_lsp.dialects.claude.plugins import bundle, enabled
from agent_lsp.installed import installed
from agent_lsp.model.runtime import Call, Spawn
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import HostPaths
from agent_lsp.workspace.scopes import session_root
from agent_lsp.workspace.search import template_folders, templates
from agent_lsp.workspace.snapshot import Workspace, template_file
from tests.dialects.test_claude import NAMES, said
from tests.fixture import Fixture, fixture
from tests.recorded import each

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "conformance/claude-plugins.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
MARKET = (
    '//- .claude-plugin/marketplace.json\n{"name": "m", "owner": {"name": "o"}, "plugins": [%s]}\n'
)
PLUGIN = "//- kit/.claude-plugin/plugin.json\n%s\n"
AGENT = "---\nname: a\ndescription: d\n---\nYou help.\n"


def messages(made: Fixture) -> list[str]:
    """What is said of the file under test, each with its severity and code."""
    found = diagnostics(made.workspace, made.path)
    return [f"{one.severity.name.lower()}[{one.code}] {one.message}" for one in found]


@each(CASES)
def test_plugins_have_the_agents_that_the_runtime_finds(
    case: Mapping[str, Any], tmp_path: Path
) -> None:
    root = tmp_path / "workspace"
    for name, text in case["files"].items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    files, hosts = Files(), HostPaths(tmp_path / "home", installed("templates"))
    workspace = Workspace(files, SYSTEMS, hosts, (root,))
    folders = filter(None, template_folders(workspace, root))
    roots = {session_root(DIALECT.system, folder, files) for folder in folders}
    found: dict[str, str] = {}
    for start in filter(None, {*roots, root / case["bundle"]}):
        answer = json.loads(
            json.dumps(DIALECT.calls.list_agents(catalog(workspace, DIALECT, start), Call({})))
        )
        rows = (row for row in answer["agents"] if not row["shadowed"])
        found |= {row["name"]: row["description"] for row in rows if ":" in row["name"]}

    assert found == case["agents"]


def test_a_marketplace_is_enough_to_make_a_folder_a_plugin(tmp_path: Path) -> None:
    listed = '{"name": "kit", "source": "./plugins/kit"}'
    made = fixture(tmp_path, f"//- plugins/kit/agents/a.md\n{AGENT}{MARKET % listed}")
    found = template_file(made.workspace, made.path)

    assert found is not None
    assert (found.name, found.scope.label) == ("kit:a", "plugin")
    assert found.root == made.root / "plugins/kit"
    assert list(templates(made.workspace)) == [made.path]


def test_a_folder_that_no_manifest_speaks_of_is_none(tmp_path: Path) -> None:
    listed = '{"name": "kit", "source": "./plugins/kit"}'
    made = fixture(tmp_path, f"//- plugins/other/agents/a.md\n{AGENT}{MARKET % listed}")

    assert template_file(made.workspace, made.path) is None


def test_a_manifest_counts_from_the_next_look_after_it_has_changed(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- kit/agents/a.md\n{AGENT}{PLUGIN % '{}'}")
    assert said(made) == ["error[plugin-agent]"]
    manifest = made.root / "kit/.claude-plugin/plugin.json"
    manifest.write_text('{"name": "kit"}', encoding="utf-8")
    made.workspace.files.changed(manifest)

    assert said(made) == []


@pytest.mark.parametrize(
    ("manifest", "why"),
    [
        ("{", "`.claude-plugin/plugin.json` is not JSON"),
        ("{}", "in `.claude-plugin/plugin.json`, there is no `name`"),
        ('{"name": "my kit"}', "`my kit` cannot be a name"),
        ('{"name": "kit", "agents": "./agents"}', "`./agents` in `agents` does not end in `.md`"),
        ('{"name": "kit", "agents": ["agents/a.md"]}', "does not begin with `./`"),
        ('{"name": "kit", "version": 5}', "`version` is not a string"),
        ('{"name": "kit", "agents": ["./agents/b.md"]}', "but not this file; add it there"),
        ('{"name": "kit", "agents": []}', "but not this file; add it there"),
    ],
)
def test_an_agent_that_its_plugin_loses_is_told_once_with_the_reason(
    manifest: str, why: str, tmp_path: Path
) -> None:
    text = "---\nname: a\ndescription: d\ntools: Nonsense\nmodel: [x]\n---\nYou help.\n"
    made = fixture(tmp_path, f"//- kit/agents/a.md\n{text}{PLUGIN % manifest}")
    (found,) = messages(made)

    assert found.startswith("error[plugin-agent] the runtime does not load this agent: ")
    assert why in found


@pytest.mark.parametrize("manifest", ["{}", '{"name": "kit", "agents": ["./agents/b.md"]}'])
def test_a_note_in_a_folder_that_does_not_count_is_none_of_our_business(
    manifest: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, f"//- kit/agents/README.md\n# Agents\n{PLUGIN % manifest}")

    assert said(made) == []


def test_only_the_files_that_a_manifest_names_elsewhere_are_templates(tmp_path: Path) -> None:
    manifest = '{"name": "kit", "agents": ["./more/a.md"]}'
    source = f"//- kit/more/a.md\n{AGENT}//- kit/more/b.md\n{AGENT}{PLUGIN % manifest}"
    made = fixture(tmp_path, source)

    assert list(templates(made.workspace)) == [made.path]
    found = template_file(made.workspace, made.path)
    assert found is not None
    assert (found.name, found.root) == ("kit:a", made.root / "kit")


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "README.md",
            "# Agents\n",
            "warning[plugin-agent] the plugin loads this file as the agent `kit:README`",
        ),
        (
            "x.md",
            "You help.\n",
            "information[plugin-agent] no header: the plugin loads this file as the agent `kit:x`",
        ),
        ("x.md", "", "information[plugin-agent] no header"),
        (
            "x.md",
            "---\nname: a\ndescription: d\n\nYou help.\n",
            "warning[plugin-agent] the header is not closed",
        ),
        ("x.md", f"\n{AGENT}", "warning[plugin-agent] the header does not start in the first line"),
        (
            "x.md",
            "---\nname: a\n---\nx\n",
            "information[plugin-agent] the agent `kit:a` has no `description`",
        ),
    ],
)
def test_a_file_of_a_plugin_that_is_another_agent_than_it_says_is_told_once(
    name: str, text: str, expected: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, f"//- kit/agents/{name}\n{text}" + PLUGIN % '{"name": "kit"}')
    (found,) = messages(made)

    assert found.startswith(expected)


@pytest.mark.parametrize(
    ("text", "prompt"),
    [
        ("# Title\n\nYou help.\n", "# Title\n\nYou help."),
        ("---\nname: q\ntools: Read\n\nYou help.\n", "---\nname: q\ntools: Read\n\nYou help."),
        ('---\nname: "q\ntools: Read\n---\nYou help.\n', "You help."),
    ],
)
def test_without_a_header_that_is_read_an_agent_has_every_tool(
    text: str, prompt: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, f"//- kit/agents/x.md\n{text}" + PLUGIN % '{"name": "kit"}')
    found = catalog(made.workspace, DIALECT, made.root / "kit")
    spawn = DIALECT.calls.spawn(
        found, Call({"subagent_type": "kit:x", "prompt": "Go."}, tools=NAMES)
    )

    assert isinstance(spawn, Spawn)
    assert spawn.prompt[0].text == prompt
    assert "Write" in {verdict.tool for verdict in spawn.toolset.kept}


def test_a_custom_agent_of_copilot_in_a_plugin_is_told_once(tmp_path: Path) -> None:
    header = "tools: ['search/codebase', 'edit', 'runCommands']\nmodel: GPT-4.1\nhandoffs: []"
    text = f"---\ndescription: d\n{header}\n---\nYou help.\n"
    source = f"//- kit/agents/x.agent.md\n{text}" + PLUGIN % '{"name": "kit"}'
    (found,) = messages(fixture(tmp_path, source))

    assert found.startswith("information[other-system] `tools` and `handoffs` belong to another")


def test_a_file_of_that_name_with_tools_of_claude_is_its_own(tmp_path: Path) -> None:
    text = "---\nname: x\ndescription: d\ntools: Read, mcp__github, Nonsense\n---\nYou help.\n"
    manifest = PLUGIN % '{"name": "kit"}'
    own = text.replace(", Nonsense", "")
    made = fixture(tmp_path, f"//- kit/agents/x.agent.md\n{own}{manifest}")

    assert messages(made) == []


@pytest.mark.parametrize(
    "text", ["[]", '{"plugins": 5}', '{"plugins": [5, {"source": {}}]}', "\ufeff{"]
)
def test_any_marketplace_is_read_without_an_error(text: str) -> None:
    assert bundle(None, ((text, "kit"),), "kit") is None


def test_an_upper_case_extension_counts_in_a_plugin_alone(tmp_path: Path) -> None:
    source = f"//- kit/agents/a.MD\n{AGENT}//- .claude/agents/b.MD\n{AGENT}"
    made = fixture(tmp_path, source + PLUGIN % '{"name": "kit"}')
    project = template_file(made.workspace, made.root / ".claude/agents/b.MD")
    plugin = template_file(made.workspace, made.path)

    assert project is None or project.name is None
    assert plugin is not None
    assert plugin.name == "kit:a"


def test_a_session_has_the_installed_plugins_that_settings_turn_on(tmp_path: Path) -> None:
    """As a real installation of two plugins wrote it, one of them for one project."""
    cache, home = tmp_path / "home/.claude/plugins/cache/m", tmp_path / "home/.claude"
    made = fixture(tmp_path, f"//- .claude/agents/a.md\n{AGENT}//- sub/x.md\n//- other/x.md\n")
    plugins = {
        "x@m": [{"scope": "user", "installPath": str(cache / "x/unknown")}],
        "y@m": [
            {
                "scope": "project",
                "installPath": str(cache / "y/1.2.0"),
                "projectPath": str(made.root),
            }
        ],
    }
    texts = {
        home / "plugins/installed_plugins.json": {"version": 2, "plugins": plugins},
        home / "settings.json": {"enabledPlugins": {"x@m": True}},
        made.root / ".claude/settings.json": {"enabledPlugins": {"y@m": True}},
        made.root / "other/.claude/settings.local.json": {"enabledPlugins": {"x@m": False}},
        cache / "y/1.2.0/.claude-plugin/plugin.json": {"name": "y"},
    }
    for path, values in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values), encoding="utf-8")
    for place in ("x/unknown", "y/1.2.0"):
        (cache / place / "agents").mkdir(parents=True, exist_ok=True)
        (cache / place / "agents/a.md").write_text(AGENT, encoding="utf-8")
    made.workspace.files.refresh()

    def own(root: Path) -> list[str]:
        found = catalog(made.workspace, DIALECT, root)
        return [
            name for name in found.names if not all(c.scope.builtin for c in found.candidates(name))
        ]

    assert own(made.root) == ["a", "x:a", "y:a"]
    assert own(made.root / "sub") == ["a", "x:a"]
    assert own(made.root / "other") == ["a"]


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"plugins": 5}',
        '{"plugins": {"x@m": 5}}',
        '{"plugins": {"x@m": [5, {"installPath": 5}]}}',
    ],
)
def test_any_list_of_plugins_is_read_without_an_error(text: str) -> None:
    assert enabled((text, '{"enabledPlugins": {"x@m": true}}', "[]", None), "/x") == ()


def test_a_wrong_value_costs_less_in_a_plugin(tmp_path: Path) -> None:
    text = "---\nname: a\ndescr$0iption: d\n---\nYou help.\n"
    costs = []
    for at, path in enumerate((".claude/agents/a.md", "kit/agents/a.md")):
        kit = PLUGIN % '{"name": "kit"}'
        made = fixture(tmp_path / str(at), f"//- {path}\n{text}{kit}")
        shown = hover(made.workspace, made.path, made.offset)
        assert shown is not None
        costs += [one for one in shown.markdown.splitlines() if "does not take" in one]
    assert costs == [
        "- with a type of value that it does not take: the runtime skips the file",
        "- with a type of value that it does not take: the runtime ignores it",
    ]


def test_the_hover_on_an_agent_that_its_plugin_loses_says_why(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- kit/agents/a.md\n{AGENT}{PLUGIN % '{}'}")
    shown = hover(made.workspace, made.path, 0)

    assert shown is not None
    assert "**The runtime does not load this agent**" in shown.markdown
    assert "there is no `name`" in shown.markdown
    assert "found by sessions" not in shown.markdown


def test_the_agents_of_a_folder_that_a_manifest_names_are_told_as_lost(tmp_path: Path) -> None:
    manifest = PLUGIN % '{"name": "kit", "agents": "./own"}'
    made = fixture(tmp_path, f"//- kit/own/a.md\n{AGENT}{manifest}")
    [said] = diagnostics(made.workspace, made.path)

    assert (said.code, said.severity.name) == ("plugin-agent", "ERROR")
    assert "name files there, not a folder" in said.message


def test_a_file_that_a_manifest_names_and_that_is_missing_is_told_once(tmp_path: Path) -> None:
    names = '["./agents/b.md", "./agents/a.md", "./agents/gone.md"]'
    manifest = PLUGIN % f'{{"name": "kit", "agents": {names}}}'
    other = AGENT.replace("name: a", "name: b")
    made = fixture(tmp_path, f"//- kit/agents/a.md\n{AGENT}//- kit/agents/b.md\n{other}{manifest}")
    [said] = diagnostics(made.workspace, made.path)

    assert (said.code, said.severity.name) == ("plugin-agent", "WARNING")
    assert "also names `gone.md` in this folder, where there is no such file" in said.message
    assert diagnostics(made.workspace, made.root / "kit/agents/b.md") == ()


@pytest.mark.parametrize("folder", ["agent", ".claude-plugin/agents"])
def test_a_wrong_folder_in_a_plugin_is_told(tmp_path: Path, folder: str) -> None:
    manifest = PLUGIN % '{"name": "kit"}'
    made = fixture(tmp_path, f"//- kit/{folder}/a.md\n{AGENT}{manifest}")
    [said] = diagnostics(made.workspace, made.path)

    assert (said.code, said.severity.name) == ("misplaced", "WARNING")
    assert said.message.endswith("move it to `kit/agents/a.md`")


def test_a_second_entry_of_one_name_in_a_marketplace_loses_its_agents(tmp_path: Path) -> None:
    entries = [{"name": "kit", "source": f"./{folder}"} for folder in ("one", "two")]
    market = json.dumps({"name": "m", "owner": {"name": "o"}, "plugins": entries})
    agents = f"//- two/agents/a.md\n{AGENT}//- one/agents/a.md\n{AGENT}"
    made = fixture(tmp_path, f"{agents}//- .claude-plugin/marketplace.json\n{market}\n")
    [said] = diagnostics(made.workspace, made.path)

    assert (said.code, said.severity.name) == ("plugin-agent", "ERROR")
    assert "an entry above has the name `kit`, too, and only that one is used" in said.message
    assert diagnostics(made.workspace, made.root / "one/agents/a.md") == ()


@pytest.mark.parametrize("key", ["name", "description"])
def test_in_a_plugin_no_key_is_required(tmp_path: Path, key: str) -> None:
    """The case `manifest` has agents without each of them."""
    manifest = PLUGIN % '{"name": "kit"}'
    made = fixture(tmp_path, f"//- kit/agents/a.md\n{AGENT}{manifest}")
    found = hover(made.workspace, made.path, made.text.index(f"{key}:"))

    assert found is not None
    assert "required" not in found.markdown
    assert "skips" not in found.markdown
    assert "no agent" not in found.markdown
    assert "with a type of value that it does not take: the runtime ignores it" in found.markdown


@pytest.mark.parametrize("text", ["Review the change.\n", "---\nname: a\nReview the change.\n"])
def test_in_a_plugin_a_file_without_a_header_is_an_agent(tmp_path: Path, text: str) -> None:
    manifest = PLUGIN % '{"name": "kit"}'
    made = fixture(tmp_path, f"//- kit/agents/a.md\n{text}{manifest}")
    found = hover(made.workspace, made.path, 0)

    assert found is not None
    assert found.markdown.splitlines()[0].endswith(
        ": the plugin has the agent all the same, by the name of its file**"
    )
    assert "**This file is `kit:a`**" in found.markdown
