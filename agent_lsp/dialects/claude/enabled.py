"""Finds the installed plugins that a session has.

Invariant: no content of the files causes an error.
Facts: measured with Claude Code 2.1.332, 2026-11-28: `installed_plugins.json` says where a copy of
each plugin is; `enabledPlugins` in the settings of the user and of the session's own folder, the
local ones last, says which of them a session has, even if it was installed for another project. The
settings of folders above do not count. Plugins without a copy, in a folder that
`extraKnownMarketplaces` names, are not looked for.
"""

import json

_PLUGINS, _ENABLED = "plugins", "enabledPlugins"


def enabled(texts: tuple[str | None, ...], root: str) -> tuple[tuple[str, str], ...]:
    """The folders of the plugins of a session in `root`, each with the prefix of its agents.

    `texts` are those of `installed_plugins.json` and of the settings; the last ones count most.
    """
    installed, *settings = map(_mapping, texts)
    said: dict[str, object] = {}
    for one in settings:
        said |= _of(one, _ENABLED)
    found = []
    for name, entries in _of(installed, _PLUGINS).items():
        if said.get(name) is not True or not isinstance(entries, list):
            continue
        places = [entry for entry in entries if isinstance(entry, dict)]
        own = (entry for entry in places if entry.get("projectPath") == root)
        entry = next(own, next(iter(places), {}))
        path = entry.get("installPath")
        if isinstance(path, str) and path:
            found.append((f"{name.partition('@')[0]}:", path))
    return tuple(found)


def _of(values: dict[str, object], key: str) -> dict[str, object]:
    found = values.get(key)
    return found if isinstance(found, dict) else {}


def _mapping(text: str | None) -> dict[str, object]:
    try:
        values = json.loads(text) if text is not None else None
    except (ValueError, RecursionError):
        values = None
    return values if isinstance(values, dict) else {}
