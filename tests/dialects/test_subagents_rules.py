"""What is reported about sub-agents, and what is left alone in a folder that others use, too."""

from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from agent_lsp.dialects.codex_subagents.dialect import DIALECT
from agent_lsp.options import Options
from agent_lsp.syntax.document import parse
from agent_lsp.text import apply
from agent_lsp.workspace.placement import placement_at
from tests.checks.pages import reported
from tests.fixture import Fixture, fixture
from tests.recorded import each
from tests.test_conformance import cases

GOOD = "---\ndescription: d\n---\nbody\n"
AGENT = "//- .codex/agents/a.md\n"
BESIDE = f"//- .codex/agents/z.md\n{GOOD}"
CLAUDE = "---\nname: a\ndescription: d\ntools: Read, Grep\nmodel: sonnet\n---\nx\n"
ROOT = Path(__file__).parents[2]


def said(made: Fixture) -> list[str]:
    """The findings on the file under test, as `severity[code] message`."""
    return [
        f"{found.severity.name.lower()}[{found.code}] {found.message}"
        for found in diagnostics(made.workspace, made.path)
    ]


def codes(folder: Path, source: str, options: Options | None = None) -> list[str]:
    made = fixture(folder, source, options=options)
    return [line.partition("] ")[0] + "]" for line in said(made)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "---\ndescription: d\n---\ntools: [shell]\n---\nbody\n",
            (
                "error[header-cut-short] this `---` closes the header: `tools` below it is part of "
                "the prompt and has no effect; remove the line"
            ),
        ),
        (
            "---\nname: a\n---\ndescription: d\ntools: [shell]\n---\nbody\n",
            (
                "error[header-cut-short] this `---` closes the header, and more of the header "
                "follows: remove the line, or the runtime skips the file and there is no `a`"
            ),
        ),
        (
            "---\rdescription: d\r---\rbody\r",
            (
                "error[header-missing] the lines end in CR, and the runtime ends them at LF only: "
                "save the file with line ends LF or CRLF, or the runtime skips the file and there "
                "is no `a`"
            ),
        ),
        (
            "---\ndescription: d\ntools: *x, shell\n---\nbody\n",
            (
                "error[header-invalid] the value ends at `*x`, and `, shell` follows: write "
                '`["*x", shell]`, or the runtime skips the file and there is no `a`'
            ),
        ),
    ],
)
def test_a_header_that_ends_elsewhere_is_one_finding_with_what_it_does_here(
    text: str, message: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, f"{AGENT}x\n{BESIDE}")
    made.path.write_bytes(text.encode())
    made.workspace.files.changed(made.path)
    assert said(made) == [message]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Fixture:
    """A workspace for one text after the other."""
    return fixture(tmp_path_factory.mktemp("written"), f"{AGENT}x\n{BESIDE}")


@each(cases("codex-subagents"))
def test_a_header_is_an_error_if_the_runtime_skips_it(
    case: dict[str, object], written: Fixture
) -> None:
    text = str(case["text"])
    text += "" if text.endswith("\n") or not text else "\n"
    written.path.write_bytes(f"---\n{text}---\nbody\n".encode())
    written.workspace.files.rewritten(written.path)
    errors = [line for line in said(written) if line.startswith("error")]
    assert bool(errors) is not case["ok"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("name: a", None),
        ("tools: []", None),
        ("tools: [shell, apply_patch, web_search]", None),
        ("tools: [exec_command, write_stdin]", None),
        ("tools: [github__search]", None),
        ("tools: ~", None),
        ("x-owner: me", None),
        (
            "name: b",
            (
                "warning[name-mismatch] `name` is `b`, and the runtime ignores it: the agent is "
                "called `a`, after its file"
            ),
        ),
        (
            "model: gpt-5",
            (
                "information[unknown-key] the runtime ignores `model`: a sub-agent runs on the "
                "model of its session, "
                "and the `model` of a `subagent_run` call has no effect either"
            ),
        ),
        (
            "tool: [shell]",
            (
                "warning[unknown-key] unknown key `tool`: the runtime ignores it, so it limits no "
                "tools; did you mean `tools`?"
            ),
        ),
        (
            "allowed_tools: [shell]",
            (
                "warning[unknown-key] unknown key `allowed_tools`: the runtime ignores it, so it "
                "limits no tools; its name here is `tools`"
            ),
        ),
        (
            "tools: [apply-patch, shell]",
            (
                "warning[unknown-tool] unknown tool `apply-patch`: it allows nothing; did you mean "
                "`apply_patch`?"
            ),
        ),
        (
            "tools: [subagent_run, shell]",
            (
                "warning[unavailable-tool] `subagent_run` has no effect: sub-agent tools are never "
                "available inside a sub-agent"
            ),
        ),
        (
            "tools: [unified_exec]",
            (
                "warning[no-tools] no entry of `tools` covers a known tool: the agent has no "
                "tools, unless the runtime has more than are known here"
            ),
        ),
        (
            "tools: shell, apply_patch",
            (
                "error[wrong-type] `tools` must be a list, not `shell, apply_patch`: write "
                "`[shell, apply_patch]`, or the runtime skips the file and there is no `a`"
            ),
        ),
    ],
)
def test_one_mistake_is_one_finding(lines: str, message: str | None, tmp_path: Path) -> None:
    made = fixture(tmp_path, f"{AGENT}---\ndescription: d\n{lines}\n---\nbody\n")
    assert said(made) == ([] if message is None else [message])


