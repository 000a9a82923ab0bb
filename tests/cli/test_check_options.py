"""The options of `check` that users of other linters expect."""

import json
import xml.etree.ElementTree as ET

import pytest

from tests.cli.shell import BROKEN, SLIP, SOUND, Shell

A, B = ".codex/.agents/a.md", "vendor/.codex/.agents/b.md"


@pytest.fixture
def two(shell: Shell) -> Shell:
    """A warning in one file, and an error in another."""
    shell.write(A, SLIP)
    shell.write(B, BROKEN)
    return shell


def test_quiet_prints_the_findings_alone(two: Shell) -> None:
    two.write(".gitignore", "vendor\n")
    loud, quiet = two.run("check"), two.run("check", "-q")
    assert loud.out.startswith(quiet.out)
    assert ("checked" in quiet.out, quiet.err, quiet.code) == (False, "", 1)
    assert loud.err.startswith("note: ")


def test_exit_zero_changes_the_exit_code_of_findings_only(two: Shell) -> None:
    assert two.run("check", "--exit-zero").code == 0
    assert two.run("check", "--exit-zero", "nowhere").code == 2


def test_statistics_count_each_code(two: Shell) -> None:
    two.write(".codex/.agents/c.md", SLIP)
    ran = two.run("check", "--statistics")
    rows = [line.split() for line in ran.out.splitlines()[:2]]
    assert rows == [["2", "warning[unknown-tool]"], ["1", "error[wrong-type]"]]
    assert (ran.code, ran.summary) == (1, "checked 3 templates: 1 error, 2 warnings")
    assert two.run("check", "--statistics", "--format", "json").code == 2


def test_a_report_can_go_into_a_file(two: Shell) -> None:
    ran = two.run("check", "--format", "json", "--output-file", "report.json")
    assert (ran.code, ran.out) == (1, "")
    report = json.loads((two.root / "report.json").read_text(encoding="utf-8"))
    assert report == json.loads(two.run("check", "--format", "json").out)
    lost = two.run("check", "--output-file", "nowhere/report.json")
    assert (lost.code, lost.err.split(":")[:2]) == (
        2,
        ["error", " cannot write nowhere/report.json"],
    )


def test_the_files_are_shown_and_some_excluded(two: Shell) -> None:
    shown = two.run("check", "--show-files")
    assert (shown.code, shown.out) == (0, f"{A}\n{B}\n")
    for pattern in ("vendor", "vendor/", "vendor/.codex/*", "b.m?"):
        ran = two.run("check", "--exclude", pattern, "--show-files")
        assert (pattern, ran.code, ran.out) == (pattern, 0, f"{A}\n")
    assert two.run("check", "--exclude", "endor", "--show-files").out == shown.out
    assert two.run("check", "--exclude", "vendor").summary == "checked 1 template: 1 warning"


def test_a_named_settings_file_is_the_only_one_that_counts(two: Shell) -> None:
    two.write("agent-template-lsp.toml", '[severity]\nwrong-type = "off"\n')
    two.write("other/mine.toml", '[severity]\nunknown-tool = "off"\n')
    ran = two.run("check", "--config", "other/mine.toml")
    assert ran.heads == [f"{B}:3:12: error[wrong-type]"]
    assert ran.err == ""
    missing = two.run("check", "--config", "mine.toml")
    assert (missing.code, missing.err) == (2, "error: --config: there is no file mine.toml\n")


def test_concise_is_the_first_line_of_each_finding(two: Shell) -> None:
    lines = two.run("check", "--format", "concise").out.splitlines()
    text = two.run("check").out.splitlines()
    assert lines == [line for line in text if "]: " in line] + text[-2:]


def test_gitlab_has_a_fingerprint_for_each_finding(two: Shell) -> None:
    two.write(A, SLIP.replace("[aply_patch]", "[aply_patch, aply_patch]"))
    rows = json.loads(two.run("check", "--format", "gitlab").out)
    assert {row["location"]["path"] for row in rows} == {A, B}
    assert len({row["fingerprint"] for row in rows}) == len(rows) > 2
    [error] = (row for row in rows if row["check_name"] == "wrong-type")
    assert (error["severity"], error["location"]["lines"]) == ("major", {"begin": 3})


def test_junit_is_xml_whatever_a_template_contains(two: Shell) -> None:
    two.write(A, SLIP.replace("aply_patch", "'<a&\\b\"]]>'"))
    top = ET.fromstring(two.run("check", "--format", "junit").out)  # noqa: S314 - our own output
    assert [suite.get("name") for suite in top] == [A, B]
    [case] = top[1]
    assert (case.get("name"), case.get("line"), case[0].get("type")) == ("wrong-type", "3", "error")


def test_a_sound_file_gives_an_empty_report(shell: Shell) -> None:
    shell.write(A, SOUND)
    assert json.loads(shell.run("check", "--format", "gitlab").out) == []
    assert len(ET.fromstring(shell.run("check", "--format", "junit").out)) == 0  # noqa: S314 - ours
    assert shell.run("check", "-q").out == ""
