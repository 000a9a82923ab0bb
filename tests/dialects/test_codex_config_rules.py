"""What is reported about the `[agents]` of a `config.toml`, where it stands and how grave it is."""

from pathlib import Path

import pytest

from agent_lsp.analysis import status_report
from agent_lsp.analysis.agents_tree import agents_tree
from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.navigation.definition import definition
from agent_lsp.analysis.navigation.structure import document_symbols
from agent_lsp.dialects.codex_agents.dialect import DIALECT
from agent_lsp.model.runtime import Call, RuntimeRefusal, Spawn
from agent_lsp.text import apply
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.placement import placement_at
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture

PATH = "//- .codex/config.toml\n"
FILE = 'name = "f"\ndescription = "d"\ndeveloper_instructions = "x"\n'
ROLE = '[agents.a]\ndescription = "d"\n'


def made(folder: Path, text: str, *others: str) -> Fixture:
    return fixture(folder, "".join((PATH, text, *others)))


def said(one: Fixture) -> list[str]:
    """The findings on the file under test, as `severity[code] words: message`."""
    return [
        f"{found.severity.name.lower()}[{found.code}] {found.span.of(one.text)}: {found.message}"
        for found in diagnostics(one.workspace, one.path)
    ]


def codes(one: Fixture) -> list[str]:
    return [line.partition(": ")[0] for line in said(one)]


def test_sound_roles_have_no_findings(tmp_path: Path) -> None:
    text = f"[agents]\nmax_depth = 2\n{ROLE}nickname_candidates = ['A', 'B 2']\n"
    assert said(made(tmp_path, text)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[agents]\nx = 1\n", "error[unknown-key] x"),
        ("[agents]\nmax_dept = 1\n", "error[unknown-key] max_dept"),
        ("[agents]\nmax_depth = 'two'\n", "error[wrong-type] 'two'"),
        ("[agents]\nmax_threads = 0\n", "error[invalid-value] 0"),
        ("[agents]\nmax_threads = -1\n", "error[wrong-type] -1"),
        ("agents = 1\n", "error[wrong-type] 1"),
        ("[agents.x]\ndescription = 5\n", "error[wrong-type] 5"),
        (f"sandbox_mode = 'readonly'\n{ROLE}", "error[invalid-value] 'readonly'"),
        (f"model = 5\n{ROLE}", "error[wrong-type] 5"),
        (f"{ROLE}[features]\nmulti_agent = 'no'\n", "error[wrong-type] 'no'"),
        (f"{ROLE}{ROLE}", "error[duplicate-key] a"),
        (f"{ROLE}x = \n", "error[header-invalid] "),
    ],
)
def test_what_keeps_the_program_from_starting_has_its_place(
    tmp_path: Path, text: str, expected: str
) -> None:
    one = made(tmp_path, text)
    [line] = said(one)
    assert line.startswith(expected)
    assert "Codex does not start" in line
    listed = DIALECT.calls.list_agents(catalog(one.workspace, DIALECT, one.root), Call({}))
    assert isinstance(listed, RuntimeRefusal)
    assert listed.message.startswith("Error")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[agents.a]\n", "error[missing-description] a"),
        ("[agents.a]\ndescription = ' '\n", "error[missing-description] ' '"),
        (f"{ROLE}nickname_candidates = ['Zoë']\n", "error[invalid-value] 'Zoë'"),
        (f"{ROLE}nickname_candidates = []\n", "error[invalid-value] []"),
        (f"{ROLE}config_file = 'no.toml'\n", "error[agent-file] 'no.toml'"),
        (f"{ROLE}config_file = ''\n", "error[agent-file] ''"),
        (f"{ROLE}config_file = 'agents/bad.toml'\n", "error[agent-file] 'agents/bad.toml'"),
        (
            f"[agents]\nmax_threads = 1\nmax_concurrent_threads_per_session = 2\n{ROLE}",
            "error[duplicate-key] max_concurrent_threads_per_session",
        ),
    ],
)
def test_a_role_that_the_program_ignores_is_an_error(
    tmp_path: Path, text: str, expected: str
) -> None:
    one = made(tmp_path, text, "//- .codex/agents/bad.toml\ncolor = 'x'\n")
    assert codes(one) == [expected]
    assert catalog(one.workspace, DIALECT, one.root).candidates("a") == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{ROLE}model = 'x'\n", ["warning[no-effect] model"]),
        (f"{ROLE}desc = 'x'\n", ["warning[unknown-key] desc"]),
        (
            f"{ROLE}config_file = 'agents/f.toml'\n",
            ["warning[name-mismatch] a", "information[no-effect] description"],
        ),
        ("[agents.f]\ndescription = 'd'\n", []),
    ],
)
def test_what_a_role_says_in_vain_is_reported(
    tmp_path: Path, text: str, expected: list[str]
) -> None:
    one = made(tmp_path, text, f"//- .codex/agents/f.toml\n{FILE}")
    assert sorted(codes(one)) == sorted(expected)


