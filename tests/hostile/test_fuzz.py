"""A server that is asked anything, while files change at random, ends as a new one begins.

Each seed is a workspace and a number of steps. A step writes, deletes or opens a file, types into
it, closes it, or asks something at a random place. `make test-hostile` plays the same seeds each
time, and `make fuzz` others. To play one again, run it with `AGENT_TEMPLATE_SEED`.
"""

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.effort import EFFORT, within
from tests.hostile.texts import SHIPPED
from tests.server.editor import environment
from tests.server.inside import Inside

_STEPS = 150
_SEEDS = (
    [int(os.environ["AGENT_TEMPLATE_SEED"])]
    if "AGENT_TEMPLATE_SEED" in os.environ
    else range(3)
    if EFFORT < 2
    else [random.SystemRandom().randrange(10**9) for _ in range(4 * EFFORT)]
)
_EXAMPLES = Path(__file__).parents[2] / "examples"
_FOLDERS = (
    ".claude/agents",
    ".claude/agents/sub",
    ".codex/.agents",
    ".codex/agents",
    ".cursor/agents",
    ".factory/droids",
    ".gemini/agents",
    ".github/agents",
    ".kodacode/agents",
    ".moltis/agents",
    ".opencode/agents",
    ".qwen/agents",
    "docs/templates",
    "kit/agents",
)
_OTHERS = ("moltis.toml", ".mcp.json", "kit/.claude-plugin/plugin.json", ".codex/config.toml")
_PIECES = (
    *("\n", "\r", "\r\n", "---\n", ": ", "- ", "[", "]", "{", "}", '"', "'", "#", "*a", "&a ", "|"),
    *("\u202e", "\u200b", "\u0430", "\U0001f600", "\ufeff", "\x1b", "\x85", "\u2028", "\t", "`"),
    *("name: b\n", "tools: [Read, Grap]\n", "description:", "[agents.presets.x]\n", "model: x\n"),
    *(
        "<!-- agent_name: x -->\n",
        "Delegate to the `reviewer` agent.\n",
        "@agent-reviewer ",
        "=",
        ",",
    ),
)
# The requests about a place, and those about a whole file.
_AT = (
    "hover",
    "completion",
    "definition",
    "references",
    "prepareRename",
    "documentHighlight",
    "implementation",
    "prepareCallHierarchy",
)
_WHOLE = ("documentSymbol", "foldingRange", "codeLens", "semanticTokens/full", "documentLink")
# What is no message, or one that no editor sends.
_NOISE = (
    *(
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe{}",
        b"[" * 3000,
        b'{"jsonrpc":"2.0","id":[1],"method":"x"}',
    ),
    b'{"jsonrpc":"2.0","id":1e999,"method":"textDocument/hover","params":{}}',
    b'{"jsonrpc":"2.0","id":"never asked","result":{}}',
    b'{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file://["}}}',
    b'{"jsonrpc":"2.0","method":"window/workDoneProgress/cancel","params":{"token":"x"}}',
)
# The longest that one message may take, in seconds of processor time.
_MOST = 5
_INTERNAL_ERROR = -32603


