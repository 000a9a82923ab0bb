"""What users write becomes options; each bad value makes one message and its default."""

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as given_settings
from hypothesis import strategies as st

from agent_lsp.data_classes import replace
from agent_lsp.model.schema import Severity
from agent_lsp.options import Extras, Options
from agent_lsp.settings import from_editor, from_file, merge
from agent_lsp.settings.forms import SCHEMA_FILE, editor_schema, schema, table
from tests.checks.pages import claims
from tests.effort import examples
from tests.systems import DIALECTS
from tests.vscode_words import manifest

ROOT_FOLDER = Path(__file__).parents[1]
ROOT = Path("repository").absolute()
FILE = ROOT / "agent-template-lsp.toml"

COMPLETE = Options(
    severity={"unknown-tool": None, "shadowed": Severity.WARNING},
    extras={"codex-templates": Extras(("acme_*",), ("owner",), ("gpt-6",))},
    folders={ROOT / "agents/roles": "codex-templates", ROOT / "vendor/.codex/.agents": None},
    session_root=ROOT / "packages/app",
    programs=frozenset({"claude", "copilot-vscode"}),
)
IN_FILE = """
session-root = "packages/app"
for = ["claude", "copilot-vscode"]
[severity]
unknown-tool = "off"
shadowed = "warning"
[folders]
"agents/roles" = "codex-templates"
"vendor/.codex/.agents" = false
[dialects.codex-templates]
tools = ["acme_*"]
keys = ["owner"]
models = ["gpt-6"]
"""
IN_EDITOR = {
    "sessionRoot": "packages/app",
    "for": ["claude", "copilot-vscode"],
    "severity": {"unknown-tool": "off", "shadowed": "warning"},
    "folders": {"agents/roles": "codex-templates", "vendor/.codex/.agents": False},
    "dialects": {"codex-templates": {"tools": ["acme_*"], "keys": ["owner"], "models": ["gpt-6"]}},
}


def test_both_forms_say_the_same() -> None:
    assert from_file(IN_FILE, FILE) == (COMPLETE, ())
    assert from_editor(IN_EDITOR, ROOT) == (COMPLETE, ())


@pytest.mark.parametrize("level", [*Severity, None])
def test_a_severity_is_one_of_five_words(level: Severity | None) -> None:
    word = "off" if level is None else level.name.lower()
    options, said = from_file(f'severity.shadowed = "{word}"', FILE)
    assert (options.severity, said) == ({"shadowed": level}, ())


@pytest.mark.parametrize(
    ("written", "folder"),
    [("a/./b/../c/", "a/c"), ("../other", "../other"), (".", ".")],
)
def test_a_folder_is_relative_to_the_settings_file(written: str, folder: str) -> None:
    expected = ROOT.parent / "other" if folder == "../other" else ROOT / folder
    options, said = from_file(f'session-root = "{written}"\nfolders."{written}" = false', FILE)
    assert (options.session_root, options.folders, said) == (expected, {expected: None}, ())


def test_an_absolute_folder_stays(tmp_path: Path) -> None:
    options, _ = from_editor({"sessionRoot": str(tmp_path)}, ROOT)
    assert options.session_root == tmp_path


