"""`check --fix` changes only what it must, in the files that it may."""

import io
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agent_lsp.cli.checking import fix
from agent_lsp.cli.checking.fix import Change
from agent_lsp.data_classes import replace
from tests.cli.shell import SLIP, SOUND, Shell

AGENT = ".codex/.agents/a.md"
FIXED = SLIP.replace("aply_patch", "apply_patch")


def crlf(text: str) -> bytes:
    return text.replace("\n", "\r\n").encode()


def test_a_finding_is_fixed_and_the_rest_is_reported(shell: Shell) -> None:
    path = shell.write(AGENT, SLIP.replace("---\n", "---\n# why\nnonsense: 1\n", 1))
    ran = shell.run("check", "--fix")
    assert ran.err.endswith(": 1 finding\nfixed 1 finding in 1 file\n")
    assert ran.heads == [f"{AGENT}:3:1: information[unknown-key]"]
    assert ran.code == 0
    assert path.read_text("utf-8") == FIXED.replace("---\n", "---\n# why\nnonsense: 1\n", 1)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (crlf(SLIP), crlf(FIXED)),
        (SLIP.rstrip("\n").encode(), FIXED.rstrip("\n").encode()),
        (SLIP.replace("Reviews", "Prüft 🎉\u2028").encode(), None),
    ],
)
def test_a_fix_keeps_all_other_bytes(before: bytes, after: bytes | None, shell: Shell) -> None:
    path = shell.write(AGENT, before)
    shell.run("check", "--fix")
    assert path.read_bytes() == (after or before.replace(b"aply_patch", b"apply_patch"))


def test_a_byte_order_mark_is_removed_only_by_its_own_fix(shell: Shell) -> None:
    """The mark hides the header from the runtime, so until then there is no other finding."""
    path = shell.write(AGENT, b"\xef\xbb\xbf" + crlf(SLIP))
    shell.run("check", "--fix", "--ignore", "header-bom")
    assert path.read_bytes() == b"\xef\xbb\xbf" + crlf(SLIP)
    shell.run("check", "--fix")
    assert path.read_bytes() == crlf(FIXED)


def test_a_fix_keeps_permissions_and_links(shell: Shell) -> None:
    target = shell.write("shared/a.md", SLIP)
    target.chmod(0o640)
    link = shell.write(AGENT, "").parent / "a.md"
    link.unlink()
    link.symlink_to("../../shared/a.md")
    shell.run("check", "--fix")
    assert link.is_symlink()
    assert target.read_text("utf-8") == FIXED
    assert target.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in (*target.parent.iterdir(), *link.parent.iterdir())] == [
        "a.md"
    ] * 2


@pytest.mark.parametrize("link", [AGENT, ".codex/.agents", ".codex"])
def test_a_link_out_of_the_repository_is_reported_and_its_target_is_not_fixed(
    link: str, shell: Shell
) -> None:
    """A hostile repository could otherwise make the user's other files change."""
    (shell.root / ".git").mkdir(exist_ok=True)
    away = shell.write("~/private/.codex/.agents/a.md", SLIP)
    at = shell.root / link
    at.parent.mkdir(parents=True, exist_ok=True)
    at.symlink_to(shell.home / "private" / link)
    ran = shell.run("check")
    assert f"note: links point elsewhere: {AGENT} to {away}\n" in ran.err
    ran = shell.run("check", "--fix")
    assert f"error: cannot fix {AGENT}: its link points elsewhere\n" in ran.err
    assert ran.code == 2
    assert away.read_text("utf-8") == SLIP


def test_linked_files_in_the_users_own_folder_are_fixed(shell: Shell) -> None:
    away = shell.write("~/dotfiles/a.md", SLIP)
    (shell.home / ".codex/.agents").mkdir(parents=True)
    (shell.home / ".codex/.agents/a.md").symlink_to(away)
    ran = shell.run("check", "--fix", shell.home / ".codex/.agents")
    assert ran.err.endswith(": 1 finding\nfixed 1 finding in 1 file\n")
    assert away.read_text("utf-8") == FIXED


def test_a_file_with_two_names_is_written_once(shell: Shell) -> None:
    path = shell.write(f"one/{AGENT}", SLIP)
    (shell.root / "two").mkdir()
    (shell.root / "two/.codex").symlink_to("../one/.codex")
    ran = shell.run("check", "--fix", "one", "two")
    assert ran.err.endswith(": 1 finding\nfixed 1 finding in 1 file\n")
    assert path.read_text("utf-8") == FIXED


@pytest.mark.parametrize("is_hard", [True, False])
def test_the_summary_counts_what_the_fixes_of_a_linked_file_remove(
    is_hard: bool, shell: Shell
) -> None:
    text = "---\nname: a\ndescription: A.\ntools: Read, Read\n---\nYou review.\n"
    path = shell.write(".claude/agents/a.md", text)
    link = shell.write(".cursor/agents/a.md", "")
    link.unlink()
    if is_hard:
        link.hardlink_to(path)
    else:
        link.symlink_to(path)
    said = "fixable: 1 with `--fix`, 1 more with `--fix --unsafe-fixes`\n"
    assert shell.run("check").out.endswith(said)
    assert shell.run("check", "--fix").err.endswith("fixed 1 finding in 1 file\n")
    assert path.read_text("utf-8") == link.read_text("utf-8") == text.replace(", Read", "")
    assert shell.run("check").out.endswith("fixable: 1 with `--fix --unsafe-fixes`\n")
    # The report after a fix is about the new text, under each name of the file.
    assert shell.run("check", "--fix", "--unsafe-fixes").heads == []
    assert "tools" not in link.read_text("utf-8")


