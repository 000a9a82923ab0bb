"""Makes everything of a release, up to the upload: `python -m scripts.release`, or `make release`.

The version is that of the first heading in `CHANGELOG.md`, which says "not released yet". The
version and the date are written where they belong; the wheel, the source distribution and the
extension for every platform are built and checked; lists of parts (CycloneDX), notes and checksums
are written; and the result is committed and tagged. What fails leaves the checkout as it was.

A dry run writes nothing into the checkout, and takes what is built already. Its version is that of
the packages as they are, since only a release writes the one of the changelog into them.
"""

import argparse
import datetime as dt
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

from scripts.bundle_server import TARGETS
from scripts.check_vsix import faults
from scripts.published import ROOT, address, page
from scripts.stage_vsix import CLIENT, compiled_in

CHANGELOGS = (Path("CHANGELOG.md"), Path("vscode-client/CHANGELOG.md"))
# Where the version stands, and the line that it stands in.
VERSIONS = {
    Path("agent_lsp/__init__.py"): re.compile(r'^(__version__ = ")([^"]+)(")$', re.MULTILINE),
    Path("vscode-client/package.json"): re.compile(r'^(  "version": ")([^"]+)(",)$', re.MULTILINE),
}
_HEADING = re.compile(r"^## (\d+\.\d+\.\d+) \((not released yet|\d{4}-\d\d-\d\d)\)$", re.MULTILINE)
_UNRELEASED = "not released yet"
_RELATIVE_LINK = re.compile(r"\]\((?!https://|#)([^()\s]+)\)")


