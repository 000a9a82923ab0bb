"""A safe fix changes only the fields that its finding declares, in every way to use the file."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_lsp.analysis.checks import ALWAYS
from agent_lsp.analysis.diagnostics import Diagnostic, diagnostics
from agent_lsp.analysis.fixes import Fix, fixes, repaired
from agent_lsp.analysis.fixes.outcome import undeclared
from agent_lsp.analysis.fixes.registry import FIXERS
from agent_lsp.analysis.fixes.verify import supposing
from agent_lsp.analysis.preview.commands import preview_spawn
from agent_lsp.data_classes import replace
from agent_lsp.dialects import SYSTEMS
from agent_lsp.model.check import Field
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.system import System
from agent_lsp.text import apply
from agent_lsp.workspace.snapshot import TemplateFile, Workspace, template_file
from tests.fixture import Fixture, fixture
from tests.recorded import each

CLAUDE = ".claude/agents/reviewer.md"
TEMPLATE = ".codex/.agents/reviewer.md"
SUB_AGENT = ".codex/agents/reviewer.md"
KODACODE = ".kodacode/agents/reviewer.md"
# These only move a file, which `check --fix` never does.
MOVES = {"file-name", "misplaced"}
RECORDED = Path(__file__).parents[1] / "conformance"
# Where the recorded text of a system stands, and what it lacks to be a file.
PLACES = {
    "claude-runtime": (CLAUDE, "{}"),
    "codex-templates": (TEMPLATE, "---\n{}\n---\nYou review.\n"),
    "codex-subagents": (SUB_AGENT, "---\n{}\n---\nYou review.\n"),
    "kodacode": (KODACODE, "---\n{}\n---\nYou review.\n"),
    "qwen": (".qwen/agents/reviewer.md", "{}"),
    "moltis-md": (".moltis/agents/reviewer.md", "---\n{}\n---\nYou review.\n"),
    "moltis-toml": ("moltis.toml", "{}"),
}


def made(folder: Path, path: str, text: str) -> Fixture:
    return fixture(folder, f"//- {path}\n{text}")


def header(*lines: str) -> str:
    return "".join(f"{line}\n" for line in ("---", *lines, "---", "You review."))


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda one: one.id)
def test_each_rule_with_fixes_declares_the_fields_that_they_are_about(system: System) -> None:
    own = system.dialect.findings
    fixed = {*FIXERS, *own.fixers()} - MOVES
    for check in (*own.checks, *ALWAYS):
        for code in fixed.intersection(check.codes) & own.severities.keys():
            assert check.changes_of(code) is not None, code


DESCRIBED = "description: A."
# A file with one finding that has a safe fix, and the only field that this changes.
PLANTED = (
    (TEMPLATE, header(DESCRIBED, "modle: gpt-5.2-codex"), Field.MODEL),
    (TEMPLATE, header(DESCRIBED, "reasoning_effrot: high"), Field.EFFORT),
    (TEMPLATE, header("description: A #1 of all"), Field.DESCRIPTION),
    (TEMPLATE, header(DESCRIBED, "allow_list: [aply_patch]"), Field.TOOLS),
    (TEMPLATE, header(DESCRIBED, "Read-Only: true"), Field.SANDBOX),
    (TEMPLATE, header(DESCRIBED) + "Ask `ro\u200ble`.\n", Field.PROMPT),
    (SUB_AGENT, header("name: reviwer", DESCRIBED), Field.NAME),
)


@pytest.mark.parametrize(("path", "text", "field"), PLANTED)
def test_a_field_that_is_not_declared_is_named(
    path: str, text: str, field: Field, tmp_path: Path
) -> None:
    file, fix, after = tried(made(tmp_path, path, text))
    assert undeclared(file, after, fix.diagnostic) == ()
    silent = replace(fix.diagnostic, changes=frozenset[Field]())
    assert field.value in undeclared(file, after, silent)


def tried(there: Fixture) -> tuple[TemplateFile, Fix, TemplateFile]:
    file = template_file(there.workspace, there.path)
    (fix,) = (one for one in fixes(there.workspace, there.path) if one.safe)
    fresh = supposing(there.workspace, there.path, apply(there.text, fix.edits))
    after = template_file(fresh, there.path)
    assert file is not None
    assert after is not None
    return file, fix, after


def test_a_fix_that_changes_more_is_unsafe_and_its_title_says_what(tmp_path: Path) -> None:
    text = header(DESCRIBED, "allow_list: [aply_patch]")
    there = made(tmp_path, TEMPLATE, text)
    workspace = declaring_nothing(there.workspace, "unknown-tool")
    (fix,) = fixes(workspace, there.path)
    assert not fix.safe
    assert fix.title.endswith("(unsafe: gains `apply_patch`)")
    assert repaired(workspace, there.path) == text
    assert repaired(there.workspace, there.path) == text.replace("aply", "apply")


def declaring_nothing(workspace: Workspace, code: str) -> Workspace:
    """The workspace with systems whose check for `code` declares that its fixes change nothing."""

    def changed(system: System) -> System:
        dialect = system.dialect
        checks = tuple(
            replace(check, changes=frozenset()) if check.codes == (code,) else check
            for check in dialect.findings.checks
        )
        other = replace(dialect, findings=replace(dialect.findings, checks=checks))
        return replace(system, load=lambda: other)

    return replace(workspace, systems=tuple(map(changed, workspace.systems)))


def rows() -> Iterator[dict[str, str]]:
    for name, (path, around) in PLACES.items():
        for line in (RECORDED / f"{name}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            if isinstance(row["text"], str):
                yield {"id": row["id"], "path": path, "text": around.format(row["text"])}


EVERY = tuple(rows())


@each(EVERY[::12])
def test_safe_fixes_of_recorded_files_keep_what_they_do_not_declare(
    case: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    keeps(case, tmp_path_factory)


@pytest.mark.hostile
@each(EVERY[::3])
def test_safe_fixes_of_more_recorded_files_keep_what_they_do_not_declare(
    case: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    keeps(case, tmp_path_factory)


def keeps(case: dict[str, str], temporary: pytest.TempPathFactory) -> None:
    """What the commands of a client answer stays, but for the declared members and for lines."""
    try:
        there = made(temporary.mktemp("case"), case["path"], case["text"])
    except UnicodeError:
        return
    before = answers(there.workspace, there.path)
    for fix in fixes(there.workspace, there.path):
        if not fix.safe or not fix.edits:
            continue
        text = there.workspace.files.read(there.path)
        assert text is not None
        fresh = supposing(there.workspace, there.path, apply(text.text, fix.edits))
        left = diagnostics(fresh, there.path)
        assert said(left).count(said((fix.diagnostic,))[0]) < said(
            diagnostics(there.workspace, there.path)
        ).count(said((fix.diagnostic,))[0]), fix.title
        if fix.diagnostic.changes == frozenset():
            assert answers(fresh, there.path) == before, fix.title
    once = repaired(there.workspace, there.path)
    if once is not None:
        again = supposing(there.workspace, there.path, once)
        assert repaired(again, there.path) == once


# Where a value comes from, and what is said about it: not what it is.
WHERE = {"line", "file", "origin", "chain", "reason", "notes"}


def said(found: tuple[Diagnostic, ...]) -> list[tuple[str, str]]:
    return [(one.code, one.message) for one in found]


def answers(workspace: Workspace, path: Path) -> list[object]:
    """A spawn of each name in the file without lines and reasons; None where it is refused.

    There is none of a file whose header is refused: all of its text is the prompt.
    """
    file = template_file(workspace, path)
    if file is None or file.reading.errors:
        return []
    agent = file.dialect.spawn_argument(KeyRole.AGENT)
    assert agent is not None
    asked: dict[str, object] = {"dialect": file.dialect.id}
    found = [preview_spawn(workspace, {**asked, agent: one.name}, path) for one in file.names]
    assert not any("unknown argument" in str(one["error"]) for one in found)
    return [bare(one["result"]) for one in found]


def bare(answer: object) -> object:
    if isinstance(answer, dict):
        return {name: bare(value) for name, value in answer.items() if name not in WHERE}
    return [bare(one) for one in answer] if isinstance(answer, list) else answer
