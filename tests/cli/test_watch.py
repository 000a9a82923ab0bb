"""`check --watch` checks again after each change."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agent_lsp.cli.arguments import CommandError
from agent_lsp.cli.checking.watch import state, watch
from tests.cli.shell import SLIP, SOUND, Shell

AGENT = ".codex/.agents/a.md"


def test_a_change_is_checked_and_an_error_does_not_end_it(
    shell: Shell, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.write(AGENT, SOUND)
    changes: list[Callable[[], object]] = [
        lambda: shell.write(AGENT, SLIP),
        lambda: shell.write(".codex/.agents/b\x1b[2J.md", SOUND),
        lambda: shell.write("agent-template-lsp.toml", ""),
        (shell.root / AGENT).unlink,
    ]
    checked: list[int] = []

    def check() -> int:
        checked.append(len(changes))
        if len(changes) == 1:
            raise CommandError("no settings")
        return 0

    def pause(_: float) -> None:
        if not changes:
            raise KeyboardInterrupt
        changes.pop(0)()

    with pytest.raises(KeyboardInterrupt):
        watch(lambda: (shell.root,), check, pause)
    assert checked == [4, 3, 2, 1, 0]
    said = capsys.readouterr().err.splitlines()
    assert [line for line in said if not line.startswith("watching")] == [
        *("changed: a.md", "changed: b\u241b[2J.md", "changed: agent-template-lsp.toml"),
        *("error: no settings", "changed: a.md"),
    ]


def test_only_files_that_may_count_are_looked_at(shell: Shell) -> None:
    shell.write(AGENT, SOUND)
    for other in ("src/main.py", "node_modules/a.md", ".git/b.md", "big.bin"):
        shell.write(other, "")
    (shell.root / ".codex" / "loop").symlink_to(shell.root)
    found = {Path(path).relative_to(shell.root).as_posix() for path in state((shell.root,))}
    assert found == {AGENT}
    assert state((shell.root / AGENT,)).keys() == {str(shell.root / AGENT)}
    assert state((shell.root / "gone" / "too",)) == {}


def test_a_call_that_cannot_be_repeated_is_an_error(shell: Shell) -> None:
    shell.write(AGENT, SOUND)
    for option in ("--fix", "--diff", "--show-files"):
        ran = shell.run("check", "--watch", option)
        assert (ran.code, ran.err) == (2, f"error: `--watch` cannot be used with `{option}`\n")


def test_a_folder_below_templates_finds_them_or_says_where_they_are(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.write(AGENT, SLIP)
    shell.write("other/.codex/.agents/b.md", SLIP)
    below = shell.root / "src" / "deep"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    ran = shell.run("check")
    assert (ran.code, ran.heads) == (1, ["../../.codex/.agents/a.md:2:14: warning[unknown-tool]"])
    assert ran.err == (
        "note: no templates below this folder; checking 1 above it in ../../.codex/.agents\n"
    )
    ran = shell.run("check", ".")
    assert ran.code == 2
    command = "agent-template-lsp check ../../.codex/.agents"
    said = f"  there are some above this folder; to check them: {command}"
    assert ran.err.splitlines() == ["error: no templates found in .", said]