def test_a_wrong_value_hides_no_other_fault_of_its_role(tmp_path: Path) -> None:
    text = "[agents.a]\ndescription = 7\nnickname_candidates = ['']\nconfig_file = 'no.toml'\n"
    told = ["error[wrong-type] 7", "error[invalid-value] ''", "error[agent-file] 'no.toml'"]
    assert sorted(codes(made(tmp_path, text))) == sorted(told)


def test_a_role_before_a_file_of_its_layer_is_told_at_the_file(tmp_path: Path) -> None:
    config = "//- .codex/config.toml\n[agents.f]\ndescription = 'd'\n"
    one = fixture(tmp_path, f"//- .codex/agents/f.toml\n{FILE}{config}")
    [line] = said(one)
    assert line.startswith('warning[shadowed] "f": never used: `.codex/config.toml`')


def test_a_role_completes_an_agent_of_the_user(tmp_path: Path) -> None:
    user = f"//- ~/.codex/agents/f.toml\n{FILE}"
    one = made(tmp_path, "[agents.f]\nnickname_candidates = ['Pro']\n", user)
    assert said(one) == []
    answer = DIALECT.calls.spawn(
        catalog(one.workspace, DIALECT, one.root), Call({"agent_type": "f", "items": []})
    )
    assert isinstance(answer, Spawn)
    assert [part.text for part in answer.prompt if part.verbatim] == ["x"]


def test_defaults_that_refuse_each_spawn_are_warnings(tmp_path: Path) -> None:
    text = (
        '[agents]\ndefault_subagent_model = "gpt-5.6-lunar"\n'
        'default_subagent_reasoning_effort = "extreme"\n'
    )
    one = made(tmp_path, text, f"//- .codex/agents/f.toml\n{FILE}")
    assert codes(one) == [
        'warning[unknown-model] "gpt-5.6-lunar"',
        'warning[unsupported-effort] "extreme"',
    ]


def test_a_role_default_is_told_to_take_all_calls_without_a_name(tmp_path: Path) -> None:
    one = made(tmp_path, "[agents.default]\ndescription = 'd'\n")
    assert codes(one) == ["information[hides-builtin] default"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        'model = "anything"\nmodel_provider = "mine"\ncolor = 1\n',
        '[profiles.x]\nmodel = 5\n[mcp_servers.y]\ncommand = "z"\n[tui]\nnotifications = 7\n',
        "[features]\nweb = true\n[model_providers.agents]\nname = 'x'\n",
        'notify = ["agents"]\n',
    ],
)
def test_the_rest_of_the_file_is_not_looked_at(tmp_path: Path, text: str) -> None:
    """With agents beside it, and alone: then it is none of our files."""
    assert said(made(tmp_path / "a", text, f"//- .codex/agents/f.toml\n{FILE}")) == []
    alone = made(tmp_path / "b", text)
    assert placement_at(alone.workspace, alone.path) is None
    assert diagnostics(alone.workspace, alone.path) == ()


SWITCHES = [
    ("[agents]\nenabled = false\n", "agents.enabled = false"),
    ("[agents]\nmax_depth = 0\n", "agents.max_depth = 0"),
    ("[features]\nmulti_agent = false\n", "features.multi_agent = false"),
]


