"""Puts together what becomes the VS Code extension: `python -m scripts.stage_vsix FOLDER`.

The manifest and the pages are those of the source, with the address of the repository where there
is one, and without what only the build needs.
"""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from scripts.published import ROOT, address, page

CLIENT = ROOT / "vscode-client"
# What runs, and what people read.
PACKED = (
    *("package.nls*.json", "l10n/*.json", "CHANGELOG.md", "LICENSE"),
    *("media/*.png", "media/*.css", "media/agents.svg", "out/*.js", "syntaxes/*.json"),
    *("server/start.py", "bundled/**/*"),
)
# The texts of the licences of what is compiled into the scripts.
LICENCES = "third-party-licenses.txt"
_FOR_THE_BUILD = ("private", "scripts", "prettier", "dependencies", "devDependencies")


def main(folder: Path) -> None:
    """Fills `folder` anew."""
    shutil.rmtree(folder, ignore_errors=True)
    for pattern in PACKED:
        for file in CLIENT.glob(pattern):
            if file.is_file() and "__pycache__" not in file.parts:
                goal = folder / file.relative_to(CLIENT)
                goal.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(file, goal)
    # The packer wants to be told what to leave out, which is nothing of this.
    (folder / ".vscodeignore").write_text("", encoding="utf-8")
    repository = address()
    shutil.copy2(ROOT / "LICENSE", folder / "LICENSE")
    readme = page(CLIENT / "README.md", repository)
    (folder / "README.md").write_text(readme, encoding="utf-8", newline="\n")
    (folder / LICENCES).write_text(licences(CLIENT), encoding="utf-8", newline="\n")
    made = manifest(json.loads((CLIENT / "package.json").read_text("utf-8")), repository)
    text = json.dumps(made, indent=2, ensure_ascii=False) + "\n"
    (folder / "package.json").write_text(text, encoding="utf-8", newline="\n")


def manifest(source: dict[str, Any], repository: str) -> dict[str, Any]:
    """The manifest as it is published. Without an address there are no questions to be asked."""
    made = {key: value for key, value in source.items() if key not in _FOR_THE_BUILD}
    if not repository:
        return made | {"qna": False}
    return made | {
        "repository": {"type": "git", "url": repository, "directory": "vscode-client"},
        "homepage": f"{repository}#readme",
        "bugs": {"url": f"{repository}/issues"},
        "qna": f"{repository}/issues",
    }


def licences(folder: Path) -> str:
    """The licence of each package that the scripts of `folder` need, the name of the package first.

    Raises `FileNotFoundError` if a package, or the licence in it, is missing.
    """
    texts = []
    for (name, version), package in sorted(compiled_in(folder).items()):
        found = [file for file in package.iterdir() if file.stem.lower() == "license"]
        if not found:
            raise FileNotFoundError(f"{package} has no licence")
        texts.append(f"{name} {version}\n\n{found[0].read_text('utf-8').strip()}\n")
    return f"\n{'-' * 80}\n\n".join(texts)


def compiled_in(folder: Path) -> dict[tuple[str, str], Path]:
    """The packages that the scripts of `folder` need, by name and version, and where they are."""
    found: dict[tuple[str, str], Path] = {}
    wanted = [folder]
    while wanted:
        package = wanted.pop()
        about = json.loads((package / "package.json").read_text("utf-8"))
        key = (about["name"], about["version"])
        if key in found:
            continue
        found[key] = package
        for name in about.get("dependencies", ()):
            beside = package / "node_modules" / name
            wanted.append(beside if beside.exists() else folder / "node_modules" / name)
    return {key: package for key, package in found.items() if package != folder}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
