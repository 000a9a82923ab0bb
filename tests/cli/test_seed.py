"""`seed` shows what a runtime copies into the user's folder, and copies it only with `--write`."""

import pytest

from agent_lsp.installed import installed
from tests.cli.shell import Shell

NAMES = ["architect.md", "explorer.md", "orchestrator.md", "worker.md"]


@pytest.mark.parametrize("arguments", [(), ("--dry-run",), ("--dialect", "codex-templates")])
def test_seed_writes_nothing_without_write(shell: Shell, arguments: tuple[str, ...]) -> None:
    ran = shell.run("seed", *arguments)
    assert (ran.code, ran.err) == (0, "")
    folder = shell.home / ".codex/.agents"
    first, *rest = ran.out.splitlines()
    assert first == f"Codex (fork NeoGrAIph/codex) would copy into {folder}:"
    assert [line.strip() for line in rest[:4]] == NAMES
    assert "stand-ins" in rest[4]
    assert ran.last.startswith("nothing is written")
    assert list(shell.home.iterdir()) == []


def test_seed_with_write_copies_all_stand_ins(shell: Shell) -> None:
    ran = shell.run("seed", "--write")
    folder = shell.home / ".codex/.agents"
    assert ran.out.startswith(f"copied into {folder}:\n  architect.md\n")
    assert "stand-ins" in ran.out
    assert sorted(path.name for path in folder.iterdir()) == NAMES
    built_in = installed("templates/codex-templates/builtin")
    for name in NAMES:
        assert (folder / name).read_bytes() == (built_in / name).read_bytes()


@pytest.mark.parametrize("arguments", [(), ("--write",)])
def test_one_file_with_a_built_in_name_prevents_all_copies(
    shell: Shell, arguments: tuple[str, ...]
) -> None:
    own = shell.write("~/.codex/.agents/worker.md", "mine\n")
    ran = shell.run("seed", *arguments)
    assert ran.out == (
        f"Codex (fork NeoGrAIph/codex) copies nothing into {own.parent}: "
        "it finds `worker.md` there\n"
    )
    assert ran.code == (1 if arguments else 0)
    assert own.read_text() == "mine\n"
    assert list(own.parent.iterdir()) == [own]


def test_a_folder_that_cannot_be_created_is_an_error(shell: Shell) -> None:
    shell.write("~/.codex", "a file\n")
    ran = shell.run("seed", "--write")
    assert ran.code == 1
    assert ran.out == ""
    assert ran.err.startswith("error: cannot write ")


def test_an_unknown_dialect_is_an_error(shell: Shell) -> None:
    ran = shell.run("seed", "--dialect", "codex-template")
    assert (ran.code, ran.out) == (2, "")
    assert "did you mean `codex-templates`?" in ran.err
