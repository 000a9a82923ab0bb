"""Finds the folders of the profile that a folder has in VS Code.

Facts: VS Code 1.139.1, `UserDataProfilesService`, read 2026-11-29. `globalStorage/storage.json` in
the folder of the user's data has the profiles, each with its folder below `profiles` and what it
shares with the profile Default, and the profile of each workspace by its URI. A folder without one
has Default. The profile of a workspace of several folders stands at the file that names them.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import unquote

STORAGE = "globalStorage/storage.json"
_PROFILES, _OF_WORKSPACES = "userDataProfiles", "profileAssociations"


def folders(text: str, roots: Iterable[Path], user: Path) -> tuple[Path, Path]:
    """The folder with `prompts`, and that with `settings.json`, for a session with these `roots`.

    `text` is that of the file `STORAGE` in the folder `user`.
    """
    if f'"{_PROFILES}"' not in text or f'"{_OF_WORKSPACES}"' not in text:
        return user, user
    stored = _table(_json(text))
    of_workspaces = _table(_table(stored.get(_OF_WORKSPACES)).get("workspaces"))
    by_place = {_place(uri): name for uri, name in of_workspaces.items()}
    wanted = next((name for root in roots if (name := by_place.get(_place(root.as_uri())))), None)
    every = stored.get(_PROFILES)
    for one in map(_table, every if isinstance(every, list) else ()):
        location = one.get("location")
        if isinstance(location, str) and location and location.rpartition("/")[2] == wanted:
            shared, own = _table(one.get("useDefaultFlags")), user / "profiles" / location
            return (
                user if shared.get("prompts") is True else own,
                user if shared.get("settings") is True else own,
            )
    return user, user


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _place(uri: str) -> str:
    """A URI as it is compared: VS Code writes a drive in lower case, and escapes its colon."""
    scheme, _, path = unquote(uri).rstrip("/").partition("://")
    is_drive = path[2:3] == ":"
    return f"{scheme}://{path[:2].lower()}{path[2:]}" if is_drive else f"{scheme}://{path}"
