"""What is reported about agents of GitHub Copilot and VS Code, and what is left alone."""

from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes
from agent_lsp.analysis.hover import hover
from agent_lsp.options import Extras, Options
from tests.fixture import Fixture, fixture

PATH = "//- .github/agents/reviewer.agent.md\n"
HEADER = "name: Reviewer\ndescription: Reviews a change.\n"
REFUSED = "or Copilot CLI does not load the agent"


def agent(lines: str = "", header: str = HEADER, body: str = "Review it.\n") -> str:
    return f"{PATH}---\n{header}{lines}---\n{body}"


def said(made: Fixture) -> list[str]:
    return [
        f"{found.severity.name.lower()}[{found.code}] {found.message}"
        for found in diagnostics(made.workspace, made.path)
    ]


def made(folder: Path, name: str) -> Path:
    (folder / name).mkdir()
    return folder / name


def check(folder: Path, source: str, *readers: str) -> list[str]:
    options = Options(extras={"copilot": Extras(readers=readers)})
    return said(fixture(folder, source, options=options))


@pytest.mark.parametrize(
    "lines",
    [
        "",
        "tools: [read, edit, search, execute, agent, web, todo]\n",
        "tools: ['read/readFile', 'search/codebase', 'web/fetch']\n",
        "tools: read, edit\n",
        "tools: [github/*, playwright/browser_click, acme.tools/lookUp]\n",
        "tools: []\n",
        "tools: [read, search/usages, vscode/askQuestions]\n",
        "model: GPT-5 (copilot)\n",
        "model: ['Claude Sonnet 4.5', 'GPT-5']\n",
        "argument-hint: say what\ntarget: vscode\nuser-invocable: false\nagents: ['*']\n",
        "handoffs:\n  - {label: Go, agent: agent, prompt: ''}\n",
        "github:\n  permissions:\n    contents: read\n",
        "hooks:\n  Stop:\n    - {type: command, command: x, env: {A: b}, timeout: 5}\n",
        "hooks:\n  PreToolUse:\n    - {matcher: '*', hooks: [{type: command, bash: x}]}\n",
    ],
)
def test_nothing_is_said_of_a_sound_agent(lines: str, tmp_path: Path) -> None:
    assert check(tmp_path, agent(lines)) == []


@pytest.mark.parametrize(
    "lines",
    [
        "mcp-servers:\n  s: {type: local, command: x, args: [], tools: ['*']}\n",
        "mcp-servers:\n  s: {type: http, url: 'https://example.test', tools: ['*']}\n",
        "skills: [github-pr-media]\nreasoning-effort: high\ndeferred-tool-loading: true\n",
    ],
)
def test_a_sound_key_of_the_cli_is_only_a_hint_for_vs_code(lines: str, tmp_path: Path) -> None:
    found = check(tmp_path, agent(lines))
    assert found
    assert all(one.startswith("hint[no-effect] for VS Code: ") for one in found)


@pytest.mark.parametrize(
    ("lines", "thing", "part"),
    [
        ("and more\ntools: [read]\n", "`and more` is not `key: value`", "from here on"),
        ("tools:[read]\nmodel: x\n", "no space follows the colon of `tools`", "from here on"),
        ("```\ntools: [read]\n", "`` ``` `` is not `key: value`", "from here on"),
        ('argument-hint: "open\ntools: [read]\n', 'no `"` closes this text', "below it"),
        ("agents: [a, b\ntools: [read]\n", "nothing closes this `[`", "below it"),
    ],
)
def test_keys_below_a_line_that_ends_the_header_are_lost(
    lines: str, thing: str, part: str, tmp_path: Path
) -> None:
    found = check(tmp_path, agent(lines), "vscode")
    assert len(found) == 1
    assert found[0].startswith(f"error[header-invalid] {thing}, and nothing {part} is read: ")


@pytest.mark.parametrize(
    "lines",
    [
        "tools:[read]\n",
        "tools:read, edit\n",
        "tools [read]\n",
        "tools read, edit\n",
        "tools = [read]\n",
        "tools=[read]\n",
        "tools\uff1a[read]\n",
        "tools:\xa0[read]\n",
        '"tools":[read]\n',
        "- tools: [read]\n",
        "tools\n  - read\n",
        "allowed-tools:[read]\n",
        "and more\ntools:[read]\nmodel: x\n",
        "...\ntools [read]\n",
        "agents: [a\ntools:[read]\n",
        "model: {{ X }}\ntools:[read]\n",
        "argument-hint: 'open\ntools:[read]\n",
        "tools: {read: true}\nand more\n",
    ],
)
def test_a_list_of_tools_that_vs_code_loses_gives_every_tool(lines: str, tmp_path: Path) -> None:
    source = agent(lines)
    (found,) = check(made(tmp_path, "vscode"), source, "vscode")
    assert found.startswith("error[header-invalid] ")
    assert ", and the agent has every tool" in found
    for found in check(made(tmp_path, "cli"), source, "cli"):
        assert found.startswith("error[")
        assert "every tool" not in found
        assert REFUSED in found


@pytest.mark.parametrize("line", ["tools [read, edit]", "tools = [read, edit]", "tools read, edit"])
def test_the_fix_for_a_lost_list_of_tools_makes_it_one(line: str, tmp_path: Path) -> None:
    found = fixture(tmp_path, agent(header=f"description: d\n{line}\n"))
    every = fixes(found.workspace, found.path)
    assert any(one.title.startswith(("Replace `=`", "Write a colon")) for one in every)
    assert not any("`|`" in one.title or "block" in one.title for one in every)


@pytest.mark.parametrize("header", ["- description: d\n- tools: [read]\n", "text\ntools:[read]\n"])
def test_a_list_of_tools_in_a_header_without_keys_gives_every_tool(
    header: str, tmp_path: Path
) -> None:
    (found,) = check(tmp_path, agent(header=header), "vscode")
    assert found.startswith("error[header-invalid] the header begins with ")
    assert ", and the agent has every tool" in found


@pytest.mark.parametrize(
    "lines",
    [
        # VS Code has the list, and only what follows is lost.
        "tools: [read] [edit]\nmodel: m\n",
        "tools: [read]\nand more\ntools:[edit]\n",
        "tools: [read\nmodel:x\n",
        # Nobody has written one.
        "and more\nmodel: m\n",
        "and more\nthe tools are good\n",
        "and more\n# tools: [read]\n",
        "and more\nmcp-servers:\n  s:\n    tools: [read]\n",
    ],
)
def test_nobody_is_told_of_every_tool_without_a_lost_list(lines: str, tmp_path: Path) -> None:
    found = check(tmp_path, agent(lines))
    assert any("[header-invalid] for VS Code" in one for one in found)
    assert not any("every tool" in one for one in found)


