"""What a runtime would copy into the folder of the user's own templates.

Invariant: nothing is written here.
"""

from dataclasses import dataclass
from pathlib import Path

from agent_lsp.dialects.model import Dialect
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.scopes import HostPaths, fixed_folder


@dataclass(frozen=True, slots=True)
class Seeding:
    """The built-in `files`, and the folders they are copied from and to.

    `source` has our stand-ins for them. They are copied all, or none because of `kept_by`.
    """

    source: Path
    target: Path
    files: tuple[str, ...]
    kept_by: tuple[str, ...]


def seeding(dialect: Dialect, places: HostPaths, files: Files) -> Seeding | None:
    """What the runtime of `known` copies when it starts; None where it has nowhere to."""
    source = fixed_folder(dialect, places, builtin=True)
    target = fixed_folder(dialect, places, builtin=False)
    if dialect.kept_by is None or source is None or target is None:
        return None
    names = tuple(name for name in files.entries(source) if dialect.name_of(name) is not None)
    return Seeding(
        source, target, names, dialect.kept_by(names, lambda name: files.exists(target / name))
    )