# What stands in the file, and the only message about it.
_QUOTED = [f"`{dialect.id}`" for dialect in DIALECTS]
IDS = f"{', '.join(_QUOTED[:-1])} or {_QUOTED[-1]}"
CLAIMS = f"false, {IDS}"
PROBLEMS = {
    "session-root = 3": "`session-root`: expected a string, got 3",
    'session-root = ""': '`session-root`: expected a string that is not empty, got ""',
    'sesion-root = "a"': (
        "`sesion-root`: there is no such setting; expected `session-root`, `for`, `severity`, "
        "`folders` or `dialects`; did you mean `session-root`?"
    ),
    'sessionRoot = "a"': (
        "`sessionRoot`: there is no such setting; expected `session-root`, `for`, `severity`, "
        "`folders` or `dialects`; did you mean `session-root`?"
    ),
    'severity = "off"': '`severity`: expected a table, got "off"',
    'severity.unknown-tol = "off"': (
        "`severity.unknown-tol`: there is no such rule; did you mean `unknown-tool`?"
    ),
    'severity.xyz = "loud"': (
        "`severity.xyz`: there is no such rule; `agent-template-lsp explain` lists them"
    ),
    'severity.shadowed = "Off"': (
        "`severity.shadowed`: expected `error`, `warning`, `information`, `hint` or `off`, "
        'got "Off"; did you mean `off`?'
    ),
    "severity.shadowed = false": (
        "`severity.shadowed`: expected `error`, `warning`, `information`, `hint` or `off`, "
        "got false"
    ),
    'folders."a b" = true': f'`folders."a b"`: expected {CLAIMS}, got true',
    'folders.a = "codex_templates"': (
        f'`folders.a`: expected {CLAIMS}, got "codex_templates"; did you mean `codex-templates`?'
    ),
    "folders.a = 0": f"`folders.a`: expected {CLAIMS}, got 0",
    "folders = [1]": "`folders`: expected a table, got a list",
    'dialects.codex.tools = "a"': (f"`dialects.codex`: there is no such dialect; expected {IDS}"),
    "dialects.codex-templates = 1": "`dialects.codex-templates`: expected a table, got 1",
    "dialects.codex-templates.tools = 'a'": (
        '`dialects.codex-templates.tools`: expected a list of strings, got "a"'
    ),
    "dialects.codex-templates.keys = {a = 1}": (
        "`dialects.codex-templates.keys`: expected a list of strings, got keys with values"
    ),
    "dialects.codex-templates.models = [2026-01-01]": (
        "`dialects.codex-templates.models[0]`: expected a string, got 2026-01-01"
    ),
    "dialects.codex-templates.tool = ['a']": (
        "`dialects.codex-templates.tool`: there is no such setting; expected `tools`, `keys`, "
        "`models`, `scopes`, `generation` or `readers`; did you mean `tools`?"
    ),
}


@pytest.mark.parametrize("line", PROBLEMS)
def test_a_bad_value_makes_one_message_and_leaves_the_rest(line: str) -> None:
    rest = 'severity.unknown-key = "hint"\nfolders.ok = false\n'
    if line.split(maxsplit=1)[0] in ("severity", "folders"):
        rest = 'session-root = "app"\n'
    options, said = from_file(f"{line}\n{rest}", FILE)
    assert said == (f"{FILE}: {PROBLEMS[line]}",)
    alone, _ = from_file(rest, FILE)
    assert options.severity == alone.severity
    assert options.folders == alone.folders
    assert options.session_root == alone.session_root
    assert options.extra("codex-templates") == Extras()


def test_only_the_bad_items_of_a_list_are_left_out() -> None:
    line = "dialects.codex-templates.tools = ['a', 1, 'b', '', 'c']"
    options, said = from_file(line, FILE)
    assert options.extra("codex-templates").tools == ("a", "b", "c")
    assert [message.split("`")[1].split(".")[-1] for message in said] == ["tools[1]", "tools[3]"]


# What stands in the file, and the place that the message names.
NOT_TOML = {
    "a = 1\n[severity]\nunknown-tool = off\n": ":3:16",
    "[severity\n": ":1:10",
    'a = """\n\n': ":1",
    "a = 1\na = 2": ":2",
    f"a = {'9' * 5000}": "",
    f"a = {'[' * 5000}": "",
    "a = 1\r": ":1:6",
}


@pytest.mark.parametrize("text", NOT_TOML)
def test_a_file_that_is_no_toml_says_where_and_counts_for_nothing(text: str) -> None:
    options, [said] = from_file(text, FILE)
    assert options == Options()
    assert said.startswith(
        f"{FILE}{NOT_TOML[text]}: not valid TOML, so all settings of this file are ignored"
    )


def test_a_byte_order_mark_is_no_fault() -> None:
    assert from_file(f"\ufeff{IN_FILE}", FILE) == (COMPLETE, ())


def test_the_editors_messages_name_the_editors_settings() -> None:
    _, said = from_editor({"severity": {"shadowed": 1}, "folder": {}, "dialects": []}, ROOT)
    assert [message.split("`")[1] for message in said] == [
        "agentTemplates.severity.shadowed",
        "agentTemplates.dialects",
        "agentTemplates.folder",
    ]
    assert "expected an object, got a list" in said[1]


@pytest.mark.parametrize(
    "value",
    [None, {}, {"sessionRoot": None, "severity": None}, {"sessionRoot": ""}, {"trace": {}}],
)
def test_what_an_editor_sends_for_unset_settings_is_no_fault(value: object) -> None:
    assert from_editor(value, ROOT) == (Options(), ())


