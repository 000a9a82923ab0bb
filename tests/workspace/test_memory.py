"""Stored answers are never outdated: an old workspace answers as a new one does."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkdtemp

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from agent_lsp.analysis.diagnostics import examined
from agent_lsp.data_classes import replace
from agent_lsp.dialects import SYSTEMS
from agent_lsp.installed import installed
from agent_lsp.options import Extras, Options
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import HostPaths
from agent_lsp.workspace.search import template_folders
from agent_lsp.workspace.snapshot import Workspace, root_for
from tests.effort import EFFORT, examples
from tests.systems import DIALECTS

_PROJECT = (
    ".claude/agents/a.md",
    ".claude/agents/b.md",
    ".claude/agents/sub/c.md",
    "services/x/.claude/agents/a.md",
    "kit/agents/a.md",
    "agents/a.md",
    "templates/a.md",
    ".codex/agents/a.md",
    ".codex/.agents/a.md",
    ".codex/.agents/A.md",
    "services/x/.codex/.agents/a.md",
    ".kodacode/agents/a.md",
    "docs/templates/a.md",
    "docs/templates/worker.md",
    "services/x/docs/templates/a.md",
    "moltis.toml",
    "services/x/moltis.toml",
    ".moltis/agents/a.md",
    "kit/.claude-plugin/plugin.json",
)
# Files around the workspace folders, where nothing is searched.
_OUTSIDE = (
    "home/.claude/agents/a.md",
    "home/.claude/agents/b.md",
    "home/.codex/.agents/a.md",
    "home/.codex/agents/a.md",
    "home/.moltis/agents/a.md",
    "home/.config/moltis/moltis.toml",
    "above/.claude/agents/a.md",
    "above/.codex/.agents/a.md",
    "shared/agents/a.md",
)
_NAMES = (*(f"above/workspace/{name}" for name in _PROJECT), *_OUTSIDE)
_MARKED = tuple(dict.fromkeys(Path(name).parents[1].as_posix() for name in _NAMES))
_TEXTS = (
    "---\nname: a\ndescription: d\ntools: Read, Grap\n---\nGo.\n",
    "---\nname: b\ndescription: d\n---\nAsk `a` for help.\n",
    "---\nname: a\n---\nGo.\n",
    "---\nname: [\n---\nGo.\n",
    "---\ndescription: d\nmode: primary\nallow_list: [exec_command, exec_comand]\n---\nGo.\n",
    "Only words.\n",
    "",
    '# A\n\n[template]\nid = "a"\nname = "a"\n\ntool_call read_file {}\n',
    '{"name": "kit"}',
    '{"name": "other"}',
    '[agents.presets.a]\nmodel = "x"\ntools.alow = ["exec"]\n',
)
_OPTIONS = (
    Options(),
    Options(extras={"claude": Extras(tools=("Grap",))}),
    Options(severity={"unknown-tool": None}),
)
_FILES = st.integers(0, len(_NAMES) - 1)


class Memory(RuleBasedStateMachine):
    """Random changes in an editor and on disk, seen by one lasting `Files` and by new ones."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(mkdtemp()).resolve()
        home, root = self.folder / "home", self.folder / "above/workspace"
        root.mkdir(parents=True)
        home.mkdir()
        (self.folder / "above/.git").mkdir()
        self.paths = tuple(self.folder / name for name in _NAMES)
        self.open: dict[Path, str] = {}
        places = HostPaths(home, installed("templates"))
        self.workspace = Workspace(Files(), SYSTEMS, places, (root,), (), {root: Options()})

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @rule(at=_FILES, text=st.sampled_from(_TEXTS))
    def write(self, at: int, text: str) -> None:
        """A program writes a file."""
        _cleared(self.paths[at]).write_text(text)
        self._tell(self.paths[at])

    @rule(at=_FILES)
    def remove(self, at: int) -> None:
        """A program removes a file."""
        _cleared(self.paths[at])
        self._tell(self.paths[at])

    @rule(folder=st.sampled_from(_MARKED))
    def found(self, folder: str) -> None:
        """A folder becomes a repository, or stops being one."""
        mark = self.folder / folder / ".git"
        if mark.is_dir():
            mark.rmdir()
        else:
            mark.mkdir(parents=True)
        self._tell(mark)

    @rule(at=_FILES, text=st.sampled_from(_TEXTS))
    def type(self, at: int, text: str) -> None:
        """The editor opens a file, or changes its text."""
        self.open[self.paths[at]] = text
        self.workspace.files.open(self.paths[at], text)

    @rule(at=_FILES)
    def close(self, at: int) -> None:
        """The editor closes a file."""
        if self.open.pop(self.paths[at], None) is not None:
            self.workspace.files.close(self.paths[at])

    @rule(
        options=st.sampled_from(_OPTIONS),
        folder=st.sampled_from((None, "agents", "kit/agents", "templates", "docs/templates")),
        known=st.sampled_from(("claude", "vuhlp", None)),
        more=st.booleans(),
        start=st.sampled_from((None, "above", "above/workspace/services/x")),
    )
    def settle(
        self,
        options: Options,
        folder: str | None,
        known: str | None,
        more: bool,
        start: str | None,
    ) -> None:
        """The user changes settings, which may claim a folder for another dialect."""
        root = self.workspace.roots[0]
        folders: Mapping[Path, str | None] = {root / folder: known} if folder else {}
        scopes = (self.folder / "shared/agents",) if more else ()
        extras = {
            **options.extras,
            "claude": replace(options.extra("claude"), scopes=scopes),
            "vuhlp": Extras(scopes=scopes),
        }
        first = self.folder / start if start else None
        stated = replace(options, folders=folders, extras=extras, session_root=first)
        self.workspace = replace(
            self.workspace, settings=dict.fromkeys(self.workspace.roots, stated)
        )

    @rule(names=st.sampled_from((("",), ("services/x", ""), ("", "kit"), ("services/x",))))
    def put(self, names: tuple[str, ...]) -> None:
        """The user adds or removes workspace folders."""
        top = self.folder / "above/workspace"
        roots = tuple(top / name for name in names)
        stated = next(iter(self.workspace.settings.values()))
        self.workspace = replace(self.workspace, roots=roots, settings=dict.fromkeys(roots, stated))

    @rule(
        folder=st.sampled_from((None, "templates", "agents")),
        known=st.sampled_from(("claude", "vuhlp")),
    )
    def claim(self, folder: str | None, known: str) -> None:
        """The caller claims a folder for a dialect."""
        top = self.folder / "above/workspace"
        self.workspace = replace(self.workspace, claimed={top / folder: known} if folder else {})

    @rule(at=_FILES, text=st.sampled_from(_TEXTS), is_looked_at=st.booleans())
    def refresh(self, at: int, text: str, is_looked_at: bool) -> None:
        """The disk may have changed anywhere, or only in files of the workspace."""
        path, files = self.paths[at], self.workspace.files
        _cleared(path).write_text(text)
        folders = _searched(self.workspace).folders if is_looked_at else ()
        files.refresh(folders)
        if path.parent in folders:
            files.rewritten(path)

    @invariant()
    def says_what_a_new_one_says(self) -> None:
        """Diagnostics and catalogs are those of a new process."""
        files = Files()
        for path, text in self.open.items():
            files.open(path, text)
        old, new = _searched(self.workspace), _searched(replace(self.workspace, files=files))
        assert old.folders == new.folders
        # The second time uses the answers that the first has stored.
        for path in self.paths:
            assert examined(old, path) == examined(new, path), path
        for dialect in DIALECTS:
            for at in (*self.workspace.roots, None):
                root = root_for(new, dialect.system, at)
                assert root_for(old, dialect.system, at) == root
                mine, theirs = catalog(old, dialect, root), catalog(new, dialect, root)
                assert mine.scopes == theirs.scopes
                assert mine.names == theirs.names
                assert list(map(mine.candidates, mine.names)) == list(
                    map(theirs.candidates, theirs.names)
                )

    def _tell(self, path: Path) -> None:
        self.workspace.files.changed(path)


def _cleared(path: Path) -> Path:
    """The path of a file, in an existing folder and with nothing there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    return path


def _searched(workspace: Workspace) -> Workspace:
    found = (one for root in workspace.roots for one in template_folders(workspace, root))
    return replace(workspace, folders=tuple(dict.fromkeys(filter(None, found))))


TestMemory = Memory.TestCase
TestMemory.settings = settings(
    max_examples=examples(25 if EFFORT > 1 else 10),
    stateful_step_count=25 if EFFORT else 10,
    deadline=None,
)