def test_the_summary_counts_no_finding_that_only_a_fix_brings(shell: Shell) -> None:
    """The list that the first fix makes count has an entry that the second one may remove."""
    tools = "tools: Read, Web_Fetch, Bash\ndisallowed-tools: Bash\n"
    text = f"---\nname: a\ndescription: A.\n{tools}---\nGo.\n"
    shell.write(".claude/agents/a.md", text)
    ran = shell.run("check")
    assert len(ran.heads) == 2
    assert ran.last == "fixable: 1 with `--fix`, 1 more with `--fix --unsafe-fixes`"


def test_a_file_without_fixable_findings_is_not_written(shell: Shell) -> None:
    paths = [shell.write(AGENT, SOUND), shell.write(".codex/.agents/b.md", b"\xff" + SLIP.encode())]
    before = [(path.read_bytes(), path.stat()) for path in paths]
    assert shell.run("check", "--fix").err == "fixed 0 findings in 0 files\n"
    assert [(path.read_bytes(), path.stat()) for path in paths] == before


def test_only_selected_findings_are_fixed(shell: Shell) -> None:
    path = shell.write(AGENT, SLIP)
    for arguments in (
        ("--select", "unknown-key"),
        ("--ignore", "unknown"),
        ("--severity", "error"),
    ):
        shell.run("check", "--fix", *arguments)
        assert path.read_text("utf-8") == SLIP


def test_findings_in_the_baseline_are_not_fixed(shell: Shell) -> None:
    path = shell.write(AGENT, SLIP)
    shell.run("check", "--write-baseline", "known.json")
    shell.run("check", "--fix", "--baseline", "known.json")
    assert path.read_text("utf-8") == SLIP


EXAMPLES = Path(__file__).parents[2] / "examples"


def put(shell: Shell, pattern: str) -> None:
    """Copies the examples that `pattern` means."""
    for folder in EXAMPLES.glob(pattern):
        goal = shell.root / folder.relative_to(EXAMPLES)
        shutil.copytree(folder, goal, dirs_exist_ok=True)


def test_unsafe_fixes_are_applied_only_on_request(shell: Shell) -> None:
    put(shell, "faults/un*")
    safe, unsafe = (fixed(shell, *more) for more in ((), ("--unsafe-fixes",)))
    assert 0 < safe < unsafe
    ran = shell.run("check", "--unsafe-fixes")
    assert (ran.code, ran.err) == (2, "error: `--unsafe-fixes` needs `--fix` or `--diff`\n")


def fixed(shell: Shell, *arguments: str) -> int:
    return int(shell.run("check", "--diff", *arguments).err.split("would fix ")[1].split()[0])


# What is true for each file alone is tested in `tests/fixes`.
@pytest.mark.parametrize("pattern", ["faults/un*", pytest.param("*/", marks=pytest.mark.hostile)])
def test_nothing_is_left_to_fix_after_a_fix(pattern: str, shell: Shell) -> None:
    put(shell, pattern)
    for more in ((), ("--unsafe-fixes",)):
        assert "fixed" in shell.run("check", "--fix", *more).err
        assert shell.run("check", "--diff", *more).out == ""


@pytest.fixture
def patch() -> str:
    program = shutil.which("git")
    if program is None:
        pytest.skip("no git to apply the difference with")
    return program


@pytest.mark.parametrize(
    "text", [SLIP.encode(), crlf(SLIP), SLIP.rstrip("\n").encode(), crlf(SLIP.rstrip("\n"))]
)
def test_applying_the_diff_has_the_same_result_as_fix(
    text: bytes, shell: Shell, patch: str
) -> None:
    path = shell.write(AGENT, text)
    ran = shell.run("check", "--diff")
    assert (ran.code, ran.err) == (1, "would fix 1 finding in 1 file\n")
    assert path.read_bytes() == text
    apply = [patch, "apply", "--whitespace=nowarn", "-"]
    subprocess.run(apply, input=ran.out.encode(), cwd=shell.root, check=True)
    by_patch = path.read_bytes()
    path.write_bytes(text)
    shell.run("check", "--fix")
    assert path.read_bytes() == by_patch != text
    assert shell.run("check", "--diff").code == 0


def test_the_diff_of_standard_input_is_shown(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SLIP.encode())))
    ran = shell.run("check", "--diff", "-", "--stdin-filename", AGENT)
    assert "\n-allow_list: [aply_patch]\n+allow_list: [apply_patch]\n" in ran.out
    assert shell.run("check", "--fix", "-", "--stdin-filename", AGENT).code == 2


def test_a_file_that_has_changed_in_the_meantime_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"new")
    change = Change(path, "old", "fixed", 1)
    assert list(fix.carry_out([change])) == [(change, "it has changed in the meantime")]
    assert path.read_bytes() == b"new"
    gone = replace(change, path=tmp_path / "gone.md")
    assert list(fix.carry_out([gone])) == [(gone, "No such file or directory")]


@pytest.mark.parametrize("tools", ["Raed, Write, Gerp", '"Raed, Gerp"', "Gerp"])
def test_a_tool_name_in_a_text_with_commas_is_fixed(tools: str, shell: Shell) -> None:
    """Claude Code also reads a list in a text; another runtime may read another tool."""
    text = f"---\r\nname: a\r\ndescription: Reads.\r\ntools: {tools}  # few\r\n---\r\nRead.\r\n"
    path = shell.write(".claude/agents/a.md", text)
    shell.run("check", "--fix")
    assert path.read_bytes() == text.encode("utf-8")
    shell.run("check", "--fix", "--unsafe-fixes")
    wanted = text.replace("Raed", "Read").replace("Gerp", "Grep")
    assert path.read_bytes() == wanted.encode("utf-8")
