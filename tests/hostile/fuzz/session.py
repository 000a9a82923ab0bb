"""A workspace at random, an editor on it, and what happens to its texts and to the disk.

Many of the files belong together, as in the examples of the rules, so that a finding on one depends
on another. Each workspace has a project of every system, where one agent names another.
"""

import copy
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from pytest_lsp import client_capabilities

from agent_lsp.server.transport import converter
from tests.checks.pages import Example, examples
from tests.hostile.answers import Wrong
from tests.hostile.fuzz.client import Client
from tests.hostile.fuzz.documents import Document
from tests.hostile.texts import BOMBS, SEEDS, SHIPPED, Typist
from tests.server.editor import CLIENTS
from tests.server.systems import SYSTEMS
from tests.systems import CODES

_EXAMPLES = Path(__file__).parents[3] / "examples"
_TEXTS = sorted({*SHIPPED, *_EXAMPLES.rglob("*.md"), *_EXAMPLES.rglob("*.toml")})
# How many examples with several files a workspace has, and how many files besides.
_TOGETHER, _OTHER_FILES = 5, 6
FOLDERS = (
    *(".claude/agents", ".claude/agents/sub", ".codex/.agents", ".codex/agents", ".cursor/agents"),
    *(".factory/droids", ".gemini/agents", ".github/agents", ".kodacode/agents", ".moltis/agents"),
    *(".opencode/agents", ".qwen/agents", "docs/templates", "kit/agents", "sub/.codex/.agents"),
)
NAMES = (
    *("reviewer", "planner", "a", "b", "other", "default", "Explore", "ünï", "x y", "README"),
    *("general-purpose", "e\u0301clair", "100%", "a#b", "con"),
)
_OTHERS = (
    *("moltis.toml", ".mcp.json", "kit/.claude-plugin/plugin.json", ".codex/config.toml"),
    *("agent-template-lsp.toml", "README.md", "sub/moltis.toml", "opencode.json"),
)
_TABLES = ('{"name": "kit"}', '{"mcpServers": {"github": {}}}', "{", "")
_CONFIGURATIONS: tuple[object, ...] = (
    *(None, None, None, {}, {"severity": {"unknown-tool": "off"}}, {"folders": {"docs": "claude"}}),
    *({"severity": 7, "folders": []}, {"inlayHints": False, "codeLens": False}, "x", [1]),
    *({"diagnosticMode": "openFiles"}, {"sessionRoot": "sub"}),
    {"dialects": {"claude": {"tools": ["*", "[", "a" * 50]}}},
    {"dialects": {"claude": {"scopes": ["../home", "/", "~"]}}},
)
_OPTIONS: tuple[object, ...] = (
    *(None, None, {}, [], "x", {"previewChanged": 1}),
    {"previewChanged": True, "agentsChanged": True, "attachFolders": True},
)
_ENCODINGS = (["utf-16"], ["utf-8", "utf-16"], ["utf-32", "utf-16"], ["utf-8"])
# What some clients cannot do.
_LACKING = (
    *(("workspace", "configuration"), ("workspace", "workspaceEdit")),
    *(("workspace", "didChangeWatchedFiles"), ("textDocument", "codeAction")),
    *(("textDocument", "documentSymbol"), ("textDocument", "hover"), ("window", "showDocument")),
    *(("textDocument", "completion"), ("textDocument", "rename"), ("textDocument", "definition")),
)
_LANGUAGES = ("markdown", "markdown", "plaintext", "chatagent", "")
# The most files that are open at a time.
_OPEN = 12

Complain = Callable[[Wrong], None]