def test_a_list_of_tools_with_its_items_lost_leaves_none(tmp_path: Path) -> None:
    (found,) = check(tmp_path, agent("tools:\n-read\n-edit\n"), "vscode")
    assert "the text is lost, and the agent has no tools" in found


@pytest.mark.parametrize("key", ["**tools**", "> tools", "`allowed-tools`"])
def test_a_key_in_markdown_is_another_key_to_vs_code(key: str, tmp_path: Path) -> None:
    (found,) = check(tmp_path, agent(f"{key}: [read]\n"), "vscode")
    assert found.startswith("warning[unknown-key] VS Code reads ")
    assert found.endswith("as a key of its own, so the agent gets every tool; write `tools`")


@pytest.mark.parametrize(
    ("header", "fix"),
    [
        ('description: "d\ntools: [read]\nmodel: m"\n', "close the quotes above it"),
        ("description: d\n  tools:[read]\n", "indent it less"),
        ("description: >\n  d\n  tools:[read]\n", "indent it less"),
    ],
)
def test_a_list_of_tools_within_a_description_limits_nothing(
    header: str, fix: str, tmp_path: Path
) -> None:
    (found,) = check(tmp_path, agent(header=header))
    assert found.startswith("warning[swallowed-key] `tools` is a line of `description`")
    assert found.endswith(fix)


def test_the_fix_for_a_swallowed_list_writes_the_blank_behind_its_colon(tmp_path: Path) -> None:
    found = fixture(tmp_path, agent(header="description: d\n  tools:[read]\n"))
    (fix,) = (one for one in fixes(found.workspace, found.path) if one.title.startswith("Make"))
    assert "".join(edit.text for edit in fix.edits) == " "


def test_an_unknown_key_is_ignored_by_programs_that_have_names(tmp_path: Path) -> None:
    source = agent("allowed-tools: [read]\n")
    assert "VS Code and Copilot CLI ignore `allowed-tools`" in check(tmp_path, source)[0]
    assert "] VS Code ignores `allow" in check(made(tmp_path, "vs"), source, "vscode")[0]
    assert "] Copilot CLI ignores `allow" in check(made(tmp_path, "cli"), source, "cli")[0]


def test_a_lost_list_of_tools_gives_every_tool(tmp_path: Path) -> None:
    [found] = check(tmp_path, agent("and more\ntools: [read]\nmodel: x\n"), "vscode")
    assert "`tools` and `model` are lost, and the agent has every tool" in found


def test_an_unquoted_colon_loses_nothing_in_vs_code_and_the_file_in_the_cli(
    tmp_path: Path,
) -> None:
    source = agent(header="description: Use it. Examples: many\n")
    [found] = check(tmp_path, source)
    assert found.startswith("error[unquoted-text] for Copilot CLI: unquoted `: `")
    assert REFUSED in found


def test_a_header_without_an_end_leaves_no_prompt(tmp_path: Path) -> None:
    found = check(tmp_path, f"{PATH}---\n{HEADER}Review it.\n", "vscode")
    assert len(found) == 1
    assert found[0].startswith("error[header-unclosed]")
    assert "the prompt is empty" in found[0]


def test_a_file_without_a_header_is_an_agent_with_every_tool_in_vs_code(tmp_path: Path) -> None:
    vs, cli = (
        check(made(tmp_path, name), f"{PATH}Review it.\n", name) for name in ("vscode", "cli")
    )
    assert len(vs) == len(cli) == 1
    assert vs[0].startswith("warning[header-missing]")
    assert "every tool" in vs[0]
    assert cli[0].startswith("error[header-missing]")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("\n---\nname: Lead\ndescription: Leads.\n---\nLead.\n", "header-missing"),
        ("---\nname: Lead\ntarget: vscode\ndescription: d\n----\nLead.\n", "header-unclosed"),
    ],
)
def test_a_header_that_neither_program_sees_is_one_finding_with_a_safe_fix(
    text: str, code: str, tmp_path: Path
) -> None:
    found = fixture(tmp_path, f"{PATH}{text}")
    (one,) = diagnostics(found.workspace, found.path)
    assert (one.code, one.severity.name, REFUSED[3:] in one.message) == (code, "ERROR", True)
    assert "VS Code reads the whole file" in one.message
    assert any(fix.safe for fix in fixes(found.workspace, found.path))


def test_a_text_without_a_header_is_information(tmp_path: Path) -> None:
    found = check(tmp_path, "//- .github/agents/notes.md\nSome notes.\n")
    assert found
    assert all(one.startswith("information[header-missing]") for one in found)


@pytest.mark.parametrize(
    ("lines", "code", "thing"),
    [
        ("user-invocable: no\n", "wrong-type", "`user-invocable` must be"),
        ("tools: 7\n", "wrong-type", "`tools` must be"),
        (
            "mcp-servers: []\n",
            "wrong-type",
            "`mcp-servers` must be a mapping, not a list: write a name with `type: …`, ",
        ),
        ("name: x\n", "duplicate-key", "`name` is set twice"),
        (
            "mcp-servers:\n  s:\n    command: x\n",
            "missing-key",
            "`mcp-servers.s` has no `args` or `tools`",
        ),
    ],
)
def test_what_only_the_cli_refuses_is_an_error(
    lines: str, code: str, thing: str, tmp_path: Path
) -> None:
    found = check(tmp_path, agent(lines), "cli")
    assert len(found) == 1
    assert found[0].startswith(f"error[{code}] {thing}")
    assert REFUSED in found[0]


def test_a_missing_description_is_an_error_of_the_cli_alone(tmp_path: Path) -> None:
    [found] = check(tmp_path, agent(header="name: Reviewer\n"))
    thing = f"the header has no `description`: add it, {REFUSED}"
    assert found == f"error[missing-key] for Copilot CLI: {thing}"


def test_what_the_cli_refuses_is_information_for_an_agent_of_vs_code(tmp_path: Path) -> None:
    [found] = check(tmp_path, agent(header="name: Reviewer\ntarget: vscode\n"))
    assert found.startswith("information[missing-key] for Copilot CLI")


def test_a_key_that_is_there_twice_counts_once_in_vs_code(tmp_path: Path) -> None:
    [found] = check(tmp_path, agent("name: Other\n"), "vscode")
    assert found.startswith("warning[duplicate-key] `name` is set twice")


def test_a_star_is_no_tool_in_vs_code(tmp_path: Path) -> None:
    [found] = check(tmp_path, agent("tools: ['*']\n"))
    assert found.startswith("warning[no-tools] for VS Code: `*` names no tool")
    assert "the agent has no tools" in found