@pytest.mark.parametrize(("text", "why"), SWITCHES)
def test_switches_and_trust_show_in_lists_and_status(tmp_path: Path, text: str, why: str) -> None:
    file = f"//- .codex/agents/f.toml\n{FILE}"
    one = made(tmp_path, f"model = 'gpt-5.5'\n{text}", file)
    assert [line.partition(" ")[0] for line in said(one)] == ["information[never-spawned]"]
    found = catalog(one.workspace, DIALECT, one.root)
    listed = DIALECT.calls.list_agents(found, Call({}))
    assert isinstance(listed, dict)
    assert listed["agents"] == []
    assert why in found.notes()[-1]
    answer = DIALECT.calls.spawn(found, Call({"agent_type": "f"}))
    assert isinstance(answer, RuntimeRefusal)
    beside: dict[str, object] = {"versions": {}, "settings": [], "timings": {}}
    report = "\n".join(status_report.text(status_report.report(one.workspace, beside)))
    assert why in report


@pytest.mark.parametrize(
    ("trusted", "is_there"),
    [("", True), ('[projects."/x"]\ntrust_level = "trusted"\n', False), ("own", False)],
)
def test_agents_of_a_project_that_is_not_trusted_are_not_listed(
    tmp_path: Path, trusted: str, *, is_there: bool
) -> None:
    place = tmp_path / "workspace"
    if trusted == "own":
        trusted = f"[projects.'{place}']\ntrust_level = 'untrusted'\n"
    user = f"//- ~/.codex/config.toml\n{trusted}//- .codex/agents/f.toml\n{FILE}"
    one = made(tmp_path, ROLE, user)
    found = catalog(one.workspace, DIALECT, one.root)
    listed = DIALECT.calls.list_agents(found, Call({}))
    assert isinstance(listed, dict)
    own = [agent["name"] for agent in listed["agents"] if "built_in" not in agent]
    assert own == (["a", "f"] if is_there else [])
    assert "trust" in found.notes()[0]
    # What is reported is the same on every machine.
    assert said(one) == []


def test_a_worktree_is_trusted_with_its_main_checkout(tmp_path: Path) -> None:
    main = tmp_path / "main"
    (main / ".git/worktrees/w").mkdir(parents=True)
    (main / ".git/worktrees/w/commondir").write_text("../..\n")
    user = f"//- ~/.codex/config.toml\n[projects.'{main}']\ntrust_level = 'trusted'\n"
    one = made(tmp_path, ROLE, user)
    (one.root / ".git").rmdir()
    (one.root / ".git").write_text(f"gitdir: {main}/.git/worktrees/w\n")
    one.workspace.files.refresh()
    listed = DIALECT.calls.list_agents(catalog(one.workspace, DIALECT, one.root), Call({}))
    assert isinstance(listed, dict)
    assert listed["agents"][0]["name"] == "a"


def test_the_session_s_settings_are_in_a_preview(tmp_path: Path) -> None:
    text = 'model = "gpt-6-sol"\nsandbox_mode = "read-only"\n[agents]\nmax_depth = 1\n'
    one = made(tmp_path, text, f"//- .codex/agents/f.toml\n{FILE}")
    answer = DIALECT.calls.spawn(
        catalog(one.workspace, DIALECT, one.root), Call({"agent_type": "f"})
    )
    assert isinstance(answer, Spawn)
    found = {setting.name: setting for setting in answer.settings}
    assert found["model"].value == "gpt-6-sol"
    assert (found["sandbox_mode"].value, found["sandbox_mode"].origin.path) == (
        "read-only",
        one.path,
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[agents]\nmax$0\n", {"max_depth", "max_threads"}),
        ("[agents.x]\nde$0\n", {"description"}),
        ('[agents]\ndefault_subagent_model = "$0"\n', {"gpt-5.5", "gpt-6-sol"}),
        ('sandbox_mode = "$0"\n[agents.x]\ndescription = "d"\n', {"read-only"}),
    ],
)
def test_keys_and_values_are_completed(tmp_path: Path, text: str, wanted: set[str]) -> None:
    one = made(tmp_path, text)
    labels = {item.label for item in complete(one.workspace, one.path, one.offset)}
    assert wanted <= labels


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[agents]\nmax_d$0epth = 2\n", "how deep agents may start agents"),
        ("[agents.x]\nconfig_$0file = 'x.toml'\n", "relative to this one"),
        (f"sandbox_$0mode = 'read-only'\n{ROLE}", "whatever their files say"),
        ("[agents.$0a]\ndescription = 'd'\n", "`a`"),
    ],
)
def test_a_hover_tells_what_a_key_decides(tmp_path: Path, text: str, words: str) -> None:
    one = made(tmp_path, text)
    found = hover(one.workspace, one.path, one.offset)
    assert found is not None
    assert words in found.markdown


