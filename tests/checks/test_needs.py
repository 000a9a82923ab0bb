"""A check that does not run on a file, because the file has nothing that it needs, finds nothing.

The files are the examples, each planted fault, and the recorded cases of the runtimes.
"""

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from agent_lsp.analysis.checks import checks_of, present
from agent_lsp.analysis.mended import as_if_loaded, mended, named
from agent_lsp.workspace.snapshot import TemplateFile, Workspace, as_others_read, template_file
from tests.checks.faults import PLANTED as FIRST
from tests.checks.faults import Planted
from tests.checks.second_files import SECOND
from tests.effort import fifth
from tests.fixture import fixture

PLANTED = (*FIRST, *SECOND)
EXAMPLES = Path(__file__).parents[2] / "examples"
RECORDED = Path(__file__).parents[1] / "conformance"
# Where the texts of a file of recorded cases belong, and what stands around their headers.
PLACES = {
    "claude-runtime": (".claude/agents/x.md", "", ""),
    "codex-agents": (".codex/agents/x.toml", "", ""),
    "codex-subagents": (".codex/agents/x.md", "---\n", "\n---\nDo it.\n"),
    "codex-templates": (".codex/.agents/x.md", "---\n", "\n---\nDo it.\n"),
    "copilot": (".github/agents/x.agent.md", "---\n", "\n---\nDo it.\n"),
    "copilot-headers": (".github/agents/x.agent.md", "", ""),
    "copilot-odd": (".github/agents/x.agent.md", "", ""),
    "gemini": (".gemini/agents/x.md", "", ""),
    "kodacode": (".kodacode/agents/x.md", "---\n", "\n---\nDo it.\n"),
    "moltis-md": (".moltis/agents/x.md", "---\n", "\n---\nDo it.\n"),
    "moltis-toml": ("~/.moltis/moltis.toml", "", ""),
    "qwen": (".qwen/agents/x.md", "", ""),
    "qwen-more": (".qwen/agents/x.md", "", ""),
}


def views(file: TemplateFile) -> Iterator[TemplateFile]:
    """The file as each program reads it, and without its errors."""
    for one in (file, *as_others_read(file)):
        yield one
        rest = mended(one)
        base = rest.file if rest is not None else one
        yield from filter(None, (base, named(base), as_if_loaded(base)))


def idle(file: TemplateFile) -> Iterator[tuple[str, str]]:
    """The messages of the checks that are not run on a file."""
    for view in views(file):
        there = present(view)
        for check, needs in checks_of(view.dialect):
            if needs and needs.isdisjoint(there):
                yield from ((check.codes[0], finding.message) for finding in check.run(view))


def found(workspace: Workspace, path: Path, text: str) -> list[tuple[str, str]]:
    """As `idle`, for the file at `path` with `text`."""
    version = hash(text) % 1_000_000
    workspace.files.open(path, text, version)
    file = template_file(workspace, path)
    return list(idle(file)) if file is not None else []


@pytest.mark.parametrize("planted", PLANTED, ids=lambda one: f"{one.system}-{one.path}")
def test_no_check_that_is_left_out_finds_a_planted_fault(planted: Planted, tmp_path: Path) -> None:
    written = fixture(tmp_path, f"//- {planted.path}\n{planted.good}{planted.beside}")
    faulty = (planted.good.replace(one.old, one.new, 1) for one in planted.faults)
    lines = planted.good.splitlines(keepends=True)
    shorter = ("".join(lines[:at] + lines[at + 1 :]) for at in range(len(lines)))
    begun = ("".join(lines[:at]) for at in range(1, len(lines), 4))

    for text in (planted.good, *faulty, *shorter, *begun):
        assert found(written.workspace, written.path, text) == [], text


@pytest.mark.parametrize("name", PLACES)
def test_no_check_that_is_left_out_finds_anything_in_a_recorded_case(
    name: str, tmp_path: Path
) -> None:
    path, above, below = PLACES[name]
    written = fixture(tmp_path, f"//- {path}\nx\n")
    lines = (RECORDED / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    for case in fifth(lines):
        text = f"{above}{json.loads(str(case.values[0]))['text']}{below}"
        assert found(written.workspace, written.path, text) == [], text


def test_no_check_that_is_left_out_finds_anything_in_the_examples(tmp_path: Path) -> None:
    every = [one for one in sorted(EXAMPLES.rglob("*")) if one.is_file()]
    sources = (f"//- {one.relative_to(EXAMPLES)}\n{_text(one)}" for one in every)
    written = fixture(tmp_path, "\n".join(sources))
    paths = [written.root / one.relative_to(EXAMPLES) for one in every]
    files = list(filter(None, (template_file(written.workspace, path) for path in paths)))

    assert len(files) > len(FIRST)
    assert list(chain.from_iterable(map(idle, files))) == []


def _text(path: Path) -> str:
    text = path.read_bytes().decode("utf-8", "replace")
    return text if text.endswith("\n") else f"{text}\n"


def test_a_check_of_a_key_that_is_missing_is_left_out(tmp_path: Path) -> None:
    written = fixture(tmp_path, "//- .claude/agents/x.md\n---\nname: x\ndescription: y\n---\nz\n")
    file = template_file(written.workspace, written.path)
    assert file is not None
    there = present(file)
    left = {c.codes[0] for c, needs in checks_of(file.dialect) if needs and needs.isdisjoint(there)}

    assert {"unknown-tool", "unknown-model", "unknown-skill", "duplicate-key"} <= left
    assert {"unknown-server", "hidden-text"} <= left
    assert "shadowed" not in left
