"""Puts the server and its dependencies into the extension's folder, for one platform.

The dependencies are resolved once for each supported Python, from wheels alone, so a version of
Python that a package has no wheel for on this platform is found here. All of them are unpacked into
one folder: names of compiled modules carry the Python they are for, so they live side by side, and
everything else is the same.
"""

import argparse
import json
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUNDLED = ROOT / "vscode-client" / "bundled"
# CPython's minor versions that the extension can start the server with.
PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.15")
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
# How the names of compiled modules end, for a Python such as 314.
SUFFIXES = {
    "linux-x64": ".cpython-{}-x86_64-linux-gnu.so",
    "linux-arm64": ".cpython-{}-aarch64-linux-gnu.so",
    "alpine-x64": ".cpython-{}-x86_64-linux-musl.so",
    "alpine-arm64": ".cpython-{}-aarch64-linux-musl.so",
    "darwin-x64": ".cpython-{}-darwin.so",
    "darwin-arm64": ".cpython-{}-darwin.so",
    "win32-x64": ".cp{}-win_amd64.pyd",
    "win32-arm64": ".cp{}-win_arm64.pyd",
}
# What nobody needs who runs the server: what is for type checkers, lists of parts (a release has
# one of its own), the record of an installation, commands, and packages for older code.
LEFT_OUT = (
    *("*.pyi", "*/py.typed", "*.dist-info/sboms/*"),
    *("*.dist-info/RECORD", "*.dist-info/WHEEL", "*.dist-info/entry_points.txt"),
    *("pydantic/v1/*", "pydantic/mypy.py", "pydantic/_hypothesis_plugin.py", "cattr/*"),
    *("pygls/cli.py", "*/__main__.py"),
)
KEPT = ("agent_lsp/__main__.py",)


def main() -> None:
    """Fills `vscode-client/bundled` anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", nargs="?", default=here(), choices=TARGETS)
    parser.add_argument("--wheel", type=Path, help="the server's wheel (default: builds it)")
    arguments = parser.parse_args()
    target = arguments.target
    shutil.rmtree(BUNDLED, ignore_errors=True)
    with tempfile.TemporaryDirectory() as temp:
        own = arguments.wheel or _wheel(Path(temp))
        for wheel in _downloaded(own, target, Path(temp, "wheels")):
            _unpack(wheel, BUNDLED)
        version = own.name.split("-")[1]
    about = {"pythons.json": pythons(target), "version.json": version}
    for name, value in about.items():
        (BUNDLED / name).write_text(json.dumps(value) + "\n", encoding="utf-8")
    print(target)


def here() -> str:
    """VS Code's name of this machine's platform."""
    system = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}[platform.system()]
    if system == "linux" and "musl" in (sysconfig.get_config_var("EXT_SUFFIX") or ""):
        system = "alpine"
    arm = platform.machine().lower() in {"arm64", "aarch64"}
    return f"{system}-{'arm64' if arm else 'x64'}"


def pythons(target: str) -> list[str]:
    """The versions of Python that the bundle for `target` serves."""
    return [python for python in PYTHONS if python not in LACKING.get(target, ())]


def is_left_out(name: str) -> bool:
    """Whether a file of a wheel does not become part of the bundle."""
    return name not in KEPT and any(fnmatch(name, pattern) for pattern in LEFT_OUT)


def _wheel(folder: Path) -> Path:
    """The server's own wheel, built from this checkout."""
    _pip("wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT))
    return next(folder.glob("*.whl"))


def _downloaded(own: Path, target: str, folder: Path) -> list[Path]:
    """The wheels for all Pythons on `target`, `own` among them; each is resolved by itself."""
    platforms = [word for name in TARGETS[target] for word in ("--platform", name)]
    for python in pythons(target):
        _pip(
            "download",
            *("--dest", str(folder), "--python-version", python, "--implementation", "cp"),
            *platforms,
            *("--only-binary=:all:", "-c", str(ROOT / "constraints.txt"), str(own)),
        )
    return sorted(folder.glob("*.whl"))


def _pip(command: str, *arguments: str) -> None:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", command]
    subprocess.run([*pip, *arguments], check=True)


def _unpack(wheel: Path, into: Path) -> None:
    """Adds the files of `wheel`; one that is there already must be the same."""
    with zipfile.ZipFile(wheel) as packed:
        for name in packed.namelist():
            top = name.partition("/")[0]
            if top.endswith(".data"):
                sys.exit(f"{wheel.name} wants {name} to be installed elsewhere")
            if is_left_out(name) or name.endswith("/"):
                continue
            goal = into / name
            data = packed.read(name)
            if not goal.exists():
                goal.parent.mkdir(parents=True, exist_ok=True)
                goal.write_bytes(data)
            # What a package says about itself names its Python; the first one's stays.
            elif not top.endswith(".dist-info") and goal.read_bytes() != data:
                sys.exit(f"{name} differs between the supported versions of Python")


if __name__ == "__main__":
    main()
