"""The product reads a header as VS Code 1.139.1 and Copilot CLI 1.0.102 do.

`tests/conformance/copilot.jsonl` has texts, what VS Code's own parser took from each, and what the
CLI said of a file with it, on 2026-11-28. `copilot-headers.jsonl` has headers, made of lines at
random, with what the parser of VS Code 1.138.0, which gives the same, and the CLI made of them.
`copilot-odd.jsonl` has what people rarely write: anchors, block scalars, flow mappings, tabs, other
line ends, quotes, links in links; run 2026-11-29. `copilot-tags.jsonl` has values with tags, and
lists with empty items, with what the CLI made of them on 2026-11-30.
"""

import json
from pathlib import Path
from typing import Any

from agent_lsp.dialects.copilot import cli_header, reading
from agent_lsp.dialects.copilot.body import references
from agent_lsp.model.template import Value
from agent_lsp.syntax.document import Document, parse
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.text import LineIndex
from tests.recorded import each

DATA = Path(__file__).parents[1] / "conformance"


def recorded(name: str) -> list[dict[str, Any]]:
    lines = (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


CASES, HEADERS, ODD = recorded("copilot"), recorded("copilot-headers"), recorded("copilot-odd")
TAGS = recorded("copilot-tags")
KEYS = (
    *("name", "description", "model", "tools", "agents", "handoffs", "argument-hint", "target"),
    *("user-invocable", "disable-model-invocation", "infer"),
)


def file_text(case: dict[str, Any]) -> str:
    text: str = case["text"]
    if case.get("file"):
        return text
    end = "" if text.endswith("\n") else "\n"
    return f"---\n{text}{end}---\nDo the work.\n"


def plain(value: Value | None) -> Any:
    """A value as JSON has it."""
    if value is None:
        return None
    if value.records:
        return [{k: plain(v) for k, v in one.values.items()} for one in value.records]
    if isinstance(value.value, tuple):
        return [item.written or item.text for item in value.items]
    return value.value


def named_in(document: Document) -> dict[str, list[str]]:
    """The references of the prompt by their kind."""
    found = references(document.text, document.frontmatter.body.start)
    return {
        kind: [one.name for one in found if one.is_tool is (kind == "tools")]
        for kind in ("files", "tools")
    }


def read_by_vs(case: dict[str, Any]) -> Document:
    return parse(file_text(case), reading.split)


def test_all_recorded_headers_are_here() -> None:
    assert len(CASES) == 92
    assert len({case["id"] for case in CASES}) == len(CASES)


@each(CASES)
def test_vs_code_reads_the_same_keys_and_values(case: dict[str, Any]) -> None:
    document = read_by_vs(case)
    found = reading.header(document)
    assert (document.frontmatter.fence is not FenceKind.ABSENT) is case["header"]
    assert [one.name for one in found.entries] == case["read"]
    values = reading.settings(document)
    got = {key: plain(values.get(key)) for key in KEYS}
    if isinstance(got["model"], str):
        got["model"] = [got["model"]]
    if case["value"] is not None:
        assert got == case["value"]


@each(CASES)
def test_vs_code_reports_the_same_first_error(case: dict[str, Any]) -> None:
    document = read_by_vs(case)
    faults = reading.header(document).faults
    assert (not faults) is case["ok"]
    if faults:
        assert f"{faults[0].code}: {faults[0].message}" == case["error"]
        line, column = LineIndex(document.text).position(faults[0].span.start)
        assert [line + 1, column + 1] == case["at"][0][:2]


@each([case for case in CASES if case.get("file") and case.get("body") is not None])
def test_vs_code_has_the_same_prompt(case: dict[str, Any]) -> None:
    made = reading.read(read_by_vs(case), "")
    assert made.effective.default.text == case["body"]


@each([case for case in CASES if case.get("references") is not None])
def test_vs_code_has_the_same_references(case: dict[str, Any]) -> None:
    assert named_in(read_by_vs(case)) == case["references"]


@each(CASES)
def test_copilot_cli_gives_the_same_verdict(case: dict[str, Any]) -> None:
    document, cli = parse(file_text(case), reading.split_for_cli), case["cli"]
    made = reading.read_for_cli(document, "")
    assert (not made.errors) is cli["ok"]
    if made.errors:
        said = "\n".join(one.message.removeprefix(cli_header.PREFIX) for one in made.errors)
        assert said == cli["error"]
        return
    names = [one.name or "" for one in cli_header.ignored(document)]
    assert ([cli_header.warning(names)] if names else []) == cli["warnings"]
    found = {key: plain(value) for key, value in made.effective.settings.items()}
    value = cli["value"]
    models = found.get("model")
    assert (found.get("name") or None) == value["name"]
    assert found.get("description") == value["description"]
    assert found.get("tools", ["*"]) == value["tools"]
    assert ([models] if isinstance(models, str) else models) == value["models"]
    assert found.get("user-invocable", True) is value["user-invocable"]
    invoked = found.get("disable-model-invocation", False)
    assert invoked is value["disable-model-invocation"]
    assert found.get("skills") == value["skills"]


@each(HEADERS)
def test_a_header_of_lines_at_random_is_read_by_vs_code_in_the_same_way(
    case: dict[str, Any],
) -> None:
    document = parse(case["text"], reading.split)
    found, values = reading.header(document), reading.settings(document)
    got = {key: plain(values[key]) for key in KEYS if key in values}
    if isinstance(got.get("model"), str):
        got["model"] = [got["model"]]
    assert [one.name for one in found.entries] == case["read"]
    assert [[one.code, one.message] for one in found.faults] == case["errors"]
    assert got == case["value"]


@each(HEADERS)
def test_a_header_of_lines_at_random_has_the_verdict_of_the_cli(case: dict[str, Any]) -> None:
    document, cli = parse(case["text"], reading.split_for_cli), case["cli"]
    errors = reading.read_for_cli(document, "").errors
    said = "\n".join(one.message.removeprefix(cli_header.PREFIX) for one in errors)
    assert (said or None) == cli["error"]
    names = [one.name or "" for one in cli_header.ignored(document)]
    if not errors:
        assert ([cli_header.warning(names)] if names else []) == cli["warnings"]


@each(ODD)
def test_vs_code_reads_an_odd_file_in_the_same_way(case: dict[str, Any]) -> None:
    document = parse(case["text"], reading.split)
    if case["read"] is None:
        assert document.frontmatter.fence is FenceKind.ABSENT
        return
    found, values = reading.header(document), reading.settings(document)
    got = {key: plain(values[key]) for key in KEYS if key in values}
    if isinstance(got.get("model"), str):
        got["model"] = [got["model"]]
    assert [one.name for one in found.entries] == case["read"]
    assert [[one.code, one.message] for one in found.faults] == case["errors"]
    assert got == case["value"]
    if "body" in case:
        assert reading.read(document, "").effective.default.text == case["body"]
        assert named_in(document) == case["references"]


@each(ODD)
def test_copilot_cli_reads_an_odd_file_in_the_same_way(case: dict[str, Any]) -> None:
    document, cli = parse(case["text"], reading.split_for_cli), case["cli"]
    made = reading.read_for_cli(document, "")
    said = "\n".join(one.message.removeprefix(cli_header.PREFIX) for one in made.errors)
    assert (said or None) == cli["error"]
    if not made.errors:
        names = [one.name or "" for one in cli_header.ignored(document)]
        assert ([cli_header.warning(names)] if names else []) == cli["warnings"]
        tools = made.effective.settings.get("tools")
        assert (["*"] if tools is None else plain(tools)) == cli["tools"]


@each(TAGS)
def test_copilot_cli_reads_tags_and_empty_items_in_the_same_way(case: dict[str, Any]) -> None:
    document, cli = parse(case["text"], reading.split_for_cli), case["cli"]
    made = reading.read_for_cli(document, "")
    said = "\n".join(one.message.removeprefix(cli_header.PREFIX) for one in made.errors)
    assert (said or None) == cli["error"]
    if made.errors:
        return
    names = [one.name or "" for one in cli_header.ignored(document)]
    assert ([cli_header.warning(names)] if names else []) == cli["warnings"]
    found = {key: plain(value) for key, value in made.effective.settings.items()}
    value = cli["value"]
    assert (found.get("name") or None) == value["name"]
    assert found.get("description") == value["description"]
    assert found.get("tools", ["*"]) == value["tools"]
    assert found.get("skills") == value["skills"]
    assert found.get("user-invocable", True) is value["user-invocable"]
    assert found.get("disable-model-invocation", False) is value["disable-model-invocation"]


MORE = "failed to parse YAML frontmatter: deserializing from YAML containing more than one document"
# A header that begins with a byte-order mark, and what the CLI said of it, 2026-11-29.
MARKED = (
    ("description: d\n", ""),
    ("description: d\nname: n\n", MORE),
    ("description: d\n name: n\n", ""),
    (" description: d\n name: n\n", MORE),
    ("'description': d\nname: n\n", MORE),
    ("description: d\ndescription: e\n", MORE),
    ("description: d\n\n# c\n", ""),
    ("\ndescription: d\nname: n\n", ""),
    ("\n description: d\nname: n\n", MORE),
    ("# c\ndescription: d\nname: n\n", ""),
    ("{description: d, name: n}\n", ""),
    ("{description: d}\nname: n\n", MORE),
    ("- a\n- b\n", MORE),
    ("- a\n", "Expected object, received array"),
    ("description: d: e\nname: b\n", "failed to parse YAML frontmatter: mapping values are not "),
)


def test_a_byte_order_mark_in_a_header_has_a_column_in_the_cli() -> None:
    for header, said in MARKED:
        for start in ("", "\ufeff"):
            document = parse(f"{start}---\n\ufeff{header}---\nB\n", reading.split_for_cli)
            errors = reading.read_for_cli(document, "").errors
            found = [one.message.removeprefix(cli_header.PREFIX) for one in errors]
            assert [one[: len(said)] for one in found] == ([said] if said else []), header