@pytest.mark.parametrize(("value", "got"), [(3, "3"), ([], "a list"), ("x", '"x"')])
def test_a_section_that_is_no_object_makes_one_message(value: object, got: str) -> None:
    expected = f"`agentTemplates`: expected an object, got {got}"
    assert from_editor(value, ROOT) == (Options(), (expected,))


def test_a_dialect_s_extra_scopes_are_folders_from_where_they_are_written() -> None:
    extras = {"codex-templates": Extras(scopes=(ROOT.parent / "shared", ROOT / "more"))}
    line = 'dialects.codex-templates.scopes = ["../shared", "more"]'
    assert from_file(line, FILE) == (Options(extras=extras), ())
    said = {"dialects": {"codex-templates": {"scopes": ["../shared", "more"]}}}
    assert from_editor(said, ROOT) == (Options(extras=extras), ())
    assert merge(Options(extras=extras), Options()) == Options(extras=extras)


def test_a_reader_is_one_of_the_dialect_s() -> None:
    options, found = from_file('dialects.copilot.readers = ["cli"]', FILE)
    assert (options.extra("copilot").readers, found) == (("cli",), ())
    options, [problem] = from_file('dialects.copilot.readers = ["cli", "cloud"]', FILE)
    assert options.extra("copilot").readers == ("cli",)
    assert problem.startswith(f"{FILE}: `dialects.copilot.readers[1]`: expected `vscode` or `cli`")
    _, [problem] = from_file('dialects.claude.readers = ["cli"]', FILE)
    assert "only one program reads its files" in problem


def test_a_generation_is_one_of_the_dialect_s() -> None:
    """A system that has only one generation takes no such setting."""
    for dialect in DIALECTS:
        for choice in dialect.variants.generations:
            line = f'dialects.{dialect.id}.generation = "{choice.name}"'
            options, said = from_file(line, FILE)
            assert (options.extra(dialect.id).generation, said) == (choice.name, ())
        line = f'dialects.{dialect.id} = {{generation = "none such", tools = ["a"]}}'
        options, [problem] = from_file(line, FILE)
        assert options.extra(dialect.id) == Extras(("a",))
        assert problem.startswith(f"{FILE}: `dialects.{dialect.id}.generation`: ")


def test_the_shipped_schema_and_the_table_on_the_page_are_those_of_the_forms() -> None:
    """`python -m tests.write_settings` writes both."""
    assert (ROOT_FOLDER / SCHEMA_FILE).read_text(encoding="utf-8") == schema()
    page = (ROOT_FOLDER / "docs/settings.md").read_text(encoding="utf-8")
    assert table() in page


def test_the_settings_of_the_extension_are_those_of_the_form() -> None:
    """It has a few of its own besides, of which the server knows nothing."""
    declared = manifest()["contributes"]["configuration"]["properties"]
    own = ("interpreter", "serverCommand", "suggestWhileTyping", "trace.server")
    known = editor_schema(claims())
    assert {f"agentTemplates.{name}" for name in own} == declared.keys() - known.keys()
    for name, said in known.items():
        assert declared[name] == said, f"{name}: run python -m tests.write_settings"


def test_the_settings_of_the_extension_explain_the_names_of_generations() -> None:
    made = editor_schema(claims())["agentTemplates.dialects"]["properties"]
    said = {name: one["properties"]["generation"]["description"] for name, one in made.items()}
    assert "“document” for the older runtime" in said["moltis"]
    assert "“2” for OpenCode 2" in said["opencode"]
    # VS Code shows these descriptions as they are.
    assert "`" not in "".join(said.values())
    assert "“" not in said["claude"]


def test_what_the_extension_sends_for_settings_that_nobody_has_set_is_no_fault() -> None:
    known = editor_schema(claims())
    sent = {name.partition(".")[2]: said["default"] for name, said in known.items()}
    assert from_editor(sent, ROOT) == (Options(), ())


def test_what_the_schema_allows_is_what_is_taken() -> None:
    """All that the complete example says is in the schema, and a misspelt name is not."""
    made = json.loads(schema())
    assert set(tomllib.loads(IN_FILE)) == set(made["properties"])
    assert made["additionalProperties"] is False
    extras = made["$defs"]["ExtrasForm"]
    assert set(extras["properties"]) == {
        *("tools", "keys", "models", "scopes", "generation", "readers"),
    }
    codes = made["properties"]["severity"]["propertyNames"]["enum"]
    assert "unknown-tool" in codes


