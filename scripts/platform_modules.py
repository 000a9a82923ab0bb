"""Prints the modules in which mypy may see something else on another platform, for `make types`.

What differs is in the stubs of the standard library that ask for `sys.platform`, and in installed
packages. A module that imports none of these is the same everywhere, unless it uses such a part of
a value from another module. If one of ours defines something at its top for one platform alone,
then each that imports it may differ, so that the whole package is printed.
"""

import re
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = "agent_lsp"
# Most modules import `pathlib`, of which this script knows what differs; `lsprotocol` has the same
# types everywhere.
SAME = frozenset({PACKAGE, "lsprotocol", "pathlib"})

_IMPORTED = re.compile(r"^[ \t]*(?:import|from)[ \t]+(\w+)", re.MULTILINE)
# What a class has on some platforms: `os.stat_result`, `Path`, `OSError`, sockets and maps.
_DIFFERS = re.compile(
    r"\.(?:st_\w+|is_mount|winerror|(?:recv|send)msg\w*|ioctl|madvise|resize|get_context)\b"
    r"|\bWindowsError\b"
)
_DEFINED_FOR_SOME = re.compile(r"^(?:el)?if\b[^\n]*\bsys\.platform\b", re.MULTILINE)


def chosen(package: Path) -> list[Path]:
    """The modules in `package` that may differ, or the folder itself if each of them may.

    Raises:
        ModuleNotFoundError: There is no mypy.

    """
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(package.rglob("*.py"))}
    if any(map(_DEFINED_FOR_SOME.search, texts.values())):
        return [package]
    return [path for path, text in texts.items() if differs(text)]


def differs(text: str) -> bool:
    """Whether a module with this text uses what is not the same on each platform.

    Raises:
        ModuleNotFoundError: There is no mypy.

    """
    imported = set(_IMPORTED.findall(text)) - SAME
    installed = imported - sys.stdlib_module_names
    return bool(installed or imported & _stubs() or _DIFFERS.search(text))


@cache
def _stubs() -> frozenset[str]:
    """The packages of the standard library with a stub that asks for the platform."""
    found = find_spec("mypy")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("mypy")
    folder = Path(found.origin).parent / "typeshed" / "stdlib"
    return frozenset(
        path.relative_to(folder).parts[0].removesuffix(".pyi")
        for path in folder.rglob("*.pyi")
        if b"sys.platform" in path.read_bytes()
    )


def main() -> None:
    """Prints their paths, from the folder of the checkout."""
    print(*(path.relative_to(ROOT).as_posix() for path in chosen(ROOT / PACKAGE)))


if __name__ == "__main__":
    main()