def test_a_tool_of_one_program_gets_the_name_for_both(tmp_path: Path) -> None:
    [found] = check(tmp_path, agent("tools: [read, Bash]\n"))
    assert found.startswith("information[unknown-tool] for VS Code: unknown tool `Bash`")
    assert "write `execute`, which both programs know" in found


def test_a_tool_that_only_vs_code_has_is_left_alone(tmp_path: Path) -> None:
    assert check(tmp_path, agent("tools: [read, search/usages, vscode/memory]\n")) == []


def test_a_tool_that_is_gone_is_a_hint(tmp_path: Path) -> None:
    [found] = check(tmp_path, agent("tools: [read, think]\n"))
    assert found == "hint[unknown-tool] `think` is no longer a tool, and allows nothing"


def test_a_list_of_which_nothing_is_known_leaves_no_tool(tmp_path: Path) -> None:
    found = check(tmp_path, agent("tools: [nothing_like_it]\n"))
    assert [one.partition("]")[0] for one in found] == ["warning[no-tools"] * 2


def test_a_misspelt_tool_is_a_warning(tmp_path: Path) -> None:
    [found] = check(tmp_path, agent("tools: [read, serach]\n"))
    assert found == (
        "warning[unknown-tool] unknown tool `serach`: it allows nothing; did you mean `search`?"
    )


def test_an_older_name_is_a_hint_with_the_name_of_today(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent("tools: [codebase, runTasks]\n"))
    found = [one for one in said(made) if "VS Code still accepts" in one]
    assert [one.partition("]")[0] for one in found] == ["hint[renamed-tool"] * 2
    titles = [fix.title for fix in fixes(made.workspace, made.path)]
    assert "Write `codebase` as `search/codebase`" in titles


def test_a_list_without_a_value_leaves_no_tool_in_vs_code(tmp_path: Path) -> None:
    [found] = check(tmp_path, agent("tools:\n"), "vscode")
    assert found.startswith("warning[unset-allow-list] `tools` has no value")


@pytest.mark.parametrize(
    ("key", "level", "thing"),
    [
        ("allowed-tools: [read]", "warning", "the agent gets every tool"),
        (
            "tools: [read]\ndisallowedTools: [edit]",
            "warning",
            "no key removes tools, so the agent keeps them",
        ),
        ("disallowedTools: [edit]", "warning", "no key removes tools"),
        ("modle: x", "warning", "did you mean `model`?"),
        ("mode: agent", "hint", "it is a key of prompt files"),
        ("role: tester", "hint", "unknown key `role`"),
    ],
)
def test_a_key_that_neither_program_reads_is_told_once(
    key: str, level: str, thing: str, tmp_path: Path
) -> None:
    [found] = check(tmp_path, agent(f"{key}\n"))
    assert found.startswith(f"{level}[unknown-key] ")
    assert "for " not in found.partition(":")[0]
    assert thing in found


def test_a_key_of_another_place_in_a_hand_off_is_told(tmp_path: Path) -> None:
    lines = "handoffs:\n  - {label: Go, agent: agent, prompt: x, tool: y}\n"
    [found] = check(tmp_path, agent(lines), "vscode")
    assert "[unknown-key] unknown key `tool`" in found


def test_switches_that_contradict_each_other_are_told(tmp_path: Path) -> None:
    lines = "infer: true\ndisable-model-invocation: true\n"
    found = check(tmp_path, agent(lines))
    assert [one.partition("]")[0] for one in found] == ["warning[contradiction"]


def test_a_wrong_target_is_told(tmp_path: Path) -> None:
    [found] = check(tmp_path, agent("target: vs-code\n"), "vscode")
    assert found.startswith("warning[unknown-value] unknown `target` `vs-code`")


def test_a_chat_mode_where_nobody_looks_is_misplaced(tmp_path: Path) -> None:
    source = "//- .github/chatmodes/plan.chatmode.md\n---\ndescription: d\n---\nPlan.\n"
    [found] = check(tmp_path, source)
    assert found.startswith("warning[misplaced]")
    assert ".github/agents/plan.agent.md" in found


def test_an_entry_that_its_set_covers_is_a_hint(tmp_path: Path) -> None:
    [found] = check(tmp_path, agent("tools: [read, read/readFile]\n"))
    assert found.startswith("hint[redundant-entry]")


def test_a_setting_in_a_text_above_it_is_told(tmp_path: Path) -> None:
    header = "name: Reviewer\ndescription: |\n  Reviews.\n  tools: [read]\n"
    [found] = check(tmp_path, agent(header=header))
    assert "[swallowed-key]" in found


def test_only_the_programs_that_count_are_heard(tmp_path: Path) -> None:
    source = agent("tools: ['*']\n", header="name: Reviewer\n")
    both, vs, cli = (
        check(made(tmp_path, str(at)), source, *readers)
        for at, readers in enumerate(((), ("vscode",), ("cli",)))
    )
    assert len(both) == 2
    assert [one.partition("]")[0] for one in vs] == ["warning[no-tools"]
    assert [one.partition("]")[0] for one in cli] == ["error[missing-key"]


def test_bytes_that_are_no_utf_8_are_told(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent())
    made.path.write_bytes(b"---\ndescription: d\n---\n\xff\n")
    found = said(fixture_again(made))
    assert any("[unreadable]" in one for one in found)


def fixture_again(made: Fixture) -> Fixture:
    """The same files, read again."""
    from agent_lsp.data_classes import replace  # noqa: PLC0415
    from agent_lsp.workspace.files import Files  # noqa: PLC0415

    workspace = replace(made.workspace, files=Files())
    return Fixture(workspace, made.root, made.path, made.text, made.offset)


def test_words_complete_where_they_count(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent("tools: [rea$0]\n"))
    offered = {one.label for one in complete(made.workspace, made.path, made.offset)}
    assert "read/readFile" in offered


SIMPLE = "---\ndescription: Works.\n---\n"


@pytest.mark.parametrize(
    ("prompt", "typed"),
    [
        ("Use #tool:$0", ""),
        ("Use #tool:web/fe$0tch now.", "web/fetch"),
        ("```\ncode\n```\nUse #TOOL:re$0", "re"),
        ("Use `#tool:re$0`.", None),
        ("```\nUse #tool:re$0\n```", None),
        ("Use tool:re$0", None),
        ("Use #tool: re$0", None),
    ],
)
def test_the_tools_of_vs_code_complete_in_a_prompt(
    prompt: str, typed: str | None, tmp_path: Path
) -> None:
    made = fixture(tmp_path, f"//- .github/agents/a.agent.md\n{SIMPLE}{prompt}\n")
    offered = {one.label: one for one in complete(made.workspace, made.path, made.offset)}
    found = offered.get("web/fetch")
    assert (found.edit.span.of(made.text) if found is not None else None) == typed


