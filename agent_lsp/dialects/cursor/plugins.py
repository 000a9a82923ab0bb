"""Reads the manifest of a plugin: which of its files are agents.

Facts: cursor.com/docs/reference/plugins, read 2026-11-29. `agents` in the manifest is a path, a
pattern, or a list of them, and replaces the folder `agents/`. A pattern whose folder is not fixed
is not followed here.
"""

import json
from pathlib import PurePosixPath

from agent_lsp.dialects.cursor import MANIFEST
from agent_lsp.model.discovery import Bundle

_AGENTS = "agents"
_REPLACED = f"`{_AGENTS}` in `{MANIFEST}` names the agents of the plugin, and not this file"


def bundle(own: str | None, _indexes: tuple[tuple[str, str], ...], _name: str) -> Bundle | None:
    """The agents of a plugin with the manifest `own`; None for a folder without one."""
    if own is None:
        return None
    try:
        values = json.loads(own)
    except (ValueError, RecursionError):
        values = None
    said = values.get(_AGENTS) if isinstance(values, dict) else None
    if said is None:
        return Bundle("")
    found = tuple(map(_pattern, said if isinstance(said, list) else [said]))
    files = tuple((one, "") for one in found if one is not None)
    # What is not followed here may name the files of the folder; one path may be the folder itself.
    is_folder = None in found or found == (f"{_AGENTS}/*",)
    return Bundle("", files, "" if is_folder else _REPLACED)


def _pattern(said: object) -> str | None:
    """The pattern of file names in a fixed folder of the plugin that an entry names, or None."""
    path = PurePosixPath(said) if isinstance(said, str) and said.strip() else None
    if path is None or path.is_absolute() or ".." in path.parts:
        return None
    whole = path if path.suffix == ".md" or "*" in path.name else path / "*"
    is_fixed = not set(str(whole.parent)) & set("*?[{") and not set(whole.name) & set("?[{")
    return str(whole) if is_fixed else None
