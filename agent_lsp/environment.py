"""Builds a workspace from what surrounds the process: home, environment variables, settings.

Invariants: environment variables are read only here; the command line and the server build
their workspaces here, so that both say the same about a file.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from agent_lsp import __version__
from agent_lsp.dialects import SYSTEMS
from agent_lsp.dialects.claude import MANAGED, MANAGED_FOLDERS
from agent_lsp.installed import installed
from agent_lsp.options import Options, Silence
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import from_folder
from agent_lsp.workspace.scopes import HostPaths, folders_upward
from agent_lsp.workspace.search import template_folders
from agent_lsp.workspace.snapshot import Workspace

__all__ = [
    "SETTINGS_FILE",
    "SYSTEMS",
    "home_in",
    "host_paths_from_environment",
    "new_files",
    "path_from",
    "settings_file",
    "surroundings",
    "workspace_for",
]

SETTINGS_FILE = "agent-template-lsp.toml"

_VARIABLES = ("CODEX_HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "MOLTIS_DATA_DIR")
# These name no folder.
_WORDS = ("CLAUDE_CODE_SUBAGENT_MODEL",)


def host_paths_from_environment() -> HostPaths:
    """The folders of this machine, as its environment states them."""
    variables = {name: word for name in _WORDS if (word := os.environ.get(name))}
    for name in _VARIABLES:
        written = os.environ.get(name)
        # Without a current folder a relative one means nothing.
        with suppress(OSError):
            if written:
                # Codex follows the links in it; to the others all names of a folder are one.
                variables[name] = os.path.realpath(written)
    managed = MANAGED_FOLDERS.get(sys.platform)
    if managed is not None and Path(managed).is_dir():
        variables[MANAGED] = managed
    return HostPaths(_home(), installed("templates"), variables)


def new_files() -> Files:
    """The files of this machine's disk, without open documents."""
    names = frozenset(name for system in SYSTEMS for name in system.files)
    return Files(template_names=names)


def path_from(written: str, base: Path) -> Path:
    """The path that `written` means below `base`, by its own names for as far as they lead there.

    They are spelled as the disk spells them.

    Behind a link `..` leads to the folder above the target, and only the real name says so.
    """
    whole = (base / written).absolute()
    plain, real = os.path.normpath(whole), os.path.realpath(whole)
    files = Files()
    if os.path.realpath(plain) == real and not plain.startswith("//"):
        return files.spelt(Path(plain))
    if whole.name == "..":
        return files.spelt(Path(real))
    # The last part of a path is meant itself, not the target of a link.
    return files.spelt(Path(os.path.realpath(whole.parent), whole.name))


def workspace_for(
    roots: tuple[Path, ...],
    files: Files,
    host_paths: HostPaths,
    *,
    editor: Mapping[Path, object] | None = None,
    claimed: Mapping[Path, str] | None = None,
    folders: tuple[Path, ...] | None = None,
    isolated: bool = False,
) -> tuple[Workspace, tuple[str, ...]]:
    """The workspace of `roots` with their settings, and what is wrong with those.

    With `isolated`, a settings file counts only if it is the user's own.

    `editor` is the editor's section for each root, and overrides the settings file;
    `claimed` are folders given to a dialect. `folders` are the template folders if they are
    known already (or are to be found later, by `template_folders`); else they are found now.
    """
    settings: dict[Path, Options] = {}
    messages: list[str] = []
    for root in roots:
        sources = _sources(
            root, files, (editor or {}).get(root), host_paths.home, isolated=isolated
        )
        settings[root], said = replace(sources.merged(), isolated=isolated), sources.said
        messages += said
    workspace = Workspace(files, SYSTEMS, host_paths, roots, folders or (), settings, claimed or {})
    if folders is None:
        found = (folder for root in roots for folder in template_folders(workspace, root))
        workspace = replace(workspace, folders=tuple(dict.fromkeys(filter(None, found))))
    return workspace, tuple(dict.fromkeys(messages))


def surroundings(
    workspace: Workspace,
    editor: Mapping[Path, object] | None,
    timings: Mapping[str, float],
) -> Mapping[str, object]:
    """The facts that only the edges know: versions, settings with their origins, timings."""
    import platform  # noqa: PLC0415 - seldom, and not to start

    return {
        "versions": {
            "agent-template-lsp": __version__,
            "python": platform.python_version(),
            "system": platform.platform(),
        },
        "settings": [
            _settings_of(workspace, root, (editor or {}).get(root)) for root in workspace.roots
        ],
        "timings": dict(timings),
    }


def _settings_of(workspace: Workspace, root: Path, section: object) -> Mapping[str, object]:
    """The settings file of `root`, and each setting in force with its origin."""
    is_isolated = workspace.settings[root].isolated if root in workspace.settings else False
    home = workspace.host_paths.home
    sources = _sources(root, workspace.files, section, home, isolated=is_isolated)
    path = sources.path
    made = {
        "root": str(root),
        "file": None if path is None else str(path),
        "isolated": is_isolated,
        "problems": list(sources.said),
    }
    if sources.base == sources.over == Options():
        return {**made, "values": []}
    from agent_lsp.settings import stated  # noqa: PLC0415 - as in `_sources`

    in_file, in_editor = stated(sources.base), stated(sources.over)
    values = [
        {
            "name": name,
            "value": value,
            "origin": "the editor" if name in in_editor else str(path),
        }
        for name, value in sorted((in_file | in_editor).items())
    ]
    return {**made, "values": values}


