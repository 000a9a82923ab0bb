"""Lenses, hints and tokens: what is drawn into a template."""

from pathlib import Path

import pytest

from agent_lsp.analysis.decorations import LensAction, code_lenses, inlay_hints, semantic_tokens
from agent_lsp.text import LineIndex, Span
from agent_lsp.workspace.snapshot import TemplateFile, template_file
from tests.fixture import fixture
from tests.recorded import each


def _template(folder: Path, source: str) -> TemplateFile:
    at = fixture(folder, source)
    file = template_file(at.workspace, at.path)
    assert file is not None
    return file


REVIEWER = """\
---
description: Reviews.
model: gpt-5.2-codex
allow_list: [exec_command, write_stdin, "list_*", mcp__docs__*, no]
deny_list:
  - write_stdin
agent_names:
  - name: strict
    description: Lets nothing pass.
  - name: mild
    description: Lets things pass.
    model: gpt-5
---
Review.
<!-- agent_name: strict -->
Be strict.
<!-- agent_name: mild -->
Ask `worker`.
"""


def test_lenses_preview_the_agent_and_each_persona(tmp_path: Path) -> None:
    file = _template(tmp_path, REVIEWER)
    index = LineIndex(file.document.text)
    found = [(index.line_of(one.span.start) + 1, one.title, one.call) for one in code_lenses(file)]
    assert found == [
        (1, "Preview spawn", {"agent_type": "reviewer"}),
        (1, "List agents", {}),
        (1, "6 of 29 tools", {"agent_type": "reviewer"}),
        (8, "Preview as strict", {"agent_type": "reviewer", "agent_name": "strict"}),
        (10, "Preview as mild", {"agent_type": "reviewer", "agent_name": "mild"}),
    ]


USER = "//- ~/.codex/.agents/reviewer.md\n---\ndescription: Mine.\n---\nReview.\n"
PROJECT = "//- .codex/.agents/reviewer.md\n---\ndescription: Ours.\n---\nReview.\n"


@pytest.mark.parametrize(
    ("source", "title", "target"),
    [
        (f"{PROJECT}{USER}", "Overrides ~/.codex/.agents/reviewer.md", "home"),
        (f"{USER}{PROJECT}", "Shadowed by .codex/.agents/reviewer.md", "workspace"),
    ],
)
def test_a_lens_opens_the_other_file_of_the_name(
    tmp_path: Path, source: str, title: str, target: str
) -> None:
    *_, tools, other = code_lenses(_template(tmp_path, source))
    assert (tools.title, other.title, other.does) == ("All tools", title, LensAction.OPEN)
    assert other.target == tmp_path / target / ".codex/.agents/reviewer.md"


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("pkg/.opencode/agents/a.md", "Overridden by .opencode/agents/a.md"),
        (".opencode/agents/a.md", "Overrides .opencode/agent/a.md"),
        (".opencode/agent/a.md", "Shadowed by .opencode/agents/a.md"),
    ],
)
def test_a_lens_has_the_order_in_which_the_program_merges_files(
    tmp_path: Path, path: str, title: str
) -> None:
    """Of two folders of OpenCode the outer one wins, and of two files of one folder one counts."""
    paths = ("pkg/.opencode/agents/a.md", ".opencode/agents/a.md", ".opencode/agent/a.md")
    text = "".join(f"//- {one}\n---\ndescription: d\n---\nB\n" for one in paths)
    made = fixture(tmp_path, text)
    file = template_file(made.workspace, made.root / path)
    assert file is not None
    *_, other = code_lenses(file)
    assert other.title == title


def test_tools_that_no_policy_keeps_are_not_said_to_be_there(tmp_path: Path) -> None:
    """A preset without a policy has all tools but the one that spawns."""
    _, _, tools = code_lenses(_template(tmp_path, "//- moltis.toml\n[agents.presets.scout]\n"))
    assert tools.title == "All tools but 1"


def test_a_built_in_agent_is_named_as_such_and_not_by_our_file(tmp_path: Path) -> None:
    file = _template(tmp_path, PROJECT.replace("reviewer", "worker"))
    *_, other = code_lenses(file)
    assert (other.title, other.does) == ("Overrides the built-in one", LensAction.OPEN)
    assert other.target is not None
    assert other.target.name == "worker.md"


