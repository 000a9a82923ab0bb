"""Counts the findings that the settings of a repository hide.

Invariant: findings that a user switched off, in an editor or in a file of their own, do not count.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from agent_lsp.analysis.diagnostics import Diagnostic, Examined, examined
from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.options import Silence
from agent_lsp.workspace.paths import from_folder
from agent_lsp.workspace.search import template_folders, templates
from agent_lsp.workspace.snapshot import Workspace, options_at


@dataclass(frozen=True, slots=True)
class Silenced:
    """The findings that one settings `file` hides, by code and by folder."""

    file: Path
    codes: Counter[str] = field(default_factory=Counter)
    folders: Counter[Path] = field(default_factory=Counter)

    @property
    def count(self) -> int:
        """The number of hidden findings."""
        return self.codes.total() + self.folders.total()


def silenced(
    workspace: Workspace,
    seen: Iterable[tuple[Path, Examined]],
    within: tuple[Path, ...] | None = None,
    takes: Callable[[Diagnostic], bool] = lambda _: True,
) -> tuple[Silenced, ...]:
    """The findings that settings hide, of the `seen` and of the excluded templates.

    Of the excluded templates, only those at the paths `within` count, if it is given.
    """
    found: dict[Path, Silenced] = {}
    if all(options.silence is None for options in workspace.settings.values()):
        return ()
    for path, all_ in seen:
        silence = options_at(workspace, path).silence
        if silence is not None:
            hidden = found.setdefault(silence.file, Silenced(silence.file))
            hidden.codes.update(one.code for one in all_.off if takes(one))
    for silence, folder, path, heard in _passed_over(workspace):
        if within is not None and not any(top in (path, *path.parents) for top in within):
            continue
        every = examined(heard, path)
        hidden = found.setdefault(silence.file, Silenced(silence.file))
        hidden.folders[folder] += sum(map(takes, (*every.shown, *every.off)))
    return tuple(one for _, one in sorted(found.items()) if one.count)


def words(silenced: Silenced, name: Callable[[Path], str]) -> str:
    """A sentence about the hidden findings, in which `name` writes the paths."""
    codes = [f"`{code}`" for code in sorted(silenced.codes)]
    folders = [name(folder) for folder, many in sorted(silenced.folders.items()) if many]
    said = [f"switches off {_listed(codes)}"] if codes else []
    said += [f"excludes {_listed(folders)}"] if folders else []
    many = "1 finding is hidden" if silenced.count == 1 else f"{silenced.count} findings are hidden"
    return f"{name(silenced.file)} {' and '.join(said)}: {many}"


def below(folder: Path) -> Callable[[Path], str]:
    """A function that names paths relative to `folder`, if they are below it."""
    return lambda path: from_folder(path, folder) if folder in (path, *path.parents) else str(path)


def _listed(names: list[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _passed_over(workspace: Workspace) -> Iterator[tuple[Silence, Path, Path, Workspace]]:
    """The templates in folders that a repository excludes, with a workspace that includes them."""
    told: set[Path] = set()
    for root, options in workspace.settings.items():
        silence = options.silence
        if silence is None:
            continue
        for folder in sorted(silence.folders):
            claims = {
                at: claim for at, claim in options.folders.items() if at not in silence.folders
            }
            heard = replace(workspace, settings={root: replace(options, folders=claims)})
            start = folder if root in folder.parents else root
            if start != folder and folder not in (root, *root.parents):
                continue
            inside = filter(None, template_folders(heard, start))
            heard = replace(heard, folders=tuple(dict.fromkeys(inside)))
            for path in templates(heard):
                if path not in told:
                    told.add(path)
                    yield silence, folder, path, heard
