"""What is repaired in a role template: its block and its calls, and no matter of taste."""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import repaired, suppressions_at
from tests.dialects.test_vuhlp_files import BODY, HEAD, POET, SPAWN, codes, made

FIXED = {
    "an older name": ('capabilities = ["spawn_nodes"]', 'capabilities = ["edge_management_all"]'),
    "a slip in a list": ('capabilities = ["edit_cod"]', 'capabilities = ["edit_code"]'),
    "a slip in a key": ('verson = "1"', 'version = "1"'),
    "another name": ('name = "poet"', 'name = "helper"'),
    "a number": ("version = 1  # the first", 'version = "1"  # the first'),
    "no TOML": ("version = 1.0.2", 'version = "1.0.2"'),
    "a word": ("version = one", 'version = "one"'),
    "a text for a list": ('capabilities = "edit_code"', 'capabilities = ["edit_code"]'),
    "a text with commas": (
        'constraints = "no_code_edits, log_decisions"',
        'constraints = ["no_code_edits", "log_decisions"]',
    ),
    "a list without quotes": ("capabilities = [edit_code]", 'capabilities = ["edit_code"]'),
    "a list for a text": ('version = ["1"]', 'version = "1"'),
}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(("old", "new"), FIXED.values(), ids=FIXED)
def test_what_has_one_right_answer_is_repaired(
    old: str, new: str, end: str, tmp_path: Path
) -> None:
    text = f"[template]\n{old}\n\n{BODY}".replace("\n", end)
    written = made(tmp_path, text)

    assert repaired(written.workspace, written.path) == text.replace(old, new)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"# Helper\n\n{HEAD}{BODY}", f"{HEAD}# Helper\n\n{BODY}"),
        (f"{BODY}{HEAD.rstrip()}\n", f"{HEAD}{BODY}"),
        (f"{BODY}{HEAD.rstrip()}", f"{HEAD}{BODY}"),
    ],
)
def test_a_block_is_moved_to_the_top(text: str, expected: str, end: str, tmp_path: Path) -> None:
    written = made(tmp_path, "")
    written.workspace.files.open(written.path, text.replace("\n", end))

    assert repaired(written.workspace, written.path) == expected.replace("\n", end)


def test_no_comment_is_put_into_a_prompt(tmp_path: Path) -> None:
    """The block is sent with the rest, and so would be what suppresses a finding in it."""
    text = f'[template]\ncapabilities = ["my_own"]\n\n{BODY}'
    written = made(tmp_path, text)
    [found] = diagnostics(written.workspace, written.path)

    assert suppressions_at(written.workspace, written.path, found.span) == ()
    written.workspace.files.open(
        written.path, text.replace("cap", "# agent-template-lsp: ignore[unknown-capability]\ncap")
    )
    assert codes(written) == []


def test_calls_are_repaired_in_place(tmp_path: Path) -> None:
    wrong = '{"tool_call":{"name":"send_handof","args":{"to":"a","message":"m"}}}\n'
    other = '{"tool_call":{"name":"create_edge","params":{"from":"a","to":"b","type":"handof"}}}\n'
    written = made(tmp_path, f"{HEAD}{BODY}\n{wrong}{other}")

    right = wrong.replace("send_handof", "send_handoff")
    edge = other.replace("params", "args").replace('"handof"', '"handoff"')
    assert repaired(written.workspace, written.path) == f"{HEAD}{BODY}\n{right}{edge}"


@pytest.mark.parametrize("wrong", [SPAWN[:-2], SPAWN[:-4], SPAWN.replace("}}}", ",}}}")])
def test_a_call_that_is_no_json_is_repaired(wrong: str, tmp_path: Path) -> None:
    written = made(tmp_path, f"{HEAD}{BODY}\n{wrong.rstrip()}\n", poet=POET)

    assert codes(written) == ["tool-call-json"]
    assert repaired(written.workspace, written.path) == f"{HEAD}{BODY}\n{SPAWN}"


@pytest.mark.parametrize("key", ["name", "tool"])
def test_a_call_is_put_under_its_wrapper(key: str, tmp_path: Path) -> None:
    bare = SPAWN.strip().removeprefix('{"tool_call":').removesuffix("}").replace("name", key, 1)
    written = made(tmp_path, f"{HEAD}{BODY}\n{bare}\n", poet=POET)

    assert repaired(written.workspace, written.path) == f"{HEAD}{BODY}\n{SPAWN}"