def test_copilot_cli_alone_reads_no_tool_in_a_prompt(tmp_path: Path) -> None:
    source = f"//- .github/agents/a.agent.md\n{SIMPLE}Use #tool:$0\n"
    options = Options(extras={"copilot": Extras(readers=("cli",))})
    made = fixture(tmp_path, source, options=options)
    assert complete(made.workspace, made.path, made.offset) == ()


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        ("Use #tool:web/fe$0tch.", None),
        ("Use #tool:web/fe$0tch now.", "VS Code writes `fetch_webpage` in its place"),
        ("Use #tool:github/se$0arch now.", None),
    ],
)
def test_a_hover_says_what_a_tool_of_a_prompt_is(
    prompt: str, said: str | None, tmp_path: Path
) -> None:
    made = fixture(tmp_path, f"//- .github/agents/a.agent.md\n{SIMPLE}{prompt}\n")
    shown = hover(made.workspace, made.path, made.offset)
    assert (shown is None) if said is None else (shown is not None and said in shown.markdown)


def test_hover_says_what_a_wrong_value_costs_in_each_program(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent("to$0ols: ['*']\n"))
    shown = hover(made.workspace, made.path, made.offset)
    assert shown is not None
    with_ = "- with a type of value that"
    assert [line for line in shown.markdown.splitlines() if line.startswith(with_)] == [
        f"{with_} VS Code does not take: VS Code ignores it, so it restricts nothing",
        f"{with_} Copilot CLI does not take: Copilot CLI does not load the agent",
    ]


def test_hover_says_which_program_reads_a_key(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent("ag$0ents: ['*']\n"))
    shown = hover(made.workspace, made.path, made.offset)
    assert shown is not None
    assert "No effect in Copilot CLI" in shown.markdown


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            "to$0ols: [execute]\n",
            "In Copilot CLI: loads it as `Reviewer`, with `bash`, `read_bash`",
        ),
        ("tools: [exe$0cute]\n", "In Copilot CLI, `execute` is `bash`, `read_bash`"),
        ("tools: [searc$0h, nothing]\n", "In Copilot CLI, `search` is `grep`, `glob`"),
        (
            "infer: true\ndisable-model-inv$0ocation: true\n",
            "In Copilot CLI: people: yes, models: no",
        ),
        ("user-inv$0ocable: no\n", "In Copilot CLI: refuses the file: "),
    ],
)
def test_hover_says_what_each_program_makes_of_a_value(
    tmp_path: Path, lines: str, said: str
) -> None:
    made = fixture(tmp_path, agent(lines))
    shown = hover(made.workspace, made.path, made.offset)
    assert shown is not None
    assert said in shown.markdown


def test_hover_counts_the_tools_of_each_set_if_they_are_many(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent("tools: [search, read, edit, execute]\n"))
    shown = hover(made.workspace, made.path, 0)
    assert shown is not None
    assert "with 32 of the 57 tools known here: 6 of `edit`, 10 of `execute`, 9 of `read`" in (
        shown.markdown
    )


def test_an_empty_name_is_told_for_each_program(tmp_path: Path) -> None:
    source = f"{PATH}---\nname:\ndescription: d\n---\nWork.\n"
    refused, unnamed = check(tmp_path, source)
    assert refused.startswith(
        "error[wrong-type] for Copilot CLI: `name` has no value: write a string"
    )
    assert unnamed.startswith(
        "warning[agent-name] for VS Code: `name` is empty, and so is the name"
    )


def test_a_tool_that_a_setting_switches_on_exists_only_there(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent("tools: [search/chan$0ges]\n"))
    shown = hover(made.workspace, made.path, made.offset)
    assert shown is not None
    assert "this agent has it where it exists" in shown.markdown
    setting = "`github.copilot.chat.getChangedFilesTool.enabled` is on, and by default it is off"
    assert f"It exists only if {setting}" in shown.markdown
    (found,) = [one for one in said(made) if "unknown-tool" in one]
    assert found == f"hint[unknown-tool] for VS Code: `search/changes` exists only if {setting}"


def test_a_star_matches_nothing_in_vs_code_and_everything_in_the_cli(tmp_path: Path) -> None:
    shown = {}
    for name in ("vscode", "cli"):
        options = Options(extras={"copilot": Extras(readers=(name,))})
        at_key = fixture(made(tmp_path, name), agent("to$0ols: ['*']\n"), options=options)
        at_entry = fixture(
            made(tmp_path, f"{name}-entry"), agent("tools: ['$0*']\n"), options=options
        )
        found = (hover(one.workspace, one.path, one.offset) for one in (at_key, at_entry))
        shown[name] = [one.markdown for one in found if one is not None]
    assert "matches `*`" not in shown["vscode"][0]
    assert "Keeps 0 of" in shown["vscode"][0]
    assert "the entry has no effect" in shown["vscode"][1]
    assert "Also any MCP tool that matches `*`" in shown["cli"][0]
    assert "allows 22 of the 22" in shown["cli"][1]


def test_the_tools_of_a_server_may_match_in_both_programs(tmp_path: Path) -> None:
    for name in ("vscode", "cli"):
        options = Options(extras={"copilot": Extras(readers=(name,))})
        made_ = fixture(made(tmp_path, name), agent("to$0ols: ['github/*']\n"), options=options)
        shown = hover(made_.workspace, made_.path, made_.offset)
        assert shown is not None
        assert "Also any MCP tool that matches `github/*`" in shown.markdown


def test_a_list_is_completed_with_sets_and_with_no_star_in_vs_code(tmp_path: Path) -> None:
    labels = {}
    for name in ("vscode", "cli"):
        options = Options(extras={"copilot": Extras(readers=(name,))})
        made_ = fixture(made(tmp_path, name), agent("tools: [$0]\n"), options=options)
        labels[name] = [one.label for one in complete(made_.workspace, made_.path, made_.offset)]
        assert len(set(labels[name])) == len(labels[name])
    assert {"read", "edit", "search", "execute", "agent", "web"} <= set(labels["vscode"])
    assert "*" not in labels["vscode"]
    assert "*" in labels["cli"]


def test_the_name_of_a_server_is_in_lower_case_in_vs_code(tmp_path: Path) -> None:
    (found,) = check(tmp_path, agent("tools: [read, 'GitHub/*']\n"))
    thing = "information[unknown-tool] for VS Code: unknown tool `GitHub/*`: it allows nothing here"
    assert found == f"{thing}; write `github/*`, which both programs know"


def test_a_byte_order_mark_does_not_count(tmp_path: Path) -> None:
    marked = agent().replace("---\n", "\ufeff---\n", 1)
    assert check(tmp_path, marked) == []


