"""Short rounds of `make fuzz`, the same each time, and that it notices what does not hold."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.answers import KINDS, Answer, Wrong, places, wrong_in
from tests.hostile.fuzz import client, faulty
from tests.hostile.fuzz.documents import Document, Editor, TextsThen
from tests.hostile.fuzz.play import play
from tests.server import ready

# Of rounds that together take what is worth it before a change lands.
_SEEDS, _STEPS = (1, 2, 3), 40
_SERVE = ("serve", "--stdio")


@pytest.mark.hostile
@pytest.mark.parametrize("seed", _SEEDS)
def test_whatever_is_asked_typed_and_written_the_server_keeps_its_promises(
    seed: int, tmp_path: Path
) -> None:
    server = (*ready.program(), *_SERVE)
    report = play(seed, tmp_path / "round", server, server, steps=_STEPS)
    assert [f"{one.kind}: {one.what} ({step})" for one, step in report.wrong.values()] == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_server_that_does_one_thing_wrong_is_noticed(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "LIMIT", 0.5)
    server = (sys.executable, "-S", faulty.__file__, kind)
    only = ("fix", "type") if kind in ("fix", "edit") else ("type", "ask")
    report = play(1, tmp_path / "round", server, server, steps=15, only=only)
    assert kind in report.counts, report.counts


_URI = "file:///a.md"


def _answer(method: str, result: object, text: str, encoding: str = "utf-16") -> Answer:
    editor = Editor(Path("/"), Path("/"))
    editor.encoding = encoding
    editor.documents[_URI] = Document(_URI, text, 1, is_open=True, history={1: text})
    params: dict[str, Any] = {"textDocument": {"uri": _URI}}
    return Answer(method, params, result, TextsThen(editor, is_search=False))


def _folds(*folds: tuple[int, int]) -> list[Wrong]:
    result = [{"startLine": start, "endLine": end} for start, end in folds]
    text = "---\na:\n - b\nc:\n - d\n---\n\nx\n"
    return list(wrong_in(_answer("textDocument/foldingRange", result, text)))


def test_a_fold_that_ends_too_late_is_noticed() -> None:
    assert _folds((0, 5), (1, 2), (3, 4)) == []
    assert _folds((0, 5), (1, 3), (3, 4))
    assert _folds((0, 5), (1, 2), (3, 6))
    assert _folds((0, 6), (1, 2))


def test_the_same_place_is_the_same_in_each_encoding() -> None:
    def told(column: int, encoding: str) -> list[tuple[str, object]]:
        start, end = ({"line": 0, "character": one} for one in (column, column + 1))
        result = [{"range": {"start": start, "end": end}, "target": "file:///b"}]
        return places(_answer("textDocument/documentLink", result, "\U00020000ab\n", encoding))

    assert told(4, "utf-8") == told(2, "utf-16") == told(1, "utf-32")
    assert told(2, "utf-32") != told(2, "utf-16")


def test_a_member_of_a_command_is_no_range_because_of_its_name() -> None:
    recorded = {"events": {"start": {"payload": "x"}, "end": {}}, "range": "all"}
    assert list(wrong_in(_answer("workspace/executeCommand", recorded, "x"))) == []
    far = {"line": 7, "character": 0}
    place = {"uri": _URI, "range": {"start": far, "end": far}, "label": "a.md"}
    assert list(wrong_in(_answer("workspace/executeCommand", {"at": place}, "x")))
