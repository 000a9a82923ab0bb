"""Builds a workspace from the environment of the process: home, variables, settings files.

Invariants: only this module reads environment variables. The command line and the server both build
their workspaces here, so that they say the same about a file.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from agent_lsp import __version__
from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.dialects import BY_USE, CONVERTED, SYSTEMS, opencode
from agent_lsp.dialects.claude import MANAGED, MANAGED_FOLDERS
from agent_lsp.dialects.codex_agents import SYSTEM_FOLDER, SYSTEM_FOLDERS
from agent_lsp.dialects.copilot import (
    LOCATIONS,
    USER_SETTINGS,
    VSCODE_DATA,
    VSCODE_NAMES,
    VSCODE_PROFILE,
    VSCODE_PROMPTS,
    VSCODE_SETTINGS,
    VSCODE_USER,
)
from agent_lsp.dialects.copilot import SYSTEM as COPILOT
from agent_lsp.installed import installed
from agent_lsp.model.system import System
from agent_lsp.options import Options, Silence
from agent_lsp.workspace.disk import kind, used
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import HostPaths, from_folder, is_on_other_share
from agent_lsp.workspace.scopes import folders_upward
from agent_lsp.workspace.search import template_folders
from agent_lsp.workspace.snapshot import Workspace

__all__ = [
    "BY_USE",
    "CONVERTED",
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

_VARIABLES = (
    *("CODEX_HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "MOLTIS_DATA_DIR"),
    *("COPILOT_HOME", "OPENCODE_CONFIG_DIR", "OPENCODE_CONFIG"),
)
# The variables whose values are not folders.
_WORDS = (
    *("CLAUDE_CODE_SUBAGENT_MODEL", "OPENCODE_DISABLE_PROJECT_CONFIG"),
    *(opencode.CONTENT, opencode.RULES),
)


def host_paths_from_environment() -> HostPaths:
    """The host paths of this machine, from its environment variables."""
    disk = used()
    variables = {name: word for name in _WORDS if (word := disk.variable(name))}
    for name in _VARIABLES:
        written = disk.variable(name)
        # A relative path has no meaning if the current folder no longer exists.
        with suppress(OSError):
            if written:
                # Codex resolves the links in the path. For other runtimes the spelling does not
                # matter.
                variables[name] = str(disk.real(Path(written)))
    for name, by_system in (
        (MANAGED, MANAGED_FOLDERS),
        (SYSTEM_FOLDER, SYSTEM_FOLDERS),
        (opencode.MANAGED, opencode.MANAGED_FOLDERS),
    ):
        folder = by_system.get(sys.platform)
        if folder is not None and kind(disk, Path(folder)) == "folder":
            variables[name] = folder
    named = (disk.variable("PATH") or "").split(os.pathsep)
    searched = tuple(Path(one) for one in named if os.path.isabs(one))  # noqa: PTH117 - a text
    home = _home()
    user = next(_users_of_vscode(home), None) if home is not None else None
    if user is not None:
        variables[VSCODE_USER] = str(user)
    return HostPaths(home, installed("templates"), variables, searched)


def _users_of_vscode(home: Path) -> Iterator[Path]:
    """The folders of this machine with the user's data of VS Code, that of Insiders last."""
    variable, below = VSCODE_DATA.get(sys.platform, VSCODE_DATA[""])
    base = Path(used().variable(variable) or home / below)
    users = (base / name / "User" for name in VSCODE_NAMES)
    return (user for user in users if kind(used(), user) == "folder")


def new_files() -> Files:
    """The files of this machine's disk, without open documents."""
    names = frozenset(name for one in SYSTEMS for name in one.files or (one.extension,))
    return Files(template_names=names)


def path_from(written: str, base: Path) -> Path:
    """The path that `written` names relative to `base`, in the spelling of the disk.

    Links in it are kept as far as possible. After a link, `..` is the folder above the target of
    the link, so that such a path is resolved to its real one.
    """
    whole = (base / written).absolute()
    disk, files = used(), Files()
    plain, real = os.path.normpath(whole), str(disk.real(whole))
    if str(disk.real(Path(plain))) == real and not plain.startswith("//"):
        return files.spelt(Path(plain))
    if whole.name == "..":
        return files.spelt(Path(real))
    # The last part is kept even if it is a link.
    return files.spelt(Path(disk.real(whole.parent), whole.name))


