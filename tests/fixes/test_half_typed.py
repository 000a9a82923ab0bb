"""Fixes of templates that somebody is just typing: cut off anywhere, with a slip anywhere."""

from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agent_lsp.analysis.fixes import fixes, repaired, suppressions_at
from agent_lsp.analysis.fixes.verify import supposing
from agent_lsp.analysis.refactorings import refactorings
from agent_lsp.text import Span, apply
from tests.effort import examples
from tests.fixes.test_every_fix import SAMPLES
from tests.fixture import Fixture, fixture

SLIPS = ("", ": ", "- ", "[", "}", "'", '"', " #", "\n", "\t", "*", "---\n", "\r", "<!--", "\ufeff")
TEXTS = [(name, text) for sample in SAMPLES for name, text in sample.files.items()]

# A bracket in front of the first key: closed, the file would be no agent, and nobody would say so.
FOUND = (
    ".claude/agents/reviewer.md",
    "---\n[name: reviewer\ndescription: Reviews.\ntools: Read, Grep\n---\nYou review changes.\n",
)


@st.composite
def typed(draw: st.DrawFn) -> tuple[str, str]:
    """A file's name, and a text that is nearly one of the samples."""
    name, text = draw(st.sampled_from(TEXTS))
    text = text[: draw(st.integers(0, len(text)))] if draw(st.booleans()) else text
    at = draw(st.integers(0, len(text)))
    return name, text[:at] + draw(st.sampled_from(SLIPS)) + text[at + draw(st.integers(0, 2)) :]


@settings(
    max_examples=examples(150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(typed())
@example(FOUND)
def test_whatever_is_offered_can_be_carried_out_and_comes_to_an_end(
    tmp_path: Path, sample: tuple[str, str]
) -> None:
    name, text = sample
    made = written(tmp_path, name, text)
    everywhere = Span(0, len(made.text))
    for fix in fixes(made.workspace, made.path):
        apply(made.text, fix.edits)
    for fix in suppressions_at(made.workspace, made.path, everywhere):
        apply(made.text, fix.edits)
    for change in refactorings(made.workspace, made.path, everywhere):
        apply(made.text, change.edits)
    once = repaired(made.workspace, made.path)
    if once is not None:
        again = repaired(supposing(made.workspace, made.path, once), made.path)
        assert again == once


def written(folder: Path, name: str, text: str) -> Fixture:
    """A workspace with one file, in a folder of its own."""
    count = len(list(folder.iterdir()))
    made = fixture(folder / str(count), f"//- {name}\n")
    made.path.write_bytes(text.encode("utf-8", "surrogateescape"))
    made.workspace.files.changed(made.path)
    file = made.workspace.files.read(made.path)
    return Fixture(made.workspace, made.root, made.path, file.text if file else "", 0)