def test_a_byte_order_mark_in_the_header_is_told_and_removed_without_its_key(
    tmp_path: Path,
) -> None:
    written = fixture(tmp_path, agent(header=f"\ufeff{HEADER}"))
    found = said(written)
    assert [one.partition(":")[0] for one in found[:2]] == [
        "error[header-invalid] for VS Code",
        "error[header-invalid] for Copilot CLI",
    ]
    assert all("byte-order mark" in one for one in found[:2])
    made = fixes(written.workspace, written.path)
    assert made[0].title.startswith("Remove the byte-order mark (unsafe: ")
    # Without its line the file loads, and the key is gone.
    assert not any(fix.safe for fix in made if fix.title.startswith("Remove the line"))


def test_a_key_that_is_misspelt_for_one_program_is_told_once(tmp_path: Path) -> None:
    [found] = check(tmp_path, agent("handoff: []\n"))
    assert found.startswith("warning[unknown-key] for VS Code: unknown key `handoff`")
    (tmp_path / "other").mkdir()
    [found] = check(tmp_path / "other", agent("mcp-server: {}\n"))
    assert found.startswith("warning[unknown-key] for Copilot CLI: unknown key `mcp-server`")


def test_text_that_ends_the_header_is_a_warning_if_no_key_is_lost(tmp_path: Path) -> None:
    [found] = check(tmp_path, agent("and more\n"), "vscode")
    assert found.startswith("warning[header-invalid] `and more` is not `key: value`")


def test_a_hand_off_without_its_parts_is_dropped(tmp_path: Path) -> None:
    lines = "handoffs:\n  - label: Go\n    prompt: x\n"
    [found] = check(tmp_path, agent(lines))
    assert found.startswith("warning[missing-part] for VS Code: the hand-off has no `agent`")


OTHER = "//- .github/agents/other.agent.md\n---\nname: The Other\ndescription: Works.\n"


@pytest.mark.parametrize(
    ("lines", "thing"),
    [
        ("handoffs: [{label: Go, agent: other, prompt: x}]\n", "did you mean `The Other`?"),
        ("agents: [The Othr]\n", "did you mean `The Other`?"),
    ],
)
def test_another_agent_is_named_by_its_name(lines: str, thing: str, tmp_path: Path) -> None:
    [found] = check(tmp_path, f"{agent(lines)}{OTHER}---\nWork.\n")
    assert found.startswith("warning[unknown-agent] for VS Code: no agent is called")
    assert thing in found


def test_agents_of_a_claimed_folder_know_each_other(tmp_path: Path) -> None:
    text = agent("agents: [The Other]\n") + f"{OTHER}---\nWork.\n"
    prompts = tmp_path / "workspace" / "prompts"
    made = fixture(
        tmp_path,
        text.replace(".github/agents/", "prompts/"),
        options=Options(folders={prompts: "copilot"}),
    )
    assert made.path.parent == prompts
    assert said(made) == []


def test_a_button_cannot_start_an_agent_that_people_cannot_select(tmp_path: Path) -> None:
    lines = "handoffs: [{label: Go, agent: The Other, prompt: x}]\n"
    other = f"{OTHER}user-invocable: false\n---\nWork.\n"
    [found] = check(tmp_path, f"{agent(lines)}{other}")
    assert "people cannot select `The Other`, so the button does nothing" in found


def test_agents_need_the_tool_that_starts_them(tmp_path: Path) -> None:
    [found] = check(tmp_path, agent("tools: [read]\nagents: ['*']\n"))
    assert found.startswith("warning[futile-delegation] for VS Code: `tools` has no `agent`")


def test_a_file_that_only_the_cli_finds_is_information(tmp_path: Path) -> None:
    source = f"//- .github/agents/deep/a.agent.md\n---\n{HEADER}---\nWork.\n"
    [found] = check(tmp_path, source)
    assert found.startswith("information[out-of-reach] VS Code reads")


DEEP = f"//- .github/agents/deep/a.agent.md\n---\n{HEADER}---\nWork.\n"
PROMPT = f"//- .github/agents/x.prompt.md\n---\n{HEADER}---\nWork.\n"
HIDDEN = f"//- .github/agents/.x.agent.md\n---\n{HEADER}---\nWork.\n"
BELOW = "VS Code reads `.github/agents` and no folders below it"
HERE = "unless `chat.agentFilesLocations` names this one"
RENAME = "give the file another name"
STOP = "remove the full stop from the start of the name"


@pytest.mark.parametrize(
    ("source", "both", "vs", "cli"),
    [
        (
            DEEP,
            f"information[out-of-reach] {BELOW}, as Copilot CLI does, {HERE}",
            f"warning[out-of-reach] {BELOW}, {HERE}",
            "",
        ),
        (
            PROMPT,
            (
                "information[out-of-reach] Copilot CLI loads `x.prompt.md` as an agent, and VS "
                f"Code does not; {RENAME}"
            ),
            "",
            f"information[out-of-reach] Copilot CLI loads `x.prompt.md` as an agent; {RENAME}",
        ),
        (
            HIDDEN,
            (
                "information[out-of-reach] Copilot CLI does not load `.x.agent.md` as an agent, "
                f"and VS Code does; {STOP}"
            ),
            "",
            (
                "information[out-of-reach] Copilot CLI does not load `.x.agent.md` as an agent; "
                f"{STOP}"
            ),
        ),
    ],
)
def test_a_file_that_one_program_finds_is_told_of_the_programs_that_count(
    source: str, both: str, vs: str, cli: str, tmp_path: Path
) -> None:
    for readers, message in (((), both), (("vscode",), vs), (("cli",), cli)):
        folder = made(tmp_path, f"with-{'-'.join(readers)}")
        assert check(folder, source, *readers) == [message] * bool(message)


@pytest.mark.parametrize("place", ["README.md", "docs/README.md", "docs/notes.md"])
@pytest.mark.parametrize("readers", [(), ("vscode",), ("cli",)])
def test_a_text_beside_agents_is_an_agent_of_nobody(
    place: str, readers: tuple[str, ...], tmp_path: Path
) -> None:
    source = f"//- .github/agents/{place}\n# Our agents\n"
    assert check(tmp_path, source + agent(), *readers) == []


def test_a_readme_that_the_cli_refuses_is_loaded_by_nobody(tmp_path: Path) -> None:
    source = "//- .github/agents/README.md\n---\nname: Reviewer\n---\nWork.\n"
    [found] = check(tmp_path, source)
    assert found.startswith("error[missing-key] the header has no `description`")


