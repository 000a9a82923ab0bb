"""What is reported about agents of Qwen Code, and what is left alone."""

from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes, repaired
from agent_lsp.analysis.hover import hover
from agent_lsp.dialects.qwen import reading
from agent_lsp.dialects.qwen.dialect import DIALECT
from agent_lsp.text import apply
from tests.fixture import Fixture, fixture

PATH = "//- .qwen/agents/reviewer.md\n"
HEADER = "name: reviewer\ndescription: Reviews a change.\n"
BODY = "You review changes.\n"
SKIPPED = "or the runtime skips the file and there is no `reviewer`"


def agent(lines: str = "", body: str = BODY) -> str:
    """The source of a file with the header that each agent needs, and `lines`."""
    return f"{PATH}---\n{HEADER}{lines}---\n{body}"


def said(made: Fixture) -> list[str]:
    return [
        f"{found.severity.name.lower()}[{found.code}] {found.message}"
        for found in diagnostics(made.workspace, made.path)
    ]


def check(folder: Path, source: str) -> list[str]:
    return said(fixture(folder, source))


def titles(folder: Path, source: str) -> list[str]:
    made = fixture(folder, source)
    return [fix.title for fix in fixes(made.workspace, made.path)]


@pytest.mark.parametrize(
    "lines",
    [
        "",
        "tools: [read_file, ReadFile]\n",
        "tools: ReadFile, Grep, Shell\n",
        "tools:\n  - read_file\n  - mcp__github__get_issue\n",
        "tools: ['*']\ndisallowedTools: [edit, mcp__github]\n",
        "tools: [none]\n",
        "model: qwen3-coder-plus\n",
        "model: openai:gpt-5\n",
        "model: fast\napprovalMode: auto-edit\ncolor: cyan\nbackground: 'true'\nmaxTurns: '5'\n",
        "permissionMode: acceptEdits\n",
        "runConfig: {max_turns: 5, max_time_minutes: 1.5}\n",
        "mcpServers:\n  github:\n    command: gh-mcp\n",
        "hooks:\n  PreToolUse:\n    - hooks: [{type: command, command: 'true'}]\n",
        "executor: {kind: acp, command: claude-agent-acp, args: [-q]}\nmodel: inherit\n",
        "modelConfig: {model: qwen3-coder-plus}\n",
    ],
)
def test_nothing_is_said_of_a_sound_agent(lines: str, tmp_path: Path) -> None:
    assert check(tmp_path, agent(lines)) == []


@pytest.mark.parametrize(
    ("name", "thing"),
    [
        ("code reviewer", "may have only letters, digits, `-` and `_`"),
        ("a.b", "may have only letters, digits, `-` and `_`"),
        ("x", "is shorter than 2 characters"),
        ("a" * 51, "is longer than 50"),
        ("-ab", "cannot start with `-`"),
        ("ab_", "cannot end with `_`"),
        ("Main", "is reserved"),
    ],
)
def test_a_name_that_the_program_refuses_is_an_error(name: str, thing: str, tmp_path: Path) -> None:
    source = agent().replace("name: reviewer", f"name: {name}")
    [line] = check(tmp_path, source)

    assert line.startswith(f"error[agent-name] `name` {thing}: write another one, or the runtime")


def test_a_name_may_have_letters_of_any_script(tmp_path: Path) -> None:
    assert check(tmp_path, agent().replace("name: reviewer", "name: 代码審查")) == []


def test_blanks_around_a_name_are_part_of_it(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent().replace("name: reviewer", 'name: " reviewer "'))

    assert said(made) == [
        (
            "warning[agent-name] the spaces are part of the name, and a call has to include "
            "them: use `reviewer`"
        )
    ]


def test_a_call_of_fork_never_gets_a_file(tmp_path: Path) -> None:
    [line] = check(tmp_path, agent().replace("name: reviewer", "name: Fork"))

    assert line.startswith(
        "warning[agent-name] no call reaches this agent: `fork` is always a fork"
    )


def test_a_name_in_other_case_is_called_by_the_first_one(tmp_path: Path) -> None:
    source = f"{PATH}---\n{HEADER}---\n{BODY}".replace("reviewer.md", "z.md")
    source = source.replace("name: reviewer", "name: Reviewer")
    source += f"//- .qwen/agents/a.md\n---\n{HEADER}---\n{BODY}"

    assert check(tmp_path, source) == [
        (
            "warning[shadowed] a call ignores case, and gets `reviewer` of `.qwen/agents/a.md` "
            "also for `Reviewer`"
        )
    ]


