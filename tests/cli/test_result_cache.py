"""A kept result of `check` is printed if, and only if, checking again would print the same."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from agent_lsp.cli.checking import result_cache
from agent_lsp.cli.checking import run as checking
from agent_lsp.cli.resolve import repository_of
from tests.cli.shell import BROKEN, SLIP, SOUND, Ran, Shell
from tests.effort import EFFORT, fifth

ROOT = Path(__file__).parents[2]
_AGENT = (
    "---\nname: NAME\ndescription: Reviews.\ntools: Read, mcp__issues__get\n"
    "skills: [how]\n---\nGo.\n"
)
_HOOK = (
    "---\nname: hooked\ndescription: D.\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n"
    "        - {type: command, command: ./hook.sh}\n---\nGo.\n"
)
_FILES = {
    ".claude/agents/a.md": _AGENT.replace("NAME", "one"),
    ".claude/agents/b.md": _AGENT.replace("NAME", "two").replace("Read", "Raed"),
    ".claude/agents/hooked.md": _HOOK,
    ".claude/skills/how/SKILL.md": "---\nname: how\ndescription: How.\n---\nSo.\n",
    ".codex/.agents/c.md": SLIP,
    ".codex/agents/d.toml": 'name = "d"\ndescription = "D."\ndeveloper_instructions = "D."\n',
    ".codex/config.toml": "[agents]\nmax_threads = 3\n",
    ".gitignore": "ignored\n",
    ".mcp.json": '{"mcpServers": {"issues": {"command": "x"}}}\n',
    "hook.sh": "#!/bin/sh\n",
    "ignored/.codex/.agents/i.md": BROKEN,
    "moltis.toml": "[agents.presets.m]\nmodel = 1\n",
    "opencode.json": '{"agent": {"o": {"mode": "subagent", "description": "D"}}}\n',
    "sub/.opencode/agents/o.md": "---\ndescription: D\nmode: subagent\n---\nGo.\n",
    "agent-template-lsp.toml": '[rules]\n"redundant" = "error"\n',
    "~/.claude/agents/a.md": _AGENT.replace("NAME", "one"),
    "~/.claude/settings.json": "{}\n",
}


# The changes of a file are tried in so many parts.
_PARTS = 4


@pytest.fixture
def cached(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A shell whose calls keep their results, in a folder beside the repository."""
    monkeypatch.delenv(result_cache.SWITCH)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(shell.root.parent / "cache"))
    return shell


@pytest.fixture
def project(cached: Shell) -> Shell:
    """A repository of several systems, and a home with an agent."""
    for name, text in _FILES.items():
        cached.write(name, text)
    (cached.root / "hook.sh").chmod(0o755)
    return cached


def _kept(shell: Shell) -> list[Path]:
    return [path for path in (shell.root.parent / "cache").rglob("*") if path.is_file()]


def _same(shell: Shell, *arguments: str) -> Ran:
    """The answer of a call that may be kept, which is that of one that is not."""
    repository_of.cache_clear()
    ran = shell.run("check", *arguments)
    repository_of.cache_clear()
    assert ran == shell.run("check", "--no-cache", *arguments)
    return ran


def _is_kept(shell: Shell) -> bool:
    """Whether the next call prints a kept result: its file is then marked as used."""
    for path in _kept(shell):
        os.utime(path, (0, 0))
    shell.run("check")
    return sum(path.stat().st_mtime > 0 for path in _kept(shell)) == 1 and _is_old(shell)


def _is_old(shell: Shell) -> bool:
    before = {path: path.read_bytes() for path in _kept(shell)}
    shell.run("check")
    return before == {path: path.read_bytes() for path in _kept(shell)}