def test_a_file_that_the_cli_passes_over_is_information(tmp_path: Path) -> None:
    source = f"{agent()}//- ~/.copilot/agents/reviewer.agent.md\n---\n"
    source += "name: Mine\ndescription: d\n---\nWork.\n"
    [found] = check(tmp_path, source)
    assert found.startswith("information[shadowed] Copilot CLI uses")


def test_a_name_of_two_agents_is_information(tmp_path: Path) -> None:
    source = f"{agent()}//- ~/.copilot/agents/mine.agent.md\n---\n{HEADER}---\nWork.\n"
    [found] = check(tmp_path, source)
    assert found.startswith("information[ambiguous-name] `~")


def test_an_older_key_is_a_hint_with_the_switch_of_today(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent("infer: false\n"))
    [found] = said(made)
    assert found.startswith("hint[older-name] `infer` is an older key")
    titles = [fix.title for fix in fixes(made.workspace, made.path)]
    assert any("Write `disable-model-invocation: true`" in one for one in titles)


def test_a_reference_to_a_tool_that_the_agent_has_not_is_told(tmp_path: Path) -> None:
    body = "Use #tool:web/fetch and #tool:read/readFile, not `#tool:search/usages`.\n"
    [found] = check(tmp_path, agent("tools: [read]\n", body=body))
    assert found.startswith("warning[unavailable-tool] for VS Code: `tools` has no `web/fetch`")


def test_the_name_of_a_server_alone_may_be_all_of_its_tools_in_vs_code(tmp_path: Path) -> None:
    found = check(tmp_path, agent("tools: [lighthouse]\n"))
    assert {one.partition("[")[0] for one in found} <= {"information", "hint"}
    assert any(one.startswith("information[no-tools] for VS Code: ") for one in found)
    assert any(one.startswith("information[no-tools] for Copilot CLI: ") for one in found)


def test_the_name_of_a_usual_server_alone_gets_the_form_for_both(tmp_path: Path) -> None:
    (found,) = check(tmp_path, agent("tools: [read, github]\n"))
    assert found.startswith("information[unknown-tool] for Copilot CLI: unknown tool `github`: ")
    assert "write `github/*`" in found


def test_text_behind_a_quoted_value_is_to_be_quoted_with_it(tmp_path: Path) -> None:
    header = 'name: Reviewer\ndescription: "Reviews" it\ntools: [read]\n'
    (found,) = check(tmp_path, agent(header=header), "vscode")
    assert "`it` follows a closed quote or bracket" in found
    assert found.endswith("; quote the whole value")


@pytest.mark.parametrize(("word", "right"), [("yes", "`true`"), ("maybe", "`true` or `false`")])
def test_a_switch_of_a_hand_off_is_true_or_false(word: str, right: str, tmp_path: Path) -> None:
    lines = f"handoffs:\n  - {{label: Go, agent: agent, prompt: '', send: {word}}}\n"
    (found,) = check(tmp_path, agent(lines))
    thing = f"`send` cannot be `{word}`: VS Code reads it as `false`; write {right}"
    assert found == f"warning[unknown-value] for VS Code: {thing}"


def test_a_link_that_leads_to_no_file_is_information(tmp_path: Path) -> None:
    body = "See [the guide](../../docs/guide.md) and [the plan](../../docs/plan.md#aims).\n"
    source = f"{agent(body=body)}//- docs/plan.md\n# Aims\n"
    (found,) = check(tmp_path, source)
    assert found.startswith("information[missing-file] for VS Code: `../../docs/guide.md` does ")


def test_a_link_with_a_similar_name_is_corrected(tmp_path: Path) -> None:
    body = "See [the plan](../../docs/plna.md#aims).\n"
    (found,) = check(tmp_path, f"{agent(body=body)}//- docs/plan.md\n# Aims\n")
    assert found.endswith("folder of the agent; did you mean `../../docs/plan.md#aims`?")


@pytest.mark.parametrize(
    "link",
    [
        *("https://example.test/x.md", "mailto:a@example.test", "#aims", "url", "/docs/x.md"),
        *(
            "path/to/file.md",
            "./{name}.md",
            "<name>.md",
            "${file}.md",
            "../../../../x.md",
            "~/x.md",
        ),
    ],
)
def test_a_link_that_is_no_path_of_the_project_is_left_alone(link: str, tmp_path: Path) -> None:
    assert check(tmp_path, agent(body=f"See [it]({link}) and ![it](none.png).\n")) == []


def test_a_link_in_code_is_left_alone(tmp_path: Path) -> None:
    body = "Write `[it](none.md)`, or:\n\n```md\n[it](none.md)\n```\n"
    assert check(tmp_path, agent(body=body)) == []


HANDOFF = "agent: agent, prompt: x"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("argument-hint: [a]", "warning[wrong-type] for VS Code: `argument-hint` must be a string"),
        ("target: [vscode]", "warning[wrong-type] for VS Code: `target` must be a string"),
        ("agents: One", "warning[wrong-type] for VS Code: `agents` must be a list of names"),
        ("agents: [[a]]", "warning[wrong-type] for VS Code: an item of `agents` is a name"),
        ("handoffs: x", "warning[wrong-type] for VS Code: `handoffs` must be a list"),
        ("handoffs: [x]", "warning[wrong-type] for VS Code: a hand-off has `label`"),
        (
            f"handoffs: [{{label: a, {HANDOFF}, model: [m]}}]",
            "warning[wrong-type] for VS Code: `mod",
        ),
        (
            f"handoffs: [{{label: '-', {HANDOFF}}}]",
            "information[missing-part] for VS Code: the label",
        ),
        (
            f"handoffs: [{{label: a, {HANDOFF}}}, {{label: A, {HANDOFF}}}]",
            "information[missing-part] for VS Code: another hand-off has the label `A`",
        ),
        ("github: {permission: {}}", "warning[unknown-key] for VS Code: `github` has no key"),
        (
            "github: {permissions: {content: read}}",
            "warning[unknown-key] for VS Code: no permission",
        ),
        (
            "github: {permissions: {workflows: read}}",
            "warning[unknown-value] for VS Code: `workflows` cannot be `read`",
        ),
    ],
)
def test_a_value_of_a_shape_that_a_program_does_not_take_is_told(
    line: str, said: str, tmp_path: Path
) -> None:
    (found,) = check(tmp_path, agent(f"{line}\n"))
    assert found.startswith(said)