def test_of_two_files_with_one_name_the_first_counts(tmp_path: Path) -> None:
    source = agent() + f"//- .qwen/agents/a.md\n---\n{HEADER}---\n{BODY}"
    [line] = check(tmp_path, source)

    assert line.startswith("warning[shadowed] never used: `a.md` in the same folder defines")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            f"--- \n{HEADER}---\n{BODY}",
            "error[header-missing] with a space after it, `---` does not open a header",
        ),
        (
            f"\n---\n{HEADER}---\n{BODY}",
            "error[header-missing] the header is not on the first line: remove everything above",
        ),
        (f"----\n{HEADER}---\n{BODY}", "error[header-missing] `----` does not open a header"),
        (
            "You are a reviewer of changes.\n",
            "error[header-missing] no header: start the file with `---`, `name: …`",
        ),
        ("# How we work\n\nWith care.\n", "information[header-missing] no header: start the file"),
        (
            f"---\n{HEADER}--- \n{BODY}",
            "error[header-unclosed] with a space after it, `---` does not close the header",
        ),
        (
            f"---\n{HEADER} ---\n{BODY}",
            "error[header-unclosed] with a space before it, `---` does not close the header",
        ),
        (
            f"---\n{HEADER}---",
            "error[header-unclosed] `---` is the last line and has no line end, so it does not",
        ),
        (f"---\n{HEADER}\n{BODY}", "error[header-unclosed] the header is not closed: write a line"),
        (
            f"---\n{HEADER}...\n{BODY}",
            "error[header-unclosed] the header is not closed: write a line",
        ),
    ],
)
def test_a_fence_that_is_none_loses_the_file(text: str, message: str, tmp_path: Path) -> None:
    made = fixture(tmp_path, PATH)
    made.path.write_bytes(text.encode())
    made.workspace.files.refresh()
    [line] = said(made)

    assert line.startswith(message)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_the_ends_of_lines_make_no_difference(end: str, tmp_path: Path) -> None:
    made = fixture(tmp_path, PATH)
    text = f"\ufeff---\n{HEADER}tools: [read_file]\n---\n{BODY}"
    made.path.write_bytes(text.replace("\n", end).encode())
    made.workspace.files.refresh()

    assert said(made) == []


def test_documentation_in_the_folder_is_left_alone(tmp_path: Path) -> None:
    assert check(tmp_path, "//- .qwen/agents/README.md\n# Our agents\n\nThey review.\n") == []


def test_a_header_that_goes_on_below_its_end_is_cut_short(tmp_path: Path) -> None:
    source = f"{PATH}---\n{HEADER}---\ntools: [read_file]\n---\n{BODY}"
    [line] = check(tmp_path, source)

    assert line.startswith("warning[header-cut-short] this `---` closes the header: `tools` below")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("", f"no prompt below the header: write one, {SKIPPED}"),
        ("Review.\n", f"the prompt has fewer than 10 characters: write more, {SKIPPED}"),
    ],
)
def test_a_short_prompt_loses_the_file(body: str, message: str, tmp_path: Path) -> None:
    assert check(tmp_path, agent(body=body)) == [f"error[missing-default-prompt] {message}"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            "approvalMode: YOLO\n",
            (
                "invalid-value] `approvalMode` cannot be `YOLO` (did you mean `yolo`?): write "
                f"`plan`, `default`, `auto-edit`, `auto`, `yolo` or `bubble`, {SKIPPED}"
            ),
        ),
        (
            "approvalMode: 5\n",
            (
                "wrong-type] `approvalMode` must be one word, not `5`: write `plan`, `default`, "
                f"`auto-edit`, `auto`, `yolo` or `bubble`, {SKIPPED}"
            ),
        ),
        (
            "runConfig: {max_turns: 1.5}\n",
            (
                "invalid-value] `max_turns` must be a whole number: write such a number, or remove "
                f"it, {SKIPPED}"
            ),
        ),
        (
            "runConfig: {max_time_minutes: soon}\n",
            (
                "invalid-value] `max_time_minutes` must be a number: write such a number, or "
                f"remove it, {SKIPPED}"
            ),
        ),
        (
            "executor: {kind: other, command: x}\n",
            (
                "invalid-value] `executor` has no such `kind`: use `acp` or `codex`: write `kind` "
                f"and `command`, or remove it, {SKIPPED}"
            ),
        ),
        (
            "executionBackend: docker\n",
            (f"invalid-value] `executionBackend` cannot be `docker`: write `container`, {SKIPPED}"),
        ),
        (
            "model: 'gemini:'\n",
            (
                "invalid-value] `model` has no model after the provider `gemini`: write a model, "
                f"or `inherit`, {SKIPPED}"
            ),
        ),
        (
            "tools: [read_file, ' ']\n",
            f"blank-tool] an entry of `tools` is blank: remove it, {SKIPPED}",
        ),
    ],
)
def test_a_value_that_loses_the_file_is_an_error(lines: str, message: str, tmp_path: Path) -> None:
    assert check(tmp_path, agent(lines)) == [f"error[{message}"]


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("description: Reviews.\n", "missing-key] the header has no `name`: add it"),
        ("name: reviewer\n", "missing-key] the header has no `description`: add it"),
        ("name:\ndescription: Reviews.\n", "agent-name] `name` is blank"),
        ("name: reviewer\ndescription: ''\n", "missing-description] `description` is blank"),
        (
            "name: reviewer\ndescription: {a: b}\n",
            "wrong-type] `description` must be a string, not a mapping",
        ),
        ("- name: reviewer\n", "wrong-type] the header must be a mapping, not a list"),
    ],
)
def test_a_header_lacks_what_every_agent_needs(header: str, message: str, tmp_path: Path) -> None:
    [line] = check(tmp_path, f"{PATH}---\n{header}---\n{BODY}")

    assert line.startswith(f"error[{message}")


