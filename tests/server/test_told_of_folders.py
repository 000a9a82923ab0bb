"""What a client is asked to watch is enough, even if it reports a folder and not what was in it.

VS Code, for one, reports of a deleted folder nothing below it, and no client reports a file that no
pattern matches.
"""

import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tests.server.inside import Inside

_CREATED, _CHANGED, _DELETED = 1, 2, 3
# The bit of each kind of change in a registration.
_BITS = {_CREATED: 1, _CHANGED: 2, _DELETED: 4}
_WATCHED = "workspace/didChangeWatchedFiles"
_ABLE = {
    "workspace": {
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True}
    }
}
_AGENT = "---\nname: a\ndescription: d\ntools: Raed\n---\nb\n"


class _Watching(Inside):
    """A client that reports what it was asked to watch, and nothing else."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.watchers: list[dict[str, Any]] = []
        super().__init__(root, _ABLE)

    def write(self, data: bytes) -> None:
        """Takes note of the watchers that are registered."""
        said = json.loads(data.split(b"\r\n\r\n", 1)[1])
        if said.get("method") == "client/registerCapability":
            for one in said["params"]["registrations"]:
                self.watchers = (one.get("registerOptions") or {}).get("watchers", self.watchers)
        super().write(data)

    async def see(self, path: Path, kind: int) -> None:
        """Reports a change, if it is one to watch."""
        if any(self._is_matched(one, path, kind) for one in self.watchers):
            self.tell(_WATCHED, {"changes": [{"uri": path.as_uri(), "type": kind}]})
        await self.rest()

    def _is_matched(self, watcher: dict[str, Any], path: Path, kind: int) -> bool:
        glob, base = watcher["globPattern"], self.root
        if isinstance(glob, dict):
            base, glob = Path(unquote(urlsplit(glob["baseUri"]).path)), glob["pattern"]
        is_kind = (watcher.get("kind") or 7) & _BITS[kind]
        is_below = bool(is_kind) and base in path.parents
        return is_below and bool(_regex(glob).fullmatch(path.relative_to(base).as_posix()))


_PIECES = re.compile(r"\*\*/|\*\*|\*|[{},]|[^*{},]+")
_SAID = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "{": "(?:", "}": ")", ",": "|"}


def _regex(glob: str) -> re.Pattern[str]:
    return re.compile("".join(_SAID.get(one) or re.escape(one) for one in _PIECES.findall(glob)))


def _put(root: Path, files: Iterable[tuple[str, str]]) -> None:
    for name, text in files:
        path = _path(root, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def _path(root: Path, name: str) -> Path:
    return root.parent / "home" / name[2:] if name.startswith("~/") else root / name


_PROJECT = {"packages/a/.claude/agents/a.md": _AGENT}
_PLUGIN = {
    "kit/.claude-plugin/plugin.json": '{"name": "kit"}',
    "kit/agents/reviewer.md": "You review changes.\n",
}
_CURSOR_PLUGIN = {
    "kit/.cursor-plugin/plugin.json": '{"name": "kit", "agents": "./bots/"}',
    "kit/bots/reviewer.md": "---\nname: reviewer\ndescription: d\n---\nb\n",
    "kit/agents/planner.md": "---\ndescription: d\n---\nb\n",
}
_EXTENSION = {
    "ext/gemini-extension.json": '{"name": "ext", "version": "1"}',
    "ext/agents/a.md": "---\nname: a\ndescription: d\ntools: [raed]\n---\nb\n",
}
_SKILL = {
    ".claude/agents/a.md": "---\nname: a\ndescription: d\nskills: notes\n---\nb\n",
    ".claude/skills/notes/SKILL.md": (
        "---\nname: notes\ndescription: d\ndisable-model-invocation: true\n---\nb\n"
    ),
}
_OF_USER = {
    "moltis.toml": '[agents.presets.scout]\ntools.deny = ["exec"]\n',
    "~/.config/moltis/moltis.toml": '[agents.presets.coder]\nmodel = "gpt-5.2"\n',
}
_GONE = (
    (_PROJECT, "packages"),
    (_PROJECT, "packages/a"),
    (_PROJECT, "packages/a/.claude"),
    ({"o/opencode.json": '{"agent": {"a": {"tols": {}}}}'}, "o"),
    (_PLUGIN, "kit"),
    (_PLUGIN, "kit/.claude-plugin"),
    (_CURSOR_PLUGIN, "kit/.cursor-plugin"),
    (_EXTENSION, "ext"),
    (_SKILL, ".claude/skills/notes"),
    (_OF_USER, "~/.config/moltis"),
    (_OF_USER, "~/.config"),
)


@pytest.mark.parametrize(("files", "folder"), _GONE)
async def test_a_folder_that_goes_takes_along_the_findings_that_depend_on_it(
    files: dict[str, str], folder: str, root: Path
) -> None:
    _put(root, files.items())
    it = _Watching(root)
    await it.rest()
    before = it.found()
    shutil.rmtree(_path(root, folder))
    await it.see(_path(root, folder), _DELETED)
    new = _Watching(root)
    await new.rest()
    assert it.found() == new.found() != before


async def test_a_folder_that_only_a_manifest_names_is_watched(root: Path) -> None:
    _put(root, _CURSOR_PLUGIN.items())
    it, agent = _Watching(root), root / "kit/bots/reviewer.md"
    await it.rest()
    assert agent.as_uri() not in it.found()
    agent.write_bytes(b"\xff")
    await it.see(agent, _CHANGED)
    assert [one[0] for one in it.found()[agent.as_uri()]] == ["unreadable"]


async def test_a_file_that_comes_beside_a_missing_one_is_suggested(root: Path) -> None:
    text = "---\nname: a\ndescription: d\n---\nKeep to [the guide](../../docs/giude.md).\n"
    _put(root, [(".claude/agents/a.md", text), ("docs/other.md", "")])
    it = _Watching(root)
    await it.rest()
    assert "guide.md" not in str(it.found())
    _put(root, [("docs/guide.md", "")])
    await it.see(root / "docs/guide.md", _CREATED)
    assert "docs/guide.md" in str(it.found())


async def test_a_file_is_watched_once_a_changed_template_names_it(root: Path) -> None:
    _put(root, [(".claude/agents/a.md", _AGENT), ("docs/guide.md", "")])
    it = _Watching(root)
    await it.rest()
    text = "---\nname: a\ndescription: d\n---\nKeep to [the guide](../../docs/guide.md).\n"
    _put(root, [(".claude/agents/a.md", text)])
    await it.see(root / ".claude/agents/a.md", _CHANGED)
    assert it.found() == {}
    (root / "docs/guide.md").unlink()
    await it.see(root / "docs/guide.md", _DELETED)
    assert "missing-file" in str(it.found())


async def test_each_watched_pattern_can_match_something(root: Path) -> None:
    it = _Watching(root)
    await it.rest()
    globs = [one["globPattern"] for one in it.watchers]
    assert len(globs) > 100
    assert not any("{}" in glob for glob in globs if isinstance(glob, str))
