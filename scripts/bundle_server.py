"""Puts the server and its dependencies into the extension's folder, for one platform.

Each supported Python gets its own installation, and these are merged: names of compiled modules
carry the Python they are for, so they live side by side, and everything else is the same.
"""

import argparse
import filecmp
import json
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUNDLED = ROOT / "vscode-client" / "bundled"
# CPython's minor versions that the extension can start the server with.
PYTHONS = ("3.11", "3.12", "3.13")
# Those that a dependency has no compiled modules for.
LACKING = {"win32-arm64": ("3.11",)}
# VS Code's names of platforms, and pip's, the one that reaches furthest first.
TARGETS = {
    "linux-x64": ("manylinux2014_x86_64", "manylinux_2_17_x86_64", "manylinux_2_28_x86_64"),
    "linux-arm64": ("manylinux2014_aarch64", "manylinux_2_17_aarch64", "manylinux_2_28_aarch64"),
    "alpine-x64": ("musllinux_1_1_x86_64", "musllinux_1_2_x86_64"),
    "alpine-arm64": ("musllinux_1_1_aarch64", "musllinux_1_2_aarch64"),
    "darwin-x64": ("macosx_11_0_x86_64",),
    "darwin-arm64": ("macosx_11_0_arm64",),
    "win32-x64": ("win_amd64",),
    "win32-arm64": ("win_arm64",),
}


def main() -> None:
    """Fills `vscode-client/bundled` anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", nargs="?", default=here(), choices=TARGETS)
    target = parser.parse_args().target
    pythons = [python for python in PYTHONS if python not in LACKING.get(target, ())]
    shutil.rmtree(BUNDLED, ignore_errors=True)
    with tempfile.TemporaryDirectory() as temp:
        wheel = _wheel(Path(temp))
        for python in pythons:
            installed = Path(temp, python)
            _install(wheel, target, python, installed)
            _merge(installed, BUNDLED)
    (BUNDLED / "pythons.json").write_text(json.dumps(pythons) + "\n", encoding="utf-8")
    print(target)


def here() -> str:
    """VS Code's name of this machine's platform."""
    system = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}[platform.system()]
    if system == "linux" and "musl" in (sysconfig.get_config_var("EXT_SUFFIX") or ""):
        system = "alpine"
    arm = platform.machine().lower() in {"arm64", "aarch64"}
    return f"{system}-{'arm64' if arm else 'x64'}"


def _wheel(folder: Path) -> Path:
    """The server's own wheel, built from this checkout."""
    _pip("wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT))
    return next(folder.glob("*.whl"))


def _install(wheel: Path, target: str, python: str, folder: Path) -> None:
    platforms = [word for name in TARGETS[target] for word in ("--platform", name)]
    _pip(
        "install",
        *("--target", str(folder), "--python-version", python, "--implementation", "cp"),
        *platforms,
        *("--only-binary=:all:", "--no-compile", "-c", str(ROOT / "constraints.txt"), str(wheel)),
    )
    # The packages' commands, which would start with this machine's Python; and where the wheel was.
    shutil.rmtree(folder / "bin", ignore_errors=True)
    for file in folder.glob("*.dist-info/direct_url.json"):
        file.unlink()


def _pip(command: str, *arguments: str) -> None:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", command]
    subprocess.run([*pip, *arguments], check=True)


def _merge(source: Path, into: Path) -> None:
    """Adds the files of `source`; one that is there already must be the same."""
    for file in sorted(path for path in source.rglob("*") if path.is_file()):
        relative = file.relative_to(source)
        goal = into / relative
        if not goal.exists():
            goal.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, goal)
        # What a package says about itself names its Python; the first one's stays.
        elif not relative.parts[0].endswith(".dist-info") and not filecmp.cmp(file, goal, False):
            sys.exit(f"{relative} differs between the supported versions of Python")


if __name__ == "__main__":
    main()
