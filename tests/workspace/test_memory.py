"""What is remembered of a workspace never shows: an old snapshot answers as a new one does."""

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from agent_lsp.analysis.diagnostics import examined
from agent_lsp.dialects.known import DIALECTS
from agent_lsp.installed import installed
from agent_lsp.options import Extras, Options
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.index import Workspace, catalog, root_for
from agent_lsp.workspace.scopes import Places
from agent_lsp.workspace.search import template_folders

_PROJECT = (
    ".claude/agents/a.md",
    ".claude/agents/b.md",
    ".claude/agents/sub/c.md",
    "services/x/.claude/agents/a.md",
    "kit/agents/a.md",
    "agents/a.md",
    ".codex/agents/a.md",
    ".codex/.agents/a.md",
    ".codex/.agents/A.md",
    "services/x/.codex/.agents/a.md",
    ".kodacode/agents/a.md",
    "moltis.toml",
    ".moltis/agents/a.md",
    "kit/.claude-plugin/plugin.json",
)
_HOME = (".claude/agents/a.md", ".codex/.agents/a.md", ".codex/agents/a.md")
_TEXTS = (
    "---\nname: a\ndescription: d\ntools: Read, Grap\n---\nGo.\n",
    "---\nname: b\ndescription: d\n---\nAsk `a` for help.\n",
    "---\nname: a\n---\nGo.\n",
    "---\nname: [\n---\nGo.\n",
    "---\ndescription: d\nmode: primary\nallow_list: [exec_command, exec_comand]\n---\nGo.\n",
    "Only words.\n",
    '{"name": "kit"}',
    '[agents.presets.a]\nmodel = "x"\ntools.alow = ["exec"]\n',
)
_OPTIONS = (
    Options(),
    Options(extras={"claude": Extras(tools=("Grap",))}),
    Options(severity={"unknown-tool": None}),
)


class Memory(RuleBasedStateMachine):
    """An editor and a disk that do anything, seen by files that stay and by new ones."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(mkdtemp()).resolve()
        root, home = self.folder / "workspace", self.folder / "home"
        (root / ".git").mkdir(parents=True)
        home.mkdir()
        self.paths = (*(root / name for name in _PROJECT), *(home / name for name in _HOME))
        self.open: dict[Path, str] = {}
        places = Places(home, installed("templates"))
        self.workspace = Workspace(Files(), places, (root,), (), {root: Options()})

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @rule(at=st.integers(0, len(_PROJECT) + len(_HOME) - 1), text=st.sampled_from(_TEXTS))
    def write(self, at: int, text: str) -> None:
        """Somebody writes a file."""
        self.paths[at].parent.mkdir(parents=True, exist_ok=True)
        self.paths[at].write_text(text)
        self._tell(at)

    @rule(at=st.integers(0, len(_PROJECT) + len(_HOME) - 1))
    def remove(self, at: int) -> None:
        """Somebody removes a file."""
        self.paths[at].unlink(missing_ok=True)
        self._tell(at)

    @rule(at=st.integers(0, len(_PROJECT) + len(_HOME) - 1), text=st.sampled_from(_TEXTS))
    def type(self, at: int, text: str) -> None:
        """The editor opens a file, or holds another text for it."""
        self.open[self.paths[at]] = text
        self.workspace.files.open(self.paths[at], text)

    @rule(at=st.integers(0, len(_PROJECT) + len(_HOME) - 1))
    def close(self, at: int) -> None:
        """The editor gives a file up."""
        if self.open.pop(self.paths[at], None) is not None:
            self.workspace.files.close(self.paths[at])

    @rule(options=st.sampled_from(_OPTIONS), folder=st.sampled_from((None, "agents", "kit/agents")))
    def settle(self, options: Options, folder: str | None) -> None:
        """The user changes settings, and with them perhaps whose a folder is."""
        root = self.workspace.roots[0]
        folders: Mapping[Path, str | None] = {root / folder: "claude"} if folder else {}
        stated = {root: replace(options, folders=folders)}
        self.workspace = replace(self.workspace, settings=stated)

    @rule()
    def refresh(self) -> None:
        """Nobody knows what has happened on the disk."""
        self.workspace.files.refresh()

    @invariant()
    def says_what_a_new_one_says(self) -> None:
        """Diagnostics and catalogs are those of a process that has just begun."""
        files = Files()
        for path, text in self.open.items():
            files.open(path, text)
        old, new = _searched(self.workspace), _searched(replace(self.workspace, files=files))
        assert old.folders == new.folders
        for path in self.paths:
            assert examined(old, path) == examined(new, path), path
        for known in DIALECTS:
            root = root_for(new, known, self.workspace.roots[0])
            mine, theirs = catalog(old, known, root), catalog(new, known, root)
            assert mine.names == theirs.names
            assert list(map(mine.candidates, mine.names)) == list(
                map(theirs.candidates, theirs.names)
            )

    def _tell(self, at: int) -> None:
        self.workspace.files.changed(self.paths[at])


def _searched(workspace: Workspace) -> Workspace:
    found = tuple(filter(None, template_folders(workspace, workspace.roots[0])))
    return replace(workspace, folders=found)


TestMemory = Memory.TestCase
TestMemory.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
