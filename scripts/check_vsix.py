"""Checks what is in a built extension: `python -m scripts.check_vsix FILE.vsix …`.

It prints what is wrong. Everything is judged by the file alone, as a marketplace gets it.
"""

import json
import re
import sys
import zipfile
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from scripts.bundle_server import SUFFIXES, is_left_out, pythons
from scripts.stage_vsix import LICENCES

# What an extension may weigh, in bytes.
LARGEST = 35_000_000
# All that may be in one, by its path below `extension/`.
PACKED = (
    *("package.json", "package.nls*.json", "l10n/bundle.l10n*.json"),
    *("readme.md", "changelog.md", "LICENSE.txt", LICENCES),
    *("media/*.png", "media/*.css", "media/agents.svg", "out/*.js", "syntaxes/*.json"),
    *("server/start.py", "bundled/*"),
)
# What the marketplace and Open VSX ask for, or show.
FIELDS = (
    *("name", "displayName", "description", "version", "publisher", "license", "icon", "engines"),
    *("categories", "keywords", "galleryBanner", "pricing", "qna", "l10n"),
)
# These lead to the repository: all of them are there, or none.
ADDRESSES = ("repository", "homepage", "bugs")
COMPILED = ("yaml/_yaml", "pydantic_core/_pydantic_core")
_TARGET = re.compile(
    r"!?\[[^\[\]]*\]\(([^()\s]+)\)|<(?:img|source)\b[^>]*?(?:src|srcset)=\"([^\"]*)"
)
_NAMED = re.compile(r"%([^%\"]+)%")
_MEDIA = re.compile(r"media/[\w.-]+")


def faults(path: Path) -> list[str]:
    """What is wrong with the extension at `path`, a sentence each."""
    with zipfile.ZipFile(path) as packed:
        files = {
            name.removeprefix("extension/"): packed.read(name)
            for name in packed.namelist()
            if name.startswith("extension/")
        }
        about = ET.fromstring(packed.read("extension.vsixmanifest"))  # noqa: S314 # vsce wrote it
    missing = [
        name for name in ("package.json", "package.nls.json", "readme.md") if name not in files
    ]
    if missing:
        return [f"{name} is missing" for name in missing]
    manifest = json.loads(files["package.json"])
    size = path.stat().st_size
    identity = about.find(".//{*}Identity")
    target = "" if identity is None else identity.get("TargetPlatform", "")
    return [
        *([f"it has {size} bytes, more than {LARGEST}"] if size > LARGEST else []),
        *_files(set(files)),
        *_manifest(manifest, files),
        *_server(target, files),
        *(
            f"{name}: {said}"
            for name in ("readme.md", "changelog.md")
            for said in _links(files, name)
        ),
    ]


def _files(names: set[str]) -> Iterator[str]:
    """Those that nobody needs, and texts without their licence."""
    for name in sorted(names):
        unwanted = "__pycache__" in name or is_left_out(name.removeprefix("bundled/"))
        if unwanted or not any(fnmatch(name, pattern) for pattern in PACKED):
            yield f"{name} does not belong into it"
    if "LICENSE.txt" not in names:
        yield "its licence is missing"
    if LICENCES not in names:
        yield "the licences of what is compiled into its scripts are missing"
    packages = {name.split("/")[1] for name in names if ".dist-info/" in name}
    for package in sorted(packages):
        if not any(name.startswith(f"bundled/{package}/licenses/") for name in names):
            yield f"{package} has no licence"


def _manifest(manifest: dict[str, Any], files: dict[str, bytes]) -> Iterator[str]:
    text = json.dumps(manifest)
    yield from (f"package.json has no `{name}`" for name in FIELDS if name not in manifest)
    given = [name for name in ADDRESSES if name in manifest]
    if given and given != list(ADDRESSES):
        yield f"of {ADDRESSES} it has only {given}"
    words = json.loads(files["package.nls.json"])
    for name in sorted(set(_NAMED.findall(text)) - words.keys()):
        yield f"package.nls.json has no `{name}`"
    for name in sorted(words.keys() - set(_NAMED.findall(text))):
        yield f"package.json does not show `{name}`"
    named = {*_MEDIA.findall(text), str(manifest.get("main", "")).removeprefix("./")}
    yield from (
        f"{name}, which package.json names, is missing" for name in sorted(named - files.keys())
    )
    shipped = json.loads(files.get("bundled/version.json", b'""'))
    if shipped != manifest.get("version"):
        yield f"the server is {shipped}, and the extension {manifest.get('version')}"


def _server(target: str, files: dict[str, bytes]) -> Iterator[str]:
    """The modules that are compiled are there for each Python of the platform, and no others."""
    if target not in SUFFIXES:
        yield f"it is for the platform `{target}`, which is none"
        return
    versions = pythons(target)
    if json.loads(files.get("bundled/pythons.json", b"[]")) != versions:
        yield f"bundled/pythons.json does not name {versions}"
    endings = [SUFFIXES[target].format(version.replace(".", "")) for version in versions]
    wanted = {f"bundled/{module}{ending}" for module in COMPILED for ending in endings}
    compiled = {name for name in files if name.endswith((".so", ".pyd", ".dylib", ".dll"))}
    yield from (f"{name} is missing" for name in sorted(wanted - compiled))
    yield from (f"{name} is for another platform" for name in sorted(compiled - wanted))


def _links(files: dict[str, bytes], name: str) -> Iterator[str]:
    """Links and pictures that lead nowhere from where the page is shown."""
    if name not in files:
        yield "it is missing"
        return
    for link, picture in _TARGET.findall(files[name].decode()):
        target = link or picture
        if not target.startswith(("https://", "#")):
            yield f"{target} leads nowhere"


def main(names: list[str]) -> int:
    """Prints the faults of each file, or its size; 1 if there are any faults."""
    found = {name: faults(Path(name)) for name in names}
    for name, said in found.items():
        for one in said:
            print(f"{name}: {one}", file=sys.stderr)
        if not said:
            print(f"{name}: {Path(name).stat().st_size / 1e6:.1f} MB, as it should be")
    return int(any(found.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