class Session:
    """An editor and its workspace, made from a seed.

    `command` starts its server, and `other` those that its findings are compared with.
    """

    def __init__(
        self,
        folder: Path,
        seed: int,
        command: Sequence[str],
        other: Sequence[str],
        complain: Complain,
    ) -> None:
        self.folder, self.root, self.home = folder, folder / "workspace", folder / "home"
        self.random = random.Random(seed)  # noqa: S311 - no secret
        self.other, self.complain = other, complain
        self.typist = Typist(self.random, _read())
        # What has changed on the disk, and the server was not told yet.
        self.late: set[Path] = set()
        self._changes = 0
        # Files that belong together, and all texts of each.
        projects = [one.files for one in self.random.sample(_of_several(), _TOGETHER)]
        projects += [
            {one.other: one.others, one.main: _naming(one.main, one.text)}
            for one in SYSTEMS.values()
        ]
        self.together = [{self.root / name: text for name, text in one.items()} for one in projects]
        self.related: dict[Path, list[str]] = {}
        for one in self.together:
            for path, text in one.items():
                self.related.setdefault(path, []).append(text)
        (self.root / ".git").mkdir(parents=True)
        for path in (*self.related, *(self.any_path() for _ in range(_OTHER_FILES))):
            self.put(path, self.any_text(path))
        for folder_name in self.random.sample(FOLDERS, 2):
            path = self.home / folder_name / "reviewer.md"
            self.put(path, self.any_text(path))
        self.able = _able(self.random)
        self.options = self.random.choice(_OPTIONS)
        self.configuration = self.random.choice(_CONFIGURATIONS)
        self.client = self.start(command)

    def start(self, command: Sequence[str]) -> Client:
        """A client of a new server on this workspace, which it does not know yet."""
        # What a client answers depends on the time, and must not change what is done.
        own = random.Random(self.random.random())  # noqa: S311 - no secret
        return Client(command, self.folder, self.complain, own, self.configuration)

    def introduce(self, client: Client, able: Mapping[str, Any]) -> None:
        """Tells a server who the client is, and what it can do."""
        name = self.random.choice(("Visual Studio Code", "Neovim", "x"))
        client.begin(able, self.options, name)

    # Texts.

    def opened(self) -> list[Document]:
        """The open texts, in a fixed order."""
        every = self.client.documents.values()
        return sorted((one for one in every if one.is_open), key=lambda one: one.uri)

    def document(self) -> Document:
        """An open text, which is opened if there is none, or at times."""
        opened = self.opened()
        if opened and (len(opened) >= _OPEN or self.random.random() < 0.85):
            return self.random.choice(opened)
        path = self.any_path()
        document = self.document_at(path)
        if not document.is_open:
            self.open(document, self.any_text(path))
        return document

    def document_at(self, path: Path) -> Document:
        """The text of a file in the editor, open or not."""
        uri = path.as_uri()
        return self.client.documents.setdefault(uri, Document(uri))

    def open(self, document: Document, text: str) -> None:
        """Opens a text; what is still on its way is about earlier versions."""
        document.is_open, document.is_loose = True, False
        document.hold(text, document.version + self.random.choice((1, 1, 5)))
        self.client.forget(document.uri)
        language = "toml" if document.uri.endswith(".toml") else self.random.choice(_LANGUAGES)
        self.did_open(self.client, document, language)

    def did_open(self, client: Client, document: Document, language: str = "markdown") -> None:
        """Tells a server that a text is open."""
        item = {
            "uri": document.uri,
            "languageId": language,
            "version": document.version,
            "text": document.text,
        }
        client.figures["texts"] += 1
        client.tell("textDocument/didOpen", {"textDocument": item})

    def change(self, document: Document, text: str) -> None:
        """Types `text` in place of all that is there, as the server asks for it."""
        document.hold(text, document.version + self.random.choice((1, 1, 1, 2, 7)))
        self.client.figures["texts"] += 1
        changed = {"uri": document.uri, "version": document.version}
        params = {"textDocument": changed, "contentChanges": [{"text": text}]}
        self.client.tell("textDocument/didChange", params)

    def close(self, document: Document) -> None:
        """Closes a text."""
        document.is_open = False
        self.client.forget(document.uri)
        self.client.tell("textDocument/didClose", {"textDocument": {"uri": document.uri}})

    def path_of(self, document: Document) -> Path:
        """The file of a text."""
        return Path(unquote(urlsplit(document.uri).path))

    def hold(self, path: Path, text: str) -> None:
        """Types `text` into a file, which is opened if it is not."""
        document = self.document_at(path)
        if document.is_open:
            self.change(document, text)
        else:
            self.open(document, text)

    def leave_text(self) -> None:
        """Has the cursor elsewhere: the findings on a header that is typed come then."""
        place = {"line": 0, "character": 0}
        elsewhere = {"textDocument": {"uri": (self.root / "x").as_uri()}, "position": place}
        self.client.asked("textDocument/documentHighlight", elsewhere)

    # The disk.

    def put(self, path: Path, text: str | bytes) -> None:
        """Writes a file, in place of a link; nothing where a folder is, or a file is a folder."""
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_symlink():
                path.unlink()
            path.write_bytes(data)

    def remove(self, path: Path) -> None:
        """Removes a file or a folder, if it is there."""
        with suppress(OSError):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    def link(self, path: Path, target: str) -> None:
        """Makes a link in place of what is not there any more."""
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(target)

    def changed(self, *paths: Path, is_told: bool = True) -> None:
        """Notes that files are others now, of which the server is told at once or later."""
        self._changes += 1
        self.late.update(paths)
        self.client.disk = None
        if is_told:
            self.tell_late()

    def tell_late(self) -> None:
        """Tells of what has changed on the disk, in one message."""
        changes = [{"uri": path.as_uri(), "type": _kind(path)} for path in sorted(self.late)]
        gone = {one for path in self.late for one in path.parents if self.root in one.parents}
        folders = sorted(one for one in gone if not one.exists())
        changes += [{"uri": path.as_uri(), "type": 3} for path in folders]
        self.late.clear()
        self.client.disk = self._changes
        self.client.tell("workspace/didChangeWatchedFiles", {"changes": changes})

    # What is chosen.

    def any_path(self) -> Path:
        """A file that somebody may look at."""
        if self.random.random() < 0.5:
            return self.random.choice(sorted(self.related))
        if self.random.random() < 0.2:
            return self.root / self.random.choice(_OTHERS)
        folder, name = self.random.choice(FOLDERS), self.random.choice(NAMES)
        return self.root / folder / f"{name}{'.agent' * (folder == '.github/agents')}.md"

    def any_text(self, path: Path) -> str:
        """A text for that file, which may be for another one."""
        way = self.random.random()
        if way < 0.02:
            bomb = self.random.choice([*BOMBS])
            return self.random.choice((BOMBS[bomb](), *SEEDS))
        if path in self.related and way < 0.9:
            text = self.random.choice(self.related[path])
            return text if self.random.random() < 0.6 else self._otherwise(text)
        if path.suffix == ".json":
            return self.random.choice(_TABLES)
        text = self.random.choice(_texts_of(path.suffix))
        return self.typist.changed(text, self.random.choice((0, 0, 1, 1, 2, 4, 9)))

    def _otherwise(self, text: str) -> str:
        """`text` with another name, without a closed header, without anything, or damaged."""
        changed = self.random.choice((("name", "nome"), ("---", "--"), ("mode", "mod"), (text, "")))
        if text and self.random.random() < 0.7:
            return text.replace(*changed, 1)
        return self.typist.changed(text)


