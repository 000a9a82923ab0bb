"""Functions on the text of paths agree with the operating system of the path."""

from pathlib import PurePath, PurePosixPath, PureWindowsPath

import pytest

from agent_lsp.workspace.paths import (
    before,
    below,
    ends_with,
    folded,
    from_folder,
    holds,
    is_on_other_share,
    may_be_called,
)

W, P = PureWindowsPath, PurePosixPath


@pytest.mark.parametrize(
    ("folder", "path", "is_held"),
    [
        (W("C:/Code"), W("c:/code/a"), True),
        (W("C:/Code"), W("C:\\CODE"), True),
        (W("C:/Code"), W("D:/Code/a"), False),
        (W("C:/Code"), W("C:/Coders/a"), False),
        (W("C:/"), W("c:/a"), True),
        (W("//Server/Share"), W("//server/share/a"), True),
        (W("//Server/Share"), W("//server/other/a"), False),
        (W("//Server/Share"), W("C:/a"), False),
        (W("C:/a/b"), W("C:/a"), False),
        (P("/Code"), P("/Code/a"), True),
        (P("/Code"), P("/code/a"), False),
        (P("/"), P("/a"), True),
        (P("/a\\"), P("/a\\/b"), True),
        (P("/a\\"), P("/a\\b"), False),
        (P("/c:"), P("/C:/a"), False),
    ],
)
def test_holds_compares_paths_as_the_operating_system_does(
    folder: PurePath, path: PurePath, *, is_held: bool
) -> None:
    assert holds(folder, path) is is_held
    # `below` does not accept the folder itself.
    assert below(folder)(path) is (is_held and folder != path)


@pytest.mark.parametrize(
    ("folder", "relative", "is_end"),
    [
        (W("c:/w/.Codex/Agents"), ".codex/agents", True),
        (W("c:\\w\\.codex\\agents"), ".codex/agents", True),
        (W("//server/share/.codex/agents"), ".codex/agents", True),
        (W("c:/w/x.codex/agents"), ".codex/agents", False),
        (W("c:/agents"), ".codex/agents", False),
        (P("/w/.codex/agents"), ".codex/agents", True),
        (P("/w/.Codex/agents"), ".codex/agents", False),
        (P("/w/.codex\\agents"), ".codex/agents", False),
    ],
)
def test_ends_with_compares_paths_as_the_operating_system_does(
    folder: PurePath, relative: str, *, is_end: bool
) -> None:
    assert ends_with(folder, relative) is is_end


def test_before_returns_the_folder_before_the_ending() -> None:
    assert before(W("C:/w/.Codex/agents"), ".codex/agents") == W("c:/W")
    assert before(W("//s/share/agents"), "agents") == W("//s/share/")
    assert before(P("/w/.codex/agents"), ".codex/agents") == P("/w")


@pytest.mark.parametrize(
    ("path", "base", "named"),
    [
        (W("C:/w/a/b.md"), W("c:/W"), "a\\b.md"),
        (W("C:/w/b.md"), W("C:/w/a/c"), "..\\..\\b.md"),
        (W("C:/w"), W("C:/w"), "."),
        # No relative path leads to another drive, or from a share to a disk.
        (W("D:/w/b.md"), W("C:/w"), "D:\\w\\b.md"),
        (W("//server/share/b.md"), W("C:/w"), "\\\\server\\share\\b.md"),
        (W("//Server/share/b.md"), W("//server/Share/w"), "..\\b.md"),
        (P("/w/a/b.md"), P("/w"), "a/b.md"),
        (P("/v/b.md"), P("/w"), "../v/b.md"),
        (P("/w"), P("/w"), "."),
    ],
)
def test_a_path_is_relative_unless_it_is_on_another_disk(
    path: PurePath, base: PurePath, named: str
) -> None:
    assert from_folder(path, base) == named


@pytest.mark.parametrize(
    ("name", "on_windows", "elsewhere"),
    [
        ("a.md", True, True),
        ("a b.md", True, True),
        ("console.md", True, True),
        ("com.md", True, True),
        # On Windows the first is a stream of a file `a`, and the second a device.
        ("a:b.md", False, True),
        ("Con.md", False, True),
        ("com1 .x.md", False, True),
        ("a?.md", False, True),
        ("a\\b.md", False, True),
        ("a.", False, True),
        ("a\t.md", False, True),
        ("", False, False),
        ("..", False, False),
        ("a/b.md", False, False),
        ("a\0.md", False, False),
    ],
)
def test_names_that_no_file_can_have_are_rejected(
    name: str, *, on_windows: bool, elsewhere: bool
) -> None:
    assert may_be_called(name, W("C:/w")) is on_windows
    assert may_be_called(name, P("/w")) is elsewhere


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Agents", "aGENTS"),
        ("caf\u00e9", "cafe\u0301"),
        ("CAF\u00c9", "cafe\u0301"),
        ("STRASSE", "stra\u00dfe"),
    ],
)
def test_names_that_a_disk_may_equate_are_folded_to_one(one: str, other: str) -> None:
    """Disks of macOS ignore case and the encoding of accents."""
    assert folded(one) == folded(other)
    assert folded("a-b") != folded("a_b")


def test_a_share_of_windows_is_another_place_unless_the_repository_is_on_it() -> None:
    share, local = PureWindowsPath("//server/share/agents"), PureWindowsPath("C:/repository")
    assert is_on_other_share(share, local)
    assert is_on_other_share(PureWindowsPath("//?/UNC/server/share/agents"), local)
    assert not is_on_other_share(share, PureWindowsPath("//SERVER/share/repository"))
    assert not is_on_other_share(PureWindowsPath("D:/agents"), local)
    assert not is_on_other_share(PurePosixPath("//server/share"), PurePosixPath("/repository"))


@pytest.mark.parametrize("name", ["CONIN$", "conout$.md", "COM\xb9", "lpt\xb3.md", "AUX", "nul.md"])
def test_the_names_of_devices_are_no_names_of_files_on_windows(name: str) -> None:
    assert not may_be_called(name, PureWindowsPath("C:/agents"))
