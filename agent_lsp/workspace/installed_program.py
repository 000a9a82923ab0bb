"""Finds the installed version of a runtime from its package.

Invariant: no program is started, and only the places that a system names are searched.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path

from agent_lsp.workspace.files import Files

_VERSION = re.compile(r"\d+\.\d+\.\d+[\w.+-]*")


def installed_version(
    places: Iterable[str], home: Path | None, root: Path, files: Files
) -> str | None:
    """The version of the first package at `places`, or None if there is none.

    A place is the `package.json` of a package, or a link to a file whose name is its version. It is
    relative to `root`, or to the home if it begins with `~/`, or absolute.
    """
    for place in places:
        if place.startswith("~/") and home is None:
            continue
        path = (home or root) / place[2:] if place.startswith("~/") else root / place
        if files.exists(path):
            found = _of_package(path, files) or _VERSION.fullmatch(files.real(path).name)
            if found is not None:
                return found[0]
    return None


def _of_package(path: Path, files: Files) -> re.Match[str] | None:
    """The match for the version in a `package.json`."""
    source = files.read(path) if path.suffix == ".json" else None
    try:
        version = json.loads(source.text).get("version") if source is not None else None
    except (ValueError, AttributeError, RecursionError):
        return None
    return _VERSION.fullmatch(version) if isinstance(version, str) else None
