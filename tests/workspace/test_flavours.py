"""Where templates are on Windows, macOS and Linux: each folder of each system.

The paths are Python's own for these systems, on a disk in memory that treats the same names as
equal as theirs do. `tests/server/test_caseless_disk.py` tests the same on a real disk, if there is
one.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes_at
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.navigation.definition import definition, document_links
from agent_lsp.analysis.navigation.rename import CannotRename, rename
from agent_lsp.cli.gitignore import gitignored
from agent_lsp.dialects import SYSTEMS
from agent_lsp.dialects.codex_agents.skills import switched_off
from agent_lsp.environment import workspace_for
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import EACH, HERE, ScopeRule
from agent_lsp.model.runtime import Scope
from agent_lsp.options import Options
from agent_lsp.server.convert import path_of
from agent_lsp.workspace import definitions
from agent_lsp.workspace.catalogs import candidates
from agent_lsp.workspace.disk import Entry
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.mcp_servers import mcp_servers
from agent_lsp.workspace.misplaced import misplaced
from agent_lsp.workspace.paths import HostPaths
from agent_lsp.workspace.placement import folder_placement, placement_at
from agent_lsp.workspace.scopes import proper_folder, scope_of, scopes, session_root
from agent_lsp.workspace.snapshot import (
    TemplateFile,
    Workspace,
    catalog_of,
    deeper,
    options_at,
    template_file,
)
from tests.effort import usually
from tests.systems import DIALECTS
from tests.workspace.disk import Memory, posix, windows

SOUND = "---\ndescription: Reviews.\n---\nReview.\n"
# A folder that a rule names only by `*`.
BUNDLE = "kit"
TYPO = "---\ndescription: Reviews.\nmodle: x\n---\nReview.\n"


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine with a project and a home, in the spelling of the disk and in another one."""

    path: Callable[[str], Path]
    ignores_case: bool
    root: str
    other_root: str
    home: str


MACHINES = {
    "drive": Machine(windows, True, "C:/Code/Proj", "c:/code\\PROJ", "C:/Users/Ann"),
    "drive itself": Machine(windows, True, "D:/", "d:\\", "C:/Users/Ann"),
    "share": Machine(windows, True, "//Server/Share", "//SERVER/share/", "//Server/Home/Ann"),
    "macOS": Machine(posix, True, "/Volumes/Code/Proj", "/Volumes/code/PROJ", "/Users/Ann"),
    "Linux": Machine(posix, False, "/code/proj", "/code/proj", "/home/ann"),
}
machines = pytest.mark.parametrize("machine", MACHINES.values(), ids=list(MACHINES))
caseless = pytest.mark.parametrize(
    "machine", [one for one in MACHINES.values() if one.ignores_case], ids=list(MACHINES)[:-1]
)
RULES = [
    (dialect, rule) for dialect in DIALECTS for rule in dialect.system.scopes if not rule.builtin
]
rules = pytest.mark.parametrize(
    ("dialect", "rule"), RULES, ids=[f"{known.id}-{rule.label}" for known, rule in RULES]
)


def places_of(machine: Machine, relative: str = "") -> HostPaths:
    """The host paths of a machine, with a folder for the variable in a rule's folder."""
    name = relative.partition("/")[0].removeprefix("$") if relative.startswith("$") else ""
    variables = {name: str(machine.path(f"{machine.home}/vars"))} if name else {}
    return HostPaths(machine.path(machine.home), machine.path(f"{machine.home}/shipped"), variables)


def base_of(machine: Machine, relative: str) -> tuple[Path, str]:
    """The folder to which a rule's folder is relative on this machine, and the relative path."""
    head, _, rest = relative.replace(EACH, BUNDLE).partition("/")
    if head == "~":
        return machine.path(machine.home), rest
    if head.startswith("$"):
        return machine.path(places_of(machine, relative).variables[head[1:]]), rest
    return machine.path(machine.root), "" if relative == HERE else relative