def workspace_for(
    roots: tuple[Path, ...],
    files: Files,
    host_paths: HostPaths,
    *,
    editor: Mapping[Path, object] | None = None,
    claimed: Mapping[Path, str] | None = None,
    folders: tuple[Path, ...] | None = None,
    isolated: bool = False,
    programs: frozenset[str] = frozenset(),
    systems: tuple[System, ...] = SYSTEMS,
    config: Path | None = None,
) -> tuple[Workspace, tuple[str, ...]]:
    """The workspace of `roots` with their settings, and messages about errors in those.

    `editor` is the editor's section for each root, which has precedence over the settings file.
    `claimed` maps folders to the dialect that they are claimed for. `folders` are the template
    folders if they are known, or empty if the caller will find them with `template_folders`; with
    None they are found here. With `isolated`, only the user's own settings file counts. `programs`
    replace those of the setting `for`, unless they are empty. `config` is a settings file that the
    user has named, which then is the only one.
    """
    settings: dict[Path, Options] = {}
    messages: list[str] = []
    host_paths = _in_profile(host_paths, roots, files)
    for root in roots:
        sources = _sources(
            root, files, (editor or {}).get(root), host_paths.home, isolated=isolated, config=config
        )
        merged = _with_locations(sources.merged(), root, files, host_paths)
        said = sources.said
        settings[root] = replace(merged, isolated=isolated, programs=programs or merged.programs)
        messages += said
    workspace = Workspace(files, systems, host_paths, roots, folders or (), settings, claimed or {})
    if folders is None:
        found = (folder for root in roots for folder in template_folders(workspace, root))
        workspace = replace(workspace, folders=tuple(dict.fromkeys(filter(None, found))))
    return workspace, tuple(dict.fromkeys(messages))


def _in_profile(places: HostPaths, roots: tuple[Path, ...], files: Files) -> HostPaths:
    """`places` with the folders of the profile that VS Code has for the `roots`."""
    written = places.variables.get(VSCODE_USER)
    if written is None:
        return places
    from agent_lsp.dialects.copilot import profiles  # noqa: PLC0415 - with VS Code alone

    user = Path(written)
    storage = user / profiles.STORAGE
    file = files.read(storage) if files.exists(storage) else None
    prompts, own = profiles.folders(file.text if file is not None else "", roots, user)
    more = {VSCODE_PROMPTS: str(prompts), VSCODE_PROFILE: str(own)}
    return replace(places, variables={**places.variables, **more})


def _with_locations(options: Options, root: Path, files: Files, places: HostPaths) -> Options:
    """`options` with the folders of agents that the settings of VS Code turn on and off."""
    user = places.variables.get(VSCODE_PROFILE)
    paths = (*((Path(user, USER_SETTINGS),) if user else ()), root / VSCODE_SETTINGS)
    read = (files.read(path) if files.exists(path) else None for path in paths)
    texts = [file.text for file in read if file is not None and LOCATIONS in file.text]
    if not texts:
        return options
    from agent_lsp.dialects.copilot.locations import locations  # noqa: PLC0415 - in few projects

    said = locations(texts, root, places.home)
    found = {path_from(str(folder), root): one for folder, one in said.items()}
    own = options.extra(COPILOT.id)
    new = {folder: one for folder, one in found.items() if folder not in own.scopes}
    scopes = (*own.scopes, *(folder for folder, (_, is_usual) in new.items() if not is_usual))
    readers = {**own.readers_of, **{folder: readers for folder, (readers, _) in new.items()}}
    extra = replace(own, scopes=scopes, readers_of=readers)
    return replace(options, extras={**options.extras, COPILOT.id: extra})


def surroundings(
    workspace: Workspace,
    editor: Mapping[Path, object] | None,
    timings: Mapping[str, float],
) -> Mapping[str, object]:
    """The facts that the analysis does not know: versions, settings with origins, timings.

    `timings` are in seconds.
    """
    import platform  # noqa: PLC0415 - rarely needed; slow to import

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
    """The nearest settings file that `counts`, from `root` up to the folder with `.git`."""
    for folder in folders_upward(root, files):
        path = folder / SETTINGS_FILE
        if counts is not None and not counts(path):
            continue
        # An unreadable folder has no settings file.
        if (files.is_open(path) or files.exists(path)) and files.read(path) is not None:
            return path
    return None


