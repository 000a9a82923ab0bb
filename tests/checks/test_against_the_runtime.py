"""No error for what the runtime loads, an error for what it refuses."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_lsp.analysis.diagnostics import Diagnostic, diagnostics
from agent_lsp.model.schema import Severity
from tests.fixture import Fixture, fixture
from tests.recorded import each

ROOT = Path(__file__).parents[2]
# These say that the runtime does not use the header.
REFUSALS = {
    "header-missing",
    "header-unclosed",
    "header-bom",
    "header-invalid",
    "wrong-type",
    "invalid-value",
    "duplicate-key",
    "missing-key",
}
EDITIONS = sorted((ROOT / "templates" / "codex-templates").rglob("*.md"))
# The shape that the system's own guide recommends: personas, both lists, a remote model.
RECOMMENDED = """\
---
description: Take `auditor` to check a change against the rules of the house.
model: gpt-5-codex
reasoning_effort: medium
read_only: true
agent_names:
  - name: thorough
    description: Leaves nothing out.
    model: gpt-5-codex
    reasoning_effort: high
  - name: brief
    description: The findings that matter.
    model: gpt-5.3-codex-spark
    reasoning_effort: medium
allow_list:
  - exec_command
  - write_stdin
  - update_plan
  - list_agents
  - list_active_agents
  - wait
  - send_input
  - close_agent
deny_list:
  - apply_patch
---
You check a change against the rules of the house.

<!-- agent_name: thorough -->
Leave nothing out.

<!-- agent_name: brief -->
Report what matters.
"""


def cases() -> Iterator[dict[str, object]]:
    """Headers with the verdict of the runtime's own parser."""
    path = ROOT / "tests" / "conformance" / "codex-templates.jsonl"
    with path.open(encoding="utf-8") as stream:
        yield from map(json.loads, stream)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Fixture:
    """A workspace for one text after the other."""
    return fixture(tmp_path_factory.mktemp("written"), "x\n")


def said_about(written: Fixture, text: str) -> tuple[Diagnostic, ...]:
    # Written byte by byte: the fixture's source is dedented, and these headers are not.
    written.path.write_bytes(text.encode("utf-8"))
    written.workspace.files.rewritten(written.path)
    return diagnostics(written.workspace, written.path)


@each(cases())
def test_a_header_is_refused_here_if_it_is_refused_there(
    case: dict[str, Any], written: Fixture
) -> None:
    header = str(case["text"])
    value = case["value"] if isinstance(case["value"], dict) else {}
    personas = value.get("agent_names") or ()
    names = [persona["name"] for persona in personas]
    blocks = "".join(f"<!-- agent_name: {name} -->\nYou review.\n" for name in names)
    header += "" if header.endswith("\n") or not header else "\n"
    said = said_about(written, f"---\n{header}---\nYou review changes.\n{blocks}")

    refusals = {one.code for one in said if one.code in REFUSALS}
    assert bool(refusals) is not case["ok"]
    if case["ok"]:
        errors = {one.code for one in said if one.severity is Severity.ERROR}
        described = [(one["description"] or "").strip() for one in (value, *personas)]
        assert errors == (set() if all(described) else {"missing-description"})


@pytest.mark.parametrize("path", EDITIONS, ids=lambda path: path.stem)
def test_nothing_is_said_about_the_templates_of_the_product(path: Path, written: Fixture) -> None:
    assert said_about(written, path.read_text(encoding="utf-8")) == ()


def test_nothing_is_said_about_the_recommended_shape(written: Fixture) -> None:
    assert said_about(written, RECOMMENDED) == ()


@pytest.mark.hostile
@pytest.mark.parametrize("name", ["builtin/worker", "starters/role-with-personas"])
def test_a_half_typed_template_never_fails_and_spans_stay_inside(name: str, tmp_path: Path) -> None:
    text = (ROOT / f"templates/codex-templates/{name}.md").read_text(encoding="utf-8")
    written = fixture(tmp_path, "a place for the text\n")
    end = text.index("\n---") + 8
    for stop in range(end):
        for typed in (text[:stop], text[:stop] + text[stop + 1 :], text[:stop] + text[end:]):
            written.workspace.files.open(written.path, typed)
            for one in diagnostics(written.workspace, written.path):
                assert 0 <= one.span.start <= one.span.end <= len(typed)
                assert all(link.span.end <= len(typed) for link in one.related)
                assert one.message == one.message.strip()
                assert "\n" not in one.message