MISREAD = "description: First: second\n"


@pytest.mark.parametrize(
    ("lines", "consequence"),
    [
        ("tools:\n- read_file\n", "the agent gets every tool"),
        (
            "tools: [read_file, glob]\n",
            "`tools` has the entries `[read_file`, `glob]`, so the agent has no tools",
        ),
        ("disallowedTools:\n    - edit\n", "`disallowedTools` removes nothing"),
        ("model: 'other-model'\n", "`model` is `'other-model'`"),
    ],
)
def test_a_header_that_is_misread_says_what_becomes_of_it(
    lines: str, consequence: str, tmp_path: Path
) -> None:
    source = agent(lines).replace("description: Reviews a change.\n", MISREAD)

    assert check(tmp_path, source) == [
        (
            "error[unquoted-text] unquoted `: ` in the value of `description`: put the value in "
            f"quotes, or the runtime reads the header line by line: {consequence}"
        )
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ": what is this\n",
        "x: {a: !}\n",
        "x: [?: why]\n",
        "x: !# why\n",
        "mcpServers: &all\n  s: {command: run, args: [a,\n    b\n  ]}\n",
    ],
)
def test_what_the_parser_takes_loses_no_list_of_tools(lines: str, tmp_path: Path) -> None:
    # Measured with `parse` of 0.24.4: each header is YAML, so that `tools` is a list.
    source = agent(f"{lines}tools: [read_file, glob]\n")
    tools = reading.read(DIALECT.parse(source.removeprefix(PATH)), "").effective.settings["tools"]
    assert [one.text for one in tools.items] == ["read_file", "glob"]
    assert not any(one.startswith(("error", "information")) for one in check(tmp_path, source))


@pytest.mark.parametrize("lines", ["x: [-, a]\n", "!!merge a: b\n", "x: &a b\n*a: c\n"])
def test_what_the_parser_does_not_take_turns_a_list_of_tools_into_text(
    lines: str, tmp_path: Path
) -> None:
    source = agent(f"{lines}tools: [read_file, glob]\n")
    assert any("so the agent has no tools" in one for one in check(tmp_path, source))


def test_a_fix_of_a_misread_header_brings_back_what_was_meant(tmp_path: Path) -> None:
    source = agent("tools: [read_file]\n").replace("description: Reviews a change.\n", MISREAD)
    made = fixture(tmp_path, source)
    text = repaired(made.workspace, made.path, unsafe=True)

    assert text is not None
    assert "First: second" in text
    (tmp_path / "then").mkdir()
    assert check(tmp_path / "then", PATH + text) == []


def test_a_header_that_loses_nothing_is_information(tmp_path: Path) -> None:
    source = agent("tools: read_file, glob\n").replace("Reviews a change.", "First: second")
    assert [line.partition("]")[0] for line in check(tmp_path, source)] == [
        "information[unquoted-text"
    ]
    quoted = agent().replace("Reviews a change.", "@team reviews.")
    (tmp_path / "at").mkdir()
    assert check(tmp_path / "at", quoted) == [
        (
            "information[header-invalid] unquoted text may not start with `@`: the runtime still "
            "reads the header, line by line, and other readers lose it; put the text in quotes"
        )
    ]