def settings_file(
    root: Path, files: Files, counts: Callable[[Path], bool] | None = None
) -> Path | None:
    """The settings file for `root`: the nearest one that `counts`, up to the folder with `.git`."""
    for folder in folders_upward(root, files):
        path = folder / SETTINGS_FILE
        if counts is not None and not counts(path):
            continue
        # An unreadable folder counts as missing.
        if (files.is_open(path) or files.exists(path)) and files.read(path) is not None:
            return path
    return None


def home_in(variables: Mapping[str, str], system: str) -> str | None:
    """The home that a process on `system` is told of, or None: then the account has one, or not.

    To the runtimes an empty variable is none. On Windows `HOME` is what some shells set for their
    own programs, and a runtime does not read it: os.homedir in the documents of Node.js, and the
    notes on it in docs.rs/home 0.5; read 2026-11-28.
    """
    return variables.get("USERPROFILE" if system == "win32" else "HOME") or None


def _home() -> Path | None:
    try:
        written = home_in(os.environ, sys.platform)
        if written is None and sys.platform != "win32":
            import pwd  # noqa: PLC0415 - exists on these platforms only

            return Path(pwd.getpwuid(os.getuid()).pw_dir)
        return path_from(written or str(Path.home()), Path())
    except (RuntimeError, KeyError, OSError):
        return None


@dataclass(frozen=True, slots=True)
class _Sources:
    """The settings file of a folder, what it and the editor state, and what is wrong with both."""

    path: Path | None
    base: Options = field(default_factory=Options)
    over: Options = field(default_factory=Options)
    said: tuple[str, ...] = ()
    is_own: bool = False

    def merged(self) -> Options:
        """The settings that count, and what the file of a repository switches off."""
        if self.base == self.over == Options():
            return Options()
        from agent_lsp import settings  # noqa: PLC0415 - as in `_sources`

        made = settings.merge(self.base, self.over)
        off = {code for code, severity in self.base.severity.items() if severity is None}
        passed = {folder for folder, claim in self.base.folders.items() if claim is None}
        codes = frozenset(off - self.over.severity.keys())
        folders = frozenset(passed - self.over.folders.keys())
        if self.path is None or self.is_own or not (codes or folders):
            return made
        return replace(made, silence=Silence(self.path, codes, folders))


def _sources(
    root: Path, files: Files, section: object, home: Path | None, *, isolated: bool
) -> _Sources:
    def is_users(path: Path) -> bool:
        return home is not None and files.real(path.parent) == files.real(home)

    path = settings_file(root, files, is_users if isolated else None)
    is_own = path is not None and is_users(path)
    file = files.read(path) if path else None
    if file is None and not section:
        return _Sources(path)
    # Settings are rare, and what checks them takes longer to import than all the rest.
    from agent_lsp import settings  # noqa: PLC0415 - pydantic, only where there is a file

    base, said = Options(), tuple[str, ...]()
    if file is not None and file.problem is not None:
        said = (f"{file.path}: cannot be read: {file.problem}",)
    elif file is not None:
        base, said = settings.from_file(file.text, file.path)
        said = (*said, *_missing(base, file.path, files))
        base = _named_from(root, base, files)
    over, more = settings.from_editor(section, root)
    base, over = _renamed(base, files.spelt), _renamed(over, files.spelt)
    return _Sources(path, base, over, (*said, *more), is_own)


def _named_from(root: Path, options: Options, files: Files) -> Options:
    """`options` with folders below `root` named from there, since a link may have led to `root`."""
    real = files.real(root)

    def named(folder: Path) -> Path:
        return root / folder.relative_to(real) if folder.is_relative_to(real) else folder

    return _renamed(options, named)


def _renamed(options: Options, named: Callable[[Path], Path]) -> Options:
    """`options` with their folders by other names."""
    extras = {
        system: replace(extra, scopes=tuple(map(named, extra.scopes)))
        for system, extra in options.extras.items()
    }
    folders = {named(folder): claim for folder, claim in options.folders.items()}
    return replace(options, folders=folders, extras=extras)


def _missing(options: Options, path: Path, files: Files) -> Iterator[str]:
    """The folders that a settings file counts on and that do not exist."""
    needed = [("session-root", options.session_root)]
    needed += [("folders", folder) for folder, claim in options.folders.items() if claim]
    needed += [
        (f"dialects.{system}.scopes", folder)
        for system, extras in options.extras.items()
        for folder in extras.scopes
    ]
    for key, folder in needed:
        if folder is not None and not files.is_folder(folder):
            written = from_folder(folder, path.parent)
            yield f"{path}: `{key}`: there is no folder `{written}`"