def _changes(path: Path) -> Iterator[Callable[[], object]]:
    """What may happen to a file; each is undone by writing the file again."""
    data = path.read_bytes()
    yield lambda: path.write_bytes(data.replace(b"Re", b"re", 1) + b" ")
    yield lambda: path.write_bytes(data[::-1])
    yield path.unlink
    yield lambda: path.rename(path.with_name(f"x-{path.name}"))
    yield lambda: _replaced(path).mkdir()
    yield lambda: path.chmod(0)
    yield lambda: _replaced(path).symlink_to(path.parent / "nothing")
    yield lambda: path.with_name(f"copy-{path.name}").write_bytes(data)


def _replaced(path: Path) -> Path:
    path.unlink()
    return path


def _restored(path: Path, data: bytes, mode: int) -> None:
    for other in (path.with_name(f"x-{path.name}"), path.with_name(f"copy-{path.name}")):
        other.unlink(missing_ok=True)
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    path.unlink(missing_ok=True)
    path.write_bytes(data)
    path.chmod(mode)


def _turns() -> Iterator[ParameterSet]:
    """Files with a part of the changes: `make test` tries one of a fifth of them.

    `make test-hostile` tries one of each other file, and all parts by hand.
    """
    usual = [one.values[0] for one in fifth(_FILES) if not one.marks]
    for at, name in enumerate(_FILES):
        own = at // _PARTS % _PARTS
        for part in range(_PARTS) if EFFORT > 1 else (own,):
            is_usual = name in usual and part == own
            if EFFORT or is_usual:
                yield pytest.param(name, part, marks=() if is_usual else pytest.mark.hostile)


@pytest.mark.parametrize(("name", "part"), list(_turns()))
def test_a_change_of_any_file_counts(project: Shell, name: str, part: int) -> None:
    folder = project.home if name.startswith("~/") else project.root
    path = folder / name.removeprefix("~/")
    first, data, mode = _same(project), path.read_bytes(), path.stat().st_mode
    for number, change in enumerate(_changes(path)):
        if number % _PARTS != part:
            continue
        change()
        _same(project)
        _restored(path, data, mode)
        repository_of.cache_clear()
        # What checking again prints is known.
        assert project.run("check") == first


@pytest.mark.hostile
def test_any_row_of_changes_counts(project: Shell) -> None:
    """Without undoing anything, so that changes meet."""
    draw = random.Random(36)  # noqa: S311 - no secret
    for _ in range(60 if EFFORT > 1 else 20):
        folder = draw.choice((project.root, project.home))
        files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        if not files:
            continue
        path = draw.choice(files)
        path.chmod(0o644)
        draw.choice(list(_changes(path)))()
        _same(project)


def test_an_unchanged_project_is_not_checked_again(project: Shell) -> None:
    first = project.run("check")
    assert first.code == 1
    assert project.run("check") == first
    assert _is_kept(project)
    # A copy of the folder has the same times nowhere, and the same content.
    for name in _FILES:
        if not name.startswith("~/"):
            path = project.root / name
            shutil.copy(path, path.with_suffix(".new"))
            path.with_suffix(".new").replace(path)
    (project.root / "hook.sh").chmod(0o755)
    assert _is_kept(project)


def test_environment_variables_and_arguments_count(
    project: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    (other / "agents").mkdir(parents=True)
    (other / "agents/a.md").write_text(_AGENT.replace("NAME", "one"), encoding="utf-8")
    _same(project)
    for name, value in (
        ("CLAUDE_CONFIG_DIR", str(other)),
        ("CLAUDE_CODE_SUBAGENT_MODEL", "gpt-5"),
        ("CLICOLOR_FORCE", "1"),
        ("FORCE_COLOR", "1"),
        ("HOME", str(other)),
    ):
        monkeypatch.setenv(name, value)
        _same(project)
    for arguments in (
        ("--isolated",),
        ("--no-gitignore",),
        ("--format", "json"),
        ("sub",),
        ("-q",),
    ):
        _same(project, *arguments)
    monkeypatch.chdir(project.root / "sub")
    _same(project)


@pytest.mark.skipif(sys.platform != "linux", reason="workers are only used where one can fork")
def test_what_workers_have_read_counts(cached: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1})
    monkeypatch.setattr(checking, "MANY", 10)
    forked, fork = list[None](), os.fork

    def count() -> int:
        forked.append(None)
        return fork()

    monkeypatch.setattr(os, "fork", count)
    paths = [cached.write(f".codex/.agents/a{at:03}.md", SOUND) for at in range(60)]
    assert (_same(cached).code, len(_kept(cached))) == (0, 1)
    # Two workers for each of the two calls.
    assert len(forked) == 4
    for path in (paths[0], paths[30], paths[59]):
        # Of the same size, which the first process knows of each file.
        path.write_text(SOUND.replace("description", "describtion"), encoding="utf-8")
        assert _same(cached).code == 1
        path.write_text(SOUND, encoding="utf-8")
    assert _same(cached).code == 0


