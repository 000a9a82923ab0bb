"""The product says of an agent what the running Claude Code 2.1.332 did with its file.

`tests/conformance/claude-runtime.jsonl` has the files and what was seen, on 2026-11-28; how that is
recorded is in `docs/maintaining/runtimes.md`. The session ran in print mode, in a native build.
"""

import json
import re
from pathlib import Path
from typing import Any

from agent_lsp.dialects.claude.dialect import DIALECT
from agent_lsp.model.runtime import Call, Parent, RuntimeRefusal, Spawn
from agent_lsp.workspace.catalogs import catalog
from tests.fixture import fixture
from tests.recorded import each

DATA = Path(__file__).parents[1] / "conformance" / "claude-runtime.jsonl"
CASES = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
SESSION = (
    *("Agent", "Bash", "CronCreate", "CronDelete", "CronList", "Edit", "EnterWorktree"),
    *("ExitWorktree", "ListAgents", "Monitor", "NotebookEdit", "Read", "ReportFindings"),
    *("ScheduleWakeup", "SendMessage", "Skill", "TaskStop", "WebFetch", "WebSearch"),
    *("Workflow", "Write"),
)
OWN_MODEL, OWN_EFFORT = "claude-opus-5-5", "medium"
# What the aliases stood for.
IDS = {
    "sonnet": "claude-sonnet-5-5",
    "opus": "claude-opus-5-5",
    "haiku": "claude-haiku-5-5",
    "fable": "claude-fable-5-2",
    "best": "claude-opus-5-5",
    "opusplan": "claude-sonnet-5-5",
}


def answers(folder: Path, case: dict[str, Any]) -> dict[str, Any]:
    """What the product says, under the names that the record has."""
    made = fixture(folder, f"//- .claude/agents/{case['id']}.md\n")
    made.path.write_bytes(case["text"].encode())
    found = catalog(made.workspace, DIALECT, made.root)
    listing = DIALECT.calls.list_agents(found, Call({}))
    assert isinstance(listing, dict)
    rows = [row for row in listing["agents"] if row["path"] is not None]
    if not rows:
        return {"loads": False}
    [row] = rows
    said = {"loads": True, "name": row["name"], "description": row["description"]}
    arguments = {"subagent_type": row["name"], "prompt": "Go."}
    parent = Parent(model=OWN_MODEL, effort=OWN_EFFORT, tools=SESSION)
    answer = DIALECT.calls.spawn(found, Call(arguments, parent))
    if isinstance(answer, RuntimeRefusal):
        return {**said, "refusal": answer.message}
    return {**said, **resolved(answer)}


def resolved(spawn: Spawn) -> dict[str, Any]:
    """The tools, the model and the effort of a spawn."""
    settings = {one.name: one.value for one in spawn.settings}
    model = settings["model"] or ""
    return {
        "spawned_tools": sorted(verdict.tool for verdict in spawn.toolset.kept),
        "model": IDS.get(model.removesuffix("[1m]"), re.sub(r"\[\d+m\]\Z", "", model)),
        "effort": settings["effort"],
    }


def test_all_recorded_files_are_here() -> None:
    assert len(CASES) == 349
    assert len({case["id"] for case in CASES}) == len(CASES)


@each(CASES)
def test_an_agent_is_what_the_program_makes_of_its_file(
    case: dict[str, Any], tmp_path: Path
) -> None:
    said = answers(tmp_path, case)
    seen = ["loads"]
    if case["loads"]:
        is_refused = case["refusal"] is not None
        seen += ["name", "description"]
        seen += ["refusal"] if is_refused else ["spawned_tools", "model", "effort"]

    assert said == {key: case[key] for key in seen}