def made(machine: Machine, rule: ScopeRule, relative: str, spell: Callable[[str], str]) -> Files:
    """A disk with a file in the folder of a rule; `spell` decides the spelling of its names."""
    base, rest = base_of(machine, relative)
    disk = Memory(machine.ignores_case)
    disk.put({base / spell(rest) / "a.md": SOUND})
    disk.put({machine.path(machine.root) / ".git/HEAD": ""})
    if rule.marker:
        # The marker of a user's folder is in it, otherwise in the session root.
        own = rest.partition(BUNDLE)[0] + BUNDLE if EACH in relative else rest
        marked = base / spell(own) if relative[0] in "~$" else base
        disk.put({marked / rule.marker: ""})
    if rule.manifests is not None:
        disk.put({base / rule.manifests.own: '{"name": "kit"}'})
    return Files(disk)


def roles(scopes: tuple[Scope, ...]) -> Iterator[tuple[str, Path]]:
    """The scopes of a session that are not built in, as label and folder."""
    return ((scope.label, scope.folder) for scope in scopes if not scope.builtin)


@machines
@rules
def test_a_folder_has_the_scope_of_its_rule(
    dialect: Dialect, rule: ScopeRule, machine: Machine
) -> None:
    for relative in rule.folders:
        files, places = made(machine, rule, relative, str), places_of(machine, relative)
        base, rest = base_of(machine, relative)
        root = machine.path(machine.root)
        scope = scope_of(dialect.system, base / rest, places, files)
        assert scope is not None
        assert scope.label == rule.label
        assert (rule.label, base / rest) in roles(scopes(dialect.system, root, places, files))
        if base == root:
            assert session_root(dialect.system, base / rest, files) == root
        inner = scope_of(dialect.system, base / rest / "deeper", places, files)
        assert (inner is not None and inner.folder == base / rest) is rule.deep


@caseless
@rules
def test_a_folder_is_found_in_every_spelling_that_the_disk_equates(
    dialect: Dialect, rule: ScopeRule, machine: Machine
) -> None:
    """The runtime asks for its own spelling, and the disk returns what exists."""
    for relative in rule.folders:
        files, places = made(machine, rule, relative, str.swapcase), places_of(machine, relative)
        base, rest = base_of(machine, relative)
        there = base / rest.swapcase()
        for asked in (base / rest, there, base / rest.upper()):
            spelt = files.spelt(asked)
            assert str(spelt) == str(files.spelt(there))
            assert spelt.name in ("", there.name)
            scope = scope_of(dialect.system, spelt, places, files)
            assert scope is not None
            assert scope.label == rule.label
            if base == machine.path(machine.root):
                root = session_root(dialect.system, spelt, files)
                assert root is not None
                assert files.real(root) == files.real(machine.path(machine.other_root))
        start = files.spelt(machine.path(machine.other_root))
        found = roles(scopes(dialect.system, start, places, files))
        assert (rule.label, str(files.spelt(there))) in [(role, str(path)) for role, path in found]


@rules
def test_another_spelling_is_another_folder_on_a_disk_with_case(
    dialect: Dialect, rule: ScopeRule
) -> None:
    machine = MACHINES["Linux"]
    for relative in rule.folders:
        base, rest = base_of(machine, relative)
        if not rest:
            continue
        files, places = made(machine, rule, relative, str.swapcase), places_of(machine, relative)
        there = base / rest.swapcase()
        scope = scope_of(dialect.system, there, places, files)
        assert scope is None or scope.label != rule.label
        found = roles(scopes(dialect.system, machine.path(machine.root), places, files))
        assert there not in [folder for _, folder in found]


@machines
@pytest.mark.parametrize("dialect", DIALECTS, ids=[dialect.id for dialect in DIALECTS])
def test_the_folder_for_a_new_template_has_a_path_of_the_same_kind(
    dialect: Dialect, machine: Machine
) -> None:
    files, places = Files(Memory(machine.ignores_case)), places_of(machine)
    root = machine.path(machine.root)
    belongs = proper_folder(dialect.system, root, places, files)
    assert type(belongs) is type(root)
    assert root in (belongs, *belongs.parents)


