"""Finds the folders of agents that the settings of VS Code turn on and off.

Facts: VS Code 1.139.1, `chat.agentFilesLocations`, run 2026-11-28, and `PromptsConfig` of 1.138.0,
read 2026-11-29: paths that are relative to the workspace folder, or below the home as `~/…`, each
with `true` or `false`, which may be texts. Only `false` for exactly one of the four usual paths
turns that folder off. Absolute paths, patterns and backslashes do not count. The settings of the
workspace folder precede those of the user for each path. Copilot CLI does not read the setting.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from agent_lsp.dialects.copilot import CLI, LOCATIONS, USUAL, VSCODE
from agent_lsp.syntax import json
from agent_lsp.syntax.nodes import Mapping as Table
from agent_lsp.syntax.nodes import Scalar, resolve

_ODD = frozenset("*?[]{}\\")
_TRUTH = {"true": True, "false": False}


def locations(
    texts: Iterable[str], root: Path, home: Path | None
) -> Mapping[Path, tuple[frozenset[str], bool]]:
    """What the settings files with these `texts`, the user's first, say of folders.

    Each folder has the programs that look there, and whether it is a usual one.
    """
    said: dict[str, bool] = {}
    for text in texts:
        said |= _said(text)
    found: dict[Path, tuple[frozenset[str], bool]] = {}
    for name, is_on in said.items():
        base, rest = (home, name[2:]) if name.startswith("~/") else (root, name)
        if base is None or not rest or rest.startswith("/"):
            continue
        if name in USUAL:
            if not is_on:
                found[base / rest] = (CLI, True)
        elif is_on and _ODD.isdisjoint(name):
            found[base / rest] = (VSCODE, False)
    return found


def _said(text: str) -> dict[str, bool]:
    """The paths that a settings file names, in its order."""
    top = resolve(json.parse(text).root) if LOCATIONS in text else None
    entry = top.get(LOCATIONS) if isinstance(top, Table) else None
    node = resolve(entry.value) if entry is not None else None
    found: dict[str, bool] = {}
    for one in node.entries if isinstance(node, Table) else ():
        value, name = resolve(one.value), (one.name or "").strip()
        is_on = _TRUTH.get(value.value.strip().lower()) if isinstance(value, Scalar) else None
        if name and is_on is not None:
            found[name] = is_on
    return found