def test_a_file_that_is_no_agent_has_no_lens(tmp_path: Path) -> None:
    """No name, another system's, and a file that the runtime ignores have nothing to show."""
    for number, source in enumerate(
        [
            "//- .codex/.agents/no name.md\n---\ndescription: Reviews.\n---\nReview.\n",
            "//- .codex/agents/x.md\n---\ndescription: Reviews.\ntools: Read, Grep\n---\nReview.\n",
        ]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert code_lenses(_template(folder, source)) == ()


def test_a_sub_agent_that_is_skipped_can_still_be_previewed(tmp_path: Path) -> None:
    source = "//- .codex/agents/checker.md\n---\ndescription: Checks.\n---\n"
    titles = [one.title for one in code_lenses(_template(tmp_path, source))]
    assert titles == ["Preview spawn", "List agents"]


def test_the_default_role_is_not_spawned_from_its_file(tmp_path: Path) -> None:
    source = "//- .codex/.agents/default.md\n---\ndescription: Works.\n---\nWork.\n"
    titles = [one.title for one in code_lenses(_template(tmp_path, source))]
    assert "Preview spawn" not in titles


def _hints(folder: Path, source: str) -> list[str]:
    """The text with its hints in guillemets, only the lines that have some."""
    file = _template(folder, source)
    text = file.document.text
    for hint in sorted(inlay_hints(file, Span(0, len(text))), key=lambda hint: -hint.offset):
        text = f"{text[: hint.offset]}«{hint.label}»{text[hint.offset :]}"
    return [line.strip() for line in text.splitlines() if "«" in line]


def test_hints_tell_what_is_inherited_and_what_patterns_cover(tmp_path: Path) -> None:
    assert _hints(tmp_path, REVIEWER) == [
        "---«reasoning_effort: inherited»",
        'allow_list: [exec_command, write_stdin, "list_*"«5 tools», mcp__docs__*«MCP tools», no]',
        "- name: strict«model: gpt-5.2-codex»",
    ]


@pytest.mark.parametrize(
    ("path", "key", "label"),
    [
        (".codex/.agents/a.md", "allow_list", "as without it: every tool"),
        (".codex/.agents/a.md", "deny_list", "nothing is removed"),
        (".codex/agents/a.md", "tools", "no tools"),
    ],
)
def test_a_hint_tells_what_an_empty_list_means(
    tmp_path: Path, path: str, key: str, label: str
) -> None:
    source = f"//- {path}\n---\ndescription: Works.\n{key}: []\n---\nWork.\n"
    assert _hints(tmp_path, source)[-1] == f"{key}: []«{label}»"


def test_a_header_that_is_lost_has_no_hints(tmp_path: Path) -> None:
    for number, source in enumerate(
        [
            REVIEWER.replace("deny_list:", "deny_list: {"),
            REVIEWER.replace("---\nReview.", "Review."),
        ]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert _hints(folder, source) == []


def test_a_call_that_would_be_refused_has_no_values_to_hint_at(tmp_path: Path) -> None:
    """Without a default prompt and with two personas, the role alone cannot be spawned."""
    source = REVIEWER.replace("Review.\n", "")
    assert [line for line in _hints(tmp_path, source) if line.startswith("---")] == []


def test_only_hints_in_sight_are_told(tmp_path: Path) -> None:
    file = _template(tmp_path, REVIEWER)
    start = file.document.text.index("deny_list")
    found = inlay_hints(file, Span(start, len(file.document.text)))
    assert [hint.label for hint in found] == ["model: gpt-5.2-codex"]


def test_tokens_tell_markers_names_tools_patterns_and_what_is_gone(tmp_path: Path) -> None:
    file = _template(tmp_path, REVIEWER)
    found = []
    for token in semantic_tokens(file):
        marks = "!" * token.gone + "=" * token.declares
        found.append(f"{token.kind.value}{marks} {token.span.of(file.document.text).strip()}")
    assert found == [
        "function exec_command",
        "function! write_stdin",
        'regexp "list_*"',
        "regexp mcp__docs__*",
        "function! write_stdin",
        "class= strict",
        "class= mild",
        "macro <!-- agent_name:",
        "class strict",
        "macro -->",
        "macro <!-- agent_name:",
        "class mild",
        "macro -->",
        "class worker",
    ]


@each(range(0, len(REVIEWER), 5), called=str)
def test_tokens_do_not_overlap_whatever_is_typed_so_far(end: int, tmp_path: Path) -> None:
    file = _template(tmp_path, REVIEWER[:end])
    at = 0
    for token in semantic_tokens(file):
        assert at <= token.span.start < token.span.end <= end
        assert "\n" not in token.span.of(file.document.text)
        at = token.span.end
    code_lenses(file)
    inlay_hints(file, Span(0, end))


TABLES = """\
//- moltis.toml
[agents.presets.lead]
delegate_only = true
reasoning_effort = "high"
tools.deny = ["web_search", "nope"]

[agents.presets.worker]
model = "a/b"
reasoning_effort = "high"
tools = { allow = [], deny = ["exec"] }
"""


def test_each_table_has_hints_of_its_own(tmp_path: Path) -> None:
    assert _hints(tmp_path, TABLES) == [
        "[agents.presets.lead]«model: inherited»",
        'tools = { allow = []«as without it: every tool», deny = ["exec"] }',
    ]


def _colours(folder: Path, source: str) -> list[str]:
    file = _template(folder, source)
    return [
        f"{token.kind.value} {token.span.of(file.document.text)}{' gone' * token.gone}"
        for token in semantic_tokens(file)
    ]


def test_the_lists_of_each_table_have_colours(tmp_path: Path) -> None:
    assert _colours(tmp_path, TABLES) == [
        "class lead",
        'function "web_search" gone',
        "class worker",
        'function "exec" gone',
    ]


def test_tools_in_a_text_have_colours_and_so_have_those_with_parentheses(tmp_path: Path) -> None:
    """What stands in the parentheses is no part of the tool, and may be an agent."""
    source = """\
//- .claude/agents/lead.md
---
name: lead
description: Leads.
tools: Read, Agent(other), Bash(git *), Nope, mcp__docs__*
disallowedTools: Read
---
Lead.
//- .claude/agents/other.md
---
name: other
description: Works.
---
Work.
"""
    assert _colours(tmp_path, source) == [
        "class lead",
        "function Read gone",
        "function Agent",
        "class other",
        "function Bash",
        "regexp mcp__docs__*",
        "function Read gone",
    ]


def test_no_token_goes_beyond_a_lone_cr(tmp_path: Path) -> None:
    """For the protocol it ends a line, and the length of the token would be negative."""
    at = fixture(tmp_path, f"//- .codex/.agents/a.md\n{REVIEWER}")
    at.path.write_bytes(REVIEWER.replace("strict -->", "strict \r -->").encode())
    at.workspace.files.changed(at.path)
    file = template_file(at.workspace, at.path)
    assert file is not None
    words = [token.span.of(file.document.text) for token in semantic_tokens(file)]
    assert "exec_command" in words
    assert [word for word in words if "\r" in word] == []