@pytest.mark.parametrize(
    ("line", "vs", "cli"),
    [
        ("model: [a, '']", "information[no-effect] `model` has a blank item", "invalid-value"),
        ("model: []", "information[no-effect] `model` has no item", "invalid-value"),
        (
            "model: [a, , b]",
            "information[wrong-type] there is no item before this `,`: VS Code skips it",
            "header-invalid",
        ),
        ("tools: [read: edit]", "information[wrong-type] this `:` is not an item", "wrong-type"),
        (
            "user-invocable: 'true'",
            "information[unknown-value] VS Code reads `true` in quotes, and marks an error",
            "wrong-type",
        ),
        (
            "disable-model-invocation: ''",
            "warning[unknown-value] `disable-model-invocation` cannot be empty: VS Code reads it",
            "wrong-type",
        ),
        (
            "user-invocable: [true]",
            "warning[wrong-type] `user-invocable` must be `true` or `false`: VS Code reads it",
            "wrong-type",
        ),
        ("user-invocable:", "hint[no-effect] `user-invocable` has no value", "wrong-type"),
    ],
)
def test_what_stops_the_cli_alone_is_told_of_vs_code_with_its_effect(
    line: str, vs: str, cli: str, tmp_path: Path
) -> None:
    source = agent(f"{line}\n")
    (found,) = check(made(tmp_path, "vscode"), source, "vscode")
    assert found.startswith(vs)
    (found,) = check(made(tmp_path, "cli"), source, "cli")
    assert found.startswith(f"error[{cli}] ")
    assert REFUSED in found


LOCAL = "{command: x, args: [], tools: ['*']"
REMOTE = "{type: http, url: 'https://example.test', tools: ['*']"
IGNORED = "Copilot CLI ignores it; did you mean"


@pytest.mark.parametrize(
    ("server", "said"),
    [
        (f"{LOCAL}, evn: {{A: b}}}}", f"warning[unknown-key] unknown key `evn`: {IGNORED} `env`?"),
        (f"{LOCAL}, CWD: /usr}}", f"warning[unknown-key] unknown key `CWD`: {IGNORED} `cwd`?"),
        (
            f"{LOCAL}, enviroment: {{A: b}}}}",
            f"warning[unknown-key] unknown key `enviroment`: {IGNORED} `env`?",
        ),
        (
            f"{REMOTE}, header: {{A: b}}}}",
            f"warning[unknown-key] unknown key `header`: {IGNORED} `headers`?",
        ),
        (
            f"{REMOTE}, http_headers: {{A: b}}}}",
            f"warning[unknown-key] unknown key `http_headers`: {IGNORED} `headers`?",
        ),
        (f"{LOCAL}, mine: 1}}", "hint[unknown-key] unknown key `mine`: Copilot CLI ignores it"),
        (
            f"{LOCAL}, headers: {{A: b}}}}",
            "information[no-effect] `headers` has no effect: `s` is a server on this machine",
        ),
        (
            f"{REMOTE}, env: {{A: b}}}}",
            "information[no-effect] `env` has no effect: `s` is a server at a URL",
        ),
        (
            "{comand: x, args: [], tools: ['*']}",
            (
                "error[missing-key] `mcp-servers.s` has `comand` and lacks `command`: "
                f"write `command`, {REFUSED}"
            ),
        ),
        (
            "{command: x, args: [], tool: ['*']}",
            (
                "error[missing-key] `mcp-servers.s` has `tool` and lacks `tools`: "
                f"write `tools`, {REFUSED}"
            ),
        ),
    ],
)
def test_a_key_of_a_server_that_the_cli_does_not_know_has_no_effect(
    server: str, said: str, tmp_path: Path
) -> None:
    assert check(tmp_path, agent(f"mcp-servers:\n  s: {server}\n"), "cli") == [said]


@pytest.mark.parametrize(
    "server",
    [
        f"{LOCAL}, type: stdio, env: {{evn: b}}, cwd: /usr, timeout: 3}}",
        f"{REMOTE}, headers: {{header: b}}, oauthClientId: x, auth: true}}",
        f"{LOCAL}, displayName: S, deferTools: auto, excludeTools: [a]}}",
    ],
)
def test_nothing_is_said_of_what_a_server_of_the_cli_may_have(server: str, tmp_path: Path) -> None:
    assert check(tmp_path, agent(f"mcp-servers:\n  s: {server}\n"), "cli") == []


@pytest.mark.parametrize(
    ("server", "message"),
    [
        (
            f"{LOCAL}, env: {{PORT: 8080}}}}",
            "`mcp-servers.s.env.PORT` must be a string, not `8080`: put the value in quotes",
        ),
        (
            f"{LOCAL}, env: {{PORT: [a]}}}}",
            "`mcp-servers.s.env.PORT` must be a string, not a list: write a string",
        ),
        (
            f"{LOCAL}, cwd: 1}}",
            "`cwd` must be a string, not `1`: put the value in quotes",
        ),
        (
            "{command: x, args: [-p, 8080], tools: ['*']}",
            "an item of `args` must be a string, not `8080`: put it in quotes",
        ),
        (
            "{command: x, args: -y @a/b, tools: ['*']}",
            '`args` must be a list, not `-y @a/b`: write `[-y, "@a/b"]`',
        ),
        (
            "{type: streamable-http, url: 'https://a.b', tools: ['*']}",
            "`type` cannot be `streamable-http`: write `http` or `sse`",
        ),
        (
            "{type: streamable-http, command: x, args: [], tools: ['*']}",
            "`type` cannot be `streamable-http`: write `local` or `stdio`",
        ),
    ],
)
def test_a_value_of_a_server_that_the_cli_refuses_is_told_with_what_it_takes(
    server: str, message: str, tmp_path: Path
) -> None:
    (found,) = check(tmp_path, agent(f"mcp-servers:\n  s: {server}\n"), "cli")
    assert found.partition("] ")[2] == f"{message}, {REFUSED}"


def test_a_number_for_a_name_is_to_be_quoted(tmp_path: Path) -> None:
    (found,) = check(tmp_path, agent(header="name: 5\ndescription: d\n"), "cli")
    assert "`name` must be a string, not `5`: put the value in quotes" in found


@pytest.mark.parametrize("word", ["evn", "comand"])
def test_a_misspelt_key_of_a_server_is_renamed_by_a_fix(word: str, tmp_path: Path) -> None:
    server = f"{LOCAL}, env: {{}}}}".replace("env" if word == "evn" else "command", word)
    source = agent(f"mcp-servers:\n  s: {server}\n")
    options = Options(extras={"copilot": Extras(readers=("cli",))})
    made_ = fixture(tmp_path, source, options=options)
    titles = [one.title for one in fixes(made_.workspace, made_.path)]
    assert any("`command`" in one or "`env`" in one for one in titles)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("handoffs:\n  - {label: G, agent: agent, prompt: p, snd: true}\n", "`snd`: V…`send`?"),
        ("hooks:\n  Stop:\n    - {type: command, command: x, timout: 3}\n", "`timout` …`timeout`?"),
    ],
)
def test_a_misspelt_key_of_a_hand_off_and_of_a_hook_is_told(
    lines: str, said: str, tmp_path: Path
) -> None:
    (found,) = check(tmp_path, agent(lines))
    begin, _, end = said.partition("…")
    assert found.startswith(f"warning[unknown-key] for VS Code: unknown key {begin}")
    assert found.endswith(end)


