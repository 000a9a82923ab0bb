"""What Gemini CLI makes of an agent file, and what is said about it."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import Diagnostic, diagnostics
from agent_lsp.analysis.fixes import fixes, repaired
from agent_lsp.analysis.hover import hover
from agent_lsp.dialects.gemini import js_yaml
from agent_lsp.dialects.gemini.dialect import DIALECT
from agent_lsp.dialects.gemini.policy import is_valid
from agent_lsp.model.runtime import Call, Parent, RuntimeRefusal, Spawn
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence, path_at, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.catalogs import catalog
from tests.fixture import fixture
from tests.recorded import each

PATH = "//- .gemini/agents/a.md\n"
# Values with tags, and what js-yaml 4.1.0 made of each, on 2026-11-30.
# Headers with tabs and brackets at the start of a line, and whether js-yaml 3.15.2 and 4.1.0 take
# them, on the same day. Headers with anchors, tags and colons, and what both versions made of them.
# Headers with signs, merges, empty items and keys that are lists, with the same.
TAGS, TABS, PROPERTIES, ODD = (
    [
        json.loads(line)
        for line in (Path(__file__).parents[1] / f"conformance/js-yaml-{what}.jsonl")
        .read_text("utf-8")
        .splitlines()
    ]
    for what in ("tags", "tabs", "properties", "odd")
)
TOOLS = tuple(tool.name for tool in (*DIALECT.tools.listed, *DIALECT.tools.withheld))


def agent(lines: str = "", body: str = "You help.\n") -> str:
    own = f"{lines}\n" if lines else ""
    return f"---\nname: a\ndescription: d\n{own}---\n{body}"


def found(folder: Path, text: str, path: str = PATH) -> list[Diagnostic]:
    made = fixture(folder, path + text)
    return list(diagnostics(made.workspace, made.path))


def said(folder: Path, text: str, path: str = PATH) -> list[str]:
    """The findings on the file under test, as `severity[code] span`."""
    made = fixture(folder, path + text)
    return [
        f"{one.severity.name.lower()}[{one.code}] {one.span.of(made.text).strip()}"
        for one in diagnostics(made.workspace, made.path)
    ]


def mended(folder: Path, text: str) -> str:
    """The text after all safe fixes."""
    made = fixture(folder, PATH + text)
    return repaired(made.workspace, made.path) or ""


def spawned(folder: Path, text: str) -> Spawn | RuntimeRefusal:
    made = fixture(folder, PATH + text)
    known = catalog(made.workspace, DIALECT, made.root)
    call = Call({"agent_name": "a", "prompt": "Go."}, Parent(model="gemini-2.5-pro"), TOOLS)
    return DIALECT.calls.spawn(known, call)


@each(TABS)
def test_a_header_with_tabs_is_sound_where_it_is_to_js_yaml(case: dict[str, Any]) -> None:
    text = agent().replace("name: a\ndescription: d", case["header"])
    document = DIALECT.parse(text)
    fault = js_yaml.fault(document.tree, text, document.frontmatter.inner)
    assert (fault is None) is case["sound"]


@each(TAGS)
def test_a_tag_has_the_effect_that_it_has_in_js_yaml(case: dict[str, Any]) -> None:
    text = case["text"]
    tree = js_yaml.parse(text, 0)
    fault = js_yaml.fault(tree, text, Span(0, len(text)))
    assert (fault.reason if fault is not None else None) == case["error"]
    if fault is None:
        assert isinstance(tree.root, Mapping)
        assert js_yaml.type_of(tree.root.entries[0].value) == case["type"]


@each(PROPERTIES + ODD)
def test_an_odd_header_is_read_as_by_js_yaml(case: dict[str, Any]) -> None:
    text = case["header"]
    tree = js_yaml.parse(text, 0)
    fault = js_yaml.fault(tree, text, Span(0, len(text)))
    assert (fault is not None) is ("error" in case)
    assert fault is not None or is_read_as(tree.root, case["values"])


def is_read_as(node: Node | None, value: object) -> bool:
    """Whether a node has the value, in which null stands for all that JSON has no word for."""
    inner, kind = resolve(node), js_yaml.type_of(node)
    if isinstance(value, dict) and isinstance(inner, Mapping):
        entries = js_yaml.members(inner)
        return entries.keys() == value.keys() and all(
            is_read_as(entries[name].value, one) for name, one in value.items()
        )
    if isinstance(value, list) and isinstance(inner, Sequence):
        pairs = zip(inner.items, value, strict=False)
        return len(inner.items) == len(value) and all(is_read_as(*pair) for pair in pairs)
    if isinstance(value, str):
        return kind == "string" and isinstance(inner, Scalar) and inner.value == value
    kinds = {bool: "boolean", int: "number", float: "number", list: "array", dict: "object"}
    return kind == kinds.get(type(value), "null")


@each([case for case in PROPERTIES + ODD if "error" in case])
def test_a_header_that_js_yaml_refuses_has_an_error(case: dict[str, Any], tmp_path: Path) -> None:
    codes = {one.code for one in found(tmp_path, f"---\n{case['header']}\n---\nYou help.\n")}
    assert codes & {"header-invalid", "duplicate-key", "header-unclosed", "unquoted-text"}


# As js-yaml 4.1.0 printed them, 2026-11-30.
@pytest.mark.parametrize(
    ("header", "reason", "place"),
    [
        ("&a name: x", "end of the stream or a document separator is expected", "(1:8)"),
        ("x:\n  &a b: y", "bad indentation of a mapping entry", "(2:7)"),
        ("x:\n  - &a b: y", "bad indentation of a sequence entry", "(2:9)"),
        ("x: &a\n  &b c: y", "duplication of an anchor property", "(2:3)"),
        ("x: [!!str, a]", "tag suffix cannot contain flow indicator characters", "(1:11)"),
        ("x: [a, ?]", "missed comma between flow collection entries", "(1:8)"),
        ("x: {a: -}", "missed comma between flow collection entries", "(1:8)"),
        (
            "x:\n  <<: [a]",
            "cannot merge mappings; the provided source object is unacceptable",
            "(2:10)",
        ),
        ("[[p]]: 1", "nested arrays are not supported inside keys", "(1:9)"),
        ("x: &a b\n*a: c", 'unidentified alias "a:"', "(2:4)"),
    ],
)
def test_a_property_that_js_yaml_refuses_has_its_words(
    header: str, reason: str, place: str
) -> None:
    whole = Span(0, len(header))
    fault = js_yaml.fault(js_yaml.parse(header, 0), header, whole)
    assert fault is not None
    assert fault.at is not None
    assert (fault.reason, js_yaml.position(header, whole, fault.at)) == (reason, place)


@pytest.mark.parametrize(
    ("lines", "place", "thing"),
    [
        (
            "tools: [glob, -]",
            "-",
            "a `-` or `?` alone is not a value between brackets: put it in quotes",
        ),
        ("<<: glob", "<<", "`<<` takes only mappings: remove it"),
        ("[[glob]]: 1", "[[glob]]", "a list in a list cannot be a key: write the key as text"),
        ("x: &a b\n*a: c", "*a:", "the alias `*a:` cannot stand here: remove it"),
    ],
)
def test_what_js_yaml_alone_refuses_loses_the_agent(
    lines: str, place: str, thing: str, tmp_path: Path
) -> None:
    text = agent(lines)
    refused = [one for one in found(tmp_path, text) if one.code == "header-invalid"]
    assert [one.span.of(text) for one in refused] == [place]
    assert refused[0].message.startswith(f"{thing}, or the runtime refuses the file")


def test_an_item_behind_an_empty_one_belongs_to_its_list_and_stands_where_it_stood() -> None:
    # Measured with js-yaml 4.1.0: the second agent is the second scope of the first one.
    text = "- name: a\n  scopes:\n    -\n- name: b\n  kind: remote\n"
    tree = js_yaml.parse(text, 0)
    assert is_read_as(tree.root, [{"name": "a", "scopes": [None, {"name": "b", "kind": "remote"}]}])
    path = path_at(tree.root, text.index("remote"))
    assert path.node is not None
    assert path.node.span.of(text) == "remote"


@pytest.mark.parametrize(
    ("lines", "place", "thing"),
    [
        ("mcp_servers:\n  &a s: {command: x}", "&a s:", "the anchor `&a` cannot stand here: "),
        ("tools: [!!str, glob]", "!!str,", "the tag `!!str,` cannot stand here: "),
    ],
)
def test_a_property_in_a_wrong_place_loses_the_agent(
    lines: str, place: str, thing: str, tmp_path: Path
) -> None:
    text = agent(lines)
    [one] = found(tmp_path, text)
    assert (one.code, one.span.of(text), one.severity.name) == ("header-invalid", place, "ERROR")
    assert one.message.startswith(thing)


def test_a_tag_that_does_not_fit_its_value_loses_the_agent(tmp_path: Path) -> None:
    [one] = found(tmp_path, agent("model: !!bool maybe"))
    assert (one.code, one.severity.name) == ("header-invalid", "ERROR")
    assert one.message.startswith("the tag `!!bool` does not fit its value: ")


@pytest.mark.parametrize(
    "lines",
    [
        "tools: [read_file, grep_search, mcp_github_*, mcp_x_y, discovered_tool_z]",
        "tools: []",
        "tools: ['*']",
        "tools:\n  - search_file_content",
        "model: inherit",
        "model: gemini-2.5-flash",
        "model: models/gemini-2.5-pro",
        "model: ''",
        "kind: local",
        "display_name: The A",
        "temperature: 1",
        "max_turns: 5.0\ntimeout_mins: 35791",
        "mcp_servers:\n  one:\n    command: x\n    include_tools: [a]",
        "mcp_servers: {}",
    ],
)
def test_nothing_is_said_of_what_the_runtime_uses(lines: str, tmp_path: Path) -> None:
    assert said(tmp_path, agent(lines)) == []


def test_each_fault_is_a_finding_at_its_place_with_the_line_of_the_runtime(tmp_path: Path) -> None:
    keys = "name: A b\ndescription: 5\ntools: read_file\nmodel: 5\nmax_turns: 0\ncolor: red\n"
    text = f"---\n{keys}---\nB\n"
    messages = {one.code: one.message for one in found(tmp_path, text)}

    assert "(`name: Name must be a valid slug`)" in messages["agent-name"]
    assert "(`max_turns: Number must be greater than 0`)" in messages["invalid-value"]
    assert "(`Unrecognized key(s) in object: 'color'`)" in messages["unknown-key"]
    assert "Expected" in messages["wrong-type"]
    assert said(tmp_path / "again", text) == [
        "error[agent-name] A b",
        "error[wrong-type] 5",
        "error[wrong-type] read_file",
        "error[wrong-type] 5",
        "error[invalid-value] 0",
        "error[unknown-key] color",
    ]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("maxTurns: 3", "max_turns: 3"),
        ("max-turns: 3", "max_turns: 3"),
        ("mcpServers: {}", "mcp_servers: {}"),
        ("mcpServers: {x: {httpUrl: y}}", "mcp_servers: {x: {http_url: y}}"),
        ("temprature: 1", "temperature: 1"),
    ],
)
def test_an_unknown_key_loses_the_agent_and_is_put_right(
    written: str, meant: str, tmp_path: Path
) -> None:
    assert said(tmp_path, agent(written))[0].startswith("error[unknown-key]")
    assert meant in mended(tmp_path / "again", agent(written))


@pytest.mark.parametrize("key", ["color: red", "version: 1.0.0", "author: x", "permissionMode: x"])
def test_a_key_that_restricts_nothing_is_removed_safely(key: str, tmp_path: Path) -> None:
    is_restriction = key.startswith("permission")
    assert (key in (mended(tmp_path, agent(key)) or key)) is is_restriction


def test_a_misspelt_key_that_is_needed_is_one_finding(tmp_path: Path) -> None:
    text = "---\nname: a\ndesciption: d\n---\nB\n"
    assert said(tmp_path, text) == ["error[missing-key] desciption"]


def test_an_empty_optional_key_loses_the_agent(tmp_path: Path) -> None:
    assert said(tmp_path, agent("model:")) == ["error[wrong-type] model"]


def test_a_temperature_need_not_be_whole(tmp_path: Path) -> None:
    [one] = found(tmp_path, agent("temperature: warm"))
    assert one.message.startswith("`temperature` must be a number, not `warm`")


def test_an_empty_description_loses_the_agent(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: ''\n---\nB\n"
    assert said(tmp_path, text) == ["error[missing-description] ''"]


@pytest.mark.parametrize(
    ("entry", "meant"),
    [
        ("Read", "read_file"),
        ("Bash", "run_shell_command"),
        ("Grep", "grep_search"),
        ("ReadFolder", "list_directory"),
        ("todo_write", "write_todos"),
        ("read_flie", "read_file"),
        ("READ_FILE", "read_file"),
        ("mcp__github__get_issue", "mcp_github_get_issue"),
        ("mcp__github", "mcp_github_*"),
        ("mcp_github", "mcp_github_*"),
    ],
)
def test_names_of_other_systems_and_slips_get_the_name_here(
    entry: str, meant: str, tmp_path: Path
) -> None:
    text = agent(f"tools: [{entry}, glob]")
    assert said(tmp_path, text) == [f"error[unknown-tool] {entry}"]
    [fixed] = [line for line in mended(tmp_path / "x", text).splitlines() if "tools" in line]
    assert meant in fixed
    assert is_valid(meant)


@pytest.mark.parametrize("entry", ["Task", "generalist", "save_memory", "no_such_tool", "memory"])
def test_a_name_without_a_counterpart_is_removed(entry: str, tmp_path: Path) -> None:
    assert "tools: [glob]" in mended(tmp_path, agent(f"tools: [glob, {entry}]"))


def test_a_pattern_for_a_server_with_an_underscore_is_explained(tmp_path: Path) -> None:
    [one] = found(tmp_path, agent("tools: [mcp_my_server_*]"))
    assert "name each tool or write `mcp_*`" in one.message


def test_a_text_of_tools_becomes_a_list_with_their_names_here(tmp_path: Path) -> None:
    made = fixture(tmp_path, PATH + agent("tools: Read, Grep"))
    titles = [fix.title for fix in fixes(made.workspace, made.path)]
    assert any("names of the tools here" in title for title in titles)


@pytest.mark.parametrize("tool", ["invoke_agent", "update_topic", "read_many_files"])
def test_a_tool_that_no_agent_gets_is_a_warning(tool: str, tmp_path: Path) -> None:
    assert said(tmp_path, agent(f"tools: [{tool}]")) == [f"warning[unavailable-tool] {tool}"]


@pytest.mark.parametrize("tool", ["ask_user", "write_todos", "tracker_get_task", "exit_plan_mode"])
def test_a_tool_under_a_condition_is_a_hint(tool: str, tmp_path: Path) -> None:
    assert said(tmp_path, agent(f"tools: [{tool}]")) == [f"hint[conditional-tool] {tool}"]


def test_a_tool_that_is_listed_twice_is_a_hint(tmp_path: Path) -> None:
    assert said(tmp_path, agent("tools: [glob, glob]")) == ["hint[redundant-entry] glob"]


def test_own_servers_are_not_limited_by_tools(tmp_path: Path) -> None:
    text = agent("tools: [read_file]\nmcp_servers:\n  mine:\n    command: x")
    answer = spawned(tmp_path, text)
    assert isinstance(answer, Spawn)
    assert answer.toolset.open_patterns == ("mcp_mine_*",)
    assert {verdict.tool for verdict in answer.toolset.kept} == {"read_file", "complete_task"}


def test_keys_of_servers_that_the_settings_have_are_ignored_here(tmp_path: Path) -> None:
    text = agent("mcp_servers:\n  mine:\n    httpUrl: x")
    assert said(tmp_path, text) == ["warning[ignored-key] httpUrl"]


@pytest.mark.parametrize(
    ("inner", "code"),
    [
        ("args: a", "wrong-type"),
        ("env: {A: 1}", "wrong-type"),
        ("trust: yes", "wrong-type"),
        ("type: stdio", "invalid-value"),
    ],
)
def test_a_wrong_value_of_a_server_loses_the_agent(inner: str, code: str, tmp_path: Path) -> None:
    [one] = found(tmp_path, agent(f"mcp_servers:\n  mine:\n    {inner}"))
    assert one.code == code
    assert "`mcp_servers.mine." in one.message


@pytest.mark.parametrize("fence", ["---  ", "----", "---more", "--- text"])
def test_anything_behind_the_closing_fence_leaves_no_prompt(fence: str, tmp_path: Path) -> None:
    text = f"---\nname: a\ndescription: d\n{fence}\nB\n"
    [one] = found(tmp_path, text)

    assert one.code == "unread-prompt"
    answer = spawned(tmp_path / "x", text)
    assert isinstance(answer, RuntimeRefusal)
    assert "PromptConfig must define either" in answer.message


def test_blanks_behind_the_closing_fence_are_removed(tmp_path: Path) -> None:
    text = agent().replace("---\nYou", "--- \t\nYou")
    assert mended(tmp_path, text) == agent()


def test_an_empty_prompt_is_an_error(tmp_path: Path) -> None:
    assert said(tmp_path, agent(body="")) == ["error[missing-default-prompt] ---"]


@pytest.mark.parametrize("body", ["${FOO}\n", "\\${FOO}\n", "```\necho ${FOO}\n```\n"])
def test_an_unknown_variable_makes_each_call_fail(body: str, tmp_path: Path) -> None:
    assert said(tmp_path, agent(body=body)) == ["error[unknown-variable] ${FOO}"]
    answer = spawned(tmp_path / "x", agent(body=body))
    assert isinstance(answer, RuntimeRefusal)
    assert "Missing required input parameters: FOO." in answer.message


@pytest.mark.parametrize("body", ["${a.b} ${A:-x} ${ x } $X {{x}}\n", "${query} ${today}\n"])
def test_other_signs_and_known_variables_are_fine(body: str, tmp_path: Path) -> None:
    assert said(tmp_path, agent(body=body)) == []


def test_a_variable_is_shown_replaced(tmp_path: Path) -> None:
    answer = spawned(tmp_path, agent(body="Do ${query} with ${activeModel} on ${today}.\n"))
    assert isinstance(answer, Spawn)
    assert answer.prompt[0].text == "Do Go. with gemini-2.5-pro on (the date)."
    assert not answer.prompt[0].verbatim


def test_variables_are_completed_and_explained(tmp_path: Path) -> None:
    made = fixture(tmp_path, PATH + agent(body="Do ${qu$0\n"))
    offered = {one.label: one.edit.text for one in complete(made.workspace, made.path, made.offset)}
    assert offered["query"] == "query}"
    assert set(offered) == {"query", "today", "activeModel", "cliVersion"}

    made = fixture(tmp_path / "x", PATH + agent(body="Do ${que$0ry}.\n"))
    shown = hover(made.workspace, made.path, made.offset)
    assert shown is not None
    assert "the prompt of the call" in shown.markdown


def test_the_temperature_has_no_effect(tmp_path: Path) -> None:
    [one] = found(tmp_path, agent("temperature: 0.2"))
    assert (one.code, one.severity.name) == ("ignored-key", "WARNING")
    assert "modelConfigs.overrides" in one.message


def test_a_time_that_overflows_is_an_error(tmp_path: Path) -> None:
    assert said(tmp_path, agent("timeout_mins: 35792")) == ["error[invalid-value] 35792"]


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("sonnet", "warning[unknown-model] sonnet"),
        ("gpt-5", "warning[unknown-model] gpt-5"),
        ("gemini-3.6-flash", "information[unknown-model] gemini-3.6-flash"),
        ("gemini-2.5-por", "warning[unknown-model] gemini-2.5-por"),
        ("chat-base", "error[unknown-model] chat-base"),
    ],
)
def test_an_unknown_model_is_sent_as_it_is(model: str, expected: str, tmp_path: Path) -> None:
    assert said(tmp_path, agent(f"model: {model}")) == [expected]


def test_a_newer_model_is_named_in_its_finding(tmp_path: Path) -> None:
    [one] = found(tmp_path, agent("model: gemini-3.6-flash"))
    assert "does not know the model `gemini-3.6-flash`: the runtime" in one.message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" ---\nname: a\n---\nB\n", "error[header-missing]"),
        ("---\nname: a\ndescription: d\n\nB\n", "error[header-unclosed]"),
        ("\ufeff---\nname: a\ndescription: d\n---\nB\n", "error[header-bom]"),
        ("---\nname: a\ndescription: x: y\n---\nB\n", "error[header-invalid]"),
        ("---\nname: a\ndescription: !x y\n---\nB\n", "error[header-invalid]"),
        ("---\nname: a\n...\ndescription: d\n---\nB\n", "error[header-invalid]"),
        ("---\nname: a\nname: b\ndescription: d\n---\nB\n", "error[duplicate-key]"),
        ("---\n\n---\nB\n", "error[wrong-type]"),
        ("---\nname: a\ndescription: 2026-01-01\n---\nB\n", "error[wrong-type]"),
        (
            "---\nname: a\ndescription: d\n---\ntools: [glob]\n---\nB\n",
            "warning[header-cut-short]",
        ),
    ],
)
def test_a_header_that_is_none_is_one_finding(text: str, expected: str, tmp_path: Path) -> None:
    [one] = said(tmp_path, text)
    assert one.startswith(expected)


def test_what_yaml_takes_for_a_comment_is_a_warning(tmp_path: Path) -> None:
    text = "---\nname: a\ndescription: Works on #12\n---\nB\n"
    assert said(tmp_path, text) == ["warning[lost-text] #12"]


def test_a_remote_agent_has_other_keys(tmp_path: Path) -> None:
    card = "kind: remote\nname: a\nagent_card_url: https://x.example/card\n"
    assert said(tmp_path, f"---\n{card}---\n") == []
    assert said(tmp_path / "1", f"---\n{card}tools: []\n---\n") == ["error[unknown-key] tools"]
    assert said(tmp_path / "2", "---\nkind: remote\nname: a\n---\n") == ["error[missing-key] ---"]
    assert said(tmp_path / "3", f"---\n{card}---\nText.\n") == ["warning[unread-prompt] Text."]
    auth = "auth: {type: http, scheme: Bearer}\n"
    assert said(tmp_path / "4", f"---\n{card}{auth}---\n") == ["error[missing-key] scheme"]


def test_a_header_may_be_a_list_of_remote_agents(tmp_path: Path) -> None:
    one = "- name: {}\n  agent_card_url: https://x.example/{}\n"
    text = f"---\n{one.format('r1', 1)}{one.format('r2', 2)}---\n"
    made = fixture(tmp_path, PATH + text)
    known = catalog(made.workspace, DIALECT, made.root)
    assert {"r1", "r2"} <= set(known.names)
    assert said(tmp_path / "x", text.replace("r2\n", "r2\n  color: x\n")) == [
        "error[unknown-key] color"
    ]


def test_a_local_agent_has_no_card(tmp_path: Path) -> None:
    lines = "kind: local\nagent_card_url: https://x.example/card"
    assert said(tmp_path, agent(lines)) == ["error[unknown-key] agent_card_url"]


def test_the_model_that_is_asked_for_is_shown(tmp_path: Path) -> None:
    for model, asked in (
        ("pro", "gemini-3.1-pro-preview-customtools"),
        ("inherit", "gemini-2.5-pro"),
    ):
        answer = spawned(tmp_path / model, agent(f"model: {model}"))
        assert isinstance(answer, Spawn)
        assert answer.settings[0].value == asked


def test_tools_and_keys_are_completed(tmp_path: Path) -> None:
    made = fixture(tmp_path, PATH + agent("tools: [$0]"))
    offered = {one.label for one in complete(made.workspace, made.path, made.offset)}
    assert {"read_file", "grep_search", "mcp_*"} <= offered
    made = fixture(tmp_path / "x", PATH + agent("$0"))
    assert {"max_turns", "mcp_servers"} <= {
        one.label for one in complete(made.workspace, made.path, made.offset)
    }


@pytest.mark.parametrize("lines", ["co$0lor: red", "tools: [Re$0ad]"])
def test_hover_says_that_a_name_refuses_the_file(lines: str, tmp_path: Path) -> None:
    made = fixture(tmp_path, PATH + agent(lines))
    shown = hover(made.workspace, made.path, made.offset)
    assert shown is not None
    assert "the runtime refuses the file because of it" in shown.markdown


@pytest.mark.parametrize(
    ("kind", "offered", "not_offered"),
    [
        ("remote", {"agent_card_url", "auth"}, {"tools", "model"}),
        ("local", {"tools", "model"}, {"agent_card_url", "auth"}),
    ],
)
def test_the_kind_decides_which_keys_are_offered(
    kind: str, offered: set[str], not_offered: set[str], tmp_path: Path
) -> None:
    made = fixture(tmp_path, f"{PATH}---\nname: a\nkind: {kind}\n$0\n---\nB\n")
    labels = {one.label for one in complete(made.workspace, made.path, made.offset)}
    assert offered <= labels
    assert not labels & not_offered


def test_the_keys_of_a_server_and_of_a_log_in_are_offered(tmp_path: Path) -> None:
    made = fixture(tmp_path, PATH + agent("mcp_servers:\n  mine:\n    $0"))
    labels = {one.label for one in complete(made.workspace, made.path, made.offset)}
    assert {"command", "http_url", "include_tools"} <= labels
    lines = "kind: remote\nauth:\n  type: apiKey\n  $0"
    made = fixture(tmp_path / "x", PATH + agent(lines))
    labels = {one.label for one in complete(made.workspace, made.path, made.offset)}
    assert "key" in labels
    assert "scheme" not in labels


def test_the_other_name_of_a_tool_is_explained_by_its_usual_one(tmp_path: Path) -> None:
    made = fixture(tmp_path, PATH + agent("tools: [search_file_co$0ntent]"))
    shown = hover(made.workspace, made.path, made.offset)
    assert shown is not None
    assert "`search_file_content` is another name of `grep_search`" in shown.markdown
    assert "this agent has it" in shown.markdown