def workspace(machine: Machine, files: Files) -> Workspace:
    """The workspace of the project, in another spelling than that of the disk."""
    root = files.spelt(machine.path(machine.other_root))
    return workspace_for((root,), files, places_of(machine))[0]


@caseless
def test_two_spellings_of_a_file_are_one_and_the_editors_text_counts(machine: Machine) -> None:
    root, other = machine.path(machine.root), machine.path(machine.other_root)
    disk = Memory(ignores_case=True)
    disk.put({root / ".Codex/Agents/Reviewer.md": SOUND, root / ".git/HEAD": ""})
    files = Files(disk)
    path = files.spelt(other / ".codex/agents/reviewer.md")
    files.open(path, TYPO, 1)
    seen = workspace(machine, files)

    [folder] = seen.folders
    assert files.entries(folder) == ("Reviewer.md",)
    found = folder / "Reviewer.md"
    assert str(found) == str(path)
    assert [one.code for one in diagnostics(seen, found)] == ["unknown-key"]
    file = template_file(seen, found)
    assert file is not None
    [one] = candidates(seen, file.dialect, file.root, "Reviewer")
    assert one.path == found


@caseless
def test_a_file_renamed_in_case_has_the_new_spelling(
    machine: Machine,
) -> None:
    path = machine.path(machine.root) / ".codex/agents/a.md"
    disk = Memory(ignores_case=True)
    disk.put({path: SOUND})
    files = Files(disk)
    assert files.spelt(path).name == "a.md"
    assert files.is_spelt(path)
    disk.put({path.with_name("A.md"): SOUND})
    assert files.spelt(path).name == "a.md"
    files.changed(path)
    assert not files.is_spelt(path)
    assert files.spelt(path).name == "A.md"


def test_both_encodings_of_an_accent_are_one_name() -> None:
    """macOS keeps either form, and treats both as one name."""
    machine = MACHINES["macOS"]
    disk = Memory(ignores_case=True)
    disk.put({posix("/w/cafe\u0301/.codex/agents/re\u0301sume\u0301.md"): SOUND})
    files = Files(disk)
    spelt = files.spelt(posix("/w/caf\u00e9/.codex/agents/r\u00e9sum\u00e9.md"))
    assert str(spelt) == "/w/cafe\u0301/.codex/agents/re\u0301sume\u0301.md"
    assert files.real(posix("/w/CAF\u00c9")) == posix("/w/cafe\u0301")
    assert places_of(machine).home == posix("/Users/Ann")


def test_a_disk_that_ignores_case_may_begin_below_one_that_does_not() -> None:
    disk = Memory(ignores_case=True, top=posix("/mnt/disk"))
    disk.put({posix("/mnt/disk/Code/.Codex/agents/a.md"): SOUND, posix("/other/a"): ""})
    files = Files(disk)
    spelt = files.spelt(posix("/mnt/disk/code/.codex/AGENTS/A.md"))
    assert str(spelt) == "/mnt/disk/Code/.Codex/agents/a.md"
    assert str(files.spelt(posix("/MNT/disk/code"))) == "/MNT/disk/code"


@pytest.mark.parametrize(
    ("uri", "at"),
    [
        ("file:///c%3A/code/PROJ/.Claude/Agents/a.md", "C:/Code/Proj/.claude/agents/A.md"),
        ("file:///C:/Code/Proj/.claude/agents/A.md", "C:/Code/Proj/.claude/agents/A.md"),
        ("file:///c:/code/proj/x/../.claude/agents/a.md", "C:/Code/Proj/.claude/agents/A.md"),
        ("file://SERVER/share/p/.claude/agents/a.md", "//server/Share/p/.claude/agents/A.md"),
        ("file:///d%3a/.claude/agents/a.MD", "D:/.claude/agents/A.md"),
        ("file:///d%3A/.claude/agents/sub%20folder/a.md", "D:/.claude/agents/Sub Folder/A.md"),
    ],
)
def test_a_uri_leads_to_the_file_and_its_findings(uri: str, at: str) -> None:
    disk = Memory(ignores_case=True)
    disk.put({windows(at): "---\nname: a\ndescription: Reviews.\nmodle: x\n---\nReview.\n"})
    files = Files(disk)
    path = path_of(uri, PureWindowsPath)
    assert path is not None
    spelt = files.spelt(windows(str(path)))
    assert str(spelt).lower() == str(windows(at)).lower()
    assert spelt.name == "A.md"
    places = HostPaths(windows("C:/Users/Ann"), windows("C:/shipped"))
    seen = workspace_for((windows(spelt.anchor),), files, places)[0]
    owner = placement_at(seen, spelt)
    assert owner is not None
    assert owner.system.id == "claude"
    assert [one.code for one in diagnostics(seen, spelt)] == ["unknown-key"]


