"""The text in the editor has precedence over the disk."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from agent_lsp.workspace.disk import Disk
from agent_lsp.workspace.files import MAX_BYTES, Files, SourceFile
from agent_lsp.workspace.memo import Lifetime, Memo


def test_a_text_keeps_its_line_ends_and_its_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n")

    assert Files().read(path) == SourceFile(path, "\ufeffa\r\nb\rc\n", bom=True)


def test_a_missing_file_and_a_folder_are_no_file(tmp_path: Path) -> None:
    assert Files().read(tmp_path / "missing.md") is None
    assert Files().read(tmp_path) is None


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"ok \xff", "not UTF-8: byte 3 does not decode"),
        (b"\x80", "not UTF-8: byte 0 does not decode"),
    ],
)
def test_a_file_that_cannot_be_read_has_a_problem(
    data: bytes, problem: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(data)

    file = Files().read(path)

    assert file == SourceFile(path, "", problem=problem, unsure=True)
    assert file.is_passed_over


def test_an_open_text_that_is_too_large_stays_so_after_changes_on_disk(
    tmp_path: Path,
) -> None:
    path, files = tmp_path / "a.md", Files()
    files.open(path, "x" * (MAX_BYTES + 1), 1)
    files.changed(path)
    assert files.read(path) == SourceFile(
        path, "", problem="larger than 1 MB", too_large=True, version=1
    )


def test_a_file_too_large_only_for_us_is_not_skipped(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"x" * (MAX_BYTES + 1))

    file = Files().read(path)

    assert file == SourceFile(path, "", problem="larger than 1 MB", too_large=True)
    assert not file.is_passed_over


def test_a_path_that_no_file_system_accepts_raises_nothing() -> None:
    assert not Files().exists(Path("/\0"))
    file = Files().read(Path("/\0"))
    assert file is not None
    assert file.problem is not None


def test_the_editors_text_counts_until_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("disk", encoding="utf-8")
    files = Files()

    files.open(path, "editor", 3)
    assert files.read(path) == SourceFile(path, "editor", version=3)
    files.close(path)
    assert files.read(path) == SourceFile(path, "disk")


def test_a_byte_order_mark_that_the_editor_removes_is_remembered(tmp_path: Path) -> None:
    """Editors do not show the mark and write it back, so the runtime sees it."""
    path = tmp_path / "a.md"
    path.write_bytes(b"\xef\xbb\xbfa")
    files = Files()

    files.open(path, "a")
    assert files.read(path) == SourceFile(path, "a", bom=True)
    path.write_bytes(b"a")
    files.changed(path)
    assert files.read(path) == SourceFile(path, "a")


def test_the_disk_state_is_stored_until_a_change_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("old", encoding="utf-8")
    files = Files()
    assert files.read(path) == SourceFile(path, "old")
    assert files.entries(tmp_path) == ("a.md",)

    path.write_text("new", encoding="utf-8")
    (tmp_path / "b.md").write_text("", encoding="utf-8")
    assert files.read(path) == SourceFile(path, "old")
    assert files.entries(tmp_path) == ("a.md",)
    files.changed(path)
    assert files.read(path) == SourceFile(path, "new")
    assert files.entries(tmp_path) == ("a.md", "b.md")


def test_refresh_forgets_the_state_of_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("old", encoding="utf-8")
    files = Files()
    files.open(tmp_path / "open.md", "held")
    files.read(path)
    files.entries(tmp_path)

    path.write_text("new", encoding="utf-8")
    (tmp_path / "b.md").write_text("", encoding="utf-8")
    files.refresh()

    assert files.read(path) == SourceFile(path, "new")
    assert files.entries(tmp_path) == ("a.md", "b.md", "open.md")
    assert files.read(tmp_path / "open.md") == SourceFile(tmp_path / "open.md", "held")


def test_entries_are_files_links_to_files_and_unsaved_files_in_order(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "b").write_text("", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "b")
    (tmp_path / "broken").symlink_to(tmp_path / "nowhere")
    (tmp_path / "folder-link").symlink_to(tmp_path / "folder")
    os.mkfifo(tmp_path / "pipe")
    files = Files()
    files.open(tmp_path / "Z", "unsaved")

    assert files.entries(tmp_path) == ("Z", "b", "broken", "link", "pipe")
    assert files.entries(tmp_path / "missing") == ()


def test_a_broken_link_has_a_problem(tmp_path: Path) -> None:
    for name, target in (("a.md", "nowhere"), ("b.md", "c.md/d.md"), ("loop.md", "loop.md")):
        (tmp_path / name).symlink_to(target)
    (tmp_path / "c.md").write_text("", encoding="utf-8")
    files = Files()

    for name in ("a.md", "b.md"):
        file = files.read(tmp_path / name)
        assert file == SourceFile(
            tmp_path / name, "", problem="a link to a file that does not exist"
        )
        assert file.is_passed_over
    loop = files.read(tmp_path / "loop.md")
    assert loop is not None
    assert loop.is_passed_over
    assert files.read(tmp_path / "c.md/e.md") is None


def test_a_pipe_or_a_device_is_not_opened(tmp_path: Path) -> None:
    """Reading a pipe without a writer would take forever."""
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "zero.md").symlink_to("/dev/zero")
    files = Files()

    for name in ("pipe.md", "zero.md"):
        path = tmp_path / name
        assert files.read(path) == SourceFile(path, "", problem="not a regular file", unsure=True)
        files.open(path, "x")
        assert files.read(path) == SourceFile(path, "x")


def test_all_paths_of_a_place_have_one_real_path(tmp_path: Path) -> None:
    real = tmp_path / "real/deep"
    real.mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "again").symlink_to("link/deep")
    (tmp_path / "loop").symlink_to("loop/x")
    files = Files()

    for name in ("real/deep", "link/deep", "again", "link/deep/.."):
        assert files.real(tmp_path / name) == Path(os.path.realpath(tmp_path / name))
    assert files.real(tmp_path / "link/deep/missing/a") == real / "missing/a"
    assert files.real(Path("/")) == Path("/")
    assert files.real(tmp_path / "loop/y").name == "y"
    assert files.real(Path("/\0")) == Path("/\0")


def test_a_link_with_a_new_target_is_followed_again(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("a")
    files = Files()
    assert files.real(link / "x") == tmp_path / "a/x"

    link.unlink()
    link.symlink_to("b")
    files.changed(link)

    assert files.real(link / "x") == tmp_path / "b/x"


def test_a_folder_without_read_permission_is_stored_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    files = Files()
    with monkeypatch.context() as patched:
        patched.setattr(os, "scandir", refuse)
        assert files.entries(tmp_path) == ()
        assert files.locked() == {tmp_path: "Permission denied"}
    files.refresh()

    files.entries(tmp_path)
    assert files.locked() == {}


ABOUT = {lifetime: Memo[str](lifetime) for lifetime in Lifetime}


def kept(files: Files, path: Path, change: Callable[[], None]) -> set[Lifetime]:
    """The lifetimes whose answers about `path`, its folder or the tree survive `change`."""
    places = {Lifetime.TREE: None, Lifetime.TEXT: path}
    for lifetime, memo in ABOUT.items():
        memo.keep(files, places.get(lifetime, path.parent), "key", "old")
    change()
    return {
        lifetime
        for lifetime, memo in ABOUT.items()
        if memo.peek(files, places.get(lifetime, path.parent), "key") == "old"
    }


def test_a_memo_keeps_an_answer_for_its_lifetime(tmp_path: Path) -> None:
    path, files = tmp_path / "a.md", Files()
    path.write_text("old", encoding="utf-8")
    files.read(path)
    of_tree, of_listing = {Lifetime.TREE}, {Lifetime.TREE, Lifetime.LISTING}
    assert kept(files, path, lambda: files.rewritten(path)) == of_listing
    assert kept(files, path, lambda: files.changed(path)) == set()
    # Opening an existing file keeps the answers about the tree, but not about its folder.
    assert kept(files, path, lambda: files.open(path, "new")) == of_tree
    # While it is open, no answer depends on its closed text.
    assert kept(files, path, lambda: files.open(path, "newer")) == {
        *of_listing,
        Lifetime.CLOSED_TEXTS,
    }
    assert kept(files, path, lambda: files.close(path)) == set()
    assert kept(files, path, files.refresh) == set()
    assert kept(files, path, lambda: files.refresh({tmp_path})) == {Lifetime.TEXT}


@pytest.mark.parametrize("name", ["c.md", "new/a.md"])
def test_a_file_that_exists_only_in_the_editor_changes_the_tree(name: str, tmp_path: Path) -> None:
    files = Files()
    memo = ABOUT[Lifetime.TREE]
    for change in (files.open, lambda path, _: files.close(path)):
        memo.keep(files, None, "key", "old")
        change(tmp_path / name, "")
        assert memo.peek(files, None, "key") is None


def test_a_memo_makes_a_new_answer_for_another_basis() -> None:
    files, memo, asked = Files(), Memo[str](Lifetime.TREE), list[str]()
    for basis, new in (((1,), "a"), ((1,), "b"), ((2,), "c"), ((1,), "d")):
        asked.append(memo.get(files, None, "key", partial(str, new), basis=basis))
    assert asked == ["a", "a", "c", "d"]
    assert memo.peek(files, None, "key", basis=(2,)) is None


def test_a_memo_compares_an_equal_basis_once() -> None:
    compared = list[object]()

    class Part:
        def __eq__(self, other: object) -> bool:
            compared.append(other)
            return isinstance(other, Part)

        __hash__ = None  # type: ignore[assignment]

    files, memo, before, now = Files(), Memo[str](Lifetime.TREE), Part(), Part()
    for part in (before, now, now, now):
        assert memo.get(files, None, "key", str, basis=(part,)) == ""
    assert len(compared) == 1


def test_answers_about_a_supposed_text_are_stored_separately(tmp_path: Path) -> None:
    path, beside = tmp_path / "a.md", tmp_path / "b.md"
    for one in (path, beside):
        one.write_text("old", encoding="utf-8")
    files, memo = Files(), ABOUT[Lifetime.TEXT]
    for one in (path, beside):
        memo.keep(files, one, "key", "old")

    supposed = files.supposing(path, "new")

    assert memo.get(supposed, path, "key", lambda: "new") == "new"
    assert [memo.peek(files, one, "key") for one in (path, beside)] == ["old", "old"]
    assert memo.peek(supposed, beside, "key") == "old"


def test_the_walk_enters_no_links_and_no_build_folders(tmp_path: Path) -> None:
    for name in ("a/b", ".git/c", "node_modules/d"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "loop").symlink_to(tmp_path)

    assert list(Files().walk(tmp_path)) == [tmp_path, tmp_path / "a", tmp_path / "a/b"]


def test_the_disk_is_asked_once_about_a_name_and_never_below_a_missing_folder(
    tmp_path: Path,
) -> None:
    asked: list[str] = []

    class Told(Disk):
        def status(self, path: Path, *, is_followed: bool = True) -> os.stat_result:
            asked.append(path.name)
            return super().status(path, is_followed=is_followed)

    (tmp_path / "there").mkdir()
    files, missing = Files(Told()), tmp_path / "missing"
    for path in (tmp_path / "there", missing / "deep/a.md"):
        assert files.real(path) == files.spelt(path) == path.resolve()
        assert files.is_folder(path) is path.is_dir()
    assert [asked.count(name) for name in ("missing", "deep", "a.md")] == [1, 0, 0]
    (missing / "deep").mkdir(parents=True)
    files.changed(missing)
    assert files.is_folder(missing / "deep")


def test_nothing_is_asked_below_what_does_not_exist(tmp_path: Path) -> None:
    asked: list[Path] = []

    class Told(Disk):
        def status(self, path: Path, *, is_followed: bool = True) -> os.stat_result:
            asked.append(path)
            return super().status(path, is_followed=is_followed)

    files, nowhere = Files(Told()), tmp_path / "nowhere"
    nowhere.symlink_to(tmp_path / "gone")
    (tmp_path / "file").touch()
    for top in (nowhere, tmp_path / "missing"):
        assert not any(files.exists(path) for path in (top, top / "a", top / "a/b", top / "a/b/c"))
    assert asked == [nowhere, tmp_path / "missing"]
    assert files.exists(tmp_path / "file")
    assert not files.exists(tmp_path / "file/a")
    # A missing folder is no part of the way to another one, which Windows sees in the same way.
    assert files.exists(tmp_path / "missing/..") is (tmp_path / "missing/..").exists()

    # The link itself is there, and is one still after it leads somewhere.
    assert files.real(nowhere) == files.real(tmp_path / "gone")
    (tmp_path / "gone/a").mkdir(parents=True)
    files.changed(tmp_path / "gone")
    assert files.is_folder(nowhere / "a")