@pytest.mark.parametrize(
    ("file", "content", "found"),
    [
        ("a.MD", GOOD.encode(), "error[file-name]"),
        ("a.md", b"\xff\xfe", "error[unreadable]"),
        ("a.md", b"You review.\n", "error[header-missing]"),
        ("a.md", b"---\ndescription: d\ntools: [shell, shell]\n---\nx\n", "hint[redundant-entry]"),
        ("a.md", b"---\ndescription: |\n  d\n  tools: [shell]\n---\nx\n", "warning[swallowed-key]"),
        ("a.md", b"---\ndescription: Fixes #12\n---\nx\n", "warning[lost-text]"),
    ],
)
def test_the_rules_of_both_systems_hold_here(
    file: str, content: bytes, found: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, f"//- .codex/agents/{file}\nx\n{BESIDE}")
    made.path.write_bytes(content)
    made.workspace.files.changed(made.path)
    assert [line.partition("] ")[0] + "]" for line in said(made)] == [found]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("---\n---\nx\n", "missing-key"),
        ("---\ndescription: ' '\n---\nx\n", "missing-description"),
        ("---\ndescription:\n---\nx\n", "missing-description"),
        ("---\ndescription: d\n---\n", "missing-default-prompt"),
        ("---\ndescription: d\ntools: ['']\n---\nx\n", "blank-tool"),
        ("---\ndescription: d\nx\n", "header-unclosed"),
        ("\ufeff---\ndescription: d\n---\nx\n", "header-bom"),
        ("---\ndescription: a: b\n---\nx\n", "header-invalid"),
        ("---\ndescription: d\ndescription: e\n---\nx\n", "duplicate-key"),
    ],
)
def test_a_skipped_file_says_whether_the_users_stays_in_force(
    text: str, code: str, tmp_path: Path
) -> None:
    alone = said(fixture(tmp_path / "1", AGENT + text))
    over = said(fixture(tmp_path / "2", f"{AGENT}{text}//- ~/.codex/agents/a.md\n{GOOD}"))

    assert [line.partition("] ")[0] for line in (*alone, *over)] == [f"error[{code}"] * 2
    assert alone[0].endswith("the runtime skips the file and there is no `a`")
    assert over[0].endswith("the runtime skips the file and `~/.codex/agents/a.md` is still used")


def test_the_users_file_is_shadowed_only_by_a_file_that_loads(tmp_path: Path) -> None:
    mine = f"//- ~/.codex/agents/a.md\n{GOOD}"
    assert codes(tmp_path / "1", f"{mine}{AGENT}{GOOD}") == ["information[shadowed]"]
    assert codes(tmp_path / "2", f"{mine}{AGENT}---\n---\nx\n") == []


# Files of other systems.


@pytest.mark.parametrize(
    "text",
    [
        "You review.\n",
        "",
        "# Title\n\n---\n\ntext\n",
        CLAUDE,
        "---\ndescription: d\ncolor: blue\n---\nx\n",
        "---\nname: other\ndescription: d\nmodel: inherit\n---\nx\n",
        "---\ndescription: d\ntools: [Read, Bash]\nmodel: haiku\nwhat: else\n---\nx\n",
        "---\ndescription: use: it\ncolor: blue\n---\nx\n",
        "---\nmode: subagent\npermission:\n  edit: deny\n---\nx\n",
    ],
)
def test_what_is_plainly_another_systems_is_one_information(text: str, tmp_path: Path) -> None:
    assert codes(tmp_path, AGENT + text) == ["information[other-system]"]


@pytest.mark.parametrize("name", ["README", "readme", "AGENTS"])
@pytest.mark.parametrize("text", ["# Agents\n", CLAUDE, GOOD])
def test_a_note_is_one_information_also_among_agents(name: str, text: str, tmp_path: Path) -> None:
    found = codes(tmp_path, f"//- .codex/agents/{name}.md\n{text}{BESIDE}")
    assert found == ["information[other-system]"]