def home_in(variable: Callable[[str], str | None], system: str) -> str | None:
    """The home folder that a `variable` of a process on `system` names, or None if none does.

    Runtimes treat an empty variable as unset. On Windows some shells set `HOME` for their own
    programs, and runtimes do not read it: os.homedir in the documentation of Node.js, and the notes
    on it in docs.rs/home 0.5; read 2026-11-28.
    """
    return variable("USERPROFILE" if system == "win32" else "HOME") or None


def _home() -> Path | None:
    try:
        written = home_in(used().variable, sys.platform)
        if written is None and sys.platform != "win32":
            import pwd  # noqa: PLC0415 - exists on these platforms only

            return Path(pwd.getpwuid(os.getuid()).pw_dir)
        return path_from(written or str(Path.home()), Path())
    except (RuntimeError, KeyError, OSError):
        return None


@dataclass(frozen=True, slots=True)
class _Sources:
    """The settings of a folder: in the settings file at `path`, in the editor, and their errors."""

    path: Path | None
    base: Options = field(default_factory=Options)
    over: Options = field(default_factory=Options)
    said: tuple[str, ...] = ()
    is_own: bool = False

    def merged(self) -> Options:
        """The settings in force, and the rules and folders that a repository switches off."""
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
    root: Path,
    files: Files,
    section: object,
    home: Path | None,
    *,
    isolated: bool,
    config: Path | None = None,
) -> _Sources:
    def is_users(path: Path) -> bool:
        return home is not None and files.real(path.parent) == files.real(home)

    path = config or settings_file(root, files, is_users if isolated else None)
    is_own = path is not None and (config is not None or is_users(path))
    file = files.read(path) if path else None
    if file is None and not section:
        return _Sources(path)
    # Few folders have settings, and importing pydantic takes longer than everything else.
    from agent_lsp import settings  # noqa: PLC0415 - pydantic, only with a settings file

    base, said = Options(), tuple[str, ...]()
    if file is not None and file.problem is not None:
        said = (f"{file.path}: cannot be read: {file.problem}",)
    elif file is not None:
        base, said = settings.from_file(file.text, file.path)
        base = base if is_own else _without_shares(base, file.path.parent)
        said = (*said, *_missing(base, file.path, files))
        base = _named_from(root, base, files)
    over, more = settings.from_editor(section, root)
    base, over = _renamed(base, files.spelt), _renamed(over, files.spelt)
    return _Sources(path, base, over, (*said, *more), is_own)


def _named_from(root: Path, options: Options, files: Files) -> Options:
    """`options` with real paths below `root` named from `root`, which may be a link."""
    real = files.real(root)

    def named(folder: Path) -> Path:
        return root / folder.relative_to(real) if folder.is_relative_to(real) else folder

    return _renamed(options, named)


def _without_shares(options: Options, folder: Path) -> Options:
    """`options` of a repository at `folder`, without folders on network shares of Windows."""

    def is_other(path: Path) -> bool:
        return is_on_other_share(path, folder)

    root = options.session_root
    return replace(
        options,
        folders={path: claim for path, claim in options.folders.items() if not is_other(path)},
        extras={
            system: replace(extra, scopes=tuple(one for one in extra.scopes if not is_other(one)))
            for system, extra in options.extras.items()
        },
        session_root=root if root is not None and not is_other(root) else None,
    )


def _renamed(options: Options, named: Callable[[Path], Path]) -> Options:
    """`options` with `named` applied to their folders."""
    extras = {
        system: replace(extra, scopes=tuple(map(named, extra.scopes)))
        for system, extra in options.extras.items()
    }
    folders = {named(folder): claim for folder, claim in options.folders.items()}
    return replace(options, folders=folders, extras=extras)


def _missing(options: Options, path: Path, files: Files) -> Iterator[str]:
    """The messages about folders in the settings file that do not exist."""
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
