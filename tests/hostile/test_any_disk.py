"""Whatever a disk holds, and whatever becomes of it meanwhile: a scan ends, and no text is lost."""

import os
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.cli.atomic_write import create_atomically, write_atomically
from agent_lsp.cli.checking.fix import Change, carry_out
from agent_lsp.cli.gitignore import gitignored
from agent_lsp.environment import workspace_for
from agent_lsp.installed import installed
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import HostPaths
from agent_lsp.workspace.search import templates
from agent_lsp.workspace.snapshot import Workspace
from tests.effort import EFFORT, within, work
from tests.server import ready
from tests.server.editor import environment

SOUND = "---\ndescription: Reviews.\n---\nReview.\n"
TYPO = "---\ndescription: Reviews.\nmodle: x\n---\nReview.\n"
_NOBODY = 65534

posix = pytest.mark.skipif(sys.platform == "win32", reason="there is no such thing")


def put(root: Path, name: str, text: str = SOUND) -> Path:
    path = root / ".codex/.agents" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    return path


def scanned(root: Path, home: Path | None = None) -> tuple[Workspace, dict[str, list[str]]]:
    """The workspace of `root`, and the codes of all that is found in it, by the file's name."""
    places = HostPaths(home or root / "no/such/home", installed("templates"), {})
    workspace, _ = workspace_for((root,), Files(), places)
    return workspace, {
        path.name: [one.code for one in diagnostics(workspace, path)]
        for path in templates(workspace)
    }


