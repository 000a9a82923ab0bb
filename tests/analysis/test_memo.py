"""What was found out about a template is remembered with it."""

from pathlib import Path

from agent_lsp.data_classes import replace
from agent_lsp.model.runtime import DefinedName
from agent_lsp.syntax.document import memoised
from agent_lsp.workspace.snapshot import TemplateFile, template_file
from tests.fixture import fixture


def _two(folder: Path) -> tuple[TemplateFile, TemplateFile]:
    here = fixture(folder, "//- .codex/.agents/a.md\nA\n//- .codex/.agents/b.md\nB\n")
    paths = (here.path, here.path.with_name("b.md"))
    first, second = (template_file(here.workspace, path) for path in paths)
    assert first is not None
    assert second is not None
    return first, second


def test_the_same_question_about_the_same_template_is_answered_once(tmp_path: Path) -> None:
    asked: list[tuple[str | None, int]] = []

    @memoised
    def question(file: TemplateFile, number: int) -> int:
        asked.append((file.name, number))
        return number + 1

    first, second = _two(tmp_path)
    assert [question(first, 1), question(first, 1), question(first, 2)] == [2, 2, 3]
    assert asked == [("a", 1), ("a", 2)]
    assert question(second, 1) == question(first, 1) == 2
    assert asked[2:] == [("b", 1)]


def test_a_copy_with_other_values_is_asked_anew(tmp_path: Path) -> None:
    @memoised
    def question(file: TemplateFile) -> tuple[DefinedName, ...]:
        return file.names

    first, second = _two(tmp_path)
    assert question(first) == first.names
    assert question(replace(first, names=second.names)) == second.names


def test_a_question_that_leads_to_another_template_mixes_nothing_up(tmp_path: Path) -> None:
    first, second = _two(tmp_path)

    @memoised
    def names(file: TemplateFile) -> str:
        other = names(second) if file is first else ""
        return f"{file.name}{other}"

    assert [names(first), names(second), names(first)] == ["ab", "b", "ab"]