def test_a_description_that_goes_on_in_lines_of_its_own_ends_with_the_first(
    tmp_path: Path,
) -> None:
    source = agent().replace("Reviews a change.", "Reviews. Examples:\n<example>\nuser: go")
    [line] = check(tmp_path, source)

    assert line.startswith("error[unquoted-text] the value of `description` continues in lines")
    assert line.endswith("line by line: `description` ends with its first line")


def test_a_text_in_quotes_must_be_indented(tmp_path: Path) -> None:
    source = agent().replace("Reviews a change.", '"Reviews a change.\nAll of it."')
    assert check(tmp_path, source) == [
        (
            'error[header-invalid] `All of it."` continues the value above, and is not indented: '
            "indent the lines of the value, or the runtime reads the header line by line: "
            "`description` ends with its first line"
        )
    ]


def test_a_key_that_is_there_twice_turns_the_header_into_lines(tmp_path: Path) -> None:
    [line] = check(tmp_path, agent("tools: [read_file]\ncolor: red\ncolor: blue\n"))

    assert line == (
        "warning[duplicate-key] `color` is set twice: remove one of the two, or the runtime reads "
        "the header line by line: `tools` has the entries `[read_file]`, "
        "so the agent has no tools"
    )


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("tools: []\n", "warning[empty-allow-list"),
        ("tools: ''\n", "warning[empty-allow-list"),
        ("tools:\n", "information[unset-allow-list"),
        ("tools: 5\n", "warning[wrong-type"),
        ("tools: {read_file: true}\n", "warning[wrong-type"),
        ("tools: [5]\n", "warning[wrong-type"),
    ],
)
def test_a_list_without_entries_is_every_tool(lines: str, code: str, tmp_path: Path) -> None:
    [line] = check(tmp_path, agent(lines))

    assert line.startswith(code)
    assert "every tool" in line


@pytest.mark.parametrize(
    ("entry", "tool"),
    [
        ("Read", "read_file"),
        ("Write", "write_file"),
        ("Bash", "run_shell_command"),
        ("MultiEdit", "edit"),
        ("LS", "list_directory"),
        ("replace", "edit"),
        ("search_file_content", "grep_search"),
        ("task", "agent"),
        ("read_many_files", "read_file"),
        ("READ_FILE", "read_file"),
    ],
)
def test_a_name_of_another_system_gets_the_one_that_counts(
    entry: str, tool: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, agent(f"tools: [glob, {entry}]\n"))
    [line] = said(made)

    assert line.startswith(f"warning[unknown-tool] unknown tool `{entry}`: it allows nothing; ")
    assert line.endswith(f"did you mean `{tool}`?")
    titles_ = [fix.title for fix in fixes(made.workspace, made.path)]
    assert any(f"with `{tool}`" in title for title in titles_), titles_