@pytest.mark.parametrize(
    "name",
    usually(
        ["CON", "aux", "nul", "COM1", "a" * 300, "a b", "a.b", "\u4f60"],
        ("CON", "a" * 300).__contains__,
    ),
)
def test_a_reserved_name_of_windows_raises_nothing(name: str) -> None:
    """The operating system decides whether such a file can exist; nothing fails here."""
    folder = windows("C:/") / ("deep/" * 60) / ".codex/.agents"
    disk = Memory(ignores_case=True)
    disk.put({folder / f"{name}.md": SOUND})
    seen = workspace_for((windows("C:/"),), Files(disk), places_of(MACHINES["drive"]))[0]
    owner = placement_at(seen, folder / f"{name}.md")
    assert owner is not None
    assert owner.system.id == "codex-templates"
    assert diagnostics(seen, folder / f"{name}.md") is not None


@pytest.mark.parametrize(
    ("root", "path", "counts"),
    [
        ("C:/Code", "c:/code/.Claude/agents/a.md", True),
        ("//server/share/x", "//SERVER/share/X/a.md", True),
        ("C:/Code", "D:/Code/a.md", False),
    ],
)
def test_options_apply_to_files_in_their_folder(root: str, path: str, *, counts: bool) -> None:
    told = Options(severity={"unknown-key": None})
    seen = Workspace(Files(), SYSTEMS, places_of(MACHINES["drive"]), settings={windows(root): told})
    assert (options_at(seen, windows(path)) is told) is counts


def test_options_without_a_folder_apply_to_every_disk() -> None:
    """Editors send general settings for the root of a disk."""
    told = Options(severity={"unknown-key": None})
    seen = Workspace(
        Files(), SYSTEMS, places_of(MACHINES["drive"]), settings={windows("C:/"): told}
    )
    for path in ("C:/a.md", "d:/a.md", "//server/share/a.md"):
        assert options_at(seen, windows(path)) is told


@caseless
def test_a_folder_can_be_claimed_in_any_spelling(machine: Machine) -> None:
    root = machine.path(machine.root)
    disk = Memory(ignores_case=True)
    disk.put({root / "Docs/Agents/a.md": SOUND})
    files = Files(disk)
    places = places_of(machine)
    claim = files.spelt(root / "docs/agents")
    seen = Workspace(
        files, SYSTEMS, places, (root,), (), {root: Options(folders={claim: "kodacode"})}
    )
    owner = folder_placement(seen, files.spelt(root / "DOCS/AGENTS"))
    assert owner is not None
    assert owner.system.id == "kodacode"


@caseless
def test_a_file_further_down_is_found_in_any_case_of_the_root(machine: Machine) -> None:
    """A session that starts further down uses that file instead."""
    root, other = machine.path(machine.root), machine.path(machine.other_root)
    disk = Memory(ignores_case=True)
    disk.put(
        {
            root / ".git/HEAD": "",
            root / ".codex/.agents/a.md": SOUND,
            root / "sub/.codex/.agents/a.md": SOUND,
        }
    )
    files = Files(disk)
    seen = workspace(machine, files)
    file = template_file(seen, files.spelt(other / ".codex/.agents/a.md"))
    assert file is not None
    assert [str(one.path) for one in deeper(file)] == [
        str(files.spelt(root / "sub/.codex/.agents/a.md"))
    ]


