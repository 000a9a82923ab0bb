"""Options select which findings `check` reports, and which make it fail."""

import io
import sys

import pytest

from tests.cli.shell import BROKEN, REDUNDANT, SLIP, SOUND, Shell

AGENT = ".codex/.agents/a.md"


def codes(shell: Shell, *arguments: str) -> set[str]:
    heads = shell.run("check", *arguments).heads
    return {head.partition("[")[2].removesuffix("]") for head in heads}


@pytest.fixture
def two(shell: Shell) -> Shell:
    """A repository with an `unknown-tool`, an `unknown-key` and a `shadowed`."""
    shell.write(AGENT, SLIP.replace("allow_list", "temperature: 1\nallow_list"))
    shell.write(f"sub/{AGENT}", SOUND)
    return shell


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ((), {"unknown-tool", "unknown-key", "shadowed"}),
        (("--select", "unknown-tool"), {"unknown-tool"}),
        (("--select", "unknown"), {"unknown-tool", "unknown-key"}),
        (("--select", "shadowed, unknown-key"), {"shadowed", "unknown-key"}),
        (("--select", "shadowed", "--select", "unknown-key"), {"shadowed", "unknown-key"}),
        (("--ignore", "unknown"), {"shadowed"}),
        (("--select", "unknown", "--ignore", "unknown-key"), {"unknown-tool"}),
        (("--select", "unknown-key", "--ignore", "unknown"), {"unknown-key"}),
        (("--select", "unknown", "--ignore", "unknown"), set()),
        (("--severity", "warning"), {"unknown-tool"}),
        (("--severity", "error"), set()),
    ],
)
def test_only_selected_findings_are_shown(
    arguments: tuple[str, ...], shown: set[str], two: Shell
) -> None:
    assert codes(two, *arguments) == shown


@pytest.mark.parametrize("word", ["unknwon", "unk", "unknown-", "model"])
def test_a_word_that_matches_no_code_is_an_error(word: str, two: Shell) -> None:
    for option in ("--select", "--ignore"):
        ran = two.run("check", option, f"shadowed,{word}")
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith(f"error: there is no rule `{word}`")


@pytest.mark.parametrize("written", ["", " ", ",", "shadowed,", ",shadowed"])
def test_an_empty_word_is_an_error_and_does_not_select_all(written: str, two: Shell) -> None:
    for option in ("--select", "--ignore"):
        ran = two.run("check", option, written)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith(f"error: {option}: a rule is missing")


@pytest.mark.parametrize(
    ("text", "severity", "code"),
    [
        (BROKEN, "error", 1),
        (SLIP, "error", 0),
        (SLIP, "warning", 1),
        (REDUNDANT, "information", 0),
        (REDUNDANT, "hint", 1),
    ],
)
def test_a_finding_at_least_as_severe_as_asked_for_fails(
    text: str, severity: str, code: int, shell: Shell
) -> None:
    shell.write(AGENT, text)
    assert shell.run("check", "--severity", severity).code == code


def typed(monkeypatch: pytest.MonkeyPatch, text: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))


def test_standard_input_is_checked_as_the_named_file(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, SLIP.encode())
    ran = shell.run("check", "-", "--stdin-filename", AGENT)
    assert ran.heads == [f"{AGENT}:2:14: warning[unknown-tool]"]
    assert not (shell.root / ".codex").exists()


def test_standard_input_replaces_only_the_named_file(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.write(AGENT, BROKEN)
    shell.write(f"sub/{AGENT}", SOUND)
    typed(monkeypatch, SOUND.replace("\n", "\r\n").encode("utf-8-sig"))
    ran = shell.run("check", "-", "--stdin-filename", AGENT)
    assert ran.heads == [
        f"{AGENT}:1:1: error[header-bom]",
        f"{AGENT}:1:1: information[shadowed]",
    ]


@pytest.mark.parametrize("arguments", [("-",), ("--stdin-filename", AGENT), (".", "-")])
def test_standard_input_and_its_file_name_need_each_other(
    arguments: tuple[str, ...], shell: Shell
) -> None:
    ran = shell.run("check", *arguments)
    assert ran.code == 2
    assert ran.err.startswith("error: `-` and `--stdin-filename PATH` must be used together")


def test_standard_input_that_is_not_utf_8_is_an_error(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, b"\xff")
    ran = shell.run("check", "-", "--stdin-filename", AGENT)
    assert ran.code == 2
    assert ran.err == "error: standard input is not UTF-8: byte 0 does not decode\n"


def test_a_dialect_claims_a_named_file_and_standard_input(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.write("prompts/a.md", SLIP)
    shell.write("prompts/b.md", SLIP)
    heads = ["prompts/a.md:2:14: warning[unknown-tool]"]
    assert shell.run("check", "--dialect", "codex-templates", "prompts/a.md").heads == heads
    typed(monkeypatch, SLIP.encode())
    claimed = ("check", "--dialect", "codex-templates", "-", "--stdin-filename", "prompts/a.md")
    assert shell.run(*claimed).heads == heads


def test_with_if_any_it_is_no_error_if_no_file_is_a_template(shell: Shell) -> None:
    shell.write("README.md", "Read me.")
    assert shell.run("check", "README.md").code == 2
    ran = shell.run("check", "--if-any", "README.md")
    assert (ran.code, ran.summary) == (0, "checked 0 templates: nothing to report")
    assert shell.run("check", "--if-any", "nowhere.md").code == 2