@pytest.mark.parametrize("entry", ["Edit", "Grep", "Glob", "WebFetch", "Task", "Skill", "Monitor"])
def test_names_of_claude_code_that_are_display_names_here_count(entry: str, tmp_path: Path) -> None:
    assert check(tmp_path, agent(f"tools: [{entry}]\n")) == []


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            "tools: [mcp__github]\n",
            (
                "`mcp__github` allows nothing in `tools`: it works in `disallowedTools` only, so "
                "the agent has no tools; name each tool, as in `mcp__github__get_issue`"
            ),
        ),
        (
            "tools: [glob, 'mcp__github__*']\n",
            (
                "`mcp__github__*` allows nothing in `tools`: it works in `disallowedTools` only; "
                "name each tool, as in `mcp__github__get_issue`"
            ),
        ),
        (
            "disallowedTools: ['*']\n",
            "`*` denies nothing in `disallowedTools`: name the tools",
        ),
        (
            "tools: [mcp_github_get_issue]\n",
            (
                "unknown tool `mcp_github_get_issue`: it allows nothing, so the agent has no "
                "tools; a tool of an MCP server is called `mcp__server__tool`"
            ),
        ),
        (
            "tools: ['run_shell_command(git *)', glob]\n",
            (
                "unknown tool `run_shell_command(git *)`: it allows nothing; a tool cannot be "
                "allowed for some uses only; write `run_shell_command` for all of it"
            ),
        ),
        (
            "tools: read_file; glob\n",
            (
                "unknown tool `read_file; glob`: it allows nothing, so the agent has no tools; "
                "write each tool as a separate item"
            ),
        ),
    ],
)
def test_an_entry_that_covers_nothing_is_a_warning(
    lines: str, message: str, tmp_path: Path
) -> None:
    assert check(tmp_path, agent(lines)) == [f"warning[unknown-tool] {message}"]


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("tools: [read_file, todo_write]\n", "information[unavailable-tool"),
        ("tools: [read_file, read_file]\n", "hint[redundant-entry"),
        ("tools: [read_file, edit]\ndisallowedTools: [Edit]\n", "hint[allowed-and-denied"),
        ("tools: [edit]\ndisallowedTools: [edit]\n", "warning[no-tools"),
        ("tools: [strange]\n", "warning[no-tools"),
        ("model: !x y\n", "warning[lost-text"),
    ],
)
def test_other_entries_that_change_nothing_are_told(lines: str, code: str, tmp_path: Path) -> None:
    found = check(tmp_path, agent(lines))

    assert [line.partition("]")[0] for line in found] == [code]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("permissionMode: manual\n", "warning[unknown-value] unknown `permissionMode` `manual`"),
        ("permissionMode: acceptedits\n", "did you mean `acceptEdits`?"),
        ("color: teal\n", "information[unknown-value] unknown `color` `teal`"),
        ("color: 5\n", "warning[wrong-type] `color` must be a word, not `5`"),
        ("maxTurns: 0\n", "warning[wrong-type] `maxTurns` must be a whole number above 0"),
        ("background: yes\n", "warning[wrong-type] `background` must be `true` or `false`"),
        ("mcpServers: [github]\n", "warning[wrong-type] `mcpServers` must be a mapping"),
        ("hooks: {PreToolUse: x}\n", "warning[wrong-type] `hooks.PreToolUse` must be a list"),
        ("disallowedTools: 5\n", "the runtime ignores it, and denies nothing"),
    ],
)
def test_a_value_that_is_dropped_is_no_error(lines: str, message: str, tmp_path: Path) -> None:
    [line] = check(tmp_path, agent(lines))

    assert message in line


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("allowed-tools: [edit]\n", "warning[unknown-key] unknown key `allowed-tools`"),
        ("disallowed_tools: [edit]\n", "warning[unknown-key] unknown key `disallowed_tools`"),
        ("max_turns: 5\n", "warning[unknown-key] the runtime ignores `max_turns`"),
        ("readonly: true\n", "warning[unknown-key] the runtime ignores `readonly`"),
        ("temperature: 0.5\n", "information[unknown-key] the runtime ignores `temperature`"),
        ("owner: me\n", "hint[unknown-key] unknown key `owner`"),
        ("Tools: [edit]\n", "warning[unknown-key] unknown key `Tools`"),
    ],
)
def test_a_key_without_effect_is_told(lines: str, message: str, tmp_path: Path) -> None:
    [line] = check(tmp_path, agent(lines))

    assert line.startswith(message)


@pytest.mark.parametrize("alias", ["sonnet", "opus", "haiku", "Sonnet"])
def test_an_alias_of_claude_code_is_sent_as_it_is(alias: str, tmp_path: Path) -> None:
    made = fixture(tmp_path, agent(f"model: {alias}\n"))
    [line] = said(made)

    assert line.startswith(f"warning[unknown-model] `{alias}` is an alias of Claude Code")
    assert any("`inherit`" in fix.title for fix in fixes(made.workspace, made.path))


def test_a_model_in_another_spelling_is_a_model(tmp_path: Path) -> None:
    [line] = check(tmp_path, agent("model: Inherit\n"))

    assert line.startswith("warning[unknown-model] unknown model `Inherit`")


def test_a_placeholder_without_a_value_fails_each_call(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent(body="Use ${HOME} or `${HOME}`, and ${count}.\n"))

    assert said(made) == [
        (
            "error[unknown-variable] `${HOME}` is a placeholder without a value: each call fails "
            "with `Subagent execution failed.`; write `$HOME` or `${ HOME }`, which are plain text"
        ),
        (
            "error[unknown-variable] `${count}` is a placeholder without a value: each call fails "
            "with `Subagent execution failed.`; write `$count` or `${ count }`, which are plain "
            "text"
        ),
    ]
    [first, *_] = [fix for fix in fixes(made.workspace, made.path) if "`$HOME`" in fix.title]
    text = apply(made.text, first.edits)
    assert "Use $HOME or `$HOME`, and ${count}." in text


