"""Two messages about one file never contradict each other, and none is told twice.

Here they are those of the shipped examples. `test_at_once.py` asks the same of each pair of planted
faults, and `test_pages.py` of the examples of all rules.
"""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import Diagnostic, diagnostics
from agent_lsp.model.schema import Severity
from agent_lsp.text import Span
from tests.checks.contradictions import contradictions
from tests.fixture import fixture

_EXAMPLES = Path(__file__).parents[2] / "examples"
_FOLDERS = sorted(one for one in _EXAMPLES.iterdir() if one.is_dir() and one.name != "faults")


@pytest.mark.parametrize("folder", _FOLDERS, ids=lambda one: one.name)
def test_no_messages_of_an_example_contradict_each_other(folder: Path, tmp_path: Path) -> None:
    texts = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    written = fixture(tmp_path, "".join(f"//- {name}\n{text}" for name, text in texts.items()))
    for name in texts:
        file = written.workspace.files.read(written.root / name)
        found = diagnostics(written.workspace, written.root / name)
        assert contradictions(found, file.text if file else "") == [], name


_TEXT = "name: x\nmodel: y\n"
_NAME, _MODEL = Span(0, 4), Span(8, 13)


def _said(
    code: str, span: Span, message: str, meant: str = "", programs: tuple[str, ...] = ()
) -> Diagnostic:
    return Diagnostic(
        code, span, message, Severity.ERROR, meant=(meant,) if meant else (), programs=programs
    )


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        (_said("a", _NAME, "x"), _said("a", _NAME, "y"), "told twice"),
        (_said("a", _NAME, "x", "n"), _said("b", _NAME, "y", "m"), "two words are meant"),
        (_said("a", _NAME, "remove it"), _said("b", _NAME, "write `n`"), "removed and written"),
        (
            _said("a", _NAME, "`name` has no effect"),
            _said("b", _NAME, "or the runtime refuses the file"),
            "ignored and refused",
        ),
        (
            _said("a", _NAME, "the header has no `model`: add it"),
            _said("b", _MODEL, "`model` is set twice"),
            "missing and there",
        ),
        (
            _said("a", _NAME, "denied: the agent has no tools"),
            _said("b", _MODEL, "no value: the agent gets every tool"),
            "no tools and all tools",
        ),
    ],
)
def test_each_kind_of_contradiction_is_found(one: Diagnostic, other: Diagnostic, kind: str) -> None:
    for pair in ((one, other), (other, one)):
        assert [said.partition(":")[0] for said in contradictions(pair, _TEXT)] == [kind]


def test_messages_for_two_programs_do_not_contradict_each_other() -> None:
    one = _said("a", _NAME, "remove it", programs=("one",))
    other = _said("b", _NAME, "write `n`", programs=("two",))
    assert contradictions((one, other), _TEXT) == []
