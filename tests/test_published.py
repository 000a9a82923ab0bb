"""What is built has no link that leads nowhere, whether or not the repository has an address."""

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.bundle_server import PYTHONS, SUFFIXES, TARGETS, is_left_out, pythons
from scripts.check_vsix import COMPILED, faults
from scripts.published import ROOT, links, page
from scripts.stage_vsix import CLIENT, LICENCES, PACKED, licences, manifest

ADDRESS = "https://host.example/owner/name"
TARGET = "linux-x64"
Files = dict[str, bytes]


@pytest.fixture(scope="module")
def built() -> Files:
    """An extension without an address, but for the packages in it, which are empty."""
    endings = [SUFFIXES[TARGET].format(one.replace(".", "")) for one in pythons(TARGET)]
    source = json.loads((CLIENT / "package.json").read_text("utf-8"))
    made = manifest(source, "")
    shown = {
        file.relative_to(CLIENT).as_posix(): file.read_bytes()
        for pattern in PACKED
        if not pattern.startswith(("bundled", "out"))
        for file in CLIENT.glob(pattern)
    }
    return {
        **shown,
        "package.json": json.dumps(made).encode(),
        "readme.md": page(CLIENT / "README.md", "").encode(),
        "changelog.md": shown.pop("CHANGELOG.md"),
        "LICENSE.txt": b"MIT",
        LICENCES: b"MIT",
        "out/extension.js": b"",
        **{f"bundled/{name}{ending}": b"" for name in COMPILED for ending in endings},
        "bundled/pythons.json": json.dumps(pythons(TARGET)).encode(),
        "bundled/version.json": json.dumps(made["version"]).encode(),
        "bundled/a-1.dist-info/METADATA": b"",
        "bundled/a-1.dist-info/licenses/LICENSE": b"",
    }


def write(folder: Path, files: Files, target: str = TARGET) -> Path:
    path = folder / "made.vsix"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr(
            "extension.vsixmanifest", f'<a xmlns="b"><Identity TargetPlatform="{target}"/></a>'
        )
        for name, data in files.items():
            if name not in {"CHANGELOG.md", "LICENSE"}:
                packed.writestr(f"extension/{name}", data)
    return path


def test_the_extension_is_as_it_should_be(built: Files, tmp_path: Path) -> None:
    assert faults(write(tmp_path, built)) == []


def changed(name: str, old: str, new: str) -> Callable[[Files], Files]:
    return lambda files: files | {name: files[name].replace(old.encode(), new.encode())}


def added(name: str) -> Callable[[Files], Files]:
    return lambda files: files | {name: b""}


def without(name: str) -> Callable[[Files], Files]:
    return lambda files: {key: data for key, data in files.items() if key != name}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (added("bundled/pydantic/v1/main.py"), "pydantic/v1/main.py does not belong"),
        (added("bundled/a-1.dist-info/sboms/a.json"), "sboms/a.json does not belong"),
        (added("src/extension.ts"), "src/extension.ts does not belong"),
        (added("bundled/b-1.dist-info/METADATA"), "b-1.dist-info has no licence"),
        (added("bundled/yaml/_yaml.cp314-win_amd64.pyd"), "is for another platform"),
        (
            without("bundled/yaml/_yaml.cpython-314-x86_64-linux-gnu.so"),
            "-314-x86_64-linux-gnu.so is",
        ),
        (without("media/icon.png"), "media/icon.png, which package.json names, is missing"),
        (without("media/write-dark.png"), "media/write-dark.png, which package.json names"),
        (without("out/extension.js"), "out/extension.js, which package.json names, is missing"),
        (without("readme.md"), "readme.md is missing"),
        (without("LICENSE.txt"), "its licence is missing"),
        (without(LICENCES), "the licences of what is compiled into its scripts are missing"),
        (changed("readme.md", "# Agent Templates", "[here](docs/a.md)"), "docs/a.md leads nowhere"),
        (changed("readme.md", "# Agent Templates", '<img src="a.png">'), "a.png leads nowhere"),
        (changed("package.json", '"qna"', '"bugs"'), "of ('repository', 'homepage', 'bugs')"),
        (changed("package.json", '"galleryBanner"', '"banner"'), "no `galleryBanner`"),
        (changed("package.json", "%displayName%", "%name%"), "package.nls.json has no `name`"),
        (changed("bundled/version.json", "0.", "1."), "the server is 1."),
        (changed("bundled/pythons.json", "3.14", "3.99"), "pythons.json does not name"),
    ],
)
def test_what_is_wrong_with_a_built_extension_is_found(
    change: Callable[[Files], Files], said: str, built: Files, tmp_path: Path
) -> None:
    assert said in "\n".join(faults(write(tmp_path, change(built))))