class _Play:
    """A server with a random workspace, and what the editor has open."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.random = root, random.Random(seed)  # noqa: S311 - no secret
        self.open: dict[Path, str] = {}
        self.version = 1
        for _ in range(12):
            path = self._any_path()
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self._any_text(path), encoding="utf-8", newline="")
        self.server = Inside(root)

    def step(self) -> None:
        """Does one random thing."""
        steps: tuple[Callable[[], None], ...] = (self.write, self.delete, self.type, self.close)
        chosen = self.random.choice(
            (*steps, self.type, self.type, self.ask, self.ask, self.act, self.noise)
        )
        with within(_MOST):
            chosen()

    def write(self) -> None:
        path = self._any_path()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self._any_text(path), encoding="utf-8", newline="")
        self._event(path, 2)

    def delete(self) -> None:
        there = sorted(path for path in self.root.rglob("*.*") if path.is_file())
        if there:
            path = self.random.choice(there)
            path.unlink()
            self._event(path, 3)

    def type(self) -> None:
        self.version += 1
        if not self.open or self.random.random() < 0.2:
            path = self._any_path()
            if path not in self.open:
                self.open[path] = self._any_text(path)
                self.show(self.server, path)
                return
        path = self.random.choice(sorted(self.open))
        self.open[path] = self._changed(self.open[path])
        document = {"uri": path.as_uri(), "version": self.version}
        change = [{"text": self.open[path]}]
        self._tell("didChange", {"textDocument": document, "contentChanges": change})

    def close(self) -> None:
        if self.open:
            path = self.random.choice(sorted(self.open))
            del self.open[path]
            self._tell("didClose", {"textDocument": {"uri": path.as_uri()}})

    def ask(self) -> None:
        if self.open:
            path = self.random.choice(sorted(self.open))
            method = self.random.choice((*_AT, *_WHOLE))
            params: dict[str, Any] = {"textDocument": {"uri": path.as_uri()}}
            if method in _AT:
                params |= {"position": self._place(), "context": {"includeDeclaration": True}}
            if method == "completion":
                del params["context"]
            self._answered(f"textDocument/{method}", params)

    def act(self) -> None:
        if self.open:
            path = self.random.choice(sorted(self.open))
            start = {"line": self.random.randrange(8), "character": 0}
            end = {"line": start["line"] + self.random.randrange(3), "character": 90}
            context: dict[str, object] = {"diagnostics": []}
            asked = {"range": {"start": start, "end": end}, "context": context}
            document = {"textDocument": {"uri": path.as_uri()}}
            self._answered("textDocument/codeAction", document | asked)

    def noise(self) -> None:
        self.server.server.protocol.receive(self.random.choice(_NOISE))

    def show(self, server: Inside, path: Path) -> None:
        """Opens `path` in `server`, with the text that the editor has."""
        item = {"languageId": "markdown", "version": self.version, "text": self.open[path]}
        server.tell("textDocument/didOpen", {"textDocument": {"uri": path.as_uri(), **item}})

    def _answered(self, method: str, params: object) -> None:
        answer = self.server.ask(method, params)
        # A refusal is an answer, too.
        assert not isinstance(answer, dict) or answer.get("code") != _INTERNAL_ERROR, answer

    def _tell(self, method: str, params: object) -> None:
        self.server.tell(f"textDocument/{method}", params)

    def _event(self, path: Path, kind: int) -> None:
        changes = [{"uri": path.as_uri(), "type": kind}]
        self.server.tell("workspace/didChangeWatchedFiles", {"changes": changes})

    def _place(self) -> dict[str, int]:
        return {"line": self.random.randrange(12), "character": self.random.randrange(40)}

    def _any_path(self) -> Path:
        if self.random.random() < 0.2:
            return self.root / self.random.choice(_OTHERS)
        name = self.random.choice(("reviewer", "planner", "a", "b"))
        folder = self.random.choice(_FOLDERS)
        ending = ".agent.md" if folder == ".github/agents" else ".md"
        return self.root / folder / f"{name}{ending}"

    def _any_text(self, path: Path) -> str:
        if path.suffix == ".json":
            return self.random.choice(
                ('{"name": "kit"}', '{"mcpServers": {"github": {}}}', "{", "")
            )
        alike = [one for one in _TEXTS if one.suffix == path.suffix]
        text = self.random.choice(alike).read_text(encoding="utf-8", errors="replace")
        return text if self.random.random() < 0.5 else self._changed(text)

    def _changed(self, text: str) -> str:
        at = self.random.randint(0, min(len(text), 400))
        end = at + self.random.choice((0, 0, 1, 5, 40))
        return text[:at] + self.random.choice((*_PIECES, "")) + text[end:]


_TEXTS = sorted({*SHIPPED, *_EXAMPLES.rglob("*.md"), *_EXAMPLES.rglob("*.toml")})


@pytest.mark.hostile
@pytest.mark.parametrize("seed", _SEEDS)
async def test_a_server_that_was_asked_anything_has_the_findings_of_a_new_one(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    root = tmp_path / "workspace"
    (root / ".git").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    play = _Play(root, seed)
    for number in range(_STEPS):
        play.step()
        if number % 10 == 0:
            await play.server.rest()
    await play.server.rest()
    new = Inside(root)
    for path in play.open:
        play.show(new, path)
    await new.rest()
    old, expected = (
        {uri: sorted(one, key=str) for uri, one in it.found().items()} for it in (play.server, new)
    )
    assert old == expected
    assert [text for text in play.server.logged if "Traceback" in text] == []