def _able(chance: random.Random) -> dict[str, Any]:
    """What one of the real editors can do, without some of it, in some encoding."""
    name = chance.choice(sorted(CLIENTS))
    able: dict[str, Any] = copy.deepcopy(converter().unstructure(client_capabilities(name)))
    able.setdefault("general", {})["positionEncodings"] = chance.choice(_ENCODINGS)
    able["workspace"]["textDocumentContent"] = {"dynamicRegistration": True}
    for part, ability in _LACKING:
        if chance.random() < 0.12:
            able.get(part, {}).pop(ability, None)
    return with_pull(able, is_pulled=chance.random() < 0.3)


def with_pull(able: Mapping[str, Any], *, is_pulled: bool) -> dict[str, Any]:
    """The same abilities, with or without requests for findings."""
    changed: dict[str, Any] = copy.deepcopy(dict(able))
    changed["textDocument"].pop("diagnostic", None)
    changed["workspace"].pop("diagnostics", None)
    if is_pulled:
        changed["textDocument"]["diagnostic"] = {"dynamicRegistration": True}
        changed["workspace"]["diagnostics"] = {"refreshSupport": True}
    return changed


def in_another_encoding(able: Mapping[str, Any], chance: random.Random) -> dict[str, Any]:
    """The same abilities of a client that counts columns otherwise."""
    changed: dict[str, Any] = copy.deepcopy(dict(able))
    spoken = changed["general"]["positionEncodings"]
    others = [one for one in _ENCODINGS if one[0] != spoken[0]]
    changed["general"]["positionEncodings"] = chance.choice(others)
    return changed


def is_agent(path: Path) -> bool:
    """Whether the file is a template, and no settings that others depend on."""
    return path.suffix == ".md" and path.name != "SKILL.md"


def alike(found: Sequence[Mapping[str, Any]], one: Mapping[str, Any]) -> int:
    """How many findings have the code and the words of `one`."""
    return sum((it["code"], it["message"]) == (one["code"], one["message"]) for it in found)


def errors(found: Sequence[Mapping[str, Any]]) -> Counter[str]:
    """How many errors there are of each code."""
    return Counter(one["code"] for one in found if one["severity"] == 1)


def _kind(path: Path) -> int:
    return 2 if path.exists() or path.is_symlink() else 3


def _naming(path: str, text: str) -> str:
    """The `text` of an agent that also names the other one in the words of an order."""
    return f"{text}\nDelegate to the `other` agent.\n" if path.endswith(".md") else text


@cache
def _read() -> tuple[str, ...]:
    return tuple(_read_all())


def _read_all() -> Iterator[str]:
    for path in _TEXTS:
        yield path.read_text(encoding="utf-8", errors="replace")
    for one in SYSTEMS.values():
        yield from (one.text, one.others)
    for code in CODES:
        for example in examples(code):
            yield from example.files.values()


@cache
def _texts_of(suffix: str) -> tuple[str, ...]:
    paths = [one for one in _TEXTS if one.suffix == suffix] or _TEXTS
    return tuple(path.read_text(encoding="utf-8", errors="replace") for path in paths)


@cache
def _of_several() -> tuple[Example, ...]:
    """The examples of the rules with more than one file, all in the workspace."""
    every = (one for code in CODES for one in examples(code) if len(one.files) > 1)
    return tuple(one for one in every if not any(name.startswith("~") for name in one.files))
