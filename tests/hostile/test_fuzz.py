"""A server that is asked anything, while files change at random, ends as a new one begins.

Each seed is a workspace and a number of steps. A step writes, deletes or opens a file, types into
it, closes it, asks something at a random place or with wrong parameters, or changes the disk and
tells of it later. Many of the files belong together, as in the examples of the rules, so that a
finding on one depends on another. Every place in an answer is in its text, every version is the
current one, and every edit applies. Every ten steps the findings are compared with those of a new
server, since what is outdated does not last until the end: the next scan would put it right. Then
fixes are carried out: one that is about a finding takes it away and brings no error, and after all
that are safe, none of them is left.

A random edit mostly spoils a text. So, before the next ten steps, files that belong together are
made whole, one line of one of them changes in the editor and nothing else, and the findings are
compared again. A key then has a value from another file, goes, or comes. Each workspace has a
project of every system, where one agent names another.

`make test-hostile` plays the same seeds each time, and `make fuzz` many more, from one that it
draws and prints. The seed is in the name of the test; `AGENT_TEMPLATE_SEED` plays it again.
"""

import os
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.checks.pages import Example, examples
from tests.effort import EFFORT, within
from tests.hostile.strict import AT, ENCODINGS, WHOLE, StrictClient
from tests.hostile.texts import SHIPPED
from tests.server.editor import environment
from tests.server.systems import SYSTEMS
from tests.server.test_any_message import REQUESTS, WRONG
from tests.systems import CODES

