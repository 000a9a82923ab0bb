"""What is said of Cursor's agents is what its documents say, and no more."""

from pathlib import Path

import pytest

from agent_lsp.analysis.agents_tree import in_file
from agent_lsp.analysis.conversion import convert
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import repaired
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.preview import programs
from agent_lsp.analysis.status_report import report, text
from agent_lsp.data_classes import replace
from agent_lsp.dialects.cursor.dialect import DIALECT
from agent_lsp.model.runtime import Call, RuntimeRefusal, Spawn
from agent_lsp.model.schema import Severity
from agent_lsp.options import Options
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.snapshot import as_others_read, template_file
from tests.fixture import Fixture, fixture
from tests.systems import dialect_by_id

GOOD = "name: scout\ndescription: Looks around.\n"
NAMES = tuple(tool.name for tool in DIALECT.tools.listed)


def agent(header: str, path: str = ".cursor/agents/scout.md") -> str:
    return f"//- {path}\n---\n{header}---\nYou look around.\n"


def said(made: Fixture) -> list[str]:
    return [f"{one.code}: {one.message}" for one in diagnostics(made.workspace, made.path)]


@pytest.mark.parametrize(
    "more",
    [
        "",
        "model: inherit\nreadonly: true\nis_background: false\n",
        "model: composer-2.5[]\n",
        "model: claude-opus-5[effort=high,context=300k]\n",
        "x-note: kept\n",
    ],
)
def test_a_good_file_has_no_finding(more: str, tmp_path: Path) -> None:
    assert said(fixture(tmp_path, agent(GOOD + more))) == []


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (f"{GOOD}tools: Read\n", "unknown-key: the runtime ignores `tools`: a Cursor agent has"),
        (f"{GOOD}permissionMode: plan\n", "unknown-key: the runtime ignores `permissionMode`: no"),
        (f"{GOOD}readOnly: true\n", "unknown-key: the runtime ignores `readOnly`, so the agent"),
        (f"{GOOD}background: true\n", "unknown-key: the runtime ignores `background`, so the"),
        (f"{GOOD}color: red\n", "unknown-key: the runtime ignores `color`: Cursor has no colours"),
        (f"{GOOD}model: opus\n", "unknown-model: `opus` is not the id of a model, but an alias"),
        (f"{GOOD}model: fast\n", "unknown-model: `fast` is no longer documented"),
        (f"{GOOD}model: auto\n", "unknown-model: `auto` is not documented for an agent"),
        (
            f"{GOOD}model: Claude Opus 5\n",
            "unknown-model: `Claude Opus 5` is not the id of a model",
        ),
        (f"{GOOD}model: composer-2[fast]\n", "unknown-model: the options of `composer-2[fast]`"),
        (
            "name: The Scout\ndescription: x\n",
            "agent-name: a prompt may not be able to call `/The Scout`",
        ),
        (
            "name: Scout\ndescription: x\n",
            "agent-name: `Scout` does not follow Cursor's documentation",
        ),
        ("name: bash\ndescription: x\n", "agent-name: Cursor has a built-in agent `bash`"),
        ("name: review\ndescription: x\n", "agent-name: Cursor has a built-in command `/review`"),
        ("name: scout\n", "missing-description: the header has no `description`: the model has"),
    ],
)
def test_a_mistake_has_its_finding(header: str, expected: str, tmp_path: Path) -> None:
    [found] = said(fixture(tmp_path, agent(header)))
    assert found.startswith(expected)


@pytest.mark.parametrize("key", ["readOnly", "read_only", "read-only"])
def test_misspelt_keys_are_fixed(key: str, tmp_path: Path) -> None:
    """Only on demand, because the agent then loses tools."""
    made = fixture(tmp_path, agent(f"{GOOD}{key}: true\nbackground: true\n"))
    text = repaired(made.workspace, made.path, unsafe=True) or ""
    assert "\nreadonly: true\nis_background: true\n" in text
    assert "readonly: " not in (repaired(made.workspace, made.path) or "")


