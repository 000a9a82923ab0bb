"""A release has one version everywhere, and nothing is missing in it."""

import datetime as dt
import re
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest

from scripts.bundle_server import TARGETS
from scripts.published import ROOT
from scripts.release import (
    CHANGELOGS,
    VERSIONS,
    notes,
    packaged_version,
    version_of,
    write_version,
    wrong,
)

TODAY = dt.date(2026, 11, 29)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files of a checkout that a release writes, of a repository without an address."""
    monkeypatch.setenv("REPOSITORY", "")
    for name in (*CHANGELOGS, *VERSIONS):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy2(ROOT / name, tmp_path / name)
    for name in CHANGELOGS:
        text = "# Log\n\n## 0.2.0 (not released yet)\n\n- New ([more](a.md)).\n"
        old = "\n## 0.1.0 (2026-01-02)\n\n- Old.\n"
        (tmp_path / name).write_text(text + old, encoding="utf-8")
    return tmp_path


def test_the_version_and_the_date_are_written_everywhere(root: Path) -> None:
    assert version_of(root) == "0.2.0"
    write_version(root, "0.2.0", TODAY)
    for name, line in VERSIONS.items():
        [(_, version, _)] = line.findall((root / name).read_text("utf-8"))
        assert version == "0.2.0"
    for name in CHANGELOGS:
        assert "## 0.2.0 (2026-11-29)\n" in (root / name).read_text("utf-8")
    assert notes(root, "0.2.0") == "- New (more).\n"
    assert notes(root, "0.1.0") == "- Old.\n"
    assert version_of(root, some=True) == "0.2.0"
    with pytest.raises(SystemExit, match="the first heading is not"):
        version_of(root)


def test_two_versions_or_no_notes_are_no_release(root: Path) -> None:
    with pytest.raises(SystemExit, match="says nothing of"):
        notes(root, "0.3.0")
    other = root / CHANGELOGS[1]
    other.write_text(other.read_text("utf-8").replace("0.2.0", "0.2.1"), encoding="utf-8")
    with pytest.raises(SystemExit, match=r"the versions 0\.2\.0 and 0\.2\.1"):
        version_of(root)


def test_the_checkout_has_one_version() -> None:
    version_of(ROOT, some=True)
    heading = re.compile(rf"^## {re.escape(packaged_version(ROOT))} \(", re.MULTILINE)
    for name in CHANGELOGS:
        assert heading.search((ROOT / name).read_text("utf-8")), name


def test_packages_keep_their_version_until_the_next_release(root: Path) -> None:
    write_version(root, "0.1.9", TODAY)
    assert packaged_version(root) == "0.1.9"
    package = root / "vscode-client/package.json"
    package.write_text(package.read_text("utf-8").replace("0.1.9", "0.1.8"), encoding="utf-8")
    with pytest.raises(SystemExit, match=r"the versions 0\.1\.9 and 0\.1\.8"):
        packaged_version(root)


def test_what_is_missing_in_a_release_is_found(tmp_path: Path) -> None:
    said = wrong(tmp_path, "0.2.0", some=False)
    assert len(said) == 2 + len(TARGETS)
    with zipfile.ZipFile(tmp_path / "agent_template_lsp-0.2.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("agent_template_lsp-0.2.0.dist-info/METADATA", "[a](b.md) [c](https://d.e)")
    with tarfile.open(tmp_path / "agent_template_lsp-0.2.0.tar.gz", "w:gz") as source:
        source.add(ROOT / "LICENSE", "agent_template_lsp-0.2.0/LICENSE")
    with zipfile.ZipFile(tmp_path / "agent-templates-linux-x64.vsix", "w") as extension:
        extension.writestr("extension.vsixmanifest", '<a Version="0.1.0"/>')
    assert len(wrong(tmp_path, "0.2.0", some=False)) == len(TARGETS) - 1
    said = wrong(tmp_path, "0.2.0", some=True)
    for one in (
        "any.whl: b.md leads nowhere",
        "0.2.0.tar.gz: CHANGELOG.md is missing",
        "linux-x64.vsix: package.json is missing",
        "linux-x64.vsix is not of the version 0.2.0",
    ):
        assert [line for line in said if line.endswith(one)], one
    (tmp_path / "agent-templates-amiga.vsix").write_bytes(b"")
    assert "agent-templates-amiga.vsix does not belong to 0.2.0" in wrong(
        tmp_path, "0.2.0", some=True
    )


def test_every_change_is_made_with_a_dry_run_of_a_release() -> None:
    script = (ROOT / ".ci/run").read_text("utf-8")
    assert "make release " in script
    assert "--dry-run" in script