@pytest.mark.parametrize(
    ("text", "code"), [("You review.\n", "header-missing"), (CLAUDE, "wrong-type")]
)
def test_beside_an_agent_or_in_a_claimed_folder_it_is_this_systems_mistake(
    text: str, code: str, tmp_path: Path
) -> None:
    claim = Options(folders={tmp_path / "2/workspace/.codex/agents": "codex-subagents"})

    assert f"error[{code}]" in codes(tmp_path / "1", AGENT + text + BESIDE)
    assert f"error[{code}]" in codes(tmp_path / "2", AGENT + text, claim)


def test_a_foreign_file_beside_it_makes_no_folder_this_systems(tmp_path: Path) -> None:
    beside = f"//- .codex/agents/z.md\n{CLAUDE}//- .codex/agents/README.md\n{GOOD}"
    assert codes(tmp_path, f"{AGENT}You review.\n{beside}") == ["information[other-system]"]


def test_a_disowned_folder_and_other_extensions_are_left_alone(tmp_path: Path) -> None:
    disown = Options(folders={tmp_path / "workspace/.codex/agents": None})
    made = fixture(tmp_path, f"{AGENT}---\n---\nx\n", options=disown)
    assert said(made) == []
    assert placement_at(made.workspace, made.root / ".codex/agents/a.toml") is None
    other = fixture(tmp_path / "2", AGENT + GOOD)
    assert placement_at(other.workspace, other.root / ".codex/agents/a.txt") is None
    owner = placement_at(other.workspace, other.path)
    assert owner is not None
    assert owner.system is DIALECT.system


def test_a_template_of_the_other_fork_is_misplaced_and_nothing_else(tmp_path: Path) -> None:
    text = "---\ndescription: d\nallow_list: [wait]\n---\nx\n"
    assert codes(tmp_path, AGENT + text) == ["information[misplaced]"]


def test_what_a_foreign_file_comes_to_is_in_the_message(tmp_path: Path) -> None:
    skipped = said(fixture(tmp_path / "1", f"{AGENT}You review.\n"))
    loaded = said(fixture(tmp_path / "2", f"{AGENT}---\ndescription: d\ntools: [Read]\n---\nx\n"))

    assert skipped == [
        (
            "information[other-system] a file without a header: this system skips it: Agent 'a' "
            "missing YAML frontmatter (must start with '---')"
        )
    ]
    assert loaded == [
        (
            "information[other-system] `tools` belongs to another system: this one still "
            "loads the file, as `a` without any of the tools that are known here"
        )
    ]


# Hover and completion.


def shown(folder: Path, source: str) -> str:
    made = fixture(folder, source)
    found = hover(made.workspace, made.path, made.offset)
    assert found is not None
    return found.markdown


def test_a_fence_tells_which_file_is_used_and_for_whom(tmp_path: Path) -> None:
    text = shown(tmp_path, f"{AGENT}$0{GOOD}//- ~/.codex/agents/a.md\n{GOOD}")
    assert text.startswith("**This file is `a`** (project)")
    assert "- shadows [~/.codex/agents/a.md]" in text
    assert "- found only by sessions that start in `workspace/`\n" in text
    assert "- `subagent_run`: 8 of the 11 tools known here" in text
    assert "- `subagent_list` accepts it" in text


def test_a_skipped_file_says_so_first_and_who_is_used_instead(tmp_path: Path) -> None:
    text = shown(tmp_path, f"{AGENT}$0---\n---\nx\n//- ~/.codex/agents/a.md\n{GOOD}")
    assert text.startswith("**The runtime skips the file**\n\n`` Failed to parse YAML frontmatter")
    assert "So [~/.codex/agents/a.md]" in text
    alone = shown(tmp_path / "2", f"{AGENT}$0---\n---\nx\n")
    assert "So there is no `a`" in alone


def test_a_foreign_file_is_explained_as_such(tmp_path: Path) -> None:
    text = shown(tmp_path, f"{AGENT}$0You review.\n")
    assert text.startswith("**There is no header: the runtime skips the file**")
    assert "Treated as a file of another system" in text


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("tools: [$0shell]", "**`shell`: this agent has it**, allowed by `shell`"),
        ("tools: [write_stdin, $0subagent_run]", "never available inside a sub-agent"),
        ("tools: [$0git__log]", "A tool of an MCP server"),
        ("$0tools: [exec_command]", "Keeps 4 of the 11 tools known here"),
        ("$0tools: []", "Keeps 0 of the 11 tools known here"),
        ("$0model: gpt-5", "`model` has no effect here"),
        ("$0name: b", "because the name of the file decides"),
        ("$0color: blue", "`color` is not a key here: the runtime ignores it"),
    ],
)
def test_hover_tells_what_a_key_or_an_entry_comes_to(
    lines: str, words: str, tmp_path: Path
) -> None:
    assert words in shown(tmp_path, f"{AGENT}---\ndescription: d\n{lines}\n---\nx\n")


