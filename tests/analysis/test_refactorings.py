"""What can be done with a sound template; the runtime makes the same of it where it should."""

from pathlib import Path

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes.verify import supposing
from agent_lsp.analysis.refactorings import Refactoring, RefactoringKind, refactorings
from agent_lsp.text import Span, apply
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture


def offered(folder: Path, source: str) -> tuple[Fixture, list[Refactoring]]:
    """What is offered for the text between two `|`, or at one of them."""
    first, last = source.find("|"), source.rfind("|")
    made = fixture(folder, source.replace("|", ""))
    start = made.text.find(source[first + 1 : last]) if last > first else 0
    if last == first:
        # The file's text begins after the line with its name.
        before = source[:first].rpartition("//- ")[2]
        start = len(before.partition("\n")[2]) if "//- " in source else len(before)
    span = Span(start, start + max(last - first - 1, 0))
    return made, [*refactorings(made.workspace, made.path, span)]


def only(found: list[Refactoring], kind: RefactoringKind) -> list[Refactoring]:
    return [one for one in found if one.kind is kind]


def test_a_tool_list_is_sorted_by_groups_and_the_agent_has_the_same_tools(tmp_path: Path) -> None:
    lines = ("wait", "mcp__x__*", "write_stdin  # for long ones", "read_file", "exec_command")
    block = "".join(f"  - {line}\n" for line in lines)
    made, found = offered(tmp_path, f"---\ndescription: A.\nallow_list:|\n{block}---\nReview.\n")
    [change] = only(found, RefactoringKind.REWRITE)
    after = apply(made.text, change.edits)

    ordered = [line[4:] for line in after.splitlines() if line.startswith("  - ")]
    groups = ("exec_command", "write_stdin  # for long ones", "read_file", "wait", "mcp__x__*")
    assert ordered == [*groups]
    supposed = supposing(made.workspace, made.path, after)
    before, then = (template_file(each, made.path) for each in (made.workspace, supposed))
    assert before is not None
    assert then is not None
    tools = tuple(tool.name for tool in before.dialect.tools.listed)
    kept = [each.dialect.tools.toolset(each.reading, tools, 1).kept for each in (before, then)]
    assert {one.tool for one in kept[0]} == {one.tool for one in kept[1]}
    sorted_already = refactorings(supposed, made.path, Span(25, 60))
    assert only([*sorted_already], RefactoringKind.REWRITE) == []


def test_a_list_on_one_line_keeps_its_commas(tmp_path: Path) -> None:
    made, found = offered(
        tmp_path, "---\ndescription: A.\ndeny_list: [|write_stdin , exec_command]\n---\nReview.\n"
    )
    [change] = only(found, RefactoringKind.REWRITE)

    assert "deny_list: [exec_command , write_stdin]\n" in apply(made.text, change.edits)


def test_a_list_with_comments_between_its_items_is_left_alone(tmp_path: Path) -> None:
    items = "  - write_stdin\n  # The next one is for tests.\n  - exec_command\n"
    _, found = offered(tmp_path, f"---\ndescription: A.\nallow_list:|\n{items}---\nReview.\n")

    assert only(found, RefactoringKind.REWRITE) == []


def test_selected_lines_become_the_prompt_of_a_persona(tmp_path: Path) -> None:
    made, found = offered(
        tmp_path, "---\ndescription: A.\n---\nReview.\n\n|Report every risk.\n|\nBe brief.\n"
    )
    [change] = only(found, RefactoringKind.EXTRACT)
    after = apply(made.text, change.edits)

    assert after == (
        "---\ndescription: A.\nagent_names:\n  - name: new-persona\n"
        '    description: "TODO: say what it is for"\n---\nReview.\n\n\nBe brief.\n\n'
        "<!-- agent_name: new-persona -->\nReport every risk.\n"
    )
    assert diagnostics(supposing(made.workspace, made.path, after), made.path) == ()


def test_the_whole_prompt_is_not_extracted(tmp_path: Path) -> None:
    _, found = offered(tmp_path, "---\ndescription: A.\n---\n|Review.\n|")

    assert only(found, RefactoringKind.EXTRACT) == []


SOUND = "---\ndescription: A.\n---\nReview.\n|"


def test_a_template_is_copied_to_the_other_scope_unless_it_is_there(tmp_path: Path) -> None:
    made, up = offered(tmp_path / "up", f"//- .codex/.agents/reviewer.md\n{SOUND}")
    _, down = offered(tmp_path / "down", f"//- ~/.codex/.agents/reviewer.md\n{SOUND}")
    both = f"//- .codex/.agents/reviewer.md\n{SOUND}//- ~/.codex/.agents/reviewer.md\n{SOUND}"
    _, there = offered(tmp_path / "both", both.replace("|", "", 1))

    [copy] = only(up, RefactoringKind.COPY)
    assert copy.created == made.root.parent / "home/.codex/.agents/reviewer.md"
    assert copy.text == made.text
    assert copy.title == "Copy to your own templates: `~/.codex/.agents/reviewer.md`"
    assert [one.title for one in only(down, RefactoringKind.COPY)] == [
        "Copy to the project: `.codex/.agents/reviewer.md`"
    ]
    assert only(there, RefactoringKind.COPY) == []


def test_a_new_agent_is_made_of_a_starter_under_a_free_name(tmp_path: Path) -> None:
    made, found = offered(
        tmp_path,
        f"//- .codex/.agents/reviewer.md\n{SOUND}//- .codex/.agents/new-agent.md\n{SOUND[:-1]}",
    )
    new = only(found, RefactoringKind.NEW)

    assert {one.created for one in new} == {made.path.with_name("new-agent-2.md")}
    assert {one.title for one in new} == {
        "New agent in this folder, from `role`",
        "New agent in this folder, from `role-with-personas`",
    }
    assert all(one.text.startswith("---\n") for one in new)


def test_a_new_agent_is_called_by_its_own_name_where_the_text_says_it(tmp_path: Path) -> None:
    sound = "---\nname: reviewer\ndescription: Reviews.\n---\n|Review.\n"
    _, found = offered(tmp_path, f"//- .claude/agents/reviewer.md\n{sound}")
    [new] = only(found, RefactoringKind.NEW)
    assert "\nname: new-agent\n" in new.text