@caseless
def test_a_wrong_place_is_recognised_in_every_spelling(machine: Machine) -> None:
    root = machine.path(machine.root)
    for dialect in DIALECTS:
        for ending in (
            dialect.system.misplaced.folders if dialect.system.misplaced is not None else ()
        ):
            right = {place.lower() for rule in dialect.system.scopes for place in rule.folders}
            if ending.lower() in right:
                # On such a disk it is no wrong place.
                continue
            folder = root / ending.swapcase()
            disk = Memory(ignores_case=True)
            disk.put({folder / "a.md": SOUND})
            files = Files(disk)
            found = misplaced(
                dialect.system, files.spelt(folder / "a.md"), places_of(machine), files
            )
            assert found is not None, ending


def test_the_disk_in_memory_equates_names_as_the_systems_do() -> None:
    """The tests above depend on this."""
    for machine in MACHINES.values():
        disk = Memory(machine.ignores_case)
        disk.put({machine.path(f"{machine.root}/Abc/x"): "1"})
        other = machine.path(f"{machine.root}/aBC/X")
        if machine.ignores_case:
            assert disk.read(other) == b"1"
        else:
            with pytest.raises(FileNotFoundError):
                disk.read(other)
    assert PureWindowsPath("C:/A") == PureWindowsPath("c:\\a")
    assert PurePosixPath("/A") != PurePosixPath("/a")


@pytest.mark.parametrize("name", ["a:b", "con", "a?"])
def test_an_agent_cannot_get_a_name_that_is_no_file_name(name: str) -> None:
    """Such a name would lead out of the folder, or to a device."""
    text = f"---\nname: {name}\ndescription: Reviews.\n---\nReview.\n"
    path = windows("C:/Code/Proj/.codex/agents/reviewer.md")
    other = path.with_name("other.md")
    disk = Memory(ignores_case=True)
    disk.put({path: text, other: text.replace(name, "other", 1)})
    seen = workspace(MACHINES["drive"], Files(disk))
    found = rename(subject_of(seen, other), text.index(name), name)
    assert isinstance(found, CannotRename)
    assert "cannot be the name" in found.message
    [mismatch] = [one for one in diagnostics(seen, path) if one.code == "name-mismatch"]
    assert [fix for fix in fixes_at(seen, path, mismatch.span) if fix.moved is not None] == []


@machines
def test_gitignore_ignores_case_if_the_disk_does(machine: Machine) -> None:
    root = machine.path(machine.root)
    path = root / "out/Build/.codex/agents/a.md"
    disk = Memory(machine.ignores_case)
    disk.put({root / ".git/HEAD": "", root / ".gitignore": "OUT/*\n!ou[T]/keep\n", path: SOUND})
    files = Files(disk)
    seen = workspace(machine, files)
    found = gitignored([path], seen.roots, files, lambda _: None)
    assert (path in found) is machine.ignores_case


@caseless
@pytest.mark.parametrize("opened", ["a.md", "B.md"])
def test_two_files_of_one_name_are_in_the_order_of_a_listing(opened: str, machine: Machine) -> None:
    """Capital letters come first, whatever names the disk and the paths treat as equal."""
    folder = machine.path(machine.root) / ".claude/agents"
    text = "---\nname: twin\ndescription: Reviews.\n---\nReview.\n"
    disk = Memory(ignores_case=True)
    disk.put({folder / "a.md": text, folder / "B.md": text})
    files = Files(disk)
    files.open(folder / opened, text, 1)
    seen = workspace(machine, files)
    file = subject_of(seen, folder / "a.md")
    found = definitions.names(files, file.dialect, file.scope.folder, file.scope)["twin"]
    assert [path.name for path in found] == ["B.md", "a.md"]