@pytest.mark.parametrize(
    ("source", "label", "result"),
    [
        ("---\n$0\n---\nx\n", "description", "---\ndescription: \n---\nx\n"),
        (
            "---\ndescription: d\ntools: [apply$0]\n---\nx\n",
            "apply_patch",
            "---\ndescription: d\ntools: [apply_patch]\n---\nx\n",
        ),
        (
            "---\ndescription: d\nto$0\n---\nx\n",
            "tools",
            "---\ndescription: d\ntools:\n  - \n---\nx\n",
        ),
    ],
)
def test_completion_offers_keys_and_tools(
    source: str, label: str, result: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, AGENT + source)
    found = {item.label: item for item in complete(made.workspace, made.path, made.offset)}
    assert apply(made.text, [found[label].edit]) == result
    assert not {"model", "subagent_run"} & found.keys()


def test_a_tool_of_a_listed_family_is_offered_as_having_no_effect(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"{AGENT}---\ndescription: d\ntools: [shell, $0]\n---\nx\n")
    found = {item.label: item for item in complete(made.workspace, made.path, made.offset)}
    assert found["exec_command"].deprecated
    assert not found["web_search"].deprecated


@pytest.mark.parametrize("path", sorted((ROOT / "templates/codex-subagents").rglob("*.md")))
def test_nothing_is_said_about_a_starter(path: Path, tmp_path: Path) -> None:
    assert codes(tmp_path, AGENT + path.read_text(encoding="utf-8")) == []


def test_no_half_typed_file_fails_and_spans_stay_inside(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"{AGENT}x\n{BESIDE}")
    text = "\n---\nname: b\ndescription: d\ntools: [shell, '']\nmodel: gpt-5\n---\nx\n"
    for stop in range(len(text) + 1):
        for typed in (text[:stop], text[:stop] + text[stop + 1 :]):
            made.workspace.files.open(made.path, typed)
            parsed = parse(typed, DIALECT.format.split)
            assert parsed.frontmatter.body.end == len(typed)
            for found in diagnostics(made.workspace, made.path):
                assert 0 <= found.span.start <= found.span.end <= len(typed)
                assert "\n" not in found.message
            hover(made.workspace, made.path, stop)
            complete(made.workspace, made.path, stop)


NAMED = "---\nname: b\ndescription: Plans.\n---\nPlan.\n"
OWN = "---\ndescription: Plans.\n---\nPlan.\n"


@pytest.mark.parametrize(
    "tools", ["Read Glob Grep", '"Read Glob Grep"', "Read, Grep", "Bash(git:*)", "[Read, Grep]"]
)
@pytest.mark.parametrize("sibling", [None, NAMED])
def test_tools_of_another_system_make_a_file_of_that_system(
    tools: str, sibling: str | None, tmp_path: Path
) -> None:
    """A sibling with only a name and a description may be of any system, and vouches for none."""
    text = f"---\nname: a\ndescription: Looks.\ntools: {tools}\n---\nLook.\n"
    files = {".codex/agents/a.md": text}
    files |= {} if sibling is None else {".codex/agents/b.md": sibling}

    assert [line.split("]")[0] for line in reported(tmp_path, files)] == [
        ".codex/agents/a.md:4:1 information[other-system"
    ]


def test_keys_of_another_system_are_no_noise_beside_an_agent_of_this_one(tmp_path: Path) -> None:
    """What such a file loses as a whole is said, and a restriction that is lost."""
    text = "---\nname: a\ndescription: x\ncolor: red\nmodel: opus\nhooks: {}\n---\nLook.\n"
    both = {".codex/agents/a.md": text, ".codex/agents/b.md": OWN}
    assert reported(tmp_path / "kept", both) == []

    both[".codex/agents/a.md"] = text.replace("hooks: {}", "disallowedTools: Bash")
    assert [line.split("]")[0] for line in reported(tmp_path / "lost", both)] == [
        ".codex/agents/a.md:6:1 information[unknown-key"
    ]


@pytest.mark.parametrize("tool", ["shell", "local_shell", "exec_command", "write_stdin"])
def test_the_hover_of_each_shell_tool_says_that_it_enables_all(tool: str, tmp_path: Path) -> None:
    text = f"---\ndescription: x\ntools: [$0{tool}]\n---\nLook.\n"
    made = fixture(tmp_path, f"//- .codex/agents/a.md\n{text}")
    found = hover(made.workspace, made.path, made.offset)

    assert found is not None
    assert "enables all four" in found.markdown
