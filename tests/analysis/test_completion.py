"""What completion offers, told by the text that is there after one is accepted."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agent_lsp.analysis.completion import Completion, CompletionKind, complete
from agent_lsp.analysis.completion.offer import plain, tab_stop, without_choices
from agent_lsp.analysis.context.contexts import line_at
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.dialects import SYSTEMS
from agent_lsp.options import Extras, Options
from agent_lsp.syntax.document import parse
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.text import apply
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import HostPaths
from agent_lsp.workspace.snapshot import Workspace, template_file
from tests.effort import fifth
from tests.fixture import Fixture, fixture

BODY = "You review.\n"
Offered = Callable[..., dict[str, Completion]]


@pytest.fixture
def offered(tmp_path: Path) -> Offered:
    """The completions at the cursor of a header by label, in order."""

    def ask(header: str, body: str = BODY, options: Options | None = None) -> dict[str, Completion]:
        # Every question gets a workspace of its own.
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        return _by_label(fixture(folder, f"---\n{header}\n---\n{body}", options=options))

    return ask


def _by_label(found: Fixture) -> dict[str, Completion]:
    return {item.label: item for item in complete(found.workspace, found.path, found.offset)}


def _accepted(folder: Path, source: str, label: str) -> tuple[str, Completion]:
    """The text after accepting `label` at the cursor of `source`, and the completion."""
    found = fixture(folder, source)
    item = _by_label(found)[label]
    assert item.edit.span.covers(found.offset)
    return apply(found.text, [item.edit]), item


@pytest.mark.parametrize(
    ("header", "label", "expected"),
    [
        # A key comes with the shape of its value.
        ("$0", "description", "description: "),
        ("description: x\nmo$0", "model", "description: x\nmodel: "),
        ("mo$0\nread_only: true", "model", "model: \nread_only: true"),
        ("$0", "read_only", "read_only: "),
        ("$0", "allow_list", "allow_list:\n  - "),
        ("$0", "agent_names", "agent_names:\n  - name: \n    description: "),
        # Lists and personas are indented as those beside them.
        ("deny_list:\n- wait\n$0", "allow_list", "deny_list:\n- wait\nallow_list:\n- "),
        ("deny_list:\n    - wait\n$0", "allow_list", "deny_list:\n    - wait\nallow_list:\n    - "),
        (
            "deny_list:\n- wait\n$0",
            "agent_names",
            "deny_list:\n- wait\nagent_names:\n- name: \n  description: ",
        ),
        # A key that has its colon is only renamed, as is one in quotes.
        ("mo$0dle: gpt-5", "model", "model: gpt-5"),
        ("$0modle: gpt-5", "model", "model: gpt-5"),
        ("'modle$0': gpt-5", "model", "model: gpt-5"),
        # Keys of personas.
        ("agent_names:\n  - $0", "name", "agent_names:\n  - name: "),
        (
            "agent_names:\n  - $0",
            "name, description",
            "agent_names:\n  - name: \n    description: ",
        ),
        (
            "agent_names:\n  -$0",
            "name, description",
            "agent_names:\n  - name: \n    description: ",
        ),
        (
            "agent_names:\n  - name: a\n    $0\n  - name: b",
            "model",
            "agent_names:\n  - name: a\n    model: \n  - name: b",
        ),
        (
            "agent_names:\n- name: a\n$0",
            "model",
            "agent_names:\n- name: a\nmodel: ",
        ),
        (
            "agent_names:\n  - name: a\n  $0",
            "name, description",
            "agent_names:\n  - name: a\n  - name: \n    description: ",
        ),
        ("agent_names: $0", "name", "agent_names: \n  - name: "),
        ("agent_names: [$0]", "name", "agent_names: [{name: }]"),
        ("agent_names: [{name: a, $0}]", "model", "agent_names: [{name: a, model: }]"),
    ],
)
def test_a_key_is_inserted_with_its_shape(
    tmp_path: Path, header: str, label: str, expected: str
) -> None:
    text, _ = _accepted(tmp_path, f"---\n{header}\n---\n{BODY}", label)
    assert text == f"---\n{expected}\n---\n{BODY}"


@pytest.mark.parametrize(
    ("header", "label", "expected"),
    [
        ("model: $0", "gpt-5.2", "model: gpt-5.2"),
        ("model:$0", "gpt-5.2", "model: gpt-5.2"),
        ("model: gp$0t-4 # dear", "gpt-5.2", "model: gpt-5.2 # dear"),
        ('model: "gpt$0', "gpt-5.2", 'model: "gpt-5.2"'),
        ("model: 'gpt$0'", "gpt-5.2", "model: 'gpt-5.2'"),
        ("model:\n  g$0", "gpt-5.2", "model:\n  gpt-5.2"),
        ("read_only: t$0", "true", "read_only: true"),
        # In quotes it would be text, which the runtime refuses.
        ('read_only: "t$0"', "true", "read_only: true"),
        ("reasoning_effort: $0\nmodel: gpt-5", "high", "reasoning_effort: high\nmodel: gpt-5"),
    ],
)
def test_a_value_replaces_what_is_typed_of_it(
    tmp_path: Path, header: str, label: str, expected: str
) -> None:
    text, _ = _accepted(tmp_path, f"---\n{header}\n---\n{BODY}", label)
    assert text == f"---\n{expected}\n---\n{BODY}"


@pytest.mark.parametrize(
    ("header", "label", "expected"),
    [
        ("allow_list:\n  - $0", "wait", "allow_list:\n  - wait"),
        ("allow_list:\n  -$0", "wait", "allow_list:\n  - wait"),
        ("allow_list:\n  - exec$0_foo # c", "exec_command", "allow_list:\n  - exec_command # c"),
        ("allow_list:\n  $0", "wait", "allow_list:\n  - wait"),
        ("allow_list:\n  - wait\n  $0", "shell", "allow_list:\n  - wait\n  - shell"),
        ("allow_list:\n- wait\n- $0\nmodel: a", "shell", "allow_list:\n- wait\n- shell\nmodel: a"),
        ("allow_list: [$0]", "wait", "allow_list: [wait]"),
        ("allow_list: [wait,$0]", "shell", "allow_list: [wait, shell]"),
        ('allow_list: [wait, "exec$0"]', "exec_command", 'allow_list: [wait, "exec_command"]'),
        (
            "allow_list: [\n  wait,\n  sh$0\n]",
            "shell",
            "allow_list: [\n  wait,\n  shell\n]",
        ),
        ("allow_list: $0", "wait", "allow_list: [wait]"),
        # YAML would take a star at the start for an alias.
        ("allow_list:\n  - $0", "*_agent", 'allow_list:\n  - "*_agent"'),
        ("allow_list:\n  - *$0", "*_agent", 'allow_list:\n  - "*_agent"'),
        ("allow_list:\n  - '*$0", "*_agent", "allow_list:\n  - '*_agent'"),
        ("allow_list:\n  - $0", "mcp__*", "allow_list:\n  - mcp__*"),
        # Half-typed at the cursor.
        ("allow_list: [wait, $0", "shell", "allow_list: [wait, shell"),
        ('allow_list: ["exec_$0', "exec_command", 'allow_list: ["exec_command"'),
        ('allow_list: ["exec_$0, "wait"]', "exec_command", 'allow_list: ["exec_command", "wait"]'),
    ],
)
def test_a_tool_becomes_an_item(tmp_path: Path, header: str, label: str, expected: str) -> None:
    text, _ = _accepted(tmp_path, f"---\n{header}\n---\n{BODY}", label)
    assert text == f"---\n{expected}\n---\n{BODY}"


PERSONAS = "---\nagent_names:\n  - name: Strict\n  - name: quick\n---\n"


@pytest.mark.parametrize(
    ("body", "label", "expected"),
    [
        ("<!-- agent_name: $0", "strict", "<!-- agent_name: strict -->"),
        ("<!-- agent_name:$0", "strict", "<!-- agent_name: strict -->"),
        ("<!-- agent_name: st$0 -->", "strict", "<!-- agent_name: strict -->"),
        ("<!-- agent_name:$0-->", "strict", "<!-- agent_name: strict -->"),
        ("<$0", "<!-- agent_name: strict -->", "<!-- agent_name: strict -->"),
        ("Text.\n<!--$0", "<!-- agent_name: quick -->", "Text.\n<!-- agent_name: quick -->"),
        ("<!-- $0 -->", "<!-- agent_name: quick -->", "<!-- agent_name: quick -->"),
    ],
)
def test_a_declared_persona_gets_its_marker(
    tmp_path: Path, body: str, label: str, expected: str
) -> None:
    text, item = _accepted(tmp_path, f"{PERSONAS}{body}\n", label)
    assert text == f"{PERSONAS}{expected}\n"
    assert item.kind is CompletionKind.PERSONA


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("$0", "---\nD---\nP"),
        ("-$0\n", "---\nD---\nP\n"),
        ("--$0\n", "---\nD---\nP\n"),
        ("---$0\n", "---\nD---\nP\n"),
        ("---\n$0", "---\nD---\nP"),
        # A prompt that is there already becomes the body.
        ("---$0\nYou review.\n", "---\nD---\nYou review.\n"),
    ],
)
def test_a_file_without_a_header_gets_a_whole_one(
    tmp_path: Path, source: str, expected: str
) -> None:
    text, item = _accepted(tmp_path, source, "--- header")
    description, prompt = "What the agent does, and when to use it.", "Say what the agent does"
    keys = f"description: {description}\nmodel: gpt-5.2-codex\nreasoning_effort: medium\n"
    text = text.replace(f"{prompt}, and what it answers with.", "P")
    assert text == expected.replace("D", keys)
    assert item.snippet is not None
    assert (
        f"description: ${{1:{description}}}\nmodel: ${{2|gpt-5.2-codex,gpt-5.3-codex,"
        in item.snippet
    )


def test_choices_of_a_snippet_become_a_default_for_an_editor_that_knows_none() -> None:
    found = tab_stop(1, ("a,b|", "c")) + " " + tab_stop(2, ("}",))
    assert found == r"${1|a\,b\|,c|} ${2:\}}"
    assert plain(found) == "a,b| }"
    assert without_choices(found) == r"${1:a,b|} ${2:\}}"


def test_a_whole_header_has_the_name_of_the_file_and_no_finding(tmp_path: Path) -> None:
    headers: dict[str, str] = {}
    for name in (
        ".claude/agents/checker.md",
        ".claude/agents/My Checker.md",
        ".codex/.agents/checker.md",
        ".codex/agents/checker.md",
        ".gemini/agents/checker.md",
        ".github/agents/checker.agent.md",
        ".kodacode/agents/checker.md",
        ".moltis/agents/checker.md",
        ".opencode/agents/checker.md",
        ".qwen/agents/checker.md",
    ):
        folder = tmp_path / str(len(headers))
        headers[name], _ = _accepted(folder, f"//- {name}\n$0", "--- header")
        found = fixture(folder / "after", f"//- {name}\n{headers[name]}")
        assert diagnostics(found.workspace, found.path) == (), name
    assert headers[".claude/agents/checker.md"].splitlines()[1:5] == [
        "name: checker",
        "description: What the agent does, and when to use it.",
        "model: sonnet",
        "tools: Read, Grep, Glob",
    ]
    assert "name: my-checker\n" in headers[".claude/agents/My Checker.md"]
    assert "tools: [read_file, grep_search," in headers[".gemini/agents/checker.md"]


def test_what_authors_write_most_comes_first(tmp_path: Path) -> None:
    def labels(name: str, header: str) -> list[str]:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        return list(_by_label(fixture(folder, f"//- {name}\n---\n{header}\n---\nReview.\n")))

    claude, qwen = ".claude/agents/checker.md", ".qwen/agents/checker.md"
    expected = ["name", "description", "model", "tools", "color", "effort"]
    assert labels(claude, "$0")[:6] == expected
    tools = ["Read", "Grep", "Glob", "Write", "Bash", "Edit", "WebSearch", "WebFetch", "Agent"]
    assert labels(claude, "tools: $0")[:9] == tools
    assert labels(qwen, "tools: [$0]")[:3] == ["read_file", "grep_search", "glob"]


@pytest.mark.parametrize(
    "source",
    [
        "---\ndescription: what mo$0del\n---\n",
        "---\ndescription: $0\n---\n",
        "---\ndescription: |\n  one\n  $0\n---\n",
        "---\n# mo$0\n---\n",
        "---\nmodel: gpt-5 # $0\n---\n",
        "---\nmodel: gpt-5 $0\n---\n",
        "---\nmodle: g$0\n---\n",
        "---\ntools:\n  - $0\n---\n",
        "---\nmodel: gpt-5\n--$0-\n",
        "---\nmodel: gpt-5\n---\nThe mo$0del\n",
        "---\nmodel: gpt-5\n---\n$0\n",
        "---\nagent_names:\n  - name: a\n---\nSee <$0\n",
        "Text without a header.\n$0\n",
        "//- notes.md\n---\nmo$0\n---\n",
    ],
)
def test_nothing_is_offered_in_text_and_comments(tmp_path: Path, source: str) -> None:
    assert _by_label(fixture(tmp_path, source)) == {}


def test_keys_are_those_that_are_missing_and_what_is_required_comes_first(
    offered: Offered,
) -> None:
    assert list(offered("model: gpt-5\n$0\nallow_list: [wait]")) == [
        "description",
        "reasoning_effort",
        "read_only",
        "agent_names",
        "deny_list",
    ]


def test_keys_of_a_persona_are_those_that_it_lacks(offered: Offered) -> None:
    header = "model: gpt-5\nagent_names:\n  - name: a\n    reasoning_effort: low\n    $0"
    assert list(offered(header)) == ["description", "model"]


def test_a_key_with_values_asks_for_them_and_a_text_does_not(offered: Offered) -> None:
    found = offered("$0")
    asking = [label for label, item in found.items() if item.retrigger]
    assert asking == [
        "model",
        "reasoning_effort",
        "read_only",
        "agent_names",
        "allow_list",
        "deny_list",
    ]


def test_a_key_says_what_it_means_and_what_happens_without_it(offered: Offered) -> None:
    found = offered("$0")["read_only"]
    assert found.detail == "true or false"
    assert "forces the read-only sandbox" in found.documentation
    assert "Without it: `false`" in found.documentation


def test_an_editor_with_snippets_gets_tab_stops_and_another_the_same_text(
    offered: Offered,
) -> None:
    found = offered("$0")["agent_names"]
    assert found.snippet == "agent_names:\n  - name: $1\n    description: $2"
    assert found.edit.text == "agent_names:\n  - name: \n    description: "
    assert offered("$0")["model"].snippet is None
    assert offered("allow_list: $0")["wait"].snippet == "[wait$1]"


def test_efforts_are_those_of_the_model_at_this_place(offered: Offered) -> None:
    every = ["none", "minimal", "low", "medium", "high", "xhigh"]
    mini = ["none", "medium", "high"]
    assert list(offered("model: gpt-5.1-codex-mini\nreasoning_effort: $0")) == mini
    assert list(offered("reasoning_effort: $0")) == every
    assert list(offered("model: gpt-99\nreasoning_effort: $0")) == every
    persona = "agent_names:\n  - name: a\n    reasoning_effort: $0"
    assert list(offered(f"model: gpt-5.1-codex-mini\n{persona}")) == mini
    own = f"model: gpt-5\n{persona}\n    model: gpt-5.1-codex-mini"
    assert list(offered(own)) == mini


def test_a_list_is_not_offered_what_it_has(offered: Offered) -> None:
    found = offered("allow_list:\n  - wait\n  - $0\n  - shell\n  - mcp__*")
    assert not {"wait", "shell", "mcp__*"} & set(found)
    assert "exec_command" in found


def test_what_is_typed_at_the_cursor_is_still_offered(offered: Offered) -> None:
    assert "wait" in offered("allow_list:\n  - wait$0")
    assert "gpt-5" in offered("model: gpt-5$0")


def test_a_tool_that_the_other_list_denies_comes_last_and_says_so(offered: Offered) -> None:
    found = offered("allow_list:\n  - $0\ndeny_list:\n  - 'exec_*'")
    denied = found["exec_command"]
    assert denied.deprecated
    assert denied.detail.endswith("no effect: `deny_list` has `exec_*`")
    assert list(found)[-1] == "exec_command"


def test_a_tool_to_deny_says_whether_it_is_allowed(offered: Offered) -> None:
    found = offered("allow_list:\n  - wait\ndeny_list:\n  - $0")
    assert found["wait"].detail.endswith("; `allow_list` has `wait`")
    assert not found["wait"].deprecated
    assert found["shell"].detail.endswith("; no effect: not in `allow_list`")
    assert found["shell"].deprecated


def test_a_tool_that_a_pattern_of_the_list_covers_comes_last(offered: Offered) -> None:
    found = offered("allow_list:\n  - list_*\n  - $0")
    assert found["list_agents"].detail.endswith("no effect: the list has `list_*`")
    assert found["list_agents"].sort > found["wait"].sort


def test_a_tool_says_what_it_does(offered: Offered) -> None:
    found = offered("allow_list:\n  - $0")
    assert found["apply_patch"].detail == "edits files"
    assert found["apply_patch"].kind is CompletionKind.TOOL
    assert found["mcp__*"].kind is CompletionKind.PATTERN


def test_names_from_the_settings_are_offered(offered: Offered) -> None:
    extras = Extras(tools=("deploy", "mcp__tracker__*"), keys=("owner",), models=("gpt-99",))
    options = Options(extras={"codex-templates": extras})
    assert "owner" in offered("$0", options=options)
    assert "owner" not in offered("agent_names:\n  - $0", options=options)
    assert "gpt-99" in offered("model: $0", options=options)
    found = offered("allow_list:\n  - $0", options=options)
    assert found["deploy"].kind is CompletionKind.TOOL
    assert found["mcp__tracker__*"].kind is CompletionKind.PATTERN


def test_a_marker_is_offered_for_personas_without_a_block(offered: Offered) -> None:
    header = "agent_names:\n  - name: strict\n  - name: quick"
    body = "<!-- agent_name: $0 -->\nText.\n<!-- agent_name: quick -->\n"
    assert list(offered(header, body)) == ["strict"]
    assert list(offered(header, body.replace("$0", "str$0"))) == ["strict"]


def test_a_persona_is_offered_the_names_of_blocks_without_a_declaration(offered: Offered) -> None:
    body = "Text.\n<!-- agent_name: strict -->\n<!-- agent_name: quick -->\n"
    header = "agent_names:\n  - name: quick\n  - name: $0"
    assert list(offered(header, body)) == ["strict"]
    assert list(offered(header.replace("$0", "strict$0"), body)) == ["strict"]


def test_a_quote_that_is_typed_does_not_hide_an_item_from_the_filter(offered: Offered) -> None:
    assert offered('allow_list: ["ex$0')["exec_command"].filter == '"exec_command'
    assert offered("allow_list:\n  - ex$0")["exec_command"].filter == "exec_command"


def test_inserted_lines_end_as_those_of_the_file(tmp_path: Path) -> None:
    text, _ = _accepted(tmp_path, "---\r\nal$0\r\n---\r\n", "allow_list")
    assert text == "---\r\nallow_list:\r\n  - \r\n---\r\n"


@pytest.mark.parametrize(
    "source",
    [
        "\ufeff---\nmodel: $0\n---\n",
        "---\nmodel: $0\n",
        "---\nmodel: $0\n\nYou review.\n",
        "---\ndescription: a: b\nmodel: $0\n---\n",
        '---\ndescription: "a\nmodel: $0\n---\n',
        "---\nallow_list: [a\nmodel: $0\n---\n",
        "---\nallow_list:\n\t- a\nmodel: $0\n---\n",
    ],
)
def test_a_header_that_the_runtime_does_not_see_is_completed_like_any_other(
    tmp_path: Path, source: str
) -> None:
    found = fixture(tmp_path, source)
    text = apply(found.text, [_by_label(found)["gpt-5.2"].edit])
    assert text == source.replace("$0", "gpt-5.2")


ROOT = Path(__file__).parents[2]
TEMPLATES = sorted(
    path
    for folder in ("templates", "examples")
    for path in (ROOT / folder).rglob("*.md")
    if path.name != "README.md" and "faults" not in path.parts
)
KEEP_SOUND = (
    CompletionKind.KEY,
    CompletionKind.VALUE,
    CompletionKind.TOOL,
    CompletionKind.PATTERN,
)


@pytest.mark.parametrize("template", fifth(TEMPLATES), ids=lambda path: path.stem)
def test_no_half_typed_template_breaks_completion(template: Path) -> None:
    """An edit touches the cursor and stays on its line, and a sound header stays sound."""
    text = template.read_text(encoding="utf-8")
    end = text.find("\n---", 4) + 8 if "\n---" in text else text.index("\n\n")
    workspace = Workspace(Files(), SYSTEMS, HostPaths(None, ROOT / "templates"))
    for offset in [*range(0, end, max(1, end // 20)), *range(end, len(text), len(text) // 4)]:
        for written in (text[:offset], text, f"{text[:offset]}\n{text[offset:]}"):
            _check_all(workspace, written, offset)


def _check_all(workspace: Workspace, text: str, offset: int) -> None:
    path = ROOT / "nowhere" / ".codex" / ".agents" / "role.md"
    workspace.files.open(path, text)
    file = template_file(workspace, path)
    assert file is not None
    # Below a header that is not closed, any text may come to belong to it.
    ends = file.document.frontmatter.fence is FenceKind.CLOSED or offset == len(text)
    sound = ends and file.document.tree.problem is None
    line = line_at(text, offset)
    for item in complete(workspace, path, offset):
        span = item.edit.span
        assert line.start <= span.start <= offset <= span.end <= line.end, item
        before = text[line.start : span.start]
        assert item.indent == before[: len(before) - len(before.lstrip(" \t"))]
        for following in item.edit.text.split("\n")[1:]:
            assert following.startswith(item.indent), item
        if sound and item.kind in KEEP_SOUND:
            after = apply(text, [item.edit])
            tree = parse(after, file.dialect.format.split).tree
            assert tree.problem is None, (item, after)


@pytest.mark.parametrize(
    ("header", "is_offered"),
    [
        ("  mo$0\ndescription: x", False),
        ("  $0\ndescription: x", False),
        ("mo$0\ndescription: x", True),
        ("  description: x\n  mo$0", True),
        ("  mo$0", True),
    ],
)
def test_a_key_is_offered_where_the_others_of_the_header_stand(
    header: str, is_offered: bool, offered: Offered
) -> None:
    assert ("model" in offered(header)) is is_offered