@pytest.mark.parametrize(
    "body",
    [
        "Use ${ HOME } and $HOME and {{args}} now.\n",
        "Use ${USER:-me} and ${1} and ${arr[0]} here.\n",
        "Do this: ${task_prompt}, after ${hook_context}.\n",
    ],
)
def test_other_signs_are_no_placeholder(body: str, tmp_path: Path) -> None:
    assert check(tmp_path, agent(body=body)) == []


def test_variables_are_completed_and_explained(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- .qwen/agents/a.md\n{agent(body='Do this: ${ta$0')}")
    offered = {one.label: one.edit.text for one in complete(made.workspace, made.path, made.offset)}
    assert offered == {"task_prompt": "task_prompt}", "hook_context": "hook_context}"}

    explained = agent(body="After ${hook_c$0ontext}.\n")
    made = fixture(tmp_path / "x", f"//- .qwen/agents/a.md\n{explained}")
    shown = hover(made.workspace, made.path, made.offset)
    assert shown is not None
    assert "the text of hooks" in shown.markdown


def test_another_program_takes_no_tools_and_no_model(tmp_path: Path) -> None:
    lines = "tools: [edit]\nmodel: x\nrunConfig: {max_turns: 5}\n"
    found = check(tmp_path, agent(f"{lines}executor: {{kind: codex, command: codex}}\n"))

    assert [line.partition(":")[0] for line in found] == [
        f"error[external-agent] the other program does not accept `{key}`, so each call fails with "
        f'`External agent "reviewer" does not support {key}.`; remove it'.partition(":")[0]
        for key in ("tools", "model", "runConfig.max_turns")
    ]


def test_a_container_is_information(tmp_path: Path) -> None:
    [line] = check(tmp_path, agent("executionBackend: container\n"))

    assert line.startswith("information[external-agent] an ordinary host refuses each call")


def test_a_key_in_a_text_above_it_is_told(tmp_path: Path) -> None:
    source = agent().replace("Reviews a change.", "|\n  Reviews.\n  tools: [edit]")
    found = check(tmp_path, source)

    assert [line.partition("]")[0] for line in found] == ["warning[swallowed-key"]


def test_a_file_in_bytes_that_are_no_utf_8_is_read_all_the_same(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent())
    made.path.write_bytes(made.text.encode() + b"\xff\n")
    made.workspace.files.refresh()

    assert [line.partition("]")[0] for line in said(made)] == ["information[unreadable"]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        (".qwen/agents/deep/reviewer.md", "warning[misplaced"),
        (".qwen/subagents/reviewer.md", "warning[misplaced"),
        (".qwen/agents/reviewer.markdown", "warning[misplaced"),
    ],
)
def test_an_agent_where_the_program_does_not_look_is_misplaced(
    path: str, code: str, tmp_path: Path
) -> None:
    source = agent("approvalMode: plan\n").replace(".qwen/agents/reviewer.md", path)

    assert [line.partition("]")[0] for line in check(tmp_path, source)] == [code]


def offered(folder: Path, source: str) -> set[str]:
    made = fixture(folder, source)
    return {item.label for item in complete(made.workspace, made.path, made.offset)}


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("tools: [read_$0\n", {"read_file"}),
        ("tools:\n  - $0\n", {"read_file", "run_shell_command", "agent"}),
        ("approvalMode: $0\n", {"plan", "default", "auto-edit", "auto", "yolo", "bubble"}),
        ("permissionMode: $0\n", {"acceptEdits", "dontAsk"}),
        ("model: $0\n", {"inherit", "fast"}),
        ("$0\n", {"tools", "approvalMode", "runConfig", "executor"}),
        ("runConfig:\n  $0\n", {"max_turns", "max_time_minutes"}),
        ("executor:\n  kind: $0\n", {"acp", "codex"}),
    ],
)
def test_words_complete_where_they_count(lines: str, words: set[str], tmp_path: Path) -> None:
    assert words <= offered(tmp_path, agent(lines))


def test_words_complete_in_a_header_that_is_no_yaml(tmp_path: Path) -> None:
    source = agent("tools: [read_$0\n").replace("Reviews a change.", "First: second")

    assert "read_file" in offered(tmp_path, source)


def test_hover_tells_what_the_program_makes_of_a_value(tmp_path: Path) -> None:
    made = fixture(tmp_path, agent("approval$0Mode: plan\n"))
    found = hover(made.workspace, made.path, made.offset)

    assert found is not None
    assert "what the agent may do without asking" in found.markdown