def main() -> None:
    """Makes the release, or ends with what is in its way."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="for the result")
    parser.add_argument("--dry-run", action="store_true", help="write nothing into the checkout")
    parser.add_argument(
        "--built",
        type=Path,
        action="append",
        help="a folder to take from, if not --dist",
    )
    arguments = parser.parse_args()
    planned = version_of(ROOT, some=arguments.dry_run)
    version = packaged_version(ROOT) if arguments.dry_run else planned
    folder = arguments.dist.resolve() / f"release-{version}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if arguments.dry_run:
        for path in arguments.built or [arguments.dist]:
            for file in [*path.glob("*.whl"), *path.glob("*.tar.gz"), *path.glob("*.vsix")]:
                shutil.copy2(file, folder)
        finish(folder, version, notes(ROOT, planned), some=True)
        return
    if _output("git", "status", "--porcelain"):
        sys.exit("the checkout has changes that are not committed")
    if _output("git", "tag", "--list", f"v{version}"):
        sys.exit(f"there is a tag v{version} already")
    write_version(ROOT, version, dt.datetime.now(dt.UTC).date())
    try:
        build(folder)
        finish(folder, version, notes(ROOT, version))
        _run("git", "commit", "--quiet", "--all", "--message", f"Release {version}")
        # Annotated, or `git push --follow-tags` would leave it here.
        _run("git", "tag", "--annotate", "--message", f"Release {version}", f"v{version}")
    except BaseException:
        _run("git", "checkout", "--quiet", "--", ".")
        raise


def version_of(root: Path, *, some: bool = False) -> str:
    """The version that the first headings of both changelogs name, as one that is not released.

    `some`: it may be released.
    """
    found = []
    for name in CHANGELOGS:
        heading = _HEADING.search((root / name).read_text("utf-8"))
        if heading is None or not (some or heading[2] == _UNRELEASED):
            sys.exit(f"{name}: the first heading is not `## <version> ({_UNRELEASED})`")
        found.append(heading[1])
    if len(set(found)) > 1:
        sys.exit(f"the changelogs name the versions {' and '.join(found)}")
    return found[0]


def packaged_version(root: Path) -> str:
    """The version that both packages have now, which is that of the last release until the next."""
    found = [
        number
        for name, line in VERSIONS.items()
        for _, number, _ in line.findall((root / name).read_text("utf-8"))
    ]
    if len(found) != len(VERSIONS) or len(set(found)) > 1:
        sys.exit(f"the packages have the versions {' and '.join(found)}")
    return found[0]


def write_version(root: Path, version: str, date: dt.date) -> None:
    """Writes the version into the packages, and the date into the changelogs."""
    for name, line in VERSIONS.items():
        text, times = line.subn(rf"\g<1>{version}\g<3>", (root / name).read_text("utf-8"))
        if times != 1:
            sys.exit(f"{name} has {times} lines with a version")
        _write(root / name, text)
    for name in CHANGELOGS:
        text = (root / name).read_text("utf-8").replace(f"({_UNRELEASED})", f"({date})", 1)
        _write(root / name, text)


def build(folder: Path) -> None:
    """Builds the wheel from the source distribution, and the extension from the wheel."""
    _run(sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT))
    [wheel] = folder.glob("*.whl")
    variables = {"PYTHON": sys.executable, "DIST": str(folder), "WHEEL": str(wheel)}
    _run("scripts/vsix", "all", variables=variables)


def finish(folder: Path, version: str, said_of_it: str, *, some: bool = False) -> None:
    """Checks what is in `folder`, and adds the notes, lists of parts and checksums.

    `some`: not all platforms have to be there.
    """
    said = wrong(folder, version, some=some)
    if said:
        sys.exit("\n".join(said))
    [wheel] = folder.glob("*.whl")
    _write(folder / "NOTES.md", said_of_it)
    _parts_of_server(wheel, version, folder / f"agent-template-lsp-{version}.cdx.json")
    _parts_of_extension(folder / f"agent-templates-{version}.cdx.json")
    lines = [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
        for file in sorted(folder.iterdir())
    ]
    _write(folder / "SHA256SUMS", "".join(lines))
    print(f"{folder}: {len(lines)} files; docs/maintaining/release.md says how they are uploaded")


def wrong(folder: Path, version: str, *, some: bool) -> list[str]:
    """What is wrong with the packages in `folder`, a sentence each."""
    names = {file.name for file in folder.iterdir()}
    wheel = f"agent_template_lsp-{version}-py3-none-any.whl"
    source = f"agent_template_lsp-{version}.tar.gz"
    wanted = {wheel, source}
    platforms = {f"agent-templates-{target}.vsix" for target in TARGETS}
    if not some or not names & platforms:
        wanted |= platforms
    said = [f"{name} is missing" for name in sorted(wanted - names)]
    said += [f"{name} does not belong to {version}" for name in sorted(names - wanted - platforms)]
    if said:
        return said
    with zipfile.ZipFile(folder / wheel) as packed:
        about = packed.read(f"agent_template_lsp-{version}.dist-info/METADATA").decode()
    said += [f"{wheel}: {link} leads nowhere" for link in _RELATIVE_LINK.findall(about)]
    with tarfile.open(folder / source) as packed_source:
        inside = set(packed_source.getnames())
    for name in ("LICENSE", "pyproject.toml", "CHANGELOG.md", "scripts/published.py"):
        if f"agent_template_lsp-{version}/{name}" not in inside:
            said.append(f"{source}: {name} is missing")
    for file in sorted(folder.glob("*.vsix")):
        said += [f"{file.name}: {one}" for one in faults(file)]
        with zipfile.ZipFile(file) as packed:
            if f'Version="{version}"' not in packed.read("extension.vsixmanifest").decode():
                said.append(f"{file.name} is not of the version {version}")
    return said


def notes(root: Path, version: str) -> str:
    """What the changelog says of a version, for readers who do not have the files beside it."""
    text = page(root / CHANGELOGS[0], address())
    _, _, rest = text.partition(f"## {version} (")
    body = re.split(r"^## ", rest.partition("\n")[2], maxsplit=1, flags=re.MULTILINE)[0].strip()
    if not body:
        sys.exit(f"{CHANGELOGS[0]} says nothing of {version}")
    return body + "\n"


def _parts_of_server(wheel: Path, version: str, goal: Path) -> None:
    """Writes what is installed with the wheel, and nothing else."""
    with tempfile.TemporaryDirectory() as temp:
        venv.create(temp, with_pip=False)
        python = Path(temp, "Scripts" if os.name == "nt" else "bin", "python")
        pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
        pinned = ("-c", str(ROOT / "constraints.txt"))
        _run(*pip, "--python", str(python), "install", *pinned, str(wheel))
        for place in Path(temp).rglob("direct_url.json"):
            # Where the wheel was, which is nobody else's place.
            place.unlink()
        tool = (sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible")
        about = ("--pyproject", str(ROOT / "pyproject.toml"), "--output-file", str(goal))
        _run(*tool, *about, str(python))
    found = json.loads(goal.read_text("utf-8"))
    found["metadata"]["component"]["version"] = version
    _write(goal, json.dumps(found, indent=2) + "\n")


def _parts_of_extension(goal: Path) -> None:
    """Writes what is in the scripts of the extension."""
    # Without those for the build alone: `--omit dev` leaves out what the build needs as well.
    command = ("npm", "sbom", "--sbom-format", "cyclonedx")
    found = json.loads(_output(str(ROOT / "scripts/with-node"), *command, folder=CLIENT))
    shipped = compiled_in(CLIENT).keys()
    parts = [part for part in found["components"] if (part["name"], part["version"]) in shipped]
    if len(parts) != len(shipped):
        sys.exit(f"npm knows {len(parts)} of the {len(shipped)} packages of the extension")
    refs = {part["bom-ref"] for part in parts}
    own = found["metadata"]["component"]
    found["components"] = parts
    found["dependencies"] = [
        one | {"dependsOn": [ref for ref in one["dependsOn"] if ref in refs]}
        for one in found["dependencies"]
        if one["ref"] in {*refs, own["bom-ref"]}
    ]
    # The tool takes the name of the folder, and knows no texts that are translated.
    words = json.loads((CLIENT / "package.nls.json").read_text("utf-8"))
    own |= {"type": "application", "name": "agent-templates", "description": words["description"]}
    _write(goal, json.dumps(found, indent=2) + "\n")


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _run(*command: str, variables: dict[str, str] | None = None) -> None:
    subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, **(variables or {})})


def _output(*command: str, folder: Path = ROOT) -> str:
    ran = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
    return ran.stdout.strip()


if __name__ == "__main__":
    main()