@pytest.mark.parametrize(
    ("key", "program"), [("tools: Read", "Cursor"), ("readonly: true", "Claude Code")]
)
def test_no_fix_removes_what_another_program_of_the_file_uses(
    key: str, program: str, tmp_path: Path
) -> None:
    header = f"---\n{GOOD}{key}\n---\n"
    source = f"//- .cursor/agents/o.md\nx\n//- .claude/agents/a.md\n{header}Go.$0\n"
    made = fixture(tmp_path, source)
    [found] = diagnostics(made.workspace, made.path)
    assert (found.code, found.programs) == ("unknown-key", (program,))
    assert (repaired(made.workspace, made.path, unsafe=True) or made.text) == made.text


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: scout\ndescription: one: two\n---\nYou look.\n",
        "---\nname: scout\ndescription: x\nreadonly: 'yes'\n---\nYou look.\n",
        "---\nname: scout\ndescription: [x]\n---\nYou look.\n",
        "---\nname: scout\ndescription: x\n",
        "You look around.\n",
        "\ufeff---\nname: scout\ndescription: x\n---\nYou look.\n",
    ],
)
def test_what_is_not_documented_is_no_error(text: str, tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- .cursor/agents/scout.md\n{text}")
    found = diagnostics(made.workspace, made.path)
    assert all(one.severity > Severity.WARNING for one in found), said(made)


def test_a_file_that_is_not_text_is_not_said_to_be_ignored(tmp_path: Path) -> None:
    made = fixture(tmp_path, "//- .cursor/agents/scout.md\n---\n---\n")
    made.path.write_bytes(b"---\nname: scout\ndescription: \xff\n---\nYou look.\n")
    [found] = diagnostics(replace(made.workspace, files=Files()), made.path)
    assert found.message.endswith("Cursor may not load the agent (its documentation does not say)")


def test_a_file_of_claude_code_has_one_word_of_cursor_where_cursor_is_used(
    tmp_path: Path,
) -> None:
    shared = agent(
        f"{GOOD}tools: Read\ncolor: red\nmodel: opus\nbackground: true\n", ".claude/agents/scout.md"
    )
    assert said(fixture(tmp_path / "alone", shared)) == []

    [found] = said(fixture(tmp_path / "used", f"{shared}//- .cursor/rules/a.mdc\nx\n"))
    assert found.startswith("unknown-key: for Cursor: the runtime ignores `tools`")

    options = Options(programs=frozenset({"claude", "cursor"}))
    [found] = said(fixture(tmp_path / "named", shared, options=options))
    assert found.startswith("unknown-key: for Cursor: ")

    # Cursor uses its own file of the name, such as a copy that `convert` has made.
    for name, many in (("scout", 0), ("other", 1)):
        own = agent(GOOD.replace("scout", name), f".cursor/agents/{name}.md")
        assert len(said(fixture(tmp_path / f"own-{name}", f"{shared}{own}"))) == many

    options = Options(programs=frozenset({"claude"}))
    both = f"{shared}//- .cursor/rules/a.mdc\nx\n"
    assert said(fixture(tmp_path / "left-out", both, options=options)) == []


def test_the_folders_have_an_order_as_far_as_the_documents_say(tmp_path: Path) -> None:
    own, claude = agent(GOOD), agent(GOOD, ".claude/agents/scout.md")
    made = fixture(tmp_path, claude + own)
    found = catalog(made.workspace, DIALECT, made.root)
    labels = [one.scope.label for one in found.candidates("scout")]
    assert labels == ["project", "folder of Claude Code"]
    assert said(made) == []


@pytest.mark.parametrize("is_asked", [False, True])
def test_readonly_takes_edits_and_servers_away(is_asked: bool, tmp_path: Path) -> None:
    made = fixture(tmp_path, agent(GOOD if is_asked else f"{GOOD}readonly: true\n"))
    arguments = {"subagent_type": "scout", "readonly": is_asked}
    call = Call(arguments, tools=(*NAMES, "search_issues"))
    answer = DIALECT.calls.spawn(catalog(made.workspace, DIALECT, made.root), call)
    assert isinstance(answer, Spawn)
    removed = {one.tool for one in answer.toolset.removed}
    assert removed == {"Edit", "Write", "Delete", "GenerateImage", "search_issues"}
    [shell] = [one for one in answer.toolset.verdicts if one.tool == "Shell"]
    assert not shell.certain


@pytest.mark.parametrize(
    ("path", "more", "expected"),
    [
        (
            ".codex/agents/scout.md",
            "//- .cursor/rules/a.mdc\nx\n",
            ["Codex (fork tomascupr/codex)", "Cursor"],
        ),
        (
            "agents/scout.md",
            '//- .claude-plugin/plugin.json\n{"name": "kit"}\n//- .cursor-plugin/plugin.json\n{}\n',
            ["Claude Code", "Cursor"],
        ),
        ("agents/scout.md", "//- .cursor-plugin/plugin.json\n{}\n", ["Cursor"]),
    ],
)
def test_folders_of_codex_and_of_plugins_have_each_of_their_programs(
    path: str, more: str, expected: list[str], tmp_path: Path
) -> None:
    made = fixture(tmp_path, agent(GOOD, path) + more)
    file = template_file(made.workspace, made.path)
    assert file is not None
    assert [one.program for one in (file, *as_others_read(file))] == expected


@pytest.mark.parametrize(
    ("header", "is_read_only", "losses"),
    [
        ("tools: Read, Grep", True, [("WIDER", "except those that `readonly` removes, also")]),
        ("tools: Read, Edit", False, [("WIDER", "it has all tools of its session, also")]),
        ("tools: Read, mcp__a__b", False, [("WIDER", "it has all tools of its session, also")]),
        (
            "tools: Read, Edit, mcp__a__b\npermissionMode: plan",
            True,
            [
                ("WIDER", "except those that `readonly` removes, also"),
                ("LOST", "MCP server `a`: `readonly` removes them"),
                (
                    "NOTE",
                    "`permissionMode: plan`: in the other system, `readonly` forbids what changes",
                ),
            ],
        ),
    ],
)
def test_a_list_of_tools_that_change_nothing_becomes_readonly(
    header: str, is_read_only: bool, losses: list[tuple[str, str]], tmp_path: Path
) -> None:
    made = fixture(tmp_path, agent(f"{GOOD}{header}\n", ".claude/agents/scout.md"))
    file = template_file(made.workspace, made.path)
    assert file is not None
    converted = convert(file, DIALECT)
    assert isinstance(converted, tuple)
    assert ("\nreadonly: true\n" in converted[0].text) is is_read_only
    found = [(one.weight.name, one.message) for one in converted[0].losses]
    assert [name for name, _ in found] == [name for name, _ in losses]
    assert all(part in text for (_, text), (_, part) in zip(found, losses, strict=True)), found


def test_a_header_that_is_no_yaml_is_named_as_the_reason_against_a_conversion(
    tmp_path: Path,
) -> None:
    made = fixture(tmp_path, agent("name: scout\ndescription: one: two\n"))
    file = template_file(made.workspace, made.path)
    claude = dialect_by_id("claude")
    assert file is not None
    assert claude is not None
    refusal = convert(file, claude)
    assert isinstance(refusal, RuntimeRefusal)
    assert "its header is not valid YAML (mapping values are not allowed" in refusal.message


def test_a_file_without_a_header_is_said_to_be_undocumented_and_a_readme_is_no_agent(
    tmp_path: Path,
) -> None:
    bare = "//- .cursor/agents/scout.md\n# Scout\n\nYou look around.\n"
    made = fixture(tmp_path, f"{bare}//- .cursor/agents/README.md\n# Agents\n\nThese are ours.\n")
    [found] = said(made)
    assert found.startswith("header-missing: no header, and Cursor's documentation does not say")
    assert catalog(made.workspace, DIALECT, made.root).names == ("scout",)
    assert not diagnostics(made.workspace, made.path.with_name("README.md"))


def test_two_files_of_one_name_are_information_because_no_document_orders_them(
    tmp_path: Path,
) -> None:
    own = agent(GOOD) + agent(GOOD, ".cursor/agents/other.md")
    made = fixture(tmp_path, own)
    [found] = diagnostics(made.workspace, made.path)
    assert (found.code, found.severity) == ("shadowed", Severity.INFORMATION)
    assert found.message.endswith("used, and an order that is not documented decides which")


def test_a_link_to_the_same_file_is_no_other_file(tmp_path: Path) -> None:
    shared = agent(f"{GOOD}tools: Read\n", ".claude/agents/scout.md")
    options = Options(programs=frozenset({"claude", "cursor"}))
    made = fixture(tmp_path, shared, options=options)
    link = made.root / ".cursor/agents/scout.md"
    link.parent.mkdir(parents=True)
    try:
        link.symlink_to("../../.claude/agents/scout.md")
    except OSError:
        pytest.skip("no links on this system")
    found = programs.of_path(made.workspace, made.path)
    assert [(one.name, one.agent) for one in found] == [
        ("Claude Code", "scout"),
        ("Cursor", "scout"),
    ]


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ('"./agents/"', {"agents/x.md"}),
        ('"./bots/"', {"bots/x.md", "bots/y.md"}),
        ('["./bots/x.md", "more/*.md"]', {"bots/x.md", "more/z.md"}),
        # What is not followed may name each file of the folder.
        ('"agents/**/*.md"', {"agents/x.md"}),
        ("3", {"agents/x.md"}),
    ],
)
def test_the_manifest_of_a_plugin_names_its_agents(
    said: str, names: set[str], tmp_path: Path
) -> None:
    paths = ("agents/x.md", "bots/x.md", "bots/y.md", "more/z.md")
    agents = "".join(agent(f"name: {path[-4]}\ndescription: D.\n", path) for path in paths)
    manifest = f'//- .cursor-plugin/plugin.json\n{{"name": "kit", "agents": {said}}}\n'
    made = fixture(tmp_path, agents + manifest)
    found = catalog(made.workspace, DIALECT, made.root)
    winners = (one for name in found.names if (one := found.winner(name)) is not None)
    assert {one.path.relative_to(made.root).as_posix() for one in winners} == names
    codes = [one.code for one in diagnostics(made.workspace, made.path)]
    assert codes == ([] if "agents/x.md" in names else ["plugin-agent"])


