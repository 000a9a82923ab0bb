"""Finds the folders of agents that the settings of VS Code name.

Facts: VS Code 1.139.1, `chat.agentFilesLocations`, run 2026-11-28: paths that are relative to the
workspace folder, or below the home as `~/…`, each with `true`. Absolute paths, patterns and
backslashes do not count. Copilot CLI does not read the setting.
"""

from pathlib import Path

from agent_lsp.decoders import settings_json
from agent_lsp.dialects.copilot import LOCATIONS

_ODD = frozenset("*?[]{}\\")


def locations(text: str | None, root: Path, home: Path | None) -> tuple[Path, ...]:
    """The folders that the settings file of the workspace folder `root` turns on."""
    said = settings_json.settings(text).get(LOCATIONS) if text and LOCATIONS in text else None
    found = []
    for name, is_on in said.items() if isinstance(said, dict) else ():
        if is_on is not True or not isinstance(name, str) or not _ODD.isdisjoint(name):
            continue
        base, rest = (home, name[2:]) if name.startswith("~/") else (root, name)
        if base is not None and rest and not rest.startswith("/"):
            found.append(base / rest)
    return tuple(found)
