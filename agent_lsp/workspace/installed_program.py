"""Finds the installed version of a runtime from its package.

Invariant: no program is started, and only the places that a system names are searched.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from agent_lsp.workspace.files import Files

_VERSION = re.compile(r"\d+\.\d+\.\d+[\w.+-]*")
_SEARCHED = "$PATH/"
_PACKAGE, _PACKAGES = "package.json", "node_modules"


def installed_version(
    places: Iterable[str],
    home: Path | None,
    root: Path,
    files: Files,
    searched: tuple[Path, ...] = (),
) -> str | None:
    """The version of the first package at `places`, or None if there is none.

    A place is the `package.json` of a package, a link to a file whose name is its version, or a
    program of a package. It is relative to `root`, or to the home if it begins with `~/`, or to
    each folder in `searched`, those of `PATH`, if it begins with `$PATH/`, or absolute.
    """
    for path in (path for place in places for path in _paths(place, home, root, searched)):
        if files.exists(path):
            found = _version(path, files)
            if found is not None:
                return found
    return None


def _paths(place: str, home: Path | None, root: Path, searched: tuple[Path, ...]) -> Iterator[Path]:
    if place.startswith(_SEARCHED):
        yield from (folder / place.removeprefix(_SEARCHED) for folder in searched)
    elif place.startswith("~/"):
        yield from (home / place[2:],) if home is not None else ()
    else:
        yield root / place


def _version(path: Path, files: Files) -> str | None:
    if path.name == _PACKAGE:
        return _of_package(path, files)
    real = files.real(path)
    found = _VERSION.fullmatch(real.name)
    if found is not None:
        return found[0]
    # The program of a package that npm has installed.
    inside = [one for one in real.parents if _PACKAGES in one.parts]
    packages = (one / _PACKAGE for one in inside if files.exists(one / _PACKAGE))
    return next(filter(None, (_of_package(one, files) for one in packages)), None)


def _of_package(path: Path, files: Files) -> str | None:
    """The version in a `package.json`."""
    source = files.read(path)
    try:
        version = json.loads(source.text).get("version") if source is not None else None
    except (ValueError, AttributeError, RecursionError):
        return None
    found = _VERSION.fullmatch(version) if isinstance(version, str) else None
    return found[0] if found is not None else None