def test_an_empty_text_for_agents_lets_the_agent_call_all(tmp_path: Path) -> None:
    (found,) = check(tmp_path, agent("agents: ''\n"))
    assert found.startswith("warning[wrong-type] for VS Code: `agents` must be a list of names")
    assert found.endswith("the agent may call every agent")


STOP, HOOK = "  Stop:\n    ", "{type: command, command: x"


@pytest.mark.parametrize(
    ("lines", "code", "thing"),
    [
        ("  PreToolUsee: []\n", "warning[unknown-key]", "no event is called `PreToolUsee`"),
        ("  agentStop: []\n", "information[unknown-key]", "`agentStop` is an event of agents with"),
        (f"{STOP}- hooks: [{{type: command, comand: x}}]\n", "warning[unknown-key]", "unknown key"),
        (f"{STOP}- {HOOK}, tool: x}}\n", "information[unknown-key]", "unknown key `tool`"),
        (f"{STOP}- hooks: [{HOOK}}}]\n      type: command\n", "information[unknown-key]", ""),
        ("  Stop: x\n", "warning[wrong-type]", "`Stop` must be a list of commands"),
        ("  - Stop\n", "warning[wrong-type]", "`hooks` must be a map from an event"),
        (f"{STOP}- run.sh\n", "warning[wrong-type]", "a hook is a map with `type` and `command`"),
        (f"{STOP}- hooks: run.sh\n", "warning[wrong-type]", "`hooks` must be a list of commands"),
        (f"{STOP}- {HOOK}, cwd: [a]}}\n", "warning[wrong-type]", "`cwd` must be a string"),
        (f"{STOP}- {HOOK}, env: [a]}}\n", "warning[wrong-type]", "`env` must be a map"),
        (f"{STOP}- {HOOK}, timeout: soon}}\n", "warning[wrong-type]", "`timeout` must be a number"),
        (f"{STOP}- {{type: comand, bash: x}}\n", "warning[unknown-value]", "the `type` of a hook"),
        (
            f"{STOP}- type: command\n",
            "warning[missing-part]",
            "the hook has no `command`, `windows`",
        ),
        (f"{STOP}- bash: x\n", "information[missing-part]", "the hook has no `type`"),
        (
            f"{STOP}- matcher: Bash\n      hooks: [{HOOK}}}]\n",
            "information[no-effect]",
            "`matcher`",
        ),
    ],
)
def test_events_and_keys_of_hooks_are_checked(
    lines: str, code: str, thing: str, tmp_path: Path
) -> None:
    (found,) = check(tmp_path, agent(f"hooks:\n{lines}"))
    assert found.startswith(f"{code} for VS Code: {thing}")


def test_hooks_for_github_have_the_events_of_both(tmp_path: Path) -> None:
    sound = "target: github-copilot\nhooks:\n  agentStop: [{type: command, bash: x}]\n"
    (found,) = check(made(tmp_path, "a"), agent(sound))
    assert found.startswith("hint[no-effect] for VS Code: VS Code reads `hooks`, and marks it")
    _, other = sorted(check(made(tmp_path, "b"), agent(sound.replace("agentStop", "Stop"))))
    assert "VS Code reads the hooks of `Stop`, and marks the event as unknown" in other
    assert other.endswith("; write `agentStop`")
    _, wrong = check(made(tmp_path, "c"), agent(sound.replace("agentStop", "agentStp")))
    assert "no event is called `agentStp`" in wrong
    assert "did you mean `agentStop`?" in wrong


@pytest.mark.parametrize(
    ("hook", "expected"),
    [
        ("{type: command, command: ./ok.sh}", []),
        ("{command: ./gone.sh}", ["./gone.sh` so nothing is prevented"]),
        ("{command: data.sh}", []),
        ("{bash: ./data.sh}", ["`./data.sh` is not executable"]),
        ("{linux: ./ok.sh, osx: ./gone.sh}", ["./gone.sh` so nothing is prevented"]),
        ("{command: python3 ./gone.py}", ["./gone.py` refuses"]),
        ("{command: ./x.sh, cwd: sub}", []),
        ("{command: ./ok.sh, cwd: sub}", ["./ok.sh` so nothing is prevented"]),
        ("{command: ./gone.sh, cwd: /opt}", []),
        ("{matcher: execute, hooks: [{command: ./gone.sh}]}", ["./gone.sh` so nothing"]),
        ("{type: prompt, command: ./gone.sh}", []),
        # What VS Code does not know, and the commands of Windows.
        ("{command: $CLAUDE_PROJECT_DIR/gone.sh}", []),
        ("{windows: ./gone.ps1, powershell: ./gone.ps1}", []),
    ],
)
def test_the_script_of_a_hook(hook: str, expected: list[str], tmp_path: Path) -> None:
    files = "".join(f"//- {name}\nexit 2\n" for name in ("ok.sh", "data.sh", "sub/x.sh"))
    made = fixture(tmp_path, agent(f"hooks:\n  PreToolUse:\n    - {hook}\n") + files)
    for name in ("ok.sh", "sub/x.sh"):
        (made.root / name).chmod(0o755)
    every = diagnostics(made.workspace, made.path)
    found = [one.message for one in every if one.code == "futile-hook"]
    assert len(found) == len(expected)
    for message, words in zip(found, expected, strict=True):
        assert all(word in message for word in words.split(" ", 1)), message


def test_the_events_of_hooks_complete(tmp_path: Path) -> None:
    source = f"{PATH}---\n{HEADER}hooks:\n  Pre$0\n---\nReview it.\n"
    written = fixture(tmp_path, source)
    found = complete(written.workspace, written.path, written.offset)
    assert {"PreToolUse", "PreCompact"} <= {one.label for one in found}


def test_text_that_is_lost_as_a_comment_is_told_of_both_programs(tmp_path: Path) -> None:
    header = "name: Reviewer\ndescription: {}\n"
    (comment,) = check(made(tmp_path, "a"), agent(header=header.format("Fixes #12 and so on")))
    assert comment.startswith("warning[lost-text] unquoted, `#12 and so on` is a comment")
    # VS Code knows no tags: it reads the value as it is written.
    (tag,) = check(made(tmp_path, "b"), agent(header=header.format("!text kept")))
    assert tag.startswith("warning[lost-text] for Copilot CLI: unquoted, `!text` is a tag")