def test_an_extension_for_no_platform_is_found(built: Files, tmp_path: Path) -> None:
    assert "it is for the platform ``" in faults(write(tmp_path, built, ""))[0]


@pytest.mark.parametrize("path", [ROOT / "README.md", CLIENT / "README.md"])
def test_a_page_has_no_link_to_a_file_beside_it(path: Path) -> None:
    beside = re.compile(r"\]\((?!https://|#)|(?:src|srcset)=\"(?!https://)")
    assert beside.search(path.read_text("utf-8")), "so that the test can fail"
    assert not beside.search(page(path, ""))
    there = page(path, ADDRESS)
    assert not beside.search(there)
    for target in re.findall(rf"{ADDRESS}/(?:blob|raw)/HEAD/([^#)\"]+)", there):
        assert (ROOT / target).exists(), target


def test_a_page_keeps_its_words_without_an_address(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    text = "[![icon](i.png) a](b.md), [c](https://c.example), [d](#d).\n```\n[e](e.md)\n```\n"
    file.write_text(text, encoding="utf-8")
    kept = " a, [c](https://c.example), [d](#d).\n```\n[e](e.md)\n```\n"
    assert page(file, "") == kept


def test_each_package_in_the_scripts_brings_its_licence(tmp_path: Path) -> None:
    needs = {"own": ["a", "b"], "a": ["c"], "b": ["c"], "c": [], "unused": []}
    for name, others in needs.items():
        folder = tmp_path if name == "own" else tmp_path / "node_modules" / name
        folder.mkdir(parents=True, exist_ok=True)
        about = {"name": name, "version": "1.0.0", "dependencies": dict.fromkeys(others, "*")}
        (folder / "package.json").write_text(json.dumps(about), encoding="utf-8")
        (folder / "License.txt").write_text(f"Licence of {name}", encoding="utf-8")
    text = licences(tmp_path)
    assert re.findall("Licence of (.*)", text) == ["a", "b", "c"]
    (tmp_path / "node_modules" / "c" / "License.txt").unlink()
    with pytest.raises(FileNotFoundError, match="c has no licence"):
        licences(tmp_path)


def test_the_manifest_has_all_addresses_or_none() -> None:
    names = ("repository", "homepage", "bugs")
    bare = manifest({"name": "a", "private": True, "scripts": {}}, "")
    assert bare == {"name": "a", "qna": False}
    made = manifest({"name": "a"}, ADDRESS)
    assert all(ADDRESS in json.dumps(made[name]) for name in (*names, "qna"))
    assert links("") == {}
    assert all(url.startswith(ADDRESS) for url in links(ADDRESS).values())


def test_the_address_stands_in_one_place() -> None:
    """Nothing else that is built names the repository, so nothing else has to be changed."""
    for name in ("vscode-client/package.json", "README.md", "vscode-client/README.md"):
        text = (ROOT / name).read_text("utf-8")
        assert not re.search(r'"(repository|bugs|homepage|qna)"', text), name


def test_the_bundle_serves_every_version_that_the_package_names() -> None:
    named = re.findall(r"Python :: (3\.\d+)\"", (ROOT / "pyproject.toml").read_text("utf-8"))
    assert set(named) <= set(PYTHONS)
    assert TARGETS.keys() == SUFFIXES.keys()


def test_what_runs_is_not_left_out_of_the_bundle() -> None:
    kept = (
        "agent_lsp/__main__.py",
        "pydantic/main.py",
        "pydantic/plugin/_loader.py",
        "attr/_make.py",
    )
    assert [name for name in kept if is_left_out(name)] == []
    left = ("attr/__init__.pyi", "pydantic/v1/main.py", "a-1.dist-info/sboms/a.json", "cattr/a.py")
    assert [name for name in left if not is_left_out(name)] == []