@contextmanager
def unprivileged() -> Iterator[Path]:
    """A folder that all may enter, while the process has no rights beyond those of anybody."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(_NOBODY)
    try:
        yield folder
    finally:
        if is_root:
            os.seteuid(0)
        for path in (folder, *folder.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o777)
        shutil.rmtree(folder)


@posix
def test_files_and_folders_that_nobody_may_read_are_told_and_passed_over() -> None:
    with unprivileged() as root:
        locked = put(root, "locked.md")
        locked.chmod(0)
        put(root, "typo.md", TYPO)
        hidden = root / "closed"
        hidden.mkdir()
        hidden.chmod(0)
        workspace, found = scanned(root)
        assert found == {"locked.md": ["unreadable"], "typo.md": ["unknown-key"]}
        assert hidden in workspace.files.locked()


@posix
def test_loops_of_links_pipes_and_devices_are_no_trap(tmp_path: Path) -> None:
    put(tmp_path, "typo.md", TYPO)
    folder = tmp_path / ".codex/.agents"
    os.mkfifo(folder / "pipe.md")
    (folder / "zero.md").symlink_to("/dev/zero")
    (folder / "self.md").symlink_to("self.md")
    (folder / "ring.md").symlink_to("gnir.md")
    (folder / "gnir.md").symlink_to("ring.md")
    (folder / ".codex").symlink_to(tmp_path)
    (tmp_path / ".loop").symlink_to(tmp_path)
    with within(10):
        _, found = scanned(tmp_path)
    assert found.pop("typo.md") == ["unknown-key"]
    assert found.keys() == {"pipe.md", "zero.md", "self.md", "ring.md", "gnir.md"}
    assert all(codes == ["unreadable"] for codes in found.values())


def test_what_comes_changes_and_goes_during_a_scan_breaks_nothing(tmp_path: Path) -> None:
    put(tmp_path, "stays.md", TYPO)
    is_over = Event()

    def disturb() -> None:
        turn = 0
        while not is_over.is_set():
            turn += 1
            put(tmp_path / f"sub{turn % 7}", "comes.md", SOUND * (turn % 3))
            shutil.rmtree(tmp_path / f"sub{(turn + 3) % 7}", ignore_errors=True)

    disturber = Thread(target=disturb)
    disturber.start()
    try:
        for _ in range(40):
            assert scanned(tmp_path)[1]["stays.md"] == ["unknown-key"]
    finally:
        is_over.set()
        disturber.join()


def test_a_home_that_does_not_exist_is_an_empty_one(tmp_path: Path) -> None:
    put(tmp_path, "a.md")
    for home in (tmp_path / "no/home", tmp_path / ".codex/.agents/a.md"):
        assert scanned(tmp_path, home)[1] == {"a.md": []}


@posix
def test_a_very_long_path_is_a_path(tmp_path: Path) -> None:
    deep = tmp_path
    while len(str(deep)) < 3500:
        deep /= "d" * 200
    put(deep, "typo.md", TYPO)
    assert scanned(tmp_path)[1] == {"typo.md": ["unknown-key"]}


def test_the_work_for_a_folder_grows_little_with_its_depth(tmp_path: Path) -> None:
    """A path can be 2,000 folders deep, and what is found at its end is reported."""
    host = HostPaths(tmp_path / "home", installed("templates"), {})

    def searched(levels: int) -> int:
        top = tmp_path / f"top{levels}"
        deepest = top.joinpath(*["d"] * levels)
        put(deepest, "typo.md", TYPO)
        (top / ".git").mkdir()
        (top / ".gitignore").write_text("*.log\n")
        found = list[Path]()

        def search() -> None:
            files = Files()
            workspace, _ = workspace_for((top,), files, host)
            found.extend(templates(workspace))
            assert not gitignored(found, (top,), files, lambda _: None)

        spent = work(search)
        assert found == [deepest / ".codex/.agents/typo.md"]
        return spent

    searched(10)
    assert searched(200) < 2.5 * searched(100)


def test_many_files_that_are_none_of_our_business_cost_little(tmp_path: Path) -> None:
    """Twenty thousand of them, or five times as many where more is to be tried."""
    put(tmp_path, "typo.md", TYPO)
    count = 1000 if EFFORT > 1 else 200
    for number in range(100):
        folder = tmp_path / f"src/pack{number}"
        folder.mkdir(parents=True)
        for other in range(count):
            (folder / f"f{other}.md").touch()
    with within(60):
        assert scanned(tmp_path)[1] == {"typo.md": ["unknown-key"]}


@posix
def test_a_disk_that_is_full_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    path = put(tmp_path, "a.md", SOUND)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        [(_, reason)] = carry_out([Change(path, SOUND, SOUND * 100, 1)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert reason
    assert path.read_text(encoding="utf-8") == SOUND
    assert [one.name for one in path.parent.iterdir()] == ["a.md"]


def test_a_reader_never_finds_half_of_what_is_written(tmp_path: Path) -> None:
    path = put(tmp_path, "a.md", "a" * 300_000)
    is_over = Event()
    seen: set[bytes] = set()

    def look() -> None:
        while not is_over.is_set():
            data = path.read_bytes()
            seen.add(data[:1] * (len(set(data)) == 1 and len(data) == 300_000))

    reader = Thread(target=look)
    reader.start()
    for turn in range(100):
        write_atomically(path, b"ab"[turn % 2 : turn % 2 + 1] * 300_000, within=())
    is_over.set()
    reader.join()
    assert seen <= {b"a", b"b"}


def test_what_is_created_replaces_nothing(tmp_path: Path) -> None:
    path = put(tmp_path, "a.md")
    link = path.with_name("b.md")
    link.symlink_to("nowhere.md")
    for one in (path, link):
        with pytest.raises(FileExistsError):
            create_atomically(one, b"new\n", within=())
    assert path.read_text(encoding="utf-8") == SOUND
    assert sorted(one.name for one in path.parent.iterdir()) == ["a.md", "b.md"]


@posix
def test_a_fix_keeps_the_mode_and_goes_through_links(tmp_path: Path) -> None:
    path = put(tmp_path, "a.md", SOUND.replace("\n", "\r\n"))
    path.chmod(0o640)
    link = path.with_name("b.md")
    link.symlink_to("a.md")
    write_atomically(link, b"new\r\n", within=())
    assert link.is_symlink()
    assert path.read_bytes() == b"new\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_fix_keeps_owner_and_hard_links(tmp_path: Path) -> None:
    path = put(tmp_path, "a.md", SOUND)
    if hasattr(os, "chown") and os.geteuid() == 0:
        os.chown(path, 12_345, 23_456)
    owner = path.stat().st_uid, path.stat().st_gid
    write_atomically(path, b"new\n", within=())
    assert (path.stat().st_uid, path.stat().st_gid) == owner
    other = path.with_name("b.md")
    other.hardlink_to(path)
    write_atomically(path, b"newer\n", within=())
    assert other.read_bytes() == b"newer\n"
    assert path.stat().st_nlink == 2
    assert sorted(one.name for one in path.parent.iterdir()) == ["a.md", "b.md"]


@pytest.mark.skipif(sys.platform != "linux", reason="extended attributes of Linux")
def test_a_fix_keeps_extended_attributes_and_access_lists(tmp_path: Path) -> None:
    path = put(tmp_path, "a.md", SOUND)
    # An access list by which the user 1234 may read: tag, permissions and user of each entry.
    rights = ((1, 6, -1), (2, 4, 1234), (4, 0, -1), (16, 4, -1), (32, 0, -1))
    access = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in rights)
    try:
        os.setxattr(path, "user.note", b"kept")
        os.setxattr(path, "system.posix_acl_access", access)
    except OSError:
        pytest.skip("this file system has none")
    mode = path.stat().st_mode
    write_atomically(path, b"new\n", within=())
    assert path.read_bytes() == b"new\n"
    assert os.getxattr(path, "user.note") == b"kept"
    assert os.getxattr(path, "system.posix_acl_access") == access
    assert path.stat().st_mode == mode


@pytest.mark.skipif(sys.platform != "linux", reason="access lists of Linux")
def test_a_fix_gives_nobody_the_access_that_a_new_file_would_have(tmp_path: Path) -> None:
    """A folder can have an access list for its new files, which an older file has not."""
    path = put(tmp_path, "a.md", SOUND)
    path.chmod(0o640)
    rights = ((1, 7, -1), (2, 4, 1234), (4, 5, -1), (16, 7, -1), (32, 0, -1))
    access = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in rights)
    try:
        os.setxattr(path.parent, "system.posix_acl_default", access)
    except OSError:
        pytest.skip("this file system has none")
    write_atomically(path, b"new\n", within=())
    assert path.read_bytes() == b"new\n"
    assert "system.posix_acl_access" not in os.listxattr(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_file_with_hard_links_keeps_its_content_if_the_disk_is_full(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    path = put(tmp_path, "a.md", SOUND)
    path.with_name("b.md").hardlink_to(path)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(SOUND) + 10, before[1]))
    try:
        [(_, reason)] = carry_out([Change(path, SOUND, SOUND * 100, 1)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert reason
    assert path.read_text(encoding="utf-8") == SOUND


def test_a_file_that_is_read_only_is_not_written(tmp_path: Path) -> None:
    path = put(tmp_path, "a.md", SOUND)
    path.chmod(0o444)
    [(_, reason)] = carry_out([Change(path, SOUND, TYPO, 1)])
    assert reason == "it is read-only"
    assert path.read_text(encoding="utf-8") == SOUND


# The system kills a process in the middle of a write that makes a file longer than this.
_KILLED = """
import resource, signal
from agent_lsp.__main__ import program
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
program()
"""
_WRITES = {
    "fix": ("check", "--fix", "--no-cache", "."),
    "new": ("new", "scout", "--dialect", "codex-templates"),
    "convert": ("convert", ".codex/.agents/a.md", "--to", "claude", "--scope", "project"),
    "convert to": ("convert", ".codex/.agents/a.md", "--to", "claude", "--output", "b.md"),
    "seed": ("seed", "--write"),
}


@posix
@pytest.mark.parametrize("arguments", _WRITES.values(), ids=_WRITES)
def test_a_command_that_is_killed_in_a_write_leaves_no_half_of_a_file(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    path, home = put(tmp_path, "a.md", TYPO), tmp_path / "home"
    home.mkdir()
    where = {**environment(tmp_path), "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", _KILLED, *arguments]
    ran = subprocess.run(command, cwd=tmp_path, env=where, capture_output=True, check=False)
    assert ran.returncode == -signal.SIGXFSZ, ran.stderr
    others = [one for one in tmp_path.rglob("*") if one.is_file() and one != path]
    # The next write of the same file removes it.
    assert [one.suffix for one in others] == [".agent-template-lsp"]
    assert path.read_text(encoding="utf-8") == TYPO


@pytest.mark.parametrize("write", [write_atomically, create_atomically])
def test_what_a_killed_write_left_behind_is_removed_by_the_next_one(
    write: Callable[..., None], tmp_path: Path
) -> None:
    path = put(tmp_path, "a.md", SOUND)
    if write is create_atomically:
        path.unlink()
    old = path.with_name(".a.md.abc.agent-template-lsp")
    new = path.with_name(".a.md.def.agent-template-lsp")
    for left in (old, new):
        left.write_text("half")
    os.utime(old, (0, 0))
    write(path, b"new\n", within=())
    # Another process may be writing the new one.
    assert sorted(one.name for one in path.parent.iterdir()) == [new.name, "a.md"]


def test_a_file_that_went_meanwhile_is_not_made_again(tmp_path: Path) -> None:
    path = put(tmp_path, "a.md")
    path.unlink()
    [(_, reason)] = carry_out([Change(path, SOUND, TYPO, 1)])
    assert reason
    assert not path.exists()


# What a command reads besides templates, under the name that it has in a repository.
_READ = {
    "baseline": ("known.json", ("check", "--baseline", "known.json")),
    "lock file": ("agent-template-lsp.lock.json", ("convert", "--check")),
    "settings": ("agent-template-lsp.toml", ("check",)),
    "settings that are named": ("own.toml", ("check", "--config", "own.toml")),
    "patterns": (".gitignore", ("check",)),
    "index": (".git/index", ("check",)),
    "configuration": ("opencode.json", ("list", "--dialect", "opencode")),
    "template": (".codex/.agents/b.md", ("check",)),
}


@posix
@pytest.mark.parametrize("kind", ["pipe", "/dev/zero", "/proc/self/environ", "sparse"])
@pytest.mark.parametrize("what", _READ)
def test_no_command_waits_for_or_shows_what_is_no_file(
    what: str, kind: str, tmp_path: Path
) -> None:
    """A link may lead to what has no end, and to what belongs to the process."""
    put(tmp_path, "a.md")
    name, arguments = _READ[what]
    path = tmp_path / name
    (tmp_path / ".git").mkdir()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "sparse":
        with path.open("wb") as stream:
            stream.truncate(1 << 40)
    else:
        path.symlink_to(kind)
    where = {**environment(tmp_path), "AGENT_SECRET": "hidden-from-all"}
    ran = subprocess.run(
        [*ready.program(), *arguments],
        cwd=tmp_path,
        env=where,
        capture_output=True,
        timeout=120,
        check=False,
    )
    said = ran.stdout + ran.stderr
    assert ran.returncode in (0, 1, 2), said
    assert b"Traceback" not in said
    assert b"hidden-from-all" not in said