def test_a_damaged_or_foreign_result_is_ignored(cached: Shell) -> None:
    cached.write(".codex/.agents/a.md", SLIP)
    first = cached.run("check")
    [path] = _kept(cached)
    data = path.read_bytes()
    start = data.index(b"\n") + 1
    for wrong in (
        *(data[:size] for size in (0, 1, start, start + 16, len(data) // 2, len(data) - 1)),
        *(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :] for at in (0, start, len(data) - 1)),
        b"\0" * len(data),
    ):
        path.write_bytes(wrong)
        assert cached.run("check") == first
        assert path.read_bytes() == data


def test_a_result_is_not_kept_for_a_call_that_writes_or_reads_a_stream(cached: Shell) -> None:
    cached.write(".codex/.agents/a.md", SLIP)
    for arguments in (("--fix",), ("--diff",), ("--no-cache",), ("--output-file", "out.txt")):
        cached.run("check", *arguments)
        assert (arguments, _kept(cached)) == (arguments, [])
    assert cached.run("check", "nowhere").code == 2


def test_a_cache_that_cannot_be_written_changes_nothing(cached: Shell) -> None:
    cached.write(".codex/.agents/a.md", SLIP)
    (cached.root.parent / "cache").write_text("no folder", encoding="utf-8")
    assert (_same(cached).code, _same(cached).code) == (1, 1)


def test_the_cache_is_bounded(cached: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_cache, "_MOST_RESULTS", 3)
    cached.write(".codex/.agents/a.md", SOUND)
    for code in ("header", "unknown-tool", "wrong-type", "shadowed", "no-effect"):
        cached.run("check", "--select", code)
        for age, path in enumerate(sorted(_kept(cached), key=lambda path: path.stat().st_mtime)):
            os.utime(path, (age, age))
    assert len(_kept(cached)) == 3


_AUDITED = """
import os, sys
from agent_lsp.cli import main
from agent_lsp.workspace import disk
opened = set()
root = sys.argv[1]
def hook(event, arguments):
    if event in ("open", "os.scandir", "os.listdir") and str(arguments[0]).startswith(root):
        opened.add(os.path.normpath(arguments[0]))
sys.addaudithook(hook)
used, use = [], disk.use
from agent_lsp.cli.checking import result_cache
from agent_lsp.cli.checking import run as checking
result_cache.use = lambda one: (used.append(one), use(one))
main(["check", "--format", "sarif"])
asked = {question.name for question in used[0].answers}
cache = os.path.join(root, "cache")
print(sorted(one for one in opened - asked if not one.startswith(cache)), file=sys.stderr)
print(len(opened), file=sys.stderr)
"""


def test_no_file_or_folder_is_opened_without_a_trace(project: Shell) -> None:
    command = (sys.executable, "-c", _AUDITED, str(project.root.parent))
    ran = subprocess.run(command, capture_output=True, text=True, check=True, cwd=project.root)
    missed, many = ran.stderr.splitlines()[-2:]
    assert (missed, int(many) > len(_FILES)) == ("[]", True)
    assert json.loads(ran.stdout)["runs"]