_STEPS = 150
# How many examples with several files a workspace has, and how many files besides.
_TOGETHER, _OTHER_FILES = 5, 6
_FIRST = int(os.environ.get("AGENT_TEMPLATE_SEED", "0"))
_COUNT = 4 * EFFORT if EFFORT > 1 else 1 if _FIRST else 3
_SEEDS = range(_FIRST, _FIRST + _COUNT)
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
_WORDS = ("b", "new-name", "", "a/b", "x\ny", "\u202ex", "README", "\ud800")
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
_ERROR = 1
# A line of a header or a table, and its key; and how many lines mostly have those of a header.
_KEY_LINE = re.compile(r"(?P<key>[ \t]*[\"']?[\w.-]+[\"']?)[ \t]*[:=].*\n")
_HEADER_LINES = 12
_EVERYWHERE = {"start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 0}}


class _Play:
    """A server with a random workspace, and what the editor has open."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.random = root, random.Random(seed)  # noqa: S311 - no secret
        self.open: dict[Path, str] = {}
        # What has changed on the disk, and the server was not told yet.
        self.late: set[Path] = set()
        # Files that belong together, and all texts of each.
        projects = [one.files for one in self.random.sample(_of_several(), _TOGETHER)]
        projects += [
            {one.other: one.others, one.main: _naming(one.main, one.text)}
            for one in SYSTEMS.values()
        ]
        self.together = [{root / name: text for name, text in one.items()} for one in projects]
        self.related: dict[Path, list[str]] = {}
        for one in self.together:
            for path, text in one.items():
                self.related.setdefault(path, []).append(text)
        for path in (*self.related, *(self._any_path() for _ in range(_OTHER_FILES))):
            self._put(path, self._any_text(path))
        self.server = StrictClient(root, self.random.choice(ENCODINGS))

    def step(self) -> None:
        """Does one random thing."""
        steps: tuple[Callable[[], None], ...] = (self.write, self.delete, self.type, self.close)
        often = (self.write, self.write, self.checkout, self.type, self.ask, self.ask, self.act)
        chosen = self.random.choice(
            (*steps, *often, self.rename, self.search, self.spoil, self.noise)
        )
        with within(_MOST):
            chosen()
        assert self.server.wrong == []

    def write(self) -> None:
        path = self._any_path()
        self._put(path, self._any_text(path))
        self._event(path)

    def checkout(self) -> None:
        """Changes several files at once, of which one message tells."""
        for path in self.random.sample(sorted(self.related), 3):
            if path.exists() and self.random.random() < 0.5:
                path.unlink()
            else:
                self._put(path, self._any_text(path))
            self.late.add(path)
        self.server.are_told = False
        self.tell_late()

    def delete(self) -> None:
        there = sorted(path for path in self.root.rglob("*.*") if path.is_file())
        if there:
            path = self.random.choice(there)
            path.unlink()
            self._event(path)

    def type(self) -> None:
        if not self.open or self.random.random() < 0.2:
            path = self._any_path()
            if path not in self.open:
                self.open[path] = self._any_text(path)
                self.server.open(path.as_uri(), self.open[path])
                return
        path = self.random.choice(sorted(self.open))
        self.open[path] = self._changed(self.open[path])
        self.server.change(path.as_uri(), self.open[path])

    def close(self) -> None:
        if self.open:
            path = self.random.choice(sorted(self.open))
            del self.open[path]
            self.server.close_text(path.as_uri())

    def ask(self) -> None:
        if self.open:
            path = self.random.choice(sorted(self.open))
            method = self.random.choice((*AT, *WHOLE, "selectionRange", "inlayHint"))
            params: dict[str, Any] = {"textDocument": {"uri": path.as_uri()}}
            if method in AT:
                params |= {"position": self._place(), "context": {"includeDeclaration": True}}
            if method == "completion":
                del params["context"]
            if method == "selectionRange":
                params |= {"positions": [{"line": 0, "character": 0}]}
            if method == "inlayHint":
                params |= {"range": _EVERYWHERE}
            self.server.asked(f"textDocument/{method}", params)

    def act(self) -> None:
        if self.open:
            path = self.random.choice(sorted(self.open))
            start = {"line": self.random.randrange(8), "character": 0}
            end = {"line": start["line"] + self.random.randrange(3), "character": 90}
            for action in self._actions(path, {"start": start, "end": end}):
                self.server.applied(path.as_uri(), action.get("edit"))

    async def change_lines(self) -> None:
        """Changes a line of each project in the editor, when the rest is as it should be.

        A file that is no agent may have all files looked at again, so its project has a turn alone.
        Of two projects with a file in common, one is left as it is.
        """
        alone = [one for one in self.together if not all(map(_is_agent, one))]
        several = [one for one in self.together if one not in alone]
        if self.random.random() < 0.3:
            several = [self.random.choice(alone)]
        chosen, seen = dict[Path, str](), set[Path]()
        for one in self.random.sample(several, len(several)):
            if seen.isdisjoint(one):
                seen.update(one)
                for path, text in one.items():
                    self._make_whole(path, text)
                path = self.random.choice(sorted(one))
                self._hold(path, one[path])
                chosen[path] = one[path]
        self.tell_late()
        await self.server.rest()
        for path, text in chosen.items():
            self._hold(path, self._with_another_line(text))

    def rename(self) -> None:
        if self.open:
            path = self.random.choice(sorted(self.open))
            document = {"textDocument": {"uri": path.as_uri()}, "position": self._place()}
            named = {**document, "newName": self.random.choice(_WORDS)}
            edit = self.server.asked("textDocument/rename", named)
            self.server.applied(path.as_uri(), edit)

    def search(self) -> None:
        query = self.random.choice(("", "r", "rvw", "*", "\ud800", "x" * 500))
        for one in self.server.asked("workspace/symbol", {"query": query}):
            assert one["name"]

    def spoil(self) -> None:
        """Asks with a parameter that is none, at any depth."""
        method = self.random.choice(sorted(REQUESTS))
        self.server.asked(method, self._spoilt(REQUESTS[method]))

    def noise(self) -> None:
        self.server.server.protocol.receive(self.random.choice(_NOISE))

    def tell_late(self) -> None:
        """Tells of what has changed on the disk, in one message."""
        changes = [{"uri": path.as_uri(), "type": _kind(path)} for path in sorted(self.late)]
        self.late.clear()
        self.server.are_told = True
        self.server.tell("workspace/didChangeWatchedFiles", {"changes": changes})

    async def compare(self) -> None:
        """Compares the findings with those of a new server."""
        self.tell_late()
        # Nobody types: the findings on a header that is being typed come when the cursor is away.
        place = {"line": 0, "character": 0}
        elsewhere = {"textDocument": {"uri": (self.root / "x").as_uri()}, "position": place}
        self.server.ask("textDocument/documentHighlight", elsewhere)
        await self.server.rest()
        new = StrictClient(self.root, self.server.encoding)
        for path, text in self.open.items():
            new.open(path.as_uri(), text)
        await new.rest()
        old, expected = (
            {uri: sorted(one, key=str) for uri, one in it.found().items()}
            for it in (self.server, new)
        )
        assert old == expected
        assert [*self.server.wrong, *new.wrong] == []

    def fix(self) -> None:
        """Carries out a fix, looks at the findings, and takes it back; all else is at rest."""
        found = [path for path in sorted(self.open) if self._findings(path)]
        if not found:
            return
        path = self.random.choice(found)
        uri, text, before = path.as_uri(), self.open[path], self._findings(path)
        finding = self.random.choice(before)
        only = self.random.choice(("quickfix", "source.fixAll"))
        actions = self._actions(path, finding["range"], only, finding)
        action = self.random.choice(actions) if actions else {}
        now = self.server.applied(uri, action.get("edit"))
        if now is None:
            return
        what = (action["title"], finding["message"], text, now)
        assert now != text, what
        self.server.change(uri, now)
        if only == "source.fixAll":
            assert self._actions(path, finding["range"], only, finding) == [], what
        elif action.get("diagnostics"):
            assert _alike(self._findings(path), finding) < _alike(before, finding), what
        # What a header is refused for hides what else is wrong with it.
        if not _errors(before):
            assert not _errors(self._findings(path)), what
        self.server.change(uri, text)

    def _actions(
        self, path: Path, where: object, only: str = "", finding: object = None
    ) -> list[dict[str, Any]]:
        context: dict[str, object] = {"diagnostics": [finding] if finding is not None else []}
        if only:
            context["only"] = [only]
        document = {"textDocument": {"uri": path.as_uri()}, "range": where, "context": context}
        return self.server.asked("textDocument/codeAction", document) or []

    def _findings(self, path: Path) -> list[dict[str, Any]]:
        said = self.server.published.get(path.as_uri())
        found: list[dict[str, Any]] = said["diagnostics"] if said is not None else []
        return found

    def _spoilt(self, params: dict[str, Any]) -> dict[str, Any]:
        """`params` of a request about an open file, with another value somewhere in them."""
        params = dict(params)
        if self.open and "textDocument" in params:
            params["textDocument"] = {"uri": self.random.choice(sorted(self.open)).as_uri()}
        at = params
        while at:
            key = self.random.choice(sorted(at))
            if isinstance(at[key], dict) and self.random.random() < 0.6:
                at[key] = at = dict(at[key])
                continue
            at[key] = self.random.choice(WRONG)
            break
        return params

    def _event(self, path: Path) -> None:
        """Tells of a change on the disk, or does so later."""
        self.late.add(path)
        self.server.are_told = False
        if self.random.random() < 0.8:
            self.tell_late()

    def _make_whole(self, path: Path, text: str) -> None:
        """Gives the file `text`, in the editor if it is open there."""
        if path in self.open:
            self._hold(path, text)
        else:
            self._put(path, text)
            self.late.add(path)

    def _hold(self, path: Path, text: str) -> None:
        """Types `text` into a file, which is opened if it is not."""
        if path in self.open:
            self.server.change(path.as_uri(), text)
        else:
            self.server.open(path.as_uri(), text)
        self.open[path] = text

    def _place(self) -> dict[str, int]:
        return {"line": self.random.randrange(12), "character": self.random.randrange(40)}

    def _put(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))

    def _any_path(self) -> Path:
        if self.related and self.random.random() < 0.6:
            return self.random.choice(sorted(self.related))
        if self.random.random() < 0.2:
            return self.root / self.random.choice(_OTHERS)
        name = self.random.choice(("reviewer", "planner", "a", "b"))
        folder = self.random.choice(_FOLDERS)
        ending = ".agent.md" if folder == ".github/agents" else ".md"
        return self.root / folder / f"{name}{ending}"

    def _any_text(self, path: Path) -> str:
        alike = [one for one in _TEXTS if one.suffix == path.suffix]
        if path in self.related and (not alike or self.random.random() < 0.9):
            text = self.random.choice(self.related[path])
            return text if self.random.random() < 0.6 else self._otherwise(text)
        if path.suffix == ".json":
            return self.random.choice(
                ('{"name": "kit"}', '{"mcpServers": {"github": {}}}', "{", "")
            )
        text = self.random.choice(alike).read_text(encoding="utf-8", errors="replace")
        return text if self.random.random() < 0.5 else self._changed(text)

    def _otherwise(self, text: str) -> str:
        """`text` with another name, without a closed header, without anything, or damaged."""
        changed = self.random.choice((("name", "nome"), ("---", "--"), ("mode", "mod"), (text, "")))
        return text.replace(*changed, 1) if self.random.random() < 0.7 else self._changed(text)

    def _with_another_line(self, text: str) -> str:
        """`text` with another value of a key, without the key, or with one more line."""
        lines, written = text.splitlines(keepends=True), _written()
        if not any(map(_key, lines[:_HEADER_LINES])):
            return self._changed(text)
        at = self.random.choice([at for at, line in enumerate(lines[:_HEADER_LINES]) if _key(line)])
        same = [line for line in written.get(_key(lines[at]), ()) if line != lines[at]]
        way = self.random.random()
        if same and way < 0.7:
            lines[at] = self.random.choice(same)
        elif way < 0.8:
            del lines[at : at + 1]
        else:
            lines.insert(at, self.random.choice(written[self.random.choice(sorted(written))]))
        return "".join(lines)

    def _changed(self, text: str) -> str:
        at = self.random.randint(0, min(len(text), 400))
        end = at + self.random.choice((0, 0, 1, 5, 40))
        return text[:at] + self.random.choice((*_PIECES, "")) + text[end:]


def _kind(path: Path) -> int:
    return 2 if path.exists() else 3


def _alike(found: list[dict[str, Any]], one: dict[str, Any]) -> int:
    return sum((it["code"], it["message"]) == (one["code"], one["message"]) for it in found)


def _errors(found: list[dict[str, Any]]) -> Counter[str]:
    return Counter(one["code"] for one in found if one["severity"] == _ERROR)


def _is_agent(path: Path) -> bool:
    return path.suffix == ".md" and path.name != "SKILL.md"


def _naming(path: str, text: str) -> str:
    """The `text` of an agent that also names the other one in the words of an order."""
    return f"{text}\nDelegate to the `other` agent.\n" if path.endswith(".md") else text


def _key(line: str) -> str:
    found = _KEY_LINE.fullmatch(line)
    return found["key"] if found is not None else ""


@cache
def _written() -> dict[str, tuple[str, ...]]:
    """The lines that begin with a key, in all files that texts are taken from, by their keys."""
    lines = dict[str, dict[str, None]]()
    for text in _read():
        for line in text.splitlines(keepends=True)[:_HEADER_LINES]:
            if key := _key(line):
                lines.setdefault(key, {})[line] = None
    return {key: tuple(found) for key, found in lines.items()}


def _read() -> Iterator[str]:
    for path in _TEXTS:
        yield path.read_text(encoding="utf-8", errors="replace")
    for one in SYSTEMS.values():
        yield from (one.text, one.others)
    for code in CODES:
        for example in examples(code):
            yield from example.files.values()


@cache
def _of_several() -> tuple[Example, ...]:
    """The examples of the rules with more than one file, all in the workspace."""
    every = (one for code in CODES for one in examples(code) if len(one.files) > 1)
    return tuple(one for one in every if not any(name.startswith("~") for name in one.files))


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
            await play.compare()
            play.fix()
            await play.change_lines()
            await play.compare()
    await play.compare()
    assert [text for text in play.server.logged if "Traceback" in text] == []