def test_what_one_person_looks_at_is_up_to_the_editor_alone() -> None:
    said = {"codeLens": False, "inlayHints": False, "diagnosticMode": "openFiles"}
    quiet = Options(code_lens=False, inlay_hints=False, closed_files=False)
    assert from_editor(said, ROOT) == (quiet, ())
    assert merge(COMPLETE, quiet) == replace(
        COMPLETE, code_lens=False, inlay_hints=False, closed_files=False
    )
    _, [problem] = from_file("code-lens = false", FILE)
    assert "there is no such setting" in problem


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ({"codeLens": "no"}, '`agentTemplates.codeLens`: expected true or false, got "no"'),
        (
            {"diagnosticMode": "openfiles"},
            (
                "`agentTemplates.diagnosticMode`: expected `workspace` or `openFiles`, "
                'got "openfiles"; did you mean `openFiles`?'
            ),
        ),
    ],
)
def test_a_bad_switch_is_named(written: object, problem: str) -> None:
    assert from_editor(written, ROOT) == (Options(), (problem,))


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ({"\ud800": 1}, '"\ud800"'),
        ({"severity": {"\udfff": "off"}}, 'severity."\udfff"'),
        ({"folders": {"a\ud800": False}}, 'folders."a\ud800"'),
        ({"dialects": {"codex-templates": {"\ud800": []}}}, 'dialects.codex-templates."\ud800"'),
        ({"severity": {"unknown-key": "\ud800"}}, "severity.unknown-key"),
        ({"folders": {"a": "\udfff"}}, "folders.a"),
        ({"sessionRoot": "\ud800"}, "sessionRoot"),
        (
            {"dialects": {"codex-templates": {"keys": ["\ud800"]}}},
            "dialects.codex-templates.keys[0]",
        ),
    ],
)
def test_half_of_a_character_takes_no_other_setting_with_it(
    written: dict[str, dict[str, object]], place: str
) -> None:
    """JSON can spell one half of a surrogate pair; no other text can hold it."""
    severity = {**written.get("severity", {}), "shadowed": "off"}
    options, [problem] = from_editor({**written, "severity": severity}, ROOT)
    assert options == Options(severity={"shadowed": None}, extras=options.extras)
    assert problem.startswith(f"`agentTemplates.{place}`: ")


def test_the_editor_overrides_the_file_key_by_key() -> None:
    base = Options(
        severity={"shadowed": None, "unknown-tool": Severity.ERROR},
        extras={"codex-templates": Extras(("a",), ("b",)), "other": Extras(("c",))},
        folders={ROOT / "a": None, ROOT / "b": "codex-templates"},
        session_root=ROOT / "a",
    )
    over = Options(
        severity={"unknown-tool": None},
        extras={"codex-templates": Extras(("x", "y"), (), ("z",))},
        folders={ROOT / "a": "codex-templates"},
        session_root=ROOT / "b",
    )
    assert merge(base, over) == Options(
        severity={"shadowed": None, "unknown-tool": None},
        extras={"codex-templates": Extras(("x", "y"), ("b",), ("z",)), "other": Extras(("c",))},
        folders={ROOT / "a": "codex-templates", ROOT / "b": "codex-templates"},
        session_root=ROOT / "b",
    )
    assert merge(base, Options()) == base
    assert merge(Options(), over) == over


SETTING_NAMES = st.sampled_from(
    ("sessionRoot", "severity", "folders", "dialects", "codex-templates", "shadowed", "tools", "x")
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(SETTING_NAMES, inner, max_size=4),
    max_leaves=20,
)


@given_settings(max_examples=examples(200), deadline=None)
@given(JSON)
def test_no_json_raises_and_no_message_comes_twice(value: object) -> None:
    options, said = from_editor(value, ROOT)
    assert len({message.split("`")[1] for message in said}) == len(said)
    assert all(level in (*Severity, None) for level in options.severity.values())


@given_settings(max_examples=examples(200), deadline=None)
@given(st.text('=[]{}"\n#.ab severity', max_size=60))
def test_no_text_raises(text: str) -> None:
    from_file(text, FILE)
