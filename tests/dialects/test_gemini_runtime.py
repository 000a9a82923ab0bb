"""The product says of a file what the running Gemini CLI 0.61.0 did with it.

`tests/conformance/gemini.jsonl` has the files and what was seen, on 2026-11-28. They were in the
user's folder, in a session without a terminal, with `--approval-mode yolo`, one skill, and the MCP
servers `toolbox` (`get_issue`, `list_issues`), `my_server` and `my-server` (`ping`).
"""

import json
from pathlib import Path
from typing import Any

from agent_lsp.dialects.gemini import reading
from agent_lsp.dialects.gemini.dialect import DIALECT
from agent_lsp.model.runtime import Call, Catalog, Parent, RuntimeRefusal, Spawn
from agent_lsp.workspace.catalogs import catalog
from tests.fixture import fixture
from tests.recorded import each

DATA = Path(__file__).parents[1] / "conformance" / "gemini.jsonl"
CASES = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
MODEL = "gemini-3.1-pro-preview"
SESSION = (
    *("list_directory", "read_file", "grep_search", "glob", "replace", "write_file", "web_fetch"),
    *("run_shell_command", "list_background_processes", "read_background_output"),
    *("google_web_search", "enter_plan_mode", "activate_skill", "update_topic", "invoke_agent"),
    *("mcp_my_server_ping", "mcp_my-server_ping", "mcp_toolbox_get_issue"),
    *("mcp_toolbox_list_issues", "complete_task"),
)


def without_picture(printed: str | None) -> str | None:
    """What the runtime printed; behind a fault of YAML it draws the lines of the file."""
    if printed is None or not printed.startswith("YAML"):
        return printed
    return printed.partition("\n")[0]


def task(name: str) -> str:
    """The prompt of the call that was made for an agent."""
    return f"SPAWN-OF-THE-STUB {name}"


def spawned(found: Catalog, name: str) -> dict[str, Any]:
    """What a call of an agent resolves to, under the names of the record."""
    call = Call({"agent_name": name, "prompt": task(name)}, Parent(model=MODEL, tools=SESSION))
    answer = DIALECT.calls.spawn(found, call)
    if isinstance(answer, RuntimeRefusal):
        return {"refused": answer.message}
    assert isinstance(answer, Spawn)
    settings = {one.name: one.value for one in answer.settings}
    return {
        "tools": sorted(verdict.tool for verdict in answer.toolset.kept),
        "model": settings.get("model"),
        "prompt": answer.prompt[0].text,
    }


def _ordered(value: object) -> object:
    """A list without its order, which for tools depends on how they are listed."""
    return sorted(value) if isinstance(value, list) else value


def test_all_recorded_files_are_here() -> None:
    assert len(CASES) == 261
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert sum(not case["loads"] for case in CASES) > 100


@each(CASES)
def test_a_file_is_refused_as_by_the_runtime(case: dict[str, Any]) -> None:
    """Same verdict, and the same words, all faults of a header together."""
    document = DIALECT.parse(case["text"])
    errors = DIALECT.format.read(document, "any").errors

    assert (not errors) == case["loads"]
    assert reading.refusal(document) == without_picture(case["error"])


@each(CASES)
def test_each_error_is_a_line_of_what_the_runtime_prints(case: dict[str, Any]) -> None:
    """Unknown keys are one line there, and one error each here."""
    document = DIALECT.parse(case["text"])
    printed = without_picture(case["error"]) or ""
    for error in DIALECT.format.read(document, "any").errors:
        start, _, key = error.message.partition("Unrecognized key(s) in object: ")
        assert start in printed
        assert key in printed


@each(CASES)
def test_an_agent_is_what_the_runtime_makes_of_its_file(
    case: dict[str, Any], tmp_path_factory: Any
) -> None:
    """Same names, descriptions, tools, model, prompt, and the same words of a call that fails."""
    made = fixture(tmp_path_factory.mktemp("home"), f"//- ~/.gemini/agents/{case['file']}\n")
    made.path.write_bytes(case["text"].encode())
    found = catalog(made.workspace, DIALECT, made.root)
    listing = DIALECT.calls.list_agents(found, Call({}))
    assert isinstance(listing, dict)
    rows = [row for row in listing["agents"] if row["path"] is not None]
    seen = [agent for agent in case["agents"] if "not_registered" not in agent]
    for agent in seen:
        [row] = [row for row in rows if row["name"] == agent["name"]]
        assert row["description"] == agent["description"]
        said = spawned(found, agent["name"])
        assert said == {key: _ordered(agent[key]) for key in said}
    assert {row["name"] for row in rows} == {agent["name"] for agent in case["agents"]}