def test_roles_are_symbols_and_names_lead_to_them(tmp_path: Path) -> None:
    prompt = 'name = "f"\ndescription = "d"\ndeveloper_instructions = "Ask `$0a`."\n'
    one = fixture(tmp_path, f"//- .codex/agents/f.toml\n{prompt}{PATH}{ROLE}")
    agent = template_file(one.workspace, one.path)
    assert agent is not None
    [place] = definition(agent, one.offset)
    assert place.path == one.root / ".codex/config.toml"
    file = template_file(one.workspace, place.path)
    assert file is not None
    assert [symbol.name for symbol in document_symbols(file)] == ["a"]


@pytest.mark.parametrize(
    ("text", "title", "after"),
    [
        ("[agents]\nmax_dept = 2\n", "Rename", "[agents]\nmax_depth = 2\n"),
        (f"{ROLE}model = 'x'\n", "Remove `model`", ROLE),
        (
            f'{ROLE}config_file = ".codex/agents/f.toml"\n',
            "Replace",
            f'{ROLE}config_file = "agents/f.toml"\n',
        ),
        (
            f'{ROLE}config_file = "agents/g.toml"\n',
            "Replace",
            f'{ROLE}config_file = "agents/f.toml"\n',
        ),
        (f"[agents]\nenabled = false\n{ROLE}", "Remove `enabled`", f"[agents]\n{ROLE}"),
    ],
)
def test_a_fix_writes_toml(tmp_path: Path, text: str, title: str, after: str) -> None:
    one = made(tmp_path, text, '//- .codex/agents/f.toml\ndeveloper_instructions = "x"\n')
    found = {
        apply(text, fix.edits)
        for fix in fixes(one.workspace, one.path)
        if fix.title.startswith(title)
    }
    assert after in found


def test_the_system_s_layer_comes_last_and_the_administrator_s_first(tmp_path: Path) -> None:
    """Measured with files in `/etc/codex` on Linux."""
    etc = tmp_path / "etc"
    (etc / "agents").mkdir(parents=True)
    (etc / "config.toml").write_text("[agents.low]\ndescription = 'Low.'\n[agents.f]\n")
    (etc / "agents/s.toml").write_text(FILE.replace('"f"', '"s"'))
    (etc / "managed_config.toml").write_text("[agents.f]\ndescription = 'Managed.'\n")
    source = f"//- .codex/agents/f.toml\n{FILE}"
    one = fixture(tmp_path, source, variables={"codex-system": str(etc)})
    listed = DIALECT.calls.list_agents(catalog(one.workspace, DIALECT, one.root), Call({}))
    assert isinstance(listed, dict)
    own = {agent["name"]: agent["description"] for agent in listed["agents"][:3]}
    assert own == {"f": "Managed.", "low": "Low.", "s": "d"}


def test_a_file_that_only_a_table_completes_is_in_use(tmp_path: Path) -> None:
    """In the status and in the tree of agents, by the name that the table gives it."""
    text = f"{ROLE}config_file = 'agents/f.toml'\n"
    one = made(tmp_path, text, '//- .codex/agents/f.toml\ndeveloper_instructions = "x"\n')
    beside: dict[str, object] = {"versions": {}, "settings": [], "timings": {}}
    sessions = status_report.report(one.workspace, beside)["sessions"]
    assert isinstance(sessions, list)
    files = [
        (file["name"], Path(file["file"]).name, file["wins"])
        for session in sessions
        for scope in session["scopes"]
        for file in scope["files"]
    ]
    assert files == [("a", "f.toml", True), ("a", "config.toml", True)]
    trees = agents_tree(one.workspace, lambda _: ())
    members = [(one.name, one.path.name, one.why) for tree in trees for one in tree.members]
    assert members == [("a", "f.toml", ""), ("a", "config.toml", "")]