@pytest.mark.parametrize(
    ("key", "root"),
    [
        ("C:/Code/Proj", "c:/Code/Proj"),
        ("c:/Code/Proj", "C:/Code/Proj"),
        ("C:\\Code\\Proj", "C:/Code/Proj"),
        ("//server/share/proj", "//server/share/proj"),
    ],
)
def test_the_mcp_servers_of_a_project_are_found_by_its_key(key: str, root: str) -> None:
    disk = Memory(ignores_case=True)
    servers_ = {"projects": {key: {"mcpServers": {"mine": {"command": "x"}}}}}
    disk.put({windows("C:/Users/Ann/.claude.json"): json.dumps(servers_)})
    dialect = next(dialect for dialect in DIALECTS if dialect.id == "claude")
    found = mcp_servers(dialect, windows(root), places_of(MACHINES["drive"]), Files(disk))
    assert [one.name for one in found] == ["mine"]


@machines
def test_a_file_can_be_renamed_in_case_only(machine: Machine) -> None:
    """The disk has a file of the new name, but it is the same file."""
    path = machine.path(machine.root) / ".codex/agents/reviewer.MD"
    disk = Memory(machine.ignores_case)
    disk.put({path: SOUND})
    seen = workspace(machine, Files(disk))
    [found] = diagnostics(seen, path)
    assert found.code == "file-name"
    [fix] = [one for one in fixes_at(seen, path, found.span) if one.moved is not None]
    assert fix.moved is not None
    assert fix.moved.name == "reviewer.md"


def subject_of(seen: Workspace, path: Path) -> TemplateFile:
    file = template_file(seen, path)
    assert file is not None
    return file


class _Watched(Memory):
    """A disk in memory that keeps which paths on a network share it is asked about."""

    def __init__(self) -> None:
        super().__init__(ignores_case=True)
        self.asked: list[str] = []

    def status(self, path: Path, *, is_followed: bool = True) -> os.stat_result:
        self._keep(path)
        return super().status(path, is_followed=is_followed)

    def read(self, path: Path, most: int = -1) -> bytes:
        self._keep(path)
        return super().read(path, most)

    def scan(self, folder: Path) -> Iterable[Entry]:
        self._keep(folder)
        return super().scan(folder)

    def real(self, path: Path) -> Path:
        self._keep(path)
        return super().real(path)

    def _keep(self, path: Path) -> None:
        if path.drive.startswith("\\\\"):
            self.asked.append(str(path))


_SHARES = ("//evil/share/SKILL.md", "\\\\evil\\share\\SKILL.md", "//?/UNC/evil/share/SKILL.md")
# Files that name a path of which the server asks whether it exists, or what is in it.
_NAMING: Mapping[str, str] = {
    ".codex/config.toml": "[agents.a]\ndescription = 'd'\nconfig_file = '{0}'\n",
    ".codex/agents/a.toml": (
        "name = 'a'\ndescription = 'd'\ndeveloper_instructions = 'See {0} and [x]({0}).'\n"
        "[[skills.config]]\npath = '{0}'\nenabled = false\n"
    ),
    "opencode.json": '{{"agent": {{"a": {{"description": "d", "prompt": "{{file:{0}}}"}}}}}}\n',
    ".claude/agents/a.md": (
        "---\nname: a\ndescription: d\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n"
        "        - type: command\n          command: '{0}'\n---\n"
        "See @{0} and `{0}` and [x]({0}), in ~/{0} and ../{0}.\n"
    ),
    ".github/agents/a.agent.md": "---\ndescription: d\n---\nSee [x]({0}) and #file:{0}.\n",
    "kit/.claude-plugin/plugin.json": '{{"name": "kit", "agents": "{0}", "skills": ["{0}"]}}\n',
}


@pytest.mark.parametrize(
    ("name", "written"),
    usually(product(_NAMING, _SHARES), lambda case: case[1] == _SHARES[0]),
)
def test_no_file_of_a_repository_leads_to_another_share(name: str, written: str) -> None:
    """Only to ask a server for a file sends it the name of the user."""
    spelt = written.replace("\\", "\\\\") if name.endswith(".json") else written
    named = {name: _NAMING[name].format(spelt)}
    assert _asked({".git/HEAD": "", "kit/agents/b.md": SOUND, **named}) == []


