"""A baseline hides the findings that it lists, and no finding that has changed since."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.shell import SLIP, SOUND, Shell

AGENT = ".codex/.agents/a.md"
KNOWN = "known.json"
TWICE = SLIP.replace("[aply_patch]", "[aply_patch, exec_comand]")


@pytest.fixture
def accepted(shell: Shell) -> Shell:
    """A repository whose one finding is in the baseline."""
    shell.write(AGENT, SLIP)
    ran = shell.run("check", "--write-baseline", KNOWN)
    assert (ran.code, ran.out, ran.err) == (0, f"wrote 1 finding to {KNOWN}\n", "")
    return shell


def new(shell: Shell) -> list[str]:
    return shell.run("check", "--baseline", KNOWN).heads


def test_findings_in_the_baseline_are_counted_and_not_reported(accepted: Shell) -> None:
    ran = accepted.run("check", "--baseline", KNOWN)
    assert (ran.code, ran.summary) == (
        0,
        "checked 1 template: nothing to report (1 more in the baseline)",
    )


def test_a_finding_in_the_baseline_may_move_to_another_line(accepted: Shell) -> None:
    accepted.write(AGENT, SLIP.replace("---\n", "---\nmodel: gpt-5.2\n", 1))
    assert new(accepted) == []


@pytest.mark.parametrize(
    "text",
    [
        SLIP.replace("aply_patch", "aply_pach"),
        SLIP.replace("[aply_patch]", "[ aply_patch]"),
        SLIP.replace("[aply_patch]", "[aply_patch] # later"),
        SLIP.replace("allow_list", "deny_list"),
    ],
)
def test_a_finding_that_has_changed_is_shown(text: str, accepted: Shell) -> None:
    accepted.write(AGENT, text)
    assert len(new(accepted)) >= 1


def test_the_same_finding_in_another_file_is_shown(accepted: Shell) -> None:
    accepted.write(".codex/.agents/b.md", SLIP)
    assert new(accepted) == [".codex/.agents/b.md:2:14: warning[unknown-tool]"]


def test_a_finding_that_has_become_more_severe_is_shown(accepted: Shell) -> None:
    accepted.write("agent-template-lsp.toml", '[severity]\nunknown-tool = "error"\n')
    assert new(accepted) == [f"{AGENT}:2:14: error[unknown-tool]"]


def test_a_baseline_counts_equal_findings(shell: Shell) -> None:
    persona = "  - name: {0}\n    description: D.\n    nonsense: 1\n"
    text = "---\ndescription: D.\nagent_names:\n{0}---\nReview.\n{1}"
    block = "<!-- agent_name: {0} -->\nReview.\n"

    def write(*names: str) -> None:
        personas, blocks = ("".join(map(each.format, names)) for each in (persona, block))
        shell.write(AGENT, text.format(personas, blocks))

    write("one")
    shell.run("check", "--write-baseline", KNOWN)
    assert new(shell) == []
    write("one", "two")
    assert new(shell) == [f"{AGENT}:9:5: information[unknown-key]"]
    shell.run("check", "--write-baseline", KNOWN)
    [entry] = json.loads((shell.root / KNOWN).read_text("utf-8"))["findings"]
    assert entry["count"] == 2
    write("one", "two", "three")
    assert new(shell) == [f"{AGENT}:12:5: information[unknown-key]"]


def test_a_baseline_means_the_same_from_every_folder(
    accepted: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepted.write("sub/x", "")
    monkeypatch.chdir(accepted.root / "sub")
    assert accepted.run("check", "..", "--baseline", f"../{KNOWN}").code == 0


def test_only_reported_findings_are_written_to_the_baseline(shell: Shell) -> None:
    shell.write(AGENT, TWICE)
    shell.write(f"sub/{AGENT}", SOUND)
    ran = shell.run("check", "--select", "unknown-tool", "--write-baseline", KNOWN)
    assert ran.out == f"wrote 2 findings to {KNOWN}\n"
    assert new(shell) == [f"{AGENT}:1:1: information[shadowed]"]


def test_a_baseline_is_written_in_a_stable_order(accepted: Shell) -> None:
    accepted.write(AGENT, TWICE)
    accepted.write("sub/x/.codex/.agents/ü.md", SLIP)
    path = accepted.root / KNOWN
    accepted.run("check", "--write-baseline", KNOWN)
    first = path.read_bytes()
    accepted.run("check", "sub", ".", "--write-baseline", KNOWN)
    assert path.read_bytes() == first
    assert [entry["count"] for entry in json.loads(first)["findings"]] == [1, 1, 1]


def test_a_rewritten_baseline_keeps_its_permissions_and_its_link(accepted: Shell) -> None:
    path = accepted.root / KNOWN
    path.chmod(0o640)
    (accepted.root / "link.json").symlink_to(KNOWN)
    accepted.write(AGENT, TWICE)
    accepted.run("check", "--write-baseline", "link.json")
    assert (accepted.root / "link.json").is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert len(json.loads(path.read_text("utf-8"))["findings"]) == 2
    assert not list(accepted.root.glob(f".{KNOWN}*"))


# A baseline of one finding, without its count.
ENTRY = (
    '{"version": 1, "findings": [{"path": "a", "code": "b", "severity": "error", "message": "m",'
    ' "line": "l", "count": %s}]}'
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"version": 2, "findings": []}',
        '{"version": 1}',
        '{"version": 1, "findings": [{"path": "a"}]}',
        "[" * 100_000,
        *(ENTRY % count for count in ("1e999", "NaN", "1.5", '"1"', "true", "0", "-1", "null")),
    ],
)
def test_an_invalid_baseline_is_an_error(text: str, shell: Shell) -> None:
    shell.write(AGENT, SLIP)
    shell.write(KNOWN, text)
    ran = shell.run("check", "--baseline", KNOWN)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {KNOWN} is not a baseline ")


def test_a_missing_baseline_is_an_error_and_says_how_to_write_one(shell: Shell) -> None:
    shell.write(AGENT, SLIP)
    ran = shell.run("check", "--baseline", KNOWN)
    assert ran.code == 2
    assert ran.err == (
        f"error: cannot read the baseline {KNOWN}: No such file or directory\n"
        f"  `--write-baseline {KNOWN}` writes one\n"
    )


def test_a_baseline_that_cannot_be_written_is_an_error(shell: Shell) -> None:
    shell.write(AGENT, SLIP)
    ran = shell.run("check", "--write-baseline", Path("no") / KNOWN)
    assert ran.code == 2
    assert ran.err == f"error: cannot write no/{KNOWN}: No such file or directory\n"


@pytest.mark.skipif(os.name == "nt", reason="there, a pipe has no path")
def test_a_baseline_may_come_from_a_pipe_of_the_shell(accepted: Shell) -> None:
    reading, writing = os.pipe()
    os.write(writing, (accepted.root / KNOWN).read_bytes())
    os.close(writing)
    try:
        ran = accepted.run("check", "--baseline", f"/dev/fd/{reading}")
    finally:
        os.close(reading)
    assert (ran.code, ran.heads) == (0, [])
