"""What an editor and the disk do, one step at a time, each as often as `STEPS` says."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import quote

from tests.hostile.answers import AT, WHOLE, Lines
from tests.hostile.fuzz import invalid
from tests.hostile.fuzz.documents import Document
from tests.hostile.fuzz.ends import compare, fix
from tests.hostile.fuzz.session import NAMES, Session
from tests.hostile.texts import BOMBS
from tests.systems import DIALECTS

_METHODS = (*AT, *WHOLE, "selectionRange", "inlayHint", "codeAction", "codeAction", "rename")
# Requests that the server may not know.
_UNKNOWN = (
    *("signatureHelp", "formatting", "rangeFormatting", "diagnostic", "linkedEditingRange"),
    *("typeDefinition", "declaration", "documentColor", "semanticTokens/range", "moniker"),
)
_WORDS = (
    *("b", "new-name", "New-Name", "", " ", "a/b", "../x", "x\ny", "\u202ex", "README", "\ud800"),
    *("x" * 300, ".", "con", "ä", "a: b", "'q'", "<!--"),
)
_ONLY: tuple[list[str], ...] = (
    ["quickfix"],
    ["source.fixAll"],
    ["refactor"],
    ["source"],
    [""],
    [],
    ["x"],
)
_QUERIES = ("", "r", "rvw", "\ud800", "é", "x" * 5000, "*", "(", "a b")
_BIG = (0, 1, 5, 10**4, 2**31 - 1, 2**31, -1, 2**53, 10**30)
# After these, something is to be asked.
_MARKS = re.compile(r"[:\[,`\"<@-]")
_LINKS = ("nowhere", "..", "../../README.md", "/dev/null", "/dev/zero")


# What is asked.


def any_place(session: Session, text: str, wild: float = 0.1) -> dict[str, int]:
    """A place in `text`, or any two numbers."""
    chance = session.random
    if chance.random() < wild:
        return {"line": chance.choice(_BIG), "character": chance.choice(_BIG)}
    offset = session.typist.place(text)
    marks = [one.end() for one in islice(_MARKS.finditer(text[:3000]), 60)]
    if marks and chance.random() < 0.5:
        offset = chance.choice(marks)
    return Lines(text, session.client.encoding).position(offset)


def params_of(session: Session, method: str, document: Document) -> dict[str, Any]:
    """What a request without its `textDocument/` asks about a text."""
    chance, text = session.random, document.text
    params: dict[str, Any] = {"textDocument": {"uri": document.uri}}
    if method in (*WHOLE, "diagnostic", "documentColor"):
        return params
    place = any_place(session, text)
    if method == "selectionRange":
        return params | {
            "positions": [any_place(session, text) for _ in range(chance.randrange(3))]
        }
    if method in ("inlayHint", "codeAction", "rangeFormatting", "semanticTokens/range"):
        start, end = sorted((place, any_place(session, text)), key=lambda one: [*one.values()])
        if chance.random() < 0.3:
            start, end = {"line": 0, "character": 0}, {"line": 10**6, "character": 0}
        elif chance.random() < 0.05:
            start, end = end, start
        params["range"] = {"start": start, "end": end}
    else:
        params["position"] = place
    if method in _MORE:
        params |= _MORE[method](session, document)
    elif method.endswith("ormatting"):
        params["options"] = {"tabSize": 2, "insertSpaces": True}
    return params


def _of_action(session: Session, document: Document) -> dict[str, Any]:
    chance, said = session.random, session.client.published.get(document.uri)
    is_told = chance.random() < 0.5
    found = said.items[:20] if said is not None and is_told else []
    context: dict[str, Any] = {"diagnostics": found, "triggerKind": chance.choice((1, 1, 2))}
    if chance.random() < 0.4:
        context["only"] = chance.choice(_ONLY)
    return {"context": context}


def _of_references(session: Session, _: Document) -> dict[str, Any]:
    return {"context": {"includeDeclaration": session.random.random() < 0.5}}


def _of_completion(session: Session, _: Document) -> dict[str, Any]:
    typed = {"triggerKind": 2, "triggerCharacter": session.random.choice(':-[," <')}
    return {"context": session.random.choice(({"triggerKind": 1}, typed, {"triggerKind": 3}))}


def _of_rename(session: Session, _: Document) -> dict[str, Any]:
    return {"newName": session.random.choice((*NAMES, *_WORDS))}


_MORE: Mapping[str, Callable[[Session, Document], dict[str, Any]]] = {
    "codeAction": _of_action,
    "references": _of_references,
    "completion": _of_completion,
    "rename": _of_rename,
}


def ask(session: Session, document: Document | None = None, method: str = "") -> None:
    """Asks something about a text, and takes some of it back."""
    document, chance = document or session.document(), session.random
    for _ in range(1 if method else chance.choice((1, 2, 4, 10, 20))):
        chosen = chance.choice(_METHODS if chance.random() < 0.95 else _UNKNOWN)
        params = params_of(session, method or chosen, document)
        number = session.client.ask(f"textDocument/{method or chosen}", params)
        if chance.random() < 0.12:
            session.client.cancel(chance.choice((number, number, number, 10**9, "x", None, [1])))


def ask_everything(session: Session) -> None:
    """Asks all about a text, and waits for the answers."""
    document = session.document()
    for method in _METHODS:
        ask(session, document, method)
    session.client.sync()


def symbols(session: Session) -> None:
    """Searches all files."""
    session.client.ask("workspace/symbol", {"query": session.random.choice(_QUERIES)})


def hierarchy(session: Session) -> None:
    """Asks who starts an agent, and whom it starts, at times with an item that is none."""
    document, chance = session.document(), session.random
    params = params_of(session, "prepareCallHierarchy", document)
    for item in session.client.asked("textDocument/prepareCallHierarchy", params) or []:
        if chance.random() < 0.2:
            key = chance.choice(("uri", "range", "name", "data"))
            item[key] = chance.choice((None, 7, "x", {}))
        for way in ("incoming", "outgoing"):
            session.client.ask(f"callHierarchy/{way}Calls", {"item": item})


def content(session: Session) -> None:
    """Asks for the text of a page that the server makes."""
    chance = session.random
    asked = quote(f'{{"uri": "{session.document().uri}", "format": "markdown"}}')
    query = chance.choice(("{}", '{"uri": "x"}', "", "[", asked))
    name = chance.choice(("previewSpawn-a.md", "listAgents.md", "x", "convert-a.md", "../x", ""))
    params = {"uri": f"agent-template-preview:/{name}?{query}"}
    session.client.ask("workspace/textDocumentContent", params)


def command(session: Session) -> None:
    """Has a command carried out, mostly with arguments that make sense."""
    chance, document = session.random, session.document()
    provider = session.client.capabilities.get("executeCommandProvider") or {}
    argument: dict[str, Any] = {"uri": document.uri}
    if chance.random() < 0.7:
        argument["dialect"] = chance.choice(DIALECTS).id
    if chance.random() < 0.5:
        argument["format"] = chance.choice(("markdown", "json", "x"))
    if chance.random() < 0.4:
        argument["name"] = argument["agent_type"] = chance.choice(NAMES)
    if chance.random() < 0.3:
        argument |= {"to": chance.choice(DIALECTS).id, "line": chance.choice((0, 3, 10**9, -1))}
    if chance.random() < 0.4:
        argument = invalid.with_junk(session, argument)
    name = chance.choice([*(provider.get("commands") or ()), "x"])
    arguments = chance.choice(([argument],) * 5 + ([], [argument] * 2))
    session.client.ask("workspace/executeCommand", {"command": name, "arguments": arguments})


def pull(session: Session) -> None:
    """Asks for the findings on all files, in an editor that does so."""
    if "diagnostics" in session.client.able["workspace"]:
        session.client.pull_workspace()


# What is typed.


def type_text(session: Session) -> None:
    """Types at some places, and asks something now and then."""
    document = session.document()
    for _ in range(session.random.choice((1, 1, 1, 2, 5))):
        times = session.random.choice((1, 1, 1, 2, 4))
        session.change(document, session.typist.changed(document.text, times))
        if session.random.random() < 0.3:
            ask(session, document)


def type_line(session: Session) -> None:
    """Gives a key another value, as other files have it."""
    document = session.document()
    session.change(document, session.typist.with_another_line(document.text))


def rewrite(session: Session) -> None:
    """Has another text at once."""
    document = session.document()
    session.change(document, session.any_text(session.path_of(document)))


def prefix(session: Session) -> None:
    """Types a template from its beginning, as people do, and completes."""
    document = session.document()
    text = session.any_text(session.path_of(document))[:5000]
    start = session.random.randint(0, len(text))
    for stop in range(start, min(len(text), start + session.random.randrange(25))):
        session.change(document, text[:stop])
        if session.random.random() < 0.3:
            end = Lines(document.text, session.client.encoding).position(stop)
            at_end = {"textDocument": {"uri": document.uri}, "position": end}
            session.client.ask("textDocument/completion", at_end)


def burst(session: Session) -> None:
    """Types faster than anybody reads."""
    document = session.document()
    for _ in range(session.random.randrange(5, 40)):
        session.change(document, session.typist.changed(document.text[:60_000]))


def pipeline(session: Session) -> None:
    """Asks much at once, with changes in between."""
    document = session.document()
    for _ in range(session.random.randrange(5, 20)):
        if session.random.random() < 0.3:
            session.change(document, session.typist.changed(document.text))
        ask(session, document, session.random.choice(_METHODS))


def huge(session: Session) -> None:
    """Types a text that is made to be slow, asks about it, and takes it back."""
    document = session.document()
    bomb = session.random.choice(sorted(BOMBS))
    session.change(document, BOMBS[bomb]())
    ask(session, document)
    session.change(document, "---\ndescription: x\n---\ny\n")
    session.client.sync()


def open_text(session: Session) -> None:
    """Opens a text that was closed, or another one."""
    closed = [one for one in session.client.documents.values() if not one.is_open]
    if not closed or session.random.random() < 0.5:
        session.document()
        return
    document = session.random.choice(sorted(closed, key=lambda one: one.uri))
    is_same = session.random.random() < 0.5
    path = session.path_of(document)
    session.open(document, document.text if is_same else session.any_text(path))


def close(session: Session) -> None:
    """Closes a text; some stay open."""
    opened = session.opened()
    if len(opened) > 3:
        session.close(session.random.choice(opened))


# What happens to the disk.


def save(session: Session) -> None:
    """Saves a text."""
    document = session.document()
    path = session.path_of(document)
    session.put(path, document.text.encode("utf-8", "replace"))
    session.changed(path, is_told=session.random.random() < 0.8)
    params: dict[str, Any] = {"textDocument": {"uri": document.uri}}
    if session.random.random() < 0.2:
        params["text"] = document.text
    session.client.tell("textDocument/didSave", params)


def disk(session: Session) -> None:
    """Changes, removes or replaces a file, which the server is told now or later."""
    chance = session.random
    for _ in range(chance.choice((1, 1, 3))):
        path = session.any_path()
        match chance.randrange(10):
            case 0 | 1 | 2 | 3:
                session.put(path, session.any_text(path))
            case 4 | 5:
                session.remove(path)
            case 6:
                session.remove(path)
                session.link(path, chance.choice((*_LINKS, path.name)))
            case 7:
                session.put(path, chance.randbytes(200))
            case 8 if path.parent != session.root:
                gone = [one for one in path.parent.rglob("*") if one.is_file()]
                session.remove(path.parent)
                session.changed(*gone, is_told=False)
            case _:
                session.put(path, session.any_text(path))
                session.changed(path)
                session.remove(path)
        session.changed(path, is_told=chance.random() < 0.7)


def checkout(session: Session) -> None:
    """Changes several files at once, of which one message tells."""
    for path in session.random.sample(sorted(session.related), 3):
        if path.exists() and session.random.random() < 0.5:
            session.remove(path)
        else:
            session.put(path, session.any_text(path))
        session.changed(path, is_told=False)
    session.tell_late()


def rename_file(session: Session) -> None:
    """Asks what else changes when a file gets another name."""
    new = (session.any_path().as_uri(), session.any_path().as_uri(), invalid.any_uri(session))
    renamed = {"oldUri": session.document().uri, "newUri": session.random.choice(new)}
    session.client.ask("workspace/willRenameFiles", {"files": [renamed]})


def configure(session: Session) -> None:
    """Has the settings asked for again."""
    every: tuple[object, ...] = (None, {}, {"agentTemplates": session.configuration})
    if session.able["workspace"].get("configuration"):
        settings = {"settings": session.random.choice(every)}
        session.client.tell("workspace/didChangeConfiguration", settings)


def folders(session: Session) -> None:
    """Adds and removes folders of the workspace, which is the same in the end."""
    chance = session.random
    mine = {"uri": session.root.as_uri(), "name": "workspace"}
    others = (session.home, session.root / "sub")
    uris = (*(one.as_uri() for one in others), "file:///no/where", "untitled:x", "", "file://h/x")
    other = {"uri": chance.choice(uris), "name": "other"}
    ways: tuple[tuple[tuple[list[object], list[object]], ...], ...] = (
        (([other], []), ([], [other])),
        (([], [mine]), ([mine], [])),
        (([other], [mine]), ([mine], [other])),
    )
    for added, removed in chance.choice(ways):
        event = {"event": {"added": added, "removed": removed}}
        session.client.tell("workspace/didChangeWorkspaceFolders", event)
        if chance.random() < 0.5:
            ask(session)


def quiet(session: Session) -> None:
    """Waits a little, so that work in the background has its turn."""
    session.client.hear(session.random.choice((0.01, 0.05, 0.2)))


@dataclass(frozen=True, slots=True)
class Step:
    """Something to do, and how often beside the others."""

    often: int
    do: Callable[[Session], None]


STEPS: Mapping[str, Step] = {
    "type": Step(24, type_text),
    "line": Step(8, type_line),
    "ask": Step(24, ask),
    "everything": Step(10, ask_everything),
    "rewrite": Step(8, rewrite),
    "prefix": Step(5, prefix),
    "burst": Step(2, burst),
    "pipeline": Step(4, pipeline),
    "huge": Step(1, huge),
    "open": Step(4, open_text),
    "close": Step(4, close),
    "save": Step(3, save),
    "disk": Step(10, disk),
    "checkout": Step(5, checkout),
    "rename": Step(2, rename_file),
    "symbols": Step(2, symbols),
    "hierarchy": Step(3, hierarchy),
    "content": Step(1, content),
    "command": Step(8, command),
    "pull": Step(2, pull),
    "fix": Step(8, fix),
    "configure": Step(1, configure),
    "folders": Step(1, folders),
    "break": Step(4, invalid.break_rules),
    "types": Step(8, invalid.wrong_types),
    "noise": Step(5, invalid.noise),
    "compare": Step(4, compare),
    "quiet": Step(3, quiet),
}
