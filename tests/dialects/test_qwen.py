"""The product says of an agent what the running Qwen Code 0.24.4 did with its file.

`tests/conformance/qwen.jsonl` has the files and what was seen, on 2026-11-28: all of them were in
one folder, and one headless session with `--approval-mode yolo` listed and called them.
`qwen-headers.jsonl` has headers, made of lines at random, with what its function `parse` gave for
them; `qwen-tags.jsonl` has headers with tags of YAML, `qwen-tabs.jsonl` with tabs and brackets
at the start of a line, `qwen-colons.jsonl` with anchors, tags and colons, and `qwen-odd.jsonl` with
signs, merges and keys that are no texts, run 2026-11-30.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent_lsp.dialects.qwen import reading
from agent_lsp.dialects.qwen.dialect import DIALECT
from agent_lsp.dialects.qwen.values import Read
from agent_lsp.model.runtime import Call, Catalog, Parent, RuntimeRefusal, Spawn
from agent_lsp.workspace.catalogs import catalog
from tests.fixture import fixture
from tests.recorded import each

DATA = Path(__file__).parents[1] / "conformance"


def recorded(name: str) -> list[dict[str, Any]]:
    lines = (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


CASES = recorded("qwen") + recorded("qwen-more")
HEADERS = [
    case
    for name in ("qwen-headers", "qwen-tags", "qwen-tabs", "qwen-colons", "qwen-odd")
    for case in recorded(name)
]
MODEL = "stub-model"
SESSION = (
    *("agent", "edit", "glob", "grep_search", "loop_wakeup", "mcp__toolbox__get_issue"),
    *("mcp__toolbox__list_issues", "monitor", "notebook_edit", "read_file", "read_mcp_resource"),
    *("report_findings", "run_shell_command", "skill", "web_fetch", "write_file", "zoom_image"),
)
# A path, and what the parser of YAML says.
UNTOLD = re.compile(r"/project/\S+\.md|Nested mappings.*?\n(?=\. |\)\. )", re.DOTALL)
# The program says this only after it has tried to start another one.
NOT_STARTED = re.compile(r"Failed to run subagent: spawn (\S+) ENOENT")


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """A session in a project with all recorded files."""
    made = fixture(tmp_path_factory.mktemp("qwen"), "//- .qwen/agents/none.txt\n")
    for case in CASES:
        (made.path.parent / case["file"]).write_bytes(case["text"].encode())
    return catalog(made.workspace, DIALECT, made.root)


@pytest.fixture(scope="module")
def rows(session: Catalog) -> dict[str, dict[str, Any]]:
    """The agents of files that load, by the names of the files."""
    listing = DIALECT.calls.list_agents(session, Call({}))
    assert isinstance(listing, dict)
    return {Path(row["path"]).name: row for row in listing["agents"] if row["path"] is not None}


@pytest.fixture(scope="module")
def skipped(session: Catalog) -> dict[str, str]:
    """The reasons for which files do not load, by their names."""
    return {one.path.name: why for one, why in session.skipped()}


def called(session: Catalog, name: str) -> Spawn | RuntimeRefusal:
    task = f"SPAWN-OF-THE-STUB {name}"
    call = Call({"subagent_type": name, "prompt": task}, Parent(model=MODEL, tools=SESSION))
    return DIALECT.calls.spawn(session, call)


def test_all_recorded_files_are_here() -> None:
    assert len(CASES) == 173
    assert len({case["id"] for case in CASES}) == len(CASES)


def test_an_escape_of_half_a_character_leaves_the_header_whole() -> None:
    # Measured with 0.24.4: the agent loads, with the list of tools as YAML reads it.
    text = '---\nname: a\ndescription: "a \\uD83D b"\ntools: [read_file]\n---\n\nBody.\n'

    assert reading.is_yaml(DIALECT.parse(text))


@each(CASES)
def test_a_file_loads_or_is_refused_in_the_words_of_the_program(
    case: dict[str, Any], rows: dict[str, Any], skipped: dict[str, str]
) -> None:
    error = case["error"] and UNTOLD.sub("…", case["error"])

    assert (case["file"] in rows, skipped.get(case["file"])) == (case["loads"], error)


@each([case for case in CASES if case["loads"]])
def test_the_model_of_the_session_is_told_of_an_agent_as_by_the_program(
    case: dict[str, Any], rows: dict[str, dict[str, Any]]
) -> None:
    row = rows[case["file"]]

    assert (row["name"], row["description"]) == (case["name"], case["description"])
    assert row["listed"]


@each([case for case in CASES if case["loads"]])
def test_a_call_gives_an_agent_what_the_program_gave_it(
    case: dict[str, Any], session: Catalog
) -> None:
    answer = called(session, case["name"])
    if "told" in case and NOT_STARTED.fullmatch(case["told"]) is None:
        assert answer == RuntimeRefusal(case["told"])
        return
    assert isinstance(answer, Spawn)
    assert answer.template is not None
    assert answer.template.path.name == case["file"]
    if "told" in case:
        [program] = NOT_STARTED.findall(case["told"])
        assert any(f"starts `{program}`" in note for note in answer.notes)
        return
    model = next(one.value for one in answer.settings if one.name == "model")
    request = next(one.value for one in answer.artifacts if one.name == "request")
    assert (model, request) == (case["model"], case["tools"])
    assert answer.prompt[0].text == case["prompt"]
    assert {one.tool for one in answer.toolset.kept} == set(case["tools"])


def plain(read: Read) -> object:
    """A value as JSON has it; of a number only as much as JavaScript keeps."""
    if isinstance(read.value, tuple):
        return [plain(item) for item in read.value]
    if isinstance(read.value, Mapping):
        return {name: plain(member) for name, member in read.value.items()}
    return kept(read.value)


def kept(value: object) -> object:
    """A recorded value with its numbers as JavaScript has them."""
    if isinstance(value, list):
        return [kept(item) for item in value]
    if isinstance(value, dict):
        return {name: kept(member) for name, member in value.items()}
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


@each(HEADERS)
def test_a_header_has_the_values_that_the_program_reads(case: dict[str, Any]) -> None:
    document = DIALECT.parse(f"---\n{case['header']}\n---\nDo what you are told.\n")
    found = reading.effective(document)

    assert {name: plain(read) for name, read in found.items()} == kept(case["values"])


@each(HEADERS)
def test_each_value_stands_where_it_is_said_to_stand(case: dict[str, Any]) -> None:
    text = f"---\n{case['header']}\n---\nDo what you are told.\n"
    document = DIALECT.parse(text)
    inner = document.frontmatter.inner
    # What stands elsewhere, or in other characters.
    is_other = "*" in text or "!!binary" in text or "!!timestamp" in text or "\\" in text
    for name, read in reading.effective(document).items():
        assert inner.start <= read.span.start <= read.span.end <= inner.end
        if read.key is not None and len(read.key):
            # An alias stands for the key, and one that is a list or a number gets another form.
            is_other_form = name[:1] in "[{" or name.isdecimal() or read.key.of(text)[0] == "*"
            assert is_other_form or name.strip("\"'") in read.key.of(text)
        if isinstance(read.value, str) and "\n" not in read.span.of(text) and not is_other:
            assert read.value.strip() in read.span.of(text)