def test_each_view_names_every_program_also_if_the_first_skips_the_file(tmp_path: Path) -> None:
    shared = agent("description: Looks around.\n", ".claude/agents/scout.md")
    options = Options(programs=frozenset({"claude", "copilot-vscode", "copilot-cli", "cursor"}))
    made = fixture(tmp_path, shared, options=options)
    beside: dict[str, object] = {"versions": {}, "settings": [], "timings": {}}
    for name in ("Claude Code", "VS Code", "Copilot CLI", "Cursor"):
        found = hover(made.workspace, made.path, 0)
        assert found is not None
        assert name in found.markdown
        [detail] = in_file(made.workspace, made.path)
        assert name in str(detail["programs"])
        assert name in "\n".join(text(report(made.workspace, beside)))


def test_no_document_says_whether_folders_below_count(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent(GOOD, ".cursor/agents/more/scout.md"))
    [found] = diagnostics(made.workspace, made.path)
    assert (found.code, found.severity) == ("misplaced", Severity.INFORMATION)
    assert "reads folders below `.cursor/agents` is not documented" in found.message
    shown = hover(made.workspace, made.path, 0)
    assert shown is not None
    assert "whether it reads folders below is not documented" in shown.markdown

    made = fixture(tmp_path / "sure", agent(GOOD, ".cursor/agent/scout.md"))
    [found] = diagnostics(made.workspace, made.path)
    assert (found.code, found.severity) == ("misplaced", Severity.WARNING)


def test_an_agent_of_a_plugin_should_have_a_name(tmp_path: Path) -> None:
    plugin = agent("description: D.\n", "agents/scout.md") + "//- .cursor-plugin/plugin.json\n{}\n"
    made = fixture(tmp_path, plugin)
    [found] = diagnostics(made.workspace, made.path)
    assert (found.code, found.severity) == ("agent-name", Severity.INFORMATION)
    assert "the reference of plugins asks for a `name`" in found.message