_HOOK = (
    "---\nname: a\ndescription: d\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n"
    "        - {{type: command, command: '{0}///evil/share/x.py'}}\n---\nGo.\n"
)
_WITH_SKILLS = "---\nname: b\ndescription: d\nmcpServers: [x]\nskills: [x]\n---\nGo.\n"
# A path is read after a folder that the file names, and a share is named in the middle of it.
_AFTER_A_FOLDER: Mapping[str, Mapping[str, str]] = {
    "home": {"opencode.json": '{"agent": {"a": {"prompt": "{file:~///evil/share/SKILL.md}"}}}\n'},
    "hook in the home": {".claude/agents/a.md": _HOOK.format("~")},
    "hook in the project": {".claude/agents/a.md": _HOOK.format("$CLAUDE_PROJECT_DIR")},
    "hook of Qwen Code": {".qwen/agents/a.md": _HOOK.format("~")},
    "worktree": {".git": "gitdir: //evil/share/x\n", ".claude/agents/a.md": SOUND},
    "data of a worktree": {
        ".git": "gitdir: data\n",
        "data/commondir": "//evil/share/.git\n",
        ".claude/agents/a.md": SOUND,
    },
    **{
        f"{key} of a plugin": {
            "kit/.claude-plugin/plugin.json": json.dumps({"name": "kit", key: written}),
            "kit/agents/b.md": _WITH_SKILLS,
        }
        for key, written in (
            ("agents", ["./agents/b.md", "./agents/\\\\evil\\share\\c.md"]),
            ("skills", "./\\\\evil\\share"),
            ("commands", "./\\\\evil\\share"),
            ("mcpServers", "./\\\\evil\\share\\mcp.json"),
        )
    },
}


@pytest.mark.parametrize("case", _AFTER_A_FOLDER)
def test_a_share_in_the_middle_of_a_path_is_not_looked_at(case: str) -> None:
    """On Windows, `~/` and `//server/share` together are `//server/share`."""
    assert _asked({".git/HEAD": "", **_AFTER_A_FOLDER[case]}) == []


def _asked(texts: Mapping[str, str]) -> list[str]:
    """The paths on shares that all questions about a repository with `texts` look at."""
    disk, root = _Watched(), windows("C:/w")
    paths = {root / name: text for name, text in texts.items()}
    if ".git" in texts:
        del paths[root / ".git/HEAD"]
    disk.put(paths)
    files = Files(disk)
    workspace = Workspace(files, SYSTEMS, HostPaths(windows("C:/u"), windows("C:/s"), {}), (root,))
    gitignored(paths, (root,), files, lambda _: None)
    for one in paths:
        diagnostics(workspace, one)
        file = template_file(workspace, one)
        if file is not None:
            switched_off(catalog_of(file), one)
            tuple(document_links(file))
            for offset in range(0, len(file.document.text), 4):
                hover(workspace, one, offset)
                tuple(definition(file, offset))
                complete(workspace, one, offset)
    return disk.asked


@pytest.mark.parametrize(
    "written", ["//evil/share/a", "\\\\evil\\share\\a", "//?/UNC/evil/share/a"]
)
def test_no_settings_of_a_repository_lead_to_another_share(written: str) -> None:
    settings = (
        f"session-root = '{written}'\n[folders]\n'{written}' = 'claude'\n"
        f"[dialects.claude]\nscopes = ['{written}']\n"
    )
    disk, root = _Watched(), windows("C:/w")
    agent = root / ".claude/agents/a.md"
    disk.put({root / "agent-template-lsp.toml": settings, root / ".git/HEAD": "", agent: SOUND})
    host = HostPaths(windows("C:/u"), windows("C:/s"), {})
    seen, said = workspace_for((root,), Files(disk), host)
    assert said == ()
    assert [seen.files.entries(folder) for folder in seen.folders] == [("a.md",)]
    diagnostics(seen, agent)
    assert disk.asked == []
